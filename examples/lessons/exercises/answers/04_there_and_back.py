"""Exercise 4. There and back

In each round one stream fills a buffer, the other one copies it away, and the next round fills it again. The way there
is ordered; the way back is not. Order it with the event `read`, for all rounds: no more events, no wait of the host in
the loop. It should print `hosts have 0101 0202 0303 0404`.

    ascend-sim run 04_there_and_back.py
"""

from typing import Any

import acl


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


SIZE, ROUNDS = 1 << 20, 4
DEVICE_TO_HOST = 2

must(acl.init())
must(acl.rt.set_device(0))
producer, consumer = (must(acl.rt.create_stream()) for _ in range(2))
data = must(acl.rt.malloc(SIZE, 0))
hosts = [must(acl.rt.malloc_host(SIZE)) for _ in range(ROUNDS)]
written = must(acl.rt.create_event())
read = must(acl.rt.create_event())

for number, host in enumerate(hosts):
    if number:
        must(acl.rt.stream_wait_event(producer, read))
    must(acl.rt.memset_async(data, SIZE, number + 1, SIZE, producer))
    must(acl.rt.record_event(written, producer))
    must(acl.rt.stream_wait_event(consumer, written))
    must(acl.rt.memcpy_async(host, SIZE, data, SIZE, DEVICE_TO_HOST, consumer))
    must(acl.rt.record_event(read, consumer))
must(acl.rt.synchronize_stream(consumer))
print("hosts have", *(acl.util.ptr_to_bytes(host, 2).hex() for host in hosts))

for host in hosts:
    must(acl.rt.free_host(host))
must(acl.rt.free(data))
for event in (written, read):
    must(acl.rt.destroy_event(event))
for stream in (producer, consumer):
    must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
