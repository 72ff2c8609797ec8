"""Operators element by element: arithmetic, functions of one number, comparisons, logic, bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import torch
from torch import Tensor

from ascend_sim.aclnn.on_torch.outputs import computed, computes, in_float32

__all__ = ["add", "alike", "subtract"]

Number = Any  # of Python: bool, int, float or complex

ROUNDING: Final = (None, "trunc", "floor")
"""What the modes of DivMod do with the quotient."""
FUNCTIONS: Final = """
    Abs Acos Acosh Asin Asinh Atan Atanh Ceil Cos Cosh Erf Erfc Erfinv Exp Exp2 Expm1 Floor Frac Log Log10 Log1p Log2 Neg
    Reciprocal Relu Round Rsqrt Sigmoid Signbit Sin Sinc Sinh Sqrt Tan Tanh Trunc
"""
"""Functions of one number, which torch calls by the same word."""


def alike(function: Callable[..., Any]) -> Callable[..., Any]:
    """*function* upon tensors of one type: a tensor without dimensions counts as any other, which it does not in torch."""

    def promoted(first: Any, second: Any, *rest: Any) -> Any:
        if isinstance(first, Tensor) and isinstance(second, Tensor) and first.dtype != second.dtype:
            kind = torch.promote_types(first.dtype, second.dtype)
            first, second = first.to(kind), second.to(kind)
        return function(first, second, *rest)

    into = function if function in _INTO else getattr(function, "into", None)
    if into is not None:
        promoted.into = into  # type: ignore[attr-defined]
    return promoted


_INTO: Final = (
    torch.mul, torch.div, torch.fmod, torch.pow, torch.atan2, torch.maximum, torch.minimum, torch.logaddexp,
    torch.logaddexp2, torch.xlogy, torch.floor_divide,
)  # fmt: skip
"""Functions that take a parameter ``out`` with all their operands."""


def _add_into(self: Any, other: Any, alpha: Number, out: Tensor) -> None:
    torch.add(self, other, alpha=alpha, out=out)


def _subtract_into(self: Any, other: Any, alpha: Number, out: Tensor) -> None:
    torch.sub(self, other, alpha=alpha, out=out)


def _factor(alpha: Number, *operands: Any) -> Number:
    """*alpha* in the kind of the result: torch refuses 1.0 where all are integers."""
    if isinstance(alpha, float) and not any(
        isinstance(one, float) or (isinstance(one, Tensor) and (one.is_floating_point() or one.is_complex()))
        for one in operands
    ):
        return int(alpha)
    return alpha


def add(self: Any, other: Any, alpha: Number) -> Tensor:
    """``self + alpha * other``"""
    if alpha == 1:
        return torch.add(self, other)
    return torch.add(self, other, alpha=_factor(alpha, self, other))


def subtract(self: Any, other: Any, alpha: Number) -> Tensor:
    """``self - alpha * other``"""
    return torch.sub(self, other, alpha=_factor(alpha, self, other))


add.into = _add_into  # type: ignore[attr-defined]
subtract.into = _subtract_into  # type: ignore[attr-defined]


def _rsub(self: Any, other: Any, alpha: Number) -> Tensor:
    return torch.rsub(self, other, alpha=_factor(alpha, self, other))


def _add_to_number(self: Number, other: Tensor, alpha: Number) -> Tensor:
    kind = torch.result_type(other, self)
    return add(torch.full((), self, dtype=kind, device="cpu"), other, alpha)


def _divide(self: Tensor, other: Any, mode: int) -> Tensor:
    return torch.div(self, other, rounding_mode=ROUNDING[mode])


def _left_shift(self: Tensor, bits: Any) -> Tensor:
    return torch.bitwise_left_shift(self, bits)


def _right_shift(self: Tensor, bits: Any) -> Tensor:
    return torch.bitwise_right_shift(self, bits)


def _equal(self: Tensor, other: Tensor) -> Tensor:
    same = self.shape == other.shape and bool(alike(torch.eq)(self, other).all())
    return torch.full((1,), same, dtype=torch.bool, device="cpu")


def _round(self: Tensor, decimals: int) -> Tensor:
    if self.is_floating_point():
        return torch.round(self, decimals=decimals)
    if decimals >= 0:
        return self
    return torch.round(self.double(), decimals=decimals).to(self.dtype)


def _logit(self: Tensor, eps: float) -> Tensor:
    return torch.logit(self, None if eps < 0 else eps)


def _lerp(self: Tensor, end: Tensor, weight: Any) -> Tensor:
    return torch.lerp(self, end.to(self.dtype), weight.to(self.dtype) if isinstance(weight, Tensor) else weight)


def _addcmul(self: Tensor, first: Tensor, second: Tensor, value: Number) -> Tensor:
    return torch.addcmul(self, first, second, value=_factor(value, self, first, second))


def _addcdiv(self: Tensor, first: Tensor, second: Tensor, value: Number) -> Tensor:
    return torch.addcdiv(self, first, second, value=_factor(value, self, first, second))


def _where(condition: Tensor, self: Tensor, other: Tensor) -> Tensor:
    return alike(lambda one, two: torch.where(condition.bool(), one, two))(self, other)


def _clamp(self: Tensor, least: Any, most: Any) -> Tensor:
    return torch.clamp(self, least, most)


def _scalar_in(element: Number, elements: Tensor, unique: bool, invert: bool) -> Tensor:
    return (elements == element).any() != invert


def _in_scalar(elements: Tensor, element: Number, unique: bool, invert: bool) -> Tensor:
    return (elements == element) != invert


def _fake_quantised(self: Tensor, scale: Tensor, zero: Tensor, least: int, most: int) -> tuple[Tensor, Tensor]:
    """What is left of *self* after quantisation and back, and where no bound cut it."""
    quantised = torch.round(self / scale) + zero
    return (quantised.clamp(least, most) - zero) * scale, (quantised >= least) & (quantised <= most)


def _fake_quantised_whole(
    self: Tensor, scale: Tensor, zero: Tensor, enabled: float, least: int, most: int
) -> tuple[Tensor, Tensor]:
    if enabled < 1:
        return self, torch.ones_like(self, dtype=torch.bool)
    return _fake_quantised(self, scale.reshape(()), zero.reshape(()), least, most)


def _fake_quantised_channels(
    self: Tensor, scale: Tensor, zero: Tensor, axis: int, least: int, most: int
) -> tuple[Tensor, Tensor]:
    shape = [1] * self.dim()
    shape[axis] = -1
    return _fake_quantised(self, scale.reshape(shape), zero.reshape(shape), least, most)


def _not_finite(name: str) -> Callable[[Tensor], Tensor]:
    function: Callable[[Tensor], Tensor] = getattr(torch, name)

    def asked(self: Tensor) -> Tensor:
        if self.is_floating_point():
            return function(self)
        return torch.zeros_like(self, dtype=torch.bool)

    return asked


computed(
    {
        "Add Adds": alike(add),
        "AddV3": _add_to_number,
        "Sub Subs": alike(subtract),
        "Rsub Rsubs": alike(_rsub),
        "Mul Muls": alike(torch.mul),
        "Div Divs": alike(torch.div),
        "DivMod DivMods": alike(_divide),
        "FloorDivide FloorDivides": alike(torch.floor_divide),
        "FmodTensor FmodScalar": alike(torch.fmod),
        "RemainderTensorTensor RemainderTensorScalar RemainderScalarTensor": alike(torch.remainder),
        "PowTensorTensor PowTensorScalar PowScalarTensor": alike(torch.pow),
        "Atan2": alike(torch.atan2),
        "Maximum": alike(torch.maximum),
        "Minimum": alike(torch.minimum),
        "LogAddExp": alike(torch.logaddexp),
        "LogAddExp2": alike(torch.logaddexp2),
        "XLogYTensor XLogYScalarOther XLogYScalarSelf": alike(torch.xlogy),
        "Gcd": alike(torch.gcd),
        "AddRelu": lambda self, other, alpha: torch.relu(alike(add)(self, other, alpha)),
        "Addcmul": _addcmul,
        "Addcdiv": _addcdiv,
        "Lerp Lerps": _lerp,
        "SWhere": _where,
        "Complex": alike(torch.complex),
        "Polar": alike(torch.polar),
    }
)
computed(
    {
        "EqTensor EqScalar": alike(torch.eq),
        "NeTensor NeScalar": alike(torch.ne),
        "LtTensor LtScalar": alike(torch.lt),
        "LeTensor LeScalar": alike(torch.le),
        "GtTensor GtScalar": alike(torch.gt),
        "GeTensor GeScalar": alike(torch.ge),
        "Equal": _equal,
        "IsClose": alike(torch.isclose),
        "IsFinite": torch.isfinite,
        "IsNegInf": _not_finite("isneginf"),
        "IsPosInf": _not_finite("isposinf"),
        "IsInScalarTensor": _scalar_in,
        "IsInTensorScalar": _in_scalar,
        "LogicalAnd": torch.logical_and,
        "LogicalOr": torch.logical_or,
        "LogicalXor": torch.logical_xor,
        "LogicalNot": torch.logical_not,
        "BitwiseAndTensor BitwiseAndScalar": alike(torch.bitwise_and),
        "BitwiseOrTensor BitwiseOrScalar": alike(torch.bitwise_or),
        "BitwiseXorTensor BitwiseXorScalar": alike(torch.bitwise_xor),
        "BitwiseNot": torch.bitwise_not,
        "LeftShift LeftShifts": alike(_left_shift),
        "RightShift": alike(_right_shift),
    }
)
computed(
    {
        "Clamp ClampTensor": _clamp,
        "ClampMin ClampMinTensor": lambda self, least: torch.clamp(self, min=least),
        "ClampMax ClampMaxTensor": lambda self, most: torch.clamp(self, max=most),
        "NanToNum": torch.nan_to_num,
        "RoundDecimals": _round,
        "Logit": _logit,
        "AngleV2": torch.angle,
        "Cast": lambda self, data_type: self,
        "FakeQuantPerTensorAffineCachemask": in_float32(_fake_quantised_whole),
        "FakeQuantPerChannelAffineCachemask": in_float32(_fake_quantised_channels),
    }
)


def _of_one_number(function: Callable[..., Any]) -> Callable[[Tensor], Tensor]:
    def computed_of(self: Tensor) -> Tensor:
        result: Tensor = function(self)
        return result

    computed_of.into = _relu_into if function is torch.relu else function  # type: ignore[attr-defined]
    return computed_of


def _relu_into(self: Tensor, out: Tensor) -> None:
    torch.clamp_min(self, 0, out=out)


for _name in FUNCTIONS.split():
    computes(_name)(_of_one_number(getattr(torch, _name.lower())))
computes("Sign")(_of_one_number(torch.sgn))  # of complex numbers, too
