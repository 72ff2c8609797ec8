"""ascend_sim: an in-process simulator of the Ascend NPU runtime (CANN / AscendCL).

>>> from ascend_sim import Simulator, ascendcl as C
>>> with Simulator(devices=2):
...     C.aclrtSetDevice(1), C.aclrtGetDevice()
(0, (1, 0))

PYTEST_DONT_REWRITE: pytest rewrites the assertions of what comes with a plugin (``ascend_sim_pytest``), and complains
when that is imported already, as under ``ascend-sim run -m pytest``.
"""

from __future__ import annotations

import sys

if sys.argv[:1] == ["-m"] and "-m ascend_sim" in " ".join(sys.orig_argv) and not getattr(sys.flags, "safe_path", False):
    # `python -m ascend_sim`: nothing of the working directory is a module of the tool's
    sys.path[0] = __file__.rpartition("ascend_sim")[0] or sys.path[0]

import importlib
from typing import TYPE_CHECKING, Any

from ascend_sim._version import __version__

if TYPE_CHECKING:
    from ascend_sim.errors import AclError, SimulatedHang
    from ascend_sim.explore import explore
    from ascend_sim.findings.error import FindingError
    from ascend_sim.findings.finding import Finding
    from ascend_sim.kernels.language import gm
    from ascend_sim.kernels.language.block import Block, Blocks
    from ascend_sim.kernels.language.kernel import Kernel, kernel
    from ascend_sim.kernels.language.structs import Struct
    from ascend_sim.models.bodies import model_body
    from ascend_sim.notebook import load_ipython_extension, unload_ipython_extension
    from ascend_sim.observers.observer import Observer
    from ascend_sim.pyacl import install
    from ascend_sim.simulator import Simulator, current

__all__ = [
    "AclError", "Block", "Blocks", "Finding", "FindingError", "Kernel", "Observer", "SimulatedHang", "Simulator",
    "Struct", "__version__", "current", "explore", "gm", "install", "kernel", "load_ipython_extension", "model_body",
    "unload_ipython_extension",
]  # fmt: skip

_HOMES = {
    "AclError": "errors",
    "FindingError": "findings.error",
    "SimulatedHang": "errors",
    "Finding": "findings",
    "Observer": "observers.observer",
    "Block": "kernels.language.block",
    "Blocks": "kernels.language.block",
    "Kernel": "kernels.language.kernel",
    "kernel": "kernels.language.kernel",
    "Struct": "kernels.language.structs",
    "model_body": "models.bodies",
    "Simulator": "simulator",
    "current": "simulator",
    "install": "pyacl",
    "load_ipython_extension": "notebook",
    "unload_ipython_extension": "notebook",
}
_ROOMS = frozenset({"ascendcl", "constants", "explore", "pyacl", "machine", "observers", "runtime", "simulator"})


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(importlib.import_module(f"ascend_sim.{_HOMES[name]}"), name)
    elif name == "gm":
        value = importlib.import_module("ascend_sim.kernels.language.gm")
    elif name in _ROOMS:
        value = importlib.import_module(f"ascend_sim.{name}")
    else:
        raise AttributeError(f"module 'ascend_sim' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, *_ROOMS, "gm"})
