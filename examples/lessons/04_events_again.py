"""Lesson 4. Events again: kinds, and reuse

An event may be recorded again and again. Which record does a wait mean then? There are four kinds of events, by the call
that creates them, and they differ in more than the name. This program asks each kind the same questions.

    ascend-sim run 04_events_again.py
"""

from collections.abc import Callable
from typing import Any

import acl

SYNC, TIME_LINE = 1, 8
DEVICE_TO_HOST = 2


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


must(acl.init())
must(acl.rt.set_device(0))
producer = must(acl.rt.create_stream())
consumer = must(acl.rt.create_stream())
KINDS: dict[str, Callable[[], Any]] = {
    "create_event()": acl.rt.create_event,
    "create_event_with_flag(SYNC)": lambda: acl.rt.create_event_with_flag(SYNC),
    "create_event_ex_with_flag(SYNC)": lambda: acl.rt.create_event_ex_with_flag(SYNC),
    "create_event_with_flag(TIME_LINE)": lambda: acl.rt.create_event_with_flag(TIME_LINE),
}

# Question 1: what does a wait do before anything was recorded?
# The first kind refuses (107000). The second one queues the wait, and the stream stands still until somebody records. The
# third one answers 0 and does nothing: an order that is written down and not there. The last kind is for time only.
# Two of these uses are so likely to be mistakes that the simulator warns.
rows = []
for name, create in KINDS.items():
    event = must(create())
    early = acl.rt.stream_wait_event(consumer, event)
    waits = must(acl.rt.stream_query(consumer)) == 1
    record = acl.rt.record_event(event, producer)
    wait = acl.rt.stream_wait_event(consumer, event)
    must(acl.rt.synchronize_stream(consumer))
    # Question 2: can it be used again by a reset? Only the second kind: it is one flag that stays up until it is reset.
    reset = acl.rt.reset_event(event, consumer)
    must(acl.rt.synchronize_stream(consumer))
    rows.append(f"{name:34} {early:>6}{', it waits' if waits else '':10} {record:>8} {wait:>8} {reset:>8}")
    must(acl.rt.destroy_event(event))
print(f"{'':34} {'wait, unrecorded':16} {'record':>8} {'wait':>8} {'reset':>8}", *rows, sep="\n")

# Question 3: which record does a wait mean?
# Kinds one and three: the one that is the latest when the host calls stream_wait_event. Recording the event again moves
# no wait that is queued already.
SIZE = 64 << 20
buffer = must(acl.rt.malloc(SIZE, 0))
host = must(acl.rt.malloc_host(8))
event = must(acl.rt.create_event_ex_with_flag(SYNC))
must(acl.rt.memset_async(buffer, SIZE, 0xAA, SIZE, producer))
must(acl.rt.record_event(event, producer))
must(acl.rt.stream_wait_event(consumer, event))  # for the record one line up
must(acl.rt.memcpy_async(host, 8, buffer, 8, DEVICE_TO_HOST, consumer))
must(acl.rt.record_event(event, producer))  # for those who come later
must(acl.rt.synchronize_stream(consumer))
print("the wait saw its own record:", acl.util.ptr_to_bytes(host, 4).hex())

# Question 4: how long did it take? Two events around the work, in one stream; the answer is in milliseconds of the device.
# Here that is virtual time: the same on every machine, every time. Every kind with a time line can do it.
begin, end = must(acl.rt.create_event()), must(acl.rt.create_event())
must(acl.rt.record_event(begin, producer))
must(acl.rt.memset_async(buffer, SIZE, 0xBB, SIZE, producer))
must(acl.rt.record_event(end, producer))
print("elapsed, too early:", acl.rt.event_elapsed_time(begin, end)[1])
must(acl.rt.synchronize_event(end))
print(f"elapsed: {must(acl.rt.event_elapsed_time(begin, end)):.3f} ms for {SIZE >> 20} MiB")

# Asking without waiting. Beware: the old call and the new one number their answers in opposite ways.
print("complete is", must(acl.rt.query_event(end)), "for query_event,",
      must(acl.rt.query_event_status(end)), "for query_event_status")  # fmt: skip

for used in (event, begin, end):
    must(acl.rt.destroy_event(used))
must(acl.rt.free_host(host))
must(acl.rt.free(buffer))
must(acl.rt.destroy_stream(consumer))
must(acl.rt.destroy_stream(producer))
must(acl.rt.reset_device(0))
must(acl.finalize())

# Try it:
# - In question 3, delete the first record_event. What is the code of the wait now, and what does the simulator say?
# - Then make the event with create_event() instead. The same mistake gets a code.
# - In question 1, leave out `record` for the second kind: nobody ever raises the flag. On a device the program hangs.
