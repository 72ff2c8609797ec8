"""An allocator for a stream

A stream gets an allocator of its own for the workspaces of operators, and both are given up when the work is done. What
does the next stream get?

    ascend-sim run broken.py
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
must(acl.rt.destroy_stream(stream))
must(acl.rt.allocator_unregister(stream))

must(acl.rt.allocator_destroy_desc(desc))
must(acl.rt.reset_device(0))
must(acl.finalize())
