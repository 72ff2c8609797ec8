"""Data items and datasets of tensor channels (docs/semantics/queues.md#items)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from ascend_sim.constants.errors import ACL_ERROR_FEATURE_UNSUPPORTED, ACL_ERROR_INVALID_PARAM
from ascend_sim.constants.queues import (
    ACL_TENSOR_DATA_ABNORMAL,
    ACL_TENSOR_DATA_END_OF_SEQUENCE,
    ACL_TENSOR_DATA_END_TENSOR,
    ACL_TENSOR_DATA_SLICE_TENSOR,
    ACL_TENSOR_DATA_TENSOR,
)
from ascend_sim.constants.types import ACL_DT_UNDEFINED
from ascend_sim.errors import AclError
from ascend_sim.runtime.memory.allocation import allocate_host
from ascend_sim.runtime.memory.allocation import free as free_memory
from ascend_sim.runtime.memory.copies import Shape, copy_now
from ascend_sim.runtime.queues.entries import copied

if TYPE_CHECKING:
    import numpy as np

    from ascend_sim.runtime.thread_state import ThreadState
    from ascend_sim.source.callsite import CallSite

__all__ = ["DataItem", "TensorDataset", "Tensors", "collect"]

_SENT = (ACL_TENSOR_DATA_TENSOR, ACL_TENSOR_DATA_END_OF_SEQUENCE, ACL_TENSOR_DATA_ABNORMAL)
_TENSORS = (ACL_TENSOR_DATA_TENSOR, ACL_TENSOR_DATA_SLICE_TENSOR, ACL_TENSOR_DATA_END_TENSOR)
_GEARS: Final = (1 << 20, 10 << 20, 100 << 20, 500 << 20)
"""What a receiving dataset allocates; beyond the last: what it needs."""


class DataItem:
    """One tensor, or one mark such as the end of a sequence; its memory belongs to the program, or to a dataset."""

    leaks_as: ClassVar[str] = "data item"

    __slots__ = (
        "address", "data_type", "dims", "handle", "number", "received", "site", "size", "slice_id", "slices",
        "tensor_type",
    )  # fmt: skip

    def __init__(
        self, tensor_type: int, dims: list[int], data_type: int, address: int, size: int, site: CallSite
    ) -> None:
        self.tensor_type = tensor_type
        self.dims = dims
        self.data_type = data_type
        self.address = address
        self.size = size
        self.site = site
        self.slices = self.slice_id = 0
        self.handle = self.number = 0
        self.received = False

    def kept_by_another(self) -> bool:
        """Whether it is destroyed with something else: the dataset that received it."""
        return self.received

    def describe(self) -> str:
        """The item in words."""
        return f"data item {self.number} (type {self.data_type}, dims {self.dims}, {self.size} bytes)"


class ItemHeader(NamedTuple):
    """What a message says of one item."""

    tensor_type: int
    dims: list[int]
    data_type: int
    size: int


class Tensors(NamedTuple):
    """What a message holds: its items, one after the other in its bytes, and the name of the dataset."""

    items: tuple[ItemHeader, ...]
    name: str


class TensorDataset:
    """What acltdtCreateDataset makes. One that has received owns its items, and the memory behind them."""

    leaks_as: ClassVar[str] = "tensor dataset"

    def __init__(self, number: int, site: CallSite) -> None:
        self.number = number
        self.site = site
        self.handle = 0
        self.items: list[DataItem] = []
        self.owns = False
        """It has received: the items are its own."""
        self.place = ""
        """Where the memory of the items is: ``host`` or ``device``; empty: nowhere yet."""
        self.name = ""
        self._memory = 0
        self._room = 0

    def describe(self) -> str:
        """The dataset in words."""
        return f"tensor dataset {self.number} ({len(self.items)} items)"

    def kept_by_another(self) -> bool:
        """Nothing destroys it but the program."""
        return False

    def add(self, t: ThreadState, item: DataItem) -> None:
        """Append *item*. Raises AclError 200006 (it has received), 100000 (host and device memory in one dataset)."""
        if self.owns:
            raise AclError(
                ACL_ERROR_FEATURE_UNSUPPORTED, f"{self.describe()} has received: it takes no items of others", "acl"
            )
        if item.address:
            where = t.sim.memory.where(item.address)
            place = "device" if where in ("device", "unallocated", "managed") else "host"
            if self.place and place != self.place:
                raise AclError(
                    ACL_ERROR_INVALID_PARAM,
                    f"{item.describe()} is in {place} memory, the items before it in {self.place} memory", "acl",
                )  # fmt: skip
            self.place = place
        self.items.append(item)

    def receive(self, t: ThreadState, tensors: Tensors, data: np.ndarray) -> None:
        """Hold what came: the items of an earlier message go, and their memory is used again."""
        self._drop_items(t)
        address = self._reach(t, data.nbytes) if data.nbytes else 0
        if address:
            copy_now(t, address, int(data.ctypes.data), Shape(data.nbytes))
        for header in tensors.items:
            kind = header.data_type if header.tensor_type in _TENSORS else ACL_DT_UNDEFINED
            dims = header.dims if header.tensor_type in _TENSORS else []
            item = DataItem(header.tensor_type, dims, kind, address if header.size else 0, header.size, t.site)
            item.received = True
            item.number = t.sim.next_number("data item")
            item.handle = t.sim.new_handle(item)
            self.items.append(item)
            address += header.size
        self.name = tensors.name
        self.owns = True

    def check_receives(self) -> None:
        """Raises AclError 100000 when it holds items of the program."""
        if self.items and not self.owns:
            raise AclError(
                ACL_ERROR_INVALID_PARAM, f"{self.describe()} holds items: an empty one has to receive", "acl"
            )

    def _reach(self, t: ThreadState, size: int) -> int:
        """Page-locked memory of at least *size* bytes."""
        if size > self._room:
            self._give_back(t)
            room = next((gear for gear in _GEARS if size <= gear), size)
            self._memory = allocate_host(t, room)
            self._room = room
        return self._memory

    def _give_back(self, t: ThreadState) -> None:
        if self._memory:
            free_memory(t, self._memory, host=True)
        self._memory = self._room = 0

    def _drop_items(self, t: ThreadState) -> None:
        for item in self.items:
            t.sim.drop_handle(item.handle)
        self.items.clear()

    def destroy(self, t: ThreadState) -> None:
        """The dataset is destroyed; items of its own go, those of the program stay."""
        if self.owns:
            self._drop_items(t)
        self._give_back(t)
        t.sim.drop_handle(self.handle)


def collect(t: ThreadState, dataset: TensorDataset) -> tuple[Tensors, np.ndarray]:
    """The message of *dataset*: copies of its bytes, as they are now. Raises AclError 100000 for what cannot be sent."""
    for item in dataset.items:
        if item.tensor_type not in _SENT:
            raise AclError(
                ACL_ERROR_INVALID_PARAM,
                f"{item.describe()} has the tensor type {item.tensor_type}: 0 (tensor), 1 (end) or 2 (abnormal) is "
                "required", "acl",
            )  # fmt: skip
    headers = tuple(ItemHeader(i.tensor_type, list(i.dims), i.data_type, i.size) for i in dataset.items)
    return Tensors(headers, dataset.name), copied(t, [(item.address, item.size) for item in dataset.items])
