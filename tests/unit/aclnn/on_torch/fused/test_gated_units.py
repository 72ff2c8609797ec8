"""Gated activations against loops in float64."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.kit.tensors import call, close, empty, nearest, numbers, random, same, torch

import ascend_sim.aclnn.on_torch.fused.gated_units  # noqa: F401  isort: skip

F32, F16, BF16, I8, I32, I64 = torch.float32, torch.float16, torch.bfloat16, torch.int8, torch.int32, torch.int64
KINDS = [F32, F16, BF16]


def sigmoid(v):
    return 1 / (1 + math.exp(-v))


def silu(v):
    return v * sigmoid(v)


def gelu(v, tanh):
    if tanh:
        return 0.5 * v * (1 + math.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v**3)))
    return 0.5 * v * (1 + math.erf(v / math.sqrt(2)))


def whole(value, low=-128, high=127):
    return int(min(max(round(value), low), high))


def slope(function, v):
    """A central difference: good to about 1e-9 in float64."""
    return (function(v + 1e-5) - function(v - 1e-5)) / 2e-5


def halves(values, dim=-1):
    return np.split(values, 2, dim)


def each(function, *arrays):
    return np.array([function(*cells) for cells in zip(*(a.ravel() for a in arrays), strict=True)]).reshape(
        arrays[0].shape
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape, dim", [((3, 8), -1), ((4, 3, 2), 0), ((2, 2), 1), ((0, 4), -1)])
def test_swi_glu_and_its_gradient(kind, shape, dim):
    rng = np.random.default_rng(1)
    x = random(rng, shape, kind, gaps=True)
    a, b = halves(numbers(x), dim)
    out = empty(a.shape, kind, gaps=True)
    call("aclnnSwiGlu", x=x, dim=dim, out=out)
    close(out, each(lambda p, q: silu(p) * q, a, b))
    grad, dx = random(rng, a.shape, kind), empty(shape, kind)
    call("aclnnSwiGluGrad", y_grad=grad, x=x, dim=dim, out=dx)
    da = each(lambda g, p, q: g * q * slope(silu, p), numbers(grad), a, b)
    db = each(lambda g, p: g * silu(p), numbers(grad), a)
    close(dx, np.concatenate((da, db), dim))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("tanh", [0, 1])
@pytest.mark.parametrize("name, left", [("aclnnGeGlu", False), ("aclnnGeGluV3", False), ("aclnnGeGluV3", True)])
def test_ge_glu_and_its_gradient(name, kind, tanh, left):
    rng = np.random.default_rng(2)
    x = random(rng, (3, 8), kind, gaps=True)
    first, second = halves(numbers(x))
    gate, value = (first, second) if left else (second, first)
    out, active = empty((3, 4), kind), empty((3, 4), kind)
    more = {} if name == "aclnnGeGlu" else {"activate_left": left}
    call(name, self=x, dim=-1, approximate=tanh, out=out, out_gelu=active, **more)
    close(out, each(lambda g, v: gelu(g, tanh) * v, gate, value))
    close(active, each(lambda g: gelu(g, tanh), gate))
    grad, dx = random(rng, (3, 4), kind), empty((3, 8), kind)
    call("aclnnGeGluV3Backward", grad_output=grad, self=x, gelu=active, dim=-1, approximate=tanh, activate_left=left,
         grad_input=dx)  # fmt: skip
    dgate = each(lambda d, g, v: d * v * slope(lambda w: gelu(w, tanh), g), numbers(grad), gate, value)
    dvalue = each(lambda d, g: d * gelu(g, tanh), numbers(grad), gate)
    close(dx, np.concatenate((dgate, dvalue) if left else (dvalue, dgate), -1))


@pytest.mark.parametrize("kind", KINDS)
def test_fast_gelu_and_its_gradient(kind):
    rng = np.random.default_rng(3)
    x, grad, out, dx = (
        random(rng, (3, 5), kind, gaps=True),
        random(rng, (3, 5), kind),
        empty((3, 5), kind),
        empty((3, 5), kind),
    )

    def function(v):
        return v / (1 + math.exp(-1.702 * v))

    call("aclnnFastGelu", self=x, out=out)
    close(out, each(function, numbers(x)))
    call("aclnnFastGeluBackward", grad_output=grad, self=x, grad_input=dx)
    close(dx, each(lambda g, v: g * slope(function, v), numbers(grad), numbers(x)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("approximate", ["none", "tanh"])
def test_gelu_mul(kind, approximate):
    x, out = random(np.random.default_rng(4), (2, 3, 8), kind), empty((2, 3, 4), kind)
    call("aclnnGeluMul", input=x, approximate=approximate, out=out)
    a, b = halves(numbers(x))
    close(out, each(lambda p, q: gelu(p, approximate == "tanh") * q, a, b))


@pytest.mark.parametrize("name, mode, kind_of_list", [("aclnnSwiGluQuant", "dynamic", 0), ("aclnnSwiGluQuant", "static", 0),
                                              ("aclnnSwiGluQuantV2", "dynamic", 1), ("aclnnSwiGluQuantV2", "static", 1),
                                              ("aclnnSwiGluQuantV2", "dynamic", None)])  # fmt: skip
@pytest.mark.parametrize("left", [True, False])
@pytest.mark.parametrize("per_channel", [True, False])
def test_swi_glu_quant_by_groups(name, mode, kind_of_list, left, per_channel):
    rng = np.random.default_rng(5)
    x = random(rng, (6, 8), F16)
    groups = [0, 0, 2, 2, 2, 2] if kind_of_list is not None else [0] * 6
    count = 3 if kind_of_list is not None else 1
    shape = (count, 4) if per_channel else (count,)
    smooth, offsets = random(rng, shape, spread=20), random(rng, shape)
    index = {0: torch.tensor([2, 2, 6]), 1: torch.tensor([2, 0, 4]), None: None}[kind_of_list]
    y, scale = empty((6, 4), I8), empty((6,))
    more = {} if name == "aclnnSwiGluQuant" else {"group_list_type": kind_of_list or 0, "dst_type": 2}
    call(name, x=x, smooth_scales=smooth, offsets=offsets if mode == "static" else None, quant_mode=mode, y_out=y,
         group_index=None if index is None else index.to(I32), activate_left=left, scale_out=scale, **more)  # fmt: skip
    first, second = halves(numbers(x))
    a, b = (first, second) if left else (second, first)
    for i, group in enumerate(groups):
        factor = np.broadcast_to(numbers(smooth)[group], 4)
        values = np.array([silu(p) * q * f for p, q, f in zip(a[i], b[i], factor, strict=True)])
        if mode == "static":
            values = values + np.broadcast_to(numbers(offsets)[group], 4)
            same(y[i], [whole(v) for v in values])
        else:
            factor = 127 / np.abs(values).max()
            close(scale[i], factor)
            same(y[i], [whole(v * factor) for v in values])


LATER = {"dst_type": 2, "round_mode": "rint", "activate_dim": -1, "swiglu_mode": 0, "clamp_limit": 0.0, "glu_alpha": 0.0,
         "glu_bias": 0.0}  # fmt: skip
"""What V2 adds to DequantSwigluQuant, as it is without it."""


@pytest.mark.parametrize("name", ["aclnnDequantSwigluQuant", "aclnnDequantSwigluQuantV2"])
@pytest.mark.parametrize("mode", ["static", "dynamic"])
@pytest.mark.parametrize("kind", [I32, BF16])
@pytest.mark.parametrize("grouped", [True, False])
@pytest.mark.parametrize("bias_kind", [None, I32, F32])
def test_dequant_swiglu_quant(name, mode, kind, grouped, bias_kind):
    rng = np.random.default_rng(6)
    x = random(rng, (6, 8), kind, spread=3)
    groups, count = ([0, 0, 2, 2, 2, 2], 3) if grouped else ([0] * 6, 1)
    integer = kind == I32
    weight = random(rng, (count, 8), spread=0.1) if integer else None
    token = random(rng, (6,)) if integer else None
    bias = random(rng, (count, 8), bias_kind) if integer and bias_kind is not None else None
    if not grouped:
        weight, bias = (None if t is None else t[0] for t in (weight, bias))
    smooth = random(rng, (count, 4)).abs() + 0.05 if mode == "dynamic" else torch.full((count,), 0.05)
    offset = torch.full((count,), 3.0) if mode == "static" else None
    y, scale = empty((6, 4), I8), empty((6,))
    more = LATER if name.endswith("V2") else {}
    call(name, **more, x=x, weight_scale=weight, activation_scale=token, bias=bias, quant_scale=smooth,
         quant_offset=offset, group_index=torch.tensor([2, 0, 4]) if grouped else None, activate_left=False,
         quant_mode=mode, y_out=y, scale_out=scale)  # fmt: skip
    for i, group in enumerate(groups):
        row = numbers(x)[i]
        if integer:
            factor = numbers(weight).reshape(-1, 8)[group] * numbers(token)[i]
            added = 0 if bias is None else numbers(bias).reshape(-1, 8)[group]
            row = (row + added) * factor if bias_kind == I32 else row * factor + added
        values = np.array([p * silu(q) for p, q in zip(row[:4], row[4:], strict=True)])
        if mode == "static":
            same(y[i], [whole(v / float(np.float32(0.05)) + 3) for v in values])
        else:
            values = values * numbers(smooth)[group]
            close(scale[i], np.abs(values).max() / 127)
            same(y[i], [whole(v * 127 / np.abs(values).max()) for v in values])


@pytest.mark.parametrize("kind, top", [(torch.float8_e5m2, 57344.0), (torch.float8_e4m3fn, 448.0)])
def test_dequant_swiglu_quant_v2_to_float8(kind, top):
    x, y, scale = random(np.random.default_rng(8), (3, 8), BF16, spread=2), empty((3, 4), kind), empty((3,))
    call("aclnnDequantSwigluQuantV2", **LATER, x=x, activate_left=True, quant_mode="dynamic", y_out=y, scale_out=scale)
    a, b = halves(numbers(x))
    values = each(lambda p, q: silu(p) * q, a, b)
    step = np.abs(values).max(1) / top
    close(scale, step)
    nearest(y, values / step[:, None])


@pytest.mark.parametrize("mode", [0, 1, 2, 3])
def test_dequant_swiglu_quant_v2_has_the_variants_of_models(mode):
    x, y, scale = random(np.random.default_rng(7), (3, 8), BF16, spread=2), empty((3, 4), I8), empty((3,))
    call("aclnnDequantSwigluQuantV2", x=x, activate_left=True, quant_mode="dynamic", dst_type=2, round_mode="rint",
         activate_dim=-1, swiglu_mode=mode, clamp_limit=1.5, glu_alpha=1.7, glu_bias=0.5, y_out=y,
         scale_out=scale)  # fmt: skip
    for i, row in enumerate(numbers(x)):
        a, b = (row[::2], row[1::2]) if mode == 1 else (row[:4], row[4:])
        if mode == 0:
            values = [silu(p) * q for p, q in zip(a, b, strict=True)]
        elif mode == 3:
            values = [min(silu(p), 1.5) * min(max(q, -1.5), 1.5) for p, q in zip(a, b, strict=True)]
        else:
            cut = [min(p, 1.5) for p in a]
            values = [p * sigmoid(1.7 * p) * (min(max(q, -1.5), 1.5) + 0.5) for p, q in zip(cut, b, strict=True)]
        top = max(abs(v) for v in values)
        close(scale[i], top / 127)
        same(y[i], [whole(v * 127 / top) for v in values])
