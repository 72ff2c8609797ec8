"""Reports call objects by the variables of the program."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.findings.finding import Site
from ascend_sim.findings.wording import Names
from ascend_sim.source import callsite, variables

ASSIGNMENTS = [
    ("x = make()", "x"),
    ("x, ret = make()", "x"),
    ("self.stream = make()", "self.stream"),
    ("x = must(make())", "x"),
    ("x: int = make()", "x"),
    ("if (x := make()): pass", "x"),
    ("streams[3] = make()", "streams[3]"),
    ("make()", None),
    ("use(make())", None),
    ("x = [\n    5,\n    make(),\n]", "x"),
    ("makers = {'a': lambda: make()}\nmakers['a']()", None),
]
COLUMNS = [
    ("a, b = 5, make()", "b"), ("a = 5; b = make()", "b"), ("a = 5; make()", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "name"), ASSIGNMENTS + COLUMNS)
def test_the_variable_of_a_call(text: str, name: str | None, tmp_path: Path) -> None:
    places: list[callsite.Point] = []

    class Anything:
        def __getattr__(self, name: str) -> object:
            return self

        def __setitem__(self, key: object, value: object) -> None: ...

    def make() -> tuple[tuple[int, int], int]:
        places.extend(callsite.points_of(sys._getframe(1), 1))
        return (1, 2), 0

    path = tmp_path / "p.py"
    path.write_text(text + "\n")
    names = {"make": make, "must": lambda x: x, "use": print, "self": Anything(), "streams": Anything()}
    exec(compile(text, str(path), "exec"), names)
    (point,) = places
    assert variables.variable_name(*point) == name


def test_numbers_become_names() -> None:
    with Simulator() as sim:
        assert C.aclrtSetDevice(0) == 0
        copier, _ = C.aclrtCreateStream()
        stream, _ = C.aclrtCreateStream()
        done, _ = C.aclrtCreateEvent()
        many = [C.aclrtCreateStream() for _ in range(2)]
        names = sim.names
        numbers = {handle: sim.handles[handle].number for handle in (copier, stream, done, many[0][0])}  # type: ignore[attr-defined]
        assert names.text(f"stream {numbers[copier]} waits") == "stream `copier` waits"
        assert names.text(f"(stream {numbers[stream]})") == "(`stream`)"
        assert names.text(f"event {numbers[done]}: late") == "event `done`: late"
        assert names.text(f"stream {numbers[many[0][0]]}") == "stream `many[0][0]`"
        assert names.text("stream 999 and nothing else") == "stream 999 and nothing else"
        assert C.aclrtDestroyStream(copier) == 0
        assert names.text(f"stream {numbers[copier]} waits") == "stream `copier` waits"  # gone, and still known


def made() -> int:
    """Hands on what it makes."""
    handle, _ = C.aclrtCreateStream()
    return handle


def used() -> int:
    """Keeps what it makes, and hands on something else."""
    mine, _ = C.aclrtCreateStream()
    return mine + 0


def test_what_a_function_hands_on_is_called_as_its_caller_does() -> None:
    with Simulator(checks="races") as sim:  # which keeps the callers of calls
        assert C.aclrtSetDevice(0) == 0
        loader = made()
        other = used()
        numbers = [sim.handles[handle].number for handle in (loader, other)]  # type: ignore[attr-defined]
        assert sim.names.text(f"stream {numbers[0]}, stream {numbers[1]}") == "stream `loader`, stream `mine`"


def test_a_finding_carries_the_names() -> None:
    with Simulator() as sim:
        assert C.aclrtSetDevice(0) == 0
        loader, _ = C.aclrtCreateStream()
        said = sim.names.described(sim.handles[loader])  # type: ignore[arg-type]
        assert said == "stream `loader`"


def test_things_that_are_unpacked_have_names_of_their_own() -> None:
    with Simulator() as sim:
        assert C.aclrtSetDevice(0) == 0
        gate, worker = (C.aclrtCreateStream()[0] for _ in range(2))
        names = sim.names
        numbers = [sim.handles[handle].number for handle in (gate, worker)]  # type: ignore[attr-defined]
        assert names.text(f"stream {numbers[0]} and stream {numbers[1]}") == "stream `gate` and stream `worker`"
        assert C.aclrtDestroyStream(gate) == 0
        assert names.text(f"stream {numbers[0]}, stream {numbers[1]}") == "stream `gate`, stream `worker`"
        sim.handles.reuse = True
        sim.handles.drop(worker)
        C.aclrtCreateStream()  # takes the handle, and nothing is known of the former owner any more
        assert names.text(f"stream {numbers[0]}") == "stream `gate`"  # a name once given stays
        assert names.anew().text(f"stream {numbers[0]}") == "stream `gate`"  # also in a picture
        others = Names(sim.handles, sim.contexts, sim.memory)
        assert others.text(f"stream {numbers[0]}") == f"stream {numbers[0]}"  # who never gave one: it may be either


FACES = [
    ("import acl", "acl.rt.free(p)", True),
    ("import acl", "C.aclrtFree(p)", False),
    ("import acl", "check(free, p)", True),
    ("from ascend_sim import ascendcl as C", "check(free, p)", False),
    ("import acl\nfrom ascend_sim import kernel", "fill[1, 0](p)", True),
]


@pytest.mark.parametrize(("imports", "line", "pyacl"), FACES)
def test_functions_are_called_as_the_program_calls_them(
    imports: str, line: str, pyacl: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "acl", type(sys)("acl"))
    path = tmp_path / "p.py"
    path.write_text(f"{imports}\n{line}\n")
    site = compile("\nplace()", str(path), "exec"), 2
    with Simulator() as sim:
        fix = "aclrtFree(p), aclrtSynchronizeStream(None)"
        finding = sim.report("race", "error", "aclrtMemcpy reads", [Site("access", "", site)], fix=fix)
    shown = "acl.rt.free(p), acl.rt.synchronize_stream(0)" if pyacl else fix
    assert (finding.title, finding.fix) == (f"{'acl.rt.memcpy' if pyacl else 'aclrtMemcpy'} reads", shown)


def test_equal_code_in_two_files_has_two_places(tmp_path: Path) -> None:
    found = []
    for name in ("a", "b"):
        (tmp_path / f"{name}.py").write_text(f"{name} = make()\n")
        code = compile("x = make()\n", str(tmp_path / f"{name}.py"), "exec")
        place: list[callsite.Point] = []
        exec(code, {"make": lambda place=place: place.extend(callsite.points_of(sys._getframe(1), 1))})
        found.append((callsite.resolve(*place[0]).file, variables.variable_name(*place[0])))
    assert found == [(str(tmp_path / f"{name}.py"), name) for name in ("a", "b")]
