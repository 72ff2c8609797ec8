"""Threads in a fresh process whose program imports no numpy: the engine must not import it in the middle of a lock."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.forks import HANG, ROOT

PLAIN = """\
import threading
import acl

def work():
    acl.rt.set_device(0)
    print("works")

acl.init()
thread = threading.Thread(target=work)
thread.start()
thread.join()
"""
LATE = """\
import threading

go = threading.Event()

def work():
    go.wait()
    import acl
    acl.rt.set_device(0)
    import colorsys  # takes and gives back locks of imports
    print("works")

thread = threading.Thread(target=work)
thread.start()
import acl
acl.init()
acl.rt.set_device(0)
go.set()
thread.join()
"""


@pytest.mark.parametrize("program", [PLAIN, LATE], ids=["started after the first call", "started before it"])
def test_a_program_without_numpy_starts_threads(program: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(program)
    command = [sys.executable, "-m", "ascend_sim", "run", str(tmp_path / "mine.py")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HANG, check=False)
    assert (done.stdout, done.returncode) == ("works\n", 0), done.stderr
