"""The lessons: each prints what is kept beside it, and what its "Try it" promises happens when one tries it.

    ASCEND_SIM_REWRITE=1 python -m pytest tests/programs/test_lessons.py

writes what the lessons print now; look at the difference before you commit it.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

LESSONS = Path(__file__).parents[2] / "examples" / "lessons"
FILES = sorted(LESSONS.glob("[0-9][0-9]_*.py"))
CASES = sorted(path.parent for path in (LESSONS / "gallery").glob("*/broken.py"))
TITLE = re.compile(r"(error|warning|note)\[([a-z-]+)\]: ")
CARETS = pytest.mark.skipif(sys.version_info < (3, 11), reason="what is marked under a source line differs before 3.11")


def command(path: Path) -> list[str]:
    """The words after `ascend-sim` in the first command of the docstring, which has to name the file itself."""
    found = re.search(r"^    ascend-sim (run .*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None, path
    words = found[1].split()
    assert words[-1] == path.name
    return words


def printed(path: Path, ascend_sim: Any) -> tuple[int, str]:
    """The exit code, and what the command of *path* prints in its folder; tracebacks shortened to their last line."""
    run = ascend_sim(*command(path), merge=True)
    text = re.sub(r"(Traceback \(most recent call last\):\n)(?:[ ].*\n)+", r"\1  ...\n", run.stdout)
    return run.returncode, text.replace(str(path.parent) + os.sep, "")


def agrees(file: Path, text: str) -> None:
    """*text* is what *file* holds, or is written there when that is asked for."""
    if os.environ.get("ASCEND_SIM_REWRITE"):
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text


# -- the lessons -----------------------------------------------------------------------------------------------------


def test_the_lessons_are_numbered_and_explained() -> None:
    assert [int(path.name[:2]) for path in FILES] == list(range(1, len(FILES) + 1))
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        assert text.startswith(f'"""Lesson {int(path.name[:2])}. '), path
        assert "\n# Try it:\n# - " in text, path


@CARETS
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_lesson_prints_what_it_says(path: Path, ascend_sim: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(LESSONS)
    code, text = printed(path, ascend_sim)
    assert code == ("error[" in text), text
    agrees(LESSONS / "printed" / f"{path.stem}.txt", text)


# -- what the lessons ask to try -------------------------------------------------------------------------------------

TRY: list[tuple[str, str, list[tuple[str, str]], list[str]]] = [
    # lesson, what is tried, (old, new) in its text, regular expressions that its output then has
    (
        "01", "set a device in the thread",
        [("    ret = acl.rt.malloc(64, 0)[1]\n", (
            "    must(acl.rt.set_device(0))\n    print(acl.rt.get_context()[0] == primary)\n"
            "    pointer, ret = acl.rt.malloc(64, 0)\n    must(acl.rt.free(pointer))\n"
        ))],
        ["^True$", "a thread that sets nothing: 0$"],
    ),
    ("01", "one device", [("run --devices 2", "run")], ["107001: .* deviceId is 1: there is 1 device"]),
    (
        "02", "look before the synchronise",
        [("must(acl.rt.synchronize_stream(stream))\nprint(", (
            "print(acl.util.ptr_to_bytes(host, 4).hex())\nmust(acl.rt.synchronize_stream(stream))\nprint("
        ))],
        ["^00000000$", r"^error\[race\]: acl.util.ptr_to_bytes .*reads `host` while a copy"],
    ),
    (
        "03", "synchronise instead", [("must(acl.rt.memcpy_async(host, 8, big, 8, DEVICE_TO_HOST, DEFAULT))\nmust(acl.rt.synchronize_device", (
            "must(acl.rt.synchronize_stream(stream))\n"
            "must(acl.rt.memcpy_async(host, 8, big, 8, DEVICE_TO_HOST, DEFAULT))\nmust(acl.rt.synchronize_device"
        ))],
        ["^without an event: 2222222222222222$", r"\A(?!(.|\n)*error)"],
    ),
    ("03", "another schedule", [("run 03", "run --schedule early 03")], [r"^error\[race\]: a copy on the default stream"]),
    ("03", "a random one", [("run 03", "run --schedule random --seed 3 03")], [r"^error\[race\]: "]),
    (
        "04", "no record", [("must(acl.rt.record_event(event, producer))\nmust(acl.rt.stream_wait_event(consumer, event))", (
            "print('wait:', acl.rt.stream_wait_event(consumer, event))"
        ))],
        ["^wait: 0$", r"^error\[race\]: "],
    ),
    (
        "04", "no record of the first kind",
        [
            ("event = must(acl.rt.create_event_ex_with_flag(SYNC))", "event = must(acl.rt.create_event())"),
            ("must(acl.rt.record_event(event, producer))\nmust(acl.rt.stream_wait_event(consumer, event))", (
                "print('wait:', acl.rt.stream_wait_event(consumer, event))"
            )),
        ],
        ["^wait: 107000$"],
    ),
    (
        "04", "no record at all", [("    record = acl.rt.record_event(event, producer)\n", "    record = 0\n")],
        [r"^error\[deadlock\]: stream `consumer` waits for the flag of event `event`"],
    ),
    ("05", "no block", [("[round_, host], BLOCK", "[round_, host], NO_BLOCK")], [r"^error\[race\]: a copy on `stream` writes `host`"]),
    (
        "05", "a wait in the callback",
        [("    round_, host = args\n", "    round_, host = args\n    must(acl.rt.synchronize_stream(stream))\n")],
        [r"^error\[deadlock\]: T1 .* and `stream` wait for each other"],
    ),
    (
        "05", "the main thread serves",
        [
            ("import acl\n", "import threading\n\nimport acl\n"),
            ("thread = must(acl.util.start_thread(serve, [context]))\n", "thread = threading.get_ident()\n"),
            ("must(acl.rt.synchronize_stream(stream))  # waits", "acl.rt.process_report(100)\nacl.rt.process_report(100)\nacl.rt.process_report(100)\nmust(acl.rt.synchronize_stream(stream))  # waits"),
            ("must(acl.util.stop_thread(thread))\n", ""),
        ],
        [r"^synchronised: \[\(0, 10\), \(1, 11\), \(2, 12\)\]$"],
    ),
    (
        "06", "write the source", [("print(\"after a copy of pinned memory:  \"", (
            "must(acl.rt.memset(pinned, SIZE, 9, SIZE))\nprint(\"after a copy of pinned memory:  \""
        ))],
        [r"^error\[race\]: aclrtMemset writes `pinned` while a copy on `stream` may still be reading it"],
    ),
    (
        "06", "a temporary", [("stream, pageable.ctypes", "x"), ("SIZE, pageable.ctypes.data, SIZE", "SIZE, acl.util.bytes_to_ptr(bytes(SIZE)), SIZE")][1:],
        [r"^error\[dead-host-buffer\]: "],
    ),
    ("06", "one buffer both ways", [("down, SIZE, other, SIZE", "down, SIZE, device, SIZE")], [r"^error\[race\]: .*`device`"]),
    ("07", "one element too many", [('"<QI4x", z, N))\n    must', '"<QI4x", z, N + 1))\n    must'), ("(1, 4, 8)", "(8,)")], [
        r"^error\[out-of-bounds\]: kernel `sign`, block 7", "^AssertionError: 507035: .*aclrtSynchronizeStream",
    ]),
    ("07", "another product", [("run --kernels", "run --soc Ascend310P3 --kernels")], ["^8 vector cores$|^7 vector cores$|^[0-9]+ vector cores$"]),
    ("08", "free the block", [
        ("    must(launch())\n", "    must(launch())\n    if name.endswith('V2'):\n        must(C.aclrtFree(block))\n"),
    ], [r"^error\[use-after-free\]: "]),
    ("08", "a host buffer", [
        ("C.aclrtLaunchKernelV2(add, BLOCKS, block, len(plus_y), None, stream))", "C.aclrtLaunchKernelV2(add, BLOCKS, plus_y, len(plus_y), None, stream))"),
    ], [r"^AssertionError: 507\d+: .*aclrtSynchronizeStream"]),
    ("08", "no second finalise", [("must(C.aclrtKernelArgsFinalize(handle))  # an", "# an")], ["^AssertionError: 107000: .*aclrtLaunchKernelWithConfig: .*finalise"]),
    ("09", "free at once", [
        ("        self.spent.append(block)", "        must(acl.rt.free(block))"),
    ], [r"^error\[use-after-free\]: "]),
    ("09", "destroy while registered", [("for pool in (second, third):\n", "must(acl.rt.allocator_register(stream, third.desc))\nfor pool in (second, third):\n")], [
        r"^warning\[stale-registration\]: ",
    ]),
    ("10", "one workspace for both", [("zip(streams, outs, spaces, strict=True)", "zip(streams, outs, [space, space], strict=True)")], [
        r"^error\[race\]: kernel `total` on .* `space`",
    ]),
    ("10", "free too early", [
        ("    launch(streams[0], outs[0], space)\n", "    launch(streams[0], outs[0], space)\nmust(acl.rt.free(space))\n"),
    ], [r"^error\[use-after-free\]: "]),
    ("10", "too small", [("size = 4 * BLOCKS\n", "size = 4 * (BLOCKS - 1)\n")], [r"^error\[out-of-bounds\]: kernel `total`, block 7"]),
]  # fmt: skip


@pytest.mark.parametrize(("number", "what", "edits", "wanted"), TRY, ids=[f"{n}-{w.replace(' ', '-')}" for n, w, *_ in TRY])
def test_what_a_lesson_asks_to_try_happens(
    number: str, what: str, edits: list[tuple[str, str]], wanted: list[str],
    ascend_sim: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    lesson = next(path for path in FILES if path.name.startswith(number))
    text = lesson.read_text(encoding="utf-8")
    for old, new in edits:
        assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in {lesson.name}"
        text = text.replace(old, new)
    folder = tmp_path / "lessons"
    shutil.copytree(LESSONS / "kernels", folder / "kernels", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("op_models", "op_kernels"):
        (tmp_path / name).symlink_to(LESSONS.parent / name)
    (folder / lesson.name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    _, shown = printed(folder / lesson.name, ascend_sim)
    shown = re.sub(r"\n {6,}(?=[a-z`])", " ", shown)  # titles that are folded
    for pattern in wanted:
        assert re.search(pattern, shown, re.MULTILINE), f"{what}: {pattern}\n{shown}"


# -- the gallery -----------------------------------------------------------------------------------------------------


@CARETS
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_broken_program_is_found_out(case: Path, ascend_sim: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(case)
    code, text = printed(case / "broken.py", ascend_sim)
    assert code == ("error[" in text), text
    agrees(case / "says.txt", text)
    kinds = {match[2] for match in map(TITLE.match, text.splitlines()) if match is not None}
    assert kinds >= set(TABLE[case.name].replace(",", "").split()), kinds
    marked = {
        (path.name, number)
        for path in case.glob("*.py")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if "# WRONG: " in line
    }
    places = {(name, int(line)) for name, line in re.findall(r"^ *(?:-->|:::) ([\w.]+):(\d+) ", text, re.MULTILINE)}
    assert marked and marked & places, f"the reports name {places}, marked are {marked}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_simulator_is_silent_about_the_corrected_program(
    case: Path, ascend_sim: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(case)
    run = ascend_sim(*command(case / "fixed.py"))
    assert run.returncode == 0, run.stderr
    assert run.stderr.count("\n") == 1, run.stderr


ROWS = re.findall(r"^\| \[(\w+)\]\(gallery/(\w+)/\) \| ([^|]+?) \| ([^|]+?) \|", (LESSONS / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
TABLE = {folder: kinds.replace("`", "") for _, folder, kinds, _ in ROWS}


def test_the_page_lists_every_lesson_and_every_case() -> None:
    page = (LESSONS / "README.md").read_text(encoding="utf-8")
    assert [name for _, name, _, _ in ROWS] == sorted(TABLE) == [case.name for case in CASES]
    assert all(title == folder for title, folder, _, _ in ROWS)
    assert re.findall(r"\]\((\d\d_\w+\.py)\)", page) == [path.name for path in FILES]
