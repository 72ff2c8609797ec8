"""Lesson 13. Memory from your allocator

Operators need temporary memory. A program may serve it from a pool of its own: it registers an allocator for a stream,
and the executor asks it instead of the device. The registry has rules of its own, and each surprises somebody.

    ascend-sim run 13_allocator_registry.py
"""

import os
from typing import Any

import acl

FLOAT, ND = 0, 2
ROWS, COLUMNS = 8, 256
SIZE = 4 * ROWS * COLUMNS
MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "models")


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


class Pool:
    """The simplest allocator: takes from the device, gives back when the stream is done. It says what it is asked."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.calls: list[str] = []
        self.spent: list[int] = []
        self.desc = acl.rt.allocator_create_desc()
        must(acl.rt.allocator_set_obj_to_desc(self.desc, 1))  # handed back as the first argument of alloc and free
        must(acl.rt.allocator_set_alloc_func_to_desc(self.desc, self.alloc))
        must(acl.rt.allocator_set_free_func_to_desc(self.desc, self.free))
        must(acl.rt.allocator_set_get_addr_from_block_func_to_desc(self.desc, self.address))

    def alloc(self, obj: Any, size: int) -> Any:
        self.calls.append(f"alloc {size}")
        return must(acl.rt.malloc(size, 0))

    def address(self, block: int) -> int:
        """A block is whatever alloc returned, and this function says where it lies. Here it is the address itself."""
        self.calls.append("address")
        return block

    def free(self, obj: Any, block: int) -> None:
        """Called as soon as the launch has returned, long before the task runs! Keep the memory until then."""
        self.calls.append("free")
        self.spent.append(block)

    def settle(self, stream: int) -> None:
        must(acl.rt.synchronize_stream(stream))
        while self.spent:
            must(acl.rt.free(self.spent.pop()))


def softmax(stream: int) -> None:
    """An operator that was compiled for any number of rows; such operators ask for memory at each execution."""
    must(acl.op.execute_v2("SoftmaxV2", [desc], [buffer], [desc], [buffer], attr, stream))


must(acl.init())
must(acl.rt.set_device(0))
must(acl.op.set_model_dir(MODELS))
stream = must(acl.rt.create_stream())
attr = acl.op.create_attr()
must(acl.op.set_attr_list_int(attr, "axes", [-1]))
tensor = must(acl.rt.malloc(SIZE, 0))
must(acl.rt.memset(tensor, SIZE, 0, SIZE))
desc = acl.create_tensor_desc(FLOAT, [ROWS, COLUMNS], ND)
buffer = acl.create_data_buffer(tensor, SIZE)

# Rule 1. A registration is a copy: the descriptor may go, and changing it afterwards changes nothing.
first, second, third = Pool("first"), Pool("second"), Pool("third")
must(acl.rt.allocator_register(stream, first.desc))
must(acl.rt.allocator_destroy_desc(first.desc))
softmax(stream)
waiting = must(acl.rt.stream_query(stream)) == 1
print("first pool:", ", ".join(first.calls), "- and the operator", "still waits" if waiting else "has run")

# Rule 2. The last registration wins.
must(acl.rt.allocator_register(stream, second.desc))
softmax(stream)
print("after a second register:", len(first.calls), "calls of the first pool,", len(second.calls), "of the second")

# Rule 3. Nobody registered means the built-in allocator, and that one sticks: it serves the stream from now on, whatever is
# registered later. No code tells; the simulator does.
must(acl.rt.allocator_unregister(stream))
softmax(stream)
must(acl.rt.allocator_register(stream, third.desc))
softmax(stream)
print("a third pool, registered too late:", len(third.calls), "calls")

# Rule 4. Unregistering what was never registered is fine; there is no way to ask for the default stream.
print("unregister twice:", acl.rt.allocator_unregister(stream), acl.rt.allocator_unregister(stream))
print("register for the default stream:", acl.rt.allocator_register(0, third.desc))

# Rule 5. Blocks were freed on the host's clock: memory goes back to the device only after a synchronise.
for pool in (first, second, third):
    pool.settle(stream)
for pool in (second, third):
    must(acl.rt.allocator_destroy_desc(pool.desc))
must(acl.destroy_data_buffer(buffer))
acl.destroy_tensor_desc(desc)
acl.op.destroy_attr(attr)
must(acl.rt.free(tensor))
must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())

# Try it:
# - Free at once: in `Pool.free`, call acl.rt.free(block) instead of keeping it. (And let `settle` do nothing.)
# - Destroy the stream while a pool is registered for it. The entry stays under the number of the handle.
# - examples/caching_allocator.py of the repository hands blocks out again; why may it do so without waiting?
