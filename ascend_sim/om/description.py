"""What a stand-in says of its model: inputs, outputs, gears, sizes and body; checked field by field."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from attrs import evolve, field, frozen

from ascend_sim.om.aipp import Aipp, AippError, aipp_from_json, aipp_to_json, check_aipp

__all__ = [
    "AIPP_INPUT", "GEAR_INPUT", "Body", "Constant", "DescriptionError", "Gears", "ModelDescription",
    "TensorDescription", "dims_in_gear", "from_json", "to_json",
]  # fmt: skip

GEAR_INPUT = "ascend_mbatch_shape_data"
"""The name of the input through which the value of the gear travels (ACL_DYNAMIC_TENSOR_NAME)."""
AIPP_INPUT = "ascend_dynamic_aipp_data"
"""The name of the input with the settings of dynamic preprocessing (ACL_DYNAMIC_AIPP_NAME); further ones append to it."""

MOST_TENSORS = 4096
MOST_DIMS = 1024
MOST_ELEMENTS = 1 << 48
MOST_GEARS = 1024
MOST_NODES = 100_000
MOST_SHAPES = 1 << 17
"""Dims of all inputs and outputs together, over all gears."""
LONGEST_NAME = 4096
LARGEST = (1 << 63) - 1
BODIES = ("python", "graph", "onnx", "op", "none")


class DescriptionError(ValueError):
    """A description that breaks a rule; the message names the field."""


def _aipp(given: Aipp | bool | None) -> Aipp | None:
    return aipp_from_json(given) if isinstance(given, bool) else given


@frozen
class TensorDescription:
    """One input or output. *dims*: -1 is a dimension that a run may choose; *ranges*: (least, most) of each one."""

    name: str
    data_type: int
    dims: tuple[int, ...]
    format: int = 2
    """An aclFormat; 2 is ND."""
    ranges: tuple[tuple[int, int], ...] = ()
    aipp: Aipp | None = field(default=None, converter=_aipp)
    """How images become this input; True: dynamic preprocessing."""
    const: bytes | None = None
    """The values that a single operator was compiled with for this input; None: they may be any."""

    @property
    def is_dynamic(self) -> bool:
        """Whether a run chooses a dimension."""
        return any(dim < 0 for dim in self.dims)

    @property
    def is_setting(self) -> bool:
        """Whether it is no input of the network: it carries a gear, or the settings of a preprocessing."""
        return self.name in (GEAR_INPUT, AIPP_INPUT) or self.name.startswith(AIPP_INPUT + "_")


@frozen
class Gears:
    """The sizes that a static model was compiled for: *kind* ``"batch"``, ``"hw"`` or ``"dims"``, and the choices."""

    kind: str
    choices: tuple[tuple[int, ...], ...]
    outputs: tuple[tuple[tuple[int, ...], ...], ...] = ()
    """For each choice the dims of every output; without it the open dims of the outputs take the gear's numbers."""


def dims_in_gear(tensors: Iterable[TensorDescription], kind: str, gear: Sequence[int]) -> list[tuple[int, ...]]:
    """The dims of inputs in one gear of *kind*: gears of dims name the open dims of all of them, one after the other."""
    shared = iter(gear)
    made = []
    for tensor in tensors:
        numbers = shared if kind == "dims" else iter([gear[0]] * len(tensor.dims) if kind == "batch" else gear)
        filled = tuple([next(numbers, 1) if dim < 0 else dim for dim in tensor.dims])
        made.append(tensor.dims if tensor.is_setting else filled)
    return made


@frozen
class Constant:
    """A tensor of weights: its bytes lie at *offset* of the blob. Nodes of a graph name it like an input."""

    name: str
    data_type: int
    dims: tuple[int, ...]
    offset: int


@frozen
class Body:
    """What runs: *kind* ``"python"`` (``target`` is ``module:function``), ``"graph"`` (nodes of registered operators),
    ``"onnx"`` (the blob of the file), ``"op"`` (one operator) or ``"none"``.

    A node has ``op``, ``inputs``, ``outputs`` (names of tensors), ``attributes`` and, if it has one, a ``name``. Those of
    an ONNX file only tell which operator failed (aclmdlCreateAndGetOpDesc)."""

    kind: str = "none"
    target: str = ""
    nodes: tuple[dict[str, Any], ...] = ()


@frozen
class ModelDescription:
    """A model as its stand-in describes it. Sizes in bytes, *cost_ns* in virtual ns of one execution."""

    name: str
    inputs: tuple[TensorDescription, ...]
    outputs: tuple[TensorDescription, ...]
    body: Body = field(factory=Body)
    gears: Gears | None = None
    work_size: int = 0
    weight_size: int = 0
    cost_ns: int = 1_000_000
    attributes: dict[str, Any] = field(factory=dict)
    """For a single operator: its attributes. For a model: ``original_op_names`` {operator: text}."""
    constants: tuple[Constant, ...] = ()
    tensors: tuple[TensorDescription, ...] = ()
    """What is known of tensors inside of an ONNX file: their types and shapes."""
    blob: tuple[int, int] | None = None
    """Offset and size of this model's part of the blob; None: all of it."""

    @property
    def is_dynamic(self) -> bool:
        """Run by the executor for unknown shapes: a dimension is open and no gears close it."""
        return self.gears is None and any(t.is_dynamic for t in self.inputs)

    @property
    def body_inputs(self) -> tuple[TensorDescription, ...]:
        """The inputs that the body gets."""
        return tuple(t for t in self.inputs if not t.is_setting)


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_NAME:
        raise DescriptionError(f"{where} is no text of at most {LONGEST_NAME} characters")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:  # half of a pair in a JSON escape: no C program could get it
            raise DescriptionError(f"{where} has no form in UTF-8") from None
    return value


def _number(value: Any, where: str, low: int = 0, high: int = LARGEST) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise DescriptionError(f"{where} is {value!r}: an integer from {low} to {high} is required")
    return value


def _list(value: Any, where: str, most: int) -> list[Any]:
    if not isinstance(value, list) or len(value) > most:
        raise DescriptionError(f"{where} is no list of at most {most} entries")
    return value


def _object(value: Any, where: str, known: set[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise DescriptionError(f"{where} is no object")
    unknown = sorted(set(value) - known)
    if unknown:
        raise DescriptionError(f"{where} has an unknown field {unknown[0]!r}")
    return value


def _dims(value: Any, where: str) -> tuple[int, ...]:
    dims = tuple(_number(n, f"{where}[{i}]", -2) for i, n in enumerate(_list(value, where, MOST_DIMS)))
    if math.prod(dim for dim in dims if dim > 0) > MOST_ELEMENTS:
        raise DescriptionError(f"{where} has more than {MOST_ELEMENTS} elements")
    return dims


def _tensor(value: Any, where: str) -> TensorDescription:
    found = _object(value, where, {"name", "data_type", "dims", "format", "ranges", "aipp", "const"})
    dims = _dims(found.get("dims"), f"{where}.dims")
    ranges = tuple(
        (_number(pair[0], f"{where}.ranges", -1), _number(pair[1], f"{where}.ranges", -1))
        for pair in _list(found.get("ranges", []), f"{where}.ranges", MOST_DIMS)
        if isinstance(pair, list) and len(pair) == 2
    )
    made = TensorDescription(
        _text(found.get("name"), f"{where}.name"),
        _number(found.get("data_type"), f"{where}.data_type", -1, 1 << 16),
        dims,
        _number(found.get("format", 2), f"{where}.format", -1, 1 << 16),
        ranges,
        const=_bytes(found.get("const"), f"{where}.const"),
    )
    try:
        aipp = aipp_from_json(found.get("aipp"))
        if aipp is not None:
            check_aipp(aipp, made.data_type, made.dims, made.format)
    except AippError as error:
        raise DescriptionError(f"{where}: {error}") from None
    return evolve(made, aipp=aipp)


def _bytes(value: Any, where: str) -> bytes | None:
    if value is None:
        return None
    try:
        return bytes.fromhex(value)
    except (TypeError, ValueError):
        raise DescriptionError(f"{where} is no text of hexadecimal digits") from None


def _constant(value: Any, where: str) -> Constant:
    found = _object(value, where, {"name", "data_type", "dims", "offset"})
    dims = _dims(found.get("dims"), f"{where}.dims")
    if any(dim < 0 for dim in dims):
        raise DescriptionError(f"{where}.dims has an open dimension")
    return Constant(
        _text(found.get("name"), f"{where}.name"),
        _number(found.get("data_type"), f"{where}.data_type", -1, 1 << 16),
        dims,
        _number(found.get("offset"), f"{where}.offset"),
    )


def _part(value: Any) -> tuple[int, int] | None:
    if value is None:
        return None
    if len(_list(value, "blob", 2)) != 2:
        raise DescriptionError("blob is no pair of offset and size")
    return _number(value[0], "blob[0]"), _number(value[1], "blob[1]")


def _gears(value: Any, outputs: int) -> Gears | None:
    if value is None:
        return None
    found = _object(value, "gears", {"kind", "choices", "outputs"})
    kind = found.get("kind")
    if kind not in ("batch", "hw", "dims"):
        raise DescriptionError(f"gears.kind is {kind!r}: batch, hw or dims is required")
    choices = tuple(
        _dims(c, f"gears.choices[{i}]") for i, c in enumerate(_list(found.get("choices"), "gears.choices", MOST_GEARS))
    )
    width = {"batch": 1, "hw": 2}.get(kind)
    if any(len(c) != (width or len(choices[0])) for c in choices):
        raise DescriptionError("gears.choices have different lengths")
    if not choices:
        raise DescriptionError("gears.choices is empty")
    if any(number < 0 for choice in choices for number in choice):
        raise DescriptionError("gears.choices has a negative number")
    shapes = []
    for i, listed in enumerate(_list(found.get("outputs", []), "gears.outputs", MOST_GEARS)):
        where = f"gears.outputs[{i}]"
        shapes.append(tuple(_dims(dims, where) for dims in _list(listed, where, MOST_TENSORS)))
    if shapes and (len(shapes) != len(choices) or any(len(s) != outputs for s in shapes)):
        raise DescriptionError("gears.outputs has not the dims of every output for every choice")
    return Gears(kind, choices, tuple(shapes))


def _attributes(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise DescriptionError(f"{where} is no object")
    return value


def _body(value: Any) -> Body:
    found = _object(value, "body", {"kind", "target", "nodes"})
    kind = found.get("kind")
    if kind not in BODIES:
        raise DescriptionError(f"body.kind is {kind!r}: one of {', '.join(BODIES)} is required")
    nodes = []
    for i, node in enumerate(_list(found.get("nodes", []), "body.nodes", MOST_NODES)):
        where = f"body.nodes[{i}]"
        entry = _object(node, where, {"op", "name", "inputs", "outputs", "attributes"})
        named = {"name": _text(entry["name"], f"{where}.name")} if "name" in entry else {}
        nodes.append(
            named
            | {
                "op": _text(entry.get("op"), f"{where}.op"),
                "inputs": [
                    _text(n, f"{where}.inputs") for n in _list(entry.get("inputs", []), f"{where}.inputs", MOST_TENSORS)
                ],
                "outputs": [
                    _text(n, f"{where}.outputs")
                    for n in _list(entry.get("outputs", []), f"{where}.outputs", MOST_TENSORS)
                ],
                "attributes": _attributes(entry.get("attributes", {}), f"{where}.attributes"),
            }
        )
    return Body(kind, _text(found.get("target", ""), "body.target"), tuple(nodes))


def from_json(value: Any) -> ModelDescription:
    """The description in parsed JSON. Raises DescriptionError for anything that does not belong there."""
    known = {
        "ascend_sim",
        "name",
        "inputs",
        "outputs",
        "body",
        "gears",
        "work_size",
        "weight_size",
        "cost_ns",
        "attributes",
        "constants",
        "tensors",
        "blob",
    }
    found = _object(value, "the description", known)
    if found.get("ascend_sim") != 1:
        raise DescriptionError("the description has no version 1")
    attributes = _attributes(found.get("attributes", {}), "attributes")
    outputs = _list(found.get("outputs"), "outputs", MOST_TENSORS)
    inputs = tuple(_tensor(t, f"inputs[{i}]") for i, t in enumerate(_list(found.get("inputs"), "inputs", MOST_TENSORS)))
    gears = _gears(found.get("gears"), len(outputs))
    for tensor in inputs:
        if gears is None and tensor.is_dynamic and tensor.aipp is not None and tensor.aipp.is_static:
            raise DescriptionError(
                f"input {tensor.name!r} has static AIPP: its dims have to be known, or come from gears"
            )
    described = tuple(_tensor(t, f"outputs[{i}]") for i, t in enumerate(outputs))
    if gears is not None:
        numbers = len(gears.choices) * sum(len(t.dims) + 1 for t in (*inputs, *described))
        if numbers > MOST_SHAPES:
            raise DescriptionError(
                f"gears.choices make {numbers} dims of inputs and outputs: {MOST_SHAPES} are the most"
            )
    constants = _list(found.get("constants", []), "constants", MOST_NODES)
    tensors = _list(found.get("tensors", []), "tensors", MOST_NODES)
    return ModelDescription(
        _text(found.get("name", ""), "name"),
        inputs,
        described,
        _body(found.get("body", {"kind": "none"})),
        gears,
        _number(found.get("work_size", 0), "work_size", 0, 1 << 48),
        _number(found.get("weight_size", 0), "weight_size", 0, 1 << 48),
        _number(found.get("cost_ns", 1_000_000), "cost_ns", 0, 1 << 50),
        attributes,
        tuple(_constant(c, f"constants[{i}]") for i, c in enumerate(constants)),
        tuple(_tensor(t, f"tensors[{i}]") for i, t in enumerate(tensors)),
        _part(found.get("blob")),
    )


def to_json(description: ModelDescription) -> dict[str, Any]:
    """The description as plain values for JSON."""

    def tensor(t: TensorDescription) -> dict[str, Any]:
        made: dict[str, Any] = {"name": t.name, "data_type": t.data_type, "dims": list(t.dims), "format": t.format}
        if t.ranges:
            made["ranges"] = [list(pair) for pair in t.ranges]
        if t.aipp is not None:
            made["aipp"] = aipp_to_json(t.aipp)
        if t.const is not None:
            made["const"] = t.const.hex()
        return made

    made: dict[str, Any] = {
        "ascend_sim": 1,
        "name": description.name,
        "inputs": [tensor(t) for t in description.inputs],
        "outputs": [tensor(t) for t in description.outputs],
        "body": {
            "kind": description.body.kind,
            "target": description.body.target,
            "nodes": list(description.body.nodes),
        },
        "work_size": description.work_size,
        "weight_size": description.weight_size,
        "cost_ns": description.cost_ns,
        "attributes": description.attributes,
    }
    gears = description.gears
    if gears is not None:
        made["gears"] = {"kind": gears.kind, "choices": [list(c) for c in gears.choices]}
        if gears.outputs:
            made["gears"]["outputs"] = [[list(dims) for dims in listed] for listed in gears.outputs]
    if description.constants:
        made["constants"] = [
            {"name": c.name, "data_type": c.data_type, "dims": list(c.dims), "offset": c.offset}
            for c in description.constants
        ]
    if description.tensors:
        made["tensors"] = [tensor(t) for t in description.tensors]
    if description.blob is not None:
        made["blob"] = list(description.blob)
    return made
