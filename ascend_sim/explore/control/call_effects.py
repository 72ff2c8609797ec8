"""What the calls of the catalogue do to objects, settings and limits that threads share, as data: ``data/shared.tsv``.

A line is a function and words. ``stream!``: what the argument *stream* names is changed; what other arguments name is
looked at. ``?run-limit``: a setting is looked at, ``!run-limit``: set, ``~callbacks``: changed in a way in which two
such changes have no order. ``@deviceId``: the one of that argument; ``@device``: of the current device. ``+streams``,
``-streams``, ``=streams``: a limit of the current device, or of the named one, is taken from, given back to, asked
about. ``-``: not modelled, so nothing at all.
"""

from __future__ import annotations

import os.path
from functools import cache

import attrs

from ascend_sim.catalogue.functions import functions
from ascend_sim.explore.search.dependence import ATOMIC, READ, WRITE

__all__ = ["NOTHING", "SEEN_BY_TASKS", "Effects", "Use", "effects"]

SEEN_BY_TASKS = ("exception-callbacks", "saturation", "stream-switches", "device-limits")
"""Settings that tasks look at when they run, not the calls that queue them."""
_DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(__file__))), "data", "shared.tsv")
_MODES = {"?": READ, "!": WRITE, "~": ATOMIC}


@attrs.frozen
class Use:
    """One setting, and what a call does to it."""

    setting: str
    mode: int
    place: int | None
    """Which of several: the position of the argument that says it, -1: the current device; None: there is one."""
    tells: bool
    """From such a call on it matters: before, nobody sets it, or nobody asks."""


@attrs.frozen
class Effects:
    """What one function does."""

    changed: frozenset[int] = frozenset()
    """Positions of the arguments whose objects it changes."""
    uses: tuple[Use, ...] = ()
    limits: tuple[tuple[str, str, int], ...] = ()
    """(+, - or =, limit, the position of the argument that says the device, -1: the current one)."""
    streams: tuple[int, ...] = ()
    """Positions of arguments for which NULL is the default stream."""
    about_tasks: bool = False
    """It sets what tasks look at when they run, or asks about what they give back."""


NOTHING = Effects()


@cache
def rows() -> dict[str, str]:
    with open(_DATA, encoding="utf-8") as lines:
        return dict(line.split("\t") for line in lines.read().splitlines()[1:])


@cache
def _counted() -> frozenset[str]:
    """Settings with changes that have no order: who asks about one makes it matter, too."""
    words = (word for row in rows().values() for word in row.split())
    return frozenset(word[1:].partition("@")[0] for word in words if word[0] == "~")


@cache
def effects(name: str) -> Effects:
    """Those of the C function *name*; none for what is not in the catalogue."""
    words = rows().get(name, "-").split()
    if words == ["-"]:
        return NOTHING
    inputs = functions()[name].inputs
    places = {parameter.name: i for i, parameter in enumerate(inputs)}
    changed, uses, limits = set(), [], []
    for word in words:
        kind, text = word[0], word[1:]
        if word[-1] == "!":
            changed.add(places[word[:-1]])
        elif kind in _MODES:
            setting, _, which = text.partition("@")
            place = None if not which else -1 if which == "device" else places[which]
            mode = _MODES[kind]
            tells = mode == WRITE or (mode == READ and setting in _counted())
            uses.append(Use(setting, mode, place, tells))
        else:
            limit, _, which = text.partition("@")
            limits.append((kind, limit, places[which] if which else -1))
    streams = tuple(i for i, parameter in enumerate(inputs) if parameter.ctype == "aclrtStream")
    for_tasks = ("=", "events", -1) in limits or any(use.mode == WRITE and use.setting in SEEN_BY_TASKS for use in uses)
    return Effects(frozenset(changed), tuple(uses), tuple(limits), streams, for_tasks)
