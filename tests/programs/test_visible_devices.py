"""ASCEND_RT_VISIBLE_DEVICES: what the list shows, and when it is read: at the program's first call."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ascend_sim import Simulator, explore
from ascend_sim import ascendcl as C
from ascend_sim.options import visible_devices
from tests.kit.compilers import needs_compiler
from tests.kit.torch_guest import needs_torch

LISTS = {
    "": (), ",0": (), "0,1,5,7": (0, 1), "1": (1,), "1,,": (1,), "1,,2": (1,), "1*": (1,), "1,": (1,), "0,1": (0, 1),
    "0,1$0,": (0, 1), "0#1,": (0,), "-1,3": (), "0,1,2": (0, 1, 2), "0,1,2,0": (0, 1, 2), "10,": (), "10": (), "10#": (),
    "1, 2": (1,), " 1": (), "2,0": (), "0,0": (), "0,2,1": (), "0,2,1,7": (), "0,2,x,1": (0, 2), "\u0661": (),
    "99999999999999999999": (), "00,1": (0, 1), "0" * 127 + ",1": (0,), "1," * 100: (),
}  # fmt: skip
"""The lists of the runtime's own tests (rt_utest_runtime.cc), with three devices there, and more of their kinds."""

SETS = 'import os\nos.environ["ASCEND_RT_VISIBLE_DEVICES"] = "1,2"\n'
COUNTS = "assert acl.rt.get_device_count() == (2, 0)\n"
USES = "assert acl.rt.set_device(1) == 0\nassert acl.rt.reset_device(1) == 0\n"


@pytest.mark.parametrize("text", LISTS, ids=repr)
def test_what_a_list_shows(text: str) -> None:
    assert visible_devices(text, 3) == LISTS[text]
    with Simulator(devices=3, visible=text):
        count = len(LISTS[text])
        assert C.aclrtGetDeviceCount() == ((count, 0) if count else (None, 207004))
        assert C.aclrtSetDevice(count) == 107001
        assert [C.aclrtSetDevice(number) for number in range(count)] == [0] * count


@pytest.mark.parametrize("command", ["run", "explore"])
@pytest.mark.parametrize("order", [SETS + "import acl\n", "import acl\n" + SETS], ids=["before", "after the import"])
def test_the_program_sets_it(command: str, order: str, tmp_path: Path, ascend_sim: Callable[..., Any]) -> None:
    """For the process of a rank, say. Each run of a search begins with the environment that the first one had."""
    program = tmp_path / "sets.py"
    program.write_text("import os\nassert 'ASCEND_RT_VISIBLE_DEVICES' not in os.environ\n" + order + COUNTS + USES)
    done = ascend_sim(command, "--devices", "4", program)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_search_tries_more_than_one_run() -> None:
    def program() -> int:
        os.environ["ASCEND_RT_VISIBLE_DEVICES"] = "1,2"
        count, _ = C.aclrtGetDeviceCount()
        C.aclrtSetDevice(1)
        streams = [C.aclrtCreateStream()[0] for _ in range(2)]
        memory, _ = C.aclrtMalloc(64, 0)
        for value, stream in enumerate(streams):
            C.aclrtMemsetAsync(memory, 64, value, 64, stream)
        C.aclrtSynchronizeDevice()
        return count

    found = explore(program, devices=4, checks="none")
    assert found.classes > 1
    assert {result.outcome.value for result in found.outcomes} == {2}


def test_what_comes_after_the_first_call_changes_nothing(tmp_path: Path, ascend_sim: Callable[..., Any]) -> None:
    program = tmp_path / "late.py"
    all_four = "import acl\nassert acl.rt.get_device_count() == (4, 0)\n"
    program.write_text(all_four + SETS + "assert acl.rt.set_device(3) == 0\nassert acl.rt.reset_device(3) == 0\n")
    done = ascend_sim("run", "--devices", "4", program)
    assert done.returncode == 0, done.stdout + done.stderr


def test_versions_may_be_asked_for_before(tmp_path: Path, ascend_sim: Callable[..., Any]) -> None:
    program = tmp_path / "versions.py"
    program.write_text("import ascend_sim.ascendcl as C\nimport acl\nC.aclsysGetCANNVersion(0)\n" + SETS + COUNTS)
    done = ascend_sim("run", "--devices", "4", program)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("command", ["run", "explore"])
@needs_compiler
def test_a_program_in_c_sets_it(command: str, tmp_path: Path, ascend_sim: Callable[..., Any]) -> None:
    source = tmp_path / "sets.c"
    source.write_text(
        '#include <stdlib.h>\n#include "acl/acl.h"\nint main(void) {\n    uint32_t count = 0;\n'
        '    setenv("ASCEND_RT_VISIBLE_DEVICES", "1,2", 1);\n'
        "    if (aclInit(NULL) || aclrtGetDeviceCount(&count) || count != 2) abort();\n"
        "    return aclrtSetDevice(1) || aclrtResetDevice(1) || aclFinalize();\n}\n"
    )
    built = ascend_sim("cc", source, "-o", tmp_path / "sets")
    assert built.returncode == 0, built.stderr
    done = ascend_sim(command, "--devices", "4", tmp_path / "sets")
    assert done.returncode == 0, done.stdout + done.stderr


@needs_torch
def test_it_is_set_after_the_import_of_torch_npu(tmp_path: Path, ascend_sim: Callable[..., Any]) -> None:
    program = tmp_path / "sets.py"
    program.write_text(
        f"import torch, torch_npu\nassert torch.npu.device_count() == 4\n{SETS}assert torch.npu.device_count() == 2\n"
        "assert str((torch.ones(3).npu(1) + 1).device) == 'npu:1'\n"
    )
    done = ascend_sim("run", "--devices", "4", program, fresh=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_after_install(tmp_path: Path) -> None:
    code = f"import ascend_sim.pyacl as pyacl\npyacl.install(devices=4)\nimport acl\n{SETS}{COUNTS}{USES}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_in_a_test(tmp_path: Path) -> None:
    tests = tmp_path / "test_sets.py"
    tests.write_text(
        "import acl, pytest\n"
        "@pytest.mark.ascend(devices=4)\n"
        "def test_sets(ascend, monkeypatch):\n"
        "    monkeypatch.setenv('ASCEND_RT_VISIBLE_DEVICES', '3')\n"
        "    assert acl.rt.get_device_count() == (1, 0)\n"
        "@pytest.mark.ascend(devices=4)\n"
        "def test_the_next_one(ascend):\n"
        "    assert acl.rt.get_device_count() == (4, 0)\n"
    )
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tests)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert "2 passed" in done.stdout, done.stdout


def test_a_search_leaves_the_environment_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each run finds what the first one found: a variable that it sets is not there, one that it takes away is."""
    monkeypatch.setenv("MINE", "kept")
    monkeypatch.delenv("ASCEND_TEST_SET", raising=False)
    seen = []

    def program() -> None:
        seen.append((os.environ.pop("MINE", None), os.environ.get("ASCEND_TEST_SET")))
        os.environ["ASCEND_TEST_SET"] = "1"
        C.aclrtSetDevice(0)
        streams = [C.aclrtCreateStream()[0] for _ in range(2)]
        memory, _ = C.aclrtMalloc(64, 0)
        for stream in streams:
            C.aclrtMemsetAsync(memory, 64, stream & 7, 64, stream)
        C.aclrtSynchronizeDevice()

    explore(program, checks="none")
    assert len(seen) > 1
    assert set(seen) == {("kept", None)}
    assert (os.environ["MINE"], os.environ.get("ASCEND_TEST_SET"), os.getenv("MINE")) == ("kept", None, "kept")
