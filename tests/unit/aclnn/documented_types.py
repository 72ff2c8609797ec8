"""The types that the documents list for the first tensor of an operator, as far as its rows name fewer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs
import torch

from ascend_sim.aclnn.on_torch.data_types import TORCH_TYPES
from ascend_sim.catalogue.aclnn import operators
from tests.kit.torch_bodies import ALL, Row, check, of_category

__all__ = ["check_documented"]

KINDS = {*ALL, torch.int8, torch.int16, torch.float64, torch.complex64}
"""Types that torch computes with on the CPU."""
NOT_COMPARED = {
    "torch refuses it, and the documents say no more than the type":
        "Addcdiv:int64 Sub:bool Subs:bool InplaceSub:bool InplaceSubs:bool UniqueConsecutive:complex64",
    "the rows have numbers that are not of the type, or divide by False":
        "Addmv:bool Addr:bool InplaceAddr:bool FloorDivide:bool InplaceRandom:bool InplaceRandomTensor:bool "
        "InplaceRandom:complex64 InplaceRandomTensor:complex64 "
        "InplaceNormal:bool InplaceNormalTensor:bool",
    "rounding of a complex quotient, order of complex numbers":
        "DivMod:complex64 DivMods:complex64 InplaceDivMod:complex64 InplaceDivMods:complex64",
    "a mean of truth values": "ScatterReduce:bool InplaceScatterReduce:bool",
    "the rows ask for float32 as the result":
        "Cumsum:complex64 Mean:complex64 Prod:complex64 ProdDim:complex64 ReduceSum:complex64 ReduceSum:float64",
    "the result has another type of complex numbers than the rows compare": "Complex:float16 Complex:float64",
    "numpy leaves products in INT8 to the body on torch":
        "FusedInferAttentionScoreV2:int8 FusedInferAttentionScoreV3:int8",
    "whole numbers but 0 have no value there": "Erfinv:bool Erfinv:int32 Erfinv:int64 Erfinv:int16 Erfinv:int8 Erfinv:uint8",
}  # fmt: skip
"""Names without aclnn and types, by the reason why there is nothing to compare with."""
LEFT = {tuple(one.split(":")) for text in NOT_COMPARED.values() for one in text.split()}


def check_documented(name: str, rows: Sequence[Row], body: Callable[..., Any] | None = None) -> None:
    """Compares the body of *name* over the types that none of its *rows* has."""
    for kind in _listed(name, rows):
        meant = [one for one in rows if of_category(one, kind)]
        fitting = [one for one in meant if one.result is None] or meant or rows
        runs = sum(check(name, attrs.evolve(one, kinds=(kind,)), body, most=2) for one in fitting)
        assert runs or name.startswith("aclnnInplace"), kind  # a result of another type is not stored in place


def _listed(name: str, rows: Sequence[Row]) -> list[torch.dtype]:
    tensors = (one for one in operators()[name].parameters if one.ctype.startswith(("aclTensor", "const aclTensor")))
    first = next(tensors, None)
    kinds = {TORCH_TYPES[number] for number in (first.types if first else ()) if number in TORCH_TYPES} & KINDS
    left = {kind for kind in kinds if (name.removeprefix("aclnn"), str(kind).removeprefix("torch.")) in LEFT}
    return sorted(kinds - left - {kind for one in rows for kind in one.kinds}, key=str)
