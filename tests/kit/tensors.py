"""What tests of torch bodies share: tensors of all kinds, a call by the parameters' names, and comparison with numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the bodies on CPU tensors need torch")

from ascend_sim.aclnn.bodies import TORCH_BODIES  # noqa: E402
from ascend_sim.aclnn.on_torch.fused.named import python_name  # noqa: E402
from ascend_sim.catalogue.aclnn import operators  # noqa: E402

__all__ = ["TOLERANCE", "call", "close", "empty", "numbers", "random", "same"]

torch.set_num_threads(1)
TOLERANCE = {torch.float32: 2e-5, torch.float16: 2e-3, torch.bfloat16: 1.6e-2}


def call(name: str, **operands: Any) -> dict[str, Any]:
    """Run the torch body of aclnn*name* with operands by name; a parameter that may be NULL and is not given is NULL."""
    values = []
    given = dict(operands)
    for parameter in operators()[name].parameters:
        key = python_name(parameter.name)
        if key in given:
            values.append(given.pop(key))
        elif parameter.optional:
            values.append(None)
        else:
            raise TypeError(f"{name} needs {key}")
    if given:
        raise TypeError(f"{name} has no {sorted(given)}")
    return dict(TORCH_BODIES[name](*values) or {})


def random(
    rng: np.random.Generator, shape: Any, kind: Any = torch.float32, spread: float = 1.0, *, gaps: bool = False
) -> Any:
    """Normal values (whole ones for integer types, from minus to plus ten times *spread*); *gaps*: a strided view."""
    shape = tuple(np.atleast_1d(shape)) if not isinstance(shape, tuple) else shape
    if kind.is_floating_point:
        values = torch.from_numpy(rng.standard_normal(shape) * spread).to(kind)
    else:
        low = -10 if kind != torch.uint8 else 0
        values = torch.from_numpy(rng.integers(int(low * spread), int(10 * spread) + 1, shape)).to(kind)
    if not gaps:
        return values
    view = empty(shape, kind, gaps=True)
    view.copy_(values)
    return view


def empty(shape: Any, kind: Any = torch.float32, *, gaps: bool = False) -> Any:
    """An output, filled with what no result is; *gaps*: every second column of a wider one, from the second row on."""
    fill = -77 if kind.is_signed else 177
    if not gaps or not shape:
        return torch.full(shape, fill, dtype=kind)
    wide = torch.full(
        (shape[0] + 1, *shape[1:-1], shape[-1] * 2) if len(shape) > 1 else (shape[0] * 2,), fill, dtype=kind
    )
    return wide[1:, ..., ::2] if len(shape) > 1 else wide[::2]


def numbers(tensor: Any) -> Any:
    """The values in float64 of numpy, whatever their type."""
    return None if tensor is None else tensor.detach().double().numpy().copy()


def close(got: Any, wanted: Any, kind: Any = None) -> None:
    """*got* is *wanted* within what its type (or *kind*, where the inputs are coarser) rounds away."""
    tolerance = TOLERANCE[kind or got.dtype]
    np.testing.assert_allclose(numbers(got), wanted, rtol=tolerance, atol=tolerance)


def same(got: Any, wanted: Any) -> None:
    """Exactly the same values."""
    np.testing.assert_array_equal(numbers(got), np.asarray(wanted, dtype=np.float64))
