"""Tables and distances: torch.nn.functional in float64, its gradients, and loops."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F

from tests.kit.torch_bodies import F32, by_numpy, gradients, row

NO_PADDING = (1 << 64) - 1
MODES = ("sum", "mean", "max")


def dense_back(grad, indices, rows, padding, by_frequency):
    at = None if padding == NO_PADDING else padding

    def forward(table):
        return F.embedding(indices.long(), table, at, scale_grad_by_freq=by_frequency)

    return gradients(forward, grad, [torch.zeros(rows, grad.shape[-1], dtype=grad.dtype)])[0]


def bag_samples(t):
    for mode in (0, 1, 2):
        for kind in (torch.int64, torch.int32):
            yield (
                t(6, 3),
                t.index(6, 7, kind=kind),
                torch.tensor([0, 2, 5], dtype=kind),
                False,
                mode,
                False,
                None,
                False,
                -1,
            )
    yield t(6, 3), t.index(6, 7), torch.tensor([0, 2, 7]), False, 0, False, t(7), True, -1
    yield t(6, 3), torch.tensor([1, 2, 1, 3]), torch.tensor([0, 2]), False, 1, False, None, False, 1


def bags(table, indices, offsets, by_frequency, mode, sparse, weights, last, padding):
    out = F.embedding_bag(
        indices.long(),
        table,
        offsets.long(),
        mode=MODES[mode],
        per_sample_weights=weights,
        include_last_offset=last,
        padding_idx=None if padding < 0 else padding,
    )
    owner = torch.tensor(
        [max(i for i, first in enumerate(offsets.tolist()) if first <= k) for k in range(indices.numel())]
    )
    return out, owner, None, None


def renormed(table, indices, most, order):
    result = table.copy()
    for at in np.unique(indices):
        size = np.linalg.norm(table[at], order)
        if size > most:
            result[at] = table[at] * most / (size + 1e-7)
    return result


ORDERS = (0.0, 1.0, 2.0, 3.0, float("inf"))
ROWS = [
    row(
        "EmbeddingDenseBackward",
        lambda t: [
            (t(2, 4, 3), t.index(6, 2, 4, kind=kind), 6, p, f)
            for kind in (torch.int64, torch.int32)
            for p in (NO_PADDING, 1)
            for f in (False, True)
        ],
        dense_back,
        loose=4,
    ),
    row("EmbeddingBag", bag_samples, bags, result=(None, torch.int64, torch.int64, torch.int64), loose=3),
    row(
        "EmbeddingRenorm",
        lambda t: [(t(6, 3), t.index(6, 2, 2), 1.5, 2.0), (t(6, 3), t.index(6, 3, kind=torch.int32), 9.0, 1.0)],
        by_numpy(renormed),
        loose=2,
    ),
    row(
        "Cdist",
        lambda t: [(t(2, 3, 4), t(2, 5, 4), p, 2) for p in ORDERS] + [(t(3, 4), t(5, 4), 2.0, 2)],
        lambda a, b, p, mode: torch.cdist(a, b, p, "donot_use_mm_for_euclid_dist"),
        loose=3,
    ),
    row(
        "CdistBackward",
        lambda t: [
            (t(2, 3, 5), a := t(2, 3, 4), b := t(2, 5, 4), torch.cdist(a.double(), b.double(), p).to(t.kind), p)
            for p in (1.0, 2.0, 3.0)
        ],
        lambda g, a, b, d, p: gradients(lambda x: torch.cdist(x, b, p, "donot_use_mm_for_euclid_dist"), g, [a])[0],
        (F32,),
        loose=20,
    ),
    row(
        "Pdist",
        lambda t: [(t(4, 3), p) for p in ORDERS],
        lambda x, p: torch.cdist(x, x, p, "donot_use_mm_for_euclid_dist")[tuple(torch.triu_indices(4, 4, 1))],
        loose=3,
    ),
]
