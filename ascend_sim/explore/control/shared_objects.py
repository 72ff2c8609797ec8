"""Shared objects: what a call has to do with what other threads may change: handles, addresses, settings, limits.

A call with a handle or an address looks at the object behind it; one that destroys or sets something changes it. So a
thread that destroys a stream and one that uses it are run in both orders. What each function does is data
(`catalogue/effects.py`). Settings are relevant from the call on that sets them (`aborts.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ascend_sim.catalogue.effects import Effects, effects
from ascend_sim.explore.control.aborts import limit_key
from ascend_sim.explore.control.polls import POLLS
from ascend_sim.explore.control.stable_ids import DEVICE_SIDE, SMALL
from ascend_sim.explore.search.dependence import ATOMIC, END, POLL, READ, WRITE, Item
from ascend_sim.runtime.context import Context
from ascend_sim.runtime.stream import Stream

if TYPE_CHECKING:
    from ascend_sim.explore.control.controlled_schedule import ControlledSchedule
    from ascend_sim.runtime.core import Runtime

__all__ = ["SharedObjects", "device_of", "limit_use"]

_TELL = frozenset({"aclrtRecordEvent", *POLLS})
"""Calls that say themselves what they do with the latest record of an event, in the step in which they do it."""
LIMITS = ("streams", "events", "notifies", "memory")
_NO_ROOM = range(207000, 208000)
"""The codes of exhausted resources."""
_MODES = {"read": READ, "write": WRITE, "atomic": ATOMIC}


def device_of(t: Any) -> int:
    """The current device of a host thread; -1: it has none."""
    device = t.context.device if t.context is not None else t.binding
    return device.index if device is not None else -1


class SharedObjects:
    """What the calls of one run have to do with objects. All that it says of a call depends on its name and arguments
    alone, so that a call that is put off is known by what it did when it came first.
    """

    def __init__(self, schedule: ControlledSchedule) -> None:
        self._schedule = schedule
        self._given: dict[Any, tuple[int, list[Item]]] = {}
        """For each thread where its call began, and what that looked at."""
        self._taken: dict[Any, list[tuple[str, int, int]]] = {}
        """For each thread the limits that its call takes from: (limit, device, how much was in use before)."""
        self._bound: dict[str, int] = {}
        """How much of each limit would be in use if nothing had been given back since there are threads."""
        self._places: dict[tuple[int, Any, Any], list[Item]] = {}
        """What any call looks at, by (device, context, limit stream) of its thread."""

    def begins(self, t: Any, name: str, arguments: tuple[Any, ...]) -> None:
        """A call begins: what it looks at or changes."""
        schedule = self._schedule
        does = effects(name)
        device = device_of(t)
        place = device, t.context, t.limit_stream
        items = (self._places.get(place) or self._look_around(*place)).copy()
        if does.uses or does.streams:
            items += self._settings(does, arguments, device)
            for number in does.streams:
                context = t.context or (t.binding and t.binding.primary)
                if not arguments[number] and context is not None:
                    mode = WRITE if number in does.changed else READ
                    items.append(Item(schedule.ids.of_number(context.default.handle), mode))
        for number, value in enumerate(arguments):
            for one in value if isinstance(value, (list, tuple)) else (value,):
                if type(one) is int and one >= SMALL:
                    self._look_at(one, WRITE if number in does.changed else READ, name, items)
        taken: list[tuple[str, int, int]] = []
        for kind, limit, number in does.limits:
            which = self._which(arguments[number]) if number >= 0 else device
            if type(which) is int and 0 <= which < len(schedule.sim.devices):
                items += self._limit(kind, limit, which)
                if kind == "+":
                    taken.append((limit, which, limit_use(schedule.sim, limit, which)[0]))
        self._taken[t] = taken
        schedule.touch_all(items)
        self._given[t] = schedule.place, items

    def _look_around(self, device: int, context: Any, limit_stream: Any) -> list[Item]:
        """What any call looks at whose thread has *device* (-1: none), *context* and *limit_stream* (None: none)."""
        ids = self._schedule.ids
        items = [Item(("device", device), READ)] if device >= 0 else []
        items += [Item(ids.of_number(thing.handle), READ) for thing in (context, limit_stream) if thing is not None]
        self._places[device, context, limit_stream] = items
        return items

    def _limit(self, kind: str, limit: str, device: int) -> Iterator[Item]:
        """What a call does to a limit of a device."""
        schedule = self._schedule
        full = _full(limit, device)
        if full not in self._bound:
            self._bound[full] = limit_use(schedule.sim, limit, device)[0]
        if kind == "=":
            if limit == "events" and limit_key(limit, device) not in schedule.relevant:
                schedule.known_state.add_relevant(limit_key(limit, device))
            yield Item(("asked", limit, device), POLL)
        else:
            yield Item(("asked", limit, device), END)
            if full in schedule.relevant:
                yield Item(("room", limit, device), WRITE)

    def _settings(self, does: Effects, arguments: tuple[Any, ...], device: int) -> Iterator[Item]:
        """What a call does to settings that matter."""
        schedule = self._schedule
        for use in does.uses:
            if not use.tells and not schedule.relevant:
                continue
            key = use.setting
            if use.place is not None:
                key = f"{key} of {self._which(arguments[use.place], key) if use.place >= 0 else device}"
            if use.setting == "device":
                yield Item(("device", arguments[use.place or 0]), _MODES[use.mode])
            elif use.tells or key in schedule.relevant:
                if key not in schedule.relevant:
                    schedule.known_state.add_relevant(key)
                yield Item(("setting", key), _MODES[use.mode])

    def _which(self, value: Any, setting: str = "") -> Any:
        """A device, a model by its number; an object by its name, a context and memory by their device."""
        if setting == "mode":  # that of a stream is its context's
            stream: Any = self._schedule.ids.things.get(value)
            return self._schedule.ids.of(stream.context) if stream is not None else ""
        if type(value) is int and value >= DEVICE_SIDE:
            sim, ids = self._schedule.sim, self._schedule.ids
            device = getattr(ids.things.get(value), "device", None)
            if device is not None:
                return device.index
            block = sim.memory.find(value)
            return ids.of_number(value)[1] if block is None else block.device
        return value

    def _look_at(self, number: int, mode: int, name: str, items: list[Item]) -> None:
        """Add to *items* what an argument names, and what that refers to.

        Addresses of the host that nobody allocated are nobody's.
        """
        ids = self._schedule.ids
        if number < DEVICE_SIDE:
            key = ids.of_host(number)
            if key is not None:
                items.append(Item(key, mode))
            return
        items.append(Item(ids.of_number(number), mode))
        thing: Any = ids.things.get(number)
        if thing is None or isinstance(thing, (Stream, Context)):  # most are memory or one of these: they refer to nothing
            return
        if mode == READ and hasattr(thing, "latest") and thing.gate is None and name not in _TELL:
            items.append(Item(("slot", ids.of(thing)), READ))
        for part in _parts(thing):
            if part >= SMALL:
                self._look_at(part, READ, name, items)

    def returns(self, t: Any, name: str, code: int) -> None:
        """The call ends: after a wait it finds, or leaves, its objects as they are then. It may have used up a limit."""
        schedule = self._schedule
        place, items = self._given.pop(t, (schedule.place, []))
        if place != schedule.place:
            schedule.touch_all(items)
        for limit, device, before in self._taken.pop(t, ()):
            full = _full(limit, device)
            used, most = limit_use(schedule.sim, limit, device)
            self._bound[full] += max(used - before, 0)
            if full not in schedule.relevant and (code in _NO_ROOM or self._bound[full] > most):
                schedule.known_state.add_relevant(full)


def _parts(thing: Any) -> Iterator[int]:
    """Handles and addresses that an object refers to: those of a set, the memory of a buffer, the binary of a kernel."""
    for entry in getattr(thing, "entries", ()):
        yield getattr(entry, "buffer", 0)
    if hasattr(thing, "address") and hasattr(thing, "size"):
        yield thing.address
    for name in ("function", "binary"):
        yield getattr(getattr(thing, name, None), "handle", 0)


def _full(limit: str, device: int) -> str:
    """A limit in the list of what gets full."""
    return f"{limit} of device {device}"


def limit_use(sim: Runtime, limit: str, device: int) -> tuple[int, int]:
    """How much of a limit is in use, and how much there is."""
    found = sim.devices[device]
    if limit == "streams":
        return found.stream_ids.used, found.stream_ids.limit
    if limit == "events":
        return found.events_used, found.event_limit
    if limit == "notifies":
        return found.notify_ids.used, found.notify_ids.limit
    free, total = sim.memory.memory_of(device)
    return total - free, total
