"""Chapter 12: reductions by the copy engine."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api, require
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_ADDR_UNALIGNED,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.memory.allocation import block_for_task
from ascend_sim.runtime.memory.reduction import (
    BF16,
    EQUAL,
    FLOAT,
    FLOAT16,
    INT8,
    INT16,
    INT32,
    KINDS,
    SUM,
    UINT32,
    WIDTHS,
    reduce_op,
)
from ascend_sim.runtime.memory.transfers import Place
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.thread_state import ThreadState

LARGEST_SUM = 4 << 30
_A2_TYPES = frozenset({INT8, INT16, INT32, FLOAT16, FLOAT, BF16})
TYPES = {
    "950": _A2_TYPES | {UINT32},
    "A3": _A2_TYPES,
    "A2": _A2_TYPES,
    "200I": frozenset({INT8, INT16, INT32, FLOAT16, FLOAT}),
    "INF": frozenset({FLOAT, FLOAT16, INT16}),
    "TRN": frozenset({FLOAT}),
    "310": frozenset({FLOAT}),
}
"""What each product can reduce."""
SUM_ONLY = ("INF", "TRN", "310")


@api("aclrtReduceAsync", raw=("reserve",))
def reduce_async(
    t: ThreadState, dst: int, src: int, count: int, kind: int, data_type: int, stream: int, reserve: object
) -> None:
    """Queue ``dst = dst op src`` over *count* bytes: kind 10 sum, 11 maximum, 12 minimum, 13 equal (1 or 0).

    Codes: 100000 NULL, a *reserve*, a type that is never reduced; 107017; 107000 no bytes, unknown kind, a sum of more
    than 4 GiB, or a kind that INF and TRN lack; 107002; 107003; 207000 a type that the product lacks; 107008 an address
    that is no multiple of the element (docs/semantics/copies.md#reductions).
    """
    require(dst, "dst")
    require(src, "src")
    if reserve is not None and not (isinstance(reserve, int) and reserve == 0):
        raise AclError(ACL_ERROR_INVALID_PARAM, "reserve is not NULL", "acl")
    if data_type not in WIDTHS:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"type is {data_type}: it cannot be reduced", "acl")
    sum_only = t.sim.profile.product in SUM_ONLY
    if sum_only:
        t.current_context()
    found = t.stream(stream) if stream else None
    _check_extent(count, kind, sum_only)
    target = t.submit_stream(stream) if found is None else found
    t.current_context()
    t.check_own(target)
    if data_type not in TYPES[t.sim.profile.product]:
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{t.sim.profile.name} cannot reduce type {data_type}")
    for what, address in (("src", src), ("dst", dst)):
        if address % WIDTHS[data_type]:
            text = f"{what} is {address:#x}: a multiple of {WIDTHS[data_type]} is required for type {data_type}"
            raise AclError(ACL_ERROR_RT_ADDR_UNALIGNED, text)
    _submit(t, target, dst, src, count, kind, data_type)


def _check_extent(count: int, kind: int, sum_only: bool) -> None:
    if not count:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "count is 0")
    if kind not in KINDS:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"kind is {kind}: {SUM} (sum) to {EQUAL} (equal) is required")
    if sum_only and kind != SUM:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"kind is {kind}: this product only has sums ({SUM})")
    if kind == SUM and count > LARGEST_SUM:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"count is {count}: at most {LARGEST_SUM} bytes can be summed")


def _submit(t: ThreadState, stream: Stream, dst: int, src: int, count: int, kind: int, data_type: int) -> None:
    places = []
    for what, address, write in (("src", src, False), ("dst", dst, True)):
        block = block_for_task(t, address, count, what, write)
        if block is None or block.device != stream.context.device.index:
            text = f"{t.call}: {what} is not on the device of {stream.describe()}, as the manual demands"
            t.sim.report_call(t, "undefined-use", "error", text)
        places.append(Place(t.sim, block, address, count, write))
    stream.submit(t, reduce_op(t.sim, places[1], places[0], kind, data_type))
