"""A block of a memory pool that is given back on a stream of its own, so that the worker need not care.

Both the allocation and the free are tasks of streams: the calls only queue them. Nothing makes the second stream wait
for the first, so the block may be given back before it was used, or even before it was allocated.

Memory pools have no names in pyACL: this program calls them by their C names.

Corrected: the stream that gives the block back waits for the one that used it.

    ascend-sim run answer/fixed.py
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
used = must(acl.rt.create_event())
where = C.aclrtMemLocation(id=0, type=1)  # device 0
pool = must(C.aclrtMemPoolCreate(C.aclrtMemPoolProps(location=where, maxSize=64 << 20)))

block = must(C.aclrtMemPoolMallocAsync(N, pool, worker))
must(acl.rt.memset_async(block, N, 0, N, worker))
must(acl.rt.record_event(used, worker))
must(acl.rt.stream_wait_event(janitor, used))
must(C.aclrtMemPoolFreeAsync(block, janitor))

must(acl.rt.synchronize_stream(worker))
must(acl.rt.synchronize_stream(janitor))
must(C.aclrtMemPoolDestroy(pool))
must(acl.rt.destroy_event(used))
must(acl.rt.destroy_stream(janitor))
must(acl.rt.destroy_stream(worker))
must(acl.rt.reset_device(0))
must(acl.finalize())
