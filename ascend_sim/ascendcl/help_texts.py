"""What ``help()`` says about a function of the API: its C prototype, how Python calls it, parameters, outputs, codes.

The texts come from the catalogue and from the docstring of the implementation. They are made together with the
function, so nothing here may be slow.
"""

from __future__ import annotations

import re
import sys

from ascend_sim.catalogue.conditions import of_function
from ascend_sim.catalogue.enums import enums
from ascend_sim.catalogue.functions import PRODUCTS, Function, Parameter, functions

__all__ = ["CALLABLE", "documentation", "meaning", "prototype"]

_CODE = r"\b\d{6}\b"
_REFERENCE = r"\bacl\w*[A-Z]\w*"
SHOWN_MEMBERS = 10

CALLABLE = "a callable; None and 0 are NULL"
_KINDS = {
    "handle": "a handle, an int; None and 0 are NULL",
    "pointer": "an address, or an object with a buffer; None and 0 are NULL",
    "array": "a sequence, a buffer or an address",
    "struct": "an object of ascendcl.{}, or an address",
    "string": "a str, bytes or a path",
    "function": CALLABLE,
    "f32": "a number", "f64": "a number",
}  # fmt: skip


def documentation(function: Function, text: str | None) -> str:
    """The docstring of *function*, whose implementation says *text*; None: it is not modelled."""
    if sys.is_finalizing():  # a destructor calls it first: nothing can be imported any more
        return text or ""
    from inspect import cleandoc  # the module takes longer to load than a C program may take to start

    body = cleandoc(text) if text else "Not modelled by this simulator: it does nothing."
    if not text and function.returns_code:
        body += " Codes: 207000."
    if not function.returns_code:
        body += (
            "\n\nReturns nothing." if function.returns == "void" else "\n\nReturns the value alone; there is no code."
        )
    parts = [f"{prototype(function)}\n{_call(function)}", body]
    inputs, outputs = function.inputs, function.outputs
    if inputs:
        parts.append("Parameters:\n" + "\n".join(f"    {p.name} ({p.ctype}): {meaning(p)}" for p in inputs))
    if outputs:
        given = "\n".join(f"    {p.name} ({p.ctype.removesuffix('*').strip()})" for p in outputs)
        parts.append(
            f"Returns, before the code:\n{given}\n    When the call fails: 0 for handles and addresses, else None."
        )
    elif function.returns_code:
        parts.append("Returns the code: 0 when the call succeeds.")
    if text and function.returns_code and not re.search(_CODE, text) and "ever fails" not in text:
        parts += _errors(function, text)
    if function.unsafe_in_capture:
        parts.append(
            "Unsafe while streams are captured: 107030, unless the modes of the captures and the thread allow it."
        )
    missing = [product for product, has in zip(PRODUCTS, function.support, strict=True) if has == "N"]
    page = f"Page: {function.chapter}." if function.chapter else "No page in the manual."
    parts.append(page + (f" Not on: {', '.join(missing)}." if missing else ""))
    return "\n\n".join(parts)


def prototype(function: Function) -> str:
    """The declaration in C.

    >>> prototype(functions()["aclrtRecordEvent"])
    'aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream);'
    """
    return f"{function.returns} {function.name}({', '.join(map(_declared, function.parameters))});"


def _declared(p: Parameter) -> str:
    if "(*)" in p.ctype:
        return p.ctype.replace("(*)", f"(*{p.name})", 1)
    base, bracket, size = p.ctype.partition("[")
    return f"{base.rstrip()} {p.name}{bracket}{size}"


def _call(function: Function) -> str:
    names = [p.name for p in function.outputs]
    if function.returns_code:
        names.append("ret")
    given = ", ".join(p.name for p in function.inputs)
    left = ", ".join(names) if names else "" if function.returns == "void" else "value"
    return f"In Python: {left}{' = ' if left else ''}{function.name}({given})"


def meaning(p: Parameter) -> str:
    """What may be passed for *p*: the members of an enum, else what kind of value."""
    name = p.ctype.replace("const", "").strip("* ")
    enum = enums().get(name)
    if enum is not None and p.kind not in ("array", "struct", "handle", "pointer"):
        shown = [member.replace("=", " = ") for member in enum.members[:SHOWN_MEMBERS]]
        if len(enum.members) > SHOWN_MEMBERS:
            shown.append("...")
        return "one of\n        " + "\n        ".join(shown)
    if p.role == "buffer":
        return "memory of the caller: an address, or an object with a buffer"
    return _KINDS.get(p.kind, "an int").format(name)


def _errors(function: Function, text: str) -> list[str]:
    """What the text itself does not say: the conditions of the table, else the codes of the function that it refers to."""
    found = [f"    {condition.code} {condition.shown}" for condition in of_function(function.name)]
    if found:
        return ["Codes:\n" + "\n".join(found)]
    return [f"See help({name})." for name in dict.fromkeys(re.findall(_REFERENCE, text)) if name in functions()][:2]
