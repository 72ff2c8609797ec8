"""Lists of tensors: numpy's functions in float64 upon each."""

from __future__ import annotations

import numpy as np
import torch

from ascend_sim.aclnn.on_torch.foreach import FUNCTIONS
from tests.kit.torch_bodies import FLOATS, by_numpy, row
from tests.unit.aclnn.on_torch.rows_elementwise import UNARY

SHAPES = ((3, 4), (5,), (), (0, 2))
RANGES = {
    "Acos": (-1, 1),
    "Asin": (-1, 1),
    "Log": (0.1, 5),
    "Log10": (0.1, 5),
    "Log1p": (-0.5, 5),
    "Log2": (0.1, 5),
    "Sqrt": (0, 9),
    "Reciprocal": (0.5, 5),
    "Tan": (-1.4, 1.4),
}
WITH_INTS = (*FLOATS, torch.int32)


def listed(t, low=-3.0, high=3.0):
    return [t(*shape, low=low, high=high) for shape in SHAPES]


def each(function):
    def reference(first, *rest):
        columns = [one if isinstance(one, list) else [one] * len(first) for one in rest]
        plain = [
            [
                v.item()
                if isinstance(v, torch.Tensor) and v.numel() == 1 and one is not first and not isinstance(rest[i], list)
                else v
                for v in one
            ]
            for i, one in enumerate(columns)
        ]
        return [by_numpy(function)(*line) for line in zip(first, *plain, strict=True)]

    return reference


def lists(count, *rest, low=-3.0, high=3.0):
    return lambda t: [(*[listed(t, low, high) for _ in range(count)], *rest)]


def tensor_number(count, value, low=-3.0, high=3.0):
    """The factor as a tensor of one element."""
    return lambda t: [(*[listed(t, low, high) for _ in range(count)], torch.tensor([value], dtype=t.kind))]


def numbers(count, values, low=-3.0, high=3.0):
    return lambda t: [
        (*[listed(t, low, high) for _ in range(count)], [v if t.kind.is_floating_point else int(v) for v in values])
    ]


def tensor_numbers(count, values, low=1.0, high=3.0):
    return lambda t: [(*[listed(t, low, high) for _ in range(count)], torch.tensor(values, dtype=t.kind))]


def by_tensor_numbers(function):
    return lambda *operands: each(function)(*operands[:-1], operands[-1].tolist())


def rounded(x, mode):
    return {1: np.rint, 2: np.floor, 3: np.ceil, 4: lambda v: np.sign(v) * np.floor(np.abs(v) + 0.5), 5: np.trunc}[
        int(mode)
    ](x)


ROWS = []
for _name in FUNCTIONS.split():
    _low, _high = RANGES.get(_name, (-3, 3))
    ROWS.append(row(f"Foreach{_name}", lists(1, low=_low, high=_high), each(UNARY[_name][0])))
FOUR = [0.5, 2.0, 3.0, -1.0]
for _name, _function in {
    "Add": np.add,
    "Sub": np.subtract,
    "Mul": np.multiply,
    "Div": np.true_divide,
    "Maximum": np.maximum,
    "Minimum": np.minimum,
    "Pow": np.power,
}.items():
    _low = 0.5 if _name in ("Pow", "Div") else -3
    _kinds = FLOATS if _name in ("Pow", "Div") else WITH_INTS
    ROWS += [
        row(f"Foreach{_name}Scalar", tensor_number(1, 2, low=_low), each(_function), _kinds),
        row(f"Foreach{_name}ScalarV2", lists(1, 2, low=_low), each(_function), _kinds),
        row(f"Foreach{_name}ScalarList", numbers(1, [1.0, 2.0, 3.0, 4.0], low=_low), each(_function), _kinds),
    ]
    if _name not in ("Add", "Sub"):
        ROWS.append(row(f"Foreach{_name}List", lists(2, low=_low), each(_function), _kinds))
ROWS += [
    row("ForeachCopy", lists(1), each(lambda x: x), (*WITH_INTS, torch.bool)),
    row("ForeachZeroInplace", lists(1), each(np.zeros_like), WITH_INTS),
    row("ForeachAddList", tensor_number(2, 2), each(lambda a, b, alpha: a + alpha * b), WITH_INTS),
    row("ForeachSubList", tensor_number(2, 2), each(lambda a, b, alpha: a - alpha * b), WITH_INTS),
    row("ForeachAddListV2", lists(2, 2.0), each(lambda a, b, alpha: a + (alpha * b).astype(b.dtype)), WITH_INTS),
    row("ForeachSubListV2", lists(2, 2.0), each(lambda a, b, alpha: a - (alpha * b).astype(b.dtype)), WITH_INTS),
    row("ForeachPowScalarAndTensor", lambda t: [(2.0, listed(t))], lambda number, xs: each(lambda x: number**x)(xs)),
    row("ForeachAddcmulScalar", tensor_number(3, 2), each(lambda a, b, c, v: a + v * b * c), WITH_INTS, loose=3),
    row("ForeachAddcmulScalarV2", lists(3, 2), each(lambda a, b, c, v: a + v * b * c), WITH_INTS, loose=3),
    row(
        "ForeachAddcmulScalarList",
        tensor_numbers(3, FOUR),
        by_tensor_numbers(lambda a, b, c, v: a + v * b * c),
        loose=3,
    ),
    row("ForeachAddcdivScalar", tensor_number(3, 2, low=1), each(lambda a, b, c, v: a + v * b / c), loose=3),
    row("ForeachAddcdivScalarV2", lists(3, 0.5, low=1), each(lambda a, b, c, v: a + v * b / c), loose=3),
    row(
        "ForeachAddcdivScalarList",
        tensor_numbers(3, FOUR),
        by_tensor_numbers(lambda a, b, c, v: a + v * b / c),
        loose=3,
    ),
    row("ForeachLerpList", lists(3), each(lambda a, b, w: a + w * (b - a)), loose=3),
    row("ForeachLerpScalar", lists(2, 0.3), each(lambda a, b, w: a + w * (b - a)), loose=3),
    row(
        "ForeachNorm",
        lambda t: [(listed(t), order) for order in (1, 2.0, float("inf"))][:2] + [([t(3, 4), t(5)], float("inf"))],
        each(lambda x, p: np.linalg.norm(x.ravel(), p)),
        loose=2,
    ),
    row(
        "ForeachRoundOffNumber",
        lambda t: [(listed(t), torch.tensor([mode], dtype=torch.int8)) for mode in (1, 2, 3, 4, 5)],
        each(rounded),
    ),
    row("ForeachRoundOffNumberV2", lambda t: [(listed(t), mode) for mode in (1, 2, 3, 4, 5)], each(rounded)),
]
