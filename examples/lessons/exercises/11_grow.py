"""Exercise 11. A buffer that grows

A range of addresses is reserved, two pieces of memory are there, and one of them is mapped. Let the buffer be four MiB
long: one memset over both pieces, from one end to the other. Give everything back in the right order. It should print
`ends have 0606 0606`.

    ascend-sim run 11_grow.py
"""

from typing import Any

import acl


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


PIECE = 2 << 20  # memory is mapped in whole pages of this size
DEVICE_TO_HOST = 2
PROPERTIES = {
    "handleType": 0, "allocationType": 0, "memAttr": 4, "location": {"id": 0, "type": 1}, "reserve": 0,
}  # fmt: skip

must(acl.init())
must(acl.rt.set_device(0))
stream = must(acl.rt.create_stream())
start = must(acl.rt.reserve_mem_address(2 * PIECE, 0, 0, 1))
pieces = [must(acl.rt.malloc_physical(PIECE, PROPERTIES, 0)) for _ in range(2)]
must(acl.rt.map_mem(start, PIECE, 0, pieces[0], 0))

must(acl.rt.memset_async(start, 2 * PIECE, 6, 2 * PIECE, stream))
must(acl.rt.synchronize_stream(stream))
host = must(acl.rt.malloc_host(2 * PIECE))
must(acl.rt.memcpy(host, 2 * PIECE, start, 2 * PIECE, DEVICE_TO_HOST))
print("ends have", acl.util.ptr_to_bytes(host, 2).hex(), acl.util.ptr_to_bytes(host + 2 * PIECE - 2, 2).hex())

must(acl.rt.free_host(host))
must(acl.rt.unmap_mem(start))
for piece in pieces:
    must(acl.rt.free_physical(piece))
must(acl.rt.release_mem_address(start))
must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
