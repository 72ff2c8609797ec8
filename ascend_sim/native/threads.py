"""Threads, locks, sleeps and clocks of a native program in the deterministic group (`c/threads.c` asks).

What C calls a mutex is a lock of the group here, found by its address; condition variables, semaphores, read-write locks
and barriers are made of the same locks as in Python, so that order, deadlocks and happens-before edges are the same.
"""

from __future__ import annotations

import ctypes
import errno
import itertools
import re
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.runtime.threads.host_threads import HostThread
from ascend_sim.runtime.threads.os_thread import JoinWait, OSThread
from ascend_sim.runtime.threads.patches.locks import Lock
from ascend_sim.source.callsite import CallSite

__all__ = ["FOR_EVER", "ProgramThreads", "openmp_library", "order_threads"]

FOR_EVER, DO_NOT_WAIT = -1, -2
RECURSIVE, ERROR_CHECKING = 1, 2
SECOND = 1_000_000_000
SLICES = 100
SLICED = 300 * SECOND
"""A thread that waits for the same word so often, for so long (ns), and does nothing in between, waits for ever: libc++
looks every two seconds whether it was woken. Half of what makes such a program go with the real clock (`Pace`)."""


class Place(str):
    """The name of what lies at an address, for who compares runs. As text it has no address: that of the heap may differ
    between a run that is repeated elsewhere and the first."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "'an address'"


class Mark:
    """A condition variable as a controller is told of it: signals and waits keep their order."""

    __slots__ = ("label",)

    def __init__(self, address: int) -> None:
        self.label = Place(f"{address:#x}")


class Shared:
    """A read-write lock: many readers or one writer, in the order in which they come to the lock inside."""

    def __init__(self, address: int) -> None:
        self.change = threading.Condition(_lock_at(address))
        self.readers = 0
        self.written = False
        self.holders: list[OSThread] = []
        """The readers, or the writer."""

    def holding(self) -> list[HostThread]:
        """The host threads that have it."""
        return [holder.host for holder in dict.fromkeys(self.holders)]

    def take(self, write: bool, limit: int, caller: OSThread) -> int:
        """*caller* becomes a reader or the writer within *limit*. Returns 0, EBUSY or ETIMEDOUT."""
        with self.change:
            free = self.change.wait_for(lambda: not self.written and not (write and self.readers), _seconds(limit))
            if not free:
                return errno.EBUSY if limit == DO_NOT_WAIT else errno.ETIMEDOUT
            if write:
                self.written = True
            else:
                self.readers += 1
            self.holders.append(caller)
        return 0

    def let_go(self, caller: OSThread) -> None:
        """*caller*, a reader or the writer, goes."""
        with self.change:
            if caller in self.holders:
                self.holders.remove(caller)
            if self.written:
                self.written = False
            elif self.readers:
                self.readers -= 1
            self.change.notify_all()


class Barrier:
    """A barrier of *count* threads, again and again."""

    def __init__(self, address: int, count: int) -> None:
        self.change = threading.Condition(_lock_at(address))
        self.count = count
        self.here = 0
        self.round = 0

    def wait(self) -> bool:
        """Wait for the others; True for the one that came last."""
        with self.change:
            self.here += 1
            if self.here == self.count:
                self.here = 0
                self.round += 1
                self.change.notify_all()
                return True
            mine = self.round
            self.change.wait_for(lambda: self.round != mine)
            return False


class Semaphore:
    """A semaphore of one process."""

    def __init__(self, address: int, value: int) -> None:
        self.change = threading.Condition(_lock_at(address))
        self.value = value

    def take(self, limit: int) -> bool:
        """Count down within *limit*."""
        with self.change:
            if not self.change.wait_for(lambda: self.value > 0, _seconds(limit)):
                return False
            self.value -= 1
            return True

    def give(self) -> None:
        """Count up."""
        with self.change:
            self.value += 1
            self.change.notify()


class Word:
    """A word that threads wait at until another one has changed it: a futex. It is known while somebody waits."""

    def __init__(self, address: int) -> None:
        self.change = threading.Condition(_lock_at(address))
        self.value = ctypes.c_uint32.from_address(address)
        self.users = 0
        self.waiting = 0

    def wait(self, value: int, limit: int) -> int:
        """Wait while it is *value*, within *limit*. Returns 0, EAGAIN or ETIMEDOUT."""
        with self.change:
            if self.value.value != value:
                return errno.EAGAIN
            self.waiting += 1
            try:
                return 0 if self.change.wait(_seconds(limit)) else errno.ETIMEDOUT
            finally:
                self.waiting -= 1

    def wake(self, count: int) -> int:
        """Wake *count* of those that wait; how many that were."""
        with self.change:
            woken = min(count, self.waiting)
            self.change.notify(woken)
        return woken


def _lock_at(address: int, recursive: bool = False) -> Any:
    """A lock that is named by where it lies: who meets it first is different from run to run."""
    lock: Any = threading.RLock() if recursive else threading.Lock()
    inner = getattr(lock, "_lock", lock)
    if isinstance(inner, Lock):
        inner.label = Place(f"{address:#x}")
    return lock


def _may_be_shared(address: int) -> bool:
    """Whether what is mapped at *address* is seen by other processes, too."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        for line in maps:
            places, rights = line.split(None, 2)[:2]
            low, _, high = places.partition("-")
            if int(low, 16) <= address < int(high, 16):
                return rights.endswith("s")
    return True


def openmp_library() -> str:
    """The name of the OpenMP library that the process has loaded; empty: none.

    Its barriers and critical sections are atomics and system calls inside it, of which nobody hears here.
    """
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        found = re.search(r"/(lib(?:gomp|omp|iomp5)[-.][^/\n]*)$", maps.read(), re.MULTILINE)
    return found[1] if found is not None else ""


def _seconds(limit: int) -> float | None:
    return None if limit == FOR_EVER else 0 if limit == DO_NOT_WAIT else limit / SECOND


class ProgramThreads:
    """The threads and locks of the program, by the numbers and addresses that C knows."""

    c_names: ClassVar[Mapping[str, str]] = {
        "wait": "pthread_cond_wait", "semaphore_take": "sem_wait", "barrier_wait": "pthread_barrier_wait",
        "read_lock": "pthread_rwlock_rdlock", "write_lock": "pthread_rwlock_wrlock", "once_lock": "pthread_once",
        "word_wait": "a wait of C++ (an atomic, a latch, a semaphore, a future)",
    }  # fmt: skip
    """What the program has called, by the method that does it: reports name that."""

    def __init__(self, group: DeterministicThreads, library: ctypes.CDLL) -> None:
        self.group = group
        self.is_held = library.ascend_sim_mutex_is_held
        self.is_held.argtypes = [ctypes.c_uint64]
        self.tokens = itertools.count(1)
        self.starting: dict[int, tuple[OSThread, OSThread]] = {}
        """By token: the parent and the child of threads that are not over."""
        self.by_ident: dict[int, OSThread] = {}
        self.locks: dict[int, Any] = {}
        self.conditions: dict[int, threading.Condition] = {}
        self.others: dict[int, Any] = {}
        """Semaphores, read-write locks and barriers."""
        self.words: dict[int, Word] = {}
        self.slices: dict[OSThread, tuple[tuple[int, int, int], int, int]] = {}
        """For a thread whose wait for a word ended in vain: address, value and limit, its steps then, how often that was."""
        self.shared_pages: dict[int, bool] = {}
        """For each page in which a word lay, whether processes may share it."""
        self.loops: dict[int, tuple[CallSite, bool]] = {}
        """For each place that rests, whether that is in a loop around something that nobody tells of."""
        self.place = ctypes.PyDLL(library._name).ascend_sim_waiting_place
        self.place.restype = ctypes.py_object

    def caller(self) -> OSThread | None:
        """The calling thread, if the group knows it and orders threads."""
        return self.group.here.os_thread if self.group.active else None

    # -- threads ------------------------------------------------------------------------------------------------------

    def create(self, a: int, b: int, c: int) -> int:
        """The caller will start a thread: its token, 0 when the group does not know the caller."""
        parent = self.caller()
        if parent is None:
            return 0
        self.group.take_token(parent)
        parent.exempt = True  # it sleeps until the child has come up
        token = next(self.tokens)
        self.starting[token] = parent, self.group.new_child(parent, "", daemon=True)
        return token

    def created(self, token: int, ident: int, c: int) -> int:
        """The operating system has started it as *ident*; 0: it could not."""
        parent, child = self.starting[token]
        parent.exempt = False
        if not ident:
            del self.starting[token]
            self.group.abandon(child)
            return 0
        child.ident = child.host.os_ident = ident
        self.by_ident[ident] = child
        self.group.release_child(parent, child)
        return 0

    def began(self, token: int, b: int, c: int) -> int:
        """The new thread runs for the first time."""
        child = self.starting[token][1]
        self.group.here.os_thread = child
        child.begin()
        return 0

    def arrived(self, token: int, b: int, c: int) -> int:
        """It waits for its turn."""
        self.group.arrive(self.starting[token][1])
        return 0

    def ended(self, token: int, b: int, c: int) -> int:
        """The thread is over."""
        child = self.starting.pop(token)[1]
        self.slices.pop(child, None)
        self.group.finish(child)
        return 0

    def left(self, a: int, b: int, c: int) -> int:
        """The calling thread, when it is one that was not started here, is over: the first one."""
        caller = self.caller()
        if caller is not None and all(caller is not child for _, child in self.starting.values()):
            self.group.finish(caller)
            self.group.here.os_thread = None
        return 0

    def join(self, ident: int, b: int, c: int) -> int:
        """Wait for the end of *ident*."""
        caller, child = self.caller(), self.by_ident.pop(ident, None)
        if caller is None or child is None:
            return 0
        if not child.ended.done:
            caller.stands = self.place()
            self.group.take_token(caller)
            self.group.wait(caller, child.ended, None, JoinWait(child))
        child.joined = True
        self.group.note_end(caller, child)
        return 0

    # -- locks --------------------------------------------------------------------------------------------------------

    def lock_of(self, address: int, kind: int = 0) -> Any:
        """The lock of a mutex, made when it is first met: it may be taken by then."""
        lock = self.locks.get(address)
        if lock is None:
            lock = self.locks[address] = _lock_at(address, kind == RECURSIVE)
            if self.is_held(address):
                lock.acquire()
        return lock

    def lock(self, address: int, kind: int, limit: int) -> int:
        """Take a mutex within *limit* ns. Returns 0 or the code of the C library."""
        if self.caller() is None:
            return 0
        lock = self.lock_of(address, kind)
        if limit != DO_NOT_WAIT and (not isinstance(lock, Lock) or not lock.free()):
            self._stands()
        if kind == ERROR_CHECKING and limit != DO_NOT_WAIT and not lock.free() and lock._owner == threading.get_ident():
            return errno.EDEADLK
        if limit == FOR_EVER:
            lock.acquire()
            return 0
        if limit == DO_NOT_WAIT:
            return 0 if lock.acquire(False) else errno.EBUSY
        return 0 if lock.acquire(True, limit / SECOND) else errno.ETIMEDOUT

    def unlock(self, address: int, b: int, c: int) -> int:
        """Let a mutex go; one that was never met was taken and let go by threads outside."""
        lock = self.locks.get(address)
        if lock is not None and self.caller() is not None:
            if isinstance(lock, Lock) and lock.free():
                return 0
            lock.release()
        return 0

    def forget(self, address: int, b: int, c: int) -> int:
        """What was at *address* is destroyed."""
        for known in (self.locks, self.conditions, self.others):
            known.pop(address, None)
        return 0

    def wait(self, condition: int, mutex: int, limit: int) -> int:
        """Wait for a condition variable, without the mutex; 0 when *limit* (ns) passed."""
        if self.caller() is None:
            return 1
        lock = self.lock_of(mutex)
        self._stands()
        self._tell("await", condition)
        known = self.conditions.get(condition)
        if known is None or known._lock is not lock:  # type: ignore[attr-defined]
            known = self.conditions[condition] = threading.Condition(lock)
        if isinstance(lock, Lock) and lock.free():
            lock.acquire()  # C has taken it when nobody looked
        return int(known.wait(_seconds(limit)))

    def wake(self, condition: int, one: int, c: int) -> int:
        """Wake one of those that wait for a condition variable, or all; the caller need not have the mutex."""
        if self.caller() is None:
            return 0
        self._tell("signal", condition)
        known = self.conditions.get(condition)
        if known is None:
            return 0
        lock = known._lock  # type: ignore[attr-defined]
        foreign = isinstance(lock, Lock) and (lock.free() or lock._owner != threading.get_ident())
        if foreign and not lock.acquire(False):
            # somebody else has it: those that wait are woken all the same
            known._is_owned = lambda: True  # type: ignore[attr-defined]
            try:
                self._notify(known, one)
            finally:
                del known._is_owned  # type: ignore[attr-defined]
            return 0
        self._notify(known, one)
        if foreign:
            lock.release()
        return 0

    def _tell(self, what: str, condition: int) -> None:
        """A controller hears what the calling thread is about to do: in C nobody needs the mutex to signal."""
        controller = self.group.controller
        if controller is not None and controller.watches():
            controller.before_operation(what, "condition", Mark(condition), bool)

    def _notify(self, condition: threading.Condition, one: int) -> None:
        if one:
            condition.notify()
        else:
            condition.notify_all()

    # -- semaphores, read-write locks, barriers -------------------------------------------------------------------------

    def semaphore_set(self, address: int, value: int, c: int) -> int:
        """A semaphore is made."""
        self.others[address] = Semaphore(address, value)
        return 0

    def semaphore_take(self, address: int, only_ask: int, limit: int) -> int:
        """Count down within *limit*, or say whether the semaphore is known."""
        known = self.others.get(address)
        if not isinstance(known, Semaphore) or self.caller() is None:
            return 0
        if only_ask:
            return 1
        if not known.value:
            self._stands()
        return int(known.take(limit))

    def semaphore_give(self, address: int, only_ask: int, c: int) -> int:
        """Count up, or say the value (-1: unknown). Returns 0 for a semaphore that is not known."""
        known = self.others.get(address)
        if not isinstance(known, Semaphore) or self.caller() is None:
            return -1 if only_ask else 0
        if only_ask:
            return known.value
        known.give()
        return 1

    def _shared(self, address: int) -> Shared:
        known = self.others.get(address)
        if not isinstance(known, Shared):
            known = self.others[address] = Shared(address)
        return known

    def read_lock(self, address: int, b: int, limit: int) -> int:
        """Become a reader."""
        caller = self.caller()
        if caller is None:
            return 0
        known = self._shared(address)
        if known.written:
            self._stands()
        return known.take(False, limit, caller)

    def write_lock(self, address: int, b: int, limit: int) -> int:
        """Become the writer."""
        caller = self.caller()
        if caller is None:
            return 0
        known = self._shared(address)
        if known.written or known.readers:
            self._stands()
        return known.take(True, limit, caller)

    def once_lock(self, address: int, b: int, limit: int) -> int:
        """Become the one that does what is done once; it lets go as a writer does."""
        return self.write_lock(address, b, limit)

    def let_go(self, address: int, b: int, c: int) -> int:
        """A reader or the writer goes."""
        known, caller = self.others.get(address), self.caller()
        if isinstance(known, Shared) and caller is not None:
            known.let_go(caller)
        return 0

    def barrier_set(self, address: int, count: int, c: int) -> int:
        """A barrier is made."""
        self.others[address] = Barrier(address, count)
        return 0

    def barrier_wait(self, address: int, b: int, c: int) -> int:
        """Wait for the others: 1 for the last one, 0 for the rest, -1 for a barrier that is not known."""
        known = self.others.get(address)
        if not isinstance(known, Barrier) or self.caller() is None:
            return -1
        self._stands()
        return int(known.wait())

    # -- words ----------------------------------------------------------------------------------------------------------

    def word_wait(self, address: int, value: int, limit: int) -> int:
        """Wait while the word is *value* (above it, whether processes may share the word). Returns 0 or the error; -1: the
        operating system is to do it."""
        caller = self.caller()
        if caller is None or (value >> 32 and self._is_shared(address)):
            return -1
        wanted = address, value, limit
        before, steps, slices = self.slices.pop(caller, (None, 0, 0))
        slices = slices + 1 if before == wanted and steps == caller.operations else 1
        if slices > SLICES and slices * limit > SLICED:
            limit = FOR_EVER
        known = self.words.get(address)
        if known is None:
            known = self.words[address] = Word(address)
        known.users += 1
        self._stands()
        try:
            code = known.wait(value & 0xFFFFFFFF, limit)
        finally:
            known.users -= 1
            if not known.users:
                self.words.pop(address, None)
        if code == errno.ETIMEDOUT:
            self.slices[caller] = wanted, caller.operations, slices
        return code

    def word_wake(self, address: int, count: int, c: int) -> int:
        """Wake *count* of those that wait for the word; how many that were."""
        known = self.words.get(address)
        return known.wake(count) if known is not None and self.caller() is not None else 0

    def _is_shared(self, address: int) -> bool:
        page = address >> 12
        known = self.shared_pages.get(page)
        if known is None:
            known = self.shared_pages[page] = _may_be_shared(address)
        return known

    def _stands(self) -> None:
        """Keep where in the program the calling thread is about to wait: a report of a deadlock shows that."""
        caller = self.caller()
        if caller is not None:
            caller.stands = self.place()

    # -- time ---------------------------------------------------------------------------------------------------------

    def sleep(self, a: int, b: int, duration: int) -> int:
        """Sleep for *duration* ns."""
        before = self.group.steps_of_others()
        time.sleep(duration / SECOND)
        self._looks_again(before)
        return 0

    def yield_(self, a: int, b: int, c: int) -> int:
        """Let others run."""
        before = self.group.steps_of_others()
        time.sleep(0)
        self._looks_again(before)
        return 0

    def _looks_again(self, before: dict[OSThread, int] | None) -> None:
        """The calling thread has rested. In a loop it waits for a change that nobody tells of, made by one that ran."""
        caller = self.caller()
        if before is None or caller is None or self.group.unseen_order is None:
            return
        place = self.place()
        if id(place) not in self.loops:
            from ascend_sim.native.places.atomics import waits_for_change  # reads sources, once for each place

            caller.exempt = True  # a tool is asked, and it is not the program that waits for that
            try:
                self.loops[id(place)] = place, waits_for_change(place)
            finally:
                caller.exempt = False
        if self.loops[id(place)][1]:
            self.group.note_end_of_spin(caller, before)

    def now(self, of_day: int, b: int, c: int) -> int:
        """Nanoseconds of the day's clock, or of the monotonic one."""
        return time.time_ns() if of_day else time.monotonic_ns()

    def operations(self) -> tuple[Callable[[int, int, int], int], ...]:
        """What the library asks for, in the order of its numbers."""
        return (
            self.create, self.created, self.began, self.ended, self.join, self.lock, self.unlock, self.forget, self.wait,
            self.wake, self.sleep, self.yield_, self.now, self.semaphore_set, self.semaphore_take, self.semaphore_give,
            self.read_lock, self.write_lock, self.let_go, self.barrier_set, self.barrier_wait,
            self.arrived, self.left, self.word_wait, self.word_wake, self.once_lock,
        )  # fmt: skip


def order_threads(threads: ProgramThreads, library: ctypes.CDLL) -> None:
    """From now on the library asks *threads* for each operation with threads, locks and time."""
    library.ascend_sim_order_threads.argtypes = [ctypes.py_object]
    library.ascend_sim_order_threads(threads.operations())
