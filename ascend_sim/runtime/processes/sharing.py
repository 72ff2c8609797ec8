"""What exporting and importing have in common: keys, white lists, who holds an object, and what is said of misuse.

Codes are those of the driver of A2 and A3 (docs/semantics/processes.md#codes).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ascend_sim.constants.errors import (
    ACL_ERROR_RT_DRV_INTERNAL_ERROR,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_NO_PERMISSION,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.errors import AclError
from ascend_sim.findings.finding import Site
from ascend_sim.runtime.processes.board import Entry, Who, number_of
from ascend_sim.runtime.processes.neighbours import Neighbours, place_of

if TYPE_CHECKING:
    from ascend_sim.runtime.thread_state import ThreadState
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = [
    "KEY_BYTES", "admit", "checked_name", "ended", "entry_of", "forget", "hold", "misuse", "neighbours", "new_entry",
    "others_with", "owned_words", "owner", "place_of", "set_pids", "tell_published",
]  # fmt: skip

KEY_BYTES = 65
"""Room that a key needs with the zero behind it."""
MOST_PIDS = 15
"""So many processes a call may put on a white list."""

_NAME = re.compile(r"[a-z]-[0-9]+\.[0-9]+-[0-9]+|m-[0-9a-f]{36}|h-[0-9a-f]{1,16}")


def neighbours(t: ThreadState) -> Neighbours:
    """The other processes of the run. Raises AclError 207000 where the system has no means to share."""
    if not Neighbours.possible():
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "this operating system has no means to share it", "driver")
    return Neighbours.of(t.sim)


def new_entry(t: ThreadState, words: str, device: int, white: bool) -> Entry:
    """The entry of a thing that this process exports now. *white*: only processes that are named may import it."""
    me = neighbours(t).board.me
    return {
        "owner": me,
        "device": device,
        "words": words,
        "site": place_of(t.site),
        "white": [] if white else None,
        "users": [me],
        "ended": "",
    }


def checked_name(text: str) -> str:
    """*text* if it can be the name of an entry: it comes from the program, and names a file. Raises AclError 507899."""
    if not _NAME.fullmatch(text):
        raise AclError(
            ACL_ERROR_RT_DRV_INTERNAL_ERROR, f"{text[:64]!r} is no key that a process of this run gave", "driver"
        )
    return text


def entry_of(t: ThreadState, name: str, what: str) -> Entry:
    """The live entry *name*. Raises AclError 507899: nobody gave such a key, or what it names is gone."""
    entry = neighbours(t).board.read(checked_name(name))
    if entry is None or "owner" not in entry:
        raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, f"no process of this run gave this {what}", "driver")
    gone = ended(t, entry)
    if gone:
        misuse(
            t, f"{t.call} is given the {what} of {owned_words(entry)}, {gone}",
            "let the owner keep it until every process that imports it has closed it",
        )  # fmt: skip
        raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, f"{owned_words(entry)} is gone: {gone}", "driver")
    return entry


def ended(t: ThreadState, entry: Entry) -> str:
    """What became of the thing, in words; empty while it lives."""
    if entry["ended"]:
        return str(entry["ended"])
    board = neighbours(t).board
    if entry["owner"] != board.me and board.gone(entry["owner"]):
        return "and that process has ended"
    return ""


def owner(entry: Entry) -> int:
    """The process number of who exported it."""
    return number_of(entry["owner"])


def owned_words(entry: Entry) -> str:
    """```x` (block 1) of process 4711, exported at train.py:12``."""
    return f"{entry['words']} of process {owner(entry)}, exported at {entry['site']}"


def admit(t: ThreadState, entry: Entry, what: str) -> None:
    """That this process may import it. Raises AclError 507899 when it is on no white list."""
    white, me = entry["white"], neighbours(t).board.me
    if white is None or number_of(me) in white:
        return
    own = entry["owner"] == me
    listed = "itself is never on the list" if own else f"the list has {', '.join(map(str, white)) or 'nobody'}"
    misuse(
        t,
        f"{t.call}: this process ({number_of(me)}) is not on the white list of {owned_words(entry)}",
        "name the process that imports with the SetImportPid call of the exporter, or export without a list",
        (listed,),
    )
    raise AclError(
        ACL_ERROR_RT_DRV_INTERNAL_ERROR, f"process {number_of(me)} may not import this {what}: {listed}", "driver"
    )


def hold(entry: Entry, me: Who) -> None:
    """*me* has it from now on."""
    if me not in entry["users"]:
        entry["users"].append(me)


def forget(entry: Entry, me: Who) -> None:
    """*me* has it no more."""
    entry["users"] = [who for who in entry.get("users", ()) if who != me]


def others_with(t: ThreadState, entry: Entry) -> list[int]:
    """The numbers of the other processes that live and still have it."""
    board = neighbours(t).board
    return [number_of(who) for who in entry["users"] if who != board.me and not board.gone(who)]


def set_pids(t: ThreadState, name: str, pids: Iterable[int], what: str) -> None:
    """Put processes on the white list. Raises AclError: 507899 no owner of it, or none but itself; 207006 there is no
    list; 107000 too many.
    """
    wanted = list(pids)
    if len(wanted) > MOST_PIDS:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"num is {len(wanted)}: at most {MOST_PIDS} are possible", "driver")
    entry = entry_of(t, name, what)
    board = neighbours(t).board
    if entry["owner"] != board.me:
        misuse(
            t, f"{t.call}: only the process that exported it may say who imports {owned_words(entry)}",
            "let the exporter call it",
        )  # fmt: skip
        raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, f"process {owner(entry)} exported this {what}", "driver")
    if entry["white"] is None:
        raise AclError(
            ACL_ERROR_RT_NO_PERMISSION,
            f"this {what} was exported without a white list: there is nothing to set",
            "driver",
        )
    allowed = [pid for pid in wanted if pid and pid != number_of(board.me)]
    if not allowed:
        raise AclError(
            ACL_ERROR_RT_DRV_INTERNAL_ERROR, "pid names nobody but this process, which has it already", "driver"
        )
    with board.change(name) as changed:
        changed["white"] = sorted({*changed["white"], *allowed})


def tell_published(t: ThreadState, thing: object) -> None:
    """Tell observers that other processes can have *thing*: memory, an event, a notify."""
    for observe in t.sim.hooks.published or ():
        observe(t, thing)


def misuse(t: HostThread, title: str, fix: str = "", notes: tuple[str, ...] = (), severity: str = "error") -> None:
    """A finding about a call that breaks a rule of sharing."""
    t.sim.report(
        "shared-object", severity, title, [Site("access", "called here", t.site, primary=True)], notes=notes, fix=fix,
        time_ns=t.clock,
    )  # fmt: skip
