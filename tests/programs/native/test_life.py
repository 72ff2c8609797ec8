"""The life of a native process: exits of all kinds, crashes, hangs, fork, threads. No finding that was made is lost."""

from __future__ import annotations

import json
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ascend_sim.native.home.compilers import c_compiler
from tests.kit.compilers import needs_compiler
from tests.kit.forks import HANG
from tests.programs.native.conftest import SOURCES, tool

pytestmark = needs_compiler
Built = Callable[[str], Path]


def _run(built: Built, way: str, tmp_path: Path, *options: str) -> tuple[int, list[str], str, dict[str, Any]]:
    """The exit code, lines of output, stderr, findings by kind."""
    report = tmp_path / "findings.json"
    done = tool("run", "--json", str(report), *options, str(built("life.cpp")), way)
    found = {finding["kind"]: finding for finding in json.loads(report.read_text())["findings"]}
    return done.returncode, done.stdout.splitlines(), done.stderr, found


@pytest.mark.parametrize(
    ("way", "code", "output", "kinds"),
    [
        ("destructor", 4, ["begun", "handler 0", "destructor 0"], ["leak"]),
        ("throw", 134, [], ["crash"]),
        ("hostfunc-exit", 7, ["begun"], ["leak", "unawaited-work"]),
        ("hostfunc-crash", 139, [], ["crash", "double-free"]),
        ("stack-overflow", 139, [], ["crash", "double-free"]),
        ("hang", 1, ["begun"], ["deadlock", "leak"]),
        ("closed", 1, ["begun", "synchronised 0", "end 0", "again 100037"], ["double-free"]),
        ("fork", 0, ["begun", "child 0", "of child 5", "synchronised 0", "end 0", "again 100037"], ["fork-after-init"]),
    ],
)
def test_ends(way: str, code: int, output: list[str], kinds: list[str], built: Built, tmp_path: Path) -> None:
    returned, lines, errors, found = _run(built, way, tmp_path)
    assert (returned, lines, sorted(found)) == (code, output, kinds), errors


def test_what_underscore_exit_leaves_unsaid_is_told(built: Built, tmp_path: Path) -> None:
    code, lines, errors, found = _run(built, "_exit", tmp_path)
    assert (code, lines, list(found)) == (4, ["begun"], ["double-free"])
    assert "ended without its exit handlers" in errors


def test_a_hang_says_which_call_never_returns(built: Built, tmp_path: Path) -> None:
    _, _, errors, found = _run(built, "hang", tmp_path)
    assert "aclrtSynchronizeStream never returns on a device; the program ends here" in errors
    assert "`notify`" in found["deadlock"]["title"]


@pytest.mark.parametrize("way", ["thread", "threads"])
def test_threads_that_call_come_and_go(way: str, built: Built, tmp_path: Path) -> None:
    code, lines, errors, _ = _run(built, way, tmp_path)
    assert (code, lines[-3:]) == (0, ["synchronised 0", "end 0", "again 100037"]), errors


def test_a_check_that_raises_ends_the_program_at_the_call(built: Built, tmp_path: Path) -> None:
    code, lines, errors, found = _run(built, "closed", tmp_path, "--check", "memory=raise")
    assert (code, lines, list(found)) == (1, ["begun"], ["double-free", "leak"])
    assert "the program ends in aclrtFree" in errors


def test_settings_that_are_wrong_are_told_before_the_program_goes_on(built: Built, tmp_path: Path) -> None:
    done = tool("run", str(built("life.cpp")), "none", ASCEND_SIM_SOC="Ascend1")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Ascend1" in done.stderr


def test_a_library_takes_the_lock_of_python_when_the_program_ends(built: Built) -> None:
    done = tool("run", str(built("late_python.c")))
    assert (done.returncode, done.stdout) == (0, "late\n"), done.stderr


def test_a_plug_in_keeps_the_names_of_the_library_to_itself(tmp_path: Path) -> None:
    program, report = tmp_path / "plugin", tmp_path / "findings.json"
    words = [*c_compiler(), "-g", str(SOURCES / "plugin.c"), "-o", str(program), "-ldl"]
    subprocess.run(words, check=True, timeout=HANG)
    done = tool("run", "--json", str(report), str(program))
    assert (done.returncode, done.stdout) == (1, "0 0 0 0 1\n"), done.stderr
    assert [found["kind"] for found in json.loads(report.read_text())["findings"]] == ["double-free"]
    explored = tool("explore", "--budget", "1h", str(program))
    assert "double-free in 1 of 1" in explored.stdout, explored.stderr


def test_the_library_is_opened_closed_and_opened_again(tmp_path: Path) -> None:
    program = tmp_path / "reopened"
    words = [*c_compiler(), "-g", str(SOURCES / "reopened.c"), "-o", str(program), "-ldl"]
    subprocess.run(words, check=True, timeout=120)
    done = tool("run", str(program))
    names = ("aclInit", "aclrtSetDevice", "aclrtResetDevice", "aclFinalize")
    assert (done.returncode, done.stdout.splitlines()) == (0, [f"{name} 0 0" for name in names]), done.stderr


@pytest.fixture(scope="module")
def embedding(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that is linked to libpython, where there is a shared one."""
    name, folder = sysconfig.get_config_var("LDLIBRARY") or "", sysconfig.get_config_var("LIBDIR")
    if not sysconfig.get_config_var("Py_ENABLE_SHARED") or ".so" not in name:
        pytest.skip("this Python has no shared libpython")
    target = tmp_path_factory.mktemp("embedding") / "embedding"
    library = name.removeprefix("lib").partition(".so")[0]
    python = [f"-I{sysconfig.get_path('include')}", f"-L{folder}", f"-l{library}", f"-Wl,-rpath,{folder}"]
    done = tool("cc", "-g", str(SOURCES / "embedding.c"), "-o", str(target), *python)
    assert done.returncode == 0, done.stderr
    return target


@pytest.mark.parametrize(
    ("way", "last"), [("", ["free 0", "end 0"]), ("never", ["free 0"]), ("early", ["end 0", "late 0"])]
)
def test_a_program_that_has_started_python_itself_comes_to_its_end(way: str, last: list[str], embedding: Path) -> None:
    done = tool("run", str(embedding), way)
    assert sorted(done.stdout.splitlines()) == sorted(["init 0", "python (0, 0)", "thread 0", *last]), done.stderr
    assert done.returncode == 0, done.stderr


def test_a_library_of_a_python_program_works_on_its_device(tmp_path: Path) -> None:
    done = tool("cc", "-g", "-shared", "-fPIC", str(SOURCES / "doubler.c"), "-o", str(tmp_path / "doubler.so"))
    assert done.returncode == 0, done.stderr
    (tmp_path / "main.py").write_text(
        "import ctypes\nimport acl\nacl.init()\nacl.rt.set_device(0)\n"
        "doubler = ctypes.CDLL('./doubler.so')\nprint(doubler.doubled(21))\n"
        "acl.rt.reset_device(0)\nacl.finalize()\nprint('end')\n"
    )
    done = tool("run", "main.py", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "42\nend\n"), done.stderr
