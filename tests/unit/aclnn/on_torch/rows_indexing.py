"""Reading and writing by indices: loops and numpy's fancy indexing."""

from __future__ import annotations

import numpy as np
import torch

from tests.kit.torch_bodies import ALL, F32, FLOATS, REAL, by_numpy, row

KINDS = (*ALL, torch.complex64)
INT32 = torch.int32


def along(t):
    return [
        (t(3, 4), 1, t.index(4, 3, 2)),
        (t(3, 4), -2, t.index(3, 2, 4, kind=INT32)),
        (t(0, 4), 1, t.index(4, 0, 2)),
        (t(5), 0, t.index(5, 3)),
    ]


def slices(t):
    return [
        (t(3, 4), 1, t.index(4, 6)),
        (t(3, 4, 2), -2, t.index(4, 3, kind=INT32)),
        (t(5), 0, t.index(5, 2)),
        (t(3, 0), 0, t.index(3, 4)),
    ]


def scattered(x, dim, index, source, code, whole=True):
    result = x.copy()
    source = np.broadcast_to(source, index.shape) if np.isscalar(source) or not np.ndim(source) else source
    seen = np.zeros(x.shape, int)
    for at in np.ndindex(index.shape):
        to = list(at)
        to[dim] = index[at]
        to, value = tuple(to), source[at]
        first = not whole and not seen[to]
        old = result[to]
        result[to] = (
            value
            if code == 0 or first
            else {1: np.add, 2: np.multiply, 3: np.maximum, 4: np.minimum, 5: np.add}[code](old, value)
        )
        seen[to] += 1
    if code == 5:
        counts = seen + whole
        result = result / np.maximum(counts, 1) if result.dtype.kind in "fc" else result // np.maximum(counts, 1)
    return result


def unique_along(t, n, *shape):
    """An index without repeats in its columns, so that replacing is settled."""
    return t.laid(
        torch.stack(
            [torch.randperm(n, generator=torch.Generator().manual_seed(i))[: shape[0]] for i in range(shape[1])], 1
        )
    )


def scatter_samples(codes, *rest):
    def made(t):
        for code in codes:
            index = unique_along(t, 5, 3, 4) if code == 0 else t.index(5, 3, 4)
            yield t(5, 4, low=1, high=3), 0, index, t(3, 4, low=1, high=3), code, *rest

    return made


def updated(x, indices, updates, axis):
    result, axis = x.copy(), axis % x.ndim
    for number, one in enumerate(updates):
        batch, first = (number, indices[number]) if indices.ndim == 1 else indices[number]
        width = updates.shape[axis]
        for k in range(width):
            result[(batch, *[slice(None)] * (axis - 1), first + k)] = one[(*[slice(None)] * (axis - 1), k)]
    return result


def nd_updated(x, indices, updates):
    result = x.copy()
    for at in np.ndindex(indices.shape[:-1]):
        result[tuple(indices[at])] = updates[at]
    return result


def list_updated(xs, indices, updates, mask, reduction, axis):
    results = [x.numpy().copy() for x in xs]
    for i, result in enumerate(results):
        if mask is None or mask.reshape(-1)[i]:
            first = int(indices[i])
            width = updates.shape[axis]
            result[
                tuple(
                    [slice(None)] * (result.ndim + axis) + [slice(first, first + width)] + [slice(None)] * (-axis - 1)
                )
            ] = updates[i].numpy()
    return [torch.from_numpy(result) for result in results]


def fancy(indices):
    """NULL stands for a whole axis."""
    return tuple(slice(None) if one is None else one.numpy() for one in indices)


def indexed(x, indices):
    """An empty tensor stands for a whole axis, too, where there is something to name."""
    given = [None if one is not None and not one.numel() and x.numel() else one for one in indices]
    return torch.from_numpy(np.asarray(x.numpy()[fancy(given)]))


def index_put(x, indices, values, add, unsafe):
    result, at = x.numpy().copy(), fancy(indices)
    if add:
        np.add.at(result, at, values.numpy())
    else:
        result[at] = values.numpy()
    return torch.from_numpy(result)


def index_samples(t):
    x = t(4, 5, 3)
    return [
        (x, [t.index(4, 2), t.index(5, 2)]),
        (x, [None, t.index(5, 2, 3, kind=INT32)]),
        (x, [t.index(4, 2), None, t.index(3, 2)]),
        (x, [t(4, 5, kind=torch.bool)]),
        (x, [torch.empty(0, dtype=torch.bool), t.index(5, 2)]),
        (t(0, 3), [t.index(1, 0)]),
    ]


def put_samples(t):
    one, two = unique_along(t, 4, 3, 1).reshape(-1), t.index(5, 3)
    for add in (False, True):
        yield t(4, 5), [one, two], t(3), add, False
        yield t(4, 5), [one], t(3, 5), add, True
        yield t(4, 5), [one], t(1), add, True
    yield t(4, 5), [t.index(4, 6)], t(6, 5), True, False
    for add in (False, True):
        yield t(4, 5), [None, None], t(5), add, False
        yield t(4, 5), [t.index(4, 0), t.index(5, 0)], t(1), add, False


def put(x, at, source, add):
    result = x.copy()
    flat = result.reshape(-1)
    if add:
        np.add.at(flat, at.ravel(), source.ravel())
    else:
        flat[at.ravel()] = source.ravel()
    return flat.reshape(x.shape)


def index_add(x, dim, at, source, alpha, mode=1):
    result = x.copy()
    np.add.at(result, (*[slice(None)] * dim, at), alpha * source)
    return result


def index_copy(x, dim, at, source):
    result = x.copy()
    result[(*[slice(None)] * dim, at)] = source
    return result


def index_fill(x, dim, at, value):
    result = x.copy()
    result[(*[slice(None)] * dim, np.asarray(at, int))] = value
    return result


def masked_scatter(x, mask, source):
    result = np.broadcast_to(x, np.broadcast_shapes(x.shape, mask.shape)).copy()
    held = np.broadcast_to(mask != 0, result.shape)
    result[held] = source.ravel()[: held.sum()]
    return result


def fill_samples(value):
    return lambda t: [
        (t(3, 4), t(3, 4, kind=torch.bool), value),
        (t(3, 4), t(4, kind=torch.bool), value),
        (t(3, 4), t(3, 1, kind=torch.uint8, high=1), value),
    ]


def tensor_fill(t):
    return [(t(3, 4), t(3, 4, kind=torch.bool), t()), (t(3, 4), t(3, 1, kind=torch.bool), t(1))]


ROWS = [
    row("Gather", along, by_numpy(lambda x, d, i: np.take_along_axis(x, i, d)), KINDS),
    row(
        "GatherV3",
        lambda t: [(*sample, 0, 0) for sample in slices(t)] + [(t(3, 4), 1, t.index(4, 2, 3), 0, 1)],
        by_numpy(lambda x, d, i, *rest: np.take(x, i, d)),
        ALL,
    ),
    row(
        "GatherV3",
        lambda t: [(t(3, 4, 2), 1, t.index(4, 3, 5), 1, 0)],
        by_numpy(lambda x, d, i, *rest: np.stack([np.take(a, b, 0) for a, b in zip(x, i, strict=True)])),
        REAL,
    ),
    row("IndexSelect", slices, by_numpy(lambda x, d, i: np.take(x, i, d)), KINDS),
    row(
        "Embedding",
        lambda t: [(t(5, 3), t.index(5, 2, 4)), (t(5, 3), t.index(5, kind=INT32)), (t(5, 3), t.index(5, 0))],
        by_numpy(lambda w, i: w[i]),
        REAL,
    ),
    row(
        "Take",
        lambda t: [(t(3, 4), t.index(12, 2, 3)), (t(3, 4), t.index(12, 5, kind=INT32))],
        by_numpy(lambda x, i: x.ravel()[i]),
        REAL,
    ),
    row("Scatter", scatter_samples((0, 1, 2)), by_numpy(scattered), (*FLOATS, INT32), loose=2),
    row("Scatter", scatter_samples((0,)), by_numpy(scattered), (torch.bool, torch.complex64)),
    row(
        "ScatterValue",
        lambda t: (
            [(t(5, 4, low=1, high=3), 0, t.index(5, 3, 4), 2, code) for code in (0, 1)]
            + [(t(5, 4), 0, t.index(5, 3, 4, kind=INT32), 1, 0)]
        ),
        by_numpy(scattered),
        (*FLOATS, INT32),
        loose=2,
    ),
    row(
        "ScatterAdd",
        lambda t: [(t(5, 4), 0, t.index(5, 3, 4), t(3, 4)), (t(5, 4), 1, t.index(4, 5, 2), t(5, 3))],
        by_numpy(lambda x, d, i, s: scattered(x, d, i, s, 1)),
        (*FLOATS, INT32),
        loose=2,
    ),
    row("ScatterReduce", scatter_samples((0, 1, 2, 3, 4), True), by_numpy(scattered), (*FLOATS, INT32), loose=4),
    row("ScatterReduce", scatter_samples((1, 2, 3, 4), False), by_numpy(scattered), (F32,), loose=4),
    row("ScatterReduce", scatter_samples((5,), True), by_numpy(scattered), (F32,), loose=4),
    row(
        "InplaceScatterUpdate",
        lambda t: [
            (t(3, 2, 5, 4), t.index(5, 3), t(3, 2, 1, 4), -2),
            (t(3, 2, 5, 4), t.index(4, 3), t(3, 2, 2, 4), -2),
            (t(4, 5, 2), torch.tensor([[2, 1], [0, 3]]), t(2, 1, 2), 1),
        ],
        by_numpy(updated),
        REAL,
    ),
    row(
        "ScatterNdUpdate",
        lambda t: [
            (t(4, 5), torch.tensor([[0, 1], [2, 3]]), t(2)),
            (t(4, 5), torch.tensor([[3], [1]], dtype=INT32), t(2, 5)),
            (t(4, 5, 2), torch.tensor([[[0, 1]], [[2, 4]]]), t(2, 1, 2)),
        ],
        by_numpy(nd_updated),
        ALL,
    ),
    row(
        "ScatterList",
        lambda t: [
            ([t(2, 5, 3), t(2, 5, 3)], torch.tensor([3, 1]), t(2, 2, 1, 3), None, "update", -2),
            (
                [t(2, 5, 3), t(2, 5, 3)],
                torch.tensor([3, 1], dtype=INT32),
                t(2, 2, 2, 3),
                torch.tensor([1, 0], dtype=torch.uint8),
                "update",
                -2,
            ),
        ],
        list_updated,
        REAL,
    ),
    row("Index", index_samples, indexed, KINDS),
    row("IndexPutImpl", put_samples, index_put, REAL, loose=2),
    row(
        "InplacePut",
        lambda t: [(t(3, 4), torch.randperm(12)[:5], t(5), False), (t(3, 4), t.index(12, 5, kind=INT32), t(5), True)],
        by_numpy(put),
        REAL,
        loose=2,
    ),
    row(
        "IndexAdd",
        lambda t: [(t(4, 3), 0, t.index(4, 5), t(5, 3), 2), (t(4, 3), 1, t.index(3, 5, kind=INT32), t(4, 5), 1)],
        by_numpy(index_add),
        REAL,
        loose=4,
    ),
    row(
        "IndexAddV2",
        lambda t: [(t(4, 3), 0, t.index(4, 5), t(5, 3), 2.0, 1)],
        by_numpy(index_add),
        (*FLOATS, INT32),
        loose=4,
    ),
    row(
        "IndexCopy",
        lambda t: [(t(4, 3), 0, torch.tensor([2, 0]), t(2, 3)), (t(4, 3), 1, torch.tensor([1], dtype=INT32), t(4, 1))],
        by_numpy(index_copy),
        KINDS,
    ),
    row(
        "IndexFill",
        lambda t: [(t(4, 3), 0, t.index(4, 2), 2), (t(4, 3), 1, t.index(3, 2, kind=INT32), 1)],
        by_numpy(index_fill),
        REAL,
    ),
    row("IndexFillTensor", lambda t: [(t(4, 3), 0, (1, 3), 2), (t(4, 3), 1, (), 1)], by_numpy(index_fill), REAL),
    row(
        "InplaceMaskedFillScalar",
        fill_samples(1),
        by_numpy(lambda x, m, v: np.where(m != 0, v, x).astype(x.dtype)),
        ALL,
    ),
    row(
        "InplaceMaskedFillScalar", fill_samples(-float("inf")), by_numpy(lambda x, m, v: np.where(m != 0, v, x)), FLOATS
    ),
    row("InplaceMaskedFillTensor", tensor_fill, by_numpy(lambda x, m, v: np.where(m, v, x)), ALL),
    row(
        "InplaceMaskedScatter",
        lambda t: [(t(3, 4), t(3, 4, kind=torch.bool), t(12)), (t(3, 4), t(4, kind=torch.bool), t(4, 3))],
        by_numpy(masked_scatter),
        ALL,
    ),
    row(
        "MaskedScale",
        lambda t: [(t(3, 4), t(3, 4, kind=kind, low=0, high=1), 2.5) for kind in (torch.uint8, F32, torch.int8)],
        by_numpy(lambda x, m, s: x * m * s),
        FLOATS,
    ),
    row(
        "MaskedSelect",
        lambda t: [
            (t(3, 4), t(3, 4, kind=torch.bool)),
            (t(3, 4), t(4, kind=torch.bool)),
            (t(4), t(3, 1, kind=torch.uint8, high=1)),
            (t(0), t(0, kind=torch.bool)),
        ],
        by_numpy(
            lambda x, m: np.broadcast_to(x, np.broadcast_shapes(x.shape, m.shape))[
                np.broadcast_to(m != 0, np.broadcast_shapes(x.shape, m.shape))
            ]
        ),
        ALL,
        room=lambda x, m: [(torch.broadcast_shapes(x.shape, m.shape).numel(),)],
    ),
    row(
        "Nonzero",
        lambda t: [(t(3, 4, low=-1, high=1),), (t(5),), (t(0, 2),), (torch.zeros(2, 3, dtype=t.kind),)],
        by_numpy(np.argwhere),
        ALL,
        room=lambda x: [(x.numel(), x.dim())],
    ),
    row(
        "NonzeroV2",
        lambda t: [(t(3, 4, low=-1, high=1),), (t(5),), (t(0, 2),), (torch.zeros(2, 3, dtype=t.kind),)],
        by_numpy(lambda x: np.argwhere(x).T.copy()),
        ALL,
        room=lambda x: [(x.dim(), x.numel())],
    ),
]
