"""Attention of training against loops over heads, queries and keys in float64; gradients against differences of the loop."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.kit.attention import FAR, back, laid_out, plain, seen
from tests.kit.tensors import call, close, empty, numbers, random, takes, torch

import ascend_sim.aclnn.on_torch.fused.flash_attention  # noqa: F401  isort: skip

F32, F16, BF16 = torch.float32, torch.float16, torch.bfloat16
COMMON = {
    "pre_tokens": FAR,
    "next_tokens": FAR,
    "inner_precise": 0,
    "sparse_mode": 0,
    "keep_prob": 1.0,
    "scale_value": 0.4,
}


def outputs(q, batch, heads, queries):
    shape = (batch, heads, queries, 8)
    return {
        "softmax_max_out": empty(shape),
        "softmax_sum_out": empty(shape),
        "softmax_out_out": empty((0,)),
        "attention_out_out": q,
    }


@pytest.mark.parametrize("layout", ["BNSD", "BSND", "BSH", "SBH"])
@pytest.mark.parametrize("kind", [F32, F16, BF16])
@pytest.mark.parametrize("heads, key_heads", [(2, 2), (4, 1)])
def test_layouts_types_and_grouped_heads(layout, kind, heads, key_heads):
    rng = np.random.default_rng(1)
    q, k = random(rng, (2, heads, 3, 4), kind), random(rng, (2, key_heads, 5, 4), kind)
    v = random(rng, (2, key_heads, 5, 2 if layout in ("BNSD", "BSND") else 4), kind)
    out = laid_out(empty((2, heads, 3, v.shape[-1]), kind), layout)
    kept = outputs(out, 2, heads, 3)
    call(
        "aclnnFlashAttentionScore",
        query=laid_out(q, layout),
        key=laid_out(k, layout),
        value=laid_out(v, layout),
        head_num=heads,
        input_layout=layout,
        **COMMON,
        **kept,
    )
    for b in range(2):
        found, top, total = plain(numbers(q)[b], numbers(k)[b], numbers(v)[b], 0.4, lambda i, j: True)
        close(torch.from_numpy(back(out, layout, heads)[b].copy()).to(kind), found)
        close(kept["softmax_max_out"][b], np.repeat(top[..., None], 8, -1), kind)
        close(kept["softmax_sum_out"][b], np.repeat(total[..., None], 8, -1), kind)


@pytest.mark.parametrize(
    "mode, before, after",
    [
        (0, FAR, 0),
        (0, 1, 1),
        (1, 0, 0),
        (2, FAR, FAR),
        (3, FAR, FAR),
        (4, 2, 0),
        (4, 1, 1),
        (5, FAR, FAR),
        (6, FAR, FAR),
    ],
)
@pytest.mark.parametrize("sq, sk", [(4, 4), (3, 6), (6, 3), (1, 5)])
def test_sparse_modes(mode, before, after, sq, sk):
    rng = np.random.default_rng(2)
    q, k, v = (random(rng, (2, 2, s, 4)) for s in (sq, sk, sk))
    own = rng.integers(0, 2, (sq, sk)).astype(bool) if mode in (0, 1) else None
    prefix = [1, 2] if mode in (5, 6) else None
    if mode in (0, 1):
        mask = torch.from_numpy(own)
    elif mode == 5:
        mask = torch.tensor(
            [[[[not seen(5, i, j, sq, sk, prefix=p) for j in range(sk)] for i in range(sq)]] for p in prefix]
        )
    else:
        mask = torch.triu(torch.ones(2048, 2048), 1).bool()
    out = empty((2, 2, sq, 4))
    kept = outputs(out, 2, 2, sq)
    call(
        "aclnnFlashAttentionScoreV2",
        query=q,
        key=k,
        value=v,
        head_num=2,
        input_layout="BNSD",
        pse_type=1,
        atten_mask=mask,
        prefix=prefix,
        **(COMMON | {"sparse_mode": mode, "pre_tokens": before, "next_tokens": after}),
        **kept,
    )
    for b in range(2):

        def look(i, j, b=b):
            return seen(mode, i, j, sq, sk, before, after, own, prefix[b] if prefix else 0)

        found, top, total = plain(numbers(q)[b], numbers(k)[b], numbers(v)[b], 0.4, look)
        close(out[b], found)
        close(kept["softmax_max_out"][b, ..., 0], top)
        close(kept["softmax_sum_out"][b, ..., 7], total)


@pytest.mark.parametrize("shape", [(2, 2, 3, 4), (1, 2, 3, 4), (2, 2, 1, 4)])
@pytest.mark.parametrize("pse_type", [0, 1])
def test_position_biases_before_and_after_the_scale(shape, pse_type):
    rng = np.random.default_rng(3)
    q, k, v, pse = random(rng, (2, 2, 3, 4)), random(rng, (2, 2, 4, 4)), random(rng, (2, 2, 4, 4)), random(rng, shape)
    out = empty((2, 2, 3, 4))
    call(
        "aclnnFlashAttentionScoreV2",
        query=q,
        key=k,
        value=v,
        head_num=2,
        input_layout="BNSD",
        pse_type=pse_type,
        real_shift=pse,
        **COMMON,
        **outputs(out, 2, 2, 3),
    )
    bias = np.broadcast_to(numbers(pse), (2, 2, 3, 4))
    for b in range(2):
        close(
            out[b],
            plain(numbers(q)[b], numbers(k)[b], numbers(v)[b], 0.4, lambda i, j: True, bias[b], pse_type == 1)[0],
        )


@pytest.mark.parametrize("pse_type", [2, 3])
@pytest.mark.parametrize("slopes", [(2,), (2, 2)])
def test_biases_made_inside_of_slopes_and_start_indices(pse_type, slopes):
    rng = np.random.default_rng(4)
    q, k, v, pse = (random(rng, s) for s in ((2, 2, 3, 4), (2, 2, 3, 4), (2, 2, 3, 4), slopes))
    out = empty((2, 2, 3, 4))
    call(
        "aclnnFlashAttentionScoreV2",
        query=q,
        key=k,
        value=v,
        head_num=2,
        input_layout="BNSD",
        pse_type=pse_type,
        real_shift=pse,
        q_start_idx=(5,),
        kv_start_idx=(3,),
        **COMMON,
        **outputs(out, 2, 2, 3),
    )
    for b in range(2):
        own = numbers(pse) if len(slopes) == 1 else numbers(pse)[b]
        away = [[abs(j + 3 - i - 5) for j in range(3)] for i in range(3)]
        bias = np.array([[[-s * (a if pse_type == 2 else math.sqrt(a)) for a in row] for row in away] for s in own])
        close(out[b], plain(numbers(q)[b], numbers(k)[b], numbers(v)[b], 0.4, lambda i, j: True, bias, False)[0])


def test_the_last_1024_rows_of_alibi_stand_for_all():
    rng = np.random.default_rng(5)
    q, k, v = (random(rng, (1, 1, 1030, 4)) for _ in range(3))
    whole = -0.01 * (torch.arange(1030).unsqueeze(1) - torch.arange(1030)).abs().float().reshape(1, 1, 1030, 1030)
    found = []
    for pse in (whole, whole[:, :, -1024:]):
        out = empty((1, 1, 1030, 4))
        call(
            "aclnnFlashAttentionScoreV2",
            query=q,
            key=k,
            value=v,
            head_num=1,
            input_layout="BNSD",
            pse_type=1,
            real_shift=pse,
            **(COMMON | {"sparse_mode": 2}),
            **outputs(out, 1, 1, 1030),
        )
        found.append(out)
    close(found[1], numbers(found[0]))


def test_sinks_take_a_share_of_each_row():
    rng = np.random.default_rng(6)
    q, k, v, sink = (
        random(rng, (1, 2, 3, 4)),
        random(rng, (1, 2, 4, 4)),
        random(rng, (1, 2, 4, 4)),
        random(rng, (2,), spread=2),
    )
    for name, more in (
        ("aclnnFlashAttentionScoreV3", {}),
        ("aclnnFlashAttentionScoreV4", {"out_dtype": 0, "softmax_out_layout": "", "seed": 0, "offset": 0}),
    ):
        out = empty((1, 2, 3, 4))
        kept = outputs(out, 1, 2, 3)
        call(
            name,
            query=q,
            key=k,
            value=v,
            head_num=2,
            input_layout="BNSD",
            pse_type=1,
            sink=sink,
            **COMMON,
            **more,
            **kept,
        )
        found, top, total = plain(
            numbers(q)[0], numbers(k)[0], numbers(v)[0], 0.4, lambda i, j: True, sink=numbers(sink)
        )
        close(out[0], found)
        close(kept["softmax_max_out"][0, ..., 3], top)
        close(kept["softmax_sum_out"][0, ..., 3], total)


WHOLE = [
    "aclnnFlashAttentionScore",
    "aclnnFlashAttentionScoreV2",
    "aclnnFlashAttentionScoreV3",
    "aclnnFlashAttentionScoreV4",
]


@pytest.mark.parametrize("name", WHOLE)
def test_all_that_a_version_takes_at_once(name):
    rng = np.random.default_rng(12)
    q, k, v, pse = (random(rng, s) for s in ((1, 2, 3, 4), (1, 1, 4, 4), (1, 1, 4, 4), (1, 2, 3, 4)))
    qr, kr, sink = random(rng, (1, 2, 3, 2)), random(rng, (1, 1, 4, 2)), random(rng, (2,))
    values, drop = bits(rng, 24)
    hides = rng.integers(0, 2, (3, 4)).astype(bool)
    hides[:, 1] = False
    out = empty((1, 2, 3, 4))
    kept = outputs(out, 1, 2, 3)
    given = {"real_shift": pse, "drop_mask": drop, "atten_mask": torch.from_numpy(hides), "sink": sink}
    given |= {"query_rope": qr, "key_rope": kr, "pse_type": 1, "softmax_out_layout": "", "seed": 0, "offset": 0}
    given |= {"out_dtype": 0}
    given = {key: one for key, one in given.items() if takes(name, key)}
    common = COMMON | {"sparse_mode": 1, "keep_prob": 0.8}
    call(name, query=q, key=k, value=v, head_num=2, input_layout="BNSD", **common, **given, **kept)
    ropes = "query_rope" in given
    found, top, total = plain(
        np.concatenate((numbers(q)[0], numbers(qr)[0]), -1) if ropes else numbers(q)[0],
        np.concatenate((numbers(k)[0], numbers(kr)[0]), -1) if ropes else numbers(k)[0],
        numbers(v)[0], 0.4, lambda i, j: not hides[i, j], numbers(pse)[0], kept=values.reshape(2, 3, 4) / 0.8,
        sink=numbers(sink) if "sink" in given else None,
    )  # fmt: skip
    close(out[0], found)
    close(kept["softmax_max_out"][0, ..., 0], top)
    close(kept["softmax_sum_out"][0, ..., 0], total)


LONG = [
    "aclnnFlashAttentionVarLenScore",
    "aclnnFlashAttentionVarLenScoreV2",
    "aclnnFlashAttentionVarLenScoreV3",
    "aclnnFlashAttentionVarLenScoreV4",
    "aclnnFlashAttentionVarLenScoreV5",
]


def ragged(rng, lengths, heads, width):
    return random(rng, (sum(lengths), heads, width))


def ends(lengths):
    return tuple(int(n) for n in np.cumsum(lengths))


def spans(lengths):
    """Begin and end of each sequence."""
    return [(end - n, end) for n, end in zip(lengths, ends(lengths), strict=True)]


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("mode, extras", [(0, False), (3, False), (4, False), (1, True)])
def test_sequences_of_several_lengths(name, mode, extras):
    rng = np.random.default_rng(7)
    lq, lk = (2, 1, 0, 3), (3, 1, 0, 5)
    q, k, v = ragged(rng, lq, 2, 4), ragged(rng, lk, 1, 4), ragged(rng, lk, 1, 4)
    rope = "V3" in name or "V5" in name
    qr, kr = (ragged(rng, lq, 2, 2), ragged(rng, lk, 1, 2)) if rope else (None, None)
    same = name[-1] in "45"
    out, top, total = empty((6, 2, 4)), empty((6, 2, 8)), empty((6, 2, 8))
    operands = {
        "query": q,
        "key": k,
        "value": v,
        "actual_seq_q_len": ends(lq),
        "actual_seq_kv_len": ends(lk),
        "head_num": 2,
    }
    operands |= {
        "input_layout": "TND",
        "softmax_max_out": top,
        "softmax_sum_out": total,
        "softmax_out_out": empty((0,)),
    }
    operands |= {"attention_out_out": out, **COMMON, "sparse_mode": mode, "pre_tokens": 2, "next_tokens": 0}
    if rope:
        operands |= {"query_rope": qr, "key_rope": kr}
    if name[-1] in "235":
        operands["pse_type"] = 1
    if same:
        operands["softmax_out_layout"] = "same_as_input"
    more = Extras(rng, name, 2, lq, lk, "real_shift") if extras else None
    if more is not None:
        operands |= more.operands | {"keep_prob": more.keep}
    call(name, **operands)
    flat = numbers(top).reshape(-1, 8)
    for n, ((qb, qe), (kb, ke)) in enumerate(zip(spans(lq), spans(lk), strict=True)):
        own_q, own_k = numbers(q)[qb:qe].transpose(1, 0, 2), numbers(k)[kb:ke].transpose(1, 0, 2)
        if rope:
            own_q = np.concatenate((own_q, numbers(qr)[qb:qe].transpose(1, 0, 2)), -1)
            own_k = np.concatenate((own_k, numbers(kr)[kb:ke].transpose(1, 0, 2)), -1)

        def look(i, j, sq=qe - qb, sk=ke - kb):
            return seen(mode, i, j, sq, sk, 2, 0, more and more.hides)

        own = more.of(n) if more is not None else {}
        found, greatest, _ = plain(own_q, own_k, numbers(v)[kb:ke].transpose(1, 0, 2), 0.4, look, **own)
        close(out[qb:qe].transpose(0, 1), found)
        own = numbers(top)[qb:qe, :, 0].T if same else flat[qb * 2 : qe * 2, 0].reshape(2, qe - qb)
        np.testing.assert_allclose(own, greatest, rtol=2e-5, atol=2e-5)


class Extras:
    """A mask for all sequences, a bias and a dropout mask with an element or a bit a place, as far as a version has them."""

    def __init__(self, rng, name, heads, lq, lk, bias):
        self.sizes = [(heads, a, b) for a, b in zip(lq, lk, strict=True)]
        count = sum(math.prod(size) for size in self.sizes)
        self.hides = rng.integers(0, 2, (max(lq), max(lk))).astype(bool)
        self.hides[:, 0] = False
        self.bias, (self.kept, drop) = random(rng, (count,)), bits(rng, count)
        given = {bias: self.bias, "drop_mask": drop, "atten_mask": torch.from_numpy(self.hides)}
        self.operands = {key: one for key, one in given.items() if takes(name, key)}
        self.dropped, self.biased = "drop_mask" in self.operands, bias in self.operands
        self.keep = 0.8 if self.dropped else 1.0

    def of(self, sequence, bias=None):
        """What `plain` takes for one sequence; *bias*: other numbers than those of the operand."""
        begin = sum(math.prod(size) for size in self.sizes[:sequence])
        size = self.sizes[sequence]
        own = slice(begin, begin + math.prod(size))
        found = {"bias": (numbers(self.bias) if bias is None else bias)[own].reshape(size)} if self.biased else {}
        return found | ({"kept": self.kept[own].reshape(size) / self.keep} if self.dropped else {})


@pytest.mark.parametrize("mode, bands", [(7, [3, 3, 4]), (8, [4, 2, 2])])
def test_bands_of_the_first_or_last_sequence(mode, bands):
    rng = np.random.default_rng(8)
    lq, lk = (2, 3, 2), (3, 3, 5)
    q, k, v = ragged(rng, lq, 1, 4), ragged(rng, lk, 1, 4), ragged(rng, lk, 1, 4)
    out = empty((7, 1, 4))
    call(
        "aclnnFlashAttentionVarLenScoreV2",
        query=q,
        key=k,
        value=v,
        actual_seq_q_len=ends(lq),
        actual_seq_kv_len=ends(lk),
        head_num=1,
        input_layout="TND",
        pse_type=1,
        softmax_max_out=empty((7, 1, 8)),
        softmax_sum_out=empty((7, 1, 8)),
        softmax_out_out=empty((0,)),
        attention_out_out=out,
        **(COMMON | {"sparse_mode": mode, "pre_tokens": 6, "next_tokens": -1}),
    )
    begins = zip((b for b, _ in spans(lq)), (b for b, _ in spans(lk)), bands, strict=True)
    for (qb, kb, own), sq, sk in zip(begins, lq, lk, strict=True):

        def look(i, j, own=own, sq=sq, sk=sk):
            return seen(own, i, j, sq, sk, 6, -1)

        parts = (numbers(t)[b : b + n].transpose(1, 0, 2) for t, b, n in ((q, qb, sq), (k, kb, sk), (v, kb, sk)))
        close(out[qb : qb + sq].transpose(0, 1), plain(*parts, 0.4, look)[0])


def bits(rng, count):
    """A dropout mask: its values, and the bytes that hold them with the first in the lowest bit."""
    values = rng.integers(0, 2, count)
    packed = np.packbits(values.astype(np.uint8), bitorder="little")
    return values, torch.from_numpy(packed)


GRADS = [
    "aclnnFlashAttentionScoreGrad",
    "aclnnFlashAttentionScoreGradV2",
    "aclnnFlashAttentionScoreGradV3",
    "aclnnFlashAttentionScoreGradV4",
]
LONG_GRADS = [
    "aclnnFlashAttentionUnpaddingScoreGrad",
    "aclnnFlashAttentionUnpaddingScoreGradV2",
    "aclnnFlashAttentionUnpaddingScoreGradV3",
    "aclnnFlashAttentionUnpaddingScoreGradV4",
    "aclnnFlashAttentionUnpaddingScoreGradV5",
]


def difference(function, x, index, step=1e-6):
    """The derivative of *function* by one element of *x*."""
    old = x[index]
    x[index] = old + step
    high = function()
    x[index] = old - step
    low = function()
    x[index] = old
    return (high - low) / (2 * step)


@pytest.mark.parametrize("name", GRADS)
@pytest.mark.parametrize("layout", ["BNSD", "BSH"])
@pytest.mark.parametrize("extras", ["plain", "bias", "dropout", "mask and ropes"])
def test_gradients(name, layout, extras):
    rng = np.random.default_rng(9)
    version = name[-1] if name[-1].isdigit() else "1"
    q, k, v, dy = (random(rng, s) for s in ((1, 2, 3, 4), (1, 1, 4, 4), (1, 1, 4, 4), (1, 2, 3, 4)))
    pse = random(rng, (1, 2, 3, 4)) if extras == "bias" else None
    values, drop = bits(rng, 24) if extras == "dropout" else (None, None)
    keep = 0.8 if extras == "dropout" else 1.0
    sink = random(rng, (2,)) if version in "34" else None
    factor = None if values is None else values.reshape(2, 3, 4) / 0.8
    hides, mode = None, 3
    if extras == "mask and ropes":
        hides, mode = rng.integers(0, 2, (3, 4)).astype(bool), 1
        hides[:, 0] = False
    ropes = (random(rng, (1, 2, 3, 2)), random(rng, (1, 1, 4, 2))) if hides is not None and version == "4" else None
    mask = None if hides is None else torch.from_numpy(hides)
    operands = {"head_num": 2, "input_layout": layout, **COMMON, "keep_prob": keep, "sparse_mode": mode}
    operands |= {"atten_mask": mask}
    if version in "234":
        operands["pse_type"] = 1
    top, total, out = (empty((1, 2, 3, 8)), empty((1, 2, 3, 8)), laid_out(empty((1, 2, 3, 4)), layout))
    more = {"pse_type": 1} if sink is not None else {}
    forward = {k: v for k, v in operands.items() if k != "pse_type"}
    if ropes is not None:
        more |= {"query_rope": laid_out(ropes[0], layout), "key_rope": laid_out(ropes[1], layout)}
        more |= {"softmax_out_layout": "", "seed": 0, "offset": 0, "out_dtype": 0}
    first = "aclnnFlashAttentionScoreV3" if sink is not None else "aclnnFlashAttentionScore"
    call(
        "aclnnFlashAttentionScoreV4" if ropes is not None else first,
        real_shift=pse,
        drop_mask=drop,
        query=laid_out(q, layout),
        key=laid_out(k, layout),
        value=laid_out(v, layout),
        **forward,
        **more,
        **({"sink": sink} if sink is not None else {}),
        softmax_max_out=top,
        softmax_sum_out=total,
        softmax_out_out=empty((0,)),
        attention_out_out=out,
    )
    results = {"dq_out": laid_out(empty((1, 2, 3, 4)), layout), "dk_out": laid_out(empty((1, 1, 4, 4)), layout)}
    results |= {
        "dv_out": laid_out(empty((1, 1, 4, 4)), layout),
        "dpse_out": empty((1, 2, 3, 4) if pse is not None else (0,)),
    }
    if version in "34":
        results["dsink_out"] = empty((2,))
        operands["sink_in"] = sink
    if version == "4":
        shapes = ((0,), (0,)) if ropes is None else (more["query_rope"].shape, more["key_rope"].shape)
        results |= {"dq_rope_out": empty(shapes[0]), "dk_rope_out": empty(shapes[1])}
        operands |= {"softmax_in_layout": "", "seed": 0, "offset": 0, "out_dtype": 0}
        operands |= {key: more.get(key) for key in ("query_rope", "key_rope")} | {"softmax_in": random(rng, (1, 2, 3, 4))}
    call(
        name,
        query=laid_out(q, layout),
        key_in=laid_out(k, layout),
        value=laid_out(v, layout),
        dy=laid_out(dy, layout),
        pse_shift=pse,
        drop_mask=drop,
        softmax_max=top,
        softmax_sum=total,
        attention_in=out,
        **operands,
        **results,
    )
    arrays = {"dq_out": numbers(q)[0], "dk_out": numbers(k)[0], "dv_out": numbers(v)[0]}
    bias = None if pse is None else numbers(pse)[0]
    sinks = None if sink is None else numbers(sink)

    if ropes is not None:
        arrays |= {"dq_rope_out": numbers(ropes[0])[0], "dk_rope_out": numbers(ropes[1])[0]}

    def loss():
        found = plain(
            *(np.concatenate((arrays[f"d{x}_out"], arrays.get(f"d{x}_rope_out", arrays[f"d{x}_out"][..., :0])), -1)
              for x in "qk"),
            arrays["dv_out"],
            0.4,
            lambda i, j: seen(mode, i, j, 3, 4, mask=hides),
            bias,
            kept=factor,
            sink=sinks,
        )
        return float((found[0] * numbers(dy)[0]).sum())

    for key, x in arrays.items():
        heads, wide = x.shape[0], x.shape[-1]
        got = back(results[key], layout, heads)[0]
        for index in [(0, 0, 0), (heads - 1, 2, wide - 1), (0, 1, wide - 2), (heads - 1, 2, 1)]:
            assert got[index] == pytest.approx(difference(loss, arrays[key], index), abs=1e-4, rel=1e-4)
    if bias is not None:
        for index in [(0, 0, 0), (1, 2, 3), (0, 0, 3)]:
            assert numbers(results["dpse_out"])[0][index] == pytest.approx(difference(loss, bias, index), abs=1e-4)
    if sinks is not None:
        for h in range(2):
            assert float(results["dsink_out"][h]) == pytest.approx(difference(loss, sinks, (h,)), abs=1e-4)


@pytest.mark.parametrize("name", LONG_GRADS)
@pytest.mark.parametrize("extras", [False, True])
def test_gradients_of_sequences_of_several_lengths(name, extras):
    rng = np.random.default_rng(10)
    version = name[-1] if name[-1].isdigit() else "1"
    lq, lk = (2, 0, 3), (3, 0, 3)
    q, k, v, dy = ragged(rng, lq, 2, 4), ragged(rng, lk, 1, 4), ragged(rng, lk, 1, 4), ragged(rng, lq, 2, 4)
    rope = version in "35"
    qr, kr = (ragged(rng, lq, 2, 2), ragged(rng, lk, 1, 2)) if rope else (None, None)
    sink = random(rng, (2,)) if version == "5" else None
    own_ends = {"actual_seq_q_len": ends(lq), "actual_seq_kv_len": ends(lk)}
    more, mode = (Extras(rng, name, 2, lq, lk, "pse_shift"), 1) if extras else (None, 3)
    common = {**COMMON, "head_num": 2, "input_layout": "TND", "sparse_mode": mode, **own_ends}
    given = {} if more is None else more.operands
    common |= {"keep_prob": 1.0 if more is None else more.keep}
    common |= {key: given[key] for key in ("atten_mask", "drop_mask") if key in given}
    top, total, out = empty((5, 2, 8)), empty((5, 2, 8)), empty((5, 2, 4))
    same = version in "45"
    forward = {"aclnnFlashAttentionVarLenScoreV5": {"query_rope": qr, "key_rope": kr, "sink": sink, "pse_type": 1}}
    fname = next(iter(forward))
    call(
        fname,
        query=q,
        key=k,
        value=v,
        **common,
        **forward[fname],
        real_shift=given.get("pse_shift"),
        softmax_out_layout="same_as_input" if same else "",
        softmax_max_out=top,
        softmax_sum_out=total,
        softmax_out_out=empty((0,)),
        attention_out_out=out,
    )
    results = {
        "dq_out": empty((5, 2, 4)),
        "dk_out": empty((6, 1, 4)),
        "dv_out": empty((6, 1, 4)),
        "dpse_out": empty(given["pse_shift"].shape if "pse_shift" in given else (0,)),
    }
    operands = common | {key: one for key, one in given.items() if key == "pse_shift"}
    if rope:
        operands |= {"query_rope": qr, "key_in_rope": kr}
        results |= {"dq_rope_out": empty((5, 2, 2)), "dk_rope_out": empty((6, 1, 2))}
    if version in "235":
        operands["pse_type"] = 1
    if version == "5":
        operands |= {"sink_in": sink}
        results |= {"dsink_out": empty((2,))}
    if same:
        operands["softmax_in_layout"] = "same_as_input"
    call(
        name,
        query=q,
        key_in=k,
        value=v,
        dy=dy,
        softmax_max=top,
        softmax_sum=total,
        attention_in=out,
        **operands,
        **results,
    )
    arrays = {"dq_out": numbers(q), "dk_out": numbers(k), "dv_out": numbers(v)}
    if rope:
        arrays |= {"dq_rope_out": numbers(qr), "dk_rope_out": numbers(kr)}
    sinks, bias = None if sink is None else numbers(sink), None if more is None else numbers(more.bias)

    def loss():
        value = 0.0
        for n, ((qb, qe), (kb, ke)) in enumerate(zip(spans(lq), spans(lk), strict=True)):
            own_q, own_k = arrays["dq_out"][qb:qe], arrays["dk_out"][kb:ke]
            if rope:
                own_q = np.concatenate((own_q, arrays["dq_rope_out"][qb:qe]), -1)
                own_k = np.concatenate((own_k, arrays["dk_rope_out"][kb:ke]), -1)
            parts = (t.transpose(1, 0, 2) for t in (own_q, own_k, arrays["dv_out"][kb:ke]))
            own = {} if more is None else more.of(n, bias)

            def look(i, j, a=qe - qb, b=ke - kb):
                return seen(mode, i, j, a, b, mask=more and more.hides)

            found = plain(*parts, 0.4, look, sink=sinks, **own)[0]
            value += float((found * numbers(dy)[qb:qe].transpose(1, 0, 2)).sum())
        return value

    for key, x in arrays.items():
        got = numbers(results[key])
        for index in [(0, 0, 0), (x.shape[0] - 1, x.shape[1] - 1, 1), (2, 0, 1)]:
            assert got[index] == pytest.approx(difference(loss, x, index), abs=1e-4, rel=1e-4)
    if "pse_shift" in given:
        for place in (0, len(bias) // 2, len(bias) - 1):
            assert float(results["dpse_out"][place]) == pytest.approx(difference(loss, bias, (place,)), abs=1e-4)
    if sinks is not None:
        assert float(results["dsink_out"][1]) == pytest.approx(difference(loss, sinks, (1,)), abs=1e-4)


def test_dropout_keeps_the_weights_whose_bits_are_set():
    rng = np.random.default_rng(11)
    q, k, v = (random(rng, (2, 1, 3, 4)) for _ in range(3))
    values, drop = bits(rng, 18)
    out = empty((2, 1, 3, 4))
    call(
        "aclnnFlashAttentionScore",
        query=q,
        key=k,
        value=v,
        head_num=1,
        input_layout="BNSD",
        drop_mask=drop,
        **(COMMON | {"keep_prob": 0.5}),
        **outputs(out, 2, 1, 3),
    )
    for b in range(2):
        kept = values[b * 9 : b * 9 + 9].reshape(1, 3, 3) / 0.5
        close(out[b], plain(numbers(q)[b], numbers(k)[b], numbers(v)[b], 0.4, lambda i, j: True, kept=kept)[0])


def test_a_dropout_mask_made_inside_is_refused():
    x = torch.zeros(1, 1, 1, 4)
    with pytest.raises(NotImplementedError, match="seed and offset"):
        call(
            "aclnnFlashAttentionScoreV4",
            query=x,
            key=x,
            value=x,
            head_num=1,
            input_layout="BNSD",
            pse_type=1,
            out_dtype=0,
            softmax_out_layout="",
            seed=1,
            offset=0,
            **(COMMON | {"keep_prob": 0.5}),
            **outputs(x.clone(), 1, 1, 1),
        )
