"""Resampled pictures: torch.nn.functional in float64, and its gradients."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from tests.kit.torch_bodies import FLOATS, gradients, row

SIZES = {1: (7,), 2: (7, 5), 3: (4, 7, 5)}
INPUTS = {1: (2, 3, 4), 2: (2, 3, 4, 6), 3: (2, 3, 3, 4, 6)}
SCALES = {1: (1.75,), 2: (1.75, 0.8334), 3: (1.34, 1.75, 0.8334)}
CORNERED = {"linear": 1, "bilinear": 2, "bicubic": 2, "trilinear": 3}


def resize(mode, antialias=False, corners=None):
    def forward(x, size):
        more = {"align_corners": corners} if corners is not None else {}
        return F.interpolate(x, size=tuple(size), mode=mode, antialias=antialias, **more)

    return forward


def by_scale(mode, axes, corners=None):
    """The scales decide where a point is read; the size only how many there are."""

    def forward(x, size, *scales):
        more = {"align_corners": corners} if corners is not None else {}
        found = F.interpolate(x, scale_factor=scales, mode=mode, recompute_scale_factor=False, **more)
        assert tuple(found.shape[-axes:]) == tuple(size)
        return found

    return forward


def scaled_size(axes):
    return tuple(int(n * s) for n, s in zip(INPUTS[axes][2:], SCALES[axes], strict=True))


def plain_rows(name, mode, axes, scales, antialias=False):
    """Forward and backward without corners; *scales*: how many the forward takes."""
    size, zeros = SIZES[axes], (0.0,) * axes
    back = zeros
    rows = [
        row(name, lambda t: [(t(*INPUTS[axes]), size, *zeros[:scales])], lambda x, s, *rest: resize(mode)(x, s)),
        row(
            f"{name.removesuffix('V2')}Backward",
            lambda t: [(t(2, 3, *size), size, INPUTS[axes], *back)],
            lambda grad, s, before, *rest: gradients(resize(mode), grad, [torch.zeros(before, dtype=grad.dtype)], [s])[
                0
            ],
            loose=4,
        ),
    ]
    if scales:
        rows.append(row(name, lambda t: [(t(*INPUTS[axes]), scaled_size(axes), *SCALES[axes])], by_scale(mode, axes)))
    return rows


def cornered_rows(name, mode, axes, back, antialias=False):
    size, zeros = SIZES[axes], (0.0,) * axes

    def forward(x, s, corners, *rest):
        return resize(mode, antialias, corners)(x, s)

    def backward(grad, s, before, corners, *rest):
        return gradients(resize(mode, antialias, corners), grad, [torch.zeros(before, dtype=grad.dtype)], [s])[0]

    rows = [
        row(name, lambda t: [(t(*INPUTS[axes]), size, c, *zeros) for c in (False, True)], forward, loose=2),
        row(
            back, lambda t: [(t(2, 3, *size), size, INPUTS[axes], c, *zeros) for c in (False, True)], backward, loose=4
        ),
    ]
    if not antialias:
        rows.append(
            row(
                name,
                lambda t: [(t(*INPUTS[axes]), scaled_size(axes), False, *SCALES[axes])],
                lambda x, s, c, *scales: by_scale(mode, axes, c)(x, s, *scales),
                loose=2,
            )
        )
    return rows


ROWS = []
for _axes in (1, 2, 3):
    ROWS += plain_rows(f"UpsampleNearest{_axes}d", "nearest", _axes, 3 if _axes == 3 else 0)
    ROWS += plain_rows(f"UpsampleNearestExact{_axes}d", "nearest-exact", _axes, _axes)
ROWS += (
    plain_rows("UpsampleNearest1dV2", "nearest", 1, 1)[::2] + plain_rows("UpsampleNearest2dV2", "nearest", 2, 2)[::2]
)
ROWS += cornered_rows("UpsampleLinear1d", "linear", 1, "UpsampleLinear1dBackward")
ROWS += cornered_rows("UpsampleBilinear2d", "bilinear", 2, "UpsampleBilinear2dBackward UpsampleBilinear2dBackwardV2")
ROWS += cornered_rows("UpsampleBicubic2d", "bicubic", 2, "UpsampleBicubic2dBackward")
ROWS += cornered_rows("UpsampleTrilinear3d", "trilinear", 3, "UpsampleTrilinear3dBackward")
ROWS += cornered_rows("UpsampleBilinear2dAA", "bilinear", 2, "UpsampleBilinear2dAABackward", True)
ROWS += cornered_rows("UpsampleBicubic2dAA", "bicubic", 2, "UpsampleBicubic2dAAGrad", True)

MODES = ("bilinear", "nearest", "bicubic")
PADDINGS = ("zeros", "border", "reflection")
GRIDS = {2: ((2, 3, 4, 5), (2, 3, 4, 2), (2, 3, 3, 4)), 3: ((2, 2, 3, 4, 5), (2, 3, 2, 4, 3), (2, 2, 3, 2, 4))}


def sampled(x, grid, mode, padding, corners):
    return F.grid_sample(x, grid, MODES[mode], PADDINGS[padding], corners)


def choices(axes):
    return [(m, p, c) for m in range(3 if axes == 2 else 2) for p in range(3) for c in (False, True)]


def point_samples(axes):
    shape, points, _ = GRIDS[axes]

    def made(t):
        kind = t.kind if t.kind == torch.float64 else torch.float32
        return [(t(*shape), t(*points, low=-1.2, high=1.2, kind=kind), *choice) for choice in choices(axes)]

    return made


def point_grads(axes):
    shape, points, out = GRIDS[axes]
    return lambda t: [
        (t(*out), t(*shape), t(*points, low=-1.2, high=1.2), *choice, (True, True)) for choice in choices(axes)
    ]


def sampled_back(grad, x, grid, mode, padding, corners, mask):
    return gradients(sampled, grad, [x, grid], [mode, padding, corners])


for _axes in (2, 3):
    ROWS += [
        row(f"GridSampler{_axes}D", point_samples(_axes), sampled, FLOATS[:2], loose=10),
        row(f"GridSampler{_axes}DBackward", point_grads(_axes), sampled_back, FLOATS[:1], loose=20),
    ]
ROWS.append(
    row(
        "AffineGrid",
        lambda t: [(t(2, 2, 3), (2, 1, 4, 5), c) for c in (False, True)] + [(t(2, 3, 4), (2, 1, 2, 3, 4), False)],
        lambda theta, size, c: F.affine_grid(theta, size, c),
        loose=2,
    )
)
