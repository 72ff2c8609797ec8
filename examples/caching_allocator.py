"""A stream-ordered caching allocator: what is freed may be used again at once, but only on the same stream."""

import os
import sys
from typing import Any

import acl

FLOAT, ND = 0, 2
ROWS, COLUMNS = 64, 256
BYTES = 4 * ROWS * COLUMNS
MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "op_models")


def must(ret: int) -> None:
    assert ret == 0, (ret, acl.get_recent_err_msg())


class CachingAllocator:
    """Blocks of powers of two for one stream.

    The runtime gives a block back as soon as its user is queued, long before it ran. Whoever gets it next is queued
    behind on the same stream, so nothing has to wait; only before memory leaves the stream all of it must have run.
    """

    def __init__(self, stream: int) -> None:
        self.stream = stream
        self.size_of: dict[int, int] = {}  # bytes of every block
        self.free: dict[int, list[int]] = {}  # by size, the blocks that nobody has
        self.hits = self.misses = 0
        self.desc = acl.rt.allocator_create_desc()
        must(acl.rt.allocator_set_obj_to_desc(self.desc, stream))
        must(acl.rt.allocator_set_alloc_func_to_desc(self.desc, self.allocate))
        must(acl.rt.allocator_set_free_func_to_desc(self.desc, self.release))
        must(acl.rt.allocator_set_get_addr_from_block_func_to_desc(self.desc, lambda block: block))
        must(acl.rt.allocator_register(stream, self.desc))

    def allocate(self, obj: Any, size: int) -> int:
        size = max(512, 1 << (size - 1).bit_length())
        if self.free.get(size):
            self.hits += 1
            return self.free[size].pop()
        self.misses += 1
        pointer, ret = acl.rt.malloc(size, 0)
        if ret != 0:  # full: what is not in use goes back, then once more
            self.trim()
            pointer, ret = acl.rt.malloc(size, 0)
        if ret != 0:
            return 0
        self.size_of[pointer] = size
        return pointer

    def release(self, obj: Any, block: int) -> None:
        self.free.setdefault(self.size_of[block], []).append(block)

    def trim(self) -> None:
        must(acl.rt.synchronize_stream(self.stream))
        for pointer in [block for blocks in self.free.values() for block in blocks]:
            del self.size_of[pointer]
            must(acl.rt.free(pointer))
        self.free.clear()


must(acl.init())
must(acl.rt.set_device(0))
must(acl.op.set_model_dir(MODELS))
attr, desc = acl.op.create_attr(), acl.create_tensor_desc(FLOAT, [ROWS, COLUMNS], ND)
must(acl.op.set_attr_list_int(attr, "axes", [-1]))
work = []
for _ in range(2):
    stream, (tensor, ret) = acl.rt.create_stream()[0], acl.rt.malloc(BYTES, 0)
    must(acl.rt.memset(tensor, BYTES, 0, BYTES))
    work.append((CachingAllocator(stream), acl.create_data_buffer(tensor, BYTES), tensor))
for _ in range(50):  # both streams work at once, each with blocks of its own
    for allocator, buffer, _ in work:
        must(acl.op.execute_v2("SoftmaxV2", [desc], [buffer], [desc], [buffer], attr, allocator.stream))
for letter, (allocator, buffer, tensor) in zip("AB", work, strict=True):
    print(f"stream {letter}: {allocator.misses} allocation, {allocator.hits} from the cache")
    must(acl.rt.allocator_unregister(allocator.stream))
    allocator.trim()
    must(acl.rt.allocator_destroy_desc(allocator.desc))
    must(acl.destroy_data_buffer(buffer))
    must(acl.rt.free(tensor))
    must(acl.rt.destroy_stream(allocator.stream))
acl.destroy_tensor_desc(desc)
acl.op.destroy_attr(attr)
must(acl.rt.reset_device(0))
must(acl.finalize())
sys.exit(0 if all((one.misses, one.hits) == (1, 49) for one, *_ in work) else 1)
