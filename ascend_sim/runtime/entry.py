"""How a call of the program enters the runtime, and leaves it: the text that every API function is compiled from.

A call finds its host thread, gets the run token, pays its cost, notes its call site and calls observers. That is text
and not a function with a body as its argument, since it runs for every call: a Python call more would cost a tenth.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ascend_sim.errors import AclError
from ascend_sim.runtime.current import LOCAL, attach_thread, enter
from ascend_sim.source.callsite import Activation

__all__ = ["FACE_FILE", "PYACL_FILE", "compile_call"]

FACE_FILE = "<ascendcl>"
PYACL_FILE = compile("", "<pyacl>", "exec").co_filename
"""The very object that code of pyACL has for its file: calls compare by identity, and a literal is another in 3.13."""
"""File names of generated code; frames from there are no call sites."""

_TEXT = """
def {function}({parameters}):{first}
    try:
        t = LOCAL.state
    except AttributeError:
        t = attach()
        if t is None:
            return too_late()
    leave = None
    if t.threads.running is not t:
        t = enter(t)
        if t is None:
            return too_late()
        if t.threads.locked:
            leave = t.threads.leave
    sim = t.sim
    t.clock += sim.host_call_ns
    {place}
    t.call = {title}
    try:
        try:
            if sim.watched:
                sim.before_call(t, {name!r}, {arguments})
            {body}
        except AclError as error:
            {failed}
        if sim.hooks.api_returned is not None:
            for observe in sim.hooks.api_returned:
                observe(t, {name!r}, result)
    finally:
        if leave is not None:
            leave(t)
    {last}
"""


_CALLER = """frame = called = _getframe(1)
    code = frame.f_code
    if code.co_filename is PYACL_FILE:
        frame = frame.f_back
        code = frame.f_code
    if sim.keep_stacks:
        known = frame.f_trace
        place = frame.f_lasti if frame is called else ~frame.f_lasti
        t.site = (known.get(place) if type_of(known) is Activation else None) or sim.stack_of(frame, called)
    else:
        place, site = frame.f_lasti, t.site
        if site is None or site[0] is not code or site[1] != place:
            earlier = t.former_site  # loops go to and fro between two calls: a tuple less for the collector
            t.former_site = site
            t.site = earlier if earlier is not None and earlier[0] is code and earlier[1] == place else (code, place)"""
"""The call site is in Python: the frame that called."""

_GIVEN = """t.site = SITE if SITE is not None else sim.stack_of(_getframe(1), _getframe(1))"""
"""The call comes from native code, which says its site; None when Python code had called it."""


def compile_call(
    name: str, parameters: str, arguments: str, body: Sequence[str], failed: str, namespace: Mapping[str, Any],
    title: str = "", first: str = "", last: str = "return result", closure: str = "", native: bool = False,
) -> Callable[..., Any]:  # fmt: skip
    """A function that does *body* (lines that set ``result``) as the C function *name*, with thread ``t``.

    *parameters* are those of the function, *arguments* is the tuple that observers of calls are handed. *failed* deals
    with the AclError ``error``. *first* runs before the call counts as begun, *last* when observers have heard of its
    result. *title* (an expression) is what findings call it. *namespace* has what these texts use, and ``too_late``: what
    is returned when every simulator is closed. With *closure*, names with commas between, the result makes such
    functions, each with its own values of these names. With *native* a first parameter more, ``SITE``, is the call site.
    """
    function = name if not closure else f"call_{name}"
    if native:
        parameters = f"SITE, {parameters}"
    text = _TEXT.format(
        place=_GIVEN if native else _CALLER, function=function, parameters=parameters, arguments=arguments, name=name,
        title=title or repr(name), first=first and f"\n    {first}", last=last, failed=failed,
        body="\n            ".join(body) or "pass",
    )  # fmt: skip
    if closure:
        text = f"def {name}({closure}):" + text.replace("\n", "\n    ") + f"return {function}\n"
    values: dict[str, Any] = {
        "LOCAL": LOCAL,
        "attach": attach_thread,
        "enter": enter,
        "_getframe": sys._getframe,
        "type_of": type,  # several parameters are called "type"
        "PYACL_FILE": PYACL_FILE,
        "Activation": Activation,
        "AclError": AclError,
        **namespace,
    }
    exec(compile(text, FACE_FILE, "exec"), values)
    made: Callable[..., Any] = values[name]
    return made
