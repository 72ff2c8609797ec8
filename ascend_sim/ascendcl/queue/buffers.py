"""Chapter 17-03 and 20: shared buffers (docs/semantics/queues.md#buffers).

The functions of chapter 20 are reserved: they are those of 17-03 without the test of where the program runs.
"""

from __future__ import annotations

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.queue.parameters import need_device_mode, read_value, write_value
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.constants.queues import ACL_TDT_DVPP_MEM, ACL_TDT_NORMAL_MEM
from ascend_sim.errors import AclError
from ascend_sim.runtime.queues.buffers import SharedBuffer, allocate_buffer
from ascend_sim.runtime.queues.entries import USER_BYTES
from ascend_sim.runtime.tensors.descriptors import live
from ascend_sim.runtime.thread_state import ThreadState

_SIZES = (1 << 64) - 1


def _buffer(t: ThreadState, handle: int, what: str = "buf") -> SharedBuffer:
    """Raises AclError 100000 for NULL, 107000 for what is no live buffer: the driver tests a mark in it."""
    require(handle, what)
    found = live(t, handle, SharedBuffer, "shared buffer")
    if found is None:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{handle:#x} is no live shared buffer", "driver")
    return found


def _private(t: ThreadState, size: int, offset: int) -> None:
    if (size + offset & _SIZES) > USER_BYTES:
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"size {size} and offset {offset}: together {USER_BYTES} are the most", "acl"
        )


@api("aclrtAllocBuf")
def alloc_buf(t: ThreadState, size: int) -> int:
    """A shared buffer with a zeroed data area of *size* bytes. Codes: 100000 size 0, 107000 above 4 GiB, 207001."""
    require(size, "size")
    return allocate_buffer(t, size).handle


@api("aclrtFreeBuf")
def free_buf(t: ThreadState, handle: int) -> None:
    """Free a buffer with its chain; the data goes with the last that refers to it.

    Codes: 100000 NULL, 107000 freed before, or inside a chain.
    """
    _buffer(t, handle).free(t)


@api("aclrtGetBufData")
def get_buf_data(t: ThreadState, handle: int) -> tuple[int, int]:
    """The address and the size of the data area. Codes: 100000 NULL, 107000 no live buffer."""
    area = _buffer(t, handle).area
    return area.block.address, area.size


@api("aclrtGetBufDataLen")
def get_buf_data_len(t: ThreadState, handle: int) -> int:
    """How many bytes are valid: 0 before that was set. Codes: 100000 NULL, 107000 no live buffer."""
    return _buffer(t, handle).length


@api("aclrtSetBufDataLen")
def set_buf_data_len(t: ThreadState, handle: int, length: int) -> None:
    """Say how many bytes are valid. Codes: 100000 NULL, 107000 no live buffer, 0, more than the data area."""
    _buffer(t, handle).set_length(length)


@api("aclrtGetBufUserData")
def get_buf_user_data(t: ThreadState, handle: int, address: int, size: int, offset: int) -> None:
    """Copy from the private area of 96 bytes. Codes: 100000 NULL, beyond its end; 107000 no live buffer."""
    _private(t, size, offset)
    buffer = _buffer(t, handle)
    require(address, "dataPtr")
    write_value(address, size, bytes(buffer.user[offset : offset + size]))


@api("aclrtSetBufUserData")
def set_buf_user_data(t: ThreadState, handle: int, address: int, size: int, offset: int) -> None:
    """Copy into the private area of 96 bytes. Codes: 100000 NULL, beyond its end; 107000 no live buffer."""
    _private(t, size, offset)
    buffer = _buffer(t, handle)
    require(address, "dataPtr")
    buffer.user[offset : offset + size] = read_value(address, size, size)


@api("aclrtCopyBufRef")
def copy_buf_ref(t: ThreadState, handle: int) -> int:
    """Another buffer upon the same data area, with a copy of the private area; of a head the whole chain.

    Codes: 100000 NULL, 107000 no live buffer.
    """
    return _buffer(t, handle).copy(t.sim).handle


@api("aclrtAppendBufChain")
def append_buf_chain(t: ThreadState, head: int, handle: int) -> None:
    """Put a buffer behind the chain of *headBuf*.

    Codes: 100000 NULL, 107000 no live buffer or inside a chain, 507899 itself, 207012 more than 128.
    """
    first = _buffer(t, head, "headBuf")
    first.append(_buffer(t, handle))


@api("aclrtGetBufChainNum")
def get_buf_chain_num(t: ThreadState, head: int) -> int:
    """How many buffers are in the chain, the head included. Codes: 100000 NULL, 107000 no live buffer, not the head."""
    found = _buffer(t, head, "headBuf")
    found.need_head()
    return 1 + len(found.chain)


@api("aclrtGetBufFromChain")
def get_buf_from_chain(t: ThreadState, head: int, index: int) -> int:
    """The buffer at *index*; 0 is the head. Codes: 100000 NULL, 107000 no live buffer, not the head, behind the end."""
    found = _buffer(t, head, "headBuf")
    found.need_head()
    if index > len(found.chain):
        count = 1 + len(found.chain)
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"index is {index}: the chain has {count} buffers", "driver")
    return found.handle if not index else found.chain[index - 1].handle


# -- 17-03 ------------------------------------------------------------------------------------------------------------


@api("acltdtAllocBuf")
def tdt_alloc_buf(t: ThreadState, size: int, kind: int) -> int:
    """As aclrtAllocBuf, of a kind: 0 normal, 1 for media. Codes: 100000 another kind, 200006 on the host, 107000 size 0."""
    if kind not in (ACL_TDT_NORMAL_MEM, ACL_TDT_DVPP_MEM):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"type is {kind}: 0 or 1 is required", "acl")
    need_device_mode(t)
    return allocate_buffer(t, size).handle


@api("acltdtFreeBuf")
def tdt_free_buf(t: ThreadState, handle: int) -> None:
    """As aclrtFreeBuf; 200006 on the host."""
    need_device_mode(t)
    free_buf(t, handle)


@api("acltdtGetBufData")
def tdt_get_buf_data(t: ThreadState, handle: int) -> tuple[int, int]:
    """As aclrtGetBufData; 200006 on the host."""
    need_device_mode(t)
    return get_buf_data(t, handle)


@api("acltdtSetBufDataLen")
def tdt_set_buf_data_len(t: ThreadState, handle: int, length: int) -> None:
    """As aclrtSetBufDataLen; 200006 on the host."""
    need_device_mode(t)
    set_buf_data_len(t, handle, length)


@api("acltdtGetBufDataLen")
def tdt_get_buf_data_len(t: ThreadState, handle: int) -> int:
    """As aclrtGetBufDataLen; 200006 on the host."""
    need_device_mode(t)
    return get_buf_data_len(t, handle)


@api("acltdtAppendBufChain")
def tdt_append_buf_chain(t: ThreadState, head: int, handle: int) -> None:
    """As aclrtAppendBufChain; 200006 on the host."""
    need_device_mode(t)
    append_buf_chain(t, head, handle)


@api("acltdtGetBufChainNum")
def tdt_get_buf_chain_num(t: ThreadState, head: int) -> int:
    """As aclrtGetBufChainNum; 200006 on the host."""
    need_device_mode(t)
    return get_buf_chain_num(t, head)


@api("acltdtGetBufFromChain")
def tdt_get_buf_from_chain(t: ThreadState, head: int, index: int) -> int:
    """As aclrtGetBufFromChain; 200006 on the host."""
    need_device_mode(t)
    return get_buf_from_chain(t, head, index)


@api("acltdtGetBufUserData")
def tdt_get_buf_user_data(t: ThreadState, handle: int, address: int, size: int, offset: int) -> None:
    """As aclrtGetBufUserData; 200006 on the host."""
    need_device_mode(t)
    get_buf_user_data(t, handle, address, size, offset)


@api("acltdtSetBufUserData")
def tdt_set_buf_user_data(t: ThreadState, handle: int, address: int, size: int, offset: int) -> None:
    """As aclrtSetBufUserData; 200006 on the host."""
    need_device_mode(t)
    set_buf_user_data(t, handle, address, size, offset)


@api("acltdtCopyBufRef")
def tdt_copy_buf_ref(t: ThreadState, handle: int) -> int:
    """As aclrtCopyBufRef; 200006 on the host."""
    need_device_mode(t)
    return copy_buf_ref(t, handle)
