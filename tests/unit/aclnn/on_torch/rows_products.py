"""Products of matrices and linear algebra: numpy in float64; decompositions by what they must give back."""

from __future__ import annotations

import numpy as np
import torch

from tests.kit.torch_bodies import F32, FLOATS, WHOLE, WIDE, by_numpy, row

C64 = torch.complex64


def pairs(*shapes):
    return lambda t: [(t(*a), t(*b)) for a, b in shapes]


def scaled(*shapes, swap=False):
    def made(t):
        for beta, alpha in ((1, 1), (0.5, 2), (0, 1)):
            for s, a, b in shapes:
                yield (t(*s), t(*a), t(*b), *((alpha, beta) if swap else (beta, alpha)))

    return made


def hidden(function):
    """``beta * self + alpha * product``, where a beta of 0 hides *self*."""
    return by_numpy(lambda s, a, b, beta, alpha: np.where(beta == 0, 0, s * beta) + alpha * function(a, b))


def positive(t):
    for shape in ((3, 3), (2, 4, 4)):
        a = t(*shape).contiguous()
        yield t.laid(a @ a.mT + 3 * torch.eye(shape[-1]))


def rebuilt(pieces):
    """A judge: the outputs of a decomposition give the input back."""

    def judge(sample, outputs):
        given, made = pieces(sample, outputs)
        rtol = 1e-2 if given.dtype == torch.float16 else 2e-4
        torch.testing.assert_close(made, given, rtol=rtol, atol=rtol)

    return judge


def qr_pieces(sample, outputs):
    q, r = outputs
    assert torch.equal(r, r.triu())
    q, r = (one.to(WIDE.get(one.dtype, one.dtype)) for one in outputs)
    square = q.mH @ q
    rtol = 1e-2 if sample[0].dtype == torch.float16 else 1e-4
    torch.testing.assert_close(square, torch.eye(q.shape[-1]).to(q.dtype).expand_as(square), rtol=rtol, atol=rtol)
    return sample[0], (q @ r).to(sample[0].dtype)


def svd_pieces(sample, outputs):
    sigma, u, v = outputs
    assert bool((sigma[..., 1:] <= sigma[..., :-1]).all())
    count = sigma.shape[-1]
    return sample[0], u[..., :count] @ torch.diag_embed(sigma).to(u.dtype) @ v[..., :count].mH


def svd_shapes(a, full):
    u, sigma, vh = torch.linalg.svd(a, full_matrices=full)
    return sigma, u, vh.mH


def triangular(t):
    a = t(3, 3).contiguous() + 4 * torch.eye(3)
    for upper in (False, True):
        for transpose in (False, True):
            for unit in (False, True):
                yield t(3, 2), t.laid(a), upper, transpose, unit


def solved(b, a, upper, transpose, unit):
    matrix = np.triu(a) if upper else np.tril(a)
    if unit:
        matrix = matrix - np.diag(np.diag(matrix)) + np.eye(3)
    return np.linalg.solve(matrix.T if transpose else matrix, b), a


MATMUL = pairs(
    ((3, 4), (4, 5)),
    ((2, 3, 4), (4, 5)),
    ((2, 3, 4), (2, 4, 5)),
    ((4,), (4, 5)),
    ((3, 4), (4,)),
    ((0, 4), (4, 5)),
    ((3, 0), (0, 2)),
)
BATCHES = [
    ((3, 2, 4), (3, 4, 5), (0, 1, 2), (0, 1, 2), 1),
    ((2, 3, 4), (3, 5, 4), (1, 0, 2), (0, 2, 1), 1),
    ((4, 2, 3), (4, 3, 5), (0, 1, 2), (0, 1, 2), 2),
]


def batches(t):
    return [(t(*a), t(*b), None, None, p, q, (1, 0, 2), factor) for a, b, p, q, factor in BATCHES]


def beside(a, b, bias, scale, first, second, last, factor):
    """(factor, rows, batches / factor * columns), or (rows, batches, columns)."""
    product = a.transpose(first) @ b.transpose(second)
    if factor == 1:
        return product.transpose(last)
    groups = np.split(product, factor)
    return np.stack([np.concatenate(list(group), 1) for group in groups])


def fused(kind):
    def made(t):
        third = t(3, 5) if kind in ("add", "mul") else None
        for bias in (None, t(5)) if not kind.startswith("gelu") else (None,):
            yield t(3, 4), t(4, 5), bias, third, kind

    return made


def fused_result(a, b, bias, third, kind):
    product = torch.matmul(a, b) + (0 if bias is None else bias)
    return {
        "": lambda: product,
        "16cast32": lambda: product,
        "relu": lambda: product.clamp(min=0),
        "add": lambda: product + third,
        "mul": lambda: product * third,
        "gelu_erf": lambda: torch.nn.functional.gelu(product),
        "gelu_tanh": lambda: torch.nn.functional.gelu(product, approximate="tanh"),
    }[kind]()


ROWS = [
    row("TransposeBatchMatMul TransposeBatchMatMulWeightNz", batches, by_numpy(beside), loose=3),
    *(
        row("FusedMatmul", fused(kind), fused_result, loose=8)
        for kind in ("", "relu", "add", "mul", "gelu_erf", "gelu_tanh")
    ),
    row("FusedMatmul", fused("16cast32"), fused_result, FLOATS[1:], result=F32, loose=4),
    row("Matmul MatmulWeightNz", MATMUL, by_numpy(np.matmul), loose=2),
    row("Matmul", lambda t: [(t(3, 4), t(4, 2, kind=F32))], by_numpy(np.matmul), result=F32, loose=60),
    row(
        "Mm", pairs(((3, 4), (4, 5)), ((0, 4), (4, 5)), ((3, 0), (0, 2))), by_numpy(np.matmul), (*FLOATS, C64), loose=2
    ),
    row(
        "BatchMatMul BatchMatMulWeightNz",
        pairs(((2, 3, 4), (2, 4, 5)), ((0, 3, 4), (0, 4, 5))),
        by_numpy(np.matmul),
        loose=2,
    ),
    row("Mv", pairs(((3, 4), (4,))), by_numpy(np.matmul), loose=2),
    row("Dot", pairs(((4,), (4,)), ((0,), (0,))), by_numpy(np.dot), loose=2),
    row(
        "Addmm AddmmWeightNz",
        scaled(((3, 5), (3, 4), (4, 5)), ((5,), (3, 4), (4, 5)), ((1, 5), (3, 0), (0, 5))),
        hidden(np.matmul),
        loose=3,
    ),
    row(
        "Baddbmm", scaled(((2, 3, 5), (2, 3, 4), (2, 4, 5)), ((3, 5), (2, 3, 4), (2, 4, 5))), hidden(np.matmul), loose=3
    ),
    row(
        "Addbmm",
        scaled(((3, 5), (2, 3, 4), (2, 4, 5)), ((5,), (2, 3, 4), (2, 4, 5))),
        hidden(lambda a, b: np.matmul(a, b).sum(0)),
        loose=3,
    ),
    row(
        "Addmv",
        scaled(((3,), (3, 4), (4,)), swap=True),
        by_numpy(lambda s, a, b, alpha, beta: np.where(beta == 0, 0, s * beta) + alpha * np.matmul(a, b)),
        loose=3,
    ),
    row(
        "Addmv",
        lambda t: [(t(3), t(3, 4), t(4), alpha, beta) for alpha, beta in ((2, 3), (1, 0))],
        by_numpy(lambda s, a, b, alpha, beta: s * beta + alpha * np.matmul(a, b)),
        WHOLE,
    ),
    row("Addr", scaled(((3, 4), (3,), (4,)), ((4,), (3,), (4,))), hidden(np.outer), loose=3),
    row(
        "Addr",
        lambda t: [(t(3, 4), t(3), t(4), None, None)],
        by_numpy(lambda s, a, b, beta, alpha: s + np.outer(a, b)),
        loose=3,
    ),
    row(
        "Addr",
        lambda t: [(t(3, 4), t(3), t(4), 2.7, 1.2)],
        by_numpy(lambda s, a, b, beta, alpha: 2 * s + np.outer(a, b)),
        (torch.int32,),
    ),
    row(
        "LinalgCholesky",
        lambda t: [(a, upper) for a in positive(t) for upper in (False, True)],
        by_numpy(lambda a, upper: np.swapaxes(np.linalg.cholesky(a), -1, -2) if upper else np.linalg.cholesky(a)),
        (F32,),
    ),
    row(
        "LinalgCross",
        lambda t: [(t(2, 3), t(2, 3), 1), (t(3, 4), t(3, 4), 0), (t(2, 3), t(1, 3), 1)],
        by_numpy(lambda a, b, d: np.cross(a, b, axis=d)),
        (F32, torch.int32),
    ),
    row(
        "LinalgQr",
        lambda t: [(t(4, 3), 0), (t(2, 3, 5), 0), (t(4, 3), 1)],
        lambda a, mode: torch.linalg.qr(a, ("reduced", "complete")[mode])[:],
        (F32,),
        judge=rebuilt(qr_pieces),
    ),
    row("Inverse", lambda t: [(a,) for a in positive(t)], by_numpy(np.linalg.inv), (F32,), loose=10),
    row(
        "Slogdet",
        lambda t: [(a,) for a in positive(t)],
        by_numpy(lambda a: tuple(np.linalg.slogdet(a))),
        (F32,),
        loose=10,
    ),
    row(
        "Svd",
        lambda t: [(t(4, 3), full, True) for full in (False, True)] + [(t(2, 3, 5), False, True)],
        lambda a, full, uv: svd_shapes(a, full),
        (F32,),
        judge=rebuilt(svd_pieces),
    ),
    row("TriangularSolve", triangular, by_numpy(solved), (F32,), loose=10),
]
