"""Elements that go elsewhere: numpy, and autograd of the public functions for what comes back."""

from __future__ import annotations

import itertools

import numpy as np
import torch
import torch.nn.functional as F

from tests.kit.torch_bodies import ALL, F32, FLOATS, INTS, REAL, by_numpy, gradients, row

KINDS = (*ALL, torch.complex64)
MODES = {"Reflection": "reflect", "Replication": "replicate"}


def chunked(tensors, dim, chunks):
    """Each tensor in pieces of its first axis, filled with zeros, flat beside each other."""
    rows = []
    for x in (one.numpy() for one in tensors):
        size = -(-x.shape[0] // chunks)
        filled = np.concatenate([x, np.zeros((size * chunks - x.shape[0], *x.shape[1:]), x.dtype)])
        rows.append(filled.reshape(chunks, -1))
    return torch.from_numpy(np.concatenate(rows, 1))


def slices(t):
    x = t(5, 6, 4)
    return [
        (x, (1, 0), (4, -1), (2, 1), 0, 0, 0, 0, 0),
        (x, (4, 5), (0, 0), (-2, -1), 0, 2, 0, 0, 0),
        (x, (1, 0, 2), (2, 0, 3), (1, 1, 1), 0, 0, 2, 0, 1),
        (x, (1, 0, 2), (3, 0, 5), (1, 1, 1), 4, 0, 0, 2, 0),
    ]


def sliced(x, begin, end, steps, no_begin, no_end, rest, new_axis, single):
    at = []
    for i in range(len(begin)):
        if rest >> i & 1:
            at.append(Ellipsis)
        elif new_axis >> i & 1:
            at.append(np.newaxis)
        elif single >> i & 1:
            at.append(begin[i])
        else:
            at.append(slice(None if no_begin >> i & 1 else begin[i], None if no_end >> i & 1 else end[i], steps[i]))
    return x[tuple(at)].copy()


def repeated_back(grad, repeats, axis):
    counts = repeats.ravel()
    if counts.size == 1:
        counts = np.full(grad.shape[axis] // counts[0], counts[0])
    ends = np.cumsum(counts)
    parts = [grad.take(range(end - n, end), axis).sum(axis) for n, end in zip(counts, ends, strict=True)]
    return np.stack(parts, axis)


def padded_sizes(axes):
    """Inputs with one and with two outer axes, and their padding."""
    inner = (5, 4, 6)[:axes]
    padding = (2, 1, 1, 3, 0, 2)[: 2 * axes]
    return [((2, 3, *inner), padding), ((3, *inner), padding), ((0, 3, *inner), padding)]


def pad_rows(name, axes):
    mode = MODES[name]

    def forward(x, padding):
        whole = x.to(torch.uint8) if x.dtype == torch.bool else x
        batched = whole if x.dim() == axes + 2 else whole[None]
        result = F.pad(batched, padding, mode=mode).to(x.dtype)
        return result if x.dim() == axes + 2 else result[0]

    def grown(shape, padding):
        out = list(shape)
        for i in range(axes):
            out[-1 - i] += padding[2 * i] + padding[2 * i + 1]
        return out

    return [
        row(f"{name}Pad{axes}d", lambda t: [(t(*shape), padding) for shape, padding in padded_sizes(axes)], forward),
        row(
            f"{name}Pad{axes}dBackward",
            lambda t: [(t(*grown(shape, padding)), t(*shape), padding) for shape, padding in padded_sizes(axes)],
            lambda grad, x, padding: gradients(forward, grad, [x], [padding])[0],
            loose=4,
        ),
    ]


def shuffled(x, groups):
    n, c, *rest = x.shape
    return x.reshape(n, groups, c // groups, *rest).swapaxes(1, 2).reshape(x.shape)


def windows(t):
    return [(t(2, 3, 6, 5), (2, 3), (1, 1), (1, 0), (2, 1)), (t(3, 6, 5), (2, 2), (2, 1), (0, 1), (1, 1))]


def windowed(x, *window):
    return F.unfold(x if x.is_floating_point() or x.is_complex() else x.double(), *window).to(x.dtype)


def large_windows(t):
    """Whole numbers that no float64 holds."""
    return [((x * (2**53 + 1)).to(x.dtype), *rest) for x, *rest in windows(t)]


def windowed_one_by_one(x, kernel, dilation, padding, stride):
    batched = x if x.dim() == 4 else x[None]
    wide = F.pad(batched, (padding[1], padding[1], padding[0], padding[0]))
    parts = []
    for i, j in itertools.product(*map(range, kernel)):
        at = [place * by for place, by in zip((i, j), dilation, strict=True)]
        ends = [size - (k - 1) * by + a for size, k, by, a in zip(wide.shape[2:], kernel, dilation, at, strict=True)]
        parts.append(wide[:, :, at[0] : ends[0] : stride[0], at[1] : ends[1] : stride[1]].flatten(2))
    result = torch.stack(parts, 2).flatten(1, 2)
    return result if x.dim() == 4 else result[0]


def window_grads(t):
    return [
        (t(2, 18, 12), (6, 5), (2, 3), (1, 1), (1, 0), (2, 1)),
        (t(3 * 4, 24), (6, 5), (2, 2), (2, 1), (0, 1), (1, 1)),
    ]


def folded(grad, size, kernel, dilation, padding, stride):
    channels = grad.shape[-2] // (kernel[0] * kernel[1])
    x = torch.zeros((*grad.shape[:-2], channels, *size), dtype=grad.dtype)
    return gradients(lambda y: F.unfold(y, kernel, dilation, padding, stride), grad, [x])[0]


def unfolded_back(grad, sizes, dim, size, step):
    return gradients(lambda x: x.unfold(dim, size, step), grad, [torch.zeros(sizes, dtype=grad.dtype)])[0]


def transformed(qkv, bias, heads):
    b, length, width = qkv.shape
    q, k, v = (part.reshape(b, length, heads, -1).transpose(0, 2, 1, 3) for part in np.split(qkv + bias, 3, 2))
    return q / np.sqrt(width // 3 // heads), k, v


def constant_padded(x, padding, value):
    """A negative padding cuts."""
    widths = [(0, 0)] * x.ndim
    cut = [slice(None)] * x.ndim
    for i in range(len(padding) // 2):
        low, high = padding[2 * i], padding[2 * i + 1]
        axis = x.ndim - 1 - i
        widths[axis] = (max(low, 0), max(high, 0))
        cut[axis] = slice(max(-low, 0), x.shape[axis] - max(-high, 0))
    return np.pad(x[tuple(cut)], widths, constant_values=value)


ROWS = [
    row("Permute", lambda t: [(t(2, 3, 4), (2, 0, 1)), (t(3), (0,)), (t(0, 3), (1, 0))], by_numpy(np.transpose), KINDS),
    row(
        "ConfusionTranspose",
        lambda t: [(t(2, 3, 4), (2, 0, 1), (4, 6), True), (t(2, 12), (1, 0, 2), (2, 3, 4), False)],
        by_numpy(lambda x, p, s, first: x.transpose(p).reshape(s) if first else x.reshape(s).transpose(p)),
        REAL,
    ),
    row("Flip", lambda t: [(t(3, 4), (0,)), (t(3, 4), (1, 0)), (t(0, 2), (1,))], by_numpy(np.flip), KINDS),
    row(
        "Roll",
        lambda t: [(t(3, 4), (1,), (0,)), (t(3, 4), (1, -2), (0, 1)), (t(3, 4), (5,), ())],
        by_numpy(lambda x, s, d: np.roll(x, s, d) if d else np.roll(x, s[0])),
        ALL,
    ),
    row(
        "Cat",
        lambda t: [([t(2, 3), t(4, 3)], 0), ([t(2, 3), t(2, 1), t(2, 0)], -1), ([t(0), t(2, 3)], 0)],
        lambda xs, d: torch.from_numpy(np.concatenate([x.numpy() for x in xs if x.shape != (0,)], d)),
        KINDS,
    ),
    row(
        "Cat",
        lambda t: [([t(2, 3), t(2, 3, kind=torch.int32)], 0)],
        lambda xs, d: torch.from_numpy(np.concatenate([x.numpy() * 1.0 for x in xs], d)),
        FLOATS,
    ),
    row(
        "Stack",
        lambda t: [([t(2, 3), t(2, 3)], d) for d in (0, 1, -1)],
        lambda xs, d: torch.from_numpy(np.stack([x.numpy() for x in xs], d)),
        KINDS,
    ),
    row("ChunkCat", lambda t: [([t(5, 2), t(4), t(2, 3, 2)], 0, 3)], chunked),
    row(
        "SplitWithSize",
        lambda t: [(t(6, 4), (2, 3, 1), 0), (t(3, 4), (4, 0), 1)],
        lambda x, sizes, d: [torch.from_numpy(p.copy()) for p in np.split(x.numpy(), np.cumsum(sizes)[:-1], d)],
        ALL,
    ),
    row("StridedSlice", slices, by_numpy(sliced), ALL),
    row(
        "Repeat", lambda t: [(t(2, 3), (2, 1)), (t(3), (2, 2)), (t(2, 3), (0, 1)), (t(), ())], by_numpy(np.tile), KINDS
    ),
    row(
        "RepeatInterleave",
        lambda t: [(t(2, 3), torch.tensor([1, 0, 2, 1, 0, 3]), 7), (t(4), torch.tensor([2], dtype=torch.int32), 8)],
        by_numpy(lambda x, r, n: np.repeat(x.ravel(), r)),
        ALL,
    ),
    row("RepeatInterleaveInt", lambda t: [(t(2, 3), 2, 12)], by_numpy(lambda x, r, n: np.repeat(x.ravel(), r)), ALL),
    row(
        "RepeatInterleaveWithDim",
        lambda t: [(t(2, 3), torch.tensor([1, 0, 2]), 1, 3), (t(2, 3), torch.tensor([2]), 0, 4)],
        by_numpy(lambda x, r, d, n: np.repeat(x, r, d)),
        ALL,
    ),
    row(
        "RepeatInterleaveIntWithDim",
        lambda t: [(t(2, 3), 2, 1, 6), (t(2, 3), 3, 0, 6)],
        by_numpy(lambda x, r, d, n: np.repeat(x, r, d)),
        ALL,
    ),
    row(
        "RepeatInterleaveTensor",
        lambda t: [(torch.tensor([1, 0, 3]), 4), (torch.tensor([2, 2], dtype=torch.int32), 4)],
        by_numpy(lambda r, n: np.repeat(np.arange(r.size), r)),
        (F32,),
    ),
    row(
        "RepeatInterleaveGrad",
        lambda t: [(t(6, 3), torch.tensor([1, 3, 2]), 0), (t(3, 6), torch.tensor([2]), 1)],
        by_numpy(repeated_back),
        loose=3,
    ),
    row(
        "ConstantPadNd",
        lambda t: [(t(2, 3), (1, 2), 1), (t(2, 3), (1, 0, 0, 2), 2), (t(4, 5), (-1, 1, 1, -2), 0)],
        by_numpy(constant_padded),
        KINDS,
    ),
    row("ConstantPadNd", lambda t: [(t(2, 3), (1, 0), 2 - 1j)], by_numpy(constant_padded), (torch.complex64,)),
    row("ChannelShuffle", lambda t: [(t(2, 6, 3), 3), (t(1, 4, 2, 2), 2)], by_numpy(shuffled), ALL),
    row("Im2col", windows, windowed),
    row("Im2col", large_windows, windowed_one_by_one, (torch.int64,)),
    row("Im2colBackward", window_grads, folded, loose=4),
    row("UnfoldGrad", lambda t: [(t(2, 3, 3), (2, 7), 1, 3, 2), (t(3, 4, 2), (6, 4), 0, 2, 2)], unfolded_back, loose=3),
    row("TransformBiasRescaleQkv", lambda t: [(t(2, 3, 12), t(12), 2)], by_numpy(transformed)),
    row(
        "InplaceCopy",
        lambda t: [(t(3, 4), t(3, 4)), (t(3, 4), t(4)), (t(3, 4), t()), (t(0, 2), t(0, 2))],
        by_numpy(lambda x, s: np.broadcast_to(s, x.shape).copy()),
        KINDS,
    ),
    row(
        "InplaceCopy",
        lambda t: [(t(3, 4, kind=kind), t(3, 4)) for kind in (F32, *INTS)],
        by_numpy(lambda x, s: s.astype(x.dtype)),
        (F32, torch.int32, torch.bool),
    ),
    row("NpuFormatCast", lambda t: [(t(3, 4),), (t(2, 3, 4),)], by_numpy(np.copy), REAL),
]
for _name in MODES:
    for _axes in (1, 2, 3):
        ROWS += pad_rows(_name, _axes)
