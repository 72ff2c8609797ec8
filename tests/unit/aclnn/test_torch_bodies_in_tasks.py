"""The bodies on torch as tasks: what the operators of a program get is what the bodies take."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed")

import attrs
import torch

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.aclnn import loading
from tests.kit.operator_calls import call
from tests.kit.torch_bodies import check

FOLDER = Path(__file__).parent / "on_torch"
ROWS = [
    one
    for path in sorted(FOLDER.glob("rows_*.py"))
    for one in importlib.import_module(f"tests.unit.aclnn.on_torch.{path.stem}").ROWS
]
NOT_NULL = {"aclnnCrossEntropyLoss", "aclnnEmbeddingBag", "aclnnLogSigmoidForward"}
"""Their rows leave out an output that must not be NULL."""
ONE_TYPE = {"aclnnApplyAdamW"}
"""Its rows have operands of several types, which must have one."""
torch.set_num_threads(1)


def _first_type(name, one):
    """The runs with the first type that the operator takes."""
    for kind in one.kinds:
        runs = check(name, attrs.evolve(one, kinds=(kind,)), lambda *operands: call(name, *operands))
        if runs:
            return runs
    return 0


@pytest.mark.parametrize("start", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
def test_bodies_run_as_tasks(start):
    """Each on the first of its types; the other types are compared without a task (`on_torch/test_bodies.py`)."""
    names = {name for one in ROWS for name in one.names if name.startswith(f"aclnn{start}")} - NOT_NULL - ONE_TYPE
    with Simulator() as sim:
        C.aclInit(None)
        C.aclrtSetDevice(0)
        for name in sorted(names & set(loading.torch_bodies())):
            assert sum(_first_type(name, one) for one in ROWS if name in one.names) > 0, name
        assert not list(sim.findings)


def test_an_output_upon_a_part_of_an_operand():
    """It gets what the operand held before: on the whole of one, beside it, or across its end."""
    with Simulator():
        C.aclInit(None)
        C.aclrtSetDevice(0)
        for shift in (0, 4, 8):
            memory = torch.linspace(-2, 2, 16)
            wanted = memory.clone()
            wanted[shift : shift + 8] = torch.exp(memory[:8])
            call("aclnnExp", memory[:8], memory[shift : shift + 8])
            torch.testing.assert_close(memory, wanted)


def test_memory_at_the_address_of_memory_that_is_gone():
    """What is kept about addresses is not used for the next owner of one."""
    with Simulator(reuse="lifo") as sim:
        C.aclInit(None)
        C.aclrtSetDevice(0)
        for value in (1.0, 2.0, 3.0):  # the allocator hands out what was freed last
            x, out = torch.full((8,), value), torch.zeros(8)
            call("aclnnAdds", x, 1.0, 1.0, out)
            assert out.tolist() == [value + 1] * 8
        assert not list(sim.findings)


def test_elements_of_an_output_that_lie_upon_each_other():
    with Simulator() as sim:
        C.aclInit(None)
        C.aclrtSetDevice(0)
        memory = torch.zeros(8)
        call("aclnnInplaceFillScalar", memory.as_strided((2, 3, 4), (4, 0, 1)), 3.0)
        assert memory.tolist() == [3.0] * 8
        assert not list(sim.findings)
