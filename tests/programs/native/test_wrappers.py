"""C and C++ functions that only hand a call on: reports show, and name things after, who called them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kit.compilers import needs_compiler
from tests.programs.native.conftest import SOURCES, tool

pytestmark = needs_compiler
SOURCE = SOURCES / "wrapping.cpp"


@pytest.fixture(scope="module", params=["-O0", "-O2"])
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("wrapping") / f"main{request.param}"
    done = tool("cc", "-g", request.param, "-pthread", str(SOURCE), "-o", str(made))
    assert done.returncode == 0, done.stderr
    return made


def _race(program: Path, way: str, *options: str) -> dict[str, object]:
    report = program.parent / f"{way}.json"
    tool("run", "--json", str(report), *options, str(program), way)
    (race,) = json.loads(report.read_text())["findings"]
    assert race["kind"] == "race"
    return race  # type: ignore[no-any-return]


def _places(race: dict[str, object]) -> list[tuple[int, str]]:
    return [(site["frames"][0]["line"], site["frames"][0]["function"]) for site in race["sites"][:2]]  # type: ignore[index]


def _line(mark: str) -> int:
    return next(n for n, text in enumerate(SOURCE.read_text().splitlines(), 1) if text.endswith(f"// <- {mark}"))


@pytest.mark.parametrize("way", ["template", "functor", "function", "nested", "header", "lambda"])
def test_a_report_shows_and_names_what_calls_the_wrapper(way: str, program: Path) -> None:
    if way == "nested" and program.name.endswith("O2"):
        pytest.importorskip("elftools")  # addr2line alone says that `clear` is `main`
    race = _race(program, way)
    assert "`work.handle_` writes `buffer` while a memset on `load.handle_`" in str(race["title"])
    last = _line(way)
    assert _places(race) == [(last, "main"), (last - 1, "main")]
    assert str(race["fix"]).endswith("\naclrtRecordEvent(ready, up)\naclrtStreamWaitEvent(down, ready)")


@pytest.mark.parametrize(("way", "function"), [("twice", "twice"), ("half", "half")])
def test_a_function_that_does_something_itself_is_no_wrapper(way: str, function: str, program: Path) -> None:
    if way == "half" and program.name.endswith("O2"):
        pytest.importorskip("elftools")
    race = _race(program, way)
    assert [name for _, name in _places(race)] == [function] * 2


def test_one_line_that_is_for_two_streams_says_for_which_each_call_is(program: Path) -> None:
    race = _race(program, "thread")
    assert str(race["fix"]).endswith(
        "aclrtRecordEvent(ready, on)  // for `load.handle_`\naclrtStreamWaitEvent(on, ready)  // for `work.handle_`"
    )


@pytest.mark.parametrize("pattern", ["twice", "wrapping.cpp:twi*"])
def test_patterns_name_more_wrappers(pattern: str, program: Path) -> None:
    assert [name for _, name in _places(_race(program, "twice", "--skip-frames", pattern))] == ["main"] * 2
    assert [name for _, name in _places(_race(program, "twice", "--skip-frames", "other*"))] == ["twice"] * 2
