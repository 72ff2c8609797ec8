"""Rooms import only what stands below them, and no modules import each other."""

from __future__ import annotations

from pathlib import Path

import pytest

import ascend_sim
from tests.house import ROOMS, UPWARD, Import, circles, imports_of, modules_of, room_of, upward

PACKAGE = Path(ascend_sim.__file__).parent


@pytest.fixture(scope="module")
def imports() -> list[Import]:
    return imports_of(PACKAGE)


def test_every_module_has_a_room() -> None:
    assert {room_of(module) for module in modules_of(PACKAGE)} - {""} == set(ROOMS)


def test_no_import_points_up(imports: list[Import]) -> None:
    """Those inside functions and for types count; the exceptions are named, and there is no idle one."""
    found = [(str(i), (room_of(i.module), room_of(i.target))) for i in upward(imports)]
    assert [text for text, pair in found if pair not in UPWARD] == []
    assert {pair for _, pair in found} == set(UPWARD)


def test_no_modules_import_each_other(imports: list[Import]) -> None:
    """Imports inside functions count: one of them must not hide a circle. Those for types may, inside a room."""
    assert [" -> ".join(walk) for walk in circles(imports)] == []


def _package(folder: Path, files: dict[str, str]) -> Path:
    package = folder / "ascend_sim"
    for name, text in {"__init__.py": "", **files}.items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / "__init__.py").touch()
        path.write_text(text)
    return package


@pytest.mark.parametrize(
    "text",
    [
        "from ascend_sim.observers import checks",
        "from ascend_sim.observers.checks import Checks",
        "import ascend_sim.observers.checks",
        "from ..observers import checks",
        "def f():\n    from ascend_sim.observers import checks",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ascend_sim.observers.checks import Checks",
        "import importlib\nf = lambda: importlib.import_module('ascend_sim.observers.checks')",
    ],
)
def test_the_checker_finds_a_planted_import_upward(tmp_path: Path, text: str) -> None:
    package = _package(tmp_path, {"runtime/stream.py": text, "observers/checks.py": "class Checks: ..."})
    found = upward(imports_of(package))
    assert [(i.module, i.target) for i in found] == [("ascend_sim.runtime.stream", "ascend_sim.observers.checks")]


@pytest.mark.parametrize("lazy", ["", "def f():\n    "])
def test_the_checker_finds_a_planted_circle(tmp_path: Path, lazy: str) -> None:
    files = {"runtime/a.py": "import ascend_sim.runtime.b", "runtime/b.py": "from ascend_sim.runtime.c import x",
             "runtime/c.py": f"{lazy}from ascend_sim.runtime import a",
             "runtime/d.py": "import ascend_sim.runtime.a"}  # fmt: skip
    (walk,) = circles(imports_of(_package(tmp_path, files)))
    assert set(walk) == {f"ascend_sim.runtime.{name}" for name in "abc"}


def test_what_points_down_is_fine(tmp_path: Path) -> None:
    files = {"observers/checks.py": "from ascend_sim.runtime.a import x", "runtime/a.py": "from ascend_sim import errors",
             "errors.py": ""}  # fmt: skip
    found = imports_of(_package(tmp_path, files))
    assert len(found) == 2
    assert upward(found) == []
    assert circles(found) == []
