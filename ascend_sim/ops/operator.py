"""What an operator type is: its numpy function, its shape rule, and the decorator that makes one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ascend_sim.errors import PASSING
from ascend_sim.source.fence import said

__all__ = [
    "CHANNELS_SECOND",
    "FLOATS",
    "Array",
    "Attributes",
    "Compute",
    "Operator",
    "OperatorError",
    "ShapeRule",
    "op",
    "same_shape",
]

Array = npt.NDArray[Any]
Attributes = Mapping[str, Any]
Shape = tuple[int, ...]
Compute = Callable[..., Any]
ShapeRule = Callable[..., Sequence[Shape]]

FLOATS = (0, 1, 11, 27)
"""The data types float, float16, double and bfloat16."""
CHANNELS_SECOND = (-1, 0, 2)
"""The formats of functions that take the second dimension for the channels: undefined, NCHW, ND."""
IMAGE_DIMS = 4
HALVES = ("float16", "bfloat16")
MISFITS = (ValueError, IndexError, TypeError, KeyError, ZeroDivisionError, OverflowError)
"""What numpy and the rules raise for inputs and attributes that do not fit."""


class OperatorError(Exception):
    """Inputs or attributes that an operator cannot work with; the message says which and why."""


class Operator:
    """One operator type.

    *compute* gets the attributes and numpy arrays and gives an array or a tuple of them. *infer* gets the attributes,
    the shapes and the values of the inputs (None where they are not known) and gives the shapes of the outputs.
    *result* says the type of the outputs: ``"first"`` (as the first input), ``"second"``, ``"bool"``, ``"int32"``,
    ``"int64"``, ``"uint8"``, ``"float"``, ``"attribute"`` (the attribute ``dst_type`` or ``dtype``), ``"index"``
    (``dtype``, else int64), or a tuple of these.
    Half-precision inputs are computed in float32 and rounded once at the end; an AI Core rounds in other places.
    Where the descriptors say more than the inputs do (*described*), *compute* gets the shapes of the outputs behind the
    attributes: those described, or those of the rule.
    How long the outputs are may follow from the values (*counted*): the rule gives -1 there, the descriptors say the most.
    *dtypes* are the aclDataTypes that each input may have (the last entry counts for further inputs; none: any), *formats*
    the aclFormats of inputs with four dimensions and more (none: any).
    """

    __slots__ = ("compute", "counted", "described", "dtypes", "formats", "infer", "inputs", "name", "outputs", "result")

    def __init__(
        self,
        name: str,
        inputs: tuple[int, int],
        outputs: int,
        compute: Compute,
        infer: ShapeRule,
        result: str | tuple[str, ...],
        dtypes: tuple[frozenset[int], ...] = (),
        formats: frozenset[int] = frozenset(),
        described: bool = False,
        counted: bool = False,
    ) -> None:
        self.counted = counted
        self.described = described
        self.dtypes = dtypes
        self.formats = formats
        self.name = name
        self.inputs = inputs
        """Fewest and most inputs."""
        self.outputs = outputs
        self.compute = compute
        self.infer = infer
        self.result = result

    def __repr__(self) -> str:
        return f"<operator {self.name}>"

    def check_inputs(self, inputs: Sequence[tuple[int, int, int]]) -> None:
        """*inputs*: (data type, format, number of dims) of each. Raises OperatorError for one that does not fit."""
        for i, (data_type, format_, rank) in enumerate(inputs):
            allowed = self.dtypes[min(i, len(self.dtypes) - 1)] if self.dtypes else ()
            if allowed and data_type >= 0 and data_type not in allowed:
                raise OperatorError(f"{self.name}: input {i} has data type {data_type}, not one of {sorted(allowed)}")
            if self.formats and rank >= IMAGE_DIMS and format_ not in self.formats:
                raise OperatorError(f"{self.name}: input {i} has format {format_}, not one of {sorted(self.formats)}")

    def run(
        self, attributes: Attributes, inputs: Sequence[Array | None], types: Sequence[np.dtype[Any] | None] = (),
        shapes: Sequence[Shape] = (),
    ) -> tuple[Array, ...]:  # fmt: skip
        """The outputs for these inputs (None: an optional one that is absent). Raises OperatorError.

        *types*: what the outputs are to be; floats are rounded to it once. Without it halves give the first half type.
        *shapes*: what their descriptors say.
        """
        low, high = self.inputs
        if not low <= len(inputs) <= high:
            wanted = str(low) if low == high else f"{low} to {high}"
            raise OperatorError(f"{self.name} takes {wanted} inputs, {len(inputs)} are given")
        halves = [a.dtype for a in inputs if a is not None and a.dtype.name in HALVES]
        wide = [a.astype(np.float32) if a is not None and a.dtype.name in HALVES else a for a in inputs]
        try:
            with np.errstate(all="ignore"):
                if self.described:
                    found = self.compute(attributes, shapes or self._ruled(attributes, wide), *wide)
                else:
                    found = self.compute(attributes, *wide)
                results = [np.asarray(r) for r in (found if isinstance(found, tuple) else (found,))]
                for i, result in enumerate(results):
                    target = types[i] if i < len(types) else None
                    if target is None and halves and result.dtype == np.float32:
                        target = halves[0]
                    if target is not None and result.dtype.kind in "fV" and target.kind in "fV":
                        results[i] = result.astype(target)
        except PASSING:
            raise
        except BaseException as error:  # the compute function of the program may raise anything
            given = ", ".join("none" if a is None else f"{a.dtype}{list(a.shape)}" for a in inputs)
            raise OperatorError(f"{self.name}({given}) with {dict(attributes)}: {_reason(error)}") from error
        return tuple(np.ascontiguousarray(r).reshape(r.shape) for r in results)

    def _ruled(self, attributes: Attributes, inputs: Sequence[Array | None]) -> list[Shape]:
        return self.shapes(attributes, [() if a is None else a.shape for a in inputs], inputs)

    def shapes(self, attributes: Attributes, shapes: Sequence[Shape], values: Sequence[Array | None]) -> list[Shape]:
        """The shapes of the outputs; -1 where they depend on what is not known. Raises OperatorError."""
        try:
            return [tuple(int(n) for n in shape) for shape in self.infer(attributes, list(shapes), list(values))]
        except PASSING:
            raise
        except BaseException as error:
            raise OperatorError(f"{self.name}: the shapes {list(shapes)} do not fit: {_reason(error)}") from error


def _reason(error: BaseException) -> str:
    """What numpy and the rules raise says enough; of anything else its name is needed."""
    return said(error) if isinstance(error, MISFITS) else f"{type(error).__name__}: {said(error)}"


def broadcast(attributes: Attributes, shapes: list[Shape], values: list[Array | None]) -> list[Shape]:
    """One output of the common shape of all inputs; an unknown dimension stays unknown unless the other is not 1."""
    rank = max(len(shape) for shape in shapes)
    padded = [(1,) * (rank - len(shape)) + tuple(shape) for shape in shapes]
    result = []
    for column in zip(*padded, strict=True):
        known = {n for n in column if n not in (1, -1)}
        if len(known) > 1:
            raise ValueError("they cannot be broadcast")
        result.append(known.pop() if known else -1 if -1 in column else 1)
    return [tuple(result)]


def same(attributes: Attributes, shapes: list[Shape], values: list[Array | None]) -> list[Shape]:
    """One output of the shape of the first input."""
    return [shapes[0]]


def same_shape(made: tuple[int, ...], said: tuple[int, ...]) -> bool:
    """Whether a result has the shape of its descriptor; a scalar may be described as one element, and vice versa."""
    return made == said or (made in ((), (1,)) and said in ((), (1,)))


def _types(given: Iterable[int | Iterable[int]]) -> tuple[frozenset[int], ...]:
    """One set for all inputs, or one for each."""
    alone, sets = set(), []
    for entry in given:
        if isinstance(entry, int):
            alone.add(entry)
        else:
            sets.append(frozenset(entry))
    return (frozenset(alone),) if alone else tuple(sets)


def op(
    name: str,
    inputs: int | tuple[int, int],
    outputs: int = 1,
    *,
    infer: ShapeRule = broadcast,
    result: str | tuple[str, ...] = "first",
    dtypes: Iterable[int | Iterable[int]] = (),
    formats: Iterable[int] = (),
    described: bool = False,
    counted: bool = False,
) -> Callable[[Compute], Operator]:
    """Make an operator type of a numpy function ``f(attributes, x, ...)``; register it with ``sim.ops.register``.

    *dtypes*: the aclDataTypes that inputs may have, or one collection for each input; *formats*: the aclFormats of inputs
    with four dimensions and more. Without them any will do. *described*: f gets the shapes of the outputs, too. *counted*:
    the values decide how long the outputs are; descriptors say the most, and calls whose names end in V2 write what it was.

    >>> @op("AddCustom", inputs=2)
    ... def add_custom(attributes, x, y):
    ...     return x + y
    >>> add_custom.run({}, [np.ones(2), np.ones(2)])
    (array([2., 2.]),)
    """
    bounds = inputs if isinstance(inputs, tuple) else (inputs, inputs)
    allowed, layouts = _types(dtypes), frozenset(formats)

    def make(compute: Compute) -> Operator:
        return Operator(name, bounds, outputs, compute, infer, result, allowed, layouts, described, counted)

    return make
