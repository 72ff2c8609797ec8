"""What a call of the host has to do with objects that other threads may change: handles, addresses, subscriptions, limits.

A call with a handle or an address looks at the object behind it; one that destroys or sets something changes it. So a
thread that destroys a stream and one that uses it are run in both orders. Settings of the whole process are not looked
at: only ``hosts="all"`` knows of these.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

from ascend_sim.explore.footprints import END, POLL, READ, WRITE, Item

if TYPE_CHECKING:
    from ascend_sim.explore.names import Names
    from ascend_sim.simulator import Simulator

__all__ = ["device_of", "is_given", "objects", "room"]

_CHANGES = (
    "Destroy", "Free", "Unload", "UnLoad", "Unregister", "UnRegister", "Release", "Unmap", "Close", "Abort", "Finalize",
    "Set", "Subscribe", "Register", "Add", "Update",
)  # fmt: skip
"""Parts of the names of functions that change what their handles name."""
_TABLES = (
    ("aclrtSubscribe", "callbacks", WRITE), ("aclrtUnSubscribe", "callbacks", WRITE),
    ("aclrtProcessReport", "callbacks", READ), ("aclrtLaunchCallback", "callbacks", READ),
    ("aclrtAllocatorRegister", "allocators", WRITE),
    ("aclrtAllocatorUnregister", "allocators", WRITE), ("aclrtAllocatorGetByStream", "allocators", READ),
    ("aclopExec", "allocators", READ), ("aclmdlExecuteAsync", "allocators", READ), ("aclmdlLoad", "models", END),
    ("aclmdlUnload", "models", WRITE), ("aclmdlBundleUnload", "models", WRITE), ("aclmdl", "models", READ),
)  # fmt: skip
"""Beginning of a function's name -> the table of the runtime that it looks at or changes; the first that fits."""
_ROOM = (
    ("aclrtCreateStream", "streams"), ("aclrtDestroyStream", "streams"), ("aclrtGetStreamAvailableNum", "streams"),
    ("aclrtCreateEvent", "events"), ("aclrtDestroyEvent", "events"), ("aclrtGetEventAvailNum", "events"),
    ("aclrtMalloc", "memory"), ("aclrtFree", "memory"), ("aclrtGetMemInfo", "memory"),
)  # fmt: skip
"""Beginning of a function's name -> the limit that it takes from, gives to or asks about."""
_GIVEN = frozenset({"device", "object", "table"})
_HANDLES = 1 << 47
"""From here on numbers are handles, or addresses on a device."""


@cache
def _changes(name: str) -> bool:
    return any(part in name for part in _CHANGES) and name not in ("aclrtSetDevice", "aclrtSetCurrentContext")


@cache
def _table(name: str) -> Item | None:
    found = next(((table, mode) for begin, table, mode in _TABLES if name.startswith(begin)), None)
    return None if found is None else Item(("table", found[0]), found[1])


@cache
def _limit(name: str) -> str:
    return next((limit for begin, limit in _ROOM if name.startswith(begin)), "")


def device_of(t: Any) -> int:
    """The current device of a host thread; -1: it has none."""
    device = t.context.device if t.context is not None else t.binding
    return device.index if device is not None else -1


def is_given(item: Item) -> bool:
    """Whether it is of what every call looks at, whatever it asks."""
    return isinstance(item.key, tuple) and item.key[0] in _GIVEN


def objects(names: Names, name: str, arguments: Iterable[Any], device: int) -> list[Item]:
    """What the call *name* looks at or changes before it does anything. *device*: the current one, -1: none."""
    items = [Item(("device", device), READ)] if device >= 0 else []
    table = _table(name)
    if table is not None:
        items.append(table)
    mode = WRITE if _changes(name) else READ
    for value in arguments:
        for one in value if isinstance(value, (list, tuple)) else (value,):
            if type(one) is int and one >= _HANDLES:
                items.append(Item(names.known(one), mode))
    return items


def room(sim: Simulator, name: str, device: int, done: bool) -> list[Item]:
    """What the call *name*, which has returned, has to do with a limit: it has taken, given, asked, or found none left.

    Two that take may change places while plenty is left. What fails, and what leaves so little that another may fail,
    conflicts with all that take and give.
    """
    limit = _limit(name)
    if not limit or device < 0:
        return []
    if "Get" in name:
        return [Item(("asked", limit, device), POLL)]
    scarce = not done or (("Create" in name or "Malloc" in name) and _scarce(sim, limit, device))
    return [Item(("room", limit, device), WRITE if scarce else READ), Item(("asked", limit, device), END)]


def _scarce(sim: Simulator, limit: str, device: int) -> bool:
    found = sim.devices[device]
    if limit == "streams":
        return found.stream_ids.limit <= found.stream_ids.used
    if limit == "events":
        return found.event_limit <= found.events_used
    free, total = sim.memory.memory_of(device)
    return 2 * free < total
