"""Rotary embeddings against a loop over pairs of values."""

from __future__ import annotations

import numpy as np
import pytest

from tests.kit.tensors import call, close, empty, numbers, random, torch

import ascend_sim.aclnn.on_torch.fused.rotary  # noqa: F401  isort: skip

F32, F16, BF16 = torch.float32, torch.float16, torch.bfloat16
KINDS = [F32, F16, BF16]


def pairs(width, mode):
    """Which values form a pair: (place in x, place in x, place in out, place in out)."""
    half, quarter = width // 2, width // 4
    if mode == 0:
        return [(i, i + half, i, i + half) for i in range(half)]
    if mode == 1:
        return [(2 * i, 2 * i + 1, 2 * i, 2 * i + 1) for i in range(half)]
    if mode == 2:
        first = [(i, i + quarter) * 2 for i in range(quarter)]
        return first + [(i + half, i + half + quarter) * 2 for i in range(quarter)]
    return [(2 * i, 2 * i + 1, i, i + half) for i in range(half)]


def turn(x, cos, sin, mode):
    out = np.zeros_like(x)
    cos, sin = np.broadcast_to(cos, x.shape), np.broadcast_to(sin, x.shape)
    for a, b, p, q in pairs(x.shape[-1], mode):
        out[..., p] = x[..., a] * cos[..., p] - x[..., b] * sin[..., p]
        out[..., q] = x[..., b] * cos[..., q] + x[..., a] * sin[..., q]
    return out


@pytest.mark.parametrize("name", ["aclnnRotaryPositionEmbedding", "aclnnRotaryPositionEmbeddingV2"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mode", [0, 1, 2, 3])
@pytest.mark.parametrize("angles", [(1, 3, 1, 8), (2, 3, 1, 8), (1, 1, 4, 8), (2, 3, 4, 8)])
def test_rotary_position_embedding_and_its_gradient(name, kind, mode, angles):
    rng = np.random.default_rng(1)
    x, cos, sin = random(rng, (2, 3, 4, 8), kind, gaps=True), random(rng, angles, kind), random(rng, angles, kind)
    out = empty((2, 3, 4, 8), kind, gaps=True)
    call(name, x=x, cos=cos, sin=sin, mode=mode, out=out)
    close(out, turn(numbers(x), numbers(cos), numbers(sin), mode))
    dy = random(rng, (2, 3, 4, 8), kind)
    dx, dcos, dsin = empty((2, 3, 4, 8), kind), empty(angles, kind), empty(angles, kind)
    call("aclnnRotaryPositionEmbeddingGrad", dy=dy, cos=cos, sin=sin, x=x, mode=mode, dx_out=dx, dcos_out=dcos,
         dsin_out=dsin)  # fmt: skip
    c, s = (np.broadcast_to(numbers(t), (2, 3, 4, 8)) for t in (cos, sin))
    g, values = numbers(dy), numbers(x)
    want_x, want_c, want_s = np.zeros_like(values), np.zeros_like(values), np.zeros_like(values)
    for a, b, p, q in pairs(8, mode):
        want_x[..., a] = g[..., p] * c[..., p] + g[..., q] * s[..., q]
        want_x[..., b] = g[..., q] * c[..., q] - g[..., p] * s[..., p]
        want_c[..., p], want_c[..., q] = g[..., p] * values[..., a], g[..., q] * values[..., b]
        want_s[..., p], want_s[..., q] = -g[..., p] * values[..., b], g[..., q] * values[..., a]
    close(dx, want_x)
    axes = tuple(i for i in range(4) if angles[i] == 1 and (2, 3, 4, 8)[i] > 1)
    close(dcos, want_c.sum(axes, keepdims=True))
    close(dsin, want_s.sum(axes, keepdims=True))


def test_the_gradient_of_cos_needs_x():
    dy, cos = torch.ones(1, 1, 1, 4), torch.ones(1, 1, 1, 4)
    dx, dcos = empty((1, 1, 1, 4)), empty((1, 1, 1, 4))
    call("aclnnRotaryPositionEmbeddingGrad", dy=dy, cos=cos, sin=cos, mode=0, dx_out=dx, dcos_out=dcos, dsin_out=dcos)
    close(dx, [[[[2, 2, 0, 0]]]])
    close(dcos, np.full((1, 1, 1, 4), -77))


def test_rotary_position_embedding_v2_with_a_matrix():
    rng = np.random.default_rng(2)
    x, cos, sin, rotate = (random(rng, s) for s in ((1, 3, 2, 4), (1, 3, 1, 4), (1, 3, 1, 4), (4, 4)))
    out = empty((1, 3, 2, 4))
    call("aclnnRotaryPositionEmbeddingV2", x=x, cos=cos, sin=sin, mode=1, rotate=rotate, out=out)
    turned = np.zeros((1, 3, 2, 4))
    for i in range(4):
        turned[..., i] = sum(numbers(x)[..., k] * numbers(rotate)[k, i] for k in range(4))
    close(out, numbers(x) * numbers(cos) + turned * numbers(sin))


@pytest.mark.parametrize(
    "name, mode",
    [("aclnnApplyRotaryPosEmb", "half")] + [("aclnnApplyRotaryPosEmbV2", m) for m in ("half", "quarter", "interleave")],
)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape, layout", [((2, 3, 4, 8), 1), ((5, 4, 8), 4)])
def test_apply_rotary_pos_emb_in_place(name, mode, kind, shape, layout):
    rng = np.random.default_rng(3)
    query, key = random(rng, shape, kind, gaps=True), random(rng, (*shape[:-2], 1, 8), kind)
    cos, sin = (random(rng, (*shape[:-2], 1, 8), kind) for _ in range(2))
    wanted = [
        turn(numbers(t), numbers(cos), numbers(sin), ["half", "interleave", "quarter"].index(mode))
        for t in (query, key)
    ]
    more = {"rotary_mode": mode} if name.endswith("V2") else {}
    call(name, query=query, key=key, cos=cos, sin=sin, layout=layout, **more)
    close(query, wanted[0])
    close(key, wanted[1])


@pytest.mark.parametrize("kind", [F16, BF16])
def test_interleave_rope(kind):
    rng = np.random.default_rng(4)
    x, cos, sin = random(rng, (2, 3, 4, 8), kind), random(rng, (2, 1, 4, 8), kind), random(rng, (2, 1, 4, 8), kind)
    out = empty((2, 3, 4, 8), kind)
    call("aclnnInterleaveRope", x=x, cos=cos, sin=sin, out=out)
    close(out, turn(numbers(x), numbers(cos), numbers(sin), 3))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("neox", [True, False])
@pytest.mark.parametrize("width, sections", [(8, None), (4, None), (8, "parts"), (8, "turns")])
def test_rope_with_sin_cos_cache(kind, neox, width, sections):
    rng = np.random.default_rng(5)
    cache, half = random(rng, (10, width), kind), width // 2
    query, key = random(rng, (3, 16), kind), random(rng, (3, 8), kind)
    shape = (3, 3) if sections else (3,)
    positions = torch.from_numpy(rng.integers(0, 10, shape))
    parts = {None: None, "parts": (2, 1, 1), "turns": (2, 1, 1)}[sections]
    out_q, out_k = empty((3, 16), kind), empty((3, 8), kind)
    operands = {"positions": positions, "query_in": query, "key_in": key, "cos_sin_cache": cache, "mrope_section": parts,
                "head_size": 8, "is_neox_style": neox, "query_out": out_q, "key_out": out_k}  # fmt: skip
    if sections == "turns":
        call("aclnnRopeWithSinCosCacheV2", **operands, cache_mode=1)
    else:
        call("aclnnRopeWithSinCosCache", **operands)
    table = numbers(cache)
    owner = {None: [0] * half, "parts": [0, 0, 1, 2], "turns": [0, 1, 2, 0]}[sections]
    for states, out in ((query, out_q), (key, out_k)):
        wanted = numbers(states).reshape(3, -1, 8)
        for i in range(3):
            for j in range(half):
                row = table[int(positions[owner[j], i] if sections else positions[i])]
                cos, sin = row[j], row[half + j]
                a, b = (j, j + half) if neox else (2 * j, 2 * j + 1)
                first, second = wanted[i, :, a].copy(), wanted[i, :, b].copy()
                wanted[i, :, a], wanted[i, :, b] = first * cos - second * sin, second * cos + first * sin
        close(out, wanted.reshape(out.shape))
