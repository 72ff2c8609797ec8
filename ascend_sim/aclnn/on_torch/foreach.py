"""Operators on lists of tensors, one element after another, as optimizers call them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import torch
from torch import Tensor

from ascend_sim.aclnn.on_torch.elementwise import add, subtract
from ascend_sim.aclnn.on_torch.outputs import computed, wide

Tensors = Sequence[Tensor]

FUNCTIONS: Final = """
    Abs Acos Asin Atan Cos Cosh Erf Erfc Exp Expm1 Log Log10 Log1p Log2 Neg Reciprocal Sigmoid Sign Sin Sinh Sqrt Tan Tanh
"""
"""Functions of one number, which torch calls by the same word."""


def _number(value: Any) -> Any:
    """The number of a scalar, which some forms pass as a tensor of one element."""
    return value.item() if isinstance(value, Tensor) else value


def _each(function: Callable[..., Tensor]) -> Callable[..., list[Tensor]]:
    """*function* of the elements of all lists; what is no list is the same for all."""

    def computed_each(first: Tensors, *rest: Any) -> list[Tensor]:
        columns = [_column(one, len(first)) for one in rest]
        return [function(wide(one), *map(wide, others)) for one, *others in zip(first, *columns, strict=True)]

    return computed_each


def _column(value: Any, count: int) -> Sequence[Any]:
    if isinstance(value, (list, tuple)):
        return value
    if isinstance(value, Tensor) and value.numel() == count and count > 1:  # the scalars of the list forms
        numbers: list[Any] = value.tolist()
        return numbers
    return [_number(value)] * count


def _valued(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    return lambda one, two, three, value: function(one, two, three, value=value)


def _least(one: Tensor, number: Any) -> Tensor:
    return torch.clamp(one, min=number)


def _most(one: Tensor, number: Any) -> Tensor:
    return torch.clamp(one, max=number)


def _norms(tensors: Tensors, order: Any) -> list[Tensor]:
    return [torch.linalg.vector_norm(wide(one), float(_number(order))) for one in tensors]


def _rounded(one: Tensor, mode: int) -> Tensor:
    return _ROUNDING[int(mode)](one)


def _away(one: Tensor) -> Tensor:
    return torch.where(one < 0, torch.ceil(one - 0.5), torch.floor(one + 0.5))


_ROUNDING: dict[int, Callable[[Tensor], Tensor]] = {
    1: torch.round,
    2: torch.floor,
    3: torch.ceil,
    4: _away,
    5: torch.trunc,
}
"""The modes of ForeachRoundOffNumber."""


computed({f"Foreach{name}": _each(getattr(torch, name.lower())) for name in FUNCTIONS.split()})
computed(
    {
        "ForeachCopy": _each(lambda one: one),
        "ForeachZeroInplace": _each(torch.zeros_like),
        "ForeachAddList ForeachAddListV2": _each(add),
        "ForeachSubList ForeachSubListV2": _each(subtract),
        "ForeachMulList": _each(torch.mul),
        "ForeachDivList": _each(torch.div),
        "ForeachPowList": _each(torch.pow),
        "ForeachMaximumList": _each(torch.maximum),
        "ForeachMinimumList": _each(torch.minimum),
        "ForeachAddScalar ForeachAddScalarV2 ForeachAddScalarList": _each(torch.add),
        "ForeachSubScalar ForeachSubScalarV2 ForeachSubScalarList": _each(torch.sub),
        "ForeachMulScalar ForeachMulScalarV2 ForeachMulScalarList": _each(torch.mul),
        "ForeachDivScalar ForeachDivScalarV2 ForeachDivScalarList": _each(torch.div),
        "ForeachPowScalar ForeachPowScalarV2 ForeachPowScalarList": _each(torch.pow),
        "ForeachPowScalarAndTensor": lambda number, tensors: _each(lambda one: torch.pow(_number(number), one))(
            tensors
        ),
        "ForeachMaximumScalar ForeachMaximumScalarV2 ForeachMaximumScalarList": _each(_least),
        "ForeachMinimumScalar ForeachMinimumScalarV2 ForeachMinimumScalarList": _each(_most),
        "ForeachAddcmulScalar ForeachAddcmulScalarV2 ForeachAddcmulScalarList": _each(_valued(torch.addcmul)),
        "ForeachAddcdivScalar ForeachAddcdivScalarV2 ForeachAddcdivScalarList": _each(_valued(torch.addcdiv)),
        "ForeachLerpList ForeachLerpScalar": _each(torch.lerp),
        "ForeachNorm": _norms,
        "ForeachRoundOffNumber ForeachRoundOffNumberV2": _each(_rounded),
    }
)
