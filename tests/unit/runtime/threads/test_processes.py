"""Whole programs in a process of their own: how they end, signals, forks, threads that are elsewhere."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[3]


def start(program: str, **more: object) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{HERE}", "PYTHONDONTWRITEBYTECODE": "1"}
    code = "from prologue import *\n" + textwrap.dedent(program)
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", code], stdout=pipe, stderr=pipe, text=True, env=environment, **more)


def run(program: str, stdin: str | None = None) -> tuple[int, str, str]:
    process = start(program, stdin=subprocess.PIPE if stdin is not None else None)
    out, err = process.communicate(stdin)
    return process.returncode, out, err


def test_non_daemon_threads_end_in_virtual_time_before_the_program_does() -> None:
    code, out, err = run("""
        import threading, time, atexit
        def work():
            time.sleep(3600)
            print("worked")
        threading.Thread(target=work).start()
        atexit.register(lambda: print("atexit"))
        print("main ends")
    """)
    assert (code, out, err) == (0, "main ends\nworked\natexit\n", "")


def test_a_pool_that_nobody_shuts_down_finishes_its_work() -> None:
    code, out, err = run("""
        from concurrent.futures import ThreadPoolExecutor
        import time
        pool = ThreadPoolExecutor(2)
        for i in range(4):
            pool.submit(lambda i=i: (time.sleep(i), print("job", i)))
        print("main ends")
    """)
    assert (code, err) == (0, "")
    assert out == "main ends\njob 0\njob 1\njob 2\njob 3\n"


def test_daemon_threads_do_not_keep_the_program() -> None:
    code, out, err = run("""
        import threading, time
        def forever():
            while True:
                time.sleep(0.01)
        threading.Thread(target=forever, daemon=True).start()
        waiter = threading.Thread(target=threading.Event().wait, daemon=True)
        waiter.start()
        time.sleep(1)
        print("main ends")
    """)
    assert (code, out, err) == (0, "main ends\n", "")


def test_errors_in_threads_are_printed_as_usual() -> None:
    code, out, err = run("""
        import threading, _thread, time
        def fail():
            raise ValueError("in a thread")
        def fail_natively():
            raise KeyError("in a native thread")
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
        _thread.start_new_thread(fail_natively, ())
        time.sleep(1)
        _thread.start_new_thread(_thread.exit, ())
        time.sleep(1)
        print("main ends", len(group.os_threads), group.multi)
    """)
    assert (code, out) == (0, "main ends 1 False\n")
    assert "Exception in thread Thread-1 (fail):" in err
    assert "ValueError: in a thread" in err
    assert "in thread started by: <function fail_natively at" in err or "in thread started by <function" in err
    assert "KeyError: 'in a native thread'" in err


def test_a_hang_at_the_end_is_found_and_reported() -> None:
    code, out, err = run("""
        import threading
        def work():
            threading.Event().wait()
        threading.Thread(target=work, name="stuck").start()
        import atexit
        atexit.register(lambda: print([(who, [line.split(" at ")[0] for line in lines]) for who, lines in deadlocks]))
    """)
    assert code == 0
    assert "SimulatedHang" in err
    assert "T1 (stuck): waits for another thread, in Event.wait" in out


@pytest.mark.parametrize(
    "where", ["event.wait()", "thread.join()", "world.sync(world.submit(Stream(1), 10))", "time.sleep(0.001)"]
)
def test_keyboard_interrupt_reaches_main(where: str) -> None:
    process = start(f"""
        import threading, time, sys
        from fake_device import Stream
        event = threading.Event()
        def forever():
            while not event.is_set():
                time.sleep(0.01)
        thread = threading.Thread(target=forever)
        thread.start()
        try:
            print("ready", flush=True)
            while True:
                {where}
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        event.set()
        thread.join()
        print("over", world.sync(world.submit(Stream(2), 10)))
    """)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out, err) == (0, "interrupted\nover True\n", "")


def test_a_signal_handler_may_use_locks_and_calls_while_main_waits() -> None:
    process = start("""
        import threading, signal, time
        from fake_device import Stream
        event, lock = threading.Event(), threading.Lock()
        def handler(number, frame):
            with lock:
                world.sync(world.submit(Stream(3), 1000))
                event.set()
        signal.signal(signal.SIGTERM, handler)
        assert signal.getsignal(signal.SIGTERM) is handler
        def forever():
            while not event.is_set():
                with lock:
                    time.sleep(0.01)
        thread = threading.Thread(target=forever)
        thread.start()
        print("ready", flush=True)
        event.wait()
        thread.join()
        print("over")
    """)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.2)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate()
    assert (process.returncode, out, err) == (0, "over\n", "")


def test_input_in_main_lets_the_others_go_on() -> None:
    process = start(
        """
        import threading, time
        def work():
            for i in range(3):
                time.sleep(0.05)
            print("worked", flush=True)
        thread = threading.Thread(target=work)
        thread.start()
        print("got", input())
        thread.join()
        print(notes)
    """,
        stdin=subprocess.PIPE,
    )
    assert process.stdout is not None and process.stdin is not None
    assert process.stdout.readline() == "worked\n"
    process.stdin.write("hello\n")
    out, err = process.communicate()
    assert out == "got hello\n[('order-depends-on-clock', 'T0 (main) waits outside the simulator', [10])]\n"
    assert (process.returncode, err) == (0, "")


def test_a_computer_that_stood_still_makes_no_hang() -> None:
    """Between any two looks a minute has passed; the thread that waits outside goes on at the third."""
    code, out, err = run("""
        import itertools, threading, time
        import ascend_sim.runtime.threads.deterministic as deterministic
        from ascend_sim.runtime.threads.real_time import real_lock
        minutes, looks, look = itertools.count(1), itertools.count(1), group.wait_for_os_blocked
        held = real_lock()
        held.acquire()
        def third_time():
            if next(looks) == 3:
                held.release()
            look()
        group.wait_for_os_blocked = third_time
        deterministic.real_ns = lambda: next(minutes) * 60_000_000_000
        def work():
            with threading.Condition(held):
                print("worked")
        thread = threading.Thread(target=work)
        threading.Thread(target=time.sleep, args=(0.1,)).start()  # for its sake the one outside loses the run token
        thread.start()
        thread.join()
        print(deadlocks)
    """)
    assert (code, out, err) == (0, "worked\n[]\n", "")


def test_fork_in_the_child_only_the_calling_thread_lives() -> None:
    code, out, err = run("""
        import threading, time, os
        from fake_device import Stream
        lock = threading.Lock()
        def work():
            for _ in range(5):
                time.sleep(0.01)
        thread = threading.Thread(target=work)
        thread.start()
        time.sleep(0.02)
        child = os.fork()
        if child == 0:
            assert not thread.is_alive() and not group.multi
            with lock:
                pass
            other = threading.Thread(target=work)
            other.start()
            other.join()
            world.sync(world.submit(Stream(1), 10))
            print("child", notes, flush=True)
            os._exit(7)
        thread.join()
        print("parent", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), notes)
    """)
    assert err == "" or "DeprecationWarning" in err
    note = "('fork-after-init', 'T0 (main) forked a process whose runtime was in use', [12])"
    assert (code, out) == (0, f"child [{note}]\nparent 7 []\n")


def test_subprocesses_and_spawned_workers_start() -> None:
    code, out, err = run("""
        import subprocess, sys, threading
        def work():
            command = [sys.executable, "-c", "print(1 + 1)"]
            print(subprocess.run(command, capture_output=True, text=True, timeout=600).stdout)
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    """)
    assert (code, out, err) == (0, "2\n\n", "")


def test_a_child_that_lives_on_behind_its_output_is_waited_for_in_real_time() -> None:
    code, out, err = run("""
        import subprocess, sys, time
        command = [sys.executable, "-c", "import os, time; os.close(1); os.close(2); time.sleep(0.2)"]
        began = time.monotonic()
        print(subprocess.run(command, capture_output=True, timeout=600).returncode, time.monotonic() - began < 600)
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
        try:
            child.wait(timeout=0.05)
        except subprocess.TimeoutExpired:
            child.communicate(b"enough", timeout=600)
            print("waited in vain, then", child.returncode)
    """)
    assert (code, out, err) == (0, "0 True\nwaited in vain, then 0\n", "")


def test_a_debugger_in_a_thread_stops_the_others_too() -> None:
    process = start(
        """
        import threading, time, pdb, sys
        steps = []
        def work():
            while len(steps) < 50:
                steps.append(1)
                time.sleep(0.01)
        thread = threading.Thread(target=work)
        thread.start()
        time.sleep(0.1)
        before = len(steps)
        print("stops", flush=True)
        pdb.Pdb(nosigint=True).set_trace()
        print("steps meanwhile:", len(steps) - before)
        thread.join()
        """,
        stdin=subprocess.PIPE,
    )
    assert process.stdout is not None and process.stdin is not None
    assert process.stdout.readline() == "stops\n"
    time.sleep(0.5)
    out, err = process.communicate("c\n")
    assert (process.returncode, err) == (0, "")
    assert "steps meanwhile: 0" in out


def test_results_do_not_depend_on_the_hash_seed_or_the_load() -> None:
    program = """
        import threading, time, queue
        from fake_device import Stream
        items = queue.Queue()
        def work(me):
            for i in range(20):
                world.sync(world.submit(Stream(me), 1000 * me + i))
                items.put((me, i))
        for me in range(4):
            threading.Thread(target=work, args=(me,)).start()
        print([items.get() for _ in range(80)])
        print(time.monotonic_ns())
    """
    results = {run(program) for _ in range(5)}
    assert len(results) == 1
    assert next(iter(results))[0] == 0


def test_a_loop_of_time_outs_like_a_servers_falls_back_to_the_real_pace() -> None:
    """A thousand rounds and ten virtual minutes without progress: then a virtual second takes a real one."""
    process = start("""
        import threading, time, signal, sys
        def serve():
            while True:
                time.sleep(1)
        threading.Thread(target=serve, daemon=True).start()
        def stop(number, frame):
            print(int(time.monotonic()))
            sys.exit(0)
        signal.signal(signal.SIGTERM, stop)
        began = int(time.monotonic())
        print(began, flush=True)
        while True:
            time.sleep(1)
            if int(time.monotonic()) == began + 400:
                print("on its way", flush=True)
    """)
    assert process.stdout is not None
    began = int(process.stdout.readline())
    assert process.stdout.readline() == "on its way\n"
    time.sleep(2)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate()
    assert (process.returncode, err) == (0, "")
    assert int(out) - began < 1_500  # a thousand rounds of two threads, and some real seconds


def test_a_thread_of_short_sleeps_does_not_hold_up_who_was_away() -> None:
    """A sleep takes more real time than its microsecond. Who has been in the operating system is ahead by all that."""
    code, out, err = run("""
        import os, threading, time
        naps = [0]
        def nap():
            while True:
                time.sleep(1e-6)
                naps[0] += 1
        threading.Thread(target=nap, daemon=True).start()
        sooner, later = os.pipe()
        if not os.fork():
            for _ in range(200):
                os.sched_yield()
                [n for n in range(20_000)]
            os.write(later, b".")
            os._exit(0)
        os.read(sooner, 1)
        before = naps[0]
        time.sleep(0)
        print(naps[0] - before < 1000, before > 0)
    """)
    assert (code, out, err) == (0, "True True\n", "")


def test_a_thread_that_swallows_hangs_does_not_keep_the_others() -> None:
    code, out, err = run("""
        import threading, time
        from ascend_sim.errors import SimulatedHang
        hangs = []
        def stubborn():
            while True:
                try:
                    threading.Event().wait()
                except SimulatedHang:
                    hangs.append(1)
        thread = threading.Thread(target=stubborn, daemon=True)
        thread.start()
        try:
            thread.join()
        except SimulatedHang:
            print("main goes on")
        try:
            thread.join()
        except SimulatedHang:
            print("and on")
    """)
    assert (code, out, err) == (0, "main goes on\nand on\n", "")


def test_a_circle_of_locks_is_told_lock_by_lock() -> None:
    code, out, err = run("""
        import threading, time
        a, b = threading.Lock(), threading.Lock()
        def work():
            with b:
                time.sleep(0.1)
                with a:
                    pass
        thread = threading.Thread(target=work, name="other", daemon=True)
        thread.start()
        with a:
            time.sleep(0.1)
            b.acquire()
    """)
    assert (code, out) == (1, "")
    assert "T0 (main): waits for lock L1 held by T1 (other) at <string>:14\n" in err
    assert "T1 (other): waits for lock L2 held by T0 (main) at <string>:8\n" in err


def test_a_lock_whose_holder_has_ended_is_a_hang() -> None:
    code, out, err = run("""
        import threading
        lock = threading.Lock()
        thread = threading.Thread(target=lock.acquire)
        thread.start()
        thread.join()
        lock.acquire()
    """)
    assert (code, out) == (1, "")
    assert "T0 (main): waits for lock L1 held by a thread that has ended at <string>:8\n" in err
