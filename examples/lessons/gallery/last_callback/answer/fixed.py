"""A callback that waits for its own stream.

The stream waits for the callback, the callback for the stream. (CB-03)

Corrected: the callback takes a note; the main thread waits.

    ascend-sim run answer/fixed.py
"""

import threading
from typing import Any

import acl


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


BLOCK = 1

must(acl.init())
must(acl.rt.set_device(0))
context = must(acl.rt.get_context())
stream = must(acl.rt.create_stream())
done = threading.Event()


def serve() -> None:
    must(acl.rt.set_context(context))
    while not done.is_set():
        acl.rt.process_report(10)


def finish(args: Any) -> None:
    done.set()


thread = threading.Thread(target=serve, name="callbacks")
thread.start()
must(acl.rt.subscribe_report(thread.ident or 0, stream))
must(acl.rt.launch_callback(finish, [], BLOCK, stream))
must(acl.rt.synchronize_stream(stream))
thread.join()

must(acl.rt.unsubscribe_report(thread.ident or 0, stream))
must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
