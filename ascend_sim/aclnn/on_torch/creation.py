"""Tensors from nothing, or from a few numbers: ranges, constants, unit matrices, triangles."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from ascend_sim.aclnn.bodies import torch_body
from ascend_sim.aclnn.on_torch.outputs import computed, plain


@torch_body("aclnnArange", "aclnnRange")
def arange(start: Any, end: Any, step: Any, out: Tensor) -> None:
    """*start*, *step* further each; how many is the size of *out*, which the caller computed (Range takes the end in)."""
    first, each = plain(start), plain(step)
    kind = torch.int64 if isinstance(first, int) and isinstance(each, int) else torch.float64
    out.copy_((torch.arange(out.numel(), dtype=kind, device="cpu") * each + first).reshape(out.shape))


@torch_body("aclnnLinspace")
def linspace(start: Any, end: Any, steps: int, out: Tensor) -> None:
    """*steps* numbers from *start* to *end*, both among them."""
    numbers = torch.linspace(float(start), float(end), steps, dtype=torch.float64, device="cpu")
    out.copy_(numbers.reshape(out.shape))


@torch_body("aclnnLogSpace")
def logspace(start: Any, end: Any, steps: int, base: float, result: Tensor) -> None:
    """Powers of *base*, with exponents from *start* to *end*."""
    numbers = torch.logspace(float(start), float(end), steps, base, dtype=torch.float64, device="cpu")
    result.copy_(numbers.reshape(result.shape))


@torch_body("aclnnEye")
def eye(n: int, m: int, out: Tensor) -> None:
    """Ones on the diagonal."""
    out.zero_()
    out.diagonal().fill_(1)


def _filled_diagonal(self: Tensor, value: Any, wrap: bool) -> Tensor:
    filled = self.clone(memory_format=torch.contiguous_format)
    return filled.fill_diagonal_(value, wrap)


def _one_hot(self: Tensor, classes: int, on: Tensor, off: Tensor, axis: int) -> Tensor:
    numbers = torch.arange(classes, device="cpu")
    hit = self.unsqueeze(-1) == numbers
    values = torch.where(hit, on.reshape(-1)[0], off.reshape(-1)[0])
    return values if axis == -1 else values.movedim(-1, axis)


computed(
    {
        "InplaceZero": torch.zeros_like,
        "InplaceOne": torch.ones_like,
        "InplaceFillScalar": torch.full_like,
        "InplaceFillTensor": lambda self, value: value.reshape(()).expand_as(self),
        "InplaceFillDiagonal": _filled_diagonal,
        "OneHot": _one_hot,
        "Tril": torch.tril,
        "Triu": torch.triu,
    }
)
