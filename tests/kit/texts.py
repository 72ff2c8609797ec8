"""Programs that are texts: run in process, with their lines where reports look for them."""

from __future__ import annotations

import linecache
from typing import Any

from ascend_sim import Simulator, ascendcl
from ascend_sim.findings.finding import Finding
from ascend_sim.pyacl import modules
from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.runtime.threads.patches.install import install_patches, uninstall_patches

__all__ = ["findings_of"]


def findings_of(name: str, text: str, also: list[Finding] | None = None, **options: Any) -> list[Finding]:
    """The findings of a program *text*, which has `acl` and `C` and uses device 0; its file is ``/virtual/NAME.py``.

    *also* gets them, too, if the program fails.
    """
    file = f"/virtual/{name}.py"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    sim = Simulator(**{"checks": "memory,races,rules", "threads": "deterministic", **options})
    threads = sim.threads
    patched = isinstance(threads, DeterministicThreads) and DeterministicThreads.installed is None
    if patched:
        install_patches(threads)
    try:
        with sim:
            ascendcl.aclInit(None)
            ascendcl.aclrtSetDevice(0)
            exec(compile(text, file, "exec"), {"acl": modules()["acl"], "C": ascendcl, "__name__": "__main__"})
            ascendcl.aclrtSynchronizeDevice()
    finally:
        if patched:
            uninstall_patches()
        if also is not None:
            also += sim.findings
    return list(sim.findings)
