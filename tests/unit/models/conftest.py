"""A world with aclInit done, and short words for models, datasets and values."""

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from ascend_sim import ascendcl as C
from ascend_sim import pyacl
from ascend_sim.om import Body, Gears, ModelDescription, TensorDescription
from ascend_sim.simulator import LOCAL, Simulator
from tests.kit.calls import Calls

FLOAT, ND = 0, 2
H2D, D2H = 1, 2


def neg(dims: Sequence[int] = (4,), ranges: Any = (), **changes: Any) -> ModelDescription:
    """y = -x."""
    body = Body("graph", nodes=({"op": "Neg", "inputs": ["x"], "outputs": ["y"], "attributes": {}},))
    values: dict[str, Any] = {
        "name": "neg",
        "inputs": (TensorDescription("x", FLOAT, tuple(dims), ND, tuple(ranges)),),
        "outputs": (TensorDescription("y", FLOAT, tuple(dims), ND, tuple(ranges)),),
        "body": body,
        "cost_ns": 1_000_000,
    }
    return ModelDescription(**{**values, **changes})


def batches(*choices: int) -> ModelDescription:
    """y = -x for batches of 4 floats."""
    return neg((-1, 4), gears=Gears("batch", tuple((n,) for n in choices)))


class Models(Calls):
    """One simulator with device 0 and aclInit."""

    def __init__(self, sim: Simulator) -> None:
        super().__init__(sim)
        self.kept: list[object] = []

    @property
    def t(self) -> Any:
        """The calling host thread."""
        return LOCAL.state

    def load(self, source: Any) -> int:
        """The id of a loaded description, bytes or path."""
        self.sim.models["under_test.om"] = source
        return int(self.must(C.aclmdlLoadFromFile("under_test.om")))

    def memory(self, values: npt.ArrayLike, size: int = 0) -> int:
        """Device memory with these floats."""
        array = np.asarray(values, np.float32)
        nbytes = max(size, array.nbytes, 4)
        address = int(self.must(C.aclrtMalloc(nbytes, 0)))
        self.must(C.aclrtMemset(address, nbytes, 0, nbytes))
        if array.nbytes:
            self.must(C.aclrtMemcpy(address, nbytes, np.ascontiguousarray(array), array.nbytes, H2D))
        return address

    def floats(self, address: int, count: int) -> list[float]:
        """What stands there."""
        out = np.zeros(count, np.float32)
        self.must(C.aclrtMemcpy(out, out.nbytes, address, out.nbytes, D2H))
        return [float(v) for v in out]

    def dataset(self, *parts: tuple[int, int]) -> int:
        """A dataset of data buffers (address, bytes)."""
        made = int(C.aclmdlCreateDataset())
        for address, size in parts:
            self.must(C.aclmdlAddDatasetBuffer(made, C.aclCreateDataBuffer(address, size)))
        return made

    def shape(self, dataset: int, *dims: int) -> None:
        """Set the dims of its first tensor."""
        desc = C.aclCreateTensorDesc(FLOAT, len(dims), list(dims), ND)
        self.must(C.aclmdlSetDatasetTensorDesc(dataset, desc, 0))


@pytest.fixture
def open_models() -> Iterator[Callable[..., Models]]:
    """Makes a world with the options of a Simulator."""
    opened: list[Simulator] = []

    def make(**options: Any) -> Models:
        sim = Simulator(**options).open()
        opened.append(sim)
        assert C.aclInit(None) == 0
        assert C.aclrtSetDevice(0) == 0
        return Models(sim)

    yield make
    for sim in reversed(opened):
        sim.close()


@pytest.fixture
def models(open_models: Callable[..., Models]) -> Models:
    """A world of the default profile."""
    return open_models()


@pytest.fixture
def acl(models: Models) -> Iterator[Any]:
    """pyACL's module in the simulator of *models*."""
    before = dict(sys.modules)
    pyacl.put_into(sys.modules)
    yield sys.modules["acl"]
    for name in set(sys.modules) - set(before):
        if name == "acl" or name.startswith("acl."):
            del sys.modules[name]
