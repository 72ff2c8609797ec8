"""Chapter 25-03: data buffers, the pairs of address and size that models and operators get."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api
from ascend_sim.runtime.tensors.descriptors import DataBuffer, required
from ascend_sim.runtime.thread_state import ThreadState


def _checked(t: ThreadState, handle: int) -> DataBuffer:
    return required(t, handle, DataBuffer, "data buffer", "dataBuffer")


@api("aclCreateDataBuffer")
def create_data_buffer(t: ThreadState, data: int, size: int) -> int:
    """A data buffer for *size* bytes at *data*. Neither is checked; the memory stays the caller's."""
    buffer = DataBuffer(data, size)
    buffer.handle = t.sim.new_handle(buffer)
    return buffer.handle


@api("aclDestroyDataBuffer")
def destroy_data_buffer(t: ThreadState, handle: int) -> None:
    """The memory that it names stays. Codes: 100000 NULL."""
    t.sim.drop_handle(_checked(t, handle).handle)


@api("aclUpdateDataBuffer")
def update_data_buffer(t: ThreadState, handle: int, data: int, size: int) -> None:
    """Name other memory; nothing is freed. Codes: 100000 NULL."""
    buffer = _checked(t, handle)
    buffer.address, buffer.size = data, size


@api("aclGetDataBufferAddr")
def get_data_buffer_addr(t: ThreadState, handle: int) -> int:
    """The address; 0 for NULL."""
    return _checked(t, handle).address


@api("aclGetDataBufferSize")
def get_data_buffer_size(t: ThreadState, handle: int) -> int:
    """The size in bytes modulo 2**32, as the type of the result; 0 for NULL."""
    return _checked(t, handle).size & 0xFFFF_FFFF


@api("aclGetDataBufferSizeV2")
def get_data_buffer_size_v2(t: ThreadState, handle: int) -> int:
    """The size in bytes; 0 for NULL."""
    return _checked(t, handle).size
