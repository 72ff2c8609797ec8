"""A ring of two processes that hand a block back and forth by counters in it: value writes and waits, no host between."""

import sys

import acl
import numpy as np
from files import must, read, write

SIZE, ROUNDS = 1 << 16, 8
MINE, THEIRS, DATA = 0, 64, 4096


def fill(memory, stream, value):
    """Fill the data, behind what the stream has to do."""
    must(acl.rt.memset_async(memory + DATA, SIZE - DATA, value, SIZE - DATA, stream))


def play(memory, mine, theirs, first):
    """Take turns: the one who is first fills with odd numbers, the other one with even ones."""
    import ascend_sim.ascendcl as C  # value operations have no names in pyACL

    stream = must(acl.rt.create_stream())
    for round_ in range(1, ROUNDS + 1):
        if first:
            fill(memory, stream, 2 * round_ - 1)
            must(C.aclrtValueWrite(memory + mine, round_, 0, stream))
            must(C.aclrtValueWait(memory + theirs, round_, 0, stream))
        else:
            must(C.aclrtValueWait(memory + theirs, round_, 0, stream))
            fill(memory, stream, 2 * round_)
            must(C.aclrtValueWrite(memory + mine, round_, 0, stream))
    must(acl.rt.synchronize_stream(stream))
    must(acl.rt.destroy_stream(stream))


def owner():
    """Allocate, share, play first, read the end."""
    must(acl.init())
    must(acl.rt.set_device(0))
    memory = must(acl.rt.malloc(SIZE, 0))
    must(acl.rt.memset(memory, SIZE, 0, SIZE))
    key = must(acl.rt.ipc_mem_get_export_key(memory, SIZE, 65, 1))
    write("key", key)
    play(memory, MINE, THEIRS, True)
    host = must(acl.rt.malloc_host(64))
    must(acl.rt.memcpy(host, 64, memory + DATA, 64, 2))
    print("owner: ends with", np.frombuffer(acl.util.ptr_to_bytes(host, 64), np.uint8)[0])
    read("closed")
    must(acl.rt.ipc_mem_close(key))
    must(acl.rt.free_host(host))
    must(acl.rt.free(memory))
    must(acl.rt.reset_device(0))
    must(acl.finalize())


def user():
    """Import and play second."""
    must(acl.init())
    must(acl.rt.set_device(0))
    key = read("key")
    memory = must(acl.rt.ipc_mem_import_by_key(key, 0))
    play(memory, THEIRS, MINE, False)
    must(acl.rt.ipc_mem_close(key))
    write("closed", True)
    must(acl.rt.reset_device(0))
    must(acl.finalize())


if __name__ == "__main__":
    globals()[sys.argv[1]]()
