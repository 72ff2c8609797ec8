"""Single operators: attributes (docs/semantics/operators.md#attributes)."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import first_of, integers, read_text
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.ops.op_attributes import BOOL, DATA_TYPE, FLOAT, INT, LIST, STRING, OpAttributes
from ascend_sim.runtime.thread_state import ThreadState
from ascend_sim.source.fence import shown


@api("aclopCreateAttr")
def create_attr(t: ThreadState) -> int:
    """A set of operator attributes, with none in it yet."""
    made = OpAttributes()
    made.handle = t.sim.new_handle(made)
    return made.handle


@api("aclopDestroyAttr")
def destroy_attr(t: ThreadState, handle: int) -> None:
    """NULL is allowed; executions keep their copy."""
    if isinstance(t.sim.handles.get(handle), OpAttributes):
        t.sim.drop_handle(handle)
    elif handle:
        t.sim.report_call(t, "undefined-use", "error", f"{t.call} got {handle:#x}, which is no live attribute object")


def _target(t: ThreadState, handle: int, name: str | None) -> tuple[OpAttributes, str]:
    require(handle, "attr")
    if name is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "attrName is NULL", "acl")
    found = t.sim.handles.get(handle)
    if not isinstance(found, OpAttributes):
        why = t.sim.tombstone(handle) or "no such handle was ever given out"
        t.sim.report_call(t, "undefined-use", "error", f"{t.call} got {handle:#x} for attributes: {why}")
        raise AclError(ACL_ERROR_INVALID_PARAM, f"attr is {handle:#x}: {why}", "acl")
    return found, name


def _set(t: ThreadState, handle: int, name: str | None, kind: str, value: Any) -> None:
    found, title = _target(t, handle, name)
    found.set(title, kind, value)


@api("aclopSetAttrBool")
def set_attr_bool(t: ThreadState, handle: int, name: str | None, value: int) -> None:
    """True for all but 0. Codes: 100000 NULL."""
    _set(t, handle, name, BOOL, bool(value))


@api("aclopSetAttrInt")
def set_attr_int(t: ThreadState, handle: int, name: str | None, value: int) -> None:
    """64 bits. Codes: 100000 NULL."""
    _set(t, handle, name, INT, value)


@api("aclopSetAttrFloat")
def set_attr_float(t: ThreadState, handle: int, name: str | None, value: float) -> None:
    """Single precision; NaN and infinities are kept. Codes: 100000 NULL."""
    _set(t, handle, name, FLOAT, value)


@api("aclopSetAttrString")
def set_attr_string(t: ThreadState, handle: int, name: str | None, value: str | None) -> None:
    """Codes: 100000 NULL, the text too."""
    found, title = _target(t, handle, name)
    if value is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "attrValue is NULL", "acl")
    found.set(title, STRING, value)


@api("aclopSetAttrDataType")
def set_attr_data_type(t: ThreadState, handle: int, name: str | None, value: int) -> None:
    """An aclDataType. Codes: 100000 NULL."""
    _set(t, handle, name, DATA_TYPE, value)


# -- lists ------------------------------------------------------------------------------------------------------------


def _list(t: ThreadState, handle: int, name: str | None, kind: str, count: int, values: Any, read: Any) -> None:
    """A list; a negative count is an empty one. Raises AclError 100000 for NULL with a count above 0."""
    found, title = _target(t, handle, name)
    if count > 0:
        require_array(values)
    found.set(title, LIST + kind, tuple(read(values, count)) if count > 0 else ())


def require_array(values: Any) -> None:
    """Raises AclError 100000 for a NULL array (an empty list is none)."""
    if values is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "values is NULL", "acl")


def _signed(values: Any, count: int, width: int = 8) -> list[int]:
    half, whole = 1 << (8 * width - 1), 1 << (8 * width)
    return [n - whole if n >= half else n for n in integers(values, count, "values", width)]


def _floats(values: Any, count: int) -> list[float]:
    """*count* floats in single precision."""
    if isinstance(values, Sequence) and not isinstance(values, (str, bytes, bytearray)):
        values = first_of(values, count)
        if len(values) < count:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"values holds {len(values)} numbers, {count} are announced", "acl")
        return [_single(value) for value in values]
    raw = b"".join(n.to_bytes(4, "little") for n in integers(values, count, "values", 4))
    return list(struct.unpack(f"<{count}f", raw))


def _single(value: Any) -> float:
    try:
        found: float = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
    except struct.error:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"values holds {shown(value)}: a number is required", "acl") from None
    return found


@api("aclopSetAttrListBool")
def set_attr_list_bool(t: ThreadState, handle: int, name: str | None, count: int, values: Any) -> None:
    """Set an attribute to a list of booleans, given as bytes. Codes: 100000 NULL."""
    _list(t, handle, name, BOOL, count, values, lambda v, n: [bool(b) for b in integers(v, n, "values", 1)])


@api("aclopSetAttrListInt")
def set_attr_list_int(t: ThreadState, handle: int, name: str | None, count: int, values: Any) -> None:
    """64 bits each. Codes: 100000 NULL."""
    _list(t, handle, name, INT, count, values, _signed)


@api("aclopSetAttrListFloat")
def set_attr_list_float(t: ThreadState, handle: int, name: str | None, count: int, values: Any) -> None:
    """Single precision. Codes: 100000 NULL."""
    _list(t, handle, name, FLOAT, count, values, _floats)


@api("aclopSetAttrListDataType")
def set_attr_list_data_type(t: ThreadState, handle: int, name: str | None, count: int, values: Any) -> None:
    """An aclDataType each. Codes: 100000 NULL."""
    _list(t, handle, name, DATA_TYPE, count, values, lambda v, n: _signed(v, n, 4))


@api("aclopSetAttrListString")
def set_attr_list_string(t: ThreadState, handle: int, name: str | None, count: int, values: Any) -> None:
    """Texts. Codes: 100000 NULL, each text too."""
    found, title = _target(t, handle, name)
    if count:
        require_array(values)
    texts = []
    if count > 0:
        if isinstance(values, Sequence) and len(values) < count:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"values holds {len(values)} texts, {count} are announced", "acl")
        listed = values if isinstance(values, Sequence) else integers(values, count, "values")
        for i, value in enumerate(listed[:count]):
            text = read_text(value) if isinstance(value, int) and value else value
            if not isinstance(text, str):
                raise AclError(ACL_ERROR_INVALID_PARAM, f"values[{i}] is NULL or no text", "acl")
            texts.append(text)
    found.set(title, LIST + STRING, tuple(texts))


@api("aclopSetAttrListListInt")
def set_attr_list_list_int(
    t: ThreadState, handle: int, name: str | None, count: int, lengths: Any, values: Any
) -> None:
    """Lists of 64-bit numbers with their lengths. Codes: 100000 NULL, each list too."""
    found, title = _target(t, handle, name)
    if lengths is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "numValues is NULL", "acl")
    if count:
        require_array(values)
    lists = []
    if count > 0:
        sizes = _signed(lengths, count, 4)
        if isinstance(values, Sequence) and len(values) < count:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"values holds {len(values)} lists, {count} are announced", "acl")
        listed = values if isinstance(values, Sequence) else integers(values, count, "values")
        for i, (value, size) in enumerate(zip(listed, sizes, strict=False)):
            if value is None or (isinstance(value, int) and not value):
                raise AclError(ACL_ERROR_INVALID_PARAM, f"values[{i}] is NULL", "acl")
            lists.append(tuple(_signed(value, size)) if size > 0 else ())
    found.set(title, LIST + LIST + INT, tuple(lists))
