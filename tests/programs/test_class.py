"""The class as a whole: it works wherever it lies, its pictures are the simulator's, its notebooks run."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ascend_sim import cli, constants
from ascend_sim.catalogue.functions import functions
from ascend_sim.cli.teaching.exercises import EXERCISES
from ascend_sim.cli.teaching.folder import Lesson, folder, lessons
from ascend_sim.cli.teaching.notebooks import notebook
from ascend_sim.cli.teaching.pictures import picture
from ascend_sim.findings.languages import ENGLISH, LANGUAGES, missing
from ascend_sim.state import svg
from tests.kit import forks
from tests.programs.lesson_runs import needs_torch

ROOT = Path(__file__).parents[2]
LESSONS = list(lessons().values())
PAGE = (folder() / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the class far from the repository, made by the command."""
    target = tmp_path_factory.mktemp("desk") / "class"
    assert cli.main(["lesson", "--copy", str(target)]) == 0
    return target


# -- the plan ----------------------------------------------------------------------------------------------------------


def test_the_plan_has_ten_lessons_in_two_hours() -> None:
    rows = re.findall(r"^\| (\d):(\d\d) \| (?:\[(\d+)\]\(\S+\))? *\| (\d+) \|", PAGE, re.MULTILINE)
    assert [int(number) for _, _, number, _ in rows if number] == list(range(1, 11))
    at = 0
    for hours, minutes, _, length in rows:
        assert int(hours) * 60 + int(minutes) == at
        at += int(length)
    assert at == 120


def test_events_come_in_two_steps() -> None:
    titles = [lesson.title for lesson in LESSONS]
    assert titles[2].startswith("Events: record") and titles[3].startswith("Events again")


# -- pictures ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("number", [lesson.number for lesson in LESSONS if lesson.number <= 11])
def test_a_picture_is_what_the_simulator_draws(number: int, language: str) -> None:
    """``ASCEND_SIM_REWRITE=1`` writes them anew."""
    lesson, place = lessons(language)[number], folder() / ("." if language == ENGLISH else language)
    kept = place / "pictures" / f"{lesson.path.stem}.svg"
    drawn = picture(lesson, language)
    if os.environ.get("ASCEND_SIM_REWRITE"):
        kept.write_text(drawn, encoding="utf-8")
    assert kept.read_text(encoding="utf-8") == drawn
    assert f"](pictures/{kept.name})" in (place / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("number", [lesson.number for lesson in LESSONS if lesson.number <= 11])
def test_a_chinese_picture_says_nothing_in_english(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    left = set[str]()

    def translated(text: str, language: str) -> str:
        left.update(missing(text, language))
        return text

    monkeypatch.setattr(svg, "translated", translated)
    picture(lessons("zh")[number], "zh")
    assert {text for text in left if not text.startswith("work <")} <= {"memset"}  # the name of a kernel


def test_a_picture_leaves_no_simulated_acl_behind(tmp_path: Path) -> None:
    before = sys.modules.get("acl")
    assert cli.main(["lesson", "3", "--picture", str(tmp_path / "x.svg")]) == 0
    assert sys.modules.get("acl") is before
    assert (tmp_path / "x.svg").read_text(encoding="utf-8").startswith("<svg ")


# -- a copy elsewhere --------------------------------------------------------------------------------------------------


def test_a_copy_is_whole_and_not_written_over(elsewhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = {str(path.relative_to(folder())) for path in folder().rglob("*") if "__pycache__" not in str(path)}
    assert {str(path.relative_to(elsewhere)) for path in elsewhere.rglob("*")} == names
    assert cli.main(["lesson", "--copy", str(elsewhere)]) == 2
    assert "is there already" in capsys.readouterr().err


@pytest.mark.parametrize("number", [9, 13])  # those that load files
def test_a_lesson_runs_in_the_copy(number: int, elsewhere: Path, ascend_sim: Any) -> None:
    lesson = lessons()[number]
    run = ascend_sim("run", *lesson.options.split(), lesson.path.name, folder=elsewhere)
    assert run.returncode == ("error[" in run.stderr), run.stderr
    assert "Traceback" not in run.stderr
    assert str(ROOT) not in run.stdout


@pytest.mark.parametrize("number", [2, 9])
def test_a_lesson_runs_from_anywhere(number: int, tmp_path: Path, ascend_sim: Any) -> None:
    run = ascend_sim("lesson", str(number), "--run", folder=tmp_path)
    assert run.returncode == 0 and "Traceback" not in run.stderr, run.stderr


def test_no_page_or_program_of_the_class_leaves_its_folder() -> None:
    for path in folder().rglob("*"):
        if path.suffix in (".py", ".md"):
            for link in re.findall(r"\]\(([^)#\s]+)", path.read_text(encoding="utf-8")) if path.suffix == ".md" else ():
                if not re.match(r"\w+:", link):
                    assert (path.parent / link).resolve().is_relative_to(folder().resolve()), f"{path}: {link}"
            if path.suffix == ".py":
                assert not re.search(r"[\"']\.\.[\"'/]", path.read_text(encoding="utf-8")), path


def test_an_installed_package_brings_the_class(tmp_path: Path) -> None:
    pytest.importorskip("setuptools")
    copy = tmp_path / "checkout"
    copy.mkdir()
    shutil.copyfile(ROOT / "setup.py", copy / "setup.py")
    (copy / "setup.cfg").write_text("[options]\npackages = ascend_sim\n", encoding="utf-8")
    shutil.copytree(folder(), copy / "examples" / "lessons", ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "ascend_sim").mkdir()
    (copy / "ascend_sim" / "__init__.py").touch()
    command = [sys.executable, "setup.py", "-q", "build_py", "-d", str(tmp_path / "built")]
    subprocess.run(command, check=True, capture_output=True, cwd=copy)
    built = tmp_path / "built" / "ascend_sim" / "lessons"
    assert (built / "gallery" / "answers.tsv").is_file() and (built / "pictures" / "03_events.svg").is_file()


# -- notebooks ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.path.stem)
def test_a_notebook_runs_from_its_first_cell_to_its_last(lesson: Lesson, elsewhere: Path) -> None:
    needs_torch(lesson.number)
    path = elsewhere / f"{lesson.path.stem}.ipynb"
    path.write_text(notebook(lesson), encoding="utf-8")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    assert len({cell["id"] for cell in cells}) == len(cells)
    assert sum(cell["cell_type"] == "code" for cell in cells) >= 5
    asked = EXERCISES.get(lesson.number)
    checked = lesson.number == 3  # one check is enough here: test_exercises.py has them all
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ASCEND_SIM_")}
    run = forks.run(
        "notebook", [path.name, *([] if checked else ["--no-commands"])], folder=elsewhere,
        env={**kept, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    if asked is not None:
        mine = (elsewhere / f"mine_{lesson.number}.py").read_text(encoding="utf-8")
        assert mine == asked.start.read_text(encoding="utf-8")
        assert f"!ascend-sim lesson {lesson.number} --check mine_{lesson.number}.py" in str(cells)
    if checked:
        assert "nothing orders the two streams" in run.stdout


@pytest.mark.slow
def test_a_notebook_runs_in_a_kernel(elsewhere: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    made = nbformat.reads(notebook(lessons()[3]), as_version=4)
    nbformat.validate(made)
    made.cells[-1].source = made.cells[-1].source.replace("!ascend-sim", f"!{sys.executable} -m ascend_sim")
    done = nbclient.NotebookClient(made, timeout=int(forks.HANG), resources={"metadata": {"path": str(elsewhere)}}).execute()
    printed = "".join(output.get("text", "") for cell in done.cells for output in cell.get("outputs", ()))
    assert "synchronised: 07070707" in printed and "nothing orders the two streams" in printed


# -- the table of words ------------------------------------------------------------------------------------------------

WORDS = folder() / "words.md"


def test_every_name_in_the_table_of_words_is_in_the_catalogue() -> None:
    text = WORDS.read_text(encoding="utf-8")
    names = set(re.findall(r"\bacl[a-z]*[A-Z]\w*", text)) - {"aclError", "aclmdlRI"}  # two types
    assert len(names) > 60
    assert sorted(names - set(functions())) == []
    assert [name for name in re.findall(r"\bACL_\w+", text) if not hasattr(constants, name)] == []


def test_the_table_of_words_has_the_chapters_that_people_ask_for() -> None:
    text = WORDS.read_text(encoding="utf-8")
    for word in ("cudaEventDisableTiming", "cudaMallocHost", "cudaStreamBeginCapture", "cudaIpcGetMemHandle", "cuMemMap",
                 "cudaLaunchCooperativeKernel", "cudaGetLastError", "nvidia-smi", "torch.cuda"):  # fmt: skip
        assert word in text, word
    for line in text.splitlines():
        if line.startswith("| ") and not line.startswith(("| CUDA", "|---", "| torch.cuda |")):
            assert line.count("|") == 4, line
