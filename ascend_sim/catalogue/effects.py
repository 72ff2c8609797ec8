"""What calls do to objects, settings and limits that threads share: the column ``effects`` of ``data/functions.tsv``,
and of ``data/himpi.tsv``.

It holds words. ``stream!``: what the argument *stream* names is changed; what other arguments name is
looked at. ``?run-limit``: a setting is looked at, ``!run-limit``: set, ``~callbacks``: changed in a way in which two
such changes have no order. ``@deviceId``: the one of that argument; ``@device``: of the current device. ``+streams``,
``-streams``, ``=streams``: a limit of the current device, or of the named one, is taken from, given back to, asked
about. ``-``: not modelled, so nothing at all.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

import attrs

from ascend_sim.catalogue.functions import Function, Parameter, functions
from ascend_sim.catalogue.himpi import HimpiFunction, HimpiParameter, himpi_functions

__all__ = ["NOTHING", "SEEN_BY_TASKS", "Effects", "Use", "effects"]

SEEN_BY_TASKS = ("exception-callbacks", "saturation", "stream-switches", "device-limits")
"""Settings that tasks look at when they run, not the calls that queue them."""
Mode = Literal["read", "write", "atomic"]
_MODES: dict[str, Mode] = {"?": "read", "!": "write", "~": "atomic"}


@attrs.frozen
class Use:
    """One setting, and what a call does to it."""

    setting: str
    mode: Mode
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
def _counted() -> frozenset[str]:
    """Settings with changes that have no order: who asks about one makes it matter, too."""
    told = [function.effects for function in functions().values()] + [f.effects for f in himpi_functions().values()]
    words = (word for text in told for word in text.split())
    return frozenset(word[1:].partition("@")[0] for word in words if word[0] == "~")


@cache
def effects(name: str) -> Effects:
    """Those of the C function *name*; none for what is not in the catalogue."""
    function: Function | HimpiFunction | None = functions().get(name) or himpi_functions().get(name)
    if function is None or function.effects == "-":
        return NOTHING
    inputs: tuple[Parameter | HimpiParameter, ...] = function.inputs
    places = {parameter.name: i for i, parameter in enumerate(inputs)}
    changed, uses, limits = set(), [], []
    for word in function.effects.split():
        kind, text = word[0], word[1:]
        if word[-1] == "!":
            changed.add(places[word[:-1]])
        elif kind in _MODES:
            setting, _, which = text.partition("@")
            place = None if not which else -1 if which == "device" else places[which]
            mode = _MODES[kind]
            tells = mode == "write" or (mode == "read" and setting in _counted())
            uses.append(Use(setting, mode, place, tells))
        else:
            limit, _, which = text.partition("@")
            limits.append((kind, limit, places[which] if which else -1))
    streams = tuple(i for i, parameter in enumerate(inputs) if parameter.ctype == "aclrtStream")
    for_tasks = ("=", "events", -1) in limits or any(
        use.mode == "write" and use.setting in SEEN_BY_TASKS for use in uses
    )
    return Effects(frozenset(changed), tuple(uses), tuple(limits), streams, for_tasks)
