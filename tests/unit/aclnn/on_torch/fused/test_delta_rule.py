"""The gated delta rule against its formula, one matrix product after the other in float64."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.kit.tensors import call, close, empty, numbers, random, same, torch

import ascend_sim.aclnn.on_torch.fused.delta_rule  # noqa: F401  isort: skip

F32, BF16, I32 = torch.float32, torch.bfloat16, torch.int32


@pytest.mark.parametrize("kind", [F32, BF16])
@pytest.mark.parametrize("gates", ["none", "heads", "channels", "both"])
@pytest.mark.parametrize("accepted", [False, True])
@pytest.mark.parametrize("share", [1, 2])
def test_recurrent_gated_delta_rule(kind, gates, accepted, share):
    rng = np.random.default_rng(1)
    counts, heads = [2, 0, 3], 2
    query, key = (random(rng, (5, heads // share, 3), kind, spread=0.5) for _ in range(2))
    value, beta = random(rng, (5, heads, 4), kind), random(rng, (5, heads), kind).abs()
    state, slots = random(rng, (7, heads, 4, 3), kind), torch.tensor([3, 0, 6, 1, 4], dtype=I32)
    g = -random(rng, (5, heads)).abs() if gates in ("heads", "both") else None
    gk = -random(rng, (5, heads, 3)).abs() if gates in ("channels", "both") else None
    took = torch.tensor([2, 1, 3], dtype=I32) if accepted else None
    out, before = empty((5, heads, 4), kind), numbers(state)
    call(
        "aclnnRecurrentGatedDeltaRule",
        query=query,
        key=key,
        value=value,
        beta=beta,
        state=state,
        actual_seq_lengths=torch.tensor(counts, dtype=I32),
        ssm_state_indices=slots,
        g=g,
        gk=gk,
        num_accepted_tokens=took,
        scale_value=0.6,
        out=out,
    )
    wanted, after, begin = np.zeros((5, heads, 4)), before.copy(), 0
    for b, count in enumerate(counts):
        for h in range(heads):
            if not count:
                continue
            own = before[int(slots[begin + (int(took[b]) - 1 if accepted else 0)]), h]
            for t in range(begin, begin + count):
                k, q, v = numbers(key)[t, h // share], numbers(query)[t, h // share], numbers(value)[t, h]
                left = np.full(3, 1.0 if g is None else math.exp(float(g[t, h])))
                left = left * (1.0 if gk is None else np.exp(numbers(gk)[t, h]))
                own = own * left
                own = own + float(numbers(beta)[t, h]) * np.outer(v - own @ k, k)
                wanted[t, h] = own @ q * 0.6
                after[int(slots[t]), h] = own
        begin += count
    tolerance = 1e-4 if kind == F32 else 5e-2
    np.testing.assert_allclose(numbers(out), wanted, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(numbers(state), after, rtol=tolerance, atol=tolerance)
    same(state[[2, 5]], before[[2, 5]])  # no token names these


def test_states_may_be_those_of_the_tokens():
    one, state, out = torch.ones(1, 1, 2), torch.zeros(1, 1, 2, 2), empty((1, 1, 2))
    call("aclnnRecurrentGatedDeltaRule", query=one, key=one, value=one, state=state, scale_value=1.0, out=out)
    close(out, [[[2, 2]]])
    close(state, [[[[1, 1], [1, 1]]]])
