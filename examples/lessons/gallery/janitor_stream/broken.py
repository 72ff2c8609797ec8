"""A stream that tidies up

The worker takes a block from a memory pool and uses it; a stream of its own gives blocks back, so that the worker need
not care. When does the block go back? (Pools have no names in pyACL: these are the C names.)

    ascend-sim run broken.py
"""

from typing import Any

import acl

from ascend_sim import ascendcl as C


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


N = 4096

must(acl.init())
must(acl.rt.set_device(0))
worker = must(acl.rt.create_stream())
janitor = must(acl.rt.create_stream())
where = C.aclrtMemLocation(id=0, type=1)  # device 0
pool = must(C.aclrtMemPoolCreate(C.aclrtMemPoolProps(location=where, maxSize=64 << 20)))

block = must(C.aclrtMemPoolMallocAsync(N, pool, worker))
must(acl.rt.memset_async(block, N, 0, N, worker))
must(C.aclrtMemPoolFreeAsync(block, janitor))

must(acl.rt.synchronize_stream(worker))
must(acl.rt.synchronize_stream(janitor))
must(C.aclrtMemPoolDestroy(pool))
must(acl.rt.destroy_stream(janitor))
must(acl.rt.destroy_stream(worker))
must(acl.rt.reset_device(0))
must(acl.finalize())
