"""The tool takes none of its modules from the working directory or from the program's folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.forks import ROOT, ascend_sim

PROGRAM = """\
import acl, numbers
acl.init(), acl.rt.set_device(0)
stream, _ = acl.rt.create_stream()
memory, _ = acl.rt.malloc(64, 0)
acl.rt.memset_async(memory, 64, 1, 64, stream)
acl.rt.free(memory)
acl.rt.synchronize_stream(stream)
"""
NAMES = (
    "argparse ast concurrent copy csv decimal difflib fractions hashlib html inspect json multiprocessing random shlex "
    "string struct uuid"
)
COMMANDS = {
    "run": ["run", "prog.py", "--suppress", "nothingg", "--timeline", "page.html"],
    "explore": ["explore", "numbers.py"],
    "jobs": ["explore", "prog.py", "--jobs", "2"],
}


@pytest.mark.parametrize("name", ["typing", "re", "contextlib", "textwrap"])
def test_python_m_takes_nothing_from_the_working_directory(name: str, tmp_path: Path) -> None:
    """What the package imports before its `__main__` is there: the library's, even where the program is called so."""
    (tmp_path / f"{name}.py").write_text("raise SystemExit('mine')\n")
    variables = {k: v for k, v in os.environ.items() if k != "PYTHONSAFEPATH"} | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "ascend_sim", "--version"]
    done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()[:1]) == (0, ["ascend-sim"]), done.stderr


def test_a_package_that_we_import_late_takes_its_modules_elsewhere_too(tmp_path: Path) -> None:
    """What the program imports stays as it is: the same package gets the program's module there."""
    (tmp_path / "copy.py").write_text("raise ImportError('mine')\n")
    (tmp_path / "p.py").write_text(
        "import sys\nimport acl\nfrom ascend_sim.observers.fault_plans import parse_faults\nassert 'attr' in sys.modules\n"
        "for name in [n for n in sys.modules if n.partition('.')[0] in ('attr', 'attrs', 'copy')]: del sys.modules[name]\n"
        "try:\n    import attrs\nexcept ImportError as error:\n    print(error)\n"
    )
    command = [sys.executable, str(ROOT / "ascend_sim" / "__main__.py"), "run", "p.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "mine\n"), done.stderr


ABSENT = """
import sys
from importlib.util import find_spec
import ascend_sim
from ascend_sim.runtime.own_imports import for_program, look_elsewhere
look_elsewhere(sys.path[0])
names = {}
text = "def late(name): __import__(name)\\n"
exec(compile(text, ascend_sim.__file__.replace("__init__", "late"), "exec"), names)
for name in ("not_installed", "msvcrt"):
    try:
        names["late"](name)
    except ModuleNotFoundError as error:
        assert error.name == name
    else:
        print("the tool has taken", name)
names["find_spec"] = find_spec
exec(compile("found = find_spec('nowhere_at_all')", ascend_sim.__file__.replace("__init__", "late"), "exec"), names)
assert names["found"] is None
for_program(__import__, "not_installed")
import msvcrt
"""


def test_what_is_not_installed_is_not_taken_from_the_programs_folder(tmp_path: Path) -> None:
    """A package that an extra brings, a library module of another system; the program's own imports find them there."""
    for name in ("not_installed", "msvcrt"):
        (tmp_path / f"{name}.py").touch()
    (tmp_path / "p.py").write_text(ABSENT)
    variables = {k: v for k, v in os.environ.items() if k != "PYTHONSAFEPATH"} | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "p.py"]
    done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


CHILDREN = {
    "a program": "import subprocess, sys\nsubprocess.run([sys.executable, 'prog.py'])\n",
    "a worker": (
        "import multiprocessing\ndef work():\n    import prog\nif __name__ == '__main__':\n"
        "    process = multiprocessing.get_context('spawn').Process(target=work)\n    process.start()\n    process.join()\n"
    ),
}


@pytest.mark.parametrize("child", CHILDREN)
def test_processes_that_the_program_starts_take_nothing_from_its_folder(child: str, tmp_path: Path) -> None:
    for name in ["fractions", "hashlib", "heapq", "json", "mmap"]:
        (tmp_path / f"{name}.py").write_text("raise SystemExit('mine')\n")
    (tmp_path / "prog.py").write_text(PROGRAM.replace(", numbers", ""))
    (tmp_path / "main.py").write_text(f"import acl\nacl.init()\n{CHILDREN[child]}")
    done = ascend_sim("run", "main.py", folder=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "use-after-free" in done.stderr and "mine" not in done.stderr


OWN = ["queue", "difflib", "html", "random", "heapq", "textwrap", "copy", "shlex", "numpy"]
USES = (
    f"import sys, importlib, concurrent, csv, json.part, {', '.join(OWN)}\n"
    "from queue import MINE\n"
    f"for module in (concurrent, json, {', '.join(OWN)}):\n"
    "    assert module.MINE == module.__name__ and importlib.import_module(module.__name__) is module, module\n"
    "assert csv.writer and json.part.X and not hasattr(queue, 'Queue')\n"
)
"""A program that imports its own modules, and one of the library where it has a folder of that name."""
LATER = "import queue as again\nassert again is queue and sys.modules['queue'] is queue\nprint('end')\n"
WAYS = {
    "run": ["run", "prog.py", "--suppress", "nothingg", "--timeline", "page.html"],
    "-m": ["run", "-m", "prog"],
    "a child": ["run", "main.py"],
    "explore": ["explore", "prog.py", "-o", "order.json"],
    "replay": ["replay", "order.json", "prog.py"],
}


def put_own_modules(folder: Path) -> None:
    """Modules and packages of the program that are called like those of the library, or like one that we use."""
    for name in OWN:
        (folder / f"{name}.py").write_text(f"MINE = {name!r}\n")
    for name in ("json", "concurrent", "csv"):
        (folder / name).mkdir()
    (folder / "json" / "__init__.py").write_text("from json import part\nfrom . import part as again\nMINE = 'json'\n")
    (folder / "json" / "part.py").write_text("X = 1\n")
    (folder / "concurrent" / "__init__.py").write_text("MINE = 'concurrent'\n")
    (folder / "prog.py").write_text(USES + PROGRAM.replace(", numbers", "") + LATER)
    (folder / "main.py").write_text("import acl, subprocess, sys\nsubprocess.run([sys.executable, 'prog.py'])\n")


@pytest.mark.parametrize("way", [*WAYS, pytest.param("jobs", marks=pytest.mark.slow)])
def test_the_program_imports_its_own_modules(way: str, tmp_path: Path) -> None:
    """As without us, and we go on with those of the library."""
    put_own_modules(tmp_path)
    if way == "replay":
        ascend_sim(*WAYS["explore"], folder=tmp_path)
    done = ascend_sim(*WAYS.get(way, [*WAYS["explore"], "--jobs", "2"]), folder=tmp_path)
    said = done.stdout + done.stderr
    assert "use-after-free" in said and "Traceback" not in said and "could not be made" not in said, said
    assert "not as recorded" not in said
    if way in ("explore", "jobs"):
        assert "exhausted" in said, said
    else:
        assert done.stdout == "end\n", said


def test_an_archive_imports_its_own_modules(tmp_path: Path) -> None:
    """So does a folder that is run."""
    inside = tmp_path / "program"
    inside.mkdir()
    put_own_modules(inside)
    (inside / "prog.py").rename(inside / "__main__.py")
    made = shutil.make_archive(str(tmp_path / "packed"), "zip", inside)
    for path in (made, "program"):
        done = ascend_sim("run", path, folder=tmp_path)
        assert "use-after-free" in done.stderr and done.stdout == "end\n", done.stderr


def test_an_import_that_fails_shows_no_frame_of_ours(tmp_path: Path) -> None:
    (tmp_path / "queue.py").write_text("raise ImportError('mine')\n")
    (tmp_path / "prog.py").write_text("import queue\n")
    plain = subprocess.run([sys.executable, "prog.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    done = ascend_sim("run", "prog.py", folder=tmp_path)
    assert plain.stderr.strip() in done.stderr and plain.returncode == done.returncode == 1


def test_programs_without_such_modules_import_as_before(tmp_path: Path) -> None:
    """Folders with data, and files that the interpreter never takes, are none."""
    (tmp_path / "json").mkdir()
    (tmp_path / "os.py").touch()
    (tmp_path / "prog.py").write_text("import builtins\nprint(type(builtins.__import__).__name__)\n")
    done = ascend_sim("run", "prog.py", folder=tmp_path)
    assert done.stdout == "builtin_function_or_method\n", done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_files_that_lie_there_do_not_run(command: str, tmp_path: Path) -> None:
    mine = "import os, sys; open(os.path.join(os.path.dirname(__file__), 'RAN'), 'a').write(__name__ + ' ')\n"
    for name in NAMES.split():
        (tmp_path / f"{name}.py").write_text(mine)
    (tmp_path / "ascend_sim").mkdir()
    for name in ("__init__.py", "__main__.py"):
        (tmp_path / "ascend_sim" / name).write_text(mine)
    for name in ("prog.py", "numbers.py"):
        (tmp_path / name).write_text(PROGRAM)
    main = str(ROOT / "ascend_sim" / "__main__.py")
    variables = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHASHSEED", "PYTHONSAFEPATH")}
    done = subprocess.run(
        [sys.executable, main, *COMMANDS[command]],
        cwd=tmp_path,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "use-after-free" in done.stdout + done.stderr
    assert not (tmp_path / "RAN").exists(), (tmp_path / "RAN").read_text()
