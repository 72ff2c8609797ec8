"""Tensors from numbers: numpy."""

from __future__ import annotations

import numpy as np
import torch

from tests.kit.torch_bodies import ALL, F32, REAL, by_numpy, row

CONSTANT = (*ALL, torch.complex64)


def one(*rest):
    return lambda t: [(t(3, 4), *rest), (t(), *rest), (t(0, 3), *rest)]


def diagonal(x, value, wrap):
    filled = x.copy()
    np.fill_diagonal(filled, value, wrap)
    return filled


def one_hot(x, classes, on, off, axis):
    hot = np.where(x[..., None] == np.arange(classes), on.ravel()[0], off.ravel()[0])
    return hot if axis == -1 else np.moveaxis(hot, -1, axis)


ROWS = [
    row(
        "Arange",
        lambda t: [(0, 7, 1), (1.5, 4.0, 0.5), (5, -5, -2)],
        by_numpy(lambda a, b, s: np.arange(a, b, s) * 1.0),
    ),
    row("Arange", lambda t: [(0, 7, 1), (5, -5, -2), (2**40, 2**40 + 3, 1)], by_numpy(np.arange), (torch.int64,)),
    row("Range", lambda t: [(0, 7, 2), (1.5, 4.0, 0.5)], by_numpy(lambda a, b, s: np.arange(a, b + s / 2, s) * 1.0)),
    row("Linspace", lambda t: [(0, 10, 5), (2.0, -3.0, 4), (1, 1, 1)], by_numpy(np.linspace)),
    row(
        "LogSpace",
        lambda t: [(0, 3, 4, 10.0), (-1.0, 2.0, 7, 2.0)],
        by_numpy(lambda a, b, n, base: np.logspace(a, b, n, base=base)),
        (F32,),
    ),
    row("Eye", lambda t: [(3, 4), (4, 2), (0, 0)], by_numpy(np.eye), REAL),
    row("InplaceZero", one(), by_numpy(np.zeros_like), CONSTANT),
    row("InplaceOne", one(), by_numpy(np.ones_like), CONSTANT),
    row("InplaceFillScalar", one(1), by_numpy(np.full_like), CONSTANT),
    row("InplaceFillScalar", one(-2.5), by_numpy(np.full_like)),
    row(
        "InplaceFillTensor",
        lambda t: [(t(3, 4), t(1)), (t(3, 4), t()), (t(0), t(1))],
        by_numpy(lambda x, v: np.full_like(x, v.reshape(()))),
        ALL,
    ),
    row(
        "InplaceFillDiagonal",
        lambda t: [(t(3, 4), 2, False), (t(7, 3), 2, True), (t(7, 3), 2, False), (t(2, 2, 2), 1, False)],
        by_numpy(diagonal),
        REAL,
    ),
    row(
        "OneHot",
        lambda t: [
            (t.index(4, 3), 4, t(1), t(1), -1),
            (t.index(4, 2, 3), 4, t(1), t(1), 0),
            (t.index(9, 3, kind=torch.int32), 4, t(1), t(1), 1),
        ],
        by_numpy(one_hot),
        REAL,
    ),
    row("Tril", lambda t: [(t(3, 4), k) for k in (-1, 0, 2)] + [(t(2, 3, 3), 0)], by_numpy(np.tril), ALL),
    row("Triu", lambda t: [(t(3, 4), k) for k in (-1, 0, 2)] + [(t(2, 3, 3), 0)], by_numpy(np.triu), ALL),
]
