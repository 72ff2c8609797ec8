"""How a function of torch becomes a body: what it returns is written into the outputs that the roles of the operator name.

Tables name operators by what follows ``aclnn``. Where the catalogue has an in-place form (``InplaceAdd`` of ``Add``), it is
registered with the plain one: it gets the operand instead of an output, and the result is written into it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

import numpy as np
import torch

from ascend_sim.aclnn.bodies import Body, torch_body
from ascend_sim.catalogue.aclnn import operators

__all__ = ["computed", "computes", "deliver", "in_float32", "plain", "wide"]

F = TypeVar("F", bound=Callable[..., Any])

HINTS: Final = frozenset({"cubeMathType"})
"""Parameters that choose between units and precisions of the hardware: no function gets them."""
NARROW: Final = {torch.float16: torch.float32, torch.bfloat16: torch.float32, torch.complex32: torch.complex64}
"""Types that are computed in a wider one, as the vector and matrix units do."""
WIDER: Final = (
    {torch.bool: torch.uint8},
    {
        **NARROW, torch.uint8: torch.float64, torch.int8: torch.float64, torch.int16: torch.float64,
        torch.int32: torch.float64, torch.int64: torch.float64,
    },
)  # fmt: skip
"""The types to compute in where torch has no function for one that the operator takes, those of the first step first."""


def computes(*names: str) -> Callable[[F], F]:
    """The function computes these operators.

    It gets the parameters that are no outputs, in their order and without the hints for the hardware, and returns the
    results in the order of the outputs: one, or a tuple. A result of None leaves its output alone. Operators without
    outputs take the results into the parameters that are both in and out. An attribute ``into`` of the function is the
    same with a parameter ``out``: it saves a copy where all are float32.
    """

    def register(function: F) -> F:
        known = operators()
        for name in names:
            torch_body(f"aclnn{name}")(_body(f"aclnn{name}", function))
            in_place = f"aclnnInplace{name}"
            if in_place in known:
                torch_body(in_place)(_body(in_place, function))
        return function

    return register


def computed(table: Mapping[str, Callable[..., Any]]) -> None:
    """Registers a table: names, with spaces between them -> the function that computes them."""
    for names, function in table.items():
        computes(*names.split())(function)


def _body(name: str, function: Callable[..., Any]) -> Body:
    parameters = operators()[name].parameters
    outputs = [i for i, parameter in enumerate(parameters) if parameter.role == "out"]
    given = [i for i, parameter in enumerate(parameters) if i not in outputs and parameter.name not in HINTS]
    outputs = outputs or [i for i, parameter in enumerate(parameters) if parameter.role == "inout"]
    first = outputs[0]
    single = len(outputs) == 1

    def body(*operands: Any) -> None:
        results = _called(function, [plain(operands[i]) for i in given])
        if single:
            deliver(operands[first], results)
            return
        for i, result in zip(outputs, results, strict=True):
            deliver(operands[i], result)

    into = getattr(function, "into", None) if single else None
    if into is not None:

        def straight(*operands: Any) -> None:
            into(*[plain(operands[i]) for i in given], out=operands[first])

        body.straight = straight  # type: ignore[attr-defined]
    return body


def _called(function: Callable[..., Any], operands: Sequence[Any]) -> Any:
    """What *function* returns; where torch lacks it for a type of the operands, it computes in a wider one."""
    for wider in WIDER:
        try:
            return function(*operands)
        except NotImplementedError:
            operands = [_in_types(wider, operand) for operand in operands]
    return function(*operands)


def plain(value: Any) -> Any:
    """A scalar of numpy as a number of Python, for which torch takes the type of the tensor; other values as they are."""
    if isinstance(value, np.generic):
        number = value.item()
        return float(value) if isinstance(number, np.generic) else number
    return value


def deliver(output: Any, result: Any) -> None:
    """Writes *result*, converted, into *output*: a tensor of as many elements, or a list into a list; None: nothing."""
    if output is None or result is None:
        return
    if isinstance(output, (list, tuple)):
        for one, value in zip(output, result, strict=True):
            deliver(one, value)
        return
    if result.is_complex() and not output.is_complex():
        result = result.real
    if result.shape != output.shape:
        result = result.reshape(output.shape)
    for dim, stride in enumerate(output.stride()):
        if not stride and output.shape[dim] > 1:  # torch refuses elements that lie upon each other: the last one stays
            output, result = output.narrow(dim, 0, 1), result.narrow(dim, result.shape[dim] - 1, 1)
    output.copy_(result)


def in_float32(function: F) -> Callable[..., Any]:
    """*function* upon tensors of at least 32 bits: those of float16 and bfloat16 are widened before."""

    def widened(*operands: Any) -> Any:
        return function(*[wide(operand) for operand in operands])

    return widened


def wide(operand: Any) -> Any:
    """A tensor, or a list of them, of at least 32 bits; other values as they are."""
    return _in_types(NARROW, operand)


def _in_types(types: Mapping[torch.dtype, torch.dtype], operand: Any) -> Any:
    if isinstance(operand, torch.Tensor):
        wider = types.get(operand.dtype)
        return operand if wider is None else operand.to(wider)
    if isinstance(operand, (list, tuple)):
        return type(operand)(_in_types(types, one) for one in operand)
    return operand
