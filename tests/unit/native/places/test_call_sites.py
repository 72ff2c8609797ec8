"""Places in C sources: names of variables are taken from a line only where it is clear which call of it was made."""

from __future__ import annotations

import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from ascend_sim.native.places import symbols
from ascend_sim.native.places.call_sites import Address
from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.source.callsite import Frame


@pytest.mark.parametrize(
    ("line", "variable"),
    [
        ("CHECK(aclrtMalloc(&p, 64, ACL_MEM_MALLOC_HUGE_FIRST));", "p"),
        ("ret = aclrtMalloc((void **)&data->in, aclDataTypeSize(t) * n, 0);", "data->in"),
        ("CHECK(aclrtCreateStream(&s)); CHECK(aclrtMalloc(&p, 64, 0));", None),
        ("aclrtMalloc(&a, 8, 0), aclrtMalloc(&b, 8, 0);", None),
        ("p = make(&q);", None),
    ],
)
def test_a_line_with_two_calls_names_nothing(
    line: str, variable: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "a.c"
    source.write_text(line + "\n")
    monkeypatch.setitem(symbols._FOUND, 1234, (Frame(str(source), 1, "main"),))
    assert Address(1234).variable() == variable


@pytest.mark.parametrize(
    ("file", "library"),
    [
        ("/usr/include/c++/12/thread", True), ("/home/me/zig/lib/libcxx/include/__mutex/once_flag.h", True),
        ("/opt/homebrew/include/c++/v1/thread", True), ("/home/me/libcxx.cpp", False),
    ],
)  # fmt: skip
def test_sources_of_libraries(file: str, library: bool) -> None:
    assert symbols._of_library(file) is library


def test_who_asks_a_tool_is_not_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that sleeps for long counts as one that waits outside, unless it is exempt. Locks of subprocess are no
    steps of the program."""
    thread = SimpleNamespace(exempt=False)
    group = SimpleNamespace(controller="who decides", here=SimpleNamespace(os_thread=thread))
    asked: list[tuple[bool, object]] = []

    def run(words: object, **options: object) -> SimpleNamespace:
        asked.append((thread.exempt, group.controller))
        return SimpleNamespace(stdout="said")

    monkeypatch.setattr(DeterministicThreads, "installed", group)
    monkeypatch.setattr(subprocess, "run", run)
    assert symbols.look_up.__wrapped__("symbols", "/no/file", ("0x1",)) == "said"
    assert asked == [(True, None)]
    assert (thread.exempt, group.controller) == (False, "who decides")
