"""Which torch and torch_npu are installed, and whether they belong together."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

__all__ = ["is_installed", "mismatch"]


def is_installed() -> bool:
    """Whether there is a torch_npu that could be imported. Imports nothing."""
    try:
        return find_spec("torch_npu") is not None
    except ValueError:  # somebody has put a stand-in without a spec into sys.modules
        return False


def mismatch() -> str:
    """What keeps the two from running together, for the user; empty when nothing does."""
    npu, torch = _version("torch_npu"), _version("torch")
    if not npu:
        return "torch_npu is not installed: pip install torch_npu, of the version of your torch"
    if not torch:
        return f"torch is not installed, and torch_npu {npu} needs it: pip install torch=={_release(npu)}"
    if _release(npu) != _release(torch):
        return (
            f"torch_npu {npu} was built for torch {_release(npu)}, but torch {torch} is installed: "
            f"pip install torch=={_release(npu)}, or the torch_npu of {_release(torch)}"
        )
    return ""


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _release(text: str) -> str:
    """``2.1.0`` of ``2.1.0+cpu`` and of ``2.1.0.post12``."""
    found = re.match(r"\d+(\.\d+){0,2}", text)
    return found[0] if found else text
