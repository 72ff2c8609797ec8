"""Bundles: several models in one file, loaded together or one by one (docs/semantics/models.md#bundles)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.constants.errors import (
    ACL_ERROR_GE_PARAM_INVALID,
    ACL_ERROR_INVALID_BUNDLE_MODEL_ID,
    ACL_ERROR_INVALID_PARAM,
)
from ascend_sim.errors import AclError
from ascend_sim.models.registry import Bounds, ModelRegistry

if TYPE_CHECKING:
    from ascend_sim.models.model import Model
    from ascend_sim.om import OmFile
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["Bundle", "QueryInfo", "bundle_of", "load_bundle", "load_member", "unload_bundle", "unload_member"]


class Bundle:
    """A loaded bundle; *whole*: its models were loaded with it (aclmdlBundleLoad*), else one by one."""

    __slots__ = ("file", "id", "models", "whole")

    def __init__(self, id_: int, file: OmFile, whole: bool) -> None:
        self.id = id_
        self.file = file
        self.whole = whole
        self.models: list[int] = []


class QueryInfo:
    """What aclmdlBundleCreateQueryInfo makes; empty until a query filled it."""

    __slots__ = ("file", "handle")

    def __init__(self) -> None:
        self.handle = 0
        self.file: OmFile | None = None

    def describe(self) -> str:
        """The object in words."""
        return f"bundle query {self.handle:#x}"

    def variable_weights(self) -> int:
        """Bytes of weights that change while it runs."""
        return variable_weights(self.file) if self.file is not None else 0


def variable_weights(file: OmFile) -> int:
    """Bytes of the weights that the models of a bundle share and change (attribute ``variable_weight_size``)."""
    found = [m.attributes.get("variable_weight_size", 0) for m in file.models]
    return max((n for n in found if isinstance(n, int)), default=0)


def bundle_of(t: ThreadState, number: int) -> Bundle:
    """The bundle of this id. Raises AclError 148053."""
    bundle = t.sim.part(ModelRegistry).bundles.get(number)
    if bundle is None:
        raise AclError(ACL_ERROR_INVALID_BUNDLE_MODEL_ID, f"bundle id {number} is not loaded", "acl")
    return bundle


def load_bundle(t: ThreadState, file: OmFile, whole: bool, weight: tuple[int, int] = (0, 0)) -> Bundle:
    """A bundle of *file*; *whole*: all its models are loaded now. When one fails those before it go again."""
    if weight[0] and weight[1] < variable_weights(file):
        needed = variable_weights(file)
        raise AclError(
            ACL_ERROR_GE_PARAM_INVALID, f"varWeightPtr has {weight[1]} bytes, the bundle needs {needed}", "acl"
        )
    models = t.sim.part(ModelRegistry)
    bundle = Bundle(models.next_dynamic_id(), file, whole)
    try:
        for index in range(len(file.models) if whole else 0):
            load_member(t, bundle, index, Bounds())
    except AclError:
        for number in bundle.models:
            models.unload(t, models.loaded[number])
        raise
    models.bundles[bundle.id] = bundle
    return bundle


def load_member(t: ThreadState, bundle: Bundle, index: int, given: Bounds) -> Model:
    """One model of the bundle. Raises AclError 100000 for an index behind the end, and as a load."""
    if index >= len(bundle.file.models):
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"index is {index}: the bundle has {len(bundle.file.models)} models", "acl"
        )
    model = t.sim.part(ModelRegistry).load(t, bundle.file, index, given)
    model.bundle = bundle.id
    bundle.models.append(model.id)
    return model


def unload_member(t: ThreadState, bundle: Bundle, number: int) -> None:
    """Raises AclError 100000 for a model of another bundle or of none."""
    if number not in bundle.models:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"model {number} was not loaded from bundle {bundle.id}", "acl")
    t.sim.part(ModelRegistry).unload(t, t.sim.part(ModelRegistry).loaded[number])
    bundle.models.remove(number)


def unload_bundle(t: ThreadState, bundle: Bundle) -> None:
    """Every model, then the bundle."""
    for number in list(bundle.models):
        unload_member(t, bundle, number)
    del t.sim.part(ModelRegistry).bundles[bundle.id]
