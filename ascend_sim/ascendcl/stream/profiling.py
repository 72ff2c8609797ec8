"""Chapter 24: marks for profiling, names of operators for it, and notes on the last task of a thread."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import peek
from ascend_sim.ascendcl.products import check_product
from ascend_sim.constants.errors import ACL_ERROR_RT_INTERNAL_ERROR, ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.errors import AclError
from ascend_sim.runtime.task import Op
from ascend_sim.runtime.thread_state import ThreadState

TRACE_BYTES = 18
"""A number of 64 bits, a model id of 64, a tag of 16."""
LARGEST_INFO = 64 << 10


@api("aclrtProfTrace")
def prof_trace(t: ThreadState, address: int, size: int, stream: int) -> None:
    """Queue a mark for the profiler with the 1 to 18 bytes at host *address*: here it only takes its time.

    Codes: 100000 NULL, 107000 another size, 107017 dead stream, 107002, 107003.
    """
    require(address, "userdata")
    if not 0 < size <= TRACE_BYTES:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"length is {size}: 1 to {TRACE_BYTES} is required")
    if peek(address, size) is None:
        where = t.sim.memory.describe(address)
        t.sim.report_call(t, "undefined-use", "error", f"aclrtProfTrace reads {size} bytes of host memory from {where}")
    found = t.stream(stream) if stream else None
    context = t.current_context()
    if found is None:
        found = context.default
    else:
        t.check_own(found)
    found.submit(t, Op("profiler mark", t.sim.profile.costs.task_ns))


def _no_capture(t: ThreadState) -> AclError:
    t.current_context()
    return AclError(ACL_ERROR_RT_INTERNAL_ERROR, f"the last task of {t.name} is in no captured model")


@api("aclrtCacheLastTaskOpInfo")
def cache_last_task_op_info(t: ThreadState, address: int, size: int) -> None:
    """Keep *size* bytes about the last task of this thread, which has to be captured. Others are refused.

    Codes: 100000 NULL or size 0, 207000 products without it, 107000 more than 64 KiB, 107002, 507000 not captured.
    """
    require(address, "infoPtr")
    require(size, "infoSize")
    check_product(t, "aclrtCacheLastTaskOpInfo")
    if size > LARGEST_INFO:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"infoSize is {size}: 1 to {LARGEST_INFO} is required")
    raise _no_capture(t)


@api("aclrtCacheLastTaskExtendInfo")
def cache_last_task_extend_info(t: ThreadState, text: str | None, size: int) -> None:
    """Keep a JSON text of *size* bytes about the last task of this thread, which has to be captured; see above.

    Codes: 207000 products without it, 107000 NULL or size 0, 107002, 507000 not captured.
    """
    check_product(t, "aclrtCacheLastTaskExtendInfo")
    if text is None:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "extendInfoPtr is NULL")
    if not size:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "infoSize is 0: 1 or more is required")
    raise _no_capture(t)
