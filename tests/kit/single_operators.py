"""Running the function of a single operator, its rule of shapes checked on the way."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

import numpy as np
import pytest

from ascend_sim.ops.operator import Array
from ascend_sim.ops.registry import builtin

RANDOM = np.random.default_rng(7)


def run(name: str, *inputs: Any, **attributes: Any) -> Any:
    """What the operator gives: one array or a tuple; its shapes have to be those of its rule, where that knows them.

    The rule has to hold also where it is not told the values of the inputs.

    *described* and *types* stand for the descriptors of the outputs.
    """
    arrays = [None if x is None else np.asarray(x) for x in inputs]
    operator = builtin()[name]
    held = [x for x in arrays if x is not None]
    described, types = attributes.pop("described", ()), attributes.pop("types", ())
    found = operator.run(attributes, arrays, types, described)
    if len(held) == len(arrays) and not described:
        for values in (list(held), [None] * len(held)):  # compilers know those of constants alone
            shapes = operator.shapes(attributes, [x.shape for x in held], values)
            assert shapes[:1] == [(-2,)] or len(shapes) == len(found)
            for made, shape in zip(found, shapes, strict=False):
                wrong = [n for n, m in zip(made.shape, shape, strict=True) if m not in (-1, n)] if shape != (-2,) else []
                assert not wrong, shapes
    return found[0] if len(found) == 1 else found


def floats(*shape: int) -> Array:
    """Random numbers of float32."""
    return RANDOM.standard_normal(shape).astype(np.float32)


def close(found: Any, expected: Any, tolerance: float = 1e-5) -> None:
    """Both are alike within an absolute and a relative *tolerance*."""
    np.testing.assert_allclose(np.asarray(found, np.float64), np.asarray(expected, np.float64), tolerance, tolerance)


def torch_on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module, without torch_npu; skips where it is not installed."""
    if importlib.util.find_spec("torch") is None:
        pytest.skip("torch is not installed")
    monkeypatch.setenv("TORCH_DEVICE_BACKEND_AUTOLOAD", "0")
    return importlib.import_module("torch")
