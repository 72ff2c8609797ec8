"""Says what pyACL does not: which argument made "acl.rt.malloc args parse failed", and how many values a call returns.

The text of the error is pyACL's own, or Python's, and stays as it is; ``ascend-sim run`` prints this below the traceback.
"""

from __future__ import annotations

import re
from types import FrameType, TracebackType

from ascend_sim.catalogue.pyacl import row
from ascend_sim.pyacl.letters import CONVERT, missing
from ascend_sim.source.callsite import source_line

__all__ = ["NO_BYTES", "hint"]

_WRONG = re.compile(r"acl\.(?:(\w+)\.)?(\w+) args parse failed!?$")
_CALL = re.compile(r"\bacl\.(?:(\w+)\.)?(\w+)\(")
NO_BYTES = "needs an byte as argument"
_WANTED = {"k": "an int", "K": "an int", "f": "a float", "s": "a str", "O": "an object"}


def hint(error: BaseException) -> str:
    """One line about the argument that does not fit, or empty. *error* still has its whole traceback."""
    text = str(error)
    if text == NO_BYTES:
        return "acl.util.bytes_to_ptr(bytes_data) takes bytes: text.encode() for a str, array.tobytes() for numpy"
    if "unpack" in text and isinstance(error, (TypeError, ValueError)):
        return _returned(error.__traceback__)
    match = _WRONG.match(text)
    frame = _generated(error.__traceback__)
    if not isinstance(error, TypeError) or match is None or frame is None:
        return ""
    found = row(match[1] or "", match[2])
    if found is None:
        return ""
    called = f"acl.{found.name}({', '.join(found.parameters)})"
    required = found.format.split("|")[0]
    given = frame.f_locals
    if given.get("kw"):
        return f"{called} takes no keyword arguments"
    if given.get("rest"):
        takes = len(found.parameters)
        many = "argument" if takes == 1 else "arguments"
        return f"{called} takes {takes} {many}, {takes + len(given['rest'])} were given"
    for index, (name, letter) in enumerate(zip(found.parameters, found.format.replace("|", ""), strict=False)):
        value = given.get(name, given.get(f"{name}_"))
        if value is missing():
            if index < len(required):
                return f"{called}: {name} is missing"
            continue
        try:
            CONVERT[letter](value, "")
        except TypeError:
            kind = type(value)
            given_kind = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
            wanted = _WANTED.get(letter, "an int in range")
            cure = _cure(name, value) if letter in "kK" else ""
            return f"{called}: {name} is {given_kind}, {wanted} is needed{cure}"
    return ""


def _returned(trace: TracebackType | None) -> str:
    """What the one pyACL call returns that stands where values were to be unpacked."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return ""
    calls = set(_CALL.findall(source_line(trace.tb_frame.f_code.co_filename, trace.tb_lineno)))
    found = row(*calls.pop()) if len(calls) == 1 else None
    if found is None or not found.returns:
        return ""
    values = found.returns.split(", ")
    many = "1 value" if len(values) == 1 else f"{len(values)} values"
    return f"acl.{found.name} returns {many}: {found.returns} = acl.{found.name}({', '.join(found.parameters)})"


def _cure(name: str, value: object) -> str:
    """What to write instead of *value*, where an address, a handle or a size is wanted."""
    if value is None:
        return "; NULL and the default stream are written 0"
    if isinstance(value, bytes):
        return f"; write acl.util.bytes_to_ptr({name}), and keep {name} until it is used"
    if hasattr(value, "__array_interface__") and getattr(value, "ndim", None):
        return f"; write {name}.ctypes.data, and keep {name} until it is used"
    if isinstance(value, tuple):
        return f"; a call that makes something returns two values: {name}, ret = ..."
    return f"; write int({name})" if hasattr(value, "__index__") else ""


def _generated(trace: TracebackType | None) -> FrameType | None:
    """The frame of the generated pyACL function in which the error was raised."""
    found = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<pyacl>":
            found = trace.tb_frame
        trace = trace.tb_next
    return found
