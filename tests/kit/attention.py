"""Attention by loops over heads, queries and keys in float64, for the tests of the fused operators."""

from __future__ import annotations

import math

import numpy as np

from tests.kit.tensors import numbers

__all__ = ["FAR", "back", "laid_out", "plain", "seen"]

FAR = 2147483647
"""The window of preTokens and nextTokens that hides nothing."""


def seen(mode, i, j, sq, sk, before=FAR, after=FAR, mask=None, prefix=0):
    """Whether query i may look at key j: by the documents' words, one place at a time."""
    shifted = j - (sk - sq)
    if mode in (0, 1):
        if mask is None:
            return True
        return not mask[i][j] and (mode == 1 or (i - j <= before and j - i <= after))
    if mode == 2:
        return j <= i
    if mode == 3:
        return shifted <= i
    if mode == 4:
        return i - shifted <= before and shifted - i <= after
    return shifted <= i or j < prefix


def plain(q, k, v, scale, look, bias=None, first=True, kept=None, sink=None):
    """[N, Sq, D], [Nk, Sk, D], [Nk, Sk, Dv] -> attention, greatest score, sum; loops only."""
    n, sq, _ = q.shape
    share = n // k.shape[0]
    out, top, total = np.zeros((n, sq, v.shape[-1])), np.zeros((n, sq)), np.zeros((n, sq))
    for h in range(n):
        for i in range(sq):
            row = {}
            for j in range(k.shape[1]):
                if look(i, j):
                    dot = sum(a * b for a, b in zip(q[h, i], k[h // share, j], strict=True))
                    extra = 0.0 if bias is None else bias[h, i, j]
                    row[j] = (dot + extra) * scale if first else dot * scale + extra
            if not row:
                top[h, i], total[h, i] = np.finfo(np.float32).min, np.finfo(np.float32).max
                continue
            top[h, i] = max(row.values()) if sink is None else max(*row.values(), sink[h])
            total[h, i] = sum(math.exp(s - top[h, i]) for s in row.values())
            if sink is not None:
                total[h, i] += math.exp(sink[h] - top[h, i])
            for j, s in row.items():
                factor = 1.0 if kept is None else kept[h, i, j]
                out[h, i] += factor * math.exp(s - top[h, i]) / total[h, i] * v[h // share, j]
    return out, top, total


def laid_out(t, layout):
    """[B, N, S, D] in another layout."""
    if layout == "BNSD":
        return t.contiguous()
    if layout == "BSND":
        return t.transpose(1, 2).contiguous()
    if layout == "BSH":
        return t.transpose(1, 2).flatten(2).contiguous()
    return t.permute(2, 0, 1, 3).flatten(2).contiguous()


def back(t, layout, heads):
    """The inverse of laid_out, in numpy."""
    values = numbers(t)
    if layout == "BNSD":
        return values
    if layout == "BSND":
        return values.transpose(0, 2, 1, 3)
    if layout == "BSH":
        return values.reshape(*values.shape[:2], heads, -1).transpose(0, 2, 1, 3)
    return values.reshape(*values.shape[:2], heads, -1).transpose(1, 2, 0, 3)
