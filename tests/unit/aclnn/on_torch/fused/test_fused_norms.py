"""Fused norms against loops over rows in float64."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.kit.tensors import call, close, empty, nearest, numbers, random, same, torch

import ascend_sim.aclnn.on_torch.fused.fused_norms  # noqa: F401  isort: skip

F32, F16, BF16, I8, I32 = torch.float32, torch.float16, torch.bfloat16, torch.int8, torch.int32
KINDS = [F32, F16, BF16]
SHAPES = [((3, 8), (8,)), ((2, 3, 4), (3, 4)), ((1,), (1,)), ((2, 1, 5), (5,))]


def rows_of(x, gamma):
    width = gamma.numel()
    return numbers(x).reshape(-1, width), numbers(gamma).reshape(width)


def rms(row, gamma, epsilon, plus=0.0):
    rstd = 1 / math.sqrt(sum(v * v for v in row) / len(row) + epsilon)
    return [v * rstd * (g + plus) for v, g in zip(row, gamma, strict=True)], rstd


def whole(value, low=-128, high=127):
    return int(min(max(round(value), low), high))


def rstd_like(x, gamma):
    return empty(x.shape[: x.dim() - gamma.dim()] + (1,) * gamma.dim())


@pytest.mark.parametrize("name, plus", [("aclnnRmsNorm", 0), ("aclnnGemmaRmsNorm", 1)])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape, tail", SHAPES)
def test_rms_norm(name, plus, kind, shape, tail):
    rng = np.random.default_rng(1)
    x, gamma = random(rng, shape, kind, gaps=True), random(rng, tail, F32 if kind == BF16 else kind)
    y, rstd = empty(shape, kind, gaps=True), rstd_like(x, gamma)
    call(name, x=x, gamma=gamma, epsilon=1e-5, y_out=y, rstd_out=rstd)
    rows, weights = rows_of(x, gamma)
    wanted = [rms(row, weights, 1e-5, plus) for row in rows]
    close(y.reshape(-1, gamma.numel()), [row for row, _ in wanted])
    close(rstd.reshape(-1), [r for _, r in wanted])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape, tail", SHAPES)
def test_rms_norm_grad(kind, shape, tail):
    rng = np.random.default_rng(2)
    x, dy, gamma = random(rng, shape, kind), random(rng, shape, kind, gaps=True), random(rng, tail, kind)
    rows, weights = rows_of(x, gamma)
    slopes, _ = rows_of(dy, gamma)
    rstd = rstd_like(x, gamma)
    rstd.copy_(torch.tensor([rms(row, weights, 1e-6)[1] for row in rows]).reshape(rstd.shape))
    dx, dgamma = empty(shape, kind), empty(tail)
    call("aclnnRmsNormGrad", dy=dy, x=x, rstd=rstd, gamma=gamma, dx_out=dx, dgamma_out=dgamma)
    wanted, total = [], np.zeros(len(weights))
    for row, slope in zip(rows, slopes, strict=True):
        r, n = rms(row, weights, 1e-6)[1], len(row)
        inner = sum(s * g * v for s, g, v in zip(slope, weights, row, strict=True))
        wanted.append([s * g * r - v * r**3 * inner / n for s, g, v in zip(slope, weights, row, strict=True)])
        total += slope * row * r
    close(dx.reshape(-1, len(weights)), wanted)
    close(dgamma.reshape(-1), total, kind)


@pytest.mark.parametrize("name", ["aclnnAddRmsNorm", "aclnnAddRmsNormCast", "aclnnInplaceAddRmsNorm"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape, tail", SHAPES[:3])
def test_add_rms_norm(name, kind, shape, tail):
    rng = np.random.default_rng(3)
    x1, x2, gamma = random(rng, shape, kind), random(rng, shape, kind), random(rng, tail, kind)
    rows, weights = rows_of(x1.double() + x2.double(), gamma)
    wanted = [rms(row, weights, 1e-6) for row in rows]
    rstd = rstd_like(x1, gamma)
    y, y2, total = empty(shape, F32 if "Cast" in name else kind), empty(shape, kind, gaps=True), empty(shape, kind)
    operands = {"x1": x1, "x2": x2, "gamma": gamma, "epsilon": 1e-6, "rstd_out": rstd}
    if "Inplace" in name:
        call(name, **operands)
        y, total = x1, x2
    elif "Cast" in name:
        call(name, **operands, y1_out=y, y2_out=y2, x_out=total)
        close(y2.reshape(-1, len(weights)), [row for row, _ in wanted])
    else:
        call(name, **operands, y_out=y, x_out=total)
    close(y.reshape(-1, len(weights)), [row for row, _ in wanted])
    close(total.reshape(rows.shape), rows)
    close(rstd.reshape(-1), [r for _, r in wanted])


def test_add_rms_norm_without_its_optional_outputs():
    x, y = torch.ones(2, 4), empty((2, 4))
    call("aclnnAddRmsNorm", x1=x, x2=x, gamma=torch.ones(4), epsilon=0.0, y_out=y)
    close(y, np.ones((2, 4)))


@pytest.mark.parametrize("name", ["aclnnAddRmsNormQuant", "aclnnAddRmsNormQuantV2"])
@pytest.mark.parametrize("divide", [True, False])
@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("kind", [F16, BF16])
def test_add_rms_norm_quant(name, divide, full, kind):
    rng = np.random.default_rng(4)
    x1, x2, gamma = (random(rng, s, kind) for s in ((3, 8), (3, 8), (8,)))
    s1, s2 = (random(rng, (8,)).abs() * (0.02 if divide else 40) + 0.01 for _ in range(2))
    z1, z2 = random(rng, (8,), I32), random(rng, (8,), I32)
    y1, y2, total, normed = empty((3, 8), I8), empty((3, 8), I8), empty((3, 8), kind), empty((3, 8), kind)
    beta = random(rng, (8,), kind) if full and name.endswith("V2") else None
    operands = {"x1": x1, "x2": x2, "gamma": gamma, "scales1": s1, "axis": -1, "epsilon": 1e-6, "div_mode": divide}
    operands |= {"y1_out": y1, "y2_out": y2, "x_out": total}
    if full:
        operands |= {"scales2": s2, "zero_points1": z1, "zero_points2": z2}
    if name.endswith("V2"):
        operands |= {"beta": beta, "rms_norm_out": normed if full else None}
    call(name, **operands)
    weights = numbers(gamma)
    plain = np.array([rms(row, weights, 1e-6)[0] for row in numbers(x1) + numbers(x2)])
    if full and name.endswith("V2"):
        close(normed, plain)
    shifted = plain if beta is None else plain + numbers(beta)

    def codes(scale, zero):
        factor = 1 / numbers(scale) if divide else numbers(scale)
        return [[whole(v * f + z) for v, f, z in zip(row, factor, zero, strict=True)] for row in shifted]

    same(y1, codes(s1, numbers(z1) if full else np.zeros(8)))
    close(total, numbers(x1) + numbers(x2))
    if full:
        same(y2, codes(s2, numbers(z2)))
    else:
        same(y2, np.full((3, 8), -77))


@pytest.mark.parametrize("smooth", [(), (1,), (1, 2)])
@pytest.mark.parametrize(
    "name, mask",
    [
        ("aclnnAddRmsNormDynamicQuant", None),
        ("aclnnAddRmsNormDynamicQuantV2", None),
        ("aclnnAddRmsNormDynamicQuantV2", (True, True)),
        ("aclnnAddRmsNormDynamicQuantV2", (False, True)),
    ],
)
def test_add_rms_norm_dynamic_quant(name, mask, smooth):
    rng = np.random.default_rng(5)
    x1, x2, gamma, beta = (random(rng, s, BF16) for s in ((2, 3, 8), (2, 3, 8), (8,), (8,)))
    factors = {k: random(rng, (8,), BF16) for k in smooth}
    outputs = {"y1_out": empty((2, 3, 8), I8), "y2_out": empty((2, 3, 8), I8), "x_out": empty((2, 3, 8), BF16)}
    outputs |= {"scale1_out": empty((2, 3)), "scale2_out": empty((2, 3))}
    operands = {f"smooth_scale{k}": v for k, v in factors.items()}
    if name.endswith("V2"):
        operands |= {"beta": beta, "output_mask": mask}
    call(name, x1=x1, x2=x2, gamma=gamma, epsilon=1e-6, **operands, **outputs)
    total = (numbers(x1) + numbers(x2)).reshape(6, 8)
    normed = np.array([rms(row, numbers(gamma), 1e-6)[0] for row in total])
    if name.endswith("V2"):
        normed = normed + numbers(beta)
    close(outputs["x_out"].reshape(6, 8), total)
    for k, wanted in zip((1, 2), mask or (True, len(smooth) == 2), strict=True):
        y, scale = outputs[f"y{k}_out"].reshape(6, 8), outputs[f"scale{k}_out"].reshape(6)
        if not wanted:
            same(y, np.full((6, 8), -77))
            continue
        values = normed * (numbers(factors[k]) if k in factors else 1)
        close(scale, np.abs(values).max(1) / 127)
        same(y, [[whole(v * 127 / np.abs(row).max()) for v in row] for row in values])


def int4(words):
    """INT4 values out of INT32, the first lowest."""
    nibbles = (words.long().numpy()[..., None] >> np.arange(0, 32, 4)) & 15
    return np.where(nibbles > 7, nibbles - 16, nibbles).reshape(*words.shape[:-1], -1)


FLOAT8 = {torch.float8_e5m2: 57344.0, torch.float8_e4m3fn: 448.0}


@pytest.mark.parametrize("name", ["aclnnAddRmsNormQuant", "aclnnAddRmsNormQuantV2"])
@pytest.mark.parametrize("kind", FLOAT8)
def test_add_rms_norm_quant_to_float8(name, kind):
    rng = np.random.default_rng(14)
    x1, x2, gamma = (random(rng, s, F16) for s in ((3, 8), (3, 8), (8,)))
    s1, s2 = (random(rng, (8,)).abs() * 40 + 0.01 for _ in range(2))
    y1, y2, total = empty((3, 8), kind), empty((3, 8), kind), empty((3, 8), F16)
    call(name, x1=x1, x2=x2, gamma=gamma, scales1=s1, scales2=s2, axis=-1, epsilon=1e-6, div_mode=False, y1_out=y1,
         y2_out=y2, x_out=total)  # fmt: skip
    normed = np.array([rms(row, numbers(gamma), 1e-6)[0] for row in numbers(x1) + numbers(x2)])
    nearest(y1, normed * numbers(s1))
    nearest(y2, normed * numbers(s2))


@pytest.mark.parametrize("name", ["aclnnAddRmsNormDynamicQuant", "aclnnAddRmsNormDynamicQuantV2"])
@pytest.mark.parametrize("kind", [*FLOAT8, I32])
def test_add_rms_norm_dynamic_quant_to_float8_and_int4(name, kind):
    if kind == I32 and not name.endswith("V2"):
        return  # INT4 came with V2
    rng = np.random.default_rng(15)
    x1, x2, gamma, *smooth = (random(rng, s, BF16) for s in ((3, 8), (3, 8), (8,), (8,), (8,)))
    y = [empty((3, 1) if kind == I32 else (3, 8), kind) for _ in range(2)]
    scales = [empty((3,)) for _ in range(2)]
    call(name, x1=x1, x2=x2, gamma=gamma, epsilon=1e-6, smooth_scale1=smooth[0], smooth_scale2=smooth[1], y1_out=y[0],
         y2_out=y[1], x_out=empty((3, 8), BF16), scale1_out=scales[0], scale2_out=scales[1])  # fmt: skip
    normed = np.array([rms(row, numbers(gamma), 1e-6)[0] for row in numbers(x1) + numbers(x2)])
    for factor, out, scale in zip(smooth, y, scales, strict=True):
        values = normed * numbers(factor)
        step = np.abs(values).max(1) / (7 if kind == I32 else FLOAT8[kind])
        close(scale, step)
        if kind == I32:
            same(torch.from_numpy(int4(out)), np.vectorize(lambda v: whole(v, -8, 7))(values / step[:, None]))
        else:
            nearest(out, values / step[:, None])


@pytest.mark.parametrize("with_beta", [True, False])
def test_rms_norm_quant(with_beta):
    rng = np.random.default_rng(6)
    x, gamma, beta = random(rng, (3, 8), F16), random(rng, (1, 8), F16), random(rng, (1, 8), F16)
    y = empty((3, 8), I8)
    call("aclnnRmsNormQuant", x=x, gamma=gamma, beta=beta if with_beta else torch.zeros(1, 8), y=y, epsilon=1e-6,
         scale=torch.tensor([0.03], dtype=F16), offset=torch.tensor([5], dtype=I8))  # fmt: skip
    step = float(torch.tensor(0.03, dtype=F16).double())
    shift = numbers(beta)[0] if with_beta else np.zeros(8)
    wanted = [np.array(rms(row, numbers(gamma)[0], 1e-6)[0]) + shift for row in numbers(x)]
    same(y, [[whole(v / step + 5) for v in row] for row in wanted])
    packed = empty((3, 1), I32)
    call("aclnnRmsNormQuant", x=x, gamma=gamma, beta=beta if with_beta else torch.zeros(1, 8), y=packed, epsilon=1e-6,
         scale=torch.tensor([0.25], dtype=F16), offset=torch.tensor([1], dtype=I8))  # fmt: skip
    same(torch.from_numpy(int4(packed)), [[whole(v / 0.25 + 1, -8, 7) for v in row] for row in wanted])


def layer(row, epsilon):
    mean = sum(row) / len(row)
    rstd = 1 / math.sqrt(sum((v - mean) ** 2 for v in row) / len(row) + epsilon)
    return np.array([(v - mean) * rstd for v in row]), mean, rstd


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("shape, tail", [((3, 8), (8,)), ((2, 3, 4), (3, 4)), ((0, 4), (4,))])
def test_fast_layer_norm(kind, weighted, shape, tail):
    rng = np.random.default_rng(7)
    x, weight, bias = random(rng, shape, kind, gaps=True), random(rng, tail, kind), random(rng, tail, kind)
    out, mean, rstd = empty(shape, kind), rstd_like(x, weight), rstd_like(x, weight)
    operands = {"weight": weight, "bias": bias, "mean_out": mean, "rstd_out": rstd} if weighted else {}
    call("aclnnFastLayerNorm", input=x, normalized_shape=tail, eps=1e-5, out=out, **operands)
    rows, weights = rows_of(x, weight)
    found = [layer(row, 1e-5) for row in rows]
    if not weighted:
        close(out.reshape(rows.shape), np.array([y for y, *_ in found]).reshape(rows.shape))
        return
    close(
        out.reshape(rows.shape),
        np.array([y * weights + numbers(bias).reshape(-1) for y, *_ in found]).reshape(rows.shape),
    )
    close(mean.reshape(-1), [m for _, m, _ in found])
    close(rstd.reshape(-1), [r for *_, r in found])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("more", [True, False])
def test_add_layer_norm(kind, more):
    rng = np.random.default_rng(8)
    x1, x2 = random(rng, (2, 3, 8), kind), random(rng, (2, 3, 8), kind)
    gamma, beta, bias = (random(rng, (8,), kind) for _ in range(3))
    y, total, mean, rstd = empty((2, 3, 8), kind), empty((2, 3, 8), kind), empty((2, 3, 1)), empty((2, 3, 1))
    call("aclnnAddLayerNorm", x1=x1, x2=x2, gamma=gamma, beta=beta, bias=bias if more else None, epsilon=1e-5,
         additional_output=more, y_out=y, mean_out=mean, rstd_out=rstd, x_out=total)  # fmt: skip
    rows = (numbers(x1) + numbers(x2) + (numbers(bias) if more else 0)).reshape(6, 8)
    found = [layer(row, 1e-5) for row in rows]
    close(y.reshape(6, 8), [v * numbers(gamma) + numbers(beta) for v, *_ in found])
    close(mean.reshape(-1), [m for _, m, _ in found])
    close(rstd.reshape(-1), [r for *_, r in found])
    if more:
        close(total.reshape(6, 8), rows)
    else:
        same(total, np.full((2, 3, 8), -77))


@pytest.mark.parametrize("kind", KINDS)
def test_deep_norm(kind):
    rng = np.random.default_rng(9)
    x, gx, beta, gamma = (random(rng, s, kind) for s in ((3, 8), (3, 8), (8,), (8,)))
    y, mean, rstd = empty((3, 8), kind), empty((3, 1)), empty((3, 1))
    call(
        "aclnnDeepNorm",
        x=x,
        gx=gx,
        beta=beta,
        gamma=gamma,
        alpha=0.3,
        epsilon=1e-6,
        mean_out=mean,
        rstd_out=rstd,
        y_out=y,
    )
    found = [layer(row, 1e-6) for row in 0.3 * numbers(x) + numbers(gx)]
    close(y, [v * numbers(gamma) + numbers(beta) for v, *_ in found])
    close(mean.reshape(-1), [m for _, m, _ in found])
    close(rstd.reshape(-1), [r for *_, r in found])
