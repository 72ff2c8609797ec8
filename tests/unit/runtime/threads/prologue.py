"""What `ascend-sim run` does before the program: the patches, and a simulator. For test_processes.py."""

from __future__ import annotations

from typing import Any

from fake_device import World

from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.runtime.threads.patches.install import install_patches
from ascend_sim.source.callsite import resolve

group = DeterministicThreads()
notes: list[tuple[str, str, list[int]]] = []
deadlocks: list[Any] = []
group.on_note = lambda kind, text, stands: notes.append((kind, text, [resolve(*p[0]).line for _, p in stands]))
group.on_deadlock = lambda threads, lines: deadlocks.append(([t.number for t in threads], lines))
install_patches(group)
world = World(group)
world.thread()
