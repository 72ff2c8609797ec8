"""Stand-ins of compiled single operators: read from `.om` files, made from descriptions in the form that ATC takes.

ATC's form (``atc --singleop=add.json``) is a list of objects with ``op``, ``input_desc``, ``output_desc`` and ``attr``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ascend_sim.constants.errors import (
    ACL_ERROR_DESERIALIZE_MODEL,
    ACL_ERROR_MODEL_MISSING_ATTR,
    ACL_ERROR_OP_UNSUPPORTED_DYNAMIC,
    ACL_ERROR_PARSE_MODEL,
    ACL_ERROR_READ_MODEL_FAILURE,
    ACL_ERROR_REPEAT_INITIALIZE,
)
from ascend_sim.errors import AclError
from ascend_sim.machine.data_types import numpy_type
from ascend_sim.om.container import HEADER_BYTES, MOST_VALUES, OmFormatError, read, save, write
from ascend_sim.om.description import Body, ModelDescription, TensorDescription
from ascend_sim.ops.op_attributes import OpAttributes, fits
from ascend_sim.ops.op_models import OpModel
from ascend_sim.runtime.tensors.descriptors import TensorDesc
from ascend_sim.untrusted.files import TooLarge, read_file, read_text, real_path
from ascend_sim.untrusted.json_text import parse_json

if TYPE_CHECKING:
    from ascend_sim.ops.op_models import OpModels
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["describe_op", "from_atc", "load_bytes", "load_directory", "write_stand_ins"]

DEEPEST = 3
"""Levels of directories that aclopSetModelDir looks into."""
LARGEST_FILE = 64 << 20
LARGEST_SOURCE = 16 << 20
MOST_OPERATORS = 1024
DEEPEST_JSON = 32
LONGEST_QUOTE = 64
DYNAMIC: Final = "support_dynamicshape"
"""An attribute of the compiler's, not of the operator."""

_TYPES: Final = {
    "float": 0, "float32": 0, "fp32": 0, "float16": 1, "fp16": 1, "int8": 2, "int32": 3, "uint8": 4, "int16": 6,
    "uint16": 7, "uint32": 8, "int64": 9, "uint64": 10, "double": 11, "bool": 12, "complex64": 16, "complex128": 17,
    "bfloat16": 27, "bf16": 27,
}  # fmt: skip
_FORMATS: Final = {
    "NCHW": 0, "NHWC": 1, "ND": 2, "NC1HWC0": 3, "FRACTAL_Z": 4, "HWCN": 16, "NDHWC": 27, "FRACTAL_NZ": 29, "NCDHW": 30,
}  # fmt: skip
_KINDS: Final = {bool: "bool", int: "int", float: "float", str: "string"}


def describe_op(
    op_type: str, inputs: list[TensorDescription], outputs: list[TensorDescription],
    attributes: Mapping[str, Any] | None = None, work_size: int = 0, cost_ns: int = 0,
) -> ModelDescription:  # fmt: skip
    """The stand-in of one compiled operator. Write it with `ascend_sim.om.save`.

    Attributes are plain values, or (kind, value) where the kind cannot be told: ``("data_type", 1)``, ``("list_int",
    [])``. *cost_ns* 0: as the cost model says.
    """
    given = {name: list(value) if isinstance(value, tuple) else value for name, value in (attributes or {}).items()}
    return ModelDescription(
        op_type, tuple(inputs), tuple(outputs), Body("op", op_type), None, work_size, 0, cost_ns, given
    )


# -- reading ----------------------------------------------------------------------------------------------------------


def load_bytes(t: ThreadState, models: OpModels, data: bytes) -> None:
    """aclopLoad. Raises AclError 100013 (length), 100012 (content), 100016 (an attribute is missing), 148050."""
    if len(data) <= HEADER_BYTES:
        raise AclError(
            ACL_ERROR_PARSE_MODEL, f"{len(data)} bytes: a model has a header of {HEADER_BYTES} and content", "acl"
        )
    try:
        file = read(data)
    except OmFormatError as error:
        if error.kind == "real":
            t.sim.report_call(t, "not-modelled", "warning", f"{t.call} got a compiled model: {error}", fix=HOW)
        raise AclError(
            ACL_ERROR_PARSE_MODEL if error.kind in ("short", "length") else ACL_ERROR_DESERIALIZE_MODEL,
            str(error),
            "acl",
        ) from None
    if len(file.models) != 1:
        raise AclError(ACL_ERROR_DESERIALIZE_MODEL, f"{len(file.models)} models: a single operator is required", "acl")
    models.add(_model(file.models[0]))


HOW = "ascend-sim om from-singleop OP.json -o DIRECTORY writes stand-ins from the description that ATC was given"


def _model(description: ModelDescription) -> OpModel:
    body = description.body
    if body.kind != "op":
        raise AclError(ACL_ERROR_DESERIALIZE_MODEL, f"a model with a {body.kind} body is no single operator", "acl")
    if not body.target:
        raise AclError(ACL_ERROR_MODEL_MISSING_ATTR, "the description names no operator type", "acl")
    attributes = OpAttributes()
    for name, value in description.attributes.items():
        if name == DYNAMIC:
            if value is False:
                raise AclError(
                    ACL_ERROR_OP_UNSUPPORTED_DYNAMIC,
                    f"{body.target} was compiled without support for dynamic shapes",
                    "acl",
                )
            continue
        kind, plain = _typed(name, value)
        attributes.set(name, kind, plain)
    inputs = [_desc(tensor) for tensor in description.inputs]
    outputs = [_desc(tensor) for tensor in description.outputs]
    return OpModel(body.target, inputs, outputs, attributes, description.work_size, description.cost_ns, lasting=True)


def _desc(tensor: TensorDescription) -> TensorDesc:
    made = TensorDesc(tensor.data_type, list(tensor.dims), tensor.format)
    made.shape_range = list(tensor.ranges)
    made.name = tensor.name
    made.const = tensor.const
    return made


def _typed(name: str, value: Any) -> tuple[str, Any]:
    """Kind and value of an attribute. Raises AclError 100012 for one that no attribute can have."""
    kind, plain = _KINDS.get(type(value), ""), value
    if isinstance(value, list):
        if len(value) == 2 and isinstance(value[0], str) and value[0] in ATTRIBUTE_KINDS and fits(value[0], value[1]):
            kind, plain = value
        else:
            kinds = {_KINDS.get(type(item), "") for item in value}
            of_one = "float" if kinds == {"int", "float"} else min(kinds) if len(kinds) == 1 else ""
            kind = "list_int" if not value else f"list_{of_one}" if of_one else "list_list_int"
    if not kind or not fits(kind, plain):
        shown = repr(value)
        if len(shown) > LONGEST_QUOTE:
            shown = f"{shown[:LONGEST_QUOTE]}..."
        raise AclError(ACL_ERROR_DESERIALIZE_MODEL, f"attribute {name} is {shown}: no attribute is like that", "acl")
    return kind, _frozen(plain)


ATTRIBUTE_KINDS: Final = frozenset(
    {*_KINDS.values(), "data_type", *(f"list_{kind}" for kind in (*_KINDS.values(), "data_type")), "list_list_int"}
)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value


def load_directory(t: ThreadState, models: OpModels, path: str) -> None:
    """aclopSetModelDir: every `.om` file three levels deep; those that cannot be read are skipped with a finding.

    Raises AclError 100014 (no such directory), 100002 (a directory was set before).
    """
    root = real_path(path)
    if not os.path.isdir(root) or not os.access(root, os.R_OK):
        text = f"{path!r} is no directory that can be read; --ops open lets operators run without one"
        raise AclError(ACL_ERROR_READ_MODEL_FAILURE, text, "acl")
    if models.directory is not None:
        raise AclError(
            ACL_ERROR_REPEAT_INITIALIZE, f"the model directory was set before, to {models.directory!r}", "acl"
        )
    models.directory = root
    found = 0
    for file in _files(root, 1):
        found += 1
        try:
            load_bytes(t, models, read_file(file, LARGEST_FILE))
        except (OSError, TooLarge, AclError) as error:
            reason = error.reason if isinstance(error, AclError) else str(error)
            text = f"aclopSetModelDir skips {os.path.relpath(file, root)!r}: {reason}"
            t.sim.report_call(t, "hidden-error", "warning", text, fix=HOW)
    if not found:
        text = f"aclopSetModelDir finds no .om file in {path!r}: it answers 0, and no other directory can be set"
        t.sim.report_call(t, "hidden-error", "note", text)


def _files(folder: str, level: int) -> Iterator[str]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:  # it is gone by now, or may not be read after all
        return
    for name in names:
        path = os.path.join(folder, name)
        if os.path.isdir(path):
            if level < DEEPEST and os.access(path, os.R_OK):
                yield from _files(path, level + 1)
        elif name.endswith(".om"):
            yield path


# -- ATC's descriptions -----------------------------------------------------------------------------------------------


def from_atc(text: str) -> list[ModelDescription]:
    """The operators in the JSON that ATC takes. Raises ValueError with the field that is wrong."""
    found = parse_json(text.encode("utf-8", "surrogatepass"), MOST_VALUES, DEEPEST_JSON)
    listed = found if isinstance(found, list) else [found]
    if len(listed) > MOST_OPERATORS:
        raise ValueError(f"{len(listed)} operators: {MOST_OPERATORS} at most can be in one file")
    made = []
    for i, entry in enumerate(listed):
        try:
            description = _from_atc(entry)
            write(description)  # refuses what could not be read again
        except ValueError as error:
            raise ValueError(f"operator {i}: {error}") from None
        made.append(description)
    return made


def _from_atc(value: Any) -> ModelDescription:
    entry = _entry(value, "it")
    if not isinstance(entry.get("op"), str) or not entry["op"]:
        raise ValueError("it has no operator type `op`")
    attributes = {}
    for given in _entries(entry, "attr"):
        name, kind = _word(given, "name"), _word(given, "type")
        kind = {"float32": "float", "int32": "int", "int64": "int", "str": "string"}.get(kind, kind)
        plain = given.get("value")
        if kind in ("data_type", "list_data_type"):
            plain = [_type_of(v) for v in plain] if isinstance(plain, list) else _type_of(plain)
        if kind not in ATTRIBUTE_KINDS:
            raise ValueError(f"attribute {name!r} has the unknown type {kind!r}")
        if not fits(kind, plain):
            raise ValueError(f"attribute {name!r} has a value that is no {kind}")
        attributes[name] = (kind, plain)
    inputs, outputs = ([_tensor(d) for d in _entries(entry, f"{side}_desc")] for side in ("input", "output"))
    work_size, cost_ns = (_whole(entry.get(name, 0), name) for name in ("work_size", "cost_ns"))  # for stand-ins only
    return describe_op(entry["op"], inputs, outputs, attributes, work_size, cost_ns)


def _entry(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{where} is no JSON object")
    return value


def _entries(entry: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """The objects in the list *name*; none when it is not there."""
    found = entry.get(name, [])
    if not isinstance(found, list):
        raise ValueError(f"{name} is no list")
    return [_entry(value, f"{name}[{i}]") for i, value in enumerate(found)]


def _word(entry: Mapping[str, Any], name: str) -> str:
    if not isinstance(entry.get(name), str):
        raise ValueError(f"an attribute has no text {name!r}")
    return str(entry[name])


def _whole(value: Any, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{where} has {value!r}: whole numbers are required")
    return value


def _numbers(value: Any, where: str) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise ValueError(f"{where} is no list of numbers")
    return tuple(_whole(number, where) for number in value)


def _type_of(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    name = str(value).lower().removeprefix("dt_")
    if name not in _TYPES:
        raise ValueError(f"data type {value!r} is not known")
    return _TYPES[name]


def _tensor(entry: Mapping[str, Any]) -> TensorDescription:
    format_ = str(entry.get("format", "ND")).upper()
    if format_ not in _FORMATS:
        raise ValueError(f"format {format_!r} is not known")
    ranges = entry.get("shape_range", [])
    if not isinstance(ranges, list):
        raise ValueError("shape_range is no list of pairs")
    pairs = [_numbers(pair, "shape_range") for pair in ranges]
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError("shape_range is no list of pairs")
    name = entry.get("name", "")
    if not isinstance(name, str):
        raise ValueError("the name of a tensor is no text")
    if "type" not in entry:
        raise ValueError("a tensor has no `type`")
    data_type = _type_of(entry["type"])
    const = _values(entry.get("const_value"), data_type) if entry.get("is_const") else None
    dims = _numbers(entry.get("shape", []), "shape")
    return TensorDescription(name, data_type, dims, _FORMATS[format_], tuple((a, b) for a, b in pairs), const=const)


def _values(given: Any, data_type: int) -> bytes:
    """The bytes of constant values. Raises ValueError for what the type cannot hold."""
    try:
        with np.errstate(over="raise", invalid="raise"):
            return np.array(given, numpy_type(data_type)).tobytes()
    except (TypeError, OverflowError, FloatingPointError) as error:
        raise ValueError(f"const_value cannot be of data type {data_type}: {error}") from None


def write_stand_ins(source: str, folder: str) -> list[str]:
    """Write a stand-in for each operator in the JSON file *source*; returns the paths. Raises ValueError, OSError."""
    described = from_atc(read_text(source, LARGEST_SOURCE))
    os.makedirs(folder, exist_ok=True)
    written = []
    for i, description in enumerate(described):
        name = re.sub(r"[^\w.-]", "_", description.name)[:LONGEST_QUOTE]
        path = os.path.join(folder, f"{i}_{name}_{_shapes(description)}.om")
        save(path, description)
        written.append(path)
    return written


def _shapes(description: ModelDescription) -> str:
    """Types and shapes for a file's name, as ATC's files have them."""
    parts = [
        "_".join(str(n) for n in (tensor.data_type, tensor.format, *tensor.dims))
        for tensor in (*description.inputs, *description.outputs)
    ]
    return "_".join(parts)[:150]
