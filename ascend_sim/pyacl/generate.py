"""Makes one pyACL function from its row: argument checks by format letter, the call of the C face, the result.

The source is compiled when the name is first used (about 0.2 ms), with a file name of its own, so that the C face knows
that its caller is not the user's line. What the letters and the C parameters cannot say stands in an adapter
(:class:`Adapter`): expressions over the parameters that are put into the same source.
"""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from ascend_sim import ascendcl
from ascend_sim.ascendcl import api
from ascend_sim.catalogue.functions import Function, Parameter, functions
from ascend_sim.catalogue.pyacl import Row
from ascend_sim.pyacl.help_texts import documentation, signature
from ascend_sim.pyacl.letters import CONVERT, TESTS, missing

__all__ = ["Adapter", "compile_row", "source"]


class Adapter(NamedTuple):
    """What is special about one function, as Python source over its parameters (see :func:`parameter_names`).

    *before*: statements between the argument checks and the call. *call*: the arguments of the C function, default all
    parameters in order. *result*: what is handed back, with ``r`` for what the C function returned. *body*: everything
    after the argument checks, instead of all these; it calls ``c`` itself. The names of the module that holds the
    adapter are in reach.
    """

    call: str | None = None
    result: str | None = None
    before: str = ""
    body: str | None = None


# A letter whose width the C face knows as well needs no test of the range here: the C face wraps in the same way.
_SAME_WIDTH = {
    "k": {"handle", "pointer", "u64"}, "K": {"handle", "pointer", "u64"}, "I": {"u32"}, "H": {"u16"}, "B": {"u8"},
}  # fmt: skip
_ONLY_TYPE = "type({0}) is not int"
_TAKEN = {*dir(builtins), *keyword.kwlist, "c", "r", "rest", "kw"}


def parameter_names(row: Row, reach: Iterable[str] = ()) -> list[str]:
    """The parameters as Python names: those of the table, with a trailing _ where the name means something else."""
    taken = _TAKEN.union(reach)
    return [f"{name}_" if name in taken else name for name in row.parameters]


def compile_row(row: Row, adapters: Mapping[str, Adapter], reach: Mapping[str, Any]) -> Callable[..., Any]:
    """The function of *row*. *adapters*: by full name; *reach*: names that adapters use."""
    short = row.name.rpartition(".")[2]
    namespace: dict[str, Any] = {
        **reach,
        **{f"take_{letter}": convert for letter, convert in CONVERT.items()},
        "MISSING": missing(),
        "WRONG": row.wrong,
        "refuse": _refusal(row),
        "settle": _settle,
    }
    if row.c_function and "+" not in row.c_function:
        apart = reach.get("MODELLED", {}).get(row.c_function)  # of headers that the catalogue lacks
        known = row.c_function in functions()
        namespace["c"] = apart or (getattr(ascendcl, row.c_function) if known else api.build_unknown(row.c_function))
    text = source(row, adapters.get(row.name), reach)
    # the very string object that the C face compares with
    exec(compile(text, api.PYACL_FILE, "exec"), namespace)
    made: Callable[..., Any] = namespace[short]
    made.__doc__ = documentation(row, namespace.get("c"))
    made.__signature__ = signature(row)  # type: ignore[attr-defined]
    made.__module__ = "acl" if "." not in row.name else f"acl.{row.name.partition('.')[0]}"
    return made


def source(row: Row, adapter: Adapter | None = None, reach: Iterable[str] = ()) -> str:
    """The Python source of the function of *row*."""
    short = row.name.rpartition(".")[2]
    if row.format == "*":  # only the name is known
        coded = not row.returns or row.returns.endswith("ret")
        result = ", ".join(repr(value) for value in row.failure)
        shape = f"({result}, r)" if coded and result else "r" if coded else result
        return f"def {short}(*rest, **kw):\n    if kw: refuse(rest, kw)\n    r = c()\n    return {shape}\n"
    function = functions().get(row.c_function)
    names = parameter_names(row, reach)
    required, _, optional = row.format.partition("|")
    heads = [f"{name}=MISSING" for name in names]
    lines = [f"def {short}({', '.join([*heads, *(['/'] if heads else []), '*rest', '**kw'])}):"]
    lines.append(f"    if {'kw' if not names else 'rest or kw'}: refuse(({', '.join([*names, '*rest'])},), kw)")
    if row.error == "python" and names:
        lines.append(f"    if {names[-1]} is MISSING: refuse(({', '.join(names)},), kw)")
    for index, (name, letter) in enumerate(zip(names, required + optional, strict=True)):
        test = _test(letter, _parameter(function, adapter, index, len(names)))
        prefix = "    "
        if index >= len(required):
            lines.append(f"    if {name} is MISSING: {name} = None")
            prefix = "    el"
        text = _python_text(name, index, letter) if row.error == "python" else "WRONG"
        lines.append(f"{prefix}if {test.format(name)}: {name} = take_{letter}({name}, {text})")
    lines += [f"    {line}" for line in _ending(row, function, adapter or Adapter(), names)]
    return "\n".join(lines) + "\n"


def _parameter(function: Function | None, adapter: Adapter | None, index: int, count: int) -> Parameter | None:
    """The C parameter that the argument is handed to unchanged; None when an adapter sees it first."""
    if function is None or (adapter is not None and (adapter.call is not None or adapter.body is not None)):
        return None
    return function.inputs[index] if len(function.inputs) == count else None


def _test(letter: str, parameter: Parameter | None) -> str:
    if parameter is not None and parameter.kind in _SAME_WIDTH.get(letter, ()):
        return _ONLY_TYPE
    return TESTS[letter]


def _ending(row: Row, function: Function | None, adapter: Adapter, names: list[str]) -> list[str]:
    if adapter.body is not None:
        return adapter.body.strip("\n").splitlines()
    call = f"c({', '.join(names) if adapter.call is None else adapter.call})"
    before = adapter.before.strip("\n").splitlines()
    if adapter.result is not None:
        return [*before, f"r = {call}", f"return {adapter.result}"]
    if row.result == "none":
        return [*before, call]
    if row.result == "first":
        return [*before, f"return ({names[0]}, {call})"]
    if function is not None and function.returns_code:
        initial = tuple(_initial(p) for p in function.outputs)
        if any(p.failure is None for p in function.outputs):
            return [*before, f"r = {call}", f"return settle(r, {initial!r}) if r[-1] else r"]
    return [*before, f"return {call}"]


def _initial(parameter: Parameter) -> int | float | None:
    """What pyACL initialises its C variable with: that is what a failing call leaves in it."""
    return 0.0 if parameter.kind == "f32" else 0 if parameter.kind != "function" else None


def _settle(result: tuple[Any, ...], initial: tuple[Any, ...]) -> tuple[Any, ...]:
    """The result of a failed call with pyACL's initial values where the C function left an output alone."""
    return (*(first if value is None else value for value, first in zip(result, initial, strict=False)), result[-1])


def _refusal(row: Row) -> Callable[[tuple[Any, ...], dict[str, Any]], None]:
    """Raises the TypeError for keyword arguments and for a wrong number of arguments."""
    short = row.name.rpartition(".")[2]
    # only the functions of acl itself were made with a module name
    called = f"acl.{short}" if "." not in row.name else short

    def refuse(given: tuple[Any, ...], keywords: dict[str, Any]) -> None:
        if keywords:
            raise TypeError(f"{called}() takes no keyword arguments")
        if row.error == "python":
            needed = len(row.parameters)
            count = sum(value is not missing() for value in given)
            plural = "" if needed == 1 else "s"
            raise TypeError(f"function takes exactly {needed} argument{plural} ({count} given)")
        raise TypeError(row.wrong)

    return refuse


_PYTHON_NAMES = {"k": "int", "s": "str"}


def _python_text(name: str, index: int, letter: str) -> str:
    """Source of CPython's text for a wrong type; it names the type that was given."""
    kind = _PYTHON_NAMES.get(letter, "object")
    given = f"{{'None' if {name} is None else type({name}).__name__}}"
    return f'f"argument {index + 1} must be {kind}, not {given}"'


@cache
def adapters_of(module: str) -> tuple[Mapping[str, Adapter], Mapping[str, Any]]:
    """The adapters of a namespace and the names they use; both empty where none is needed."""
    home = _HOMES.get(module)
    if home is None:
        return {}, {}
    found = import_module(f"ascend_sim.pyacl.{home}")
    return found.ADAPTERS, vars(found)


_HOMES = {
    "": "adapters_acl",
    "rt": "adapters_rt",
    "mdl": "adapters_mdl",
    "op": "adapters_op",
    "blas": "adapters_op",
    "prof": "adapters_prof",
    "media": "adapters_media",
    "himpi": "adapters_himpi",
}
