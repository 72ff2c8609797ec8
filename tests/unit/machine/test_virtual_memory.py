"""Ranges of addresses, below the calls that reserve them."""

from __future__ import annotations

import gc
from types import SimpleNamespace
from typing import Any

import pytest

from ascend_sim.machine.virtual_memory import HIGH, LOW, VirtualMemory

MOST = (HIGH - LOW) * 7 // 8


def space() -> VirtualMemory:
    """That of a simulated process which has made nothing else."""
    memory: Any = SimpleNamespace(made=0)
    return VirtualMemory(memory)


@pytest.mark.skipif(not VirtualMemory.supported(), reason="the system cannot show one page at two addresses")
def test_a_range_in_garbage_is_free() -> None:
    """A simulator that nobody closed lies in a cycle, and no collection has come by: its addresses are true ones."""
    threshold = gc.get_threshold()
    gc.collect()
    gc.set_threshold(0)
    try:
        left = space()
        left.reserve(MOST, 0, (), 0)
        cycle: list[Any] = [left]
        cycle.append(cycle)
        del left, cycle
        assert space().reserve(MOST, 0, (), 0).address >= LOW
    finally:
        gc.set_threshold(*threshold)
