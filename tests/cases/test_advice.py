"""Which call is named as the missing one: waits for values, host functions, waits that came too early, eager schedules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C

H2H, H2D, D2H, D2D = range(4)
SCHEDULES = ["virtual-time", "late", "early", "random(1)", "random(2)"]


@pytest.fixture(params=SCHEDULES)
def w(request: pytest.FixtureRequest, world: Any) -> Iterator[Any]:
    """One device, all checks, each schedule."""
    with Simulator(checks="all", schedule=request.param, soc="Ascend950PR_9599") as sim:
        made = world(sim)
        made.must(C.aclrtSetDevice(0))
        yield made


def event(w: Any) -> int:
    return w.must(C.aclrtCreateEventExWithFlag(1))  # type: ignore[no-any-return]


def test_a_stale_record_is_named_though_all_of_it_is_done_already(w: Any) -> None:
    """MEM-04 where the device is ahead of the host: the wait that brought B behind A was dropped, its record was done."""
    a, b, c, x, source = w.stream(), w.stream(), w.stream(), w.malloc(), w.malloc(64, 1)
    first, second = event(w), event(w)
    w.must(C.aclrtMemcpyAsync(x, 64, source, 64, D2D, a))  # <write>
    w.must(C.aclrtRecordEvent(first, a))
    w.must(C.aclrtRecordEvent(second, b))  # <record>
    w.must(C.aclrtStreamWaitEvent(b, first))  # <merge>
    w.must(C.aclrtStreamWaitEvent(c, second))  # <wait>
    w.must(C.aclrtMemsetAsync(x, 64, 2, 64, c))  # <again>
    w.must(C.aclrtSynchronizeDevice())
    finding = w.expect(
        "race", "record `second` again on `b` after `b`'s wait", access="again", other="write", sync="record", wait="wait"
    )
    assert finding.fix.endswith("aclrtRecordEvent(second, b)")


def test_a_value_that_was_written_too_early(w: Any) -> None:
    p, q, flag, data, out = w.stream(), w.stream(), w.malloc(16, 0), w.malloc(), w.malloc()
    w.must(C.aclrtValueWrite(flag + 8, 1, 0, p))  # <early>
    w.slow_fill[1, p](data, 1, 64)  # <write>
    w.must(C.aclrtValueWait(flag + 8, 1, 0, q))  # <wait>
    w.copy[1, q](out, data, 64)  # <read>
    w.must(C.aclrtSynchronizeDevice())
    finding = w.expect("race", "`q` last waited for `p`", access="read", other="write", sync="early", wait="wait")
    assert finding.fix.startswith("move the write after line")
    assert "aclrtValueWrite(flag + 8, 1, 0, p)\naclrtValueWait(flag + 8, 1, 0, q)" in finding.fix


def test_a_value_that_another_stream_wrote(w: Any) -> None:
    p, q, x, flag, data, out = w.stream(), w.stream(), w.stream(), w.malloc(8, 0), w.malloc(), w.malloc()
    w.slow_fill[1, p](data, 1, 64)  # <write>
    w.must(C.aclrtValueWrite(flag, 1, 0, x))  # <other>
    w.must(C.aclrtValueWait(flag, 1, 0, q))  # <wait>
    w.copy[1, q](out, data, 64)  # <read>
    w.must(C.aclrtSynchronizeDevice())
    w.expect(
        "race", "the value in `flag`", "was written on `x`", "not on `p`",
        access="read", other="write", sync="other", wait="wait",
    )  # fmt: skip


def test_a_host_function_of_a_stream_that_does_not_wait(w: Any) -> None:
    """Who reads is the runtime's own thread, but the order is missing between the two streams."""
    s, t, h, out, d = w.stream(), w.stream(), w.host(), w.host(), w.malloc(64, 1)
    w.must(C.aclrtMemcpyAsync(h, 64, d, 64, D2H, s))  # <copy>
    w.slow[1, t]()
    w.must(C.aclrtLaunchHostFunc(t, lambda _: C.aclrtMemcpy(out, 64, h, 64, H2H), None))  # <read>
    w.must(C.aclrtSynchronizeDevice())
    finding = w.expect("race", "`t` has never waited for `s`", "record on `s`", "wait on `t`", access="read", other="copy")
    assert finding.fix.endswith("aclrtRecordEvent(ready, s)\naclrtStreamWaitEvent(t, ready)")


def test_a_copy_into_what_a_host_function_of_another_stream_reads(w: Any) -> None:
    s, t, h, out, d = w.stream(), w.stream(), w.host(), w.host(), w.malloc(64, 1)
    w.sim.hold(t)  # threads run free here: a function that has run is taken to be waited for, somehow
    w.must(C.aclrtLaunchHostFunc(t, lambda _: C.aclrtMemcpy(out, 64, h, 64, H2H), None))  # <read>
    w.slow[1, s]()
    w.must(C.aclrtMemcpyAsync(h, 64, d, 64, D2H, s))  # <copy>
    w.sim.release(t)
    w.must(C.aclrtSynchronizeDevice())
    w.expect("race", "`s` has never waited for `t`", "record on `t`", "wait on `s`", access="copy", other="read")


def test_a_wait_that_came_before_work_and_record(w: Any) -> None:
    s, t, e, data, out = w.stream(), w.stream(), event(w), w.malloc(), w.malloc()
    w.must(C.aclrtStreamWaitEvent(t, e))  # <early>
    w.slow_fill[1, s](data, 1, 64)  # <write>
    w.must(C.aclrtRecordEvent(e, s))  # <record>
    w.copy[1, t](out, data, 64)  # <read>
    w.must(C.aclrtSynchronizeDevice())
    w.expect(
        "race", "did nothing: `e` had not been recorded", "move the wait behind the record",
        access="read", other="write", wait="early", sync="record",
    )  # fmt: skip


def test_two_calls_of_one_function_are_told_by_their_callers(w: Any) -> None:
    a, b, data = w.stream(), w.stream(), w.malloc()

    def clear(stream: int) -> None:
        w.must(C.aclrtMemsetAsync(data, 64, 0, 64, stream))  # <clear>

    clear(a)
    clear(b)
    w.must(C.aclrtSynchronizeDevice())
    finding = w.expect("race", access="clear", other="clear")
    first, second = (site.frames[1].line for site in sorted(finding.sites[:2], key=lambda site: site.frames[1].line))
    assert second == first + 1
    assert f"record on `a` after line {first}, wait on `b` before line {second}" in finding.fix


def test_a_value_that_a_memset_of_another_stream_made(w: Any) -> None:
    p, q, flag, data, out = w.stream(), w.stream(), w.malloc(8, 0), w.malloc(), w.malloc()
    w.must(C.aclrtMemsetAsync(flag, 1, 1, 1, p))  # <early>
    w.slow_fill[1, p](data, 1, 64)  # <write>
    w.must(C.aclrtValueWait(flag, 1, 0, q))  # <wait>
    w.copy[1, q](out, data, 64)  # <read>
    w.must(C.aclrtSynchronizeDevice())
    w.expect("race", "`q` last waited for `p`", access="read", other="write", sync="early", wait="wait")
