"""What the library calls inside the process of a native program (`c/door.c`).

`enter_program` and `enter_guest` make the process part of the run, `resolve` gives what a function does at its first
call, `failed` decides what an exception comes to, `finish` says the last words. None of it returns to C with an
exception but for a fault of its own, which the door prints.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import sys
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol, TextIO, cast

from ascend_sim import ascendcl
from ascend_sim.ascendcl.api import build_native, build_null_output, fail
from ascend_sim.catalogue.functions import Function, c_kind, functions
from ascend_sim.errors import AclError, SimulatedHang
from ascend_sim.findings import spool
from ascend_sim.findings.output import tell
from ascend_sim.native import program_functions
from ascend_sim.native.places.call_sites import site as native_site
from ascend_sim.native.program_functions import address_of
from ascend_sim.native.signatures import signature
from ascend_sim.native.threads import ProgramThreads, order_threads
from ascend_sim.native.unlisted_functions import TITLES, UNLISTED, body_of
from ascend_sim.runtime.current import current, this_thread
from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.runtime.threads.signal_handlers import is_of_handler
from ascend_sim.source.callsite import CallSite

if TYPE_CHECKING:
    from ascend_sim.native.guest import Guest
    from ascend_sim.simulator import Simulator

__all__ = [
    "ExploredRun", "be_explored", "called_functions", "enter_guest", "enter_program", "failed", "finish", "keep_text",
    "resolve", "thread_ended",
]  # fmt: skip

EXIT_ENDED = 1
"""The exit code of a program that the simulator ends: as of an exception that nobody catches."""

_LIBRARY: list[ctypes.CDLL] = []
_GUEST: list[Guest] = []
"""What a Python process keeps; of others nothing."""
_ENDED: list[int] = []
"""The thread that ends the process, once there is one."""
_RESOLVED: list[str] = []
"""The functions that the program has called."""
_EXPLORED: list[ExploredRun] = []
"""The run of a search that this process is."""
_TEXTS: dict[str, str] = {}
_MEDIA = "hi_"


class OtherVersion(Exception):
    """The library was built by another version of the package, and has a function that this one does not know so."""


class ExploredRun(Protocol):
    """One run of a search through the orders that are possible."""

    def failed(self, error: BaseException) -> None:
        """An exception left a call."""

    def end(self, ended: str = "", crashed: bool = False) -> None:
        """The program ends."""


class Output:
    """Python's standard output through the one of the C library: what kernels print comes in order with the program."""

    encoding = "utf-8"
    errors = "replace"

    def __init__(self, library: ctypes.CDLL) -> None:
        self._write, self._flush = library.ascend_sim_write, library.ascend_sim_flush
        self._write.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
        self._write.restype = self._flush.restype = None

    def write(self, text: str) -> int:
        data = text.encode("utf-8", "replace")
        self._write(data, len(data))
        return len(text)

    def flush(self) -> None:
        self._flush()

    def isatty(self) -> bool:
        return os.isatty(1)

    def fileno(self) -> int:
        return 1

    def writable(self) -> bool:
        return True


def enter_guest(path: str, join: Callable[[], Simulator]) -> Callable[[Any], CallSite]:
    """This process, in which Python was before, loads the library at *path*.

    Returns what makes the call site of the calling thread.
    """
    from ascend_sim.native.guest import Guest

    library = _bind(path)
    _GUEST[:] = [Guest(path, library, current() or join())]
    atexit.register(_GUEST[0].leave)
    return _GUEST[0].site


def enter_program(path: str, join: Callable[[], Simulator]) -> Callable[[Any], CallSite]:
    """This process is a program in C or C++, and loads the library at *path*.

    Returns what makes the call site of return addresses.
    """
    library = _bind(path)
    with open("/proc/self/cmdline", "rb") as file:
        sys.argv[:] = [os.fsdecode(word) for word in file.read().split(b"\0")[:-1]] or [""]
    sys.stdout = cast("TextIO", Output(library))
    try:
        sim = join()
    except (ValueError, KeyError, RuntimeError) as error:  # a setting that the simulator refuses; it says which
        tell(error.args[0] if error.args else error)
        _end(2)
    library.ascend_sim_keep_callers(int(sim.keep_stacks))
    if isinstance(sim.threads, DeterministicThreads):
        order_threads(ProgramThreads(sim.threads, library), library)
        sim.threads.unseen_order = _unseen_order
    return native_site


def _unseen_order(sites: Iterable[CallSite | None]) -> str | None:
    from ascend_sim.native.places.atomics import unseen_order  # reads sources: only a report of a race does

    return unseen_order(sites)


def _bind(path: str) -> ctypes.CDLL:
    library = ctypes.CDLL(path)
    _LIBRARY[:] = [library]
    program_functions.bind(library)
    return library


def called_functions() -> list[str]:
    """The functions that the program has called so far."""
    return _RESOLVED


def be_explored(run: ExploredRun) -> None:
    """This process is *run*: it hears of the end, also of one by a signal."""
    _EXPLORED[:] = [run]
    _LIBRARY[0].ascend_sim_tell_end.argtypes = [ctypes.py_object]
    _LIBRARY[0].ascend_sim_tell_end(lambda: run.end(crashed=True))


def resolve(name: str, text: str) -> tuple[Callable[..., Any], Callable[..., Any], tuple[Any, ...]]:
    """What the function *name* does, what it does when an output is NULL, and what makes values of its parameters.

    *text* is the signature that the library has for it. Raises OtherVersion when it has another one here.
    """
    group = DeterministicThreads.installed
    thread = group.here.os_thread if group is not None else None
    if thread is None or thread.exempt:
        return _resolve(name, text)
    thread.exempt = True  # what is imported takes locks of Python: of them neither clock nor order of the program hear
    try:
        return _resolve(name, text)
    finally:
        thread.exempt = False


def _resolve(name: str, text: str) -> tuple[Callable[..., Any], Callable[..., Any], tuple[Any, ...]]:
    _RESOLVED.append(name)
    function = function_of(name)
    if signature(function) != text and name != "aclAppLog":
        raise OtherVersion(name)
    if name in functions():
        ascendcl.load(name)
        called = build_native(function)
        if c_kind(function.returns) == "function":
            called = _address_of_result(called)
        return called, build_null_output(function), _converters(function, text)
    called = build_native(function, _body_of(name), TITLES.get(name, ""))
    return called, build_null_output(function), _converters(function, text)


def _converters(function: Function, text: str) -> tuple[Any, ...]:
    """What makes values of its parameters with the letter ``x``."""
    if "x" not in text:
        return ()
    from ascend_sim.native.converters import converters  # the structs: many programs have none

    return converters(function)


def _body_of(name: str) -> Callable[..., Any] | None:
    """What a function does that is none of AscendCL; None: it is not modelled."""
    if name in UNLISTED:
        return body_of(name)
    if name.startswith(_MEDIA):
        from ascend_sim.native import himpi

        return himpi.body_of(name)
    from ascend_sim.native import operators

    return operators.body_of(name)


def _address_of_result(called: Callable[..., Any]) -> Callable[..., int]:
    """*called*, with the address of the function of the program that it returns."""
    return lambda *arguments: address_of(called(*arguments))


def function_of(name: str) -> Function:
    """The function of the headers, the one of an operator, or one of `UNLISTED`. Raises OtherVersion."""
    found = functions().get(name) or UNLISTED.get(name)
    if found is not None:
        return found
    try:
        if name.startswith(_MEDIA):
            from ascend_sim.catalogue.himpi import himpi_function

            return himpi_function(name)
        from ascend_sim.catalogue.operator_functions import operator_function

        return operator_function(name)
    except KeyError:
        raise OtherVersion(name) from None


def keep_text(text: str) -> str:
    """A text that the program may hold for ever: the one object that stands for it."""
    return _TEXTS.setdefault(text, text)


def failed(name: str, error: BaseException) -> int:
    """What an exception comes to that left a call: a code, or the end of the process with a report."""
    if isinstance(error, AclError):  # an argument that no value could be made of
        result = fail(this_thread(), function_of(name), error)
        return int(result[-1] if isinstance(result, tuple) else result or 0)
    if _GUEST and (isinstance(error, (KeyboardInterrupt, SimulatedHang)) or is_of_handler(error)):
        from ascend_sim.native.guest import interrupted

        return interrupted(error)
    if _ENDED and _ENDED[0] != threading.get_ident():
        _LIBRARY[0].ascend_sim_rest()  # another thread ends the process: what it has ended here is no hang
    if _EXPLORED:
        _EXPLORED[0].failed(error)
    if isinstance(error, OtherVersion):
        text = (
            f"libascendcl.so is of another version of ascend-sim ({name}): make its folder anew with `ascend-sim home`"
        )
        tell(text)
    elif isinstance(error, SimulatedHang):
        tell(f"{name} never returns on a device; the program ends here")
    else:
        import traceback

        from ascend_sim.source.tracebacks import strip

        if os.environ.get("ASCEND_SIM_TRACEBACK") != "full" and not isinstance(error, Exception):
            strip(error)
        traceback.print_exception(error)
        tell(f"the program ends in {name}")
    finish()
    _end(EXIT_ENDED)
    return 0


def finish() -> None:
    """The end of the process: leaks, the summary, files."""
    _ENDED.append(threading.get_ident())
    if _EXPLORED:
        _EXPLORED[0].end()
    _LIBRARY[0].ascend_sim_leave_threads()
    sys.stdout.flush()
    atexit._run_exitfuncs()
    _say_what_reports_lack()
    folder = os.environ.get(spool.VARIABLE)
    if folder is not None:
        spool.end(folder)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


def _say_what_reports_lack() -> None:
    """Lines, in a program that was built without them; columns, where no library reads them. Once in a run."""
    if "ascend_sim.native.places.symbols" not in sys.modules:
        return  # there was no report
    from ascend_sim.native.places.symbols import without_columns, without_lines
    from ascend_sim.source.callsite import shown_path

    path, place = without_lines(), without_columns()
    if path is not None and spool.first_of_run("bare"):
        tell(f"{shown_path(path)} was built without -g: reports have its functions, but no lines")
    if place is not None and spool.first_of_run("columns"):
        where = f"{shown_path(place[0])}:{place[1]}"
        tell(
            f"{where} has several calls that could be meant: with `pip install pyelftools` reports tell which one it is"
        )


def thread_ended() -> None:
    """The calling thread of the program is over."""
    if _GUEST:
        _GUEST[0].thread_ended()


def _end(code: int) -> None:
    _LIBRARY[0].ascend_sim_end(code)
