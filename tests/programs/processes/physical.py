"""Physical memory by a shareable handle; the first argument says with which list: `listed` or `open`."""

import sys

import acl
import numpy as np
from files import must, read, write

NO_LIST = 1
PROPERTIES = {"handleType": 0, "allocationType": 0, "memAttr": 5, "location": {"id": 0, "type": 1}, "reserve": 0}


def shown(handle, size):
    """An address at which the memory of *handle* can be used."""
    address = must(acl.rt.reserve_mem_address(size, 0, 0, 0))
    must(acl.rt.map_mem(address, size, 0, handle, 0))
    return address


def gone(address, handle):
    """Undo `shown`, and give the handle back."""
    must(acl.rt.unmap_mem(address))
    must(acl.rt.release_mem_address(address))
    must(acl.rt.free_physical(handle))


def owner(how):
    """Make it, fill it, export it; with `early` free it while the other one still has it."""
    must(acl.init())
    must(acl.rt.set_device(0))
    size = must(acl.rt.mem_get_allocation_granularity(PROPERTIES, 0))
    handle = must(acl.rt.malloc_physical(size, PROPERTIES, 0))
    address = shown(handle, size)
    must(acl.rt.memset(address, size, 123, size))
    shareable = must(acl.rt.mem_export_to_shareable_handle(handle, 0, 0 if how == "listed" else NO_LIST))
    if how == "listed":
        must(acl.rt.mem_set_pid_to_shareable_handle(shareable, [read("pid")]))
    write("handle", [shareable, size])
    if how != "early":
        read("done")
    else:
        read("imported")
    gone(address, handle)
    write("freed", True)
    must(acl.rt.reset_device(0))
    must(acl.finalize())


def user(how):
    """Import it, show it, read it."""
    must(acl.init())
    must(acl.rt.set_device(0))
    write("pid", must(acl.rt.device_get_bare_tgid()))
    shareable, size = read("handle")
    handle = must(acl.rt.mem_import_from_shareable_handle(shareable, 0))
    write("imported", True)
    if how == "early":
        read("freed")
        print("user: a second import answers", acl.rt.mem_import_from_shareable_handle(shareable + 7, 0)[1])
    address = shown(handle, size)
    host = must(acl.rt.malloc_host(64))
    must(acl.rt.memcpy(host, 64, address, 64, 2))
    print("user: sees", np.frombuffer(acl.util.ptr_to_bytes(host, 64), np.uint8)[0])
    gone(address, handle)
    write("done", True)
    must(acl.rt.free_host(host))
    must(acl.rt.reset_device(0))
    must(acl.finalize())


if __name__ == "__main__":
    globals()[sys.argv[1]](sys.argv[2])
