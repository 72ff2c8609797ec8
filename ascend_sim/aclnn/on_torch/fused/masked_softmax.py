"""Softmax with a scale, masks and biases of positions in one operator."""

from __future__ import annotations

import torch
from torch import Tensor

from ascend_sim.aclnn.on_torch.fused.named import named_body

__all__ = ["masked_softmax_with_rel_pos_bias"]


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
