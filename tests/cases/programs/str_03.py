"""STR-03: launches through a host task queue, and one straight to the stream that overtakes them."""

import queue
import sys
import threading

import acl


def must(result):
    value, code = (result[0], result[-1]) if isinstance(result, tuple) else (None, result)
    assert code == 0, code
    return value


must(acl.init())
must(acl.rt.set_device(0))
context = must(acl.rt.get_context())
s = must(acl.rt.create_stream())
a, b, c = (must(acl.rt.malloc(64, 0)) for _ in range(3))
tasks = queue.Queue()


def consume():
    acl.rt.set_context(context)
    while (task := tasks.get()) is not None:
        task()
        tasks.task_done()


consumer = threading.Thread(target=consume)
consumer.start()
tasks.put(lambda: must(acl.rt.memset_async(a, 64, 1, 64, s)))  # <queued>
tasks.put(lambda: must(acl.rt.memset_async(b, 64, 2, 64, s)))
if "drain" in sys.argv:
    tasks.join()
must(acl.rt.memcpy_async(c, 64, a, 64, 3, s))  # <direct>
must(acl.rt.synchronize_stream(s))
tasks.join()
tasks.put(None)
consumer.join()
must(acl.rt.synchronize_stream(s))
for pointer in (a, b, c):
    must(acl.rt.free(pointer))
must(acl.rt.destroy_stream(s))
must(acl.rt.reset_device(0))
must(acl.finalize())
