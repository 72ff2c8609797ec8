"""Every function of both faces, called with arbitrary arguments in processes of their own.

A call ends in a return code of the right shape, in pyACL's TypeError (or another error that
docs/semantics/pyacl.md#arguments names), or in SimulatedHang; it does not end the process, and no byte changes that it
was not given. The same calls are made each time; ASCEND_SIM_TEST_SCALE=N makes N times as many, new ones each time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
EXAMPLES = 1
"""Random ones for each function; each is some dozen calls."""
SHARDS = 2
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("index", range(SHARDS))
def test_every_call_ends_as_it_must(index: int, tmp_path: Path) -> None:
    """Return codes, documented errors, untouched memory.

    A crash, or a call that sits there for ever, is attributed to the latest call; the process ends itself when it hangs.
    """
    journal = tmp_path / "journal"
    words = [index, SHARDS, EXAMPLES, journal]
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.catalogue_shard", *map(str, words)], capture_output=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    output, errors = (text.decode("utf-8", "replace") for text in (done.stdout, done.stderr))
    latest = journal.read_text("utf-8")
    assert done.returncode == 0, f"ended with {done.returncode} in {latest}\n{errors[-6000:]}"
    assert latest == "finished\n"
    failures = [json.loads(line) for line in output.splitlines()]
    texts = ["{error}\n  the calls before: {calls}".format(**failure) for failure in failures]
    assert not failures, f"{len(failures)} functions failed:\n" + "\n".join(texts)
