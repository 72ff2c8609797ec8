"""A stream-ordered caching allocator: what is freed may be used again at once, but only on the same stream."""

import os
import sys

import acl

HUGE_FIRST, FLOAT, ND = 0, 0, 2
SMALLEST = 512
ROWS, COLUMNS = 64, 256
MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "op_models")


def must(ret):
    assert ret == 0, (ret, acl.get_recent_err_msg())


class CachingAllocator:
    """Blocks of powers of two for one stream. A block that comes back is free in the order of the stream.

    The runtime gives blocks back as soon as their user is queued, long before it ran. Since the next user is queued
    behind it on the same stream, nothing has to wait; only memory that leaves the stream must.
    """

    def __init__(self, stream):
        self.stream = stream
        self.free = {}
        self.blocks = {}
        self.hits = self.misses = 0
        self.desc = acl.rt.allocator_create_desc()
        must(acl.rt.allocator_set_obj_to_desc(self.desc, stream))
        must(acl.rt.allocator_set_alloc_func_to_desc(self.desc, self.allocate))
        must(acl.rt.allocator_set_free_func_to_desc(self.desc, self.release))
        must(acl.rt.allocator_set_get_addr_from_block_func_to_desc(self.desc, self.address))
        must(acl.rt.allocator_register(stream, self.desc))

    def allocate(self, obj, size):
        size = max(SMALLEST, 1 << (size - 1).bit_length())
        waiting = self.free.setdefault(size, [])
        if waiting:
            self.hits += 1
            return waiting.pop()
        self.misses += 1
        pointer, ret = acl.rt.malloc(size, HUGE_FIRST)
        if ret != 0:
            self.trim()
            pointer, ret = acl.rt.malloc(size, HUGE_FIRST)
        self.blocks[pointer] = size
        return pointer if ret == 0 else 0

    def release(self, obj, block):
        self.free[self.blocks[block]].append(block)

    def address(self, block):
        return block

    def trim(self):
        """Give free blocks back to the device: the stream may still use them, so wait for it first."""
        must(acl.rt.synchronize_stream(self.stream))
        for blocks in self.free.values():
            while blocks:
                pointer = blocks.pop()
                del self.blocks[pointer]
                must(acl.rt.free(pointer))

    def close(self):
        must(acl.rt.allocator_unregister(self.stream))
        must(acl.rt.allocator_destroy_desc(self.desc))
        self.trim()


def main():
    must(acl.init())
    must(acl.rt.set_device(0))
    must(acl.op.set_model_dir(MODELS))
    size = 4 * ROWS * COLUMNS
    attr = acl.op.create_attr()
    must(acl.op.set_attr_list_int(attr, "axes", [-1]))
    desc = acl.create_tensor_desc(FLOAT, [ROWS, COLUMNS], ND)
    streams = [acl.rt.create_stream()[0] for _ in range(2)]
    allocators = [CachingAllocator(stream) for stream in streams]
    tensors = [acl.rt.malloc(size, HUGE_FIRST)[0] for _ in streams]
    for pointer in tensors:
        must(acl.rt.memset(pointer, size, 0, size))
    buffers = [acl.create_data_buffer(pointer, size) for pointer in tensors]
    for _ in range(50):  # both streams work at once, each with its own blocks
        for stream, buffer in zip(streams, buffers, strict=True):
            must(acl.op.execute_v2("SoftmaxV2", [desc], [buffer], [desc], [buffer], attr, stream))
    for name, stream, allocator in zip("AB", streams, allocators, strict=True):
        must(acl.rt.synchronize_stream(stream))
        held = sum(allocator.blocks.values())
        print(f"stream {name}: {allocator.misses} allocation, {allocator.hits} from the cache, {held} bytes held")
    good = all((allocator.misses, allocator.hits) == (1, 49) for allocator in allocators)
    for stream, allocator, buffer, pointer in zip(streams, allocators, buffers, tensors, strict=True):
        allocator.close()
        must(acl.destroy_data_buffer(buffer))
        must(acl.rt.free(pointer))
        must(acl.rt.destroy_stream(stream))
    acl.destroy_tensor_desc(desc)
    acl.op.destroy_attr(attr)
    must(acl.rt.reset_device(0))
    must(acl.finalize())
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
