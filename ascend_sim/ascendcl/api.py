"""The decorator ``api``: it makes a Python function a function of the API.

A chapter module writes each function as `def f(t, inputs...) -> outputs`, with plain values and AclError for failures.
`build` compiles the function that users call: arguments converted by the C types of the catalogue, the call entered
(`runtime/entry.py`), AclError turned into a return code. The code is compiled when the name is first used: 867 functions
would cost 0.1 s at import.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import ascend_sim.simulator  # noqa: F401 - it registers what makes the simulator of a program that opens none
from ascend_sim.ascendcl import arguments, structs
from ascend_sim.ascendcl.help_texts import documentation
from ascend_sim.catalogue.functions import Function, Parameter, functions, unknown
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_UNINITIALIZE,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.entry import FACE_FILE, PYACL_FILE, compile_call
from ascend_sim.runtime.thread_state import ThreadState

__all__ = [
    "FACE_FILE",
    "PYACL_FILE",
    "api",
    "build",
    "build_native",
    "build_null_output",
    "build_of",
    "build_unknown",
    "fail",
    "known",
    "require",
]

F = TypeVar("F", bound=Callable[..., Any])

_IMPLEMENTED: dict[str, Implementation] = {}
_RANGES = {
    "u64": (0, (1 << 64) - 1), "handle": (0, (1 << 64) - 1), "pointer": (0, (1 << 64) - 1),
    "u32": (0, (1 << 32) - 1), "u16": (0, (1 << 16) - 1), "u8": (0, 255),
    "i64": (-(1 << 63), (1 << 63) - 1), "i32": (-(1 << 31), (1 << 31) - 1),
    "i16": (-(1 << 15), (1 << 15) - 1), "i8": (-128, 127),
}  # fmt: skip


class Implementation:
    """A modelled function: its body, and the parameters that are handed through as they are."""

    __slots__ = ("body", "raw")

    def __init__(self, body: Callable[..., Any], raw: tuple[str, ...]) -> None:
        self.body = body
        self.raw = raw


def api(name: str, *, raw: tuple[str, ...] = ()) -> Callable[[F], F]:
    """Mark a function as the implementation of the C function *name*.

    Its first parameter is the calling thread, then come the inputs in C order (`raw` ones unconverted: user data of
    callbacks may be any Python object). It returns the outputs: nothing, one value, or a tuple in C order; a function
    whose C type is not aclError returns its value. Failures are raised as AclError.
    """

    def mark(body: F) -> F:
        _IMPLEMENTED[name] = Implementation(body, raw)
        return body

    return mark


def require(value: Any, what: str) -> None:
    """The acl layer's test for NULL and zero. Raises AclError 100000."""
    if value is None or (isinstance(value, (int, str)) and not value):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"{what} is NULL or zero", "acl")


def build(name: str) -> Callable[..., Any]:
    """The function that users call under the C name *name*. Raises KeyError when there is no such function."""
    function = functions()[name]
    implementation = _IMPLEMENTED.get(name)
    if implementation is None:
        made = _compile(function, _not_modelled(function), ())
    else:
        made = _compile(function, implementation.body, implementation.raw)
    made.__doc__ = documentation(function, implementation.body.__doc__ if implementation is not None else None)
    return made


def build_of(function: Function, body: Callable[..., Any] | None, raw: tuple[str, ...] = ()) -> Callable[..., Any]:
    """The function that users call for one that the headers of AscendCL have not; without *body* it is not modelled.

    Parameters *raw* are handed through as they are.
    """
    made = _compile(function, _not_modelled(function) if body is None else body, raw)
    made.__doc__ = documentation(function, body.__doc__ if body is not None else None)
    return made


def build_native(function: Function, body: Callable[..., Any] | None = None, title: str = "") -> Callable[..., Any]:
    """What native code calls for *function*: ``call(site, inputs...)``, with values that have the types of C already.

    *body*: what it does, for one that the headers of the catalogue have not. *title*: an expression of its parameters,
    for one that the program calls by another name.
    """
    if body is not None:
        return _compile(function, body, (), native=True, title=title)
    implementation = _IMPLEMENTED.get(function.name)
    if implementation is None:
        return _compile(function, _not_modelled(function), (), native=True)
    return _compile(function, implementation.body, implementation.raw, native=True)


def build_null_output(function: Function) -> Callable[[Any, int], Any]:
    """What a call of *function* comes to when an output must not be NULL and is: ``call(site, position)``.

    It is compiled when that happens.
    """

    def at_null(site: Any, position: int) -> Any:
        return _null_output(function)(site, position)

    return at_null


@cache
def _null_output(function: Function) -> Callable[[Any, int], Any]:
    names = [parameter.name for parameter in function.parameters]
    namespace: dict[str, Any] = {
        "fails": lambda t, error: fail(t, function, error)[-1],
        "null": lambda position: AclError(ACL_ERROR_INVALID_PARAM, f"{names[position]} is NULL", "acl"),
        "too_late": lambda: ACL_ERROR_UNINITIALIZE,
    }
    arguments = f"({', '.join(['None'] * len(function.inputs))}{',' if function.inputs else ''})"
    return compile_call(
        function.name,
        "position",
        arguments,
        ["raise null(position)"],
        "result = fails(t, error)",
        namespace,
        native=True,
    )


def build_unknown(name: str) -> Callable[[], int]:
    """A function of headers that the catalogue lacks (DVPP, media, feature retrieval): not modelled, answers its code."""
    function = unknown(name)
    return _compile(function, _not_modelled(function), ())


def known(name: str) -> bool:
    """Whether the implementation of the C function *name* is imported."""
    return name in _IMPLEMENTED


def _not_modelled(function: Function) -> Callable[..., Any]:
    name, failure = function.name, function.failure

    def body(t: ThreadState, *arguments: object) -> Any:
        t.sim.report_call(
            t, "not-modelled", "warning", f"`{name}` is not modelled: it does nothing here", by_title=True
        )
        if not function.returns_code:
            return failure
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "this function is not modelled by the simulator", "acl")

    return body


def _conversion(parameter: Parameter, position: int) -> list[str]:
    """The lines that turn one argument into what the implementation takes."""
    name, kind = parameter.name, parameter.kind
    label = f"{position}, {name!r}"
    struct = parameter.ctype.replace("const", "").strip("* []")
    if kind in ("struct", "array") and struct in dir(structs):
        call = f"to_struct{'s' if kind == 'array' else ''}({name}, {label}, {struct!r})"
        return [f"if {name} is not None: {name} = {call}"]
    if parameter.role == "inout" and kind not in _RANGES:
        return []
    if kind in _RANGES:
        low, high = _RANGES[kind]
        test = f"type_of({name}) is not int or not {low} <= {name} <= {high}"
        return [f"if {test}: {name} = to_{kind}({name}, {label})"]
    if kind in ("f32", "f64", "string", "function", "struct", "array"):
        return [f"{name} = to_{kind}({name}, {label})"]
    return []


def _compile(
    function: Function, body: Callable[..., Any], raw: tuple[str, ...], native: bool = False, title: str = ""
) -> Callable[..., Any]:
    inputs = function.inputs
    names = [p.name for p in inputs]
    needed = [p for p in inputs if p.name not in raw and not (native and p.kind != "array")]
    lines = [line for i, p in enumerate(inputs, 1) if p in needed for line in _conversion(p, i)]
    call = f"body({', '.join(['t', *names])})"
    outputs = len(function.outputs)
    if not function.returns_code:
        finish = [f"result = {call}"]
    elif outputs == 0:
        finish = [call, "result = 0"]
    elif outputs == 1:
        finish = [f"result = ({call}, 0)"]
    else:
        finish = [f"result = (*{call}, 0)"]
    parameters = ", ".join(names)
    namespace: dict[str, Any] = {
        "FUNCTION": function,
        "body": body,
        "fail": fail,
        "too_late": lambda: _result(function, None, ACL_ERROR_UNINITIALIZE),
        **arguments.CONVERSIONS,
    }
    made = compile_call(
        function.name, parameters, f"({parameters}{',' if names else ''})", [*lines, *finish],
        f"result = fail(t, FUNCTION, error{', t.call' if title else ''})", namespace, title=title, native=native,
    )  # fmt: skip
    made.__doc__ = f"{function.name} is not modelled: it answers 207000."
    made.__module__ = "ascend_sim.ascendcl"
    return made


def _result(function: Function, outputs: tuple[Any, ...] | None, code: int) -> Any:
    """What a failing call hands out: outputs as the C caller would see them, then the code."""
    if not function.returns_code:
        return outputs[0] if outputs else function.failure
    values = function.failure if outputs is None else outputs
    return (*values, code) if function.outputs else code


def fail(t: ThreadState, function: Function, error: AclError, name: str = "") -> Any:
    """Note the failure in the thread (last error, error text) and give the result of the call.

    *name*: what the program calls it, if that is another one.
    """
    t.sim.note_error(t, name or function.name, error)
    for observe in t.sim.hooks.call_failed or ():
        observe(t, name or function.name, error)
    return _result(function, error.outputs, error.code)
