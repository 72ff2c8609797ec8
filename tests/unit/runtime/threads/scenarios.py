"""Programs with threads. Run as ``python scenarios.py NAME TIMES``: prints how many different traces there were.

Each run gets a fresh deterministic group in the same process; what the scenario notes is its trace.
"""

from __future__ import annotations

import _thread
import asyncio
import concurrent.futures
import faulthandler
import logging
import queue
import random
import socket
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from fake_device import Reports, Stream, World

from ascend_sim.errors import SimulatedHang
from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.runtime.threads.patches.install import install_patches, uninstall_patches

SCENARIOS: dict[str, Callable[[World], None]] = {}


def scenario(function: Callable[[World], None]) -> Callable[[World], None]:
    SCENARIOS[function.__name__] = function
    return function


MODULE_LOCK = threading.Lock()
"""Made before the patches: a real lock."""

OLD_POOL = concurrent.futures.ThreadPoolExecutor(2)
"""Made before the patches."""


@scenario
def callback_thread_native(world: World) -> None:
    """pyACL's way: a report thread by _thread, a main thread that computes and submits."""
    reports, stream, stop = Reports(), Stream(1), []
    done = []

    def serve(name: str) -> None:
        while not stop:
            world.note("served", world.process_report(reports, 100_000))
        done.append(name)

    _thread.start_new_thread(serve, ("server",))
    for i in range(5):
        world.submit(stream, 2_000)
        last = world.callback(stream, reports, lambda i=i: world.note("callback", i))
    world.sync(last, stream)
    world.note("synced")
    stop.append(1)
    while not done:
        time.sleep(0.001)
    world.note("over")


@scenario
def callback_thread_threading(world: World) -> None:
    reports, streams, stop = Reports(), [Stream(1), Stream(2)], threading.Event()

    def serve() -> None:
        while not stop.is_set():
            world.note("served", world.process_report(reports, 50_000))

    server = threading.Thread(target=serve)
    server.start()
    for i in range(8):
        last = world.callback(streams[i % 2], reports, lambda i=i: world.note("callback", i), ns=500 * i)
        world.note("launched", i)
    sum(range(20_000))  # computing outside
    world.sync(last)
    stop.set()
    server.join()
    world.note("over", server.is_alive())


@scenario
def producer_consumer(world: World) -> None:
    items: queue.Queue[Any] = queue.Queue(3)
    stream = [Stream(i) for i in range(3)]

    def consume(number: int) -> None:
        while (item := items.get()) is not None:
            world.sync(world.submit(stream[number], 1_000 * item))
            world.note("consumed", item)
            items.task_done()
        items.task_done()

    threads = [threading.Thread(target=consume, args=(i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    for item in range(20):
        items.put(item)
        world.note("put", item, items.qsize())
    for _ in threads:
        items.put(None)
    items.join()
    for thread in threads:
        thread.join()
    world.note("over")


@scenario
def simple_queue(world: World) -> None:
    there: queue.SimpleQueue[Any] = queue.SimpleQueue()
    back: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def echo() -> None:
        while (item := there.get()) is not None:
            world.note("echo", item)
            back.put(item)

    threads = [threading.Thread(target=echo) for _ in range(2)]
    for thread in threads:
        thread.start()
    for i in range(10):
        there.put(i)
    world.note("got", [back.get() for _ in range(10)])
    try:
        back.get(timeout=0.5)
    except queue.Empty:
        world.note("empty")
    there.put(None)
    there.put(None)
    for thread in threads:
        thread.join()


@scenario
def pool(world: World) -> None:
    streams = [Stream(i) for i in range(4)]

    def work(i: int) -> int:
        world.sync(world.submit(streams[i % 4], 1_000 * (7 * i % 5 + 1)))
        world.note("worked", i)
        return i * i

    with concurrent.futures.ThreadPoolExecutor(4) as executor:
        world.note("map", list(executor.map(work, range(12))))
        futures = [executor.submit(work, i) for i in range(4)]
        for future in concurrent.futures.as_completed(futures):
            world.note("completed", future.result())
        slow = executor.submit(time.sleep, 10)
        try:
            slow.result(timeout=1)
        except concurrent.futures.TimeoutError:
            world.note("timeout")
    world.note("over")


@scenario
def timer_and_event(world: World) -> None:
    event = threading.Event()
    timer = threading.Timer(0.25, event.set)
    timer.start()
    world.note("wait", event.wait(0.1))
    world.note("wait", event.wait(1.0))
    timer.join()
    late = threading.Timer(3.0, lambda: world.note("never"))
    late.start()
    late.cancel()
    late.join()
    world.note("over")


@scenario
def condition(world: World) -> None:
    shared = threading.Condition()
    turn = [0]

    def player(me: int) -> None:
        for _ in range(5):
            with shared:
                shared.wait_for(lambda: turn[0] % 3 == me)
                world.note("turn", turn[0])
                turn[0] += 1
                shared.notify_all()

    threads = [threading.Thread(target=player, args=(i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@scenario
def semaphore_and_barrier(world: World) -> None:
    semaphore, barrier = threading.BoundedSemaphore(2), threading.Barrier(4)
    stream = Stream(1)

    def work(me: int) -> None:
        with semaphore:
            world.sync(world.submit(stream, 1_000 * me))
            world.note("inside", me)
        barrier.wait()
        world.note("through", me)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@scenario
def contended_lock(world: World) -> None:
    lock, rlock = threading.Lock(), threading.RLock()
    streams = [Stream(i) for i in range(3)]

    def work(me: int) -> None:
        for i in range(6):
            with lock:
                world.sync(world.submit(streams[me], 700))
                world.note("locked", i)
            with rlock, rlock:
                world.query(world.submit(streams[me], 300))
            if lock.acquire(timeout=0.000_001):
                world.note("got it")
                lock.release()
            elif lock.acquire(blocking=False):
                lock.release()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    world.note("over")


@scenario
def starving_lock(world: World) -> None:
    """A loop that polls with the lock held: the other thread must get it all the same."""
    lock, stop = threading.Lock(), []
    task = world.submit(Stream(1), 5_000_000)

    def greedy() -> None:
        while not stop:
            with lock:
                world.query(task)

    thread = threading.Thread(target=greedy)
    thread.start()
    time.sleep(0.000_1)
    for _ in range(3):
        with lock:
            world.note("got it")
        time.sleep(0.000_1)
    stop.append(1)
    thread.join()


@scenario
def polling_pair(world: World) -> None:
    """Two threads poll for long tasks: the steps grow."""
    tasks = [world.submit(Stream(i), 1_000_000_000 * (i + 1)) for i in range(2)]

    def poll(i: int) -> None:
        asked = 0
        while not world.query(tasks[i]):
            asked += 1
        world.note("seen", i, asked)

    threads = [threading.Thread(target=poll, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@scenario
def ahead(world: World) -> None:
    """A thread that never blocks must not starve one that waits for a task."""
    stream, stop = Stream(1), []

    def busy() -> None:
        calls = 0
        while not stop:
            world.leave(world.enter())
            calls += 1
        world.note("calls", calls)

    thread = threading.Thread(target=busy)
    thread.start()
    world.sync(world.submit(stream, 5_000_000), stream)
    stop.append(1)
    thread.join()
    world.note("over")


@scenario
def spin_on_queue(world: World) -> None:
    items: queue.Queue[int] = queue.Queue()

    def produce() -> None:
        world.sync(world.submit(Stream(1), 50_000_000))
        items.put(7)

    thread = threading.Thread(target=produce)
    thread.start()
    while True:
        try:
            world.note("item", items.get_nowait())
            break
        except queue.Empty:
            pass
    thread.join()


@scenario
def spin_on_clock(world: World) -> None:
    reports = []

    def other() -> None:
        time.sleep(0.5)
        reports.append(1)
        world.note("other")

    thread = threading.Thread(target=other)
    thread.start()
    end = time.time() + 2
    while time.time() < end:
        pass
    world.note("waited", len(reports))
    start = time.monotonic_ns()
    while time.perf_counter() and time.monotonic_ns() - start < 300_000_000:
        pass
    thread.join()
    world.note("over")


@scenario
def joins_with_timeouts(world: World) -> None:
    thread = threading.Thread(target=time.sleep, args=(1.0,))
    thread.start()
    thread.join(0.3)
    world.note("alive", thread.is_alive())
    while thread.is_alive():
        world.leave(world.enter())
    world.note("alive", thread.is_alive())
    thread.join()


@scenario
def identities(world: World) -> None:
    """What start() promises holds at once."""
    seen = []

    class Worker(threading.Thread):
        def run(self) -> None:
            seen.append(threading.current_thread() is self)
            world.note("run", self.name)

    workers = [Worker(name=f"w{i}", daemon=i == 1) for i in range(3)]
    for worker in workers:
        worker.start()
        assert worker.ident and worker.is_alive() and worker in threading.enumerate() and worker.native_id
        assert "run" not in vars(worker)
        world.note("started", [t.name for t in threading.enumerate() if isinstance(t, Worker)])
    for worker in workers:
        worker.join()
    assert seen == [True] * 3
    assert not any(isinstance(t, Worker) for t in threading.enumerate())


@scenario
def exceptions(world: World) -> None:
    hook, errors = threading.excepthook, []
    threading.excepthook = lambda args: (errors.append(args.exc_type.__name__), world.note("hook"))[0]
    try:

        def fail() -> None:
            world.leave(world.enter())
            raise KeyError("x")

        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
    finally:
        threading.excepthook = hook
    world.note("errors", errors, thread.is_alive())


@scenario
def nested_starts(world: World) -> None:
    def grow(depth: int) -> None:
        world.note("depth", depth)
        if depth:
            children = [threading.Thread(target=grow, args=(depth - 1,)) for _ in range(2)]
            for child in children:
                child.start()
            for child in children:
                child.join()

    grow(3)


@scenario
def two_simulators(world: World) -> None:
    second = World(world.group, world.trace)

    def work(mine: World, other: World, ns: int) -> None:
        stream, far = Stream(ns), Stream(ns + 1)
        for _ in range(4):
            mine.sync(mine.submit(stream, ns))
            other.sync(other.submit(far, ns // 2))
            mine.note("step")

    each = ((world, second, 3000), (second, world, 5000))
    threads = [threading.Thread(target=work, args=arguments) for arguments in each]
    for thread in threads:
        thread.start()
    work(world, second, 2000)
    for thread in threads:
        thread.join()
    world.group.close(second)
    world.note("over")


@scenario
def outlives(world: World) -> None:
    """A thread waits in a simulator that closes."""
    second = World(world.group, world.trace)
    hung = []

    def work() -> None:
        second.thread()
        task = second.submit(Stream(1), 1 << 50)
        try:
            second.sync(task)
        except SimulatedHang as hang:
            hung.append(str(hang))

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.1)
    world.group.close(second)
    thread.join()
    world.note("hung", hung)


@scenario
def service(world: World) -> None:
    stream, reports = Stream(1), Reports()

    def serve(t: Any) -> None:
        while True:
            reports.signal = reports.signal or __import__("ascend_sim.runtime.scheduler").runtime.scheduler.Signal()
            world.group.block(t, reports.signal, None, reports)
            reports.signal = None
            while reports.pending:
                function, s = reports.pending.popleft()
                function()
                t.clock += 1000
                world.finish(s, t.clock)

    world.group.spawn_service(world, serve, "host functions")
    for i in range(4):
        last = world.callback(stream, reports, lambda i=i: world.note("host function", i))
    world.sync(last)
    world.note("over")


@scenario
def deadlock_of_locks(world: World) -> None:
    a, b, hung = threading.Lock(), threading.Lock(), []

    def work(first: Any, second: Any) -> None:
        try:
            with first:
                time.sleep(0.1)
                with second:
                    world.note("both")
        except SimulatedHang as hang:
            hung.append(hang)

    threads = [threading.Thread(target=work, args=pair, name="w") for pair in ((a, b), (b, a))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    world.note("hung", len(hung), [line.split(" at ")[0] for line in str(hung[0]).splitlines()])


@scenario
def hang_in_worker(world: World) -> None:
    """Main joins a worker that waits for a stream which never ends: the worker is the victim, main goes on."""
    hung = []

    def work() -> None:
        from ascend_sim.runtime.scheduler import Signal

        try:
            world.sync(Signal(), Stream(9))
        except SimulatedHang as hang:
            hung.append([line.split(" at ")[0] for line in str(hang).splitlines()])

    thread = threading.Thread(target=work, name="w")
    thread.start()
    thread.join()
    world.note("hung", hung)


@scenario
def hang_on_event(world: World) -> None:
    event = threading.Event()
    try:
        event.wait()
    except SimulatedHang as hang:
        world.note("hung", str(hang).split(" at ")[0])
    world.note("over")


@scenario
def kernel_uses_locks(world: World) -> None:
    """User code inside a device event takes a lock that another thread has, and sleeps."""
    lock = threading.Lock()
    streams = [Stream(1), Stream(2)]

    def kernel(task: Any, now: int) -> None:
        with lock:
            world.trace.append(("kernel", now))
        time.sleep(0.001)

    def work() -> None:
        with lock:
            world.sync(world.submit(streams[1], 5_000))
            world.note("released")

    thread = threading.Thread(target=work)
    thread.start()
    world.sync(world.submit(streams[0], 50_000, kernel))
    world.note("synced")
    thread.join()


@scenario
def logging_in_threads(world: World) -> None:
    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            world.note(record.getMessage())

    logger = logging.getLogger("scenario")
    logger.propagate = False
    logger.setLevel("INFO")
    handler = Keep()
    logger.handlers = [handler]

    def work(me: int) -> None:
        for i in range(5):
            logger.info("worker %d step %d", me, i)
            world.sync(world.submit(Stream(me), 1_000 * me))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@scenario
def asyncio_in_thread(world: World) -> None:
    async def ticker(name: str, period: float) -> None:
        for i in range(4):
            await asyncio.sleep(period)
            world.note(name, i)

    async def main() -> None:
        await asyncio.gather(ticker("a", 0.03), ticker("b", 0.05))
        loop = asyncio.get_running_loop()
        world.note("executor", await loop.run_in_executor(None, lambda: world.sync(world.submit(Stream(1), 5_000))))

    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    world.sync(world.submit(Stream(2), 60_000_000))
    world.note("synced")
    thread.join()


@scenario
def compute_outside(world: World) -> None:
    reports, stream, stop = Reports(), Stream(1), []

    def serve() -> None:
        while not stop:
            world.note("served", world.process_report(reports, 10_000_000))

    thread = threading.Thread(target=serve)
    thread.start()
    last = world.callback(stream, reports, lambda: world.note("callback"))
    end = time.thread_time() + 0.12  # real processor time: longer than what counts as blocked
    while time.thread_time() < end:
        sum(range(1000))
    world.note("computed")
    world.sync(last)
    stop.append(1)
    thread.join()


@scenario
def random_mix(world: World) -> None:
    """Everything at once, from a seed."""
    source = random.Random(5)
    locks = [threading.Lock() for _ in range(2)]
    items: queue.Queue[int] = queue.Queue(2)
    streams = [Stream(i) for i in range(4)]

    def work(me: int, seed: int) -> None:
        mine = random.Random(seed)
        tasks = []
        for _ in range(25):
            what = mine.randrange(7)
            if what == 0:
                time.sleep(mine.random() / 1000)
            elif what == 1:
                with locks[mine.randrange(2)]:
                    world.sync(world.submit(streams[me], mine.randrange(9000)))
            elif what == 2:
                tasks.append(world.submit(streams[mine.randrange(4)], mine.randrange(50_000)))
            elif what == 3 and tasks:
                world.note("sync", world.sync(tasks.pop(0), None, mine.randrange(20_000)))
            elif what == 4:
                try:
                    items.put(me, timeout=0.000_01)
                except queue.Full:
                    world.note("full")
            elif what == 5:
                try:
                    world.note("item", items.get(timeout=0.000_02))
                except queue.Empty:
                    world.note("empty")
            elif tasks:
                world.note("query", world.query(tasks[-1]))

    threads = [threading.Thread(target=work, args=(i, source.random())) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    world.note("over")


# The following depend on real time in what they wait for; their traces hold only what may not.


@scenario
def absent_socket(world: World) -> None:
    left, right = socket.socketpair()

    def read() -> None:
        data = left.recv(10)
        world.trace.append(("read", data))

    thread = threading.Thread(target=read)
    thread.start()
    time.sleep(0.01)
    world.sync(world.submit(Stream(1), 5_000))
    right.send(b"hello")
    thread.join()
    left.close()
    right.close()
    world.trace.append("over")


@scenario
def absent_module_lock(world: World) -> None:
    """A lock from before the patches, held across a call: the waiter is blocked in the OS, and comes back."""

    def work(me: int) -> None:
        with MODULE_LOCK:
            world.sync(world.submit(Stream(me), 10_000))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    world.trace[:] = ["over"]


@scenario
def absent_spin(world: World) -> None:
    flag: list[int] = []

    def work() -> None:
        time.sleep(0.5)
        flag.append(1)

    thread = threading.Thread(target=work)
    thread.start()
    while not flag:
        pass
    thread.join()
    world.trace.append("over")


@scenario
def old_pool(world: World) -> None:
    """A pool from before the patches: its threads are strangers."""
    stream = Stream(1)
    futures = [OLD_POOL.submit(lambda i=i: i + 1) for i in range(3)]
    results = [f.result() for f in futures]
    world.sync(world.submit(stream, 1000))
    world.trace[:] = [results]


def run(name: str) -> list[Any]:
    """One run of a scenario in a fresh group; its trace."""
    group = DeterministicThreads()
    install_patches(group)
    trace: list[Any] = []
    try:
        world = World(group, trace)
        world.enter()
        SCENARIOS[name](world)
        group.close(world)
    finally:
        uninstall_patches()
    return trace


def main() -> None:
    faulthandler.enable()
    names = list(SCENARIOS) if sys.argv[1] == "all" else sys.argv[1].split(",")
    for name in names:
        began = time.perf_counter()
        first, different = run(name), 0
        for _ in range(int(sys.argv[2]) - 1):
            trace = run(name)
            if trace != first:
                if not different:
                    at = next((i for i, step in enumerate(first) if trace[i : i + 1] != [step]), len(first))
                    print("   differs at", at, first[max(0, at - 3) : at + 3], trace[max(0, at - 3) : at + 3])
                different += 1
        took = time.perf_counter() - began
        print(name, "different" if different else "same", different, f"({len(first)} steps) {took:.1f}s", flush=True)
        if "-v" in sys.argv:
            for step in first:
                print("   ", step)


if __name__ == "__main__":
    main()
