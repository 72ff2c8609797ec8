"""Tensor channels: a named queue of datasets between host and device (docs/semantics/queues.md#channels)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ascend_sim.constants.errors import ACL_ERROR_FEATURE_UNSUPPORTED, ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.runtime.queues.entries import Entry
from ascend_sim.runtime.queues.registry import QueueRegistry
from ascend_sim.runtime.queues.tensors import TensorDataset, Tensors, collect

if TYPE_CHECKING:
    from ascend_sim.runtime.context import Context
    from ascend_sim.runtime.queues.shared_queue import SharedQueue
    from ascend_sim.runtime.thread_state import ThreadState
    from ascend_sim.source.callsite import CallSite

__all__ = ["Channel"]

_NOTHING = np.empty(0, np.uint8)
RECEIVES = "TF_RECEIVE_"
"""How the name of a channel without capacity begins that the host receives from."""


class Channel:
    """A channel of *queue*. *limited*: made with a capacity; the older ones wait without limit and cannot be asked."""

    leaks_as: ClassVar[str] = "tensor channel"

    def __init__(self, number: int, name: str, queue: SharedQueue, limited: bool, site: CallSite) -> None:
        self.number = number
        self.name = name
        self.queue = queue
        self.limited = limited
        self.site = site
        self.handle = 0
        queue.title = self.describe()
        self.context: Context | None = None
        """Made for a thread without one that received."""

    def describe(self) -> str:
        """The channel in words."""
        return f'tensor channel "{self.name}"'

    def kept_by_another(self) -> bool:
        """Nothing destroys it but the program."""
        return False

    def _need_capacity(self) -> None:
        if not self.limited:
            raise AclError(ACL_ERROR_FEATURE_UNSUPPORTED, f"{self.describe()} was made without a capacity", "acl")

    def _check_limit(self, timeout: int) -> None:
        if not self.limited and timeout != -1:
            raise AclError(
                ACL_ERROR_INVALID_PARAM,
                f"timeout is {timeout}: {self.describe()} was made without a capacity and takes -1 only", "acl",
            )  # fmt: skip

    def send(self, t: ThreadState, dataset: TensorDataset, timeout: int) -> None:
        """Copy *dataset* into the channel; wait for room at most *timeout* ms (negative: for ever).

        Raises AclError 100000 (an item that cannot be sent, no item), 207014 (full).
        """
        self._check_limit(timeout)
        tensors, data = collect(t, dataset)
        if not tensors.items:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"{dataset.describe()} has nothing to send", "acl")
        entry = Entry(data)
        entry.tensors = tensors
        self.queue.put(t, entry, timeout)

    def receive(self, t: ThreadState, dataset: TensorDataset, timeout: int) -> None:
        """Let *dataset* hold the oldest message; wait for one at most *timeout* ms (negative: for ever).

        Raises AclError 100000 (the dataset holds items of the program, no receiving channel), 207013 (empty).
        """
        self._check_limit(timeout)
        if not self.limited and not self.name.startswith(RECEIVES):
            raise AclError(
                ACL_ERROR_INVALID_PARAM, f"{self.describe()} only sends: receiving ones begin with {RECEIVES}", "acl"
            )
        entry = self.queue.take(t, timeout)
        dataset.check_receives()  # the message is gone by now
        self._ensure_context(t)
        dataset.receive(t, entry.tensors or Tensors((), ""), entry.data)

    def _ensure_context(self, t: ThreadState) -> None:
        """A thread that has no context gets one of the channel's."""
        if t.bound_context() is None:
            if self.context is None or self.context.dead:
                self.context = t.sim.new_context(t.sim.devices[self.queue.device], False, t.site)
            t.use_context(self.context)

    def size(self, t: ThreadState) -> int:
        """How many messages it holds. Raises AclError 200006 for one without a capacity."""
        self._need_capacity()
        return self.queue.size(t)

    def clean(self, t: ThreadState) -> None:
        """Drop what it holds. Raises AclError 200006 for one without a capacity."""
        self._need_capacity()
        self.queue.clear(t)

    def stop(self, t: ThreadState) -> None:
        """Wake who waits to receive from one without a capacity; of the others it does nothing."""
        if not self.limited:
            self.queue.stop(t)

    def destroy(self, t: ThreadState) -> None:
        """The channel ends, its queue and the context that it made go with it."""
        if self.limited:
            t.sim.part(QueueRegistry).destroy(t, self.queue.device, self.queue.number)
        else:
            self.queue.end(t)
        if self.context is not None and not self.context.dead:
            if t.context is self.context:
                t.drop_context()
            self.context.tear_down()
        t.sim.drop_handle(self.handle)
