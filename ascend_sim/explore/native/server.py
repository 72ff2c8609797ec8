"""The process from which the runs of a program are forked, as the search sees it."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO

from ascend_sim.explore.native import VARIABLE
from ascend_sim.explore.native.messages import Frames, framed
from ascend_sim.native.programs import ONE_THREAD, fixed_addresses, native_environment

__all__ = ["Server", "ServerLost"]

PATIENCE = 0.1
"""Seconds between two looks whether the time is up."""
CHUNK = 1 << 16
MOST_OUTPUT = 1 << 24
"""Bytes that are kept of what a run prints."""


class ServerLost(OSError):
    """The process ended, or never loaded the library; the text says which."""


class Server:
    """One of *command*. Raises CompilerError, OSError; ServerLost when the program ends without a call."""

    def __init__(self, command: Sequence[str], name: str, over: Callable[[], bool]) -> None:
        self._name = name
        self._control, theirs = socket.socketpair()
        self._data, their_data = socket.socketpair()
        self._output: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as this
        self._input = _rewindable(0)
        self._errors: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115
        environment = native_environment(ONE_THREAD | os.environ)
        environment[VARIABLE] = f"{theirs.fileno()},{their_data.fileno()}"
        with theirs, their_data:
            self._process = subprocess.Popen(
                command, env=environment, pass_fds=(theirs.fileno(), their_data.fileno()), start_new_session=True,
                stdin=None if self._input is not None else subprocess.DEVNULL, stdout=self._output, stderr=self._errors,
                preexec_fn=fixed_addresses,  # noqa: PLW1509  # this process has one thread
            )  # fmt: skip
        said = self._from_control(over)
        if said == b"":
            code = self._process.wait()
            self.end()
            how = f"exit code {code}" if code >= 0 else f"signal {-code}"
            raise ServerLost(
                f"{name} ended ({how}) without loading libascendcl.so: there is nothing to explore{self._last_words()}"
            )
        if said == b"t":
            self.end()
            raise ServerLost(f"{name} had started threads when it loaded libascendcl.so: link it to the library")

    def _last_words(self) -> str:
        self._errors.seek(0)
        text = self._errors.read(CHUNK).decode("utf-8", "replace").strip()
        return "; it said: " + text.splitlines()[-1][:200] if text else ""

    def _from_control(self, over: Callable[[], bool]) -> bytes:
        """What the server says first; empty: it has ended."""
        while True:
            readable, _, _ = select.select([self._control], [], [], PATIENCE)
            if readable:
                return self._control.recv(1)
            if over():
                self.end()
                return b""

    def warm(self, functions: Sequence[str], modules: Sequence[str]) -> None:
        """Let runs begin with these functions and modules known: each would look for them again."""
        self._control.sendall(b"w")
        self._data.sendall(framed((tuple(functions), tuple(modules))))

    def run(self, request: Any, answer: Callable[[Any], Any], over: Callable[[], bool]) -> tuple[int | None, bytes]:
        """One run. *answer*: what to say to a message of it, None: nothing. *over*: whether the time is up.

        Returns the status as of `os.waitpid`, None when it was ended since its time was up, and what it printed. Raises
        ServerLost.
        """
        os.ftruncate(self._output.fileno(), 0)
        os.lseek(self._output.fileno(), 0, os.SEEK_SET)
        if self._input is not None:
            os.lseek(0, self._input, os.SEEK_SET)
        self._control.sendall(b"r")
        self._data.sendall(framed(request))
        frames = Frames()
        told = b""
        killed = False
        while len(told) < 8:  # the number of the process, then its status
            readable, _, _ = select.select([self._data, self._control], [], [], PATIENCE)
            if self._data in readable:
                for message in frames.add(self._data.recv(CHUNK)):
                    self._reply(answer(message))
            elif self._control in readable:
                more = self._control.recv(8 - len(told))
                if not more:
                    raise ServerLost(f"the process of {self._name} ended: {self._process.wait()}{self._last_words()}")
                told += more
            if not killed and len(told) == 4 and over():
                killed = True
                os.kill(int.from_bytes(told, "little"), signal.SIGKILL)
        while select.select([self._data], [], [], 0)[0]:  # what it said last
            for message in frames.add(self._data.recv(CHUNK)):
                answer(message)
        status = int.from_bytes(told[4:], "little")
        return None if killed else status, os.pread(self._output.fileno(), MOST_OUTPUT, 0)

    def _reply(self, value: Any) -> None:
        if value is not None:
            self._data.sendall(framed(value))

    def end(self) -> None:
        """End it, with the run that is under way."""
        self._control.close()
        self._data.close()
        self._process.kill()
        self._process.wait()


def _rewindable(file: int) -> int | None:
    """Where the descriptor *file* stands, if each run can read what comes from there."""
    try:
        return os.lseek(file, 0, os.SEEK_CUR)
    except OSError:
        return None
