"""What docs/public.md names is there, and what it lists is all: modules, objects, commands, variables, files."""

from __future__ import annotations

import contextlib
import doctest
import importlib
import re
from pathlib import Path
from typing import Any

import pytest

import ascend_sim
from ascend_sim import cli, pyacl
from ascend_sim.catalogue.functions import functions
from ascend_sim.catalogue.pyacl import rows
from ascend_sim.explore.counterexamples import files

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "public.md").read_text(encoding="utf-8")
EXAMPLES = sorted([*ROOT.glob("examples/**/*.py"), ROOT / "README.md", ROOT / "ascend_sim" / "data" / "explain.txt"])


def _table(heading: str) -> dict[str, list[str]]:
    """First cell -> the words in backticks of the second one."""
    section = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([^`]+)` \| (.*) \|$", section, re.MULTILINE)
    assert rows
    return {name: re.findall(r"`([^`]+)`", text) for name, text in rows}


MODULES = _table("Modules")


def _resolve(dotted: str) -> Any:
    module, _, name = dotted.rpartition(".")
    return getattr(importlib.import_module(module), name)


@pytest.mark.parametrize("module", [name for name in MODULES if name != "acl"])
def test_names_of_modules_are_there(module: str) -> None:
    home = importlib.import_module(module)
    assert [name for name in MODULES[module] if not hasattr(home, name)] == []


@pytest.mark.parametrize("module", ["ascend_sim", "ascend_sim.explore", "ascend_sim.findings", "ascend_sim.ops",
                                    "ascend_sim.state", "ascend_sim.testing", "ascend_sim.timeline"])  # fmt: skip
def test_what_a_module_offers_is_listed(module: str) -> None:
    assert set(importlib.import_module(module).__all__) <= set(MODULES[module])


@pytest.mark.parametrize("module", ["simulator", "observers.observer", "explore.explorer"])
def test_examples_in_docstrings_run(module: str) -> None:
    result = doctest.testmod(importlib.import_module(f"ascend_sim.{module}"))
    assert (result.failed, result.attempted > 0) == (0, True)


def test_the_faces_are_whole() -> None:
    assert f"the {sum(map(len, rows().values()))} names of pyACL" in PAGE
    assert set(dir(pyacl.modules()["acl.rt"])) >= set(rows()["rt"])
    assert set(dir(importlib.import_module("ascend_sim.ascendcl"))) >= set(functions())


@pytest.mark.parametrize(("dotted", "members"), _table("Objects").items())
def test_members_are_there(dotted: str, members: list[str]) -> None:
    if dotted.startswith("sim."):
        with ascend_sim.Simulator() as sim:
            home = getattr(sim, dotted.removeprefix("sim."))
    else:
        home = _resolve(dotted)
    fields = {*dir(home), *getattr(home, "__annotations__", {})}
    if dotted == "ascend_sim.Simulator":
        with ascend_sim.Simulator() as sim:
            fields |= set(dir(sim))
    elif dotted == "ascend_sim.AclError":
        fields |= set(vars(ascend_sim.AclError(107002, "no context")))
    elif dotted == "ascend_sim.Kernel":
        fields |= set(vars(_kernel()))
    elif dotted == "ascend_sim.explore.Report":
        fields |= set(vars(home(None, {})))
    elif dotted == "ascend_sim.Block":
        fields |= set(home.__slots__)
    plain = [name for name in members if name.isidentifier()]
    if dotted == "ascend_sim.gm":
        fields |= set(dir(home.InOut))
    assert [name for name in plain if name not in fields] == []


def _kernel() -> Any:
    @ascend_sim.kernel
    def nothing(b: ascend_sim.Block) -> None:
        """A kernel without parameters."""

    return nothing


def test_commands_are_listed() -> None:
    listed = [row.split()[1] for row in _table("Commands")]
    assert list(dict.fromkeys(listed)) == sorted(set(listed), key=listed.index)
    assert set(listed) == set(cli.COMMANDS)


@pytest.mark.parametrize(("command", "options"), _table("Commands").items())
def test_options_are_all_that_help_shows(command: str, options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    if command.endswith("replay"):
        return  # it hands on those of run
    with contextlib.suppress(SystemExit):
        cli.main([*command.split()[1:], "--help"])
    text = re.sub(r"\n {10,}", " ", capsys.readouterr().out)
    found: set[str] = set()
    for line in re.findall(r"^  (-[^\n]*?)(?:  |$)", text, re.MULTILINE):
        found |= set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", line))
    assert found - {"-h", "--help"} == set(options)


BETWEEN_PROCESSES = {f"ASCEND_SIM_{name}" for name in (
    "BEFORE", "BOARD", "COLOR", "EXPLORE", "FIRST", "FORMAT", "LOG",
    "MAIN", "RECORD", "SPOOL", "TIMELINE", "TIMELINE_PID", "TIMELINE_TASKS",
)}  # fmt: skip


def test_variables_are_read_somewhere() -> None:
    section = PAGE.partition("## Environment variables\n")[2].partition("\n## ")[0]
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "ascend_sim").rglob("*.py"))
    named = re.findall(r"`(ASCEND\w+)`", section)
    assert len(named) > 10
    assert [name for name in named if f'"{name}"' not in sources] == []
    assert set(re.findall(r'"(ASCEND_SIM_\w+)"', sources)) - set(named) == BETWEEN_PROCESSES


def test_options_of_the_plugin_are_all() -> None:
    plugin = (ROOT / "ascend_sim_pytest.py").read_text(encoding="utf-8")
    section = PAGE.partition("## Plugin\n")[2].partition("\n## ")[0]
    assert set(re.findall(r'addoption\(\s*"(--[\w-]+)"', plugin)) == set(re.findall(r"`(--[\w-]+)`", section))


def test_extras_are_those_of_the_package() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("[project.optional-dependencies]\n")[2]
    extras = {
        name: [re.split(r"\W*>=", part.strip(' "'))[0] for part in parts.split(",")]
        for name, parts in re.findall(r"^(\w+) = \[(.*)\]$", text.partition("\n[")[0], re.MULTILINE)
    }
    rows = re.findall(
        r"^\| `(\w+)` \| ([\w, -]+) \| ", PAGE.partition("## Extras\n")[2].partition("\n## ")[0], re.MULTILINE
    )
    assert {name: brings.split(", ") for name, brings in rows} == extras


def test_the_forms_of_files_are_those_of_the_code() -> None:
    assert f'`"format": "{files.FORMAT}"` and `"version": {files.VERSION}`' in PAGE


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: str(path.relative_to(ROOT)))
def test_examples_import_public_names_only(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for module, names in re.findall(r"^\s*from (ascend_sim[\w.]*) import ([^#\n(]+)", text, re.MULTILINE):
        assert module in MODULES, module
        if module not in ("ascend_sim.ascendcl", "ascend_sim.constants"):  # those have every C name
            assert {name.split(" as ")[0].strip() for name in names.split(",")} <= set(MODULES[module])
    for module in re.findall(r"^\s*import (ascend_sim[\w.]*)", text, re.MULTILINE):
        assert module in MODULES, module
