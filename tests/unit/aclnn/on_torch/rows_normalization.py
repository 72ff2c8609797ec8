"""Normalisation: torch.nn.functional in float64 and its gradients, or the formula in numpy."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F

from tests.kit.torch_bodies import F32, FLOATS, by_numpy, gradients, row

EPS = 1e-3
SHAPES = ((4, 3), (2, 3, 5), (2, 3, 4, 2))
ALL3 = (True, True, True)


def others(x):
    return tuple(i for i in range(x.ndim) if i != 1)


def by_channel(v, x):
    return v.reshape(1, -1, *[1] * (x.ndim - 2))


def batch_samples(training):
    def made(t):
        for shape in SHAPES:
            yield t(*shape), t(3), t(3), t(3), t(3, low=0.5, high=2), training, 0.2, EPS
        if training:
            yield t(2, 3, 5), None, None, None, None, True, 0.2, EPS

    return made


def batch_norm(x, w, b, rm, rv, training, momentum, eps):
    """With what the running values become, which F.batch_norm writes into its operands."""
    out = F.batch_norm(x, rm, rv, w, b, training, momentum, eps)
    mean, inverse = (x.mean(others(x)), (x.var(others(x), correction=0) + eps).rsqrt()) if training else (None, None)
    return (out, mean, inverse) if rm is None else (out, mean, inverse, rm, rv)


def batch_back_samples(t):
    for training in (True, False):
        for shape in SHAPES:
            x = t(*shape)
            wide = x.double()
            mean, inverse = wide.mean(others(x)), (wide.var(others(x), correction=0) + EPS).rsqrt()
            saved = (mean.to(t.kind), inverse.to(t.kind)) if t.kind != F32 else (mean.float(), inverse.float())
            yield t(*shape), x, t(3, low=0.5, high=2), t(3), t(3, low=0.5, high=2), *saved, training, EPS, ALL3
    yield t(2, 3, 5), t(2, 3, 5), None, t(3), t(3, low=0.5, high=2), t(0), t(0), False, EPS, (True, False, True)


def batch_back(grad, x, w, rm, rv, mean, inverse, training, eps, mask):
    weight = torch.ones(3, dtype=x.dtype) if w is None else w

    def forward(a, b, c):
        return F.batch_norm(a, rm.clone(), rv.clone(), b, c, training, 0.1, eps)

    found = gradients(forward, grad, [x, weight, torch.zeros_like(weight)])
    return tuple(one if wanted else None for one, wanted in zip(found, mask, strict=True))


def elements(x, w, b, mean, inverse, eps):
    w, b = (np.ones(3) if w is None else w), (np.zeros(3) if b is None else b)
    return (x - by_channel(mean, x)) * by_channel(inverse * w, x) + by_channel(b, x)


def elements_back(grad, x, mean, inverse, w, sums, products, counts):
    n = counts.sum()
    inner = grad - by_channel(sums / n, x) - (x - by_channel(mean, x)) * by_channel(inverse**2 * products / n, x)
    return inner * by_channel(inverse * w, x)


def gathered(x, mean, inverse, rm, rv, momentum, eps, counts):
    """As if all elements of all devices stood in one place."""
    counts = counts.reshape(-1, 1)
    total = counts.sum()
    whole = (mean * counts).sum(0) / total
    squares = ((inverse**-2 - eps + mean**2) * counts).sum(0) / total
    variance = squares - whole**2
    changed = (1 - momentum) * rm + momentum * whole, (1 - momentum) * rv + momentum * variance * total / (total - 1)
    return whole, 1 / np.sqrt(variance + eps), *changed


def gathered_sums(sums, squares, counts, rm, rv, momentum, eps):
    n = counts.sum()
    mean = sums.sum(0) / n
    variance = squares.sum(0) / n - mean**2
    changed = (1 - momentum) * rm + momentum * mean, (1 - momentum) * rv + momentum * variance * n / (n - 1)
    return mean, 1 / np.sqrt(variance + eps), *changed


def reduced_back(grad, x, mean, inverse, w, inputs, weights, biases):
    sums, products = grad.sum(others(x)), (grad * (x - by_channel(mean, x))).sum(others(x))
    return (
        sums if inputs else None,
        products if inputs else None,
        products * inverse if weights else None,
        sums if biases else None,
    )


def optional(function):
    """A reference of numpy of which some results are None."""

    def reference(*operands):
        found = function(*[one.numpy() if isinstance(one, torch.Tensor) else one for one in operands])
        return tuple(None if one is None else torch.from_numpy(np.array(one)) for one in found)

    return reference


def layer_norm(x, shape, w, b, eps):
    axes = tuple(range(x.dim() - len(shape), x.dim()))
    mean = x.mean(axes, True)
    return F.layer_norm(x, shape, w, b, eps), mean, (((x - mean) ** 2).mean(axes, True) + eps).rsqrt()


def layer_back_samples(t):
    for shape, normal, mask in (
        ((2, 3, 4), (4,), ALL3),
        ((2, 3, 4), (3, 4), ALL3),
        ((5, 4), (4,), (True, False, False)),
    ):
        x = t(*shape)
        _, mean, rstd = layer_norm(x.double(), normal, None, None, EPS)
        yield t(*shape), x, normal, mean.float(), rstd.float(), t(*normal), t(*normal), mask


def layer_back(grad, x, shape, mean, rstd, w, b, mask):
    found = gradients(lambda a, c, d: F.layer_norm(a, shape, c, d, EPS), grad, [x, w, b])
    return tuple(one if wanted else None for one, wanted in zip(found, mask, strict=True))


def group_norm(x, gamma, beta, n, c, rest, groups, eps):
    parts = x.reshape(n, groups, x.shape[1:].numel() // groups)
    mean = parts.mean(-1)
    variance = (parts - mean[..., None]).square().mean(-1)
    return F.group_norm(x, groups, gamma, beta, eps), mean, (variance + eps).rsqrt()


def group_back_samples(t):
    for shape, mask in (((2, 6, 3, 2), ALL3), ((2, 6, 5), (True, False, True)), ((0, 6, 5), ALL3)):
        x = t(*shape)
        n, c, rest = shape[0], 6, x.shape[2:].numel()
        _, mean, rstd = group_norm(x.double(), None, None, n, c, rest, 3, EPS)
        yield t(*shape), x, mean.to(t.kind), rstd.to(t.kind), t(6), n, c, rest, 3, mask


def group_back(grad, x, mean, rstd, gamma, n, c, rest, groups, mask):
    found = gradients(lambda a, g, b: F.group_norm(a, groups, g, b, EPS), grad, [x, gamma, torch.zeros_like(gamma)])
    return tuple(one if wanted else None for one, wanted in zip(found, mask, strict=True))


def swish(x, scale):
    return x * torch.sigmoid(scale * x)


def group_silu(x, gamma, beta, groups, eps):
    out, mean, rstd = group_norm(x, gamma, beta, *x.shape[:2], 0, groups, eps)
    return F.silu(out), mean, rstd


def group_swish(x, gamma, beta, groups, layout, eps, activate, scale):
    out, mean, rstd = group_norm(x, gamma, beta, *x.shape[:2], 0, groups, eps)
    return swish(out, scale) if activate else out, mean, rstd


def swish_back_samples(t):
    x = t(2, 6, 5)
    _, mean, rstd = group_norm(x.double(), None, None, 2, 6, 5, 3, EPS)
    yield t(2, 6, 5), mean.to(t.kind), rstd.to(t.kind), x, t(6), t(6), 3, "NCHW", 1.5, True, True


def swish_back(grad, mean, rstd, x, gamma, beta, groups, layout, scale, *wanted):
    return gradients(lambda a, g, b: swish(F.group_norm(a, groups, g, b, EPS), scale), grad, [x, gamma, beta])


def renormed(x, p, dim, most):
    lines = np.moveaxis(x, dim, 0)
    result = np.stack([line * min(1, most / (np.linalg.norm(line.ravel(), p) + 1e-7)) for line in lines])
    return np.moveaxis(result, 0, dim)


COUNTS = torch.tensor([4.0, 6.0])
ROWS = [
    row("BatchNorm", batch_samples(True), batch_norm, loose=3),
    row("BatchNorm", batch_samples(False), batch_norm, loose=3),
    row(
        "BatchNorm",
        lambda t: [
            (
                t(2, 3, 5),
                t(3, kind=F32),
                t(3, kind=F32),
                t(3, kind=F32),
                t(3, kind=F32, low=0.5, high=2),
                True,
                0.2,
                EPS,
            )
        ],
        batch_norm,
        FLOATS[1:],
        result=(None, F32, F32),
        loose=100,
    ),
    row("BatchNormBackward", batch_back_samples, batch_back, (F32,), loose=10),
    row(
        "BatchNormBackward",
        lambda t: [one for one in batch_back_samples(t) if not one[7]],
        batch_back,
        FLOATS[1:],
        loose=5,
    ),
    row(
        "BatchNormElemt",
        lambda t: (
            [(t(*s), t(3), t(3), t(3), t(3, low=0.5, high=2), EPS) for s in SHAPES]
            + [(t(2, 3, 5), None, None, t(3), t(3), EPS)]
        ),
        by_numpy(elements),
        loose=4,
    ),
    row(
        "BatchNormElemtBackward",
        lambda t: [
            (
                t(2, 3, 5),
                t(2, 3, 5),
                t(3),
                t(3, low=0.5, high=2),
                t(3),
                t(3),
                t(3),
                torch.tensor([4, 6], dtype=torch.int32),
            )
        ],
        by_numpy(elements_back),
        loose=4,
    ),
    row(
        "BatchNormGatherStatsWithCounts",
        lambda t: [
            (t(2, 3, 5), t(2, 3), t(2, 3, low=0.5, high=1), t(3), t(3, low=0.5, high=2), 0.2, EPS, COUNTS.to(t.kind))
        ],
        by_numpy(gathered),
        loose=4,
    ),
    row(
        "SyncBatchNormGatherStats",
        lambda t: [(t(2, 3), t(2, 3, low=20, high=40), COUNTS.to(t.kind), t(3), t(3, low=0.5, high=2), 0.2, EPS)],
        by_numpy(gathered_sums),
        loose=4,
    ),
    row(
        "BatchNormReduce",
        lambda t: [(t(2, 3, 4, 2),)],
        by_numpy(lambda x: (x.sum(others(x)), (x * x).sum(others(x)))),
        result=(F32, F32),
        loose=2,
    ),
    row(
        "BatchNormReduceBackward",
        lambda t: [(t(2, 3, 5), t(2, 3, 5), t(3), t(3), t(3), *mask) for mask in (ALL3, (False, True, False))],
        optional(reduced_back),
        loose=6,
    ),
    row(
        "BatchNormStats",
        lambda t: [(t(*s), EPS) for s in SHAPES],
        by_numpy(lambda x, eps: (x.mean(others(x)), 1 / np.sqrt(x.var(others(x)) + eps))),
        result=(F32, F32),
        loose=2,
    ),
    row(
        "LayerNorm",
        lambda t: [
            (t(2, 3, 4), (4,), t(4), t(4), EPS),
            (t(2, 3, 4), (3, 4), t(3, 4), None, EPS),
            (t(5, 4), (4,), None, None, EPS),
            (t(0, 4), (4,), t(4), t(4), EPS),
        ],
        layer_norm,
        result=(None, F32, F32),
        loose=3,
    ),
    row("LayerNormBackward", layer_back_samples, layer_back, loose=8),
    row(
        "GroupNorm",
        lambda t: [
            (t(2, 6, 3, 2), t(6), t(6), 2, 6, 6, 3, EPS),
            (t(2, 6), t(6), t(6), 2, 6, 1, 2, EPS),
            (t(2, 6, 5), None, None, 2, 6, 5, 1, EPS),
            (t(0, 6, 5), t(6), t(6), 0, 6, 5, 2, EPS),
        ],
        group_norm,
        loose=3,
    ),
    row("GroupNormBackward", group_back_samples, group_back, (F32,), loose=10),
    row("GroupNormSilu", lambda t: [(t(2, 6, 3, 2), t(6), t(6), 3, EPS)], group_silu, loose=3),
    row(
        "GroupNormSwish",
        lambda t: [(t(2, 6, 5), t(6), t(6), 3, "NCHW", EPS, on, 1.5) for on in (True, False)],
        group_swish,
        loose=3,
    ),
    row("GroupNormSwishGrad", swish_back_samples, swish_back, (F32,), loose=10),
    row(
        "Renorm",
        lambda t: [(t(3, 4), 2.0, 0, 1.5), (t(3, 4), 1.0, -1, 2.0), (t(2, 3, 2), 2, 1, 9)],
        by_numpy(renormed),
        loose=2,
    ),
]
