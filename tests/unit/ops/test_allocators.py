"""Which allocator serves an execution: none, the pinned default, the program's own; and the rules about them."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

from ascend_sim import ascendcl as C
from ascend_sim.errors import SimulatedHang
from ascend_sim.om.container import write
from ascend_sim.om.description import TensorDescription
from ascend_sim.ops.op_files import describe_op
from ascend_sim.runtime.memory.allocators.registry import AllocatorCall
from ascend_sim.simulator import Simulator
from tests.unit.ops.conftest import Device

A = np.arange(4, dtype=np.float32)
WORK = 4096


class Own:
    """An allocator of the program: blocks are addresses; *reuse* hands out the same one each time."""

    def __init__(self, device: Device, reuse: bool = False) -> None:
        self.device = device
        self.reuse = reuse
        self.calls: list[str] = []
        self.last = 0

    def alloc(self, obj: Any, size: int) -> int:
        self.calls.append(f"alloc {size}")
        if not (self.reuse and self.last):
            self.last = int(self.device.must(C.aclrtMalloc(size, 0)))
        return self.last

    def free(self, obj: Any, block: int) -> None:
        self.calls.append("free")

    def address(self, block: int) -> int:
        self.calls.append("address")
        return block

    def register(self, stream: int) -> None:
        must = self.device.must
        desc = C.aclrtAllocatorCreateDesc()
        must(C.aclrtAllocatorSetObjToDesc(desc, self))
        must(C.aclrtAllocatorSetAllocFuncToDesc(desc, self.alloc))
        must(C.aclrtAllocatorSetFreeFuncToDesc(desc, self.free))
        must(C.aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, self.address))
        must(C.aclrtAllocatorRegister(stream, desc))
        must(C.aclrtAllocatorDestroyDesc(desc))


ONE = ["alloc 4096", "address", "free"]


@pytest.fixture
def work(device: Device) -> tuple[Any, ...]:
    """The arguments of an execution that needs a workspace, without the stream."""
    one = TensorDescription("x", 0, (4,))
    data = write(describe_op("Neg", [one], [one], work_size=WORK))
    device.must(C.aclopLoad(data, len(data)))
    return device.arguments("Neg", [A], [A])[0][:-1]


def execute(device: Device, work: tuple[Any, ...], stream: int) -> None:
    device.must(C.aclopExecuteV2(*work, stream))


def test_the_own_allocator_is_asked_at_every_execution(device: Device, work: tuple[Any, ...]) -> None:
    stream = device.must(C.aclrtCreateStream())
    own = Own(device)
    own.register(stream)
    execute(device, work, stream)
    assert own.calls == ONE  # free came at once: nothing has run
    assert device.queued(stream) == 1
    execute(device, work, stream)
    assert own.calls == 2 * ONE
    device.must(C.aclrtSynchronizeStream(stream))
    log = list(device.sim.allocators.calls)
    assert [call.kind for call in log] == 2 * ["alloc", "get-address", "free"]
    assert all(isinstance(call, AllocatorCall) and call.stream == stream and call.external for call in log)
    assert log[0].size == WORK
    assert log[0].time_ns <= log[2].time_ns


def test_a_method_registered_again_is_the_same_allocator(device: Device, work: tuple[Any, ...]) -> None:
    stream = device.must(C.aclrtCreateStream())
    own = Own(device)
    own.register(stream)
    execute(device, work, stream)
    before = device.sim.allocators.resolved[stream]
    own.register(stream)
    execute(device, work, stream)
    assert device.sim.allocators.resolved[stream] is before
    Own(device).register(stream)
    execute(device, work, stream)
    assert device.sim.allocators.resolved[stream] is not before


def test_a_default_stays_for_the_life_of_the_stream(device: Device, work: tuple[Any, ...]) -> None:
    stream = device.must(C.aclrtCreateStream())
    execute(device, work, stream)
    own = Own(device)
    own.register(stream)
    execute(device, work, stream)
    assert own.calls == []
    assert "stays" in device.finding("hidden-error").title
    device.must(C.aclrtAllocatorUnregister(stream))
    free = device.must(C.aclrtGetMemInfo(1))[0]
    device.must(C.aclrtDestroyStream(stream))
    assert device.must(C.aclrtGetMemInfo(1))[0] > free  # its blocks are given back
    again = device.must(C.aclrtCreateStream())
    assert again == stream
    own.register(again)
    execute(device, work, again)
    assert own.calls == ONE


def test_the_default_uses_its_blocks_again(device: Device, work: tuple[Any, ...]) -> None:
    stream = device.must(C.aclrtCreateStream())
    execute(device, work, stream)
    free = device.must(C.aclrtGetMemInfo(1))[0]
    for _ in range(10):
        execute(device, work, stream)
    assert device.must(C.aclrtGetMemInfo(1))[0] == free
    assert all(not call.external for call in device.sim.allocators.calls)


def test_unregister_and_one_execution_pin_the_default(device: Device, work: tuple[Any, ...]) -> None:
    stream = device.must(C.aclrtCreateStream())
    own = Own(device)
    own.register(stream)
    execute(device, work, stream)
    device.must(C.aclrtAllocatorUnregister(stream))
    execute(device, work, stream)
    own.register(stream)
    execute(device, work, stream)
    assert own.calls == ONE


def test_null_never_sees_a_registration(device: Device, work: tuple[Any, ...]) -> None:
    default = device.must(C.aclrtCtxGetCurrentDefaultStream())
    own = Own(device)
    own.register(default)
    execute(device, work, 0)
    assert own.calls == []
    assert "NULL" in device.finding("hidden-error").title
    execute(device, work, default)  # the same key: pinned by now
    assert own.calls == []


def test_the_handle_of_the_default_stream_sees_it(device: Device, work: tuple[Any, ...]) -> None:
    default = device.must(C.aclrtCtxGetCurrentDefaultStream())
    own = Own(device)
    own.register(default)
    execute(device, work, default)
    assert own.calls == ONE


def test_a_custom_kernel_asks_nobody_and_pins_nothing(device: Device) -> None:
    stream = device.must(C.aclrtCreateStream())
    own = Own(device)
    own.register(stream)
    device.must(C.aclopRegisterCompileFunc("Double", device.selector("k", 1, 4, (64, 64))))
    device.kernel("Double", "k", "staged")
    arguments, _ = device.arguments("Double", [A], [A], stream=stream)
    op, n, ins, _, m, outs, _, attr, _ = arguments
    device.must(C.aclopUpdateParams(op, n, ins, m, outs, attr))
    device.must(C.aclopExecuteV2(*arguments))
    assert own.calls == []
    assert device.sim.allocators.resolved == {}


def test_a_handle_looks_once_for_each_stream(device: Device, work: tuple[Any, ...]) -> None:
    stream = device.must(C.aclrtCreateStream())
    op, n, ins, read, m, outs, written, attr = work
    handle = device.must(C.aclopCreateHandle(op, n, ins, m, outs, attr))
    first, second = Own(device), Own(device)
    first.register(stream)
    device.must(C.aclopExecWithHandle(handle, n, read, m, written, stream))
    second.register(stream)
    execute(device, work, stream)  # by type: looks again
    assert (first.calls, second.calls) == (ONE, ONE)
    device.must(C.aclopExecWithHandle(handle, n, read, m, written, stream))
    assert second.calls == 2 * ONE  # what the stream's resource holds by then
    device.must(C.aclrtAllocatorUnregister(stream))
    device.must(C.aclopExecWithHandle(handle, n, read, m, written, stream))
    assert second.calls == 3 * ONE


def test_no_size_no_call(device: Device) -> None:
    device.sim.ops.open = True
    stream = device.must(C.aclrtCreateStream())
    own = Own(device)
    own.register(stream)
    arguments, _ = device.arguments("Neg", [A], [A], stream=stream)
    device.must(C.aclopExecuteV2(*arguments))
    assert own.calls == []


@pytest.mark.parametrize("which", ["alloc", "address"])
def test_nothing_from_the_allocator(device: Device, work: tuple[Any, ...], which: str) -> None:
    stream = device.must(C.aclrtCreateStream())
    own = Own(device)
    setattr(own, which, lambda *_: 0)
    own.register(stream)
    assert C.aclopExecuteV2(*work, stream) == 500002
    assert device.queued(stream) == 0


def test_without_room_the_default_waits_gives_back_and_tries_again(device: Device, work: tuple[Any, ...]) -> None:
    stream = device.must(C.aclrtCreateStream())
    one = TensorDescription("x", 0, (4,))
    total = device.must(C.aclrtGetMemInfo(1))[1]
    for share in (0.6, 0.7):
        data = write(describe_op("Abs" if share < 0.65 else "Exp", [one], [one], work_size=int(total * share)))
        device.must(C.aclopLoad(data, len(data)))
    device.must(C.aclopExecuteV2("Abs", *work[1:], stream))
    device.must(C.aclopExecuteV2("Exp", *work[1:], stream))
    assert device.queued(stream) == 1  # it waited for the first


# -- rules -------------------------------------------------------------------------------------------------------------


def two_streams(device: Device, work: tuple[Any, ...], between: Any) -> None:
    streams = [device.must(C.aclrtCreateStream()) for _ in range(2)]
    own = Own(device, reuse=True)
    for stream in streams:
        own.register(stream)
    execute(device, work, streams[0])
    between(*streams)
    execute(device, work, streams[1])
    for stream in streams:
        device.must(C.aclrtSynchronizeStream(stream))
        device.must(C.aclrtAllocatorUnregister(stream))


def test_one_allocator_on_two_streams(device: Device, work: tuple[Any, ...]) -> None:
    two_streams(device, work, lambda first, second: None)
    found = device.finding("allocator-two-streams")
    assert found.severity == "error"
    assert len(found.sites) == 3


def test_one_allocator_on_two_streams_with_a_wait(device: Device, work: tuple[Any, ...]) -> None:
    two_streams(device, work, lambda first, second: device.must(C.aclrtSynchronizeStream(first)))
    assert device.kinds() == []


def test_one_allocator_on_two_streams_ordered_by_an_event(device: Device, work: tuple[Any, ...]) -> None:
    def order(first: int, second: int) -> None:
        event = device.must(C.aclrtCreateEvent())
        device.must(C.aclrtRecordEvent(event, first))
        device.must(C.aclrtStreamWaitEvent(second, event))

    two_streams(device, work, order)
    assert device.kinds() == []


def settle(device: Device) -> None:
    """Time passes on the host: a copy, which waits for no stream."""
    space = device.put(np.zeros(1 << 20, np.uint8))
    for _ in range(50):
        device.must(C.aclrtMemset(space, 1 << 20, 1, 1 << 20))


def test_a_first_stream_that_happens_to_be_done(device: Device, work: tuple[Any, ...]) -> None:
    two_streams(device, work, lambda first, second: settle(device))
    found = device.finding("allocator-two-streams")
    assert (found.severity, "nobody has waited" in found.title) == ("warning", True)


def wait_for_an_event(device: Device, first: int, second: int) -> None:
    event = device.must(C.aclrtCreateEvent())
    device.must(C.aclrtRecordEvent(event, first))
    device.must(C.aclrtSynchronizeEvent(event))


def wait_on_the_device(device: Device, first: int, second: int) -> None:
    event = device.must(C.aclrtCreateEvent())
    device.must(C.aclrtRecordEvent(event, first))
    device.must(C.aclrtStreamWaitEvent(second, event))
    settle(device)


def ask(device: Device, first: int, second: int) -> None:
    while device.must(C.aclrtStreamQuery(first)) != C.ACL_STREAM_STATUS_COMPLETE:
        settle(device)


def wait_for_a_third(device: Device, first: int, second: int) -> None:
    third, event = device.must(C.aclrtCreateStream()), device.must(C.aclrtCreateEvent())
    device.must(C.aclrtRecordEvent(event, first))
    device.must(C.aclrtStreamWaitEvent(third, event))
    device.must(C.aclrtSynchronizeStream(third))


@pytest.mark.parametrize("between", [wait_for_an_event, wait_on_the_device, ask, wait_for_a_third])
def test_whoever_waited_knows_that_the_first_stream_is_done(
    device: Device, work: tuple[Any, ...], between: Any
) -> None:
    two_streams(device, work, lambda first, second: between(device, first, second))
    assert device.kinds() == []


def test_memory_that_goes_back_to_the_system_before_the_stream_is_done(device: Device, work: tuple[Any, ...]) -> None:
    stream = device.must(C.aclrtCreateStream())
    own = Own(device)
    own.register(stream)
    setattr(own, "free", None)  # noqa: B010 - only to show that the registration is a copy
    execute(device, work, stream)
    device.must(C.aclrtFree(own.last))
    device.must(C.aclrtSynchronizeStream(stream))
    assert device.finding("use-after-free").severity == "error"
    execute(device, work, stream)
    device.must(C.aclrtSynchronizeStream(stream))
    device.must(C.aclrtFree(own.last))
    assert device.kinds() == ["use-after-free"]


def test_an_allocator_that_hands_out_what_is_no_memory(device: Device, work: tuple[Any, ...]) -> None:
    stream = device.must(C.aclrtCreateStream())
    own = Own(device)
    setattr(own, "alloc", lambda obj, size: 0x1234)  # noqa: B010 - a method is replaced
    own.register(stream)
    execute(device, work, stream)
    assert C.aclrtSynchronizeStream(stream) == 507035
    assert "workspace" in device.finding("out-of-bounds").title


def test_a_registration_that_outlives_its_stream(device: Device, work: tuple[Any, ...]) -> None:
    stream = device.must(C.aclrtCreateStream())
    own = Own(device)
    own.register(stream)
    device.must(C.aclrtDestroyStream(stream))
    assert device.finding("stale-registration").severity == "warning"
    again = device.must(C.aclrtCreateStream())
    assert again == stream  # handles are used again
    execute(device, work, again)
    assert own.calls == ONE
    assert [f.severity for f in device.sim.findings] == ["warning", "error"]


def test_unregister_before_the_end_of_the_stream(device: Device, work: tuple[Any, ...]) -> None:
    stream = device.must(C.aclrtCreateStream())
    own = Own(device)
    own.register(stream)
    execute(device, work, stream)
    device.must(C.aclrtAllocatorUnregister(stream))
    device.must(C.aclrtDestroyStream(stream))
    assert device.kinds() == []


# -- threads -----------------------------------------------------------------------------------------------------------


def test_functions_of_one_allocator_never_overlap() -> None:
    with Simulator(threads="free") as sim:
        C.aclInit(None)
        C.aclrtSetDevice(0)
        device = Device(sim)
        stream = device.must(C.aclrtCreateStream())
        context = device.must(C.aclrtGetCurrentContext())
        one = TensorDescription("x", 0, (4,))
        data = write(describe_op("Neg", [one], [one], work_size=WORK))
        device.must(C.aclopLoad(data, len(data)))
        inside: list[int] = []
        most: list[int] = []
        callers: set[str] = set()

        class Slow(Own):
            def alloc(self, obj: Any, size: int) -> int:
                inside.append(1)
                most.append(len(inside))
                callers.add(threading.current_thread().name)
                block, _ = C.aclrtMalloc(size, 0)  # a call: other threads may go on here
                inside.pop()
                return int(block)

        Slow(device).register(stream)
        codes: list[int] = []

        def body() -> None:
            C.aclrtSetCurrentContext(context)
            arguments, _ = device.arguments("Neg", [A], [A], stream=stream)
            codes.extend(C.aclopExecuteV2(*arguments) for _ in range(20))

        workers = [threading.Thread(target=body) for _ in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert codes == [0] * 80
        assert max(most) == 1
        assert callers == {worker.name for worker in workers}  # each in the thread that executes
        device.must(C.aclrtSynchronizeStream(stream))


def test_an_allocator_that_executes_on_its_own_stream_waits_for_itself(device: Device, work: tuple[Any, ...]) -> None:
    stream = device.must(C.aclrtCreateStream())
    own = Own(device)
    setattr(own, "alloc", lambda obj, size: C.aclopExecuteV2(*work, stream))  # noqa: B010 - a method is replaced
    own.register(stream)
    with pytest.raises(SimulatedHang):
        C.aclopExecuteV2(*work, stream)
    assert "deadlock" in device.kinds()


def test_pyacl_as_published_gives_no_memory(device: Device, work: tuple[Any, ...]) -> None:
    from ascend_sim import pyacl

    acl = pyacl.modules()["acl"]
    for setting, code, calls in (("intent", 0, 1), ("published", 500002, 1)):
        with Simulator(switches={"pyacl_allocator": setting}) as sim:
            acl.init()
            acl.rt.set_device(0)
            stream, _ = acl.rt.create_stream()
            here = Device(sim)
            one = TensorDescription("x", 0, (4,))
            data = write(describe_op("Neg", [one], [one], work_size=WORK))
            here.must(C.aclopLoad(data, len(data)))
            seen: list[int] = []

            def alloc(obj: int, size: int, seen: list[int] = seen) -> int:
                seen.append(size)
                return int(acl.rt.malloc(size, 0)[0])

            desc = acl.rt.allocator_create_desc()
            acl.rt.allocator_set_obj_to_desc(desc, 1)
            acl.rt.allocator_set_alloc_func_to_desc(desc, alloc)
            acl.rt.allocator_set_free_func_to_desc(desc, lambda obj, block: None)
            acl.rt.allocator_set_get_addr_from_block_func_to_desc(desc, lambda block: block)
            assert acl.rt.allocator_register(stream, desc) == 0
            op, _, ins, read, _, outs, written, attr = here.arguments("Neg", [A], [A])[0][:-1]
            assert acl.op.execute_v2(op, ins, read, outs, written, attr, stream) == code
            assert len(seen) == calls
            acl.rt.synchronize_stream(stream)
