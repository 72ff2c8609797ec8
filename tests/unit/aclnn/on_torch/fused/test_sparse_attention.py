"""Chosen keys: which the indexer names, and attention to those alone, against loops."""

from __future__ import annotations

import numpy as np
import pytest

from tests.kit.attention import plain
from tests.kit.tensors import call, close, empty, numbers, random, same, torch

import ascend_sim.aclnn.on_torch.fused.sparse_attention  # noqa: F401  isort: skip

F32, F16, BF16, I32 = torch.float32, torch.float16, torch.bfloat16, torch.int32
FAR = 2**63 - 1


def paged(rng, parts, size=2):
    """Sequences [keys, heads, width] in shuffled pages, and their block table."""
    most = -(-max(p.shape[0] for p in parts) // size)
    table = torch.from_numpy(rng.permutation(len(parts) * most).reshape(len(parts), most)).to(I32)
    cache = torch.full((len(parts) * most, size, *parts[0].shape[1:]), 9.0, dtype=parts[0].dtype)
    for b, part in enumerate(parts):
        for i, row in enumerate(part):
            cache[int(table[b, i // size]), i % size] = row
    return cache, table


def padded(parts):
    longest = max(p.shape[0] for p in parts)
    out = torch.full(
        (len(parts), longest, *parts[0].shape[1:]), 9.0 if parts[0].is_floating_point() else -1, dtype=parts[0].dtype
    )
    for b, part in enumerate(parts):
        out[b, : part.shape[0]] = part
    return out


def counts(parts, summed):
    lengths = [p.shape[0] for p in parts]
    return torch.tensor(np.cumsum(lengths) if summed else lengths, dtype=I32)


def laid(rng, parts, layout):
    """The parts in a layout, their lengths as the layout wants them, and a block table or None."""
    if layout == "TND":
        return torch.cat(parts), counts(parts, True), None
    if layout == "BSND":
        return padded(parts), counts(parts, False), None
    cache, table = paged(rng, parts)
    return cache, counts(parts, False), table


@pytest.mark.parametrize("q_layout", ["BSND", "TND"])
@pytest.mark.parametrize("k_layout", ["BSND", "TND", "PA_BSND"])
@pytest.mark.parametrize("mode", [0, 3])
@pytest.mark.parametrize("count", [2, 8])
def test_lightning_indexer(q_layout, k_layout, mode, count):
    rng = np.random.default_rng(1)
    lq, lk = [2, 3], [5, 3]
    queries = [random(rng, (n, 2, 4), BF16) for n in lq]
    keys, weights = [random(rng, (n, 1, 4), BF16) for n in lk], [random(rng, (n, 2), BF16) for n in lq]
    q, q_len, _ = laid(rng, queries, q_layout)
    k, k_len, table = laid(rng, keys, k_layout)
    w, *_ = laid(rng, weights, q_layout)
    shape = (5, 1, count) if q_layout == "TND" else (2, 3, 1, count)
    index, values = empty(shape, I32), empty(shape)
    call(
        "aclnnLightningIndexer",
        query=q,
        key=k,
        weights=w,
        actual_seq_lengths_query=q_len,
        actual_seq_lengths_key=k_len,
        block_table=table,
        layout_query=q_layout,
        layout_key=k_layout,
        sparse_count=count,
        sparse_mode=mode,
        pre_tokens=FAR,
        next_tokens=FAR,
        return_values=True,
        sparse_indices_out=index,
        sparse_values_out=values,
    )
    begin = 0
    for b, (own_q, own_k, own_w) in enumerate(zip(queries, keys, weights, strict=True)):
        for i in range(lq[b]):
            scores = {}
            for j in range(lk[b]):
                if mode == 3 and j - (lk[b] - lq[b]) > i:
                    continue
                dots = [
                    max(float(numbers(own_q)[i, h] @ numbers(own_k)[j, 0]), 0.0) * numbers(own_w)[i, h]
                    for h in range(2)
                ]
                scores[j] = sum(dots)
            best = sorted(scores, key=lambda j: (-scores[j], j))[:count]
            row = index[begin + i, 0] if q_layout == "TND" else index[b, i, 0]
            got = values[begin + i, 0] if q_layout == "TND" else values[b, i, 0]
            same(row, best + [-1] * (count - len(best)))
            np.testing.assert_allclose(
                numbers(got), [scores[j] for j in best] + [-np.inf] * (count - len(best)), rtol=1e-4, atol=1e-5
            )
        begin += lq[b]


@pytest.mark.parametrize("q_layout", ["BSND", "TND"])
@pytest.mark.parametrize("k_layout", ["BSND", "TND", "PA_BSND"])
@pytest.mark.parametrize("mode", [0, 3])
@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("kind", [F32, BF16])
def test_sparse_flash_attention(q_layout, k_layout, mode, size, kind):
    rng = np.random.default_rng(2)
    lq, lk, heads = [2, 3], [5, 3], 4
    queries, ropes = ([random(rng, (n, heads, w), kind) for n in lq] for w in (6, 2))
    keys, key_ropes = ([random(rng, (n, 1, w), kind) for n in lk] for w in (6, 2))
    named = []
    for n, m in zip(lq, lk, strict=True):
        blocks = -(-m // size)
        rows = [list(rng.permutation(blocks)[: rng.integers(1, blocks + 1)]) for _ in range(n)]
        named.append(torch.tensor([[row + [-1] * (5 - len(row))] for row in rows], dtype=I32))
    q, q_len, _ = laid(rng, queries, q_layout)
    page_rng = np.random.default_rng(3)
    k, k_len, table = laid(page_rng, keys, k_layout)
    kr, *_ = laid(np.random.default_rng(3), key_ropes, k_layout)
    qr, *_ = laid(rng, ropes, q_layout)
    index, *_ = laid(rng, named, q_layout)
    packed = q_layout == "TND"
    out = empty((5, heads, 6) if packed else (2, 3, heads, 6), kind)
    top, total = (empty((1, 5, heads) if packed else (2, 1, 3, heads)) for _ in range(2))
    call(
        "aclnnSparseFlashAttention",
        query=q,
        key=k,
        value=k,
        sparse_indices=index,
        block_table=table,
        actual_seq_lengths_query=q_len,
        actual_seq_lengths_kv=k_len,
        query_rope=qr,
        key_rope=kr,
        scale_value=0.4,
        sparse_block_size=size,
        layout_query=q_layout,
        layout_kv=k_layout,
        sparse_mode=mode,
        pre_tokens=FAR,
        next_tokens=FAR,
        attention_mode=2,
        return_softmax_lse=True,
        attention_out=out,
        softmax_max=top,
        softmax_sum=total,
    )
    begin = 0
    for b in range(2):

        def look(i, j, b=b):
            blocks = [n for n in named[b][i, 0].tolist() if n >= 0]
            return j // size in blocks and (mode == 0 or j - (lk[b] - lq[b]) <= i)

        whole = [
            np.concatenate((numbers(a[b]), numbers(c[b])), -1).transpose(1, 0, 2)
            for a, c in ((queries, ropes), (keys, key_ropes))
        ]
        found, greatest, sums = plain(*whole, numbers(keys[b]).transpose(1, 0, 2), 0.4, look)
        rows = slice(begin, begin + lq[b])
        got = (
            (out[rows], top[0, rows], total[0, rows])
            if packed
            else (out[b, : lq[b]], top[b, 0, : lq[b]], total[b, 0, : lq[b]])
        )
        close(got[0].transpose(0, 1), found)
        np.testing.assert_allclose(numbers(got[1]).T, greatest, rtol=1e-4)
        np.testing.assert_allclose(numbers(got[2]).T, sums, rtol=1e-4)
        begin += lq[b]


def test_indices_behind_the_first_that_is_none_do_not_count():
    q, k, out = torch.ones(1, 1, 1, 2), torch.arange(8.0).reshape(1, 4, 1, 2), empty((1, 1, 1, 2))
    call(
        "aclnnSparseFlashAttention",
        query=q,
        key=k,
        value=k,
        sparse_indices=torch.tensor([[[[1, -1, 3]]]], dtype=I32),
        scale_value=1.0,
        sparse_block_size=1,
        layout_query="BSND",
        layout_kv="BSND",
        sparse_mode=0,
        pre_tokens=FAR,
        next_tokens=FAR,
        attention_mode=2,
        return_softmax_lse=False,
        attention_out=out,
        softmax_max=empty((0,)),
        softmax_sum=empty((0,)),
    )
    same(out, [[[[2, 3]]]])
