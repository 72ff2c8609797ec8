"""A run in which nothing was called says so: it has checked nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SEEN = "no call of the API was seen"
PROGRAMS = {
    "empty": ("", True),
    "imports only": ("import acl\nprint('done')", True),
    "a process without the environment": (
        "import subprocess, sys\nsubprocess.check_call([sys.executable, '-I', '-c', 'pass'])", True,
    ),
    "pyACL": ("import acl\nacl.init()", False),
    "C names": ("from ascend_sim import ascendcl as C\nC.aclrtGetDeviceCount()", False),
    "a thread": (
        "import acl, threading\nt = threading.Thread(target=acl.rt.set_device, args=(0,))\nt.start(), t.join()", False,
    ),
    "a child": ("import subprocess, sys\nsubprocess.check_call([sys.executable, '-c', 'import acl; acl.init()'])", False),
    "a fork": (
        "import acl, os\npid = os.fork()\nif not pid:\n    acl.init()\n    os._exit(0)\nos.waitpid(pid, 0)", False,
    ),
    "a simulator of its own": (
        "from ascend_sim import Simulator, ascendcl as C\nwith Simulator():\n    C.aclrtSetDevice(0)", False,
    ),
    "it failed itself": ("raise SystemExit(3)", False),
}  # fmt: skip


def run(folder: Path, text: str, *options: str) -> subprocess.CompletedProcess[str]:
    """A process of its own: what others have called is loaded in those of the kit."""
    (folder / "prog.py").write_text(text)
    command = [sys.executable, "-m", "ascend_sim", "run", *options, "prog.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_run_without_a_call_says_so(name: str, tmp_path: Path) -> None:
    text, silent = PROGRAMS[name]
    done = run(tmp_path, text)
    assert (SEEN in done.stderr) is silent, done.stderr
    assert done.returncode == (3 if "SystemExit" in text else 0)


def test_not_where_a_tool_reads_it(tmp_path: Path) -> None:
    assert SEEN not in run(tmp_path, "", "--format", "json").stderr
