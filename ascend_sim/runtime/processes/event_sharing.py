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
    forget,
    hold,
    misuse,
    neighbours,
    new_entry,
    others_with,
    owned_words,
    place_of,
)

if TYPE_CHECKING:
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["destroyed", "export", "open_name", "used"]


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
    if event.latest is not None and not event.latest.over():
        shared.recorded(event.latest)  # it was queued before anybody else could see it
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
    near.crossed(t)
    event.handle = t.sim.new_handle(event)
    return event.handle


def used(t: ThreadState, shared: SharedEvent) -> None:
    """A call records *shared*, or waits for it: what its owner has destroyed must not be used any more."""
    entry = shared.neighbours.board.read(shared.name) or {}
    if entry.get("ended"):
        misuse(t, f"{t.call} uses {shared.describe()}, {entry['ended']}", "let the owner destroy it last")


def destroyed(t: ThreadState, event: Event) -> None:
    """A handle of a shared *event* is gone; with the last one this process has it no more."""
    shared = event.shared
    if shared is None or any(thing is event for thing in t.sim.handles.values()):
        return
    board = shared.neighbours.board
    with board.change(shared.name) as entry:
        forget(entry, board.me)
        left = others_with(t, entry)
        if entry["owner"] == board.me and not left:
            entry["ended"] = f"which it destroyed at {place_of(t.site)}"
    if not shared.own and not shared.waits():
        shared.neighbours.things.pop(shared.name, None)
