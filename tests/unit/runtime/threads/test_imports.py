"""Importing a module takes locks, and no virtual time: a run must not depend on what was imported before it."""

from __future__ import annotations

import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.runtime.threads.patches.install import install_patches, uninstall_patches


def clocks(name: str) -> list[int]:
    """The virtual clocks of two threads, which import the module *name*, at their ends."""
    ends: list[int] = []
    sim = Simulator(threads="deterministic")
    assert isinstance(sim.threads, DeterministicThreads)
    install_patches(sim.threads)

    def work() -> None:
        C.aclrtSetDevice(0)
        __import__(name)
        C.aclrtGetDevice()
        ends.append(time.monotonic_ns())

    try:
        with sim:
            C.aclrtSetDevice(0)
            threads = [threading.Thread(target=work) for _ in range(2)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            ends.append(time.monotonic_ns())
    finally:
        uninstall_patches()
    return ends


def test_an_import_takes_no_virtual_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "imported_late.py").write_text(textwrap.dedent("""\
        import imported_later
    """))
    (tmp_path / "imported_later.py").write_text("value = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    first = clocks("imported_late")
    assert "imported_later" in sys.modules
    assert clocks("imported_late") == first
    for name in ("imported_late", "imported_later"):
        del sys.modules[name]
    assert clocks("imported_late") == first
