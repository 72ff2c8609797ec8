"""Products of quantised operands against sums over Python numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.kit.tensors import call, close, empty, numbers, random, same, takes, torch

import ascend_sim.aclnn.on_torch.fused.quantized_products  # noqa: F401  isort: skip

F32, F16, BF16, I8, I32, I64 = torch.float32, torch.float16, torch.bfloat16, torch.int8, torch.int32, torch.int64


def product(a, b):
    """[.., M, K] by [.., K, N], one sum at a time."""
    if a.ndim == 3 or b.ndim == 3:
        count = max(a.shape[0] if a.ndim == 3 else 1, b.shape[0] if b.ndim == 3 else 1)
        parts = [(t[i if t.shape[0] > 1 else 0] if t.ndim == 3 else t) for i in range(count) for t in (a, b)]
        return np.array([product(parts[2 * i], parts[2 * i + 1]) for i in range(count)])
    return np.array([[sum(x * y for x, y in zip(row, column, strict=True)) for column in b.T] for row in a])


def whole(value, low=-128, high=127):
    return int(min(max(round(value), low), high))


def packed(codes):
    """INT4 of the last axis in INT32, the first lowest."""
    shape = (*codes.shape[:-1], codes.shape[-1] // 8)
    words = [sum((int(v) & 15) << (4 * k) for k, v in enumerate(eight)) for eight in codes.reshape(-1, 8)]
    return torch.tensor(words).to(torch.uint32).view(I32).reshape(shape)


def bits(scale):
    """FLOAT scales as UINT64, of those with 19 bits."""
    return torch.from_numpy(scale.astype(np.float32).view(np.uint32).astype(np.uint64))


@pytest.mark.parametrize("name", ["aclnnQuantMatmul", "aclnnQuantMatmulV2"])
@pytest.mark.parametrize("batch", [(), (2,)])
@pytest.mark.parametrize("with_bias", [False, True])
def test_the_first_versions(name, batch, with_bias):
    rng = np.random.default_rng(1)
    x1, x2 = random(rng, (*batch, 3, 4), I8), random(rng, (*batch, 4, 5), I8)
    bias, out = random(rng, (5,), I32) if with_bias else None, empty((*batch, 3, 5), F16)
    if name.endswith("V2"):
        scales = np.arange(1, 17) / 16
        call(
            name, x1=x1, x2=x2.transpose(-1, -2), bias=bias, deq_scale=bits(scales), adj_x1=False, adj_x2=True, out=out
        )
        factor = scales[:5]
    else:
        call(name, x1=x1, x2=x2, bias=bias, deq_scale=0.25, out=out)
        factor = 0.25
    close(out, (product(numbers(x1), numbers(x2)) + (0 if bias is None else numbers(bias))) * factor)


VERSIONS = ["aclnnQuantMatmulV3", "aclnnQuantMatmulV4", "aclnnQuantMatmulV5", "aclnnQuantMatmulWeightNz"]


def quant(name, x1, x2, scale, out, *, per_row=None, offset=None, **more):
    """The names of V3 and V4 for all versions."""
    operands = {"x1": x1, "x2": x2, "transpose_x1": False, "transpose_x2": False, "out": out}
    if name[-1] in "34":
        operands |= {"scale": scale, "offset": offset}
        operands |= {"pertoken_scale": per_row} if name[-1] == "4" else {}
    else:
        operands |= {"x2_scale": scale, "x2_offset": offset, "x1_scale": per_row, "group_size": 0}
    call(name, **(operands | more))


@pytest.mark.parametrize("name", VERSIONS)
@pytest.mark.parametrize("scale_kind", [F32, BF16, I64])
@pytest.mark.parametrize("scale_size", [1, 5])
@pytest.mark.parametrize("bias_kind", [None, I32, F32])
@pytest.mark.parametrize("flip", [False, True])
def test_scales_and_biases(name, scale_kind, scale_size, bias_kind, flip):
    rng = np.random.default_rng(2)
    x1, x2 = random(rng, (3, 4), I8), random(rng, (4, 5), I8)
    values = rng.integers(1, 9, scale_size) / 8
    scale = bits(values).view(I64) if scale_kind == I64 else torch.from_numpy(values).to(scale_kind)
    bias = None if bias_kind is None else random(rng, (5,), bias_kind)
    per_row = random(rng, (3,)) if name != "aclnnQuantMatmulV3" else None
    out = empty((3, 5), F16)
    right = x2.t().contiguous() if flip else x2
    quant(name, x1, right, scale, out, per_row=per_row, bias=bias, transpose_x2=flip)
    total, added = product(numbers(x1), numbers(x2)), 0 if bias is None else numbers(bias)
    rows = 1 if per_row is None else numbers(per_row)[:, None]
    wanted = (total + added) * values * rows if bias_kind == I32 else total * values * rows + added
    close(out, wanted)


@pytest.mark.parametrize("name", VERSIONS)
def test_int8_and_int32_results_round(name):
    rng = np.random.default_rng(3)
    x1, x2, scale, offset = random(rng, (2, 3, 4), I8), random(rng, (2, 4, 5), I8), random(rng, (5,)), random(rng, (5,))
    out, large = empty((2, 3, 5), I8), empty((2, 3, 5), I32)
    quant(name, x1, x2, scale, out, offset=offset)
    quant(name, x1, x2, scale, large)
    values = product(numbers(x1), numbers(x2)) * numbers(scale)
    same(out, np.vectorize(whole)(values + numbers(offset)))
    same(large, np.vectorize(lambda v: whole(v, -(2**31), 2**31 - 1))(values))


@pytest.mark.parametrize("name", VERSIONS[:3])
@pytest.mark.parametrize("flip", [False, True])
def test_int4_in_int32(name, flip):
    rng = np.random.default_rng(4)
    a, b = rng.integers(-8, 8, (3, 16)), rng.integers(-8, 8, (16, 8))
    scale, out = random(rng, (8,)), empty((3, 8), BF16)
    per_row = random(rng, (3,)) if name != VERSIONS[0] else None
    quant(name, packed(a), packed(b.T) if flip else packed(b), scale, out, per_row=per_row, transpose_x2=flip)
    close(out, product(a, b) * numbers(scale) * (1 if per_row is None else numbers(per_row)[:, None]))


def test_an_offset_of_the_result_with_weights_of_nz():
    rng = np.random.default_rng(19)
    a, b, shift = random(rng, (3, 16), I8), random(rng, (16, 8), I8), random(rng, (8,))
    per_row, wide = random(rng, (3,)), np.repeat(rng.integers(1, 9, (2, 8)) / 4, 8, 0)
    out = empty((3, 8), F16)
    quant(VERSIONS[3], a, b, torch.from_numpy(wide[::8].copy()).float(), out, per_row=per_row, y_offset=shift)
    close(out, (product(numbers(a), numbers(b) * wide) + numbers(shift)) * numbers(per_row)[:, None])


def test_groups_of_the_inner_axis_and_blocks():
    rng = np.random.default_rng(5)
    a, b = rng.integers(-8, 8, (3, 16)), rng.integers(-8, 8, (16, 8))
    scale, shift, per_row = random(rng, (2, 8)), random(rng, (8,)), random(rng, (3,))
    wide = np.repeat(rng.integers(1, 9, (2, 8)) / 4, 8, 0)
    out = empty((3, 8), F16)
    quant(
        "aclnnQuantMatmulV5",
        torch.from_numpy(a).to(I8),
        packed(b),
        bits(wide[::8].copy()),
        out,
        per_row=per_row,
        y_offset=shift,
    )
    close(out, (product(a, b * wide) + numbers(shift)) * numbers(per_row)[:, None])
    zero = random(rng, (2, 8), F16)
    quant("aclnnQuantMatmulV5", packed(a), packed(b), scale, out, per_row=per_row, offset=zero)
    shifted = (b - np.repeat(numbers(zero), 8, 0)) * np.repeat(numbers(scale), 8, 0)
    close(out, product(a, shifted) * numbers(per_row)[:, None], F16)
    rows, blocks = random(rng, (3, 2)), random(rng, (2, 2))
    for flip in (False, True):
        right = torch.from_numpy(b.T.copy() if flip else b).to(I8)
        quant(
            "aclnnQuantMatmulV5",
            torch.from_numpy(a).to(I8),
            right,
            blocks.t() if flip else blocks,
            out,
            per_row=rows,
            transpose_x2=flip,
        )
        left = a * np.repeat(numbers(rows), 8, 1)
        close(out, product(left, b * np.repeat(np.repeat(numbers(blocks), 8, 0), 4, 1)))


@pytest.mark.parametrize("kind", [I64, torch.uint64])
def test_a_scale_of_the_result(kind):
    rng = np.random.default_rng(22)
    a, b, wide = random(rng, (3, 16), I8), random(rng, (16, 8), I8), np.repeat(rng.integers(1, 9, (2, 8)) / 4, 8, 0)
    last, out = rng.integers(1, 9, (1, 8)) / 16, empty((3, 8), F16)
    scale = torch.from_numpy(wide[::8].copy()).float()
    quant("aclnnQuantMatmulV5", a, b, scale, out, y_scale=bits(last).view(kind))
    close(out, product(numbers(a), numbers(b) * wide) * last)


WEIGHT_ONLY = ["aclnnWeightQuantBatchMatmulV2", "aclnnWeightQuantBatchMatmulV3", "aclnnWeightQuantBatchMatmulNz"]


@pytest.mark.parametrize("name", WEIGHT_ONLY)
@pytest.mark.parametrize("shape", [(1,), (8,), (1, 8), (2, 8)])
@pytest.mark.parametrize("form", ["int8", "int4", "flipped"])
@pytest.mark.parametrize("full", [False, True])
def test_weights_made_numbers_first(name, shape, form, full):
    rng = np.random.default_rng(6)
    x, codes = random(rng, (3, 16), BF16, gaps=True), rng.integers(-8, 8, (16, 8))
    weight = {
        "int8": lambda: torch.from_numpy(codes).to(I8),
        "int4": lambda: packed(codes),
        "flipped": lambda: packed(codes.T).t(),
    }[form]()
    scale, offset = random(rng, shape, BF16), random(rng, shape, BF16)
    bias, q_scale, q_offset = random(rng, (8,)), random(rng, (8,), spread=3), random(rng, (8,))
    out = empty((3, 8), I8 if full else BF16)
    more = {"antiquant_offset": offset, "bias": bias, "quant_scale": q_scale, "quant_offset": q_offset} if full else {}
    more |= {"inner_precise": 0} if name.endswith("V3") else {}
    call(
        name, x=x, weight=weight, antiquant_scale=scale, antiquant_group_size=8 if len(shape) == 2 else 0, y=out, **more
    )

    def wide(t):
        values = numbers(t)
        return np.repeat(values, 16 // shape[0], 0) if len(shape) == 2 else np.broadcast_to(values, (16, 8))

    values = product(numbers(x), (codes + (wide(offset) if full else 0)) * wide(scale))
    if not full:
        close(out, values)
        return
    same(out, np.vectorize(whole)((values + numbers(bias)) * numbers(q_scale) + numbers(q_offset)))


GROUPED = [
    "aclnnGroupedMatmul",
    "aclnnGroupedMatmulV2",
    "aclnnGroupedMatmulV3",
    "aclnnGroupedMatmulV4",
    "aclnnGroupedMatmulV5",
    "aclnnGroupedMatmulWeightNz",
]
LATER = GROUPED[3:]


def grouped(name, x, weight, out, index=None, *, kind=0, axis=0, split=3, **more):
    """A call with what a version has of the common parameters; the first two take the groups as numbers."""
    first = name in GROUPED[:2]
    if index is not None:
        index = tuple(int(n) for n in index) if first else torch.tensor(index)
    operands = {"x": x, "weight": weight, "group_list": index, "split_item": split}
    operands |= {"y": out} if name in GROUPED[:3] else {"out": out, "group_list_type": kind, "act_type": 0}
    operands |= {} if name == GROUPED[0] else {"group_type": axis}
    operands |= {"quant_group_size": 0} if name == GROUPED[5] else {}
    call(name, **(operands | more))


@pytest.mark.parametrize("name", GROUPED)
@pytest.mark.parametrize("kind", [F32, F16, BF16])
@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize("with_bias", [False, True])
def test_rows_by_groups(name, kind, listed, with_bias):
    rng = np.random.default_rng(7)
    x, weight, bias = random(rng, (6, 4), kind), random(rng, (3, 4, 5), kind), random(rng, (3, 5), kind)
    out = empty((7, 5), kind)
    weights = [w.t().contiguous().t() for w in weight] if listed else [weight]
    biases = None if not with_bias else (list(bias) if listed else [bias])
    grouped(name, [torch.cat((x, x[:1]))], weights, [out], [2, 2, 6], bias=biases)
    for i, g in enumerate([0, 0, 2, 2, 2, 2]):
        row = product(numbers(x)[i : i + 1], numbers(weight)[g])[0]
        close(out[i], row + (numbers(bias)[g] if with_bias else 0))
    same(out[6], np.full(5, -77))  # rows beyond the last group stay


@pytest.mark.parametrize("name", LATER)
@pytest.mark.parametrize("kind, index", [(1, [2, 0, 4]), (2, [[2, 2], [0, 0], [1, 4]])])
def test_groups_as_counts_and_as_pairs(name, kind, index):
    rng = np.random.default_rng(8)
    x, weight, out = random(rng, (6, 4)), random(rng, (3, 4, 5)), empty((6, 5))
    grouped(name, [x], [weight], [out], index, kind=kind)
    owner = [0, 0, 2, 2, 2, 2] if kind == 1 else [2, 2, 1, 1, 1, 1]
    close(out, [product(numbers(x)[i : i + 1], numbers(weight)[g])[0] for i, g in enumerate(owner)])


@pytest.mark.parametrize("name", GROUPED)
@pytest.mark.parametrize("single", [False, True])
def test_an_x_each(name, single):
    rng = np.random.default_rng(9)
    x = [random(rng, (n, 4)) for n in (1, 3)]
    weight = [random(rng, (4, 5)) for _ in range(2)]
    out = [empty((4, 5))] if single else [empty((1, 5)), empty((3, 5))]
    grouped(name, x, weight, out, axis=-1, split=2 if single else 0)
    wanted = [product(numbers(a), numbers(b)) for a, b in zip(x, weight, strict=True)]
    for got, want in zip(out, [np.concatenate(wanted)] if single else wanted, strict=True):
        close(got, want)


@pytest.mark.parametrize("name", GROUPED[1:])
@pytest.mark.parametrize("single", [False, True])
def test_parts_of_the_inner_axis(name, single):
    rng = np.random.default_rng(10)
    x, weight = random(rng, (6, 3)).t(), random(rng, (6, 5))
    out = [empty((3, 3, 5))] if single else [empty((3, 5)) for _ in range(3)]
    grouped(name, [x], [weight], out, [2, 2, 6], axis=2, split=3 if single else 0)
    for i, (begin, end) in enumerate([(0, 2), (2, 2), (2, 6)]):
        close(
            out[0][i] if single else out[i],
            product(numbers(x)[:, begin:end], numbers(weight)[begin:end]) if end > begin else np.zeros((3, 5)),
        )


@pytest.mark.parametrize("name", GROUPED)
@pytest.mark.parametrize("bias_kind", [I32, I8])
def test_int8_groups_with_results_in_int8(name, bias_kind):
    if bias_kind == I8 and name != "aclnnGroupedMatmulV4":
        return  # the others list no INT8 for it
    rng = np.random.default_rng(20)
    x, weight, bias = random(rng, (6, 4), I8), random(rng, (3, 4, 5), I8), random(rng, (3, 5), bias_kind)
    values, offset, out = rng.integers(1, 9, (3, 5)) / 8, random(rng, (3, 5), spread=3), empty((6, 5), I8)
    scale = bits(values) if name in GROUPED[:3] else torch.from_numpy(values).float()
    for given in [scale, scale.view(I64)] if name == GROUPED[2] else [scale]:
        grouped(name, [x], [weight], [out], [2, 2, 6], bias=[bias], scale=[given], offset=[offset])
        for i, g in enumerate([0, 0, 2, 2, 2, 2]):
            total = product(numbers(x)[i : i + 1], numbers(weight)[g])[0] + numbers(bias)[g]
            same(out[i], [whole(v) for v in total * values[g] + numbers(offset)[g]])


@pytest.mark.parametrize("name", LATER)
@pytest.mark.parametrize("bias_kind", [None, I32, BF16])
@pytest.mark.parametrize("by_row", [False, True])
@pytest.mark.parametrize("act", [0, 1, 2, 4, 5])
def test_int8_groups_with_activations(name, bias_kind, by_row, act):
    rng = np.random.default_rng(11)
    x, weight, scale = random(rng, (6, 4), I8), random(rng, (3, 4, 5), I8), random(rng, (3, 5), BF16, spread=0.01)
    bias = None if bias_kind is None else [random(rng, (3, 5), bias_kind)]
    per_row, out = random(rng, (6,)) if by_row else None, empty((6, 5), BF16)
    grouped(
        name,
        [x],
        [weight],
        [out],
        [2, 0, 4],
        kind=1,
        scale=[scale],
        bias=bias,
        act_type=act,
        per_token_scale=None if per_row is None else [per_row],
    )
    function = {
        0: lambda v: v,
        1: lambda v: max(v, 0.0),
        2: lambda v: 0.5 * v * (1 + math.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v**3))),
        4: lambda v: v / (1 + math.exp(-1.702 * v)),
        5: lambda v: v / (1 + math.exp(-v)),
    }[act]
    for i, g in enumerate([0, 0, 2, 2, 2, 2]):
        total = product(numbers(x)[i : i + 1], numbers(weight)[g])[0]
        added = 0 if bias is None else numbers(bias[0])[g]
        factor = numbers(scale)[g] * (1 if per_row is None else float(numbers(per_row)[i]))
        values = (total + added) * factor if bias_kind == I32 else total * factor + added
        close(out[i], [function(float(v)) for v in values])


@pytest.mark.parametrize("name", GROUPED[1:])
def test_int8_groups_without_a_scale_are_sums(name):
    rng = np.random.default_rng(12)
    x, weight, out = random(rng, (3, 4), I8), random(rng, (2, 4, 5), I8), empty((3, 5), I32)
    index, kind = ([1, 3], 0) if name in GROUPED[:3] else ([1, 2], 1)
    grouped(name, [x], [weight], [out], index, kind=kind)
    same(out, [product(numbers(x)[i : i + 1], numbers(weight)[g])[0] for i, g in enumerate([0, 1, 1])])


@pytest.mark.parametrize("name", GROUPED)
@pytest.mark.parametrize("form", ["int8", "int4", "groups"])
@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize("with_offset", [False, True])
def test_groups_of_weights_made_numbers_first(name, form, listed, with_offset):
    rng = np.random.default_rng(13)
    x, codes = random(rng, (5, 4), F16), rng.integers(-8, 8, (2, 4, 8))
    shape = (2, 2, 8) if form == "groups" else (2, 8)
    scale, offset = random(rng, shape, F16), random(rng, shape, F16) if with_offset else None
    weight = torch.from_numpy(codes).to(I8) if form == "int8" else packed(codes)

    def given(t):
        return None if t is None else (list(t) if listed else [t])

    out = empty((5, 8), F16)
    grouped(name, [x], given(weight), [out], [2, 5], antiquant_scale=given(scale), antiquant_offset=given(offset))
    for i, g in enumerate([0, 0, 1, 1, 1]):

        def wide(t, g=g):
            return np.repeat(numbers(t)[g], 2, 0) if form == "groups" else numbers(t)[g]

        matrix = (codes[g] + (0 if offset is None else wide(offset))) * wide(scale)
        close(out[i], product(numbers(x)[i : i + 1], matrix)[0])


@pytest.mark.parametrize("name", LATER)
@pytest.mark.parametrize("parts", [1, 2])
def test_int8_by_int4_with_the_assist_in_the_bias(name, parts):
    rng = np.random.default_rng(14)
    x, codes = rng.integers(-128, 128, (5, 4)), rng.integers(-8, 8, (2, 4, 8))
    scale, per_row = rng.integers(1, 9, (2, parts, 8)) / 8, random(rng, (5,), spread=0.1)
    wide = np.repeat(scale, 4 // parts, 1)
    assist = torch.from_numpy(8 * (codes * wide).sum(1)).float()
    out = empty((5, 8), BF16)
    grouped(
        name,
        [torch.from_numpy(x).to(I8)],
        [packed(codes)],
        [out],
        [2, 3],
        kind=1,
        scale=[bits(scale)],
        bias=[assist],
        per_token_scale=[per_row],
    )
    wanted = [
        product(x[i : i + 1], codes[g] * wide[g])[0] * float(numbers(per_row)[i]) for i, g in enumerate([0, 0, 1, 1, 1])
    ]
    close(out, wanted)


def test_int4_by_int4_in_groups_of_the_inner_axis():
    rng = np.random.default_rng(15)
    x, codes, scale = rng.integers(-8, 8, (3, 16)), rng.integers(-8, 8, (2, 16, 8)), rng.integers(1, 9, (2, 2, 8)) / 8
    out = empty((3, 8), F16)
    grouped("aclnnGroupedMatmulV4", [packed(x)], [packed(codes)], [out], [1, 3], scale=[bits(scale)])
    close(out, [product(x[i : i + 1], codes[g] * np.repeat(scale[g], 8, 0))[0] for i, g in enumerate([0, 1, 1])])


@pytest.mark.parametrize("flip", [False, True])
def test_grouped_matmul_add(flip):
    rng = np.random.default_rng(16)
    x, weight, y = random(rng, (6, 3), F16), random(rng, (6, 5), F16), random(rng, (9, 5))
    before = numbers(y)
    left = x if flip else x.t().contiguous()
    call(
        "aclnnGroupedMatmulAdd",
        x=left,
        weight=weight,
        group_list=torch.tensor([2, 2, 6]),
        y=y,
        transpose_x=flip,
        transpose_weight=False,
        group_type=2,
    )
    for i, (begin, end) in enumerate([(0, 2), (2, 2), (2, 6)]):
        added = product(numbers(x)[begin:end].T, numbers(weight)[begin:end]) if end > begin else 0
        close(y[3 * i : 3 * i + 3], before[3 * i : 3 * i + 3] + added)


SWIGLU = [
    "aclnnGroupedMatmulSwigluQuant",
    "aclnnGroupedMatmulSwigluQuantWeightNZ",
    "aclnnGroupedMatmulSwigluQuantV2",
    "aclnnGroupedMatmulSwigluQuantWeightNzV2",
]


@pytest.mark.parametrize("name", SWIGLU)
@pytest.mark.parametrize("int4", [False, True])
def test_grouped_matmul_swiglu_quant(name, int4):
    rng = np.random.default_rng(17)
    x, codes, scale = rng.integers(-20, 20, (7, 4)), rng.integers(-8, 8, (3, 4, 16)), random(rng, (3, 16), spread=0.02)
    weight = packed(codes) if int4 else torch.from_numpy(codes).to(I8)
    assist = torch.from_numpy(8 * numbers(scale) * codes.sum(1)).float() if int4 else None
    per_row, out, out_scale = random(rng, (7,)), empty((7, 8), I8), empty((7,))
    operands = {"x": torch.from_numpy(x).to(I8), "x_scale": per_row, "output": out, "output_scale": out_scale}
    if "V2" in name:
        smooth = random(rng, (3, 8)).abs() + 0.1
        operands |= {
            "weight": [weight],
            "weight_scale": [scale],
            "weight_assist_matrix": None if assist is None else [assist],
        }
        operands |= {
            "smooth_scale": smooth,
            "dequant_mode": 0,
            "dequant_dtype": 0,
            "quant_mode": 0,
            "group_list_type": 1,
        }
        operands |= {"bias": random(rng, (3, 16))} if int4 else {}  # reserved: the assist says what to add
        call(name, **operands, group_list=torch.tensor([2, 0, 4]))
    else:
        smooth = torch.ones(3, 8)
        if takes(name, "output_offset"):  # reserved, both
            operands |= {"offset": random(rng, (3,)), "output_offset": torch.full((7,), 5.0)}
        call(name, **operands, weight=weight, weight_scale=scale, bias=assist, group_list=torch.tensor([2, 2, 6]))
    for i, g in enumerate([0, 0, 2, 2, 2, 2]):
        row = product(x[i : i + 1], codes[g])[0] * numbers(scale)[g] * float(numbers(per_row)[i])
        gated = (
            np.array([a / (1 + math.exp(-a)) * b for a, b in zip(row[:8], row[8:], strict=True)]) * numbers(smooth)[g]
        )
        top = np.abs(gated).max()
        np.testing.assert_allclose(float(out_scale[i]), top / 127, rtol=1e-4)
        assert np.abs(numbers(out)[i] - [whole(v * 127 / top) for v in gated]).max() <= (1 if int4 else 0)
    same(out[6], np.full(8, -77))


def test_grouped_matmul_swiglu_quant_of_int4_by_int4():
    rng = np.random.default_rng(21)
    x, codes, scale = rng.integers(-8, 8, (3, 8)), rng.integers(-8, 8, (2, 8, 16)), random(rng, (2, 16), spread=0.02)
    per_row, out, out_scale = random(rng, (3,)), empty((3, 8), I8), empty((3,))
    call("aclnnGroupedMatmulSwigluQuantWeightNzV2", x=packed(x), x_scale=per_row, weight=[packed(codes)],
         weight_scale=[scale], dequant_mode=0, dequant_dtype=0, quant_mode=0, group_list_type=1, output=out,
         group_list=torch.tensor([1, 2]), output_scale=out_scale)  # fmt: skip
    for i, g in enumerate([0, 1, 1]):
        row = product(x[i : i + 1], codes[g])[0] * numbers(scale)[g] * float(numbers(per_row)[i])
        gated = np.array([a / (1 + math.exp(-a)) * b for a, b in zip(row[:8], row[8:], strict=True)])
        np.testing.assert_allclose(float(out_scale[i]), np.abs(gated).max() / 127, rtol=1e-4)
        same(out[i], [whole(v * 127 / np.abs(gated).max()) for v in gated])


@pytest.mark.parametrize("name", ["aclnnGroupedMatmulFinalizeRouting", "aclnnGroupedMatmulFinalizeRoutingWeightNz"])
@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("int4", [False, True])
def test_grouped_matmul_finalize_routing(name, shared, int4):
    rng = np.random.default_rng(18)
    x, codes = rng.integers(-20, 20, (6, 4)), rng.integers(-8, 8, (3, 4, 8))
    scale = rng.integers(1, 9, (3, 1, 8)) / 8
    weight = packed(codes) if int4 else torch.from_numpy(codes).to(I8)
    assist = torch.from_numpy(8 * (scale * codes).sum(1)).float() if int4 else None
    per_row, logit, rows = random(rng, (6,), spread=0.1), random(rng, (6,)), torch.tensor([2, 0, 1, 2, 0, 1])
    extra, out = random(rng, (2, 8), BF16) if shared else None, empty((3, 8))
    nz = name.endswith("Nz")
    operands = {
        "x1" if nz else "x": torch.from_numpy(x).to(I8),
        "x2" if nz else "w": weight,
        "bias": assist,
        "dtype": 0,
    }
    operands |= {"scale": bits(scale).view(I64) if int4 else bits(scale[:, 0]).view(I64), "pertoken_scale": per_row}
    operands |= {"group_list": torch.tensor([2, 0, 4]), "shared_input": extra, "logit": logit, "row_index": rows}
    operands |= {"shared_input_weight": 0.5, "shared_input_offset": 1, "group_list_type": 1, "out" if nz else "y": out}
    operands |= {"transpose_x1": False, "transpose_x2": False} if nz else {"transpose_x": False, "transpose_w": False}
    call(name, **operands)
    wanted = np.zeros((3, 8))
    if shared:
        wanted[1:] += 0.5 * numbers(extra)
    for i, g in enumerate([0, 0, 2, 2, 2, 2]):
        factor = float(numbers(per_row)[i]) * float(numbers(logit)[i])
        wanted[int(rows[i])] += product(x[i : i + 1], codes[g])[0] * scale[g, 0] * factor
    np.testing.assert_allclose(numbers(out), wanted, rtol=1e-4, atol=1e-4)


def test_large_sums_are_exact():
    x = torch.full((1, 4096), 127, dtype=I8)
    out = empty((1, 1), I32)
    call("aclnnQuantMatmulV3", x1=x, x2=x, scale=torch.ones(1), transpose_x1=False, transpose_x2=True, out=out)
    assert int(out) == 4096 * 127 * 127
