"""A stand-in from an ONNX model: inputs, outputs and data types are read off, the model itself is the blob."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import evolve

from ascend_sim.om.aipp import Aipp, AippError
from ascend_sim.om.container import LARGEST, MOST_VALUES
from ascend_sim.om.description import LONGEST_NAME, Body, Gears, ModelDescription, TensorDescription, dims_in_gear
from ascend_sim.om.insert_op import with_aipp
from ascend_sim.untrusted.files import TooLarge, read_file

__all__ = ["OnnxError", "from_onnx", "has_loops", "unfit"]

# ONNX's TensorProto.DataType -> aclDataType
_TYPES: Final = {
    1: 0, 2: 4, 3: 2, 4: 7, 5: 6, 6: 3, 7: 9, 9: 12, 10: 1, 11: 11, 12: 8, 13: 10, 14: 16, 15: 17, 16: 27,
}  # fmt: skip
ND: Final = 2
IMAGE_DIMS: Final = 4
COST_NS: Final = 1_000_000
MOST_ONNX_NODES: Final = 20_000
NODE_VALUES: Final = 11
TENSOR_VALUES: Final = 10
"""How many values a node, without names, and a tensor make in a description."""
LARGEST_SHAPE: Final = 1024
"""Bytes of a tensor that may say a shape, as that of Reshape."""


class OnnxError(Exception):
    """A file that cannot become a stand-in; the message says why."""


def from_onnx(
    source: str | os.PathLike[str] | bytes,
    name: str = "",
    *,
    shapes: Mapping[str, Sequence[int]] | None = None,
    ranges: Mapping[str, Sequence[tuple[int, int]]] | None = None,
    gears: Gears | None = None,
    format_: int = ND,
    aipp: Sequence[tuple[int | str, Aipp]] = (),
    cost_ns: int = COST_NS,
) -> tuple[ModelDescription, bytes]:
    """The description and the blob for an ONNX model (path or bytes). Needs the package onnx. Raises OnnxError.

    Symbolic dimensions stay open (-1): *shapes* closes them by the name of the input, *ranges* bounds them, *gears*
    makes the model a static one with several sizes. *format_* is the aclFormat of inputs with four dimensions. *aipp*
    puts a preprocessing of images in front of inputs, by index or name; `read_insert_op` reads them from ATC's file.
    """
    try:
        import onnx
    except ImportError:
        raise OnnxError("reading ONNX needs the package onnx: pip install 'ascend-sim[onnx]'") from None
    blob, title = _blob(source, name)
    try:
        model = onnx.load_model_from_string(blob)
        why = unfit(model)
        if why is not None:
            raise OnnxError(why)
        onnx.checker.check_model(model)
        model = onnx.shape_inference.infer_shapes(model)
        graph = model.graph
        weights = {tensor.name for tensor in graph.initializer}
        symbols: dict[str, tuple[int, int]] = {}
        given = [value for value in graph.input if value.name not in weights]
        inputs = [_tensor(value, shapes or {}, ranges or {}, symbols) for value in given]
        inputs = [evolve(one, format=format_) if len(one.dims) == IMAGE_DIMS else one for one in inputs]
        outputs = [_output(value, symbols) for value in graph.output]
        if gears is not None:
            gears = evolve(gears, outputs=_outputs_in_gears(model, gears, given, inputs, outputs))
        weight_size = sum(len(tensor.SerializeToString()) for tensor in graph.initializer)
        nodes = tuple(_node(node, i) for i, node in enumerate(graph.node)) if _can_tell(graph) else ()
        inner = [*map(_weight, graph.initializer), *map(_inner, graph.value_info)] if nodes else []
    except OnnxError:
        raise
    except Exception as error:  # protobuf and onnx raise classes of their own for hostile bytes
        raise OnnxError(f"this is no ONNX model: {error}") from error
    try:
        described = with_aipp(inputs, aipp)
    except AippError as error:
        raise OnnxError(str(error)) from None
    description = ModelDescription(
        title or graph.name, described, tuple(outputs), Body("onnx", nodes=nodes), gears, 0, weight_size, cost_ns,
        tensors=tuple(found for found in inner if found is not None),
    )  # fmt: skip
    return description, blob


def _outputs_in_gears(
    model: Any, gears: Gears, given: Sequence[Any], inputs: Sequence[TensorDescription],
    outputs: Sequence[TensorDescription],
) -> tuple[tuple[tuple[int, ...], ...], ...]:  # fmt: skip
    """The dims of every output in every gear, by the symbols of the inputs or by inference; () when some stay unknown.

    Each output has the dims that its own inputs give it: the second number of a gear may be the first open dim of one.
    Raises OnnxError for a gear that has not a number for each open dim.
    """
    wide = sum(dim < 0 for one in inputs for dim in one.dims)
    for choice in gears.choices:
        if gears.kind == "dims" and len(choice) != wide:
            raise OnnxError(f"a gear has {len(choice)} numbers, {list(choice)}: the inputs have {wide} open dimensions")
    made, without_weights = [], None
    for choice in gears.choices:
        dims = dims_in_gear(inputs, gears.kind, choice)
        symbols = {
            part.dim_param: size
            for value, sizes in zip(given, dims, strict=True)
            for part, size in zip(value.type.tensor_type.shape.dim, sizes, strict=True)
            if part.dim_param
        }
        found = [
            tuple(
                [
                    symbols.get(part.dim_param, -1) if dim < 0 else dim
                    for part, dim in zip(parts, said.dims, strict=True)
                ]
            )
            for said, parts in (
                (s, v.type.tensor_type.shape.dim) for s, v in zip(outputs, model.graph.output, strict=True)
            )
        ]
        if any(dim < 0 for sizes in found for dim in sizes):
            without_weights = without_weights or _without_weights(model)
            found = _inferred(without_weights, dict(zip([value.name for value in given], dims, strict=True)))
        if any(dim < 0 for sizes in found for dim in sizes):
            return ()
        made.append(tuple(found))
    return tuple(made)


def _without_weights(model: Any) -> Any:
    """A copy that is quick to look through: its large weights are inputs, and nothing is said of inner tensors."""
    import onnx

    made = onnx.ModelProto()
    made.CopyFrom(model)
    graph = made.graph
    del graph.value_info[:]
    kept = [tensor for tensor in graph.initializer if tensor.ByteSize() <= LARGEST_SHAPE]
    for tensor in graph.initializer:
        if tensor.ByteSize() > LARGEST_SHAPE and all(tensor.name != value.name for value in graph.input):
            graph.input.append(onnx.helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims))
    kept = [onnx.TensorProto.FromString(tensor.SerializeToString()) for tensor in kept]
    del graph.initializer[:]
    graph.initializer.extend(kept)
    return made


def _inferred(model: Any, dims: Mapping[str, Sequence[int]]) -> list[tuple[int, ...]]:
    """The dims of the outputs when the inputs of these names have *dims*; -1 where inference does not tell."""
    import onnx

    for value in model.graph.input:
        for part, size in zip(value.type.tensor_type.shape.dim, dims.get(value.name, ()), strict=False):
            part.dim_value = size
    inferred = onnx.shape_inference.infer_shapes(model, data_prop=True)
    return [_dims(value.type.tensor_type) for value in inferred.graph.output]


def _can_tell(graph: Any) -> bool:
    """Whether a description has room for what tells which operator failed: its nodes and the tensors between them.

    Larger models run without it.
    """
    names = sum(len(node.input) + len(node.output) for node in graph.node)
    tensors = len(graph.initializer) + len(graph.value_info)
    return names + NODE_VALUES * len(graph.node) + TENSOR_VALUES * tensors <= MOST_VALUES * 3 // 4


def _parts(model: Any) -> Iterator[tuple[str, list[Any]]]:
    """Every graph and node of an ONNX model, inner ones included: the operator (graphs have none), and its tensors."""
    graphs = [
        model.graph,
        *(info.algorithm for info in model.training_info),
        *(info.initialization for info in model.training_info),
    ]
    nodes = [node for function in model.functions for node in function.node]
    while graphs or nodes:
        kind, tensors, sparse = "", [], []
        if graphs:
            graph = graphs.pop()
            nodes.extend(graph.node)
            tensors += graph.initializer
            sparse += graph.sparse_initializer
        else:
            node = nodes.pop()
            kind = node.op_type
            for attribute in node.attribute:
                tensors += [attribute.t, *attribute.tensors]
                sparse += [attribute.sparse_tensor, *attribute.sparse_tensors]
                graphs += [attribute.g, *attribute.graphs]
        tensors += [part for one in sparse for part in (one.values, one.indices)]
        yield kind, tensors


def unfit(model: Any) -> str | None:
    """Why an ONNX model is not taken: too many nodes, or weights that lie in other files; None when it is.

    Such files would be looked for in the working directory of the program, long after the model was checked.
    """
    for number, (_, tensors) in enumerate(_parts(model)):
        if number == MOST_ONNX_NODES:
            return f"it has more than {MOST_ONNX_NODES} nodes and graphs"
        for tensor in tensors:
            if tensor.data_location or tensor.external_data:
                return (
                    f"the values of {tensor.name!r} are in another file: only models that hold all their weights are "
                    "taken (onnx.save_model(onnx.load(PATH), OUT) without save_as_external_data writes one)"
                )
    return None


def has_loops(model: Any) -> bool:
    """Whether something in an ONNX model is repeated, so that its time is not bounded by its size."""
    return any(kind in ("Loop", "Scan") for kind, _ in _parts(model))


def _node(node: Any, index: int) -> dict[str, Any]:
    """A node without its attributes; nameless ones are named as ATC names them."""
    name = (node.name or f"{node.op_type}_{index}")[:LONGEST_NAME]
    return {
        "op": node.op_type,
        "name": name,
        "inputs": list(node.input),
        "outputs": list(node.output),
        "attributes": {},
    }


def _weight(tensor: Any) -> TensorDescription | None:
    if tensor.data_type not in _TYPES:
        return None
    return TensorDescription(tensor.name, _TYPES[tensor.data_type], tuple(int(n) for n in tensor.dims), ND)


def _inner(value: Any) -> TensorDescription | None:
    kind = value.type.tensor_type
    if not value.type.HasField("tensor_type") or kind.elem_type not in _TYPES or not kind.HasField("shape"):
        return None
    return TensorDescription(value.name, _TYPES[kind.elem_type], _dims(kind), ND)


def _blob(source: str | os.PathLike[str] | bytes, name: str) -> tuple[bytes, str]:
    if isinstance(source, bytes):
        return source, name
    try:
        return read_file(source, LARGEST), name or os.path.splitext(os.path.basename(os.fspath(source)))[0]
    except TooLarge as error:
        raise OnnxError(f"{os.fspath(source)!r} is too large: {error}") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise OnnxError(f"{os.fspath(source)!r} cannot be read: {getattr(error, 'strerror', error)}") from None


def _checked(value: Any) -> Any:
    """The tensor type of a graph's input or output. Raises OnnxError."""
    kind = value.type.tensor_type
    if not value.type.HasField("tensor_type") or kind.elem_type not in _TYPES:
        raise OnnxError(f"{value.name!r} is no tensor of a type that aclDataType knows")
    if not kind.HasField("shape"):
        raise OnnxError(f"nothing is known of the shape of {value.name!r}")
    return kind


def _dims(kind: Any) -> tuple[int, ...]:
    return tuple(
        int(dim.dim_value) if dim.HasField("dim_value") and dim.dim_value >= 0 else -1 for dim in kind.shape.dim
    )


def _tensor(
    value: Any, shapes: Mapping[str, Sequence[int]], ranges: Mapping[str, Sequence[tuple[int, int]]],
    symbols: dict[str, tuple[int, int]],
) -> TensorDescription:  # fmt: skip
    """An input; *symbols* learns what was said of its symbolic dimensions, for the outputs."""
    kind = _checked(value)
    dims = _dims(kind)
    wanted = shapes.get(value.name)
    if wanted is not None:
        if len(wanted) != len(dims) or any(d not in (-1, w) for d, w in zip(dims, wanted, strict=True)):
            raise OnnxError(f"{value.name!r} has the shape {list(dims)}: {list(wanted)} does not fit")
        dims = tuple(wanted)
    bounds = [(int(low), int(high)) for low, high in ranges.get(value.name, ())]
    if bounds and len(bounds) != len(dims):
        raise OnnxError(f"{value.name!r} has {len(dims)} dimensions, {len(bounds)} ranges are given")
    for i, dim in enumerate(kind.shape.dim):
        if dim.dim_param and dims[i] >= 0:
            symbols[dim.dim_param] = (dims[i], dims[i])
        elif dim.dim_param and bounds:
            symbols[dim.dim_param] = bounds[i]
    return TensorDescription(value.name, _TYPES[kind.elem_type], dims, ND, tuple(bounds))


def _output(value: Any, symbols: Mapping[str, tuple[int, int]]) -> TensorDescription:
    kind = _checked(value)
    dims, bounds = list(_dims(kind)), []
    for i, dim in enumerate(kind.shape.dim):
        low, high = symbols.get(dim.dim_param, (-1, -1)) if dims[i] < 0 else (dims[i], dims[i])
        if low == high >= 0:
            dims[i] = low
        bounds.append((low, high))
    known = all(high >= 0 for _, high in bounds) and -1 in dims
    return TensorDescription(value.name, _TYPES[kind.elem_type], tuple(dims), ND, tuple(bounds) if known else ())
