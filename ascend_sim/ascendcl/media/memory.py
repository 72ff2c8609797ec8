"""Media: memory that the media units can use."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.memory.malloc import allocate_with_config
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.constants.memory import ACL_MEM_MALLOC_HUGE_FIRST
from ascend_sim.errors import AclError
from ascend_sim.media.unit import MediaUnit
from ascend_sim.runtime.memory.allocation import allocate, free
from ascend_sim.runtime.thread_state import ThreadState

_MOST = (1 << 64) - 1
UNIT = 32
PADDING = 64


def _rounded(size: int) -> int:
    """The next multiple of 32, and 32 more. Raises AclError 100000 for what wraps."""
    require(size, "size")
    if size > _MOST - PADDING:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"size is {size}: rounding it up leaves the 64-bit range", "acl")
    return (size + PADDING - 1) // UNIT * UNIT


def _note(t: ThreadState, address: int) -> int:
    block = t.sim.memory.find(address)
    if block is not None:
        t.sim.part(MediaUnit).took(block)
    return address


@api("acldvppMalloc")
def dvpp_malloc(t: ThreadState, size: int) -> int:
    """*size* bytes for the media units: device memory, rounded up to a multiple of 32 plus 32 bytes.

    Codes: 100000 size 0 or too large to round, 107002 no context, 207001 no room.
    """
    return _note(t, allocate(t, size, _rounded(size), ACL_MEM_MALLOC_HUGE_FIRST))


@api("acldvppMallocWithCfg")
def dvpp_malloc_with_cfg(t: ThreadState, size: int, policy: int, cfg: Any) -> int:
    """As acldvppMalloc, with a policy and attributes as aclrtMallocWithCfg has them."""
    return _note(t, allocate_with_config(t, size, _rounded(size), policy, cfg))


@api("acldvppFree")
def dvpp_free(t: ThreadState, address: int) -> None:
    """Free what acldvppMalloc returned, at once, whoever still uses it.

    Memory from aclrtMalloc is freed, too, and a finding says so. Codes: 100000 NULL, 107000 no such block.
    """
    require(address, "devPtr")
    unit = t.sim.part(MediaUnit)
    block = t.sim.memory.find(address)
    foreign = block is not None and not block.freed and block.kind == "device" and not unit.is_media_memory(block)
    free(t, address)
    if foreign:
        assert block is not None
        t.sim.report_call(
            t, "bad-free", "warning",
            f"{t.call} is given {t.sim.names.one_of(block)}, which does not come from acldvppMalloc: the driver frees "
            "it or refuses",
            fix="aclrtFree frees what aclrtMalloc returned",
        )  # fmt: skip
