"""The error function of arrays, which numpy has not: rational approximations with the precision of a double (W. J. Cody)."""

from __future__ import annotations

import math

import numpy as np

from ascend_sim.aclnn.on_numpy.storing import Array

__all__ = ["erf"]

_SMALL = 0.46875
_LARGE = 4.0
_A = (3.16112374387056560e00, 1.13864154151050156e02, 3.77485237685302021e02, 3.20937758913846947e03,
      1.85777706184603153e-1)  # fmt: skip
_B = (2.36012909523441209e01, 2.44024637934444173e02, 1.28261652607737228e03, 2.84423683343917062e03)
_C = (5.64188496988670089e-1, 8.88314979438837594e00, 6.61191906371416295e01, 2.98635138197400131e02,
      8.81952221241769090e02, 1.71204761263407058e03, 2.05107837782607147e03, 1.23033935479799725e03,
      2.15311535474403846e-8)  # fmt: skip
_D = (1.57449261107098347e01, 1.17693950891312499e02, 5.37181101862009858e02, 1.62138957456669019e03,
      3.29079923573345963e03, 4.36261909014324716e03, 3.43936767414372164e03, 1.23033935480374942e03)  # fmt: skip


def _ratio(values: Array, above: tuple[float, ...], below: tuple[float, ...]) -> Array:
    over, under = above[-1] * values, values
    for a, b in zip(above[:-2], below[:-1], strict=True):
        over, under = (over + a) * values, (under + b) * values
    found: Array = (over + above[-2]) / (under + below[-1])
    return found


_exactly = np.frompyfunc(math.erf, 1, 1)


def erf(values: Array) -> Array:
    """The error function, as precise as the type of *values*."""
    x = np.asarray(values, np.float64)
    size = np.abs(x)
    small = x * _ratio(np.minimum(size, _SMALL) ** 2, _A, _B)
    middle = np.clip(size, _SMALL, _LARGE)
    large = np.copysign(1 - np.exp(-middle * middle) * _ratio(middle, _C, _D), x)
    found = np.where(size <= _SMALL, small, large)
    beyond = ~(size <= _LARGE)  # NaN among them
    if beyond.any():
        found[beyond] = np.asarray(_exactly(x[beyond]), np.float64)
    return found.astype(values.dtype)
