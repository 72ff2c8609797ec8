"""The decorator: what parameters may be, how their arguments lie, and what it says about mistakes."""

from __future__ import annotations

import ctypes
import doctest
from typing import Any

import numpy as np
import pytest

import ascend_sim.kernels.language.kernel
import ascend_sim.kernels.language.structs
from ascend_sim import Block, Struct, gm, kernel

f32 = np.float32


class Tiling(Struct):
    total: np.uint32
    scale: np.float64
    flag: np.uint8


class CTiling(ctypes.Structure):
    _fields_ = [("total", ctypes.c_uint32), ("scale", ctypes.c_double)]


def test_the_examples_in_docstrings_run() -> None:
    for module in (ascend_sim.kernels.language.kernel, ascend_sim.kernels.language.structs):
        result = doctest.testmod(module)
        assert (result.failed, result.attempted > 0) == (0, True)


def test_arguments_lie_as_c_lays_them_out() -> None:
    @kernel
    def k(b: Block, x: gm.In[f32], n: np.uint8, m: np.uint32, h: np.float16, t: Tiling, last: np.uint8) -> None: ...

    at = {name: offset for name, (_, offset) in k.fields.items()}
    assert at == {"x": 0, "n": 8, "m": 12, "h": 16, "t": 24, "last": 48}
    assert (k.needed, k.layout.itemsize) == (49, 56)
    packed = k.pack(0x1122, 3, 4, 1.5, Tiling(total=7, scale=0.5, flag=1), 9)
    assert len(packed) == 56
    assert packed[:24] == bytes.fromhex("22110000000000000300000004000000003e000000000000")
    assert packed[24:48] == Tiling(total=7, scale=0.5, flag=1).pack()
    assert packed[48] == 9


def test_slots_put_every_parameter_at_a_multiple_of_eight() -> None:
    @kernel(args="slots")
    def k(b: Block, n: np.uint32, m: np.uint32, x: gm.In[f32], t: Tiling, p: np.uint8) -> None: ...

    assert [offset for _, offset in k.fields.values()] == [0, 8, 16, 24, 48]
    assert k.needed == 49


def test_a_ctypes_struct_by_value_lies_as_ctypes_says() -> None:
    @kernel
    def k(b: Block, n: np.uint8, t: CTiling) -> None: ...

    packed = k.pack(1, CTiling(5, 2.0))
    assert packed[8:24] == bytes(CTiling(5, 2.0))


def test_kernels_inside_functions_may_name_local_types() -> None:
    class Local(Struct):
        n: np.int16

    element = np.int16

    @kernel
    def k(b: Block, t: Local, x: gm.Out[element]) -> None:  # type: ignore[valid-type]
        x[0] = t.n

    out = np.zeros(1, np.int16)
    k.on_arrays(1, Local(n=np.int16(-3)), out)
    assert out[0] == -3


def test_a_return_type_for_checkers_alone_is_not_looked_up() -> None:
    def f(b: Block, n: np.uint32) -> NoSuchType:  # type: ignore[name-defined]  # noqa: F821
        ...

    assert kernel(f).needed == 4


def test_numbers_arrive_with_their_c_type_and_wrap() -> None:
    @kernel
    def k(b: Block, n: np.uint8, out: gm.Out[np.int64]) -> None:
        with np.errstate(over="ignore"):
            out[0] = n + np.uint8(10)
        out[1] = n // np.uint8(7)
        out[2] = int(n) + 10

    out = np.zeros(3, np.int64)
    k.on_arrays(1, 250, out)
    assert out.tolist() == [4, 35, 260]


def test_names_and_entries() -> None:
    @kernel(name="add_custom", entry=3, kind="aic")
    def add(b: Block) -> None:
        """Docs."""

    assert (add.name, add.entry, add.kind, add.__doc__, add.__name__) == ("add_custom", 3, "aic", "Docs.", "add")
    assert repr(add) == "<kernel add_custom ()>"


def test_a_kernel_is_launched_not_called() -> None:
    @kernel
    def add(b: Block, x: gm.In[f32], n: np.uint32) -> None: ...

    with pytest.raises(TypeError, match=r"kernel `add` is launched, not called: add\[blocks, stream\]\(...\)"):
        add(1, 2)
    text = r"add\[...\]\(\) takes 2 arguments \(x, n\), 1 given: `n` is missing"
    with pytest.raises(TypeError, match=text):
        add.pack(1)
    with pytest.raises(TypeError, match="3 given: too many"):
        add.pack(1, 2, 3)


def no_type(b: Block, x) -> None: ...  # type: ignore[no-untyped-def]


def no_element(b: Block, x: gm.In) -> None: ...  # type: ignore[type-arg]


def python_number(b: Block, n: int) -> None: ...


def python_element(b: Block, x: gm.Out[int]) -> None: ...


def starred(b: Block, *n: np.uint32) -> None: ...


def nothing() -> None: ...


def generator(b: Block) -> Any:
    yield 1


MISTAKES = [
    (no_type, "parameter `x` has no type: write e.g. `x: gm.In[np.float32]` for memory, `x: np.uint32` for a number"),
    (no_element, "`x: gm.In` lacks the element type: write gm.In[np.float32]"),
    (python_number, "`n: int` has no C size: write np.int32 or another numpy type"),
    (python_element, "`x: gm.Out[int]`: int has no C size"),
    (starred, "parameter `n` must be a plain one"),
    (nothing, "the first parameter is the block"),
    (generator, "`yield` is not a wait: write `async def generator` and `await b.sync_all()`"),
]


@pytest.mark.parametrize(("function", "text"), MISTAKES, ids=[f.__name__ for f, _ in MISTAKES])
def test_the_decorator_says_what_is_wrong(function: Any, text: str) -> None:
    with pytest.raises(TypeError) as caught:
        kernel(function)
    assert str(caught.value).startswith(f"kernel `{function.__name__}`: ")
    assert text in str(caught.value)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"kind": "gpu"}, "kind is 'gpu', one of aiv, aic, mix11, mix12, cpu is required"),
        ({"args": "packed"}, "args is 'packed', 'c' or 'slots' is required"),
        ({"schedmode": 2}, "schedmode is 2, 0 or 1 is required"),
        ({"batch": True, "kind": "mix12"}, "a batch kernel is of one kind of core, not 'mix12'"),
    ],
)
def test_options_are_checked(options: Any, text: str) -> None:
    with pytest.raises(TypeError, match=text):

        @kernel(**options)
        def k(b: Block) -> None: ...


def test_a_batch_kernel_cannot_wait() -> None:
    with pytest.raises(TypeError, match="a batch kernel cannot wait"):

        @kernel(batch=True)
        async def k(b: Block) -> None: ...


def test_only_functions_are_kernels() -> None:
    with pytest.raises(TypeError, match="@kernel decorates a function, not type"):
        kernel(Tiling)


class TestStructs:
    def test_fields_are_kept_in_their_c_type(self) -> None:
        t = Tiling(total=np.uint32(7), scale=np.float64(0.5), flag=np.uint8(255))
        assert (type(t.total), type(t.scale), type(t.flag)) == (np.uint32, np.float64, np.uint8)
        assert Tiling.nbytes == 24
        assert Tiling.unpack(t.pack()) == t
        assert repr(t) == "Tiling(total=np.uint32(7), scale=np.float64(0.5), flag=np.uint8(255))"

    def test_unknown_and_missing_fields(self) -> None:
        with pytest.raises(TypeError, match=r"Tiling\(...\) has no field 'size': its fields are total, scale, flag"):
            Tiling(total=1, scale=1, flag=1, size=1)  # type: ignore[call-arg, arg-type]
        with pytest.raises(TypeError, match=r"Tiling\(...\) lacks scale, flag"):
            Tiling(total=1)  # type: ignore[call-arg, arg-type]

    def test_structs_may_hold_structs(self) -> None:
        class Outer(Struct):
            head: np.uint8
            inner: Tiling

        inner = Tiling(total=np.uint32(1), scale=np.float64(2), flag=np.uint8(3))
        outer = Outer(head=np.uint8(9), inner=inner)
        assert Outer.nbytes == 32
        assert Outer.unpack(outer.pack()).inner == inner

    def test_a_field_without_a_c_size(self) -> None:
        with pytest.raises(TypeError, match=r"Bad.n: .* has no C size"):

            class Bad(Struct):
                n: int

    def test_structs_in_memory_are_read_by_index(self) -> None:
        @kernel
        def k(b: Block, t: gm.In[Tiling], out: gm.Out[np.float64]) -> None:
            out[0] = t[1].total * t[1].scale

        items = np.zeros(2, Tiling.dtype)
        items[1] = (6, 0.25, 1)
        out = np.zeros(1)
        k.on_arrays(1, items, out)
        assert out[0] == 1.5

    def test_structs_can_be_stored(self) -> None:
        @kernel
        def k(b: Block, t: gm.Out[Tiling]) -> None:
            t[b.idx] = Tiling(total=np.uint32(b.idx), scale=np.float64(0.5), flag=np.uint8(1))  # type: ignore[type-var]

        items = np.zeros(3, Tiling.dtype)
        k.on_arrays(3, items)
        assert items["total"].tolist() == [0, 1, 2]


def test_the_same_array_as_input_and_output() -> None:
    @kernel
    def k(b: Block, x: gm.In[np.int32], z: gm.Out[np.int32]) -> None:
        first = x[0:2]
        z[0:2] = 7
        z[2:4] = first

    x = np.arange(4, dtype=np.int32)
    k.on_arrays(1, x, x)
    assert x.tolist() == [7, 7, 0, 1]
