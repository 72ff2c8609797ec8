"""Python functions as the callbacks of an allocator: as documented, or as the published binding hands them on.

The published binding keeps one function a kind for the whole process, drops what alloc, alloc-advise and get-address
return (C sees NULL) and so can serve no execution (``spec/pyacl/usage.md`` 5). The switch ``pyacl_allocator`` chooses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ascend_sim import simulator

__all__ = ["callback"]

_SLOTS: dict[str, Callable[..., Any]] = {}
"""A static variable of the real module, and so one a process."""


def _trampoline(kind: str) -> Callable[..., None]:
    def call(*arguments: Any) -> None:
        _SLOTS[kind](*arguments)

    call.__name__ = f"pyacl_{kind}"
    return call


_TRAMPOLINES = {kind: _trampoline(kind) for kind in ("alloc", "free", "advise", "get_address")}


def callback(kind: str, function: Any) -> Any:
    """What C is given for the Python *function* of this kind."""
    sim = simulator.current()
    if sim is None or sim.profile.switches["pyacl_allocator"] != "published" or not callable(function):
        return function
    _SLOTS[kind] = function
    return _TRAMPOLINES[kind]
