"""What is said of independent faults, and of memory that another thread was handed: the same through each face."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import attrs

__all__ = ["ADVICE", "check", "faults"]

ACL, C, TORCH = "acl", "C", "torch"
HELP = {
    "wait": {ACL: "acl.rt.synchronize_stream(", C: "aclrtSynchronizeStream(", TORCH: ".synchronize()"},
    "words": {TORCH: "wait for `s` before the buffer is filled again"},
    "event": {ACL: "acl.rt.stream_wait_event(", C: "aclrtStreamWaitEvent(", TORCH: ".wait_event("},
}
OTHERS = {ACL: r"aclrt\w+\(", C: r"acl\.|\.wait_event", TORCH: r"aclrt\w+|acl\."}
"""Words that no text through the face has."""


@attrs.frozen
class Said:
    """*order* is part of what the program is said to have done, *help* what it is told to call."""

    order: str
    help: str
    kind: str = "race"


NOT_WAITED = "has not waited for"
NEVER = "has never waited for"
ADVICE = {
    "copied_to_the_device": Said(NEVER, "event"),
    "copied_to_the_host": Said(NEVER, "event"),
    "copied_by_the_host": Said(NOT_WAITED, "wait"),
    "read_by_the_host": Said("waited for", "wait"),
    "read_by_a_callback": Said(NEVER, "event"),
    "freed": Said("for", "wait", "use-after-free"),  # the free waits for no stream, or the host has not waited
    "filled_through_a_queue": Said(NOT_WAITED, "wait"),
    "filled_from_a_pool": Said(NOT_WAITED, "wait"),
    "filled_by_an_executor": Said(NOT_WAITED, "wait"),
    "read_too_early": Said(NOT_WAITED, "wait"),
    "a_block_of_the_device": Said(NOT_WAITED, "wait"),
    "two_streams": Said(NEVER, "event"),
    "used_by_a_callback": Said(NOT_WAITED, "wait"),
    "rewritten_through_a_queue": Said("the write was no call of the API", "words"),
    "rewritten_from_a_pool": Said("the write was no call of the API", "words"),
    "in_no_order": Said("and nothing orders it with the submit in", "wait"),
}
"""By the name of a function of the programs called ``advice``."""


HELPERS = {"reads": "read_by_a_callback", "load": "filled_from_a_pool"}
"""Functions of C++ programs that are a part of one."""


def faults(program: Path) -> dict[int, str]:
    """The lines with a mark, and the function of each."""
    found, case = {}, ""
    for number, line in enumerate(program.read_text(encoding="utf-8").splitlines(), 1):
        match = re.match(r"(?:def|static void) (\w+)\(", line)
        case = match[1] if match else case
        case = HELPERS.get(case, case)
        if line.endswith(" FAULT"):
            found[number] = case
    return found


def check(program: Path, report: Path, face: str) -> None:
    """*report* has an error of its own for each mark of *program*, in the words of *face*, and no other."""
    findings: list[dict[str, Any]] = json.loads(report.read_text(encoding="utf-8"))["findings"]
    errors = [one for one in findings if one["severity"] == "error"]
    marks = faults(program)
    assert set(marks.values()) <= set(ADVICE)
    found = {}
    for one in errors:
        frame = next(site for site in one["sites"] if site["primary"])["frames"][0]
        assert Path(frame["file"]).name == program.name
        found[frame["line"]] = one
    assert sorted(found) == sorted(marks)
    assert len(errors) == len(marks)
    for line, one in found.items():
        said = ADVICE[marks[line]]
        assert one["kind"] == said.kind
        assert one["cause"] is None and not one["followers"]
        assert said.order in one["order"], one["order"]
        assert HELP[said.help][face] in one["fix"], one["fix"]
        assert not re.search(r"\b(stream|event)_\d", one["fix"]) or " passes" in one["fix"], one["fix"]
        for text in (one["title"], one["order"], one["fix"]):
            assert not re.search(OTHERS[face], text), text
