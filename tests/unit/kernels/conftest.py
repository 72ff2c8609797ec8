"""One device with a stream: what the tests of kernels need to launch and look."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from ascend_sim import Kernel, Simulator
from ascend_sim import ascendcl as C
from ascend_sim.ascendcl import structs
from ascend_sim.findings.finding import Finding
from tests.kit.calls import Calls

HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2


class Device(Calls):
    """Calls by their C names, every code checked."""

    def __init__(self, **options: Any) -> None:
        super().__init__(Simulator(**{"checks": "memory", **options}).open())
        self.must(C.aclrtSetDevice(0))
        self.stream = self.must(C.aclrtCreateStream())
        self._binaries = 0
        self._functions: dict[Kernel, int] = {}

    def buffer(self, data: Any) -> int:
        """Device memory with the bytes of *data* (an array, bytes), or *data* zero bytes."""
        raw = bytes(data) if isinstance(data, (int, bytes)) else np.ascontiguousarray(data).tobytes()
        address: int = self.must(C.aclrtMalloc(len(raw), 0))
        self.must(C.aclrtMemcpy(address, len(raw), raw, len(raw), HOST_TO_DEVICE))
        return address

    def fresh(self, size: int) -> int:
        """Device memory that nobody has written."""
        address: int = self.must(C.aclrtMalloc(size, 0))
        return address

    def read(self, address: int, count: int, dtype: Any = np.float32) -> npt.NDArray[Any]:
        """What lies there now."""
        out = np.zeros(count, dtype)
        self.must(C.aclrtMemcpy(out.ctypes.data, out.nbytes, address, out.nbytes, DEVICE_TO_HOST))
        return out

    def function(self, kernel: Kernel) -> int:
        """The handle of *kernel*, loaded as a binary of its own."""
        if kernel not in self._functions:
            self._binaries += 1
            name = f"binary{self._binaries}.o"
            self.sim.kernels[name] = kernel
            binary = self.must(C.aclrtBinaryLoadFromFile(name, None))
            self._functions[kernel] = self.must(C.aclrtBinaryGetFunction(binary, kernel.name))
        return self._functions[kernel]

    def queue(self, kernel: Kernel, blocks: int, *arguments: Any, stream: int | None = None, cfg: Any = None) -> None:
        """Launch with arguments in host memory."""
        raw = kernel.pack(*arguments) or bytes(8)
        where = self.stream if stream is None else stream
        answer = C.aclrtLaunchKernelWithHostArgs(self.function(kernel), blocks, where, cfg, raw, len(raw), None, 0)
        self.must(answer)

    def wait(self, stream: int | None = None) -> int:
        """The code of a synchronise."""
        code: int = C.aclrtSynchronizeStream(self.stream if stream is None else stream)
        return code

    def run(self, kernel: Kernel, blocks: int, *arguments: Any, cfg: Any = None) -> int:
        """Launch and wait; the code of the synchronise."""
        self.queue(kernel, blocks, *arguments, cfg=cfg)
        return self.wait()

    def findings(self, kind: str | None = None) -> list[Finding]:
        """What was found, of a kind."""
        return [f for f in self.sim.findings if kind in (None, f.kind)]

    def only(self, kind: str) -> Finding:
        """The one finding that there is."""
        assert [f.kind for f in self.sim.findings] == [kind], [f.title for f in self.sim.findings]
        return self.sim.findings[0]


def config(**values: Any) -> structs.aclrtLaunchKernelCfg:
    """A launch configuration: ``config(schemMode=1)``."""
    numbers = {
        "schemMode": 1, "dynUBufSize": 2, "engineType": 3, "blockDimOffset": 4, "isBlockTaskPrefetch": 5,
        "isDataDump": 6, "timeout": 7, "timeoutUs": 8, "enableProfiling": 9,
    }  # fmt: skip
    listed = [
        structs.aclrtLaunchKernelAttr(numbers[name], structs.aclrtLaunchKernelAttrValue(**{name: value}))
        for name, value in values.items()
    ]
    return structs.aclrtLaunchKernelCfg(listed, len(listed))


Make = Callable[..., Device]


@pytest.fixture
def make_device() -> Iterator[Make]:
    made: list[Device] = []

    def make(**options: Any) -> Device:
        made.append(Device(**options))
        return made[-1]

    yield make
    for device in reversed(made):
        device.sim.close()


@pytest.fixture
def device(make_device: Make) -> Device:
    return make_device()
