"""What counts as decided by this run: nondeterminism points, and sync races on streams that threads share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ascend_sim import Block, kernel
from ascend_sim import ascendcl as C
from ascend_sim.observers.races.nondeterminism import WORDS, NondeterminismPoints
from tests.kit.calls import must, simulator
from tests.kit.forks import ascend_sim

HEAD = """
import queue, threading
import acl

def must(result):
    value, code = (result[0], result[-1]) if isinstance(result, tuple) else (None, result)
    assert code == 0, code
    return value

must(acl.init())
must(acl.rt.set_device(0))
context = must(acl.rt.get_context())
s = must(acl.rt.create_stream())
p, q = (must(acl.rt.malloc(64, 0)) for _ in range(2))
"""
TAIL = """
must(acl.rt.synchronize_stream(s))
must(acl.rt.free(p)); must(acl.rt.free(q)); must(acl.rt.destroy_stream(s))
must(acl.rt.reset_device(0)); must(acl.finalize())
"""


@kernel
def slow(b: Block) -> None:
    """Nothing, for three seconds."""
    b.cost(3_000_000_000)


def run(tmp_path: Path, body: str) -> tuple[list[str], dict[str, int]]:
    """The kinds of findings of a program, and its nondeterminism points."""
    program, out = tmp_path / "program.py", tmp_path / "out.json"
    program.write_text(HEAD + body + TAIL)
    done = ascend_sim("run", "--json", out, program)
    assert done.returncode in (0, 1), done.stderr
    told = json.loads(out.read_text())
    return [f["kind"] for f in told["findings"]], told["run"].get("order_marks") or {}


WORKER = """
def work():
    must(acl.rt.set_context(context))
    must(acl.rt.memset(p, 64, 1, 64))
    {last}

worker = threading.Thread(target=work)
"""
PROGRAMS = {
    "threads that only start and end": (
        WORKER.format(last="pass") + "worker.start(); must(acl.rt.memset(q, 64, 1, 64)); worker.join()\n"
        "must(acl.rt.memset(p, 64, 2, 64))",
        [], [],
    ),
    "an event that is seen set orders what comes after": (
        "done = threading.Event()" + WORKER.format(last="done.set()") + "worker.start()\n"
        "while not done.is_set(): pass\n"
        "must(acl.rt.memset(p, 64, 2, 64)); worker.join()",
        [], ["poll"],
    ),
    "an event that was not asked does not": (
        "done = threading.Event()" + WORKER.format(last="done.set()") + "worker.start()\n"
        "must(acl.rt.memset(p, 64, 2, 64)); worker.join()",
        ["race"], [],
    ),
    "a thread that is seen to have ended": (
        WORKER.format(last="pass") + "worker.start()\n"
        "while worker.is_alive(): pass\n"
        "must(acl.rt.memset(p, 64, 2, 64))",
        [], ["poll"],
    ),
    "a counter under a lock": (
        "lock, turns = threading.Lock(), []\n"
        "def take():\n    with lock: turns.append(len(turns)); return len(turns)\n"
        + WORKER.format(last="take()") + "worker.start(); take(); worker.join()",
        [], ["lock"],
    ),
    "a lock that is taken before the thread starts and given back after it": (
        "lock = threading.Lock()\nlock.acquire()\n"
        + WORKER.format(last="assert not lock.acquire(False) and lock.locked()")
        + "worker.start(); worker.join(); lock.release()",
        [], [],
    ),
    "a lock that may be given back before": (
        "lock = threading.Lock()\nlock.acquire()\n"
        + WORKER.format(last="lock.acquire(False) and lock.release()") + "worker.start(); lock.release(); worker.join()",
        [], ["lock"],
    ),
    "a lock that may be taken later": (
        "lock, seen = threading.Lock(), []\n"
        + WORKER.format(last="lock.acquire()") + "worker.start(); seen.append(lock.locked()); worker.join()",
        [], ["lock"],
    ),
    "an event that nobody sets any more": (
        "done = threading.Event()" + WORKER.format(last="assert not done.is_set()")
        + "worker.start(); worker.join(); done.set()",
        [], [],
    ),
    "an event that was set before": (
        "done = threading.Event(); done.set()" + WORKER.format(last="assert done.is_set()")
        + "worker.start(); worker.join(); done.clear()",
        [], [],
    ),
    "a flag that ends a loop": (
        "going = threading.Event(); going.set()\n"
        "def work():\n    must(acl.rt.set_context(context))\n    while going.is_set(): pass\n"
        "worker = threading.Thread(target=work); worker.start(); going.clear(); worker.join()",
        [], ["poll"],
    ),
    "a thread that waits for the question": (
        "go = threading.Event()" + WORKER.format(last="go.wait()")
        + "worker.start(); assert worker.is_alive(); go.set(); worker.join(); assert not worker.is_alive()",
        [], ["lock"],  # that of the event itself
    ),
    "a queue that fills later": (
        "items = queue.SimpleQueue()" + WORKER.format(last="items.put(1)")
        + "worker.start(); items.qsize(); worker.join()",
        [], ["poll"],
    ),
    "a queue whose item is seen": (
        "items = queue.SimpleQueue()" + WORKER.format(last="items.put(1)")
        + "worker.start()\nwhile items.empty(): pass\nmust(acl.rt.memset(p, 64, 2, 64)); worker.join()",
        [], ["poll"],
    ),
    "a queue of locks whose item is seen": (
        "items = queue.Queue()" + WORKER.format(last="items.put(1)")
        + "worker.start()\nwhile items.empty(): pass\nmust(acl.rt.memset(p, 64, 2, 64)); worker.join()",
        [], ["lock"],
    ),
    "a queue that nobody fills before the question": (
        "items = queue.SimpleQueue()\n"
        "def work():\n    must(acl.rt.set_context(context))\n"
        "    try: items.get_nowait()\n    except queue.Empty: pass\n    assert items.empty()\n"
        "worker = threading.Thread(target=work); worker.start(); worker.join(); items.put(1); assert items.qsize() == 1",
        [], [],
    ),
    "a future that is asked whether it is done": (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "def work():\n    must(acl.rt.set_context(context)); must(acl.rt.memset(p, 64, 1, 64))\n"
        "with ThreadPoolExecutor(1) as pool:\n    later = pool.submit(work)\n    while not later.done(): pass\n"
        "    must(acl.rt.memset(p, 64, 2, 64))",
        [], ["lock"],
    ),
    "a queue that stays empty": (
        "items = queue.SimpleQueue()\n"
        "try: items.get(timeout=0.01)\nexcept queue.Empty: pass",
        [], ["time limit"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_threads(tmp_path: Path, name: str) -> None:
    body, kinds, marks = PROGRAMS[name]
    found, marked = run(tmp_path, body)
    assert found == kinds and set(marks) <= set(marked) and bool(marks) == bool(marked)
    assert ("poll" in marks) == ("poll" in marked)


sim = simulator(checks="races", soc="Ascend950PR_9599")


def counts(sim: Any) -> dict[str, int]:
    """The nondeterminism points of the run, by kind."""
    return sim.checks.races.nondeterminism.counts  # type: ignore[no-any-return]


def test_a_stream_that_is_asked_after_a_wait_answers_nothing_new(sim: Any) -> None:
    s, t = must(C.aclrtCreateStream()), must(C.aclrtCreateStream())
    assert must(C.aclrtStreamQuery(s)) == 0
    slow[1, t]()
    must(C.aclrtSynchronizeStream(t))
    assert must(C.aclrtStreamQuery(t)) == 0 and not counts(sim)
    slow[1, t]()
    while must(C.aclrtStreamQuery(t)):
        pass
    assert counts(sim)["poll"] > 1


def test_a_record_on_a_stream_without_work_is_asked_for(sim: Any) -> None:
    s, t = must(C.aclrtCreateStream()), must(C.aclrtCreateStream())
    first, second = (must(C.aclrtCreateEventExWithFlag(1)) for _ in range(2))
    must(C.aclrtRecordEvent(first, s))
    must(C.aclrtRecordEvent(second, t))
    must(C.aclrtSynchronizeEvent(second))
    must(C.aclrtSynchronizeStream(t))
    while must(C.aclrtQueryEventStatus(first)) != 1:
        pass
    asked = counts(sim)["poll"]
    must(C.aclrtQueryEventStatus(first))
    assert asked and counts(sim)["poll"] == asked


def test_a_limit_on_the_device_that_passes_is_marked(sim: Any) -> None:
    s, notify = must(C.aclrtCreateStream()), must(C.aclrtCreateNotify(0))
    must(C.aclrtWaitAndResetNotify(notify, s, 1))
    assert C.aclrtSynchronizeStream(s) == 107020
    assert counts(sim) == {"time limit": 1}


@pytest.mark.parametrize("ordered", [True, False])
def test_a_notify_that_the_host_clears(sim: Any, ordered: bool) -> None:
    s, t, notify = must(C.aclrtCreateStream()), must(C.aclrtCreateStream()), must(C.aclrtCreateNotify(0))
    for _ in range(2):
        must(C.aclrtRecordNotify(notify, s))
        if ordered:
            must(C.aclrtSynchronizeStream(s))
            must(C.aclrtNotifyBatchReset([notify], 1))
    if not ordered:
        must(C.aclrtNotifyBatchReset([notify], 1))
    must(C.aclrtRecordNotify(notify, s))
    must(C.aclrtWaitAndResetNotify(notify, t, 0))
    must(C.aclrtSynchronizeStream(t))
    assert {f.kind for f in sim.findings} == (set() if ordered else {"sync-race"})


def test_two_records_that_merge_and_two_waits(sim: Any) -> None:
    s, t, notify = must(C.aclrtCreateStream()), must(C.aclrtCreateStream()), must(C.aclrtCreateNotify(0))
    event = must(C.aclrtCreateEventExWithFlag(1))
    for number in (2, 1):
        for _ in range(number):
            must(C.aclrtRecordNotify(notify, s))
        must(C.aclrtRecordEvent(event, s))
        must(C.aclrtStreamWaitEvent(t, event))
        must(C.aclrtWaitAndResetNotify(notify, t, 0))
        must(C.aclrtRecordEvent(event, t))
        must(C.aclrtStreamWaitEvent(s, event))
    must(C.aclrtSynchronizeStream(s))
    assert not list(sim.findings)


def test_a_record_that_ran_unseen_covers_what_came_before_it_only(sim: Any) -> None:
    """Waits bound to old records, after the streams went on."""
    a, b, c = (must(C.aclrtCreateStream()) for _ in range(3))
    p, q = (must(C.aclrtMalloc(64, 0)) for _ in range(2))
    first, second, back = (must(C.aclrtCreateEventExWithFlag(1)) for _ in range(3))

    def write(block: int, stream: int) -> None:
        must(C.aclrtMemsetAsync(block, 64, 1, 64, stream))

    write(p, a)
    must(C.aclrtRecordEvent(first, a))
    write(q, b)
    must(C.aclrtRecordEvent(second, b))
    must(C.aclrtStreamWaitEvent(a, second))
    write(q, a)
    must(C.aclrtStreamWaitEvent(c, first))
    write(p, c)  # after the first write of a
    must(C.aclrtSynchronizeStream(c))
    assert not list(sim.findings)
    write(q, c)  # but not after b and the second of a
    must(C.aclrtRecordEvent(back, c))
    must(C.aclrtSynchronizeDevice())
    assert [f.kind for f in sim.findings] == ["race"]


def test_one_is_not_many() -> None:
    points = NondeterminismPoints()
    assert not points and points.text() == ""
    points.add("poll", None)
    assert points.text() == "order marks: 1 query whose answer depends on time"
    points.add("poll", None)
    points.add("full queue", None)
    assert points.text() == "order marks: 2 queries whose answer depends on time, 1 call that waited for room"
    assert all(one != more for one, more in WORDS.values())
