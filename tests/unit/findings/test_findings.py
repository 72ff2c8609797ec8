"""Findings: call sites, the JSON form, counting, and the text forms (docs/semantics/reports.md)."""

from __future__ import annotations

import ast
import io
import json
import textwrap
from pathlib import Path

import pytest

import ascend_sim
from ascend_sim.findings import KINDS, ByteMap, ByteRange, Finding, FindingLog, Frame, Site, from_json, rendering
from ascend_sim.findings.finding import SEVERITIES
from ascend_sim.source import callsite, frames, variables

PROGRAM = """\
import sys

def copy(*args):
    frame = sys._getframe(1)
    return (frame.f_code, frame.f_lasti)

class rt:
    memcpy = copy

def must(pair):
    return pair

def step():
    ws = must(rt.memcpy("host", 4, (1, 2)))
    return ws

def chinese():
    名字 = ("中文", must(rt.memcpy("复制")))
    return 名字[1]

def several_lines():
    return rt.memcpy(
        "host",
        4,
    )

pairs = [step(), chinese(), several_lines()]
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[callsite.Point]:
    """The places of three calls in a program of its own, which lies in the working directory."""
    path = tmp_path / "train.py"
    path.write_text(PROGRAM, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(compile(PROGRAM, str(path), "exec"), names)
    pairs: list[callsite.Point] = names["pairs"]  # type: ignore[assignment]
    return pairs


def test_a_place_is_resolved_to_the_callee(program: list[callsite.Point]) -> None:
    frame = callsite.resolve(*program[0])
    assert (Path(frame.file).name, frame.line, frame.function) == ("train.py", 14, "step")
    line = callsite.source_line(frame.file, frame.line)
    assert line[frame.col : frame.end_col] == "rt.memcpy"


def test_columns_count_characters_and_marks_count_cells(program: list[callsite.Point]) -> None:
    finding = Finding("F1", "race", "error", "a copy reads", [Site("access", "reads it", program[1])])
    rows = rendering.full(finding).split("\n")
    source, marks = rows[2], rows[3]
    before = source[: source.index("rt.memcpy")]
    cells = sum(2 if ord(c) > 0x2E80 else 1 for c in before)
    assert marks.index("^") == cells
    assert marks.count("^") == len("rt.memcpy")


def test_the_variable_that_names_an_object(program: list[callsite.Point]) -> None:
    assert variables.variable_name(*program[0]) == "ws"
    assert variables.variable_name(*program[2]) is None


def test_frames_of_the_simulator_and_of_installed_packages_are_dropped(program: list[callsite.Point]) -> None:
    inside = (callsite.resolve.__code__, 0)
    installed = (compile("pass", "/usr/lib/python3/site-packages/x/y.py", "exec"), 0)
    assert [f.line for f in frames.frames_of([inside, installed, program[0]])] == [14]
    assert [f.file for f in frames.frames_of([inside, installed])] == ["/usr/lib/python3/site-packages/x/y.py"]


def test_json_goes_there_and_back(program: list[callsite.Point]) -> None:
    finding = Finding(
        "F1",
        "race",
        "error",
        "a copy reads `out`",
        [Site("access", "reads", program[0], primary=True)],
        bytes=ByteMap("out", 4096, [ByteRange("fill W", 0, 96)]),
        order="none",
        fix="wait",
        notes=("n",),
        count=3,
        streams=["s"],
        time_ns=5,
        code=("aclrtMemcpy", 507899),
    )
    plain = json.loads(json.dumps(finding.to_json()))
    assert from_json(plain).to_json() == plain
    assert list(plain) == [
        "id",
        "kind",
        "severity",
        "title",
        "fingerprint",
        "count",
        "cause",
        "suppressed",
        "sites",
        "bytes",
        "order",
        "fix",
        "notes",
        "followers",
        "streams",
        "time_ns",
        "called_ns",
        "code",
    ]
    assert plain["code"] == {"api": "aclrtMemcpy", "value": 507899}


def test_a_fingerprint_survives_moved_lines_and_counts(tmp_path: Path) -> None:
    for name, text in (("a", "x = 1\nuse(x)\n"), ("b", "\n\nx = 1\n\nuse(x)\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "p.py").write_text(text)
    one = Finding("F1", "race", "error", "t", [Site("access", "r", resolved=[Frame(str(tmp_path / "a/p.py"), 2, "f")])])
    two = Finding(
        "F9", "race", "error", "u", [Site("access", "r", resolved=[Frame(str(tmp_path / "b/p.py"), 5, "f")])], count=7
    )
    assert one.fingerprint == two.fingerprint
    assert len(one.fingerprint) == 16
    other = Finding("F1", "leak", "error", "t", one.sites)
    assert other.fingerprint != one.fingerprint


def test_the_same_fault_from_the_same_lines_is_counted(program: list[callsite.Point]) -> None:
    log = FindingLog()
    calls: list[tuple[str, int, bool]] = []
    log.sinks.append(lambda finding, first: calls.append((finding.id, finding.count, first)))
    log.report("race", "error", "first", [Site("access", "x", program[0])])
    log.report("race", "error", "again", [Site("access", "y", program[0])])
    log.report("race", "error", "elsewhere", [Site("access", "x", program[1])])
    log.report("leak", "warning", "no place")
    log.report("leak", "warning", "no place")
    assert calls == [("F1", 1, True), ("F1", 2, False), ("F2", 1, True), ("F3", 1, True), ("F3", 2, False)]
    assert [f.title for f in log] == ["first", "elsewhere", "no place"]
    log.follow("F1", "507035 from aclrtSynchronizeStream")
    assert log[0].followers == ("507035 from aclrtSynchronizeStream",)


def test_the_full_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "train.py").write_text("def step():\n" + "        must(acl.rt.free(out))\n" * 12)
    monkeypatch.chdir(tmp_path)
    file = str(tmp_path / "train.py")
    finding = Finding(
        "F1",
        "use-after-free",
        "error",
        "`out` was freed while a copy still needs it",
        [
            Site("access", "reads out[0, 96)", resolved=[Frame(file, 9, "step", 13, 24), Frame(file, 12, "main")]),
            Site("free", "freed here", primary=True, resolved=[Frame(file, 10, "step")]),
            Site("alloc", "allocated by another process"),
        ],
        bytes=ByteMap("out", 112, [ByteRange("copy R", 56, 112)]),
        order="aclrtFree does not wait",
        fix="before line 10:\nacl.rt.synchronize_stream(s)",
        notes=["n1", "n2"],
        count=2,
        followers=["a", "b", "c"],
    )
    assert rendering.full(finding) == textwrap.dedent("""\
        error[use-after-free]: `out` was freed while a copy still needs it
           --> train.py:10 in step
        10 |     must(acl.rt.free(out))
           |     ^^^^^^^^^^^^^^^^^^^^^^ freed here
           ::: train.py:9 in step <- train.py:12 in main
         9 |     must(acl.rt.free(out))
           |          ----------- reads out[0, 96)
           ::: allocated by another process
           = bytes: out    |########################################################| [0, 112)
                    copy R |                            RRRRRRRRRRRRRRRRRRRRRRRRRRRR| [56, 112)
           = order: aclrtFree does not wait
           = help: before line 10:
                       acl.rt.synchronize_stream(s)
           = note: n1
           = note: n2
           = seen: 2 times, from the same lines
           = then: a; b, and 1 more""")


def test_the_short_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    finding = Finding(
        "F1",
        "leak",
        "warning",
        "2 buffers are alive",
        [Site("alloc", "1 x 4 bytes", resolved=[Frame("t.py", 8, "f")])],
        fix="free them:\nacl.rt.free(a)\nacl.rt.free(b)",
    )
    assert rendering.short(finding) == textwrap.dedent("""\
        t.py:8:1: warning: [leak] 2 buffers are alive
            alloc    t.py:8   1 x 4 bytes
            help     free them: acl.rt.free(a); acl.rt.free(b)""")


@pytest.mark.parametrize("width", [72, 100])
def test_long_lines_are_cut_around_the_mark(tmp_path: Path, width: int) -> None:
    line = "    x = [" + "1, " * 60 + "free(pointer), " + "2, " * 60 + "]"
    (tmp_path / "long.py").write_text(line + "\n")
    start = line.index("free(")
    frame = Frame(str(tmp_path / "long.py"), 1, "f", start, start + 4)
    finding = Finding("F1", "leak", "error", "word " * 40, [Site("free", "word " * 20, resolved=[frame])])
    rows = rendering.full(finding, rendering.Style(width)).split("\n")
    path = next(i for i, row in enumerate(rows) if "-->" in row)
    assert all(len(row) <= width for i, row in enumerate(rows) if i != path)
    marks = rows[path + 2]
    assert rows[path + 1][marks.index("^") : marks.index("^") + 4] == "free"


def test_colour_only_when_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    assert not rendering.Style.of(io.StringIO()).colour
    assert rendering.Style.of(io.StringIO(), "always").colour
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert rendering.Style.of(io.StringIO()).colour
    finding = Finding("F1", "leak", "error", "title", fix="do")
    plain, painted = rendering.full(finding), rendering.full(finding, rendering.Style(100, True))
    assert "\x1b" not in plain
    assert painted.startswith("\x1b[31;1merror[leak]\x1b[0m: title")


def test_the_printer_writes_each_finding_once_and_shortens_after_25() -> None:
    stream = io.StringIO()
    log = FindingLog()
    log.sinks.append(rendering.Printer(stream, style=rendering.Style()))
    for number in range(27):
        for _ in range(2):
            log.report("leak", "warning", f"object {number}", notes=["more"])
    rows = stream.getvalue().split("\n")
    assert sum(row.startswith("warning[leak]") for row in rows) == 25
    assert [row for row in rows if row.startswith("ascend-sim: ")] == [
        "ascend-sim: warning: [leak] object 25",
        "ascend-sim: warning: [leak] object 26",
    ]


def test_the_summary_names_the_first_cause(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    log = FindingLog()
    log.report("leak", "warning", "w")
    log.report("race", "error", "r", [Site("access", "x", resolved=[Frame("train.py", 23, "f")])])
    log.report("race", "error", "r2", cause="F2")
    log.follow("F2", "507035")
    assert rendering.summary(list(log), "seed 0").split("\n") == [
        "ascend-sim: 1 error, 1 warning, 2 followers; first cause F2 race at train.py:23; seed 0",
        "ascend-sim: read more with: ascend-sim explain leak, ascend-sim explain race",
    ]
    assert rendering.summary([]) == ""


def test_every_kind_that_the_code_reports_is_known() -> None:
    reported = set()
    for path in Path(ascend_sim.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                texts = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
                if node.func.attr in ("report", "report_call") and len(texts) >= 2 and texts[1] in SEVERITIES:
                    reported.add(texts[0])
    assert len(reported) >= 5
    assert reported <= set(KINDS)


def test_kinds_are_described_in_one_line() -> None:
    assert all(text and "\n" not in text and len(text) < 100 for text in KINDS.values())


@pytest.mark.parametrize("label", ["a\n::error::b W", "\x1b[31mred\x1b[0m W", "x" * 5000 + " W", "many words " * 400 + "W"])
@pytest.mark.parametrize("where", ["object", "label"])
def test_labels_of_byte_maps_are_escaped_and_cut(label: str, where: str) -> None:
    """They come from the program's names, and out of files."""
    picture = ByteMap(label if where == "object" else "out", 64, [ByteRange(label if where == "label" else "a W", 0, 8)])
    found = Finding("F1", "race", "error", "t", [], bytes=picture)
    for one in (found, from_json(found.to_json())):
        text = rendering.full(one)
        assert all(line.isprintable() for line in text.split("\n"))
        assert "\n::error" not in text
        assert max(map(len, text.split("\n"))) < 200
        assert sum("|" in line for line in text.split("\n")) == 2
