"""The fence around texts: what a report names, quotes or prints may become plainer, but never raises into a call.

A report looks into the program: it reads source files, parses them, asks objects for their words. All of that can fail
for reasons that have nothing to do with the fault that it is about. ``ast.parse`` raised SystemError inside a garbage
collection (CPython 3.11); near the limit of recursion nothing can be parsed; a file has vanished; ``__repr__`` raises. The
call of the program that happened to need the text must not fail for that, and the finding must not be lost.

So every function that makes texts is behind `fenced`, which says what stands in its place. This is the one place that
catches whatever is raised. Nothing is hidden: the next finding of the thread has a note (`taken`), and with
``ASCEND_SIM_DEBUG_TEXTS=1`` the error leaves the call with its traceback
(docs/semantics/reports.md#texts-that-cannot-be-made).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from ascend_sim.catalogue.tables import PACKAGE
from ascend_sim.errors import OF_HANDLER, Unwinding

__all__ = ["DEBUG_TEXTS", "fenced", "passes_by", "said", "shown", "taken", "tried_again"]

F = TypeVar("F", bound=Callable[..., Any])

DEBUG_TEXTS = "ASCEND_SIM_DEBUG_TEXTS"
"""The variable that lets errors of texts through."""
MOST_KEPT = 8
_OURS = (
    PACKAGE + os.sep, os.path.dirname(os.path.abspath(os.__file__)) + os.sep,
    "<ascendcl>", "<pyacl>", "<torch>", "<attrs ", "<frozen ",
)  # fmt: skip
"""How the files of our code begin, and of the library's; made code has no file."""


class _Failed(threading.local):
    """What the fence caught in this thread since the last finding: a text is made before the finding that it is for."""

    def __init__(self) -> None:
        self.texts: dict[str, None] = {}


_failed = _Failed()


def fenced(plain: Callable[..., Any]) -> Callable[[F], F]:
    """A decorator: when the function raises, the answer is that of *plain* for the same arguments."""

    def around(function: F) -> F:
        @wraps(function)
        def guarded(*given: Any, **named: Any) -> Any:
            try:
                return function(*given, **named)
            except BaseException as error:  # whatever was raised: the module says why
                if passes_by(error):
                    raise
                if os.environ.get(DEBUG_TEXTS, "0") not in ("", "0"):
                    raise
                if len(_failed.texts) < MOST_KEPT:
                    _failed.texts[_why(error, function)] = None
            return plain(*given, **named)

        return cast(F, guarded)

    return around


def _why(error: BaseException, function: Callable[..., Any]) -> str:
    """What is said of *error*. What the system refused says that, wherever it did: which module was still to be imported
    differs between versions of Python."""
    if isinstance(error, OSError) and error.errno is not None:
        return os.strerror(error.errno)
    return f"{type(error).__name__} in {function.__qualname__}"


def tried_again(function: F) -> F:
    """A decorator for what has no plainer form: when it raises, it is tried once more, for it may have been the moment."""
    return fenced(function)(function)


def passes_by(error: BaseException) -> bool:
    """Whether *error* only came by: the end of a thread, or an interrupt. Code of the program that we asked for words, and
    that leaves instead, is no interrupt."""
    if isinstance(error, Unwinding) or getattr(error, OF_HANDLER, False) is True:
        return True
    if not isinstance(error, (KeyboardInterrupt, SystemExit)):
        return False
    from traceback import walk_tb  # most programs are left by neither

    files = (frame.f_code.co_filename for frame, _ in walk_tb(error.__traceback__))
    return all(file.startswith(_OURS) and "-packages" + os.sep not in file.removeprefix(PACKAGE) for file in files)


def taken() -> str:
    """The note about what could not be made since this was asked last, in this thread; empty when all could."""
    texts = _failed.texts
    if not texts:
        return ""
    _failed.texts = {}
    return f"a part of this text could not be made ({', '.join(texts)}): plainer words stand there"


@fenced(lambda thing: f"<{type(thing).__name__}>")
def shown(thing: object) -> str:
    """``repr(thing)`` of an object of the program."""
    return "".join([repr(thing)])  # joined: a subclass of str would bring its methods along


@fenced(lambda error: "its text cannot be made")
def said(error: BaseException) -> str:
    """``str(error)`` of an exception of the program."""
    return "".join([str(error)])
