"""A second process, however it is started: imports memory, reads it, writes it, and leaves the answer."""

import multiprocessing
import subprocess
import sys

import acl
from files import must

SIZE = 4096


def first_byte(memory):
    """Of device memory, by way of the host."""
    host = must(acl.rt.malloc_host(64))
    must(acl.rt.memcpy(host, 64, memory, 64, 2))
    found = acl.util.ptr_to_bytes(host, 64)[0]
    must(acl.rt.free_host(host))
    return found


def user(key):
    """Read what the owner wrote, and write one more."""
    must(acl.init())
    must(acl.rt.set_device(0))
    theirs = must(acl.rt.ipc_mem_import_by_key(key, 0))
    seen = first_byte(theirs)
    must(acl.rt.memset(theirs, 64, seen + 1, 64))
    must(acl.rt.ipc_mem_close(key))
    must(acl.rt.reset_device(0))
    must(acl.finalize())
    return seen


def work(keys, done):
    """The target of a process of multiprocessing."""
    done.put(user(keys.get()))


def owner(how):
    """Start the user by *how*, share memory with it, and see what it wrote."""
    if how != "subprocess":  # a fork comes before acl.init: its child initialises for itself
        context = multiprocessing.get_context(how)
        keys, done = context.Queue(), context.Queue()
        child = context.Process(target=work, args=(keys, done))
        child.start()
    must(acl.init())
    must(acl.rt.set_device(0))
    memory = must(acl.rt.malloc(SIZE, 0))
    must(acl.rt.memset(memory, SIZE, 41, SIZE))
    key = must(acl.rt.ipc_mem_get_export_key(memory, SIZE, 65, 1))
    if how == "subprocess":
        run = subprocess.run([sys.executable, __file__, key], capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
        seen = int(run.stdout)
    else:
        keys.put(key)
        seen = done.get(timeout=600)
        child.join()
    answer = seen, first_byte(memory)
    must(acl.rt.ipc_mem_close(key))
    must(acl.rt.free(memory))
    must(acl.rt.reset_device(0))
    must(acl.finalize())
    return answer


if __name__ == "__main__":
    print(user(sys.argv[1]))
