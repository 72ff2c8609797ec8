"""Bodies on the tensors of torch against references: rows of inputs, and what is made of them.

A row names operators, gives inputs for a type and a layout, and a reference. The reference gets what the body gets, with
floating point numbers as float64, so that it neither shares a function with the body nor its rounding.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import attrs
import numpy as np
import torch

from ascend_sim.aclnn.bodies import TORCH_BODIES
from ascend_sim.catalogue.aclnn import operators

__all__ = [
    "ALL", "FLOATS", "INTS", "REAL", "WHOLE", "WIDE", "Make", "Refused", "Row", "by_numpy", "check", "check_empty",
    "gradients", "of_category", "row",
]  # fmt: skip

F32, F16, BF16, F64 = torch.float32, torch.float16, torch.bfloat16, torch.float64
FLOATS = (F32, F16, BF16)
INTS = (torch.int32, torch.int64, torch.uint8)
WHOLE = (torch.int32, torch.int64, torch.int16, torch.int8, torch.uint8)
REAL = (*FLOATS, torch.int32)
ALL = (*FLOATS, torch.int32, torch.int64, torch.uint8, torch.bool)
TOLERANCES = {
    F32: (2e-5, 2e-5),
    F64: (1e-10, 1e-10),
    F16: (4e-3, 4e-3),
    BF16: (3e-2, 3e-2),
    torch.complex64: (2e-5, 2e-5),
}
WIDE = {F32: F64, F16: F64, BF16: F64, torch.complex64: torch.complex128}


class Make:
    """Makes inputs of one type and layout, the same for the same *seed*."""

    def __init__(self, kind: torch.dtype, strided: bool, seed: int = 0) -> None:
        self.kind = kind
        self.strided = strided
        self.random = np.random.default_rng(seed)

    def __call__(self, *shape: int, low: float = -3.0, high: float = 3.0, kind: torch.dtype | None = None) -> Any:
        """Numbers from *low* to *high*; whole ones for integers, never negative for uint8."""
        kind = kind or self.kind
        if kind == torch.bool:
            return self.laid(torch.from_numpy(np.asarray(self.random.integers(0, 2, shape)).astype(bool)))
        if kind.is_floating_point:
            values = self.random.uniform(low, high, shape)
            return self.laid(torch.from_numpy(np.asarray(values)).to(kind))
        if kind.is_complex:
            values = self.random.uniform(low, high, shape) + 1j * self.random.uniform(low, high, shape)
            return self.laid(torch.from_numpy(np.asarray(values)).to(kind))
        least = max(math.ceil(low), 0) if kind == torch.uint8 else math.ceil(low)
        values = self.random.integers(least, max(math.floor(high), least) + 1, shape)
        return self.laid(torch.from_numpy(np.asarray(values)).to(kind))

    def index(self, size: int, *shape: int, kind: torch.dtype = torch.int64) -> Any:
        """Positions below *size*."""
        return self.laid(torch.from_numpy(np.asarray(self.random.integers(0, size, shape))).to(kind))

    def distinct(self, *shape: int, kind: torch.dtype | None = None) -> Any:
        """Numbers of which no two are the same, in any order, so that orders and places of extremes are settled."""
        count = math.prod(shape)
        return self.laid(
            torch.from_numpy(self.random.permutation(count).reshape(shape) - count // 3).to(kind or self.kind)
        )

    def laid(self, tensor: Any) -> Any:
        """*tensor*, in the layout: next to each other, or every second element of transposed memory."""
        if not self.strided or tensor.dim() == 0:
            return tensor
        return spread(tensor)


def spread(tensor: Any) -> Any:
    """*tensor* in memory where its elements are apart and its axes in the other order."""
    axes = list(range(tensor.dim()))[::-1]
    shape = [tensor.shape[axis] for axis in axes]
    memory = torch.full((*shape, 2), 7, dtype=tensor.dtype)
    view = memory[..., 1].permute(*axes)
    view.copy_(tensor)
    return view


@attrs.frozen
class Row:
    """Operators, inputs, reference. *kinds*: the types of inputs; *result*: that of the outputs, where it is fixed.

    A reference of more results than outputs says what the parameters that are both in and out hold afterwards.
    *room*: the shapes of outputs whose size depends on the data. *loose*: a factor of the tolerance. *judge* replaces the
    comparison.
    """

    names: tuple[str, ...]
    inputs: Callable[[Make], Iterable[tuple[Any, ...]]]
    reference: Callable[..., Any]
    kinds: Sequence[torch.dtype] = FLOATS
    result: torch.dtype | Sequence[torch.dtype | None] | None = None
    loose: float = 1.0
    judge: Callable[[tuple[Any, ...], list[Any]], None] | None = None
    room: Callable[..., Sequence[Sequence[int]]] | None = None


def row(names: str, inputs: Any, reference: Any, kinds: Sequence[torch.dtype] = FLOATS, **more: Any) -> Row:
    """A row; *names* without ``aclnn``, with spaces between them."""
    return Row(tuple(f"aclnn{name}" for name in names.split()), inputs, reference, kinds, **more)


def of_category(one: Row, kind: torch.dtype) -> bool:
    """Whether the inputs of *one* are meant for numbers like those of *kind*: whole, real or complex ones."""

    def category(type_: torch.dtype) -> int:
        return 1 if type_.is_floating_point else 2 if type_.is_complex else 0

    return category(kind) in map(category, one.kinds)


def _empty_samples(sample: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """*sample* with nothing along one axis, each in turn, and along all axes of one size, in tensors and shapes."""
    first = next((tensor for tensor in _tensors(sample) if tensor.dim()), None)
    for axis, size in enumerate(first.shape if first is not None else ()):
        yield _without(sample, lambda place, length, rank: rank == first.dim() and (place, length) == (axis, size))  # noqa: B023
    for size in sorted({length for tensor in _tensors(sample) for length in tensor.shape} - {0}):
        yield _without(sample, lambda place, length, rank: length == size)  # noqa: B023


def _without(sample: tuple[Any, ...], gone: Callable[[int, int, int], bool]) -> tuple[Any, ...]:
    ranks = {tensor.dim() for tensor in _tensors(sample)}

    def without(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            left = (0 if gone(i, size, value.dim()) else None for i, size in enumerate(value.shape))
            return value[tuple(map(slice, left))]
        if isinstance(value, (list, tuple)) and len(value) in ranks and all(type(one) is int for one in value):
            return type(value)(0 if gone(i, size, len(value)) else size for i, size in enumerate(value))
        return type(value)(map(without, value)) if isinstance(value, (list, tuple)) else value

    return tuple(map(without, sample))


def _tensors(value: Any) -> Iterator[Any]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _tensors(one)


def by_numpy(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of numpy as a reference. numpy gives halves for numbers of 8 bits, and floats for those of 16."""

    def reference(*operands: Any) -> Any:
        arrays = [one.numpy() if isinstance(one, torch.Tensor) else one for one in operands]
        with np.errstate(all="ignore"):
            found = function(*arrays)
            if isinstance(found, (np.ndarray, np.generic)) and found.dtype in (np.float16, np.float32):
                narrow = [isinstance(one, np.ndarray) and one.dtype.kind in "bui" and one.itemsize < 4 for one in arrays]
                found = function(*[one.astype(np.int64) if few else one for one, few in zip(arrays, narrow, strict=True)])
        if isinstance(found, tuple):
            return tuple(torch.from_numpy(np.array(one)) for one in found)
        return torch.from_numpy(np.array(found))

    return reference


def gradients(
    function: Callable[..., Any], grad: Any, inputs: Sequence[Any], rest: Sequence[Any] = ()
) -> tuple[Any, ...]:
    """What reaches *inputs* when *grad* is the gradient of ``function(*inputs, *rest)``; zeros where nothing does."""
    leaves = [one.detach().clone().requires_grad_() for one in inputs]
    with torch.enable_grad():
        result = function(*leaves, *rest)
    found = torch.autograd.grad(result, leaves, grad.expand_as(result), allow_unused=True)
    return tuple(torch.zeros_like(a) if b is None else b for a, b in zip(leaves, found, strict=True))


def _each(function: Callable[[Any], Any], value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return type(value)(_each(function, one) for one in value)
    return function(value) if isinstance(value, torch.Tensor) else value


def _wide(value: Any) -> Any:
    return _each(lambda one: one.contiguous().clone().to(WIDE.get(one.dtype, one.dtype)), value)


def _type_of(result: Any, kind: torch.dtype) -> torch.dtype:
    if result.dtype == torch.complex128:
        return torch.complex64
    if result.dtype.is_floating_point:
        return kind if kind.is_floating_point else F32
    return result.dtype


def _close(found: Any, expected: Any, loose: float, name: str) -> None:
    if isinstance(expected, (list, tuple)):
        for one, other in zip(found, expected, strict=True):
            _close(one, other, loose, name)
        return
    rtol, atol = TOLERANCES.get(found.dtype, (0.0, 0.0))
    torch.testing.assert_close(
        found.contiguous(),
        expected.to(found.dtype),
        rtol=rtol * loose,
        atol=atol * loose,
        equal_nan=True,
        msg=lambda text: f"{name}: {text}",
    )


class Refused(Exception):
    """The operands are of no type that the operator takes: there is nothing to compare."""


def check(
    name: str,
    one: Row,
    body: Callable[..., Any] | None = None,
    layouts: Sequence[bool] = (False, True),
    most: int | None = None,
) -> int:
    """Runs the body of *name* (another *body* than that on torch) on all that the row makes and compares; how often.

    *layouts*: whether the inputs are strided. *most*: so many samples of each type and layout.
    """
    runs = 0
    for kind in one.kinds:
        for strided in layouts:
            for sample in itertools.islice(one.inputs(Make(kind, strided)), most):
                runs += _run(name, one, kind, strided, sample, body or TORCH_BODIES[name])
    return runs


def check_empty(name: str, one: Row, statistics: bool = False, body: Callable[..., Any] | None = None) -> int:
    """Compares what the body of *name* makes of empty tensors (`_empty_samples` of the row's first samples); how often.

    Where the reference or the body takes none of that shape there is nothing to compare. *statistics*: results may differ
    where they say the mean of nothing. *body*: another one than that on torch.
    """
    runs = 0
    for kind, strided in itertools.product(one.kinds, (False, True)):
        if runs and strided is False:
            break  # the first type that the operator takes
        for sample in itertools.islice(one.inputs(Make(kind, strided)), 4):
            bare = any(0 in tensor.shape for tensor in _tensors(sample))
            for emptied in (*([sample] if bare else ()), *_empty_samples(sample)):
                try:
                    one.reference(*_wide(emptied))
                    runs += _run(name, one, kind, strided, emptied, body or TORCH_BODIES[name])
                except (RuntimeError, ValueError, IndexError, TypeError):
                    continue
                except AssertionError:
                    if not statistics:
                        raise
    return runs


def _run(
    name: str, one: Row, kind: torch.dtype, strided: bool, sample: tuple[Any, ...], body: Callable[..., Any]
) -> int:
    parameters = operators()[name].parameters
    outputs = [i for i, parameter in enumerate(parameters) if parameter.role == "out"]
    written = [i for i, parameter in enumerate(parameters) if parameter.role == "inout"]
    given = [i for i in range(len(parameters)) if i not in outputs]
    expected = one.reference(*_wide(sample))
    hints = [at for at, i in enumerate(given) if parameters[i].name == "cubeMathType"]
    for at in hints:
        sample = (*sample[:at], 0, *sample[at:])
    assert len(sample) == len(given), f"{name}: {len(given)} parameters, {len(sample)} inputs"
    several = isinstance(expected, tuple)
    wanted = list(expected) if several else [expected]
    count = len(outputs) or len(written)
    wanted, touched = wanted[:count], wanted[count:]
    operands: list[Any] = [None] * len(parameters)
    for i, value in zip(given, sample, strict=True):
        operands[i] = value
    places = outputs or written
    if outputs:
        wished = one.result if isinstance(one.result, (list, tuple)) else [one.result] * len(wanted)
        sizes = one.room(*sample) if one.room else [None] * len(wanted)
        for i, result, fixed, size in zip(outputs, wanted, wished, sizes, strict=True):
            operands[i] = _each(lambda value: _empty(value, fixed or _type_of(value, kind), size, strided), result)  # noqa: B023
            if result is None and not parameters[i].optional:
                operands[i] = torch.full((1,), 3, dtype=fixed or kind)
        for i in written:
            operands[i] = _each(_copy, operands[i])
    else:
        if not several and not _fits(wanted[0], operands[written[0]], kind):
            return 0
        for i in written:
            operands[i] = _each(_copy, operands[i])
    inputs_before = [_each(_copy, operands[i]) for i in given if i not in written]
    try:
        shapes = body(*operands)
    except Refused:
        return 0
    for before, i in zip(inputs_before, [i for i in given if i not in written], strict=True):
        _unchanged(before, operands[i], name)
    found = []
    for i in places:
        output = operands[i]
        if shapes and parameters[i].name in shapes:
            shape = tuple(shapes[parameters[i].name])
            output = output.as_strided(shape, torch.empty(shape).stride())
        found.append(output)
    if one.judge is not None:
        one.judge(sample, found)
        return 1
    found += [operands[i] for i in written[: len(touched)]]
    for output, result in zip(found, [*wanted, *touched], strict=True):
        if result is not None:
            _close(output, result, one.loose, name)
    if len(outputs) == 1 and not written and not shapes and _alike(operands[given[0]], found[0]):
        operands[outputs[0]] = operands[given[0]] = _each(_copy, operands[given[0]])
        body(*operands)
        _close(operands[outputs[0]], wanted[0], one.loose, f"{name} into its first operand")
    return 1


def _alike(operand: Any, output: Any) -> bool:
    """Whether an output could lie upon the operand, as programs pass one tensor for both."""
    if isinstance(operand, list) and isinstance(output, list):
        return all(_alike(one, other) for one, other in zip(operand, output, strict=False))
    if not (isinstance(operand, torch.Tensor) and isinstance(output, torch.Tensor)):
        return False
    return operand.shape == output.shape and operand.dtype == output.dtype


def _fits(result: Any, operand: Any, kind: torch.dtype) -> bool:
    """Whether *result* can be written in place of *operand*: not where that was broadcast, or of a lesser kind."""
    if not isinstance(operand, torch.Tensor):
        return True
    return bool(operand.shape == result.shape and torch.can_cast(_type_of(result, kind), operand.dtype))


def _copy(value: Any) -> Any:
    return spread(value) if value.dim() and not value.is_contiguous() else value.clone()


def _empty(value: Any, kind: torch.dtype, size: Sequence[int] | None, strided: bool) -> Any:
    shape = value.shape if size is None else tuple(size)
    made = torch.full(shape, 3, dtype=kind)
    return spread(made) if strided and size is None and len(shape) else made


def _unchanged(before: Any, after: Any, name: str) -> None:
    if isinstance(before, (list, tuple)):
        for one, other in zip(before, after, strict=True):
            _unchanged(one, other, name)
    elif isinstance(before, torch.Tensor):
        torch.testing.assert_close(
            after, before, rtol=0, atol=0, equal_nan=True, msg=lambda text: f"{name} wrote into an input: {text}"
        )
