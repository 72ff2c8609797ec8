"""Faults of kernels: the launch returns 0, the synchronise the code; findings name kernel, block, argument and lines."""

from __future__ import annotations

import mmap
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ascend_sim import Block, Kernel, gm, kernel
from ascend_sim import ascendcl as C
from ascend_sim.findings.finding import Finding

from ..conftest import Device, Make

N = 100


@kernel
def past_the_end(b: Block, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    s = b.slice(n)
    z[s.start : s.stop + 4] = 1.0


@kernel
def before(b: Block, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    z[0] = x[b.idx - 1]


@kernel
def raises(b: Block, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    if b.idx == 2:
        {}["missing"]


@kernel
def asserts(b: Block, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    assert x[b.idx] < 0, "must be negative"


@kernel
def bare_assert(b: Block, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    assert int(n) == 1 + 1


@kernel
def traps(b: Block, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    b.trap()


@kernel
def wrong_type(b: Block, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    z[0:2] = np.ones(2) * 1j


@kernel
def writes_input(b: Block, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    x[0:5] = 1.0  # type: ignore[index]


@kernel
def adds_to_input(b: Block, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    x[b.slice(n)] += 1  # type: ignore[index]


@kernel
def changes_what_was_loaded(b: Block, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    t = x[0:5]
    t += 1


@kernel
def stores_into_what_was_loaded(b: Block, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    t = x[0:5]
    t[0] = 1


@kernel
def out_of_input(b: Block, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    np.add(x[0:5], 1, out=x[0:5])


@kernel
def number_as_memory(b: Block, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    z[0] = n[0]  # type: ignore[index]


@kernel
def number_written(b: Block, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    n[0] = 1  # type: ignore[index]


@kernel
def no_wait(b: Block, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    b.sync_all()  # type: ignore[unused-coroutine]


@kernel
async def forgotten(b: Block, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    b.sync_all()  # type: ignore[unused-coroutine]


@kernel(kind="aic")
def cube_fault(b: Block, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    raise RuntimeError("cube")


@kernel(kind="cpu")
def cpu_fault(b: Block, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    raise RuntimeError("cpu")


@kernel(kind="mix11")
def mixed_fault(b: Block, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    if b.is_aiv:
        raise RuntimeError("vector")


CASES: list[tuple[Kernel, int, str, str, str]] = [
    (past_the_end, 507035, "out-of-bounds", "block 3: `z[75:104]` reaches element 103, `z` has 100", ""),
    (before, 507035, "out-of-bounds", "block 0: `x[-1]` starts 1 element before `x`",
     "device memory has no negative index; count from the front"),
    (raises, 507035, "kernel-exception", "block 2: KeyError: 'missing'", ""),
    (asserts, 507035, "kernel-exception", "block 0: assertion `x[b.idx] < 0` failed: must be negative", ""),
    (bare_assert, 507035, "kernel-exception", "block 0: assertion `int(n) == 1 + 1` failed", ""),
    (traps, 507035, "task-fault", "block 0: b.trap() in block 0", ""),
    (wrong_type, 507035, "kernel-usage", "block 0: `z` holds float32, the value is complex128",
     "convert it: value.astype(np.float32)"),
    (writes_input, 507035, "kernel-usage", "block 0: `x` is a gm.In parameter, and `x[0:5] = ...` writes it",
     "declare `x: gm.InOut[np.float32]`, or write to another parameter"),
    (adds_to_input, 507035, "kernel-usage",
     "block 0: `x` is a gm.In parameter, and `x[b.slice(n)] += ...` writes it",
     "declare `x: gm.InOut[np.float32]`, or write to another parameter"),
    (changes_what_was_loaded, 507035, "kernel-usage",
     "block 0: `t` is what a gm.In parameter holds, and it is changed in place",
     "work on a copy: `t = ... .copy()`, or write `t = t + ...`"),
    (stores_into_what_was_loaded, 507035, "kernel-usage",
     "block 0: `t` is what a gm.In parameter holds, and it is changed in place",
     "work on a copy: `t = ... .copy()`, or write `t = t + ...`"),
    (out_of_input, 507035, "kernel-usage", "block 0: what a gm.In parameter holds is changed in place",
     "work on a copy: x[s].copy()"),
    (number_as_memory, 507035, "kernel-exception", "block 0: a number is indexed as if it were memory",
     "declare the parameter as gm.In[...] if the program passes an address"),
    (number_written, 507035, "kernel-exception", "block 0: a number is indexed as if it were memory",
     "declare the parameter as gm.In[...] if the program passes an address"),
    (no_wait, 507035, "kernel-usage", "block 0: b.sync_all() in a kernel that cannot wait",
     "write `async def` and `await b.sync_all()`"),
    (forgotten, 507035, "kernel-usage", "block 0: `b.sync_all()` was called without `await`: the block did not wait",
     "write `await b.sync_all()`"),
    (cube_fault, 507015, "kernel-exception", "block 0: RuntimeError: cube", ""),
    (cpu_fault, 507018, "kernel-exception", "block 0: RuntimeError: cpu", ""),
    (mixed_fault, 507015, "kernel-exception", "block 0 (AIV): RuntimeError: vector", ""),
]  # fmt: skip


def source(finding: Finding) -> str:
    """The line of the primary site."""
    from ascend_sim.source.callsite import source_line

    assert finding.primary is not None
    frame = finding.primary.frames[0]
    return source_line(frame.file, frame.line).strip()


@pytest.mark.parametrize(("kernel", "code", "kind", "text", "cure"), CASES, ids=[row[0].name for row in CASES])
def test_a_fault(device: Device, kernel: Kernel, code: int, kind: str, text: str, cure: str) -> None:
    x, z = device.buffer(np.ones(N, np.float32)), device.buffer(4 * N)
    device.queue(kernel, 4, x, z, N)
    assert not device.findings()
    assert device.wait() == code
    said = C.aclGetRecentErrMsg()
    assert device.wait() == 0
    found = device.only(kind)
    title = found.title.split(": assert ")[0] if "assert" in kernel.name else found.title  # pytest adds to the text
    assert title == f"kernel `{kernel.name}`, {text}"
    assert found.fix == cure
    assert found.code == ("the next synchronise", code)
    assert found.primary is not None
    assert found.primary.frames[0].function.endswith(kernel.name)
    launch = next(site for site in found.sites if site.role == "submit")
    assert launch.text == "launched here with 4 blocks"
    assert launch.frames[0].function.endswith("queue")
    for part in (f"kernel `{kernel.name}`", text, "launched at", "with 4 blocks", cure):
        assert part in said


def test_the_line_of_the_fault_is_the_users(device: Device) -> None:
    x, z = device.buffer(np.ones(N, np.float32)), device.buffer(4 * N)
    lines = {
        past_the_end: "z[s.start : s.stop + 4] = 1.0", forgotten: "b.sync_all()  # type: ignore[unused-coroutine]",
        changes_what_was_loaded: "t += 1", traps: "b.trap()",
    }  # fmt: skip
    for each, line in lines.items():
        device.run(each, 1, x, z, N)
        assert source(device.findings()[-1]) == line


def test_an_access_outside_shows_its_bytes_and_the_allocation(device: Device) -> None:
    z = device.buffer(4 * N)
    device.run(past_the_end, 1, z, z, N)
    found = device.only("out-of-bounds")
    assert found.bytes is not None
    assert (found.bytes.object, found.bytes.size) == ("z", 4 * N)
    assert [(r.lo, r.hi) for r in found.bytes.ranges] == [(0, 416)]
    assert [s.text for s in found.sites if s.role == "alloc"] == ["400 bytes allocated here, passed as `z`"]


def test_a_fault_in_a_helper_names_the_helper_and_the_kernel(device: Device) -> None:
    def helper(z: Any) -> None:
        z[N] = 1

    @kernel
    def calls(b: Block, z: gm.Out[np.float32]) -> None:
        helper(z)

    device.run(calls, 1, device.buffer(4 * N))
    found = device.only("out-of-bounds")
    assert found.primary is not None
    assert [frame.function.split(".")[-1] for frame in found.primary.frames] == ["helper", "calls"]


def test_blocks_before_the_fault_have_had_their_effects(device: Device) -> None:
    @kernel
    def half(b: Block, z: gm.Out[np.float32]) -> None:
        z[b.idx] = 1
        assert b.idx < 2

    z = device.buffer(16)
    assert device.run(half, 4, z) == 507035
    assert device.read(z, 4).tolist() == [1, 1, 1, 0]


def test_later_tasks_run_and_the_code_comes_once(device: Device) -> None:
    z = device.buffer(4 * N)
    device.queue(traps, 1, z, z, N)
    device.queue(before, 2, z, z, N)
    device.queue(past_the_end, 1, z, z, N - 4)
    assert device.wait() == 507035
    assert device.wait() == 0
    assert device.read(z, 1)[0] == 1


def test_in_stop_mode_the_text_stays_with_the_context(device: Device) -> None:
    device.must(C.aclrtSetStreamFailureMode(device.stream, 1))
    z = device.buffer(4 * N)
    device.queue(traps, 1, z, z, N)
    device.queue(past_the_end, 1, z, z, N - 4)
    for _ in range(2):
        assert device.wait() == 507035
        assert "kernel `traps`, block 0: b.trap()" in C.aclGetRecentErrMsg()


@pytest.mark.parametrize(("kind", "default", "by_switch"), [("aiv", 507035, 507036), ("aic", 507015, 507016)])
def test_the_code_of_a_trap_is_a_switch(make_device: Make, kind: Any, default: int, by_switch: int) -> None:
    @kernel(kind=kind)
    def k(b: Block) -> None:
        b.trap()

    for switches, code in (({}, default), ({"trap_code": 507036}, by_switch)):
        assert make_device(switches=switches).run(k, 1) == code


@pytest.mark.parametrize(("soc", "code"), [("Ascend910B3", 507035), ("Ascend310P3", 507015), ("Ascend910A", 507015)])
def test_chips_with_both_units_in_a_core_answer_for_the_ai_core(make_device: Make, soc: str, code: int) -> None:
    device = make_device(soc=soc)
    assert device.run(traps, 1, 0, 0, 0) == code


@kernel
def reads(b: Block, x: gm.In[np.float32], use: np.uint32) -> None:
    if use:
        x[0]


Pointer = Callable[[Device], int]
POINTERS: list[tuple[str, Pointer, str, str]] = [
    ("NULL", lambda d: 0, "out-of-bounds", "`x` is NULL"),
    ("never allocated", lambda d: d.buffer(64) + (1 << 30), "out-of-bounds", "`x` points to no memory of device 0"),
    ("pageable", lambda d: _host(d), "out-of-bounds", "host memory that was not allocated or registered through acl"),
    ("misaligned", lambda d: d.buffer(64) + 2, "misaligned",
     "`x` is misaligned: float32 needs a multiple of 4 bytes, the address is 2 past one"),
    ("registered", lambda d: _registered(d), "out-of-bounds", "pass what aclrtHostGetDevicePointer gives"),
]  # fmt: skip


def _host(device: Device) -> int:
    array = np.zeros(16, np.float32)
    device.keep = array  # type: ignore[attr-defined]
    return int(array.ctypes.data)


def _registered(device: Device) -> int:
    pages = np.zeros(3 * 4096, np.uint8)
    device.keep = pages  # type: ignore[attr-defined]
    address = -(-int(pages.ctypes.data) // 4096) * 4096
    device.must(C.aclrtHostRegister(address, 4096, 0))
    return address


@pytest.mark.parametrize(("pointer", "kind", "text"), [row[1:] for row in POINTERS], ids=[row[0] for row in POINTERS])
def test_a_bad_pointer_faults_where_it_is_used(device: Device, pointer: Pointer, kind: str, text: str) -> None:
    address = pointer(device)
    assert device.run(reads, 2, address, 0) == 0  # an optional argument that nobody uses may be anything
    assert not device.findings()
    assert device.run(reads, 2, address, 1) == 507035
    found = device.only(kind)
    assert text in found.title
    assert source(found) == "x[0]"
    assert device.run(reads, 1, device.buffer(64), 1) == 0


def test_pointers_of_the_host_that_devices_can_use(device: Device) -> None:
    array = np.frombuffer(mmap.mmap(-1, 4096), np.float32)[:16]
    array[:] = np.arange(16)
    mapped = device.must(C.aclrtHostRegister(array.ctypes.data, 64, 0))
    pinned = device.must(C.aclrtMallocHost(64))
    z = device.buffer(64)

    @kernel
    def copy(b: Block, x: gm.InOut[np.float32], z: gm.Out[np.float32]) -> None:
        z[0:16] = x[0:16]
        x[0] = 77

    assert device.run(copy, 1, mapped, z) == 0
    assert device.read(z, 16).tolist() == list(range(16))
    assert array[0] == 77
    assert not any("page-locked" in found.title for found in device.sim.findings)
    assert device.run(copy, 1, pinned, z) == 0
    assert any("page-locked" in found.title for found in device.sim.findings)
    device.must(C.aclrtHostUnregister(array.ctypes.data))
    assert device.run(copy, 1, mapped, z) == 507035


def test_memory_of_another_device_needs_peer_access(make_device: Make) -> None:
    device = make_device(devices=2)
    device.must(C.aclrtSetDevice(1))
    far = device.buffer(np.full(4, 5, np.float32))
    device.must(C.aclrtSetDevice(0))
    assert device.run(reads, 1, far, 1) == 507035
    assert "no peer access was enabled" in device.only("peer-access").title
    device.must(C.aclrtDeviceEnablePeerAccess(1, 0))
    assert device.run(reads, 1, far, 1) == 0


class TestFreedMemory:
    @kernel
    def k(b: Block, x: gm.In[np.uint8], z: gm.Out[np.uint8]) -> None:
        z[0:4] = x[0:4]

    def test_by_default_a_finding_and_the_kernel_goes_on(self, device: Device) -> None:
        x, z = device.buffer(bytes(16)), device.buffer(16)
        device.must(C.aclrtFree(x))
        assert device.run(self.k, 1, x, z) == 0
        found = device.only("use-after-free")
        assert found.title.startswith("kernel `k`: `x` is the 16-byte block allocated at ")
        assert " and freed at " in found.title
        assert source(found) == "z[0:4] = x[0:4]"
        assert [site.role for site in found.sites] == ["access", "submit", "free", "alloc"]
        assert device.read(z, 4, np.uint8).tolist() == [0xFD] * 4

    def test_freed_while_queued(self, device: Device) -> None:
        x, z = device.buffer(bytes(16)), device.buffer(16)
        device.queue(self.k, 1, x, z)
        device.must(C.aclrtFree(z))
        assert device.wait() == 0
        assert "use-after-free" in [f.kind for f in device.sim.findings]

    def test_by_switch_the_task_faults(self, make_device: Make) -> None:
        device = make_device(switches={"freed_memory_in_kernel": "fault"})
        x, z = device.buffer(bytes(16)), device.buffer(16)
        device.must(C.aclrtFree(x))
        assert device.run(self.k, 1, x, z) == 507035
        assert device.only("use-after-free").code == ("the next synchronise", 507035)

    def test_every_launch_says_so(self, device: Device) -> None:
        x, z = device.buffer(bytes(16)), device.buffer(16)
        assert device.run(self.k, 1, x, z) == 0
        device.must(C.aclrtFree(x))
        for _ in range(3):
            assert device.run(self.k, 1, x, z) == 0
        assert device.only("use-after-free").count == 3

    def test_a_new_owner_of_the_address_is_used(self, make_device: Make) -> None:
        device = make_device(reuse="lifo")
        x, z = device.buffer(bytes([1] * 16)), device.buffer(16)
        assert device.run(self.k, 1, x, z) == 0
        device.must(C.aclrtFree(x))
        assert device.buffer(bytes([2] * 16)) == x
        assert device.run(self.k, 1, x, z) == 0
        assert device.read(z, 4, np.uint8).tolist() == [2] * 4
        assert not device.findings()

    def test_a_freed_argument_block(self, make_device: Make) -> None:
        for switches, code in (({}, 0), ({"freed_memory_in_kernel": "fault"}, 507035)):
            device = make_device(switches=switches)
            args = device.buffer(self.k.pack(device.buffer(16), device.buffer(16)))
            function = device.function(self.k)
            device.must(C.aclrtLaunchKernelV2(function, 1, args, 16, None, device.stream))
            device.must(C.aclrtFree(args))
            assert device.wait() == (code or 0) or code == 0
            assert "its argument block is the 16-byte block" in device.findings("use-after-free")[0].title


def test_an_argument_block_that_is_no_device_memory(device: Device) -> None:
    host = np.zeros(16, np.uint8)
    function = device.function(traps)
    for address in (host.ctypes.data, 0x1234, device.buffer(16) + (1 << 32)):
        device.must(C.aclrtLaunchKernelV2(function, 1, address, 16, None, device.stream))
        assert device.wait() == 507035
    args = device.buffer(32)
    device.must(C.aclrtLaunchKernelV2(function, 1, args + 32, 64, None, device.stream))
    assert device.wait() == 507035
    titles = [f.title for f in device.findings("out-of-bounds")]
    assert all("its argument block is" in title for title in titles)
    assert titles[-1].endswith("64 bytes from there end past it")


def test_a_keyboard_interrupt_is_not_a_fault(device: Device) -> None:
    @kernel
    def k(b: Block) -> None:
        raise KeyboardInterrupt

    device.queue(k, 1)
    with pytest.raises(KeyboardInterrupt):
        device.wait()
    assert not device.findings()


class TestOverflow:
    @kernel
    def overflows(b: Block, x: gm.In[np.float16], z: gm.Out[np.float16]) -> None:
        z[0:2] = x[0:2] * np.float16(2)

    @pytest.mark.filterwarnings("ignore:overflow")
    def test_without_detection_nothing_is_said(self, device: Device) -> None:
        x, z = device.buffer(np.full(2, 60000, np.float16)), device.buffer(64)
        assert device.run(self.overflows, 1, x, z) == 0

    def test_with_the_switch_of_the_stream_the_code_comes_and_the_results_are_there(self, device: Device) -> None:
        x, z, status = device.buffer(np.full(2, 60000, np.float16)), device.buffer(64), device.buffer(64)
        device.must(C.aclrtSetStreamOverflowSwitch(device.stream, 1))
        assert device.run(self.overflows, 1, x, z) == 207016
        assert np.isinf(device.read(z, 2, np.float16)).all()
        device.must(C.aclrtGetOverflowStatus(status, 64, device.stream))
        assert device.wait() == 0
        assert device.read(status, 1, np.uint32)[0] == 1
        assert device.run(self.overflows, 1, z, device.buffer(np.zeros(4, np.float16))) == 0  # Inf * 2 is no overflow

    def test_in_saturation_mode_only_the_status_tells(self, make_device: Make) -> None:
        device = make_device(soc="Ascend910A")
        x, z, status = device.buffer(np.full(2, 60000, np.float16)), device.buffer(64), device.buffer(64)
        assert device.run(self.overflows, 1, x, z) == 0
        device.must(C.aclrtGetOverflowStatus(status, 64, device.stream))
        assert device.wait() == 0
        assert device.read(status, 1, np.uint32)[0] == 1


class TestPrinting:
    @kernel
    def prints(b: Block, n: np.uint32) -> None:
        for i in range(int(n)):
            b.printf("%d of %s", i, "many")

    def test_lines_have_the_prefix_of_their_block(self, device: Device, capsys: pytest.CaptureFixture[str]) -> None:
        assert device.run(self.prints, 2, 1) == 0
        assert capsys.readouterr().out == "[AIV Block 0/2] 0 of many\n[AIV Block 1/2] 0 of many\n"

    def test_a_full_buffer_loses_the_rest(self, device: Device, capsys: pytest.CaptureFixture[str]) -> None:
        device.must(C.aclrtDeviceSetLimit(3, 1024))
        assert device.run(self.prints, 2, 200) == 0
        lines = capsys.readouterr().out.splitlines()
        assert 150 < len(lines) < 190
        assert "prints more than its buffer of 1024 bytes for each core" in device.only("undefined-use").title
        assert device.run(self.prints, 1, 1) == 0  # a buffer for each launch
        assert len(capsys.readouterr().out.splitlines()) == 1

    def test_chips_without_printing(self, make_device: Make, capsys: pytest.CaptureFixture[str]) -> None:
        device = make_device(soc="Ascend310P3")
        assert device.run(self.prints, 1, 1) == 0
        assert capsys.readouterr().out == ""
        assert device.only("undefined-use").severity == "note"

    def test_it_can_be_switched_off(
        self, device: Device, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("ASCENDC_DUMP", "0")
        assert device.run(self.prints, 1, 1) == 0
        assert capsys.readouterr().out == ""

    def test_a_failed_assertion_prints_where(self, device: Device, capsys: pytest.CaptureFixture[str]) -> None:
        z = device.buffer(4 * N)
        device.run(bare_assert, 1, z, z, N)
        line = capsys.readouterr().out
        assert line.startswith("[AIV Block 0/1] [ASSERT] ")
        assert line.endswith("Assertion `int(n) == 1 + 1` failed.\n")
