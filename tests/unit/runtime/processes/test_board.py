"""The board of a run: entries that several processes change, waking each other, seeing who has ended."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest

from ascend_sim import Simulator
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


def test_an_entry_is_what_was_in_it_at_the_end_of_a_change(two: tuple[Board, Board]) -> None:
    one, other = two
    assert one.read("e-1.1-1") is None
    with one.change("e-1.1-1") as entry:
        entry["words"] = "`x`"
    with other.change("e-1.1-1") as entry:
        entry["count"] = 1
    assert one.read("e-1.1-1") == {"words": "`x`", "count": 1}


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
