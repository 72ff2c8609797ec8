"""The media units of one simulator: whether the device was asked for them, their memory, their channels."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from ascend_sim.constants.errors import (
    ACL_ERROR_FEATURE_UNSUPPORTED,
    ACL_ERROR_INTERNAL_ERROR,
    ACL_ERROR_RT_CONTEXT_NULL,
)
from ascend_sim.errors import AclError
from ascend_sim.media.descriptors import MediaObject
from ascend_sim.media.rules import rules_of, table
from ascend_sim.runtime.tensors.descriptors import live

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.media.channels import PictureChannel
    from ascend_sim.media.rules import MediaRules
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["MediaUnit", "created", "destroyed", "needs"]

M = TypeVar("M", bound=MediaObject)

OTHER_FREES = ("aclrtFree", "aclrtFreeWithDevSync")
"""Calls that free memory of the other family."""


class MediaUnit:
    """`sim.part(MediaUnit)`: what media calls of a process share."""

    def __init__(self, sim: Runtime) -> None:
        self._sim = sim
        self._rules = rules_of(sim.profile)
        self._known = False
        self._listens = False
        self.blocks: dict[int, Allocation] = {}
        """What acldvppMalloc handed out and nobody freed, by address."""
        self.open: list[PictureChannel] = []
        self._last_channel = 0
        self.said: set[str] = set()
        """What is said once: algorithms that are replaced, memory of the wrong kind."""

    def find(self, t: ThreadState) -> MediaRules:
        """The rules of the product. The first call asks the device which media units it has, and needs a context.

        Raises AclError 500000 without one, and on products without this interface.
        """
        if not self._known:
            try:
                t.current_context()
            except AclError as error:
                if error.code != ACL_ERROR_RT_CONTEXT_NULL:
                    raise
                text = f"the first media call asks the device for its version, and there is no context: {error.reason}"
                raise AclError(ACL_ERROR_INTERNAL_ERROR, text, "acl") from None
        if self._rules is None:
            name = self._sim.profile.name
            raise AclError(ACL_ERROR_INTERNAL_ERROR, f"{name} has no media units for this interface", "acl")
        if not self._known:
            self._known = True
            from ascend_sim.media.pictures import places  # it needs numpy's share of this room

            self._sim.places = partial(places, self._sim)
        return self._rules

    @property
    def rules(self) -> MediaRules:
        """The rules of the product, for who has come this far."""
        assert self._rules is not None, "no object of it exists without its rules"
        return self._rules

    def next_channel(self) -> int:
        """1, 2, 3, ...: the number of a channel descriptor."""
        self._last_channel += 1
        return self._last_channel

    def took(self, block: Allocation) -> None:
        """*block* was handed out by acldvppMalloc."""
        if not self._listens:
            self._listens = True
            self._sim.hooks.add("freed", self._freed)
        self.blocks[block.address] = block

    def _freed(self, t: ThreadState | None, block: Allocation) -> None:
        """Somebody freed *block*: by the call of its family? No thread: it went with its device, or in stream order."""
        if not self.is_media_memory(block):
            return
        del self.blocks[block.address]
        if t is not None and t.call in OTHER_FREES:
            t.sim.report_call(
                t, "bad-free", "warning",
                f"{t.call} is given {t.sim.names.one_of(block)}, which comes from acldvppMalloc: the driver frees it or "
                "refuses",
                fix="acldvppFree frees what acldvppMalloc returned",
            )  # fmt: skip

    def is_media_memory(self, block: Allocation) -> bool:
        """Whether *block* came from acldvppMalloc."""
        return self.blocks.get(block.address) is block

    def create(self, t: ThreadState, channel: PictureChannel) -> None:
        """Open *channel*: the device prepares it while the call waits. Raises AclError 107002, 500000 (none left)."""
        context = t.current_context()
        most = table()["channels"]
        self.open = [one for one in self.open if one.open]
        if len(self.open) >= most:
            raise AclError(ACL_ERROR_INTERNAL_ERROR, f"all {most} channels of the device are in use", "acl")
        if channel.open:
            text = f"{t.call} is called for {channel.describe()}, which is a channel already"
            t.sim.report_call(t, "undefined-use", "error", text, fix="destroy the channel first")
        else:
            self.open.append(channel)
        channel.open, channel.context = True, context
        t.clock += table()["costs"]["channel_ns"]

    def destroy(self, t: ThreadState, channel: PictureChannel) -> None:
        """Close *channel*; its descriptor stays."""
        if not channel.open:
            text = f"{t.call} is called for {channel.describe()}, which is no channel"
            t.sim.report_call(t, "undefined-use", "warning", text, fix="acldvppCreateChannel makes it one")
        channel.pending.disturbed(t, channel, "destroys")
        channel.open = False
        if channel in self.open:
            self.open.remove(channel)
        t.clock += table()["costs"]["channel_ns"]


def needs(t: ThreadState, rules: MediaRules, what: str) -> None:
    """Raises AclError 200006 for a function that the product's units have not; *what*: its word in the tables."""
    if what in rules.missing:
        raise AclError(ACL_ERROR_FEATURE_UNSUPPORTED, f"{t.sim.profile.name} has no {t.call}", "acl")


def created(t: ThreadState, make: Callable[[], MediaObject]) -> int:
    """The handle of what *make* makes. Raises AclError as `MediaUnit.find`, which a create call answers with NULL."""
    t.sim.part(MediaUnit).find(t)
    return make().handle


def destroyed(t: ThreadState, handle: int, kind: type[M]) -> M | None:
    """Destroy the *kind* of *handle* and return it; None for NULL, which is accepted, and for what is none.

    Raises AclError as `MediaUnit.find`.
    """
    if not handle:
        return None
    t.sim.part(MediaUnit).find(t)
    found = live(t, handle, kind, kind.leaks_as)
    if found is not None:
        found.drop(t)
    return found
