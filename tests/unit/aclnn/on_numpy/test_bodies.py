"""Each body on numpy, called through the C names, against torch: types, layouts, broadcasting, empty tensors, in place."""

from __future__ import annotations

import importlib

import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.aclnn import loading
from tests.kit.operator_calls import call
from tests.kit.torch_bodies import check, check_empty
from tests.unit.aclnn.documented_types import check_documented
from tests.unit.aclnn.on_torch import topics
from tests.unit.aclnn.on_torch.test_empty import STATISTICS, WITHOUT

TOPICS = ["activations", "elementwise", "foreach", "products", "random_numbers", "reductions"]
ROWS = importlib.import_module("tests.unit.aclnn.on_numpy.rows").ROWS + [
    one for topic in TOPICS for one in importlib.import_module(f"tests.unit.aclnn.on_torch.rows_{topic}").ROWS
]
torch.set_num_threads(1)


@pytest.mark.parametrize("name", sorted(loading.numpy_bodies()))
def test_body(name, monkeypatch):
    monkeypatch.setattr(loading, "body_of", lambda name: (loading.numpy_bodies()[name], False))
    monkeypatch.setattr(loading, "torch_wanted", lambda name: False)
    rows = [one for one in ROWS if name in one.names]
    assert rows, f"{name} has a body and no row"
    with Simulator() as sim:
        C.aclInit(None)
        C.aclrtSetDevice(0)
        assert sum(check(name, one, lambda *operands: call(name, *operands)) for one in rows) > 0
        check_documented(name, rows, lambda *operands: call(name, *operands))
        assert not list(sim.findings)


@pytest.mark.parametrize("name", sorted(loading.numpy_bodies()))
@pytest.mark.filterwarnings("ignore")
def test_empty(name, monkeypatch):
    """As the bodies on torch (`on_torch/test_empty.py`), by its table of what has no result for nothing."""
    monkeypatch.setattr(loading, "body_of", lambda name: (loading.numpy_bodies()[name], False))
    monkeypatch.setattr(loading, "torch_wanted", lambda name: False)

    def body(*operands):
        try:
            return call(name, *operands)
        except AssertionError as failed:  # of the task: shapes that no call has
            raise ValueError(str(failed)) from None

    rows = topics.rows_of(name) or [one for one in ROWS if name in one.names]
    with Simulator():
        C.aclInit(None)
        C.aclrtSetDevice(0)
        runs = sum(check_empty(name, one, name in STATISTICS, body) for one in rows)
    assert bool(runs) != (name in WITHOUT)


def test_all_bodies_on_torch_are_loaded_together():
    """Two modules that register one name would end the import."""
    assert len(loading.torch_bodies()) > 300
