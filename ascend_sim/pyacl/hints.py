"""Says what pyACL does not: which argument made "acl.rt.malloc args parse failed".

The text of the TypeError is pyACL's own and stays as it is; ``ascend-sim run`` prints this below the traceback.
"""

from __future__ import annotations

import re
from types import FrameType, TracebackType

from ascend_sim.pyacl.letters import CONVERT, missing
from ascend_sim.pyacl.table import row

__all__ = ["hint"]

_WRONG = re.compile(r"acl\.(?:(\w+)\.)?(\w+) args parse failed!?$")
_WANTED = {"k": "an int", "K": "an int", "f": "a float", "s": "a str", "O": "an object"}


def hint(error: BaseException) -> str:
    """One line about the argument that does not fit, or empty. *error* still has its whole traceback."""
    match = _WRONG.match(str(error))
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
        return f"{called} takes {takes} arguments, {takes + len(given['rest'])} were given"
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
