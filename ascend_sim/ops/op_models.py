"""Compiled single operators: what a model directory, a load or a compile call made available.

See docs/semantics/operators.md#finding-compiled-operators.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from ascend_sim.constants.errors import ACL_ERROR_GE_FAILURE, ACL_ERROR_INVALID_PARAM, ACL_ERROR_OP_NOT_FOUND
from ascend_sim.errors import AclError
from ascend_sim.machine.data_types import numpy_type
from ascend_sim.ops.op_attributes import OpAttributes
from ascend_sim.ops.op_signatures import key_of, same_but_shapes
from ascend_sim.ops.operator import Array, OperatorError, same_shape
from ascend_sim.ops.stores import Store

if TYPE_CHECKING:
    from ascend_sim.ops.registry import OperatorRegistry
    from ascend_sim.runtime.process import Process
    from ascend_sim.runtime.tensors.descriptors import TensorDesc

__all__ = ["OpModel", "OpModels", "check_shapes"]

Descs = Sequence["TensorDesc"]


class OpModel:
    """One compiled operator: its descriptors and attributes. With an unknown dim it is dynamic."""

    __slots__ = ("attributes", "cost_ns", "inputs", "lasting", "op_type", "outputs", "work_size")

    def __init__(
        self, op_type: str, inputs: Descs, outputs: Descs, attributes: OpAttributes, work_size: int = 0,
        cost_ns: int = 0, lasting: bool = False,
    ) -> None:  # fmt: skip
        self.op_type = op_type
        self.inputs = [desc.copy() for desc in inputs]
        self.outputs = [desc.copy() for desc in outputs]
        self.attributes = attributes.copy()
        self.work_size = work_size
        """Bytes of workspace of one execution."""
        self.cost_ns = cost_ns
        """Virtual ns of one execution; 0: as the cost model says."""
        self.lasting = lasting
        """Loaded by SetModelDir or aclopLoad: never ages."""

    @property
    def is_dynamic(self) -> bool:
        """Compiled for unknown dims."""
        return any(desc.is_dynamic for desc in (*self.inputs, *self.outputs))

    def describe(self) -> str:
        """Type, shapes and attributes in words."""
        return _words(self.op_type, self.inputs, self.outputs, self.attributes)


def _words(op_type: str, inputs: Descs, outputs: Descs, attributes: OpAttributes) -> str:
    given = ", ".join(_tensor(desc) for desc in inputs)
    made = ", ".join(_tensor(desc) for desc in outputs)
    with_ = f" with {attributes.plain()}" if attributes.values else ""
    return f"{op_type}({given}) -> {made}{with_}"


def _tensor(desc: TensorDesc) -> str:
    try:
        name = str(numpy_type(desc.data_type))
    except ValueError:
        name = f"type {desc.data_type}"
    extra = f" format {desc.format}" if desc.format != ND else ""
    extra += f" constant {np.atleast_1d(values).tolist()}" if (values := _constant(desc)) is not None else ""
    return f"{name}{desc.dims}{extra}"


ND: Final = 2


class OpModels:
    """The compiled operators of the process: static ones by exact key, dynamic ones by what their ranges allow."""

    def __init__(self, registry: OperatorRegistry, process: Process) -> None:
        self._registry = registry
        self._process = process
        self.static: Store[OpModel] = Store()
        self.dynamic: Store[OpModel] = Store()
        self.directory: str | None = None
        """What aclopSetModelDir was given; it takes one."""
        self.jit = True
        """The JIT flag: static models are looked at first. The first compile call sets it as the chip says."""
        self.fuzzy = False
        """aclopSetCompileFlag(FUZZ): dynamic models are looked at first."""

    def add(self, model: OpModel) -> None:
        """Keep a compiled operator; an equal one stays. Over the bound the one that was used longest ago goes."""
        store = self.dynamic if model.is_dynamic else self.static
        store.bound = self._process.max_op_queue
        key = key_of(model.op_type, model.inputs, model.outputs, model.attributes)
        store.add(key, model, lambda entry: entry.lasting)

    def find(self, op_type: str, inputs: Descs, outputs: Descs, attributes: OpAttributes) -> OpModel | None:
        """The model for an execution, static or dynamic first as the flags say; None: there is none.

        Raises AclError 100000 for a dim that is still unknown when dynamic models are looked at last.
        """
        unknown = any(desc.is_dynamic for desc in (*inputs, *outputs))
        if self.jit and not self.fuzzy:
            found = self.static.get(key_of(op_type, inputs, outputs, attributes))
            if found is None and unknown:
                raise AclError(
                    ACL_ERROR_INVALID_PARAM, f"{op_type}: a dim is still -1 or -2 when it is executed", "acl"
                )
            return found or self._dynamic(op_type, inputs, outputs, attributes)
        found = None if unknown else self._dynamic(op_type, inputs, outputs, attributes)
        return found or self.static.get(key_of(op_type, inputs, outputs, attributes))

    def match(self, op_type: str, inputs: Descs, outputs: Descs, attributes: OpAttributes) -> OpModel:
        """As `find`; in open mode every registered type counts as compiled. Raises AclError 100024: nothing fits."""
        found = self.find(op_type, inputs, outputs, attributes)
        if found is None and self._registry.open:
            try:
                found = self._compiled(op_type, inputs, outputs, attributes)
            except OperatorError as error:
                raise AclError(ACL_ERROR_OP_NOT_FOUND, f"{op_type}: {error}", "acl") from None
            self.add(found)
        if found is None:
            raise AclError(ACL_ERROR_OP_NOT_FOUND, self._nothing(op_type, inputs, outputs, attributes), "acl")
        return found

    def _dynamic(self, op_type: str, inputs: Descs, outputs: Descs, attributes: OpAttributes) -> OpModel | None:
        wanted = attributes.key()
        for model in self.dynamic:
            if model.op_type != op_type or model.attributes.key() != wanted:
                continue
            if len(model.inputs) != len(inputs) or len(model.outputs) != len(outputs):
                continue
            pairs = zip((*model.inputs, *model.outputs), (*inputs, *outputs), strict=True)
            if all(same_but_shapes(one, other) for one, other in pairs):
                return self.dynamic.get(key_of(op_type, model.inputs, model.outputs, model.attributes))
        return None

    def _nothing(self, op_type: str, inputs: Descs, outputs: Descs, attributes: OpAttributes) -> str:
        asked = _words(op_type, inputs, outputs, attributes)
        near = [m.describe() for m in (*self.static, *self.dynamic) if m.op_type == op_type]
        if near:
            return f"no compiled operator fits {asked}; there is {'; '.join(near[:3])}"
        known = "load one with aclopSetModelDir or aclopLoad, compile it, or switch the simulator to --ops open"
        return f"no compiled operator fits {asked}, and none of this type was loaded: {known}"

    def compile(self, op_type: str, inputs: Descs, outputs: Descs, attributes: OpAttributes) -> None:
        """The compiler: a registered type with shapes that fit becomes a model. Raises AclError 500002."""
        try:
            self.add(self._compiled(op_type, inputs, outputs, attributes))
        except OperatorError as error:
            raise AclError(ACL_ERROR_GE_FAILURE, f"{op_type} cannot be compiled: {error}", "acl") from None

    def _compiled(self, op_type: str, inputs: Descs, outputs: Descs, attributes: OpAttributes) -> OpModel:
        check_shapes(self._registry, op_type, inputs, outputs, attributes)
        return OpModel(op_type, inputs, outputs, attributes)


def check_shapes(
    registry: OperatorRegistry, op_type: str, inputs: Descs, outputs: Descs, attributes: OpAttributes
) -> None:
    """Raises OperatorError when the type is not registered, or an output's dims cannot be what its rule gives."""
    operator = registry.get(op_type)
    if operator is None:
        raise OperatorError(f"the simulator has no operator {op_type}: register one with sim.ops.register")
    known = [desc for desc in inputs if desc.data_type >= 0]
    if any(-2 in desc.dims for desc in known):
        return
    low, high = operator.inputs
    if not low <= len(known) <= high:
        raise OperatorError(f"it takes {low} to {high} inputs, {len(known)} are described")
    operator.check_inputs([(desc.data_type, desc.format, len(desc.dims)) for desc in known])
    shapes = [tuple(desc.dims) for desc in known]
    values = [_constant(desc) for desc in known]
    found = operator.shapes(attributes.plain(), shapes, values)
    for i, (shape, desc) in enumerate(zip(found, outputs, strict=False)):
        if -2 in shape or -2 in desc.dims:
            continue
        fits = same_shape(shape, tuple(desc.dims)) or (
            len(shape) == len(desc.dims)
            and all(here == said or -1 in (here, said) for here, said in zip(shape, desc.dims, strict=True))
        )
        if not fits:
            raise OperatorError(f"output {i} has the shape {list(shape)}, its descriptor says {desc.dims}")


def _constant(desc: TensorDesc) -> Array | None:
    if desc.const is None:
        return None
    kind = numpy_type(desc.data_type)
    return np.frombuffer(desc.const[: len(desc.const) // kind.itemsize * kind.itemsize], kind)
