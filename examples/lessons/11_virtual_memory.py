"""Lesson 11. Addresses and memory are two things

A malloc gives you both at once: memory, and an address that leads to it. The calls for virtual memory take them apart.
Addresses are reserved, memory is a handle, and a *mapping* lets an address lead to memory for as long as you like.

    ascend-sim run 11_virtual_memory.py
"""

from typing import Any

import acl
import numpy as np

DEVICE_TO_HOST = 2
ON_DEVICE, HUGE_PAGES = 1, 4
SIZE = 2 << 20  # what is mapped comes in whole pages, here of 2 MiB
PROPERTIES = {
    "handleType": 0, "allocationType": 0, "memAttr": HUGE_PAGES, "location": {"id": 0, "type": ON_DEVICE}, "reserve": 0,
}


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


def used() -> Any:
    """MiB of device memory in use."""
    free, total = must(acl.rt.get_mem_info(1))
    return (total - free) >> 20


def first_byte(pointer: int) -> int:
    """The byte at *pointer*."""
    host = np.zeros(1, np.uint8)
    must(acl.rt.memcpy(host.ctypes.data, 1, pointer, 1, DEVICE_TO_HOST))
    return int(host[0])


must(acl.init())
must(acl.rt.set_device(0))
streams = [must(acl.rt.create_stream()) for _ in range(2)]
before = used()

# Addresses without memory: as many as you like, they cost nothing. To use one is an error.
first = must(acl.rt.reserve_mem_address(32 << 30, 0, 0, 1))
print(f"32 GiB of addresses: {used() - before} MiB")

# Memory without addresses: it counts at once. The handle is not a pointer.
memory = must(acl.rt.malloc_physical(SIZE, PROPERTIES, 0))
print(f"2 MiB of memory: {used() - before} MiB")

# The mapping joins them. A mapping over a mapping is refused.
must(acl.rt.map_mem(first, SIZE, 0, memory, 0))
print("mapped over what is mapped:", acl.rt.map_mem(first, SIZE, 0, memory, 0))

# One memory may have two addresses. What is written through one is read through the other, and what has to be ordered
# has to be ordered whatever the address: the second task waits for the first here, since both are on one stream.
second = must(acl.rt.reserve_mem_address(SIZE, 0, 0, 1))
must(acl.rt.map_mem(second, SIZE, 0, memory, 0))
must(acl.rt.memset_async(first, SIZE, 1, SIZE, streams[0]))
must(acl.rt.memset_async(second, SIZE, 2, SIZE, streams[0]))
must(acl.rt.synchronize_stream(streams[0]))
print("through the first address:", first_byte(first))

# An unmap waits for nothing, like a free: come to it when all that uses the address has run. The bytes stay with the
# memory, and the addresses stay reserved: the next mapping may bring other memory to the same place.
must(acl.rt.unmap_mem(first))
must(acl.rt.map_mem(first + SIZE, SIZE, 0, memory, 0))
print("mapped anew, elsewhere:", first_byte(first + SIZE))

# Back go the mappings, then the memory, then the addresses.
for address in (first + SIZE, second):
    must(acl.rt.unmap_mem(address))
must(acl.rt.free_physical(memory))
for address in (first, second):
    must(acl.rt.release_mem_address(address))
print(f"all given back: {used() - before} MiB")

for stream in streams:
    must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())

# Try it:
# - Put the second memset on streams[1]. No two addresses are the same, and yet it is a race.
# - Unmap `first` before the synchronise, or set memory through `first` after the unmap.
# - Release the addresses before the unmaps. The code is 0; the simulator has more to say.
# - examples/expandable_segments.py of the repository is an allocator that grows and shrinks in place.
