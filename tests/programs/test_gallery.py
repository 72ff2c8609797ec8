"""The broken programs: each is found out, does not tell before it is asked, and is told apart from repairs.

    ASCEND_SIM_REWRITE=1 python -m pytest tests/programs/test_gallery.py

writes what the simulator says about them now; look at the difference before you commit it.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from ascend_sim import cli
from ascend_sim.cli.teaching.folder import Piece, pieces
from ascend_sim.cli.teaching.gallery import check, options_of
from ascend_sim.cli.teaching.runs import Limits, run
from tests.programs.lesson_runs import CARETS, agrees, printed

PIECES = list(pieces().values())
PAGE = (PIECES[0].path.parent / "README.md").read_text(encoding="utf-8")
TITLE = re.compile(r"(error|warning|note)\[([a-z-]+)\]: ")
EACH = pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.name)


@CARETS
@EACH
def test_a_broken_program_is_found_out(piece: Piece, ascend_sim: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(piece.path)
    code, text = printed(piece.program, ascend_sim)
    assert code == ("error[" in text), text
    agrees(piece.path / "answer" / "says.txt", text)
    kinds = {match[2] for match in map(TITLE.match, text.splitlines()) if match is not None}
    assert kinds - {"leak"} == set(piece.kinds) - {"leak"}, kinds
    assert kinds >= set(piece.kinds), kinds
    places = re.findall(r"^ *(?:-->|:::) ([\w.]+:\d+) ", text, re.MULTILINE)
    assert piece.place in places, f"the reports name {places}"


@EACH
def test_the_corrected_program_is_right(piece: Piece, ascend_sim: Any) -> None:
    run = ascend_sim("gallery", piece.name, "--check", piece.fixed)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("Right: nothing is found any more, the result is the same")
    assert ("go on without the host" in run.stdout) == piece.alone


@EACH
def test_the_question_does_not_give_the_answer_away(piece: Piece, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["gallery", piece.name]) == 0
    asked = capsys.readouterr().out
    assert piece.question.split("\n")[0] in asked and "?" in piece.question
    assert "WRONG" not in asked and piece.wrong not in asked
    assert not any(kind in asked or kind in piece.name.replace("_", "-") for kind in piece.kinds)
    broken = piece.program.read_text(encoding="utf-8")
    assert not re.search(r"#.*(wrong|bug|mistake|race|too early)", broken, re.IGNORECASE)
    assert cli.main(["gallery", piece.name, "--reveal"]) == 0
    told = capsys.readouterr().out
    assert piece.wrong in told and piece.kinds[0] in told
    assert re.search(r"^\+", told, re.MULTILINE), "the repair is shown"


def test_pages_that_count_the_programs_count_right() -> None:
    root = Path(__file__).parents[2]
    for page in ("examples/lessons/README.md", "docs/entrances/teaching.md"):
        assert f"{len(PIECES)} " in (root / page).read_text(encoding="utf-8")


def test_the_page_asks_for_each_and_tells_of_none(capsys: pytest.CaptureFixture[str]) -> None:
    rows = re.findall(r"^\| \[(\w+)\]\((\w+)/broken\.py\) \| (.*) \|$", PAGE, re.MULTILINE)
    assert rows == [(piece.name, piece.name, piece.title) for piece in PIECES]
    assert not any(kind in PAGE for piece in PIECES for kind in piece.kinds if "-" in kind)
    assert cli.main(["gallery"]) == 0
    listed = capsys.readouterr().out
    assert all(f"  {piece.name} " in listed and piece.title in listed for piece in PIECES)


# -- repairs that are none -------------------------------------------------------------------------------------------

_B_WAITS = "must(acl.rt.stream_wait_event(b, of_a))\n"
_C_SETS = "must(acl.rt.memset_async(block, SIZE, 0xCC, SIZE, c))\n"
_COPY = "must(acl.rt.memcpy_async(host, SIZE, arena, SIZE, DEVICE_TO_HOST, copies))\n"

REPAIRS = {
    "the device waits for everything": ("three_owners", {_C_SETS: "must(acl.rt.synchronize_device())\n" + _C_SETS},
        r"but now the host waits \(line \d+: aclrtSynchronizeDevice\)"),
    "one stream does it all": ("three_owners", {"0xCC, SIZE, c": "0xCC, SIZE, a"}, "fewer streams do the work"),
    "the task is taken out": ("three_owners", {_C_SETS: ""}, r"tasks are missing \(1 of kind set\)"),
    "another result": ("three_owners", {"0xCC": "0xCD", _B_WAITS: _B_WAITS + "must(acl.rt.record_event(of_b, b))\n"},
        r"a block of device memory \(1048576 bytes\) does not hold"),
    "other output": ("fetch_the_result", {"must(acl.rt.memcpy(host": "must(acl.rt.synchronize_stream(stream))\n"
        "must(acl.rt.memcpy(host", "ptr_to_bytes(host, 4)": "ptr_to_bytes(host, 3)"},
        r"`fetched: \w{8}` was expected, you print `fetched: \w{6}`"),
    "hidden by a comment": ("three_owners", {_C_SETS: _C_SETS.rstrip() + "  # ascend-sim: ignore[race]\n"},
        "A finding is hidden here"),
    "nothing is changed": ("one_flag", {}, r"^Still there\. Line 31: a reset of `flag`"),
    "something new": ("eight_batches", {"    must(acl.rt.synchronize_event(done))\n":
        "    must(acl.rt.synchronize_event(done))\n    must(acl.rt.destroy_event(done))\n    acl.rt.free(buffer)\n"},
        r"^Also found\. Line \d+: "),
    "an exception": ("one_flag", {"must(acl.rt.reset_event(flag, b))": "must(acl.rt.reset_event(flag, 5))"},
        r"^Line \d+: the program ended with AssertionError: 107\d\d\d"),
    "no program": ("one_flag", {"must(acl.init())": "must(acl.init()"}, r"^Line \d+: Python cannot read the program: "),
    "nothing at all": ("one_flag", {"import acl\n": "raise SystemExit\n"}, "makes no call of AscendCL"),
}  # fmt: skip


@pytest.mark.parametrize("what", REPAIRS)
def test_a_repair_that_is_none_is_told_why(what: str, ascend_sim: Any, tmp_path: Path) -> None:
    name, edits, said = REPAIRS[what]
    text = pieces()[name].program.read_text(encoding="utf-8")
    for old, new in edits.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    run = ascend_sim("gallery", name, "--check", tmp_path / "mine.py")
    assert (run.returncode, run.stderr) == (1, "")
    assert re.search(said, run.stdout), run.stdout


def test_kernels_beside_the_repair_are_those_that_run(ascend_sim: Any, tmp_path: Path) -> None:
    written = ascend_sim("gallery", "sum_of_blocks", "--start", tmp_path / "mine.py")
    assert written.returncode == 0 and (tmp_path / "kernels.py").exists()
    assert ascend_sim("gallery", "sum_of_blocks", "--check", tmp_path / "mine.py").returncode == 1
    shutil.copyfile(pieces()["sum_of_blocks"].path / "answer" / "kernels.py", tmp_path / "kernels.py")
    run = ascend_sim("gallery", "sum_of_blocks", "--check", tmp_path / "mine.py")
    assert run.returncode == 0, run.stdout
    again = ascend_sim("gallery", "sum_of_blocks", "--start", tmp_path / "mine.py")
    assert (again.returncode, "is there already" in again.stderr) == (2, True)


# -- limits ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("body", "limits", "said"), [
    ("while True: pass", Limits(seconds=1), "still running after 1 seconds"),
    ("kept = [bytes(1 << 20) + b'x' for _ in range(1 << 12)]", Limits(memory=300), "more than 300 MiB of memory"),
], ids=["time", "memory"])  # fmt: skip
def test_a_program_that_takes_too_much_is_ended(body: str, limits: Limits, said: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(f"import acl\nprint('begun', flush=True)\n{body}\n", encoding="utf-8")
    outcome = run(tmp_path / "mine.py", "", limits)
    assert said in outcome.ended


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no such limits here")
def test_a_program_cannot_fill_the_disk(tmp_path: Path) -> None:
    text = "import acl\nacl.rt.set_device(0)\nwith open('big', 'wb') as file: file.write(bytes(3 << 20))\n"
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    verdict = run(tmp_path / "mine.py", "", Limits(file=1))
    assert "OSError" in verdict.err and (tmp_path / "big").stat().st_size <= 1 << 20


@pytest.mark.parametrize("words", [["no_such"], ["one_flag", "--check", "missing.py"], ["--reveal"]], ids=" ".join)
def test_mistakes_in_the_command_are_told(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = cli.main(["gallery", *words])
    except SystemExit as end:
        code = int(str(end.code))
    assert code == 2 and capsys.readouterr().err


def test_files_are_found_where_folders_have_spaces(tmp_path: Path) -> None:
    home = tmp_path / "my desk"
    home.mkdir()
    shutil.copyfile(pieces()["sum_of_blocks"].path / "answer" / "kernels.py", home / "kernels.py")
    options = options_of(pieces()["sum_of_blocks"], home / "mine.py")
    assert shlex.split(options) == ["--kernels", f"kernels.o={home.resolve()}/kernels.py"]


def test_a_loop_that_asks_is_a_wait(ascend_sim: Any, tmp_path: Path) -> None:
    text = pieces()["three_owners"].program.read_text(encoding="utf-8")
    asked = "while must(acl.rt.stream_query(b)) or must(acl.rt.stream_query(a)):\n    pass\n" + _C_SETS
    (tmp_path / "mine.py").write_text(text.replace(_C_SETS, asked), encoding="utf-8")
    run = ascend_sim("gallery", "three_owners", "--check", tmp_path / "mine.py")
    assert re.search(r"now the host waits \(line \d+: aclrtStreamQuery\)", run.stdout), run.stdout


def test_the_checker_can_be_called(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import acl\n", encoding="utf-8")
    assert check(pieces()["one_flag"], tmp_path / "mine.py").sentences == ("The program makes no call of AscendCL.",)
