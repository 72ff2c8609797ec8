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
    "tensor_class": ("double-free", "ab72100cfcd1a93a", "acl.rt.free frees `tensor` a second time"),
    "two_libraries": ("leak", "6acd5f74b7dc7d3f", "1 device buffer (1024 bytes) is alive at acl.finalize"),
    "start_signal": (
        "deadlock",
        "ad79ae4a0acf4251",
        "stream `worker` waits for the flag of event `start`, and nobody can end it",
    ),
    "partial_sums": (
        "uninitialised-read",
        "fe6eb5a9e5a5b78c",
        "acl.rt.memcpy reads 2048 bytes of `sums` that nothing has written",
    ),
    "eight_batches": ("leak", "900dfd27d759ac59", "8 events are alive at acl.finalize"),
    "janitor_stream": (
        "free-before-alloc",
        "9b4146fcc3c5bd79",
        "`block` may be given back on `janitor` before it is allocated on `worker`",
    ),
    "shutdown": (
        "use-after-reset",
        "5001ff4b535f0069",
        "acl.rt.free uses `buffer`, which was lost when device 0 was reset",
    ),
    "one_flag": (
        "sync-race",
        "dbc6cf1616c35dbe",
        "a reset of `flag` on `b` and a wait for it on `c` are in no order: the first may come before the wait, which then waits for ever",  # noqa: E501
    ),
    "shared_arena": (
        "race",
        "74fe6f6e3ebb3d4f",
        "a memset on `compute` writes `arena` while a copy on `copies` may still be writing it",
    ),
    "staging_buffer": (
        "race",
        "968bac658f206655",
        "acl.rt.memset writes `staging` while a copy on `stream` may still be reading it",
    ),
    "three_owners": (
        "race",
        "34dc2009397a4c51",
        "a memset on `c` writes `block` while a memset on `a` may still be writing it",
    ),
    "stream_allocator": (
        "stale-registration",
        "342f08f1ef8dcb44",
        "`stream` is destroyed while an allocator is registered for it: the entry stays",
    ),
    "fetch_the_result": (
        "race",
        "c2eee69ad5ed25f3",
        "acl.rt.memcpy reads `result` while a memset on `stream` may still be writing it",
    ),
    "seven_bytes": ("dead-host-buffer", "130f85ef0506ab4e", "acl.rt.memcpy reads host memory whose owner is gone"),
    "handover": (
        "unrecorded-wait",
        "16e24efb3ec19aaf",
        "`consumer` waits for `ready`, which was never recorded: the call does nothing",
    ),
    "two_steps": (
        "self-wait",
        "8bef87a3407fd69f",
        "`copies` waits for `ready`, which was recorded on `copies` itself: the wait orders nothing",
    ),
    "streams_of_a_library": (
        "race",
        "1fe0b15df804c936",
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


NAMES = {
    "Part.__init__": "__init__", "run.<listcomp>": "run", "run.<listcomp>.<dictcomp>": "run", "run": "run",
    "<listcomp>": "<module>", "<setcomp>.<dictcomp>": "<module>", "<module>": "<module>",
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_fingerprint_does_not_know_classes_and_comprehensions(name: str) -> None:
    def about(function: str) -> str:
        frame = Frame("program.py", 3, function)
        return Finding(
            id="F1", kind="race", severity="error", title="", sites=[Site("access", "", None, resolved=[frame])]
        ).fingerprint

    assert about(name) == about(NAMES[name]) != about("other")
