"""Plans of fault injection, as text: ``aclrtMalloc:3=207001`` lets the third call of aclrtMalloc fail.

`observers/fault_injection.py` carries them out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Any

import attrs

from ascend_sim.aclnn.codes import CODES as OPERATOR_CODES
from ascend_sim.catalogue.codes import codes
from ascend_sim.constants.errors import ACL_ERROR_RT_LOST_HEARTBEAT, ACL_ERROR_RT_MEMORY_ALLOCATION

__all__ = ["SYNTAX", "FaultPlan", "parse_faults"]

SYNTAX = """\
A plan is WHAT[:WHEN][=EFFECT], several with commas between:
  aclrtMalloc:3=207001   the third call returns 207001 and does nothing; acl.rt.malloc is the same function
  aclrtCreate*:5+        from the fifth call of any of these on; without a code one that fits (207001, else 507899)
  aclrtMemcpy:2-4        the second to the fourth call; :1% each call with this probability, from the seed of the run
  memory:64MiB           no device gives more than 64 MiB to aclrtMalloc and its sisters (207001)
  kernel:2               the second kernel launch faults on the device (507015 or 507035); kernel(add*) only these;
                         operator(NAME), model and set (aclrtMemsetAsync) likewise; media: pictures (507018),
                         media(JPEG decode), media(VPC*) only these
  copy:1=507052          the first copy fails (507052); copy:3=5ms takes 5 ms longer, copy:10%=x8 eight times as long
  device(0):40ms         device 0 is lost at virtual time 40 ms (device(0):7 at its seventh call): whatever runs there
                         fails, and so do all calls that need it (507010)
WHEN counts from 1, over all threads, in the order of the program; without it the plan holds for every call or task.
Tasks of a graph count with every execution of it, not when they are captured."""

TASKS = ("kernel", "operator", "model", "set", "copy", "media", "vdec", "venc")
SIZES = {"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
TIMES = {"ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000}
FOREVER = 1 << 62

_ITEM = re.compile(r"(?P<what>[\w.*?\[\]]+)(?:\((?P<name>[^()]*)\))?(?::(?P<when>[^=]+))?(?:=(?P<effect>.+))?")
_COUNT = re.compile(r"(\d+)(?:(\+)|-(\d+))?")
_SHARE = re.compile(r"(\d+(?:\.\d+)?)%")
_SIZE = re.compile(r"(\d+)\s*(B|KiB|MiB|GiB)?")
_TIME = re.compile(r"(\d+(?:\.\d+)?)(ns|us|ms|s)")
_FACTOR = re.compile(r"x(\d+(?:\.\d+)?)")


@attrs.frozen
class FaultPlan:
    """One plan. *kind* is ``call``, ``task``, ``memory`` or ``device``, *name* a glob over functions or tasks.

    It holds for the *first* to the *last* one that fits (from 1), or for each with probability *chance*. *code* 0: one
    that fits. *slower_ns* and *factor* make a copy slower in place of failing it. *limit* is in bytes, *time_ns* a
    virtual time.
    """

    text: str
    kind: str
    name: str
    first: int = 1
    last: int = FOREVER
    chance: float | None = None
    code: int = 0
    slower_ns: int = 0
    factor: float = 1.0
    limit: int = 0
    time_ns: int | None = None

    @property
    def slows(self) -> bool:
        """Whether it makes things slower and fails nothing."""
        return bool(self.slower_ns) or self.factor != 1.0


def parse_faults(plans: str | Iterable[str | FaultPlan] | None) -> list[FaultPlan]:
    """The plans in a text with commas, or in several texts. Raises ValueError that says what is wrong.

    >>> [plan] = parse_faults("acl.rt.malloc:3+=207001")
    >>> plan.kind, plan.name, plan.first, plan.code
    ('call', 'aclrtMalloc', 3, 207001)
    """
    if plans is None:
        return []
    found: list[FaultPlan] = []
    for plan in [plans] if isinstance(plans, str) else plans:
        if isinstance(plan, FaultPlan):
            found.append(plan)
        else:
            found += [_parse(item.strip()) for item in re.split(r",(?![^()]*\))", plan) if item.strip()]
    return found


def _parse(text: str) -> FaultPlan:
    match = _ITEM.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no fault plan: WHAT[:WHEN][=EFFECT] is required")
    what, name, when, effect = match["what"], match["name"], match["when"], match["effect"]
    if what == "memory" and name is None:
        return FaultPlan(
            text, "memory", what, limit=_size(text, when), code=_code(text, effect) or ACL_ERROR_RT_MEMORY_ALLOCATION
        )
    if what == "device":
        if not (name or "").isdecimal():
            raise ValueError(f"{text!r}: which device? device(0) is required")
        code = _code(text, effect) or ACL_ERROR_RT_LOST_HEARTBEAT
        time = _TIME.fullmatch(when or "0ns")
        if time is not None:
            return FaultPlan(text, "device", name, code=code, time_ns=_nanoseconds(time))
        return FaultPlan(text, "device", name, **_when(text, when), code=code)
    if what in TASKS:
        plan = FaultPlan(text, "task", f"{what} {name}" if name else what, **_when(text, when), **_effect(text, effect))
        if plan.slows and what != "copy":
            raise ValueError(f"{text!r}: only copies can be made slower, a code is required")
        return plan
    if name is not None:
        raise ValueError(f"{text!r}: {what} takes no name in brackets: {', '.join(TASKS)} and device do")
    return FaultPlan(text, "call", _function(text, what), **_when(text, when), code=_code(text, effect))


def _when(text: str, when: str | None) -> dict[str, Any]:
    if when is None:
        return {}
    share = _SHARE.fullmatch(when)
    if share is not None:
        return {"chance": float(share[1]) / 100}
    count = _COUNT.fullmatch(when)
    if count is None or int(count[1]) < 1:
        raise ValueError(f"{text!r}: WHEN is {when!r}: 3, 3+, 3-5 or 10% is required")
    first = int(count[1])
    return {"first": first, "last": FOREVER if count[2] else int(count[3] or first)}


def _effect(text: str, effect: str | None) -> dict[str, Any]:
    factor, time = _FACTOR.fullmatch(effect or ""), _TIME.fullmatch(effect or "")
    if factor is not None:
        return {"factor": float(factor[1])}
    return {"slower_ns": _nanoseconds(time)} if time is not None else {"code": _code(text, effect)}


def _nanoseconds(time: re.Match[str]) -> int:
    return round(float(time[1]) * TIMES[time[2]])


def _size(text: str, when: str | None) -> int:
    size = _SIZE.fullmatch(when or "")
    if size is None:
        raise ValueError(f"{text!r}: how much? memory:64MiB is required")
    return int(size[1]) * SIZES[size[2] or ""]


def _code(text: str, effect: str | None) -> int:
    """A code by number or name; 0: none was said."""
    if effect is None:
        return 0
    code = int(effect) if effect.isdecimal() else next((c.value for c in codes().values() if c.name == effect), 0)
    code = code or OPERATOR_CODES.get(effect, 0)
    if not code or (code not in codes() and code not in OPERATOR_CODES.values()):
        raise ValueError(f"{text!r}: {effect!r} is no code of a failure: a number or name of `ascend-sim explain`")
    return code


def _function(text: str, name: str) -> str:
    """The C name of a function of either face; a glob must fit at least one."""
    from ascend_sim.catalogue.functions import functions  # 867 rows: only who names a function reads them

    if name.startswith("acl."):
        from ascend_sim.catalogue.pyacl import row

        module, _, function = name[4:].rpartition(".")
        found = row(module, function)
        if found is None:
            raise ValueError(f"{text!r}: pyACL has no function {name}")
        return found.c_function
    if name not in functions() and not any(fnmatchcase(known, name) for known in functions()):
        from ascend_sim.catalogue.operator_functions import operator_names  # 2,400 names more

        if any(fnmatchcase(known, name) for known in operator_names()):
            return name
        near = get_close_matches(name, [*functions(), *TASKS, "memory", "device", *operator_names()], 1)
        raise ValueError(f"{text!r}: there is no function {name}{f'; did you mean {near[0]}?' if near else ''}")
    return name
