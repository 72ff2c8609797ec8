"""The aclnn operators as C functions: two phases each, and the functions for their tensors, scalars and lists."""

from __future__ import annotations

from functools import cache
from keyword import iskeyword

from ascend_sim.catalogue.aclnn import object_functions, operators
from ascend_sim.catalogue.functions import Function, unlisted

__all__ = ["FIRST_PHASE", "operator_function", "operator_names", "operator_of"]

_SECOND = "workspace:void*:buffer;workspaceSize:uint64_t;executor:void*;stream:aclrtStream"
_OUTPUTS = ["workspaceSize:uint64_t*:return", "executor:void**:return"]
FIRST_PHASE = "GetWorkspaceSize"
"""What the name of a first phase ends with."""
LARGEST_PHASE = "GetMaxWorkspaceSize"
"""A first phase that asks for the workspace of every length that may come: graphs are captured with that."""
_WITH_LARGEST = (
    "aclnnFlashAttentionUnpaddingScoreGradV5", "aclnnFlashAttentionVarLenScoreV5", "aclnnFusedInferAttentionScoreV3",
    "aclnnFusedInferAttentionScoreV4", "aclnnFusedInferAttentionScoreV5",
)  # fmt: skip
"""The operators for which torch_npu looks for one."""
_TAKEN = ("frame", "result")
"""Names that the text of calls uses itself (`runtime/entry.py`)."""
_TYPES = {"bool": "uint8_t", "aclnnStatus": "aclError"}


@cache
def operator_names() -> tuple[str, ...]:
    """All of these functions."""
    phases = [phase for name in operators() for phase in (name + FIRST_PHASE, name)]
    return (*object_functions(), *phases, *(name + LARGEST_PHASE for name in _WITH_LARGEST))


def operator_of(first_phase: str) -> str:
    """The operator whose first phase has this name; empty when it is the name of none.

    >>> operator_of("aclnnAddGetWorkspaceSize"), operator_of("aclnnAdd")
    ('aclnnAdd', '')
    """
    for ending in (FIRST_PHASE, LARGEST_PHASE):
        name = first_phase.removesuffix(ending)
        if name != first_phase and name in operators() and (ending == FIRST_PHASE or name in _WITH_LARGEST):
            return name
    return ""


@cache
def operator_function(name: str) -> Function:
    """The one of this name. Raises KeyError."""
    known = object_functions().get(name)
    if known is not None:
        return _function(name, _type(known.returns), [_parameter(*p) for p in known.parameters])
    operator = operators().get(name)
    if operator is not None:
        return _function(name, "aclError", [_SECOND])
    first = operators()[operator_of(name)]
    return _function(name, "aclError", [*(_parameter(p.name, p.ctype) for p in first.parameters), *_OUTPUTS])


def _type(ctype: str) -> str:
    """*ctype* in the types that the catalogue knows: what leads to an object is an address."""
    plain = ctype.removeprefix("const ").strip()
    if plain == "char*":
        return "const char*"
    return "void*" if plain.endswith("*") else _TYPES.get(plain, plain)


def _parameter(name: str, ctype: str, role: str = "in") -> str:
    name += "_" if iskeyword(name) or name in _TAKEN else ""
    if role == "return":
        value = ctype.removesuffix("*")
        return f"{name}:{_type(value)}*:return"
    return f"{name}:{_type(ctype)}"


def _function(name: str, returns: str, parameters: list[str]) -> Function:
    return unlisted(name, returns, "C", "aclnn operators", ";".join(parameters))
