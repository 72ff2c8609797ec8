"""Functions of C and C++ that only hand a call on: reports show the place that called them instead.

As in Python (`ascend_sim.source.wrappers`): all that such a function does with the API is one call with the arguments that
it got itself, converted or scaled at most, and to ask for the text of an error. It may get the function to call, too.
"""

from __future__ import annotations

import re

from ascend_sim.catalogue.functions import functions
from ascend_sim.native.places.cpp_names import Call, Lines, Place, arguments_of, calls, head_of

__all__ = ["hands_on"]

_FARTHEST = 100
"""Lines to the end of a function."""
_COMMENTS = r"//[^\n]*|/\*.*?\*/"
_STRINGS = r'"(?:\\.|[^"\\])*"' + r"|'(?:\\.|[^'\\])*'"
_ERROR_TEXTS = ("RecentErrMsg", "LastError")
_WORDS = frozenset({
    "auto", "bool", "char", "const", "const_cast", "double", "dynamic_cast", "false", "float", "forward", "int",
    "int32_t", "int64_t", "long", "move", "nullptr", "NULL", "reinterpret_cast", "short", "signed", "size_t", "sizeof",
    "static_cast", "std", "template", "this", "true", "typename", "uint32_t", "uint64_t", "uint8_t", "unsigned",
    "void",
})  # fmt: skip
"""Words of the language that make the same argument fit."""


def hands_on(place: Place, line_of: Lines, name: str) -> bool:
    """Whether the function at *place*, which calls *name* there, only hands that call on.

    *name* is a function of the API, or one that itself only hands a call on.
    """
    head = head_of(place, line_of)
    if head is None or not name or place.parts[-1] == "main":
        return False
    body = _body(place, head, line_of)
    if body is None:
        return False
    known = [p.partition("=")[0].strip() for p in arguments_of(head)]
    own = {found[1] for p in known if (found := re.search(r"(\w+)\s*(?:\[\]|\)\s*\(.*\))?$", p)) is not None}
    made = [call for call in calls(body) if not call.name.endswith(_ERROR_TEXTS)]
    if not made:
        made = calls(body, rf"\b({re.escape(name)})(?:<[^;()]*>)?\s*\(")
    if not made:  # it was given the function
        made = calls(body, rf"(?<![\w.>:])({'|'.join(map(re.escape, own))})\s*\(") if own else []
        return len(made) == 1 and _passes(made[0], own, set(), True)
    if len(made) != 1 or made[0].name != name:
        return False
    return _passes(made[0], own, set(_locals(body)), False)


def _body(place: Place, head: str, line_of: Lines) -> str | None:
    """What stands between the braces of the function whose text *head* is up to *place*; None: no end is near."""
    text = head if head.endswith("\n") else head + "\n"
    for line in range(place.line + 1, place.line + _FARTHEST):
        text += line_of(place.file, line)
    text = re.sub(_STRINGS, '""', re.sub(_COMMENTS, "", text, flags=re.DOTALL))
    begin = text.find("{", text.find(")"))
    depth = 0
    for at in range(begin, len(text)) if begin >= 0 else ():
        depth += (text[at] == "{") - (text[at] == "}")
        if not depth:
            return text[begin + 1 : at]
    return None


def _locals(body: str) -> list[str]:
    """Variables that *body* declares."""
    found = re.finditer(r"(?:\b[\w:]+(?:<[^;<>]*>)?[\s*&]+)(\w+)\s*(?=[=;,{\[(])", body)
    return [match[1] for match in found if not re.match(r"(return|delete|new|else|throw)\b", match[0])]


def _passes(call: Call, own: set[str], made: set[str], chosen: bool) -> bool:
    """Whether every argument is one of *own*, a constant or a place for the result, at most one a member.

    *made*: variables of the function itself. *chosen*: the function called is one of *own*. Something is handed on.
    """
    known = functions().get(call.name)
    handed, members = int(chosen), 0
    for i, text in enumerate(call.arguments):
        if known is not None and i < len(known.parameters) and known.parameters[i].is_output:
            continue
        for word in re.findall(r"(?<![\w.>])[A-Za-z_]\w*(?:\s*(?:::|\.|->)\s*\w+)*", text):
            root = re.match(r"\w+", word)
            if root is None or root[0] in _WORDS or re.fullmatch(r"[A-Z][A-Z0-9_]*", root[0]) or root[0] in functions():
                continue
            if word in own:
                handed += 1
            elif root[0] in made:
                return False
            elif not re.search(rf"\b{root[0]}\s*[(<]", text) and not re.search(rf"\b{root[0]}\s*\*", text):  # no type
                members += 1
    return members <= 1 and handed + members > 0
