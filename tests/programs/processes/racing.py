"""The owner tells the user too early: its stream has not been waited for. With ``waits`` it has."""

import sys

import acl
from files import must, read, write

SIZE = 4096


def owner():
    """Fill the memory on a stream and say that it is there."""
    must(acl.init())
    must(acl.rt.set_device(0))
    stream = must(acl.rt.create_stream())
    memory = must(acl.rt.malloc(SIZE, 0))
    key = must(acl.rt.ipc_mem_get_export_key(memory, SIZE, 65, 1))
    must(acl.rt.memset_async(memory, SIZE, 7, SIZE, stream))  # OWNER
    if "waits" in sys.argv:
        must(acl.rt.synchronize_stream(stream))
    write("key", key)
    read("done")
    must(acl.rt.synchronize_stream(stream))
    must(acl.rt.ipc_mem_close(key))
    must(acl.rt.free(memory))
    must(acl.rt.destroy_stream(stream))
    must(acl.rt.reset_device(0))
    must(acl.finalize())


def user():
    """Read it."""
    must(acl.init())
    must(acl.rt.set_device(0))
    key = read("key")
    theirs = must(acl.rt.ipc_mem_import_by_key(key, 0))
    host = must(acl.rt.malloc_host(64))
    must(acl.rt.memcpy(host, 64, theirs, 64, 2))  # USER
    must(acl.rt.ipc_mem_close(key))
    write("done", True)
    must(acl.rt.free_host(host))
    must(acl.rt.reset_device(0))
    must(acl.finalize())


if __name__ == "__main__":
    globals()[sys.argv[1]]()
