"""aclrtRandomNumAsync: distributions, and that seed and counter decide."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ascend_sim import ascendcl as C
from ascend_sim.runtime.random_numbers import words
from tests.kit.calls import must, simulator

sim = simulator()
BITS, UNIFORM, NORMAL, TRUNCATED = range(4)
FLOAT, HALF, INT32, UINT64, BF16 = C.ACL_FLOAT, C.ACL_FLOAT16, C.ACL_INT32, C.ACL_UINT64, C.ACL_BF16
TYPES = {FLOAT: np.float32, HALF: np.float16, INT32: np.int32, UINT64: np.uint64}


def number(value: Any, kind: Any) -> Any:
    raw = np.array(value, kind).tobytes()
    return C.aclrtRandomParaInfo(0, list(raw.ljust(8, b"\0")), len(raw))


def info(
    function: int, data_type: int, first: Any, second: Any, count: int, seed: int, place: int, counter: int
) -> Any:
    kind = TYPES.get(data_type, np.uint16)
    one, two = number(first, kind), number(second, kind)
    parameters = C.aclrtRandomNumParamInfo(
        C.aclrtDropoutBitmaskInfo(one), C.aclrtUniformDisInfo(one, two), C.aclrtNormalDisInfo(one, two)
    )
    made = C.aclrtRandomNumFuncParaInfo(function, parameters)
    return C.aclrtRandomNumTaskInfo(
        data_type, made, 0, place, counter, number(seed, np.uint64), number(count, np.uint64)
    )


def drawn(function: int, data_type: int, first: Any, second: Any, count: int = 4096, seed: int = 5, at: int = 0) -> Any:
    place, counter = must(C.aclrtMalloc(8 * count, 0)), must(C.aclrtMalloc(16, 0))
    must(C.aclrtMemcpy(counter, 16, at.to_bytes(16, "little"), 16, 1))
    must(C.aclrtRandomNumAsync(info(function, data_type, first, second, count, seed, place, counter), None, 0))
    must(C.aclrtSynchronizeDevice())
    kind = np.uint8 if function == BITS else TYPES.get(data_type, np.uint16)
    found = np.zeros(count // 8 if function == BITS else count, kind)
    must(C.aclrtMemcpy(found, found.nbytes, place, found.nbytes, 2))
    return found


def test_philox_by_its_published_vectors() -> None:
    ones = (1 << 128) - 1
    assert [hex(word) for word in words(ones & (1 << 64) - 1, ones, 4)] == [
        "0x408f276d", "0x41c83b0e", "0xa20bc7c6", "0x6d5451fd",
    ]  # fmt: skip


def test_the_counter_has_128_bits() -> None:
    for end in (1 << 64, 1 << 128):
        assert words(9, end - 2, 16)[8:].tolist() == words(9, end % (1 << 128), 8).tolist()
    assert words(9, 1 << 64, 4).tolist() != words(9, 0, 4).tolist()


def test_uniform_numbers(sim: Any) -> None:
    found = drawn(UNIFORM, FLOAT, 1, 3)
    assert found.min() >= 1 and found.max() < 3 and abs(found.mean() - 2) < 0.05
    whole = drawn(UNIFORM, INT32, -3, 4)
    assert sorted(set(whole.tolist())) == list(range(-3, 4))
    assert drawn(UNIFORM, UINT64, 0, 2**63).max() > 2**62
    halves = drawn(UNIFORM, HALF, 0, 1)
    assert halves.min() >= 0 and halves.max() <= 1


def test_normal_numbers(sim: Any) -> None:
    found = drawn(NORMAL, FLOAT, 3, 2)
    assert abs(found.mean() - 3) < 0.15 and abs(found.std() - 2) < 0.15 and abs(found - 3).max() > 4
    cut = drawn(TRUNCATED, FLOAT, 3, 2)
    assert abs(cut - 3).max() <= 4.001
    cut_short = drawn(TRUNCATED, BF16, 0x3F80, 0x4000).astype(np.uint32) << 16  # 1.0 and 2.0
    assert abs(cut_short.view(np.float32) - 1).max() <= 4.04


def test_bits_for_dropout(sim: Any) -> None:
    assert abs(np.unpackbits(drawn(BITS, FLOAT, 0.25, 0)).mean() - 0.75) < 0.03


def test_seed_and_counter_decide(sim: Any) -> None:
    first = drawn(UNIFORM, FLOAT, 0, 1, 64)
    assert np.array_equal(first, drawn(UNIFORM, FLOAT, 0, 1, 64))
    assert not np.array_equal(first, drawn(UNIFORM, FLOAT, 0, 1, 64, seed=6))
    assert np.array_equal(first[4:], drawn(UNIFORM, FLOAT, 0, 1, 64, at=1)[:-4])  # four words a block


@pytest.mark.parametrize(
    ("function", "data_type", "code"), [(UNIFORM, C.ACL_DOUBLE, 100000), (9, FLOAT, 107000), (NORMAL, INT32, 107000)]
)
def test_what_is_refused(sim: Any, function: int, data_type: int, code: int) -> None:
    assert C.aclrtRandomNumAsync(info(function, data_type, 0, 1, 8, 0, 0, 0), None, 0) == code
    assert C.aclrtRandomNumAsync(None, None, 0) == 100000
    good = info(UNIFORM, FLOAT, 0, 1, 8, 0, 0, 0)
    assert C.aclrtRandomNumAsync(good, None, 8) == 107000
    must(C.aclrtRandomNumAsync(good, None, 0))  # nobody looks at the addresses
    assert C.aclrtSynchronizeDevice() == 507899
