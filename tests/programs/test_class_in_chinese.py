"""The class in Chinese: every paragraph and sentence has its translation, and the programs stay what they are."""

from __future__ import annotations

import ast
import inspect
import io
import re
import tokenize
from pathlib import Path
from types import ModuleType

import pytest

from ascend_sim import cli
from ascend_sim.cli.teaching import gallery, judging
from ascend_sim.cli.teaching.exercises import EXERCISES
from ascend_sim.cli.teaching.folder import folder, lessons, pieces, program, texts
from ascend_sim.cli.teaching.judging import Verdict
from ascend_sim.cli.teaching.notebooks import notebook
from ascend_sim.cli.teaching.translation import in_language, paragraphs
from ascend_sim.findings.languages import english_words, missing, translated

PROGRAMS = sorted(path for path in folder().rglob("*.py"))
EACH = pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: str(path.relative_to(folder())))
WIDE = re.compile(r"[\u2e80-\uffef]")
LESSONS = [*lessons()]


def _code(source: str) -> list[tuple[int, str]]:
    """What Python reads: the tokens with their lines, without comments and docstrings."""
    kinds = (tokenize.COMMENT, tokenize.NL)
    return [
        (token.start[0], token.string)
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type not in kinds and not (token.type == tokenize.STRING and token.string.startswith('"""'))
    ]


@EACH
def test_a_program_keeps_its_code_and_its_lines(path: Path) -> None:
    english, chinese = program(path), program(path, "zh")
    assert _code(chinese) == _code(english)
    assert chinese.count("\n") == english.count("\n")
    compile(chinese, path.name, "exec")


def _untranslated(source: str) -> list[str]:
    return [each.text for each in paragraphs(source) if each.text not in texts("zh")]


@EACH
def test_every_paragraph_has_a_translation(path: Path) -> None:
    source = program(path)
    assert _untranslated(source) == []
    shown = [each.text for each in paragraphs(program(path, "zh")) if english_words(each.text)]
    assert [text for text in shown if not WIDE.search(text)] == []


def test_a_paragraph_without_translation_is_named_and_stays() -> None:
    source = '"""Title\n\nNew words.\n\n    ascend-sim run x.py\n"""\n\nx = 1  # more\n# Try it:\n# - One\n#   two.\n'
    assert _untranslated(source) == ["Title", "New words.", "more", "One two."]
    assert in_language(source, texts("zh")) == source.replace("Try it:", "试一试：")


def test_the_table_has_no_line_too_many() -> None:
    used = {each.text for path in PROGRAMS for each in paragraphs(program(path))}
    used |= {piece.wrong for piece in pieces().values()}
    assert sorted(texts("zh")) == sorted(used)
    lines = (folder() / "zh" / "texts.tsv").read_text(encoding="utf-8").splitlines()[1:]
    assert len(lines) == len(texts("zh"))


def test_names_and_numbers_are_the_same_in_both() -> None:
    """Code between backticks, calls and numbers of two digits or more."""
    named = re.compile(r"`[^`]+`|\bacl\w*(?:\.\w+)*|--[a-z][\w-]*|(?<![\w.])\d{2,}(?:,\d{3})*")
    for english, chinese in texts("zh").items():
        assert set(named.findall(english)) == set(named.findall(chinese)), english


@pytest.mark.parametrize("number", EXERCISES)
def test_every_sentence_of_a_check_has_a_translation(number: int) -> None:
    for way in EXERCISES[number].ways:
        assert missing(way.sentence, "zh") == ()
        said = translated(way.sentence, "zh")
        assert translated(f"Line 7: {said}", "zh") == f"第 7 行：{said}"


SAID = (
    "Right.",
    "Right: nothing is found any more, the result is the same, and the streams still go on without the host.",
    "The program was ended: it was still running after 60 seconds. Look for a loop that never ends, or that grows.",
    "The program was ended: it took more than 4096 MiB of memory. Look for a loop that never ends, or that grows.",
    "The program was ended: it had used up its computing time. Look for a loop that never ends.",
    "A finding is hidden here (race): take the comment or pattern that hides it out again.",
    "The program did not come to its end: it may have called os._exit, or a signal ended it.",
    "The program makes no call of AscendCL.",
    "Line 7: Python cannot read the program: invalid syntax.",
    "Line 7: the program ended with ValueError: what.",
    "Line 7: `a` has not waited for `b`. (`ascend-sim explain race` tells what that means.)",
    "Nothing is found, but work is gone: acl.rt.memset does it 0 times, and 1 times is asked for. What is printed alone is "
    "no result.",
    "Still there. Line 7: `a` has not waited for `b`. (`ascend-sim explain race` tells what that means.)",
    "Nothing is found, and the result is not there: `host has 07` was asked for, it prints nothing.",
    "Nothing is found, and the result is not there: `host has 07` was asked for, it prints `host has 00`.",
    "Nothing is found, but work is gone: tasks are missing (2 of kind copy and 1 of kind set). A repair lets the "
    "program do what it did.",
    "Also found. Line 7: `a` has not waited for `b`. (`ascend-sim explain race` tells what that means.)",
    "Nothing is found, but the result is another one: `sum: 3` was expected, you print `sum: 4`.",
    "Nothing is found, but the result is another one: a block of device memory (64, 4096 bytes) does not hold at its end "
    "what it should.",
    "Nothing is found any more, but now fewer streams do the work: what could run at the same time does not. Keep the "
    "streams, and make only the one task wait that has to.",
    "Nothing is found any more, but now the host waits (aclrtSynchronizeStream), and queues nothing in the meantime. Can "
    "one stream wait for the other without the host?",
    "Nothing is found any more, but now the host waits (line 7: aclrtSynchronizeStream), and queues nothing in the "
    "meantime. Can one stream wait for the other without the host?",
)


@pytest.mark.parametrize("text", SAID, ids=lambda text: text[:40])
def test_what_a_check_says_of_any_program_has_a_translation(text: str) -> None:
    (said,) = Verdict(False, (text,)).said("zh").sentences
    assert missing(text, "zh") == ()
    assert WIDE.search(said)


@pytest.mark.parametrize(("text", "said"), [
    ("Line 7: 1 device buffer (64 bytes) is alive at acl.finalize. (`ascend-sim explain leak` tells what that means.)",
     "第 7 行：调用 acl.finalize 时仍存在：1 个设备缓冲区（64 字节）。（`ascend-sim explain leak` 说明这是什么意思。）"),
    ("Line 7: Python cannot read the program: expected ':'.", "第 7 行：Python 读不懂这个程序：expected ':'。"),
    ("Still there. Line 7: the program ended with NameError: name 'a' is not defined.",
     "仍然存在。第 7 行：程序以 NameError: name 'a' is not defined 结束。"),
], ids=["leak", "syntax", "exception"])  # fmt: skip
def test_a_line_stands_first_and_is_no_part_of_the_sentence(text: str, said: str) -> None:
    assert str(Verdict(False, (text,)).said("zh")) == said


@pytest.mark.parametrize("module", [judging, gallery], ids=lambda module: module.__name__.rpartition(".")[2])
def test_no_sentence_of_the_checks_is_left_out_above(module: ModuleType) -> None:
    tree = ast.parse(inspect.getsource(module))
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docs]
    pieces = [text.strip() for text in texts if isinstance(text, str) and len(english_words(text)) > 3 and "\\" not in text]
    assert pieces
    assert [text for text in pieces if not any(text in said for said in SAID)] == []


def _printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert cli.main([*arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("number", LESSONS)
def test_a_lesson_is_shown_in_chinese(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    shown = _printed(capsys, "lesson", str(number), "--lang", "zh")
    assert shown.startswith(f"第 {number} 课：{lessons('zh')[number].title}\n")
    prose = [line for line in shown.splitlines() if line and not line.startswith("  ")]
    assert all(WIDE.search(line) for line in prose), prose
    assert ("练习：" in shown) == (number in EXERCISES)


@pytest.mark.parametrize("name", pieces())
def test_a_broken_program_asks_and_answers_in_chinese(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = _printed(capsys, "gallery", name, "--lang", "zh")
    assert asked.startswith(f'"""{pieces("zh")[name].title}\n') and "先猜。" in asked
    answer = _printed(capsys, "gallery", name, "--lang", "zh", "--reveal")
    assert "修正：" in answer and f"第 {pieces()[name].place.partition(':')[2]} 行：" in answer
    assert WIDE.search(pieces("zh")[name].question)


def test_the_pages_have_the_titles_of_the_programs() -> None:
    page = (folder() / "zh" / "gallery" / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| \[(\w+)\]\([^)]*\) \| (.*) \|$", page, re.MULTILINE)
    assert listed == [(name, piece.title) for name, piece in pieces("zh").items()]
    plan = (folder() / "zh" / "README.md").read_text(encoding="utf-8")
    titled = {int(number): text for number, text in re.findall(r"\[(\d+)\]\([^)]*\) \| \d+ \| (.*) \|$", plan, re.MULTILINE)}
    assert sorted(titled) == list(range(1, 11))
    for number, text in titled.items():
        assert text[:2] == lessons("zh")[number].title[:2], number


def test_the_variable_chooses(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASCEND_SIM_LANG", "zh_CN.UTF-8")
    assert _printed(capsys, "lesson").startswith("两小时的课：\n")
    assert _printed(capsys, "gallery").startswith("有错误的程序。")
    assert _printed(capsys, "lesson", "--lang", "en").startswith("The class of two hours:\n")


def test_what_a_student_begins_with_is_chinese_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    mine, repaired = tmp_path / "mine.py", tmp_path / "repaired.py"
    assert _printed(capsys, "lesson", "7", "--lang", "zh", "--start", str(mine)) == f"已写入：{mine}\n"
    assert mine.read_text(encoding="utf-8") == program(EXERCISES[7].start, "zh")
    _printed(capsys, "gallery", "one_flag", "--lang", "zh", "--start", str(repaired))
    assert repaired.read_text(encoding="utf-8").startswith('"""一个标志，两个等待者\n')
    _printed(capsys, "lesson", "--lang", "zh", "--copy", str(tmp_path / "class"))
    assert (tmp_path / "class" / "03_events.py").read_text(encoding="utf-8") == program(lessons()[3].path, "zh")


def test_a_check_answers_in_chinese(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["lesson", "3", "--lang", "zh", "--check", str(EXERCISES[3].start)]) == 1
    said = capsys.readouterr().out
    assert re.match(r"第 \d+ 行：两个流之间没有任何顺序：", said), said


def test_a_notebook_is_chinese_too() -> None:
    made = notebook(lessons("zh")[3], "zh")
    assert "# 第 3 课：事件：在这里记录，在那里等待" in made and "## 试一试" in made and "## 练习：" in made
    assert "--check mine_3.py --lang zh" in made
