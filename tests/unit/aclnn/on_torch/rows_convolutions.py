"""Convolutions: torch.nn.functional in float64 and its gradients; deformed ones by loops."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F

from tests.kit.torch_bodies import F32, by_numpy, gradients, row

FORWARD = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}
TRANSPOSED = {1: F.conv_transpose1d, 2: F.conv_transpose2d, 3: F.conv_transpose3d}


def convolved(x, weight, bias, stride, padding, dilation, transposed, outer, groups):
    axes = x.dim() - 2
    if transposed:
        return TRANSPOSED[axes](x, weight, bias, stride, padding, outer, groups, dilation)
    if len(padding) == 2 * axes:
        sides = [side for axis in reversed(range(axes)) for side in padding[2 * axis : 2 * axis + 2]]
        x, padding = F.pad(x, sides), (0,) * axes
    return FORWARD[axes](x, weight, bias, stride, padding, dilation, groups)


CASES = [
    # input, weight, bias, stride, padding, dilation, transposed, output padding, groups
    ((2, 4, 7), (6, 4, 3), 6, (2,), (1,), (1,), False, (0,), 1),
    ((2, 4, 7), (6, 2, 3), None, (1,), (0,), (2,), False, (), 2),
    ((2, 4, 7, 6), (6, 4, 3, 2), 6, (2, 1), (1, 0), (1, 2), False, (0, 0), 1),
    ((2, 4, 7, 6), (4, 1, 3, 3), 4, (1, 1), (1, 1), (1, 1), False, (0, 0), 4),
    ((2, 4, 7, 6), (6, 4, 3, 2), 6, (2, 1), (1, 0, 2, 1), (1, 1), False, (0, 0), 1),
    ((1, 2, 4, 5, 6), (3, 2, 2, 3, 3), 3, (1, 2, 1), (0, 1, 1), (1, 1, 1), False, (0, 0, 0), 1),
    ((2, 4, 5), (4, 3, 3), 3, (2,), (1,), (1,), True, (1,), 1),
    ((2, 4, 5, 4), (4, 3, 3, 2), 6, (2, 1), (1, 0), (1, 1), True, (1, 0), 2),
    ((1, 2, 3, 4, 3), (2, 3, 2, 2, 2), None, (1, 2, 1), (0, 1, 0), (1, 1, 1), True, (0, 1, 0), 1),
]


def forward_samples(t):
    for shape, weight, bias, *rest in CASES:
        yield t(*shape), t(*weight), None if bias is None else t(bias), *rest


def backward_samples(t):
    for shape, weight, bias, *rest in CASES:
        x, w = torch.zeros(shape), torch.zeros(weight)
        out = convolved(x, w, None, *rest[:4], rest[4] or (0,) * (x.dim() - 2), rest[5])
        mask = (True, True, bias is not None)
        yield t(*out.shape), t(*shape), t(*weight), None if bias is None else (bias,), *rest, mask
    shape, weight, bias, *rest = CASES[2]
    yield t(2, 6, 4, 4), t(*shape), t(*weight), (bias,), *rest, (False, True, False)


def backward(grad, x, weight, sizes, stride, padding, dilation, transposed, outer, groups, mask):
    bias = torch.zeros(sizes or (1,), dtype=grad.dtype)
    rest = (stride, padding, dilation, transposed, outer or (0,) * (x.dim() - 2), groups)

    def forward(a, b, c):
        return convolved(a, b, c if sizes else None, *rest)

    found = gradients(forward, grad, [x, weight, bias])
    return tuple(one if wanted else None for one, wanted in zip(found, mask, strict=True))


def over_time(x, weight, bias, padding):
    """(time, batch, channel) with a weight of (place, in, out)."""
    return F.conv1d(x.permute(1, 2, 0), weight.permute(2, 1, 0), bias, padding=padding).permute(2, 0, 1)


def read(plane, y, x):
    """Between the four neighbours; zero outside."""
    top, left = int(np.floor(y)), int(np.floor(x))
    total = 0.0
    for row_, column in ((top, left), (top, left + 1), (top + 1, left), (top + 1, left + 1)):
        if 0 <= row_ < plane.shape[0] and 0 <= column < plane.shape[1]:
            total += plane[row_, column] * (1 - abs(y - row_)) * (1 - abs(x - column))
    return total


def deformed(x, weight, offset, bias, kernel, stride, padding, dilation, groups, offset_groups, mask):
    n, c = x.shape[:2]
    rows, columns = kernel
    height, width = offset.shape[-2:]
    parts = offset.reshape(n, 3, offset_groups, rows, columns, height, width)
    points = np.zeros((n, c, height * rows, width * columns))
    for b, k, i, j, oy, ox in np.ndindex(n, c, rows, columns, height, width):
        dx, dy, m = parts[b, :, k // (c // offset_groups), i, j, oy, ox]
        y = oy * stride[2] - padding[0] + i * dilation[2] + dy
        at = ox * stride[3] - padding[2] + j * dilation[3] + dx
        points[b, k, oy * rows + i, ox * columns + j] = m * read(x[b, k], y, at)
    whole = F.conv2d(torch.from_numpy(points), torch.from_numpy(weight), stride=kernel, groups=groups).numpy()
    return whole + bias.reshape(1, -1, 1, 1), points


def deformed_samples(t):
    for groups, offset_groups in ((1, 1), (2, 2)):
        yield (
            t(1, 4, 5, 4),
            t(2, 4 // groups, 3, 2),
            t(1, 18 * offset_groups, 3, 3, low=-0.9, high=0.9),
            t(2),
            (3, 2),
            (1, 1, 2, 1),
            (1, 1, 0, 0),
            (1, 1, 1, 1),
            groups,
            offset_groups,
            True,
        )


def deformed_grads(t):
    x, weight, offset = t(1, 2, 4, 3), t(2, 2, 2, 2), t(1, 12, 2, 2, low=-0.4, high=0.4)
    options = ((2, 2), (1, 1, 2, 1), (1, 0, 0, 0), (1, 1, 1, 1), 1, 1, True)
    points = t(1, 2, 4, 4)
    yield x, t(1, 2, 2, 2), points, weight, offset, *options


def deformed_back(x, grad, points, weight, offset, *options):
    """By differences of the loops in each direction."""

    def total(*operands):
        return float((deformed(*operands, np.zeros(2), *options)[0] * grad).sum())

    operands, found = [x, weight, offset], []
    for place, one in enumerate(operands):
        slopes = np.zeros(one.shape)
        for at in np.ndindex(one.shape):
            ends = []
            for step in (1e-5, -1e-5):
                moved = one.copy()
                moved[at] += step
                ends.append(total(*[moved if i == place else other for i, other in enumerate(operands)]))
            slopes[at] = (ends[0] - ends[1]) / 2e-5
        found.append(slopes)
    return *found, grad.sum((0, 2, 3))


ROWS = [
    row("DeformableConv2dBackward", deformed_grads, by_numpy(deformed_back), (F32,), loose=20),
    row(
        "Convolution",
        forward_samples,
        lambda x, w, b, *rest: convolved(x, w, b, *rest[:4], rest[4] or (0,) * (x.dim() - 2), rest[5]),
        loose=10,
    ),
    row("ConvolutionBackward", backward_samples, backward, loose=20),
    row(
        "ConvDepthwise2d",
        lambda t: [
            (t(2, 3, 6, 5), t(6, 1, 3, 2), (3, 2), t(6), (1, 2), (1, 0), (1, 1)),
            (t(2, 3, 6, 5), t(3, 1, 2, 2), (2, 2), None, (1, 1), (0, 0), (2, 1)),
        ],
        lambda x, w, k, b, s, p, d: F.conv2d(x, w, b, s, p, d, x.shape[1]),
        loose=5,
    ),
    row("ConvTbc", lambda t: [(t(7, 2, 4), t(3, 4, 5), t(5), 1)], over_time, loose=8),
    row(
        "ConvTbcBackward",
        lambda t: [(t(7, 2, 5), t(7, 2, 4), t(3, 4, 5), t(5), 1)],
        lambda g, x, w, b, p: gradients(over_time, g, [x, w, b], [p]),
        loose=15,
    ),
    row("DeformableConv2d", deformed_samples, by_numpy(deformed), (F32,), loose=20),
]
