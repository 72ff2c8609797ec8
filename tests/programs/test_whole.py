"""Whole programs: polling, time-outs, a report thread, a hang, other processes, mistakes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.kit import forks

WHOLE = Path(__file__).parent / "whole"


@pytest.mark.parametrize(
    ("name", "prints"),
    [
        ("polling", ""), ("timeouts", "reports: [507012, 507012, 507012]"), ("report_thread", ""),
        ("queues", "through the route: b'tensor'"),
    ],
)  # fmt: skip
def test_a_program_ends_the_same_way_each_time(name: str, prints: str, ascend_sim: Any) -> None:
    """That of time-outs waits for hours of virtual time."""
    runs = [ascend_sim("run", WHOLE / f"{name}.py", fresh=fresh) for fresh in (False, False, True)]
    assert runs[0].returncode == 0, runs[0].stdout + runs[0].stderr
    assert runs[0].stdout and prints in runs[0].stdout
    assert {(run.stdout, run.stderr) for run in runs} == {(runs[0].stdout, runs[0].stderr)}


@pytest.mark.parametrize("schedule", ["virtual-time", "late", "early", "random(3)"])
def test_a_loop_on_a_lock_lets_the_device_go_on(schedule: str, ascend_sim: Any) -> None:
    run = ascend_sim("run", "--schedule", schedule, WHOLE / "lock_spin.py")
    assert (run.returncode, run.stdout) == (0, "done\n"), run.stderr


def test_a_hang_is_reported_at_once(ascend_sim: Any, tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    run = ascend_sim("run", WHOLE / "deadlock.py", "--json", path)
    assert run.returncode != 0
    assert run.stdout == "waiting\n"
    assert "error[deadlock]" in run.stderr
    assert "deadlock.py:11" in run.stderr
    assert "SimulatedHang" in run.stderr
    assert "ascend-sim explain deadlock" in run.stderr
    value = json.loads(path.read_text())
    assert value["findings"][0]["kind"] == "deadlock"
    frames = [site["frames"][0]["line"] for site in value["findings"][0]["sites"] if site["frames"]]
    assert 11 in frames


def test_a_swallowed_hang_still_fails_the_run(ascend_sim: Any, tmp_path: Path) -> None:
    program = tmp_path / "swallows.py"
    text = (WHOLE / "deadlock.py").read_text()
    caught = "try:\n    acl.rt.synchronize_stream(stream)\nexcept BaseException:\n    pass\n"
    program.write_text(text.replace("acl.rt.synchronize_stream(stream)\n", caught))
    run = ascend_sim("run", program, "--error-exitcode", "9", "--format", "short")
    assert run.stdout.endswith("never reached\n")
    assert run.returncode == 9


def test_other_processes_find_acl_and_their_findings_are_merged(ascend_sim: Any, tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    run = ascend_sim("run", WHOLE / "workers.py", "--devices", "2", "--json", path)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.splitlines()[0].startswith("subprocess 0 ")
    assert run.stdout.splitlines()[1] == "spawned [(0, 0, 0), (1, 0, 1)]"
    found = json.loads(path.read_text())["findings"]
    # The pool's own threads wait for pipes, which the simulator cannot see: it says so, as a note.
    assert {f["kind"] for f in found} <= {"not-modelled", "order-depends-on-clock", "leak"}
    (missing,) = [f for f in found if f["kind"] == "not-modelled"]
    assert "@" in missing["id"]
    assert "acl.fv.init" in missing["title"]
    assert sum(line.startswith("ascend-sim 0") for line in run.stderr.splitlines()) == 1


def test_an_exception_looks_as_with_plain_python(ascend_sim: Any) -> None:
    path = WHOLE / "raises.py"
    run = ascend_sim("run", "--seed", "3", path, "--name", "x", "--", "--seed", "4")
    assert run.returncode == 1
    assert run.stdout == f"['--name', 'x', '--seed', '4'] __main__ {True}\n"
    lines = run.stderr.splitlines()
    assert "seed 3" in lines[0]
    trace = [line for line in lines[1:] if not set(line) <= {" ", "^", "~"}]
    assert trace == [
        "Traceback (most recent call last):",
        f'  File "{path}", line 13, in <module>',
        "    wrong()",
        f'  File "{path}", line 9, in wrong',
        '    acl.rt.malloc("large", 0)',
        "TypeError: acl.rt.malloc args parse failed",
        "ascend-sim: acl.rt.malloc(size, policy): size is str, an int is needed",
    ]


@pytest.mark.parametrize("code", [0, 3, 250])
def test_the_exit_code_is_the_programs_own(code: int, ascend_sim: Any, tmp_path: Path) -> None:
    program = tmp_path / "p.py"
    program.write_text(f"import acl, sys\nsys.exit({code})\n")
    assert ascend_sim("run", program).returncode == code


def test_a_crash_is_told_in_a_plain_sentence(ascend_sim: Any, tmp_path: Path) -> None:
    program = tmp_path / "p.py"
    program.write_text("import acl, os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n")
    run = ascend_sim("run", program)
    assert run.returncode == 128 + signal.SIGSEGV
    assert "error[crash]: the program was ended by signal 11 (SIGSEGV)" in run.stderr


def test_ctrl_c_reaches_the_program(tmp_path: Path) -> None:
    program = tmp_path / "p.py"
    program.write_text(
        "import acl, time\n"
        "try:\n"
        "    print('ready', flush=True)\n"
        "    while True:\n"
        "        acl.rt.get_device_count()\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped by hand', flush=True)\n"
        "    raise SystemExit(5)\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-m", "ascend_sim", "run", str(program)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=forks.HANG)
    assert out == "stopped by hand\n"
    assert child.returncode == 5


def test_wrong_settings_are_named(ascend_sim: Any) -> None:
    path = WHOLE / "polling.py"
    for words, part in (
        (["--soc", "Ascend910B33"], "Ascend910B3"),
        (["--devices", "0"], "devices"),
        (["--schedule", "sideways"], "sideways"),
        (["--limits", "streem_depth=3"], "stream_depth"),
        (["--limits", "stream_depth"], "stream_depth"),
        (["--switch", "zero_timeout=maybe"], "refused"),
    ):
        run = ascend_sim("run", path, *words)
        assert run.returncode == 2, (words, run.stderr)
        assert part in run.stderr
        assert "Traceback" not in run.stderr, run.stderr


def test_a_module_can_be_run(ascend_sim: Any, tmp_path: Path) -> None:
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "__init__.py").write_text("")
    (tmp_path / "part" / "main.py").write_text(
        "import acl, sys\nfrom acl.rt import malloc\nimport acl.util\nprint(sys.argv[1:], __name__, callable(malloc))\n"
    )
    run = ascend_sim("run", "-m", "part.main", "a", "-m", "b", PYTHONPATH=str(tmp_path))
    assert run.stdout == "['a', '-m', 'b'] __main__ True\n", run.stderr


def test_the_call_log_shows_calls_and_results(ascend_sim: Any) -> None:
    path = Path(__file__).parents[2] / "examples" / "host_device_copy.py"
    run = ascend_sim("run", path, "--log", "calls")
    assert run.returncode == 0, run.stderr
    assert "aclrtMalloc(" in run.stderr
    again = ascend_sim("run", path, "--log", "calls")
    assert len(run.stderr.splitlines()) == len(again.stderr.splitlines())


def test_a_real_acl_stops_the_run(ascend_sim: Any, tmp_path: Path) -> None:
    from importlib.machinery import EXTENSION_SUFFIXES

    (tmp_path / f"acl{EXTENSION_SUFFIXES[0]}").write_text("")
    program = tmp_path / "elsewhere" / "p.py"
    program.parent.mkdir()
    program.write_text("print('ran')\n")
    run = ascend_sim("run", program, PYTHONPATH=str(tmp_path))
    assert (run.returncode, run.stdout) == (2, "")
    assert "a real `acl` is installed here" in run.stderr
    allowed = ascend_sim("run", program, PYTHONPATH=str(tmp_path), ASCEND_SIM_SHADOW_REAL_ACL="1")
    assert (allowed.returncode, allowed.stdout) == (0, "ran\n")


def test_late_calls_at_exit_get_a_code(ascend_sim: Any, tmp_path: Path) -> None:
    program = tmp_path / "p.py"
    program.write_text(
        "import acl, atexit, builtins, os\n"
        "class Late:\n"
        "    def __del__(self, acl=acl, os=os):\n"
        "        os.write(1, f'late {acl.rt.free(5)}\\n'.encode())\n"
        "builtins.late = Late()\n"
        "atexit.register(lambda: print('exit', acl.rt.set_device(0), flush=True))\n"
    )
    run = ascend_sim("run", program, fresh=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[0] == "exit 0"
    assert "late 100001" in run.stdout
    assert "Traceback" not in run.stderr


def test_the_working_directory_may_differ(ascend_sim: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "neighbour.py").write_text("value = 7\n")
    text = "import acl, neighbour, sys, os\nprint(neighbour.value, os.path.basename(sys.path[0]))\n"
    (folder / "p.py").write_text(text)
    for name in ("attrs", "errors", "observers", "findings"):  # names that the simulator itself imports
        (folder / f"{name}.py").write_text("raise RuntimeError('the wrong one')\n")
    monkeypatch.chdir(tmp_path)
    run = ascend_sim("run", folder / "p.py", fresh=True)
    assert run.stdout == "7 project\n", run.stderr
    assert os.listdir(folder).count("neighbour.py") == 1


def test_faults_are_injected_by_name(ascend_sim: Any, tmp_path: Path) -> None:
    program = tmp_path / "pool.py"
    program.write_text(
        "import acl\nacl.init()\nacl.rt.set_device(0)\n"
        "buffers = [acl.rt.malloc(64, 0) for _ in range(3)]\n"
        "print([ret for _, ret in buffers])\n"
        "[acl.rt.free(p) for p, ret in buffers if ret == 0]\nacl.rt.reset_device(0)\nacl.finalize()\n"
    )
    run = ascend_sim("run", program, "--inject", "acl.rt.malloc:2=207001", "--format", "short")
    assert run.stdout == "[0, 207001, 0]\n"
    assert run.returncode == 0
    note = r":4:\d+: note: \[injected-fault\] acl.rt.malloc fails as planned, number 2 of acl.rt.malloc: 207001\n"
    assert re.search(re.escape(str(program)) + note, run.stderr)
    several = ascend_sim("run", program, "--inject", "aclrtMalloc:1=107002", ASCEND_SIM_FAULTS="aclrtMalloc:3")
    assert several.stdout == "[107002, 0, 207001]\n"
    wrong = ascend_sim("run", program, "--inject", "acl.rt.maloc:2")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "pyACL has no function acl.rt.maloc" in wrong.stderr
    assert "the third call returns 207001" in ascend_sim("run", "--help").stdout
