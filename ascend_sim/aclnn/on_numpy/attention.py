"""Attention of inference upon dense tensors of floating point numbers; pages, quantisation and more are torch's.

Rules: ``docs/semantics/fused_operators.md#attention``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ascend_sim.aclnn.bodies import numpy_body
from ascend_sim.aclnn.on_numpy.storing import Array, store

__all__: list[str] = []

LAYOUTS = ("BNSD", "BSND", "BSH")


def _by_heads(tensor: Array, layout: str, heads: int) -> Array:
    """[batch, heads, tokens, width] as a view."""
    if layout == "BSH":
        tensor = tensor.reshape(*tensor.shape[:2], heads, -1 if tensor.size else tensor.shape[2] // heads)
    return tensor if layout == "BNSD" else tensor.swapaxes(1, 2)


def _hidden(mode: int, size: tuple[int, int], band: tuple[int, int], mask: Array | None, single: bool) -> Array | None:
    """Which keys each query must not see; single tokens look at the mask alone."""
    i, j = np.arange(size[0])[:, None], np.arange(size[1])[None]
    corner = size[1] - size[0]
    if mode in (0, 1) or single:
        if mask is None or (single and mode > 1):
            return None
        own: Array = mask.astype(bool)[: size[0], : size[1]]
        return own if mode == 1 or single else own | (i - j > band[0]) | (j - i > band[1])
    if mode in (2, 3):
        return np.asarray(j - (corner if mode == 3 else 0) > i)
    if mode == 4:
        return np.asarray((i - (j - corner) > band[0]) | (j - corner - i > band[1]))
    raise NotImplementedError(f"sparseMode {mode} is computed where torch is installed")


def _length(lengths: Sequence[int] | None, batch: int, whole: int) -> int:
    return whole if not lengths else int(lengths[0] if len(lengths) == 1 else lengths[batch])


def _own_mask(mask: Array | None, batch: int, single: bool) -> Array | None:
    """[queries, keys] of one sequence; two axes are a row a sequence for single tokens, and for all sequences otherwise."""
    if mask is None or (mask.ndim == 2 and not single):
        return mask
    own: Array = mask.reshape(mask.shape[0], -1, mask.shape[-1])[batch if mask.shape[0] > 1 else 0]
    return own


def _attended(query: Array, key: Array, value: Array, scale: float, unseen: Array | None) -> tuple[Array, Array]:
    """The weighted values [heads, queries, width] and the logarithm of each row's sum; rows without a key: 0 and +inf."""
    share = query.shape[0] // max(key.shape[0], 1)
    keys, values = (np.repeat(part.astype(np.float32), share, 0) for part in (key, value))
    scores = query.astype(np.float32) @ keys.swapaxes(-1, -2) * np.float32(scale)
    if unseen is not None:
        scores = np.where(unseen, -np.inf, scores)
    top = scores.max(-1, keepdims=True, initial=-np.inf)
    weights = np.exp(scores - np.where(np.isinf(top), 0, top))
    total = weights.sum(-1, keepdims=True)
    blind = total == 0
    found = np.where(blind, 0, weights @ values / np.where(blind, 1, total))
    return found, np.where(blind, np.inf, top + np.log(np.where(blind, 1, total)))


def _attention(
    query: Array, key: Sequence[Array], value: Sequence[Array], mask: Array | None, lengths: Sequence[Any],
    more: Sequence[Any], heads: int, scale: float, band: tuple[int, int], word: str | None, key_heads: int, mode: int,
    out: Array, lse: Array | None,
) -> None:  # fmt: skip
    given, _, wanted = (word or "BSH").partition("_")
    wanted = wanted or given
    if not {given, wanted} <= set(LAYOUTS) or any(_told(one) for one in more) or out.dtype.kind != "f":
        raise NotImplementedError(
            "pages, quantisation, biases, ropes, prefixes and packed layouts are computed where torch is installed"
        )
    key_heads = key_heads or heads
    queries, results = _by_heads(query, given, heads), np.zeros_like(_by_heads(out, wanted, heads))
    sums = np.full((*results.shape[:3], 1), np.inf, np.float32)
    for batch, own in enumerate(queries):
        single = own.shape[1] == 1
        at = batch if len(key) > 1 else 0
        k, v = (_by_heads(tensors[at], given, key_heads)[0 if len(key) > 1 else batch] for tensors in (key, value))
        tokens = own.shape[1] if single else _length(lengths[0], batch, own.shape[1])
        count = _length(lengths[1], batch, k.shape[1])
        unseen = _hidden(mode, (tokens, count), band, _own_mask(mask, batch, single), single)
        found, logarithms = _attended(own[:, :tokens], k[:, :count], v[:, :count], scale, unseen)
        results[batch, :, :tokens], sums[batch, :, :tokens] = found, logarithms
    shaped = results if wanted == "BNSD" else results.swapaxes(1, 2)
    store(out, shaped.reshape(out.shape))
    if lse is not None:
        store(lse, sums.reshape(lse.shape))


def _told(value: Any) -> bool:
    return value is not None and not (isinstance(value, np.ndarray) and not value.size)


@numpy_body("aclnnFusedInferAttentionScoreV2", "aclnnFusedInferAttentionScoreV3")
def fused_infer_attention_score(
    query: Array, key: Sequence[Array], value: Sequence[Array], bias: Array | None, mask: Array | None, lengths: Any,
    key_lengths: Any, *more: Any,
) -> None:  # fmt: skip
    """Both versions end with the same fifteen parameters. Raises NotImplementedError for what numpy leaves to torch."""
    (heads, scale, before, after, word, key_heads, mode, _, _, _, with_sums, _, _, out, lse) = more[-15:]
    _attention(
        query, key, value, mask, (lengths, key_lengths), (bias, *more[:-15]), heads, scale, (before, after), word,
        key_heads, mode, out, lse if with_sums else None,
    )  # fmt: skip


fused_infer_attention_score.float8 = frozenset()  # type: ignore[attr-defined]
