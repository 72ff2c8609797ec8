"""Findings of the gallery on every version of Python: a baseline of one version is good for the others."""

from __future__ import annotations

import linecache
import sys
from pathlib import Path

import pytest

from ascend_sim import SimulatedHang, Simulator, pyacl
from ascend_sim.findings.finding import Finding, Site
from ascend_sim.source.callsite import Frame

GALLERY = Path(__file__).parents[3] / "examples" / "lessons" / "gallery"
RECORDED = {
    "double_free": ("double-free", "11837d5f54a5161f", "acl.rt.free frees `tensor` a second time"),
    "finalize_too_early": ("leak", "6acd5f74b7dc7d3f", "1 device buffer (1024 bytes) is alive at acl.finalize"),
    "full_queue": (
        "deadlock",
        "6e94748bf1121841",
        "stream `worker` waits for the flag of event `start`, and nobody can end it",
    ),
    "half_written": (
        "uninitialised-read",
        "300b1360b87519b1",
        "acl.rt.memcpy reads 2048 bytes of `sums` that nothing has written",
    ),
    "leak_per_batch": ("leak", "994f513290bbeddf", "8 events are alive at acl.finalize"),
    "pool_two_streams": (
        "free-before-alloc",
        "20d36626471ea6f5",
        "`block` may be given back on `janitor` before it is allocated on `worker`",
    ),
    "reset_before_free": (
        "use-after-reset",
        "fd7b6e75665aa904",
        "acl.rt.free uses `buffer`, which was lost when device 0 was reset",
    ),
    "reset_too_early": (
        "sync-race",
        "4dcf32f3a244787c",
        "a reset of `flag` on `b` and a wait for it on `c` are in no order: the first may come before the wait, which then waits for ever",  # noqa: E501
    ),
    "shared_arena": (
        "race",
        "b90abe835fe7364e",
        "a memset on `compute` writes `arena` while a copy on `copies` may still be writing it",
    ),
    "source_rewritten": (
        "race",
        "ad3ee74c51347c1a",
        "acl.rt.memset writes `staging` while a copy on `stream` may still be reading it",
    ),
    "stale_event": (
        "race",
        "bf8b91899ab2f423",
        "a memset on `c` writes `block` while a memset on `a` may still be writing it",
    ),
    "stale_registration": (
        "stale-registration",
        "eed1899de212b683",
        "`stream` is destroyed while an allocator is registered for it: the entry stays",
    ),
    "synchronous_copy": (
        "race",
        "de1bf7ab7b1d789e",
        "acl.rt.memcpy reads `result` while a memset on `stream` may still be writing it",
    ),
    "temporary_bytes": ("dead-host-buffer", "31fa2ca1b5689f36", "acl.rt.memcpy reads host memory whose owner is gone"),
    "unrecorded_event": (
        "unrecorded-wait",
        "25a97a409d872739",
        "`consumer` waits for `ready`, which was never recorded: the call does nothing",
    ),
    "waits_for_itself": (
        "self-wait",
        "3e49376e085ba49e",
        "`copies` waits for `ready`, which was recorded on `copies` itself: the wait orders nothing",
    ),
    "wrong_stream": (
        "race",
        "2ac745470b758aa4",
        "a copy on `current` reads `tensor` while a memset on `pool[1]` may still be writing it",
    ),
}
"""Kind, fingerprint and title of the first finding, recorded with Python 3.11."""


@pytest.mark.parametrize("name", RECORDED)
def test_the_same_finding_on_all_versions(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = GALLERY / name / "broken.py"
    for module, made in pyacl.modules().items():
        monkeypatch.setitem(sys.modules, module, made)
    linecache.checkcache(str(path))
    with Simulator() as sim:
        try:
            exec(compile(path.read_text(), str(path), "exec"), {"__name__": "__main__"})
        except (SimulatedHang, SystemExit):
            pass
    first = sim.findings[0]
    assert (first.kind, first.fingerprint, first.title) == RECORDED[name]


NAMES = {"Part.__init__": "__init__", "run.<listcomp>": "run", "run.<listcomp>.<dictcomp>": "run", "run": "run"}


@pytest.mark.parametrize("name", NAMES)
def test_a_fingerprint_does_not_know_classes_and_comprehensions(name: str) -> None:
    def about(function: str) -> str:
        frame = Frame("program.py", 3, function)
        return Finding(
            id="F1", kind="race", severity="error", title="", sites=[Site("access", "", None, resolved=[frame])]
        ).fingerprint

    assert about(name) == about(NAMES[name]) != about("other")
