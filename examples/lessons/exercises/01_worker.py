"""Exercise 1. A thread that works

The main thread has set the device; the worker thread does the work, and fails. Let the worker do it: in its own thread,
with the calls that it has. It should print `the worker has 05050505`.

    ascend-sim run 01_worker.py
"""

import threading
from typing import Any

import acl


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


SIZE = 64
DEVICE_TO_HOST = 2


def work() -> None:
    buffer = must(acl.rt.malloc(SIZE, 0))
    must(acl.rt.memset(buffer, SIZE, 5, SIZE))
    host = must(acl.rt.malloc_host(SIZE))
    must(acl.rt.memcpy(host, SIZE, buffer, SIZE, DEVICE_TO_HOST))
    print("the worker has", acl.util.ptr_to_bytes(host, 4).hex())
    must(acl.rt.free_host(host))
    must(acl.rt.free(buffer))


must(acl.init())
must(acl.rt.set_device(0))
thread = threading.Thread(target=work, name="worker")
thread.start()
thread.join()
must(acl.rt.reset_device(0))
must(acl.finalize())
