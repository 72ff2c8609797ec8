"""Two devices: `waiter` waits on device 0 for what `worker` writes, from device 1, into its memory."""

import sys
import time

import acl
import numpy as np
from files import must, read, write

SIZE = 1 << 20


def begin(device, peer):
    """A device that may reach the other one, and a stream."""
    must(acl.init())
    must(acl.rt.set_device(device))
    assert must(acl.rt.device_can_access_peer(device, peer)) == 1
    must(acl.rt.device_enable_peer_access(peer, 0))
    return must(acl.rt.create_stream())


def waiter():
    """Queue the wait before the other process has done anything."""
    stream = begin(0, 1)
    memory = must(acl.rt.malloc(SIZE, 0))
    must(acl.rt.memset(memory, SIZE, 1, SIZE))
    host = must(acl.rt.malloc_host(64))
    memory_key = must(acl.rt.ipc_mem_get_export_key(memory, SIZE, 65, 1))
    notify = must(acl.rt.create_notify(0))
    notify_key = must(acl.rt.notify_get_export_key(notify, 65, 0))
    write("memory", memory_key)
    must(acl.rt.notify_set_import_pid(notify, [read("pid")]))
    write("notify", notify_key)
    must(acl.rt.wait_and_reset_notify(notify, stream, 0))
    must(acl.rt.memcpy_async(host, 64, memory, 64, 2, stream))
    must(acl.rt.synchronize_stream(stream))
    print("waiter: reads", np.frombuffer(acl.util.ptr_to_bytes(host, 64), np.uint8)[0])
    read("closed")
    must(acl.rt.ipc_mem_close(memory_key))
    must(acl.rt.free(memory))
    must(acl.rt.free_host(host))
    must(acl.rt.destroy_notify(notify))
    end(stream, 0)


def worker():
    """Import both, take a while, write, record."""
    stream = begin(1, 0)
    memory_key = read("memory")
    memory = must(acl.rt.ipc_mem_import_by_key(memory_key, 0))
    write("pid", must(acl.rt.device_get_bare_tgid()))
    notify = must(acl.rt.notify_import_by_key(read("notify"), 0))
    time.sleep(0.2)
    mine = must(acl.rt.malloc(SIZE, 0))
    must(acl.rt.memset_async(mine, SIZE, 123, SIZE, stream))
    must(acl.rt.memcpy_async(memory, SIZE, mine, SIZE, 3, stream))
    must(acl.rt.record_notify(notify, stream))
    must(acl.rt.synchronize_stream(stream))
    must(acl.rt.ipc_mem_close(memory_key))
    must(acl.rt.destroy_notify(notify))
    write("closed", True)
    must(acl.rt.free(mine))
    end(stream, 1)


def end(stream, device):
    """Give back what `begin` took."""
    must(acl.rt.destroy_stream(stream))
    must(acl.rt.reset_device(device))
    must(acl.finalize())


if __name__ == "__main__":
    globals()[sys.argv[1]]()
