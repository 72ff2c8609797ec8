"""The journal of a run: one order of lines for all processes, and what happens when it becomes too long."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from ascend_sim.runtime.processes.board import Board, usable
from ascend_sim.runtime.processes.journal import Journal
from tests.kit.pairs import one_run

pytestmark = pytest.mark.skipif(not usable, reason="this system has no Unix sockets")


@pytest.fixture
def two() -> Iterator[tuple[Journal, Journal]]:
    """Two processes, played by this one; a journal of 64 bytes is long."""
    with one_run() as folder:
        one, other = Journal(Board(folder), 64), Journal(Board(folder, "1.1"), 64)
        yield one, other
        for journal in (one, other):
            journal.close()
            journal.board.leave()


def test_each_process_reads_what_the_others_wrote(two: tuple[Journal, Journal]) -> None:
    one, other = two
    assert one.exchange(["a"]) == (False, [])
    assert other.exchange(["b"]) == (False, ["a"])
    assert one.exchange([]) == (False, ["b"])
    assert one.exchange(["c", "d"]) == (False, [])
    assert other.exchange([]) == (False, ["c", "d"])
    assert other.exchange([]) == (False, [])


def test_the_half_line_of_a_killed_writer_is_none(two: tuple[Journal, Journal]) -> None:
    one, other = two
    one.exchange(["a"])
    with open(os.path.join(one.board.folder, "journal"), "ab") as file:
        file.write(b"half of a li")
    assert other.exchange(["b"]) == (False, ["a"])
    assert one.exchange(["c"]) == (False, ["b"])
    assert other.exchange([]) == (False, ["c"])


def test_a_journal_that_became_too_long_begins_again_and_says_so(two: tuple[Journal, Journal]) -> None:
    one, other = two
    one.exchange(["a" * 80])
    assert one.exchange(["b"]) == (True, [])
    assert other.exchange(["c"]) == (False, ["b"]), "it had read nothing before"
    one.exchange(["d" * 80])
    assert one.exchange(["e"]) == (True, []), "what stood there is gone for all"
    assert other.exchange([]) == (True, ["e"])
    assert one.exchange([]) == (False, [])
