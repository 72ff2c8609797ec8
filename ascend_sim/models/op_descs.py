"""Which operator of a static model a task was, and its tensors: what aclmdlCreateAndGetOpDesc tells of a failure.

On hardware each operator is a task. Here a model is one task, so the operator is the node that failed; the node that
reads or writes the input or output that could not be reached; the only node there is. Where that cannot be told (a
Python function, an ONNX file described without nodes, a run that did not fail) the model as a whole is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ascend_sim.constants.errors import ACL_ERROR_GE_FAILURE
from ascend_sim.errors import AclError
from ascend_sim.models.execution import Execution
from ascend_sim.models.image_inputs import ImageInput, presented
from ascend_sim.models.model import DYNAMIC
from ascend_sim.models.registry import ModelRegistry
from ascend_sim.ops.computation import Tensor
from ascend_sim.ops.inference import result_type
from ascend_sim.ops.operator import OperatorError
from ascend_sim.ops.registry import OperatorRegistry
from ascend_sim.runtime.task import task_id
from ascend_sim.runtime.tensors.descriptors import UNKNOWN_RANK, TensorDesc

if TYPE_CHECKING:
    from ascend_sim.om import TensorDescription
    from ascend_sim.ops.registry import OperatorRegistry
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["OpDesc", "find", "operators_of"]

UNDEFINED, ND = -1, 2


class OpDesc:
    """Name, inputs and outputs of an operator; the descriptors carry the addresses."""

    __slots__ = ("inputs", "name", "outputs")

    def __init__(self, name: str, inputs: list[TensorDesc], outputs: list[TensorDesc]) -> None:
        self.name = name
        self.inputs = inputs
        self.outputs = outputs


def find(t: ThreadState, device: int, stream: int, task: int) -> OpDesc:
    """The operator of a task of a static model, by the ids that an exception tells. Raises AclError 500002."""
    models = t.sim.part(ModelRegistry)
    for one in reversed(models.executed):
        if one.stream.stream_id != stream or task_id(one.thread.number, one.number) != task:
            continue
        action = one.op.action
        if one.stream.context.device.index != device or not isinstance(action, Execution):
            continue
        if not action.model.without_graph and action.model.executor != DYNAMIC:
            return _described(t.sim.part(OperatorRegistry), one, action)
    text = f"no operator of a static model is known for device {device}, stream {stream}, task {task}"
    raise AclError(ACL_ERROR_GE_FAILURE, text, "acl")


def _described(operators: OperatorRegistry, task: Task, action: Execution) -> OpDesc:
    description = action.model.description
    tensors = _outside(action)
    what, where = action.stopped
    names = [said.name for said in description.body_inputs]
    if what == "input" and isinstance(where, int) and isinstance(action.inputs[where], ImageInput):
        return _preprocessing(action, where)
    nodes = _nodes(action)
    node = None
    if what == "node":
        node = next((n for i, n in enumerate(nodes) if where in (i, n.get("name"))), None)
    elif what == "input" and isinstance(where, int):
        node = next((n for n in nodes if names[where] in n["inputs"]), None)
    elif what == "output" and isinstance(where, int):
        node = next((n for n in nodes if description.outputs[where].name in n["outputs"]), None)
    if node is None and len(nodes) == 1:
        node = nodes[0]
    if node is None:
        outputs = [_copy(tensors, said.name) for said in description.outputs]
        return OpDesc(description.name or description.body.target, [_copy(tensors, name) for name in names], outputs)
    _walk(operators, action, nodes, tensors)
    position = next(i for i, one in enumerate(nodes) if one is node)
    sides = ([_copy(tensors, name) for name in node[side] if name] for side in ("inputs", "outputs"))
    return OpDesc(node.get("name") or f"{node['op']}_{position}", *sides)


def _nodes(action: Execution) -> list[Mapping[str, Any]]:
    """The operators of the body; none of a Python function, which nobody can look into."""
    description = action.model.description
    if description.body.kind != "op":
        return list(description.body.nodes)
    inputs = [said.name for said in description.body_inputs]
    outputs = [said.name for said in description.outputs]
    target = description.body.target
    return [{"op": target, "name": target, "inputs": inputs, "outputs": outputs, "attributes": description.attributes}]


def operators_of(action: Execution) -> list[tuple[str, str]]:
    """Names and types of the operators of an execution; of a Python function one for the whole model."""
    nodes = _nodes(action)
    if not nodes:
        description = action.model.description
        return [(description.name or description.body.target, "Model")]
    return [(node.get("name") or f"{node['op']}_{place}", str(node["op"])) for place, node in enumerate(nodes)]


def _outside(action: Execution) -> dict[str, TensorDesc]:
    """What the program gave the model, and what the file says of constants and inner tensors."""
    description = action.model.description
    found = {said.name: TensorDesc(said.data_type, list(said.dims), said.format) for said in description.tensors}
    found |= {said.name: TensorDesc(said.data_type, list(said.dims), ND) for said in description.constants}
    for said, part in zip(description.body_inputs, action.inputs, strict=False):
        found[said.name] = _operand(said, part)
    for said, part in zip(description.outputs, action.outputs, strict=False):
        found[said.name] = _operand(said, part)
    return found


def _operand(said: TensorDescription, part: Tensor | ImageInput) -> TensorDesc:
    dims = part.dims if isinstance(part, ImageInput) else part.shape
    made = TensorDesc(said.data_type, list(dims), said.format)
    if isinstance(part, Tensor) and part.place is not None:
        made.address = part.place.address
    return made


def _preprocessing(action: Execution, index: int) -> OpDesc:
    """The preprocessing in front of an input: it takes the images."""
    said = action.model.description.body_inputs[index]
    part = action.inputs[index]
    assert isinstance(part, ImageInput)
    outside = presented(said)
    images = TensorDesc(outside.data_type, list(outside.dims), outside.format)
    images.address = part.pixels.place.address if part.pixels.place is not None else 0
    made = OpDesc(f"{said.name}_0_aipp", [images], [_operand(said, part)])
    if part.settings is not None:
        settings = TensorDesc(outside.data_type, [part.settings.nbytes], ND)
        settings.address = part.settings.place.address if part.settings.place is not None else 0
        made.inputs.append(settings)
    return made


def _walk(
    operators: OperatorRegistry, action: Execution, nodes: list[Mapping[str, Any]], tensors: dict[str, TensorDesc]
) -> None:
    """Add what the rules of the operators say of the tensors between nodes; they lie where no program can look."""
    for node in nodes:
        operator = operators.get(node["op"]) if action.model.description.body.kind == "graph" else None
        ins = [tensors.get(name) for name in node["inputs"]]
        known = [desc for desc in ins if desc is not None]
        if operator is None or len(known) != len(ins) or not known or all(name in tensors for name in node["outputs"]):
            continue
        try:
            shapes = operator.shapes(node["attributes"], [tuple(desc.dims) for desc in known], [None] * len(known))
        except OperatorError:
            continue
        rules = operator.result if isinstance(operator.result, tuple) else (operator.result,) * len(shapes)
        for name, shape, rule in zip(node["outputs"], shapes, rules, strict=False):
            kind = result_type(rule, [desc.data_type for desc in known], node["attributes"])
            tensors.setdefault(name, TensorDesc(kind, list(shape), known[0].format))


def _copy(tensors: Mapping[str, TensorDesc], name: str) -> TensorDesc:
    """The descriptor of a tensor; of unknown type and rank when nothing is known of it."""
    found = tensors.get(name)
    return found.copy() if found is not None else TensorDesc(UNDEFINED, [UNKNOWN_RANK], ND)
