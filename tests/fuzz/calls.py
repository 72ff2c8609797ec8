"""One fuzzed call: its arguments, what may come back, and what must not have happened."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable
from typing import Any

import ascend_sim
from ascend_sim import SimulatedHang, pyacl
from ascend_sim import ascendcl as C
from ascend_sim.catalogue.aclnn import object_functions, operators
from ascend_sim.catalogue.functions import Function, c_kind, functions
from ascend_sim.catalogue.operator_functions import operator_function, operator_names, operator_of
from ascend_sim.catalogue.pyacl import MODULES, Row, row, rows
from tests.fuzz.arguments import Choices, Outcry
from tests.fuzz.world import World, base_type

__all__ = ["Target", "WrongAnswer", "aclnn_names", "c_names", "last_lines", "play", "pyacl_names", "target", "text_of"]

PACKAGE = ascend_sim.__path__[0]
DOCUMENTED = (TypeError, ValueError, RuntimeError, KeyError)
"""What a pyACL function may raise for arguments that do not fit (docs/semantics/pyacl.md#arguments)."""


class WrongAnswer(AssertionError):
    """A call that did not end as it must."""


class Target:
    """One function under test: how to call it, what its parameters are, and whether an answer is one it can give."""

    name = ""
    modelled = True
    """False: it answers 207000 whatever its arguments are."""

    def arguments(self, world: World) -> list[tuple[str, Any]]:
        """Labels and values of one call."""
        raise NotImplementedError

    def call(self, values: list[Any]) -> Any:
        """Make the call."""
        raise NotImplementedError

    def check(self, world: World, result: Any) -> str:
        """What is wrong with the result; empty when nothing is."""
        raise NotImplementedError

    def allowed(self, error: Exception) -> bool:
        """Whether the call may raise this."""
        return isinstance(error, Outcry)


def _is_code(value: Any) -> bool:
    """Marks of the profiler answer -1 when they are refused (docs/semantics/profiling.md#stamps)."""
    return type(value) is int and -1 <= value < 1 << 31


class CFunction(Target):
    """A function of the C face."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.function: Function = functions()[name]
        self.modelled = name in C.implemented()
        self.inputs_of_c = self.function.inputs

    def arguments(self, world: World) -> list[tuple[str, Any]]:
        return [world.argument(parameter) for parameter in self.function.inputs]

    def call(self, values: list[Any]) -> Any:
        return getattr(C, self.name)(*values)

    def check(self, world: World, result: Any) -> str:
        function = self.function
        if not function.returns_code:
            if c_kind(function.returns) == "handle" and type(result) is int and result:
                world.harvest(function.returns, result)
            return "" if _fits(c_kind(function.returns), result) else f"{result!r} is no {function.returns}"
        if not function.outputs:
            return "" if _is_code(result) else f"{result!r} is no code"
        if type(result) is not tuple or len(result) != len(function.outputs) + 1 or not _is_code(result[-1]):
            return f"{result!r} are not {len(function.outputs)} outputs and a code"
        for parameter, value in zip(function.outputs, result, strict=False):
            if result[-1] == 0:
                world.found(parameter, value)
            if parameter.kind == "handle" and type(value) is not int:
                return f"the output {parameter.name} is {value!r}, which is no handle"
        return ""


def _fits(kind: str, value: Any) -> bool:
    if kind == "string":
        return value is None or type(value) is str
    if kind == "void":
        return value is None
    if kind in ("f32", "f64"):
        return type(value) is float
    return type(value) is int


class OperatorFunction(CFunction):
    """A phase of an aclnn operator, or a function of its tensors and scalars."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.function = operator_function(name)
        self.inputs_of_c = self.function.inputs
        operator = operators().get(operator_of(name))
        known = object_functions().get(name)
        typed = [p.ctype for p in operator.parameters] if operator else []
        if known is not None:
            typed = [ctype for _, ctype, role in known.parameters if role != "return"]
        self.types = typed
        """The C types of the first parameters: in `inputs_of_c` what leads to an object is an address."""

    def arguments(self, world: World) -> list[tuple[str, Any]]:
        made = [world.argument(parameter) for parameter in self.inputs_of_c]
        for place, ctype in enumerate(self.types[: len(made)]):
            pool = world.pools.get(base_type(ctype))
            if pool and world.choices.byte() < 200:
                made[place] = world.choices.pick(pool)
        executors = world.pools.get("aclOpExecutor")
        if not self.types and executors and len(made) == 4:
            _, (size, executor) = world.choices.pick(executors)
            stream = world.choices.pick(world.pools["aclrtStream"])
            given = [("no workspace", 0), (str(size), size), ("executor", executor), stream]
            made = [plain if world.choices.byte() < 200 else odd for plain, odd in zip(given, made, strict=True)]
        return made

    def check(self, world: World, result: Any) -> str:
        if self.types and type(result) is tuple and len(result) == 3 and result[-1] == 0:
            world.keep("aclOpExecutor", "executor made before", (result[:2],))
        return super().check(world, result)


class PyaclFunction(Target):
    """A function of the module ``acl``."""

    def __init__(self, name: str) -> None:
        self.name = f"acl.{name}"
        module, _, short = name.rpartition(".")
        self.module = pyacl.modules()[f"acl.{module}" if module else "acl"]
        self.short = short
        self.row: Row | None = row(module, short)
        found = functions().get(self.row.c_function) if self.row is not None else None
        letters = self.row.format.replace("|", "") if self.row is not None else ""
        self.letters = "kkk" if letters == "*" or not self.row else letters
        self.modelled = module == "util" or (found is not None and found.name in C.implemented())
        self.inputs = found.inputs if found is not None and len(found.inputs) == len(self.letters) else None

    def arguments(self, world: World) -> list[tuple[str, Any]]:
        names = self.row.parameters if self.row is not None else ()
        made = []
        for i, letter in enumerate(self.letters):
            parameter = self.inputs[i] if self.inputs is not None and letter != "O" else None
            made.append(world.argument(parameter, names[i] if i < len(names) else "", letter))
        wrong_number = world.choices.byte()
        if wrong_number > 250:
            made.append(world.anything())
        elif wrong_number > 245:
            made = made[:-1]
        return made

    def call(self, values: list[Any]) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return getattr(self.module, self.short)(*values)

    def check(self, world: World, result: Any) -> str:
        row = self.row
        function = functions().get(row.c_function) if row is not None else None
        if row is None or function is None:
            return ""
        if row.result == "none":
            return "" if result is None else f"{result!r} instead of None"
        if row.result == "first":
            good = type(result) is tuple and len(result) == 2 and _is_code(result[1])
            return "" if good else f"{result!r} instead of (argument, code)"
        if function.returns_code and row.name != "rt.get_group_info_detail":
            code = result[-1] if type(result) is tuple else result
            return "" if _is_code(code) else f"{result!r} does not end in a code"
        return ""

    def allowed(self, error: Exception) -> bool:
        if isinstance(error, Outcry):
            return True
        return isinstance(error, DOCUMENTED) and raised_by_pyacl(error)


def raised_by_pyacl(error: BaseException) -> bool:
    """Whether pyACL's own argument checks raised it, not something further down."""
    innermost = traceback.extract_tb(error.__traceback__)[-1]
    return innermost.filename == "<pyacl>" or innermost.filename.startswith(f"{PACKAGE}/pyacl/")


def c_names() -> list[str]:
    """All functions of the C face."""
    return list(functions())


def aclnn_names() -> list[str]:
    """All functions of aclnn: both phases of each operator, and those of tensors and scalars."""
    return list(operator_names())


def pyacl_names() -> list[str]:
    """All functions of pyACL, with their namespace."""
    return [f"acl.{module}.{name}" if module else f"acl.{name}" for module in ("", *MODULES) for name in rows()[module]]


def target(name: str) -> Target:
    """The function of that name."""
    if name.startswith("acl."):
        return PyaclFunction(name[4:])
    return CFunction(name) if name in functions() else OperatorFunction(name)


def play(world: World, subject: Target, say: Callable[[str], None]) -> None:
    """One call of *subject* in *world*; *say* hears it before it is made. Raises WrongAnswer."""
    made = subject.arguments(world)
    shown = f"{subject.name}({', '.join(label for label, _ in made)})"
    say(shown)
    values = [value for _, value in made]
    try:
        result = subject.call(values)
    except SimulatedHang:
        return
    except Exception as error:
        if not subject.allowed(error):
            raise WrongAnswer(f"{shown} raised {type(error).__name__}: {text_of(error)}\n{last_lines(error)}") from error
        return
    finally:
        trespass = world.trespass()
        if trespass:
            raise WrongAnswer(f"{shown}: {trespass}")
    wrong = subject.check(world, result)
    if wrong:
        raise WrongAnswer(f"{shown}: {wrong}")


def text_of(error: BaseException) -> str:
    try:
        return str(error)[:300]
    except Outcry:
        return "(no text)"


def last_lines(error: BaseException) -> str:
    return "".join(traceback.format_tb(error.__traceback__)[-6:])


def example(subject: Target, data: bytes, say: Callable[[str], None]) -> None:
    """A world, a few calls of *subject* in it with other things between them, and a look at the damage."""
    choices = Choices(data)
    world = World(choices, about=subject.name)
    try:
        while choices:
            play(world, subject, say)
            between = choices.byte()
            if between < 48:
                world.synchronize()
            elif between < 56:
                world.meanwhile()
        world.settle()
        trespass = world.trespass()
        if trespass:
            raise WrongAnswer(f"after {subject.name}: {trespass}")
    finally:
        world.sim.close()
