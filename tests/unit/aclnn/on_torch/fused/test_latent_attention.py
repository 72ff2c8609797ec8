"""The prologue of latent attention against its formulas in float64."""

from __future__ import annotations

import numpy as np
import pytest

from tests.kit.tensors import call, close, empty, numbers, random, same, torch

import ascend_sim.aclnn.on_torch.fused.latent_attention  # noqa: F401  isort: skip

F32, BF16, I8, I64 = torch.float32, torch.bfloat16, torch.int8, torch.int64
NAMES = ["aclnnMlaProlog", "aclnnMlaPrologV2WeightNz", "aclnnMlaPrologV3WeightNz", "aclnnMlaPrologV2"]


def norm(x, gamma, epsilon):
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + epsilon) * gamma


def turned(x, cos, sin):
    half = x.shape[-1] // 2
    even, odd = x[..., ::2], x[..., 1::2]
    return np.concatenate(
        (even * cos[..., :half] - odd * sin[..., :half], odd * cos[..., half:] + even * sin[..., half:]), -1
    )


def rows_coded(rows):
    step = np.abs(rows).max(-1, keepdims=True) / 127
    return np.clip(np.rint(rows / step), -128, 127), step


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", ["plain", "weights", "caches", "all"])
@pytest.mark.parametrize("mode", ["PA_BSND", "PA_NZ"])
@pytest.mark.parametrize("folded", [True, False])
def test_mla_prolog(name, form, mode, folded):
    if form == "all" and name == NAMES[0]:
        return  # INT8 queries came with V2
    rng = np.random.default_rng(1)
    tokens, he, hcq, heads, width, rope, latent = 4, 6, 8, 2, 3, 32, 32
    kind, high_kind = (I8, I8) if form == "all" else (BF16, BF16 if form == "plain" else I8)
    x = random(rng, (tokens, he), kind)
    w_dq, w_dkv = random(rng, (he, hcq), kind), random(rng, (he, latent + rope), kind)
    w_high, w_uk = random(rng, (hcq, heads * (width + rope)), high_kind), random(rng, (heads, width, latent), BF16)
    gammas = random(rng, (hcq,), BF16), random(rng, (latent,), BF16)
    cos, sin = random(rng, (tokens, rope), BF16), random(rng, (tokens, rope), BF16)
    s_x, s_dq, s_high, s_dkv = (
        random(rng, s, spread=0.1).abs() + 0.05
        for s in ((tokens, 1), (1, hcq), (1, w_high.shape[1]), (1, latent + rope))
    )
    smooth, q_ckv, q_ckr = (random(rng, s).abs() + 1 for s in ((1, hcq), (1, latent), (1, rope)))
    q_ckv = torch.full_like(q_ckv, 20.0)
    cache_kind = I8 if form in ("all", "caches") else BF16
    caches = [empty((3, 32, 1, w), cache_kind) for w in (latent, rope)]
    slots = torch.tensor([33, 2, 64, 95])
    shape = (tokens,) if folded else (2, 2)
    query, query_rope = empty((*shape, heads, latent), I8 if form == "all" else BF16), empty((*shape, heads, rope), BF16)
    operands = {"token_x": x.reshape(*shape, he), "weight_dq": w_dq, "weight_uq_qr": w_high, "weight_uk": w_uk}
    operands |= {"weight_dkv_kr": w_dkv, "rmsnorm_gamma_cq": gammas[0], "rmsnorm_gamma_ckv": gammas[1]}
    operands |= {
        "rope_sin": sin.reshape(*shape, rope),
        "rope_cos": cos.reshape(*shape, rope),
        "cache_index": slots.reshape(shape),
    }
    operands |= {"kv_cache": caches[0], "kr_cache": caches[1], "rmsnorm_epsilon_cq": 1e-5, "rmsnorm_epsilon_ckv": 1e-6}
    operands |= {"cache_mode": mode, "query_out": query, "query_rope_out": query_rope}
    step = None
    if form != "plain":
        operands |= {"dequant_scale_w_uq_qr": s_high, "smooth_scales_cq": smooth}
    if form in ("all", "caches"):  # the scales of x and of weights that are not INT8 say nothing
        operands |= {"dequant_scale_x": s_x, "dequant_scale_w_dq": s_dq, "dequant_scale_w_dkv_kr": s_dkv}
        operands |= {"quant_scale_ckv": q_ckv, "quant_scale_ckr": q_ckr}
    if form == "all":
        step = empty((tokens, 1))
        operands |= {"dequant_scale_q_nope_out": step}
    factors, norms = (1.0, 1.0), None
    if name == NAMES[2]:
        factors = (1.5, 0.5)
        operands |= {"weight_quant_mode": 0, "kv_cache_quant_mode": 0, "query_quant_mode": 0, "ckvkr_repo_mode": 0}
        operands |= {"quant_scale_repo_mode": 0, "tile_size": 0, "qc_qr_scale": 1.5, "kc_scale": 0.5}
        operands |= {"actual_seq_len": torch.tensor([2, 4], dtype=torch.int32)}
        if form != "plain":
            norms = empty((tokens, hcq), I8), empty((tokens, 1))
            operands |= {"query_norm_out": norms[0], "dequant_scale_q_norm_out": norms[1]}
    call(name, **operands)
    rows, full = numbers(x), form == "all"
    scales = (numbers(s_x) * numbers(s_dq), numbers(s_x) * numbers(s_dkv)) if full else (1.0, 1.0)
    low = norm(rows @ numbers(w_dq) * scales[0], numbers(gammas[0]), 1e-5) * factors[0]
    if form == "plain":
        high = low @ numbers(w_high)
    else:
        codes, steps = rows_coded(low * numbers(smooth))
        high = codes @ numbers(w_high) * steps * numbers(s_high)
        if norms is not None:
            assert np.abs(numbers(norms[0]) - codes).max() <= 1
            close(norms[1], steps)
    high = high.reshape(tokens, heads, width + rope)
    want_query = np.stack([high[:, n, :width] @ numbers(w_uk)[n] for n in range(heads)], 1)
    want_rope = turned(high[..., width:], numbers(cos)[:, None], numbers(sin)[:, None])
    if full:
        codes, steps = rows_coded(want_query.reshape(tokens, -1))
        assert np.abs(numbers(query).reshape(tokens, -1) - codes).max() <= 1
        np.testing.assert_allclose(numbers(step), steps, rtol=1e-4)
        want_rope = want_rope * 20.0 / steps[:, :, None]
    else:
        np.testing.assert_allclose(numbers(query).reshape(want_query.shape), want_query, rtol=2e-2, atol=2e-2)
    np.testing.assert_allclose(numbers(query_rope).reshape(want_rope.shape), want_rope, rtol=2e-2, atol=2e-2)
    keys = rows @ numbers(w_dkv) * scales[1]
    parts = (
        norm(keys[:, :latent], numbers(gammas[1]), 1e-6) * factors[1],
        turned(keys[:, latent:], numbers(cos), numbers(sin)),
    )
    for cache, values, scale in zip(caches, parts, (q_ckv, q_ckr), strict=True):
        coded = cache_kind == I8
        stored = np.clip(np.rint(values * numbers(scale)), -128, 127) if coded else values
        got = numbers(cache).reshape(96, -1)
        if mode == "PA_NZ":
            wide = 32 if coded else 16
            got = numbers(cache).reshape(3, -1, 32, wide).transpose(0, 2, 1, 3).reshape(96, -1)
        np.testing.assert_allclose(got[slots.tolist()], stored, rtol=2e-2, atol=1 if coded else 2e-2)
        rest = [i for i in range(96) if i not in slots.tolist()]
        assert (got[rest] == -77).all()


def test_query_norms_and_what_is_not_modelled():
    one = torch.ones(1, 2)
    caches = torch.zeros(1, 1, 1, 1), torch.zeros(1, 1, 1, 2)
    kept = empty((1, 2))
    operands = {
        "token_x": one,
        "weight_dq": torch.eye(2),
        "weight_uq_qr": torch.ones(2, 3),
        "weight_uk": torch.ones(1, 1, 1),
    }
    operands |= {
        "weight_dkv_kr": torch.ones(2, 3),
        "rmsnorm_gamma_cq": torch.ones(2),
        "rmsnorm_gamma_ckv": torch.ones(1),
    }
    operands |= {
        "rope_sin": 0 * one,
        "rope_cos": one,
        "kv_cache": caches[0],
        "kr_cache": caches[1],
        "cache_index": torch.tensor([0]),
    }
    operands |= {
        "rmsnorm_epsilon_cq": 0.0,
        "rmsnorm_epsilon_ckv": 0.0,
        "weight_quant_mode": 0,
        "kv_cache_quant_mode": 0,
    }
    operands |= {"query_quant_mode": 0, "quant_scale_repo_mode": 0, "tile_size": 0, "qc_qr_scale": 1.0, "kc_scale": 1.0}
    operands |= {"query_out": empty((1, 1, 1)), "query_rope_out": empty((1, 1, 2)), "cache_mode": "PA_BSND"}
    call(NAMES[2], **operands, ckvkr_repo_mode=0, query_norm_out=kept)
    same(kept, [[1, 1]])
    close(caches[0], [[[[1]]]])
    with pytest.raises(NotImplementedError, match="joined caches"):
        call(NAMES[2], **operands, ckvkr_repo_mode=1)
