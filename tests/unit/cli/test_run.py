"""`ascend-sim run`: whose option is it, what the spool keeps, what a traceback shows."""

from __future__ import annotations

import json
import os
import sys
import traceback
from pathlib import Path

import pytest

from ascend_sim import _boot
from ascend_sim.cli import run
from ascend_sim.findings import spool
from ascend_sim.findings.finding import Finding, Site
from ascend_sim.findings.log import FindingLog
from ascend_sim.source.tracebacks import strip
from tests.kit.forks import ascend_sim

SPLITS = [
    ("p.py", [], ["p.py"]),
    ("p.py --devices 2 --soc X", ["--devices", "2", "--soc", "X"], ["p.py"]),
    ("--devices 2 p.py a b", ["--devices", "2"], ["p.py", "a", "b"]),
    ("p.py --epochs 3 --devices=2 -x", ["--devices=2"], ["p.py", "--epochs", "3", "-x"]),
    ("p.py -- --devices 8 --", [], ["p.py", "--devices", "8", "--"]),
    ("--seed 1 -- p.py --seed 2", ["--seed", "1"], ["p.py", "--seed", "2"]),
    ("-m pytest -q -m slow --seed 4", ["-m", "pytest", "--seed", "4"], ["-q", "-m", "slow"]),
    ("p.py -h", [], ["p.py", "-h"]),
    ("-h", ["-h"], []),
    ("--devcies 2 p.py", ["--devcies"], ["2", "p.py"]),
]


@pytest.mark.parametrize(("line", "ours", "program"), SPLITS, ids=[row[0] for row in SPLITS])
def test_whose_option_is_it(line: str, ours: list[str], program: list[str]) -> None:
    assert run.split(line.split(), run.parser()) == (ours, program)


def test_no_program_and_a_missing_file_are_mistakes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        run.main([])
    assert stop.value.code == 2
    assert run.main(["no_such_file.py"]) == 2
    assert "there is no file 'no_such_file.py'" in capsys.readouterr().err


def test_a_name_is_a_file_here_or_a_command_of_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands = tmp_path / "bin"
    commands.mkdir()
    for name in ("train", "serve", "plain"):
        (commands / name).write_text("#!/usr/bin/env python3\n")
        (commands / name).chmod(0o755)
    (commands / "plain").chmod(0o644)
    here = tmp_path / "here"
    here.mkdir()
    (here / "serve.py").write_text("")
    monkeypatch.chdir(here)
    monkeypatch.setenv("PATH", str(commands))
    assert run.located("train") == str(commands / "train")
    (here / "train").write_text("")
    for name in ("train", "serve", "plain", "nowhere", "./plain", "bin/train"):
        assert run.located(name) == name


def test_a_command_of_path_runs_as_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    command = tmp_path / "count-devices"
    command.write_text("#!/usr/bin/env python3\nimport acl\nprint(acl.init(), acl.rt.get_device_count())\n")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert run.main(["--devices", "3", "count-devices"]) == 0
    assert capfd.readouterr().out == "0 (3, 0)\n"


def test_the_spool_keeps_final_counts_of_every_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for process, title in ((20, "worker"), (10, "main"), (5, "other")):
        monkeypatch.setattr(os, "getpid", lambda process=process: process)
        log = FindingLog()
        pages = spool.Spool(str(tmp_path))
        log.sinks.append(pages)
        for _ in range(100):
            log.report("leak", "warning", title)
        log.report("race", "error", title, cause="F1")
        pages.close()
        lines = (tmp_path / f"{process}.jsonl").read_text().splitlines()
        assert len(lines) == 9  # 1, 2, 4, ... 64, the second finding, and 100 at the end
    found = spool.read(str(tmp_path), main=10)
    assert [(f.id, f.title, f.count) for f in found] == [
        ("F1", "main", 100),
        ("F2", "main", 1),
        ("F1@5", "other", 100),
        ("F2@5", "other", 1),
        ("F1@20", "worker", 100),
        ("F2@20", "worker", 1),
    ]
    assert [f.cause for f in found[1::2]] == ["F1", "F1@5", "F1@20"]


def test_a_process_that_died_while_writing_loses_only_that_line(tmp_path: Path) -> None:
    line = json.dumps(Finding("F1", "leak", "note", "t").to_json())
    (tmp_path / "7.jsonl").write_text(f"{line}\n{line[:40]}")
    assert [f.id for f in spool.read(str(tmp_path), main=7)] == ["F1"]


def _conclude(status: int, found: list[Finding], *words: str) -> int:
    options = run.parser().parse_args(words)
    return run._conclude(status, found, options, ["p.py"])


def test_exit_codes() -> None:
    error = Finding("F1", "race", "error", "t")
    follower = Finding("F2", "race", "error", "t", cause="F1")
    warning = Finding("F3", "leak", "warning", "t")
    assert _conclude(0, []) == 0
    assert _conclude(0, [warning, follower]) == 0
    assert _conclude(0, [error]) == 1
    assert _conclude(0, [error], "--error-exitcode", "77") == 77
    assert _conclude(3, [error], "--error-exitcode", "77") == 3
    assert _conclude(-15, []) == 143
    assert _conclude(-11, []) == 139


def test_a_crash_is_a_plain_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    assert _conclude(-11, [], "--json", str(path), "--seed", "5") == 139
    text = capsys.readouterr().err
    assert text.startswith("error[crash]: the program was ended by signal 11 (SIGSEGV): it used memory that is not")
    value = json.loads(path.read_text())
    assert value["schema"] == 1
    assert value["run"] == {
        "program": "p.py",
        "profile": "Ascend910B3",
        "schedule": "virtual-time",
        "seed": 5,
        "exit_code": 139,
    }
    assert [f["kind"] for f in value["findings"]] == ["crash"]


def test_tracebacks_lose_the_frames_of_the_simulator() -> None:
    def user() -> None:
        Site("access", "x", 5)  # type: ignore[arg-type]  # raises inside the package

    try:
        user()
    except TypeError as error:
        inside = traceback.format_exception(error)
        strip(error)
        text = "".join(traceback.format_exception(error))
    assert "callsite.py" in "".join(inside)
    assert "callsite.py" not in text
    assert text.rstrip().split("\n")[-1].startswith("TypeError")
    assert "in user" in text


def test_an_error_handled_inside_the_simulator_is_not_shown_as_its_context() -> None:
    namespace: dict[str, object] = {}
    inside = "def f():\n    try:\n        {}['x']\n    except KeyError:\n        raise TypeError('args parse failed')\n"
    exec(compile(inside, os.path.join(os.path.dirname(_boot.__file__), "inside.py"), "exec"), namespace)
    try:
        namespace["f"]()  # type: ignore[operator]
    except TypeError as error:
        strip(error)
        text = "".join(traceback.format_exception(error))
    assert "KeyError" not in text
    assert text.rstrip().endswith("TypeError: args parse failed")


def test_a_hang_in_a_native_thread_is_shown_without_frames_of_the_simulator(tmp_path: Path) -> None:
    program = tmp_path / "p.py"
    program.write_text(NATIVE_HANG)
    first, second = (ascend_sim("run", program, fresh=fresh).stderr for fresh in (False, True))
    assert "in serve" in first
    assert "SimulatedHang" in first
    assert os.path.dirname(_boot.__file__) not in first
    assert first == second, "no address of an object either"


NATIVE_HANG = """
import acl
acl.rt.set_device(0)
context, _ = acl.rt.get_context()
stream, _ = acl.rt.create_stream()
def serve(args):
    acl.rt.set_context(context)
    while True:
        acl.rt.process_report(10)
thread, _ = acl.util.start_thread(serve, [])
acl.rt.subscribe_report(thread, stream)
acl.rt.launch_callback(lambda data: acl.rt.synchronize_stream(stream), None, 1, stream)
acl.rt.synchronize_stream(stream)
"""


def test_a_real_acl_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.machinery import EXTENSION_SUFFIXES

    monkeypatch.delitem(sys.modules, "acl", raising=False)
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert _boot.real_acl() is None
    (tmp_path / "acl.py").write_text("")
    assert _boot.real_acl() is None
    (tmp_path / f"acl{EXTENSION_SUFFIXES[-1]}").write_text("")
    assert _boot.real_acl() == str(tmp_path / f"acl{EXTENSION_SUFFIXES[-1]}")


@pytest.mark.parametrize("schedule", ["replay(nofile)", "replay()", "replay", "replay(/)"])
def test_a_schedule_file_that_cannot_be_read_is_a_mistake(schedule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from ascend_sim import _boot

    monkeypatch.setenv("ASCEND_SIM_SCHEDULE", schedule)
    with pytest.raises(ValueError, match="cannot be read"):
        _boot._recorded()
