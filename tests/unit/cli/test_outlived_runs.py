"""A process that outlives the run of which it is a part: it is told, and what it finds later is not lost."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from ascend_sim.findings import spool
from ascend_sim.findings.log import FindingLog
from tests.kit.forks import HANG, ascend_sim

pytestmark = pytest.mark.skipif(spool.fcntl is None, reason="who lives is known by locks of files")

PROGRAM = """
import os, subprocess, sys
import acl
acl.init()
acl.rt.set_device(0)
acl.rt.free(0x10)
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "late.txt"), "w") as out:
    child = subprocess.Popen([sys.executable, os.path.join(here, "late.py")], stdout=subprocess.PIPE, stderr=out,
                             stdin=subprocess.DEVNULL)
assert child.stdout.readline() == b"found one\\n"
acl.rt.reset_device(0)
acl.finalize()
os._exit(0) if "hard" in sys.argv else None
"""

LATE = """
import os, sys, time
import acl
acl.init()
acl.rt.set_device(0)
acl.rt.free(0x20)
print("found one", flush=True)
while not os.path.exists(os.path.join(os.path.dirname(os.path.abspath(__file__)), "go")):
    time.sleep(0.01)
acl.rt.free(0x30)
acl.rt.reset_device(0)
acl.finalize()
"""

FORKED = """
import os, sys, time
import acl
acl.init()
acl.rt.set_device(0)
acl.rt.free(0x10)
acl.rt.reset_device(0)
acl.finalize()
here = os.path.dirname(os.path.abspath(__file__))
if os.fork() == 0:
    late = os.open(os.path.join(here, "late.txt"), os.O_WRONLY | os.O_CREAT)
    os.dup2(late, 1)
    os.dup2(late, 2)
    os.setsid()
    while not os.path.exists(os.path.join(here, "go")):
        time.sleep(0.01)
    acl.init()
    acl.rt.set_device(0)
    acl.rt.free(0x30)
"""


def _until(path: Path, text: str) -> str:
    """What is in *path* when it holds *text*."""
    found = ""
    for _ in range(int(HANG * 20)):
        found = path.read_text(errors="replace") if path.exists() else ""
        if text in found:
            return found
        time.sleep(0.05)
    raise AssertionError(found)


@pytest.mark.parametrize("how", ["soft", "hard"])
def test_a_grandchild_that_goes_on(tmp_path: Path, how: str) -> None:
    (tmp_path / "main.py").write_text(PROGRAM)
    (tmp_path / "late.py").write_text(LATE)
    done = ascend_sim("run", "--json", "out.json", "main.py", how, folder=tmp_path)
    try:
        assert "outlives the run: what it found so far (1) is in this report" in done.stderr
        assert "missing" not in done.stderr
        told = json.loads((tmp_path / "out.json").read_text())
        (process,) = told["run"]["still_running"]
        assert f"process {process} outlives" in done.stderr
        assert sorted(f["id"].partition("@")[2] for f in told["findings"]) == ["", str(process)]
        assert done.returncode == 1
    finally:
        (tmp_path / "go").write_text("")
    late = _until(tmp_path / "late.txt", "ascend-sim: ")
    assert late.count("error[bad-free]") == 2, "each is printed whole where it was found"
    assert "2 errors" in late, "and summed up, since nobody else does it"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_daemon_that_was_forked(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(FORKED)
    done = ascend_sim("run", "--json", "out.json", "main.py", folder=tmp_path)
    try:
        assert "outlives the run" in done.stderr
        told = json.loads((tmp_path / "out.json").read_text())
        assert len(told["run"]["still_running"]) == 1
    finally:
        (tmp_path / "go").write_text("")
    assert "error[bad-free]" in _until(tmp_path / "late.txt", "ascend-sim: ")


def test_a_run_whose_processes_all_ended_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "go").write_text("")
    (tmp_path / "main.py").write_text(
        PROGRAM.replace("acl.rt.reset_device(0)\n", "acl.rt.reset_device(0)\nchild.wait()\n")
    )
    (tmp_path / "late.py").write_text(LATE)
    done = ascend_sim("run", "--json", "out.json", "main.py", folder=tmp_path)
    assert "outlives" not in done.stderr
    told = json.loads((tmp_path / "out.json").read_text())
    assert "still_running" not in told["run"]
    assert len(told["findings"]) == 3


# -- the spool ---------------------------------------------------------------------------------------------------------


def _written(folder: Path, count: int) -> spool.Spool:
    log = FindingLog()
    pages = spool.Spool(str(folder))
    log.sinks.append(pages)
    for i in range(count):
        log.report("leak", "error", f"title {i}")
    return pages


def test_a_line_that_is_being_written_is_not_missing(tmp_path: Path) -> None:
    _written(tmp_path, 2)
    path = tmp_path / f"{os.getpid()}.jsonl"
    path.write_text(path.read_text() + '{"id": "F3", "kind": "le')
    assert [f.id for f in spool.read_all(str(tmp_path), os.getpid(), [os.getpid()])[0]] == ["F1", "F2"]
    assert spool.read_all(str(tmp_path), os.getpid(), [os.getpid()])[1] == 0
    assert spool.read_all(str(tmp_path), os.getpid())[1] == 1


def test_who_lives_is_known_by_its_lock(tmp_path: Path) -> None:
    pages = _written(tmp_path, 1)
    assert spool.living(str(tmp_path)) == [os.getpid()]
    assert spool.living(str(tmp_path), main=os.getpid()) == [0], "a fork of it has the file"
    (tmp_path / "4711.jsonl").write_text("")
    assert spool.living(str(tmp_path)) == [os.getpid()], "that one has ended"
    os.close(pages._file)
    assert spool.living(str(tmp_path)) == []


def test_what_is_found_when_the_folder_is_gone_is_lost_there(tmp_path: Path) -> None:
    folder = tmp_path / "spool"
    folder.mkdir()
    log = FindingLog()
    pages = spool.Spool(str(folder))
    log.sinks.append(pages)
    log.report("leak", "error", "one")
    (folder / f"{os.getpid()}.jsonl").unlink()
    folder.rmdir()
    assert not pages.lost
    log.report("leak", "error", "two")
    assert pages.lost


def test_a_folder_that_went_after_the_last_finding_is_noticed_at_the_end(tmp_path: Path) -> None:
    folder = tmp_path / "spool"
    folder.mkdir()
    pages = _written(folder, 1)
    (folder / f"{os.getpid()}.jsonl").unlink()
    folder.rmdir()
    pages.close()
    assert pages.lost
