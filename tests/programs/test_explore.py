"""`ascend-sim explore` and `ascend-sim replay`, as a user types them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

PROGRAM = """
import acl
import numpy as np

acl.rt.set_device(0)
block, _ = acl.rt.malloc(64, 0)
one, _ = acl.rt.create_stream()
two, _ = acl.rt.create_stream()
acl.rt.memset_async(block, 64, 1, 64, one)
{between}
acl.rt.memset_async(block, 64, 2, 64, two)
acl.rt.synchronize_device()
out = np.zeros(64, np.uint8)
acl.rt.memcpy(out.ctypes.data, 64, block, 64, 2)
print("result", out[0])
assert out[0] == 2, "lost"
"""


def test_a_failure_is_found_written_and_replayed(tmp_path: Path, ascend_sim: Any) -> None:
    program = tmp_path / "lost.py"
    program.write_text(PROGRAM.format(between=""))
    file = tmp_path / "lost.json"
    found = ascend_sim("explore", program, "--save", file, "--check", "none", "--budget", "1h")
    assert found.returncode == 1, found.stderr
    assert "exhausted: 2 classes of schedules" in found.stdout
    assert "exception in 1 of 2: AssertionError: lost" in found.stdout
    assert f"replay file: {file}" in found.stdout
    again = ascend_sim("replay", file, program)
    assert again.returncode == 1 and again.stdout == "result 1\n"
    assert "AssertionError: lost" in again.stderr and "not as recorded" not in again.stderr
    program.write_text(PROGRAM.format(between="acl.rt.synchronize_stream(one)"))
    fixed = ascend_sim("replay", file, program)
    assert fixed.returncode == 0 and fixed.stdout == "result 2\n"
    assert "ascend-sim: not as recorded: step " in fixed.stderr
    silent = ascend_sim("explore", program, "--budget", "1h")
    assert silent.returncode == 0 and silent.stdout == "exhausted: 1 class of schedules\n"


def test_options_of_the_search(tmp_path: Path, ascend_sim: Any) -> None:
    program = tmp_path / "lost.py"
    program.write_text(PROGRAM.format(between="").partition("assert")[0])
    file = tmp_path / "lost.json"
    common = ("explore", program, "--save", file, "--check", "none", "--budget", "1h")
    plain = ascend_sim(*common)
    assert plain.returncode == 0 and "2 different results:" in plain.stdout
    shared = ascend_sim(*common, "--jobs", 2)
    assert shared.stdout == plain.stdout and shared.returncode == 0, shared.stderr
    judged = ascend_sim(*common, "--differing", "error", "--hosts", "shared")
    assert judged.returncode == 1 and "result in 1 of 2: results differ: " in judged.stdout
    again = ascend_sim("replay", file, program)
    assert again.stdout == "result 1\n"
    drawn = ascend_sim(*common, "--way", "random", "--budget", "100ms")
    assert "drawn at random" in drawn.stdout


KERNEL = """
import numpy as np

from ascend_sim import Block, gm, kernel


@kernel
def add(b: Block, out: gm.Out[np.float32]) -> None:
    pass
"""
LAUNCHES = """
import acl

acl.rt.set_device(0)
binary, ret = acl.rt.binary_load_from_file("add_custom.o", [])
assert ret == 0
stream, _ = acl.rt.create_stream()
block, _ = acl.rt.malloc(64, 0)
other, _ = acl.rt.create_stream()
acl.rt.memset_async(block, 64, 1, 64, stream)
acl.rt.memset_async(block, 64, 1, 64, other)
acl.rt.synchronize_device()
"""


@pytest.mark.parametrize("jobs", [(), ("--jobs", 2)], ids=["here", "workers"])
def test_kernels_are_named_as_for_run(
    jobs: tuple[Any, ...], tmp_path: Path, ascend_sim: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("kernels.py").write_text(KERNEL)
    Path("launches.py").write_text(LAUNCHES)
    files = ("--kernels", "add_custom.o=kernels.py")
    common = ("explore", *jobs, *files, "-o", "x.json", "--check", "none", "--budget", "1h", "--differing", "error")
    found = ascend_sim(*common, "launches.py")
    assert found.returncode == 0 and found.stdout == "exhausted: 2 classes of schedules\n", found.stdout + found.stderr
    missing = ascend_sim("explore", "--models", "a.om=none.om", "launches.py")
    assert missing.returncode == 2 and "there is no model file 'none.om'" in missing.stderr


def test_without_o_the_schedules_lie_in_the_cache(
    tmp_path: Path, ascend_sim: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "program"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    Path("lost.py").write_text(PROGRAM.format(between=""))
    found = ascend_sim("explore", "lost.py", "--check", "none", "--budget", "1h")
    (file,) = (tmp_path / "cache").glob("ascend-sim/lost-*/schedule.json")
    assert f"  replay file: {file}\n" in found.stdout
    assert [path.name for path in folder.iterdir()] == ["lost.py"]


def test_a_killed_worker_is_no_finding(tmp_path: Path, ascend_sim: Any) -> None:
    program = tmp_path / "killed.py"
    program.write_text(
        "import multiprocessing, os\nif multiprocessing.parent_process():\n    os.kill(os.getpid(), 9)\n"
        + PROGRAM.format(between="")
    )
    run = ascend_sim("explore", "--jobs", 2, "-o", tmp_path / "x.json", "--check", "none", program)
    assert run.returncode == 4
    assert run.stderr == (
        "ascend-sim: a worker of --jobs was killed, perhaps for want of memory: nothing was found out\n"
    )


def test_mistakes_on_the_command_line(tmp_path: Path, ascend_sim: Any) -> None:
    assert ascend_sim("explore").returncode == 2
    assert ascend_sim("replay", "x").returncode == 2
    bad = tmp_path / "bad.json"
    bad.write_text("{}")
    refused = ascend_sim("replay", bad, "x.py")
    assert refused.returncode == 2 and "does not say that it is" in refused.stderr
    (tmp_path / "x.py").write_text("")
    for wrong in (("--jobs", 0), ("--way", "some"), ("--jobs", 2, "--way", "random"), ("--differing", "often")):
        assert ascend_sim("explore", *wrong, tmp_path / "x.py").returncode == 2
    missing = ascend_sim("explore", tmp_path / "none.py")
    assert missing.returncode == 2 and "none.py" in missing.stderr
