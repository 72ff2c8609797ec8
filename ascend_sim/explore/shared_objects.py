"""What a call of the host has to do with objects that other threads may change: handles, addresses, subscriptions, limits.

A call with a handle or an address looks at the object behind it; one that destroys or sets something changes it. So a
thread that destroys a stream and one that uses it are run in both orders. Settings of the whole process are not looked
at: only ``hosts="all"`` knows of these. Where a stream is destroyed, or a device reset, while other threads still queue
work there, orders that lead to the same result may be taken for one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

from ascend_sim.explore.footprints import END, POLL, READ, WRITE, Item
from ascend_sim.explore.names import DEVICE_SIDE
from ascend_sim.explore.questions import QUERIES

if TYPE_CHECKING:
    from ascend_sim.explore.guided import Guided
    from ascend_sim.simulator import Simulator

__all__ = ["SharedObjects", "device_of", "is_given"]

_CHANGES = (
    "Destroy", "Free", "Unload", "UnLoad", "Unregister", "UnRegister", "Release", "Unmap", "Close", "Abort", "Finalize",
    "Set", "Subscribe", "Register", "Add", "Update",
)  # fmt: skip
"""Parts of the names of functions that change what their handles name."""
_NO_CHANGES = frozenset({"aclrtSetDevice", "aclrtSetCurrentContext", "aclrtMemPoolFreeAsync"})
"""Others than their names say; what happens in a pool it tells itself."""
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
    ("aclrtCreateContext", "streams"), ("aclrtDestroyContext", "streams"),
    ("aclrtMalloc", "memory"), ("aclrtFree", "memory"), ("aclrtGetMemInfo", "memory"),
    ("aclrtMemPoolMallocAsync", "memory"), ("aclrtMemPoolTrimTo", "memory"), ("aclrtMemPoolDestroy", "memory"),
)  # fmt: skip
"""Beginning of a function's name -> the limit that it takes from, gives to or asks about."""
_TELL = frozenset({"aclrtRecordEvent", *QUERIES})
"""Calls that say themselves what they do with the latest record of an event, in the step in which they do it."""
_LIMITS = ("streams", "events", "memory")
_NO_ROOM = range(207000, 208000)
"""The codes of exhausted resources."""
_GIVEN = frozenset({"device", "object", "table"})


@cache
def _changes(name: str) -> bool:
    return any(part in name for part in _CHANGES) and name not in _NO_CHANGES


@cache
def _table(name: str) -> Item | None:
    found = next(((table, mode) for begin, table, mode in _TABLES if name.startswith(begin)), None)
    return None if found is None else Item(("table", found[0]), found[1])


@cache
def _limit(name: str) -> str:
    return next((limit for begin, limit in _ROOM if name.startswith(begin)), "")


@cache
def _takes(name: str) -> bool:
    return "Create" in name or "Malloc" in name


def device_of(t: Any) -> int:
    """The current device of a host thread; -1: it has none."""
    device = t.context.device if t.context is not None else t.binding
    return device.index if device is not None else -1


def is_given(item: Item) -> bool:
    """Whether it is of what every call looks at, whatever it asks."""
    return isinstance(item.key, tuple) and item.key[0] in _GIVEN


class SharedObjects:
    """What the calls of one run have to do with objects. All that it says of a call depends on its name and arguments
    alone, so that a call that is put off is known by what it did when it came first.
    """

    def __init__(self, guided: Guided) -> None:
        self._guided = guided
        self._given: dict[Any, tuple[int, list[Item]]] = {}
        """For each thread where its call began, and with what."""
        self._used = 0
        """How much of a limit was in use before the call that takes from it; such calls do not wait."""
        self._bound: dict[str, int] = {}
        """How much of each limit would be in use if nothing had been given back since there are threads."""

    def begins(self, t: Any, name: str, arguments: Iterable[Any]) -> None:
        """A call begins: what it looks at or changes."""
        guided = self._guided
        device = device_of(t)
        if device >= 0 and _full("memory", device) not in self._bound:
            self._bound |= {_full(limit, device): _use(guided.sim, limit, device)[0] for limit in _LIMITS}
        items = [Item(("device", device), READ)] if device >= 0 else []
        if t.context is not None:
            items.append(Item(guided.names.known(t.context.handle), READ))
        table = _table(name)
        if table is not None:
            items.append(table)
        mode = WRITE if _changes(name) else READ
        for value in arguments:
            for one in value if isinstance(value, (list, tuple)) else (value,):
                if type(one) is int and one >= DEVICE_SIDE:
                    items.append(Item(guided.names.known(one), mode))
                    thing: Any = guided.sim.handles.get(one)
                    if mode == READ and hasattr(thing, "latest") and thing.gate is None and name not in _TELL:
                        items.append(Item(("slot", guided.names.of(thing)), READ))
        limit = _limit(name)
        if limit and device >= 0:
            if "Get" in name:
                items.append(Item(("asked", limit, device), POLL))
            else:
                items.append(Item(("asked", limit, device), END))
                if _full(limit, device) in guided.full:
                    items.append(Item(("room", limit, device), WRITE))
                if _takes(name):
                    self._used = _use(guided.sim, limit, device)[0]
        guided.items += items
        self._given[t] = guided.place, items

    def returns(self, t: Any, name: str, code: int) -> None:
        """The call ends: after a wait it finds, or leaves, its objects as they are then. It may have used up a limit."""
        guided = self._guided
        place, items = self._given.pop(t, (guided.place, []))
        if place != guided.place:
            guided.items += items
        if name.startswith("aclrtDestroyStream"):
            guided.items += [Item(("tasks", stream), WRITE) for stream in _changed(items)]
        limit, device = _limit(name), device_of(t)
        if not limit or device < 0 or not _takes(name):
            return
        full = _full(limit, device)
        if full not in self._bound:  # the call has given the thread its device
            return
        used, most = _use(guided.sim, limit, device)
        self._bound[full] += max(used - self._used, 0)
        if full not in guided.full and (code in _NO_ROOM or self._bound[full] > most):
            guided.cells.fills(full)


def _changed(items: list[Item]) -> list[Hashable]:
    """The names of the objects that *items* change."""
    keys = [item.key for item in items if item.mode == WRITE]
    return [key[1] for key in keys if isinstance(key, tuple) and key[0] == "object"]


def _full(limit: str, device: int) -> str:
    """A limit in the list of what gets full."""
    return f"{limit} of device {device}"


def _use(sim: Simulator, limit: str, device: int) -> tuple[int, int]:
    """How much of a limit is in use, and how much there is."""
    found = sim.devices[device]
    if limit == "streams":
        return found.stream_ids.used, found.stream_ids.limit
    if limit == "events":
        return found.events_used, found.event_limit
    free, total = sim.memory.memory_of(device)
    return total - free, total
