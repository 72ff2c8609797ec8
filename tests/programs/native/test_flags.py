"""Orders that a program makes by atomics alone: where a loop waits for one, and what is said where none does."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.kit.compilers import needs_compiler
from tests.programs.native.conftest import SOURCES, tool

pytestmark = needs_compiler
Built = Callable[[str], Path]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Compiles the program with these words, with a flag that is no atomic."""
    folder = tmp_path_factory.mktemp("flags")
    (folder / "flags.cpp").write_text((SOURCES / "flags.cpp").read_text())
    (folder / "flag.h").write_text("#define FLAG bool\n")

    def build(*words: str) -> Path:
        target = folder / "_".join(["flags", *words])
        done = tool("cc", "-O1", *words, str(folder / "flags.cpp"), "-o", str(target))
        assert done.returncode == 0, done.stderr
        return target

    return build


def races(program: Path, how: str, folder: Path) -> list[dict[str, Any]]:
    """The races of a run."""
    report = folder / "findings.json"
    done = tool("run", "--json", str(report), str(program), how)
    found = [f for f in json.loads(report.read_text())["findings"] if f["kind"] != "order-depends-on-clock"]
    assert done.returncode == any(f["severity"] == "error" for f in found), done.stderr
    assert how == "frees" or done.stdout == "done\n"
    return found


@pytest.mark.parametrize(
    "how",
    [
        "sleeps", "yields", *(pytest.param(how, marks=pytest.mark.slow) for how in ("spins", "other spins", "frees")),
    ],
)  # fmt: skip
def test_a_loop_that_waits_for_an_atomic_is_an_order(built: Built, how: str, tmp_path: Path) -> None:
    assert races(built("flags.cpp"), how, tmp_path) == []


@pytest.mark.parametrize("how", ["sleeps", "yields"])
def test_a_loop_that_waits_for_a_plain_variable_is_none(plain: Callable[..., Path], how: str, tmp_path: Path) -> None:
    (found,) = races(plain("-g"), how, tmp_path)
    assert (found["kind"], found["severity"]) == ("race", "error")


def test_one_look_at_an_atomic_is_told_as_what_may_be_an_order(built: Built, tmp_path: Path) -> None:
    (found,) = races(built("flags.cpp"), "looks", tmp_path)
    assert (found["kind"], found["severity"]) == ("race", "note")
    assert "`std::atomic` of" in found["order"] and "flag.h:3 may" in found["order"]


def test_without_an_atomic_a_race_is_an_error(plain: Callable[..., Path], tmp_path: Path) -> None:
    (found,) = races(plain("-g"), "looks", tmp_path)
    assert found["severity"] == "error" and "atomic" not in found["order"]


def test_where_no_source_is_known_a_race_is_an_error(plain: Callable[..., Path], tmp_path: Path) -> None:
    (found,) = races(plain(), "looks", tmp_path)
    assert found["severity"] == "error"
