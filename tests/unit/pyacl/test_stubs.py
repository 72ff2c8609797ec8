"""The stubs of `acl`: they are what the tables say, checkers accept the examples with them, and they tell the truth."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ascend_sim import Simulator
from ascend_sim.catalogue.pyacl import MODULES, row, rows
from ascend_sim.pyacl import modules, stubs
from tests.kit import forks

ROOT = Path(__file__).parents[3]
STUBS = ROOT / "acl-stubs"
EXAMPLES = sorted((ROOT / "examples").rglob("*.py"))


@pytest.mark.parametrize("module", ["", *MODULES])
def test_the_files_are_what_the_tables_say(module: str) -> None:
    text = (STUBS / f"{module or '__init__'}.pyi").read_text(encoding="utf-8")
    assert text == stubs.stub(module), "python -m ascend_sim.pyacl.stubs writes them anew"
    named = [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    assert named == list(rows()[module])
    assert all(ast.get_docstring(node) for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))


def test_an_installation_brings_them() -> None:
    tomllib = pytest.importorskip("tomllib")
    made = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    assert "acl-stubs" in made["packages"]["find"]["include"]
    assert made["package-data"]["acl-stubs"] == ["*.pyi"]


ARGUMENTS = {
    "k": 0,
    "K": 0,
    "I": 0,
    "H": 0,
    "B": 0,
    "b": 0,
    "h": 0,
    "i": 0,
    "l": 0,
    "L": 0,
    "f": 0.0,
    "d": 0.0,
    "s": "x",
}
NOT_CALLED = {"rt.process_report", "util.start_thread", "util.stop_thread"}


def _fits(value: Any, kind: str) -> bool:
    kinds = {"int": int, "float": (int, float), "str": str, "bytes": bytes, "None": type(None), "Any": object}
    if kind.startswith("tuple["):
        parts = [ast.unparse(part) for part in _elements(kind)]
        return isinstance(value, tuple) and len(value) == len(parts) and all(map(_fits, value, parts))
    if " | " in kind:
        return any(_fits(value, part) for part in kind.split(" | "))
    base = kind.partition("[")[0]
    if base in ("list", "dict"):
        return isinstance(value, list if base == "list" else dict)
    return base not in kinds or isinstance(value, kinds[base])  # type: ignore[arg-type]


def _elements(kind: str) -> list[ast.expr]:
    subscript = ast.parse(kind, mode="eval").body
    assert isinstance(subscript, ast.Subscript)
    return subscript.slice.elts if isinstance(subscript.slice, ast.Tuple) else [subscript.slice]


@pytest.mark.parametrize("module", ["", *(name for name in MODULES if name != "util")])
def test_what_a_call_returns_has_the_type(module: str) -> None:
    """Called with zeros: values that a failing call leaves alone have the same types, but for None in place of texts."""
    wrong = []
    space = modules()[f"acl.{module}" if module else "acl"]
    for name in rows()[module]:
        found = row(module, name)
        letters = found.format.replace("|", "") if found is not None else ""
        if found is None or found.name in NOT_CALLED or "O" in letters:
            continue
        with Simulator(checks="none"):
            modules()["acl"].rt.set_device(0)
            values = [] if letters == "*" else [ARGUMENTS[letter] for letter in letters]
            try:
                result = getattr(space, name)(*values)
            except RuntimeError:  # that one raises, as in the real module
                continue
        kind = stubs._returned(found)
        if not _fits(result, kind) and None not in (result if isinstance(result, tuple) else (result,)):
            wrong.append(f"{found.name}: {kind}, not {result!r}")
    assert wrong == []


TORCH = "from typing import Any\n\ndef __getattr__(name: str) -> Any: ...\n"
"""What checkers know of torch here: `torch.npu` is there only when torch_npu runs, and no stub of torch has it."""

WRONG = "import acl\n\nstream: int = acl.rt.create_stream()\nacl.rt.malloc(64.0, 0)\nacl.rt.maloc(64, 0)\n"


@pytest.fixture
def typings(tmp_path: Path) -> Path:
    """A folder with the stubs that checkers find."""
    folder = tmp_path / "typings"
    shutil.copytree(STUBS, folder / "acl")
    (folder / "torch").mkdir()
    (folder / "torch" / "__init__.pyi").write_text(TORCH)
    return folder


def _mypy(typings: Path, *files: str) -> subprocess.CompletedProcess[str]:
    settings = typings.parent / "mypy.ini"
    settings.write_text("[mypy]\nstrict = true\n[mypy-ascend_sim.*]\nfollow_imports = silent\n")
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", str(settings), "--ignore-missing-imports",
         "--explicit-package-bases", "--cache-dir", str(typings.parent / "cache"), *files],
        capture_output=True, text=True, check=False, cwd=typings.parent, timeout=forks.HANG,
        env={**os.environ, "MYPYPATH": os.pathsep.join([str(typings), str(ROOT)])},
    )  # fmt: skip


def _pyright(typings: Path) -> subprocess.CompletedProcess[str]:
    """pyright as it comes ("standard"), on the programs beside *typings*."""
    settings = {
        "include": ["programs"], "stubPath": str(typings), "extraPaths": [str(ROOT)],
        "reportMissingModuleSource": False, "reportMissingImports": False,
    }  # fmt: skip
    (typings.parent / "pyrightconfig.json").write_text(json.dumps(settings))
    return subprocess.run(
        [sys.executable, "-m", "pyright", "-p", str(typings.parent), "--pythonpath", sys.executable],
        capture_output=True, text=True, check=False, timeout=forks.HANG,
    )  # fmt: skip


@pytest.mark.slow
def test_mypy_accepts_the_examples(typings: Path) -> None:
    """``mypy --strict``: every example, lesson, exercise, answer and program of the gallery."""
    pytest.importorskip("mypy")
    run = _mypy(typings, *map(str, EXAMPLES))
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"{len(EXAMPLES)} source files" in run.stdout


@pytest.mark.slow
def test_mypy_finds_what_is_wrong(typings: Path) -> None:
    pytest.importorskip("mypy")
    (typings.parent / "wrong.py").write_text(WRONG)
    run = _mypy(typings, "wrong.py")
    assert [line.split(":")[1] for line in run.stdout.splitlines() if ": error:" in line] == ["3", "4", "5"], run.stdout


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("pyright") is None, reason="pip install pyright brings it (it needs node)")
def test_pyright_accepts_the_examples_and_finds_what_is_wrong(typings: Path) -> None:
    programs = typings.parent / "programs"
    for path in EXAMPLES:
        copy = programs / path.relative_to(ROOT / "examples").as_posix().replace("torch/", "on_torch/")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    run = _pyright(typings)
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-1000:]
    (programs / "wrong.py").write_text(WRONG)
    run = _pyright(typings)
    assert [line.split(":")[1] for line in run.stdout.splitlines() if " - error:" in line] == ["3", "4", "5"], (
        run.stdout
    )
