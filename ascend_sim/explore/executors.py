"""Where the schedules of an exploration run: ``process:N`` on this machine, ``dask:ADDRESS`` on a cluster.

Each share of the work runs in a process of its own that this module starts, on a cluster beside the worker of dask: the
simulator takes over threads and clocks of the process it runs in. The program and its options go there once. A process that
dies costs its share only: `parallel.Campaign` hands it out again.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from ascend_sim._version import __version__
from ascend_sim.catalogue.tables import PACKAGE
from ascend_sim.explore.child import receive, send
from ascend_sim.explore.parallel import Batch, WorkerLost

__all__ = ["LocalProcesses", "chosen_executor"]

MOST = 1024


@contextmanager
def chosen_executor(text: str) -> Iterator[Executor]:
    """The executor that ``process:N`` or ``dask:ADDRESS`` names. Raises ValueError for another text, or without dask."""
    kind, _, rest = text.partition(":")
    if kind == "process" and rest.isascii() and rest.isdigit() and 1 <= int(rest[:9]) <= MOST:
        with LocalProcesses(int(rest)) as executor:
            yield executor
    elif kind == "dask" and rest:
        with _dask(rest) as executor:
            yield executor
    else:
        raise ValueError(f"executor is {text!r}: process:N (1 to {MOST}) or dask:ADDRESS is required")


class Child:
    """A process that runs batches of one work, one after the other."""

    def __init__(self, work: bytes, path: list[str], variables: dict[str, str]) -> None:
        environment = {**os.environ, **variables}
        self._process = subprocess.Popen(
            [sys.executable, os.path.join(PACKAGE, "explore", "child.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env=environment, start_new_session=True,
        )  # fmt: skip
        try:
            self._ask((path, variables))
            version = self._answer()
            if version != __version__:
                raise ValueError(f"a worker has ascend_sim {version}, this is {__version__}")
            self._ask(work)
            self._raise(self._answer())
        except BaseException:
            self.end()
            raise

    def run(self, batch: Batch) -> Any:
        """Run *batch*. Raises WorkerLost when the process dies."""
        self._ask(batch)
        return self._raise(self._answer())

    @staticmethod
    def _raise(answer: Any) -> Any:
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _ask(self, value: Any) -> None:
        assert self._process.stdin is not None
        try:
            send(self._process.stdin, value)  # type: ignore[arg-type]
        except OSError:
            raise WorkerLost("it ended before it got its work") from None

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        try:
            return receive(self._process.stdout)  # type: ignore[arg-type]
        except (EOFError, OSError):
            raise WorkerLost(f"it ended with {self._process.wait()}") from None

    def end(self) -> None:
        """End it; it is not asked."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    pass


class Slot:
    """A place for one child at a time: a new one when the last has died, or for another work."""

    def __init__(self) -> None:
        self._child: Child | None = None
        self._work = b""
        self.over = False
        """No batch is to run any more: a child that has just been started ends."""

    def run(self, work: bytes, batch: Batch, path: list[str], variables: dict[str, str]) -> Any:
        """Run *batch* of *work*. Raises WorkerLost."""
        if self._child is None or self._work != work:
            self.end()
            self._child, self._work = Child(work, path, variables), work
        if self.over:
            self.end()
            raise WorkerLost("the search has ended")
        try:
            return self._child.run(batch)
        except WorkerLost:
            self.end()
            raise

    def end(self) -> None:
        """End the child."""
        if self._child is not None:
            self._child.end()
        self._child = None


def _variables() -> dict[str, str]:
    """What decides how a program runs: settings, and the order of sets of strings."""
    kept = {name: value for name, value in os.environ.items() if name.startswith("ASCEND_SIM_")}
    return {"PYTHONHASHSEED": os.environ.get("PYTHONHASHSEED", "random"), **kept}


class LocalProcesses(Executor):
    """So many processes of this machine. They start when there is work, and end with this."""

    def __init__(self, many: int) -> None:
        self._threads = ThreadPoolExecutor(many)
        self._slots: list[Slot] = []
        self._mine = threading.local()
        self._works = Works()
        self._over = False

    def submit(self, function: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        """Run a batch; *function* is `run_jobs`."""
        (batch,) = given
        return self._threads.submit(self._run, self._works.of(batch), batch.without_work())

    def _run(self, work: bytes, batch: Batch) -> Any:
        slot: Slot | None = getattr(self._mine, "slot", None)
        if slot is None:
            slot = self._mine.slot = Slot()
            self._slots.append(slot)
            if self._over:
                slot.over = True
        return slot.run(work, batch, list(sys.path), _variables())

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes: what they were at is of no use any more."""
        self._over = True
        for slot in self._slots:
            slot.over = True
            slot.end()
        self._threads.shutdown(wait=wait, cancel_futures=True)


class Works:
    """The pickled work of an exploration, made once."""

    def __init__(self) -> None:
        self._key: Any = None
        self._data = b""

    def of(self, batch: Batch) -> bytes:
        """The work of *batch*."""
        work = batch.work()
        if self._key is None or self._key[0] is not work[0]:
            self._key, self._data = work, pickle.dumps(work)
        return self._data


# -- a cluster ---------------------------------------------------------------------------------------------------------

_BESIDE: list[Slot] = []
_BESIDE_LOCK = threading.Lock()
"""The children of a worker of dask that are free."""


def run_beside(work: bytes, batch: Batch, path: list[str], variables: dict[str, str]) -> Any:
    """In a worker of dask: run *batch* in a process beside it, which is kept for the next one."""
    with _BESIDE_LOCK:
        slot = _BESIDE.pop() if _BESIDE else Slot()
    try:
        return slot.run(work, batch, path, variables)
    finally:
        with _BESIDE_LOCK:
            _BESIDE.append(slot)


def end_beside() -> None:
    """In a worker of dask: end the processes beside it."""
    with _BESIDE_LOCK:
        while _BESIDE:
            _BESIDE.pop().end()


class ClusterExecutor(Executor):
    """A cluster of dask, by its client. The work is scattered to all workers once."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._works = Works()
        self._sent: tuple[bytes, Any] | None = None
        self._waiting = ThreadPoolExecutor(16)

    def submit(self, function: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        """Run a batch; *function* is `run_jobs`."""
        (batch,) = given
        work = self._works.of(batch)
        if self._sent is None or self._sent[0] is not work:
            self._sent = work, self._client.scatter(work, broadcast=True)
        task = self._client.submit(
            run_beside, self._sent[1], batch.without_work(), list(sys.path), _variables(), pure=False, retries=0
        )
        return self._waiting.submit(self._result, task)

    def _result(self, task: Any) -> Any:
        from distributed import CancelledError, KilledWorker

        try:
            return task.result()
        except (KilledWorker, CancelledError, OSError) as error:
            self._sent = None  # what was scattered may be gone with the worker
            raise WorkerLost(str(error)) from None

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes beside the workers."""
        self._client.run(end_beside)
        self._waiting.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _dask(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client
    except ImportError:
        raise ValueError("dask:ADDRESS needs dask.distributed: pip install 'ascend-sim[cluster]'") from None
    try:
        client = Client(address)  # type: ignore[no-untyped-call, unused-ignore]
    except (OSError, ValueError) as error:
        raise ValueError(f"there is no scheduler of dask at {address!r}: {error}") from None
    with client, ClusterExecutor(client) as executor:
        yield executor
