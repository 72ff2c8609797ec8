"""Pooling: torch.nn.functional in float64 and its gradients."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from ascend_sim.aclnn.bodies import TORCH_BODIES
from tests.kit.torch_bodies import F32, gradients, row

MEAN = {2: F.avg_pool2d, 3: F.avg_pool3d}
LARGEST = {2: F.max_pool2d, 3: F.max_pool3d}
ADAPTIVE_MEAN = {2: F.adaptive_avg_pool2d, 3: F.adaptive_avg_pool3d}
ADAPTIVE_LARGEST = {2: F.adaptive_max_pool2d, 3: F.adaptive_max_pool3d}
SHAPES = {2: (2, 3, 7, 6), 3: (2, 2, 5, 7, 6)}


def means(axes):
    k = (3, 2, 2)[:axes]
    return [
        (k, (2, 1, 2)[:axes], (1, 0, 1)[:axes], c, n, d) for c in (False, True) for n in (False, True) for d in (0, 5)
    ] + [((2,), (), (0,), False, True, 0)]


def mean(axes):
    def forward(x, kernel, stride, padding, ceil, count, divisor):
        single = [one[0] if len(one) == 1 else one for one in (kernel, padding)]
        return MEAN[axes](x, single[0], stride or None, single[1], ceil, count, divisor or None)

    return forward


def largests(axes):
    k = (3, 2, 2)[:axes]
    return [(k, (2, 1, 2)[:axes], (1, 0, 1)[:axes], (1,) * axes, c) for c in (False, True)] + [
        ((2,) * axes, (), (0,) * axes, (1, 2, 1)[:axes], False)
    ]


def largest(axes, indices):
    def forward(x, kernel, stride, padding, dilation, ceil):
        return LARGEST[axes](x, kernel, stride or None, padding, dilation, ceil, return_indices=indices)

    return forward


def grads(axes, function, choices, distinct=False):
    """For a gradient: one of the output's shape, the input, and the choices."""

    def made(t):
        for choice in choices(axes):
            x = torch.zeros(SHAPES[axes])
            out = function(axes)(x, *choice)
            yield (
                t(*out.shape),
                t.distinct(*SHAPES[axes], kind=t.kind if t.kind == F32 else None) if distinct else t(*SHAPES[axes]),
                *choice,
            )

    return made


def largest_grads(axes):
    def made(t):
        for choice in largests(axes):
            x = t(*SHAPES[axes])
            out, indices = largest(axes, True)(x.contiguous().float(), *choice)
            for kind in (torch.int64, torch.int32):
                yield t(*out.shape), x, indices.to(kind), *choice

    return made


def through_indices(axes):
    """Each gradient goes to its index of the plane."""

    def backward(grad, x, indices, *rest):
        flat = torch.zeros(*x.shape[:-axes], x.shape[-axes:].numel(), dtype=grad.dtype)
        return flat.scatter_add(-1, indices.long().flatten(-axes), grad.flatten(-axes)).reshape(x.shape)

    return backward


def mask_size(x, kernel, out):
    return (*x.shape[:-2], kernel[0] * kernel[1], (-(-out.shape[-2] * out.shape[-1] // 16) + 1) * 32)


def with_mask(x, *choice):
    out = largest(2, False)(x, *choice)
    return out, torch.zeros(mask_size(x, choice[0], out), dtype=torch.int8)


def values_only(sample, outputs):
    torch.testing.assert_close(outputs[0].double(), largest(2, False)(sample[0].double(), *sample[1:]), rtol=0, atol=0)


def mask_samples(t):
    """The mask of the backward is the forward's: it comes from the body, as in a program."""

    for choice in [((3, 2), (2, 1), (1, 0), (1, 1), False), ((2, 2), (), (0, 0), (1, 1), True)]:
        x = t(2, 3, 7, 6)
        out, mask = with_mask(x.contiguous(), *choice)
        TORCH_BODIES["aclnnMaxPool2dWithMask"](x, *choice, out, mask)
        yield t(*out.shape), x, mask, *choice


def mask_back(grad, x, mask, *choice):
    return gradients(largest(2, False), grad, [x], choice)[0]


def unpooled(axes):
    def reference(x, indices, size, *rest):
        flat = torch.zeros(*x.shape[:-axes], torch.Size(size).numel(), dtype=x.dtype)
        for at in torch.cartesian_prod(*[torch.arange(n) for n in x.shape]).tolist():
            flat[(*at[:-axes], int(indices[tuple(at)]))] = x[tuple(at)]
        return flat.reshape(*x.shape[:-axes], *size)

    return reference


def unpool_samples(axes, *rest):
    def made(t):
        pooled = (2, 3, 2, 2)[: axes + 2] if axes == 2 else (1, 2, 2, 2, 2)
        size = (4, 4, 4)[:axes]
        count, inner = torch.Size(size).numel(), torch.Size(pooled[-axes:]).numel()
        outer = pooled[: len(pooled) - axes]
        lines = [
            torch.randperm(count, generator=torch.Generator().manual_seed(i))[:inner]
            for i in range(torch.Size(outer).numel())
        ]
        yield t(*pooled), t.laid(torch.stack(lines).reshape(pooled)), size, *rest

    return made


ROWS = []
for _axes in (2, 3):
    ROWS += [
        row(
            f"AvgPool{_axes}d",
            lambda t, a=_axes: [(t(*SHAPES[a]), *choice) for choice in means(a)] + [(t(*SHAPES[a][1:]), *means(a)[0])],
            mean(_axes),
            loose=2,
        ),
        row(
            f"AvgPool{_axes}dBackward",
            grads(_axes, mean, means),
            lambda g, x, *choice, a=_axes: gradients(mean(a), g, [x], choice)[0],
            loose=4,
        ),
        row(
            f"AdaptiveAvgPool{_axes}d",
            lambda t, a=_axes: [(t(*SHAPES[a]), (3, 4, 2)[:a]), (t(*SHAPES[a]), (1, 1, 1)[:a])],
            ADAPTIVE_MEAN[_axes],
            loose=2,
        ),
        row(
            f"AdaptiveAvgPool{_axes}dBackward",
            lambda t, a=_axes: [(t(*SHAPES[a][:2], *(3, 4, 2)[:a]), t(*SHAPES[a]))],
            lambda g, x, a=_axes: gradients(ADAPTIVE_MEAN[a], g, [x], [(3, 4, 2)[:a]])[0],
            loose=3,
        ),
        row(
            f"AdaptiveMaxPool{_axes}d",
            lambda t, a=_axes: [(t(*SHAPES[a]), (3, 4, 2)[:a])],
            lambda x, size, a=_axes: tuple(ADAPTIVE_LARGEST[a](x, size, return_indices=True)),
            (F32,),
        ),
        row(
            f"AdaptiveMaxPool{_axes}dBackward",
            lambda t, a=_axes: [
                (
                    t(*SHAPES[a][:2], *(3, 4, 2)[:a]),
                    x := t(*SHAPES[a]),
                    ADAPTIVE_LARGEST[a](x.contiguous().float(), (3, 4, 2)[:a], return_indices=True)[1],
                )
            ],
            through_indices(_axes),
            loose=3,
        ),
    ]
ROWS += [
    row(
        "MaxPool2dWithIndices",
        lambda t: [(t(*SHAPES[2]), *choice) for choice in largests(2)],
        lambda *a: tuple(largest(2, True)(*a)),
    ),
    row(
        "MaxPool2dWithIndices",
        lambda t: [(t(*SHAPES[2]), *largests(2)[0])],
        lambda *a: tuple(largest(2, True)(*a)),
        (F32,),
        result=(None, torch.int32),
    ),
    row(
        "MaxPool3dWithArgmax",
        lambda t: [(t(*SHAPES[3]), *choice) for choice in largests(3)],
        lambda *a: tuple(largest(3, True)(*a)),
        (F32,),
        result=(None, torch.int32),
    ),
    row("MaxPool2dWithIndicesBackward", largest_grads(2), through_indices(2), loose=3),
    row("MaxPool3dWithArgmaxBackward", largest_grads(3), through_indices(3), loose=3),
    row(
        "MaxPool2dWithMask",
        lambda t: [(t(*SHAPES[2]), (3, 2), (2, 1), (1, 0), (1, 1), c) for c in (False, True)],
        with_mask,
        judge=values_only,
    ),
    row("MaxPool2dWithMaskBackward", mask_samples, mask_back, (F32,), loose=3),
    row("MaxUnpool2d", unpool_samples(2), unpooled(2)),
    row("MaxUnpool3d", unpool_samples(3, (2, 2, 2), (0, 0, 0)), unpooled(3)),
]
