"""What ran is let go: after a synchronise nothing of the simulator keeps the objects of the program alive.

A destructor that frees memory or destroys a stream runs when it would on a card; whether checks are on does not matter.
"""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ascend_sim import Block, Simulator, gm, kernel
from ascend_sim import ascendcl as C
from tests.kit.calls import must
from tests.kit.forks import HANG

NO_BLOCK, BLOCK = 0, 1
CHECKS: list[Any] = ["none", "memory", None]


class Callback:
    """A callable of the program, with what it wants to be called with."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def __call__(self, argument: Any) -> None:
        self.heard.append(argument)


class UserData:
    """What a callback is given."""


class Failing(Callback):
    def __call__(self, argument: Any) -> None:
        super().__call__(argument)
        raise ValueError("made for a test")


Refs = list["weakref.ref[Any]"]


def _last_one(refs: Refs, made: Any = None) -> tuple[Any, UserData]:
    made, data = Callback() if made is None else made, UserData()
    refs += [weakref.ref(made), weakref.ref(data)]
    return made, data


def reports(sim: Simulator, block: int = BLOCK) -> Refs:
    refs: Refs = []
    stream = must(C.aclrtCreateStream())
    must(C.aclrtSubscribeReport(threading.get_ident(), stream))
    for _ in range(3):
        must(C.aclrtLaunchCallback(*_last_one(refs), block, stream))
        must(C.aclrtProcessReport(100))
    must(C.aclrtSynchronizeStream(stream))
    return refs


def reports_that_raise(sim: Simulator) -> Refs:
    refs: Refs = []
    stream = must(C.aclrtCreateStream())
    must(C.aclrtSubscribeReport(threading.get_ident(), stream))
    must(C.aclrtLaunchCallback(*_last_one(refs, Failing()), BLOCK, stream))
    with pytest.raises(ValueError, match="made for a test"):
        C.aclrtProcessReport(100)
    must(C.aclrtSynchronizeStream(stream))
    return refs


def reports_in_a_thread(sim: Simulator) -> Refs:
    refs: Refs = []
    stream, going = must(C.aclrtCreateStream()), [True]
    context = must(C.aclrtGetCurrentContext())

    def serve() -> None:
        C.aclrtSetCurrentContext(context)
        while going:
            C.aclrtProcessReport(10)

    thread = threading.Thread(target=serve)
    thread.start()
    must(C.aclrtSubscribeReport(thread.ident, stream))
    must(C.aclrtLaunchCallback(*_last_one(refs), BLOCK, stream))
    must(C.aclrtSynchronizeStream(stream))
    must(C.aclrtUnSubscribeReport(thread.ident, stream))
    going.clear()
    thread.join(HANG)
    return refs


def host_functions(sim: Simulator) -> Refs:
    refs: Refs = []
    stream = must(C.aclrtCreateStream())
    for _ in range(2):
        must(C.aclrtLaunchHostFunc(stream, *_last_one(refs)))
        must(C.aclrtSynchronizeStream(stream))
    return refs


def host_functions_that_raise(sim: Simulator) -> Refs:
    refs: Refs = []
    stream = must(C.aclrtCreateStream())
    must(C.aclrtLaunchHostFunc(stream, *_last_one(refs, Failing())))
    assert C.aclrtSynchronizeStream(stream) == 507000
    return refs


def _failed_task(sim: Simulator) -> None:
    stream = must(C.aclrtCreateStream())
    must(C.aclrtLaunchHostFunc(stream, Failing(), None))
    assert C.aclrtSynchronizeStream(stream) == 507000


@kernel
def _traps(b: Block, x: gm.InOut[np.float32]) -> None:
    raise ValueError("made for a test")


@kernel
def _works(b: Block, x: gm.InOut[np.float32]) -> None:
    x[0:4] = x[0:4] + 1


def _launch(sim: Simulator, what: Any, refs: Refs | None = None) -> int:
    sim.kernels["k.o"] = what
    stream = must(C.aclrtCreateStream())
    address = must(C.aclrtMalloc(64, 0))
    must(C.aclrtMemset(address, 64, 0, 64))
    binary = must(C.aclrtBinaryLoadFromFile("k.o", None))
    function = must(C.aclrtBinaryGetFunction(binary, what.name))
    raw = np.frombuffer(what.pack(address), np.uint8).copy()
    if refs is not None:
        refs.append(weakref.ref(raw))
    must(C.aclrtLaunchKernelWithHostArgs(function, 1, stream, None, raw, len(raw), None, 0))
    code: int = C.aclrtSynchronizeStream(stream)
    must(C.aclrtBinaryUnLoad(binary))
    return code


def exception_callbacks(sim: Simulator) -> Refs:
    refs: Refs = []
    first, _ = _last_one(refs)
    second, _ = _last_one(refs)
    must(C.aclrtSetExceptionInfoCallback(first))
    must(C.aclrtExceptionInfoCallbackRegister(second))
    assert _launch(sim, _traps) == 507035
    assert len(first.heard) == len(second.heard) == 1
    must(C.aclrtSetExceptionInfoCallback(None))
    must(C.aclrtExceptionInfoCallbackUnregister(second))
    return refs


def arguments_of_kernels(sim: Simulator) -> Refs:
    refs: Refs = []
    assert _launch(sim, _works, refs) == 0
    _forget_host_buffers()
    return refs


def arguments_of_failed_kernels(sim: Simulator) -> Refs:
    refs: Refs = []
    assert _launch(sim, _traps, refs) == 507035
    _forget_host_buffers()
    return refs


def _forget_host_buffers() -> None:
    """The queue of objects that were shown keeps them, and is bounded: docs/semantics/memory.md#dead-host-buffers."""
    from ascend_sim.runtime.memory import host_buffers

    host_buffers._BUFFERS.clear()


def closures_of_kernels(sim: Simulator) -> Refs:
    refs: Refs = []
    held, _ = _last_one(refs)

    @kernel
    def calls(b: Block, x: gm.InOut[np.float32]) -> None:
        held(None)

    assert _launch(sim, calls) == 0
    assert len(held.heard) == 1
    sim.kernels["k.o"] = _works
    return refs


class _Operator(Callback):
    """A body of an operator."""

    def __call__(self, attributes: Any, x: Any) -> Any:  # type: ignore[override]
        self.heard.append(weakref.ref(x))
        return -x


def inputs_of_models(sim: Simulator) -> Refs:
    from ascend_sim import ops
    from ascend_sim.om import Body, ModelDescription, TensorDescription

    body, tensor = _Operator(), lambda name: TensorDescription(name, 0, (4,), 2)
    sim.ops.register(ops.op("Mine", 1)(body))
    sim.models["m.om"] = ModelDescription(
        name="m", inputs=(tensor("x"),), outputs=(tensor("y"),), body=Body("op", "Mine"), cost_ns=1000
    )
    must(C.aclInit(None))
    model = must(C.aclmdlLoadFromFile("m.om"))
    sets = []
    for _ in range(2):
        address = must(C.aclrtMalloc(64, 0))
        must(C.aclrtMemset(address, 64, 0, 64))
        made = C.aclmdlCreateDataset()
        must(C.aclmdlAddDatasetBuffer(made, C.aclCreateDataBuffer(address, 16)))
        sets.append(made)
    stream = must(C.aclrtCreateStream())
    must(C.aclmdlExecuteAsync(model, *sets, stream))
    must(C.aclrtSynchronizeStream(stream))
    must(C.aclmdlUnload(model))
    model = must(C.aclmdlLoadFromFile("m.om"))
    must(C.aclmdlExecute(model, *sets))
    must(C.aclmdlUnload(model))
    assert len(body.heard) == 2
    return body.heard


def user_data_of_allocators(sim: Simulator) -> Refs:
    refs: Refs = []
    held, data = _last_one(refs)
    stream = must(C.aclrtCreateStream())
    desc = C.aclrtAllocatorCreateDesc()
    must(C.aclrtAllocatorSetObjToDesc(desc, data))
    must(C.aclrtAllocatorSetAllocFuncToDesc(desc, held))
    must(C.aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, held))
    must(C.aclrtAllocatorSetFreeFuncToDesc(desc, held))
    must(C.aclrtAllocatorRegister(stream, desc))
    must(C.aclrtAllocatorUnregister(stream))
    must(C.aclrtAllocatorDestroyDesc(desc))
    return refs


KINDS: list[Callable[[Simulator], Refs]] = [
    reports, lambda sim: reports(sim, NO_BLOCK), reports_that_raise, reports_in_a_thread, host_functions,
    host_functions_that_raise, exception_callbacks, arguments_of_kernels, arguments_of_failed_kernels,
    closures_of_kernels, inputs_of_models, user_data_of_allocators,
]  # fmt: skip
NAMES = [kind.__name__.replace("<lambda>", "reports_that_do_not_block") for kind in KINDS]


@pytest.mark.parametrize("kind", KINDS, ids=NAMES)
@pytest.mark.parametrize("checks", CHECKS)
@pytest.mark.parametrize("threads", ["deterministic", "free"])
def test_what_ran_is_let_go(kind: Callable[[Simulator], Refs], checks: Any, threads: str) -> None:
    options = {} if checks is None else {"checks": checks}
    with Simulator(threads=threads, **options) as sim:
        must(C.aclrtSetDevice(0))
        refs = kind(sim)
        gc.collect()
        assert refs
        alive = [ref() for ref in refs if ref() is not None]
        assert not alive, [type(thing).__name__ for thing in alive]
