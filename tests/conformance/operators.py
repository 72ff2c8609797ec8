"""What the rows of operators have in common: descriptors, buffers, a kernel file, compiled operators."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from typing import Any

from ascend_sim import ascendcl as C
from ascend_sim.om.container import write
from ascend_sim.om.description import TensorDescription
from ascend_sim.ops.op_files import describe_op
from tests.conformance.world import World

FLOAT, FLOAT16, INT8, INT32 = 0, 1, 2, 3
ND = 2
AICORE, VECTOR = 1, 2

KERNELS = b"""# ascend_sim kernels
import numpy as np
from ascend_sim import Block, gm, kernel


@kernel
def add_one(b: Block, x: gm.In[np.float32], y: gm.Out[np.float32], n: np.uint32) -> None:
    s = b.slice(n)
    y[s] = x[s] + np.float32(1)


@kernel
def with_workspace(
    b: Block, x: gm.In[np.float32], y: gm.Out[np.float32], w: gm.InOut[np.float32], n: np.uint32
) -> None:
    s = b.slice(n)
    w[s] = x[s] + np.float32(1)
    y[s] = w[s]
"""

Selector = Callable[..., Any]


def tensor(w: World, dims: Sequence[int] = (4,), data_type: int = FLOAT, format_: int = ND) -> int:
    """A tensor descriptor."""
    return int(w.value("aclCreateTensorDesc", data_type, len(dims), list(dims), format_))


def buffer(w: World, size: int = 16, address: int | None = None) -> int:
    """A data buffer of device memory, or of *address*."""
    there = w.device(size, 0) if address is None else address
    return int(w.value("aclCreateDataBuffer", there, size))


class Call:
    """The arguments of an execution with one input and one output of 4 floats, each replaceable by name."""

    def __init__(self, w: World, op_type: str = "Neg", **changes: Any) -> None:
        self.values: dict[str, Any] = {
            "op": op_type, "n": 1, "in_desc": None, "ins": None, "m": 1, "out_desc": None, "outs": None, "attr": 0,
            "stream": 0,
        }  # fmt: skip
        for name, make in (("in_desc", tensor), ("out_desc", tensor), ("ins", buffer), ("outs", buffer)):
            self.values[name] = changes[name] if name in changes else [make(w)]
        self.values.update(changes)

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def execute(self) -> tuple[Any, ...]:
        """For aclopExecute and aclopExecuteV2."""
        v = self.values
        return (
            v["op"], v["n"], v["in_desc"], v["ins"], v["m"], v["out_desc"], v["outs"], v["attr"], v["stream"],
        )  # fmt: skip

    def described(self) -> tuple[Any, ...]:
        """For aclopCreateHandle and aclopUpdateParams."""
        v = self.values
        return v["op"], v["n"], v["in_desc"], v["m"], v["out_desc"], v["attr"]

    def compiled(self, flag: int = 0, path: str | None = None) -> tuple[Any, ...]:
        """For aclopCompile."""
        return *self.described(), 0, flag, path

    def compile_and_execute(self, flag: int = 0, path: str | None = None) -> tuple[Any, ...]:
        """For aclopCompileAndExecute."""
        *front, stream = self.execute()
        return *front, 0, flag, path, stream

    def inferred(self) -> tuple[Any, ...]:
        """For aclopInferShape."""
        v = self.values
        return v["op"], v["n"], v["in_desc"], v["ins"], v["m"], v["out_desc"], v["attr"]


def selector(
    w: World, kernel_id: str = "k", blocks: int = 1, workspaces: Sequence[int] = (), code: int = 0
) -> Selector:
    """A selector that chooses *kernel_id* with the number of elements as tiling, and these workspaces."""
    tiling = w.host(4)
    w_sizes = struct.pack(f"<{len(workspaces)}Q", *workspaces)

    def select(n: int, ins: Any, m: int, outs: Any, attr: int, desc: int) -> int:
        ctypes.memmove(tiling, struct.pack("<I", 4), 4)
        if kernel_id:
            C.aclopSetKernelArgs(desc, kernel_id, blocks, tiling, 4)
        if workspaces:
            C.aclopSetKernelWorkspaceSizes(desc, len(workspaces), w_sizes)
        return code

    return select


def kernel_file(w: World) -> tuple[int, int]:
    """Address and size of the kernel file in host memory; a zero byte follows."""
    there = w.host(len(KERNELS) + 1)
    ctypes.memmove(there, KERNELS, len(KERNELS))
    return there, len(KERNELS)


def create_kernel(w: World, op_type: str = "Custom", kernel_id: str = "k", name: str = "add_one") -> None:
    """A custom kernel."""
    w.ok("aclopCreateKernel", op_type, kernel_id, name, *kernel_file(w), AICORE, None)


def custom(w: World, **choice: Any) -> Call:
    """A custom operator whose selector has chosen: ready to be executed."""
    w.ok("aclopRegisterCompileFunc", "Custom", selector(w, **choice))
    create_kernel(w, name="with_workspace" if choice.get("workspaces") else "add_one")
    call = Call(w, "Custom")
    w.ok("aclopUpdateParams", *call.described())
    return call


def stand_in(op_type: str = "Neg", dims: Sequence[int] = (4,), work_size: int = 0, **attributes: Any) -> bytes:
    """The file of a compiled operator with one input and one output."""
    one = TensorDescription("x", FLOAT, tuple(dims))
    return write(describe_op(op_type, [one], [one], attributes, work_size))


def load(w: World, data: bytes) -> None:
    """aclopLoad of a file."""
    there = w.host(len(data))
    ctypes.memmove(there, data, len(data))
    w.ok("aclopLoad", there, len(data))
