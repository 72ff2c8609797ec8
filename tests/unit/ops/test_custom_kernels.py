"""Custom kernels: stores, the argument block, workspaces, and what the library hides."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

from ascend_sim import ascendcl as C
from ascend_sim.errors import AclError
from ascend_sim.ops.custom_launch import argument_block
from ascend_sim.ops.workspaces import layout
from ascend_sim.simulator import Simulator
from tests.unit.ops.conftest import KERNELS, Device

SIZE_MAX = (1 << 64) - 1
X = np.arange(100, dtype=np.float32)


@pytest.mark.parametrize(("size", "rounded"), [(0, 32), (1, 64), (32, 64), (33, 96), (4000, 4032)])
def test_a_workspace_takes_twice_its_rounded_size(size: int, rounded: int) -> None:
    assert layout([size], 32) == ([0], 2 * rounded)
    assert layout([size, 8, size], 32) == ([0, 2 * rounded, 2 * rounded + 128], 4 * rounded + 128)


def test_limits_of_workspaces() -> None:
    assert len(layout([1] * 16, 32)[0]) == 16
    for sizes, code in (([1] * 17, 100000), ([SIZE_MAX - 40], 100000), ([1 << 63], 500001)):
        with pytest.raises(AclError) as caught:
            layout(sizes, 32)
        assert caught.value.code == code


def test_the_argument_block() -> None:
    block = argument_block([1, 2], [3], [4, 5], b"tile")
    assert block == struct.pack("<5Q", 1, 2, 3, 4, 5) + b"tile"


def custom(device: Device, kernel: str = "double", workspaces: tuple[int, ...] = ()) -> tuple[tuple[Any, ...], int]:
    device.must(C.aclopRegisterCompileFunc("Double", device.selector("k", 4, X.size, workspaces)))
    device.kernel("Double", "k", kernel)
    arguments, (there,) = device.arguments("Double", [X], [np.zeros_like(X)])
    update(device, arguments)
    return arguments, there


def update(device: Device, arguments: tuple[Any, ...]) -> None:
    op, n, ins, _, m, outs, _, attr, _ = arguments
    device.must(C.aclopUpdateParams(op, n, ins, m, outs, attr))


def handle(device: Device, arguments: tuple[Any, ...]) -> int:
    op, n, ins, _, m, outs, _, attr, _ = arguments
    return int(device.must(C.aclopCreateHandle(op, n, ins, m, outs, attr)))


def test_a_custom_kernel_runs_by_type_and_by_handle(device: Device) -> None:
    arguments, there = custom(device)
    by_handle = (handle(device, arguments), 1, arguments[3], 1, arguments[6], 0)
    for execute, given in (
        (C.aclopExecute, arguments), (C.aclopExecuteV2, arguments), (C.aclopExecWithHandle, by_handle),
    ):  # fmt: skip
        device.must(C.aclrtMemset(there, X.nbytes, 0, X.nbytes))
        device.must(execute(*given))
        device.must(C.aclrtSynchronizeDevice())
        assert np.array_equal(device.get(there, X), 2 * X)
    assert device.kinds() == []


def test_workspaces_are_behind_the_outputs_and_kept_for_the_stream(device: Device) -> None:
    arguments, there = custom(device, "staged", (X.nbytes, X.nbytes))
    held = device.sim.ops.single.workspaces
    default = device.must(C.aclrtCtxGetCurrentDefaultStream())
    device.must(C.aclopExecuteV2(*arguments))
    device.must(C.aclrtSynchronizeDevice())
    assert np.array_equal(device.get(there, X), 2 * X)
    assert held.bytes_of(default) == layout([X.nbytes] * 2, 32)[1]
    free = device.must(C.aclrtGetMemInfo(1))[0]
    device.must(C.aclopExecuteV2(*arguments))
    assert device.must(C.aclrtGetMemInfo(1))[0] == free


def test_workspace_memory_only_grows_until_the_stream_ends(device: Device) -> None:
    stream = device.must(C.aclrtCreateStream())
    workspaces = device.sim.ops.single.workspaces
    free = device.must(C.aclrtGetMemInfo(1))[0]
    for i, size in enumerate((1000, 100, 5000)):
        op_type = f"Op{i}"
        device.must(C.aclopRegisterCompileFunc(op_type, device.selector("k", 1, X.size, (size, size))))
        device.kernel(op_type, "k", "staged")
        arguments, _ = device.arguments(op_type, [X], [np.zeros_like(X)], stream=stream)
        update(device, arguments)
        device.must(C.aclopExecuteV2(*arguments))
    totals = [layout([size, size], 32)[1] for size in (1000, 5000)]
    assert workspaces.bytes_of(stream) == sum(totals)  # the smaller block waits for the end of the stream
    before = device.must(C.aclrtGetMemInfo(1))[0]
    device.must(C.aclrtDestroyStream(stream))
    assert workspaces.bytes_of(stream) == 0
    assert device.must(C.aclrtGetMemInfo(1))[0] == before + sum(totals) < free


def test_without_init_the_workspaces_of_a_stream_stay() -> None:
    with Simulator() as sim:
        C.aclrtSetDevice(0)
        device = Device(sim)
        device.must(C.aclopRegisterCompileFunc("Double", device.selector("k", 1, X.size, (400, 400))))
        device.kernel("Double", "k", "staged")
        stream = device.must(C.aclrtCreateStream())
        arguments, _ = device.arguments("Double", [X], [np.zeros_like(X)], stream=stream)
        update(device, arguments)
        device.must(C.aclopExecuteV2(*arguments))
        device.must(C.aclrtDestroyStream(stream))
        assert sim.ops.single.workspaces.bytes_of(stream) > 0


def test_two_streams_have_workspaces_of_their_own(device: Device) -> None:
    arguments, _ = custom(device, "staged", (400, 400))
    streams = [device.must(C.aclrtCreateStream()) for _ in range(2)]
    for stream in streams:
        device.must(C.aclopExecuteV2(*arguments[:-1], stream))
    assert all(device.sim.ops.single.workspaces.bytes_of(stream) for stream in streams)


# -- what is hidden ----------------------------------------------------------------------------------------------------


def test_a_lost_error_is_told(device: Device) -> None:
    arguments, _ = custom(device, workspaces=(32,) * 17)
    assert C.aclopExecuteV2(*arguments) == 100024
    lost = [f for f in device.sim.findings if f.code == ("aclopExecuteV2", 100024)]
    assert len(lost) == 1
    assert "100000" in lost[0].title
    assert "17 workspaces" in lost[0].notes[0]
    assert C.aclopExecWithHandle(handle(device, arguments), 1, arguments[3], 1, arguments[6], 0) == 100000


def test_a_lost_error_is_told_when_a_compiled_operator_takes_over(device: Device) -> None:
    device.sim.ops.open = True
    device.must(C.aclopRegisterCompileFunc("Neg", device.selector("k", 0, X.size)))
    device.kernel("Neg", "k", "double")
    arguments, (there,) = device.arguments("Neg", [X], [np.zeros_like(X)])
    update(device, arguments)
    device.must(C.aclopExecuteV2(*arguments))
    device.must(C.aclrtSynchronizeDevice())
    assert np.array_equal(device.get(there, X), -X)
    assert "a compiled operator runs instead" in device.finding("hidden-error").title


def test_a_dropped_update_is_told_only_when_it_chose_something_else(device: Device) -> None:
    arguments, _ = custom(device)
    update(device, arguments)
    assert device.kinds() == []
    device.must(C.aclopUnregisterCompileFunc("Double"))
    device.must(C.aclopRegisterCompileFunc("Double", device.selector("k", 7, X.size)))
    update(device, arguments)
    found = device.finding("hidden-error")
    assert "kept 'k' with 4 blocks" in found.notes[0]
    assert "dropped 'k' with 7 blocks" in found.notes[1]


def test_many_workspaces_are_told_at_the_setter(device: Device) -> None:
    custom(device, workspaces=(32,) * 18)
    assert "17 workspaces" in device.finding("hidden-error").title


def test_a_descriptor_that_is_used_late(device: Device) -> None:
    seen: list[int] = []
    choose = device.selector("k", 1, X.size)

    def select(*arguments: Any) -> int:
        seen.append(arguments[-1])
        return int(choose(*arguments))

    device.must(C.aclopRegisterCompileFunc("Double", select))
    device.kernel("Double", "k", "double")
    arguments, _ = device.arguments("Double", [X], [np.zeros_like(X)])
    update(device, arguments)
    device.must(C.aclopSetKernelArgs(seen[0], "k", 9, struct.pack("<I", 1), 4))
    assert "changed after its selector returned" in device.finding("hidden-error").title
    update(device, arguments)  # an equal key: this descriptor is dropped
    assert C.aclopSetKernelArgs(seen[1], "k", 9, struct.pack("<I", 1), 4) == 100000
    assert "undefined-use" in device.kinds()


def test_old_descriptors_go_when_there_are_too_many(device: Device) -> None:
    arguments, _ = custom(device)
    keep = handle(device, arguments)
    device.must(C.aclopSetMaxOpQueueNum(1))
    other, _ = device.arguments("Double", [X[:50]], [X[:50]])
    update(device, other)
    assert C.aclopExecuteV2(*arguments) == 100024
    device.must(C.aclopExecWithHandle(keep, 1, arguments[3], 1, arguments[6], 0))  # a handle owns what it found


def test_unregister_leaves_handles_alone(device: Device) -> None:
    arguments, _ = custom(device)
    made = handle(device, arguments)
    device.must(C.aclopUnregisterCompileFunc("Double"))
    assert C.aclopExecuteV2(*arguments) == 100024
    device.must(C.aclopExecWithHandle(made, 1, arguments[3], 1, arguments[6], 0))


def test_a_selector_runs_outside_and_may_call_the_api(device: Device) -> None:
    def select(n: int, ins: Any, m: int, outs: Any, attr: int, desc: int) -> int:
        assert C.aclopRegisterCompileFunc("Other", select) == 0
        return int(device.selector("k", 1, X.size)(n, ins, m, outs, attr, desc))

    device.must(C.aclopRegisterCompileFunc("Double", select))
    device.kernel("Double", "k", "double")
    update(device, device.arguments("Double", [X], [np.zeros_like(X)])[0])
    assert set(device.sim.ops.single.custom.selectors) == {"Double", "Other"}


def test_the_descriptors_of_a_selector_that_fails_are_gone(device: Device) -> None:
    seen: list[int] = []

    def select(*arguments: Any) -> int:
        seen.append(arguments[-1])
        return 5

    device.must(C.aclopRegisterCompileFunc("Double", select))
    arguments, _ = device.arguments("Double", [X], [np.zeros_like(X)])
    op, n, ins, _, m, outs, _, attr, _ = arguments
    assert C.aclopUpdateParams(op, n, ins, m, outs, attr) == 5
    assert seen[0] not in device.sim.handles


# -- kernels -----------------------------------------------------------------------------------------------------------


def test_deallocators_run_when_the_simulator_closes() -> None:
    freed: list[tuple[int, int]] = []
    with Simulator():
        C.aclopCreateKernel("T", "a", "double", KERNELS, len(KERNELS), 1, lambda data, size: freed.append((data, size)))
        C.aclopCreateKernel("T", "a", "double", KERNELS, len(KERNELS), 1, lambda data, size: freed.append((0, 0)))
        assert freed == []
    assert [size for _, size in freed] == [len(KERNELS)]


def test_a_kernel_by_the_path_of_its_file(device: Device, tmp_path: Any) -> None:
    path = tmp_path / "kernels.py"
    path.write_bytes(KERNELS)
    name = str(path).encode()
    device.must(C.aclopCreateKernel("Double", "k", "double", name, len(name), 1, None))
    assert C.aclopCreateKernel("Double", "l", "none", name, len(name), 1, None) == 107000


def test_a_real_binary_is_refused_clearly(device: Device) -> None:
    data = b"\x7fELF" + bytes(100)
    assert C.aclopCreateKernel("Double", "k", "double", data, len(data), 1, None) == 107000
    assert "not-modelled" in device.kinds()


def test_what_a_kernel_touches_is_checked(device: Device) -> None:
    """A tiling that says more elements than there are."""
    device.must(C.aclopRegisterCompileFunc("Double", device.selector("k", 1, 10_000)))
    device.kernel("Double", "k", "double")
    arguments, _ = device.arguments("Double", [X], [np.zeros_like(X)])
    update(device, arguments)
    device.must(C.aclopExecuteV2(*arguments))
    assert C.aclrtSynchronizeDevice() == 507035
    assert device.kinds() == ["out-of-bounds"]
