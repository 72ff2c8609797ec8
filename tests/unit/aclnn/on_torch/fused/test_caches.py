"""Caches in pages against loops over tokens."""

from __future__ import annotations

import numpy as np
import pytest

from tests.kit.tensors import call, close, empty, numbers, random, same, torch

import ascend_sim.aclnn.on_torch.fused.caches  # noqa: F401  isort: skip

F32, F16, BF16, I8, I32, I64 = torch.float32, torch.float16, torch.bfloat16, torch.int8, torch.int32, torch.int64


def tiles(cache, heads, wide):
    """A PA_NZ cache [blocks, heads * width / c, size, c] as [blocks, size, heads * width]."""
    values = numbers(cache).reshape(cache.shape[0], -1, *cache.shape[-2:])
    return values.transpose(0, 2, 1, 3).reshape(values.shape[0], values.shape[2], -1)


KINDS = [
    F16, BF16, F32, I8, I32, torch.int16, torch.uint8, torch.uint16, torch.uint32, torch.float8_e5m2, torch.float8_e4m3fn,
]  # fmt: skip
"""Of caches that are only moved."""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("index_kind", [I32, I64])
def test_scatter_pa_cache(kind, index_kind):
    rng = np.random.default_rng(4)
    key, cache = random(rng, (4, 2, 3), kind), empty((3, 2, 2, 3), kind)
    before = numbers(cache).reshape(6, 2, 3)
    call("aclnnScatterPaCache", key=key, key_cache=cache, slot_mapping=torch.tensor([5, 0, -1, 2], dtype=index_kind),
         cache_mode="Norm")  # fmt: skip
    wanted = {5: 0, 0: 1, 2: 3}
    rows = numbers(key)
    same(cache.reshape(6, 2, 3), [rows[wanted[i]] if i in wanted else before[i] for i in range(6)])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("layout", ["Norm", "NHSD", "PA_NZ", "PA_NZ of heads"])
@pytest.mark.parametrize("index_kind", [I32, I64])
def test_scatter_pa_kv_cache(kind, layout, index_kind):
    rng = np.random.default_rng(1)
    wide = 32 // torch.empty((), dtype=kind).element_size()
    key, value = random(rng, (5, 2, wide), kind), random(rng, (5, 2, 2 * wide), kind)
    slots = torch.tensor([7, 0, -1, 3, 4], dtype=index_kind)
    shape = {
        "Norm": lambda d: (4, 2, 2, d),
        "NHSD": lambda d: (4, 2, 2, d),
        "PA_NZ": lambda d: (4, 2 * d // wide, 2, wide),
        "PA_NZ of heads": lambda d: (4, 2, d // wide, 2, wide),
    }[layout]
    k_cache, v_cache = empty(shape(wide), kind), empty(shape(2 * wide), kind)
    call(
        "aclnnScatterPaKvCache",
        key=key,
        key_cache=k_cache,
        slot_mapping=slots,
        value=value,
        value_cache=v_cache,
        cache_mode="PA_NZ" if "NZ" in layout else "Norm",
        scatter_mode="NHSD" if layout == "NHSD" else "None",
    )
    for rows, cache in ((key, k_cache), (value, v_cache)):
        width = rows.shape[-1]
        wanted = np.full((4, 2, 2 * width), float(empty((1,), kind)[0]))
        for i, slot in enumerate(slots.tolist()):
            if slot >= 0:
                wanted[slot // 2, slot % 2] = numbers(rows)[i].reshape(-1)
        if "NZ" in layout:
            got = tiles(cache, 2, wide)
        else:
            got = numbers(cache).transpose(0, 2, 1, 3) if layout == "NHSD" else numbers(cache)
        np.testing.assert_array_equal(got.reshape(4, 2, -1), wanted)


def test_scatter_without_a_value_and_what_is_not_modelled():
    key, cache, slots = torch.ones(1, 1, 4), torch.zeros(2, 2, 1, 4), torch.tensor([3])
    operands = {"key": key, "key_cache": cache, "slot_mapping": slots}
    call("aclnnScatterPaKvCache", **operands, value=torch.zeros(0), value_cache=torch.zeros(0), cache_mode="Norm")
    assert cache[1, 1].tolist() == [[1.0] * 4] and int(cache.sum()) == 4
    cache.zero_()
    call("aclnnScatterPaCache", **operands, cache_mode="Norm")
    assert cache[1, 1].tolist() == [[1.0] * 4] and int(cache.sum()) == 4
    for name in ("aclnnScatterPaKvCache", "aclnnScatterPaCache"):
        more = {"value": key, "value_cache": cache} if "Kv" in name else {}
        with pytest.raises(NotImplementedError, match="compressed heads"):
            call(name, **operands, **more, cache_mode="Norm", seq_lens=slots)


@pytest.mark.parametrize("form", ["counts", "ends", "ends from zero"])
@pytest.mark.parametrize("layout", ["Norm", "PA_NZ"])
@pytest.mark.parametrize("offset, kind", [(False, F16), *((True, kind) for kind in KINDS)])
def test_gather_pa_kv_cache(form, layout, offset, kind):
    if kind is not F16 and form != "counts":
        return  # the forms do not ask for the type
    rng = np.random.default_rng(2)
    counts, table = [3, 0, 4], torch.from_numpy(rng.permutation(9).reshape(3, 3)).to(I32)
    k_cache, v_cache = random(rng, (9, 2, 2, 16), kind), random(rng, (9, 2, 2, 32), kind)
    first = torch.tensor([2, 0, 1], dtype=I32) if offset else None
    lengths = {"counts": counts, "ends": [3, 3, 7], "ends from zero": [0, 3, 3, 7]}[form]

    def stored(cache):
        if layout == "Norm":
            return cache
        flat = cache.flatten(2)
        return flat.reshape(9, 2, -1, 16).transpose(1, 2).contiguous()

    key, value = empty((7, 2, 16), kind), empty((7, 2, 32), kind)
    call(
        "aclnnGatherPaKvCache",
        key_cache=stored(k_cache),
        value_cache=stored(v_cache),
        block_tables=table,
        seq_lens=torch.tensor(lengths, dtype=I32),
        key=key,
        value=value,
        seq_offset=first,
        cache_mode=layout,
        is_seq_lens_cumsum=form != "counts",
    )
    for cache, out in ((k_cache, key), (v_cache, value)):
        wanted = []
        for b, n in enumerate(counts):
            begin = int(first[b]) if offset else 0
            wanted += [numbers(cache)[int(table[b, i // 2]), i % 2] for i in range(begin, begin + n)]
        same(out, wanted)


def turned(x, cos, sin):
    """Pairs taken apart: even values to the first half."""
    half = x.shape[-1] // 2
    even, odd = x[..., ::2], x[..., 1::2]
    return np.concatenate(
        (even * cos[..., :half] - odd * sin[..., :half], odd * cos[..., half:] + even * sin[..., half:]), -1
    )


@pytest.mark.parametrize("name", ["aclnnKvRmsNormRopeCache", "aclnnKvRmsNormRopeCacheV2"])
@pytest.mark.parametrize("mode", ["Norm", "PA", "PA_BNSD", "PA_NZ", "PA_BLK_BNSD", "PA_BLK_NZ"])
@pytest.mark.parametrize("quantised", [False, True])
@pytest.mark.parametrize("apart", [False, True])
def test_kv_rms_norm_rope_cache(name, mode, quantised, apart):
    if apart and not name.endswith("V2"):
        return  # a value of its own came with V2
    rng = np.random.default_rng(3)
    latent, rope, kind, code = 64, 32, BF16, I8 if quantised else BF16
    batch, tokens = 2, 3
    kv = random(rng, (batch, 1, tokens, 96), kind)
    gamma = random(rng, (96 if apart else latent,), kind)
    cos, sin = random(rng, (batch, 1, tokens, rope), kind), random(rng, (batch, 1, tokens, rope), kind)
    v = random(rng, (batch, 1, tokens, latent), kind) if apart else None
    k_width = 96 if apart else rope
    scales = [random(rng, (w,), spread=20) if quantised else None for w in (k_width, latent)]
    shifts = [random(rng, (w,)) if quantised else None for w in (k_width, latent)]
    slots = {(0, 0): 5, (0, 1): 0, (0, 2): -1, (1, 0): 9, (1, 1): 2, (1, 2): 3}
    if mode == "Norm":
        shape, index = (batch, 1, 10), torch.tensor([[slots[b, s] for s in range(3)] for b in range(2)])
    else:
        shape, index = (5, 2, 1), torch.tensor([slots[b, s] for b in range(2) for s in range(3)])
        if "BLK" in mode:
            index = torch.tensor([4, 8, 0, 6])
            slots = {(0, 0): 4, (0, 1): 5, (0, 2): 8, (1, 0): 0, (1, 1): 1, (1, 2): 6}
    caches = [empty((*shape, w), code) for w in (k_width, latent)]
    outs = [empty((batch, 1, tokens, w), kind) for w in (k_width, latent)]
    operands = {
        "kv": kv,
        "gamma": gamma,
        "cos": cos,
        "sin": sin,
        "index": index,
        "k_cache": caches[0],
        "ckv_cache": caches[1],
    }
    operands |= {
        "k_rope_scale": scales[0],
        "c_kv_scale": scales[1],
        "k_rope_offset": shifts[0],
        "c_kv_offset": shifts[1],
    }
    operands |= {"v": v} if apart else {}
    call(name, **operands, epsilon=1e-5, cache_mode=mode, is_output_kv=True, k_rope_out=outs[0], c_kv_out=outs[1])
    rows = numbers(kv)
    part = rows[..., : gamma.shape[0]]
    normed = part / np.sqrt((part**2).mean(-1, keepdims=True) + 1e-5) * numbers(gamma)
    if apart:
        first = np.concatenate((turned(normed[..., :rope], numbers(cos), numbers(sin)), normed[..., rope:]), -1)
        wanted = [first, numbers(v)]
    else:
        wanted = [turned(rows[..., latent:], numbers(cos), numbers(sin)), normed]
    for cache, out, values, scale, shift in zip(caches, outs, wanted, scales, shifts, strict=True):
        close(out, values)
        stored = np.full((batch * 10 if mode == "Norm" else 10, values.shape[-1]), -77.0)
        for (b, s), slot in slots.items():
            if slot >= 0:
                row = values[b, 0, s]
                if quantised:
                    row = [
                        min(max(round(x * c + o), -128), 127)
                        for x, c, o in zip(row, numbers(scale), numbers(shift), strict=True)
                    ]
                stored[b * 10 + slot if mode == "Norm" else slot] = row
        got = numbers(cache).reshape(stored.shape)
        if mode.endswith("NZ"):
            wide = 32 if quantised else 16
            got = numbers(cache).reshape(5, -1, 2, wide).transpose(0, 2, 1, 3).reshape(stored.shape)
        if quantised:
            np.testing.assert_array_equal(got, stored)
        else:
            np.testing.assert_allclose(got, stored, rtol=1.6e-2, atol=1.6e-2)


def test_results_of_the_fused_cache_are_optional():
    kv, one = torch.ones(1, 1, 1, 4), torch.ones(1, 1, 1, 2)
    caches = torch.zeros(1, 1, 2, 2), torch.zeros(1, 1, 2, 2)
    out = empty((1, 1, 1, 2))
    call(
        "aclnnKvRmsNormRopeCache",
        kv=kv,
        gamma=torch.ones(2),
        cos=one,
        sin=0 * one,
        index=torch.tensor([[1]]),
        k_cache=caches[0],
        ckv_cache=caches[1],
        epsilon=0.0,
        cache_mode="Norm",
        is_output_kv=False,
        k_rope_out=out,
        c_kv_out=out,
    )
    same(out, np.full((1, 1, 1, 2), -77))
    assert caches[0].tolist() == caches[1].tolist() == [[[[0, 0], [1, 1]]]]
