"""Names of variables in lines of C and C++: what a call hands its result to, or is given, and what the callers call that.

No line is understood as a compiler would: what cannot be told from the words is not told. Which of several calls in a line
it was, its column tells, where the debug information has been asked (`columns`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from ascend_sim.catalogue.functions import functions

__all__ = [
    "Call", "Column", "Lines", "Place", "argument", "arguments_of", "calls", "function_name", "head_of", "marked", "unknown",
    "variable",
]  # fmt: skip

_CALLED = r"\b((?:acl|hi_)\w+)\s*\("
_PLAIN = r"[A-Za-z_]\w*(?:::\w+)*(?:(?:\.|->)\w+(?:\(\w*\))?|\[[^\[\]]*\])*"
"""A variable, its members and elements; ``streams.at(i)`` is one, too."""
_QUALIFIED = r"(?:\w+(?:<[^;()<>]*>)?(?:::|\.|->))*\w+(?:<[^;()<>]*>)?"
_ADDRESS = r"std::addressof\((.+)\)"
_CASTS = (
    r"\(\s*(?:const\s+)?[\w:]+\s*\*+\s*\)\s*(.+)", r"(?:reinterpret|static|const)_cast<[^<>]*>\s*\((.+)\)", r"\((.+)\)",
)  # fmt: skip
_NO_TYPES = ("return", "delete", "new", "else", "case", "goto", "throw")
_LAMBDA = "{lambda"
_OWNERS_PARAMETERS = r"(?<!operator)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)(?: const| volatile| &&?)*(?=::)"
"""Those of a function that another one stands in, a local class or a lambda."""
_NO_CALLS = ("if", "for", "while", "switch", "return", "sizeof", "catch", "alignof", "decltype")
_MOST_LINES = 8
"""So many lines of a call are looked at."""
_FARTHEST = 100
"""Lines to the head of a function."""

Lines = Callable[[str, int], str]
"""The line of a file, ending included; empty where there is none."""
Column = Callable[[], int | None]
"""The character of its line, from 0, that the debug information has for a call; None: it does not tell. It takes time."""


def unknown() -> None:
    """The column where nobody can be asked."""
    return


class Call(NamedTuple):
    """A call in a text: the name of its function, the texts of its arguments, what stands before it, where it begins.

    *nested*: it is an argument of another one. *opened*, *closed*: where its parentheses are.
    """

    name: str
    arguments: tuple[str, ...]
    before: str
    column: int
    nested: bool
    opened: int
    closed: int


class Place(NamedTuple):
    """A line in a function, which has its whole name: ``ns::Device::init``."""

    file: str
    line: int
    function: str
    column: Column = unknown

    @property
    def parts(self) -> list[str]:
        """The words of the name, without arguments of templates."""
        name, before = self.function, ""
        while name != before:
            name, before = re.sub(r"<[^<>]*>", "", name), name
        return name.split("::")


def function_name(text: str) -> str:
    """The name in a function's full description: without parameters, and the type that only templates have before it.

    >>> function_name("std::vector<int> ns::made<void (*)(int)>(int)"), function_name("Pair::operator()(int) const")
    ('ns::made<void (*)(int)>', 'Pair::operator()')
    >>> function_name("auto main::{lambda(auto:1, (auto:2&&)...)#1}::operator()<int (*)()>(int (*)()) const")
    'main::{lambda}'
    >>> function_name("Pool::fill(int (*)(int)) const::Local::run(int)"), function_name("fill(int)::$_0::operator()() const")
    ('Pool::fill::Local::run', 'fill::{lambda}')
    >>> function_name("run_operator(int)")
    'run_operator'
    """
    text = text.replace("(anonymous namespace)::", "")
    text = re.sub(r"\$_\d+(?=::operator\(\))", _LAMBDA + "()}", text)  # as clang has it
    text = re.sub(_OWNERS_PARAMETERS, "", text)
    outer, inner, _ = text.partition(_LAMBDA + "(")
    if inner:
        return function_name(outer + "()") + _LAMBDA + "}"
    operator = re.search(r"\boperator\b", text)
    if operator:
        owner, rest = text[: operator.start()], text[operator.start() :]
        name = function_name(owner + "()") if owner else ""
        return name + re.sub(r"(?<!operator)\(.*", "", rest)
    depth, start = 0, 0
    for at, sign in enumerate(text):
        depth += (sign in "<{") - (sign in ">}")
        if not depth and sign == " ":
            start = at + 1
        elif not depth and sign == "(":
            return text[start:at]
    return text


def calls(text: str, name: str = _CALLED) -> list[Call]:
    """The calls in *text* that end there, by default those of the API.

    >>> [(c.name, c.arguments) for c in calls("CHECK(aclrtFree(a[i])); aclrtFree(f(x, y))")]
    [('aclrtFree', ('a[i]',)), ('aclrtFree', ('f(x, y)',))]
    """
    found: list[Call] = []
    end = 0
    for match in re.finditer(name, text):
        arguments, closed = _arguments(text, match.end())
        if arguments is not None:
            start, opened = match.start(), match.end() - 1
            found.append(Call(match[1], arguments, text[:start], start, start < end, opened, closed))
            end = max(end, closed)
    return found


def _chosen(found: Sequence[Call], name: str, text: str, column: Column) -> Call | None:
    """The call of function *name*: the only one, or the one at *column*; without a name of those that are not nested."""
    fit = [call for call in found if (call.name == name if name else not call.nested)]
    return _told(fit, text, column)


def _told(found: Sequence[Call], text: str, column: Column) -> Call | None:
    """The only one of *found*, or the one that stands in *text* at *column*.

    Compilers name one of four places: where the name begins, with what qualifies it; the parenthesis behind it, or the one
    that closes the call (GCC, C++); the macro in whose arguments the call is. Of two in one macro nobody can tell.
    """
    if len(found) < 2:
        return found[0] if found else None
    at = column()
    if at is None:
        return None
    exact = [call for call in found if at in (call.column, call.opened, call.closed)]
    if len(exact) == 1:
        return exact[0]
    begun = re.compile(rf"{_QUALIFIED}\s*\(").match(text, at)
    if begun is None:
        return None
    _, end = _arguments(text, begun.end())
    inside = [call for call in found if at <= call.column < end]
    same = [call for call in inside if call.opened == begun.end() - 1]
    return (same or inside)[0] if len(same or inside) == 1 else None


def marked(text: str, name: str = "", column: Column = unknown) -> tuple[int, int] | None:
    """The columns of the function's name in a line that calls the API; None where it is not clear which call is meant.

    >>> marked("CHECK(aclrtMalloc(&p, aclDataTypeSize(t), 0));")
    (6, 17)
    >>> marked("aclrtCreateStream(&s); aclrtMalloc(&p, 64, 0);")
    >>> marked("if (device.fill(p, 1)) {")
    (4, 15)
    >>> marked("aclrtCreateStream(&s); aclrtMalloc(&p, 64, 0);", "aclrtMalloc")
    (23, 34)
    >>> marked("aclrtFree(a); CHECK(aclrtFree(b));", "aclrtFree", lambda: 14)
    (20, 29)
    """
    starts = [(match[1], match.start()) for match in re.finditer(_CALLED, text)]
    if not starts and not name:  # a call of a function of the program
        others = [match for match in re.finditer(rf"({_QUALIFIED})\s*\(", text) if match[1] not in _NO_CALLS]
        return (others[0].start(1), others[0].end(1)) if len(others) == 1 else None
    if len(starts) == 1 and name in ("", starts[0][0]):  # also one that goes on in the next line
        return starts[0][1], starts[0][1] + len(starts[0][0])
    call = _chosen(calls(text), name, text, column)
    return None if call is None else (call.column, call.column + len(call.name))


def _arguments(text: str, start: int) -> tuple[tuple[str, ...] | None, int]:
    """Those of the call whose parenthesis ends before *start*, and where it closes; None: it does not close."""
    depth, quote, found = 0, "", []
    at = start
    while at < len(text):
        sign = text[at]
        if quote:
            if sign == "\\":
                at += 1
            elif sign == quote:
                quote = ""
        elif sign in "\"'":
            quote = sign
        elif sign in "([{":
            depth += 1
        elif sign == "," and not depth:
            found.append(text[start:at].strip())
            start = at + 1
        elif sign in ")]}":
            if not depth:
                last = text[start:at].strip()
                return ((*found, last) if last or found else ()), at
            depth -= 1
        at += 1
    return None, at


def _call_text(place: Place, line_of: Lines) -> tuple[str, int, Column]:
    """The line and those behind it, how much of that is the line, and the column in it."""
    first = line_of(place.file, place.line)
    text = " ".join(
        [first.strip(), *(line_of(place.file, place.line + more).strip() for more in range(1, _MOST_LINES))]
    )
    cut = len(first) - len(first.lstrip())

    def column() -> int | None:
        at = place.column()
        return None if at is None or at < cut else at - cut

    return text, len(first.strip()), column


def _api_call(place: Place, line_of: Lines, name: str) -> Call | None:
    """The call of the API that begins in the line: of function *name*, or the only one, or the one at the column.

    ``call(aclrtFree, p)`` is one of the function that it is given, with what stands behind that.
    """
    text, width, column = _call_text(place, line_of)
    found = _chosen([call for call in calls(text) if call.column < width], name, text, column)
    if found is not None or not name:
        return found
    return _told([call for call in _given_on(text, name) if call.column < width], text, column)


def _given_on(text: str, name: str) -> list[Call]:
    """The calls in *text* that get the function *name* of the API and what to call it with."""
    known = functions().get(name)
    found = []
    for match in re.finditer(rf"\b{name}\s*([,)])", text) if known is not None else ():
        arguments, closed = _arguments(text, match.end()) if match[1] == "," else ((), match.end() - 1)
        if known is not None and arguments is not None and len(arguments) == len(known.parameters):
            opened = text.rfind("(", 0, match.start())
            before = re.sub(rf"{_QUALIFIED}\s*$", "", text[: max(opened, 0)])
            found.append(Call(name, arguments, before, match.start(), False, opened, closed))
    return found


def _own_call(caller: Place, line_of: Lines, function: str) -> Call | None:
    """The call of the program's *function* that begins in the line of *caller*, else the first of the lines behind it."""
    if not function:
        return None
    text, width, column = _call_text(caller, line_of)
    found = calls(text, rf"\b({function})(?:<[^;()]*>)?\s*\(")
    here = [call for call in found if call.column < width]
    return _told(here or found[:1], text, column)


def argument(places: Sequence[Place], line_of: Lines, parameter: str, name: str = "") -> str | None:
    """What the call of the API (of function *name*, if it is known) passes as *parameter*, if that is a variable.

    It is made at the first of *places*; the last of them, of whose callers they are, says how it is called.
    """
    places = _from_the_call(places, line_of, name)
    call = _api_call(places[0], line_of, name) if places else None
    known = functions().get(call.name) if call is not None else None
    if call is None or known is None:
        return None
    given = [text for one, text in zip(known.parameters, call.arguments, strict=False) if one.name == parameter]
    found = _plain(given[0]) if given else None
    for own, caller in pairwise(places):
        found = _given_by(found, own, caller, line_of) if found is not None else None
    return found


def _from_the_call(places: Sequence[Place], line_of: Lines, name: str) -> Sequence[Place]:
    """*places* from the innermost on that names the function of the API: those before it only call what they are given."""
    at = next((i for i, place in enumerate(places) if _api_call(place, line_of, name) is not None), 0)
    return places[at:]


def _given_by(text: str, own: Place, caller: Place, line_of: Lines) -> str | None:
    """What *caller* has for what *own*, its function, calls *text*; None: it is the function's own, or not known."""
    method = _called(own, line_of)
    head, root = head_of(own, line_of), re.match(r"\w+", text)
    if head is None or root is None:
        return None
    rest, taken = text[root.end() :], _taken(head)
    at = next((i for i, p in enumerate(taken) if re.search(rf"\b{root[0]}\s*(?:\[\])?$", p)), None)
    if at is not None:
        call = _own_call(caller, line_of, method)
        given = call.arguments[at] if call is not None and at < len(call.arguments) else ""
        if rest.startswith("->") and given.startswith("&"):
            given, rest = given[1:].strip(), f".{rest[2:]}"
        plain = _plain(given)
        return None if plain is None else plain + rest
    if _declares(head, root[0]) or len(own.parts) < 2:
        return None
    whose = _object(own, caller, line_of)
    return None if whose is None else whose + text


def _taken(head: str) -> list[str]:
    """The parameters in the text of a function, without default values."""
    return [p.partition("=")[0].strip() for p in arguments_of(head)]


def arguments_of(text: str) -> tuple[str, ...]:
    """What stands in the first parentheses of *text*."""
    return _arguments(text, text.index("(") + 1)[0] or ()


def _plain(text: str) -> str | None:
    """*text* as a variable, a member or an element: None of anything else."""
    for pattern in _CASTS:
        found = re.fullmatch(pattern, text, re.DOTALL)
        if found is not None:
            return _plain(found[1].strip())
    text = re.sub(r"^\(\*(\w+)\)\.", r"\1->", text).removeprefix("this->").removeprefix("::")
    return text if re.fullmatch(_PLAIN, text) and text not in ("nullptr", "NULL", "this") else None


def _led_to(text: str) -> tuple[str, bool] | None:
    """What a pointer of this text leads to: ``(d.a, False)`` of ``&d.a``, ``(out, True)`` of ``out``, which is a pointer."""
    for pattern in _CASTS:
        found = re.fullmatch(pattern, text, re.DOTALL)
        if found is not None:
            return _led_to(found[1].strip())
    text = re.sub(_ADDRESS, r"&\1", text)
    if text.startswith("&"):
        plain = _plain(text[1:].strip())
        return None if plain is None else (plain, False)
    found = re.fullmatch(rf"({_PLAIN})\s*\+\s*(\w+)", text)
    if found is not None:
        return f"{found[1].removesuffix('.data()')}[{found[2]}]", False
    plain = _plain(text)
    return None if plain is None else (plain, True)


def _assigned(before: str) -> str | None:
    """The variable that gets the value of what stands behind *before*: ``t`` of ``aclTensor *t = ``."""
    found = re.search(rf"({_PLAIN})\s*=\s*(?:\([\w:\s]+\*+\)\s*|\w+_cast<[^<>]*>\s*\(\s*)?$", before)
    return None if found is None else found[1].removeprefix("this->")


def _stored(place: Place, line_of: Lines, name: str) -> tuple[str, bool] | None:
    """The variable that the call of the API gives its first result to; True with a pointer that leads to it."""
    call = _api_call(place, line_of, name)
    if call is None:
        return None
    known = functions().get(call.name)
    if known is None:
        return None
    if not known.returns_code:
        target = _assigned(call.before)
        return None if target is None else (target, False)
    at = next((i for i, parameter in enumerate(known.parameters) if parameter.is_output), None)
    return _led_to(call.arguments[at]) if at is not None and at < len(call.arguments) else None


def variable(places: Sequence[Place], line_of: Lines, name: str = "") -> str | None:
    """The variable that the call of the API (of function *name*) at the first of *places* gives its result to.

    The others are those of its callers. A member is one of the object for which the caller calls, a parameter is what the
    caller passes, and what a function returns goes to the variable of its caller. As far as that can be followed.
    """
    places = _from_the_call(places, line_of, name)
    stored = _stored(places[0], line_of, name) if places else None
    if stored is None:
        return None
    text, leads = stored
    for own, caller in pairwise(places):
        outer = _of_caller(text, leads, own, caller, line_of)
        if outer is None:
            break
        text, leads = outer
    return None if leads else text


def _of_caller(text: str, leads: bool, own: Place, caller: Place, line_of: Lines) -> tuple[str, bool] | None:
    """What the caller of *own* calls its variable *text*."""
    method = _called(own, line_of)
    root, head = re.match(r"\w+", text), head_of(own, line_of)
    if root is None or head is None:
        return None
    rest = text[root.end() :]
    taken = _taken(head)
    at = next((i for i, p in enumerate(taken) if re.search(rf"\b{root[0]}\s*(?:\[\])?$", p)), None)
    if at is not None:
        return _passed(taken[at], at, rest, leads, caller, line_of, method)
    if _declares(head, root[0]):
        if leads or rest or not re.search(rf"\breturn\s+{root[0]}\s*;", _tail(own, line_of)):
            return None
        call = _own_call(caller, line_of, method)
        target = _assigned(re.sub(r"[\w:.>-]+::$|[\w.\[\]]+(?:\.|->)$", "", call.before)) if call is not None else None
        return None if target is None else (target, False)
    if len(own.parts) < 2:
        return None
    whose = _object(own, caller, line_of)
    return None if whose is None else (whose + text, leads)


def _passed(
    declared: str, at: int, rest: str, leads: bool, caller: Place, line_of: Lines, function: str
) -> tuple[str, bool] | None:
    """What the caller passes as the parameter *declared*, the one with number *at*, with the *rest* of the variable."""
    call = _own_call(caller, line_of, function)
    if call is None or at >= len(call.arguments):
        return None
    given = call.arguments[at]
    if "&" not in declared and ("*" in declared or "[" in declared):
        place = _led_to(given)
        if place is None:
            return None
        if leads and not rest:
            return place
        if rest.startswith("->"):
            return (place[0] + (rest if place[1] else "." + rest[2:]), leads)
        return (place[0] + rest, leads) if rest.startswith("[") and place[1] else None
    plain = _plain(given)
    return None if plain is None or ("&" not in declared and not rest.startswith("->")) else (plain + rest, leads)


def _object(own: Place, caller: Place, line_of: Lines) -> str | None:
    """The object for which *caller* calls the method or constructor *own*, with the sign behind it; empty: for its own."""
    kind, method = own.parts[-2], own.parts[-1]
    if kind == method:
        return _constructed(kind, caller, line_of)
    call = _own_call(caller, line_of, method)
    if call is None:
        return None
    found = re.search(rf"(?<![\w.)\]>])({_PLAIN})(\.|->)$", call.before)
    if found is not None and found[1] != "this":
        return found[1] + found[2]
    own_object = not call.before.endswith((".", "->")) or found is not None
    return "" if own_object and len(caller.parts) > 1 and caller.parts[-2] == kind else None


def _constructed(kind: str, caller: Place, line_of: Lines) -> str | None:
    """The object of class *kind* that the line of *caller* makes, with the sign behind it."""
    text, width, column = _call_text(caller, line_of)
    made: list[tuple[int, int, str | None]] = []
    for found in re.finditer(rf"(?:\bnew\s+(?:\w+::)*{kind}\b|\bmake_(?:unique|shared)<(?:\w+::)*{kind}>)\s*", text):
        target = _assigned(re.sub(r"[\w:]*$", "", text[: found.start()]))
        end = _arguments(text, found.end() + 1)[1] if text[found.end() : found.end() + 1] in ("(", "{") else found.end()
        made.append((found.start(), end, None if target is None else target + "->"))
    for found in re.finditer(rf"\b{kind}(?:<[^;<>]*>)?\s+(?=\w)", text):
        if re.search(r"\bnew\s+(?:\w+::)*$", text[: found.start()]):
            continue
        start = found.end()
        for part in _declarators(text, start):
            name = re.match(r"\s*(\w+)\s*(?:[;({=]|$)", part)
            if name is not None:
                made.append((start, start + len(part), name[1] + "."))
            start += len(part) + 1
    made = [one for one in made if one[0] < width] or sorted(made)[:1]
    if len(made) > 1:
        at = column()
        made = [one for one in made if at is not None and one[0] <= at <= one[1]]
    if not made and caller.parts[-1:] == caller.parts[-2:-1]:
        return _member_made(text, column())
    return made[0][2] if len(made) == 1 else None


def _member_made(text: str, at: int | None) -> str | None:
    """The member that a constructor makes at the column *at* of its line: ``left.`` of ``Pair() : left(8), right{8}``."""
    for found in re.finditer(r"\b(\w+)\s*[({]", text) if at is not None else ():
        if at in (found.start(), found.end() - 1, _arguments(text, found.end())[1]):
            return found[1] + "."
    return None


def _declarators(text: str, start: int) -> list[str]:
    """What stands between the commas of a declaration, behind its type, which ends at *start*."""
    depth, begin, at = 0, start, start
    parts = []
    while at < len(text) and (depth or text[at] not in ";)"):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if text[at] == "," and not depth:
            parts.append(text[begin:at])
            begin = at + 1
        at += 1
    return [*parts, text[begin:at]]


def head_of(own: Place, line_of: Lines) -> str | None:
    """The text of the function from its parameters to the line of the call, as far as that can be found."""
    method, text = own.parts[-1], ""
    if method == _LAMBDA + "}":
        return _lambda(own, line_of)[1]
    if not re.fullmatch(r"\w+|operator\(\)", method):
        return None
    for line in range(own.line, max(own.line - _FARTHEST, 0), -1):
        words = line_of(own.file, line)
        text = words + text
        found = re.search(rf"\b{re.escape(method)}\s*\([^;]*(?:\{{|$|:)", words)
        if found is None or (line == own.line and "{" not in words):
            continue
        if not re.search(r"(?:\breturn|=)\s*[\w:.>-]*$", words[: found.start()]):  # else it calls itself
            return text[found.start() + len(method) :]
    return None


def _lambda(own: Place, line_of: Lines) -> tuple[str, str | None]:
    """The variable that got the nearest function without a name, and its text from its parameters to the call."""
    text = ""
    for line in range(own.line, max(own.line - _FARTHEST, 0), -1):
        text = line_of(own.file, line) + text
        found = list(re.finditer(r"(?:(\w+)\s*=\s*|[^\w\s)\]])\[[^\[\]]*\]\s*(?=\()", text))
        if found:
            return found[-1][1] or "", text[found[-1].end() :]
    return "", None


def _called(own: Place, line_of: Lines) -> str:
    """By which name its callers call the function of *own*."""
    method = own.parts[-1]
    return _lambda(own, line_of)[0] if method == _LAMBDA + "}" else method


def _tail(own: Place, line_of: Lines) -> str:
    """The lines from the call to the end of its function, if that is near."""
    text = ""
    for line in range(own.line, own.line + _FARTHEST):
        words = line_of(own.file, line)
        if not words or words.startswith("}"):
            break
        text += words
    return text


def _declares(head: str, name: str) -> bool:
    """Whether *name* is declared in the text: a type stands before it."""
    found = re.finditer(rf"(\w+|>)(?:\s+|\s*[*&]+\s*){name}\s*[=;,:\[{{(]", head)
    return any(match[1] not in _NO_TYPES for match in found)
