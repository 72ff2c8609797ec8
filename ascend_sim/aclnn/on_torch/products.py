"""The products of matrices and vectors, and linear algebra. A weight in the format NZ comes as its values in ND."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import torch
from torch import Tensor

from ascend_sim.aclnn.on_torch.outputs import computed, in_float32

Number = Any  # of Python: bool, int, float or complex

QR_MODES: Final = ("reduced", "complete", "r")


def _of_one_type(*operands: Tensor) -> list[Tensor]:
    kind = operands[0].dtype
    for operand in operands[1:]:
        kind = torch.promote_types(kind, operand.dtype)
    return [operand.to(kind) for operand in operands]


def _matmul(self: Tensor, other: Tensor) -> Tensor:
    return torch.matmul(*_of_one_type(self, other))


def _scaled(beta: Number | None, self: Tensor, alpha: Number | None, product: Tensor) -> Tensor:
    """``beta * self + alpha * product``; a beta of 0 hides what is not finite in *self*."""
    if not (self.is_floating_point() or self.is_complex()):  # factors become what the operands are
        beta, alpha = (one if one is None else int(one) for one in (beta, alpha))
    product = product if alpha is None or alpha == 1 else product * alpha
    if beta == 0:
        return product + torch.zeros_like(self)
    return product + (self if beta is None or beta == 1 else self * beta)


def _addmm(self: Tensor, one: Tensor, two: Tensor, beta: Number, alpha: Number) -> Tensor:
    return _scaled(beta, self, alpha, _matmul(one, two))


def _addmv(self: Tensor, matrix: Tensor, vector: Tensor, alpha: Number, beta: Number) -> Tensor:
    return _scaled(beta, self, alpha, _matmul(matrix, vector))


def _addbmm(self: Tensor, one: Tensor, two: Tensor, beta: Number, alpha: Number) -> Tensor:
    return _scaled(beta, self, alpha, _matmul(one, two).sum(0))


def _addr(self: Tensor, one: Tensor, two: Tensor, beta: Number | None, alpha: Number | None) -> Tensor:
    return _scaled(beta, self, alpha, torch.outer(*_of_one_type(one, two)))


def _transposed_batches(
    one: Tensor,
    two: Tensor,
    bias: Tensor | None,
    scale: Tensor | None,
    first: Sequence[int],
    second: Sequence[int],
    last: Sequence[int],
    factor: int,
) -> Tensor:
    if scale is not None:
        raise NotImplementedError("products that a scale turns into int8")
    product = _matmul(one.permute(*first), two.permute(*second))
    if bias is not None:
        product = product + bias
    result = product.permute(*last)
    if factor > 1:  # the batches beside the columns, in groups
        batches, rows, columns = product.shape
        result = product.reshape(factor, batches // factor, rows, columns).permute(0, 2, 1, 3)
    return result


def _fused_matmul(one: Tensor, two: Tensor, bias: Tensor | None, third: Tensor | None, kind: str) -> Tensor:
    product = _matmul(one, two)
    if bias is not None:
        product = product + bias
    after = {
        "": lambda: product,
        "16cast32": lambda: product,
        "add": lambda: product + third,
        "mul": lambda: product * third,
        "relu": lambda: torch.relu(product),
        "gelu_erf": lambda: torch.nn.functional.gelu(product),
        "gelu_tanh": lambda: torch.nn.functional.gelu(product, approximate="tanh"),
    }
    return after[kind]()


def _cholesky(self: Tensor, upper: bool) -> Tensor:
    return torch.linalg.cholesky(self, upper=upper)


def _qr(self: Tensor, mode: int) -> tuple[Tensor | None, Tensor]:
    q, r = torch.linalg.qr(self, mode=QR_MODES[mode])
    return (None if mode == QR_MODES.index("r") else q), r


def _svd(self: Tensor, full: bool, vectors: bool) -> tuple[Tensor, Tensor | None, Tensor | None]:
    if not vectors:
        return torch.linalg.svdvals(self), None, None
    u, sigma, vh = torch.linalg.svd(self, full_matrices=full)
    return sigma, u, vh.mH


def _triangular_solve(self: Tensor, matrix: Tensor, upper: bool, transpose: bool, unit: bool) -> tuple[Tensor, Tensor]:
    coefficients = matrix.mT if transpose else matrix
    found = torch.linalg.solve_triangular(coefficients, self, upper=upper != transpose, unitriangular=unit)
    return found, matrix.expand(found.shape[:-2] + matrix.shape[-2:])


def _cross(self: Tensor, other: Tensor, dim: int) -> Tensor:
    return torch.linalg.cross(self, other, dim=dim)


computed(
    {
        "Matmul Mm BatchMatMul MatmulWeightNz BatchMatMulWeightNz Mv Dot": in_float32(_matmul),
        "Addmm AddmmWeightNz Baddbmm": in_float32(_addmm),
        "Addmv": in_float32(_addmv),
        "Addbmm": in_float32(_addbmm),
        "Addr": in_float32(_addr),
        "FusedMatmul": in_float32(_fused_matmul),
        "TransposeBatchMatMul TransposeBatchMatMulWeightNz": in_float32(_transposed_batches),
        "LinalgCholesky": in_float32(_cholesky),
        "LinalgCross": _cross,
        "LinalgQr": in_float32(_qr),
        "Inverse": in_float32(torch.linalg.inv),
        "Slogdet": in_float32(lambda self: tuple(torch.linalg.slogdet(self))),
        "Svd": in_float32(_svd),
        "TriangularSolve": in_float32(_triangular_solve),
    }
)
