"""What the rows of models have in common: stand-ins, loaded models, datasets with buffers."""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ascend_sim.om import Body, Gears, ModelDescription, TensorDescription, write
from tests.conformance.world import World

__all__ = [
    "FLOAT", "batch_model", "dataset", "desc", "dims_model", "dynamic_model", "entry", "executable", "file", "hw_model",
    "in_memory", "load", "model", "set_up", "tensor", "three",
]  # fmt: skip

FLOAT, ND = 0, 2
NEG = Body("graph", nodes=({"op": "Neg", "inputs": ["x"], "outputs": ["y"], "attributes": {}},))


def set_up(w: World) -> None:
    """aclInit: without it nothing of a static model works."""
    w.ok("aclInit", None)
    w.answers.clear()


def model(dims: Sequence[int] = (4,), **changes: Any) -> ModelDescription:
    """y = -x, with one input and one output of these dims; *ranges* are the input's."""
    ranges = tuple(changes.pop("ranges", ()))
    name = changes.pop("input_name", "x")
    body = Body("graph", nodes=({"op": "Neg", "inputs": [name], "outputs": ["y"], "attributes": {}},))
    values: dict[str, Any] = {
        "name": "neg",
        "inputs": (TensorDescription(name, FLOAT, tuple(dims), ND, ranges),),
        "outputs": (TensorDescription("y", FLOAT, tuple(dims), ND, ranges),),
        "body": body,
    }
    return ModelDescription(**{**values, **changes})


def batch_model(choices: Sequence[int] = (1, 2, 8)) -> ModelDescription:
    """Batches of 4 floats."""
    return model((-1, 4), gears=Gears("batch", tuple((n,) for n in choices)))


def hw_model(choices: Sequence[tuple[int, int]] = ((2, 3), (4, 6))) -> ModelDescription:
    """Images."""
    return model((1, -1, -1), gears=Gears("hw", tuple(choices)))


def dims_model(choices: Sequence[tuple[int, ...]] = ((1, 2), (3, 4)), dims: Sequence[int] = (-1, 5, -1)) -> Any:
    """A model with gears of any dims."""
    return model(dims, gears=Gears("dims", tuple(choices)))


def dynamic_model() -> ModelDescription:
    """A model of any length from 1 to 8."""
    return model((-1,), ranges=((1, 8),), work_size=64)


def three() -> bytes:
    """A bundle of three models."""
    return write([model(name=f"m{i}", work_size=100 * i, weight_size=10 * i) for i in range(3)])


def file(w: World, data: bytes | ModelDescription | None = None, name: str = "model.om") -> str:
    """The path of a file with *data*."""
    folder = tempfile.TemporaryDirectory()
    w.sim.hooks.add("closed", lambda _: folder.cleanup())
    path = Path(folder.name) / name
    if data is None:
        data = model()
    path.write_bytes(write(data) if isinstance(data, ModelDescription) else data)
    return str(path)


def in_memory(w: World, data: bytes | ModelDescription | None = None) -> tuple[int, int]:
    """Address and size of a model in host memory."""
    if data is None:
        data = model()
    raw = write(data) if isinstance(data, ModelDescription) else data
    there = w.host(max(len(raw), 1))
    ctypes.memmove(there, raw, len(raw))
    return there, len(raw)


def load(w: World, data: bytes | ModelDescription | None = None) -> int:
    """The id of a loaded model."""
    return int(w.ok("aclmdlLoadFromFile", file(w, data)))


def desc(w: World, data: bytes | ModelDescription | None = None) -> int:
    """A description of a loaded model."""
    made = int(w.value("aclmdlCreateDesc"))
    w.ok("aclmdlGetDesc", made, load(w, data))
    return made


def entry(w: World, size: int = 16, address: int | None = None) -> int:
    """A data buffer of device memory that holds zeros, or of *address*."""
    there = w.device(max(size, 1), 0) if address is None else address
    return int(w.value("aclCreateDataBuffer", there, size))


def dataset(w: World, *buffers: int) -> int:
    """A dataset with these data buffers."""
    made = int(w.value("aclmdlCreateDataset"))
    for buffer in buffers:
        w.ok("aclmdlAddDatasetBuffer", made, buffer)
    return made


def executable(w: World, data: ModelDescription | None = None, size: int = 16) -> tuple[int, int, int]:
    """A model with an input and an output, and datasets that fit it."""
    return load(w, data), dataset(w, entry(w, size)), dataset(w, entry(w, size))


def tensor(w: World, *dims: int) -> int:
    """A tensor descriptor of floats."""
    return int(w.value("aclCreateTensorDesc", FLOAT, len(dims), list(dims), ND))
