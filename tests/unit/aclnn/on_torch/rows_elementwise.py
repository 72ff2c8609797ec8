"""Element by element: the references are numpy's functions in float64."""

from __future__ import annotations

import math

import numpy as np
import torch

from tests.kit.torch_bodies import ALL, BF16, F16, F32, FLOATS, INTS, REAL, WHOLE, by_numpy, row

C64 = torch.complex64


def one(low=-3.0, high=3.0):
    return lambda t: [(t(3, 4, low=low, high=high),), (t(low=low, high=high),), (t(0, 3, low=low, high=high),)]


def two(low=-3.0, high=3.0, *rest):
    """Equal shapes, broadcasting both ways, none, empty."""

    def made(t):
        shapes = [((3, 4), (3, 4)), ((3, 1, 2), (4, 1)), ((4,), ()), ((0, 3), (3,)), ((2, 3), (1, 3))]
        return [(t(*a, low=low, high=high), t(*b, low=low, high=high), *rest) for a, b in shapes]

    return made


def nonzero(t):
    shapes = [((3, 4), (3, 4)), ((3, 1, 2), (4, 1)), ((4,), ()), ((0, 3), (3,))]
    return [(t(*a, low=-9, high=9), t(*b, low=1, high=4)) for a, b in shapes]


def number(*values, low=-3.0, high=3.0, rest=()):
    """A tensor and a number; whole numbers for integers."""

    def made(t):
        fit = [v for v in values if t.kind.is_floating_point or t.kind.is_complex or isinstance(v, int)]
        return [(t(3, 4, low=low, high=high), v, *rest) for v in fit] + [
            (t(0, 3, low=low, high=high), v, *rest) for v in fit[:1]
        ]

    return made


def scaled(*alphas):
    def made(t):
        fit = [v for v in alphas if t.kind.is_floating_point or not isinstance(v, float) or v.is_integer()]
        if t.kind == torch.bool:
            fit = [1]
        return [sample for alpha in fit for sample in two(-3, 3, alpha)(t)]

    return made


def scaled_number(*pairs):
    def made(t):
        return [(t(3, 4), other, alpha) for other, alpha in pairs] + [(t(0, 2), *pairs[0])]

    return made


erf = np.vectorize(math.erf, otypes=[float])
erfc = np.vectorize(math.erfc, otypes=[float])


def erfinv(values):
    """By bisection of erf."""
    low, high = np.full_like(values, -6.0), np.full_like(values, 6.0)
    for _ in range(60):
        middle = (low + high) / 2
        below = erf(middle) < values if values.size else np.zeros(values.shape, bool)
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return (low + high) / 2


UNARY = {
    "Abs": (np.abs, one(), REAL),
    "Acos": (np.arccos, one(-1, 1), REAL),
    "Acosh": (np.arccosh, one(1, 5), REAL),
    "Asin": (np.arcsin, one(-1, 1), REAL),
    "Asinh": (np.arcsinh, one(), REAL),
    "Atan": (np.arctan, one(), REAL),
    "Atanh": (np.arctanh, one(-0.9, 0.9), REAL),
    "Ceil": (np.ceil, one(), FLOATS),
    "Cos": (lambda x: np.cos(x * 1.0), one(), (*REAL, torch.bool)),
    "Cosh": (np.cosh, one(), REAL),
    "Erf": (lambda x: erf(x) if x.size else x * 1.0, one(), REAL),
    "Erfc": (lambda x: erfc(x) if x.size else x * 1.0, one(), REAL),
    "Erfinv": (erfinv, one(-0.9, 0.9), FLOATS),
    "Exp": (np.exp, one(), REAL),
    "Exp2": (np.exp2, one(), REAL),
    "Expm1": (np.expm1, one(), REAL),
    "Floor": (np.floor, one(), FLOATS),
    "Frac": (lambda x: x - np.trunc(x), one(), FLOATS),
    "Log": (np.log, one(0.1, 5), REAL),
    "Log10": (np.log10, one(0.1, 5), REAL),
    "Log1p": (np.log1p, one(-0.5, 5), REAL),
    "Log2": (np.log2, one(0.1, 5), REAL),
    "Neg": (np.negative, one(), REAL),
    "Reciprocal": (lambda x: 1 / x, one(0.5, 5), REAL),
    "Round": (np.round, one(), FLOATS),
    "Rsqrt": (lambda x: 1 / np.sqrt(x), one(0.5, 5), REAL),
    "Sigmoid": (lambda x: 1 / (1 + np.exp(-(x * 1.0))), one(), ALL),
    "Sign": (lambda x: x / np.where(x == 0, 1, abs(x)), one(), (*REAL, torch.int64, C64)),
    "Sin": (lambda x: np.sin(x * 1.0), one(), (*REAL, torch.bool)),
    "Sinc": (np.sinc, one(), REAL),
    "Sinh": (np.sinh, one(), REAL),
    "Sqrt": (lambda x: np.sqrt(x * 1.0), one(0, 9), (*REAL, torch.uint8)),
    "Tan": (np.tan, one(-1.4, 1.4), REAL),
    "Tanh": (np.tanh, one(), REAL),
    "Trunc": (np.trunc, one(), FLOATS),
    "Relu": (lambda x: np.maximum(x, 0), one(), (*REAL, torch.uint8)),
    "LogicalNot": (np.logical_not, one(), ALL),
    "BitwiseNot": (np.invert, one(), (*INTS, torch.bool)),
}
ROWS = [row(name, inputs, by_numpy(function), kinds) for name, (function, inputs, kinds) in UNARY.items()]
ROWS.append(row("Signbit", one(), by_numpy(lambda x: x < 0), REAL))
for _name, _function in {"Abs": np.abs, "Neg": np.negative, "Exp": np.exp, "Sin": np.sin, "Tanh": np.tanh}.items():
    ROWS.append(row(_name, one(0.5, 2), by_numpy(_function), (C64,), result=F32 if _name == "Abs" else None))

ROWS += [
    row("Add", scaled(1, 2, 2.0, -0.5), by_numpy(lambda a, b, alpha: a + (alpha * b if alpha != 1 else b)), ALL),
    row(
        "Adds",
        scaled_number((2, 1), (2, 3), (-1, 2)),
        by_numpy(lambda a, b, alpha: a + alpha * b),
        (*FLOATS, torch.int32),
    ),
    row("Adds", scaled_number((0.5, 2)), by_numpy(lambda a, b, alpha: a + alpha * b), (*FLOATS, torch.int32)),
    row(
        "AddV3",
        lambda t: [(2.5, t(3, 4), 1), (2, t(0, 3), 2), (1.5, t(4), 2)],
        by_numpy(lambda a, b, alpha: a + alpha * b),
        REAL,
    ),
    row("Sub", scaled(1, 2, -0.5), by_numpy(lambda a, b, alpha: a - alpha * b), REAL),
    row("Subs", scaled_number((2, 1), (2, 3)), by_numpy(lambda a, b, alpha: a - alpha * b), REAL),
    row("Rsub", scaled(1, 2, -0.5), by_numpy(lambda a, b, alpha: b - alpha * a), REAL),
    row("Rsubs", scaled_number((2, 1), (2, 3)), by_numpy(lambda a, b, alpha: b - alpha * a), REAL),
    row("AddRelu", scaled(1, 2), by_numpy(lambda a, b, alpha: np.maximum(a + alpha * b, 0)), REAL),
    row("Mul", two(), by_numpy(np.multiply), (*ALL, C64)),
    row("Muls", number(2, -0.5), by_numpy(np.multiply), (*REAL, C64)),
    row("Div", nonzero, by_numpy(np.true_divide), (*REAL, C64)),
    row("Divs", number(2, 4, -0.5), by_numpy(np.true_divide), REAL),
    row("FloorDivide", nonzero, by_numpy(np.floor_divide), (F32, torch.int32, torch.int64)),
    row("FloorDivides", number(2, 3, low=-9, high=9), by_numpy(np.floor_divide), (F32, torch.int32)),
    row("FmodTensor", nonzero, by_numpy(np.fmod), (F32, torch.int32, torch.int64)),
    row("FmodScalar", number(2, 3, low=-9, high=9), by_numpy(np.fmod), (F32, torch.int32)),
    row("RemainderTensorTensor", nonzero, by_numpy(np.remainder), (F32, torch.int32, torch.int64)),
    row("RemainderTensorScalar", number(2, 3, low=-9, high=9), by_numpy(np.remainder), (F32, torch.int32)),
    row(
        "RemainderScalarTensor",
        lambda t: [(7, t(3, 4, low=1, high=5)), (7, t(0, low=1, high=5))],
        by_numpy(np.remainder),
        (F32, torch.int32),
    ),
    row("PowTensorTensor", two(0.5, 2.5), by_numpy(np.power), (*FLOATS, torch.int32)),
    row("PowTensorScalar", number(2, 0.5, 3, low=0.5, high=2.5), by_numpy(np.power), REAL),
    row(
        "PowScalarTensor",
        lambda t: [(2, t(3, 4, low=0, high=4)), (2, t(0, 2, low=0, high=2))],
        by_numpy(np.power),
        REAL,
    ),
    row("Atan2", two(), by_numpy(np.arctan2), REAL),
    row("Maximum", two(), by_numpy(np.maximum), REAL),
    row("Minimum", two(), by_numpy(np.minimum), REAL),
    row("LogAddExp", two(), by_numpy(np.logaddexp)),
    row("LogAddExp2", two(), by_numpy(np.logaddexp2)),
    row("XLogYTensor", two(0.5, 3), by_numpy(lambda a, b: np.where(a == 0, 0, a * np.log(b))), REAL),
    row("XLogYScalarOther", number(2, 0.5), by_numpy(lambda a, b: a * np.log(b))),
    row(
        "XLogYScalarSelf",
        lambda t: [(2.5, t(3, 4, low=0.5, high=3)), (0, t(2, low=0.5, high=3))],
        by_numpy(lambda a, b: a * np.log(b)),
    ),
    row("Gcd", two(1, 30), by_numpy(np.gcd), (torch.int32, torch.int64)),
    row("LeftShift", lambda t: [(t(3, 4, low=0, high=5), t(4, low=0, high=2))], by_numpy(np.left_shift), INTS),
    row("LeftShifts", lambda t: [(t(3, 4, low=0, high=5), 2)], by_numpy(np.left_shift), INTS),
    row("RightShift", lambda t: [(t(3, 4, low=0, high=90), t(4, low=0, high=2))], by_numpy(np.right_shift), INTS),
    row("Complex", two(), by_numpy(lambda a, b: a + 1j * b), (F32,)),
    row("Polar", two(0.5, 3), by_numpy(lambda a, b: a * np.exp(1j * b)), (F32,)),
    row("AngleV2", lambda t: [(t(3, 4),), (t(0, 2),)], by_numpy(np.angle), (F32, C64), result=F32),
    row("AngleV2", lambda t: [(t(3, 4),)], by_numpy(np.angle), (F16,)),
]


def three(t):
    shapes = [((3, 4), (3, 4), (3, 4)), ((3, 4), (3, 1), (4,)), ((0, 2), (2,), (1, 2))]
    return [(t(*a), t(*b), t(*c, low=1, high=3)) for a, b, c in shapes]


def valued(*values):
    return lambda t: [
        (*sample, v) for v in values if t.kind.is_floating_point or isinstance(v, int) for sample in three(t)
    ]


def modes(t):
    return [(*sample, mode) for mode in (0, 1, 2) for sample in nonzero(t) if mode == 0 or t.kind not in (F16, BF16)]


def divided(a, b, mode):
    quotient = np.true_divide(a, b)
    whole = (quotient, np.trunc(quotient), np.floor(quotient))[mode]
    return whole if mode == 0 or np.asarray(a).dtype.kind == "f" else whole.astype(np.asarray(a).dtype)


def pair_of_comparison(name, function):
    return [
        row(f"{name}Tensor", two(0, 2), by_numpy(function), ALL),
        row(f"{name}Scalar", number(1, 0.5), by_numpy(function), (*REAL, torch.uint8)),
    ]


ROWS += [
    row("Addcmul", valued(1, 2, -0.5), by_numpy(lambda a, b, c, v: a + v * b * c), REAL),
    row("Addcdiv", valued(1, -0.5), by_numpy(lambda a, b, c, v: a + v * b / c)),
    row("Lerp", three, by_numpy(lambda a, b, w: a + w * (b - a))),
    row("Lerps", lambda t: [(t(3, 4), t(4), 0.3), (t(3, 4), t(3, 4), 0.8)], by_numpy(lambda a, b, w: a + w * (b - a))),
    row("DivMod", modes, by_numpy(divided), (*FLOATS, torch.int32)),
    row(
        "DivMods",
        lambda t: [(t(3, 4, low=-9, high=9), 2, mode) for mode in (0, 1, 2)],
        by_numpy(divided),
        (F32, torch.int32),
    ),
    row(
        "SWhere",
        lambda t: [
            (t(3, 4, kind=torch.bool), t(3, 4), t(4)),
            (t(3, 1, kind=torch.bool), t(4), t()),
            (t(0, kind=torch.bool), t(0), t(1)),
        ],
        by_numpy(np.where),
        ALL,
    ),
    row(
        "SWhere",
        lambda t: [(t(3, 4, kind=torch.uint8, high=1), t(3, 4), t(4))],
        by_numpy(lambda c, a, b: np.where(c != 0, a, b)),
        (F32,),
    ),
    row(
        "Clamp",
        lambda t: [(t(3, 4), -1, 1), (t(0, 2), 0, 1), (t(3, 4), 1, None), (t(3, 4), None, 1)],
        by_numpy(np.clip),
        (*FLOATS, torch.int32),
    ),
    row(
        "ClampTensor",
        lambda t: [
            (t(3, 4), t(4, low=-2, high=-1), t(3, 1, low=1, high=2)),
            (t(3, 4), t(3, 4), t(3, 4)),
            (t(3, 4), t(4), None),
            (t(3, 4), None, t(4)),
        ],
        by_numpy(np.clip),
        REAL,
    ),
    row("Clamp", lambda t: [(t(3, 4), 1, 2), (t(3, 4), 2, None)], by_numpy(np.clip), WHOLE),
    row("ClampMin", number(1, 0.5), by_numpy(np.maximum), REAL),
    row("ClampMax", number(1, 0.5), by_numpy(np.minimum), REAL),
    row("ClampMinTensor", two(), by_numpy(np.maximum), REAL),
    row("ClampMaxTensor", two(), by_numpy(np.minimum), REAL),
    row(
        "NanToNum",
        lambda t: [
            (t.laid(torch.tensor([1, float("nan"), float("inf"), -float("inf")], dtype=t.kind)), 2.0, 9.0, -8.0)
        ],
        by_numpy(lambda x, n, p, m: np.nan_to_num(x, nan=n, posinf=p, neginf=m)),
    ),
    row("NanToNum", lambda t: [(t(3, 4), 2.0, 9.0, -8.0)], by_numpy(lambda x, n, p, m: x), WHOLE),
    row("RoundDecimals", lambda t: [(t(3, 4), 1), (t(3, 4), 0)], by_numpy(np.round), (F32,)),
    row(
        "RoundDecimals",
        lambda t: [(t(3, 4, low=-200, high=200), -1), (t(3, 4), 2)],
        by_numpy(np.round),
        (torch.int32, torch.int64),
    ),
    row(
        "Logit",
        lambda t: [(t(3, 4, low=0.1, high=0.9), -1.0), (t(3, 4, low=0, high=1), 0.2)],
        by_numpy(
            lambda x, eps: np.log(
                np.clip(x, max(eps, 0), 1 - max(eps, 0)) / (1 - np.clip(x, max(eps, 0), 1 - max(eps, 0)))
            )
        ),
    ),
    row("Cast", lambda t: [(t(3, 4), 3), (t(0), 3), (t(), 3)], by_numpy(lambda x, data_type: x.astype(np.int32)), ALL),
    row(
        "Cast",
        lambda t: [(t(3, 4), 0)],
        by_numpy(lambda x, data_type: x.real.astype(np.float64)),
        (*ALL, C64),
        result=F32,
    ),
    row("Cast", lambda t: [(t(3, 4), 12)], by_numpy(lambda x, data_type: x != 0), ALL),
    row(
        "Equal",
        lambda t: [
            (t(3, 4), t(3, 4)),
            (t(3, 4), t(4)),
            (torch.ones(2, 3, dtype=t.kind), t.laid(torch.ones(2, 3, dtype=t.kind))),
            (t(0), t(0)),
        ],
        by_numpy(lambda a, b: np.asarray([np.array_equal(a, b)])),
        ALL,
    ),
    row(
        "IsClose",
        lambda t: [
            (t(3, 4, low=0, high=1), t(4, low=0, high=1), 0.1, 0.2, False),
            (t(3, 4, low=0, high=1), t(4, low=0, high=1).double(), 0.1, 0.2, False),
            (
                t.laid(torch.full((2,), float("nan"), dtype=t.kind)),
                t.laid(torch.full((2,), float("nan"), dtype=t.kind)),
                0.0,
                0.0,
                True,
            ),
        ],
        by_numpy(lambda a, b, r, at, nan: np.isclose(a, b, r, at, nan)),
        (F32,),
    ),
    row(
        "IsClose",
        lambda t: [(t(3, 4), t(4), 0.1, 1.0, False), (t(3, 4), t(3, 1), 0.6, 0.0, False)],
        by_numpy(lambda a, b, r, at, nan: np.isclose(a, b, r, at, nan)),
        WHOLE,
    ),
    row(
        "IsFinite",
        lambda t: [(t.laid(torch.tensor([1, float("nan"), float("inf"), -float("inf")], dtype=t.kind)),)],
        by_numpy(np.isfinite),
    ),
    row(
        "IsNegInf",
        lambda t: [(t.laid(torch.tensor([1, float("nan"), float("inf"), -float("inf")], dtype=t.kind)),)],
        by_numpy(np.isneginf),
    ),
    row(
        "IsPosInf",
        lambda t: [(t.laid(torch.tensor([1, float("nan"), float("inf"), -float("inf")], dtype=t.kind)),)],
        by_numpy(np.isposinf),
    ),
    row(
        "IsFinite IsNegInf IsPosInf",
        lambda t: [(t(0, 3),)],
        by_numpy(lambda x: np.isinf(x)),
        (*FLOATS, torch.int32, torch.bool),
    ),
    row(
        "IsInScalarTensor",
        lambda t: [(1, t(3, 4), False, invert) for invert in (False, True)],
        by_numpy(lambda e, x, u, i: np.isin(e, x, invert=i)),
        (F32, torch.int32, torch.int64),
    ),
    row(
        "IsInTensorScalar",
        lambda t: [(t(3, 4), 1, False, invert) for invert in (False, True)],
        by_numpy(lambda x, e, u, i: np.isin(x, e, invert=i)),
        (F32, torch.int32, torch.int64),
    ),
    row("LogicalAnd", two(), by_numpy(np.logical_and), ALL),
    row("LogicalOr", two(), by_numpy(np.logical_or), ALL),
    row("LogicalXor", two(), by_numpy(np.logical_xor), ALL),
    row("BitwiseAndTensor", two(), by_numpy(np.bitwise_and), (*INTS, torch.bool)),
    row("BitwiseOrTensor", two(), by_numpy(np.bitwise_or), (*INTS, torch.bool)),
    row("BitwiseXorTensor", two(), by_numpy(np.bitwise_xor), (*INTS, torch.bool)),
    row("BitwiseAndScalar", number(1), by_numpy(np.bitwise_and), INTS),
    row("BitwiseOrScalar", number(1), by_numpy(np.bitwise_or), INTS),
    row("BitwiseXorScalar", number(1), by_numpy(np.bitwise_xor), INTS),
]


def quantised(x, scale, zero, enabled, least, most):
    if enabled < 1:
        return x, np.ones(x.shape, bool)
    whole = np.rint(x / scale) + zero
    return (np.clip(whole, least, most) - zero) * scale, (whole >= least) & (whole <= most)


ROWS += [
    row(
        "FakeQuantPerTensorAffineCachemask",
        lambda t: [
            (t(3, 4), torch.tensor([0.25], dtype=t.kind), torch.tensor([2], dtype=torch.int32), on, -4, 5)
            for on in (0.0, 1.0)
        ],
        by_numpy(quantised),
        (F32, F16),
    ),
    row(
        "FakeQuantPerChannelAffineCachemask",
        lambda t: [
            (
                t(3, 4),
                torch.tensor([0.25, 0.5, 1.0], dtype=t.kind),
                torch.tensor([2, 0, -1], dtype=torch.int32),
                0,
                -4,
                5,
            )
        ],
        by_numpy(lambda x, s, z, axis, least, most: quantised(x, s[:, None], z[:, None], 1, least, most)),
        (F32, F16),
    ),
]
for _name, _function in {
    "Eq": np.equal,
    "Ne": np.not_equal,
    "Lt": np.less,
    "Le": np.less_equal,
    "Gt": np.greater,
    "Ge": np.greater_equal,
}.items():
    ROWS += pair_of_comparison(_name, _function)
