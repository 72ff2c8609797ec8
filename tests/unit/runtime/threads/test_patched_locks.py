"""The patched locks and queues look and fail like the real ones."""

from __future__ import annotations

import pickle
import queue
import threading
from _thread import RLock as RealRLock
from _thread import allocate_lock as real_lock
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.runtime.threads.patches.install import install_patches, uninstall_patches


@pytest.fixture
def group() -> Iterator[DeterministicThreads]:
    group = DeterministicThreads()
    install_patches(group)
    yield group
    uninstall_patches()


def outcome(call: Callable[[], Any]) -> Any:
    """What a call returns, or the error that it raises."""
    try:
        return call()
    except (ValueError, RuntimeError, OverflowError, TypeError) as error:
        return type(error).__name__


USES: list[Callable[[Any], Any]] = [
    lambda lock: lock.acquire(),
    lambda lock: lock.acquire(False),
    lambda lock: lock.acquire(blocking=False),
    lambda lock: lock.acquire(True, 0.01),
    lambda lock: lock.acquire(timeout=0),
    lambda lock: lock.acquire(False, 1),
    lambda lock: lock.acquire(True, -2),
    lambda lock: lock.acquire(timeout=1e30),
    lambda lock: lock.release(),
    lambda lock: (lock.acquire(), lock.acquire(False), lock.release()),
    lambda lock: (lock.acquire(), lock.acquire(timeout=0.01)),
    lambda lock: (lock.acquire(), lock.release(), lock.release()),
    lambda lock: lock.__enter__() and lock.__exit__(None, None, None),
    pickle.dumps,
]


@pytest.mark.parametrize("use", range(len(USES)))
@pytest.mark.parametrize("kind", ["Lock", "RLock"])
def test_each_use_ends_as_with_a_real_lock(group: DeterministicThreads, kind: str, use: int) -> None:
    real = real_lock() if kind == "Lock" else RealRLock()
    made = getattr(threading, kind)()
    assert type(made) is not type(real)
    assert outcome(lambda: USES[use](made)) == outcome(lambda: USES[use](real))


def test_they_show_themselves_as_real_ones(group: DeterministicThreads) -> None:
    lock, rlock = threading.Lock(), threading.RLock()
    assert repr(lock).startswith("<unlocked _thread.lock object at 0x")
    with lock:
        assert repr(lock).startswith("<locked _thread.lock object at 0x")
        assert lock.locked()
    assert repr(rlock).startswith("<unlocked _thread.RLock object owner=0 count=0 at 0x")
    assert (type(lock).__name__, type(lock).__module__) == ("lock", "_thread")


def test_a_waiting_time_out_takes_virtual_time_only(group: DeterministicThreads) -> None:
    lock = threading.Lock()
    lock.acquire()
    r = group.adopt()
    before = r.host.clock
    assert not lock.acquire(timeout=3600)
    assert r.host.clock - before == 3600 * 10**9


def test_simple_queue_has_the_errors_of_the_real_one(group: DeterministicThreads) -> None:
    items: Any = queue.SimpleQueue()
    assert items.empty()
    for call in (items.get_nowait, lambda: items.get(False), lambda: items.get(timeout=0.5)):
        with pytest.raises(queue.Empty):
            call()
    with pytest.raises(ValueError, match="non-negative"):
        items.get(timeout=-1)
    items.put(1)
    items.put_nowait(2)
    assert items.qsize() == 2
    assert [items.get(), items.get(timeout=1)] == [1, 2]


def test_uninstalled_locks_go_on_as_real_ones() -> None:
    group = DeterministicThreads()
    install_patches(group)
    lock, items = threading.Lock(), queue.SimpleQueue[int]()
    uninstall_patches()
    assert type(threading.Lock()) is type(real_lock())
    results = []

    def use() -> None:
        with lock:
            results.append(items.get())

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for i in range(4):
        items.put(i)
    for thread in threads:
        thread.join()
    assert sorted(results) == [0, 1, 2, 3]


def test_only_one_group_can_be_installed(group: DeterministicThreads) -> None:
    install_patches(group)  # again: nothing happens
    with pytest.raises(RuntimeError, match="another deterministic group"):
        install_patches(DeterministicThreads())


def test_happens_before_edges_of_starts_joins_locks_and_queues(group: DeterministicThreads) -> None:
    edges: list[Any] = []
    released = iter(range(10**6))
    group.on_release = lambda t: (t.number, next(released))
    group.on_edge = lambda kind, a, b, known: edges.append((kind, a.number, b.number, known and known[0]))
    lock, items = threading.Lock(), queue.SimpleQueue[int]()

    def work() -> None:
        with lock:
            items.put(1)

    thread = threading.Thread(target=work)
    thread.start()
    items.get()
    thread.join()
    with lock:  # alone again: what the thread did with the lock is still known
        pass
    ours = {("start", 0, 1, None), ("queue", 1, 0, 1), ("lock", 1, 0, 1), ("join", 1, 0, None)}
    own = [edge for edge in edges if edge in ours]
    assert [edge[0] for edge in own if edge[0] != "lock"] == ["start", "queue", "join"]
    assert own[-1] == ("lock", 1, 0, 1)
