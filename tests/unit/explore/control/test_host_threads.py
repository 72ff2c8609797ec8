"""Exploring what programs do with threads: pools, coroutines, timers, loops that ask, threads that die or never end."""

from __future__ import annotations

import asyncio
import queue
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

import pytest

from ascend_sim import ascendcl as C
from ascend_sim import explore

EX = 1


def results(report: Any) -> set[Any]:
    assert not report.trouble, report.trouble
    return {result.outcome.value for result in report.outcomes if result.outcome.ended == "returned"}


def endings(report: Any) -> list[str]:
    assert not report.trouble, report.trouble
    return sorted(result.outcome.ended for result in report.outcomes)


def run_threads(*bodies: Any) -> None:
    threads = [threading.Thread(target=body) for body in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_work_handed_over_in_a_queue_has_no_run_that_comes_to_nothing(words: Any) -> None:
    def program() -> int:
        (stream,) = words.start(1)
        block, copy = words.buffer(), words.buffer()
        jobs: queue.Queue[Any] = queue.Queue()
        done: queue.Queue[int] = queue.Queue()

        def consumer() -> None:
            words.must(C.aclrtSetDevice(0))
            jobs.get()()
            done.put(1)

        thread = threading.Thread(target=consumer)
        thread.start()
        jobs.put(lambda: words.fill(block, 1, stream))
        done.get()
        words.must(C.aclrtMemcpyAsync(copy, 16, block, 16, 3, stream))
        words.must(C.aclrtSynchronizeStream(stream))
        thread.join()
        return words.read(copy)  # type: ignore[no-any-return]

    report = explore(program)
    assert report.exhausted and report.hosts_exhausted and not report.failures
    assert (report.classes, report.cut) == (1, 0)


def test_a_pool_of_threads(words: Any) -> None:
    def program() -> tuple[Any, int]:
        (stream,) = words.start(1)
        block = words.buffer()

        def work(value: int) -> int:
            words.must(C.aclrtSetDevice(0))
            words.fill(block, value, stream)
            return value

        with ThreadPoolExecutor(2) as pool:
            values = tuple(pool.map(work, [1, 2]))
        words.must(C.aclrtSynchronizeStream(stream))
        return values, words.read(block)

    report = explore(program, hosts="shared", checks="none")
    assert report.exhausted and results(report) == {((1, 2), 1), ((1, 2), 2)}


def test_futures_in_the_order_in_which_they_end() -> None:
    def program() -> tuple[int, ...]:
        with ThreadPoolExecutor(2) as pool:
            futures = [pool.submit(lambda i=i: i) for i in range(2)]
            return tuple(future.result() for future in as_completed(futures))

    report = explore(program, hosts="shared", budget=5)
    assert results(report) >= {(0, 1), (1, 0)}


def test_coroutines_that_wait_for_threads(words: Any) -> None:
    def program() -> int:
        (stream,) = words.start(1)
        block = words.buffer()

        def work() -> None:
            words.must(C.aclrtSetDevice(0))
            words.fill(block, 1, stream)
            words.must(C.aclrtSynchronizeStream(stream))

        async def main() -> None:
            await asyncio.to_thread(work)

        asyncio.run(main())
        return words.read(block)  # type: ignore[no-any-return]

    report = explore(program, hosts="shared", budget=5)
    assert results(report) == {1} and not report.failures


def test_a_timer_comes_when_nothing_else_can_and_may_be_stopped() -> None:
    def program(stopped: bool) -> tuple[str, ...]:
        seen: list[str] = []
        timer = threading.Timer(0.5, seen.append, ("timer",))
        timer.start()
        if stopped:
            timer.cancel()
        seen.append("main")
        timer.join()
        return tuple(seen)

    assert results(explore(lambda: program(False), hosts="shared")) == {("main", "timer")}
    assert results(explore(lambda: program(True), hosts="shared")) == {("main",)}


def drains(fifo: Any, pause: bool) -> Any:
    def body() -> int:
        made = fifo()
        thread = threading.Thread(target=made.put, args=(5,))
        thread.start()
        while True:
            try:
                value: int = made.get_nowait()
                break
            except queue.Empty:
                if pause:
                    time.sleep(0.01)
        thread.join()
        return value

    return body


@pytest.mark.parametrize("pause", [False, True])
@pytest.mark.parametrize("fifo", ["Queue", "SimpleQueue", "LifoQueue"])
def test_a_loop_that_tries_to_take_ends(fifo: str, pause: bool) -> None:
    report = explore(drains(lambda: getattr(queue, fifo)(), pause), hosts="shared")
    assert report.exhausted and results(report) == {5} and not report.failures


@pytest.mark.parametrize("pause", [False, True])
def test_a_loop_that_looks_under_a_lock_ends(pause: bool) -> None:
    def program() -> str:
        lock, done = threading.Lock(), [False]

        def sets() -> None:
            with lock:
                done[0] = True

        thread = threading.Thread(target=sets)
        thread.start()
        while True:
            with lock:
                if done[0]:
                    break
            if pause:
                time.sleep(0.01)
        thread.join()
        return "seen"

    report = explore(program, hosts="shared", budget=10)
    assert report.exhausted and results(report) == {"seen"} and not report.failures


def test_a_loop_that_looks_at_a_variable_and_sleeps_ends() -> None:
    def program() -> str:
        done = [False]
        thread = threading.Thread(target=lambda: done.__setitem__(0, True))
        thread.start()
        while not done[0]:
            time.sleep(0.01)
        thread.join()
        return "seen"

    report = explore(program)
    assert report.exhausted and report.hosts_exhausted and results(report) == {"seen"}


def test_a_loop_that_gives_up_is_no_hang(words: Any) -> None:
    def program() -> str:
        one, two = words.start(2)
        event, notify = words.must(C.aclrtCreateEventExWithFlag(EX)), words.must(C.aclrtCreateNotify(0))
        words.must(C.aclrtWaitAndResetNotify(notify, one, 0))
        words.must(C.aclrtRecordEvent(event, one))
        done = threading.Event()
        run_threads(lambda: None)
        for _ in range(20):
            if words.must(C.aclrtQueryEventStatus(event)) or done.is_set():
                break
            time.sleep(0.01)
        else:
            words.must(C.aclrtRecordNotify(notify, two))
            words.must(C.aclrtSynchronizeDevice())
            return "gave up"
        return "done"

    report = explore(program, hosts="shared")
    assert results(report) == {"gave up"} and not report.failures


def test_a_loop_that_never_ends_is_a_hang() -> None:
    def program() -> None:
        done = threading.Event()
        thread = threading.Thread(target=lambda: None)
        thread.start()
        while not done.is_set():
            time.sleep(0.01)

    report = explore(program, hosts="shared")
    assert endings(report) == ["deadlock"]
    assert "Event.is_set" in report.failures[0].title


def test_a_thread_that_sleeps_for_ever_does_not_keep_the_program() -> None:
    def program() -> str:
        def body() -> None:
            while True:
                time.sleep(0.01)

        threading.Thread(target=body, daemon=True).start()
        return "over"

    before = threading.active_count()
    assert results(explore(program, hosts="shared")) == {"over"}
    assert threading.active_count() == before


def test_a_thread_that_works_and_sleeps_for_ever_lets_others_go_on() -> None:
    def program() -> int:
        items: queue.SimpleQueue[int] = queue.SimpleQueue()

        def body() -> None:
            while True:
                items.put(1)
                time.sleep(0.01)

        threading.Thread(target=body, daemon=True).start()
        return items.get()

    report = explore(program, hosts="shared", budget=2)
    assert results(report) == {1}


def test_a_thread_that_dies_with_a_lock() -> None:
    def program() -> None:
        lock = threading.Lock()

        def dies() -> None:
            lock.acquire()
            raise ValueError("boom")

        thread = threading.Thread(target=dies)
        thread.start()
        with lock:
            pass
        thread.join()

    report = explore(program, hosts="shared")
    assert endings(report) == ["Thread-1 (dies): ValueError: boom", "deadlock"]


def test_a_thread_that_exits_is_no_failure() -> None:
    report = explore(lambda: run_threads(sys.exit), hosts="shared")
    assert report.exhausted and not report.failures


def test_a_wake_up_that_nobody_hears() -> None:
    def program() -> None:
        condition = threading.Condition()

        def waits() -> None:
            with condition:
                condition.wait()

        def wakes() -> None:
            with condition:
                condition.notify()

        run_threads(waits, wakes)

    report = explore(program, hosts="shared")
    assert report.exhausted and endings(report) == ["deadlock", "returned"]


def test_semaphores_and_barriers() -> None:
    def program() -> tuple[str, ...]:
        permits, barrier, seen = threading.BoundedSemaphore(1), threading.Barrier(2), []

        def body(name: str) -> Any:
            def run() -> None:
                with permits:
                    seen.append(name)
                barrier.wait()
                seen.append("after")

            return run

        run_threads(body("a"), body("b"))
        return tuple(seen)

    report = explore(program, hosts="shared")
    assert report.exhausted and not report.failures
    assert results(report) == {("a", "b", "after", "after"), ("b", "a", "after", "after")}


def test_queues_that_are_full_or_waited_for() -> None:
    def program() -> tuple[Any, ...]:
        small: queue.Queue[int] = queue.Queue(1)
        seen: list[Any] = []

        def consumer() -> None:
            for _ in range(2):
                seen.append(small.get())
                small.task_done()

        thread = threading.Thread(target=consumer)
        thread.start()
        small.put(1)
        small.put(2)
        small.join()
        thread.join()
        try:
            small.get(timeout=0.1)
        except queue.Empty:
            seen.append("empty")
        return tuple(seen)

    report = explore(program, hosts="shared")
    assert report.exhausted and not report.failures and results(report) == {(1, 2, "empty")}


def test_a_failure_is_told_to_either_of_two_who_wait(words: Any) -> None:
    def program() -> tuple[int, ...]:
        (stream,) = words.start(1)
        notify = words.must(C.aclrtCreateNotify(0))
        words.must(C.aclrtWaitAndResetNotify(notify, stream, 1))
        codes = [0, 0]

        def waits(me: int) -> Any:
            def body() -> None:
                words.must(C.aclrtSetDevice(0))
                codes[me] = C.aclrtSynchronizeStream(stream)

            return body

        run_threads(waits(0), waits(1))
        return tuple(codes)

    report = explore(program, hosts="shared", checks="none")
    assert report.exhausted and results(report) == {(0, 107020), (107020, 0)}
