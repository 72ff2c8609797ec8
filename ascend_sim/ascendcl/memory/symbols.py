"""Chapter 11-11: variables in device memory, by their symbols (docs/semantics/kernels.md#device-variables)."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.memory.copy import memcpy, memcpy_async
from ascend_sim.ascendcl.products import check_product
from ascend_sim.constants.errors import ACL_ERROR_FAILURE, ACL_ERROR_INVALID_PARAM
from ascend_sim.constants.memory import (
    ACL_MEMCPY_DEFAULT,
    ACL_MEMCPY_DEVICE_TO_HOST,
    ACL_MEMCPY_HOST_TO_DEVICE,
)
from ascend_sim.errors import AclError
from ascend_sim.kernels.launching.variables import DeviceVariables
from ascend_sim.machine.allocations import Allocation
from ascend_sim.runtime.thread_state import ThreadState

_SIZE = (1 << 64) - 1


def _look_up(t: ThreadState, symbol: Any) -> Allocation:
    """The memory of a symbol on the current device. Raises AclError 107043, 107002, 207001."""
    variables = t.sim.part(DeviceVariables)
    variable = variables.find(symbol)
    return variables.memory(variable, t.current_context().device.index)


def _given(symbol: Any) -> None:
    if symbol is None or (isinstance(symbol, int) and not symbol):
        require(0, "symbol")


@api("aclrtGetSymbolAddress", raw=("symbol",))
def get_symbol_address(t: ThreadState, symbol: Any) -> int:
    """The address of a variable on the current device. Codes: 100000 NULL, 207000, 107043 no such symbol, 107002."""
    _given(symbol)
    check_product(t, "aclrtGetSymbolAddress")
    return _look_up(t, symbol).address


@api("aclrtGetSymbolSize", raw=("symbol",))
def get_symbol_size(t: ThreadState, symbol: Any) -> int:
    """The bytes of a variable. Codes: 100000 NULL, 207000, 107043 no such symbol, 107002."""
    _given(symbol)
    check_product(t, "aclrtGetSymbolSize")
    return _look_up(t, symbol).size


def _place(t: ThreadState, symbol: Any, count: int, offset: int) -> tuple[int, int]:
    """Where the copy starts in a variable, and how many bytes there are from there on. Raises AclError."""
    block = _look_up(t, symbol)
    if offset + count > _SIZE:
        raise AclError(ACL_ERROR_FAILURE, f"offset {offset} and count {count} are more than 64 bits", "acl")
    if offset + count > block.size:
        text = f"{count} bytes from byte {offset} on: the variable has {block.size}"
        raise AclError(ACL_ERROR_INVALID_PARAM, text, "acl")
    return block.address + offset, block.size - offset


def _check_kind(kind: int, allowed: int, name: str) -> None:
    if kind not in (allowed, ACL_MEMCPY_DEFAULT):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"kind is {kind}: {name} or DEFAULT is required", "acl")


def _to(t: ThreadState, symbol: Any, src: int, count: int, offset: int, kind: int) -> tuple[int, int]:
    _given(symbol)
    require(src, "src")
    _check_kind(kind, ACL_MEMCPY_HOST_TO_DEVICE, "HOST_TO_DEVICE (1)")
    check_product(t, "aclrtMemcpyToSymbol")
    return _place(t, symbol, count, offset)


def _from(t: ThreadState, dst: int, most: int, symbol: Any, count: int, offset: int, kind: int) -> tuple[int, int]:
    _given(symbol)
    require(dst, "dst")
    if count > most:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"count is {count}, dstMax is {most}", "acl")
    _check_kind(kind, ACL_MEMCPY_DEVICE_TO_HOST, "DEVICE_TO_HOST (2)")
    check_product(t, "aclrtMemcpyFromSymbol")
    return _place(t, symbol, count, offset)


@api("aclrtMemcpyToSymbol", raw=("symbol",))
def memcpy_to_symbol(t: ThreadState, symbol: Any, src: int, count: int, offset: int, kind: int) -> None:
    """Copy from the host into a variable, at once.

    Codes: count 0 is 0; 100000 NULL, a kind but HOST_TO_DEVICE and DEFAULT, beyond its end; 107043 no such symbol,
    500001 offset and count overflow, 207000, and those of aclrtMemcpy.
    """
    if count:
        address, room = _to(t, symbol, src, count, offset, kind)
        memcpy(t, address, room, src, count, ACL_MEMCPY_HOST_TO_DEVICE)


@api("aclrtMemcpyToSymbolAsync", raw=("symbol",))
def memcpy_to_symbol_async(
    t: ThreadState, symbol: Any, src: int, count: int, offset: int, kind: int, stream: int
) -> None:
    """As aclrtMemcpyToSymbol, on a stream; codes of aclrtMemcpyAsync besides."""
    if count:
        address, room = _to(t, symbol, src, count, offset, kind)
        memcpy_async(t, address, room, src, count, ACL_MEMCPY_HOST_TO_DEVICE, stream)


@api("aclrtMemcpyFromSymbol", raw=("symbol",))
def memcpy_from_symbol(t: ThreadState, dst: int, most: int, symbol: Any, count: int, offset: int, kind: int) -> None:
    """Copy from a variable to the host, at once. Codes as aclrtMemcpyToSymbol, and 100000 count above dstMax."""
    if count:
        address, _ = _from(t, dst, most, symbol, count, offset, kind)
        memcpy(t, dst, most, address, count, ACL_MEMCPY_DEVICE_TO_HOST)


@api("aclrtMemcpyFromSymbolAsync", raw=("symbol",))
def memcpy_from_symbol_async(
    t: ThreadState, dst: int, most: int, symbol: Any, count: int, offset: int, kind: int, stream: int
) -> None:
    """As aclrtMemcpyFromSymbol, on a stream; codes of aclrtMemcpyAsync besides."""
    if count:
        address, _ = _from(t, dst, most, symbol, count, offset, kind)
        memcpy_async(t, dst, most, address, count, ACL_MEMCPY_DEVICE_TO_HOST, stream)
