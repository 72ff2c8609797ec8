"""Code of the program that ends badly inside a call: whatever it raises, the simulator stays whole.

What code raises in a thread of the program comes out of the call that ran it, or becomes its code; in a thread of the
runtime it becomes a failed task. Afterwards everything works as before.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ascend_sim import Block, Simulator, gm, kernel, ops
from ascend_sim import ascendcl as C
from ascend_sim.om import Body, ModelDescription, TensorDescription
from tests.fuzz.calls import last_lines
from tests.fuzz.odd_values import Abort
from tests.kit.calls import must


class Silent(Exception):
    """Nothing can be said of it."""

    def __str__(self) -> str:
        raise Silent

    __repr__ = __str__


class SilentAbort(Abort):
    """Nor of this one, which is no Exception."""

    def __str__(self) -> str:
        raise SilentAbort

    __repr__ = __str__


class Unmade(Exception):
    """Cannot even be made."""

    def __init__(self) -> None:
        raise ValueError("no error either")


def _in_itself() -> Exception:
    made = ValueError("again")
    made.__cause__ = made
    return made


def _long() -> Exception:
    return ValueError("9" * 5000, "\ud800", "\0", 10**5000)


ERRORS: dict[str, Callable[[], BaseException]] = {
    "ValueError": ValueError, "SystemExit": SystemExit, "exit 3": lambda: SystemExit(3),
    "KeyboardInterrupt": KeyboardInterrupt, "GeneratorExit": GeneratorExit, "StopIteration": StopIteration,
    "MemoryError": MemoryError, "RecursionError": RecursionError, "AssertionError": lambda: AssertionError(object()),
    "Abort": Abort, "Silent": Silent, "SilentAbort": SilentAbort, "Unmade": Unmade, "in itself": _in_itself,
    "long": _long,
}  # fmt: skip
ERROR: list[str] = []
"""The error that the program's code raises just now."""


def boom(*_: Any, **__: Any) -> Any:
    if ERROR:
        raise ERRORS[ERROR[0]]()
    return 0


@kernel
def broken(b: Block, x: gm.InOut[np.float32]) -> None:
    boom()


@kernel
def assigns(b: Block, x: gm.InOut[np.float32]) -> None:
    x[boom() :] = 0


def _stream() -> int:
    return int(must(C.aclrtCreateStream()))


def _launch(sim: Simulator, what: Any) -> None:
    stream = _stream()
    address = must(C.aclrtMalloc(64, 0))
    C.aclrtMemset(address, 64, 0, 64)
    what[2, stream](address)
    C.aclrtSynchronizeStream(stream)


def _report(sim: Simulator, block: int) -> None:
    stream = _stream()
    must(C.aclrtSubscribeReport(threading.get_ident(), stream))
    must(C.aclrtLaunchCallback(boom, None, block, stream))
    try:
        C.aclrtProcessReport(10)
    finally:
        C.aclrtUnSubscribeReport(threading.get_ident(), stream)


def _host_function(sim: Simulator) -> None:
    stream = _stream()
    must(C.aclrtLaunchHostFunc(stream, boom, None))
    C.aclrtSynchronizeStream(stream)


def _exception_callback(sim: Simulator) -> None:
    must(C.aclrtSetExceptionInfoCallback(boom))
    stream = _stream()
    must(C.aclrtLaunchHostFunc(stream, lambda _: 1 // 0, None))
    C.aclrtSynchronizeStream(stream)
    must(C.aclrtSetExceptionInfoCallback(None))


def _device_state(sim: Simulator) -> None:
    must(C.aclrtRegDeviceStateCallback("mine", boom, None))
    try:
        C.aclrtSetDevice(0)
        C.aclrtResetDevice(0)
    finally:
        C.aclrtRegDeviceStateCallback("mine", None, None)
        C.aclrtSetDevice(0)


def _stream_state(sim: Simulator) -> None:
    must(C.aclrtRegStreamStateCallback("mine", boom, None))
    try:
        C.aclrtDestroyStream(C.aclrtCreateStream()[0])
    finally:
        C.aclrtRegStreamStateCallback("mine", None, None)


def _task_abort(sim: Simulator) -> None:
    must(C.aclrtSetDeviceTaskAbortCallback("mine", boom, None))
    try:
        C.aclrtDeviceTaskAbort(0, 100)
    finally:
        C.aclrtSetDeviceTaskAbortCallback("mine", None, None)


def _init_callback(sim: Simulator) -> None:
    C.aclFinalize()
    C.aclInitCallbackRegister(0, boom, None)
    try:
        C.aclInit(None)
    finally:
        C.aclInitCallbackUnRegister(0, boom)
        C.aclInit(None)
        C.aclrtSetDevice(0)


def _operator(sim: Simulator, shapes: bool) -> None:
    @ops.op("Broken", 1, infer=boom if shapes else (lambda attributes, shapes, values: shapes))
    def compute(attributes: Any, x: Any) -> Any:
        return boom() or x

    sim.ops.register(compute)
    sim.ops.open = True
    desc = C.aclCreateTensorDesc(0, 1, np.array([4], np.int64), 2)
    data = C.aclCreateDataBuffer(must(C.aclrtMalloc(64, 0)), 16)
    attribute = C.aclopCreateAttr()
    if shapes:
        C.aclopInferShape("Broken", 1, [desc], [data], 1, [desc], attribute)
    stream = _stream()
    C.aclopExecuteV2("Broken", 1, [desc], [data], 1, [desc], [data], attribute, stream)
    C.aclrtSynchronizeStream(stream)


def _model(sim: Simulator, python: bool) -> None:
    module = ModuleType("my_broken_bodies")
    exec("def f(x):\n    return boom() or x", {"boom": boom, "__name__": "my_broken_bodies"}, vars(module))
    vars(module)["f"].__module__ = "my_broken_bodies"
    sys.modules["my_broken_bodies"] = module
    sim.models.allow("my_broken_bodies")
    sim.ops.register(ops.op("Mine", 1)(lambda attributes, x: boom() or x))
    tensors = [TensorDescription(name, 0, (4,), 2) for name in "xy"]
    body = Body("python", "my_broken_bodies:f") if python else Body("op", "Mine")
    sim.models["m.om"] = ModelDescription("m", (tensors[0],), (tensors[1],), body=body)
    model = must(C.aclmdlLoadFromFile("m.om"))
    sets = []
    for _ in range(2):
        address = must(C.aclrtMalloc(64, 0))
        must(C.aclrtMemset(address, 64, 0, 64))
        sets.append(C.aclmdlCreateDataset())
        must(C.aclmdlAddDatasetBuffer(sets[-1], C.aclCreateDataBuffer(address, 16)))
    C.aclmdlExecute(model, *sets)
    C.aclmdlUnload(model)


def _allocator(sim: Simulator, which: str) -> None:
    memory = must(C.aclrtMalloc(1 << 16, 0))
    functions: dict[str, Any] = {
        "Alloc": lambda obj, size: memory, "Free": lambda obj, block: None, "GetAddrFromBlock": lambda block: block,
        "AllocAdvise": lambda obj, size, address: memory,
    }  # fmt: skip
    if ERROR:
        functions[which] = boom
    stream = _stream()
    desc = C.aclrtAllocatorCreateDesc()
    must(C.aclrtAllocatorSetObjToDesc(desc, 1))
    for name, function in functions.items():
        must(getattr(C, f"aclrtAllocatorSet{name}FuncToDesc")(desc, function))
    must(C.aclrtAllocatorRegister(stream, desc))
    sim.ops.open = True
    shape = C.aclCreateTensorDesc(0, 1, np.array([4], np.int64), 2)
    data = C.aclCreateDataBuffer(memory, 16)
    C.aclopExecuteV2("Neg", 1, [shape], [data], 1, [shape], [data], C.aclopCreateAttr(), stream)
    C.aclrtSynchronizeStream(stream)
    C.aclrtAllocatorUnregister(stream)
    C.aclrtDestroyStream(stream)


DOORS: dict[str, Callable[[Simulator], None]] = {
    "kernel": lambda sim: _launch(sim, broken),
    "kernel, in an index": lambda sim: _launch(sim, assigns),
    "report": lambda sim: _report(sim, 0),
    "report that blocks": lambda sim: _report(sim, 1),
    "host function": _host_function,
    "exception callback": _exception_callback,
    "device state": _device_state,
    "stream state": _stream_state,
    "task abort": _task_abort,
    "init callback": _init_callback,
    "operator": lambda sim: _operator(sim, False),
    "shapes of an operator": lambda sim: _operator(sim, True),
    "model in Python": lambda sim: _model(sim, True),
    "model of an operator": lambda sim: _model(sim, False),
    **{f"allocator {n}": lambda sim, n=n: _allocator(sim, n) for n in ("Alloc", "Free", "GetAddrFromBlock", "AllocAdvise")},
}  # fmt: skip


def _works(sim: Simulator) -> None:
    """The simulator is whole: all kinds of calls do what they should."""
    must(C.aclrtSetDevice(0))
    stream, event = _stream(), must(C.aclrtCreateEvent())
    address, back = must(C.aclrtMalloc(4096, 0)), np.zeros(4096, np.uint8)
    must(C.aclrtMemsetAsync(address, 4096, 7, 4096, stream))
    ran: list[Any] = []
    must(C.aclrtLaunchHostFunc(stream, ran.append, 5))
    must(C.aclrtRecordEvent(event, stream))
    must(C.aclrtSynchronizeEvent(event))
    must(C.aclrtMemcpy(back, 4096, address, 4096, 2))
    assert ran == [5]
    assert back.tolist() == [7] * 4096
    assert C.aclrtCreateStream()[1] == 0
    must(C.aclrtSynchronizeDevice())


@pytest.mark.parametrize("threads", ["free", "deterministic"])
@pytest.mark.parametrize("door", DOORS)
def test_whatever_it_raises_the_simulator_stays_whole(
    door: str, threads: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = []
    for name, make in ERRORS.items():
        with Simulator(threads=threads) as sim:
            must(C.aclInit(None))
            must(C.aclrtSetDevice(0))
            ERROR.append(name)
            try:
                DOORS[door](sim)
            except BaseException as error:  # noqa: BLE001 - whatever the program raised may come out
                wanted = ValueError if name == "Unmade" else type(make())
                if type(error) is not wanted:
                    wrong.append(f"{name}: {type(error).__name__} came out: {last_lines(error)}")
            finally:
                ERROR.clear()
            try:
                C.aclrtSynchronizeDevice()  # the failure of a task that nobody waited for
                _works(sim)
            except BaseException as error:  # noqa: BLE001 - some have no text that pytest could show
                wrong.append(f"{name}: afterwards {type(error).__name__}: {last_lines(error)}")
        capsys.readouterr()
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("door", DOORS)
def test_the_doors_open(door: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an error the same programs run to their end."""
    monkeypatch.chdir(tmp_path)
    with Simulator() as sim:
        must(C.aclInit(None))
        must(C.aclrtSetDevice(0))
        DOORS[door](sim)
        _works(sim)
