"""Threads that the operating system does not give, or that end before they have begun: nobody waits for them."""

from __future__ import annotations

import _thread
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.runtime.threads import blocked_threads, start
from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.runtime.threads.os_thread import OSThread
from ascend_sim.runtime.threads.patches.install import install_patches, uninstall_patches


@pytest.fixture
def group(monkeypatch: pytest.MonkeyPatch) -> Iterator[DeterministicThreads]:
    monkeypatch.setattr("sys.unraisablehook", lambda told: None)
    with Simulator(threads="deterministic") as sim:
        threads: Any = sim.threads
        install_patches(threads)
        try:
            assert C.aclInit(None) == C.aclrtSetDevice(0) == 0
            yield threads
            assert len(threads.os_threads) == 1 and not threads.multi
            done: list[int] = []
            after = threading.Thread(target=lambda: done.append(C.aclrtSetDevice(0)))
            after.start()
            after.join()
            assert done == [0]  # the next one is as ever
        finally:
            uninstall_patches()


def refused(*_: Any, **__: Any) -> Any:
    raise RuntimeError("can't start new thread")


def without_memory(*_: Any) -> Any:
    raise MemoryError


def once(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> None:
    """*name* of *owner* finds no memory the first time."""
    real = getattr(owner, name)

    def fails(*given: Any) -> Any:
        monkeypatch.setattr(owner, name, real)
        raise MemoryError

    monkeypatch.setattr(owner, name, fails)


class Stillborn(threading.Thread):
    """Finds no memory before it has said that it has started."""

    def _set_ident(self) -> None:
        raise MemoryError


def test_a_thread_object_whose_thread_ends_before_it_has_begun(group: DeterministicThreads) -> None:
    thread = Stillborn(target=lambda: None)
    with pytest.raises(RuntimeError, match="before it had begun"):
        thread.start()
    with pytest.raises(RuntimeError, match="before it is started"):
        thread.join()
    assert not thread.is_alive() and thread not in threading.enumerate()


@pytest.mark.parametrize(("owner", "name"), [(OSThread, "begin"), (start._Carrier, "__call__")])
def test_a_thread_object_whose_thread_never_comes_to_the_library(
    group: DeterministicThreads, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str
) -> None:
    once(monkeypatch, owner, name)
    with pytest.raises(RuntimeError, match="before it had begun"):
        threading.Thread(target=lambda: None).start()


@pytest.mark.parametrize("where", ["in our code", "before it"])
def test_a_plain_thread_that_ends_before_it_has_begun(
    group: DeterministicThreads, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    ran: list[int] = []
    with monkeypatch.context() as patch:
        patch.setattr(*((OSThread, "begin") if where == "in our code" else (start._Carrier, "__call__")), without_memory)
        _thread.start_new_thread(ran.append, (1,))
        while len(group.os_threads) > 1:
            C.aclrtGetDevice()
    assert not ran


def test_a_thread_that_the_system_does_not_give(group: DeterministicThreads, monkeypatch: pytest.MonkeyPatch) -> None:
    parent = group.adopt()
    thread = threading.Thread(target=lambda: None)
    with pytest.raises(RuntimeError, match="can't start"):
        start.start_thread(group, parent, thread, refused)
    assert "_ascend_sim_os_thread" not in vars(thread)
    with monkeypatch.context() as patch:
        patch.setattr(start, "real_start", refused)
        with pytest.raises(RuntimeError, match="can't start"):
            _thread.start_new_thread(print, ())


def test_no_thread_for_the_monitor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who starts a second thread hears of it; one that came by itself goes on without."""
    with Simulator(threads="deterministic") as sim:
        threads: Any = sim.threads
        assert C.aclInit(None) == C.aclrtSetDevice(0) == 0
        with monkeypatch.context() as patch:
            patch.setattr(blocked_threads, "start_new_thread", refused)
            with pytest.raises(RuntimeError, match="can't start"):
                threads.new_child(threads.adopt(), "", False)
            assert len(threads.os_threads) == 1 and not threads.multi
            codes: list[int] = []
            thread = threading.Thread(target=lambda: codes.append(C.aclrtSetDevice(0)))
            thread.start()
            while not codes:
                C.aclrtGetRunMode()
            thread.join()
        assert codes == [0]


@pytest.mark.parametrize("threads", ["deterministic", "free"])
def test_a_call_that_needs_a_thread_of_the_runtime(monkeypatch: pytest.MonkeyPatch, threads: str) -> None:
    """It answers with a code, and the next one may get its thread."""
    with Simulator(threads=threads):
        assert C.aclInit(None) == C.aclrtSetDevice(0) == 0
        stream, _ = C.aclrtCreateStream()
        ran: list[int] = []
        with monkeypatch.context() as patch:
            patch.setattr(start, "real_start", refused)
            if threads == "free":
                patch.setattr(threading.Thread, "start", refused)
            assert C.aclrtLaunchHostFunc(stream, ran.append, 1) == 507000
            assert "no thread" in C.aclGetRecentErrMsg()
        assert C.aclrtLaunchHostFunc(stream, ran.append, 2) == C.aclrtSynchronizeStream(stream) == 0
        assert ran == [2]


def test_a_thread_of_the_runtime_that_finds_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """With free threads: its starter waits until it has begun."""
    with Simulator(threads="free") as sim:
        assert C.aclInit(None) == C.aclrtSetDevice(0) == 0
        stream, _ = C.aclrtCreateStream()
        with monkeypatch.context() as patch:
            patch.setattr(threading, "excepthook", lambda told: None)
            patch.setattr(sim.threads, "factory", without_memory)
            assert C.aclrtLaunchHostFunc(stream, lambda _: None, None) == 507000
