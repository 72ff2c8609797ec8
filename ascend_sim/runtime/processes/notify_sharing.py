"""Exporting and importing notifies (docs/semantics/processes.md#notifies)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ascend_sim.constants.errors import ACL_ERROR_RT_DRV_INTERNAL_ERROR
from ascend_sim.errors import AclError
from ascend_sim.runtime.notify import Notify
from ascend_sim.runtime.processes.notifies import SharedNotify
from ascend_sim.runtime.processes.sharing import (
    admit,
    entry_of,
    forget,
    hold,
    misuse,
    neighbours,
    new_entry,
    others_with,
    owned_words,
    place_of,
    set_pids,
    tell_published,
)

if TYPE_CHECKING:
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["destroyed", "export", "open_key", "set_import_pids", "used"]


def export(t: ThreadState, notify: Notify, white: bool) -> str:
    """The key of *notify*; the same one each time. *white*: only processes that are named may import it."""
    near = neighbours(t)
    if notify.shared is not None:
        if not white:
            with near.board.change(notify.shared.name) as entry:
                entry["white"] = None
        return notify.shared.name
    words = t.sim.names.described(notify)
    shared = SharedNotify(near, near.new_name("n"), notify, words)
    with near.board.change(shared.name) as entry:
        entry.update(
            new_entry(t, words, notify.device.index, white), flag=notify.flag, time=t.clock, id=notify.notify_id
        )
    notify.shared = shared
    near.add(shared)
    tell_published(t, notify)
    return shared.name


def open_key(t: ThreadState, key: str) -> int:
    """A handle of the notify with this *key*. Raises AclError 507899."""
    near = neighbours(t)
    known = near.things.get(key)
    if isinstance(known, SharedNotify):
        return t.sim.new_handle(known.notify)
    if not key.startswith("n-"):
        raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, f"{key!r} is no key of a notify", "driver")
    found = entry_of(t, key, "key")
    admit(t, found, "notify")
    device = t.current_context().device
    notify = Notify(device, 0, found["id"], t.sim.next_number("notify"), t.site)
    notify.shared = SharedNotify(near, key, notify, owned_words(found), True)
    with near.board.change(key) as entry:
        hold(entry, near.board.me)
    near.add(notify.shared)
    near.crossed(t, notify)
    notify.handle = t.sim.new_handle(notify)
    return notify.handle


def set_import_pids(t: ThreadState, notify: Notify, pids: Iterable[int]) -> None:
    """Name who may import *notify*. Raises AclError 507899 when it was not exported, and as `set_pids`."""
    if notify.shared is None:
        raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, f"{notify.describe()} was not exported", "driver")
    set_pids(t, notify.shared.name, pids, "notify")


def used(t: ThreadState, shared: SharedNotify) -> None:
    """A call records *shared*, or waits for it: what its owner has destroyed must not be used any more."""
    entry = shared.neighbours.board.read(shared.name) or {}
    if entry.get("ended"):
        misuse(t, f"{t.call} uses {shared.describe()}, {entry['ended']}", "let the owner destroy it last")


def destroyed(t: ThreadState, notify: Notify) -> None:
    """A handle of a shared *notify* is gone; with the last one this process has it no more."""
    shared = notify.shared
    assert shared is not None
    if any(thing is notify for thing in t.sim.handles.values()):
        return
    board = shared.neighbours.board
    with board.change(shared.name) as entry:
        forget(entry, board.me)
        left = others_with(t, entry)
        if entry["owner"] == board.me:
            entry["ended"] = f"which it destroyed at {place_of(t.site)}"
            if left:
                who = " and ".join(map(str, left))
                misuse(
                    t,
                    f"{t.call} destroys {shared.describe()}, which process {who} still has",
                    "let every process that imported it destroy its handle first",
                )
    if not notify.parked and not notify.unfinished_records():
        shared.neighbours.things.pop(shared.name, None)
