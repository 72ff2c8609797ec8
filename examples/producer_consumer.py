"""Two processes and a ring of buffers on the device: one fills them, the other adds them up.

The buffers are exported by key; two notifies for each say "full" and "empty". Only keys go over the pipe: the data never
leaves the device, and what orders the processes are waits of their streams.
"""

import multiprocessing
from multiprocessing.connection import Connection
from typing import Any

import acl
import numpy as np

SLOTS, ROUNDS, COUNT = 2, 5, 1024
SIZE = COUNT * 4
TO_DEVICE, TO_HOST = 1, 2
ANYBODY, ANYBODY_NOTIFY = 1, 2  # export without a white list of processes


def must(result: Any) -> Any:
    """The output of a call that succeeds."""
    *outputs, code = result if isinstance(result, tuple) else (result,)
    assert code == 0, f"{code}: {acl.get_recent_err_msg()}"
    return outputs[0] if outputs else None


def consume(line: Connection) -> None:
    """The other process: wait for a full slot, copy it out, say that it is empty."""
    must(acl.init())
    must(acl.rt.set_device(0))
    stream = must(acl.rt.create_stream())
    keys = line.recv()
    slots = [must(acl.rt.ipc_mem_import_by_key(key, 0)) for key, _, _ in keys]
    full = [must(acl.rt.notify_import_by_key(key, 0)) for _, key, _ in keys]
    empty = [must(acl.rt.notify_import_by_key(key, 0)) for _, _, key in keys]
    host = must(acl.rt.malloc_host(SIZE))
    for turn in range(ROUNDS):
        slot = turn % SLOTS
        must(acl.rt.wait_and_reset_notify(full[slot], stream, 0))
        must(acl.rt.memcpy_async(host, SIZE, slots[slot], SIZE, TO_HOST, stream))
        must(acl.rt.record_notify(empty[slot], stream))
        must(acl.rt.synchronize_stream(stream))
        values = np.frombuffer(acl.util.ptr_to_bytes(host, SIZE), np.float32)
        line.send(float(values.sum()))
    for key, _, _ in keys:
        must(acl.rt.ipc_mem_close(key))  # before the owner does
    for notify in (*full, *empty):
        must(acl.rt.destroy_notify(notify))
    must(acl.rt.free_host(host))
    must(acl.rt.destroy_stream(stream))
    must(acl.rt.reset_device(0))
    must(acl.finalize())
    line.send("closed")


def main() -> None:
    """Make the ring, start the consumer, fill the slots as they come free."""
    must(acl.init())
    must(acl.rt.set_device(0))
    stream = must(acl.rt.create_stream())
    slots = [must(acl.rt.malloc(SIZE, 0)) for _ in range(SLOTS)]
    full = [must(acl.rt.create_notify(0)) for _ in range(SLOTS)]
    empty = [must(acl.rt.create_notify(0)) for _ in range(SLOTS)]
    keys = [
        (
            must(acl.rt.ipc_mem_get_export_key(slots[i], SIZE, 65, ANYBODY)),
            must(acl.rt.notify_get_export_key(full[i], 65, ANYBODY_NOTIFY)),
            must(acl.rt.notify_get_export_key(empty[i], 65, ANYBODY_NOTIFY)),
        )
        for i in range(SLOTS)
    ]
    spawn = multiprocessing.get_context("spawn")
    line, theirs = spawn.Pipe()
    consumer = spawn.Process(target=consume, args=(theirs,))
    consumer.start()
    line.send(keys)
    for notify in empty:
        must(acl.rt.record_notify(notify, stream))  # at first all slots are empty
    for turn in range(ROUNDS):
        slot = turn % SLOTS
        batch = np.full(COUNT, turn + 1, np.float32).tobytes()
        must(acl.rt.wait_and_reset_notify(empty[slot], stream, 0))
        must(acl.rt.synchronize_stream(stream))
        must(acl.rt.memcpy(slots[slot], SIZE, acl.util.bytes_to_ptr(batch), SIZE, TO_DEVICE))
        must(acl.rt.record_notify(full[slot], stream))
    print("sums:", [line.recv() for _ in range(ROUNDS)])
    assert line.recv() == "closed"
    consumer.join()
    for key, _, _ in keys:
        must(acl.rt.ipc_mem_close(key))
    for slot in slots:
        must(acl.rt.free(slot))
    for notify in (*full, *empty):
        must(acl.rt.destroy_notify(notify))
    must(acl.rt.destroy_stream(stream))
    must(acl.rt.reset_device(0))
    must(acl.finalize())


if __name__ == "__main__":
    main()
