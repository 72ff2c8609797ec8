"""Sorted, largest, searched, unique: numpy and plain loops."""

from __future__ import annotations

import numpy as np
import torch

from tests.kit.torch_bodies import F32, REAL, by_numpy, row

FEW = (*REAL, torch.int64, torch.uint8, torch.bool)


def turned(x, descending):
    """Numbers whose ascending order is the wished one."""
    signed = x.astype(np.int64) if x.dtype.kind in "bui" else x
    return -signed if descending else signed


def ordered(x, stable, d, descending):
    places = np.argsort(turned(x, descending), d, kind="stable")
    return np.take_along_axis(x, places, d), places


def largest(x, k, d, big, *rest):
    places = np.take(np.argsort(turned(x, big), d, kind="stable"), range(k), d)
    return np.take_along_axis(x, places, d), places


def sequence(t, *shape):
    return torch.sort(t(*shape).contiguous(), -1).values


def searched(s, x, int32, right, sorter):
    side = "right" if right else "left"
    if s.ndim == 1 or np.isscalar(x):
        return np.searchsorted(s[sorter] if sorter is not None and s.ndim == 1 else s, x, side)
    return np.stack(
        [
            np.searchsorted(a[o] if sorter is not None else a, b, side)
            for a, b, o in zip(s, x, s if sorter is None else sorter, strict=True)
        ]
    )


def unique(x):
    return np.unique(x, return_inverse=True, return_counts=True)


def few(t):
    return (
        [t(3, 4, low=-1, high=1).round(), t(0), t(7, low=-1, high=1).round()]
        if t.kind.is_floating_point
        else [t(3, 4), t(0), t(7)]
    )


def unique2(x, ordered_, inverse, counts):
    values, places, numbers = unique(x)
    return values, places.reshape(x.shape) if inverse or counts else None, numbers if counts else None


def unique_dim(x, ordered_, inverse, d):
    values, places, numbers = np.unique(x, axis=d, return_inverse=True, return_counts=True)
    return values, places.reshape(-1), numbers


def consecutive(x, inverse, counts, d):
    lines = list(x.ravel() if d == 1000 else np.moveaxis(x, d, 0))
    first = [i for i in range(len(lines)) if i == 0 or not np.array_equal(lines[i], lines[i - 1])]
    places = np.asarray([sum(1 for f in first if f <= i) - 1 for i in range(len(lines))], np.int64)
    values = np.asarray([lines[i] for i in first], x.dtype) if first else x.ravel()[:0]
    values = values if d == 1000 or not first else np.moveaxis(values, 0, d)
    numbers = np.bincount(places, minlength=len(first)).astype(np.int64)
    return values, (places.reshape(x.shape) if d == 1000 else places) if inverse else None, numbers if counts else None


def repeated(t):
    x = torch.tensor([0, 0, 1, 1, 1, 0, 2, 2]).to(t.kind)
    return [(t.laid(x), i, c, 1000) for i in (False, True) for c in (False, True)] + [
        (t.laid(torch.stack([x, x])), True, True, 1),
        (t.laid(torch.stack([x, x])), True, True, 0),
        (t.laid(x.reshape(2, 4)), True, True, 1000),
    ]


def pieces(function):
    """A reference of which some results are None."""

    def reference(x, *rest):
        return tuple(None if one is None else torch.from_numpy(np.asarray(one)) for one in function(x.numpy(), *rest))

    return reference


def room(x, *rest):
    whole = (x.numel(),)
    return [whole, x.shape, whole]


def top_k_top_p(logits, p, k):
    """A row at a time: the k largest, then the likely ones of them."""
    result = np.full(logits.shape, -np.inf)
    for line, out, share, count in zip(logits, result, p, k, strict=True):
        order = np.argsort(line, kind="stable")
        order = order[-count:] if 0 < count <= line.size else order
        e = np.exp(line[order] - line[order].max())
        sums = np.cumsum(e / e.sum())
        kept = [at for at, total in zip(order, sums, strict=True) if total > 1 - share] or [order[-1]]
        out[kept] = line[kept]
    return result


ROWS = [
    row(
        "ApplyTopKTopP",
        lambda t: [
            (
                t.distinct(4, 6, kind=F32) / 4,
                torch.tensor([0.9, 0.5, 1.0, 0.05]),
                torch.tensor([3, 0, 6, 9], dtype=torch.int32),
            )
        ],
        by_numpy(top_k_top_p),
        (F32,),
    ),
    row(
        "Sort",
        lambda t: [
            (t.distinct(3, 5), stable, d, down) for stable in (False, True) for d in (0, -1) for down in (False, True)
        ],
        by_numpy(ordered),
        REAL,
    ),
    row(
        "Sort",
        lambda t: [(torch.tensor([1, 0, 1, 0, 1]).to(t.kind), True, 0, False)],
        by_numpy(ordered),
        (F32, torch.int32, torch.uint8),
    ),
    row(
        "Topk",
        lambda t: [(t.distinct(3, 5), k, d, big, True) for k in (1, 3) for d in (0, 1) for big in (False, True)],
        by_numpy(largest),
        REAL,
    ),
    row(
        "SearchSorted",
        lambda t: (
            [(sequence(t, 6), t(3, 4), False, right, None) for right in (False, True)]
            + [(sequence(t, 2, 6), t(2, 3), False, False, None)]
        ),
        by_numpy(searched),
        (F32, torch.int32),
    ),
    row(
        "SearchSorted",
        lambda t: [(torch.tensor([3, 1, 2]).to(t.kind), t(4), True, False, torch.tensor([1, 2, 0]))],
        by_numpy(searched),
        (F32,),
        result=torch.int32,
    ),
    row(
        "SearchSorteds",
        lambda t: [(sequence(t, 6), 0.5, False, right, None) for right in (False, True)],
        by_numpy(searched),
        (F32,),
    ),
    row(
        "Bucketize",
        lambda t: [(t(3, 4), torch.tensor([-2, 0, 2]).to(t.kind), False, right) for right in (False, True)],
        by_numpy(lambda x, b, i, right: np.searchsorted(b, x, "right" if right else "left")),
        REAL,
    ),
    row(
        "Unique",
        lambda t: [(x, True, True) for x in few(t)],
        by_numpy(lambda x, o, i: unique2(x, o, True, True)[:2]),
        FEW,
        room=lambda x, *rest: room(x)[:2],
    ),
    row(
        "Unique2",
        lambda t: [(x, o, i, c) for x in few(t) for o in (True, False) for i in (True, False) for c in (True, False)],
        pieces(unique2),
        FEW,
        room=room,
    ),
    row(
        "UniqueDim",
        lambda t: [(x, True, True, d) for x in few(t)[:1] for d in (0, 1)],
        by_numpy(unique_dim),
        FEW,
        room=lambda x, o, i, d: [x.shape, (x.shape[d],), (x.shape[d],)],
    ),
    row(
        "UniqueConsecutive",
        repeated,
        pieces(consecutive),
        FEW,
        result=(None, torch.int64, torch.int64),
        room=lambda x, i, c, d: room(x) if d == 1000 else [x.shape, (x.shape[d],), (x.shape[d],)],
    ),
]
