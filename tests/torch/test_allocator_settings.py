"""What PYTORCH_NPU_ALLOC_CONF sets does what it says, and torch's counts, snapshots and traces agree under each setting."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.kit.torch_guest import needs_torch

PROGRAM = Path(__file__).parent / "programs" / "allocator_settings.py"

MIB = 1 << 20
PADDED = {"4 MiB": 4 * MIB + 512, "30 MiB": 30 * MIB + 512, "512 bytes": 1024}
"""What tensors take: 32 bytes more than they need, in whole blocks of 512."""
LARGE, SMALL = 20 * MIB, 2 * MIB
"""Segments for tensors up to 10 MiB, and up to 1 MiB; larger ones have their own, in steps of 2 MiB."""


def _figures(
    first: int = LARGE, both: int = LARGE + 32 * MIB, after: int = LARGE, second: int = PADDED["30 MiB"],
    segments: list[list[Any]] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """[allocated, reserved]: *first* reserved for 4 MiB, *both* with 30 MiB, *after* when these are given back."""
    allocated = PADDED["4 MiB"], PADDED["4 MiB"] + second
    usual = [["large", LARGE, False], ["large", 32 * MIB, False], ["small", SMALL, False]]
    whole = allocated[1] + PADDED["512 bytes"]
    rest = allocated[0] + PADDED["512 bytes"]
    return {
        "4 MiB": [allocated[0], first],
        "30 MiB": [allocated[1], both],
        "512 bytes": [whole, both + SMALL],
        "segments": segments or usual,
        "freed": [rest, both + SMALL],
        "emptied": [rest, after + SMALL],
        "peak": [whole, both + SMALL],
    }


SETTINGS: dict[str, dict[str, Any]] = {
    "expandable_segments:True": _figures(
        both=40 * MIB, segments=[["large", 40 * MIB, True], ["small", SMALL, True]]
    ),
    "large_segment_size_mb:64": _figures(
        64 * MIB, 64 * MIB, 64 * MIB, segments=[["large", 64 * MIB, False], ["small", SMALL, False]]
    ),
    "max_split_size_mb:21,max_non_split_rounding_mb:30": _figures(second=32 * MIB),  # the whole segment is the tensor's
    **dict.fromkeys(
        (
            "expandable_segments:False", "garbage_collection_threshold:0.5", "base_addr_aligned_kb:0",
            "roundup_power2_divisions:1", "segment_size_mb:64", "page_size:1g", "pin_memory_expandable_segments:True",
            "pinned_mem_register:True", "pinned_use_background_threads:True", "pinned_reserve_segment_size_mb:8",
            "pinned_max_round_threshold_mb:1,pinned_max_cached_size_mb:1", "release_lock_on_npumalloc:True",
            "multi_stream_lazy_reclaim:True", "throw_on_npumalloc_oom:True", "per_process_memory_fraction:0.5",
        ),
        _figures(),
    ),
    "PYTORCH_NO_NPU_MEMORY_CACHING=1": {key: [] if key == "segments" else [0, 0] for key in _figures()},
}  # fmt: skip
"""All keys that torch_npu 2.13 knows, and the variable that does without the allocator."""
REFUSED = {
    "max_splits:1": "Unrecognized key 'max_splits'",
}


@pytest.fixture(scope="module")
def done() -> subprocess.CompletedProcess[str]:
    """One process that forks for each: torch is imported once."""
    words = [sys.executable, "-m", "ascend_sim", "run", str(PROGRAM), *SETTINGS, *REFUSED]
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=1800)


@needs_torch
@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS)
def test_a_setting(setting: str, done: subprocess.CompletedProcess[str]) -> None:
    lines = [json.loads(line.removeprefix("found ")) for line in done.stdout.splitlines() if line.startswith("found ")]
    found = next((figures for name, figures in lines if name == setting), None)
    assert found is not None, done.stderr
    traced = found.pop("traced")
    assert found == SETTINGS[setting]
    assert {"free_requested", "free_completed"} <= {*traced} or "NO_NPU" in setting
    assert "error[" not in done.stderr, done.stderr


@needs_torch
@pytest.mark.slow
@pytest.mark.parametrize("setting", REFUSED)
def test_a_setting_that_torch_npu_cannot_have(setting: str, done: subprocess.CompletedProcess[str]) -> None:
    assert REFUSED[setting] in done.stderr and setting not in done.stdout
