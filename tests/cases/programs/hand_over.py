"""One thread queues a kernel and hands the buffer on through a queue; the other one's stream does not wait."""

import queue
import sys
import threading

import acl

N = 1 << 20
HOST_TO_DEVICE, DEVICE_TO_DEVICE = 1, 3


def must(result):
    value, code = (result[0], result[-1]) if isinstance(result, tuple) else (None, result)
    assert code == 0, code
    return value


must(acl.init())
must(acl.rt.set_device(0))
context = must(acl.rt.get_context())
make, use = must(acl.rt.create_stream()), must(acl.rt.create_stream())
made, out = (must(acl.rt.malloc(N, 0)) for _ in range(2))
ready = must(acl.rt.create_event())
items = queue.Queue()


def produce():
    must(acl.rt.set_context(context))
    must(acl.rt.memset_async(made, N, 1, N, make))  # <make>
    must(acl.rt.record_event(ready, make))
    items.put(made)


producer = threading.Thread(target=produce)
producer.start()
buffer = items.get()
if sys.argv[1] == "fixed":
    must(acl.rt.stream_wait_event(use, ready))
must(acl.rt.memcpy_async(out, N, buffer, N, DEVICE_TO_DEVICE, use))  # <use>
producer.join()
must(acl.rt.synchronize_stream(use))
must(acl.rt.synchronize_stream(make))
for thing in (made, out):
    must(acl.rt.free(thing))
must(acl.rt.destroy_event(ready))
for stream in (make, use):
    must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
