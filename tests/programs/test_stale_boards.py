"""Boards of runs that were killed: they are removed, and whether there are any changes nothing in the run that does it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

MEMORY = Path("/dev/shm")
PROGRAM = """\
import acl

acl.rt.set_device(0)
stream, ret = acl.rt.create_stream()
event, ret = acl.rt.create_event_with_flag(1)
acl.rt.stream_wait_event(stream, event)
acl.rt.synchronize_stream(stream)
"""


@pytest.mark.skipif(not os.access(MEMORY, os.W_OK), reason="boards lie elsewhere here")
def test_virtual_time_does_not_depend_on_what_others_left(ascend_sim: Any, tmp_path: Path) -> None:
    (tmp_path / "waits.py").write_text(PROGRAM, encoding="utf-8")
    ascend_sim("run", "waits.py", folder=tmp_path)  # what was here before is gone now
    before = ascend_sim("run", "waits.py", folder=tmp_path)
    old = MEMORY / f"ascend-sim-4194303-{os.urandom(4).hex()}"
    old.mkdir(mode=0o700)
    os.utime(old, (1e9, 1e9))
    after = ascend_sim("run", "waits.py", folder=tmp_path)
    assert "error[deadlock]" in before.stderr and "at virtual time" in before.stderr
    assert after.stderr == before.stderr
    assert not old.exists()
