"""How bodies leave their results in the outputs."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["store"]


def store(out: npt.NDArray[Any], values: Any) -> None:
    """Convert to the type of *out*, as C does, and put there; values of one element fill it."""
    if out.dtype.kind != "c" and getattr(values, "dtype", None) is not None and values.dtype.kind == "c":
        values = values.real
    np.copyto(out, values, casting="unsafe")
