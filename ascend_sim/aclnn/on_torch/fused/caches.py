"""Caches of keys and values in pages: writing rows by slot, gathering sequences by block table, and what is fused with it.

Rules: ``docs/semantics/fused_operators.md#caches``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor

from ascend_sim.aclnn.on_torch.fused.fused_norms import rms_normed
from ascend_sim.aclnn.on_torch.fused.named import named_body
from ascend_sim.aclnn.on_torch.fused.quantization import store
from ascend_sim.aclnn.on_torch.fused.rotary import rotated

__all__ = ["as_integers", "coded", "to_cache", "write_slots"]

SIGNED = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def as_integers(tensor: Tensor) -> Tensor:
    """The bytes of *tensor* as signed integers: torch writes no unsigned ones by index, and not all floats of 8 bits."""
    return tensor.view(SIGNED[tensor.element_size()])


def write_slots(cache: Tensor, rows: Tensor, slots: Tensor, mode: str) -> None:
    """Write *rows* [tokens, heads, width] at *slots* (page times size of a page plus place; a negative one: nowhere).

    *mode*: ``BSND`` pages [size, heads, width]; ``BNSD`` [heads, size, width]; ``NZ`` [heads * width / c, size, c] or
    [heads, width / c, size, c], c being 32 bytes.
    """
    keep = slots >= 0
    rows, slots = as_integers(rows[keep].to(cache.dtype)), slots[keep].long()
    cache = as_integers(cache)
    if mode == "BNSD":
        size = cache.shape[2]
        cache[slots // size, :, slots % size] = rows
        return
    if mode == "BSND":
        size = cache.shape[1]
        cache[slots // size, slots % size] = rows.reshape(-1, *cache.shape[2:])
        return
    size = cache.shape[-2]
    pages = slots // size, *(slice(None),) * (cache.dim() - 3), slots % size
    cache[pages] = rows.reshape(rows.shape[0], *cache.shape[1:-2], cache.shape[-1])


def _no_compression(*given: Tensor | None) -> None:
    if any(tensor is not None for tensor in given):
        raise NotImplementedError("caches of compressed heads (compressLens, seqLens) are not modelled")


@named_body("aclnnScatterPaKvCache", float8=("key", "key_cache", "value", "value_cache"))
def scatter_pa_kv_cache(
    *, key: Tensor, key_cache: Tensor, slot_mapping: Tensor, value: Tensor | None, value_cache: Tensor | None,
    compress_lens: Tensor | None, compress_seq_offset: Tensor | None, seq_lens: Tensor | None, cache_mode: str | None,
    scatter_mode: str | None, strides: Sequence[int] | None, offsets: Sequence[int] | None,
) -> None:  # fmt: skip
    """Rows of key and value into their caches; scatterMode NHSD has the heads outside a page, cacheMode PA_NZ tiles."""
    _no_compression(compress_lens, compress_seq_offset, seq_lens)
    mode = "NZ" if cache_mode == "PA_NZ" else ("BNSD" if scatter_mode == "NHSD" else "BSND")
    for rows, cache in ((key, key_cache), (value, value_cache)):
        if rows is not None and cache is not None and cache.numel():
            write_slots(cache, rows.reshape(-1, *rows.shape[-2:]), slot_mapping.reshape(-1), mode)


@named_body("aclnnScatterPaCache", float8=("key", "key_cache"))
def scatter_pa_cache(
    *, key: Tensor, key_cache: Tensor, slot_mapping: Tensor, compress_lens: Tensor | None,
    compress_seq_offset: Tensor | None, seq_lens: Tensor | None, cache_mode: str | None,
) -> None:  # fmt: skip
    """Rows of one tensor into its cache."""
    _no_compression(compress_lens, compress_seq_offset, seq_lens)
    write_slots(key_cache, key.reshape(-1, *key.shape[-2:]), slot_mapping.reshape(-1), "BSND")


@named_body("aclnnGatherPaKvCache", float8=("key", "key_cache", "value", "value_cache"))
def gather_pa_kv_cache(
    *, key_cache: Tensor, value_cache: Tensor, block_tables: Tensor, seq_lens: Tensor, key: Tensor, value: Tensor,
    seq_offset: Tensor | None, cache_mode: str, is_seq_lens_cumsum: bool,
) -> None:  # fmt: skip
    """The sequences that the block tables name, one behind the other; seqOffset is the first place of each."""
    ends = [int(n) for n in seq_lens.tolist()]
    if is_seq_lens_cumsum:
        if len(ends) == block_tables.shape[0]:
            ends = [0, *ends]
        counts = [end - begin for begin, end in pairwise(ends)]
    else:
        counts = ends
    places = []
    for batch, count in enumerate(counts):
        first = 0 if seq_offset is None else int(seq_offset[batch])
        at = torch.arange(first, first + count)
        size = key_cache.shape[2] if cache_mode == "PA_NZ" else key_cache.shape[1]
        places.append(block_tables[batch, at // size].long() * size + at % size)
    slots = torch.cat(places) if places else torch.zeros(0, dtype=torch.long)
    for cache, out in ((key_cache, key), (value_cache, value)):
        size = cache.shape[2] if cache_mode == "PA_NZ" else cache.shape[1]
        found = cache[slots // size, :, slots % size] if cache_mode == "PA_NZ" else cache[slots // size, slots % size]
        out[: len(slots)] = found.reshape(len(slots), *out.shape[1:])


def coded(values: Tensor, cache: Tensor, scale: Tensor | None, offset: Tensor | None) -> Tensor:
    """What goes into a cache: as it is, or ``round(x * scale + offset)``."""
    if scale is None and offset is None:
        return values
    if scale is not None:
        values = values * scale.float()
    if offset is not None:
        values = values + offset.float()
    codes = torch.empty(values.shape, dtype=cache.dtype)
    store(codes, values)
    return codes


def to_cache(cache: Tensor, values: Tensor, index: Tensor, mode: str) -> None:
    """[batch, heads, tokens, width] into a cache: Norm by place in the batch, PA by slot, PA_BLK by first slots of pages."""
    batch, _, tokens, _ = values.shape
    if mode == "Norm":
        for b in range(batch):
            keep = index[b] >= 0
            cache[b, :, index[b][keep].long()] = values[b][:, keep].to(cache.dtype)
        return
    slots = index.reshape(-1).long()
    if "BLK" in mode:
        size = cache.shape[1]
        pages = slots.reshape(batch, -1)
        at = torch.arange(tokens)
        first = pages[:, at // size]
        slots = torch.where(first < 0, first, first // size * size + at % size).reshape(-1)
    rows = values.transpose(1, 2).flatten(0, 1)
    if not mode.endswith("NZ"):
        write_slots(cache, rows, slots, "BSND")
        return
    # told as [blocks, size, heads, width]: what lies in a page is another order
    tiles = cache.reshape(cache.shape[0], -1, cache.shape[1], 32 // cache.element_size())
    write_slots(tiles, rows, slots, "NZ")
    if tiles.data_ptr() != cache.data_ptr():  # a cache with gaps
        cache.copy_(tiles.reshape(cache.shape))


@named_body("aclnnKvRmsNormRopeCache", "aclnnKvRmsNormRopeCacheV2")
def kv_rms_norm_rope_cache(
    *, kv: Tensor, gamma: Tensor, cos: Tensor, sin: Tensor, index: Tensor, k_cache: Tensor, ckv_cache: Tensor,
    k_rope_scale: Tensor | None, c_kv_scale: Tensor | None, k_rope_offset: Tensor | None, c_kv_offset: Tensor | None,
    v: Tensor | None = None, epsilon: float, cache_mode: str | None, is_output_kv: bool, k_rope_out: Tensor | None,
    c_kv_out: Tensor | None,
) -> None:  # fmt: skip
    """The norm of the first part of kv, the rope of the rest; with a v of its own the rope is of the norm's first part."""
    if not kv.numel():
        return
    width, turned = gamma.shape[-1], cos.shape[-1]
    normed, _ = rms_normed(kv[..., :width].float(), gamma, epsilon)
    if v is None:
        rope, latent = rotated(kv[..., width:], cos, sin, 3), normed
    else:
        rope = torch.cat((rotated(normed[..., :turned], cos, sin, 3), normed[..., turned:]), -1)
        latent = v.float()
    mode = cache_mode or "Norm"
    to_cache(k_cache, coded(rope, k_cache, k_rope_scale, k_rope_offset), index, mode)
    to_cache(ckv_cache, coded(latent, ckv_cache, c_kv_scale, c_kv_offset), index, mode)
    if is_output_kv:
        for out, values in ((k_rope_out, rope), (c_kv_out, latent)):
            if out is not None and out.numel():
                out.copy_(values.reshape(out.shape))
