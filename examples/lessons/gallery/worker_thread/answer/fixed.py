"""A thread that inherits nothing, and a code that nobody reads.

The worker has no current context, so each of its calls fails with 107002. Since it does not look at the codes, the
program goes on with a stream and a buffer that were never made. (CTX-01)

Corrected: the worker sets the device, and looks at the codes.

    ascend-sim run --check all answer/fixed.py
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
    must(acl.rt.set_device(0))
    stream = must(acl.rt.create_stream())
    buffer = must(acl.rt.malloc(SIZE, 0))
    must(acl.rt.memset_async(buffer, SIZE, 0, SIZE, stream))
    must(acl.rt.synchronize_stream(stream))
    must(acl.rt.free(buffer))
    must(acl.rt.destroy_stream(stream))
    must(acl.rt.reset_device(0))


must(acl.init())
must(acl.rt.set_device(0))
thread = threading.Thread(target=worker, name="worker")
thread.start()
thread.join()
must(acl.rt.reset_device(0))
must(acl.finalize())
