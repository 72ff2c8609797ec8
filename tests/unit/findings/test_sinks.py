"""Where findings go: streams that fail, spools that cannot be written or read, texts that pose as lines."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from ascend_sim.cli import run, stub
from ascend_sim.explore.counterexamples.files import load
from ascend_sim.explore.programs import Script
from ascend_sim.findings import rendering, spool
from ascend_sim.findings.files import write_whole
from ascend_sim.findings.finding import ByteMap, ByteRange, Finding, Frame, Site
from ascend_sim.findings.log import MOST_FOLLOWERS, FindingLog
from ascend_sim.findings.output import say
from ascend_sim.findings.project_file import listed, table_in
from ascend_sim.findings.sarif import sarif
from ascend_sim.native.programs import native_command
from ascend_sim.simulator import Simulator
from ascend_sim.source.fence import taken


def closed() -> io.StringIO:
    stream = io.StringIO()
    stream.close()
    return stream


def nobody_reads() -> io.TextIOWrapper:
    read, write = os.pipe()
    os.close(read)
    return io.TextIOWrapper(io.FileIO(write, "w"), write_through=True)


@pytest.mark.parametrize("make", [lambda: None, closed, nobody_reads, lambda: open("/dev/full", "w")])  # noqa: SIM115
def test_a_stream_that_fails_loses_no_finding_and_raises_nothing(make: Any, tmp_path: Path) -> None:
    log = FindingLog()
    stream = make()
    log.sinks += [spool.Spool(str(tmp_path)), rendering.Printer(stream)]
    log.report("leak", "warning", "it leaks")
    log.follow("F1", "a code")
    assert not say(stream, "more")
    assert [(f.title, f.followers) for f in spool.read(str(tmp_path), os.getpid())] == [("it leaks", ("a code",))]
    if stream is not None:
        stream.close()  # nothing of ours is left in its buffer: that would fail now


def test_a_spool_that_cannot_be_written_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = spool.Spool(str(tmp_path))
    real = os.write
    monkeypatch.setattr(os, "write", lambda file, data: real(file, data[:7]) if len(data) > 100 else _full())
    log = FindingLog()
    log.sinks.append(pages)
    log.report("race", "error", "it races")
    assert pages.lost
    assert spool.read_all(str(tmp_path)) == ([], 2)  # a process that says so, and half a line


def _full() -> int:
    raise OSError(27, "File too large")


def test_a_spool_that_is_gone(tmp_path: Path) -> None:
    log = FindingLog()
    pages = spool.Spool(str(tmp_path / "gone"))
    log.sinks.append(pages)
    log.report("race", "error", "it races")
    assert pages.lost
    with pytest.raises(OSError, match="gone"):
        spool.read(str(tmp_path / "gone"))


@pytest.mark.parametrize(
    "line", ["[]", "7", '{"id": "F9", "follow": "x"}', '{"kind": 1}', '{"id": "F1", "count": 2}', "{"]
)
def test_a_line_that_is_no_finding_is_counted(line: str, tmp_path: Path) -> None:
    (tmp_path / "7.jsonl").write_text(line + "\n")
    assert spool.read_all(str(tmp_path), 7) == ([], 1)


FOUND = Finding(
    "F1", "leak", "error", "t", (Site("call", "here", primary=True, resolved=(Frame("a.py", 1, "f", 0, 3),)),),
    bytes=ByteMap("a", 8, (ByteRange("write", 0, 4),)), code=("aclrtFree", 107000),
)  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        lambda v: v.update(title=7), lambda v: v.update(count="many"), lambda v: v.update(severity="loud"),
        lambda v: v.update(code=[]), lambda v: v.update(notes=[None]), lambda v: v.update(suppressed=[1]),
        lambda v: v["sites"][0].update(text=None), lambda v: v["sites"][0]["frames"][0].update(line="1"),
        lambda v: v["sites"][0]["frames"][0].update(col="1"), lambda v: v["sites"][0]["frames"][0].update(file=3),
        lambda v: v["bytes"].update(size=None), lambda v: v["bytes"]["ranges"][0].update(lo="x"),
    ],
)  # fmt: skip
def test_a_finding_with_fields_of_other_types_is_none(change: Any, tmp_path: Path) -> None:
    """The file is in the program's reach; whatever prints findings counts on their types."""
    value = FOUND.to_json()
    path = tmp_path / "7.jsonl"
    path.write_text(json.dumps(value) + "\n")
    assert [f.title for f in spool.read_all(str(tmp_path), 7)[0]] == ["t"]
    change(value)
    path.write_text(json.dumps(value) + "\n")
    assert spool.read_all(str(tmp_path), 7) == ([], 1)


@pytest.mark.parametrize("name", ["\udcff.py", "a\ud800.py", "<\ud800>"])
def test_a_place_whose_name_is_no_text_is_in_a_sarif_file(name: str) -> None:
    frame = Frame(name, 1, "f")
    found = FOUND.evolved(sites=(Site("call", "here", primary=True, resolved=(frame,)),))
    uri = sarif([found], "/", {})["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"][
        "uri"
    ]
    taken()  # a line of such a file cannot be read: not to be told beside what the next test reports
    assert uri.isascii()
    assert name[0] != "\udcff" or uri.endswith("%FF.py")


@pytest.mark.parametrize("text", ["[tool.ascend_sim]\nsuppress = " + "[" * 5000, "x = " + "[" * 5000])
def test_a_table_of_brackets_ends_no_run(text: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    (tmp_path / "p.py").write_text("print('ran')")
    assert run.main([str(tmp_path / "p.py")]) in (0, 2)


def test_a_run_whose_findings_are_lost_ends_with_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    options = run.parser().parse_args(["--error-exitcode", "9"])
    assert run._conclude(0, [], options, ["p.py"], {}, "gone") == 9
    assert run._conclude(3, [], options, ["p.py"], {}, "gone") == 3
    assert capsys.readouterr().err == "ascend-sim: gone\n" * 2


def test_json_is_written_whole_or_not_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "findings.json"
    path.write_text("before")
    finding = Finding("F1", "leak", "warning", "a path that is not UTF-8: \udc80")
    options = run.parser().parse_args(["--json", str(path)])
    assert run._conclude(0, [finding], options, ["p.py"]) == 0
    assert "\\udc80" in path.read_text(encoding="utf-8")
    options = run.parser().parse_args(["--json", "/dev/full"])
    assert run._conclude(0, [finding], options, ["p.py"]) == 1
    assert "'/dev/full' was not written: No space left on device" in capsys.readouterr().err


def test_whole_files_follow_no_link_that_can_be_guessed(tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("mine")
    (tmp_path / f"out.{os.getpid()}.part").symlink_to(tmp_path / "victim")
    write_whole(tmp_path / "out", "text")
    assert (tmp_path / "victim").read_text() == "mine"
    assert (tmp_path / "out").read_text() == "text"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", f"out.{os.getpid()}.part", "victim"]


def test_pipes_and_devices_are_no_input_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero"), tmp_path):
        for read in (load, Script):
            with pytest.raises(OSError):
                read(str(path))
        assert native_command(str(path)) is None


def test_a_program_in_an_open_pipe_runs(capfd: pytest.CaptureFixture[str]) -> None:
    """``ascend-sim run <(...)``: nothing of it is read before."""
    source, sink = os.pipe()
    os.write(sink, b"print('from the pipe')\n")
    os.close(sink)
    os.set_inheritable(source, True)  # as a shell leaves it
    try:
        assert run.main([f"/dev/fd/{source}"]) == 0
    finally:
        os.close(source)
    assert "from the pipe" in capfd.readouterr().out


def test_followers_are_bounded(tmp_path: Path) -> None:
    log = FindingLog()
    stream = io.StringIO()
    pages = spool.Spool(str(tmp_path))
    log.sinks += [pages, rendering.Printer(stream)]
    log.report("race", "error", "it races")
    for number in range(8_000):
        log.follow("F1", f"code {number}")
    pages.close()
    (found,) = spool.read(str(tmp_path), os.getpid())
    assert (len(found.followers), found.more_followers) == (MOST_FOLLOWERS, 8_000 - MOST_FOLLOWERS)
    assert "1 error, 8000 followers" in rendering.summary([found])
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 20_000
    assert len(stream.getvalue().splitlines()) == MOST_FOLLOWERS + 3


EVIL = "x\n::error::y\r##[group]\x1b[2J\x9b1m\u2028\u202ez"


def test_texts_stay_on_their_line() -> None:
    finding = Finding("F1", "race", "error", EVIL, order=EVIL, fix=EVIL, notes=[EVIL], followers=[EVIL])
    for text in (rendering.full(finding), rendering.short(finding)):
        assert all(line.isprintable() and not line.startswith(("::", "##")) for line in text.split("\n"))


@pytest.mark.parametrize("code", ["256", "-1", "x", "1e2", "0x10", " 7", "1_0", "", "9" * 5000])
def test_exit_codes_are_0_to_255(code: str) -> None:
    with pytest.raises(SystemExit):
        run.parser().parse_args([f"--error-exitcode={code}"])


def test_a_broken_table_that_is_not_ours_ends_no_run(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text('[tool.other]\nx = = 3\n[tool.ascend_sim]\nsuppress = ["leak"]\n')
    assert listed(str(tmp_path), "suppress") == (str(path), ["leak"])
    path.write_text("tool = 3\n")
    assert listed(str(tmp_path), "suppress")[1] == []


def test_a_table_without_ends_of_lists_is_read_at_once(tmp_path: Path) -> None:
    """200,000 lists that begin and never end: each looked for its end up to the last line."""
    path = tmp_path / "pyproject.toml"
    path.write_text("[tool.ascend_sim]\nseed = 3\n" + "a = [\n" * 200_000 + "suppress = ['leak', # why\n 'race']\n[x")
    assert dict(table_in(str(path))) == {"seed": 3, "suppress": ["leak", "race"]}


def test_a_huge_project_file_is_none(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text("[tool.ascend_sim]\nsuppress = ['leak']\n")
    os.truncate(path, 1 << 40)
    assert listed(str(tmp_path), "suppress") == (str(path), [])


@pytest.mark.skipif(sys.version_info < (3, 11), reason="what cannot be read as the table is not seen there")
@pytest.mark.parametrize("text", ["[tool]\nascend_sim = 5\n", "[[tool.ascend_sim]]\nsuppress = []\n"])
def test_what_is_no_table_is_said_to_be_none(text: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    with pytest.raises(ValueError, match=r"\[tool.ascend_sim\] is no table"):
        listed(str(tmp_path), "suppress")


def test_the_file_that_suppresses_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.ascend_sim]\nsuppress = ["leak"]\n')
    monkeypatch.chdir(tmp_path)
    finding = Finding("F1", "leak", "warning", "it leaks", suppressed="external")
    run._conclude(0, [finding], run.parser().parse_args([]), ["p.py"])
    assert "ascend-sim: F1 leak is suppressed by 'leak' of pyproject.toml" in capsys.readouterr().err


def test_stderr_is_what_it_was() -> None:
    assert say(sys.stderr, "")


def test_a_child_tells_what_it_met_itself_of_findings_that_it_inherits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A parent's line is in the parent's file: a count alone, in the child's, belonged to nothing there."""
    log = FindingLog()
    log.sinks.append(pages := spool.Spool(str(tmp_path)))
    kinds = ("leak", "race", "bad-free", "sync-race")
    for kind in kinds * 3:
        log.report(kind, "warning", "a title")
    for process, more in ((11, 4), (12, 3), (13, 0)):
        monkeypatch.setattr(os, "getpid", lambda process=process: process)
        for _ in range(more):
            log.report("leak", "warning", "a title")
        if more:
            log.follow("F2", "a code")
            log.harden("F3", "it was one")
        if process != 11:  # whose count is written each time it has doubled
            pages.close()
    found, missing = spool.read_all(str(tmp_path))
    assert (missing, pages.lost) == (0, False)
    told = {(one.id, one.count, one.severity, one.followers) for one in found if one.id.endswith("@11")}
    assert told == {("F1@11", 4, "warning", ()), ("F2@11", 1, "warning", ("a code",)), ("F3@11", 1, "error", ())}
    assert [(one.id, one.count) for one in found if one.id.endswith("@12")] == [("F1@12", 3), ("F2@12", 1), ("F3@12", 1)]
    assert not [one for one in found if one.id.endswith("@13")]


def test_a_pipe_that_nobody_reads_is_told_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="nobody reads this pipe"):
        write_whole(tmp_path / "pipe", "text")


@pytest.mark.parametrize("how", ["named", "process substitution", "link"])
def test_a_pipe_that_somebody_reads_gets_all(tmp_path: Path, how: str) -> None:
    """More than a pipe holds, by name and as `>(jq)` hands it out: /dev/fd/63, whose target is no name of a file."""
    text = "x" * 300_000
    if how == "process substitution":
        number, end = os.pipe()
        path = f"/dev/fd/{end}"
    else:
        os.mkfifo(tmp_path / "pipe")
        (tmp_path / "link").symlink_to("pipe")
        path, end = str(tmp_path / ("link" if how == "link" else "pipe")), -1
        number = os.open(path, os.O_RDWR)  # so that somebody writes, too, until it is read: else a pipe ends at once
    got: list[str] = []

    def read() -> None:
        with open(number, encoding="utf-8") as file:
            got.append(file.read(len(text)))

    reader = threading.Thread(target=read)
    reader.start()
    write_whole(path, text)
    if end >= 0:
        os.close(end)
    reader.join()
    assert got == [text]
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize("name", ["t.html", "t.json", "t.txt"])
def test_a_timeline_waits_for_nobody_who_reads_it(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    with Simulator() as sim:
        timeline = sim.timeline()
    with pytest.raises(OSError, match="nobody reads this pipe"):
        timeline.save(tmp_path / name)


def test_a_stub_waits_for_nobody_who_reads_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "k.py").write_text(
        "import numpy as np\nfrom ascend_sim import Block, gm, kernel\n\n@kernel\ndef k(b: Block, x: gm.In[np.int32]): ...\n"
    )
    os.mkfifo(tmp_path / "k.o")
    assert stub.main([str(tmp_path / "k.py"), str(tmp_path / "k.o")]) == 2
    assert "nobody reads this pipe" in capsys.readouterr().err
    (tmp_path / "k.o").unlink()  # who looks at the files of all modules, as hypothesis does, would wait for a writer
