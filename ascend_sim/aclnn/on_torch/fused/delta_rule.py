"""The gated delta rule: attention whose keys and values are one matrix, which each token bends."""

from __future__ import annotations

import torch
from torch import Tensor

from ascend_sim.aclnn.on_torch.fused.named import named_body

__all__ = ["recurrent_gated_delta_rule"]


def _step(state: Tensor, query: Tensor, key: Tensor, value: Tensor, beta: Tensor) -> tuple[Tensor, Tensor]:
    """One token for all heads: the bent state [heads, dv, dk] and what the query reads from it [heads, dv]."""
    seen = (state @ key.unsqueeze(-1)).squeeze(-1)
    state = state + ((value - seen) * beta.unsqueeze(-1)).unsqueeze(-1) * key.unsqueeze(-2)
    return state, (state @ query.unsqueeze(-1)).squeeze(-1)


@named_body("aclnnRecurrentGatedDeltaRule")
def recurrent_gated_delta_rule(
    *, query: Tensor, key: Tensor, value: Tensor, beta: Tensor | None, state: Tensor, actual_seq_lengths: Tensor | None,
    ssm_state_indices: Tensor | None, g: Tensor | None, gk: Tensor | None, num_accepted_tokens: Tensor | None,
    scale_value: float, out: Tensor,
) -> None:  # fmt: skip
    """Each token reads and keeps a state: the first one that of the last accepted token, the others that before them.

    g (a head) and gk (a channel of the key) are logarithms of what is left of the state.
    """
    tokens, heads = value.shape[0], value.shape[1]
    share = heads // key.shape[1]
    counts = [1] * tokens if actual_seq_lengths is None else [int(n) for n in actual_seq_lengths.tolist()]
    slots = range(tokens) if ssm_state_indices is None else [int(n) for n in ssm_state_indices.reshape(-1).tolist()]
    weights = torch.ones(tokens, heads) if beta is None else beta.float()
    begin = 0
    for batch, count in enumerate(counts):
        if not count:
            continue
        accepted = 1 if num_accepted_tokens is None else int(num_accepted_tokens[batch])
        now = state[slots[begin + accepted - 1]].float()
        for t in range(begin, begin + count):
            if g is not None:
                now = now * g[t].float().exp().reshape(-1, 1, 1)
            if gk is not None:
                now = now * gk[t].float().exp().unsqueeze(-2)
            q, k = (part[t].float().repeat_interleave(share, 0) for part in (query, key))
            now, read = _step(now, q * scale_value, k, value[t].float(), weights[t])
            state[slots[t]] = now.to(state.dtype)
            out[t] = read.to(out.dtype)
        begin += count
