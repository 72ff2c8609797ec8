"""Findings in Chinese: one table, part by part; names, code, kinds and places stay as they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ascend_sim.catalogue.codes import codes
from ascend_sim.catalogue.tables import rows
from ascend_sim.cli import explain
from ascend_sim.cli import main as ascend_sim
from ascend_sim.findings import languages, rendering
from ascend_sim.findings.finding import ByteMap, ByteRange, Finding, Site
from ascend_sim.findings.kinds import KINDS
from ascend_sim.findings.languages import missing, translated, translated_finding
from ascend_sim.observers.races.nondeterminism import WORDS, NondeterminismPoints
from tests.kit import forks

TABLE = dict(rows("zh_findings.tsv", "english translation"))
RACE = Finding(
    "F1",
    "race",
    "error",
    "a copy on `s_copy` reads `p[0]` while kernel `fill` on stream 2 may still be writing it",
    [Site("access", "reads p[0, 64), submit 2 of T0 (main), on `s_copy`", primary=True)],
    bytes=ByteMap("`p`", 64, [ByteRange("a copy R", 0, 32)]),
    order="`s_copy` has never waited for stream 2",
    fix="record on stream 2 after line 8, wait on `s_copy` before line 9:\nacl.rt.record_event(event, s2)",
    followers=["aclrtSynchronizeStream returns 507015"],
    count=3,
)


@pytest.mark.parametrize(
    "english, chinese",
    [
        ("`a` has not waited for `b`", "`a` 没有等待 `b`"),
        (
            "T1 (Thread-1 (work)) waits for lock L1 held by T0 (main)",
            "T1 (Thread-1 (work)) 等待由 T0 (main) 持有的锁 L1",
        ),
        (
            "1 event, 2 streams and 3 notifies are alive at aclFinalize",
            "调用 aclFinalize 时仍存在：1 个事件，2 个流和 3 个 Notify",
        ),
        ("kernel `k`, block 0: ValueError: waits for nobody", "核函数 `k`，block 0：ValueError: waits for nobody"),
        ("something that nobody has put into Chinese", "something that nobody has put into Chinese"),
        ("`waits for` 0x10", "`waits for` 0x10"),
    ],
)
def test_a_text_is_put_together_from_its_parts(english: str, chinese: str) -> None:
    assert translated(english, "zh") == chinese
    assert translated(english, "en") == english


def test_what_has_no_translation_is_named() -> None:
    assert missing("`a` has not waited for the unheard-of thing", "zh") == ("the unheard-of thing",)
    assert missing("`a` has not waited for `b`", "zh") == ()


def test_a_text_of_a_programs_own_length_stays_as_it_is() -> None:
    text = "waits for " * 500
    assert translated(text, "zh") == text
    assert translated("`a` has not waited for `b`", "zh") != "`a` has not waited for `b`"


def test_both_sides_of_a_line_have_the_same_holes() -> None:
    for english, chinese in TABLE.items():
        holes = [set(re.findall(r"\{=?(\w+)\}", text)) for text in (english, chinese)]
        assert holes[1] <= holes[0], english
        assert chinese, english


def test_a_report_in_chinese() -> None:
    text = rendering.full(RACE, rendering.Style(language="zh"))
    assert text.startswith("error[race]: `s_copy` 上的拷贝读 `p[0]` 时，流 2 上的核函数 `fill` 可能仍在写它")
    for part in (
        "= 顺序: ",
        "= 修改: 在第 8 行之后于流 2 上记录",
        "acl.rt.record_event(event, s2)",
        "= 次数: 3 次",
        "= 随后: ",
    ):
        assert part in text, text
    assert all(rendering.cells(line) <= 100 for line in text.split("\n"))
    short = rendering.short(RACE, "zh").split("\n")
    assert short[0].startswith("ascend-sim: error: [race] `s_copy` 上的拷贝")
    assert translated_finding(RACE, "en") is RACE
    changed = translated_finding(RACE, "zh")
    assert (changed.kind, changed.severity, changed.fingerprint) == (RACE.kind, RACE.severity, RACE.fingerprint)


@pytest.mark.parametrize("width", [24, 40, 100])
def test_lines_without_spaces_are_broken_too(width: int) -> None:
    text = translated(RACE.title, "zh") + "：" + "同一个流的任务按顺序执行，不同的流之间没有顺序。" * 3
    lines = rendering.filled(text, width)
    assert all(rendering.cells(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert not any(line[:1] in "，。：；" for line in lines)


def test_the_variables_choose(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ASCEND_SIM_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    assert languages.chosen() == "en"
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert languages.chosen() == "zh"
    monkeypatch.setenv("ASCEND_SIM_LANG", "en")
    assert languages.chosen() == "en"
    monkeypatch.setenv("ASCEND_SIM_LANG", "tlh")
    assert languages.chosen() == "en"


def test_explain_says_in_chinese_what_it_says_in_english() -> None:
    english, chinese = explain.advice(), explain.advice("zh")
    assert set(english) == set(chinese)
    for name, known in english.items():
        other = chinese[name]
        assert other.text != known.text, name
        assert len(other.cures) == len(known.cures), name
        assert (other.program, other.fixed, other.page) == (known.program, known.fixed, known.page)
        numbers = [sorted(re.findall(r"\b\d{5,6}\b", a.text + " ".join(a.cures))) for a in (known, other)]
        assert numbers[0] == numbers[1], name
    for kind, text in KINDS.items():
        assert missing(text, "zh") == (), kind
    for code in codes().values():
        if str(code.value) in english:
            assert missing(code.meaning, "zh") == (), code


def test_the_command_explains_in_chinese(capsys: pytest.CaptureFixture[str]) -> None:
    assert ascend_sim(["explain", "race", "--lang", "zh"]) == 0
    text = capsys.readouterr().out
    assert "怎么做：" in text and "改正后：" in text and "acl.rt.stream_wait_event(s_comp, event)" in text
    assert all(rendering.cells(line) <= explain.WIDTH for line in text.split("\n"))


@pytest.mark.parametrize("kind", WORDS)
@pytest.mark.parametrize("count", [1, 2])
def test_order_marks_have_a_translation(kind: str, count: int) -> None:
    points = NondeterminismPoints()
    for _ in range(count):
        points.add(kind, None)
    points.add("poll", None)
    assert missing(points.text(), "zh") == ()


def test_a_run_reports_in_chinese(tmp_path: Path) -> None:
    program = (
        "import acl\nacl.rt.set_device(0)\np, ret = acl.rt.malloc(64, 0)\nprint(ret, acl.rt.free(p), acl.rt.free(p))\n"
    )
    (tmp_path / "p.py").write_text(program)
    done = forks.ascend_sim("run", "--lang", "zh", "p.py", folder=tmp_path)
    assert "error[double-free]: acl.rt.free 第二次释放 `p`" in done.stderr
    assert "ascend-sim: 1 个错误" in done.stderr


RACY = """\
import acl
acl.rt.set_device(0)
(a, _), (b, _), (p, _) = acl.rt.create_stream(), acl.rt.create_stream(), acl.rt.malloc(64, 0)
acl.rt.memset_async(p, 64, 1, 64, a)
acl.rt.memset_async(p, 64, 2, 64, b)
acl.rt.synchronize_device()
"""


def test_the_explorer_and_mistakes_in_its_options_are_chinese(tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text(RACY)
    done = forks.ascend_sim("explore", "--lang", "zh", "--quiet", "--save", "s.json", "p.py", folder=tmp_path)
    assert "已穷尽：2 类调度\n" in done.stdout and "重放文件：" in done.stdout
    assert "`b` (p.py:5) 上的 memset 先于 `a` (p.py:4) 上的 memset" in done.stdout
    wrong = forks.ascend_sim("explore", "--lang", "zh", "--jobs", "many", "p.py", folder=tmp_path)
    assert "错误: 参数 --jobs：'many' 不是整数" in wrong.stderr and wrong.returncode == 2


def test_the_lines_of_a_run_and_the_text_of_a_hang_are_chinese(tmp_path: Path) -> None:
    program = RACY + "flag, _ = acl.rt.create_event_with_flag(1)\nacl.rt.stream_wait_event(a, flag)\n"
    (tmp_path / "p.py").write_text(program + "acl.rt.free(0)\nacl.rt.synchronize_stream(a)\n")
    said = forks.ascend_sim("run", "--lang", "zh", "p.py", folder=tmp_path).stderr
    assert re.match(r"ascend-sim \S+：模拟的 Ascend910B3，1 个设备，种子 0，调度 virtual-time\n", said)
    assert "SimulatedHang: T0 (main)：等待" in said
    assert said.count("更多说明") == 1
    own = [line for line in said.splitlines() if line.startswith("ascend-sim")]
    assert len(own) > 2 and all(re.search("[\u4e00-\u9fff]", line) for line in own)
