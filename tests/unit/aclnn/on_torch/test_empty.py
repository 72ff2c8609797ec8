"""Each body upon tensors without elements: the samples of its rows with nothing along one axis, where torch has a result."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="torch is not installed")

from tests.kit.torch_bodies import check_empty
from tests.unit.aclnn.on_torch.topics import NAMES, rows_of

NOTHING = {
    "no operand is a tensor whose axes say what there is to do":
        "AmpUpdateScale Arange DropoutGenMask DropoutGenMaskV2 DropoutGenMaskV2Tensor Eye Linspace LogSpace "
        "NormalFloatFloat Randperm Range",
    "nothing has no such value": "AminmaxAll Max Min Median NanMedian",
    "torch refuses it": "AffineGrid ConfusionTranspose CtcLoss CtcLossBackward UnfoldGrad",
}  # fmt: skip
"""Operators that have no result for empty tensors, by the reason."""
WITHOUT = {f"aclnn{name}" for text in NOTHING.values() for name in text.split()}
STATISTICS = {
    f"aclnn{name}" for name in (
        "BatchNorm", "BatchNormGatherStatsWithCounts", "GroupNormSilu", "GroupNormSwish", "GroupNormSwishGrad", "LayerNorm",
    )
}  # fmt: skip
"""Operators that give a mean or a deviation with the result."""


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore")
def test_empty(name: str) -> None:
    runs = sum(check_empty(name, one, name in STATISTICS) for one in rows_of(name))
    assert bool(runs) != (name in WITHOUT)
