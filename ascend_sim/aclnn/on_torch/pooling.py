"""Pooling by means and by maxima, of windows or to a given size, and the gradients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ascend_sim.aclnn.bodies import torch_body
from ascend_sim.aclnn.on_torch.outputs import computed, deliver, in_float32

aten = torch.ops.aten
Sizes = Sequence[int]


def _mean(axes: int) -> Callable[..., Tensor]:
    function = getattr(aten, f"avg_pool{axes}d")

    def pool(
        self: Tensor, kernel: Sizes, stride: Sizes, padding: Sizes, ceil: bool, count: bool, divisor: int
    ) -> Tensor:
        return function(self, list(kernel), list(stride), list(padding), ceil, count, divisor or None)

    return in_float32(pool)


def _mean_backward(axes: int) -> Callable[..., Tensor]:
    function = getattr(aten, f"avg_pool{axes}d_backward")

    def gradient(
        grad: Tensor, self: Tensor, kernel: Sizes, stride: Sizes, padding: Sizes, ceil: bool, count: bool, divisor: int
    ) -> Tensor:
        return function(grad, self, list(kernel), list(stride), list(padding), ceil, count, divisor or None)

    return in_float32(gradient)


def _largest(axes: int) -> Callable[..., Any]:
    function = getattr(aten, f"max_pool{axes}d_with_indices")

    def pool(self: Tensor, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, ceil: bool) -> Any:
        return function(self, list(kernel), list(stride), list(padding), list(dilation), ceil)

    return pool


def _largest_backward(axes: int) -> Callable[..., Tensor]:
    function = getattr(aten, f"max_pool{axes}d_with_indices_backward")

    def gradient(
        grad: Tensor,
        self: Tensor,
        indices: Tensor,
        kernel: Sizes,
        stride: Sizes,
        padding: Sizes,
        dilation: Sizes,
        ceil: bool,
    ) -> Tensor:
        sizes = [list(one) for one in (kernel, stride, padding, dilation)]
        return function(grad, self, *sizes, ceil, indices.long())

    return in_float32(gradient)


def _pair(sizes: Sizes, otherwise: Sizes) -> tuple[int, int]:
    first, *rest = sizes or otherwise
    return first, rest[0] if rest else first


class _Windows:
    """Where in its plane each window's place lies; the mask names the maximum's place in the window, one bit an output."""

    def __init__(self, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes) -> None:
        self.kernel = _pair(kernel, ())
        self.stride = _pair(stride, kernel)
        self.padding = _pair(padding, (0,))
        self.dilation = _pair(dilation, (1,))

    def starts(self, shape: Sizes, axis: int) -> np.ndarray[Any, Any]:
        """The first row or column of each window, which may lie in the padding."""
        return np.arange(shape[axis - 2]) * self.stride[axis] - self.padding[axis]

    def place(self, indices: np.ndarray[Any, Any], width: int, shape: Sizes) -> np.ndarray[Any, Any]:
        """The number of the place in its window of each index of a plane."""
        rows = (indices // width - self.starts(shape, 0)[:, None]) // self.dilation[0]
        columns = (indices % width - self.starts(shape, 1)[None, :]) // self.dilation[1]
        places: np.ndarray[Any, Any] = rows * self.kernel[1] + columns
        return places

    def index(self, places: np.ndarray[Any, Any], width: int, shape: Sizes) -> np.ndarray[Any, Any]:
        """The index in the plane of each place: the inverse of *place*."""
        rows = self.starts(shape, 0)[:, None] + places // self.kernel[1] * self.dilation[0]
        columns = self.starts(shape, 1)[None, :] + places % self.kernel[1] * self.dilation[1]
        indices: np.ndarray[Any, Any] = rows * width + columns
        return indices


@torch_body("aclnnMaxPool2dWithMask")
def max_pool2d_with_mask(
    self: Tensor,
    kernel: Sizes,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    ceil: bool,
    out: Tensor,
    mask: Tensor,
) -> None:
    """Maxima, and a bit for each place of the window and output: set where the maximum was read."""
    values, indices = _largest(2)(self, kernel, stride, padding, dilation, ceil)
    deliver(out, values)
    windows = _Windows(kernel, stride, padding, dilation)
    places = windows.place(indices.numpy(), self.shape[-1], indices.shape)
    count = windows.kernel[0] * windows.kernel[1]
    flat = places.reshape(-1, 1, places.shape[-2] * places.shape[-1])
    bits = np.packbits(flat == np.arange(count)[:, None], axis=-1, bitorder="little")
    rows = np.zeros((mask.numel() // max(mask.shape[-1], 1), mask.shape[-1]), np.uint8)
    packed = bits.reshape(-1, bits.shape[-1])
    rows[: len(packed), : packed.shape[1]] = packed
    mask.copy_(torch.from_numpy(rows.view(np.int8)).view(mask.dtype).reshape(mask.shape))


@torch_body("aclnnMaxPool2dWithMaskBackward")
def max_pool2d_with_mask_backward(
    grad: Tensor,
    self: Tensor,
    mask: Tensor,
    kernel: Sizes,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    ceil: bool,
    grad_input: Tensor,
) -> None:
    """Each gradient goes to the place that the mask names."""
    windows = _Windows(kernel, stride, padding, dilation)
    height, width = grad.shape[-2:]
    count = windows.kernel[0] * windows.kernel[1]
    planes = grad.numel() // max(height * width, 1)
    packed = mask.contiguous().view(torch.uint8).numpy().reshape(-1, mask.shape[-1])[: planes * count]
    bits = np.unpackbits(packed, axis=-1, bitorder="little", count=height * width)
    places = bits.reshape(planes, count, height, width).argmax(1)
    indices = torch.from_numpy(windows.index(places, self.shape[-1], grad.shape)).reshape(grad.shape)
    sizes = (kernel, stride, padding, dilation)
    deliver(grad_input, _largest_backward(2)(grad, self, indices, *sizes, ceil))


def _unpool2d(self: Tensor, indices: Tensor, size: Sizes) -> Tensor:
    flat = self.new_zeros((*self.shape[:-2], size[0] * size[1]))
    return flat.scatter(-1, indices.long().flatten(-2), self.flatten(-2))


def _unpool3d(self: Tensor, indices: Tensor, size: Sizes, stride: Sizes, padding: Sizes) -> Tensor:
    flat = self.new_zeros((*self.shape[:-3], size[0] * size[1] * size[2]))
    return flat.scatter(-1, indices.long().flatten(-3), self.flatten(-3))


def _adaptive_mean(axes: int) -> Callable[..., Tensor]:
    function = getattr(torch.nn.functional, f"adaptive_avg_pool{axes}d")
    return in_float32(lambda self, size: function(self, list(size)))


def _adaptive_largest(axes: int) -> Callable[..., Any]:
    function = getattr(aten, f"adaptive_max_pool{axes}d")
    return lambda self, size: function(self, list(size))


def _adaptive_largest_backward(axes: int) -> Callable[..., Tensor]:
    function = getattr(aten, f"adaptive_max_pool{axes}d_backward")
    return in_float32(lambda grad, self, indices: function(grad, self, indices.long()))


computed(
    {
        "AvgPool2d": _mean(2),
        "AvgPool3d": _mean(3),
        "AvgPool2dBackward": _mean_backward(2),
        "AvgPool3dBackward": _mean_backward(3),
        "MaxPool2dWithIndices": _largest(2),
        "MaxPool2dWithIndicesBackward": _largest_backward(2),
        "MaxPool3dWithArgmax": _largest(3),
        "MaxPool3dWithArgmaxBackward": _largest_backward(3),
        "MaxUnpool2d": _unpool2d,
        "MaxUnpool3d": _unpool3d,
        "AdaptiveAvgPool2d": _adaptive_mean(2),
        "AdaptiveAvgPool3d": _adaptive_mean(3),
        "AdaptiveAvgPool2dBackward": in_float32(aten._adaptive_avg_pool2d_backward),
        "AdaptiveAvgPool3dBackward": in_float32(aten._adaptive_avg_pool3d_backward),
        "AdaptiveMaxPool2d": _adaptive_largest(2),
        "AdaptiveMaxPool3d": _adaptive_largest(3),
        "AdaptiveMaxPool2dBackward": _adaptive_largest_backward(2),
        "AdaptiveMaxPool3dBackward": _adaptive_largest_backward(3),
    }
)
