"""An allocator that counts: registered on a stream and asked by operators that were compiled for any shape."""

import os
import sys
from typing import Any

import acl

HUGE_FIRST, FLOAT, ND = 0, 0, 2
COLUMNS = 256
MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "op_models")


def must(ret: int) -> None:
    assert ret == 0, (ret, acl.get_recent_err_msg())


class Statistics:
    """Takes every block from the device and gives it back at the end of its stream; counts what passes."""

    def __init__(self, stream: int) -> None:
        self.stream = stream
        self.calls: list[str] = []
        self.live = self.peak = 0
        self.sizes: dict[int, int] = {}
        self.spent: list[int] = []
        self.desc = acl.rt.allocator_create_desc()
        must(acl.rt.allocator_set_obj_to_desc(self.desc, stream))
        must(acl.rt.allocator_set_alloc_func_to_desc(self.desc, self.allocate))
        must(acl.rt.allocator_set_free_func_to_desc(self.desc, self.release))
        must(acl.rt.allocator_set_get_addr_from_block_func_to_desc(self.desc, self.address))
        must(acl.rt.allocator_register(stream, self.desc))
        must(acl.rt.allocator_destroy_desc(self.desc))  # the registration is a copy

    def allocate(self, obj: Any, size: int) -> int:
        self.calls.append("alloc")
        pointer, ret = acl.rt.malloc(size, HUGE_FIRST)
        if ret != 0:
            return 0
        self.sizes[pointer] = size
        self.live += size
        self.peak = max(self.peak, self.live)
        return pointer

    def address(self, block: int) -> int:
        self.calls.append("address")
        return block

    def release(self, obj: Any, block: int) -> None:
        """The task that uses the block is queued and has not run: keep the memory until the stream is done."""
        self.calls.append("free")
        self.live -= self.sizes[block]
        self.spent.append(block)

    def settle(self) -> int:
        must(acl.rt.synchronize_stream(self.stream))
        for block in self.spent:
            must(acl.rt.free(block))
        freed = len(self.spent)
        self.spent.clear()
        return freed


class Softmax:
    """Operator SoftmaxV2 over the last dimension, for any number of rows."""

    def __init__(self) -> None:
        self.attr = acl.op.create_attr()
        must(acl.op.set_attr_list_int(self.attr, "axes", [-1]))

    def run(self, rows: int, stream: int) -> None:
        size = 4 * rows * COLUMNS
        pointer, ret = acl.rt.malloc(size, HUGE_FIRST)
        must(ret)
        must(acl.rt.memset(pointer, size, 0, size))
        desc = acl.create_tensor_desc(FLOAT, [rows, COLUMNS], ND)
        buffer = acl.create_data_buffer(pointer, size)
        must(acl.op.execute_v2("SoftmaxV2", [desc], [buffer], [desc], [buffer], self.attr, stream))
        must(acl.rt.synchronize_stream(stream))
        must(acl.destroy_data_buffer(buffer))
        must(acl.rt.free(pointer))
        acl.destroy_tensor_desc(desc)


def main() -> int:
    must(acl.init())
    must(acl.rt.set_device(0))
    must(acl.op.set_model_dir(MODELS))
    softmax = Softmax()
    stream, ret = acl.rt.create_stream()
    must(ret)
    statistics = Statistics(stream)
    for rows in (1, 64, 1024):
        softmax.run(rows, stream)
    print("calls:", " ".join(statistics.calls))
    print(f"peak {statistics.peak} bytes, live {statistics.live}, given back {statistics.settle()} blocks")
    good = statistics.calls == ["alloc", "address", "free"] * 3

    # Without a registration the built-in allocator serves the stream, from now on until its end.
    must(acl.rt.allocator_unregister(stream))
    softmax.run(8, stream)
    print("after unregister:", len(statistics.calls) // 3, "executions were counted, as before")
    good = good and len(statistics.calls) == 9

    must(acl.rt.destroy_stream(stream))
    acl.op.destroy_attr(softmax.attr)
    must(acl.rt.reset_device(0))
    must(acl.finalize())
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
