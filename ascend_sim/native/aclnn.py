"""What the aclnn functions of the library do: make and ask tensors, scalars and lists, and run operators in two phases.

Operators without a body (`aclnn.phases.BODIES`) are not modelled: their calls say so.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

from ascend_sim.aclnn.objects import NumberArray, ObjectList, Scalar, TensorView
from ascend_sim.aclnn.phases import BODIES, NULL_PARAMETER, Executor, prepare, queue
from ascend_sim.ascendcl.arguments import peek
from ascend_sim.catalogue.aclnn import operators
from ascend_sim.errors import AclError
from ascend_sim.machine.data_types import numpy_type
from ascend_sim.runtime.tensors.descriptors import live
from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["body_of"]

T = TypeVar("T")
Body = Callable[..., Any]

_INNER_NULL = 561103
"""ACLNN_ERR_INNER_NULLPTR: of the functions for objects."""
_PHASE = "GetWorkspaceSize"
_MOST = 1 << 20
_ARRAYS = {"aclCreateIntArray": "q", "aclCreateFloatArray": "f", "aclCreateBoolArray": "?"}


def _read(address: int, count: int, letter: str) -> list[Any] | None:
    """So many numbers at a host address; None for NULL. Raises AclError when they cannot be read."""
    if not address:
        return None if count else []
    data = peek(address, count * struct.calcsize(letter)) if count <= _MOST else None
    if data is None:
        raise AclError(NULL_PARAMETER, f"{count} values cannot be read at {address:#x}", "acl", (0,))
    return list(struct.unpack(f"={count}{letter}", data))


def _made(t: ThreadState, thing: Any) -> int:
    thing.handle = t.sim.new_handle(thing)
    return int(thing.handle)


def _known(t: ThreadState, handle: int, kind: type[T], what: str) -> T:
    found = live(t, handle, kind, what)
    if found is None:
        raise AclError(_INNER_NULL, f"{what} {handle:#x} is not alive" if handle else f"{what} is NULL", "acl")
    return found


def _create_tensor(
    t: ThreadState, dims: int, count: int, data_type: int, strides: int, offset: int, format_: int, storage: int,
    storage_count: int, data: int,
) -> int:  # fmt: skip
    numpy_type(data_type)
    shape = _read(dims, count, "q")
    if shape is None:
        return 0
    view = TensorView(
        shape, data_type, _read(strides, count, "q"), offset, format_, _read(storage, storage_count, "q") or [], data
    )
    return _made(t, view)


def _create_scalar(t: ThreadState, value: int, data_type: int) -> int:
    width = numpy_type(data_type).itemsize
    data = peek(value, width) if value else None
    return _made(t, Scalar(data_type, data)) if data is not None else 0


def _without_type(body: Callable[..., int]) -> Body:
    """NULL for a data type that numpy has not, with a finding."""

    def create(t: ThreadState, *arguments: int) -> int:
        try:
            return body(t, *arguments)
        except ValueError as error:
            t.sim.report_call(t, "not-modelled", "warning", f"{t.call}: {error}")
            return 0

    return create


def _create_array(letter: str) -> Body:
    def create(t: ThreadState, values: int, count: int) -> int:
        found = _read(values, count, letter)
        return _made(t, NumberArray(found)) if found is not None else 0

    return create


def _create_list(t: ThreadState, values: int, count: int) -> int:
    handles = _read(values, count, "Q") or []
    found = [t.sim.handles.get(handle) for handle in handles]
    return _made(t, ObjectList([thing for thing in found if isinstance(thing, (TensorView, Scalar))]))


def _destroy(kind: type[Any], what: str) -> Body:
    def destroy(t: ThreadState, handle: int) -> None:
        found = _known(t, handle, kind, what)
        for element in found.elements if isinstance(found, ObjectList) else ():
            t.sim.drop_handle(element.handle)
        t.sim.drop_handle(handle)

    return destroy


def _ask(attribute: str) -> Body:
    def ask(t: ThreadState, handle: int) -> Any:
        return getattr(_known(t, handle, TensorView, "the tensor"), attribute)

    return ask


def _ask_array(attribute: str) -> Body:
    """The array is the program's: it frees it."""

    def ask(t: ThreadState, handle: int) -> tuple[int, int]:
        values: Sequence[int] = getattr(_known(t, handle, TensorView, "the tensor"), attribute)
        allocate = ctypes.CDLL(None).malloc
        allocate.restype, allocate.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
        address = int(allocate(max(8 * len(values), 1)))
        ctypes.memmove(address, struct.pack(f"={len(values)}q", *values), 8 * len(values))
        return address, len(values)

    return ask


def _size(kind: type[Any], what: str) -> Body:
    def size(t: ThreadState, handle: int) -> int:
        found = _known(t, handle, kind, what)
        return len(found.elements if isinstance(found, ObjectList) else found.values)

    return size


def _set_address(t: ThreadState, handle: int, address: int) -> None:
    _known(t, handle, TensorView, "the tensor").address = address


def _repeatable(t: ThreadState, handle: int) -> None:
    _known(t, handle, Executor, "the executor").repeatable = True


_OBJECTS: dict[str, Body] = {
    "aclCreateTensor": _without_type(_create_tensor),
    "aclCreateScalar": _without_type(_create_scalar),
    **{name: _create_array(letter) for name, letter in _ARRAYS.items()},
    "aclCreateTensorList": _create_list,
    "aclCreateScalarList": _create_list,
    "aclDestroyTensor": _destroy(TensorView, "the tensor"),
    "aclDestroyScalar": _destroy(Scalar, "the scalar"),
    "aclDestroyIntArray": _destroy(NumberArray, "the array"),
    "aclDestroyFloatArray": _destroy(NumberArray, "the array"),
    "aclDestroyBoolArray": _destroy(NumberArray, "the array"),
    "aclDestroyTensorList": _destroy(ObjectList, "the list"),
    "aclDestroyScalarList": _destroy(ObjectList, "the list"),
    "aclGetViewShape": _ask_array("dims"),
    "aclGetViewStrides": _ask_array("strides"),
    "aclGetStorageShape": _ask_array("storage_dims"),
    "aclGetViewOffset": _ask("offset"),
    "aclGetFormat": _ask("format"),
    "aclGetDataType": _ask("data_type"),
    "aclGetRawTensorAddr": _ask("address"),
    "aclSetRawTensorAddr": _set_address,
    "aclGetIntArraySize": _size(NumberArray, "the array"),
    "aclGetFloatArraySize": _size(NumberArray, "the array"),
    "aclGetBoolArraySize": _size(NumberArray, "the array"),
    "aclGetTensorListSize": _size(ObjectList, "the list"),
    "aclGetScalarListSize": _size(ObjectList, "the list"),
    "aclSetAclOpExecutorRepeatable": _repeatable,
    "aclDestroyAclOpExecutor": _destroy(Executor, "the executor"),
}  # fmt: skip


def _first(name: str) -> Body:
    wanted = [parameter.ctype for parameter in operators()[name].parameters]

    def first(t: ThreadState, *handles: int) -> tuple[int, int]:
        found: list[TensorView | Scalar | None] = []
        for handle, ctype in zip(handles, wanted, strict=True):
            scalar = "aclScalar" in ctype
            found.append(live(t, handle, Scalar, "scalar") if scalar else live(t, handle, TensorView, "tensor"))
        return 0, _made(t, prepare(t, name, found))

    return first


def _second(t: ThreadState, workspace: int, size: int, handle: int, stream: int) -> None:
    executor = _known(t, handle, Executor, "the executor")
    if not executor.repeatable:
        t.sim.drop_handle(handle)
    queue(t, executor, stream)


@cache
def body_of(name: str) -> Body | None:
    """What the function *name* does; None when it is not modelled."""
    known = _OBJECTS.get(name)
    if known is not None or name in BODIES:
        return known or _second
    first = name.removesuffix(_PHASE)
    return _first(first) if first != name and first in BODIES else None
