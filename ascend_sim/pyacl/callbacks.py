"""Python functions that pyACL hands to C: what its trampolines pass on, and what becomes of exceptions.

The real module drops the result of a callback and leaves the error of a failing one set in its thread, so that the
pyACL call that ran it fails with SystemError (docs/semantics/pyacl.md#python-callbacks, partly a guess from the
source).
"""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any

from ascend_sim import simulator

__all__ = [
    "PENDING",
    "DumpCallback",
    "ExceptionCallback",
    "LaunchedCallback",
    "Pending",
    "allocator_callback",
    "needs_callable",
]


class Pending(threading.local):
    """The exception that a callback left behind in this thread, until a pyACL function returns in it."""

    error: Exception | None = None

    def raise_in(self, name: str) -> None:
        """SystemError when a callback raised in this thread since the last look."""
        error, self.error = self.error, None
        if error is not None:
            text = f"<built-in function {name}> returned a result with an exception set"
            raise SystemError(text) from error


PENDING = Pending()


def needs_callable(value: Any, text: str = "parameter must be callable") -> Any:
    """*value* if it can be called, else TypeError."""
    if not callable(value):
        raise TypeError(text)
    return value


class LaunchedCallback:
    """What ``launch_callback`` gives to C: calls ``function(user_data)`` whatever C passes along."""

    __slots__ = ("__wrapped__", "function", "user_data")

    def __init__(self, function: Callable[[Any], Any], user_data: Any) -> None:
        self.function = function
        self.user_data = user_data
        self.__wrapped__ = function

    @property
    def __name__(self) -> str:
        return getattr(self.function, "__name__", type(self.function).__name__)

    def __call__(self, _: object = None) -> None:
        try:
            self.function(self.user_data)
        except Exception as error:  # noqa: BLE001 - any error of the user's callback, as in C
            PENDING.error = error


class ExceptionCallback:
    """What ``set_exception_info_callback`` gives to C: a function that raised once is dropped for good."""

    __slots__ = ("__wrapped__", "function")

    def __init__(self, function: Callable[[int], Any]) -> None:
        self.function: Callable[[int], Any] | None = function
        self.__wrapped__ = function

    @property
    def __name__(self) -> str:
        return getattr(self.__wrapped__, "__name__", type(self.__wrapped__).__name__)

    def __call__(self, info: int) -> None:
        function = self.function
        if function is None:
            return
        try:
            function(info)
        except Exception:  # noqa: BLE001 - any error of the user's callback, as in C
            self.function = None
            traceback.print_exc(file=sys.stderr)


class DumpCallback:
    """What ``dump_reg_callback`` gives to C: turns the chunk into a dict."""

    __slots__ = ("__wrapped__", "function")

    def __init__(self, function: Callable[[dict[str, Any]], Any]) -> None:
        self.function = function
        self.__wrapped__ = function

    def __call__(self, chunk: Any, _: int = 0) -> int:
        try:
            self.function(
                {
                    "file_name": chunk.fileName,
                    "data_buf": chunk.dataBuf,
                    "buf_len": chunk.bufLen,
                    "is_last_chunk": chunk.isLastChunk,
                    "offset": chunk.offset,
                    "flag": chunk.flag,
                }
            )
        except Exception as error:  # noqa: BLE001 - any error of the user's callback, as in C
            PENDING.error = error
            return -1
        return 0


_SLOTS: dict[str, Callable[..., Any]] = {}
"""The functions of an allocator as the published binding keeps them: one a kind for the whole process. It drops what
alloc, alloc-advise and get-address return (C sees NULL), so that it can serve no execution."""


def _trampoline(kind: str) -> Callable[..., None]:
    def call(*arguments: Any) -> None:
        _SLOTS[kind](*arguments)

    call.__name__ = f"pyacl_{kind}"
    return call


_TRAMPOLINES = {kind: _trampoline(kind) for kind in ("alloc", "free", "advise", "get_address")}


def allocator_callback(kind: str, function: Any) -> Any:
    """What C is given for the Python *function* of an allocator; the switch ``pyacl_allocator`` says which binding."""
    sim = simulator.current()
    if sim is None or sim.profile.switches["pyacl_allocator"] != "published" or not callable(function):
        return function
    _SLOTS[kind] = function
    return _TRAMPOLINES[kind]
