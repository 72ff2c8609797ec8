"""What tests of torch bodies share: tensors of all kinds, a call by the parameters' names, and comparison with numpy.

A call runs the body again on the same values in other memory: transposed, with gaps, expanded, results upon an operand; and
in the other types that the documents list. What comes out has to be what came out the first time, which is what the test
compares with its reference.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the bodies on CPU tensors need torch")

from ascend_sim.aclnn.bodies import TORCH_BODIES  # noqa: E402
from ascend_sim.aclnn.on_torch.data_types import TORCH_TYPES  # noqa: E402
from ascend_sim.aclnn.on_torch.fused.named import python_name  # noqa: E402
from ascend_sim.catalogue.aclnn import operators  # noqa: E402

__all__ = [
    "FLOAT8", "NUMBERS", "TOLERANCE", "alike", "call", "call_once", "close", "copied", "empty", "in_each_type", "nearest",
    "numbers", "random", "same", "takes", "types_called",
]  # fmt: skip

torch.set_num_threads(1)
TOLERANCE = {torch.float32: 2e-5, torch.float16: 2e-3, torch.bfloat16: 1.6e-2}
NUMBERS = {kind: int(number) for number, kind in TORCH_TYPES.items()} | {torch.float8_e8m0fnu: 37}
"""aclDataTypes."""
FLOAT8 = (torch.float8_e5m2, torch.float8_e4m3fn)
MASKS = (torch.bool, torch.int8, torch.uint8)
FAMILIES = ((torch.float32, torch.float16, torch.bfloat16), (torch.int32, torch.int64), MASKS)
"""Types that mean the same: numbers, places, masks."""
WHOLE = (*FAMILIES[0], torch.int32, *MASKS[1:])
"""Types that hold small whole numbers."""
SHIFTS = ("zero_points", "zero_points1", "zero_points2", "offset")
"""Parameters whose whole numbers may stand in any of them."""
CODES = (torch.int64, torch.uint64)
"""Types of a scale that hold the bits of a FLOAT, the low 13 of which do not count."""


def call(name: str, **operands: Any) -> dict[str, Any]:
    """Run the torch body of aclnn*name* with operands by name; a parameter that may be NULL and is not given is NULL.

    It runs again in other memory and in the other types that the documents list (`types_called` says in which).
    """
    values = _in_order(name, operands)
    before = _each(torch.clone, values)
    shapes = dict(TORCH_BODIES[name](*values) or {})
    _compare_layouts(name, before, values, shapes)
    _compare_types(name, before)
    return shapes


def call_once(name: str, **operands: Any) -> dict[str, Any]:
    """As `call`, but once."""
    return dict(TORCH_BODIES[name](*_in_order(name, operands)) or {})


def _in_order(name: str, operands: Mapping[str, Any]) -> list[Any]:
    values, given = [], dict(operands)
    for key, parameter in zip(_keys(name), operators()[name].parameters, strict=True):
        if key in given:
            values.append(given.pop(key))
        elif parameter.optional:
            values.append(None)
        else:
            raise TypeError(f"{name} needs {key}")
    if given:
        raise TypeError(f"{name} has no {sorted(given)}")
    return values


def takes(name: str, key: str) -> bool:
    """Whether *name* has the parameter *key*: a tensor with types that the documents list, or a value."""
    found = [one for one in operators()[name].parameters if python_name(one.name) == key]
    return any(one.types or "aclTensor" not in one.ctype for one in found)


def _compare_layouts(name: str, before: Sequence[Any], after: Sequence[Any], shapes: dict[str, Any]) -> None:
    """Run the body on *before* in other memory: what is written has to be what *after* has, the other operands unchanged."""
    roles = [parameter.role for parameter in operators()[name].parameters]
    for layout in (_turned, _sliced):
        laid = _each(layout, before)
        assert dict(TORCH_BODIES[name](*laid) or {}) == shapes, f"{name} {layout.__name__}"
        for found, wanted in zip(_tensors(laid), _tensors(after), strict=True):
            _alike(found, wanted, f"{name} {layout.__name__}")
    for out, place in _pairs(roles, before):
        upon = _each(torch.clone, before)
        upon[out] = upon[place]
        TORCH_BODIES[name](*upon)
        left = _same_bits(after[out], before[out])  # what a body leaves keeps the operand's values
        wanted = torch.where(left, before[place], after[out])
        _alike(upon[out], wanted, f"{name}: output {out} upon operand {place}")
    for place, value in enumerate(before):
        if roles[place] == "in" and isinstance(value, torch.Tensor) and value.is_floating_point() and value.dim() > 1:
            one = value[:1].expand(value.shape)
            dense, wide = _each(torch.clone, before), _each(torch.clone, before)
            dense[place], wide[place] = one.contiguous(), one
            TORCH_BODIES[name](*dense)
            TORCH_BODIES[name](*wide)
            for found, wanted in zip(_tensors(wide), _tensors(dense), strict=True):
                _alike(found, wanted, f"{name}: operand {place} expanded")


def _compare_types(name: str, before: Sequence[Any]) -> None:
    """Run the body on *before* with the operands of one type in another one that they may have, where it holds them."""
    for one, other, what, tolerance in _variants(name, before):
        TORCH_BODIES[name](*one)
        TORCH_BODIES[name](*other)
        for found, wanted in zip(_tensors(other), _tensors(one), strict=True):
            if found.dtype not in CODES:
                _alike(found.to(wanted.dtype), wanted, f"{name} in {what}", tolerance)


def _variants(name: str, before: Sequence[Any]) -> Iterator[tuple[list[Any], list[Any], str, float]]:
    """Operands, the same ones in another type, which type, and how far the results may be apart."""
    for kind, other, places in _other_types(name, before):
        as_other = [_cast(value, kind, other) if i in places else copied(value) for i, value in enumerate(before)]
        rounded = [_cast(value, other, kind) if i in places else copied(value) for i, value in enumerate(as_other)]
        if kind.is_floating_point or _equal(rounded, before):
            yield rounded, as_other, f"{other} for {kind}", max(TOLERANCE.get(t, 0) for t in (kind, other))
    for kind, place in _coded_scales(name, before):
        short = [_each(_short, value) if i == place else copied(value) for i, value in enumerate(before)]
        coded = [_coded(value, kind) if i == place else copied(value) for i, value in enumerate(short)]
        yield short, coded, f"{kind} for {before[place]}", 0


def in_each_type(name: str, operands: Mapping[str, Any]) -> Iterator[list[Any]]:
    """The operands in their order, as they are and then in each of the types in which `call` repeats them."""
    given = _in_order(name, operands)
    yield copied(given)
    for _, other, _, _ in _variants(name, given):
        yield other


def types_called(name: str, operands: Mapping[str, Any]) -> set[tuple[str, str, int]]:
    """What `call` covers with these: operator, tensor parameter and aclDataType of what has elements."""
    found = set()
    for values in in_each_type(name, operands):
        for parameter, value in zip(operators()[name].parameters, values, strict=True):
            found |= {(name, parameter.name, NUMBERS[one.dtype]) for one in _tensors([value]) if one.numel()}
    return found


def copied(value: Any) -> Any:
    """The same values in memory of their own."""
    return _each(torch.clone, value)


def _cast(value: Any, kind: Any, other: Any) -> Any:
    """The tensors of *kind* in *other*."""
    return _each(lambda one: one.to(other) if one.dtype == kind else one, value)


def _other_types(name: str, before: Sequence[Any]) -> Iterator[tuple[Any, Any, list[int]]]:
    """Types of operands, others that mean the same, and the operands that may have both."""
    found = [(place, kinds, listed, key in SHIFTS) for place, (value, key, listed) in
             enumerate(zip(before, _keys(name), _listed(name), strict=True)) if (kinds := _kinds(value))]  # fmt: skip
    outputs = {i for i, parameter in enumerate(operators()[name].parameters) if parameter.role != "in"}
    for family in (*FAMILIES, WHOLE):
        for kind, other in itertools.permutations(family, 2):
            places = [
                place for place, kinds, listed, shift in found
                if kind in kinds and other in listed and (shift or family is not WHOLE)
                and not (place in outputs and other in MASKS)
            ]  # fmt: skip
            if places and not (family is WHOLE and kind.is_floating_point and other.is_floating_point):
                yield kind, other, places


@cache
def _keys(name: str) -> tuple[str, ...]:
    return tuple(python_name(parameter.name) for parameter in operators()[name].parameters)


@cache
def _listed(name: str) -> tuple[frozenset[Any], ...]:
    """The types of torch that the documents list for each parameter."""
    return tuple(
        frozenset(TORCH_TYPES[number] for number in parameter.types if number in TORCH_TYPES)
        for parameter in operators()[name].parameters
    )


def _coded_scales(name: str, before: Sequence[Any]) -> Iterator[tuple[Any, int]]:
    for place, (key, listed, value) in enumerate(zip(_keys(name), _listed(name), before, strict=True)):
        kinds = _kinds(value)
        if "scale" in key and kinds and all(kind.is_floating_point for kind in kinds):
            yield from ((kind, place) for kind in CODES if kind in listed)


def _short(scale: Any) -> Any:
    """*scale* with the 19 bits of FLOAT that the products read."""
    return (scale.float().contiguous().view(torch.int32) & ~0x1FFF).view(torch.float32).to(scale.dtype)


def _coded(scale: Any, kind: Any) -> Any:
    return _each(lambda one: (one.float().contiguous().view(torch.int32).long() & 0xFFFFFFFF).view(kind), scale)


def _kinds(value: Any) -> set[Any]:
    return {one.dtype for one in _tensors([value])}


def _equal(values: Sequence[Any], others: Sequence[Any]) -> bool:
    return all(torch.equal(one, other) for one, other in zip(_tensors(values), _tensors(others), strict=True))


def _same_bits(one: Any, other: Any) -> Any:
    return (one == other) | (one.isnan() & other.isnan())


def _pairs(roles: Sequence[str], values: Sequence[Any]) -> Iterator[tuple[int, int]]:
    """Outputs and the operands of their shape and type, upon which a program may ask for them."""
    tensors = [i for i, value in enumerate(values) if isinstance(value, torch.Tensor)]
    for out in (i for i in tensors if roles[i] == "out"):
        for place in (i for i in tensors if roles[i] == "in"):
            if values[out].shape == values[place].shape and values[out].dtype == values[place].dtype:
                yield out, place


def _turned(value: Any) -> Any:
    """In memory whose axes go the other way."""
    axes = tuple(range(value.dim()))[::-1]
    return value.permute(axes).clone(memory_format=torch.contiguous_format).permute(axes)


def _sliced(value: Any) -> Any:
    """Every second row and every third value of larger memory, from the second ones on."""
    steps = [3 if axis == value.dim() - 1 else 2 if axis == 0 else 1 for axis in range(value.dim())]
    wide = torch.full([size * step + 1 for size, step in zip(value.shape, steps, strict=True)], 7.0).to(value.dtype)
    for axis, (size, step) in enumerate(zip(value.shape, steps, strict=True)):
        wide = wide[(slice(None),) * axis + (slice(1, 1 + size * step, step),)]
    return wide.copy_(value)


def _each(function: Callable[[Any], Any], values: Any) -> Any:
    if isinstance(values, (list, tuple)):
        return type(values)(_each(function, one) for one in values)
    return function(values) if isinstance(values, torch.Tensor) else values


def _tensors(values: Any) -> Iterator[Any]:
    for one in values:
        if isinstance(one, (list, tuple)):
            yield from _tensors(one)
        elif isinstance(one, torch.Tensor):
            yield one


def alike(found: Sequence[Any], wanted: Sequence[Any], what: str) -> None:
    """The tensors of both hold the same values, within what their types round away."""
    for one, other in zip(_tensors(found), _tensors(wanted), strict=True):
        _alike(one, other, what)


def _alike(found: Any, wanted: Any, what: str, least: float = 0) -> None:
    tolerance = max(TOLERANCE.get(wanted.dtype, 0), least if wanted.is_floating_point() else 0)
    if wanted.is_floating_point() and wanted.element_size() == 1:
        found, wanted, tolerance = found.float(), wanted.float(), 0.25 if least else 0  # 0.25: a step of E5M2
    torch.testing.assert_close(
        found, wanted, rtol=tolerance, atol=tolerance, equal_nan=True, msg=lambda text: f"{what}: {text}"
    )


def random(
    rng: np.random.Generator, shape: Any, kind: Any = torch.float32, spread: float = 1.0, *, gaps: bool = False
) -> Any:
    """Normal values (whole ones for integer types, from minus to plus ten times *spread*); *gaps*: a strided view."""
    shape = tuple(np.atleast_1d(shape)) if not isinstance(shape, tuple) else shape
    if kind.is_floating_point:
        values = torch.from_numpy(rng.standard_normal(shape) * spread).to(kind)
    else:
        low = -10 if kind.is_signed else 0
        values = torch.from_numpy(rng.integers(int(low * spread), int(10 * spread) + 1, shape)).to(kind)
    if not gaps:
        return values
    view = empty(shape, kind, gaps=True)
    view.copy_(values)
    return view


def empty(shape: Any, kind: Any = torch.float32, *, gaps: bool = False) -> Any:
    """An output, filled with what no result is; *gaps*: every second column of a wider one, from the second row on."""
    fill = -77 if kind.is_signed else 177
    if not gaps or not shape:
        return torch.full(shape, float(fill)).to(kind) if kind in FLOAT8 else torch.full(shape, fill, dtype=kind)
    wide = torch.full(
        (shape[0] + 1, *shape[1:-1], shape[-1] * 2) if len(shape) > 1 else (shape[0] * 2,), fill, dtype=kind
    )
    return wide[1:, ..., ::2] if len(shape) > 1 else wide[::2]


def numbers(tensor: Any) -> Any:
    """The values in float64 of numpy, whatever their type."""
    return None if tensor is None else tensor.detach().double().numpy().copy()


def close(got: Any, wanted: Any, kind: Any = None) -> None:
    """*got* is *wanted* within what its type (or *kind*, where the inputs are coarser) rounds away."""
    tolerance = TOLERANCE[kind or got.dtype]
    np.testing.assert_allclose(numbers(got), wanted, rtol=tolerance, atol=tolerance)


def nearest(got: Any, wanted: Any) -> None:
    """*got*, of FLOAT8, has the nearest values that its type has."""
    patterns = numbers(torch.arange(256).to(torch.uint8).view(got.dtype))
    values = np.unique(patterns[np.isfinite(patterns)])
    wanted = np.asarray(wanted, dtype=np.float64)
    np.testing.assert_array_equal(numbers(got), values[np.abs(wanted[..., None] - values).argmin(-1)])


def same(got: Any, wanted: Any) -> None:
    """Exactly the same values."""
    np.testing.assert_array_equal(numbers(got), np.asarray(wanted, dtype=np.float64))
