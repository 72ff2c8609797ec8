"""Processes that run schedules: spawned, and not from what lies in the working directory."""

from __future__ import annotations

import multiprocessing.context
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess
from typing import Any

from ascend_sim.explore.programs import provide_acl

__all__ = ["SafeSpawn", "start_worker"]

_SAFE = "PYTHONSAFEPATH"


@contextmanager
def _safe_path() -> Iterator[None]:
    """Interpreters that start here are given their program with -c, and do not look in the working directory for it."""
    known = os.environ.get(_SAFE)
    folder = os.getcwd() if sys.version_info < (3, 11) else ""
    os.environ[_SAFE] = "1"
    if folder:  # it knows no such variable; the new process goes back by itself
        os.chdir(os.sep)
    try:
        yield
    finally:
        if folder:
            os.chdir(folder)
        if known is None:
            del os.environ[_SAFE]
        else:
            os.environ[_SAFE] = known


class _Process(multiprocessing.context.SpawnProcess):
    @staticmethod
    def _Popen(process_obj: BaseProcess) -> Any:
        with _safe_path():
            return multiprocessing.context.SpawnProcess._Popen(process_obj)


class SafeSpawn(multiprocessing.context.SpawnContext):
    """The context ``spawn``; the program finds its own modules as ever, since it puts its folder on the path itself."""

    Process = _Process

    def __init__(self) -> None:
        with _safe_path():
            resource_tracker.ensure_running()


def start_worker(safe_path: str | None) -> None:
    """In a worker: what the program starts is none of the tool's processes, and gets the *safe_path* of the user."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # a terminal sends Ctrl-C to all: the one that hands out the work decides
    if safe_path is None:
        os.environ.pop(_SAFE, None)
    provide_acl()
