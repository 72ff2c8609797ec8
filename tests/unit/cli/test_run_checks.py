"""`ascend-sim run` and its checkers: options, suppression, SARIF, exit codes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.forks import ascend_sim

PROGRAM = """\
import acl


def must(result):
    code = result[-1] if isinstance(result, tuple) else result
    assert code == 0, code
    return result[0] if isinstance(result, tuple) else None


def step():
    must(acl.rt.memset_async(out, 64, 1, 64, a))
    must(acl.rt.memset_async(out, 64, 2, 64, b))


must(acl.rt.set_device(0))
a, b = must(acl.rt.create_stream()), must(acl.rt.create_stream())
out = must(acl.rt.malloc(64, 0))
step()
for stream in (a, b):
    must(acl.rt.destroy_stream(stream))
must(acl.rt.free(out))
must(acl.rt.reset_device(0))
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program with one race."""
    path = tmp_path / "racy.py"
    path.write_text(PROGRAM)
    return path


def run(program: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run it in its folder."""
    return ascend_sim("run", *options, program.name, folder=program.parent)


def test_all_checks_run_by_default(program: Path) -> None:
    done = run(program)
    assert done.returncode == 1
    assert "error[race]: a memset on `b` writes `out` while a memset on `a` may still be writing it" in done.stderr
    assert "acl.rt.record_event(ready, a)" in done.stderr and "acl.rt.stream_wait_event(b, ready)" in done.stderr
    assert "ascend-sim explain race" in done.stderr


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--check", "none"], 0),
        (["--check", "memory,rules"], 0),
        (["--check", "races"], 1),
        (["--error-exitcode", "7"], 7),
    ],
)
def test_choosing_checks_and_exit_codes(program: Path, options: list[str], code: int) -> None:
    assert run(program, *options).returncode == code


def test_an_unknown_check_is_refused(program: Path) -> None:
    done = run(program, "--check", "racse")
    assert done.returncode == 2 and "memory, races, rules" in done.stderr


def test_the_policy_raise_stops_the_program(program: Path) -> None:
    done = run(program, "--check", "races=raise")
    assert done.returncode == 1 and "FindingError" in done.stderr and "destroy_stream" in done.stderr


def test_suppression_by_option_and_pyproject(program: Path) -> None:
    assert run(program, "--suppress", "race:racy.py:step").returncode == 0
    done = run(program, "--suppress", "race:other.py")
    assert done.returncode == 1 and "nothing was suppressed by race:other.py" in done.stderr
    (program.parent / "pyproject.toml").write_text('[tool.ascend_sim]\nsuppress = ["race"]\n')
    done = run(program)
    assert done.returncode == 0 and "1 suppressed" in done.stderr and "error[race]" not in done.stderr


def test_sarif_and_json(program: Path) -> None:
    run(program, "--sarif", "out.sarif", "--json", "out.json")
    report = json.loads((program.parent / "out.sarif").read_text())
    (result,) = report["runs"][0]["results"]
    assert result["ruleId"] == "race"
    place = result["locations"][0]["physicalLocation"]
    assert (
        place["artifactLocation"] == {"uri": "racy.py", "uriBaseId": "SRCROOT"} and place["region"]["startLine"] == 12
    )
    value = json.loads((program.parent / "out.json").read_text())
    (finding,) = value["findings"]
    assert (
        finding["bytes"]["object"] == "out" and finding["streams"] == ["a", "b"] and "order_marks" not in value["run"]
    )


IGNORED = """\
import acl

acl.rt.set_device(0)
acl.rt.synchronize_stream(7)
acl.rt.malloc(0, 0)
p, ret = acl.rt.malloc(0, 0)
acl.rt.memset(p, 4, 0, 4)
"""


def findings(folder: Path, source: str, *options: str) -> tuple[int, list[dict[str, object]], str]:
    """Exit code, findings and stderr of a program."""
    (folder / "p.py").write_text(source)
    done = run(folder / "p.py", "--json", "out.json", *options)
    return done.returncode, json.loads((folder / "out.json").read_text())["findings"], done.stderr


def test_who_asks_for_codes_hears_of_those_that_nobody_looks_at(tmp_path: Path) -> None:
    assert findings(tmp_path, IGNORED)[:2] == (0, [])
    code, found, _ = findings(tmp_path, IGNORED, "--check", "all")
    assert code == 0 and [f["title"] for f in found] == [
        "acl.rt.synchronize_stream returned 107017, and the program does not look at it",
        "acl.rt.malloc returned 100000, and the program does not look at it",
    ]
    # A size of 0 has nothing to do with a stream that is not there; the NULL that memset gets has, with malloc.
    assert [f["followers"] for f in found] == [
        [], ["100000 from acl.rt.malloc at p.py:6", "100000 from acl.rt.memset at p.py:7"]
    ]  # fmt: skip
    code, _, text = findings(tmp_path, IGNORED, "--check", "codes=raise")
    assert code == 1 and "FindingError" in text and 'p.py", line 4' in text


def test_one_check_can_be_left_out(program: Path) -> None:
    assert run(program, "--check", "races=off").returncode == 0
    assert run(program, "--check", "rules=off").returncode == 1


def test_an_unknown_kind_to_suppress_is_told(program: Path) -> None:
    text = run(program, "--suppress", "rase:racy.py").stderr
    assert "nothing was suppressed by rase:racy.py: there is no kind 'rase'; did you mean race?" in text


def test_who_follows_from_what_is_suppressed_is_not_counted(program: Path) -> None:
    last = "    must(acl.rt.memset_async(out, 64, 2, 64, b))\n"
    program.write_text(PROGRAM.replace(last, last.replace("64", "9") + last))
    assert "1 error, 1 follower" in run(program).stderr
    text = run(program, "--suppress", "race").stderr
    assert "ascend-sim: 1 suppressed; seed 0" in text and "follower" not in text and "was seen" not in text


@pytest.mark.parametrize(("options", "text"), [
    (["--json", "no/such/out.json"], "there is no folder"), (["--sarif", "."], "cannot be written"),
    (["--device", "2"], "there is no option --device; did you mean --devices?"),
    (["--checks=memory", "--xyzzy"], "options of the program itself stand behind its name"),
    (["--models", "m.om=none.om"], "there is no model file 'none.om'"),
    (["--schedule", "random(x)"], "the SEED of random(SEED) is a whole number"),
])  # fmt: skip
def test_options_that_cannot_be_are_refused_before_the_run(program: Path, options: list[str], text: str) -> None:
    done = run(program, *options)
    assert done.returncode == 2 and text in done.stderr and "Traceback" not in done.stderr


def test_several_checks_add_up(program: Path) -> None:
    assert run(program, "--check", "memory", "--check", "races").returncode == 1


URI = re.compile(r"[A-Za-z0-9._~/:%+-]+")


@pytest.mark.parametrize("name", ["two words.py", "süß.py", "a%b#c.py"])
def test_sarif_has_no_uri_that_is_none(program: Path, name: str) -> None:
    (program.parent / name).write_text(PROGRAM.replace("step()\nfor", "exec('step()')\nfor"))
    run(program.parent / name, "--sarif", "out.sarif")
    report = json.loads((program.parent / "out.sarif").read_text())
    found: list[str] = []

    def look(value: object) -> None:
        if isinstance(value, dict):
            found.extend(text for key, text in value.items() if key == "uri")
        for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            look(part)

    look(report["runs"][0]["results"])
    assert found and all(URI.fullmatch(uri) for uri in found), found
    rules = report["runs"][0]["tool"]["driver"]["rules"]
    assert "What to do:" in rules[0]["help"]["text"]


FORK = """\
import os

import acl

{before}
child = os.fork()
if child == 0:
    acl.rt.set_device(0)
    os._exit(0)
os.waitpid(child, 0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.parametrize("before", ["", "acl.init()", "acl.rt.set_device(0)"])
def test_a_fork_is_told_with_its_line_and_only_after_the_first_use(tmp_path: Path, before: str) -> None:
    _, found, _ = findings(tmp_path, FORK.format(before=before))
    forks = [f for f in found if f["kind"] == "fork-after-init"]
    assert len(forks) == bool(before)
    if forks:
        assert forks[0]["sites"][0]["frames"][0]["line"] == 6  # type: ignore[index]


WORKER = """\
import os
import threading

import acl

acl.rt.set_device(0)
child = os.fork()
if child == 0:
    {before}
    read, write = os.pipe()
    thread = threading.Thread(target=os.write, args=(write, b"x"))
    thread.start()
    os.read(read, 1)  # only when this was found to wait outside does the other thread go on
    thread.join()
    os._exit(0)
os.waitpid(child, 0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.parametrize("before", ["pass", "acl.rt.get_device_count()"])
def test_waits_of_a_child_that_makes_no_calls_are_its_own_matter(tmp_path: Path, before: str) -> None:
    _, found, _ = findings(tmp_path, WORKER.format(before=before))
    lines = [f["sites"][0]["frames"][0]["line"] for f in found if f["kind"] == "order-depends-on-clock"]  # type: ignore[index]
    assert lines == ([] if before == "pass" else [13])


def test_a_hang_is_told_once_though_the_interpreter_waits_for_the_thread_as_well(tmp_path: Path) -> None:
    source = (
        "import queue, threading\nimport acl\nacl.rt.set_device(0)\nitems = queue.Queue()\n"
        "def work():\n    acl.rt.set_device(0)\n    items.get()\n"
        "thread = threading.Thread(target=work)\nthread.start()\nthread.join()\n"
    )
    code, found, text = findings(tmp_path, source)
    assert code == 1 and [f["kind"] for f in found] == ["deadlock"]
    assert [s["frames"][0]["line"] for s in found[0]["sites"]] == [10, 7]  # type: ignore[attr-defined]
    assert "the program cannot end: T0 (main) waits for T1" in text


@pytest.mark.parametrize(("last", "wait"), [("a.recv(1)", "thread.join()"), ("while not stop: pass", "")])
def test_a_thread_that_never_comes_back_is_told(tmp_path: Path, last: str, wait: str) -> None:
    """A thread sleeps or spins outside the runtime, and the main thread waits for it: nobody knows how long."""
    (tmp_path / "p.py").write_text(
        "import os, socket, threading\nimport acl\nimport ascend_sim.runtime.threads.blocked_threads as absent\n"
        "absent.STUCK_NS = 0\nacl.rt.set_device(0)\na, b = socket.socketpair()\nstop = []\n"
        f"def work():\n    acl.rt.set_device(0)\n    {last}\n"
        f"thread = threading.Thread(target=work, daemon={bool(wait)})\nthread.start()\n{wait or 'thread.join()'}\n"
    )
    command = [sys.executable, "-m", "ascend_sim", "run", "p.py"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        assert process.stderr is not None
        lines = []
        for line in process.stderr:
            lines.append(line)
            if "T0 (main) waits for" in line:
                break
        process.kill()
    text = "".join(lines)
    assert "note[stuck-thread]: T1 (Thread-1 (work)) stands outside the runtime, and T0 (main) waits" in text
    assert "p.py:10 in work" in text and "p.py:13 in <module>" in text
