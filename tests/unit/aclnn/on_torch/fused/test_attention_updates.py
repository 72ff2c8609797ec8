"""Joined attention: parts of the keys together give what all keys give at once."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.kit.attention import plain
from tests.kit.tensors import call, close, empty, numbers, random, same, torch

import ascend_sim.aclnn.on_torch.fused.attention_updates  # noqa: F401  isort: skip

F32, F16, BF16, I64 = torch.float32, torch.float16, torch.bfloat16, torch.int64


@pytest.mark.parametrize("kind", [F32, F16, BF16])
@pytest.mark.parametrize("update", [0, 1])
def test_attention_update(kind, update):
    rng = np.random.default_rng(1)
    lse, parts = [random(rng, (5,), spread=3) for _ in range(3)], [random(rng, (5, 4), kind) for _ in range(3)]
    lse[1][2] = float("inf")  # this part saw no key
    out, whole = empty((5, 4), kind), empty((5,)) if update else None
    call("aclnnAttentionUpdate", lse=lse, local_out=parts, update_type=update, out=out, lse_out=whole)
    for i in range(5):
        own = [(float(s[i]), numbers(p)[i]) for s, p in zip(lse, parts, strict=True) if not math.isinf(float(s[i]))]
        top = max(s for s, _ in own)
        total = top + math.log(sum(math.exp(s - top) for s, _ in own))
        close(out[i], sum(row * math.exp(s - total) for s, row in own))
        if update:
            close(whole[i], total)


def halves(rng, heads, sq, sk):
    """Attention over all keys, and over each half of them."""
    q, k, v = (rng.standard_normal((heads, s, 4)) for s in (sq, sk, sk))
    cut = sk // 2

    def look(i, j):
        return True

    return [plain(q, *pair, 0.5, look) for pair in ((k, v), (k[:, :cut], v[:, :cut]), (k[:, cut:], v[:, cut:]))]


@pytest.mark.parametrize("kind", [F32, F16])
@pytest.mark.parametrize("layout", ["SBH", "TND in order", "TND heads outside"])
def test_ring_attention_update(kind, layout):
    rng = np.random.default_rng(2)
    lengths = [3, 3] if layout == "SBH" else [2, 3]
    found = [halves(rng, 2, n, 4) for n in lengths]
    attention, top, total = [], [], []
    for k in range(3):
        rows = [f[k] for f in found]
        if layout == "SBH":
            attention.append(np.stack([r[0] for r in rows]).transpose(2, 0, 1, 3).reshape(3, 2, 8))
            numbers8 = [np.stack([r[p] for r in rows]) for p in (1, 2)]
        elif layout == "TND in order":
            attention.append(np.concatenate([r[0].transpose(1, 0, 2) for r in rows]))
            numbers8 = [np.concatenate([r[p].T for r in rows]) for p in (1, 2)]
        else:
            attention.append(np.concatenate([r[0].transpose(1, 0, 2) for r in rows]))
            numbers8 = [np.concatenate([r[p].reshape(-1) for r in rows]).reshape(5, 2) for p in (1, 2)]
        for kept, values in zip((top, total), numbers8, strict=True):
            kept.append(torch.from_numpy(np.repeat(values[..., None], 8, -1)).float())
    parts = [torch.from_numpy(a).to(kind) for a in attention]
    out, out_max, out_sum = empty(tuple(parts[0].shape), kind), empty(tuple(top[0].shape)), empty(tuple(top[0].shape))
    packed = layout != "SBH"
    call(
        "aclnnRingAttentionUpdateV2",
        prev_attn_out=parts[1],
        prev_softmax_max=top[1],
        prev_softmax_sum=total[1],
        cur_attn_out=parts[2],
        cur_softmax_max=top[2],
        cur_softmax_sum=total[2],
        actual_seq_qlen=torch.tensor([0, 2, 5]) if packed else None,
        input_layout="TND" if packed else "SBH",
        input_softmax_layout="TND" if layout == "TND in order" else "",
        attn_out_out=out,
        softmax_max_out=out_max,
        softmax_sum_out=out_sum,
    )
    close(out, attention[0])
    close(out_max, numbers(top[0]))
    close(out_sum, numbers(total[0]))


def test_a_part_without_keys_leaves_the_other_as_it_is():
    part, none = random(np.random.default_rng(3), (2, 4)), torch.zeros(2, 4)
    out = empty((2, 4))
    call(
        "aclnnAttentionUpdate",
        lse=[torch.zeros(2), torch.full((2,), float("inf"))],
        local_out=[part, none],
        update_type=0,
        out=out,
    )
    same(out, numbers(part))
