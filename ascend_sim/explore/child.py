"""A process that runs parts of an exploration: batches come in on its standard input, results go out on its output.

Started as a file by `executors.py`. The work (program, options) comes once, before the first batch. Both sides are the same
user's: what travels are pickles, between a process and one that it started itself.
"""

from __future__ import annotations

import os
import pickle
import sys
from typing import Any, BinaryIO

if __name__ == "__main__" and not getattr(sys.flags, "safe_path", False):
    # as for the tool itself: nothing in this folder is a module of the program's
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

__all__ = ["receive", "send"]

_LENGTH = 8


def send(stream: BinaryIO, value: Any) -> None:
    """Write *value*. Raises OSError when the other side is gone."""
    data = pickle.dumps(value)
    stream.write(len(data).to_bytes(_LENGTH, "little"))
    stream.write(data)
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    """Read a value. Raises EOFError when the other side is gone."""
    return pickle.loads(_exactly(stream, int.from_bytes(_exactly(stream, _LENGTH), "little")))


def _exactly(stream: BinaryIO, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError("the other process has ended")
    return data


def main() -> None:
    """Serve until the input ends."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the program prints must not get between
    from ascend_sim._version import __version__
    from ascend_sim.explore.workers import start_worker
    from ascend_sim.runtime.own_imports import for_program

    start_worker(None)
    path, variables = receive(sys.stdin.buffer)
    sys.path[:] = path
    os.environ.update(variables)
    from ascend_sim.explore.parallel import run_jobs

    send(out, __version__)
    try:
        data = receive(sys.stdin.buffer)
        try:
            work = for_program(pickle.loads, data)
        except Exception as error:  # noqa: BLE001 - the program's own modules may raise anything
            send(out, RuntimeError(f"a worker cannot load the program: {type(error).__name__}: {error}"))
            return
        send(out, None)
        while True:
            batch = receive(sys.stdin.buffer)
            try:
                answer: Any = run_jobs(batch.with_work(work))
            except Exception as error:  # noqa: BLE001 - whatever it is, the side that decides raises it
                answer = RuntimeError(f"{type(error).__name__}: {error}")
            send(out, answer)
    except EOFError:
        return


if __name__ == "__main__":
    main()
