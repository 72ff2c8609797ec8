"""Work in a thread

The main thread sets the device, a worker thread does the work. It ends without a word, and the buffer holds nothing.
What did the worker's calls say, and who listened?

    ascend-sim run --check all broken.py
"""

import threading
from typing import Any

import acl


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


SIZE = 4096


def worker() -> None:
    stream, ret = acl.rt.create_stream()
    buffer, ret = acl.rt.malloc(SIZE, 0)
    ret = acl.rt.memset_async(buffer, SIZE, 0, SIZE, stream)
    ret = acl.rt.synchronize_stream(stream)
    acl.rt.free(buffer)
    acl.rt.destroy_stream(stream)


must(acl.init())
must(acl.rt.set_device(0))
thread = threading.Thread(target=worker, name="worker")
thread.start()
thread.join()
must(acl.rt.reset_device(0))
must(acl.finalize())
