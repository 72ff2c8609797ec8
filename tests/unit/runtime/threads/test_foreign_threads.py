"""Threads that no group knows: those of tools keep no hang from being reported, those of the program still count."""

from __future__ import annotations

import contextlib
import gc
import socket
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import CodeType, SimpleNamespace
from typing import Any

import pytest

from ascend_sim.errors import SimulatedHang
from ascend_sim.runtime.scheduler import Signal
from ascend_sim.runtime.threads import foreign_threads, wait_graph
from ascend_sim.runtime.threads.blocked_threads import thread_state
from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.runtime.threads.foreign_threads import ForeignThreads
from ascend_sim.runtime.threads.free import FreeThreads
from ascend_sim.runtime.threads.host_threads import HostThreads
from tests.unit.runtime.threads.fake_device import Stream, World

GROUPS: Any = pytest.mark.parametrize("make_group", [DeterministicThreads, FreeThreads], ids=["deterministic", "free"])

CHANNEL = """
def channel(read, ready):
    ready.set()
    while read(1):
        pass
"""
DEBUGGER = """
def debugger(over_wait, ready):
    ready.set()
    while not over_wait(0.02):
        pass
"""


def of_a_tool(source: str, name: str) -> Callable[..., Any]:
    """A function as a tool has it: from a file of installed code."""
    code: CodeType = compile(source, "/opt/lib/site-packages/tool/channel.py", "exec")
    names: dict[str, Any] = {}
    exec(code, names)
    function: Callable[..., Any] = names[name]
    return function


@contextlib.contextmanager
def beside(
    function: Callable[..., Any], read: Callable[..., Any], end: Callable[[], Any]
) -> Iterator[threading.Thread]:
    """A daemon thread that runs *function* while the block goes on, started before any group is made."""
    ready = threading.Event()
    thread = threading.Thread(target=function, args=(read, ready), daemon=True)
    thread.start()
    ready.wait()
    try:
        yield thread
    finally:
        end()
        thread.join()


def until_asleep(thread: threading.Thread) -> None:
    """Until the kernel shows that *thread* waits for something but the interpreter's lock."""
    before: tuple[str, int] = "", 0
    while True:
        time.sleep(0.01)
        now = thread_state(thread.native_id or 0)
        if now == before and now[0] in "S?":
            return
        before = now


def waits_in_vain(group: HostThreads) -> World:
    world = World(group)
    with pytest.raises(SimulatedHang, match="stream 1 to finish"):
        world.sync(Signal(), Stream(1))
    return world


@GROUPS
def test_a_tool_that_reads_from_a_socket_keeps_no_hang_from_being_reported(make_group: Callable[[], Any]) -> None:
    ours, its = socket.socketpair()
    with (
        ours, its,
        beside(of_a_tool(CHANNEL, "channel"), its.recv, lambda: ours.shutdown(socket.SHUT_RDWR)),
    ):  # fmt: skip
        waits_in_vain(make_group())


@pytest.mark.skipif(thread_state(threading.get_native_id())[0] == "?", reason="the kernel does not say who sleeps")
@GROUPS
def test_one_that_has_done_nothing_since_then_counts_at_once(make_group: Callable[[], Any]) -> None:
    ours, its = socket.socketpair()
    tool = of_a_tool(CHANNEL, "channel")
    with ours, its, beside(tool, its.recv, lambda: ours.shutdown(socket.SHUT_RDWR)) as thread:
        until_asleep(thread)
        world = World(make_group())
        found: list[Any] = []
        world.group.on_deadlock = lambda threads, lines: found.append(lines)
        assert not world.sync(Signal(), Stream(3), timeout_ns=7_000)  # the real pace would let it pass without a word
        assert len(found) == 1


@GROUPS
def test_a_debugger_that_looks_now_and_then_keeps_no_hang_from_being_reported(make_group: Callable[[], Any]) -> None:
    over = threading.Event()
    with beside(of_a_tool(DEBUGGER, "debugger"), over.wait, over.set):
        waits_in_vain(make_group())


@GROUPS
def test_a_daemon_of_the_program_that_sleeps_keeps_no_hang_from_being_reported(make_group: Callable[[], Any]) -> None:
    over = threading.Event()

    def sleeper(read: Callable[[], Any], ready: threading.Event) -> None:
        ready.set()
        read()

    with beside(sleeper, over.wait, over.set):
        waits_in_vain(make_group())


@GROUPS
def test_an_idle_pool_of_the_program_keeps_no_hang_from_being_reported(make_group: Callable[[], Any]) -> None:
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(str, range(4)))
        waits_in_vain(make_group())


@pytest.mark.parametrize("of", ["a thread", "a pool", "a tool"])
def test_a_thread_that_computes_for_long_and_calls_then_ends_the_wait(of: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is older than the group, and gives the interpreter's lock away at one place of its loop only."""
    computes = "def compute(read, ready):\n    ready.set()\n    while clock() < end: pass\n    read()\n"
    monkeypatch.setattr(foreign_threads, "STANDING_NS", 500_000_000)
    begun, calls = threading.Event(), threading.Event()
    worlds: list[World] = []
    done = Signal()

    def call() -> None:
        calls.wait()
        worlds[0].sync(worlds[0].submit(Stream(1), 10))
        world = worlds[0]
        t = world.enter()
        world.scheduler.complete(done, t.clock)
        world.leave(t)

    compute = of_a_tool(computes, "compute")
    if of != "a tool":
        names: dict[str, Any] = {}
        exec(compile(computes, "program.py", "exec"), names)
        compute = names["compute"]
    compute.__globals__.update(clock=time.thread_time, end=0.75)  # seconds of its own: however slow the machine is
    with ThreadPoolExecutor(1) as pool:
        thread = threading.Thread(target=compute, args=(call, begun), daemon=True)
        if of == "a pool":
            pool.submit(compute, call, begun)
        else:
            thread.start()
        begun.wait()
        worlds.append(World(FreeThreads()))
        calls.set()
        assert worlds[0].sync(done, Stream(2))
        if of != "a pool":
            thread.join()


def everything_stands(monkeypatch: pytest.MonkeyPatch, look: Callable[[], bool]) -> bool:
    """Whether *look* finds that nobody acts, once a thread counts as standing in the second look."""
    monkeypatch.setattr(foreign_threads, "STANDING_NS", 0)
    look()
    return not look()


@GROUPS
def test_a_message_for_the_test_runner_decides_nothing(
    make_group: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """pytest-xdist tells its worker the next tests at any time; a finding must not depend on when that comes."""
    monkeypatch.setattr(foreign_threads, "STANDING_NS", 1 << 62)
    source = "def channel(wait, ready):\n    ready.set()\n    while not wait(0.0001): pass\n"
    names: dict[str, Any] = {}
    exec(compile(source, "/opt/lib/site-packages/execnet/gateway_base.py", "exec"), names)
    over = threading.Event()
    with beside(names["channel"], over.wait, over.set):
        world = World(make_group())
        found: list[Any] = []
        world.group.on_deadlock = lambda threads, lines: found.append(lines)
        assert not world.sync(Signal(), Stream(3), timeout_ns=7_000)
        waits_in_vain(world.group)
        assert len(found) == 2


@pytest.mark.parametrize("state", ["R", "D", "S"])
def test_a_thread_that_gets_no_processor_does_not_stand_still(state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()
    with beside(lambda read, ready: (ready.set(), read()), over.wait, over.set):
        threads = ForeignThreads()
        monkeypatch.setattr(foreign_threads, "thread_state", lambda native: (state, 0))
        me = {threading.get_ident()}
        assert everything_stands(monkeypatch, lambda: threads.act(me)) is (state == "S")


def test_a_long_stop_of_the_process_is_no_standing_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two looks the machine slept, or the process was stopped: nobody could have done anything."""
    over = threading.Event()
    with beside(lambda read, ready: (ready.set(), read()), over.wait, over.set) as thread:
        until_asleep(thread)
        now = [0]
        monkeypatch.setattr(foreign_threads, "_real_ns", lambda: now[0])
        threads, me = ForeignThreads(), {threading.get_ident()}
        answers = []
        for now[0] in (0, 3600 * 10**9, 3601 * 10**9, 3602 * 10**9, 3603 * 10**9, 3604 * 10**9):
            answers.append(threads.act(me))
        assert answers == [True, True, True, True, False, False]


def test_a_thread_that_starts_another_does_not_stand_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """The new one has no frame before it gets a processor; whoever waits for its first call is no deadlock."""
    late = threading.Thread(target=str)
    starter = threading.Thread(target=late.start, daemon=True)
    real, threads = threading._start_new_thread, ForeignThreads()  # type: ignore[attr-defined]
    begins: list[Any] = []

    def start(function: Any, given: tuple[Any, ...]) -> int:
        if begins:  # the machine has no time for this one yet
            begins.append((function, given))
            return 0
        begins.append(None)
        return real(function, given)  # type: ignore[no-any-return]

    monkeypatch.setattr(threading, "_start_new_thread", start)
    starter.start()
    while len(begins) < 2:
        time.sleep(0.001)
    until_asleep(starter)
    me = {threading.get_ident()}
    assert not everything_stands(monkeypatch, lambda: threads.act(me))
    real(*begins[1])
    starter.join()
    late.join()


def test_no_look_at_the_threads_keeps_what_the_program_has() -> None:
    """A variable with the frame of its own function is a circle, and the frames of all callers hang on it."""
    looks: list[Callable[[], object]] = [
        ForeignThreads,
        lambda: ForeignThreads().act(()),
        lambda: wait_graph.where(this),
        lambda: wait_graph.library_call(threading.get_ident()),
    ]
    this: Any = SimpleNamespace(os_ident=threading.get_ident())

    def program(look: Callable[[], object]) -> weakref.ref[Thing]:
        thing = Thing()
        look()
        return weakref.ref(thing)

    gc.disable()
    try:
        kept = [program(look)() is not None for look in looks]
    finally:
        gc.enable()
    assert kept == [False] * len(looks)


class Thing:
    """What a program has."""
