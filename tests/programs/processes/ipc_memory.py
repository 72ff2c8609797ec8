"""Memory by key, with a white list: `owner` allocates, fills and exports it, `user` copies from it."""

import sys

import acl
import numpy as np
from files import must, read, write

SIZE = 1 << 20


def owner():
    """Make memory, name who may import it, wait until that one is done."""
    must(acl.init())
    must(acl.rt.set_device(0))
    stream = must(acl.rt.create_stream())
    memory = must(acl.rt.malloc(SIZE, 0))
    must(acl.rt.memset_async(memory, SIZE, 123, SIZE, stream))
    key = must(acl.rt.ipc_mem_get_export_key(memory, SIZE, 65, 0))
    must(acl.rt.ipc_mem_set_import_pid(key, [read("pid")]))
    must(acl.rt.synchronize_stream(stream))
    write("key", key)
    print("owner: told that", read("done"))
    must(acl.rt.ipc_mem_close(key))
    must(acl.rt.free(memory))
    must(acl.rt.destroy_stream(stream))
    must(acl.rt.reset_device(0))
    must(acl.finalize())


def user():
    """Say who this is, import, look, close."""
    must(acl.init())
    must(acl.rt.set_device(0))
    write("pid", must(acl.rt.device_get_bare_tgid()))
    key = read("key")
    theirs = must(acl.rt.ipc_mem_import_by_key(key, 0))
    host = must(acl.rt.malloc_host(64))
    must(acl.rt.memcpy(host, 64, theirs, 64, 2))
    print("user: sees", np.frombuffer(acl.util.ptr_to_bytes(host, 64), np.uint8)[0])
    must(acl.rt.ipc_mem_close(key))
    write("done", "all is read")
    must(acl.rt.free_host(host))
    must(acl.rt.reset_device(0))
    must(acl.finalize())


if __name__ == "__main__":
    globals()[sys.argv[1]]()
