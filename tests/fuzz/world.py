"""What the fuzzed calls meet: a simulator with something alive and something dead of every kind, and known memory."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache
from typing import Any

import attrs
import numpy as np

from ascend_sim import SimulatedHang, Simulator
from ascend_sim import ascendcl as C
from ascend_sim.ascendcl import structs
from ascend_sim.catalogue.functions import Parameter
from ascend_sim.om import Body, Gears, ModelDescription, TensorDescription, write
from tests.fuzz.arguments import Choices, Outcry, Value, anything, callables, integer, small, text
from tests.fuzz.chapters import MEDIA_DICT, fill_chapters
from tests.fuzz.fenced_memory import PAGE, Fenced, short_file

__all__ = ["World", "base_type"]

SOCS = ["Ascend910B3", "Ascend910B3", "Ascend310P3", "Ascend910A", "Ascend310B4", "Ascend950PR_9599"]
SCHEDULES = ["virtual-time", "virtual-time", "late", "early", "random"]
LIMITS = {"stream_depth": 4, "streams": 12, "events": 8, "notifies": 4, "memory": 1 << 24, "host_memory": 1 << 24}
WIDE = {"stream_depth": 4, "streams": 28, "events": 8, "notifies": 8, "memory": 1 << 27, "host_memory": 1 << 24}
"""Where every chapter has something alive."""
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


@cache
def _fenced() -> tuple[Fenced, ...]:
    return (Fenced("source"), Fenced("target", 2), Fenced("python object", 3), Fenced("read-only", 1, writable=False))


@cache
def _models() -> dict[str, bytes]:
    """Model files: one shape, and batch sizes to choose from."""
    body = Body("graph", nodes=({"op": "Neg", "inputs": ["x"], "outputs": ["y"], "attributes": {}},))

    def tensor(name: str, *dims: int) -> TensorDescription:
        return TensorDescription(name, 0, dims, 2)

    fixed = ModelDescription("fixed", (tensor("x", 2, 3),), (tensor("y", 2, 3),), body=body)
    gears = Gears("batch", ((1,), (4,)))
    dynamic = ModelDescription("dynamic", (tensor("x", -1, 3),), (tensor("y", -1, 3),), body=body, gears=gears)
    return {"fixed.om": write(fixed), "dynamic.om": write(dynamic)}


@cache
def _short_file() -> int:
    return short_file()


def base_type(ctype: str) -> str:
    """``aclDataBuffer`` of ``const aclDataBuffer* const[]``."""
    return ctype.replace("const", "").replace("[]", "").strip("* ").strip()


class World:
    """One example's surroundings. *choices* also decides about the product and the schedule."""

    busy = True
    """Something is queued already, and some of it waits for ever."""

    def __init__(self, choices: Choices, threads: str = "free", about: str = "", wide: bool = False) -> None:
        self.choices = choices
        self.about = about
        """The function under test: models are there only for those that may use them, since they take time."""
        self.texts: list[Value] = []
        """Texts that mean something in this world."""
        self.fenced = _fenced()
        for memory in self.fenced:
            memory.restore()
        self.sim = Simulator(
            soc=choices.pick(SOCS),
            devices=2,
            schedule=choices.pick(SCHEDULES),
            seed=choices.byte(),
            limits=WIDE if wide else LIMITS,
            threads=threads,
            reuse=choices.pick(["quarantine", "lifo"]),
            reuse_handles=bool(choices.byte() & 1),
            switches={"run_mode": "device"} if wide and choices.byte() % 4 == 1 else None,
        ).open()
        self.pools: dict[str, list[Value]] = {}
        self.addresses: list[Value] = []
        self.depth = 0
        self.calls = [self._nested(call) for call in self._own_calls()]
        self._fill()
        if wide:
            self._fill_models()
            fill_chapters(self)

    def _own_calls(self) -> list[Callable[[], Any]]:
        """What a program's callbacks do, and what it does between two calls."""
        return [
            C.aclrtSynchronizeDevice,
            lambda: C.aclrtResetDeviceForce(0),
            lambda: C.aclFinalize(),
            lambda: C.aclrtDestroyStreamForce(self.one("aclrtStream")),
            lambda: C.aclrtFree(self.one("void")),
            lambda: C.aclrtSetDevice(1),
            lambda: C.aclrtProcessReport(1),
            lambda: C.aclrtSetCurrentContext(self.one("aclrtContext")),
        ]

    def _nested(self, call: Callable[[], Any]) -> Callable[[], Any]:
        """A callback that makes a call which runs callbacks ends somewhere."""

        def nested() -> Any:
            self.depth += 1
            try:
                return call() if self.depth < 4 else 0
            finally:
                self.depth -= 1

        nested.__name__ = getattr(call, "__name__", "?")
        return nested

    # -- what there is ----------------------------------------------------------------------------------------------

    def keep(self, kind: str, label: str, result: Any) -> Any:
        """Remember the handle that a call handed out; returns it."""
        handle = result[0] if isinstance(result, tuple) else result
        self.pools.setdefault(kind, []).append((label, handle))
        return handle

    def _fill(self) -> None:
        """Something of every kind. What a product refuses is missing."""
        C.aclInit(None)
        C.aclrtSetDevice(0)
        keep = self.keep
        primary = keep("aclrtContext", "primary context", C.aclrtGetCurrentContext())
        keep("aclrtContext", "another context", C.aclrtCreateContext(0))
        keep("aclrtStream", "foreign stream", C.aclrtCreateStream())
        keep("aclrtContext", "context on device 1", C.aclrtCreateContext(1))
        dead = keep("aclrtContext", "dead context", C.aclrtCreateContext(0))
        C.aclrtDestroyContext(dead)
        C.aclrtSetCurrentContext(primary)
        stream = C.aclrtCreateStream()[0]
        self.pools["aclrtStream"].insert(0, ("stream", stream))
        keep("aclrtStream", "busy stream", C.aclrtCreateStream())
        keep("aclrtStream", "default stream", C.aclrtCtxGetCurrentDefaultStream())
        keep("aclrtStream", "persistent stream", C.aclrtCreateStreamWithConfig(0, 4))
        keep("aclrtStream", "device-only stream", C.aclrtCreateStreamWithConfig(0, 0x20))
        C.aclrtDestroyStream(keep("aclrtStream", "dead stream", C.aclrtCreateStream()))
        level = keep("aclrtEvent", "level event", C.aclrtCreateEventWithFlag(1))
        keep("aclrtEvent", "event", C.aclrtCreateEvent())
        recorded = keep("aclrtEvent", "recorded event", C.aclrtCreateEventExWithFlag(9))
        keep("aclrtEvent", "time stamp", C.aclrtCreateEventExWithFlag(8))
        keep("aclrtEvent", "external event", C.aclrtCreateEventWithFlag(0x20))
        C.aclrtDestroyEvent(keep("aclrtEvent", "dead event", C.aclrtCreateEvent()))
        if self.busy:
            C.aclrtRecordEvent(recorded, stream)
            C.aclrtStreamWaitEvent(self.pools["aclrtStream"][2][1], level)
        keep("aclrtNotify", "notify", C.aclrtCreateNotify(0))
        C.aclrtDestroyNotify(keep("aclrtNotify", "dead notify", C.aclrtCreateNotify(0)))
        self._fill_memory()
        self._fill_rest()

    def _fill_memory(self) -> None:
        block, freed = (C.aclrtMalloc(2 * PAGE, 0)[0] or 0 for _ in range(2))
        pinned, unpinned = (C.aclrtMallocHost(PAGE)[0] or 0 for _ in range(2))
        C.aclrtFree(freed)
        C.aclrtFreeHost(unpinned)
        source, target, obj, readonly = self.fenced
        self.addresses = [
            ("device", block), ("fenced", target.address), ("pinned", pinned), ("device+100", block + 100),
            ("fenced source", source.address), ("end of device", block + 2 * PAGE - 8), ("freed device", freed),
            ("pinned+64", pinned + 64), ("freed pinned", unpinned), ("end of fenced", target.address + 2 * PAGE - 8),
            ("read-only", readonly.address), ("fence", target.address - 8), ("cut off file", _short_file() + PAGE),
            ("file page", _short_file()), ("last page", (1 << 64) - 8), ("kernel", 0xFFFF_8000_0000_0000), ("16", 16),
            ("middle of object", obj.address + PAGE), ("device window", block + (1 << 23)), ("0", 0),
        ]  # fmt: skip
        self.pools["void"] = self.addresses

    def _fill_rest(self) -> None:
        keep = self.keep
        keep("aclTensorDesc", "tensor desc", C.aclCreateTensorDesc(0, 2, [2, 3], 2))
        keep("aclDataBuffer", "data buffer", C.aclCreateDataBuffer(self.addresses[0][1], PAGE))
        C.aclDestroyDataBuffer(keep("aclDataBuffer", "dead buffer", C.aclCreateDataBuffer(self.addresses[0][1], 8)))
        desc = keep("aclrtAllocatorDesc", "allocator desc", C.aclrtAllocatorCreateDesc())
        C.aclrtAllocatorSetObjToDesc(desc, 5)
        keep("aclrtBinary", "binary", C.aclrtCreateBinary(self.addresses[0][1], 64))
        code = keep("aclrtBinHandle", "kernels", C.aclrtBinaryLoadFromData(KERNELS, len(KERNELS), None))
        dead = keep("aclrtBinHandle", "dead kernels", C.aclrtBinaryLoadFromData(KERNELS, len(KERNELS), None))
        C.aclrtBinaryUnLoad(dead)
        fill = keep("aclrtFuncHandle", "kernel", C.aclrtBinaryGetFunction(code, "fill"))
        keep("aclrtFuncHandle", "kernel that raises", C.aclrtBinaryGetFunction(code, "broken"))
        args = keep("aclrtArgsHandle", "args", C.aclrtKernelArgsInit(fill))
        C.aclrtKernelArgsAppend(args, np.array([self.addresses[0][1]], np.uint64), 8)
        C.aclrtKernelArgsAppend(args, np.array([16], np.int32), 4)
        C.aclrtKernelArgsFinalize(args)
        if "mdl" in self.about or "op" in self.about:
            self._fill_models()

    def _fill_models(self) -> None:
        keep = self.keep
        attribute = keep("aclopAttr", "operator attributes", C.aclopCreateAttr())
        C.aclopSetAttrInt(attribute, "axis", 0)
        keep("aclTensorDesc", "another desc", C.aclCreateTensorDesc(0, 2, [2, 3], 2))
        keep("aclDataBuffer", "another buffer", C.aclCreateDataBuffer(self.addresses[0][1] + PAGE, PAGE))
        for name, data in _models().items():
            self.sim.models[name] = data
            model = keep("modelId", name, C.aclmdlLoadFromFile(name))
            desc = keep("aclmdlDesc", f"description of {name}", C.aclmdlCreateDesc())
            C.aclmdlGetDesc(desc, model)
        keep("modelId", "no model", 999)
        for _ in range(2):
            dataset = keep("aclmdlDataset", "dataset", C.aclmdlCreateDataset())
            buffer = C.aclCreateDataBuffer(self.addresses[0][1], 24)
            C.aclmdlAddDatasetBuffer(dataset, buffer)
        C.aclmdlDestroyDataset(keep("aclmdlDataset", "dead dataset", C.aclmdlCreateDataset()))
        keep("aclmdlAIPP", "AIPP", C.aclmdlCreateAIPP(1))
        keep("aclmdlConfigHandle", "load options", C.aclmdlCreateConfigHandle())
        keep("aclmdlExecConfigHandle", "run options", C.aclmdlCreateExecConfigHandle())
        keep("aclrtStreamConfigHandle", "stream config", C.aclrtCreateStreamConfigHandle())

    def one(self, kind: str) -> Any:
        """A live or dead thing of a kind; 0 when there is none."""
        pool = self.pools.get(kind)
        return self.choices.pick(pool)[1] if pool else 0

    # -- arguments --------------------------------------------------------------------------------------------------

    def argument(self, parameter: Parameter | None, name: str = "", letter: str = "") -> Value:
        """A value for a parameter: mostly what it asks for, sometimes anything at all."""
        odd = self.choices.byte()
        if odd >= 192:
            label, value = self.anything()
        elif parameter is not None:
            label, value = self.asked_for(base_type(parameter.ctype), parameter.kind, parameter.name)
        else:
            label, value = self.lettered(letter, name)
        if parameter is None or not parameter.ctype.startswith("const "):
            self.lend(value)
        return label, value

    def anything(self) -> Value:
        """Any number, any handle, any address, any object."""
        choices = self.choices
        kind = choices.byte() % 8
        if kind < 2:
            return integer(choices)
        if kind == 2:
            return choices.pick(self.pools[choices.pick(sorted(self.pools))])
        if kind == 3:
            return choices.pick(self.addresses)
        if kind == 4:
            return text(choices)
        if kind == 5:
            return callables(choices, self.calls)
        return anything(choices)

    def asked_for(self, base: str, kind: str, name: str) -> Value:
        """Something of the right type, if not of the right value."""
        choices = self.choices
        if kind == "pointer" and choices.byte() % 4 == 1:
            return self.buffer()
        if kind in ("pointer", "handle"):
            return choices.pick(self.pools.get(base) or self.addresses)
        if kind == "function":
            return callables(choices, self.calls)
        if kind == "string":
            return choices.pick(self.texts) if self.texts and choices.byte() % 4 == 1 else text(choices)
        if kind == "array":
            return self.array(base)
        if kind == "struct":
            return self.struct(base)
        if kind in ("f32", "f64"):
            return choices.pick([("0.0", 0.0), ("1.5", 1.5), ("nan", float("nan")), ("1e300", 1e300), ("-1", -1)])
        return self.number(name)

    def number(self, name: str) -> Value:
        choices = self.choices
        if "evice" in name and choices.byte() % 4:
            return choices.pick([("0", 0), ("1", 1)])
        if name in ("modelId", "bundleId") and "modelId" in self.pools and choices.byte() % 4:
            return choices.pick(self.pools["modelId"])
        if name in ("qid", "srcId", "dstId", "shareableHandle") and choices.byte() % 4:
            return choices.pick(self.pools.get(name if name[0] == "s" and name[1] == "h" else "qid") or [("0", 0)])
        if name == "threadId" and choices.byte() % 4:
            return "this thread", threading.get_ident()
        return small(choices)

    def buffer(self) -> Value:
        """A Python object with a buffer: in the middle page of three that are fenced."""
        memory = self.fenced[2]
        low, length = PAGE + self.choices.byte(), self.choices.byte()
        memory.lend(memory.address + low)  # a view may be the first part of what the program means
        return f"buffer of {length} bytes", memory.bytes[low : low + length]

    def array(self, base: str) -> Value:
        choices = self.choices
        if choices.byte() % 4 == 1:
            return choices.pick(self.addresses)
        kind = "struct" if base.startswith("acl") and hasattr(structs, base) else "u64"
        items = [self.asked_for(base, "handle" if base in self.pools else kind, "") for _ in range(choices.byte() % 4)]
        values = [value for _, value in items]
        if choices.byte() % 4 == 1 and all(type(v) is int and 0 <= v < 1 << 63 for v in values):
            return f"array {values}", np.array(values, np.int64)
        return f"[{', '.join(label for label, _ in items)}]", values

    def struct(self, base: str) -> Value:
        """A struct with some of its fields filled in; sometimes another struct."""
        choices = self.choices
        kind = getattr(structs, base, None)
        if kind is None:
            return anything(choices)
        return base, self._filled(kind, 0)

    def _filled(self, kind: Any, depth: int) -> Any:
        made = kind()
        for place in attrs.fields(type(made)):
            old = getattr(made, place.name)
            if not self.choices.byte() % 2:
                continue
            if isinstance(old, int):
                value: Any = self.choices.pick([small, small, lambda c: c.pick(self.addresses)])(self.choices)[1]
            elif attrs.has(type(old)) and depth < 3:
                value = self._filled(type(old), depth + 1)
            elif isinstance(old, list):
                value = [small(self.choices)[1] for _ in range(self.choices.byte() % 4)]
            else:
                value = self.anything()[1]
            setattr(made, place.name, value)
        return made

    def lettered(self, letter: str, name: str) -> Value:
        """A value for a pyACL parameter, by the letter of its format."""
        choices = self.choices
        if letter in ("k", "K"):
            if choices.byte() % 3 == 0:
                return small(choices)
            return choices.pick(self.pools[choices.pick(sorted(self.pools))])
        if letter == "s":
            return text(choices)
        if letter == "f":
            return choices.pick([("0.0", 0.0), ("1.5", 1.5), ("nan", float("nan")), ("3", 3)])
        if letter == "O":
            kinds = [lambda: self.array("void"), self.buffer, lambda: callables(choices, self.calls), self.anything]
            return choices.pick([*kinds, self.media_dict, self.media_dict] if "aclTensor" in self.pools else kinds)()
        return self.number(name)

    def media_dict(self) -> Value:
        """A dict as the second media interface takes them, with some of the fields."""
        choices, made = self.choices, {}
        for _ in range(choices.byte() % 12):
            odd = choices.byte()
            if odd < 100:
                value: Any = small(choices)[1]
            elif odd < 200:
                value = choices.pick(self.addresses)[1]
            elif odd < 225:
                value = [small(choices)[1] for _ in range(odd % 4)]
            else:
                value = self.anything()[1]
            made[choices.pick(MEDIA_DICT)] = value
        return f"{made!r:.200}" if not any(map(callable, made.values())) else "dict", made

    def lend(self, value: Any) -> None:
        """A call that gets *value* may write to the memory that it names."""
        if isinstance(value, int):
            for memory in self.fenced:
                memory.lend(value)
        elif type(value) in (list, tuple) and len(value) < 100:
            for item in value:
                if item is not value:
                    self.lend(item)
        elif type(value) is dict:
            self.lend(list(value.values()))
        elif type(value) is np.ndarray and value.dtype == np.int64 and value.ndim == 1:
            self.lend([int(v) for v in value[:100]])
        elif attrs.has(type(value)):
            self.lend([getattr(value, place.name) for place in attrs.fields(type(value))])

    def found(self, parameter: Parameter, value: Any) -> None:
        """A call handed out *value*: later calls may get it."""
        if parameter.name in ("modelId", "bundleId"):
            self.pools.setdefault("modelId", []).append(("model made before", value))
        elif parameter.kind == "handle" and type(value) is int and value:
            self.harvest(parameter.ctype, value)

    def harvest(self, ctype: str, handle: int) -> None:
        """Later calls may get *handle*."""
        kind = base_type(ctype)
        self.pools.setdefault(kind, []).append((f"{kind} made before", handle))

    # -- afterwards -------------------------------------------------------------------------------------------------

    def synchronize(self) -> None:
        """Let everything that is queued happen."""
        try:
            C.aclrtSynchronizeDevice()
        except (SimulatedHang, Outcry):
            pass

    def meanwhile(self) -> None:
        """Something that a program might do between two calls."""
        try:
            self.choices.pick(self.calls)()
        except (SimulatedHang, Outcry):
            return

    def settle(self) -> None:
        """What was queued runs, unless it waits for ever."""
        for context in [value for _, value in self.pools["aclrtContext"]]:
            if C.aclrtSetCurrentContext(context) == 0:
                self.synchronize()

    def trespass(self) -> str:
        """What happened to memory that no call may touch; empty when nothing did."""
        for memory in self.fenced:
            at = memory.trespass()
            if at is not None:
                return f"byte {at} of the fenced memory {memory.name!r} was overwritten"
        return ""
