"""torch_npu as it is, on the simulator: the libraries that it links to, ready before ``import torch``.

``ascend-sim run``, ``explore``, ``replay`` and the pytest plugin do it by themselves; a notebook calls `install` first:

    import ascend_sim.torch
    ascend_sim.torch.install(devices=2)
    import torch                      # brings torch_npu along: torch.ones(3, device="npu")
"""

from __future__ import annotations

import sys
from typing import Any

from ascend_sim import pyacl
from ascend_sim.simulator import Simulator
from ascend_sim.torch.gate import open_gate

__all__ = ["install"]


def install(**options: Any) -> Simulator:
    """Let ``import torch`` find simulated devices in this process. Calling it again returns the same simulator.

    *options* are those of Simulator. Raises RuntimeError when torch_npu was imported before, ImportError (with what to
    do) when it cannot run here: it is not installed, belongs to another torch, or there is no C compiler.
    """
    if "torch_npu" not in sys.modules:
        if "torch" in sys.modules:
            raise RuntimeError("ascend_sim.torch.install() comes before `import torch`: restart, and call it first")
        open_gate()
    sim: Simulator = pyacl.install(**options)
    return sim
