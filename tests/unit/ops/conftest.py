"""A simulator with a device in use, and short ways to say what operators work on."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from ascend_sim import ascendcl as C
from ascend_sim.findings.finding import Finding
from ascend_sim.simulator import Simulator
from tests.kit.calls import Calls

KERNELS = b"""# ascend_sim kernels
import numpy as np
from ascend_sim import Block, gm, kernel


@kernel
def double(b: Block, x: gm.In[np.float32], y: gm.Out[np.float32], n: np.uint32) -> None:
    s = b.slice(n)
    y[s] = x[s] * np.float32(2)


@kernel
def staged(
    b: Block, x: gm.In[np.float32], y: gm.Out[np.float32], w: gm.InOut[np.float32], v: gm.InOut[np.float32],
    n: np.uint32,
) -> None:
    s = b.slice(n)
    w[s] = x[s]
    v[s] = w[s] * np.float32(2)
    y[s] = v[s]
"""


class Device(Calls):
    """Calls that must succeed, and tensors by their numpy values."""

    def __init__(self, sim: Simulator) -> None:
        super().__init__(sim)
        self.kept: list[Any] = []

    def put(self, values: Any) -> int:
        """The address of the values in device memory."""
        values = np.ascontiguousarray(values)
        address = int(self.must(C.aclrtMalloc(max(values.nbytes, 1), 0)))
        if values.nbytes:
            self.must(C.aclrtMemcpy(address, values.nbytes, values, values.nbytes, 1))
        return address

    def get(self, address: int, like: Any) -> Any:
        """Values from device memory."""
        found = np.empty_like(like)
        if found.nbytes:
            self.must(C.aclrtMemcpy(found, found.nbytes, address, found.nbytes, 2))
        return found

    def desc(self, values: Any, format_: int = 2) -> int:
        """The descriptor of an array."""
        types = {
            "float32": 0,
            "float16": 1,
            "int8": 2,
            "int32": 3,
            "uint8": 4,
            "int64": 9,
            "float64": 11,
            "bool": 12,
            "bfloat16": 27,
        }
        dims = list(values.shape)
        return int(C.aclCreateTensorDesc(types[values.dtype.name], len(dims), dims, format_))

    def attributes(self, **values: Any) -> int:
        """Attributes: bools, ints, floats, lists of ints."""
        made = int(C.aclopCreateAttr())
        for name, value in values.items():
            if isinstance(value, bool):
                self.must(C.aclopSetAttrBool(made, name, value))
            elif isinstance(value, int):
                self.must(C.aclopSetAttrInt(made, name, value))
            elif isinstance(value, float):
                self.must(C.aclopSetAttrFloat(made, name, value))
            elif isinstance(value, str):
                self.must(C.aclopSetAttrString(made, name, value))
            else:
                self.must(C.aclopSetAttrListInt(made, name, len(value), list(value)))
        return made

    def arguments(
        self,
        op_type: str,
        inputs: Sequence[Any],
        outputs: Sequence[Any],
        attr: int = 0,
        stream: int = 0,
        format_: int = 2,
    ) -> tuple[tuple[Any, ...], list[int]]:
        """The arguments of aclopExecuteV2, and the addresses of the outputs."""
        there = [self.put(values) for values in (*inputs, *outputs)]
        descs = [self.desc(values, format_) for values in (*inputs, *outputs)]
        buffers = [
            C.aclCreateDataBuffer(address, values.nbytes)
            for address, values in zip(there, (*inputs, *outputs), strict=True)
        ]
        n = len(inputs)
        return (
            (op_type, n, descs[:n], buffers[:n], len(outputs), descs[n:], buffers[n:], attr, stream), there[n:],
        )  # fmt: skip

    def run(self, op_type: str, inputs: Sequence[Any], outputs: Sequence[Any], **attributes: Any) -> list[Any]:
        """Execute and wait; *outputs* give shapes and types."""
        attr = self.attributes(**attributes) if attributes else 0
        arguments, there = self.arguments(op_type, inputs, outputs, attr)
        self.must(C.aclopExecuteV2(*arguments))
        self.must(C.aclrtSynchronizeDevice())
        return [self.get(address, like) for address, like in zip(there, outputs, strict=True)]

    def queued(self, stream: int) -> int:
        """How many tasks wait on the stream."""
        thing: Any = self.sim.handles[stream]
        return len(thing.queue)

    def finding(self, kind: str) -> Finding:
        (found,) = [finding for finding in self.sim.findings if finding.kind == kind]
        return found

    def kernel(self, op_type: str, kernel_id: str, name: str) -> None:
        self.must(C.aclopCreateKernel(op_type, kernel_id, name, KERNELS, len(KERNELS), 1, None))

    def selector(self, kernel_id: str, blocks: int, count: int, workspaces: Sequence[int] = ()) -> Any:
        """A selector that always chooses the same."""

        def select(n: int, ins: Any, m: int, outs: Any, attr: int, desc: int) -> int:
            self.must(C.aclopSetKernelArgs(desc, kernel_id, blocks, struct.pack("<I", count), 4))
            for size in workspaces:
                self.must(C.aclopSetKernelWorkspaceSizes(desc, 1, [size]))
            return 0

        return select


@pytest.fixture
def device() -> Iterator[Device]:
    """A simulator in which every registered operator is there, and device 0 is set."""
    with Simulator(reuse_handles=True) as sim:
        assert C.aclInit(None) == 0
        assert C.aclrtSetDevice(0) == 0
        yield Device(sim)
