"""The board of a run: entries that several processes change, waking each other, seeing who has ended."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ascend_sim import Simulator
from ascend_sim.constants.errors import ACL_ERROR_RT_INTERNAL_ERROR
from ascend_sim.errors import AclError
from ascend_sim.runtime.processes import board as board_module
from ascend_sim.runtime.processes.board import FIRST, VARIABLE, Board, alive, myself, name_for, owner_of, usable
from ascend_sim.runtime.processes.neighbours import enter_run
from ascend_sim.runtime.processes.sharing import checked_name
from tests.kit.pairs import one_run

pytestmark = pytest.mark.skipif(not usable, reason="this system has no Unix sockets")


@pytest.fixture
def two() -> Iterator[tuple[Board, Board]]:
    """Two processes, played by this one."""
    with one_run() as folder:
        one, other = Board(folder), Board(folder, "1.1")
        one.join()
        other.join()
        yield one, other
        other.leave()
        one.leave()


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder whose name leaves room for that of a socket."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        yield Path(folder)


def test_an_entry_is_what_was_in_it_at_the_end_of_a_change(two: tuple[Board, Board]) -> None:
    one, other = two
    assert one.read("e-1.1-1") is None
    with one.change("e-1.1-1") as entry:
        entry["words"] = "`x`"
    with other.change("e-1.1-1") as entry:
        entry["count"] = 1
    assert one.read("e-1.1-1") == {"words": "`x`", "count": 1}


@pytest.mark.parametrize("planted", ["a file", "a link", "open to all", "a lock that is a link"])
def test_what_somebody_else_put_there_is_not_used(planted: str) -> None:
    with one_run() as folder:
        if planted == "a file":
            open(folder, "w").close()
        elif planted == "a link":
            os.symlink(os.path.dirname(folder), folder)
        else:
            os.mkdir(folder)
            os.chmod(folder, 0o777 if planted == "open to all" else 0o700)
            os.symlink(os.devnull, os.path.join(folder, "lock"))
        with pytest.raises(AclError, match="cannot be used") as found:
            Board(folder).join()
        assert found.value.code == ACL_ERROR_RT_INTERNAL_ERROR
        (os.unlink if planted in ("a file", "a link") else shutil.rmtree)(folder)


def test_a_full_disk_is_the_failure_of_the_call(two: tuple[Board, Board], monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*given: str) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with two[0].change("e-1.1-1") as entry:
        entry["count"] = 1
    monkeypatch.setattr(board_module.os, "replace", full)
    with pytest.raises(AclError, match="No space left"), two[0].change("e-1.1-1") as entry:
        entry["count"] = 2
    monkeypatch.undo()
    assert two[1].read("e-1.1-1") == {"count": 1}


@pytest.mark.parametrize("content", [b"", b'{"x"', b"[" * 200_000, b"[1]", b"\xff", None])
def test_an_entry_that_is_none_is_the_failure_of_the_call(two: tuple[Board, Board], content: bytes | None) -> None:
    path = os.path.join(two[0].folder, "e-1.1-1")
    if content is None:
        os.mkfifo(path)  # nobody writes there: a read would wait for ever
    else:
        with open(path, "wb") as file:
            file.write(content)
    with pytest.raises(AclError, match="cannot be used"):
        two[0].read("e-1.1-1")


@pytest.mark.parametrize(
    ("owner", "age", "member", "stays"),
    [("dead", 7200, "", False), ("dead", 10, "", True), ("alive", 7200, "", True), ("dead", 7200, "alive", True),
     ("dead", 7200, "dead", False)],
)  # fmt: skip
def test_boards_of_runs_that_were_killed_are_removed(
    owner: str, age: int, member: str, stays: bool, short: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the next one that is made: nobody else knows of them."""
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    numbers = {"dead": f"{child.pid}.1", "alive": myself()}
    old = short / f"ascend-sim-{numbers[owner]}-00c0ffee"
    old.mkdir()
    (old / "m-1").write_text("{}")
    if member:
        (old / f"s-{numbers[member]}").touch()
    (short / "ascend-sim-report").mkdir()
    (short / f"ascend-sim-{child.pid}-linked00").symlink_to(old)
    for place in (old, short / "ascend-sim-report"):
        os.utime(place, (time.time() - age,) * 2)
    made = Board(str(short / f"ascend-sim-{myself()}-12345678"))
    monkeypatch.setattr(time, "time", lambda: 0.0)  # as under the patches: that is virtual time, and asking costs
    made.join()
    made.leave()
    assert old.exists() is stays
    assert (short / "ascend-sim-report").exists()


def test_a_change_that_fails_is_none(two: tuple[Board, Board]) -> None:
    with pytest.raises(ZeroDivisionError), two[0].change("e-1.1-1") as entry:
        entry["count"] = 1 // 0
    assert two[1].read("e-1.1-1") is None


def test_who_has_a_thing_hears_of_its_changes(two: tuple[Board, Board]) -> None:
    one, other = two
    with one.change("e-1.1-1") as entry:
        entry["users"] = [one.me, other.me, "2.2"]  # the last one has ended: nobody hears it there
    assert other.heard() and not other.heard() and not one.heard()
    assert not other.wait(0.0, [])
    one.wake([other.me])
    assert other.wait(60.0, [])


def test_processes_that_have_ended_hold_no_file(two: tuple[Board, Board]) -> None:
    open_files = set(os.listdir("/proc/self/fd"))
    for _ in range(3):
        child = subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE)
        who = f"{child.pid}.{board_module._start_of(child.pid)}"
        assert not two[0].gone(who)
        child.communicate(b"\n")
        assert two[0].gone(who) and two[0].gone(who)
    assert set(os.listdir("/proc/self/fd")) == open_files


def test_many_words_that_nobody_hears_block_nobody(two: tuple[Board, Board]) -> None:
    one, other = two
    for _ in range(5_000):
        one.wake([other.me])
    assert other.heard() and not other.heard()


def test_the_end_of_a_process_ends_a_wait(two: tuple[Board, Board]) -> None:
    child = subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE)
    who = f"{child.pid}.{board_module._start_of(child.pid)}"
    assert alive(who) and not two[0].gone(who) and not two[0].wait(0.0, [who])
    assert child.stdin is not None
    child.stdin.close()
    assert two[0].wait(60.0, [who])
    assert two[0].gone(who) and not alive(who), "also as a zombie"
    child.wait()
    assert not alive(f"{os.getpid()}.1"), "another process had this number"


def test_who_left_is_seen_no_more(two: tuple[Board, Board], monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = two
    monkeypatch.setattr(board_module, "alive", lambda who: True)
    assert one.others() == [other.me]
    other.leave()
    assert one.others() == []


def test_a_folder_of_a_long_name_goes_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_module, "_MEMORY", "/nowhere")
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/a" * 40)
    assert len(name_for(myself())) < 90


@pytest.mark.parametrize("key", ["", "x", "../lock", "m-../../etc", "n-1.1-1/..", "m-" + "0" * 35, "e-1.1-1\n"])
def test_keys_of_programs_name_no_other_files(key: str) -> None:
    with pytest.raises(AclError):
        checked_name(key)


@pytest.mark.parametrize(("between", "seen"), [(False, False), (True, True)])
def test_what_a_script_starts_is_seen_from_the_beginning(between: bool, seen: bool) -> None:
    """Two programs of a shell script: the one waits, by sleeping, for what the other one has not shared yet."""
    by = os.getpid() if between else os.getppid()
    with one_run() as folder:
        os.environ.pop(FIRST)
        os.environ[VARIABLE] = name = name_for(f"{by + 1 if between else by}")
        with Simulator() as sim:
            enter_run(sim)
            assert sim.neighbours is not None and sim.neighbours.board.joined is seen
            assert owner_of(name) == (by + 1 if between else by) and owner_of(folder) == os.getpid()
        shutil.rmtree(name, ignore_errors=True)
