"""The ``dump`` section of aclInit's file (and of aclmdlSetDump's): what each key takes, and what excludes what.

docs/semantics/process.md#dump-settings: exception dump and overflow dump exclude the dump of models and
operators; the watcher excludes overflow dump and operator dump, and has rules of its own for ``dump_list``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Final

__all__ = ["dump_fault"]

MOST_PATH_BYTES: Final = 512
MOST_STEP_RANGES: Final = 100
MOST_BLACKLIST_ENTRIES: Final = 100

_SWITCH: Final = ("on", "off")
_EXCEPTION_SCENES: Final = ("lite_exception", "aic_err_brief_dump", "aic_err_norm_dump", "aic_err_detail_dump")
_VALUES: Final[Mapping[str, Sequence[str]]] = {
    "dump_mode": ("input", "output", "all"),
    "dump_data": ("tensor", "stats"),
    "dump_op_switch": _SWITCH,
    "dump_level": ("op", "kernel", "all"),
    "dump_debug": _SWITCH,
    "dump_scene": (*_EXCEPTION_SCENES, "watcher"),
}
_KERNEL_DATA: Final = ("all", "printf", "tensor", "assert", "timestamp")
_STATS: Final = ("Max", "Min", "Avg", "Nan", "Negative Inf", "Positive Inf", "L2norm")
_TEXTS: Final = (
    "dump_path", "dump_mode", "dump_op_switch", "dump_level", "dump_scene", "dump_data", "dump_debug",
    "dump_kernel_data", "dump_step",
)  # fmt: skip
_PATH_CHARACTERS: Final = frozenset("-=[];\\,./!@#$%^&*()_+{}:?")


class _Fault(Exception):
    """What is wrong, with the place in the section."""


def dump_fault(section: Any) -> str:
    """What is wrong with a ``dump`` section, in words that begin with the key; empty when it is right."""
    try:
        if not isinstance(section, dict):
            raise _Fault(f"dump is {section!r}: a JSON object is required")
        if section:
            _types(section)
            _values(section)
            _rules(section)
    except _Fault as fault:
        return str(fault)
    return ""


# -- types and single values ------------------------------------------------------------------------------------------


def _text(holder: dict[str, Any], key: str, place: str = "") -> None:
    if key in holder and not isinstance(holder[key], str):
        raise _Fault(f"{place}{key} is {holder[key]!r}: a string is required")


def _list(holder: dict[str, Any], key: str, member: type, place: str = "") -> list[Any]:
    """The list under *key*, empty when there is none; all of its members must be of type *member*."""
    value = holder.get(key, [])
    if not isinstance(value, list):
        raise _Fault(f"{place}{key} is {value!r}: a list is required")
    for i, each in enumerate(value):
        if not isinstance(each, member):
            needed = "a string" if member is str else "an object"
            raise _Fault(f"{place}{key}[{i}] is {each!r}: {needed} is required")
    return value


def _types(section: dict[str, Any]) -> None:
    for key in _TEXTS:
        _text(section, key)
    _list(section, "dump_stats", str)
    for i, item in enumerate(_list(section, "dump_list", dict)):
        place = f"dump_list[{i}]."
        _text(item, "model_name", place)
        _list(item, "layer", str, place)
        _list(item, "watcher_nodes", str, place)
        for key in ("optype_blacklist", "opname_blacklist"):
            for j, entry in enumerate(_list(item, key, dict, place)):
                _text(entry, "name", f"{place}{key}[{j}].")
                _list(entry, "pos", str, f"{place}{key}[{j}].")
        for j, entry in enumerate(_list(item, "opname_range", dict, place)):
            _text(entry, "begin", f"{place}opname_range[{j}].")
            _text(entry, "end", f"{place}opname_range[{j}].")


def _one_of(value: str, allowed: Sequence[str], place: str) -> None:
    if value not in allowed:
        raise _Fault(f"{place} is {value!r}: {', '.join(allowed[:-1])} or {allowed[-1]} is required")


def _values(section: dict[str, Any]) -> None:
    for key, allowed in _VALUES.items():
        if key in section:
            _one_of(section[key], allowed, key)
    if "dump_kernel_data" in section:
        for kind in section["dump_kernel_data"].split(","):
            _one_of(kind, _KERNEL_DATA, "dump_kernel_data")
    for i, stat in enumerate(section.get("dump_stats", [])):
        _one_of(stat, _STATS, f"dump_stats[{i}]")


# -- what goes together -----------------------------------------------------------------------------------------------


def _rules(section: dict[str, Any]) -> None:
    scene = section.get("dump_scene", "")
    if scene:
        for key in ("dump_debug", "dump_op_switch"):
            if section.get(key) == "on":
                raise _Fault(f'{key} is "on": that is not possible together with dump_scene "{scene}"')
        if scene in _EXCEPTION_SCENES:
            return
        if section.get("dump_mode", "output") != "output":
            raise _Fault(f'dump_mode is "{section["dump_mode"]}": dump_scene "watcher" has output only')
    _path(section)
    if section.get("dump_debug") == "on":
        if section.get("dump_op_switch") == "on":
            raise _Fault('dump_op_switch is "on": that is not possible together with dump_debug "on"')
        return
    _steps(section.get("dump_step", ""))
    for i, item in enumerate(section.get("dump_list", [])):
        _item(section, item, f"dump_list[{i}].")
    _stats(section)


def _path(section: dict[str, Any]) -> None:
    if "dump_path" not in section:
        raise _Fault("dump_path is missing")
    path = section["dump_path"]
    if not path:
        raise _Fault("dump_path is empty")
    if len(path.encode()) > MOST_PATH_BYTES:
        raise _Fault(f"dump_path has {len(path.encode())} bytes: {MOST_PATH_BYTES} are the most")
    address, colon, rest = path.partition(":")
    if colon and rest and _is_ipv4(address):
        if not all(c.isascii() and (c.isalnum() or c in _PATH_CHARACTERS) for c in rest):
            raise _Fault(f"dump_path is {path!r}: the part behind the address has characters that are not allowed")
        return
    if not os.path.isdir(path):
        raise _Fault(f"dump_path is {path!r}: there is no such directory")
    if not os.access(path, os.R_OK | os.W_OK):
        raise _Fault(f"dump_path is {path!r}: the directory cannot be read and written")


def _is_ipv4(address: str) -> bool:
    parts = address.split(".")
    return len(parts) == 4 and all(p.isdecimal() and p.isascii() and int(p[:4]) <= 255 for p in parts)


def _steps(steps: str) -> None:
    """``0|5-7|9``: steps and ranges of steps."""
    if not steps:
        return
    ranges = steps.split("|")
    if len(ranges) > MOST_STEP_RANGES:
        raise _Fault(f"dump_step has {len(ranges)} ranges: {MOST_STEP_RANGES} are the most")
    for each in ranges:
        ends = each.split("-")
        if len(ends) > 2 or not all(end.isdecimal() and end.isascii() for end in ends):
            raise _Fault(f"dump_step has {each!r}: a step or a range such as 3-5 is required")
        if int(ends[0][:20]) > int(ends[-1][:20]):
            raise _Fault(f"dump_step has {each!r}: the first step comes after the last")


def _item(section: dict[str, Any], item: dict[str, Any], place: str) -> None:
    if section.get("dump_op_switch", "off") != "on":
        if item.get("model_name", "x") == "":
            raise _Fault(f"{place}model_name is empty")
        if item.get("layer", ["x"]) == []:
            raise _Fault(f"{place}layer is empty")
    if section.get("dump_scene") == "watcher":
        if not item.get("watcher_nodes"):
            raise _Fault(f"{place}watcher_nodes is {'empty' if 'watcher_nodes' in item else 'missing'}")
        if "model_name" in item:
            raise _Fault(f'{place}model_name is not possible together with dump_scene "watcher"')
    elif item.get("watcher_nodes"):
        raise _Fault(f'{place}watcher_nodes needs dump_scene "watcher"')
    for key in ("optype_blacklist", "opname_blacklist"):
        if len(item.get(key, [])) > MOST_BLACKLIST_ENTRIES:
            raise _Fault(f"{place}{key} has {len(item[key])} entries: {MOST_BLACKLIST_ENTRIES} are the most")
    for key in ("optype_blacklist", "opname_blacklist", "opname_range"):
        if item.get(key) and section.get("dump_level", "all") != "op":
            raise _Fault(f'{place}{key} needs dump_level "op"')
    if item.get("opname_range"):
        if not item.get("model_name"):
            what = "empty" if "model_name" in item else "missing"
            raise _Fault(f"{place}model_name is {what}: opname_range needs it")
        for j, entry in enumerate(item["opname_range"]):
            if not entry.get("begin") or not entry.get("end"):
                raise _Fault(f"{place}opname_range[{j}] needs begin and end")


def _stats(section: dict[str, Any]) -> None:
    if "dump_stats" not in section:
        return
    if not section["dump_stats"]:
        raise _Fault("dump_stats is empty")
    if section.get("dump_data", "tensor") == "tensor":
        raise _Fault('dump_stats needs dump_data "stats"')
