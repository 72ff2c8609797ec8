"""Lesson 3. Events: record here, wait there

Two streams are two queues, and nothing makes one wait for the other. An *event* does: it is recorded in one stream, behind
the work that counts, and another stream, or the host, waits for it. The host is not held up by either.

    ascend-sim run 03_events.py
"""

from typing import Any

import acl

SIZE = 16 << 20
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
data = must(acl.rt.malloc(SIZE, 0))
host = must(acl.rt.malloc_host(SIZE))
must(acl.rt.memset(host, SIZE, 0, SIZE))

# Step 1. The work, and behind it the record: a mark in the queue of the producer. Like everything that is put into a
# queue it has not happened when the call returns.
ready = must(acl.rt.create_event())
must(acl.rt.memset_async(data, SIZE, 7, SIZE, producer))
must(acl.rt.record_event(ready, producer))
print("recorded, and the event is", ["not complete", "complete"][must(acl.rt.query_event_status(ready))])

# Step 2. The wait, in the queue of the consumer: what comes behind it starts when the mark has been passed. It is the
# stream that waits. The call returns at once.
must(acl.rt.stream_wait_event(consumer, ready))
must(acl.rt.memcpy_async(host, SIZE, data, SIZE, DEVICE_TO_HOST, consumer))
print("queued, and the consumer is", ["complete", "not ready"][must(acl.rt.stream_query(consumer))])

# Step 3. The host waits only where it needs the result, and only for what it needs: the consumer. That the producer is
# done follows.
must(acl.rt.synchronize_stream(consumer))
print("synchronised:", acl.util.ptr_to_bytes(host, 4).hex())
print("the event is", ["not complete", "complete"][must(acl.rt.query_event_status(ready))])

# The order in the program counts, too: first the record, then the wait. A wait for what nobody has recorded yet cannot
# know what it is for; this kind of event refuses it.
early = must(acl.rt.create_event())
print("a wait before the record:", acl.rt.stream_wait_event(consumer, early))

# The host can wait for an event as well: for that mark, and not for what was queued behind it.
must(acl.rt.memset_async(data, SIZE, 8, SIZE, producer))
must(acl.rt.record_event(early, producer))
must(acl.rt.memset_async(data, SIZE, 9, SIZE, producer))
must(acl.rt.synchronize_event(early))
print("waited for the event; the stream is", ["complete", "not ready"][must(acl.rt.stream_query(producer))])

must(acl.rt.synchronize_stream(producer))
for event in (ready, early):
    must(acl.rt.destroy_event(event))
must(acl.rt.free_host(host))
must(acl.rt.free(data))
must(acl.rt.destroy_stream(consumer))
must(acl.rt.destroy_stream(producer))
must(acl.rt.reset_device(0))
must(acl.finalize())

# Try it:
# - Leave out the wait of step 2. All codes stay 0; the simulator says what is missing, and where to write it.
# - Put the record of step 1 before the memset. What does it mark now?
