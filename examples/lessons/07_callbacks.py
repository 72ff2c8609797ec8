"""Lesson 7. Callbacks: the device calls the host

A stream can ask the host to run a function. The function runs in a thread of yours that has subscribed to the stream and
sits in process_report. A *blocking* callback stops the stream until the function has returned; the other kind lets the
stream run on.

    ascend-sim run 07_callbacks.py
"""

from typing import Any

import acl

DEVICE_TO_HOST = 2
NO_BLOCK, BLOCK = 0, 1
SIZE = 1024


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


running = True
seen: list[tuple[int, int]] = []


def serve(args: Any) -> None:
    """The thread of the callbacks. It needs a context like any other; a time-out (507012) only means: nothing to do."""
    (context,) = args
    must(acl.rt.set_context(context))
    while running:
        acl.rt.process_report(100)  # at most 100 ms; 0 is refused here


def look(args: Any) -> None:
    """The callback: it reads what the copy before it brought. No waiting, submitting or creating in here."""
    round_, host = args
    seen.append((round_, acl.util.ptr_to_bytes(host, SIZE)[0]))


must(acl.init())
must(acl.rt.set_device(0))
context = must(acl.rt.get_context())
stream = must(acl.rt.create_stream())
device = must(acl.rt.malloc(SIZE, 0))
host = must(acl.rt.malloc_host(SIZE))

# Without a subscription there is nobody to call.
print("nobody subscribed:", acl.rt.launch_callback(look, [0, host], BLOCK, stream))

thread = must(acl.util.start_thread(serve, [context]))
must(acl.rt.subscribe_report(thread, stream))

# One buffer for all rounds. That is right because the callback blocks: the next copy into `host` starts when `look` is
# done with it.
for round_ in range(3):
    must(acl.rt.memset_async(device, SIZE, 10 + round_, SIZE, stream))
    must(acl.rt.memcpy_async(host, SIZE, device, SIZE, DEVICE_TO_HOST, stream))
    must(acl.rt.launch_callback(look, [round_, host], BLOCK, stream))
print("queued, and nobody was called yet:", seen)
must(acl.rt.synchronize_stream(stream))  # waits for the callbacks, too
print("synchronised:", seen)

must(acl.rt.unsubscribe_report(thread, stream))
running = False
must(acl.util.stop_thread(thread))

# The other family needs no thread of yours: launch_host_func (in pyACL: not there; in C aclrtLaunchHostFunc). One stream
# belongs to one family, mixing them is refused with 107011.

must(acl.rt.free_host(host))
must(acl.rt.free(device))
must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())

# Try it:
# - Change BLOCK to NO_BLOCK in the loop: now a copy may overwrite `host` while `look` reads it.
# - Call acl.rt.synchronize_stream(stream) in `look`. Who waits for whom? (The stream waits for the callback.)
# - Forget `thread`: call acl.rt.process_report(100) in the main thread, after subscribing it with
#   threading.get_ident(). It works as long as the main thread does not wait for the stream first.
