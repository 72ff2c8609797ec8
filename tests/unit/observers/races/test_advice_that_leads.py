"""What a race report says to do: independent errors, accesses of other threads, flags of an older round."""

from __future__ import annotations

import pytest

from ascend_sim.findings.finding import Finding
from ascend_sim.findings.rendering import summary
from ascend_sim.findings.sarif import sarif
from tests.kit.texts import findings_of

HEAD = """\
N = 4096
a, _ = C.aclrtMalloc(N, 0)
b, _ = C.aclrtMalloc(N, 0)
c, _ = C.aclrtMalloc(N, 0)
d, _ = C.aclrtMalloc(N, 0)
s, _ = C.aclrtCreateStream()
t, _ = C.aclrtCreateStream()
h, _ = C.aclrtMallocHost(N)
"""


def races(name: str, body: str) -> list[Finding]:
    return [f for f in findings_of(name, HEAD + body) if f.kind in ("race", "use-after-free")]


def test_a_race_on_another_block_is_an_error_of_its_own() -> None:
    found = races("own", (
        "C.aclrtMemsetAsync(a, N, 1, N, s)\nC.aclrtMemsetAsync(b, N, 1, N, s)\n"
        "C.aclrtMemcpyAsync(c, N, a, N, 3, t)\nC.aclrtMemcpyAsync(d, N, b, N, 3, t)\n"
    ))  # fmt: skip
    assert [f.title.split()[5] for f in found] == ["`a`", "`b`"]
    assert not any(f.followers or f.cause for f in found)
    assert summary(found).startswith("ascend-sim: 2 errors;")
    assert len(sarif(found, "/", {})["runs"][0]["results"]) == 2


def test_a_race_that_one_wait_would_end_with_the_first_follows_it() -> None:
    (race,) = races("covered", (
        "C.aclrtMemsetAsync(a, N, 1, N, s)\n"
        "C.aclrtMemcpyAsync(c, N, a, N, 3, t)\nC.aclrtMemcpyAsync(d, N, a, N, 3, t)\n"
    ))  # fmt: skip
    assert len(race.followers) == 1


def test_a_race_with_a_later_task_is_not_explained() -> None:
    found = races("not_covered", (
        "C.aclrtMemsetAsync(a, 64, 1, 64, s)\nC.aclrtMemsetAsync(a + 64, 64, 1, 64, s)\n"
        "C.aclrtMemcpyAsync(c, N, a, N, 3, t)\n"
    ))  # fmt: skip
    assert len(found) == 2
    assert not any(f.followers for f in found)


def test_the_first_cause_is_the_earliest_call() -> None:
    found = findings_of("earliest", HEAD + (
        "C.aclrtMemsetAsync(a, N, 1, N, s)\nC.aclrtMemcpyAsync(h, N, a, N, 2, s)\n"
        "acl.util.ptr_to_bytes(h, 4)\n"
        "C.aclrtFree(a)\nC.aclrtFreeHost(h)\n"
    ))  # fmt: skip
    errors = [f for f in found if f.severity == "error"]
    assert errors[0].kind == "use-after-free"
    assert "first cause F4 race at /virtual/earliest.py:11" in summary(errors)


@pytest.mark.parametrize(
    ("first", "kind"),
    [
        ("C.aclrtMemcpyAsync(h, N, b, N, 2, s)", "uninitialised-read"),
        ("C.aclrtMemsetAsync(b, N, 1, N, s); C.aclrtMemsetAsync(b, N, 1, N, t)", "race"),
        ("C.aclrtFree(d); C.aclrtFree(d)", "double-free"),
        ("C.aclrtMemsetAsync(d, N, 1, N, s); C.aclrtFree(d)", "use-after-free"),
    ],
)
@pytest.mark.parametrize("second", ["C.aclrtFree(c); C.aclrtFree(c)", "C.aclrtMemcpy(h, N, c, N, 2)"])
def test_the_first_cause_is_the_earlier_of_two_kinds(first: str, kind: str, second: str) -> None:
    errors = [f for f in findings_of(f"two_{kind}", HEAD + f"{first}\n{second}\n") if f.severity == "error"]
    assert len(errors) >= 2
    assert f" {kind} at /virtual/two_{kind}.py:9\n" in summary(errors)


HANDED_BY = {
    "a condition": """
condition, filled = threading.Condition(), False
def refill():
    C.aclrtSetCurrentContext(context)
    global filled
    for i in range(2):
        with condition:
            condition.wait_for(lambda: not filled)
            {wait}C.aclrtMemset(h, N, i, N)
            filled = True
            condition.notify()
thread = threading.Thread(target=refill)
thread.start()
for i in range(2):
    with condition:
        condition.wait_for(lambda: filled)
        C.aclrtMemcpyAsync(a, N, h, N, 1, s)
        filled = False
        condition.notify()
thread.join()
""",
    "events": """
full, free = threading.Event(), threading.Event()
free.set()
def refill():
    C.aclrtSetCurrentContext(context)
    for i in range(2):
        free.wait(); free.clear()
        {wait}C.aclrtMemset(h, N, i, N)
        full.set()
thread = threading.Thread(target=refill)
thread.start()
for i in range(2):
    full.wait(); full.clear()
    C.aclrtMemcpyAsync(a, N, h, N, 1, s)
    free.set()
thread.join()
""",
    "semaphores": """
full, free = threading.Semaphore(0), threading.Semaphore(1)
def refill():
    C.aclrtSetCurrentContext(context)
    for i in range(2):
        free.acquire()
        {wait}C.aclrtMemset(h, N, i, N)
        full.release()
thread = threading.Thread(target=refill)
thread.start()
for i in range(2):
    full.acquire()
    C.aclrtMemcpyAsync(a, N, h, N, 1, s)
    free.release()
thread.join()
""",
    "futures": """
from concurrent.futures import ThreadPoolExecutor
def refill(i):
    C.aclrtSetCurrentContext(context)
    {wait}C.aclrtMemset(h, N, i, N)
with ThreadPoolExecutor(1) as pool:
    for i in range(2):
        pool.submit(refill, i).result()
        C.aclrtMemcpyAsync(a, N, h, N, 1, s)
""",
}


@pytest.mark.parametrize("how", HANDED_BY)
def test_the_access_that_did_not_wait_stands_first_however_memory_is_handed_over(how: str) -> None:
    text = "import threading\ncontext, _ = C.aclrtGetCurrentContext()\n" + HANDED_BY[how]
    (race,) = races(f"by_{how.replace(' ', '_')}", text.format(wait=""))
    assert race.primary is not None
    assert race.primary.frames[0].function == "refill"
    assert race.fix.endswith("aclrtSynchronizeStream(s)")
    assert not races(f"by_{how.replace(' ', '_')}_right", text.format(wait="C.aclrtSynchronizeStream(s); "))


STAGING = """
import queue, threading
context, _ = C.aclrtGetCurrentContext()
free, filled = queue.{kind}(), queue.{kind}()
free.put(h)
def loader():
    C.aclrtSetCurrentContext(context)
    for i in range(2):
        staging = free.get()
        {write}
        filled.put(staging)
thread = threading.Thread(target=loader)
thread.start()
for i in range(2):
    staging = filled.get()
    C.aclrtMemcpyAsync(a, N, staging, N, 1, s)
    {wait}free.put(staging)
thread.join()
"""


@pytest.mark.parametrize("kind", ["Queue", "LifoQueue", "SimpleQueue"])
@pytest.mark.parametrize("write", ["C.aclrtMemset(staging, N, i, N)", "C.aclrtMemcpy(staging, N, bytes(N), N, 0)"])
def test_the_access_that_did_not_wait_stands_first(kind: str, write: str) -> None:
    (race,) = races(f"staging_{kind}", STAGING.format(kind=kind, write=write, wait=""))
    assert race.primary is not None
    assert race.primary.frames[0].function == "loader"
    assert "has not waited for `s`" in race.order
    assert race.fix.endswith("aclrtSynchronizeStream(s)")
    assert not races(f"staging_{kind}_right", STAGING.format(
        kind=kind, write=write, wait="C.aclrtSynchronizeStream(s); "
    ))  # fmt: skip


ROUNDS = """
{made}
done, _ = C.aclrtCreateEventExWithFlag(1)
C.aclrtMemset(b, 64, 0, 64)
for i in range(3):
    C.aclrtMemsetAsync(a, N, i, N, s)
    {record}
    {wait}
    C.aclrtMemcpyAsync(c, N, a, N, 3, t)
    {reset}
    C.aclrtRecordEvent(done, t)
    C.aclrtStreamWaitEvent(s, done)
"""
WITH_FLAG = {
    "made": "ready, _ = C.aclrtCreateEventWithFlag(1)", "record": "C.aclrtRecordEvent(ready, s)",
    "wait": "C.aclrtStreamWaitEvent(t, ready)", "reset": "",
}  # fmt: skip
VALUE = {
    "made": "", "record": "C.aclrtValueWrite(b, 1, 0, s)", "wait": "C.aclrtValueWait(b, 1, 0, t)", "reset": "",
}  # fmt: skip


def test_a_flag_of_an_older_round_lets_the_wait_pass() -> None:
    race = races("flag", ROUNDS.format(**WITH_FLAG))[0]
    assert "of round 2 was passed by the record at line 15 of round 1: `ready` was still set" in race.order
    assert "reset `ready` after the wait at line 16" in race.fix
    assert "move the record" not in race.fix
    assert race.fix.endswith("aclrtResetEvent(ready, t)")


def test_a_value_of_an_older_round_lets_the_wait_pass() -> None:
    race = races("value", ROUNDS.format(**VALUE))[0]
    assert "of round 2 was passed by the write at line 15 of round 1: the value in `b` was still there" in race.order
    assert "aclrtValueWrite(b, i + 1, 0, s)\naclrtValueWait(b, i + 1, 0, t)" in race.fix


@pytest.mark.parametrize(
    "cure",
    [
        {**WITH_FLAG, "reset": "C.aclrtResetEvent(ready, t)"},
        {**WITH_FLAG, "made": "ready, _ = C.aclrtCreateEventExWithFlag(1)"},
        {**VALUE, "record": "C.aclrtValueWrite(b, i + 1, 0, s)", "wait": "C.aclrtValueWait(b, i + 1, 0, t)"},
    ],
)
def test_the_cures_that_are_named_are_cures(cure: dict[str, str]) -> None:
    assert not races("cured", ROUNDS.format(**cure))


UNORDERED = """
import threading
context, _ = C.aclrtGetCurrentContext()
C.aclrtMemset(a, N, 0, N)
def other():
    C.aclrtSetCurrentContext(context)
    {access}
thread = threading.Thread(target=other)
{before}
C.aclrtMemcpyAsync({to}, N, {source}, N, {kind}, s)
{after}
"""
READS = {"access": "acl.util.ptr_to_bytes(h, 4)", "to": "h", "source": "a", "kind": 2}
WRITES = {"access": "C.aclrtMemset(h, N, 7, N)", "to": "a", "source": "h", "kind": 1}


@pytest.mark.parametrize("access", [READS, WRITES])
def test_the_access_that_nothing_orders_with_the_submit_stands_first(access: dict[str, object]) -> None:
    (race,) = races("unordered", UNORDERED.format(**access, before="thread.start()", after="thread.join()"))
    assert race.primary is not None
    assert race.primary.frames[0].function == "other"
    assert "has not waited for `s`, and nothing orders it with the submit in T0 (main) at line 18" in race.order
    assert (
        "hand the memory over after line 18 (a queue, a lock, join), and wait for the copy before line 15" in race.fix
    )
    assert race.fix.endswith("(s)  # before line 15")
    for before, after in (  # both cures are cures
        ("thread.start(); thread.join()", ""), ("", "C.aclrtSynchronizeStream(s); thread.start(); thread.join()"),
    ):  # fmt: skip
        assert not races("unordered_right", UNORDERED.format(**access, before=before, after=after))


HANDED = """
import queue, threading
context, _ = C.aclrtGetCurrentContext()
{made}
done, _ = C.aclrtCreateEventExWithFlag(1)
C.aclrtMemset(b, 64, 0, 64)
go, back = queue.Queue(), queue.Queue()
def consumer():
    C.aclrtSetCurrentContext(context)
    for i in range(3):
        go.get()
        {wait}
        C.aclrtMemcpyAsync(c, N, a, N, 3, t)
        {reset}
        C.aclrtRecordEvent(done, t)
        back.put(i)
thread = threading.Thread(target=consumer)
thread.start()
for i in range(3):
    C.aclrtMemsetAsync(a, N, i, N, s)
    {record}
    go.put(i)
    back.get()
    C.aclrtStreamWaitEvent(s, done)
thread.join()
"""


@pytest.mark.parametrize(
    ("how", "passed", "cure"),
    [
        (WITH_FLAG, "`ready` was still set", "aclrtResetEvent(ready, t)"),
        (VALUE, "the value in `b` was still there", "aclrtValueWait(b, i + 1, 0, t)"),
    ],
)
def test_rounds_of_two_threads_are_told_apart(how: dict[str, str], passed: str, cure: str) -> None:
    race = races("handed", HANDED.format(**how))[0]
    assert f"of round 2 was passed by the {'record' if how is WITH_FLAG else 'write'} at line" in race.order
    assert passed in race.order
    assert race.fix.endswith(cure)
    right = {**how, "reset": "C.aclrtResetEvent(ready, t)"} if how is WITH_FLAG else {
        **how, "record": "C.aclrtValueWrite(b, i + 1, 0, s)", "wait": "C.aclrtValueWait(b, i + 1, 0, t)",
    }  # fmt: skip
    assert not races("handed_right", HANDED.format(**right))


NOTIFY = """
n, _ = C.aclrtCreateNotify(0)
{before}
{record_first}C.aclrtMemsetAsync(a, N, 1, N, s)
{record}
{wait}
C.aclrtMemcpyAsync(c, N, a, N, 3, t)
{wait_last}
"""
RECORD, WAIT = "C.aclrtRecordNotify(n, s)", "C.aclrtWaitAndResetNotify(n, t, 0)"


@pytest.mark.parametrize(
    ("changed", "order", "fix"),
    [
        ({"before": RECORD}, "the wait at line 14 was passed by the record at line 11: no wait had taken `n` since; it did "
         "not wait for the record at line 13", "leave out the record at line 11, or let a wait of its own take it"),
        ({"wait": "", "wait_last": WAIT}, "the wait at line 16 comes after the access at line 15",
         "move the wait before line 15"),
        ({"wait": ""}, "`n` is recorded at line 13, but `t` does not wait for it",
         "before line 15:\naclrtWaitAndResetNotify(n, t, 0)"),
        ({"record_first": f"{RECORD}; ", "record": ""}, "for the record at line 12: before line 12",
         "move the record after line 12, and the wait after it"),
    ],
)  # fmt: skip
def test_what_was_wrong_with_a_notify(changed: dict[str, str], order: str, fix: str) -> None:
    right = {"before": "", "record_first": "", "record": RECORD, "wait": WAIT, "wait_last": ""}
    race = next(f for f in races("notify", NOTIFY.format(**{**right, **changed})) if f.kind == "race")
    assert order in race.order
    assert race.fix.startswith(fix)
    assert not races("notify_right", NOTIFY.format(**right))
