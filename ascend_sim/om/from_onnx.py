"""A stand-in from an ONNX model: inputs, outputs and data types are read off, the model itself is the blob."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import evolve

from ascend_sim.om.aipp import Aipp, AippError
from ascend_sim.om.container import LARGEST, MOST_VALUES
from ascend_sim.om.description import LONGEST_NAME, Body, Gears, ModelDescription, TensorDescription
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
