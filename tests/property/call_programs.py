"""Random programs of two host threads that call whatever changes something for the other: objects, devices, settings."""

from __future__ import annotations

import mmap
import random
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from ascend_sim import ascendcl as C
from ascend_sim.om import Body, ModelDescription, TensorDescription, write
from ascend_sim.runtime.current import current

Step = tuple[str, int]
SIZE = 64
D2H, D2D = 2, 3
SUBJECT = 20
GIB = 1 << 30
STACK, DEBUG = 2, 16
KERNELS = b"""# ascend_sim kernels
import numpy as np
from ascend_sim import Block, gm, kernel

@kernel
def fill(b: Block, out: gm.Out[np.int32], value: np.int32) -> None:
    out[b.idx] = value

@kernel
def broken(b: Block, out: gm.Out[np.int32], value: np.int32) -> None:
    out[1 << 40] = value // 0
"""


def code(result: Any) -> int:
    """What a call returned beside its outputs."""
    return int((result[-1] if isinstance(result, tuple) else result) or 0)


def model_file() -> bytes:
    """A model of one node."""
    body = Body("graph", nodes=({"op": "Neg", "inputs": ["x"], "outputs": ["y"], "attributes": {}},))
    x, y = (TensorDescription(name, 0, (2, 3), 2) for name in "xy")
    return write(ModelDescription("fixed", (x,), (y,), body=body))


MODEL = model_file()


def nothing(*arguments: Any) -> int:
    """A callback."""
    return 0


def heard(info: int) -> None:
    """Another."""


def allocate(allocator: Any, size: int, *advice: Any) -> int:
    """The memory of an allocator, in which a block is its address."""
    return int(C.aclrtMalloc(size, 0)[0] or 0)


def address(block: int) -> int:
    """The memory of a block."""
    return block


class SharedObjects:
    """What the threads of one run share: two of everything."""

    def __init__(self) -> None:
        C.aclInit(None)
        C.aclrtSetDevice(0)
        self.context = C.aclrtGetCurrentContext()[0]
        self.contexts = [C.aclrtCreateContext(0)[0] for _ in range(2)]
        C.aclrtSetCurrentContext(self.context)
        self.streams = [C.aclrtCreateStream()[0] for _ in range(2)]
        self.events = [C.aclrtCreateEventExWithFlag(flag)[0] for flag in (1, 9)]
        self.flags = [C.aclrtCreateEventWithFlag(1)[0] for _ in range(2)]
        self.notifies = [C.aclrtCreateNotify(0)[0] for _ in range(2)]
        self.blocks = [C.aclrtMalloc(SIZE, 0)[0] for _ in range(2)]
        for block in self.blocks:
            C.aclrtMemset(block, SIZE, 0, SIZE)
        self.pinned = [C.aclrtMallocHost(SIZE)[0] for _ in range(2)]
        self.array = np.frombuffer(mmap.mmap(-1, 4096), np.uint8)  # a page, as registering asks for
        self.words = np.zeros(16, np.uint64)
        self.tensors = [C.aclCreateTensorDesc(0, 2, [2, 3], 2) for _ in range(2)]
        self.buffers = [C.aclCreateDataBuffer(block, 24) for block in self.blocks]
        self.advisor = C.aclrtAllocatorCreateDesc()
        C.aclrtAllocatorSetObjToDesc(self.advisor, 5)
        C.aclrtAllocatorSetAllocFuncToDesc(self.advisor, allocate)
        C.aclrtAllocatorSetAllocAdviseFuncToDesc(self.advisor, allocate)
        C.aclrtAllocatorSetFreeFuncToDesc(self.advisor, nothing)
        C.aclrtAllocatorSetGetAddrFromBlockFuncToDesc(self.advisor, address)
        self.seen: dict[int, list[Any]] = {}

    def kernels(self) -> None:
        """Only where a program uses them: they take time."""
        if hasattr(self, "binary"):
            return
        self.binary = C.aclrtBinaryLoadFromData(KERNELS, len(KERNELS), None)[0]
        self.functions = [C.aclrtBinaryGetFunction(self.binary, name)[0] for name in ("fill", "broken")]

    def models(self) -> None:
        """A model, where a program uses one."""
        if hasattr(self, "model"):
            return
        current().models["fixed.om"] = MODEL
        self.model = C.aclmdlLoadFromFile("fixed.om")[0]
        self.description = C.aclmdlCreateDesc()
        C.aclmdlGetDesc(self.description, self.model)
        self.sets = [C.aclmdlCreateDataset() for _ in range(2)]
        for dataset, buffer in zip(self.sets, self.buffers, strict=True):
            C.aclmdlAddDatasetBuffer(dataset, buffer)
        self.attribute = C.aclopCreateAttr()
        self.options = C.aclmdlCreateConfigHandle()

    def launch(self, i: int, stream: int) -> Any:
        """One block of a kernel, or one that fails."""
        self.kernels()
        arguments = np.array([self.blocks[0], 7], np.uint64)
        return C.aclrtLaunchKernel(self.functions[i], 1, arguments, 12, stream)


Act = Callable[[SharedObjects, int, int], Any]
"""(world, thread, 0 or 1) -> what the thread sees."""


def _read(w: SharedObjects, block: int) -> Any:
    out = np.zeros(SIZE, np.uint8)
    got = code(C.aclrtMemcpy(out.ctypes.data, SIZE, block, SIZE, D2H))
    return got, int(out[0])


def _attribute(w: SharedObjects, i: int, number: int) -> Any:
    value, got = C.aclrtGetStreamAttribute(w.streams[i], number)
    return got, value and (value.failureMode, value.userCustomTag)


ACTS: dict[str, Act] = {
    # streams
    "destroy stream": lambda w, t, i: code(C.aclrtDestroyStream(w.streams[i])),
    "destroy stream force": lambda w, t, i: code(C.aclrtDestroyStreamForce(w.streams[i])),
    "create stream": lambda w, t, i: code(C.aclrtCreateStream()),
    "create configured stream": lambda w, t, i: code(C.aclrtCreateStreamWithConfig(0, (0, 0x20)[i])),
    "set": lambda w, t, i: code(C.aclrtMemsetAsync(w.blocks[i], SIZE, t + 1, SIZE, w.streams[i])),
    "set by default": lambda w, t, i: code(C.aclrtMemsetAsync(w.blocks[i], SIZE, t + 5, SIZE, 0)),
    "copy": lambda w, t, i: code(C.aclrtMemcpyAsync(w.blocks[i], SIZE, w.blocks[1 - i], SIZE, D2D, w.streams[i])),
    "synchronize": lambda w, t, i: code(C.aclrtSynchronizeStream(w.streams[i])),
    "synchronize default": lambda w, t, i: code(C.aclrtSynchronizeStream(0)),
    "synchronize a while": lambda w, t, i: code(C.aclrtSynchronizeStreamWithTimeout(w.streams[i], 10)),
    "synchronize device": lambda w, t, i: code(C.aclrtSynchronizeDevice()),
    "ask stream": lambda w, t, i: C.aclrtStreamQuery(w.streams[i]),
    "abort stream": lambda w, t, i: code(C.aclrtStreamAbort(w.streams[i])),
    "stop stream": lambda w, t, i: code(C.aclrtStreamStop(w.streams[i])),
    "stop on failure": lambda w, t, i: code(C.aclrtSetStreamFailureMode(w.streams[i], 1)),
    "failure mode": lambda w, t, i: _attribute(w, i, 1),
    "tag": lambda w, t, i: code(C.aclrtSetStreamAttribute(w.streams[i], 3, 7)),
    "tag?": lambda w, t, i: _attribute(w, i, 3),
    "overflow switch": lambda w, t, i: code(C.aclrtSetStreamOverflowSwitch(w.streams[i], 1)),
    "overflow switch?": lambda w, t, i: C.aclrtGetStreamOverflowSwitch(w.streams[i]),
    "stream limit": lambda w, t, i: code(C.aclrtSetStreamResLimit(w.streams[i], 1, 2)),
    "stream limit?": lambda w, t, i: C.aclrtGetStreamResLimit(w.streams[i], 1),
    "no stream limit": lambda w, t, i: code(C.aclrtResetStreamResLimit(w.streams[i])),
    "use stream limit": lambda w, t, i: code(C.aclrtUseStreamResInCurrentThread(w.streams[i])),
    "thread limit?": lambda w, t, i: C.aclrtGetResInCurrentThread(1),
    "streams left": lambda w, t, i: C.aclrtGetStreamAvailableNum(),
    "launch": lambda w, t, i: code(w.launch(0, w.streams[i])),
    "launch a broken one": lambda w, t, i: code(w.launch(1, w.streams[i])),
    "value": lambda w, t, i: code(C.aclrtValueWrite(w.blocks[i], 9, 0, w.streams[i])),
    "host function": lambda w, t, i: code(C.aclrtLaunchHostFunc(w.streams[i], nothing, None)),
    # events and notifies
    "destroy event": lambda w, t, i: code(C.aclrtDestroyEvent(w.events[i])),
    "destroy flag": lambda w, t, i: code(C.aclrtDestroyEvent(w.flags[i])),
    "create event": lambda w, t, i: code(C.aclrtCreateEventExWithFlag(9 if i else 1)),
    "record": lambda w, t, i: code(C.aclrtRecordEvent(w.events[i], w.streams[i])),
    "record by default": lambda w, t, i: code(C.aclrtRecordEvent(w.events[i], 0)),
    "wait": lambda w, t, i: code(C.aclrtStreamWaitEvent(w.streams[1 - i], w.events[i])),
    "ask event": lambda w, t, i: C.aclrtQueryEventStatus(w.events[i]),
    "ask event old": lambda w, t, i: C.aclrtQueryEvent(w.events[i]),
    "ask waits": lambda w, t, i: C.aclrtQueryEventWaitStatus(w.events[i]),
    "synchronize event": lambda w, t, i: code(C.aclrtSynchronizeEvent(w.events[i])),
    "elapsed": lambda w, t, i: code(C.aclrtEventElapsedTime(*w.events)),
    "timestamp": lambda w, t, i: code(C.aclrtEventGetTimestamp(w.events[i])),
    "events left": lambda w, t, i: C.aclrtGetEventAvailNum(),
    "set flag": lambda w, t, i: code(C.aclrtRecordEvent(w.flags[i], w.streams[i])),
    "wait for flag": lambda w, t, i: code(C.aclrtStreamWaitEvent(w.streams[1 - i], w.flags[i])),
    "clear flag": lambda w, t, i: code(C.aclrtResetEvent(w.flags[i], w.streams[i])),
    "event key": lambda w, t, i: code(C.aclrtIpcGetEventHandle(w.events[i])),
    "notify": lambda w, t, i: code(C.aclrtRecordNotify(w.notifies[i], w.streams[i])),
    "wait for notify": lambda w, t, i: code(C.aclrtWaitAndResetNotify(w.notifies[i], w.streams[1 - i], 1)),
    "clear notifies": lambda w, t, i: code(C.aclrtNotifyBatchReset([w.notifies[i]], 1)),
    "destroy notify": lambda w, t, i: code(C.aclrtDestroyNotify(w.notifies[i])),
    "create notify": lambda w, t, i: code(C.aclrtCreateNotify(0)),
    "notify key": lambda w, t, i: code(C.aclrtNotifyGetExportKey(w.notifies[i], w.array, 65, 0)),
    # memory
    "free": lambda w, t, i: code(C.aclrtFree(w.blocks[i])),
    "free with sync": lambda w, t, i: code(C.aclrtFreeWithDevSync(w.blocks[i])),
    "malloc": lambda w, t, i: code(C.aclrtMalloc(1 << 20, 0)),
    "malloc all": lambda w, t, i: code(C.aclrtMalloc(25 * GIB, 0)),
    "memory left": lambda w, t, i: C.aclrtGetMemInfo(1),
    "set now": lambda w, t, i: code(C.aclrtMemset(w.blocks[i], SIZE, t + 3, SIZE)),
    "read": lambda w, t, i: _read(w, w.blocks[i]),
    "attributes": lambda w, t, i: code(C.aclrtPointerGetAttributes(w.blocks[i])),
    "free pinned": lambda w, t, i: code(C.aclrtFreeHost(w.pinned[i])),
    "copy to pinned": lambda w, t, i: code(C.aclrtMemcpyAsync(w.pinned[i], SIZE, w.blocks[i], SIZE, D2H, w.streams[i])),
    "register": lambda w, t, i: code(C.aclrtHostRegister(w.array.ctypes.data, 4096, 0)),
    "unregister": lambda w, t, i: code(C.aclrtHostUnregister(w.array.ctypes.data)),
    "device pointer": lambda w, t, i: code(C.aclrtHostGetDevicePointer(w.array.ctypes.data, 0)),
    # contexts and devices
    "create context": lambda w, t, i: code(C.aclrtCreateContext(i)),
    "destroy context": lambda w, t, i: code(C.aclrtDestroyContext(w.contexts[i])),
    "use context": lambda w, t, i: code(C.aclrtSetCurrentContext((w.context, w.contexts[0])[i])),
    "default stream?": lambda w, t, i: code(C.aclrtCtxGetCurrentDefaultStream()),
    "context option": lambda w, t, i: code(C.aclrtCtxSetSysParamOpt(i, 1)),
    "context option?": lambda w, t, i: C.aclrtCtxGetSysParamOpt(i),
    "option": lambda w, t, i: code(C.aclrtSetSysParamOpt(i, 1)),
    "option?": lambda w, t, i: C.aclrtGetSysParamOpt(i),
    "is device active": lambda w, t, i: C.aclrtGetPrimaryCtxState(i),
    "use device": lambda w, t, i: code(C.aclrtSetDevice(i)),
    "reset": lambda w, t, i: code(C.aclrtResetDevice(i)),
    "reset force": lambda w, t, i: code(C.aclrtResetDeviceForce(i)),
    "device?": lambda w, t, i: C.aclrtGetDevice(),
    "saturate": lambda w, t, i: code(C.aclrtSetDeviceSatMode(i)),
    "saturates?": lambda w, t, i: C.aclrtGetDeviceSatMode(),
    "device limit": lambda w, t, i: code(C.aclrtSetDeviceResLimit(0, 0, 3)),
    "device limit?": lambda w, t, i: C.aclrtGetDeviceResLimit(0, 0),
    "no device limit": lambda w, t, i: code(C.aclrtResetDeviceResLimit(0)),
    "stack": lambda w, t, i: code(C.aclrtDeviceSetLimit(STACK, 1 << 15)),
    "stack?": lambda w, t, i: C.aclrtDeviceGetLimit(STACK),
    "peer": lambda w, t, i: code(C.aclrtDeviceEnablePeerAccess(1, 0)),
    "no peer": lambda w, t, i: code(C.aclrtDeviceDisablePeerAccess(1)),
    "peer?": lambda w, t, i: C.aclrtDevicePeerAccessStatus(0, 1),
    "abort tasks": lambda w, t, i: code(C.aclrtDeviceTaskAbort(0, 0)),
    # settings and callbacks of the process
    "init": lambda w, t, i: code(C.aclInit(None)),
    "finalize": lambda w, t, i: code(C.aclFinalize()),
    "finalize one": lambda w, t, i: C.aclFinalizeReference(),
    "on init": lambda w, t, i: code(C.aclInitCallbackRegister(4, nothing, None)),
    "on finalize": lambda w, t, i: code(C.aclFinalizeCallbackRegister(4, nothing, None)),
    "wait limit": lambda w, t, i: code(C.aclrtSetOpWaitTimeout(1 + i)),
    "run limit": lambda w, t, i: code(C.aclrtSetOpExecuteTimeOut(1 + i)),
    "run limit?": lambda w, t, i: C.aclrtGetOpExecuteTimeout(),
    "on exception": lambda w, t, i: code(C.aclrtSetExceptionInfoCallback(heard)),
    "on exception too": lambda w, t, i: code(C.aclrtExceptionInfoCallbackRegister(nothing)),
    "not on exception": lambda w, t, i: code(C.aclrtExceptionInfoCallbackUnregister(nothing)),
    "on device": lambda w, t, i: code(C.aclrtRegDeviceStateCallback("d", nothing, None)),
    "on stream": lambda w, t, i: code(C.aclrtRegStreamStateCallback("s", nothing, None)),
    "on abort": lambda w, t, i: code(C.aclrtSetDeviceTaskAbortCallback("a", nothing, None)),
    "subscribe": lambda w, t, i: code(C.aclrtSubscribeReport(threading.get_ident(), w.streams[i])),
    "unsubscribe": lambda w, t, i: code(C.aclrtUnSubscribeReport(threading.get_ident(), w.streams[i])),
    "callback": lambda w, t, i: code(C.aclrtLaunchCallback(nothing, None, 0, w.streams[i])),
    "serve": lambda w, t, i: code(C.aclrtProcessReport(1)),
    "advise": lambda w, t, i: code(C.aclrtAllocatorRegister(w.streams[i], w.advisor)),
    "advise no more": lambda w, t, i: code(C.aclrtAllocatorUnregister(w.streams[i])),
    "adviser?": lambda w, t, i: C.aclrtAllocatorGetByStream(w.streams[i])[-1],
    "change adviser": lambda w, t, i: code(C.aclrtAllocatorSetObjToDesc(w.advisor, 6)),
    "forget adviser": lambda w, t, i: code(C.aclrtAllocatorDestroyDesc(w.advisor)),
    # operators and models
    "shape": lambda w, t, i: code(C.aclSetTensorShape(w.tensors[i], 1, [t + 4])),
    "shape?": lambda w, t, i: C.aclGetTensorDescElementCount(w.tensors[i]),
    "destroy tensor": lambda w, t, i: code(C.aclDestroyTensorDesc(w.tensors[i])),
    "point elsewhere": lambda w, t, i: code(C.aclUpdateDataBuffer(w.buffers[i], w.blocks[1 - i], 16)),
    "size?": lambda w, t, i: C.aclGetDataBufferSizeV2(w.buffers[i]),
    "destroy buffer": lambda w, t, i: code(C.aclDestroyDataBuffer(w.buffers[i])),
    "compile option": lambda w, t, i: code(C.aclSetCompileopt(DEBUG, ("a", "abc")[i])),
    "compile option?": lambda w, t, i: C.aclGetCompileoptSize(DEBUG),
    "compile flag": lambda w, t, i: code(C.aclopSetCompileFlag(i)),
    "most operators": lambda w, t, i: code(C.aclopSetMaxOpQueueNum(100 + i)),
    "cast": lambda w, t, i: code(
        C.aclopCast(w.tensors[0], w.buffers[0], w.tensors[1], w.buffers[1], 0, w.streams[i])
    ),
    "compiler": lambda w, t, i: code(C.aclopRegisterCompileFunc("op", nothing)),
    "no compiler": lambda w, t, i: code(C.aclopUnregisterCompileFunc("op")),
    "load": lambda w, t, i: code(C.aclmdlLoadFromFile("fixed.om")),
    "unload": lambda w, t, i: code(C.aclmdlUnload(w.model)),
    "describe": lambda w, t, i: code(C.aclmdlGetDesc(w.description, w.model)),
    "inputs?": lambda w, t, i: C.aclmdlGetNumInputs(w.description),
    "destroy description": lambda w, t, i: code(C.aclmdlDestroyDesc(w.description)),
    "execute": lambda w, t, i: code(C.aclmdlExecute(w.model, *w.sets)),
    "execute later": lambda w, t, i: code(C.aclmdlExecuteAsync(w.model, *w.sets, w.streams[i])),
    "add to set": lambda w, t, i: code(C.aclmdlAddDatasetBuffer(w.sets[i], w.buffers[i])),
    "in set?": lambda w, t, i: C.aclmdlGetDatasetNumBuffers(w.sets[i]),
    "destroy set": lambda w, t, i: code(C.aclmdlDestroyDataset(w.sets[i])),
    "attribute": lambda w, t, i: code(C.aclopSetAttrInt(w.attribute, "axis", i)),
    "destroy attributes": lambda w, t, i: code(C.aclopDestroyAttr(w.attribute)),
    "get function": lambda w, t, i: code(C.aclrtBinaryGetFunction(w.binary, "fill")),
    "unload kernels": lambda w, t, i: code(C.aclrtBinaryUnLoad(w.binary)),
}  # fmt: skip
"""What a thread does -> how."""
MODELS = frozenset({
    "load", "unload", "describe", "inputs?", "destroy description", "execute", "execute later", "add to set", "in set?",
    "destroy set", "attribute", "destroy attributes",
})  # fmt: skip
CODE = frozenset({"launch", "launch a broken one", "get function", "unload kernels"})


def make_program(rng: random.Random, lengths: list[int]) -> list[list[Step]]:
    """The steps of each thread; every other time of one subject."""
    names = list(ACTS)
    if rng.randrange(2):
        first = rng.randrange(len(names) - SUBJECT)
        names = names[first : first + SUBJECT]
    return [[(rng.choice(names), rng.randrange(2)) for _ in range(length)] for length in lengths]


def played(program: list[list[Step]]) -> Callable[[], Any]:
    """The program as a function."""

    def run() -> Any:
        world = SharedObjects()
        kinds = {kind for steps in program for kind, _ in steps}
        if kinds & CODE:
            world.kernels()
        if kinds & MODELS:
            world.models()

        def work(me: int) -> None:
            C.aclrtSetCurrentContext(world.context)
            world.seen[me] = []
            for kind, i in program[me]:
                world.seen[me].append(ACTS[kind](world, me, i))

        thread = threading.Thread(target=work, args=(1,))
        thread.start()
        world.seen[0] = []
        for kind, i in program[0]:
            world.seen[0].append(ACTS[kind](world, 0, i))
        thread.join()
        return [world.seen[0], world.seen[1]]

    return run
