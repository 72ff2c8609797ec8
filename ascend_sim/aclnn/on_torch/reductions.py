"""Sums, means, extremes, norms and statistics over axes; cumulated ones too. No axes given means all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from ascend_sim.aclnn.on_torch.data_types import torch_type
from ascend_sim.aclnn.on_torch.outputs import computed, in_float32

Axes = Sequence[int] | None


def _axes(self: Tensor, dim: Axes) -> list[int]:
    return list(dim) if dim else list(range(self.dim()))


def _sum(self: Tensor, dim: Axes, keep: bool, data_type: int) -> Tensor:
    return torch.sum(self, _axes(self, dim), keep, dtype=torch_type(data_type))


def _nansum(self: Tensor, dim: Axes, keep: bool, data_type: int) -> Tensor:
    return torch.nansum(self, _axes(self, dim), keep, dtype=torch_type(data_type))


def _mean(self: Tensor, dim: Axes, keep: bool, data_type: int) -> Tensor:
    kind = torch_type(data_type)
    if not (kind.is_floating_point or kind.is_complex):
        kind = torch.float64
    return torch.mean(self, _axes(self, dim), keep, dtype=kind)


def _prod(self: Tensor, data_type: int) -> Tensor:
    return torch.prod(self, dtype=torch_type(data_type))


def _prod_dim(self: Tensor, dim: int, keep: bool, data_type: int) -> Tensor:
    return torch.prod(self, dim, keep, dtype=torch_type(data_type))


def _variance(self: Tensor, dim: Axes, correction: int, keep: bool) -> Tensor:
    return torch.var(self, _axes(self, dim), correction=correction, keepdim=keep)


def _deviation(self: Tensor, dim: Axes, correction: int, keep: bool) -> Tensor:
    return torch.std(self, _axes(self, dim), correction=correction, keepdim=keep)


def _variance_and_mean(self: Tensor, dim: Axes, correction: int, keep: bool) -> Any:
    return torch.var_mean(self, _axes(self, dim), correction=correction, keepdim=keep)


def _deviation_and_mean(self: Tensor, dim: Axes, correction: int, keep: bool) -> Any:
    return torch.std_mean(self, _axes(self, dim), correction=correction, keepdim=keep)


def _norm(self: Tensor, p: float, dim: Axes, keep: bool) -> Tensor:
    return torch.linalg.vector_norm(self, p, _axes(self, dim), keep)


def _vector_norm(self: Tensor, order: float, dim: Axes, keep: bool, data_type: int) -> Tensor:
    return torch.linalg.vector_norm(self, order, _axes(self, dim), keep)


def _any(self: Tensor, dim: Axes, keep: bool) -> Tensor:
    return torch.any(self.bool(), _axes(self, dim), keep)


def _all(self: Tensor, dim: Axes, keep: bool) -> Tensor:
    return torch.all(self.bool(), _axes(self, dim), keep)


def _minmax(self: Tensor, dim: Axes, keep: bool) -> tuple[Tensor, Tensor]:
    axes = _axes(self, dim)
    return torch.amin(self, axes, keep), torch.amax(self, axes, keep)


def _logsumexp(self: Tensor, dim: Axes, keep: bool) -> Tensor:
    return torch.logsumexp(self, _axes(self, dim), keep)


def _number(self: Tensor) -> Tensor:
    """Truth values as numbers: torch orders no booleans."""
    return self.to(torch.uint8) if self.dtype == torch.bool else self


def _cumsum(self: Tensor, dim: int, data_type: int) -> Tensor:
    return torch.cumsum(self, dim, dtype=torch_type(data_type))


def _cumprod(self: Tensor, dim: int, data_type: int | None = None) -> Tensor:
    return torch.cumprod(self, int(dim), dtype=None if data_type is None else torch_type(data_type))


def _histogram(self: Tensor, bins: int, least: Any, most: Any) -> Tensor:
    return torch.histc(self if self.is_floating_point() else self.float(), bins, float(least), float(most))


computed(
    {
        "ReduceSum": _sum,
        "ReduceNansum": _nansum,
        "Mean": _mean,
        "Prod": _prod,
        "ProdDim": _prod_dim,
        "VarCorrection": in_float32(_variance),
        "Std": in_float32(_deviation),
        "VarMean": in_float32(_variance_and_mean),
        "StdMeanCorrection": in_float32(_deviation_and_mean),
        "Norm": in_float32(_norm),
        "LinalgVectorNorm": in_float32(_vector_norm),
        "LogSumExp": in_float32(_logsumexp),
        "Any": _any,
        "All": _all,
        "Amax": lambda self, dim, keep: torch.amax(self, _axes(self, dim), keep),
        "Amin": lambda self, dim, keep: torch.amin(self, _axes(self, dim), keep),
        "Aminmax": _minmax,
        "AminmaxAll": lambda self: (torch.amin(self), torch.amax(self)),
        "AminmaxDim": lambda self, dim, keep: _minmax(self, (dim,), keep),
        "Max": torch.max,
        "Min": torch.min,
        "MaxDim": lambda self, dim, keep: tuple(torch.max(self, dim, keep)),
        "MinDim": lambda self, dim, keep: tuple(torch.min(self, dim, keep)),
        "ArgMax": lambda self, dim, keep: torch.argmax(_number(self), dim, keep),
        "ArgMin": lambda self, dim, keep: torch.argmin(_number(self), dim, keep),
        "Median": torch.median,
        "MedianDim": lambda self, dim, keep: tuple(torch.median(self, dim, keep)),
        "NanMedian": torch.nanmedian,
        "NanMedianDim": lambda self, dim, keep: tuple(torch.nanmedian(self, dim, keep)),
        "Kthvalue": lambda self, k, dim, keep: tuple(torch.kthvalue(self, k, dim, keep)),
        "Cumsum": _cumsum,
        "Cumprod": _cumprod,
        "Cummax": lambda self, dim: tuple(torch.cummax(self, dim)),
        "Cummin": lambda self, dim: tuple(torch.cummin(self, dim)),
        "Histc": _histogram,
        "Bincount": lambda self, weights, least: torch.bincount(self.long(), weights, least),
        "Trace": torch.trace,
    }
)
