"""Lesson 1. Devices, contexts, and who is talking

No call of AscendCL names a device. Each acts on the *current context* of the thread that makes it, and a context belongs
to one device. Forget that a thread needs one, and the code is 107002: probably the most frequent code of all.

    ascend-sim run --devices 2 01_device_and_context.py
"""

import threading
from typing import Any

import acl


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


must(acl.init())
print("devices:", must(acl.rt.get_device_count()))

# Nothing is current yet, so there is nothing that could make a stream.
stream, ret = acl.rt.create_stream()
print("a stream before set_device:", ret)

# set_device makes the context of the device current in this thread: its *primary* context. Every set_device(0), in any
# thread, selects this same one.
must(acl.rt.set_device(0))
primary = must(acl.rt.get_context())
stream = must(acl.rt.create_stream())
print("after set_device(0): device", must(acl.rt.get_device()), "and a stream")


# A new thread starts with nothing, whatever its parent did.
def forgetful() -> None:
    ret = acl.rt.malloc(64, 0)[1]
    print("  a thread that sets nothing:", ret)
    print("   ", acl.get_recent_err_msg())


def careful() -> None:
    must(acl.rt.set_context(primary))
    print("  a thread that sets the context of its parent:", acl.rt.synchronize_stream(stream))


for target in (forgetful, careful):
    thread = threading.Thread(target=target, name=target.__name__)
    thread.start()
    thread.join()

# There may be more contexts on a device. Creating one makes it current, and it has streams of its own: what was created
# in one context can be waited for from another, but takes no work there.
second = must(acl.rt.create_context(0))
event = must(acl.rt.create_event())
print("stream of the first context, in the second: record", acl.rt.record_event(event, stream),
      "synchronise", acl.rt.synchronize_stream(stream))  # fmt: skip
must(acl.rt.destroy_event(event))

# Destroying the current context leaves the thread with nothing. It does not fall back to the primary one.
must(acl.rt.destroy_context(second))
print("after destroying the current context:", acl.rt.create_event()[1])
must(acl.rt.set_context(primary))

must(acl.rt.destroy_stream(stream))

# A second device is a second set_device away.
must(acl.rt.set_device(1))
print("now on device", must(acl.rt.get_device()))
must(acl.rt.reset_device(1))

# Resets are counted: one for each set_device. The last one takes streams and memory of the device along.
must(acl.rt.set_device(0))
must(acl.rt.set_device(0))
print("reset, three times set:", [acl.rt.reset_device(0) for _ in range(4)])
must(acl.finalize())

# Try it:
# - In `forgetful`, call acl.rt.set_device(0) first. Which context does the thread get? (Compare acl.rt.get_context().)
# - Run the program without `--devices 2`. Which call is the first that fails, and what does the text say?
# - `ascend-sim explain 107002` tells more about the code.
