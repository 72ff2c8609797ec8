"""Rotary position embeddings: what turns pairs of a head's values, in the pairings that the documents name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from ascend_sim.aclnn.on_torch.fused.named import named_body
from ascend_sim.aclnn.on_torch.gradients import differentiable

__all__ = ["rotated", "rotated_pairs"]


def _half(x: Tensor) -> Tensor:
    first, second = x.chunk(2, -1)
    return torch.cat((-second, first), -1)


def _interleaved(x: Tensor) -> Tensor:
    return torch.stack((-x[..., 1::2], x[..., ::2]), -1).flatten(-2)


def _quarter(x: Tensor) -> Tensor:
    a, b, c, d = x.chunk(4, -1)
    return torch.cat((-b, a, -d, c), -1)


PAIRINGS: Sequence[Callable[[Tensor], Tensor]] = (_half, _interleaved, _quarter)
"""By mode: 0 half, 1 interleave, 2 quarter; 3 (interleave-half) takes the values apart first and is half then."""
MODES = {"half": 0, "interleave": 1, "quarter": 2, "interleave-half": 3}


def _apart(x: Tensor) -> Tensor:
    return torch.cat((x[..., ::2], x[..., 1::2]), -1)


def rotated_pairs(x: Tensor, mode: int) -> tuple[Tensor, Tensor]:
    """What cos multiplies and what sin multiplies."""
    if mode == 3:
        x = _apart(x)
        return x, _half(x)
    return x, PAIRINGS[mode](x)


def rotated(x: Tensor, cos: Tensor, sin: Tensor, mode: int) -> Tensor:
    """``x * cos + turned * sin`` in FLOAT."""
    plain, turned = rotated_pairs(x.float(), mode)
    return plain * cos.float() + turned * sin.float()


@named_body("aclnnRotaryPositionEmbedding", "aclnnRotaryPositionEmbeddingV2")
def rotary_position_embedding(
    *, x: Tensor, cos: Tensor, sin: Tensor, mode: int, rotate: Tensor | None = None, out: Tensor
) -> None:
    """One input; with *rotate* the turned values are ``x @ rotate``."""
    if rotate is None:
        out.copy_(rotated(x, cos, sin, mode))
    else:
        values = x.float()
        out.copy_(values * cos.float() + values @ rotate.float() * sin.float())


def _summed_to(values: Tensor, shape: Sequence[int]) -> Tensor:
    axes = [i for i, size in enumerate(shape) if size == 1 and values.shape[i] != 1]
    return values.sum(axes, keepdim=True) if axes else values


@named_body("aclnnRotaryPositionEmbeddingGrad")
def rotary_position_embedding_grad(
    *, dy: Tensor, cos: Tensor, sin: Tensor, x: Tensor | None, mode: int, dx_out: Tensor, dcos_out: Tensor | None,
    dsin_out: Tensor | None,
) -> None:  # fmt: skip
    """The gradient of x; those of cos and sin, summed over their broadcast axes, where x is given."""
    grad = dy.float()
    with differentiable():
        probe = torch.zeros_like(grad, requires_grad=True)
        turned = rotated(probe, cos, sin, mode)
    dx_out.copy_(torch.autograd.grad(turned, probe, grad)[0])
    if x is not None:
        for out, part in zip((dcos_out, dsin_out), rotated_pairs(x.float(), mode), strict=True):
            if out is not None:
                out.copy_(_summed_to(grad * part, cos.shape).reshape(out.shape))


@named_body("aclnnApplyRotaryPosEmb", "aclnnApplyRotaryPosEmbV2")
def apply_rotary_pos_emb(
    *, query: Tensor, key: Tensor, cos: Tensor, sin: Tensor, layout: int, rotary_mode: str | None = "half"
) -> None:
    """Query and key in place. Heads stand where cos has one; values beyond the width of cos stay."""
    mode, width = MODES[rotary_mode or "half"], cos.shape[-1]
    for states in (query, key):
        states[..., :width] = rotated(states[..., :width], cos, sin, mode).to(states.dtype)


@named_body("aclnnInterleaveRope")
def interleave_rope(*, x: Tensor, cos: Tensor, sin: Tensor, out: Tensor) -> None:
    """Pairs are taken apart first: even values to the first half."""
    out.copy_(rotated(x, cos, sin, 3))


@named_body("aclnnRopeWithSinCosCache", "aclnnRopeWithSinCosCacheV2")
def rope_with_sin_cos_cache(
    *, positions: Tensor, query_in: Tensor, key_in: Tensor, cos_sin_cache: Tensor, mrope_section: Sequence[int] | None,
    head_size: int, is_neox_style: bool, cache_mode: int = 0, query_out: Tensor, key_out: Tensor,
) -> None:  # fmt: skip
    """Cos and sin by position from the cache; several rows of positions give a section of the width each (mrope)."""
    cos, sin = cos_sin_cache.float()[positions.long()].chunk(2, -1)
    if positions.dim() > 1:
        cos, sin = (_sections(table, mrope_section or (), cache_mode) for table in (cos, sin))
    width = cos.shape[-1] * 2
    wide = (cos.repeat(1, 2), sin.repeat(1, 2)) if is_neox_style else (t.repeat_interleave(2, -1) for t in (cos, sin))
    cos, sin = (table.unsqueeze(1) for table in wide)
    for states, out in ((query_in, query_out), (key_in, key_out)):
        heads = states.reshape(states.shape[0], -1, head_size).float().clone()
        heads[..., :width] = rotated(heads[..., :width], cos, sin, 0 if is_neox_style else 1)
        out.copy_(heads.reshape(out.shape))


def _sections(table: Tensor, sections: Sequence[int], cache_mode: int) -> Tensor:
    if cache_mode == 0 or not sections:
        ends = [sum(sections[: i + 1]) for i in range(len(sections))]
        return torch.cat([table[i, :, end - sections[i] : end] for i, end in enumerate(ends)], -1)
    parts = table[0].clone()
    for i in range(1, len(sections)):
        parts[:, i : sections[i] * len(sections) : len(sections)] = table[i][
            :, i : sections[i] * len(sections) : len(sections)
        ]
    return parts
