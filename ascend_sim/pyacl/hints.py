"""Says what pyACL does not: which argument made "acl.rt.malloc args parse failed", how many values a call returns, and
under which name something is there that was looked for under another one.

The text of the error is pyACL's own, or Python's, and stays as it is; ``ascend-sim run`` prints this below the traceback.
"""

from __future__ import annotations

import re
from types import FrameType, TracebackType

from ascend_sim.catalogue.pyacl import names, row, rows
from ascend_sim.pyacl.letters import CONVERT, missing
from ascend_sim.source.callsite import source_line
from ascend_sim.source.fence import fenced, said

__all__ = ["NO_BYTES", "hint"]

_WRONG = re.compile(r"acl\.(?:(\w+)\.)?(\w+) args parse failed!?$")
_CALL = re.compile(r"\bacl\.(?:(\w+)\.)?(\w+)\(")
_IMPORTED = re.compile(r"cannot import name '(\w+)' from '(acl(?:\.\w+)?)'")
_NO_TORCH = (
    "torch and torch_npu are no part of the simulator: pip install 'ascend-sim[torch]' torch==2.13.0 torch_npu==2.13.0 "
    "--extra-index-url https://download.pytorch.org/whl/cpu"
)
_MODULES = {"torch": _NO_TORCH, "torch_npu": _NO_TORCH}
"""What programs import that the simulator runs with, and does not bring."""
NO_BYTES = "needs an byte as argument"
_WANTED = {"k": "an int", "K": "an int", "f": "a float", "s": "a str", "O": "an object"}


@fenced(lambda error: "")
def hint(error: BaseException) -> str:
    """One line about the argument or the name that does not fit, or empty. *error* still has its whole traceback."""
    if isinstance(error, (AttributeError, NameError, ImportError)):
        return _named(error)
    text = said(error)
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
            cure = _cure(name, value) if letter in "kK" or isinstance(value, str) else ""
            return f"{called}: {name} is {given_kind}, {wanted} is needed{cure}"
    return ""


def _named(error: AttributeError | NameError | ImportError) -> str:
    """Where something is that `acl` has not, or the program has not, under this name."""
    name = str(error.name or "")
    if isinstance(error, ModuleNotFoundError):
        return _MODULES.get(name.partition(".")[0], "")
    if isinstance(error, ImportError):  # from acl.rt import NAME
        found = _IMPORTED.match(error.msg)
        if found is None:
            return ""
        module, name = found[2], found[1]
    else:
        module = str(getattr(getattr(error, "obj", None), "__name__", ""))
    if isinstance(error, NameError) or module == "acl" or module.startswith("acl."):
        if name in names():
            return f"{name} is a name of C: pyACL has {names()[name]}"
        value = _constant(name)
        if value is not None:
            return f"pyACL has no constants: write {name} = {value} in the program"
    if module == "acl" or module.startswith("acl."):
        places = [".".join(filter(None, ("acl", place, name))) for place, found in rows().items() if name in found]
        if places:
            return f"{module}.{name} is not there: {' or '.join(places)} is"
    return ""


def _constant(name: str) -> int | None:
    """The value of the constant *name* of the C headers."""
    if not name.startswith(("ACL", "RT_")):
        return None
    from ascend_sim import constants  # all of them: for a program that ends

    value = getattr(constants, name, None)
    return int(value) if isinstance(value, int) else None


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
    if isinstance(value, str):
        return f"; {value} is {_constant(value)}" if _constant(value) is not None else ""
    return f"; write int({name})" if hasattr(value, "__index__") else ""


def _generated(trace: TracebackType | None) -> FrameType | None:
    """The frame of the generated pyACL function in which the error was raised."""
    found = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<pyacl>":
            found = trace.tb_frame
        trace = trace.tb_next
    return found
