"""Datasets: the data buffers of one execution, with tensor descriptors of their own.

See docs/semantics/models.md#datasets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.runtime.tensors.descriptors import DataBuffer, TensorDesc, live

if TYPE_CHECKING:
    from ascend_sim.models.shapes import Dims
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["Dataset", "Entry", "dataset_of"]


class Entry:
    """One place of a dataset: the handle of a data buffer that the caller owns, a descriptor that the dataset owns."""

    __slots__ = ("buffer", "desc")

    def __init__(self, buffer: int) -> None:
        self.buffer = buffer
        self.desc: TensorDesc | None = None


class Dataset:
    """What aclmdlCreateDataset makes. A gear that was set stands here, too, whatever became of the call."""

    __slots__ = ("batch", "dims", "entries", "handle", "height", "width")

    def __init__(self) -> None:
        self.handle = 0
        self.entries: list[Entry] = []
        self.batch = 0
        self.height = 0
        self.width = 0
        self.dims: Dims = ()

    def describe(self) -> str:
        """The dataset in words."""
        return f"dataset {self.handle:#x} ({len(self.entries)} buffers)"

    def clear_gear(self) -> None:
        """Forget what a gear setter left."""
        self.batch = self.height = self.width = 0
        self.dims = ()

    @property
    def has_gear(self) -> bool:
        """Whether a setter left a batch, an image size or dims."""
        return bool(self.batch or self.height or self.dims)

    def buffer(self, t: ThreadState, index: int) -> DataBuffer | None:
        """The data buffer at *index*; None behind the end, and, with a finding, for one that was destroyed."""
        if index >= len(self.entries):
            return None
        return live(t, self.entries[index].buffer, DataBuffer, "data buffer")

    def set_desc(self, t: ThreadState, index: int, desc: TensorDesc | None) -> None:
        """Own a copy of *desc*; the one before it, whose handle dies, is dropped. None: have none."""
        entry = self.entries[index]
        old, entry.desc = entry.desc, None
        if old is not None:
            t.sim.drop_handle(old.handle)
        if desc is not None:
            entry.desc = desc.copy()
            entry.desc.handle = t.sim.new_handle(entry.desc)

    def drop(self, t: ThreadState) -> None:
        """The dataset is destroyed: its descriptors go, the data buffers stay."""
        for index in range(len(self.entries)):
            self.set_desc(t, index, None)
        t.sim.drop_handle(self.handle)


def dataset_of(t: ThreadState, handle: int) -> Dataset | None:
    """The dataset of *handle*; None for NULL, and, with a finding, for what is none."""
    return live(t, handle, Dataset, "dataset")
