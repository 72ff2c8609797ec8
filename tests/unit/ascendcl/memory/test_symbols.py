"""Device variables: by name, by the object, by the number of the symbol; one on each device."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ascend_sim import Simulator, gm
from ascend_sim import ascendcl as C
from tests.kit.calls import must

FILE = """
import numpy as np
from ascend_sim import Block, gm, kernel

table = gm.Variable(np.float32, 4, [1, 2, 3, 4])
count = gm.Variable(np.int64)


@kernel
def scale(b: Block, z: gm.InOut[np.float32], factors: gm.In[np.float32]) -> None:
    z[0:4] = z[0:4] * factors[0:4]
"""


def test_a_variable_of_a_kernel_file(tmp_path: Path) -> None:
    path = tmp_path / "kernels.py"
    path.write_text(FILE)
    with Simulator(devices=2) as sim:
        sim.kernels["kernels.o"] = str(path)
        must(C.aclrtSetDevice(0))
        binary = must(C.aclrtBinaryLoadFromFile("kernels.o", None))
        address, size = must(C.aclrtBinaryGetGlobal(binary, "table"))
        assert size == 16
        assert C.aclrtBinaryGetGlobal(binary, "tabel")[2] == 107042
        function = must(C.aclrtBinaryGetFunction(binary, "scale"))
        values, stream = np.full(4, 10, np.float32), must(C.aclrtCreateStream())
        there = must(C.aclrtMalloc(16, 0))
        must(C.aclrtMemcpy(there, 16, values, 16, 1))
        pointers = np.array([there, address], np.uint64)
        must(C.aclrtLaunchKernelWithHostArgs(function, 1, stream, None, pointers, 16, None, 0))
        must(C.aclrtSynchronizeStream(stream))
        must(C.aclrtMemcpy(values, 16, there, 16, 2))
        assert values.tolist() == [10, 20, 30, 40]
        must(C.aclrtFree(there))
        must(C.aclrtSetDevice(1))
        other, _ = must(C.aclrtBinaryGetGlobal(binary, "table"))
        assert other != address
        assert [f for f in sim.findings if f.kind != "leak"] == []


def test_a_symbol_is_the_object_or_its_number() -> None:
    table = gm.Variable(np.int32, 3, 7)
    with Simulator() as sim:
        must(C.aclInit(None))
        must(C.aclrtSetDevice(0))
        got, stream = np.zeros(3, np.int32), must(C.aclrtCreateStream())
        must(C.aclrtMemcpyFromSymbol(got, 12, table, 12, 0, 2))
        assert got.tolist() == [7, 7, 7]
        must(C.aclrtMemcpyToSymbolAsync(table, np.array([9], np.int32), 4, 4, 1, stream))
        must(C.aclrtSynchronizeStream(stream))
        address = must(C.aclrtGetSymbolAddress(table.__index__()))
        must(C.aclrtMemcpy(got, 12, address, 12, 2))
        assert got.tolist() == [7, 9, 7]
        assert C.aclrtMemcpyToSymbol(table, got, 12, 4, 1) == 100000
        must(C.aclrtDestroyStream(stream))
        must(C.aclFinalize())
        assert list(sim.findings) == []


def test_copies_by_addresses_in_device_memory() -> None:
    with Simulator() as sim:
        must(C.aclrtSetDevice(0))
        blocks = [must(C.aclrtMalloc(64, 0)) for _ in range(2)]
        pointers, stream = must(C.aclrtMalloc(64, 0)), must(C.aclrtCreateStream())
        must(C.aclrtMemset(blocks[0], 64, 5, 64))
        must(C.aclrtMemset(blocks[1], 64, 0, 64))
        must(C.aclrtMemcpy(pointers, 64, np.array([*blocks, 1], np.uint64), 24, 1))
        copy = C.aclrtMemcpyAsyncWithOffset
        assert copy(pointers + 8, 64, 16, pointers, 8, 4, 3, stream) == 107000  # another kind
        assert copy(pointers + 8, 4, 16, pointers, 8, 4, 6, stream) == 107000
        assert copy(0, 64, 16, pointers, 8, 4, 6, stream) == 107000
        assert copy(0, 0, 0, 0, 0, 0, 0, stream) == 0
        must(copy(pointers + 8, 64, 16, pointers, 8, 4, 6, stream))
        must(C.aclrtSynchronizeStream(stream))
        got = np.zeros(64, np.uint8)
        must(C.aclrtMemcpy(got, 64, blocks[1], 64, 2))
        assert np.flatnonzero(got).tolist() == list(range(16, 24))
        must(copy(pointers + 16, 64, 0, pointers, 8, 4, 6, stream))  # there is no address
        assert C.aclrtSynchronizeStream(stream) == 507899
        assert [f.kind for f in sim.findings if f.kind != "leak"] == ["task-fault"]
