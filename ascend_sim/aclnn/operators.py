"""What the first phase knows of an operator before anybody calls it: its parameters, their roles, and its kind."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from ascend_sim.aclnn.objects import NumberArray, ObjectList, Scalar, TensorView
from ascend_sim.catalogue.aclnn import OperatorParameter, operators
from ascend_sim.catalogue.operator_kinds import OTHER, Kind, kinds

__all__ = ["OperatorSpec", "Place", "operator_of"]

_OBJECTS: dict[str, type[Any]] = {
    "aclTensor": TensorView, "aclScalar": Scalar, "aclIntArray": NumberArray, "aclFloatArray": NumberArray,
    "aclBoolArray": NumberArray, "aclTensorList": ObjectList, "aclScalarList": ObjectList,
}  # fmt: skip
_FORMATS_OF_THEIR_OWN = (
    "WeightNz",
    "FormatCast",
    "GroupedMatmul",
    "QuantMatmul",
    "BatchMatmul",
    "Attention",
    "KvCache",
)
"""Words in the names of operators that take tensors of internal formats."""


_WRITES_ALL = re.compile(r"aclnnInplace(Zero|One|Fill(Scalar|Tensor)|Copy|Normal|Uniform|Random|Bernoulli)[A-Z]?\w*")
"""Operators that give every element of what they work in place on a value of their own: they read nothing of it."""

_MOVES = re.compile(
    r"aclnn(ConstantPadNd|Cat|ChunkCat|Stack|InplaceCopy|Permute|Flip|Roll|Repeat|Slice(V2)?|StridedSlice|Split(Tensor|WithSize))"
)
"""Operators that give elements on as they are, and compute nothing of them."""


class Place:
    """One parameter. *kind*: the class of the objects for it; None: it is a plain value. *label*: its C type.

    *flag*: a bool, which comes from C as a number.
    """

    __slots__ = ("flag", "kind", "label", "like", "name", "optional", "read", "text", "types", "written")

    def __init__(self, parameter: OperatorParameter) -> None:
        ctype = parameter.ctype.replace("const", "").strip("* ")
        self.kind: type[Any] | None = _OBJECTS.get(ctype)
        self.label = ctype
        self.text = ctype == "char"
        self.flag = ctype == "bool"
        self.name = parameter.name
        self.optional = parameter.optional
        self.types = parameter.types
        self.like = parameter.like
        self.read = parameter.role != "out"
        self.written = parameter.role != "in"

    @property
    def tensor(self) -> bool:
        """A tensor, or a list of them."""
        return self.label in ("aclTensor", "aclTensorList")


class OperatorSpec:
    """One operator: its places in the order of the first phase."""

    __slots__ = ("executor", "kind", "moves", "name", "places", "private_formats", "task")

    def __init__(self, name: str) -> None:
        self.name = name
        self.task = f"operator {name}"
        """What reports and fault plans call its task."""
        self.executor = f"the executor of {name}"
        self.places = tuple(map(Place, operators()[name].parameters))
        if _WRITES_ALL.fullmatch(name):
            self.places[0].read = False
        self.moves = _MOVES.fullmatch(name) is not None
        self.kind: Kind = kinds().get(name, OTHER)
        self.private_formats = any(word in name for word in _FORMATS_OF_THEIR_OWN)


@cache
def operator_of(name: str) -> OperatorSpec:
    """The operator of this name. Raises KeyError."""
    return OperatorSpec(name)
