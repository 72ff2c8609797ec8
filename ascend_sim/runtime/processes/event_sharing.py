"""Exporting and opening IPC events (docs/semantics/processes.md#events)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.constants.errors import ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.constants.flags import ACL_EVENT_IPC
from ascend_sim.errors import AclError
from ascend_sim.runtime.event import IPC, Event
from ascend_sim.runtime.processes.events import SharedEvent
from ascend_sim.runtime.processes.sharing import (
    entry_of,
    hold,
    neighbours,
    new_entry,
    owned_words,
    tell_published,
)

if TYPE_CHECKING:
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["export", "open_name"]


def export(t: ThreadState, event: Event) -> str:
    """The name by which other processes open *event*; the same one each time."""
    if event.shared is not None:
        return event.shared.name
    near = neighbours(t)
    words = t.sim.names.described(event)
    shared = SharedEvent(near, near.new_name("e"), event, words)
    with near.board.change(shared.name) as entry:
        entry.update(new_entry(t, words, event.device.index, False))
    event.shared = shared
    near.add(shared)
    tell_published(t, event)
    if event.latest is not None:
        shared.recorded(event.latest)
    return shared.name


def open_name(t: ThreadState, name: str) -> int:
    """A handle of the event that was exported as *name*. Raises AclError 107000."""
    near = neighbours(t)
    known = near.things.get(name)
    if isinstance(known, SharedEvent):
        return t.sim.new_handle(known.event)
    try:
        found = entry_of(t, name, "handle") if name.startswith("e-") else None
    except AclError as error:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, error.reason, "driver") from None
    if found is None:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "no live IPC event of this run gave these bytes", "driver")
    context = t.current_context()
    event = Event(context, IPC, ACL_EVENT_IPC, t.sim.next_number("event"), t.site, True)
    event.shared = SharedEvent(near, name, event, owned_words(found))
    with near.board.change(name) as entry:
        hold(entry, near.board.me)
    near.add(event.shared)
    near.crossed(t, event)
    event.handle = t.sim.new_handle(event)
    return event.handle
