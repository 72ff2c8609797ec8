"""Exercise 13. Served twice

An operator is executed twice on one stream, and each execution asks for memory. Let the program's allocator serve both, and
give the allocator up before the stream goes. It should print `served: 2`.

    ascend-sim run exercises/13_allocator.py
"""

import os
from typing import Any

import acl


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


FLOAT, ND = 0, 2
ROWS, COLUMNS = 8, 256
SIZE = 4 * ROWS * COLUMNS
MODELS = os.environ.get("CLASS_MODELS", "models")  # in the folder of the class; the check names it

served: list[int] = []
spent: list[int] = []


def alloc(obj: Any, size: int) -> Any:
    served.append(size)
    return must(acl.rt.malloc(size, 0))


def address(block: int) -> int:
    return block


def free(obj: Any, block: int) -> None:
    spent.append(block)


def softmax() -> None:
    """One operator on `stream`; it asks for memory when it is executed."""
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

pool = acl.rt.allocator_create_desc()
must(acl.rt.allocator_set_obj_to_desc(pool, 1))
must(acl.rt.allocator_set_alloc_func_to_desc(pool, alloc))
must(acl.rt.allocator_set_free_func_to_desc(pool, free))
must(acl.rt.allocator_set_get_addr_from_block_func_to_desc(pool, address))

must(acl.rt.allocator_register(stream, pool))
softmax()
softmax()
must(acl.rt.synchronize_stream(stream))
print("served:", len(served))

while spent:
    must(acl.rt.free(spent.pop()))
must(acl.rt.allocator_unregister(stream))
must(acl.rt.allocator_destroy_desc(pool))
must(acl.destroy_data_buffer(buffer))
acl.destroy_tensor_desc(desc)
acl.op.destroy_attr(attr)
must(acl.rt.free(tensor))
must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
