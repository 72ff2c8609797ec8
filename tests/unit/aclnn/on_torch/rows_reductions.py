"""Reductions and cumulated values: numpy in float64 and, for orders, plain sorting."""

from __future__ import annotations

import numpy as np
import torch

from tests.kit.torch_bodies import F16, F32, REAL, WHOLE, by_numpy, row

FLOAT, INT32, INT64 = 0, 3, 9


def axes(*rest, low=-3.0, high=3.0):
    """Axes as arrays: one, several, none (all), negative; a number; an empty axis that stays."""

    def made(t):
        x = t(2, 3, 4, low=low, high=high)
        cases = [
            (x, (1,), False),
            (x, (0, -1), True),
            (x, (), False),
            (x, None, True),
            (t(low=low, high=high), (), False),
        ]
        return [(*case, *rest) for case in cases] + [(t(0, 3), (1,), False, *rest)]

    return made


def by_axes(function, **fixed):
    def reference(x, dim, keep, *rest):
        chosen = tuple(dim) if dim else tuple(range(x.ndim))
        return function(x, axis=chosen, keepdims=keep, **fixed)

    return by_numpy(reference)


def correction(t):
    return [(t(3, 4), (1,), c, keep) for c in (0, 1) for keep in (False, True)] + [(t(3, 4), None, 1, False)]


def spread_of(function):
    return lambda x, dim, c, keep: function(x, axis=tuple(dim) if dim else None, ddof=c, keepdims=keep)


def mean_of(x, dim, c, keep):
    return x.mean(axis=tuple(dim) if dim else None, keepdims=keep)


def norms(*rest):
    return lambda t: [
        (t(3, 4), p, dim, keep, *rest)
        for p in (1.0, 2.0, 3.0, float("inf"), -float("inf"), 0.0)
        for dim, keep in (((1,), True), ((), False), ((0, 1), False))
    ]


def norm(x, p, dim, keep, *rest):
    axis = tuple(dim) or tuple(range(x.ndim))
    if p == 0:
        return (x != 0).sum(axis, keepdims=keep) * 1.0
    if np.isinf(p):
        return (np.max if p > 0 else np.min)(np.abs(x), axis=axis, keepdims=keep)
    return (np.abs(x) ** p).sum(axis, keepdims=keep) ** (1 / p)


def dims(*rest):
    return lambda t: (
        [(t.distinct(3, 5), d, keep, *rest) for d in (0, -1) for keep in (False, True)]
        + [(t.distinct(6), 0, False, *rest)]
    )


def kept(value, dim, keep):
    return np.expand_dims(value, dim) if keep else value


def extreme(value, place):
    return lambda x, d, keep: (kept(value(x, d), d, keep), kept(place(x, d), d, keep))


def ranked(x, k, d, keep):
    places = np.argsort(x, d).take(k, d)
    return kept(np.sort(x, d).take(k, d), d, keep), kept(places, d, keep)


def median(x, d, keep):
    return ranked(x, (x.shape[d] - 1) // 2, d, keep)


def nan_median(x):
    whole = np.sort(x[~np.isnan(x)])
    return whole[(whole.size - 1) // 2]


def with_nan(t):
    x = t.distinct(9).clone()
    x[2] = float("nan")
    return [(t.laid(x),)]


def nan_median_dim(x, d, keep):
    values, places = np.empty(x.shape[0]), np.empty(x.shape[0], np.int64)
    for i, line in enumerate(x):
        order = [j for j in np.argsort(line, kind="stable") if not np.isnan(line[j])]
        places[i] = order[(len(order) - 1) // 2]
        values[i] = line[places[i]]
    return kept(values, d, keep), kept(places, d, keep)


def with_nan_rows(t):
    x = t.distinct(3, 5).clone()
    x[1, 2] = float("nan")
    return [(t.laid(x), 1, False), (t.laid(x), 1, True)]


def running(function):
    def reference(x, d):
        values = function.accumulate(x, d)
        lines, results = np.moveaxis(x, d, -1), np.moveaxis(values, d, -1)
        places = np.zeros(results.shape, np.int64)
        for at in np.ndindex(results.shape):
            places[at] = max(j for j in range(at[-1] + 1) if lines[at[:-1]][j] == results[at])
        return values, np.moveaxis(places, -1, d)

    return by_numpy(reference)


def histogram(x, bins, least, most):
    low, high = (least, most) if least != most else (x.min(), x.max())
    return np.histogram(x, bins, (low, high))[0] * 1.0


ROWS = [
    row("ReduceSum", axes(FLOAT), by_axes(np.sum), (F32,)),
    row("ReduceSum", axes(FLOAT), by_axes(np.sum), (torch.int32, torch.bool, F16), result=F32),
    row("ReduceSum", axes(INT64), by_axes(np.sum), (torch.int32, torch.int64, torch.bool), result=torch.int64),
    row("ReduceNansum", axes(FLOAT), by_axes(np.nansum), (F32,)),
    row("ReduceNansum", axes(FLOAT), by_axes(np.nansum), (*WHOLE, torch.bool), result=F32),
    row(
        "ReduceNansum",
        lambda t: [(t.laid(torch.tensor([[1, float("nan")], [2, 3]], dtype=t.kind)), (1,), False, FLOAT)],
        by_axes(np.nansum),
        (F32, F16),
        result=F32,
    ),
    row("Mean", axes(FLOAT), by_axes(np.mean), (F32, F16), result=F32),
    row(
        "Mean",
        axes(INT32, low=0),
        by_numpy(lambda x, dim, keep, d: x.mean(axis=tuple(dim) if dim else None, keepdims=keep).astype(np.int32)),
        (torch.int32,),
    ),
    row(
        "Prod",
        lambda t: [(t(3, 2), FLOAT), (t(), FLOAT), (t(0), FLOAT)],
        by_numpy(lambda x, d: np.prod(x) * 1.0),
        (F32, F16, torch.int32),
        result=F32,
    ),
    row(
        "ProdDim",
        lambda t: [(t(3, 4), 1, True, FLOAT), (t(3, 4), 0, False, FLOAT), (t(2, 0), 1, False, FLOAT)],
        by_numpy(lambda x, d, k, dt: np.prod(x, axis=d, keepdims=k) * 1.0),
        (F32, F16, torch.int32),
        result=F32,
    ),
    row("VarCorrection", correction, by_numpy(spread_of(np.var))),
    row("Std", correction, by_numpy(spread_of(np.std))),
    row("VarMean", correction, by_numpy(lambda *a: (spread_of(np.var)(*a), mean_of(*a)))),
    row("StdMeanCorrection", correction, by_numpy(lambda *a: (spread_of(np.std)(*a), mean_of(*a)))),
    row("Norm", norms(), by_numpy(norm), loose=2),
    row("LinalgVectorNorm", norms(FLOAT), by_numpy(norm), loose=2),
    row(
        "LogSumExp",
        lambda t: [(t(3, 4), (1,), False), (t(3, 4), (0, 1), True), (t(3, 4), (), False)],
        by_axes(lambda x, axis, keepdims: np.log(np.exp(x).sum(axis, keepdims=keepdims))),
    ),
    row("Any", axes(), by_axes(np.any), (*REAL, torch.bool, torch.uint8)),
    row("All", axes(), by_axes(np.all), (*REAL, torch.bool, torch.uint8)),
    row("Amax", axes(), by_axes(np.max), (*REAL, torch.int64)),
    row("Amin", axes(), by_axes(np.min), (*REAL, torch.int64)),
    row(
        "Aminmax",
        lambda t: [(t(3, 4), (1,), False), (t(3, 4), (), False), (t(3, 4), (0,), True)],
        by_numpy(lambda x, d, k: (x.min(tuple(d) or None, keepdims=k), x.max(tuple(d) or None, keepdims=k))),
        REAL,
    ),
    row("AminmaxAll", lambda t: [(t(3, 4),), (t(),)], by_numpy(lambda x: (x.min(), x.max())), REAL),
    row(
        "AminmaxDim",
        lambda t: [(t(3, 4), 1, False), (t(3, 4), 0, True)],
        by_numpy(lambda x, d, k: (x.min(d, keepdims=k), x.max(d, keepdims=k))),
        REAL,
    ),
    row("Max", lambda t: [(t(3, 4),), (t(),)], by_numpy(np.max), (*REAL, torch.bool)),
    row("Min", lambda t: [(t(3, 4),), (t(),)], by_numpy(np.min), (*REAL, torch.bool)),
    row("MaxDim", dims(), by_numpy(extreme(np.max, np.argmax)), REAL),
    row("MinDim", dims(), by_numpy(extreme(np.min, np.argmin)), REAL),
    row("ArgMax", dims(), by_numpy(lambda x, d, keep: kept(np.argmax(x, d), d, keep)), REAL),
    row("ArgMin", dims(), by_numpy(lambda x, d, keep: kept(np.argmin(x, d), d, keep)), REAL),
    row(
        "ArgMax ArgMin",
        lambda t: [(torch.ones(3, 1, dtype=torch.bool), 1, False)],
        by_numpy(lambda x, d, keep: np.zeros(3, np.int64)),
        (torch.bool,),
    ),
    row(
        "Median",
        lambda t: [(t.distinct(3, 4),), (t.distinct(5),)],
        by_numpy(lambda x: np.sort(x.ravel())[(x.size - 1) // 2]),
        REAL,
    ),
    row("MedianDim", dims(), by_numpy(median), REAL),
    row("NanMedian", with_nan, by_numpy(nan_median)),
    row("NanMedian", lambda t: [(t.distinct(9),)], by_numpy(nan_median), WHOLE),
    row("NanMedianDim", with_nan_rows, by_numpy(nan_median_dim)),
    row("NanMedianDim", lambda t: [(t.distinct(3, 5), 1, keep) for keep in (False, True)], by_numpy(nan_median_dim), WHOLE),
    row(
        "Kthvalue",
        lambda t: [(t.distinct(3, 5), k, d, keep) for k in (1, 3) for d in (0, 1) for keep in (False, True)],
        by_numpy(lambda x, k, d, keep: ranked(x, k - 1, d, keep)),
        REAL,
    ),
    row(
        "Cumsum",
        lambda t: [(t(3, 4), 1, FLOAT), (t(3, 4), -2, FLOAT), (t(0, 3), 1, FLOAT)],
        by_numpy(lambda x, d, dt: np.cumsum(x, d) * 1.0),
        (F32, F16, torch.int32),
        result=F32,
    ),
    row(
        "Cumsum",
        lambda t: [(t(3, 4), 1, INT64)],
        by_numpy(lambda x, d, dt: np.cumsum(x, d)),
        (torch.int32, torch.bool),
        result=torch.int64,
    ),
    row(
        "Cumprod",
        lambda t: [(t(3, 4), 1, FLOAT), (t(3, 4), 0, FLOAT)],
        by_numpy(lambda x, d, dt: np.cumprod(x, d) * 1.0),
        (F32, F16),
        result=F32,
    ),
    row("InplaceCumprod", lambda t: [(t(3, 4), 1), (t(3, 4), 0)], by_numpy(np.cumprod), (F32, F16)),
    row("Cummax", lambda t: [(t(3, 5), 1), (t(3, 5), 0)], running(np.maximum), (F32, torch.int32)),
    row("Cummin", lambda t: [(t(3, 5), 1), (t(3, 5), 0)], running(np.minimum), (F32, torch.int32)),
    row("Histc", lambda t: [(t(20), 4, -2, 2), (t(20), 5, 0, 0)], by_numpy(histogram), (F32, torch.int32), result=F32),
    row(
        "Bincount",
        lambda t: [(t.index(6, 12), None, 3), (t.index(6, 12, kind=torch.int32), None, 9)],
        by_numpy(lambda x, w, n: np.bincount(x, w, n)),
        (F32,),
    ),
    row("Bincount", lambda t: [(t.index(6, 12), t(12), 3)], by_numpy(lambda x, w, n: np.bincount(x, w, n)), (F32,)),
    row("Trace", lambda t: [(t(3, 4),), (t(4, 2),)], by_numpy(np.trace), (F32, torch.int32)),
]
