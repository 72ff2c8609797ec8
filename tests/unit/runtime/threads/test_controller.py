"""The controller of a group: the base class changes nothing, and it is told what threads share."""

from __future__ import annotations

import threading
from inspect import getmembers, isfunction, signature
from queue import SimpleQueue
from typing import Any

import pytest

from ascend_sim.explore.control.host_transitions import HostTransitions
from ascend_sim.runtime.threads.controller import Controller
from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.runtime.threads.patches.install import install_patches, uninstall_patches
from tests.unit.runtime.threads.fake_device import Stream, World

HOOKS = [name for name, _ in getmembers(Controller, isfunction)]


class Recorder(Controller):
    """Writes down the names of what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def watches(self) -> bool:
        return True

    def __getattribute__(self, name: str) -> Any:
        if name in HOOKS and name != "watches":
            self.told.append(name)
        return super().__getattribute__(name)


def program(world: World) -> None:
    """Two threads that share a lock, an event, a queue and a stream."""
    import queue  # the patched one

    stream, lock, ready = Stream(1), threading.Lock(), threading.Event()
    items: SimpleQueue[int] = queue.SimpleQueue()

    def work() -> None:
        ready.wait()
        for i in range(50):
            with lock:
                world.sync(world.submit(stream, 100 * i))
            items.put(i)

    thread = threading.Thread(target=work)
    thread.start()
    ready.set()
    for _ in range(50):
        with lock:
            task = world.submit(stream, 300)
        world.sync(task)
        world.note(items.get())
    while thread.is_alive():
        world.note("alive")
    thread.join()


def trace(controller: Controller | None) -> list[Any]:
    group = DeterministicThreads()
    install_patches(group)
    try:
        group.controller = controller
        world = World(group)
        program(world)
        group.controller = None
        group.close(world)
        return world.trace
    finally:
        uninstall_patches()


def test_a_controller_that_overrides_nothing_changes_nothing() -> None:
    assert trace(Controller()) == trace(None)


def test_it_is_told_what_threads_share() -> None:
    recorder = Recorder()
    trace(recorder)
    assert {
        "thread_started", "thread_ended", "thread_joined", "thread_woken", "before_wait", "before_is_alive",
        "object_made", "before_acquire", "lock_released", "before_put", "before_get", "before_operation",
    } <= set(recorder.told)  # fmt: skip


@pytest.mark.parametrize("name", [name for name in HOOKS if name != "watches"])
def test_the_explorer_takes_every_hook_as_it_is_declared(name: str) -> None:
    own, base = getattr(HostTransitions, name), getattr(Controller, name)
    assert own is not base, "not overridden: renamed on one side only?"
    assert list(signature(own).parameters) == list(signature(base).parameters)
