"""A segment that grows and shrinks in place: addresses are reserved once, memory is mapped when it is needed.

A caching allocator that takes whole buffers from the device ends with holes: 3 GiB are free, and no two of them adjoin.
With virtual memory one range of addresses serves each stream. It grows at its end by a piece of memory, gives pieces
back from its end, and moves a piece into another segment without a copy.
"""

import sys
from typing import Any

import acl
import numpy as np

HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2
ON_DEVICE, HUGE = 1, 4  # where the memory lies, and in which pages
ROOM = 64 << 30  # addresses cost nothing


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, (ret, acl.get_recent_err_msg())
    return values[0] if len(values) == 1 else values


PROPERTIES = {
    "handleType": 0, "allocationType": 0, "memAttr": HUGE, "location": {"id": 0, "type": ON_DEVICE}, "reserve": 0,
}


def used() -> Any:
    """MiB of device memory in use."""
    free, total = must(acl.rt.get_mem_info(1))
    return (total - free) >> 20


class Segment:
    """Memory that is contiguous for its users and made of pieces."""

    def __init__(self) -> None:
        self.start: int = must(acl.rt.reserve_mem_address(ROOM, 0, 0, 1))
        self.handles: list[int] = []

    def end(self) -> Any:
        return self.start + len(self.handles) * PIECE

    def grow(self, handle: int = 0) -> None:
        """One piece more, *handle* or a new one; no address that was given out changes."""
        handle = handle or must(acl.rt.malloc_physical(PIECE, PROPERTIES, 0))
        must(acl.rt.map_mem(self.end(), PIECE, 0, handle, 0))
        self.handles.append(handle)

    def shrink(self) -> int:
        """One piece less, which still has its memory. Nothing that is queued may use it: synchronise before."""
        handle = self.handles.pop()
        must(acl.rt.unmap_mem(self.end()))
        return handle

    def close(self) -> None:
        while self.handles:
            must(acl.rt.free_physical(self.shrink()))
        must(acl.rt.release_mem_address(self.start))


must(acl.init())
must(acl.rt.set_device(0))
stream = must(acl.rt.create_stream())
PIECE = must(acl.rt.mem_get_allocation_granularity(PROPERTIES, 1))
before = used()

segment = Segment()
print(f"{ROOM >> 30} GiB of addresses: {used() - before} MiB")
segment.grow()
values = np.arange(3 * PIECE // 4, dtype=np.int32)
must(acl.rt.memcpy(segment.start, PIECE, values.ctypes.data, PIECE, HOST_TO_DEVICE))
segment.grow()
segment.grow()
print(f"three pieces: {used() - before} MiB")

# One copy over all of them, behind what was there before the segment grew.
rest = values.nbytes - PIECE
must(acl.rt.memcpy(segment.start + PIECE, rest, values.ctypes.data + PIECE, rest, HOST_TO_DEVICE))
back = np.zeros_like(values)
must(acl.rt.memcpy(back.ctypes.data, back.nbytes, segment.start, back.nbytes, DEVICE_TO_HOST))
whole = bool((back == values).all())
print("read across the pieces:", "right" if whole else "WRONG")

# The last piece moves to the segment of somebody else: its bytes stay where they are.
other = Segment()
must(acl.rt.memset_async(segment.end() - PIECE, PIECE, 7, PIECE, stream))
must(acl.rt.synchronize_stream(stream))
other.grow(segment.shrink())
must(acl.rt.memcpy(back.ctypes.data, PIECE, other.start, PIECE, DEVICE_TO_HOST))
moved = bool((back[: PIECE // 4].view(np.uint8) == 7).all())
print("moved to another segment:", "right" if moved else "WRONG", f"and still {used() - before} MiB")

must(acl.rt.free_physical(segment.shrink()))
print(f"one piece given back: {used() - before} MiB")
segment.close()
other.close()
left = used() - before
print(f"all given back: {left} MiB")
must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
sys.exit(0 if whole and moved and left == 0 else 1)
