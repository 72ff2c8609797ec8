"""What a row gets: one fresh simulator, calls under one face, and the things that situations are made of."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Any

from ascend_sim.errors import SimulatedHang
from ascend_sim.runtime.task import Op, Task, TaskFault
from ascend_sim.simulator import LOCAL, Simulator
from tests.conformance.faces import Face
from tests.conformance.registry import Row

__all__ = ["STALE", "Disagreement", "World"]

STALE = 0xDEAD_0000_0010
"""A number that no call ever handed out."""

MS = 1_000_000
SYNC, TIME_LINE, DEVICE_USE_ONLY, EXTERNAL, IPC = 1, 8, 0x10, 0x20, 0x40
H2H, H2D, D2H, D2D, DEFAULT = range(5)
HUGE_FIRST, HUGE_ONLY, NORMAL_ONLY = range(3)


class Disagreement(AssertionError):
    """The simulator does not answer what the row says."""


class World:
    """The situation of one row on one face."""

    def __init__(self, sim: Simulator, face: Face, row: Row) -> None:
        self.sim = sim
        self.face = face
        self.row = row
        self.answers: list[tuple[str, int | None]] = []
        self._kept: list[object] = []

    # -- calling -------------------------------------------------------------------------------------------------------

    def call(self, name: str, *inputs: Any) -> tuple[tuple[Any, ...], int]:
        """The outputs and the code of a call."""
        answer = self.face.call(name, inputs)
        outputs, code = (tuple(answer[:-1]), answer[-1]) if isinstance(answer, tuple) else ((), answer)
        self.answers.append((name, code))
        return outputs, code

    def value(self, name: str, *inputs: Any) -> Any:
        """What a function without a return code answers."""
        answer = self.face.call(name, inputs)
        self.answers.append((name, answer if isinstance(answer, int) else None))
        return answer

    def ok(self, name: str, *inputs: Any) -> Any:
        """A call that succeeds: its output, several as a tuple, None for none."""
        outputs, code = self.call(name, *inputs)
        if code != 0:
            raise Disagreement(f"{self._said(name, inputs)} answered {code}, not 0\n{self._why()}")
        return outputs[0] if len(outputs) == 1 else outputs or None

    def refuse(self, code: int, name: str, *inputs: Any) -> tuple[Any, ...]:
        """A call that answers *code*; returns its outputs."""
        outputs, found = self.call(name, *inputs)
        if found != code:
            raise Disagreement(
                f"{self._said(name, inputs)} answered {found}, not {code}\n{self._why() if found else ''}"
            )
        return outputs

    def expect(self, name: str, *inputs: Any) -> tuple[Any, ...]:
        """A call that answers the code of the row; returns its outputs."""
        assert self.row.expected is not None, "the row has no number: use refuse"
        return self.refuse(self.row.expected, name, *inputs)

    def _said(self, name: str, inputs: tuple[Any, ...]) -> str:
        shown = ", ".join(hex(x) if type(x) is int and x > 0xFFFF else repr(x) for x in inputs)
        return f"{name}({shown}) through {self.face.name}"

    def _why(self) -> str:
        from ascend_sim import ascendcl

        return str(ascendcl.aclGetRecentErrMsg() or "")

    def same(self, found: object, wanted: object, what: str) -> None:
        """*found* is *wanted*."""
        if found != wanted:
            raise Disagreement(f"{what}: {found!r}, not {wanted!r}")

    def hangs(self, name: str, *inputs: Any) -> None:
        """A call that can never return: the simulator says so."""
        try:
            _, code = self.call(name, *inputs)
        except SimulatedHang:
            return
        raise Disagreement(f"{self._said(name, inputs)} answered {code}: it should wait for ever")

    # -- the world -----------------------------------------------------------------------------------------------------

    def stream(self, flags: int = 0) -> int:
        """A stream of the current context."""
        return int(self.ok("aclrtCreateStreamWithConfig", 0, flags) if flags else self.ok("aclrtCreateStream"))

    def auto(self) -> int:
        """An event of aclrtCreateEvent."""
        return int(self.ok("aclrtCreateEvent"))

    def level(self, flags: int = SYNC) -> int:
        """An event of aclrtCreateEventWithFlag."""
        return int(self.ok("aclrtCreateEventWithFlag", flags))

    def ex(self, flags: int = SYNC) -> int:
        """An event of aclrtCreateEventExWithFlag."""
        return int(self.ok("aclrtCreateEventExWithFlag", flags))

    def foreign_stream(self, device: int = 0) -> int:
        """A stream of another context than the current one, which stays current."""
        mine = self.ok("aclrtGetCurrentContext")
        self.ok("aclrtCreateContext", device)
        stream = self.stream()
        self.ok("aclrtSetCurrentContext", mine)
        return stream

    def host(self, size: int = 256, fill: int = 0) -> int:
        """The address of ordinary host memory, filled with *fill*."""
        memory = ctypes.create_string_buffer(bytes([fill]) * size, size)
        self._kept.append(memory)
        return ctypes.addressof(memory)

    def pages(self, size: int = 4096) -> int:
        """The address of ordinary host memory that begins with a page, as registering asks for."""
        return -(-self.host(size + 4095) // 4096) * 4096

    def pinned(self, size: int = 256, fill: int = 0) -> int:
        """Page-locked host memory, filled with *fill*."""
        address = int(self.ok("aclrtMallocHost", size))
        ctypes.memset(address, fill, size)
        return address

    def device(self, size: int = 256, fill: int | None = None) -> int:
        """Device memory of the current device, filled with *fill*."""
        address = int(self.ok("aclrtMalloc", size, HUGE_FIRST))
        if fill is not None:
            self.ok("aclrtMemset", address, size, fill, size)
        return address

    def read(self, address: int, size: int = 1) -> bytes:
        """What stands in host memory at *address*."""
        return ctypes.string_at(address, size)

    def peek(self, address: int, size: int = 1) -> bytes:
        """What stands in device memory at *address*, copied out at once."""
        here = self.host(size)
        self.ok("aclrtMemcpy", here, size, address, size, D2H)
        return self.read(here, size)

    # -- device side ---------------------------------------------------------------------------------------------------

    def _submit(self, stream: int, op: Op) -> None:
        state = LOCAL.state
        state.threads.enter(state)
        try:
            target: Any = self.sim.handles[stream]
            target.submit(state, op)
        finally:
            if state.threads.locked:
                state.threads.leave(state)

    def work(self, stream: int, ns: int = 5 * MS, ran: list[int] | None = None) -> None:
        """A task of *ns* on the device; it appends its end to *ran*."""

        def note(_: Task, time: int) -> None:
            if ran is not None:
                ran.append(time)

        self._submit(stream, Op("work", ns, note))

    def fault(self, stream: int, code: int, ns: int = 1000) -> None:
        """A task that fails with *code*."""

        def fail(_: Task, __: int) -> None:
            raise TaskFault(code, "injected")

        self._submit(stream, Op("faulty work", ns, fail))

    def hold(self, stream: int) -> int:
        """Make *stream* wait until the returned event is recorded somewhere else."""
        event = self.level()
        self.ok("aclrtStreamWaitEvent", stream, event)
        return event

    def default_stream(self) -> int:
        """The real handle of the default stream."""
        return int(self.ok("aclrtCtxGetCurrentDefaultStream"))

    # -- threads -------------------------------------------------------------------------------------------------------

    def in_thread(self, body: Callable[[], Any]) -> Any:
        """Run *body* in a fresh host thread, to its end; hands on what it returns or raises."""
        box: list[Any] = []

        def run() -> None:
            try:
                box.append((body(), None))
            except BaseException as error:  # noqa: BLE001 - raised again in the thread of the row
                box.append((None, error))

        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
        result, error = box[0]
        if error is not None:
            raise error
        return result
