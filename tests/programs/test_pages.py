"""Every command of the pages in docs/ prints what the page shows."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.kit.compilers import needs_compiler
from tests.kit.pages import ROOT, Page
from tests.kit.torch_guest import needs_torch

ENTRANCES = tuple(f"entrances/{name}.md" for name in ("pyacl", "cpp", "pytorch", "kernels", "teaching", "ci"))
PLAIN = ("editors.md", "exit_codes.md", "many_machines.md", "testing_kit.md")
PAGES = {name: Page.read(ROOT / "docs" / name) for name in (*PLAIN, *ENTRANCES)}
"""The pages whose commands are run here."""

ELSEWHERE: dict[str, list[str]] = {
    "editors.md": ["python", "json", "sh"],  # tests/unit/pyacl/test_stubs.py, below, tests/unit/cli/test_completion.py
    "exit_codes.md": [],
    **{name: [] for name in ENTRANCES},
    "entrances/pytorch.md": ["text"],  # which versions to install
    "many_machines.md": ["sh", "sh"],  # tests/unit/explore/test_executors.py, tests/unit/testing/test_pytest_plugin.py
    "testing_kit.md": ["python"],  # below
}
"""The languages of their other blocks, which other tests look at."""


NEEDS = {
    "entrances/cpp.md": needs_compiler,
    "entrances/pytorch.md": needs_torch,
    "testing_kit.md": pytest.mark.slow,
    "many_machines.md": pytest.mark.slow,
}
"""Pages with commands that need more than the package, or seconds."""


@pytest.mark.parametrize("name", [pytest.param(name, marks=[NEEDS[name]] if name in NEEDS else []) for name in PAGES])
def test_the_commands_of_a_page_print_what_is_shown(name: str, tmp_path: Path, ascend_sim: Any) -> None:
    page = PAGES[name]
    assert page.commands
    page.run(tmp_path, ascend_sim)


@pytest.mark.parametrize("name", PAGES)
def test_no_block_of_a_page_is_left_out(name: str) -> None:
    assert PAGES[name].others == ELSEWHERE[name]


def test_the_problem_matcher_reads_findings(tmp_path: Path, ascend_sim: Any) -> None:
    text = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    (task,) = json.loads(re.findall(r"```json\n(.*?)```", text, re.DOTALL)[0])["tasks"]
    pattern = task["problemMatcher"]["pattern"]
    (tmp_path / "p.py").write_text(PAGES["exit_codes.md"].files["forgets.py"])
    words = task["command"].replace("${relativeFile}", "p.py").split()[1:]
    lines = ascend_sim(*words, folder=tmp_path).stderr.splitlines()
    found = [match for line in lines if (match := re.search(pattern["regexp"], line))]
    parts = [{name: match[number] for name, number in pattern.items() if name != "regexp"} for match in found]
    assert parts == [
        {"file": "p.py", "line": "5", "column": "15", "severity": "warning", "code": "leak",
         "message": "1 stream is alive at acl.finalize"},
    ]  # fmt: skip


def test_the_second_class_of_the_testing_kit_page_explores() -> None:
    text = (ROOT / "docs" / "testing_kit.md").read_text(encoding="utf-8")
    space: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(compile(block, "<page>", "exec"), space)
    assert space["Explored"].explore and not space["PoolMachine"].explore


RUN_ELSEWHERE = {
    "README.md": "tests/programs/test_readme.py",
    "README.zh-CN.md": "tests/unit/test_docs_in_chinese.py",  # its blocks are those of the English page
    "CONTRIBUTING.md": "tests/programs/test_readme.py",
    "docs/notebooks.md": "tests/unit/notebook/test_notebook.py",
    "docs/README.md": "tests/programs/test_site.py",
    "examples/lessons/README.md": "tests/programs/test_lesson_pages.py",
    "examples/lessons/gallery/README.md": "tests/programs/test_lesson_pages.py",
    "examples/lessons/zh/README.md": "tests/unit/test_docs_in_chinese.py",
    "examples/lessons/zh/gallery/README.md": "tests/unit/test_docs_in_chinese.py",
}
NOT_RUN = {
    "docs/semantics/aclnn.md": "two lines that show the order of the calls",
    "docs/semantics/reports.md": "the form of a report and of its short line, with words for what stands there",
}


def test_no_page_with_code_is_exempt_without_a_reason() -> None:
    """A page whose blocks nobody runs is named here, with the reason."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")]
    coded = {str(path.relative_to(ROOT)) for path in pages if re.search(r"^ *```", path.read_text("utf-8"), re.MULTILINE)}
    here = {f"docs/{name}" for name in PAGES}
    assert sorted(coded - here - set(RUN_ELSEWHERE) - set(NOT_RUN)) == []
    assert sorted(set(NOT_RUN) - coded) == []
    assert all((ROOT / test).is_file() for test in RUN_ELSEWHERE.values())
