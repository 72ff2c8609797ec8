"""KRN: launches and faults of kernels."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C


@pytest.mark.parametrize("stop", [False, True])
def test_krn_03_a_late_and_unspecific_error(w: Any, stop: bool) -> None:
    s = w.stream()
    a, b, c = w.malloc(), w.malloc(), w.malloc()  # <made>
    if stop:
        w.must(C.aclrtSetStreamFailureMode(s, 1))
    w.fill[1, s](a, 1, 64)
    w.far_fill[1, s](b, 1 << 20)  # <launch>
    w.fill[1, s](c, 2, 64)
    h = w.host()
    assert C.aclrtMemcpyAsync(h, 64, c, 64, 2, s) == 0
    code = C.aclrtSynchronizeStream(s)  # <sync>
    assert code in (507035, 507015)
    text = C.aclGetRecentErrMsg()
    assert "far_fill" in text
    assert C.aclrtPeekAtLastError(0) == code
    assert C.aclrtGetLastError(0) == code
    assert C.aclrtGetLastError(0) == 0
    finding = w.expect("out-of-bounds", "far_fill", "64", submit="launch")
    assert any(f"{code} from aclrtSynchronizeStream" in text for text in finding.followers)
    if not stop:
        assert w.read(h) == [2]
    assert not w.findings("uninitialised-read")


KERNEL = """
import numpy as np
from ascend_sim import Block, gm, kernel

@kernel
def fill(b: Block, p: gm.Out[np.uint8]) -> None:
    p[0:1] = np.ones(1, np.uint8)
"""


def test_krn_01_no_blocks(w: Any, tmp_path: Path) -> None:
    (tmp_path / "k.py").write_text(KERNEL)
    binary = w.must(C.aclrtBinaryLoadFromFile(str(tmp_path / "k.py"), None))
    f = w.must(C.aclrtBinaryGetFunction(binary, "fill"))
    s, arguments = w.stream(), w.malloc(8, 0)
    assert C.aclrtLaunchKernelV2(f, 0, arguments, 8, None, s) == 107000
    assert C.aclrtLaunchKernel(f, 0, arguments, 8, s) == 107000
    assert C.aclrtLaunchKernelWithConfig(f, 0, s, None, 0, None) == 100000
    assert C.aclrtLaunchKernelV2(None, 8, arguments, 8, None, s) == 100000
    assert C.aclrtLaunchKernelV2(f, 8, None, 8, None, s) == 100000
    assert C.aclrtStreamQuery(s) == (0, 0)
    assert not w.findings("race", "out-of-bounds")


def test_krn_02_host_memory_as_a_parameter(w: Any) -> None:
    s, plain = w.stream(), np.zeros(64, np.uint8)
    w.fill[1, s](plain.ctypes.data, 1, 64)  # <launch>
    assert C.aclrtSynchronizeStream(s) in (507015, 507035)
    w.expect("out-of-bounds", "fill", "`p`", submit="launch")


@pytest.mark.parametrize("mode", ["finding", "mapped", "fault"])
@pytest.mark.parametrize("what", ["parameter", "arguments"])
def test_krn_02_page_locked_memory(world: Any, tmp_path: Path, mode: str, what: str) -> None:
    (tmp_path / "k.py").write_text(KERNEL)
    with Simulator(checks="all", switches={"pinned_memory_in_kernel": mode}) as sim:
        w = world(sim)
        w.must(C.aclrtSetDevice(0))
        s = w.stream()
        f = w.must(C.aclrtBinaryGetFunction(w.must(C.aclrtBinaryLoadFromFile(str(tmp_path / "k.py"), None)), "fill"))
        pointers = np.array([w.host() if what == "parameter" else w.malloc()], np.uint64)
        block = w.host(8) if what == "arguments" else w.malloc(8)  # <block>
        w.must(C.aclrtMemcpy(block, 8, pointers.ctypes.data, 8, 0 if what == "arguments" else 1))
        w.must(C.aclrtLaunchKernelV2(f, 1, block, 8, None, s))  # <launch>
        code = C.aclrtSynchronizeStream(s)
        assert (code != 0) == (mode == "fault")
        if mode == "mapped":
            w.silent()
            assert w.read(int(pointers[0]), 1) == [1]
        else:
            kind = "undefined-use" if mode == "finding" else "out-of-bounds"
            finding = w.expect(kind, "page-locked", "aclrtHostGetDevicePointer", submit="launch")
            assert finding.severity == ("error" if mode == "fault" else "warning")
            assert {found.kind for found in w.findings()} == {kind}
