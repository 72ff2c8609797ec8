"""Attention of inference against loops: layouts, ragged lengths, pages, paddings, quantised keys, masks, sums of rows."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.kit.attention import FAR, laid_out, plain, seen
from tests.kit.tensors import call, close, empty, nearest, numbers, random, same, takes, torch

import ascend_sim.aclnn.on_torch.fused.infer_attention  # noqa: F401  isort: skip

F32, F16, BF16, I8, I32, I64 = torch.float32, torch.float16, torch.bfloat16, torch.int8, torch.int32, torch.int64
FUSED = [
    "aclnnFusedInferAttentionScore",
    "aclnnFusedInferAttentionScoreV2",
    "aclnnFusedInferAttentionScoreV3",
    "aclnnFusedInferAttentionScoreV4",
    "aclnnFusedInferAttentionScoreV5",
]
PROMPT = ["aclnnPromptFlashAttention", "aclnnPromptFlashAttentionV2", "aclnnPromptFlashAttentionV3"]
INCRE = [
    "aclnnIncreFlashAttention",
    "aclnnIncreFlashAttentionV2",
    "aclnnIncreFlashAttentionV3",
    "aclnnIncreFlashAttentionV4",
]


def fused(name, query, key, value, out, *, heads, key_heads=0, lse=None, **more):
    """A call with the plain values that nobody asked to be otherwise."""
    version = int(name[-1]) if name[-1].isdigit() else 1
    usual = {
        "num_heads": heads,
        "num_key_value_heads": key_heads,
        "scale_value": 0.4,
        "pre_tokens": FAR,
        "next_tokens": FAR,
    }
    usual |= {"input_layout": "BNSD", "sparse_mode": 0, "inner_precise": 0, "block_size": 0, "antiquant_mode": 0}
    usual |= {"softmax_lse_flag": lse is not None}
    if version >= 2:
        usual |= {"key_antiquant_mode": 0, "value_antiquant_mode": 0}
    if version >= 4:
        usual |= {"query_quant_mode": 0}
    if version >= 5:
        usual |= {"pse_type": 0}
    call(name, query=query, key=key, value=value, attention_out=out, softmax_lse=lse, **(usual | more))


def any_attention(name, query, key, value, out, *, heads, **more):
    """A call of any version of the three operators, with what it takes of *more*."""
    renamed = {"deq_scale1": "dequant_scale1", "deq_scale2": "dequant_scale2"} if name in INCRE else {}
    more = {renamed.get(k, k): one for k, one in more.items() if takes(name, renamed.get(k, k))}
    if name in FUSED:
        fused(name, query, [key], [value], out, heads=heads, **more)
        return
    usual = {"num_heads": heads, "num_key_value_heads": 0, "scale_value": 0.4, "input_layout": "BNSD", "block_size": 0}
    usual |= {"pre_tokens": FAR, "next_tokens": FAR, "sparse_mode": 0, "inner_precise": 0}
    usual = {k: one for k, one in usual.items() if takes(name, k)}
    listed = (lambda t: [t]) if name in INCRE else (lambda t: t)
    call(name, query=query, key=listed(key), value=listed(value), attention_out=out, **(usual | more))


def all_seen(i, j):
    return True


def heads_first(t, layout):
    """Any layout with a batch, or without one, as [.., N, S, D] in numpy; BSH must be told apart by the caller."""
    values = numbers(t)
    return {
        "BNSD": values,
        "BSND": values.swapaxes(1, 2) if values.ndim == 4 else values,
        "NBSD": values.swapaxes(0, 1),
        "TND": values.swapaxes(0, 1) if values.ndim == 3 else values,
        "NTD": values,
    }[layout]


@pytest.mark.parametrize("name", FUSED)
@pytest.mark.parametrize("kind", [F16, BF16])
@pytest.mark.parametrize(
    "word, out_layout",
    [
        ("BNSD", "BNSD"),
        ("BSND", "BSND"),
        ("BSH", "BSH"),
        ("BNSD_BSND", "BSND"),
        ("BSND_BNSD", "BNSD"),
        ("BSH_BNSD", "BNSD"),
        ("BSND_NBSD", "NBSD"),
    ],
)
def test_layouts_and_sums_of_rows(name, kind, word, out_layout):
    rng = np.random.default_rng(1)
    q, k, v = random(rng, (2, 4, 3, 4), kind), random(rng, (2, 2, 5, 4), kind), random(rng, (2, 2, 5, 4), kind)
    given = word.split("_")[0]
    plain_out = empty((2, 4, 3, 4), kind)
    out = plain_out.transpose(0, 1).contiguous() if out_layout == "NBSD" else laid_out(plain_out, out_layout)
    lse = empty((2, 4, 3, 1))
    fused(
        name,
        laid_out(q, given),
        [laid_out(k, given)],
        [laid_out(v, given)],
        out,
        heads=4,
        key_heads=2,
        lse=lse,
        input_layout=word,
    )
    values = numbers(out).reshape(2, 3, 4, 4).swapaxes(1, 2) if out_layout == "BSH" else heads_first(out, out_layout)
    for b in range(2):
        found, top, total = plain(numbers(q)[b], numbers(k)[b], numbers(v)[b], 0.4, all_seen)
        close(torch.from_numpy(values[b].copy()).to(kind), found)
        close(lse[b, ..., 0], top + np.log(total), kind)


@pytest.mark.parametrize(
    "sq, sk, mode, before, after",
    [
        (3, 5, 2, FAR, FAR),
        (3, 5, 3, FAR, FAR),
        (5, 3, 3, FAR, FAR),
        (3, 5, 4, 1, 0),
        (3, 5, 4, 2, 1),
        (3, 4, 0, 1, 1),
        (3, 4, 1, 0, 0),
    ],
)
@pytest.mark.parametrize("mask_shape", ["2d", "3d", "4d"])
def test_sparse_modes_with_ragged_lengths(sq, sk, mode, before, after, mask_shape):
    rng = np.random.default_rng(2)
    q, k, v = random(rng, (2, 2, sq, 4)), random(rng, (2, 2, sk, 4)), random(rng, (2, 2, sk, 4))
    lq, lk = (sq, sq - 1), (sk - 1, sk)
    own = None
    if mode in (0, 1):
        own = rng.integers(0, 2, (2, sq, sk)).astype(bool)
        own[..., 0] = False
        own[1] = own[0] if mask_shape == "2d" else own[1]
        mask = torch.from_numpy(own)
        mask = {"2d": mask[0], "3d": mask, "4d": mask.unsqueeze(1)}[mask_shape].to(I8)
    else:
        mask = torch.triu(torch.ones(2048, 2048, dtype=torch.uint8), 1)
        mask = {"2d": mask, "3d": mask[None], "4d": mask[None, None]}[mask_shape]
    out, lse = empty((2, 2, sq, 4)), empty((2, 2, sq, 1))
    fused(
        "aclnnFusedInferAttentionScoreV2",
        q,
        [k],
        [v],
        out,
        heads=2,
        lse=lse,
        atten_mask=mask,
        sparse_mode=mode,
        pre_tokens=before,
        next_tokens=after,
        actual_seq_lengths=lq,
        actual_seq_lengths_kv=lk,
    )
    for b in range(2):

        def look(i, j, b=b):
            return seen(mode, i, j, lq[b], lk[b], before, after, None if own is None else own[b])

        parts = numbers(q)[b, :, : lq[b]], numbers(k)[b, :, : lk[b]], numbers(v)[b, :, : lk[b]]
        found, top, total = plain(*parts, 0.4, look)
        close(out[b, :, : lq[b]], found)
        same(out[b, :, lq[b] :], np.zeros((2, sq - lq[b], 4)))
        sums = np.where(total > 1e38, np.inf, top + np.log(total))
        np.testing.assert_allclose(numbers(lse)[b, :, : lq[b], 0], sums, rtol=1e-5)
        same(lse[b, :, lq[b] :], np.full((2, sq - lq[b], 1), np.inf))


@pytest.mark.parametrize("name", FUSED[2:])
@pytest.mark.parametrize("word", ["TND", "NTD", "NTD_TND", "TND_NTD"])
@pytest.mark.parametrize("mode", [0, 3, 4])
def test_packed_sequences(name, word, mode):
    rng = np.random.default_rng(3)
    lq, lk = (2, 1, 3), (3, 4, 3)
    ends_q, ends_k = tuple(map(int, np.cumsum(lq))), tuple(map(int, np.cumsum(lk)))
    q, k, v = random(rng, (6, 2, 4)), random(rng, (10, 1, 4)), random(rng, (10, 1, 4))
    given, wanted = (word + "_" + word).split("_")[:2]

    def place(t, layout):
        return t if layout == "TND" else t.transpose(0, 1).contiguous()

    out, lse = place(empty((6, 2, 4)), wanted), empty((6, 2, 1))
    fused(
        name,
        place(q, given),
        [place(k, given)],
        [place(v, given)],
        out,
        heads=2,
        key_heads=1,
        lse=lse,
        input_layout=word,
        sparse_mode=mode,
        atten_mask=None if mode == 0 else torch.triu(torch.ones(2048, 2048), 1).bool(),
        pre_tokens=1,
        next_tokens=0,
        actual_seq_lengths=ends_q,
        actual_seq_lengths_kv=ends_k,
    )
    values = heads_first(out, wanted)
    for b, (qb, kb) in enumerate(zip((0, *ends_q), (0, *ends_k), strict=True)):
        if b == 3:
            break

        def look(i, j, b=b):
            return seen(mode, i, j, lq[b], lk[b], 1, 0)

        parts = (numbers(t)[x : x + n].swapaxes(0, 1) for t, x, n in ((q, qb, lq[b]), (k, kb, lk[b]), (v, kb, lk[b])))
        found, top, total = plain(*parts, 0.4, look)
        np.testing.assert_allclose(values[:, qb : qb + lq[b]], found, rtol=2e-5, atol=2e-5)
        close(lse[qb : qb + lq[b], :, 0].T, top + np.log(total))


def pages(rng, t, layout, size=2, blocks=9):
    """A cache of shuffled pages that hold [B, N, S, D], and its block table."""
    batch, heads, length, width = t.shape
    each = -(-length // size)
    table = torch.from_numpy(rng.permutation(blocks)[: batch * each].reshape(batch, each)).to(I32)
    cache = random(rng, (blocks, heads, size, width), spread=9).to(t.dtype)
    for b in range(batch):
        for s in range(length):
            cache[int(table[b, s // size]), :, s % size] = t[b, :, s]
    if layout == "BnBsH":
        cache = cache.transpose(1, 2).flatten(2)
    elif layout == "NZ":
        cache = cache.unflatten(-1, (-1, 16)).permute(0, 1, 3, 2, 4)
    return cache.contiguous(), table


@pytest.mark.parametrize("name", FUSED)
@pytest.mark.parametrize("layout", ["BnBsH", "BnNBsD", "NZ"])
@pytest.mark.parametrize("word", ["BNSD", "BSH", "TND"])
def test_pages_named_by_a_block_table(name, layout, word):
    if word == "TND" and name in FUSED[:2]:
        return  # packed sequences came with V3
    rng = np.random.default_rng(4)
    width, lengths = 16, (5, 1, 0)
    q, k, v = (random(rng, (3, h, s, width)) for h, s in ((4, 1), (2, 5), (2, 5)))
    (k_cache, table), seed = pages(np.random.default_rng(9), k, layout), np.random.default_rng(9)
    v_cache, _ = pages(seed, v, layout, blocks=9)
    out = empty((3, 4, 1, width))
    operands = {
        "actual_seq_lengths_kv": lengths,
        "block_table": table,
        "block_size": 2,
        "key_heads": 2,
        "input_layout": word,
    }
    if word == "TND":
        given, target = q.squeeze(2), out.squeeze(2)
        operands["actual_seq_lengths"] = (1, 2, 3)
    else:
        given, target = (q, out) if word == "BNSD" else (laid_out(q, "BSH"), laid_out(out, "BSH"))
    fused(name, given, [k_cache], [v_cache], target, heads=4, **operands)
    for b, length in enumerate(lengths):
        parts = numbers(q)[b], numbers(k)[b, :, :length], numbers(v)[b, :, :length]
        close(target[b].reshape(4, 1, width), plain(*parts, 0.4, all_seen)[0])


@pytest.mark.parametrize("name", FUSED + PROMPT + INCRE)
@pytest.mark.parametrize("batch", [2, 1])
def test_position_bias_after_the_scale(name, batch):
    rng = np.random.default_rng(5)
    queries = 1 if name in INCRE else 3
    q, k, v, pse = (random(rng, (n, 2, s, 4)) for n, s in ((2, queries), (2, 4), (2, 4), (batch, queries)))
    hides = rng.integers(0, 2, (2, 1, queries, 4)).astype(bool)
    hides[..., 1] = False
    out = empty((2, 2, queries, 4))
    any_attention(name, q, k, v, out, heads=2, pse_shift=pse, atten_mask=torch.from_numpy(hides), sparse_mode=1)
    bias = np.broadcast_to(numbers(pse), (2, 2, queries, 4))
    for b in range(2):

        def look(i, j, b=b):
            return not hides[b, 0, i, j]

        close(out[b], plain(numbers(q)[b], numbers(k)[b], numbers(v)[b], 0.4, look, bias[b], False)[0])


def test_biases_made_inside_of_v5():
    rng = np.random.default_rng(6)
    q, k, v, slopes = random(rng, (1, 2, 3, 4)), random(rng, (1, 2, 3, 4)), random(rng, (1, 2, 3, 4)), random(rng, (2,))
    out = empty((1, 2, 3, 4))
    fused(
        "aclnnFusedInferAttentionScoreV5",
        q,
        [k],
        [v],
        out,
        heads=2,
        pse_shift=slopes,
        pse_type=3,
        q_start_idx=(4,),
        kv_start_idx=(1,),
    )
    bias = np.array(
        [[[-s * math.sqrt(abs(j + 1 - i - 4)) for j in range(3)] for i in range(3)] for s in numbers(slopes)]
    )
    close(out[0], plain(numbers(q)[0], numbers(k)[0], numbers(v)[0], 0.4, all_seen, bias, False)[0])


@pytest.mark.parametrize("name", FUSED)
def test_left_paddings_and_a_list_of_keys(name):
    rng = np.random.default_rng(7)
    q, k, v = random(rng, (2, 1, 4, 4)), random(rng, (2, 1, 6, 4)), random(rng, (2, 1, 6, 4))
    out = empty((2, 1, 4, 4))
    lq, lk = (2, 3), (4, 5)
    fused(
        name,
        q,
        [k],
        [v],
        out,
        heads=1,
        actual_seq_lengths=lq,
        actual_seq_lengths_kv=lk,
        query_padding_size=torch.tensor([1]),
        kv_padding_size=torch.tensor([0]),
    )
    for b in range(2):
        q_rows, k_rows = slice(3 - lq[b], 3), slice(6 - lk[b], 6)
        found = plain(numbers(q)[b, :, q_rows], numbers(k)[b, :, k_rows], numbers(v)[b, :, k_rows], 0.4, all_seen)[0]
        close(out[b, :, q_rows], found)
    listed = empty((2, 1, 4, 4))
    parts = [t[b : b + 1, :, : (3, 5)[b]].contiguous() for t in (k, v) for b in range(2)]
    fused(name, q, parts[:2], parts[2:], listed, heads=1)
    for b in range(2):
        n = (3, 5)[b]
        close(listed[b], plain(numbers(q)[b], numbers(k)[b, :, :n], numbers(v)[b, :, :n], 0.4, all_seen)[0])


@pytest.mark.parametrize("name", FUSED[1:])
def test_a_shared_prefix_stands_before_the_keys(name):
    rng = np.random.default_rng(8)
    q, k, v = (random(rng, (2, 2, s, 4), F16) for s in (2, 3, 3))
    pk, pv = random(rng, (1, 2, 4, 4), F16), random(rng, (1, 2, 4, 4), F16)
    out = empty((2, 2, 2, 4), F16)
    fused(
        name,
        q,
        [k],
        [v],
        out,
        heads=2,
        key_shared_prefix=pk,
        value_shared_prefix=pv,
        actual_shared_prefix_len=(3,),
        sparse_mode=3,
        atten_mask=torch.triu(torch.ones(2048, 2048), 1).bool(),
    )
    for b in range(2):
        whole = [np.concatenate((numbers(p)[0, :, :3], numbers(t)[b]), 1) for p, t in ((pk, k), (pv, v))]
        close(out[b], plain(numbers(q)[b], *whole, 0.4, lambda i, j: seen(3, i, j, 2, 6))[0])


@pytest.mark.parametrize("name", FUSED[1:])
@pytest.mark.parametrize("packed", [False, True])
def test_a_shared_prefix_of_integers(name, packed):
    if packed and name != FUSED[4]:
        return  # the others list no INT32 for it
    rng = np.random.default_rng(20)
    q = random(rng, (1, 2, 2, 8), F16)
    codes = [rng.integers(-8, 8, (1, 2, n, 8)) for n in (3, 3, 4, 4)]
    k, v, pk, pv = (words(c) if packed else torch.from_numpy(c).to(I8) for c in codes)
    scales = [random(rng, (2, 8), F16, spread=0.2) for _ in range(2)]
    out = empty((1, 2, 2, 8), F16)
    fused(name, q, [k], [v], out, heads=2, key_shared_prefix=pk, value_shared_prefix=pv, actual_shared_prefix_len=(3,),
          key_antiquant_scale=scales[0], value_antiquant_scale=scales[1])  # fmt: skip
    whole = [np.concatenate((p[0, :, :3], t[0]), 1) * numbers(scale)[:, None]
             for p, t, scale in ((codes[2], codes[0], scales[0]), (codes[3], codes[1], scales[1]))]  # fmt: skip
    close(out[0], plain(numbers(q)[0], *whole, 0.4, all_seen)[0])


@pytest.mark.parametrize("name", FUSED[2:])
@pytest.mark.parametrize("word", ["BNSD", "TND"])
def test_ropes_stand_behind_query_and_key(name, word):
    rng = np.random.default_rng(9)
    q, k, qr, kr = (random(rng, (2, h, s, d)) for h, s, d in ((4, 2, 8), (1, 5, 8), (4, 2, 4), (1, 5, 4)))
    out = empty((2, 4, 2, 8))
    operands = {"key_heads": 1, "input_layout": word}
    if word == "TND":
        q_in, qr_in, target = (t.transpose(1, 2).flatten(0, 1).contiguous() for t in (q, qr, out))
        k_in, kr_in = (t.transpose(1, 2).flatten(0, 1).contiguous() for t in (k, kr))
        operands |= {"actual_seq_lengths": (2, 4), "actual_seq_lengths_kv": (5, 10)}
    else:
        q_in, qr_in, target, k_in, kr_in = q, qr, out, k, kr
    if takes(name, "key_rope_antiquant_scale"):
        operands["key_rope_antiquant_scale"] = torch.ones(4)  # reserved: it says nothing
    fused(name, q_in, [k_in], [k_in], target, heads=4, query_rope=qr_in, key_rope=kr_in, **operands)
    values = numbers(target).reshape(2, 2, 4, 8).swapaxes(1, 2) if word == "TND" else numbers(target)
    for b in range(2):
        whole = [np.concatenate((numbers(a)[b], numbers(c)[b]), -1) for a, c in ((q, qr), (k, kr))]
        np.testing.assert_allclose(values[b], plain(*whole, numbers(k)[b], 0.4, all_seen)[0], rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("name", FUSED[3:])
def test_a_learnable_sink(name):
    rng = np.random.default_rng(10)
    q, k, v, sink = (
        random(rng, (1, 2, 2, 4), BF16),
        random(rng, (1, 1, 3, 4), BF16),
        random(rng, (1, 1, 3, 4), BF16),
        random(rng, (2,), BF16),
    )
    out = empty((1, 2, 2, 4), BF16)
    fused(name, q, [k], [v], out, heads=2, key_heads=1, learnable_sink=sink)
    close(out[0], plain(numbers(q)[0], numbers(k)[0], numbers(v)[0], 0.4, all_seen, sink=numbers(sink))[0])


def test_a_tree_mask_over_the_last_keys():
    rng = np.random.default_rng(11)
    q, k, v = (random(rng, (2, 1, s, 4)) for s in (3, 5, 5))
    tree = np.array([[[0, 1, 1], [0, 0, 1], [0, 1, 0]], [[0, 1, 1], [1, 0, 1], [0, 0, 0]]]).astype(bool)
    out = empty((2, 1, 3, 4))
    fused(
        "aclnnFusedInferAttentionScoreV4", q, [k], [v], out, heads=1, sparse_mode=9, atten_mask=torch.from_numpy(tree)
    )
    packed = empty((6, 1, 4))
    flat = (t.transpose(1, 2).flatten(0, 1) for t in (q, k, v))
    query, key, value = (t.contiguous() for t in flat)
    fused(
        "aclnnFusedInferAttentionScoreV4",
        query,
        [key],
        [value],
        packed,
        heads=1,
        sparse_mode=9,
        input_layout="TND",
        atten_mask=torch.from_numpy(tree.reshape(-1)),
        actual_seq_lengths=(3, 6),
        actual_seq_lengths_kv=(5, 10),
    )
    for b in range(2):

        def look(i, j, b=b):
            return j < 2 or not tree[b, i, j - 2]

        found = plain(numbers(q)[b], numbers(k)[b], numbers(v)[b], 0.4, look)[0]
        close(out[b], found)
        close(packed[b * 3 : b * 3 + 3].transpose(0, 1), found)


KEY_MODES = {0: (2, 4), 1: (2, 5), 2: (2,), 3: (2, 2, 5)}


def words(codes):
    """INT4 of the last axis in INT32, the first lowest."""
    nibbles = (codes.reshape(*codes.shape[:-1], -1, 8) & 15) << np.arange(0, 32, 4)
    return torch.from_numpy(nibbles.sum(-1).astype(np.uint32).view(np.int32))


@pytest.mark.parametrize("name", FUSED[:3] + FUSED[3:4])
@pytest.mark.parametrize("mode", [0, 1])
def test_scales_of_keys_and_values_in_one_tensor(name, mode):
    rng = np.random.default_rng(21)
    q, k, v = random(rng, (2, 2, 1, 4), F16), random(rng, (2, 2, 5, 4), I8), random(rng, (2, 2, 5, 4), I8)
    shape = (2, 2, 1, 4) if mode == 0 else (2, 2, 5)
    scale, offset = random(rng, shape, F16, spread=0.2), random(rng, shape, F16)
    given = {"antiquant_scale": scale, "antiquant_mode": mode}
    given |= {"antiquant_offset": offset} if takes(name, "antiquant_offset") else {}
    out = empty((2, 2, 1, 4), F16)
    fused(name, q, [k], [v], out, heads=2, **given)
    for b in range(2):
        factors = [numbers(scale)[i] if mode == 0 else numbers(scale)[i, b][:, None] for i in range(2)]
        shifts = [numbers(offset)[i] if mode == 0 else numbers(offset)[i, b][:, None] for i in range(2)]
        shifts = shifts if "antiquant_offset" in given else [0, 0]
        parts = [(numbers(t)[b] + shift) * factor for t, shift, factor in zip((k, v), shifts, factors, strict=True)]
        close(out[b], plain(numbers(q)[b], *parts, 0.4, all_seen)[0])


@pytest.mark.parametrize("name", FUSED[1:])
def test_int4_keys_and_values_in_int32(name):
    rng = np.random.default_rng(22)
    q, codes = random(rng, (1, 2, 1, 8), F16), [rng.integers(-8, 8, (1, 2, 5, 8)) for _ in range(2)]
    scales = [random(rng, (2, 8), F16, spread=0.2) for _ in range(2)]
    out = empty((1, 2, 1, 8), F16)
    fused(name, q, [words(codes[0])], [words(codes[1])], out, heads=2, key_antiquant_scale=scales[0],
          value_antiquant_scale=scales[1])  # fmt: skip
    parts = [c[0] * numbers(scale)[:, None] for c, scale in zip(codes, scales, strict=True)]
    close(out[0], plain(numbers(q)[0], *parts, 0.4, all_seen)[0])


@pytest.mark.parametrize(
    "name, mode", [(FUSED[2], m) for m in (0, 1, 2, 3, "tensor")] + [(name, 0) for name in (FUSED[1], FUSED[4])]
)
@pytest.mark.parametrize("offsets", [False, True])
def test_quantised_keys_and_values(name, mode, offsets):
    rng = np.random.default_rng(12)
    q, k, v = random(rng, (2, 2, 1, 4), F16), random(rng, (2, 2, 5, 4), I8), random(rng, (2, 2, 5, 4), I8)
    shape = (1,) if mode == "tensor" else KEY_MODES[mode]
    ks, vs, ko, vo = (random(rng, shape, spread=0.2) for _ in range(4))
    given = {"key_antiquant_scale": ks, "value_antiquant_scale": vs}
    given |= {"key_antiquant_offset": ko, "value_antiquant_offset": vo} if offsets else {}
    number = 0 if mode == "tensor" else mode
    out = empty((2, 2, 1, 4), F16)
    fused(
        name,
        q,
        [k],
        [v],
        out,
        heads=2,
        key_antiquant_mode=number,
        value_antiquant_mode=number,
        **given,
    )

    def full(t, b):
        values = numbers(t)
        return {
            "tensor": lambda: np.full((2, 5, 4), values[0]),
            0: lambda: np.repeat(values[:, None], 5, 1),
            1: lambda: np.broadcast_to(values[b][None, :, None], (2, 5, 4)),
            2: lambda: np.broadcast_to(values[:, None, None], (2, 5, 4)),
            3: lambda: np.broadcast_to(values[b][:, :, None], (2, 5, 4)),
        }[mode if mode == "tensor" else number]()

    for b in range(2):
        key = (numbers(k)[b] + (full(ko, b) if offsets else 0)) * full(ks, b)
        value = (numbers(v)[b] + (full(vo, b) if offsets else 0)) * full(vs, b)
        close(out[b], plain(numbers(q)[b], key, value, 0.4, all_seen)[0])


@pytest.mark.parametrize("mode", [4, 5])
def test_scales_in_pages(mode):
    rng = np.random.default_rng(13)
    q, k = random(rng, (2, 2, 1, 4), F16), random(rng, (2, 2, 4, 4), I8)
    scales = random(rng, (2, 2, 4, 1) if mode == 5 else (2, 1, 4, 1), spread=0.3)
    cache, table = pages(np.random.default_rng(1), k, "BnNBsD")
    page_scales, _ = pages(np.random.default_rng(1), scales, "BnNBsD")
    given = page_scales[..., 0] if mode == 5 else page_scales[:, 0, :, 0]
    out = empty((2, 2, 1, 4), F16)
    fused(
        "aclnnFusedInferAttentionScoreV3",
        q,
        [cache],
        [cache],
        out,
        heads=2,
        key_heads=2,
        block_table=table,
        block_size=2,
        actual_seq_lengths_kv=(4, 3),
        key_antiquant_scale=given,
        value_antiquant_scale=given,
        key_antiquant_mode=mode,
        value_antiquant_mode=mode,
    )
    for b, n in enumerate((4, 3)):
        key = (numbers(k)[b] * numbers(scales)[b])[:, :n]
        close(out[b], plain(numbers(q)[b], key, key, 0.4, all_seen)[0])


@pytest.mark.parametrize("name", FUSED[3:])
def test_quantised_query_with_a_scale_a_token_and_head(name):
    rng = np.random.default_rng(14)
    q, k, scale = random(rng, (2, 2, 3, 4), I8), random(rng, (2, 1, 4, 4), I8), random(rng, (2, 2, 3), spread=0.2)
    one, out = torch.tensor([0.1]), empty((2, 2, 3, 4), BF16)
    fused(
        name,
        q,
        [k],
        [k],
        out,
        heads=2,
        key_heads=1,
        dequant_scale_query=scale,
        key_antiquant_scale=one,
        value_antiquant_scale=one,
        query_quant_mode=3,
    )
    step = float(one.double())
    for b in range(2):
        query, key = numbers(q)[b] * numbers(scale)[b][..., None], numbers(k)[b] * step
        close(out[b], plain(query, key, key, 0.4, all_seen)[0])


@pytest.mark.parametrize("name", FUSED + PROMPT[1:] + INCRE[1:])
@pytest.mark.parametrize("channels", [False, True])
@pytest.mark.parametrize("offset", [False, True])
def test_results_in_int8(name, channels, offset):
    rng = np.random.default_rng(15)
    queries = 1 if name in INCRE else 3
    q, k, v = (random(rng, (1, 2, s, 4), F16) for s in (queries, 3, 3))
    shape = (2, 4) if channels else (1,)
    scale, shift = random(rng, shape, spread=20), random(rng, shape, spread=3) if offset else None
    out = empty((1, 2, queries, 4), I8)
    any_attention(name, q, k, v, out, heads=2, quant_scale2=scale, quant_offset2=shift)
    found = plain(numbers(q)[0], numbers(k)[0], numbers(v)[0], 0.4, all_seen)[0]
    values = found * numbers(scale).reshape(-1, 1, 4 if channels else 1)
    values = values if shift is None else values + numbers(shift).reshape(-1, 1, 4 if channels else 1)
    same(out[0], [[[min(max(round(x), -128), 127) for x in row] for row in head] for head in values])


def test_results_in_float8():
    rng = np.random.default_rng(23)
    q, k, v, scale = *(random(rng, (1, 2, 3, 4), F16) for _ in range(3)), random(rng, (1,), spread=20)
    out = empty((1, 2, 3, 4), torch.float8_e4m3fn)
    fused(FUSED[4], q, [k], [v], out, heads=2, quant_scale2=scale)
    nearest(out[0], plain(numbers(q)[0], numbers(k)[0], numbers(v)[0], 0.4, all_seen)[0] * numbers(scale)[0])


@pytest.mark.parametrize("name", FUSED + PROMPT[1:] + INCRE[1:])
def test_products_in_int8(name):
    """IncreFlashAttention lists no INT8 for its query and its second version none for keys: whole numbers there."""
    rng = np.random.default_rng(16)
    queries = 1 if name in INCRE else 3
    kinds = (F16 if name in INCRE else I8, F16 if name == INCRE[1] else I8)
    q, k, v = (random(rng, (1, 2, s, 4), kind) for s, kind in zip((queries, 3, 3), (*kinds, kinds[1]), strict=True))
    first, second, third = torch.tensor([0.0078125]), torch.tensor([100.0]), torch.tensor([0.015625])
    out = empty((1, 2, queries, 4), F16)
    any_attention(name, q, k, v, out, heads=2, deq_scale1=first, quant_scale1=second, deq_scale2=third)
    for h in range(2):
        for i in range(queries):
            row = [
                sum(a * b for a, b in zip(numbers(q)[0, h, i], key, strict=True)) * 0.0078125 * 0.4
                for key in numbers(k)[0, h]
            ]
            weights = [math.exp(s - max(row)) for s in row]
            codes = [min(round(w * 100), 127) for w in weights]
            values = [
                sum(c * x for c, x in zip(codes, column, strict=True)) * 0.015625 / sum(weights)
                for column in numbers(v)[0, h].T
            ]
            close(out[0, h, i], values)


@pytest.mark.parametrize("name", PROMPT)
@pytest.mark.parametrize("layout", ["BNSD", "BSH", "BNSD_BSND"])
def test_prompts(name, layout):
    rng = np.random.default_rng(17)
    q, k, v = random(rng, (2, 4, 3, 4), F16), random(rng, (2, 2, 3, 4), F16), random(rng, (2, 2, 3, 4), F16)
    given = layout.split("_")[0]
    version = int(name[-1]) if name[-1].isdigit() else 1
    lengths = (3, 2)
    mask = torch.from_numpy(rng.integers(0, 2, (2, 1, 3, 3)).astype(bool) & ~np.eye(3, dtype=bool))
    out = laid_out(empty((2, 4, 3, 4), F16), "BSND" if "_" in layout else given)
    operands = {"sparse_mode": 1} if version >= 2 else {}
    operands |= {"inner_precise": 0} if version == 3 else {}
    operands |= {"actual_seq_lengths_kv": (3, 2)} if version >= 2 else {}
    call(
        name,
        query=laid_out(q, given),
        key=laid_out(k, given),
        value=laid_out(v, given),
        atten_mask=mask,
        num_heads=4,
        actual_seq_lengths=lengths,
        scale_value=0.4,
        pre_tokens=FAR,
        next_tokens=FAR,
        input_layout=layout,
        num_key_value_heads=2,
        attention_out=out,
        **operands,
    )
    values = numbers(out) if layout == "BNSD" else numbers(out).reshape(2, 3, 4, 4).swapaxes(1, 2)
    for b in range(2):
        n, m = lengths[b], lengths[b] if version >= 2 else 3

        def look(i, j, b=b):
            return not mask[b, 0, i, j]

        found = plain(numbers(q)[b, :, :n], numbers(k)[b, :, :m], numbers(v)[b, :, :m], 0.4, look)[0]
        np.testing.assert_allclose(values[b, :, :n], found, rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize("name", INCRE)
@pytest.mark.parametrize("layout", ["BNSD", "BSND", "BSH"])
@pytest.mark.parametrize("mask_shape", [None, (2, 5), (2, 1, 5), (2, 1, 1, 5)])
def test_single_tokens(name, layout, mask_shape):
    rng = np.random.default_rng(18)
    q, k, v = random(rng, (2, 4, 1, 4), F16), random(rng, (2, 2, 5, 4), F16), random(rng, (2, 2, 5, 4), F16)
    lengths, hides = (5, 3), rng.integers(0, 2, (2, 5)).astype(bool)
    hides[:, 0] = False
    mask = None if mask_shape is None else torch.from_numpy(hides).reshape(mask_shape)
    version = int(name[-1]) if name[-1].isdigit() else 1
    more = {"block_size": 0, "inner_precise": 0} if version >= 3 else {}
    out = laid_out(empty((2, 4, 1, 4), F16), layout)
    call(
        name,
        query=laid_out(q, layout),
        key=[laid_out(k, layout)],
        value=[laid_out(v, layout)],
        atten_mask=mask,
        actual_seq_lengths=lengths,
        num_heads=4,
        scale_value=0.4,
        input_layout=layout,
        num_key_value_heads=2,
        attention_out=out,
        **more,
    )
    for b in range(2):

        def look(i, j, b=b):
            return mask is None or not hides[b, j]

        n = lengths[b]
        found = plain(numbers(q)[b], numbers(k)[b, :, :n], numbers(v)[b, :, :n], 0.4, look)[0]
        close(out[b].reshape(4, 1, 4), found)


@pytest.mark.parametrize("name", INCRE[2:])
def test_single_tokens_over_pages_with_scales_of_both(name):
    rng = np.random.default_rng(19)
    q, k, v = random(rng, (2, 2, 1, 4), F16), random(rng, (2, 2, 4, 4), I8), random(rng, (2, 2, 4, 4), I8)
    k_cache, table = pages(np.random.default_rng(1), k, "BnBsH")
    v_cache, _ = pages(np.random.default_rng(1), v, "BnBsH")
    scale, offset = random(rng, (2, 2, 1, 4), F16, spread=0.3), random(rng, (2, 2, 1, 4), F16)
    out = empty((2, 2, 1, 4), F16)
    call(
        name,
        query=q,
        key=[k_cache],
        value=[v_cache],
        actual_seq_lengths=(4, 2),
        antiquant_scale=scale,
        num_heads=2,
        antiquant_offset=offset,
        scale_value=0.4,
        input_layout="BNSD",
        num_key_value_heads=2,
        block_size=2,
        inner_precise=0,
        attention_out=out,
        **{"blocktable": table},
    )
    for b, n in enumerate((4, 2)):
        parts = [((numbers(t)[b] + numbers(offset)[i]) * numbers(scale)[i])[:, :n] for i, t in enumerate((k, v))]
        close(out[b], plain(numbers(q)[b], *parts, 0.4, all_seen)[0])
    padded = empty((2, 2, 1, 4), F16)
    if name[-1] == "4":
        call(
            name,
            query=q,
            key=[k.half()],
            value=[v.half()],
            actual_seq_lengths=(3, 2),
            kv_padding_size=torch.tensor([1]),
            num_heads=2,
            scale_value=0.4,
            input_layout="BNSD",
            num_key_value_heads=2,
            block_size=0,
            inner_precise=0,
            attention_out=padded,
        )
        for b, n in enumerate((3, 2)):
            own = slice(3 - n, 3)
            close(padded[b], plain(numbers(q)[b], numbers(k)[b, :, own], numbers(v)[b, :, own], 0.4, all_seen)[0])


def test_no_keys_give_zeros_and_infinite_sums():
    q, k, out, lse = torch.ones(1, 1, 2, 4), torch.ones(1, 1, 0, 4), empty((1, 1, 2, 4)), empty((1, 1, 2, 1))
    fused("aclnnFusedInferAttentionScore", q, [k], [k], out, heads=1, lse=lse)
    same(out, np.zeros((1, 1, 2, 4)))
    same(lse, np.full((1, 1, 2, 1), np.inf))


def test_modes_that_are_not_modelled_say_so():
    q, k, out = torch.ones(1, 1, 1, 4), torch.ones(1, 1, 2, 4).to(I8), empty((1, 1, 1, 4))
    with pytest.raises(NotImplementedError, match="antiquant mode 6"):
        fused(
            "aclnnFusedInferAttentionScoreV3",
            q,
            [k],
            [k],
            out,
            heads=1,
            key_antiquant_scale=torch.ones(1),
            value_antiquant_scale=torch.ones(1),
            key_antiquant_mode=6,
            value_antiquant_mode=6,
        )
