"""Long work shows itself on a terminal only, and Ctrl-C ends an exploration with what was found."""

from __future__ import annotations

import io
import os
import pty
import select
import signal
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from ascend_sim import ascendcl as C
from ascend_sim import explore, progress
from ascend_sim.progress import Progress
from tests.kit import forks

ROOT = Path(__file__).parents[3]


class Terminal(io.StringIO):
    """A terminal that keeps what it shows."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    now = [10**9]
    monkeypatch.setattr(progress, "_now", lambda: now[0])
    return now


def test_rate_and_remaining_time(clock: list[int]) -> None:
    line = Progress(None, "classes")
    clock[0] += 4 * 10**9
    assert line.text(80, 200, "2 failures") == "80 of 200 classes, 20/s, about 6 s left, 2 failures"
    assert line.text(80, 200, end_ns=clock[0] + 10**9) == "80 of 200 classes, 20/s, about 1 s left"
    assert line.text(2) == "2 classes, 0.5/s"
    assert line.text(2, 2000) == "2 of 2000 classes, 0.5/s, about 67 min left"
    assert line.text(0, 5) == "0 of 5 classes"


@pytest.mark.parametrize("rich", [False, True])
def test_a_line_is_written_ten_times_a_second_and_taken_away(rich: bool, clock: list[int]) -> None:
    if rich:
        pytest.importorskip("rich")
    terminal = Terminal()
    line = Progress(terminal, "classes", rich)
    line.show(10, 40)
    first = terminal.getvalue()
    assert "10 of 40 classes" in first
    line.show(11, 40)
    assert terminal.getvalue() == first
    clock[0] += 10**8
    line.show(12, 40)
    assert "12 of 40 classes" in terminal.getvalue()
    line.end()
    assert terminal.getvalue().endswith("\r" if not rich else "\x1b[2K")


def test_nothing_is_written_where_no_terminal_is(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    for wanted in (None, False):
        line = Progress.wanted(wanted, "classes")
        line.show(1, 2)
        line.step("text")
        line.end()
    monkeypatch.setattr(sys, "stderr", Terminal())
    Progress.wanted(False).step("text")
    assert stream.getvalue() == "" == sys.stderr.getvalue()  # type: ignore[attr-defined]


def _on_terminal(*words: str, folder: Path) -> tuple[int, str]:
    """The command with its stderr on a terminal."""
    outer, inner = pty.openpty()
    kept = {k: v for k, v in os.environ.items() if not k.startswith("ASCEND_SIM_")}
    run = subprocess.Popen(
        [sys.executable, "-m", "ascend_sim", *words], stdout=subprocess.DEVNULL, stderr=inner, stdin=subprocess.DEVNULL,
        cwd=folder, env={**kept, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0", "TERM": "xterm", "COLUMNS": "100"},
    )  # fmt: skip
    os.close(inner)
    shown = b""
    while select.select([outer], [], [], forks.HANG)[0]:
        try:
            shown += os.read(outer, 4096)
        except OSError:  # nobody holds the other end any more
            break
    os.close(outer)
    return run.wait(), shown.decode()


PROGRAM = """\
import os
import signal

import acl

acl.rt.set_device(0)
streams = [acl.rt.create_stream()[0] for _ in range(3)]
x, _ = acl.rt.malloc(64, 0)
for value, stream in enumerate(streams):
    acl.rt.memset_async(x, 64, value, 64, stream)
acl.rt.synchronize_device()
"""


PRESS = """\
if not os.path.exists("pressed"):
    open("pressed", "w").close()
    os.kill(os.getpid(), signal.SIGINT)
"""


def test_the_command_shows_progress_on_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text(PROGRAM)
    code, shown = _on_terminal("explore", "p.py", folder=tmp_path)
    assert code == 1
    assert "classes, " in shown and "/s" in shown
    assert _on_terminal("explore", "p.py", "--quiet", folder=tmp_path) == (1, "")


# -- Ctrl-C ----------------------------------------------------------------------------------------------------------


class Pressed:
    """Two memsets of each of three streams; Ctrl-C is pressed in the *at*-th run."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.runs = 0

    def __call__(self) -> None:
        self.runs += 1
        C.aclrtSetDevice(0)
        streams = [C.aclrtCreateStream()[0] for _ in range(3)]
        x, _ = C.aclrtMalloc(64, 0)
        for value, stream in enumerate(streams):
            C.aclrtMemsetAsync(x, 64, value, 64, stream)
        if self.runs == self.at:
            os.kill(os.getpid(), signal.SIGINT)
        C.aclrtSynchronizeDevice()


@pytest.mark.parametrize("at", [1, 3, 5])
def test_ctrl_c_ends_the_search_with_what_was_found(at: int) -> None:
    before = signal.getsignal(signal.SIGINT)
    whole = explore(Pressed(0), progress=False)
    program = Pressed(at)
    report = explore(program, progress=False)
    assert report.interrupted and not report.exhausted and not report.trouble
    assert report.runs < whole.runs and program.runs <= at + 1
    assert "interrupted: this is what was found until then" in report.text()
    if at >= 3:
        assert {failure.kind for failure in report.failures} == {"race"}
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_ends_the_search_of_workers() -> None:
    class Slow(ThreadPoolExecutor):
        def submit(self, function: Any, /, *words: Any, **names: Any) -> Future[Any]:
            os.kill(os.getpid(), signal.SIGINT)
            return Future()  # it never ends

    with Slow() as pool:
        report = explore(Pressed(0), progress=False, executor=pool)
    assert report.interrupted and report.classes == 1 and report.pending and report.failures


def test_the_command_ends_with_130_after_ctrl_c(tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text(PROGRAM + PRESS)
    run = forks.ascend_sim("explore", "p.py", folder=tmp_path, PYTHONHASHSEED="0", XDG_CACHE_HOME=str(tmp_path))
    assert run.returncode == 130, run.stderr
    assert "interrupted: this is what was found until then" in run.stdout
