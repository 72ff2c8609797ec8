"""What describes the memory of models and operators: data buffers and tensor descriptors.

Both hold what the program said and own nothing. Handles of them are pointers in the real library: it tests only NULL,
so a handle of a destroyed one is undefined there. Here it is answered like NULL and leaves a finding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.machine.data_types import element_bytes

if TYPE_CHECKING:
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["UNDEFINED_FORMAT", "DataBuffer", "TensorDesc", "buffer_of", "desc_of", "live", "required"]

UNDEFINED_FORMAT = -1
UNKNOWN_RANK = -2
"""The only dimension of a tensor of which not even the number of dimensions is known."""
SIZE_LIMIT = 1 << 64

T = TypeVar("T")


class DataBuffer:
    """The address and size (bytes) of some memory; `handle` names it in the API."""

    __slots__ = ("address", "handle", "size")

    def __init__(self, address: int, size: int) -> None:
        self.address = address
        self.size = size
        self.handle = 0

    def describe(self) -> str:
        """Of what size it is and where, for texts."""
        return f"data buffer {self.handle:#x} ({self.size} bytes at {self.address:#x})"


class TensorDesc:
    """Type, format and shape of a tensor; and the other properties that operators and models read.

    `dims` and `format` are those of the original tensor, `storage_dims` and `storage_format` those of its memory. -1 in
    `dims`: unknown until it runs; ``[-2]``: of unknown rank; no dims: a scalar.
    """

    __slots__ = (
        "address", "array", "const", "data_type", "dims", "dynamic_input", "format", "handle", "name", "placement",
        "shape_range", "storage_dims", "storage_format", "value_range",
    )  # fmt: skip

    def __init__(self, data_type: int, dims: list[int], format_: int) -> None:
        self.handle = 0
        self.data_type = data_type
        self.dims = dims
        self.format = format_
        self.storage_dims: list[int] = []
        self.storage_format = UNDEFINED_FORMAT
        self.shape_range: list[tuple[int, int]] = []
        self.value_range: list[tuple[int, int]] = []
        self.name = ""
        self.dynamic_input = ""
        self.const: bytes | None = None
        """The values of a constant input; None when it is none."""
        self.placement = 0
        """An aclMemType: 0 device memory, 1 host, 2 host and not known to the compiler."""
        self.address = 0
        self.array: list[TensorDesc] = []
        """All of an array that this is the first descriptor of; none for one that stands alone."""

    @property
    def is_dynamic(self) -> bool:
        """A dimension is unknown, or the rank."""
        return any(dim < 0 for dim in self.dims)

    @property
    def elements(self) -> int:
        """How many there are; 1 for a scalar, 0 when that is unknown or does not fit in 64 bits."""
        count = 1
        for dim in self.dims:
            if dim < 0:
                return 0
            count *= dim
            if count >= SIZE_LIMIT:
                return 0
        return count

    @property
    def bytes(self) -> int:
        """The size of the original tensor; 0 when that is unknown."""
        size = self.elements * element_bytes(self.data_type)
        return size if size < SIZE_LIMIT else 0

    def copy(self) -> TensorDesc:
        """A descriptor that says the same, without a handle."""
        made = TensorDesc(self.data_type, list(self.dims), self.format)
        made.storage_dims, made.storage_format = list(self.storage_dims), self.storage_format
        made.shape_range, made.value_range = list(self.shape_range), list(self.value_range)
        made.name, made.dynamic_input, made.const = self.name, self.dynamic_input, self.const
        made.placement, made.address = self.placement, self.address
        return made

    def describe(self) -> str:
        """Type, shape and format, for texts."""
        name = f" {self.name!r}" if self.name else ""
        what = f"type {self.data_type}, dims {self.dims}, format {self.format}"
        return f"tensor descriptor {self.handle:#x}{name} ({what})"


def live(t: ThreadState, handle: int, kind: type[T], what: str) -> T | None:
    """The object of *kind* that *handle* names; None for NULL, and, with a finding, for what is none."""
    thing = t.sim.handles.get(handle)
    if type(thing) is kind:
        return thing
    if handle:
        other = getattr(thing, "describe", None)
        why = f"it is {other()}" if other else t.sim.tombstone(handle) or "no such handle was ever given out"
        title = f"{t.call} got {handle:#x}, which is no live {what}: {why}; undefined behaviour of the real library"
        t.sim.report_call(t, "undefined-use", "error", title)
    return None


def required(
    t: ThreadState, handle: int, kind: type[T], what: str, parameter: str, failure: tuple[Any, ...] | None = None
) -> T:
    """The object of *kind* that the argument *parameter* names; *failure*: outputs of the call when it names none.

    Raises AclError 100000 for NULL, and, with a finding, for what is no live *what*.
    """
    found = live(t, handle, kind, what)
    if found is None:
        text = f"{parameter} {handle:#x} is not alive" if handle else f"{parameter} is NULL"
        raise AclError(ACL_ERROR_INVALID_PARAM, text, "acl", failure)
    return found


def buffer_of(t: ThreadState, handle: int) -> DataBuffer | None:
    """The data buffer of *handle*; None for NULL, and, with a finding, for what is none."""
    return live(t, handle, DataBuffer, "data buffer")


def desc_of(t: ThreadState, handle: int) -> TensorDesc | None:
    """The tensor descriptor of *handle*; None for NULL, and, with a finding, for what is none."""
    return live(t, handle, TensorDesc, "tensor descriptor")
