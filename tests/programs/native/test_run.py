"""C programs under ``ascend-sim run``: output, findings with lines, exit codes; and the commands around them."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from ascend_sim.cli.run import parser
from ascend_sim.native.home.folder import LIBRARIES
from tests.kit.compilers import needs_compiler
from tests.kit.forks import HANG
from tests.programs.native.conftest import SOURCES, tool

pytestmark = needs_compiler
Built = Callable[[str], Path]


def _line(name: str, part: str, nth: int = 1) -> int:
    lines = (SOURCES / name).read_text(encoding="utf-8").splitlines()
    return [i for i, line in enumerate(lines, 1) if part in line][nth - 1]


def test_a_correct_program_has_its_output_and_nothing_else(built: Built) -> None:
    done = tool("run", str(built("hello.c")))
    assert done.stdout == "hello on Ascend910B3\nend 0\n"
    assert (done.returncode, len(done.stderr.splitlines())) == (0, 1)


def test_findings_have_lines_and_variables_of_the_c_file(built: Built, tmp_path: Path) -> None:
    report = tmp_path / "findings.json"
    done = tool("run", "--json", str(report), "--soc", "Ascend310P3", str(built("hello.c")), "wrong")
    assert done.stdout == "hello on Ascend310P3\nend 0\n"
    assert done.returncode == 1
    found = {finding["kind"]: finding for finding in json.loads(report.read_text())["findings"]}
    assert set(found) == {"double-free", "leak"}
    assert "`device`" in found["double-free"]["title"]
    places = [site["frames"][0] for site in found["double-free"]["sites"]]
    assert [(Path(p["file"]).name, p["line"], p["function"]) for p in places[:2]] == [
        ("hello.c", _line("hello.c", "aclrtFree(device)", 2), "main"),
        ("hello.c", _line("hello.c", "aclrtFree(device)"), "main"),
    ]
    assert found["leak"]["sites"][0]["frames"][0]["function"] == "forget"


def test_a_program_without_lines_is_told_to_be_built_with_g(built: Built, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    assert tool("cc", str(SOURCES / "hello.c"), "-o", str(bare)).returncode == 0
    done = tool("run", "bare", "wrong", cwd=tmp_path)
    assert done.stderr.count("ascend-sim: bare was built without -g") == 1, done.stderr
    assert "bare in forget" in done.stderr, "the function is known all the same"
    done = tool("run", "bare", "wrong", cwd=tmp_path, ASCEND_SIM_LANG="zh")
    assert done.stderr.count("bare 编译时没有 -g") == 1, done.stderr
    assert "-g" not in tool("run", "bare", cwd=tmp_path).stderr, "without a report there is nothing to say"
    assert "-g" not in tool("run", str(built("hello.c")), "wrong").stderr


def test_values_of_all_kinds(built: Built) -> None:
    done = tool("run", "--devices", "2", str(built("values.c")))
    assert done.stdout.splitlines() == [
        "count 0 2", "device 0 1", "memory 0 1", "register 0", "states 23", "null output 100000 1",
        "attributes 0 device 1 type 1", "config 0", "version 0 1", "desc 24 6", "half 3.14 0x3e00", "list 0 1", "labels 0 1",
        "soc Ascend910B3 twice 1", "end 0",
    ]  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_a_program_runs_alone_with_the_variables_of_set_env(built: Built, tmp_path: Path) -> None:
    home = tmp_path / "home"
    done = tool("home", "-o", str(home))
    assert done.returncode == 0, done.stderr
    for name in ("lib64/libascendcl.so", "include/acl/acl.h", "runtime/include/acl/acl_rt.h", "latest/set_env.sh"):
        assert (home / name).exists(), name
    assert all((home / "lib64" / f"lib{name}.so").exists() for name in LIBRARIES)
    text = f'. {home}/set_env.sh && test -d "$ASCEND_HOME_PATH/lib64" && {built("hello.c")} wrong'
    env = {k: v for k, v in os.environ.items() if not k.startswith("ASCEND_")}
    done = subprocess.run(["bash", "-c", text], capture_output=True, text=True, timeout=HANG, check=False, env=env)
    assert done.stdout == "hello on Ascend910B3\nend 0\n"
    assert "error[double-free]" in done.stderr and "1 error, 1 warning" in done.stderr
    text = f". {home}/set_env.sh && npu-smi info -l && npu-smi info -t board -i 9"
    done = subprocess.run(["bash", "-c", text], capture_output=True, text=True, timeout=HANG, check=False, env=env)
    assert (done.returncode, done.stdout.split()[:4]) == (1, ["Total", "Count", ":", "1"]), done.stderr
    assert tool("home", "-o", str(home)).returncode == 0  # its own folder may be written anew
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    done = tool("home", "-o", str(tmp_path / "other"))
    assert (done.returncode, "name a new folder" in done.stderr) == (2, True)


def test_a_script_that_starts_programs_is_watched(built: Built, tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    script.write_text(f"#!/bin/sh\n{built('hello.c')} && {built('hello.c')} wrong\n")
    script.chmod(0o755)
    done = tool("run", str(script))
    assert done.stdout == "hello on Ascend910B3\nend 0\n" * 2
    assert (done.returncode, done.stderr.count("simulated Ascend910B3")) == (1, 1)


OPTIONS = {
    "--devices 2": ("values.c", 0, "device 0 1"),
    "--soc Ascend310P3": ("hello.c", 0, "hello on Ascend310P3"),
    "--seed 7": ("hello.c wrong", 1, "seed 7,"),
    "--schedule late": ("hello.c wrong", 1, "schedule late"),
    "--block-order reversed": ("hello.c", 0, "hello on"),
    "--kernels other.o=kernels.py": ("hello.c", 0, "--kernels other.o=... was never used"),
    "--trust-kernel-files": ("hello.c", 0, "hello on"),
    "--ops open": ("hello.c", 0, "hello on"),
    "--models other.om=model.om": ("hello.c", 0, "--models other.om=... was never used"),
    "--allow-model-module math": ("hello.c", 0, "hello on"),
    "--model-seconds 1": ("hello.c", 0, "hello on"),
    "--threads free": ("hello.c", 0, "hello on"),
    "--check none": ("hello.c wrong", 1, "ascend-sim: 1 error; first"),
    "--check all": ("hello.c wrong", 1, "error[double-free]"),
    "--inject aclrtMalloc:1=207001": ("hello.c", 3, "note[injected-fault]: aclrtMalloc fails as planned"),
    "--torch off": ("hello.c", 0, "hello on"),
    "--limits memory=64": ("hello.c", 3, "aclrtMalloc returned 207001 at hello.c"),
    "--switch many_blocks=nothing": ("hello.c", 2, "many_blocks"),
    "--log calls": ("hello.c", 0, "aclrtMemcpyAsync"),
    "--timeline -": ("hello.c", 0, "hello"),
    "--timeline out.html --timeline-tasks 2": ("hello.c", 0, "hello on"),
    "--format short": ("hello.c wrong", 1, "hello.c:31"),
    "--format json": ("hello.c wrong", 1, '"kind": "double-free"'),
    "--color always": ("hello.c wrong", 1, "\x1b["),
    "--lang zh": ("hello.c wrong", 1, "\u91ca\u653e"),
    "--json out.json": ("hello.c wrong", 1, "double-free"),
    "--sarif out.sarif": ("hello.c wrong", 1, "double-free"),
    "--suppress double-free": ("hello.c wrong", 0, "1 suppressed"),
    "--skip-frames forget": ("hello.c wrong", 1, "in main"),
    "--error-on leak --suppress double-free": ("hello.c wrong", 1, "leak fails the run"),
    "--baseline kept.json --update-baseline": ("hello.c wrong", 0, "double-free"),
    "--error-exitcode 9": ("hello.c wrong", 9, "double-free"),
}
"""Options of ``run``: a program and its words, the code, and what is printed."""
OF_PYTHON = {"-h", "--help", "-m", "--checks", "--switches"}
"""Help; a module of Python; other spellings."""


def test_every_option_has_a_row() -> None:
    options = {option for action in parser()._actions for option in action.option_strings}
    assert options - OF_PYTHON - {word for row in OPTIONS for word in row.split()} == set()


@pytest.mark.parametrize("options", OPTIONS)
def test_options_work_as_for_python(options: str, built: Built, tmp_path: Path) -> None:
    words, code, text = OPTIONS[options]
    name, *arguments = words.split()
    for file in ("kernels.py", "model.om"):
        (tmp_path / file).touch()
    done = tool("run", *options.split(), str(built(name)), *arguments, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert text in done.stdout + done.stderr
    written = [word for word in options.split() if word.endswith((".html", ".json", ".sarif"))]
    assert all((tmp_path / word).stat().st_size for word in written)


def test_limits_make_a_create_fail(built: Built) -> None:
    done = tool("run", "--limits", "streams=1", str(built("gallery.cpp")), "two_streams")
    assert done.returncode == 3
    assert "aclrtCreateStream(&a) returned 207008" in done.stderr.splitlines()


@pytest.mark.parametrize("schedule", ["late", "early", "random"])
def test_schedules_order_the_tasks_of_a_native_program(schedule: str, built: Built) -> None:
    runs = [
        tool("run", "--log", "calls", "--schedule", schedule, "--seed", "3", str(built("gallery.cpp")), "two_streams")
        for _ in range(2)
    ]
    texts = [re.sub(r"0x[57]\w+", "HOST", done.stderr) for done in runs]  # a machine may not let us fix host addresses
    assert texts[0] == texts[1]
    assert f"schedule {schedule}" in texts[0] and "error[race]" in texts[0]


def test_sarif_has_the_lines_of_the_source(built: Built, tmp_path: Path) -> None:
    report = tmp_path / "out.sarif"
    tool("run", "--sarif", str(report), str(built("gallery.cpp")), "freed_twice")
    (result,) = json.loads(report.read_text())["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("gallery.cpp")
    assert (result["ruleId"], place["region"]["startLine"]) == ("double-free", _line("gallery.cpp", "FAULT: double-free"))



def test_operators_in_two_phases(built: Built) -> None:
    done = tool("run", str(built("operators.c")))
    assert done.stdout.splitlines() == [
        "shape 0 1 4", "null 161001", "first 0 0 1", "second 0", "21 24 27 30", "missing 161001",
    ]  # fmt: skip
    assert done.returncode == 0


def test_reports_show_callers_and_what_was_compiled_into_them(built: Built, tmp_path: Path) -> None:
    report = tmp_path / "findings.json"
    tool("run", "--json", str(report), str(built("callers.cpp")))
    [found] = json.loads(report.read_text())["findings"]
    frames = [(frame["function"], frame["line"]) for frame in found["sites"][0]["frames"]]
    source = "callers.cpp"
    assert [line for _, line in frames] == [
        _line(source, "aclrtFree(memory)"), _line(source, "release(memory);"), _line(source, "clear(memory);"),
    ]  # fmt: skip
    assert [function for function, _ in frames[1:]] == ["clear", "main"]


def test_video_through_callbacks_of_c(built: Built) -> None:
    pytest.importorskip("av")
    done = tool("run", "--soc", "Ascend310P3", str(built("video.cpp")))
    assert done.stdout.splitlines() == [
        "interval 4 in 4 bytes, own callback 1", "encoder 0", "destroyed 0, 6 pieces", "decoder 0",
        "destroyed 0, 6 pictures, 6 good",
    ]  # fmt: skip
    assert done.returncode == 0 and "[" not in done.stderr


def test_the_second_media_interface_in_c(built: Built) -> None:
    pytest.importorskip("av")
    pytest.importorskip("PIL")
    done = tool("run", "--soc", "Ascend310P3", str(built("himpi.cpp")))
    assert done.stdout.splitlines() == [
        "1 ready, mine", "pack 1, pts 77, ffd8", "64 x 48, raw 1", "flag 0, pts 5, pixel 50",
        "border 200, inside 39, right 200", "30 is there 48 times, 94 0", "no task: 0xa0078005, NULL: 0xa0078006",
        "not modelled: 207000",
    ]  # fmt: skip
    assert done.returncode == 0
    assert [line for line in done.stderr.splitlines() if "[" in line] == [
        "warning[not-modelled]: `hi_mpi_vpc_convert_color_v2` is not modelled: it does nothing here"
    ]


def test_pictures_in_c(built: Built) -> None:
    pytest.importorskip("PIL")
    done = tool("run", "--soc", "Ascend310P3", str(built("pictures.cpp")))
    assert done.stdout.splitlines() == [
        "channel 0 1", "resize 0 0: 50 200", "batch 0 0: 50 200", "border 0 17.0 -1.0", "predicted 0 2097152",
        "header 0 128 64 3", "decode 0 0 0: 5 20",
    ]  # fmt: skip
    assert done.returncode == 0 and "[" not in done.stderr


def test_room_for_outputs_in_a_struct_that_is_an_input(built: Built) -> None:
    done = tool("run", str(built("branches.c")))
    assert (done.stdout.split(), done.returncode) == (["sums", "7", "1"], 0), done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr


def test_programs_of_a_script_wait_for_each_other_in_real_time(built: Built, tmp_path: Path) -> None:
    script = tmp_path / "both.sh"
    script.write_text(f"#!/bin/bash\n{built('meeting.c')} first &\n{built('meeting.c')} second\nwait\n")
    done = tool("run", str(script), cwd=tmp_path)
    assert (sorted(done.stdout.splitlines()), done.returncode) == (["first: they met", "second: it was there"], 0), (
        done.stderr
    )
    assert "warning" not in done.stderr, done.stderr


def test_a_model_that_only_the_profiler_knows_can_be_subscribed(built: Built) -> None:
    done = tool("run", str(built("subscribed.c")))
    assert (done.stdout.split(), done.returncode) == (["100011", "0", "0", "end"], 0), done.stderr
