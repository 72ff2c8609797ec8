"""What runs when a model is executed: a Python function, a graph of operators with constants, or an ONNX file.

A Python body is only looked up in modules that the user allowed (``sim.models.allow("my_models")``, the environment
variable ``ASCEND_SIM_MODEL_MODULES``, or ``run --allow-model-module``); the file alone runs nothing.
"""

from __future__ import annotations

import fnmatch
import importlib
import math
import re
import sys
from collections.abc import Callable, Sequence
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from ascend_sim.errors import PASSING
from ascend_sim.machine.data_types import numpy_type
from ascend_sim.models.time_limit import DEFAULT_SECONDS, LONGEST, Alarm, too_long
from ascend_sim.om.from_onnx import has_loops, unfit
from ascend_sim.ops.operator import OperatorError
from ascend_sim.ops.registry import OperatorRegistry
from ascend_sim.runtime.own_imports import for_program
from ascend_sim.runtime.threads.real_time import real_ns
from ascend_sim.source.fence import said

if TYPE_CHECKING:
    from ascend_sim.om import ModelDescription

__all__ = ["BodyError", "Run", "make_body", "model_body"]

F = TypeVar("F", bound=Callable[..., Any])

Array = npt.NDArray[Any]
Run = Callable[[Sequence[Array]], list[Array]]
"""Inputs in the order of the description to outputs in theirs."""


class BodyError(Exception):
    """A body that cannot be made or that failed; the message says why, *node* which one failed when that is known."""

    def __init__(self, text: str, node: int | str | None = None) -> None:
        super().__init__(text)
        self.node = node
        """Its index, or its name."""


def make_body(
    description: ModelDescription, blob: bytes, operators: OperatorRegistry, allowed: Sequence[str],
    seconds: float = DEFAULT_SECONDS,
) -> Run:  # fmt: skip
    """The function that runs a model; *seconds*: the most real time of a run with loops, 0 for any.

    Raises BodyError: not allowed, not found, unknown operators, no ONNX runtime.
    """
    kind = description.body.kind
    if kind == "python":
        return _python(description, allowed)
    if kind == "graph":
        return _graph(description, blob, operators)
    if kind == "op":
        return _single(description, operators)
    if kind == "onnx":
        return _onnx(description, blob, seconds)
    raise BodyError(f"model {description.name!r} has no body: it can be described, not run")


def _python(description: ModelDescription, allowed: Sequence[str]) -> Run:
    module_name, _, function_name = description.body.target.partition(":")
    if not function_name:
        raise BodyError(f"body target {description.body.target!r}: module:function is required")
    if not _is_allowed(module_name, allowed):
        raise BodyError(
            f"model {description.name!r} runs Python code of module {module_name!r}, which is not allowed: "
            f"sim.models.allow({module_name!r}) or run --allow-model-module {module_name}"
        )
    try:
        module = for_program(importlib.import_module, module_name)
    except PASSING:
        raise
    except BaseException as error:  # code of the module: whatever it raises makes it no body
        raise BodyError(f"body target {description.body.target!r}: {type(error).__name__}: {said(error)}") from error
    function: Any = vars(module).get(function_name)  # a module's own __getattr__ is not asked for what the file names
    if not _is_own(function, module):
        raise BodyError(
            f"body target {description.body.target!r} is no function that module {module_name!r} defines: "
            "what it imported runs only when the decorator `ascend_sim.model_body` marks it"
        )

    def run(inputs: Sequence[Array]) -> list[Array]:
        try:
            found = function(*inputs)
            return [np.asarray(a) for a in (found if isinstance(found, (tuple, list)) else (found,))]
        except PASSING:
            raise
        except BaseException as error:  # user code: whatever it raises is a failure of the model
            raise BodyError(f"{description.body.target} raised {type(error).__name__}: {said(error)}") from error

    return run


def _is_allowed(name: str, patterns: Sequence[str]) -> bool:
    """Whether one of *patterns* names the module. A wildcard is about the user's own: not about the standard library.

    `_pickle` defines a `loads` itself, which runs what the input of the model says.
    """
    standard = name.partition(".")[0] in sys.stdlib_module_names
    return any(name == pattern or (not standard and fnmatch.fnmatchcase(name, pattern)) for pattern in patterns)


def model_body(function: F) -> F:
    """Mark a callable as one that models may run, wherever it was defined; a decorator.

    Functions that an allowed module defines itself need no mark; what it imported (``exec`` of a builtin, say) does.
    """
    try:
        function.__ascend_sim_model_body__ = True  # type: ignore[attr-defined]
    except AttributeError:  # a builtin takes no attributes
        raise TypeError(f"{function!r} cannot be marked: define a function that calls it") from None
    return function


def _is_own(function: Any, module: ModuleType) -> bool:
    """Whether the module defines the function, or the class of the callable object, or somebody marked it."""
    if not callable(function) or isinstance(function, type):
        return False
    if getattr(function, "__ascend_sim_model_body__", False) is True:
        return True
    home = (
        function.__module__ if isinstance(function, (BuiltinFunctionType, FunctionType)) else type(function).__module__
    )
    return bool(home == module.__name__)


def _single(description: ModelDescription, operators: OperatorRegistry) -> Run:
    operator = operators.get(description.body.target)
    if operator is None:
        raise BodyError(f"operator {description.body.target!r} is not registered")

    def run(inputs: Sequence[Array]) -> list[Array]:
        try:
            return list(operator.run(description.attributes, inputs))
        except OperatorError as error:
            raise BodyError(str(error)) from error

    return run


def _constants(description: ModelDescription, blob: bytes) -> dict[str, Array]:
    found = {}
    for constant in description.constants:
        try:
            kind = numpy_type(constant.data_type)
        except ValueError as error:
            raise BodyError(f"constant {constant.name!r}: {error}") from error
        count = math.prod(constant.dims)
        found[constant.name] = np.frombuffer(blob, kind, count, constant.offset).reshape(constant.dims)
    return found


def _graph(description: ModelDescription, blob: bytes, operators: OperatorRegistry) -> Run:
    steps = []
    constants = _constants(description, blob)
    known = {t.name for t in description.body_inputs} | set(constants)
    for node in description.body.nodes:
        operator = operators.get(node["op"])
        if operator is None:
            raise BodyError(f"model {description.name!r} uses operator {node['op']!r}, which is not registered")
        missing = [name for name in node["inputs"] if name not in known]
        if missing:
            raise BodyError(f"model {description.name!r}: {node['op']} reads {missing[0]!r} before anything made it")
        known.update(node["outputs"])
        steps.append((operator, node["inputs"], node["outputs"], node["attributes"]))
    absent = [t.name for t in description.outputs if t.name not in known]
    if absent:
        raise BodyError(f"model {description.name!r}: nothing makes the output {absent[0]!r}")
    names = [t.name for t in description.body_inputs]
    wanted = [t.name for t in description.outputs]

    def run(inputs: Sequence[Array]) -> list[Array]:
        values = {**constants, **dict(zip(names, inputs, strict=True))}
        index = 0
        try:
            for index, (operator, reads, writes, attributes) in enumerate(steps):  # noqa: B007 - read in the handler
                made = operator.run(attributes, [values[name] for name in reads])
                values.update(zip(writes, made, strict=False))
        except OperatorError as error:
            raise BodyError(f"model {description.name!r}: {error}", index) from error
        return [values[name] for name in wanted]

    return run


def _onnx(description: ModelDescription, blob: bytes, seconds: float) -> Run:
    try:
        import onnx
    except ImportError:
        raise BodyError("an ONNX body needs the package onnx: pip install 'ascend-sim[ort]'") from None
    try:
        model = onnx.load_model_from_string(blob)
        why = unfit(model)
    except Exception as error:  # a hostile file may raise anything in protobuf
        raise BodyError(f"onnx refuses the model {description.name!r}: {error}") from error
    if why is not None:
        raise BodyError(f"model {description.name!r}: {why}")
    try:
        import onnxruntime
    except ImportError:
        return _onnx_reference(description, model, seconds)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # the same result, and no threads of its own
    # What was looked at is read: the same bytes may be of onnxruntime's own format, too.
    options.add_session_config_entry("session.load_model_format", "ONNX")
    options.log_severity_level = SILENT  # what fails is raised; a log would write names of the file as they are
    try:
        session = onnxruntime.InferenceSession(
            blob, options, providers=["CPUExecutionProvider"], enable_fallback=0, read_config_from_model=0
        )
    except Exception as error:  # onnxruntime raises classes of its own that it does not export
        raise BodyError(f"onnxruntime refuses the model {description.name!r}: {error}") from error
    names = [entry.name for entry in session.get_inputs()]
    _check_numbers(description, len(names), len(session.get_outputs()))

    def run(inputs: Sequence[Array], settings: Any = None) -> list[Array]:
        try:
            return [np.asarray(a) for a in session.run(None, dict(zip(names, inputs, strict=True)), settings)]
        except Exception as error:  # as above
            named = _FAILED_NODE.search(str(error))
            raise BodyError(f"onnxruntime: {error}", named and named[1]) from error

    if not seconds or not has_loops(model):
        return run

    def run_within(inputs: Sequence[Array]) -> list[Array]:
        settings = onnxruntime.RunOptions()
        settings.log_severity_level = SILENT
        with Alarm(seconds, lambda: setattr(settings, "terminate", True)) as alarm:
            try:
                return run(inputs, settings)
            except BodyError as error:
                if alarm.fired:
                    raise BodyError(too_long(description.name, seconds), error.node) from None
                raise

    return run_within


SILENT = 4
"""onnxruntime's level of fatal errors only."""
_FAILED_NODE = re.compile(r"Name:'([^']+)'")


def _check_numbers(description: ModelDescription, inputs: int, outputs: int) -> None:
    """Raises BodyError for a blob with other numbers of inputs and outputs than are described."""
    described = len(description.body_inputs), len(description.outputs)
    if (inputs, outputs) != described:
        text = f"the ONNX model has {inputs} inputs and {outputs} outputs, {description.name!r} describes {described}"
        raise BodyError(text)


def _onnx_reference(description: ModelDescription, model: Any, seconds: float) -> Run:
    from onnx.reference import ReferenceEvaluator

    class Evaluator(ReferenceEvaluator):
        """Bodies of loops are run by evaluators of the same class: each turn looks at the clock."""

        until = 0

        def run(self, *arguments: Any, **named: Any) -> Any:
            if Evaluator.until and real_ns() > Evaluator.until:
                raise BodyError(too_long(description.name, seconds))
            return super().run(*arguments, **named)

    try:
        evaluator = Evaluator(model)
    except Exception as error:  # a hostile file may raise anything in protobuf
        raise BodyError(f"onnx refuses the model {description.name!r}: {error}") from error
    names = list(evaluator.input_names)
    _check_numbers(description, len(names), len(evaluator.output_names))

    def run(inputs: Sequence[Array]) -> list[Array]:
        Evaluator.until = real_ns() + int(min(seconds, LONGEST) * 1e9) if seconds else 0
        try:
            return [np.asarray(a) for a in evaluator.run(None, dict(zip(names, inputs, strict=True)))]
        except BodyError:
            raise
        except Exception as error:  # as above
            raise BodyError(f"onnx reference evaluator: {error}") from error

    return run
