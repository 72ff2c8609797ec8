"""Rows of tables by index: gradients, bags, norms; and distances between rows."""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor

from ascend_sim.aclnn.bodies import torch_body
from ascend_sim.aclnn.on_torch.outputs import computed, deliver, in_float32

aten = torch.ops.aten

SIGNED: Final = 1 << 63
MAX: Final = 2
"""The mode of bags that are maxima; 0 are sums, 1 means."""


def _dense_backward(grad: Tensor, indices: Tensor, rows: int, padding: int, by_frequency: bool) -> Tensor:
    """The padding comes without a sign: -1, for none, as the largest number of 64 bits."""
    ignored = padding - 2 * SIGNED if padding >= SIGNED else padding
    return aten.embedding_dense_backward(grad, indices.long(), rows, ignored, by_frequency)


@torch_body("aclnnEmbeddingBag")
def embedding_bag(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    by_frequency: bool,
    mode: int,
    sparse: bool,
    weights: Tensor | None,
    last_offset: bool,
    padding: int,
    out: Tensor,
    offset2bag: Tensor,
    sizes: Tensor,
    largest: Tensor,
) -> None:
    """Sums, means or maxima of the rows of each bag; whatever the outputs of the gradient have no room for is left out."""
    results = aten._embedding_bag(
        weight.float().contiguous(),
        indices.reshape(-1).long().contiguous(),
        offsets.long().contiguous(),
        by_frequency,
        min(mode, MAX),
        sparse,
        None if weights is None else weights.float().reshape(-1).contiguous(),
        last_offset,
        padding,
    )
    deliver(out, results[0])
    counted = _bags(indices.numel(), offsets)
    for output, result in ((offset2bag, counted), (sizes, results[2]), (largest, results[3])):
        if output is not None and output.numel() == result.numel():
            deliver(output, result)


def _bags(count: int, offsets: Tensor) -> Tensor:
    """The bag of each index."""
    return torch.bucketize(torch.arange(count, device="cpu"), offsets.long().contiguous(), right=True) - 1


def _renorm(table: Tensor, indices: Tensor, most: float, order: float) -> Tensor:
    result = table.clone()
    rows = torch.unique(indices.long())
    norms = torch.linalg.vector_norm(result[rows], order, 1, keepdim=True)
    result[rows] *= torch.where(norms > most, most / (norms + 1e-7), torch.ones_like(norms))
    return result


def _cdist(one: Tensor, two: Tensor, p: float, mode: int) -> Tensor:
    return torch.cdist(one, two, p, "donot_use_mm_for_euclid_dist")


computed(
    {
        "EmbeddingDenseBackward": in_float32(_dense_backward),
        "EmbeddingRenorm": in_float32(_renorm),
        "Cdist": in_float32(_cdist),
        "CdistBackward": in_float32(
            lambda grad, one, two, distance, p: aten._cdist_backward(
                grad.contiguous(), one.contiguous(), two.contiguous(), p, distance.contiguous()
            )
        ),
        "Pdist": in_float32(lambda self, p: torch.nn.functional.pdist(self.contiguous(), p)),
    }
)
