"""What operators take: tensors that are views of memory, scalars, arrays and lists; made, asked, changed and destroyed.

Arrays of numbers are sequences of Python, buffers or host addresses. docs/semantics/aclnn.md#objects
"""

from __future__ import annotations

import operator
import struct
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from ascend_sim.aclnn.codes import INNER, INNER_NULL, NULL_PARAMETER, RUNTIME, WRONG_PARAMETER
from ascend_sim.aclnn.element_types import element_type
from ascend_sim.aclnn.formats import converts, storage_dims
from ascend_sim.aclnn.objects import NumberArray, ObjectList, Scalar, TensorView, layout_of, scalar_of
from ascend_sim.aclnn.phases import Executor
from ascend_sim.ascendcl.arguments import address_of, first_of, peek
from ascend_sim.constants.types import ACL_BOOL, ACL_COMPLEX64, ACL_DOUBLE
from ascend_sim.errors import AclError
from ascend_sim.machine import host_memory
from ascend_sim.runtime.tensors.descriptors import live
from ascend_sim.runtime.thread_state import ThreadState
from ascend_sim.source.fence import shown

__all__ = ["OBJECTS", "RAW", "executor_of"]

T = TypeVar("T")
Body = Callable[..., Any]

_MOST = 1 << 20
FEW = 64
"""Sizes that are read from C together; no tensor that works has more."""
_ARRAYS = {"aclCreateIntArray": "q", "aclCreateFloatArray": "f", "aclCreateBoolArray": "?"}
_CONVERT: dict[str, Callable[[Any], Any]] = {"q": operator.index, "Q": operator.index, "f": float, "?": bool}

RAW = ("viewDims", "stride", "storageDims", "value")
"""Parameters that are arrays: their bodies read them themselves."""


def _read(values: Any, count: int, letter: str) -> tuple[Any, ...] | None:
    """So many numbers of a sequence or at a host address; None for NULL. Raises AclError 161001 when there are fewer."""
    if values is None or (type(values) is int and not values):
        return None
    if type(values) is tuple or isinstance(values, (list, range)):
        values = first_of(values, count)
        if len(values) < count:
            raise AclError(NULL_PARAMETER, f"{count} values are announced, {len(values)} are there", "acl", (0,))
        try:
            return tuple(map(_CONVERT[letter], values))
        except TypeError as error:
            raise AclError(NULL_PARAMETER, f"the values {shown(list(values)):.60}: {error}", "acl", (0,)) from None
    address = values if type(values) is int else address_of(values)
    size = count * struct.calcsize(letter)
    data = peek(address, size) if address is not None and count <= _MOST else None
    if data is None:
        raise AclError(NULL_PARAMETER, f"{count} values cannot be read at {address or 0:#x}", "acl", (0,))
    return struct.unpack(f"={count}{letter}", data)


def _made(t: ThreadState, thing: Any) -> int:
    thing.handle = handle = t.sim.handles.new(thing)
    return int(handle)


def _known(t: ThreadState, handle: int, kind: type[T], what: str) -> T:
    found = t.sim.handles.get(handle)
    if type(found) is kind:
        return found
    live(t, handle, kind, what)
    raise AclError(INNER_NULL, f"{what} {handle:#x} is not alive" if handle else f"{what} is NULL", "acl")


def executor_of(t: ThreadState, handle: int, null: int = INNER_NULL, other: int = INNER) -> Executor:
    """The executor of *handle*. Raises AclError *null* for NULL, *other* for what is none."""
    found = t.sim.handles.get(handle)
    if type(found) is Executor:
        return found
    live(t, handle, Executor, "aclOpExecutor")
    raise AclError(other if handle else null, f"executor {handle:#x} is none" if handle else "executor is NULL", "acl")


def _sizes(values: Any, count: int) -> tuple[int, ...] | None:
    """As `_read`; a tuple is taken as it is: who makes a layout of it looks at each number, once."""
    return values if type(values) is tuple and len(values) == count else _read(values, count, "q")


def _layout_from_c(
    dims: int, count: int, data_type: int, strides: int, offset: int, format_: int, storage: int, storage_count: int
) -> Any:
    """As `_layout`, for arrays of a C program: all of them are read at once."""
    second = count if strides else 0
    third = storage_count if storage else 0
    data = host_memory.snapshot((dims, 8 * count), (strides, 8 * second), (storage, 8 * third))
    if data is None:
        raise AclError(NULL_PARAMETER, "the dims, strides or storage dims cannot be read", "acl", (0,))
    numbers = struct.unpack(f"={count + second + third}q", data)
    steps = numbers[count : count + second] if strides else None
    try:
        return layout_of(numbers[:count], data_type, steps, offset, format_, numbers[count + second :])
    except ValueError as error:
        raise AclError(WRONG_PARAMETER, f"no tensor has {error}", "acl", (0,)) from None


def _layout(
    dims: Any, count: int, data_type: int, strides: Any, offset: int, format_: int, storage: Any, storage_count: int
) -> Any:
    if (
        type(dims) is int
        and type(strides) is int
        and type(storage) is int
        and dims
        and max(count, storage_count) <= FEW
    ):
        return _layout_from_c(dims, count, data_type, strides, offset, format_, storage, storage_count)
    shape = _sizes(dims, count)
    if shape is None and count:
        return None
    try:
        return layout_of(
            shape or (),
            data_type,
            _sizes(strides, count),
            offset,
            format_,
            _sizes(storage, storage_count) or (),
        )
    except (ValueError, TypeError) as error:
        raise AclError(WRONG_PARAMETER, f"no tensor has {error}", "acl", (0,)) from None


def _create_tensor(
    t: ThreadState, dims: Any, count: int, data_type: int, strides: Any, offset: int, format_: int, storage: Any,
    storage_count: int, data: int,
) -> int:  # fmt: skip
    """A tensor: *viewDims* of *dataType* upon the storage at *tensorData*, with strides (None: C order) and an offset in
    elements. NULL for dims that are NULL. The address of the storage may be 0 and set later."""
    layout = _layout(dims, count, data_type, strides, offset, format_, storage, storage_count)
    return _made(t, TensorView(layout, data)) if layout is not None else 0


def _init_tensor(
    t: ThreadState, handle: int, dims: Any, count: int, data_type: int, strides: Any, offset: int, format_: int,
    storage: Any, storage_count: int, data: int,
) -> None:  # fmt: skip
    """Make a tensor another one. Codes: 161001 for NULL dims, 561103 for a tensor that is NULL."""
    found = _known(t, handle, TensorView, "aclTensor")
    layout = _layout(dims, count, data_type, strides, offset, format_, storage, storage_count)
    if layout is None:
        raise AclError(NULL_PARAMETER, "viewDims is NULL", "acl")
    found.key, found.address = layout, data


_OF_PYTHON = {bool: ACL_BOOL, float: ACL_DOUBLE, complex: ACL_COMPLEX64}


def _create_scalar(t: ThreadState, value: Any, data_type: int) -> int:
    """A scalar of *dataType* whose value is read at *value*: an address, a buffer, or a float, bool or complex itself.

    NULL for an address that cannot be read, and, with a finding, for a type that no operator computes with."""
    if type(value) in _OF_PYTHON:
        return _made(t, Scalar(data_type, _as_type(value, data_type)))
    element = element_type(data_type)
    if element is None:
        t.sim.report_call(t, "not-modelled", "warning", f"{t.call}: data type {data_type} has no scalars here")
        return 0
    address = value if type(value) is int else address_of(value) if value is not None else 0
    data = host_memory.snapshot((address, element.carrier.itemsize)) if address else None
    return _made(t, scalar_of(data_type, data)) if data is not None else 0


def _as_type(value: complex, data_type: int) -> complex:
    element = element_type(data_type)
    if element is None or type(value) is complex or data_type == ACL_DOUBLE:
        return value
    found: complex = np.asarray(value).astype(element.wide).item()
    return found


def _create_array(letter: str) -> Body:
    def create(t: ThreadState, values: Any, count: int) -> int:
        """An array with these values: a sequence, a buffer or an address. NULL for NULL and a count above 0."""
        found = _read(values, count, letter)
        if found is None:
            return _made(t, NumberArray(())) if not count else 0
        return _made(t, NumberArray([bool(n) for n in found] if letter == "?" else found))

    return create


def _create_list(t: ThreadState, values: Any, count: int) -> int:
    """A list that owns these tensors or scalars: it destroys them with itself."""
    handles = _read(values, count, "Q") or ()
    found = [t.sim.handles.get(handle) for handle in handles]
    return _made(t, ObjectList([thing if isinstance(thing, (TensorView, Scalar)) else None for thing in found]))


def _destroy(kind: type[Any], what: str) -> Body:
    def destroy(t: ThreadState, handle: int) -> None:
        """End it; a list ends what it holds. Destroying NULL never fails."""
        if not handle:
            return
        handles = t.sim.handles
        found: Any = handles.get(handle)
        if type(found) is not kind:
            found = _known(t, handle, kind, what)
        for element in found.elements if kind is ObjectList else ():
            if element is not None:
                handles.drop(element.handle)
        handles.drop(handle)

    return destroy


def _ask(attribute: str) -> Body:
    def ask(t: ThreadState, handle: int) -> Any:
        """What the tensor was made with. Codes: 161001 for NULL."""
        return getattr(_tensor(t, handle).key, attribute)

    return ask


def _ask_array(attribute: str) -> Body:
    def ask(t: ThreadState, handle: int) -> tuple[tuple[int, ...], int]:
        """The sizes and how many there are: of an output whose shape depends on the data, once its task ran; in C an array
        that the program frees. Codes: 161001 for NULL."""
        values: Sequence[int] = getattr(_tensor(t, handle).key, attribute)
        return tuple(values), len(values)

    return ask


def _format_sizes(t: ThreadState, handle: int, format_: int, data_type: int) -> tuple[tuple[int, ...], int, int]:
    """The storage that aclnnNpuFormatCast needs for the tensor in a format: sizes, how many they are, the format. A data
    type below 0 is the tensor's own. Codes: 161001 for NULL; 361001 where no cast leads to it from the tensor's format;
    161002 for a format that tensors of this shape cannot have."""
    layout = _tensor(t, handle).key
    tiles = data_type if data_type >= 0 else layout.data_type
    if not converts(layout.format, format_, tiles == layout.data_type):
        raise AclError(RUNTIME, f"dstFormat is {format_}: no cast leads to it from format {layout.format}", "acl")
    sizes = storage_dims(layout.dims, format_, tiles)
    if sizes is None:
        raise AclError(WRONG_PARAMETER, f"dstFormat is {format_}: {layout.describe()} has no such format", "acl")
    return tuple(sizes), len(sizes), format_


def _tensor(t: ThreadState, handle: int) -> TensorView:
    found = t.sim.handles.get(handle)
    if type(found) is TensorView:
        return found
    live(t, handle, TensorView, "aclTensor")
    raise AclError(NULL_PARAMETER, f"tensor {handle:#x} is not alive" if handle else "tensor is NULL", "acl")


def _size(kind: type[Any], what: str) -> Body:
    def size(t: ThreadState, handle: int) -> int:
        """How many values or objects it holds. Codes: 561103 for NULL."""
        found = _known(t, handle, kind, what)
        return len(found.elements if kind is ObjectList else found.argument)

    return size


def _get_address(t: ThreadState, handle: int) -> int:
    """The address of the tensor's storage. Codes: 161001 for NULL."""
    return _tensor(t, handle).address


def _set_address(t: ThreadState, handle: int, address: int) -> None:
    """Set the address of the tensor's storage. Codes: 161001 for NULL."""
    _tensor(t, handle).address = address


def _repeatable(t: ThreadState, handle: int) -> None:
    """The executor serves any number of second phases, until it is destroyed. Codes: 561103 for NULL, 561000 for what is
    no executor."""
    executor_of(t, handle).repeatable = True


def _destroy_executor(t: ThreadState, handle: int) -> None:
    """End an executor. Codes: 561103 for NULL, 561000 for what is no executor."""
    executor_of(t, handle)
    t.sim.handles.drop(handle)


def _places(executor: Executor, role: str, lists: bool) -> list[int]:
    """The parameters that an index counts: tensors or lists among the inputs, among the outputs, or all."""
    label = "aclTensorList" if lists else "aclTensor"
    return [
        i
        for i, place in enumerate(executor.operator.places)
        if place.label == label and (role == "any" or (place.written if role == "out" else place.read))
    ]


def _set_tensor(role: str) -> Body:
    def set_one(t: ThreadState, handle: int, index: int, tensor: int, address: int) -> None:
        """Set the address of a tensor of the executor: the *index*-th of its tensors. Codes: 561103 for NULL, 561000 for
        what is no executor, 161002 for an index beyond them, and for one that was NULL in the first phase."""
        found = _known(t, tensor, TensorView, "aclTensor")
        found.address = address
        executor = executor_of(t, handle)
        places = _places(executor, role, False)
        thing = executor.things[places[index]] if index < len(places) else None
        if thing is None:
            raise AclError(WRONG_PARAMETER, f"index is {index}: {executor.describe()} has no such tensor", "acl")
        thing.address = address

    return set_one


def _set_in_list(role: str) -> Body:
    def set_one(t: ThreadState, handle: int, index: int, inside: int, tensors: int, address: int) -> None:
        """Set the address of a tensor in a list of the executor. Codes: 561103 for NULL, 561000 for what is no executor,
        161002 for an index beyond the lists and beyond the list."""
        found = _known(t, tensors, ObjectList, "aclTensorList")
        element = found.elements[inside] if inside < len(found.elements) else None
        if not isinstance(element, TensorView):
            raise AclError(WRONG_PARAMETER, f"relativeIndex is {inside}, {found.describe()}", "acl")
        element.address = address
        executor = executor_of(t, handle)
        if index >= len(executor.operator.places):
            raise AclError(WRONG_PARAMETER, f"irIndex is {index}: {executor.describe()} has no such list", "acl")
        for place in _places(executor, role, True):
            mine = executor.things[place]
            if mine is not None and inside < len(mine.elements) and place == index:
                mine.elements[inside].address = address

    return set_one


def _nothing(t: ThreadState, *arguments: object) -> None:
    """Never fails: what it sets up, aclInit and aclFinalize do here as well."""


_ADDRESSES = {"Input": "in", "Output": "out", "": "any"}

OBJECTS: dict[str, Body] = {
    "aclCreateTensor": _create_tensor,
    "aclInitTensor": _init_tensor,
    "aclCreateScalar": _create_scalar,
    **{name: _create_array(letter) for name, letter in _ARRAYS.items()},
    "aclCreateTensorList": _create_list,
    "aclCreateScalarList": _create_list,
    "aclDestroyTensor": _destroy(TensorView, "aclTensor"),
    "aclDestroyScalar": _destroy(Scalar, "aclScalar"),
    "aclDestroyIntArray": _destroy(NumberArray, "aclIntArray"),
    "aclDestroyFloatArray": _destroy(NumberArray, "aclFloatArray"),
    "aclDestroyBoolArray": _destroy(NumberArray, "aclBoolArray"),
    "aclDestroyTensorList": _destroy(ObjectList, "aclTensorList"),
    "aclDestroyScalarList": _destroy(ObjectList, "aclScalarList"),
    "aclGetViewShape": _ask_array("dims"),
    "aclGetViewStrides": _ask_array("strides"),
    "aclGetStorageShape": _ask_array("storage_dims"),
    "aclGetViewOffset": _ask("offset"),
    "aclGetFormat": _ask("format"),
    "aclGetDataType": _ask("data_type"),
    "aclGetRawTensorAddr": _get_address,
    "aclSetRawTensorAddr": _set_address,
    "aclGetIntArraySize": _size(NumberArray, "aclIntArray"),
    "aclGetFloatArraySize": _size(NumberArray, "aclFloatArray"),
    "aclGetBoolArraySize": _size(NumberArray, "aclBoolArray"),
    "aclGetTensorListSize": _size(ObjectList, "aclTensorList"),
    "aclGetScalarListSize": _size(ObjectList, "aclScalarList"),
    "aclSetAclOpExecutorRepeatable": _repeatable,
    "aclDestroyAclOpExecutor": _destroy_executor,
    **{f"{acl}Set{which}TensorAddr": _set_tensor(role) for acl in ("acl", "Acl") for which, role in _ADDRESSES.items()},
    **{
        f"{acl}SetDynamic{which}TensorAddr": _set_in_list(role)
        for acl in ("acl", "Acl")
        for which, role in _ADDRESSES.items()
    },
    "aclnnNpuFormatCastCalculateSizeAndFormat": _format_sizes,
    "aclnnInit": _nothing,
    "aclnnFinalize": _nothing,
}  # fmt: skip
"""What the functions of acl_meta.h do, by name."""
