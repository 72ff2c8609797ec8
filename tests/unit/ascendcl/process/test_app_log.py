"""Chapter 24: the application's lines in the log."""

from __future__ import annotations

from typing import Any

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from tests.kit.calls import simulator

sim = simulator(device=None)


def test_lines_are_kept_and_not_printed(sim: Simulator, capfd: pytest.CaptureFixture[str]) -> None:
    assert C.aclAppLog(C.ACL_INFO, "main", "main.cpp", 12, "100% loaded") is None
    (line,) = sim.process.log
    assert (line.level, line.text) == (1, '0 main:main.cpp:12: "100% loaded"')
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("level", "function", "file", "text"),
    [(1, None, "f", "x"), (1, "g", None, "x"), (1, "g", "f", None), (4, "g", "f", "x")],
)
def test_what_is_not_written(sim: Simulator, level: int, function: Any, file: Any, text: Any) -> None:
    C.aclAppLog(level, function, file, 1, text)
    assert len(sim.process.log) == 0


@pytest.mark.parametrize("size", [980, 1020, 5000])
def test_long_lines_are_cut(sim: Simulator, size: int) -> None:
    C.aclAppLog(C.ACL_INFO, "main", "main.cpp", 12, "x" * size)
    (line,) = sim.process.log
    assert line.text.endswith("...[truncated]") == (size > 980)
    assert len(line.text) == (1023 if size > 980 else 1002)


def test_text_that_is_no_text(sim: Simulator) -> None:
    C.aclAppLog(C.ACL_INFO, "main", "main.cpp", 12, "a\ud800")
    C.aclAppLog(C.ACL_INFO, "main", "main.cpp", 12, "a\0b")
    assert [line.text[-4:] for line in sim.process.log] == ['"a?"', ' "a"']


def test_old_lines_are_dropped(sim: Simulator) -> None:
    for i in range(5000):
        C.aclAppLog(C.ACL_DEBUG, "f", "f", 1, str(i))
    assert len(sim.process.log) == 4096
    assert next(iter(sim.process.log)).text.endswith('"904"')


def test_the_environment_lets_lines_be_printed(
    sim: Simulator, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASCEND_SLOG_PRINT_TO_STDOUT", "1")
    C.aclAppLog(C.ACL_WARNING, "f", "f", 1, "quiet")
    C.aclAppLog(C.ACL_ERROR, "f", "f", 1, "loud")
    assert "loud" in (text := capsys.readouterr().out) and "quiet" not in text
    monkeypatch.setenv("ASCEND_GLOBAL_LOG_LEVEL", "1")
    C.aclAppLog(C.ACL_INFO, "f", "f", 1, "now")
    assert capsys.readouterr().out.startswith("[INFO] APP: ")
