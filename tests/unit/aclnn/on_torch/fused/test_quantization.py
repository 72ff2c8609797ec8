"""Quantising operators against plain loops: rounding half to even, saturation, packed INT4, groups, bits of scales."""

from __future__ import annotations

import numpy as np
import pytest

from tests.kit.tensors import call, close, empty, nearest, numbers, random, same, torch

import ascend_sim.aclnn.on_torch.fused.quantization as subject  # isort: skip

F32, F16, BF16, I8, I32, I64 = torch.float32, torch.float16, torch.bfloat16, torch.int8, torch.int32, torch.int64


def whole(value: float, low: int = -128, high: int = 127) -> int:
    """Half to even, then saturated: by Python's own round."""
    return int(min(max(round(value), low), high))


def halves(x, scale_of, low, high):
    return np.array([[whole(v * scale_of(i, j), low, high) for j, v in enumerate(row)] for i, row in enumerate(x)])


def unpacked(words) -> np.ndarray:
    """INT4 of INT32 words, the first value in the lowest bits."""
    rows = []
    for row in words.reshape(-1, words.shape[-1]).tolist():
        values = []
        for word in row:
            for k in range(8):
                nibble = (word >> (4 * k)) & 15
                values.append(nibble - 16 if nibble > 7 else nibble)
        rows.append(values)
    return np.array(rows)


@pytest.mark.parametrize("kind", [F32, F16, BF16])
@pytest.mark.parametrize("smooth", [False, True])
@pytest.mark.parametrize("shape", [(4, 16), (2, 3, 8), (1, 1), (0, 8)])
def test_dynamic_quant_scales_each_row(kind, smooth, shape):
    rng = np.random.default_rng(1)
    x, s = random(rng, shape, kind, gaps=True), random(rng, shape[-1:], kind) if smooth else None
    if shape[0]:
        x[0] = 0  # a row of zeros has no scale to divide by
    y, scale = empty(shape, I8, gaps=True), empty(shape[:-1])
    call("aclnnDynamicQuant", x=x, smooth_scales=s, y_out=y, scale_out=scale)
    rows = numbers(x).reshape(-1, shape[-1]) * (1 if s is None else numbers(s))
    highest = np.abs(rows).max(1) if rows.size else np.zeros(0)
    wanted = [[whole(v * 127 / m) if m else 0 for v in row] for row, m in zip(rows, highest, strict=True)]
    same(y.reshape(-1, shape[-1]), np.array(wanted).reshape(-1, shape[-1]))
    close(scale.reshape(-1), highest / 127)


def test_dynamic_quant_v2_by_groups_with_offsets_and_packed_int4():
    rng = np.random.default_rng(2)
    x, smooth, ends = random(rng, (6, 16), F16), random(rng, (3, 16), F16), torch.tensor([2, 2, 6], dtype=I32)
    factors = numbers(smooth)[[0, 0, 2, 2, 2, 2]]
    rows = numbers(x) * factors
    y, scale, offset = empty((6, 16), I8), empty((6,)), empty((6,))
    operands = {"x": x, "smooth_scales": smooth, "group_index": ends}
    call("aclnnDynamicQuantV2", **operands, dst_type=2, y_out=y, scale_out=scale, offset_out=offset)
    for i, row in enumerate(rows):
        step = (row.max() - row.min()) / 255
        close(scale[i], step)
        close(offset[i], 127 - row.max() / step, F16)
        same(y[i], [whole(v / step + 127 - row.max() / step) for v in row])
    packed, scale = empty((6, 2), I32), empty((6,))
    call("aclnnDynamicQuantV2", **operands, dst_type=29, y_out=packed, scale_out=scale)
    assert unpacked(packed).tolist() == [[whole(v * 7 / np.abs(row).max(), -8, 7) for v in row] for row in rows]
    close(scale, np.abs(rows).max(1) / 7)


FLOAT8 = {torch.float8_e5m2: 57344.0, torch.float8_e4m3fn: 448.0}


@pytest.mark.parametrize("name", ["aclnnDynamicQuant", "aclnnDynamicQuantV2", "aclnnDynamicQuantV3"])
@pytest.mark.parametrize("kind", [I8, I32, *FLOAT8])
def test_dynamic_quant_by_groups_in_each_type(name, kind):
    rng = np.random.default_rng(12)
    grouped = name != "aclnnDynamicQuant"
    x, smooth, ends = random(rng, (4, 16), BF16), random(rng, (2, 16), BF16), torch.tensor([1, 4], dtype=I32)
    y, scale = empty((4, 2) if kind == I32 else (4, 16), kind), empty((4,))
    more = {"group_index": ends, "dst_type": 3} if grouped else {}
    more |= {"is_symmetrical": True, "quant_mode": "pertoken"} if name[-1] == "3" else {}
    call(name, x=x, smooth_scales=smooth if grouped else smooth[0], y_out=y, scale_out=scale, **more)
    rows = numbers(x) * numbers(smooth)[[0, 1, 1, 1] if grouped else [0] * 4]
    step = np.abs(rows).max(1) / {I8: 127, I32: 7, **FLOAT8}[kind]
    close(scale, step)
    if kind in FLOAT8:
        nearest(y, rows / step[:, None])
    else:
        codes = unpacked(y) if kind == I32 else numbers(y)
        low, high = (-8, 7) if kind == I32 else (-128, 127)
        assert codes.tolist() == [[whole(v, low, high) for v in row] for row in rows / step[:, None]]


@pytest.mark.parametrize("mode", ["pertoken", "pertensor", "perchannel"])
@pytest.mark.parametrize("symmetric", [True, False])
def test_dynamic_quant_v3_by_token_tensor_and_channel(mode, symmetric):
    x = random(np.random.default_rng(3), (5, 8), BF16)
    shape = {"pertoken": (5,), "pertensor": (1,), "perchannel": (8,)}[mode]
    y, scale, offset = empty((5, 8), I8), empty(shape), None if symmetric else empty(shape)
    call("aclnnDynamicQuantV3", x=x, dst_type=2, is_symmetrical=symmetric, quant_mode=mode, y_out=y, scale_out=scale,
         offset_out=offset)  # fmt: skip
    values = numbers(x)
    for i in range(5):
        for j in range(8):
            part = {"pertoken": values[i], "pertensor": values, "perchannel": values[:, j]}[mode]
            place = {"pertoken": i, "pertensor": 0, "perchannel": j}[mode]
            step = np.abs(part).max() / 127 if symmetric else (part.max() - part.min()) / 255
            shift = 0 if symmetric else 127 - part.max() / step
            assert y[i, j] == whole(values[i, j] / step + shift)
            close(scale[place], step)


@pytest.mark.parametrize(
    "mode, function", [("round", round), ("floor", np.floor), ("ceil", np.ceil), ("trunc", np.trunc)]
)
@pytest.mark.parametrize("square", [False, True])
@pytest.mark.parametrize("per_channel", [False, True])
def test_ascend_quant_rounds_as_asked(mode, function, square, per_channel):
    rng = np.random.default_rng(4)
    x = random(rng, (3, 8), F16, spread=40, gaps=True)
    scale, offset = (random(rng, (8,) if per_channel else (1,), F16, 2) for _ in range(2))
    y = empty((3, 8), I8)
    operands = {"x": x, "scale": scale, "offset": offset, "sqrt_mode": square, "round_mode": mode, "dst_type": 2}
    call("aclnnAscendQuant", **operands, y=y)
    a, s, o = numbers(x), np.broadcast_to(numbers(scale), 8), np.broadcast_to(numbers(offset), 8)
    wanted = np.array([[function(a[i, j] * s[j] ** (1 + square) + o[j]) for j in range(8)] for i in range(3)])
    same(y, np.clip(wanted, -128, 127))


def test_ascend_quant_v3_along_an_axis_without_offset_and_as_int4():
    rng = np.random.default_rng(5)
    x, scale = random(rng, (3, 2, 8), spread=3), random(rng, (2,), spread=2)
    y = empty((3, 2, 1), I32)
    call("aclnnAscendQuantV3", x=x, scale=scale, sqrt_mode=False, round_mode="round", dst_type=3, axis=1, y=y)
    wanted = [
        [whole(v * s, -8, 7) for v in row] for block in numbers(x) for row, s in zip(block, numbers(scale), strict=True)
    ]
    assert unpacked(y).tolist() == wanted


@pytest.mark.parametrize("name", ["aclnnAscendQuant", "aclnnAscendQuantV3"])
@pytest.mark.parametrize("kind", [I8, I32, *FLOAT8])
def test_ascend_quant_in_each_type(name, kind):
    if kind in FLOAT8 and name == "aclnnAscendQuant":
        return  # FLOAT8 came with V3
    rng = np.random.default_rng(13)
    x, scale, offset = random(rng, (3, 8), spread=3), random(rng, (8,), spread=2), random(rng, (8,))
    y = empty((3, 1) if kind == I32 else (3, 8), kind)
    more = {"axis": -1} if name.endswith("V3") else {}
    call(name, x=x, scale=scale, offset=offset, sqrt_mode=False, round_mode="round", dst_type=3, y=y, **more)
    values = numbers(x) * numbers(scale) + numbers(offset)
    if kind in FLOAT8:
        nearest(y, values)
    else:
        codes, limits = (unpacked(y), (-8, 7)) if kind == I32 else (numbers(y), (-128, 127))
        assert codes.tolist() == [[whole(v, *limits) for v in row] for row in values]


def test_halves_round_to_even_and_large_values_saturate():
    x = torch.tensor([[0.5, 1.5, 2.5, -0.5, -1.5, 127.5, -128.5, 1e9]])
    y = empty((1, 8), I8)
    call("aclnnAscendQuant", x=x, scale=torch.ones(1), sqrt_mode=False, round_mode="round", dst_type=2, y=y)
    same(y, [[0, 2, 2, 0, -2, 127, -128, 127]])


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("square", [False, True])
@pytest.mark.parametrize("with_offset", [False, True])
def test_ascend_anti_quant(packed, square, with_offset):
    rng = np.random.default_rng(6)
    codes = rng.integers(-8, 8, (2, 16))
    x = torch.from_numpy(codes).to(I8)
    if packed:
        words = [[sum((int(v) & 15) << (4 * k) for k, v in enumerate(row[i : i + 8])) for i in (0, 8)] for row in codes]
        x = torch.tensor(words).to(torch.uint32).view(I32)
    scale, offset, y = random(rng, (16,)), random(rng, (16,)) if with_offset else None, empty((2, 16), F16)
    call("aclnnAscendAntiQuant", x=x, scale=scale, offset=offset, dst_type=1, sqrt_mode=square, y=y)
    shift = 0 if offset is None else numbers(offset)
    close(y, (codes + shift) * numbers(scale) ** (1 + square))


@pytest.mark.parametrize("kind", FLOAT8)
def test_float8_in_and_out(kind):
    rng = np.random.default_rng(14)
    x, scale, y = random(rng, (2, 4)).to(torch.float8_e5m2), random(rng, (4,)), empty((2, 4), F16)
    call("aclnnAscendAntiQuant", x=x, scale=scale, dst_type=1, sqrt_mode=False, y=y)
    close(y, numbers(x) * numbers(scale))
    values, scales, out = random(rng, (3, 4), spread=30), random(rng, (4,)).abs() + 0.1, empty((3, 4), kind)
    call("aclnnQuantize", x=values, scales=scales, dtype=36, axis=1, out=out)
    nearest(out, numbers(values) / numbers(scales))


@pytest.mark.parametrize("out_kind, low, high", [(I8, -128, 127), (torch.uint8, 0, 255), (I32, -(2**31), 2**31 - 1)])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("with_zero", [False, True])
def test_quantize_divides_and_adds_the_zero_point(out_kind, low, high, axis, with_zero):
    rng = np.random.default_rng(7)
    x, scales = random(rng, (3, 4), spread=30), random(rng, (3, 4)[axis]).abs() + 0.1
    zeros = random(rng, (3, 4)[axis], I32) if with_zero else None
    out = empty((3, 4), out_kind)
    call("aclnnQuantize", x=x, scales=scales, zero_points=zeros, dtype=2, axis=axis, out=out)
    for i in range(3):
        for j in range(4):
            k = (i, j)[axis]
            shift = 0 if zeros is None else int(zeros[k])
            assert out[i, j] == whole(float(x[i, j].double() / scales[k].double()) + shift, low, high)


@pytest.mark.parametrize("offset", [None, 1.5])
def test_group_quant_takes_the_scale_of_the_row_s_group(offset):
    rng = np.random.default_rng(8)
    x, scale, ends = random(rng, (5, 8), spread=30), random(rng, (3, 8)), torch.tensor([1, 1, 5], dtype=I64)
    shift = None if offset is None else torch.tensor([offset])
    y, packed = empty((5, 8), I8), empty((5, 1), I32)
    operands = {"x": x, "scale": scale, "group_index": ends, "offset": shift}
    call("aclnnGroupQuant", **operands, dst_type=2, y=y)
    call("aclnnGroupQuant", **operands, dst_type=3, y=packed)
    values = [[float(x[i, j].double() * scale[g, j].double()) + (offset or 0) for j in range(8)]
              for i, g in enumerate([0, 2, 2, 2, 2])]  # fmt: skip
    same(y, [[whole(v) for v in row] for row in values])
    assert unpacked(packed).tolist() == [[whole(v, -8, 7) for v in row] for row in values]


@pytest.mark.parametrize("bias_kind", [None, I32, F32, BF16])
@pytest.mark.parametrize("by_token", [False, True])
def test_dequant_bias(bias_kind, by_token):
    rng = np.random.default_rng(9)
    x, weight = random(rng, (3, 4), I32, spread=50), random(rng, (4,))
    token, bias = random(rng, (3,)) if by_token else None, None if bias_kind is None else random(rng, (4,), bias_kind)
    out = empty((3, 4), F16)
    call("aclnnDequantBias", x=x, weight_scale=weight, activate_scale=token, bias=bias, output_dtype=1, out=out)
    for i in range(3):
        for j in range(4):
            factor = float(weight[j].double()) * (1 if token is None else float(token[i].double()))
            added = 0 if bias is None else float(bias[j].double())
            wanted = (int(x[i, j]) + added) * factor if bias_kind == I32 else int(x[i, j]) * factor + added
            close(out[i, j], wanted)


@pytest.mark.parametrize("name", ["aclnnTransQuantParamV2", "aclnnTransQuantParamV3"])
@pytest.mark.parametrize("offset", [None, -3.5, 700.0])
@pytest.mark.parametrize("out_kind", [torch.uint64, I64])
def test_trans_quant_param_packs_the_scale_s_bits(name, offset, out_kind):
    scales = np.array([1.0, 0.1, -2.7, 3e-5], dtype=np.float32)
    shift = None if offset is None else torch.full((4,), offset)
    out = torch.zeros(4, dtype=out_kind)
    call(name, scale=torch.from_numpy(scales), offset=shift, out=out, **({"round_mode": 0} if name[-1] == "3" else {}))
    for word, scale in zip(out.view(I64).tolist(), scales, strict=True):
        bits = int(np.float32(scale).view(np.uint32))
        assert word & 0xFFFFFFFF == bits >> 13 << 13
        assert word >> 46 == 1
        assert (word >> 37) & 511 == (0 if offset is None else min(max(round(offset), -256), 255) % 512)
    back = subject.dequantised_scale(out)
    np.testing.assert_allclose(back.numpy(), scales, rtol=2e-3)


def test_trans_quant_param_v3_rounds_to_the_nearest_and_ties_to_even():
    bits = np.array([0x3F801000, 0x3F803000, 0x3F801001, 0x3F800FFF], dtype=np.uint32)
    out = torch.zeros(4, dtype=I64)
    call("aclnnTransQuantParamV3", scale=torch.from_numpy(bits.view(np.float32)), offset=None, round_mode=1, out=out)
    assert [word & 0xFFFFFFFF for word in out.tolist()] == [0x3F800000, 0x3F804000, 0x3F802000, 0x3F800000]
