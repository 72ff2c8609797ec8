"""The fence around texts: an error while something is named, quoted or printed makes a plainer text, and no other change."""

from __future__ import annotations

import ast
import dis
import errno
import io
import json
import linecache
import os
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from types import CodeType, SimpleNamespace
from typing import Any

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.errors import OF_HANDLER
from ascend_sim.findings import rendering, spool
from ascend_sim.findings.finding import Finding
from ascend_sim.findings.sarif import sarif
from ascend_sim.observers import guarded
from ascend_sim.observers.call_log import CallLog
from ascend_sim.observers.observer import Observer
from ascend_sim.observers.races.access_history import AccessHistory
from ascend_sim.observers.races.vector_clocks import HostClock
from ascend_sim.runtime.threads.patches.install import install_patches, uninstall_patches
from ascend_sim.simulator import Simulator
from ascend_sim.source import callsite, fence, frames, syntax, variables, wrappers
from ascend_sim.source.fence import fenced, said, shown, taken
from tests.kit.calls import must

ERRORS = [SystemError, RecursionError, MemoryError, UnicodeDecodeError, KeyError]


def _error(kind: type[Exception]) -> Exception:
    return UnicodeDecodeError("utf-8", b"\xff", 0, 1, "made for a test") if kind is UnicodeDecodeError else kind("made")


def _forget() -> None:
    """Every cache of names and texts: an earlier test may have asked for the same."""
    for module in (callsite, frames, syntax, variables, wrappers):
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()
    syntax._PARSED.clear()
    syntax._TRIES.clear()
    for function in (frames.program_points, frames._frames, frames._with_wrappers, variables.variable_of):
        while hasattr(function, "__wrapped__"):
            for cell in function.__closure__ or ():
                if isinstance(cell.cell_contents, dict):
                    cell.cell_contents.clear()
            function = function.__wrapped__


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    _forget()
    taken()
    yield
    _forget()
    taken()


def program(sim: Simulator) -> list[Any]:
    """A race, a use after free, an early read, a leak and a code that nobody looked at; the codes that it got."""
    codes: list[Any] = []
    device, ret = C.aclrtMalloc(4096, 2)
    codes.append(ret)
    other, ret = C.aclrtMalloc(4096, 2)
    host, ret = C.aclrtMallocHost(4096)
    copies, ret = C.aclrtCreateStream()
    sums, ret = C.aclrtCreateStream()
    codes.append(C.aclrtMemcpyAsync(device, 4096, host, 4096, 1, copies))
    codes.append(C.aclrtMemcpyAsync(other, 4096, device, 4096, 3, sums))
    codes.append(C.aclrtMemset(host, 4096, 1, 4096))
    codes.append(C.aclrtFree(other))
    codes.append(C.aclrtSynchronizeStream(copies))
    codes.append(C.aclrtSynchronizeStream(sums))
    codes.append(C.aclrtFree(device + 8))
    codes.append(C.aclrtFree(0x10))
    codes.append(C.aclrtMemcpy(device, 4097, host, 4097, 1))
    codes.append(C.aclrtDestroyStream(0x1234))
    return codes


DOORS: dict[str, tuple[Any, str]] = {
    "parse": (ast, "parse"),
    "walk": (ast, "walk"),
    "unparse": (ast, "unparse"),
    "lines of a file": (linecache, "getlines"),
    "instructions": (dis, "get_instructions"),
    "columns": (callsite, "columns_of"),
    "lines of code": (callsite, "line_number"),
    "places": (callsite, "_resolve"),
    "wrappers": (wrappers, "outside_wrappers"),
    "layout": (textwrap, "wrap"),
    "columns on a terminal": (rendering, "cells"),
    "escapes": (rendering, "escaped"),
    "paths": (os.path, "relpath"),
    "json": (json, "dumps"),
}


def _run(tmp_path: Any, form: str = "full") -> tuple[list[Any], list[Any], str]:
    out = io.StringIO()
    with Simulator() as sim:
        sim.findings.sinks.append(spool.Spool(str(tmp_path)))
        sim.findings.sinks.append(rendering.Printer(out, form))
        must(C.aclrtSetDevice(0))
        codes = program(sim)
        found = list(sim.findings)
        for finding in found:
            finding.to_json()
            assert len(finding.fingerprint) == 16
        sarif(found, str(tmp_path))
        rendering.summary(found)
    return codes, found, out.getvalue()


def _gone(*_: Any, **__: Any) -> Any:
    raise AssertionError


@pytest.mark.parametrize("kind", ERRORS)
@pytest.mark.parametrize("door", DOORS)
def test_an_error_at_a_door(monkeypatch: pytest.MonkeyPatch, tmp_path: Any, door: str, kind: type[Exception]) -> None:
    codes, found, _ = _run(tmp_path)
    assert len(found) >= 6
    _forget()
    module, name = DOORS[door]
    asked: list[int] = []

    def fails(*_: Any, **__: Any) -> Any:
        asked.append(1)
        raise _error(kind)

    with monkeypatch.context() as patch:
        patch.setattr(module, name, fails)
        again, plainer, text = _run(tmp_path)
    assert again == codes
    assert sorted(f.kind for f in plainer) == sorted(f.kind for f in found)
    assert [f.severity for f in plainer] == [f.severity for f in found]
    assert text.count("[") >= len(found)  # each is printed
    if (door, kind) == ("parse", UnicodeDecodeError):
        return  # a ValueError: the text is no Python, as one with zeros in it
    if asked and door not in ("paths", "json"):  # of which one has its own rule, and the other is the spool's
        assert kind.__name__ in text + str([f.notes for f in plainer])


@pytest.mark.parametrize("door", ["parse", "layout"])
def test_with_the_switch_the_error_leaves_the_call(monkeypatch: pytest.MonkeyPatch, tmp_path: Any, door: str) -> None:
    monkeypatch.setenv("ASCEND_SIM_DEBUG_TEXTS", "1")

    def fails(*_: Any, **__: Any) -> Any:
        raise SystemError("made for a test")

    with monkeypatch.context() as patch:
        patch.setattr(*DOORS[door], fails)
        with pytest.raises(SystemError, match="made for a test"):
            _run(tmp_path)


def test_a_line_of_the_spool_that_cannot_be_made_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(spool.json, "dumps", lambda *_, **__: _gone())
        pages = spool.Spool(str(tmp_path))
        with Simulator() as sim:
            sim.findings.sinks.append(pages)
            assert C.aclrtFree(0x10) == 107000
    assert pages.lost


def test_a_finding_that_the_spool_cannot_take_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Finding, "to_json", lambda self: _gone())
        pages = spool.Spool(str(tmp_path))
        with Simulator() as sim:
            sim.findings.sinks.append(pages)
            assert C.aclrtFree(0x10) == 107000
    assert pages.lost


@pytest.mark.parametrize("form", ["json", "short", "full"])
def test_every_form_prints_each_finding(monkeypatch: pytest.MonkeyPatch, tmp_path: Any, form: str) -> None:
    def fails(*_: Any, **__: Any) -> Any:
        raise RecursionError("made for a test")

    with monkeypatch.context() as patch:
        patch.setattr(callsite, "_resolve", fails)
        patch.setattr(rendering, "_in_order", fails)
        patch.setattr(Finding, "to_json", lambda self: fails())
        out = io.StringIO()
        with Simulator() as sim:
            sim.findings.sinks.append(rendering.Printer(out, form))
            assert C.aclrtFree(0x10) == 107000
    assert "bad-free" in out.getvalue()
    assert "RecursionError" in out.getvalue()
    if form == "json":
        assert json.loads(out.getvalue())["kind"] == "bad-free"


def test_near_the_limit_of_recursion_the_codes_stay(tmp_path: Any) -> None:
    codes, _, _ = _run(tmp_path)

    def deep(n: int) -> Any:
        return deep(n - 1) if n else _run(tmp_path)[0]

    depth, frame = 0, sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back  # type: ignore[assignment]
    assert deep(sys.getrecursionlimit() - depth - 150) == codes


SOURCES: dict[str, Callable[[Any], None]] = {
    "vanished": lambda path: path.unlink(),
    "emptied": lambda path: path.write_bytes(b""),
    "no utf-8": lambda path: path.write_bytes(b"x = '\xff\xfe'\n" * 30),
    "a wrong declaration": lambda path: path.write_bytes(b"# -*- coding: no-such-one -*-\n" * 30),
    "zeros": lambda path: path.write_bytes(bytes(400)),
    "no Python": lambda path: path.write_text("def (:\n" * 30),
    "deeply nested": lambda path: path.write_text("x = " + "(" * 5000 + ")" * 5000 + "\n" + "y\n" * 30),
    "very deep": lambda path: path.write_text("x = " + "-" * 200_000 + "1\n" + "y\n" * 30),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
    "a pipe that nobody writes to": lambda path: (path.unlink(), os.mkfifo(path)),
    "a device": lambda path: (path.unlink(), path.symlink_to("/dev/zero")),
    "too much to read": lambda path: os.truncate(path, 1 << 40),
}


@pytest.mark.parametrize("what", SOURCES)
def test_a_source_that_changed_meanwhile(tmp_path: Any, what: str) -> None:
    path = tmp_path / "prog.py"
    text = "\n".join([
        "from ascend_sim import ascendcl as C",
        "def go():",
        "    p, ret = C.aclrtMalloc(64, 2)",
        "    return [ret, C.aclrtFree(p), C.aclrtFree(p), C.aclrtFree(0x10), C.aclrtMemset(p, 64, 0, 64)]",
    ])  # fmt: skip
    path.write_text(text)
    space: dict[str, Any] = {}
    exec(compile(text, str(path), "exec"), space)
    SOURCES[what](path)
    linecache.checkcache(str(path))
    out = io.StringIO()
    with Simulator() as sim:
        sim.findings.sinks.append(rendering.Printer(out))
        must(C.aclrtSetDevice(0))
        assert space["go"]() == [0, 0, 107000, 107000, 107000]
    assert out.getvalue().count("error[") >= 2
    assert "prog.py" in out.getvalue()


# -- an error at the entry of any function ----------------------------------------------------------------------------

KINDS = [*ERRORS, OSError]
ROOMS = ("source", "findings", "observers", "timeline")
"""Where the tool keeps its own books: what is seen, named, quoted, advised, printed."""


def waits(sim: Simulator) -> list[Any]:
    """A wait that only its time-out ends, a race, a use after free, a stale handle, a leak; the codes that it got."""
    one, ret = C.aclrtCreateStream()
    two, ret = C.aclrtCreateStream()
    flag, ret = C.aclrtCreateEventWithFlag(1)
    device, ret = C.aclrtMalloc(64, 0)
    codes: list[Any] = [ret]
    codes += [C.aclrtMemsetAsync(device, 64, 1, 64, stream) for stream in (one, two)]
    codes += [C.aclrtStreamWaitEvent(one, flag), C.aclrtSynchronizeStreamWithTimeout(one, 100)]
    codes += [C.aclrtRecordEvent(flag, two), C.aclrtMemsetAsync(device, 64, 1, 64, one), C.aclrtFree(device)]
    codes += [C.aclrtSynchronizeDevice(), C.aclrtResetDevice(0), C.aclrtSynchronizeStream(two)]
    return codes


def many(sim: Simulator) -> list[Any]:
    """Nothing wrong: a host function, a graph, threads, callbacks, a value wait, notifies; the codes that it got."""
    codes: list[Any] = []
    block = must(C.aclrtMalloc(1024, 0))
    one = must(C.aclrtCreateStream())
    two = must(C.aclrtCreateStream())
    event = must(C.aclrtCreateEvent())
    notify = must(C.aclrtCreateNotify(0))
    host = must(C.aclrtMallocHost(1024))
    context = must(C.aclrtGetCurrentContext())
    codes += [C.aclrtMemcpyAsync(block, 1024, host, 1024, 1, one), C.aclrtRecordEvent(event, one)]
    codes += [C.aclrtStreamWaitEvent(two, event), C.aclrtLaunchHostFunc(two, codes.append, "called")]
    codes += [C.aclrtQueryEventStatus(event), C.aclrtSynchronizeStream(two), C.aclrtResetEvent(event, one)]
    codes += [C.aclrtRecordNotify(notify, one), C.aclrtWaitAndResetNotify(notify, two, 0), C.aclrtSynchronizeDevice()]
    codes += [C.aclmdlRICaptureBegin(one, 0), C.aclrtMemsetAsync(block, 64, 0, 64, one)]
    graph = must(C.aclmdlRICaptureEnd(one))
    codes += [C.aclmdlRIExecuteAsync(graph, one), C.aclrtSynchronizeStream(one), C.aclmdlRIDestroy(graph)]

    def other() -> None:
        codes.append(C.aclrtSetCurrentContext(context))
        codes.append(C.aclrtMemsetAsync(block, 64, 1, 64, two))
        codes.append(C.aclrtSynchronizeStream(two))

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    codes += [C.aclrtValueWrite(block, 1, 0, one), C.aclrtValueWait(block, 1, 1, two)]
    codes += [C.aclrtSynchronizeStreamWithTimeout(two, 1000), C.aclrtMemcpy(host, 64, block, 64, 2)]
    codes += [C.aclrtDestroyStream(one), C.aclrtDestroyStream(two), C.aclrtDestroyEvent(event), C.aclrtFree(block)]
    codes += [C.aclrtFreeHost(host), C.aclrtResetDevice(0)]
    return codes


def _watched(tmp_path: Any, calls: Callable[[Simulator], list[Any]], watch: Any) -> tuple[list[Any], set[str]]:
    """The codes of *calls* while *watch* sees each call of a function, and the kinds of findings."""
    with Simulator(checks="all", threads="deterministic") as sim:
        sim.findings.sinks.append(spool.Spool(str(tmp_path)))
        sim.findings.sinks.append(rendering.Printer(io.StringIO()))
        sim.timeline()
        sim.attach(CallLog(io.StringIO()))
        must(C.aclrtSetDevice(0))
        threading.setprofile(watch)
        sys.setprofile(watch)
        try:
            codes = calls(sim)
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
    return codes, {finding.kind for finding in sim.findings}


def _hear_themselves() -> set[CodeType]:
    """Listeners that have no frame around them, for their speed: what they call is what fails."""
    return {
        function.__code__
        for kind in Observer.__subclasses__()
        for function in vars(kind).values()
        if hasattr(function, "guards_itself")
    }


@pytest.mark.parametrize("calls", [program, waits, many])
@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, 24))])
def test_an_error_at_the_entry_of_any_function(tmp_path: Any, calls: Any, part: int) -> None:
    """No error leaves a call, and no kind of finding is lost but with the check that ended. Only the fences have none."""
    folder = os.path.dirname(os.path.dirname(fence.__file__))
    rooms = tuple(os.path.join(folder, room) for room in ROOMS)
    met: dict[CodeType, None] = {}
    fences = (fence.__file__, guarded.__file__)

    def look(frame: Any, event: str, argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(rooms) and code.co_filename not in fences:
            met[code] = None

    wanted = _watched(tmp_path, calls, look)
    for code in _hear_themselves():
        met.pop(code, None)
    assert len(met) > 150 and (len(wanted[1]) >= 5 or calls is many)
    for i, code in enumerate([*met][part::24]):
        kind = KINDS[i % len(KINDS)]

        def fails(frame: Any, event: str, argument: object, code: CodeType = code, kind: Any = kind) -> None:
            if event == "call" and frame.f_code is code:
                sys.setprofile(None)
                raise _error(kind)

        _forget()
        got = _watched(tmp_path, calls, fails)
        where = f"{kind.__name__} in {code.co_filename}:{code.co_firstlineno} {code.co_name}"
        assert got[0] == wanted[0], where
        assert wanted[1] <= got[1] or "check-ended" in got[1], where


# -- the words of the program's own objects ---------------------------------------------------------------------------


class Hostile(Exception):
    """Its words raise."""

    def __str__(self) -> str:
        raise ValueError("no words")

    __repr__ = __str__


class Text(str):
    """Its methods are the program's."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        raise ValueError("no words")


class TextOnly(Exception):
    """Says something that is no plain text."""

    def __str__(self) -> str:
        return Text("said")


def test_what_the_system_refuses_is_said_once_wherever_it_did() -> None:
    """Which module was still to be imported, when no file can be opened, differs between versions of Python."""

    @fenced(lambda: None)
    def name() -> None:
        raise OSError(errno.EMFILE, "x", "holders.py")

    @fenced(lambda: None)
    def place() -> None:
        raise OSError(errno.EMFILE, "x", "python_310.py")

    taken()
    name()
    place()
    assert taken().count(os.strerror(errno.EMFILE)) == 1
    name()
    assert "python_310" not in taken()


def test_words_of_objects() -> None:
    assert said(Hostile()) == "its text cannot be made"
    assert f"{said(TextOnly())}" == "said"
    assert shown(Hostile()) == "<Hostile>"
    assert "ValueError in said" in taken()
    assert taken() == ""


def test_a_host_function_whose_error_has_no_words() -> None:
    def fails(_: Any) -> None:
        raise Hostile

    with Simulator() as sim:
        must(C.aclrtSetDevice(0))
        stream = must(C.aclrtCreateStream())
        assert C.aclrtLaunchHostFunc(stream, fails, None) == 0
        assert C.aclrtSynchronizeStream(stream) == 507000
        assert "Hostile: its text cannot be made" in C.aclGetRecentErrMsg()
        del sim


def test_what_is_caught_is_kept_by_thread_and_bounded() -> None:
    def plain(number: int) -> int:
        return -number

    functions = []
    for i in range(3 * fence.MOST_KEPT):

        def fails(number: int) -> int:
            raise KeyError(number)

        fails.__qualname__ = f"text_{i}"
        functions.append(fenced(plain)(fails))
    assert [function(7) for function in functions] == [-7] * len(functions)
    assert taken().count("KeyError") == fence.MOST_KEPT


LEAVING = [KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError, RecursionError]


def _words_of(file: str, error: type[BaseException], marked: bool = False) -> Any:
    """A fenced function that asks code in *file* for words."""
    raised = error("made for a test")
    if marked:
        setattr(raised, OF_HANDLER, True)
    space: dict[str, Any] = {"raised": raised}
    exec(compile("def words():\n    raise raised", file, "exec"), space)
    ours: dict[str, Any] = {"words": space["words"]}
    exec(compile("def asked():\n    return words()", fence.__file__, "exec"), ours)
    return fenced(lambda: "plainer")(ours["asked"])


@pytest.mark.parametrize("error", LEAVING)
@pytest.mark.parametrize("file", ["/home/user/prog.py", "<string>", os.path.join(os.path.dirname(pytest.__file__), "x.py")])
def test_words_of_the_program_that_leave(file: str, error: type[BaseException]) -> None:
    """`sys.exit()` in a `__repr__` ends nothing."""
    guarded = _words_of(file, error)
    assert guarded() == "plainer"
    assert error.__name__ in taken()


@pytest.mark.parametrize("error", LEAVING[:2])
@pytest.mark.parametrize("file", [fence.__file__, ast.__file__])
def test_an_interrupt_passes(error: type[BaseException], file: str) -> None:
    """One that came while we were at work, or the library was for us; and what a handler of the program raises."""
    with pytest.raises(error):
        _words_of(file, error)()
    with pytest.raises(error):
        _words_of("/home/user/prog.py", error, marked=True)()


def test_a_name_that_failed_once_is_found_the_next_time(monkeypatch: pytest.MonkeyPatch) -> None:
    known: dict[str, SimpleNamespace] = {}

    def parse(*given: Any, **named: Any) -> Any:
        if "done" not in known:
            known["done"] = SimpleNamespace()
            raise SystemError("AST constructor recursion depth mismatch")
        return real(*given, **named)

    real = ast.parse
    monkeypatch.setattr(ast, "parse", parse)
    with Simulator() as sim:
        must(C.aclrtSetDevice(0))
        first, ret = C.aclrtMalloc(64, 2)
        second, ret = C.aclrtMalloc(64, 2)
        assert ret == 0
        assert C.aclrtMemset(first, 65 + 64, 0, 65 + 64) == 107000
        assert C.aclrtMemset(second, 65 + 64, 0, 65 + 64) == 107000
        one, two = (finding for finding in sim.findings if finding.kind == "out-of-bounds")
    if sys.version_info >= (3, 11):  # before, the columns of the place were in need of the tree first, and do without
        assert "SystemError" in one.notes[-1]
    assert "`second`" in two.title
    assert len(two.notes) == 1


# -- checks that end --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", ["free", "deterministic"])
def test_a_check_that_fails_ends_and_is_told(monkeypatch: pytest.MonkeyPatch, threads: str) -> None:
    """And what it found before stays; the others go on, but for those that rest on it."""

    def fails(*_: Any) -> Any:
        raise MemoryError

    with Simulator(checks="memory,races,rules", threads=threads) as sim:
        must(C.aclrtSetDevice(0))
        block = must(C.aclrtMalloc(64, 0))
        one, two = must(C.aclrtCreateStream()), must(C.aclrtCreateStream())
        assert [C.aclrtMemsetAsync(block, 64, value, 64, s) for value, s in ((1, one), (2, two))] == [0, 0]
        assert C.aclrtSynchronizeDevice() == 0
        with monkeypatch.context() as patch:
            patch.setattr(AccessHistory, "write", fails)
            assert C.aclrtMemset(block, 64, 0, 64) == 0
        assert [C.aclrtMemsetAsync(block, 64, value, 64, s) for value, s in ((1, one), (2, two))] == [0, 0]
        assert C.aclrtSynchronizeDevice() == 0
        assert C.aclrtDestroyStream(0x123) == 107017
        race, ended, *more = sim.findings
    assert (race.kind, race.count) == ("race", 1)
    assert (ended.kind, ended.severity) == ("check-ended", "error")
    assert "check of races" in ended.title and ended.sites
    assert "check of memory ended with it" in str(ended.notes) and "MemoryError" in str(ended.notes)
    assert not [finding for finding in more if finding.kind == "race"]


def test_observers_of_others_raise_what_they_like() -> None:
    class Mine(Observer):
        def allocated(self, t: Any, block: Any) -> None:
            raise KeyError("mine")

    with Simulator() as sim:
        must(C.aclrtSetDevice(0))
        mine = sim.attach(Mine())
        with pytest.raises(KeyError, match="mine"):
            C.aclrtMalloc(64, 0)
        sim.detach(mine)
        assert C.aclrtMalloc(64, 0)[1] == 0


def test_a_guarded_observer_can_be_detached() -> None:
    class Mine(Observer):
        guarded = True
        heard = 0

        def allocated(self, t: Any, block: Any) -> None:
            self.heard += 1

    with Simulator() as sim:
        must(C.aclrtSetDevice(0))
        mine = Mine()
        sim.attach(mine)
        must(C.aclrtMalloc(64, 0))
        sim.detach(mine)
        must(C.aclrtMalloc(64, 0))
    assert mine.heard == 1


def test_an_interrupt_passes_a_check(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> Any:
        raise KeyboardInterrupt

    with Simulator() as sim:
        must(C.aclrtSetDevice(0))
        block = must(C.aclrtMalloc(64, 0))
        monkeypatch.setattr(AccessHistory, "write", _as_ours(fails))
        with pytest.raises(KeyboardInterrupt):
            C.aclrtMemset(block, 64, 0, 64)
        monkeypatch.undo()
        assert C.aclrtMemset(block, 64, 0, 64) == 0
        assert not list(sim.findings)


def _as_ours(function: Any) -> Any:
    """*function* as if it stood in our code: an interrupt that came by there."""
    return type(function)(function.__code__.replace(co_filename=fence.__file__), {"KeyboardInterrupt": KeyboardInterrupt})


def test_a_lock_does_its_work_when_the_check_of_races_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> Any:
        raise MemoryError

    sim = Simulator(threads="deterministic")
    install_patches(sim.threads)
    try:
        with sim:
            must(C.aclrtSetDevice(0))
            lock, done = threading.Lock(), []

            def work() -> None:
                with lock:
                    C.aclrtSetDevice(0)
                    done.append(1)

            threads = [threading.Thread(target=work) for _ in range(2)]
            monkeypatch.setattr(HostClock, "release", fails)
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert done == [1, 1] and not lock.locked()
            assert [finding.kind for finding in sim.findings] == ["check-ended"]
    finally:
        uninstall_patches()


def test_what_failed_for_another_simulator_is_no_note_of_this_one() -> None:
    """Of two runs in one process that are alike the second has the same texts."""
    with Simulator():
        shown(Hostile())
    with Simulator() as sim:
        assert C.aclrtFree(0x10) == 107000
    assert not [note for finding in sim.findings for note in finding.notes if "plainer" in note]


def test_a_file_that_could_be_parsed_since_is_tried_as_often_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    def parse(*given: Any, **named: Any) -> Any:
        raise SystemError("made for a test")

    for _ in range(2 * syntax.MOST_TRIES):
        with monkeypatch.context() as patch:
            patch.setattr(ast, "parse", parse)
            with pytest.raises(SystemError):
                syntax.tree_of(__file__)
        assert syntax.tree_of(__file__) is not None
        syntax._PARSED.clear()
        syntax._parse_once.cache_clear()
