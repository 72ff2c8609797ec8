"""Enlarging and shrinking pictures and volumes, sampling at the points of a grid, and their gradients.

A scale of zero or less says that the sizes decide.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from ascend_sim.aclnn.on_torch.outputs import computed, in_float32

aten = torch.ops.aten
Sizes = Sequence[int]


def _given(scales: Sequence[float]) -> list[float | None]:
    return [scale if scale > 0 else None for scale in scales]


def _resized(name: str, cornered: bool) -> Callable[..., Tensor]:
    """The operator *name* of ATen; *cornered*: alignCorners stands before the scales."""
    function = getattr(aten, name)

    def resize(self: Tensor, size: Sizes, *rest: Any) -> Tensor:
        corners, scales = (rest[:1], rest[1:]) if cornered else ((), rest)
        return function(self, list(size), *corners, *_all(scales, len(size)))

    return in_float32(resize)


def _gradient(name: str, cornered: bool) -> Callable[..., Tensor]:
    function = getattr(aten, name)

    def gradient(grad: Tensor, size: Sizes, before: Sizes, *rest: Any) -> Tensor:
        corners, scales = (rest[:1], rest[1:]) if cornered else ((), rest)
        return function(grad, list(size), list(before), *corners, *_all(scales, len(size)))

    return in_float32(gradient)


def _all(scales: Sequence[float], axes: int) -> list[float | None]:
    """A scale for each axis; forms without scales leave them to the sizes."""
    return _given(scales) if scales else [None] * axes


def _sampled_backward(function: Callable[..., Any]) -> Callable[..., Any]:
    def gradient(
        grad: Tensor, self: Tensor, grid: Tensor, mode: int, padding: int, corners: bool, mask: Sequence[bool]
    ) -> tuple[Tensor | None, Tensor | None]:
        of_input, of_grid = function(grad, self, grid, mode, padding, corners, [True, True])
        return of_input if mask[0] else None, of_grid if mask[1] else None

    return in_float32(gradient)


def _affine_grid(theta: Tensor, size: Sizes, corners: bool) -> Tensor:
    return torch.nn.functional.affine_grid(theta, list(size), corners)


computed(
    {
        "UpsampleNearest1d UpsampleNearest1dV2": _resized("upsample_nearest1d", False),
        "UpsampleNearest2d UpsampleNearest2dV2": _resized("upsample_nearest2d", False),
        "UpsampleNearest3d": _resized("upsample_nearest3d", False),
        "UpsampleNearestExact1d": _resized("_upsample_nearest_exact1d", False),
        "UpsampleNearestExact2d": _resized("_upsample_nearest_exact2d", False),
        "UpsampleNearestExact3d": _resized("_upsample_nearest_exact3d", False),
        "UpsampleLinear1d": _resized("upsample_linear1d", True),
        "UpsampleBilinear2d": _resized("upsample_bilinear2d", True),
        "UpsampleBilinear2dAA": _resized("_upsample_bilinear2d_aa", True),
        "UpsampleBicubic2d": _resized("upsample_bicubic2d", True),
        "UpsampleBicubic2dAA": _resized("_upsample_bicubic2d_aa", True),
        "UpsampleTrilinear3d": _resized("upsample_trilinear3d", True),
        "UpsampleNearest1dBackward": _gradient("upsample_nearest1d_backward", False),
        "UpsampleNearest2dBackward": _gradient("upsample_nearest2d_backward", False),
        "UpsampleNearest3dBackward": _gradient("upsample_nearest3d_backward", False),
        "UpsampleNearestExact1dBackward": _gradient("_upsample_nearest_exact1d_backward", False),
        "UpsampleNearestExact2dBackward": _gradient("_upsample_nearest_exact2d_backward", False),
        "UpsampleNearestExact3dBackward": _gradient("_upsample_nearest_exact3d_backward", False),
        "UpsampleLinear1dBackward": _gradient("upsample_linear1d_backward", True),
        "UpsampleBilinear2dBackward UpsampleBilinear2dBackwardV2": _gradient("upsample_bilinear2d_backward", True),
        "UpsampleBilinear2dAABackward": _gradient("_upsample_bilinear2d_aa_backward", True),
        "UpsampleBicubic2dBackward": _gradient("upsample_bicubic2d_backward", True),
        "UpsampleBicubic2dAAGrad": _gradient("_upsample_bicubic2d_aa_backward", True),
        "UpsampleTrilinear3dBackward": _gradient("upsample_trilinear3d_backward", True),
        "GridSampler2D": in_float32(aten.grid_sampler_2d),
        "GridSampler3D": in_float32(aten.grid_sampler_3d),
        "GridSampler2DBackward": _sampled_backward(aten.grid_sampler_2d_backward),
        "GridSampler3DBackward": _sampled_backward(aten.grid_sampler_3d_backward),
        "AffineGrid": in_float32(_affine_grid),
    }
)
