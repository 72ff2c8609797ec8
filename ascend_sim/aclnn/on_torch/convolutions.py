"""Convolutions of one to three axes, and their gradients."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from ascend_sim.aclnn.bodies import torch_body
from ascend_sim.aclnn.on_torch.gradients import differentiable
from ascend_sim.aclnn.on_torch.outputs import computed, deliver, in_float32

F = torch.nn.functional
aten = torch.ops.aten
Sizes = Sequence[int]


def _sided(self: Tensor, padding: Sizes, axes: int) -> tuple[Tensor, list[int], list[int]]:
    """A padding of two numbers an axis differs by side: it is put around the input, and none is left to the convolution."""
    if len(padding) != 2 * axes:
        return self, list(padding), []
    sides = [side for axis in reversed(range(axes)) for side in (padding[2 * axis], padding[2 * axis + 1])]
    return F.pad(self, sides), [0] * axes, sides


def _convolution(
    self: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    transposed: bool,
    output_padding: Sizes | None,
    groups: int,
) -> Tensor:
    axes = weight.dim() - 2
    self, padding, _ = _sided(self, padding, axes)
    outer = list(output_padding or []) if transposed else []
    flat = None if bias is None else bias.reshape(-1)
    return aten.convolution(
        self, weight, flat, list(stride), padding, list(dilation), transposed, outer or [0] * axes, groups
    )


def _convolution_backward(
    grad: Tensor,
    self: Tensor,
    weight: Tensor,
    bias_sizes: Sizes | None,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    transposed: bool,
    output_padding: Sizes | None,
    groups: int,
    mask: Sequence[bool],
) -> tuple[Tensor | None, ...]:
    axes = weight.dim() - 2
    padded, inner, sides = _sided(self, padding, axes)
    outer = list(output_padding or []) if transposed else []
    of_input, of_weight, of_bias = aten.convolution_backward(
        grad,
        padded,
        weight,
        None if bias_sizes is None else list(bias_sizes),
        list(stride),
        inner,
        list(dilation),
        transposed,
        outer or [0] * axes,
        groups,
        [bool(one) for one in mask],
    )
    if of_input is not None and sides:
        of_input = F.pad(of_input, [-side for side in sides])
    return of_input, of_weight, of_bias


def _depthwise(
    self: Tensor, weight: Tensor, kernel: Sizes, bias: Tensor | None, stride: Sizes, padding: Sizes, dilation: Sizes
) -> Tensor:
    return F.conv2d(self, weight, bias, tuple(stride), tuple(padding), tuple(dilation), self.shape[1])


def _over_time(self: Tensor, weight: Tensor, bias: Tensor, padding: int) -> Tensor:
    return aten.conv_tbc(self.contiguous(), weight.contiguous(), bias.contiguous(), padding)


def _over_time_backward(
    grad: Tensor, self: Tensor, weight: Tensor, bias: Tensor | None, padding: int
) -> tuple[Tensor, ...]:
    dense = (one.contiguous() for one in (grad, self, weight))
    found = aten.conv_tbc_backward(*dense, weight.new_zeros(weight.shape[2]), padding)
    return tuple(found)


def _deformed(
    self: Tensor, offset: Tensor, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, groups: int, mask: bool
) -> Tensor:
    """The points that each place of the kernel reads, beside each other: heights and widths times the kernel's."""
    batch, channels, height, width = self.shape
    rows, columns = kernel
    out_height, out_width = offset.shape[-2:]
    parts = offset.reshape(batch, 3 if mask else 2, groups, rows, columns, out_height, out_width)
    y = (
        torch.arange(out_height, device="cpu").reshape(1, 1, 1, 1, -1, 1) * stride[2]
        - padding[0]
        + torch.arange(rows, device="cpu").reshape(1, 1, -1, 1, 1, 1) * dilation[2]
        + parts[:, 1]
    )
    x = (
        torch.arange(out_width, device="cpu").reshape(1, 1, 1, 1, 1, -1) * stride[3]
        - padding[2]
        + torch.arange(columns, device="cpu").reshape(1, 1, 1, -1, 1, 1) * dilation[3]
        + parts[:, 0]
    )
    grid = torch.stack((2 * x / max(width - 1, 1) - 1, 2 * y / max(height - 1, 1) - 1), -1)
    points = grid.reshape(batch * groups, rows * columns * out_height, out_width, 2)
    planes = self.reshape(batch * groups, channels // groups, height, width)
    read = F.grid_sample(planes, points, align_corners=True)
    read = read.reshape(batch, groups, channels // groups, rows, columns, out_height, out_width)
    if mask:
        read = read * parts[:, 2].unsqueeze(2)
    ordered = read.reshape(batch, channels, rows, columns, out_height, out_width).permute(0, 1, 4, 2, 5, 3)
    return ordered.reshape(batch, channels, out_height * rows, out_width * columns)


def _deformable(
    self: Tensor,
    weight: Tensor,
    offset: Tensor,
    bias: Tensor | None,
    kernel: Sizes,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    groups: int,
    offset_groups: int,
    mask: bool,
) -> tuple[Tensor, Tensor]:
    points = _deformed(self, offset, kernel, stride, padding, dilation, offset_groups, mask)
    return F.conv2d(points, weight, bias, tuple(kernel), groups=groups), points


@torch_body("aclnnDeformableConv2dBackward")
def deformable_backward(
    self: Tensor,
    grad: Tensor,
    points: Tensor,
    weight: Tensor,
    offset: Tensor,
    kernel: Sizes,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    groups: int,
    offset_groups: int,
    mask: bool,
    grad_input: Tensor,
    grad_weight: Tensor,
    grad_offset: Tensor,
    grad_bias: Tensor | None,
) -> None:
    """The gradients by another run of the forward."""
    with differentiable():
        leaves = [one.detach().to(torch.float32, copy=True).requires_grad_() for one in (self, weight, offset)]
        sizes = (kernel, stride, padding, dilation, groups, offset_groups, mask)
        result, _ = _deformable(leaves[0], leaves[1], leaves[2], None, *sizes)
    found = torch.autograd.grad(result, leaves, grad.float())
    for output, one in zip((grad_input, grad_weight, grad_offset), found, strict=True):
        deliver(output, one)
    deliver(grad_bias, grad.float().sum((0, 2, 3)))


computed(
    {
        "Convolution": in_float32(_convolution),
        "ConvolutionBackward": in_float32(_convolution_backward),
        "ConvDepthwise2d": in_float32(_depthwise),
        "ConvTbc": in_float32(_over_time),
        "ConvTbcBackward": in_float32(_over_time_backward),
        "DeformableConv2d": in_float32(_deformable),
    }
)
