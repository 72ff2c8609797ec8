"""A registration that outlives its stream.

The registry of allocators knows a stream only by the number of its handle. The stream is destroyed, the entry stays, and
a later stream with the same number gets this allocator without having asked. (STR-06)

Corrected: unregister, then destroy.

    ascend-sim run answer/fixed.py
"""

from typing import Any

import acl


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


must(acl.init())
must(acl.rt.set_device(0))
stream = must(acl.rt.create_stream())
desc = acl.rt.allocator_create_desc()
must(acl.rt.allocator_set_obj_to_desc(desc, 1))
must(acl.rt.allocator_set_alloc_func_to_desc(desc, lambda obj, size: acl.rt.malloc(size, 0)[0]))
must(acl.rt.allocator_set_free_func_to_desc(desc, lambda obj, block: acl.rt.free(block)))
must(acl.rt.allocator_set_get_addr_from_block_func_to_desc(desc, lambda block: block))

must(acl.rt.allocator_register(stream, desc))
must(acl.rt.allocator_unregister(stream))
must(acl.rt.destroy_stream(stream))

must(acl.rt.allocator_destroy_desc(desc))
must(acl.rt.reset_device(0))
must(acl.finalize())
