"""``--help`` and the conditions of ``explain`` in Chinese: one table each, and nothing missing in them, or too much."""

from __future__ import annotations

import argparse
import re
from importlib import import_module
from pathlib import Path

import pytest

from ascend_sim import cli
from ascend_sim.catalogue.codes import codes
from ascend_sim.catalogue.conditions import NULL, by_code
from ascend_sim.catalogue.tables import rows
from ascend_sim.cli import cc, explain, replay
from ascend_sim.cli.help import helped, texts
from ascend_sim.findings import rendering
from ascend_sim.findings.languages import english_words, missing

HELP = {english.replace("\\n", "\n"): chinese for english, chinese in rows("zh_help.tsv", "english translation")}
CODES = dict(rows("zh_codes.tsv", "english translation"))
ROOT = Path(__file__).parents[3]


def _parser(name: str) -> argparse.ArgumentParser | None:
    module = import_module(f"ascend_sim.cli.{cli.MODULES.get(name, name)}")
    made = getattr(module, "parser", None)
    return None if made is None else made()


def _all_texts() -> set[str]:
    found = {*cli.COMMANDS.values(), replay.USAGE, cc.__doc__ or "", "usage: "}
    found |= {line.strip() for line in cli.usage().split("\n") if line.strip() and not line.startswith("  ")}
    found.add("the version of the simulator")
    for name in cli.COMMANDS:
        made = _parser(name)
        found |= set() if made is None else set(texts(made))
    return found


def test_each_text_of_a_help_has_its_chinese_form_and_no_other_is_in_the_table() -> None:
    wanted = _all_texts()
    assert sorted(wanted - set(HELP)) == [], "missing in zh_help.tsv"
    assert sorted(set(HELP) - wanted) == [], "of no use in zh_help.tsv"


@pytest.mark.parametrize("table", [HELP, CODES], ids=["help", "codes"])
def test_both_languages_have_the_same_numbers_and_names(table: dict[str, str]) -> None:
    for english, chinese in table.items():
        for pattern in (r"\d+", r"--[a-z][\w-]+", r"\bacl\w+", r"\b[A-Z]\w*_[A-Z]\w*\b"):
            found = [sorted(set(re.findall(pattern, text, re.ASCII))) for text in (english, chinese)]
            assert found[0] == found[1], english


@pytest.mark.parametrize("name", ["", *cli.COMMANDS])
def test_the_help_of_a_command_is_chinese(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("ASCEND_SIM_LANG", "en")
    words = [name] if name else []
    try:
        assert cli.main([*words, "--help", "--lang", "zh"]) == 0
    except SystemExit as ended:
        assert ended.code == 0
    chinese = capsys.readouterr().out
    assert chinese.startswith("用法：") or name == "cc"
    prose = [line for line in chinese.split("\n") if len(english_words(line)) > 6 and not re.search("[一-鿿]", line)]
    assert prose == [] or name in ("run", "om"), prose  # long lists of options in the line of usage
    assert all(rendering.cells(line) <= 125 for line in chinese.split("\n") if not line.lstrip().startswith("["))


def test_a_subcommand_and_the_variable(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASCEND_SIM_LANG", "zh")
    with pytest.raises(SystemExit):
        cli.main(["om", "from-onnx", "--help"])
    assert "模型的名称（默认：文件的名称）" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        cli.main(["info", "--help", "--lang", "en"])
    assert "everything about one product" in capsys.readouterr().out
    assert cli.main(["nonsense"]) == 2
    assert "模拟器的版本" in capsys.readouterr().err
    assert helped("not in the table", "zh") == "not in the table"


def test_each_condition_and_meaning_has_its_chinese_form_and_no_other_is_in_the_table() -> None:
    pairs = [pair for found in by_code().values() for pair in found]
    conditions = {condition for _, condition in pairs if not condition.startswith(NULL)} | {NULL.rstrip(": ")}
    assert sorted(conditions - set(CODES)) == [], "missing in zh_codes.tsv"
    meanings = {code.meaning for code in codes().values() if missing(code.meaning, "zh")}
    assert sorted(meanings - set(CODES)) == [], "missing in zh_codes.tsv"
    names = {name for name, _ in pairs}
    assert sorted(set(CODES) - conditions - names - {code.meaning for code in codes().values()}) == [], "of no use"
    prose = {
        "and",
        "after",
        "any",
        "all",
        "single",
        "static",
        "dynamic",
        "custom",
        "null",
        "through",
        "family",
        "errors",
    }
    assert sorted(name for name in names - set(CODES) if prose & set(re.findall(r"[a-z]+", name))) == []


@pytest.mark.parametrize("code", codes().values(), ids=lambda code: str(code.value))
def test_explain_of_a_code_is_chinese_throughout(code: explain.Code) -> None:
    text = explain.render_code(code, everything=True, language="zh")
    lines = [line for line in text.split("\n")[1:] if not re.search("[一-鿿]", line)]
    names = {name for found in by_code().values() for name, _ in found}
    english = [line for line in lines if len(english_words(line)) > 3 and line.strip() not in names]
    assert [line for line in english if not line.startswith("        ")] == []  # deeper: code to type
