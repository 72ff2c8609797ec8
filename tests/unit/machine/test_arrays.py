"""When numpy is imported: for a program in C with its second thread at the latest, and not before it is needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys, threading
from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.runtime.threads.patches.install import install_patches, uninstall_patches

print("numpy" in sys.modules)
install_patches(DeterministicThreads(), {in_python})
print("numpy" in sys.modules)
thread = threading.Thread(target=lambda: print("numpy" in sys.modules))
thread.start()
thread.join()
uninstall_patches()
"""


@pytest.mark.parametrize("in_python", [True, False])
def test_it_is_there_before_the_second_thread(in_python: bool) -> None:
    """An import in the middle of a lock's release took that lock again, and the program stood still."""
    text = PROGRAM.format(in_python=in_python)
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["False", str(in_python), "True"], done.stderr
