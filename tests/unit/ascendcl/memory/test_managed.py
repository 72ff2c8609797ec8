"""Advice about managed memory, and where it was prefetched to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ascend_sim import ascendcl as C
from tests.kit.calls import must, simulator

M = 2 << 20
sim = simulator()
PREFERRED, PREFERRED_TYPE, PREFERRED_ID, ACCESSED_BY, READ_MOSTLY, PREFETCHED = 2, 4, 5, 3, 1, 6


def place(kind: int, number: int = 0) -> Any:
    return C.aclrtMemManagedLocation(kind, number)


def ask(attribute: int, address: int, size: int = 2 * M, room: int = 4) -> list[int]:
    found = np.zeros(room // 4, np.int32)
    must(C.aclrtMemManagedGetAttr(attribute, address, size, found, room))
    return found.tolist()


def test_advice_is_kept_by_page(sim: Any) -> None:
    memory = must(C.aclrtMemAllocManaged(4 * M, 1))
    assert (ask(PREFERRED, memory), ask(READ_MOSTLY, memory)) == ([-2], [0])
    must(C.aclrtMemManagedAdvise(memory, 2 * M, C.ACL_MEM_ADVISE_SET_PREFERRED_LOCATION, place(1, 0)))
    must(C.aclrtMemManagedAdvise(memory, M, C.ACL_MEM_ADVISE_SET_READ_MOSTLY, place(0)))
    assert (ask(PREFERRED, memory), ask(PREFERRED_TYPE, memory), ask(PREFERRED_ID, memory)) == ([0], [1], [0])
    assert (ask(READ_MOSTLY, memory, M), ask(READ_MOSTLY, memory)) == ([1], [0])
    assert ask(PREFERRED, memory, 3 * M) == [-2]  # the pages differ
    must(C.aclrtMemManagedAdvise(memory, 2 * M, C.ACL_MEM_ADVISE_SET_ACCESSED_BY, place(1, 0)))
    must(C.aclrtMemManagedAdvise(memory, 2 * M, C.ACL_MEM_ADVISE_SET_ACCESSED_BY, place(2)))
    assert ask(ACCESSED_BY, memory, room=12) == [-1, 0, -2]
    must(C.aclrtMemManagedAdvise(memory, 2 * M, C.ACL_MEM_ADVISE_UNSET_ACCESSED_BY, place(2)))
    assert ask(ACCESSED_BY, memory, room=8) == [0, -2]
    both = [np.zeros(1, np.int32) for _ in range(2)]
    addresses = [found.ctypes.data for found in both]
    must(C.aclrtMemManagedGetAttrs([PREFERRED, READ_MOSTLY], 2, memory, 2 * M, addresses, [4, 4]))
    assert [int(found[0]) for found in both] == [0, 0]


def test_prefetches_are_noted_when_they_ran(sim: Any) -> None:
    memory, stream = must(C.aclrtMemAllocManaged(4 * M, 1)), must(C.aclrtCreateStream())
    must(C.aclrtMemManagedPrefetchAsync(memory, M, place(1), 0, stream))
    assert ask(PREFETCHED, memory, M) == [-2]
    must(C.aclrtSynchronizeStream(stream))
    assert ask(PREFETCHED, memory, M) == [0]
    batch = C.aclrtMemManagedPrefetchBatchAsync
    ranges, sizes = [memory, memory + M, memory + 2 * M], [M, M, M]
    must(batch(ranges, sizes, 3, [place(2), place(1)], [0, 2], 2, 0, stream))
    must(C.aclrtSynchronizeStream(stream))
    assert [ask(PREFETCHED, address, M) for address in ranges] == [[-1], [-1], [0]]
    assert batch(ranges, sizes, 3, [place(2), place(1)], [1, 2], 2, 0, stream) == 107000
    assert batch(ranges, sizes, 3, [place(2), place(1)], [0, 0], 2, 0, stream) == 107000
    assert batch(ranges, sizes, 1, [place(2), place(1)], [0, 1], 2, 0, stream) == 100000


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda m: C.aclrtMemManagedAdvise(0, M, 0, place(1)), 100000),
        (lambda m: C.aclrtMemManagedAdvise(m, 0, 0, place(1)), 100000),
        (lambda m: C.aclrtMemManagedAdvise(m, 4096, 0, place(1)), 107000),
        (lambda m: C.aclrtMemManagedAdvise(m, M, 6, place(1)), 107000),
        (lambda m: C.aclrtMemManagedAdvise(m, M, 2, place(9)), 107000),
        (lambda m: C.aclrtMemManagedAdvise(m, M, 2, place(1, 5)), 107000),
        (lambda m: C.aclrtMemManagedGetAttr(9, m, M, np.zeros(1, np.int32), 4), 107000),
        (lambda m: C.aclrtMemManagedGetAttr(1, m, M, np.zeros(2, np.int32), 8), 107000),
        (lambda m: C.aclrtMemManagedGetAttr(1, m, M, 0, 4), 100000),
    ],
)  # fmt: skip
def test_what_is_refused(sim: Any, call: Any, code: int) -> None:
    assert call(must(C.aclrtMemAllocManaged(M, 1))) == code
    assert C.aclrtMemManagedAdvise(must(C.aclrtMalloc(M, 0)), M, 0, place(1)) == 107000
