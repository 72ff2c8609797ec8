"""STR-07, KRN-01, KRN-02: descriptors of allocators, launches that are refused or fault late."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C


def described(w: Any, name: int) -> int:
    """A complete descriptor of an allocator with object *name*, without advice."""
    desc = C.aclrtAllocatorCreateDesc()
    desc = desc[0] if isinstance(desc, tuple) else desc
    w.must(C.aclrtAllocatorSetObjToDesc(desc, name))
    for part in ("Alloc", "Free", "GetAddrFromBlock"):
        w.must(getattr(C, f"aclrtAllocatorSet{part}FuncToDesc")(desc, lambda *_: 0))
    return desc  # type: ignore[no-any-return]


def test_str_07_a_descriptor_is_copied_at_registration(w: Any) -> None:
    s, t = w.stream(), w.stream()
    empty = C.aclrtAllocatorCreateDesc()
    assert C.aclrtAllocatorRegister(s, empty[0] if isinstance(empty, tuple) else empty) == 100000
    desc, other = described(w, 1), described(w, 3)
    assert C.aclrtAllocatorRegister(None, desc) == 100000
    assert C.aclrtAllocatorRegister(s, desc) == C.aclrtAllocatorRegister(t, desc) == 0
    w.must(C.aclrtAllocatorSetObjToDesc(desc, 2))
    w.must(C.aclrtAllocatorDestroyDesc(desc))
    found = C.aclrtAllocatorGetByStream(s)
    assert found[-1] == 0 and found[1] == 1
    assert C.aclrtAllocatorRegister(s, other) == 0
    assert C.aclrtAllocatorGetByStream(s)[1] == 3


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
