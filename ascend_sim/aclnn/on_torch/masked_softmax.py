"""Softmax with a scale, a mask and a bias in one operator."""

from __future__ import annotations

import torch
from torch import Tensor

from ascend_sim.aclnn.on_torch.named import named_body

__all__ = ["masked_softmax_with_rel_pos_bias", "scaled_masked_softmax"]

HIDDEN = -10000.0
"""What a hidden place gets before the softmax."""


@named_body("aclnnMaskedSoftmaxWithRelPosBias")
def masked_softmax_with_rel_pos_bias(
    *, x: Tensor, atten_mask: Tensor | None, relative_pos_bias: Tensor, scale_value: float, inner_precision_mode: int,
    out: Tensor,
) -> None:  # fmt: skip
    """``softmax(scale * x + mask + bias)`` over windows [B, W, N, S, S]; masks are added, one for each window."""
    scored = x.float() * scale_value
    if atten_mask is not None:
        mask = atten_mask.float()
        windows = mask.shape[0] if mask.dim() == 3 else mask.shape[-4]
        mask = mask.reshape(windows, 1, *mask.shape[-2:])
        scored = (scored.reshape(-1, windows, *x.shape[-3:]) + mask).reshape(x.shape)
    bias = relative_pos_bias.float()
    scored = scored + bias.reshape(*bias.shape[-3:])
    out.copy_(torch.softmax(scored, -1))


def _hidden(mask: Tensor, triangle: bool, shape: torch.Size) -> Tensor:
    if triangle:
        return torch.ones(shape[-2:], dtype=torch.bool).triu(1)
    return mask.bool()


@named_body("aclnnScaledMaskedSoftmax")
def scaled_masked_softmax(*, x: Tensor, mask: Tensor, scale: float, fixed_triu_mask: bool, y: Tensor) -> None:
    """The softmax of ``scale * x`` with -10000 where the mask is set."""
    y.copy_(torch.softmax((x.float() * scale).masked_fill(_hidden(mask, fixed_triu_mask, x.shape), HIDDEN), -1))


@named_body("aclnnScaledMaskedSoftmaxBackward")
def scaled_masked_softmax_backward(
    *, grad_output: Tensor, y: Tensor, mask: Tensor, scale: float, fix_triu_mask: bool, out: Tensor
) -> None:
    """The gradient of x: zero where the mask is set."""
    product = grad_output.float() * y.float()
    grad = (product - product.sum(-1, keepdim=True) * y.float()) * scale
    out.copy_(grad.masked_fill(_hidden(mask, fix_triu_mask, y.shape), 0.0))
