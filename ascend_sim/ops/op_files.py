"""Stand-ins of compiled single operators: read from `.om` files, made from descriptions in the form that ATC takes.

ATC's form (``atc --singleop=add.json``) is a list of objects with ``op``, ``input_desc``, ``output_desc`` and ``attr``.
"""

from __future__ import annotations

import json
import os
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
from ascend_sim.om.container import HEADER_BYTES, OmFormatError, read, save, write
from ascend_sim.om.description import Body, ModelDescription, TensorDescription
from ascend_sim.om.reading import TooLarge, read_file
from ascend_sim.ops.op_attributes import OpAttributes
from ascend_sim.ops.op_models import OpModel
from ascend_sim.runtime.tensors.descriptors import TensorDesc

if TYPE_CHECKING:
    from ascend_sim.ops.op_models import OpModels
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["describe_op", "from_atc", "load_bytes", "load_directory", "write_stand_ins"]

DEEPEST = 3
"""Levels of directories that aclopSetModelDir looks into."""
LARGEST_FILE = 64 << 20
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
    if isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and value[0] in ATTRIBUTE_KINDS:
        return value[0], _frozen(value[1])
    if isinstance(value, list):
        if not value:
            return "list_int", ()
        kind = f"list_{_typed(name, value[0])[0]}"
        return kind, _frozen(value)
    if type(value) in _KINDS:
        return _KINDS[type(value)], value
    raise AclError(ACL_ERROR_DESERIALIZE_MODEL, f"attribute {name} is {value!r}: no attribute is like that", "acl")


ATTRIBUTE_KINDS: Final = frozenset(
    {*_KINDS.values(), "data_type", *(f"list_{kind}" for kind in (*_KINDS.values(), "data_type")), "list_list_int"}
)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value


def load_directory(t: ThreadState, models: OpModels, path: str) -> None:
    """aclopSetModelDir: every `.om` file three levels deep; those that cannot be read are skipped with a finding.

    Raises AclError 100014 (no such directory), 100002 (a directory was set before).
    """
    root = os.path.realpath(path)
    if not os.path.isdir(root) or not os.access(root, os.R_OK):
        raise AclError(ACL_ERROR_READ_MODEL_FAILURE, f"{path!r} is no directory that can be read", "acl")
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
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if os.path.isdir(path):
            if level < DEEPEST and os.access(path, os.R_OK):
                yield from _files(path, level + 1)
        elif name.endswith(".om"):
            yield path


# -- ATC's descriptions -----------------------------------------------------------------------------------------------


def from_atc(text: str) -> list[ModelDescription]:
    """The operators in the JSON that ATC takes. Raises ValueError with the field that is wrong."""
    found = json.loads(text)
    return [_from_atc(entry) for entry in (found if isinstance(found, list) else [found])]


def _from_atc(entry: Any) -> ModelDescription:
    if not isinstance(entry, dict) or not isinstance(entry.get("op"), str):
        raise ValueError("an entry has no operator type `op`")
    attributes = {}
    for attribute in entry.get("attr", []):
        kind, value = str(attribute["type"]), attribute["value"]
        kind = {"float32": "float", "int32": "int", "int64": "int", "str": "string"}.get(kind, kind)
        if kind in ("data_type", "list_data_type"):
            value = [_type_of(v) for v in value] if isinstance(value, list) else _type_of(value)
        if kind not in ATTRIBUTE_KINDS:
            raise ValueError(f"attribute {attribute['name']!r} has the unknown type {kind!r}")
        attributes[str(attribute["name"])] = (kind, value)
    inputs, outputs = ([_tensor(d) for d in entry.get(f"{side}_desc", [])] for side in ("input", "output"))
    work_size, cost_ns = (int(entry.get(name, 0)) for name in ("work_size", "cost_ns"))  # not of ATC: for stand-ins
    return describe_op(entry["op"], inputs, outputs, attributes, work_size, cost_ns)


def _type_of(value: Any) -> int:
    if isinstance(value, int):
        return value
    name = str(value).lower().removeprefix("dt_")
    if name not in _TYPES:
        raise ValueError(f"data type {value!r} is not known")
    return _TYPES[name]


def _tensor(entry: Mapping[str, Any]) -> TensorDescription:
    format_ = str(entry.get("format", "ND")).upper()
    if format_ not in _FORMATS:
        raise ValueError(f"format {format_!r} is not known")
    ranges = tuple((int(low), int(high)) for low, high in entry.get("shape_range", []))
    dims = tuple(int(n) for n in entry.get("shape", []))
    data_type = _type_of(entry["type"])
    const = _values(entry["const_value"], data_type) if entry.get("is_const") else None
    return TensorDescription(str(entry.get("name", "")), data_type, dims, _FORMATS[format_], ranges, const=const)


def _values(given: Any, data_type: int) -> bytes:
    """The bytes of constant values. Raises ValueError for what the type cannot hold."""
    try:
        return np.array(given, numpy_type(data_type)).tobytes()
    except (TypeError, OverflowError) as error:
        raise ValueError(f"const_value {given!r}: {error}") from None


def write_stand_ins(source: str, folder: str) -> list[str]:
    """Write a stand-in for each operator in the JSON file *source*; returns the paths. Raises ValueError, OSError."""
    with open(source, encoding="utf-8") as file:
        described = from_atc(file.read())
    os.makedirs(folder, exist_ok=True)
    written = []
    for i, description in enumerate(described):
        path = os.path.join(folder, f"{i}_{description.name}_{_shapes(description)}.om")
        write(description)  # refuses what could not be read again
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
