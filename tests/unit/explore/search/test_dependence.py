"""What steps touch: ranges in parts against sets of bytes, and pitched copies as one item each."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ascend_sim import ascendcl as C
from ascend_sim import explore
from ascend_sim.explore.search.dependence import READ, WRITE, dependent, in_parts, meet

RANGES = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 6)).map(lambda r: (r[0], r[0] + r[1])), max_size=8)


def bytes_of(ranges: list[tuple[int, int]]) -> set[int]:
    return {place for lo, hi in ranges for place in range(lo, hi)}


@given(mine=RANGES, theirs=RANGES, reads=st.booleans())
def test_parts_meet_where_their_bytes_do(
    mine: list[tuple[int, int]], theirs: list[tuple[int, int]], reads: bool
) -> None:
    a, b = in_parts("x", WRITE, mine), in_parts("x", READ if reads else WRITE, theirs)
    together = bool(bytes_of(mine) & bytes_of(theirs))
    assert (a is None) == (not mine) and (b is None) == (not theirs)
    if a is not None and b is not None:
        assert meet(a, b) == meet(b, a) == dependent([a], [b]) == together
        assert bytes_of(list(a.parts or [(a.lo, a.hi)])) == bytes_of(mine)


def tiles(words: Any, first: int, second: int) -> Any:
    """Two streams copy tiles of 64 bytes out of each row of 1024, from these columns on."""

    def program() -> None:
        one, two = words.start(2)
        rows = 500
        to, source = (words.must(C.aclrtMalloc(1024 * rows, 0)) for _ in range(2))
        words.must(C.aclrtMemset(source, 1024 * rows, 0, 1024 * rows))
        for stream, column in ((one, first), (two, second)):
            for _ in range(2):
                words.must(C.aclrtMemcpy2dAsync(to + column, 1024, source, 1024, 64, rows, 3, stream))
        words.must(C.aclrtSynchronizeDevice())

    return program


def test_tiles_beside_each_other_do_not_depend(words: Any) -> None:
    report = explore(tiles(words, 0, 64))
    assert report.exhausted and report.classes == 1 and not report.failures


def test_tiles_that_share_a_column_do(words: Any) -> None:
    report = explore(tiles(words, 0, 63))
    assert report.exhausted and report.classes == 6  # two and two tasks in every order
    assert {failure.kind for failure in report.failures} == {"race"}
