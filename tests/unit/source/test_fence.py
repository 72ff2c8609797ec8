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
from collections.abc import Callable, Iterator
from types import CodeType, SimpleNamespace
from typing import Any

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.errors import OF_HANDLER
from ascend_sim.findings import rendering, spool
from ascend_sim.findings.finding import Finding
from ascend_sim.findings.sarif import sarif
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
ROOMS = ("source", "findings", *(f"observers/{at}.py" for at in ("deadlocks", "memory/unawaited_work", "races/diagnosis")))
"""Where reports are made: what is named, quoted, advised."""


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


def _watched(tmp_path: Any, calls: Callable[[Simulator], list[Any]], watch: Any) -> tuple[list[Any], set[str]]:
    """The codes of *calls* while *watch* sees each call of a function, and the kinds of findings."""
    with Simulator() as sim:
        sim.findings.sinks.append(spool.Spool(str(tmp_path)))
        sim.findings.sinks.append(rendering.Printer(io.StringIO()))
        must(C.aclrtSetDevice(0))
        sys.setprofile(watch)
        try:
            codes = calls(sim)
        finally:
            sys.setprofile(None)
    return codes, {finding.kind for finding in sim.findings}


@pytest.mark.parametrize("calls", [program, waits])
@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, 24))])
def test_an_error_at_the_entry_of_any_function(tmp_path: Any, calls: Any, part: int) -> None:
    """No error leaves a call, and no kind of finding is lost. Only the fence itself has none around it."""
    folder = os.path.dirname(os.path.dirname(fence.__file__))
    rooms = tuple(os.path.join(folder, room) for room in ROOMS)
    met: dict[CodeType, None] = {}

    def look(frame: Any, event: str, argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(rooms) and code.co_filename != fence.__file__:
            met[code] = None

    wanted = _watched(tmp_path, calls, look)
    assert len(met) > 150 and len(wanted[1]) >= 5
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
        assert wanted[1] <= got[1], where


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
