"""Loads and stores: what brackets give, where bounds are, what is logged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ascend_sim import gm
from ascend_sim.kernels.language.errors import KernelUsage, OutOfBounds
from ascend_sim.kernels.language.memory import ATOMIC, READ, WRITE, Log, Memory


def memory(kind: Any, array: Any, name: str = "x", log: Log | None = None) -> Any:
    made = kind(name, array.dtype, None, 0, None, log)
    made.show(array)
    return made


def numbers(n: int = 10) -> Any:
    return np.arange(n, dtype=np.float32)


def logged(use: Callable[[Any], Any], shape: tuple[int, ...] = (10,), kind: Any = gm.InOut) -> Any:
    """The (lo, hi, kind) that *use* logs on int32 memory, boxes as rows."""
    log = Log()
    made = memory(kind, np.zeros(shape, np.int32), "x", log)
    use(made)
    found = []
    for i in range(0, len(log), 3):
        lo, hi, code = log[i : i + 3]
        if hi >= 0:
            found.append((lo, hi, code))
            continue
        start, width, pitch, rows, _ = log.boxes[lo]
        found += [(start + row * pitch, start + row * pitch + width, code) for row in range(rows)]
    return found


class TestLoads:
    def test_an_input_gives_views_that_cannot_be_written(self) -> None:
        array = numbers()
        x = memory(gm.In, array)
        view = x[2:5]
        array[2] = 99
        assert view.tolist() == [99, 3, 4]
        with pytest.raises(ValueError, match="read-only"):
            view += 1
        assert x[3] == 3
        assert type(x[3]) is np.float32
        assert len(x) == 10
        assert x.shape == (10,)

    def test_an_inout_gives_values_of_that_moment(self) -> None:
        array = numbers()
        y = memory(gm.InOut, array)
        before = y[0:3]
        y[0:3] = 7
        assert before.tolist() == [0, 1, 2]
        y[0:3] += 1
        assert array[:3].tolist() == [8, 8, 8]
        assert type(y[0]) is np.float32

    def test_every_kind_of_key(self) -> None:
        x = memory(gm.In, np.arange(24, dtype=np.int32))
        cube = x.view(2, 3, 4)
        assert x[[1, 3]].tolist() == [1, 3]
        assert x[np.arange(24) % 12 == 5].tolist() == [5, 17]
        assert x[np.array([[0, 1], [2, 3]])].tolist() == [[0, 1], [2, 3]]
        assert x[:3].tolist() == [0, 1, 2]
        assert x[21:].tolist() == [21, 22, 23]
        assert x[np.uint32(4) : np.uint32(6)].tolist() == [4, 5]
        assert cube[1, 2, 3] == 23
        assert cube[0, 1:3, 2:4].tolist() == [[6, 7], [10, 11]]
        assert cube[1].shape == (3, 4)
        assert cube[:, 0].shape == (2, 4)
        matrix = x.view(4, 6)
        assert matrix[1:3, 2:4].tolist() == [[8, 9], [14, 15]]
        assert matrix[:, 5].tolist() == [5, 11, 17, 23]
        assert matrix[2, :].tolist() == [12, 13, 14, 15, 16, 17]
        assert matrix[1:2, :].shape == (1, 6)

    def test_reading_an_output_says_what_to_declare(self) -> None:
        z = memory(gm.Out, numbers(), "z")
        with pytest.raises(KernelUsage) as caught:
            z[0:5]
        assert caught.value.text == "`z` is a gm.Out parameter, and `z[0:5]` reads it"
        assert caught.value.cure == "declare `z: gm.InOut[np.float32]` if its old values are meant"
        with pytest.raises(KernelUsage, match=r"`z\[1:3\]` reads it"):
            z[1:3] += 1

    def test_writing_an_input_says_what_to_declare(self) -> None:
        x = memory(gm.In, numbers())
        with pytest.raises(KernelUsage) as caught:
            x[0:5] = 1
        assert caught.value.text == "`x` is a gm.In parameter, and `x[0:5] = ...` writes it"
        assert caught.value.cure == "declare `x: gm.InOut[np.float32]`, or write to another parameter"

    def test_other_names_are_told_what_there_is(self) -> None:
        with pytest.raises(AttributeError, match=r"`x` is gm\.In and has no 'sum'"):
            memory(gm.In, numbers()).sum()


class TestStores:
    def test_values_of_the_same_kind_fit(self) -> None:
        array = np.zeros(10, np.int32)
        z = memory(gm.Out, array)
        z[0] = 5
        z[1:3] = [6, 7]
        z[3:5] = np.array([8, 9], np.int64)
        z[5] = np.uint8(10)
        z[[6, 8]] = 1
        z[9] = True
        assert array.tolist() == [5, 6, 7, 8, 9, 10, 1, 0, 1, 1]

    @pytest.mark.parametrize(
        ("dtype", "value", "source"),
        [(np.int32, np.float32(1), "float32"), (np.int32, 1.5, "float64"), (np.float32, 1j, "complex128")],
    )
    def test_other_values_need_a_conversion(self, dtype: Any, value: Any, source: str) -> None:
        z = memory(gm.Out, np.zeros(4, dtype), "z")
        with pytest.raises(KernelUsage) as caught:
            z[0:2] = value
        assert caught.value.text == f"`z` holds {np.dtype(dtype)}, the value is {source}"
        assert caught.value.cure == f"convert it: value.astype(np.{np.dtype(dtype)})"

    def test_out_gives_a_view_to_work_in(self) -> None:
        array = numbers()
        z = memory(gm.Out, array)
        np.add(numbers(3), 10, out=z.out(slice(0, 3)))
        z.out(5)[:] = 77
        memory(gm.Out, array).view(2, 5).out((1, 4))[:] = 99
        assert array.tolist() == [10, 11, 12, 3, 4, 77, 6, 7, 8, 99]
        with pytest.raises(KernelUsage, match="would be a copy"):
            z.out([1, 2])

    def test_atomics(self) -> None:
        array = np.array([5, 5, 5, 5], np.int32)
        r = memory(gm.InOut, array)
        r.atomic_add(0, 2)
        r.atomic_max(slice(1, 3), np.array([9, 1], np.int32))
        r.atomic_min(3, 4)
        assert array.tolist() == [7, 9, 5, 4]
        r.atomic_add(np.array([0, 0, 0]), 1)  # an index that occurs more than once
        r.atomic_add(np.array([False, True, False, False]), 1)
        assert array.tolist() == [10, 10, 5, 4]
        for method in ("atomic_add", "atomic_max", "atomic_min"):
            assert not hasattr(gm.Out, method)


OUTSIDE: list[tuple[str, Callable[[Any], Any], str, tuple[int, int]]] = [
    ("slice", lambda x: x[8:12], "`x[8:12]` reaches element 11, `x` has 10", (32, 48)),
    ("index", lambda x: x[10], "`x[10]` reaches element 10, `x` has 10", (40, 44)),
    ("open slice", lambda x: x[4:11], "`x[4:11]` reaches element 10, `x` has 10", (16, 44)),
    ("before", lambda x: x[-1], "`x[-1]` starts 1 element before `x`", (-4, 0)),
    ("two before", lambda x: x[-2:1], "`x[-2:1]` starts 2 elements before `x`", (-8, 4)),
    ("backwards", lambda x: x[5:3], "`x[5:3]` ends before it starts", (20, 12)),
    ("array", lambda x: x[[3, 10]], "`x[10]` reaches element 10, `x` has 10", (40, 44)),
    ("array before", lambda x: x[[3, -4]], "`x[-4]` starts 4 elements before `x`", (-16, -12)),
    ("columns", lambda x: x.view(2, 5)[0:2, 3:6], "`x[0:2, 3:6]` reaches element 5 along axis 1, `x` has 5", (12, 24)),
    ("row", lambda x: x.view(2, 5)[2, 0], "`x[2, 0]` reaches element 2 along axis 0, `x` has 2", (40, 60)),
    ("view", lambda x: x.view(3, 4), "`x.view(3, 4)` needs 48 bytes, `x` has 40", (0, 48)),
    ("view before", lambda x: x.view(4, offset=-1), "`x.view(4)` starts 1 element before `x`", (-4, 12)),
]  # fmt: skip


@pytest.mark.parametrize(("use", "text", "span"), [row[1:] for row in OUTSIDE], ids=[row[0] for row in OUTSIDE])
@pytest.mark.parametrize("with_log", [False, True])
def test_outside(use: Callable[[Any], Any], text: str, span: tuple[int, int], with_log: bool) -> None:
    x = memory(gm.InOut, np.zeros(10, np.int32), "x", Log() if with_log else None)
    with pytest.raises(OutOfBounds) as caught:
        use(x)
    assert (caught.value.text, (caught.value.lo, caught.value.hi)) == (text, span)
    if "before `x`" in text and "view" not in text:
        assert caught.value.cure == "device memory has no negative index; count from the front"


def test_nothing_is_clipped_and_empty_is_nothing() -> None:
    x = memory(gm.In, numbers())
    assert x[10:10].size == 0
    assert x.view(2, 5)[1:1, :].size == 0
    with pytest.raises(OutOfBounds):
        x[11:11]


BAD_KEYS: list[tuple[str, Callable[[Any], Any], str]] = [
    ("step", lambda x: x[0:8:2], r"`x\[0:8:2\]` has a step"),
    ("step in a tuple", lambda x: x.view(2, 5)[0:2, ::2], "has a step"),
    ("text", lambda x: x["a"], r"`x\[a\]`: an index is an integer"),
    ("number with a fraction", lambda x: x[1.5], "an index is an integer"),
    ("too many", lambda x: x[1, 2], "`x` has 1 dimension, 2 indices are given"),
    ("float array", lambda x: x[np.array([1.5])], "the indices are float64"),
    ("short mask", lambda x: x[np.array([True])], r"the mask has shape \(1,\)"),
    ("negative shape", lambda x: x.view(-1, 5), "a size is negative"),
]


@pytest.mark.parametrize(("use", "text"), [row[1:] for row in BAD_KEYS], ids=[row[0] for row in BAD_KEYS])
def test_keys_that_are_none(use: Callable[[Any], Any], text: str) -> None:
    with pytest.raises(KernelUsage, match=text):
        use(memory(gm.InOut, np.zeros(10, np.int32)))


class TestViews:
    def test_shape_dtype_and_offset(self) -> None:
        x = memory(gm.InOut, np.arange(12, dtype=np.float32))
        assert x.view(3, 4)[1:2, 1:3].tolist() == [[5, 6]]
        assert x.view(4, offset=8)[0:4].tolist() == [8, 9, 10, 11]
        assert x.view(offset=10).shape == (2,)
        raw = x.view(4, dtype=np.uint8, offset=4)
        assert raw[0:4].tolist() == list(np.float32(1).tobytes())
        x.view(2, dtype=np.int32, offset=1)[0] = 0x40000000
        assert x[1] == 2.0

    def test_a_view_of_a_view(self) -> None:
        x = memory(gm.In, np.arange(24, dtype=np.int32))
        assert x.view(2, 12).view(3, 2, offset=18)[0:3, 1].tolist() == [19, 21, 23]

    def test_the_same_view_is_made_once(self) -> None:
        x = memory(gm.In, numbers(100))
        assert x.view(np.uint32(10), 10) is x.view(10, 10)
        for n in range(1, 80):
            x.view(n)
        assert x.views is not None
        assert len(x.views) <= 64


LOGS: list[tuple[str, Callable[[Any], Any], tuple[int, ...], list[tuple[int, int, int]]]] = [
    ("slice", lambda x: x[2:5], (10,), [(8, 20, READ)]),
    ("index", lambda x: x[3], (10,), [(12, 16, READ)]),
    ("store", lambda x: x.__setitem__(slice(2, 5), 1), (10,), [(8, 20, WRITE)]),
    ("in place", lambda x: x.out(slice(0, 2)), (10,), [(0, 8, READ), (0, 8, WRITE)]),
    ("atomic", lambda x: x.atomic_add(1, 1), (10,), [(4, 8, ATOMIC)]),
    ("runs of an array", lambda x: x[[7, 1, 2, 8, 2]], (10,), [(4, 12, READ), (28, 36, READ)]),
    ("mask", lambda x: x[np.arange(10) % 4 == 0], (10,), [(0, 4, READ), (16, 20, READ), (32, 36, READ)]),
    ("tile", lambda x: x[1:3, 2:4], (4, 5), [(28, 36, READ), (48, 56, READ)]),
    ("whole rows", lambda x: x[1:3, :], (4, 5), [(20, 60, READ)]),
    ("column", lambda x: x[:, 1], (3, 2), [(4, 8, READ), (12, 16, READ), (20, 24, READ)]),
    ("a row of a cube", lambda x: x[1, 0:1], (2, 2, 3), [(24, 36, READ)]),
    ("part of a cube", lambda x: x[0:2, 1, 0:2], (2, 2, 3), [(12, 20, READ), (36, 44, READ)]),
    ("nothing", lambda x: x[3:3], (10,), []),
    ("a view's own place", lambda x: x.view(2, offset=4)[1], (10,), [(20, 24, READ)]),
]  # fmt: skip


@pytest.mark.parametrize(("use", "shape", "wanted"), [row[1:] for row in LOGS], ids=[row[0] for row in LOGS])
def test_the_log_has_exact_bytes(use: Any, shape: Any, wanted: Any) -> None:
    assert logged(use, shape) == wanted


def test_a_bad_access_is_not_logged() -> None:
    def use(x: Any) -> None:
        with pytest.raises(OutOfBounds):
            x[5:11]

    assert logged(use) == []


def test_memory_of_other_types() -> None:
    for dtype in (np.float16, np.int8, np.uint64, np.bool_, np.float64):
        array = np.zeros(4, dtype)
        made: Memory[Any] = memory(gm.InOut, array)
        made[1] = 1  # type: ignore[index]
        assert made[0:4].dtype == dtype  # type: ignore[index]
        assert array[1] == 1
