"""Two real processes of one run, from inside a test: a fork of it plays the other one, with a simulator of its own.

Cheaper than two programs by far, and both sides are functions of the test. They have a line to each other, as programs
have pipes, over which keys go.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import shutil
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ascend_sim import SimulatedHang, Simulator
from ascend_sim import ascendcl as C
from ascend_sim.runtime.processes.board import FIRST, VARIABLE, myself, name_for
from ascend_sim.runtime.processes.neighbours import Neighbours
from tests.kit.calls import Calls, must
from tests.kit.forks import HANG

__all__ = ["Ended", "Side", "one_run", "pair"]


class Side(Calls):
    """One of the two: calls by short names, and the line to the other one."""

    def __init__(self, sim: Simulator, line: socket.socket, child: int = 0) -> None:
        super().__init__(sim)
        self.line = line
        self.child = child
        """The process number of the other one; 0 in the child."""
        self.kept: list[Any] = []

    def send(self, *values: Any) -> None:
        """Hand *values* over."""
        data = pickle.dumps(values)
        self.line.sendall(len(data).to_bytes(4, "little") + data)

    def receive(self) -> Any:
        """What the other one has sent next; several values as a tuple."""
        values = pickle.loads(_exactly(self.line, int.from_bytes(_exactly(self.line, 4), "little")))
        return values[0] if len(values) == 1 else values

    def key(self, call: str, *arguments: Any) -> str:
        """The key that *call* writes: aclrtIpcMemGetExportKey with address, size and flags, or that of a notify."""
        room = np.zeros(65, np.uint8)
        must(getattr(C, call)(*arguments[:-1], room.ctypes.data, 65, arguments[-1]))
        return bytes(room).partition(b"\0")[0].decode()

    def bytes_at(self, address: int, size: int = 8) -> bytes:
        """Device memory, copied to the host."""
        host = np.zeros(size, np.uint8)
        must(C.aclrtMemcpy(host.ctypes.data, size, address, size, 2))
        return bytes(host)

    def titles(self) -> list[str]:
        """The findings so far, as ``kind: title``."""
        return [f"{finding.kind}: {finding.title}" for finding in self.sim.findings]


class Ended(NamedTuple):
    """How a side ended: what its function returned, and its findings."""

    value: Any
    kinds: list[str]
    titles: list[str]
    status: int = 0


@contextlib.contextmanager
def one_run() -> Iterator[str]:
    """The variables of a run whose first process is this one; nothing of it stays."""
    before = {name: os.environ.get(name) for name in (VARIABLE, FIRST)}
    folder = name_for(myself())
    os.environ.update({VARIABLE: folder, FIRST: myself()})
    try:
        yield folder
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        shutil.rmtree(folder, ignore_errors=True)


def pair(
    here: Callable[[Side], Any], there: Callable[[Side], Any], *, leave: bool = False, **options: Any
) -> tuple[Ended, Ended]:
    """Run *here* in this process and *there* in a fork, each in a `Simulator(**options)` with device 0 set.

    *leave*: the fork ends at once after its function, as by a signal: without closing anything.
    """
    ours, theirs = socket.socketpair()
    results, result = socket.socketpair()
    with one_run():
        child = os.fork()
        if child == 0:
            ours.close()
            results.close()
            _play(there, theirs, result, leave, options)
        theirs.close()
        result.close()
        signal.alarm(int(HANG))
        try:
            with Simulator(**options) as sim:
                must(C.aclrtSetDevice(0))
                _exactly(ours, 1)  # the other one can be seen from now on
                side = Side(sim, ours, child)
                value = here(side)
                first = Ended(value, side.kinds(), side.titles())
            _, status = os.waitpid(child, 0)
        finally:
            signal.alarm(0)
        found = b""
        while part := results.recv(1 << 16):
            found += part
    ours.close()
    results.close()
    second = pickle.loads(found) if found else (None, [], [])
    if len(second) == 1:
        raise AssertionError(f"the other process failed:\n{second[0]}")
    return first, Ended(*second, os.waitstatus_to_exitcode(status))


def _play(
    body: Callable[[Side], Any], line: socket.socket, result: socket.socket, leave: bool, options: dict[str, Any]
) -> None:
    """The life of the fork."""
    try:
        with Simulator(**options) as sim:
            must(C.aclrtSetDevice(0))
            Neighbours.of(sim)
            line.sendall(b"!")
            side = Side(sim, line)
            try:
                value: Any = body(side)
            except SimulatedHang as hang:
                value = f"hang: {hang}"
            result.sendall(pickle.dumps((value, side.kinds(), side.titles())))
            if leave:
                os._exit(0)
    except BaseException:  # noqa: BLE001 - told in the test
        result.sendall(pickle.dumps((traceback.format_exc(),)))
    finally:
        sys.stdout.flush()
        os._exit(0)


def _exactly(line: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        part = line.recv(size - len(found))
        if not part:
            raise EOFError("the other process has ended")
        found += part
    return found
