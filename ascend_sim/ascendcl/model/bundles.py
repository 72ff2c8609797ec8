"""Models: bundles, several models in one file (docs/semantics/models.md#bundles)."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.model.config import load_with
from ascend_sim.constants.errors import ACL_ERROR_API_NOT_SUPPORT, ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.models.bundles import QueryInfo, bundle_of, load_bundle, load_member, unload_bundle, unload_member
from ascend_sim.models.loading import bundle_file, from_file, from_memory
from ascend_sim.models.registry import Bounds, check_initialised
from ascend_sim.runtime.tensors.descriptors import required
from ascend_sim.runtime.thread_state import ThreadState


@api("aclmdlBundleLoadFromFile")
def bundle_load_from_file(t: ThreadState, path: str | None) -> int:
    """Load every model of a bundle. Codes: 100000 NULL, no bundle or cut off, 145002, 145006, 200001 OM2, as loads."""
    file = bundle_file(t, from_file(t, path))
    check_initialised(t)
    return load_bundle(t, file, True).id


@api("aclmdlBundleLoadFromMem")
def bundle_load_from_mem(t: ThreadState, model: int, size: int) -> int:
    """Load a bundle from host memory. Codes: as aclmdlBundleLoadFromFile; 100000 NULL or 0."""
    file = bundle_file(t, from_memory(t, model, size))
    check_initialised(t)
    return load_bundle(t, file, True).id


@api("aclmdlBundleInitFromFile")
def bundle_init_from_file(t: ThreadState, path: str | None, weight: int, size: int) -> int:
    """Open a bundle; its models are loaded one by one. Codes: the same; 145000 *weight* is too small."""
    file = bundle_file(t, from_file(t, path))
    return load_bundle(t, file, False, (weight, size)).id


@api("aclmdlBundleInitFromMem")
def bundle_init_from_mem(t: ThreadState, model: int, model_size: int, weight: int, size: int) -> int:
    """As aclmdlBundleInitFromFile, from host memory. Codes as there."""
    file = bundle_file(t, from_memory(t, model, model_size))
    return load_bundle(t, file, False, (weight, size)).id


@api("aclmdlBundleUnload")
def bundle_unload(t: ThreadState, number: int) -> None:
    """Unload its models and forget it. Codes: 148053 unknown."""
    unload_bundle(t, bundle_of(t, number))


@api("aclmdlBundleGetModelNum")
def bundle_get_model_num(t: ThreadState, number: int) -> int:
    """How many models it has. Codes: 148053 unknown."""
    return len(bundle_of(t, number).file.models)


@api("aclmdlBundleGetModelId")
def bundle_get_model_id(t: ThreadState, number: int, index: int) -> int:
    """The id of a model. Codes: 148053 unknown, 200001 opened with aclmdlBundleInitFrom*, 100000 behind the end."""
    bundle = bundle_of(t, number)
    if not bundle.whole:
        raise AclError(
            ACL_ERROR_API_NOT_SUPPORT,
            "the bundle was opened with aclmdlBundleInitFrom*: ids come from its loads",
            "acl",
        )
    if index >= len(bundle.models):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"index is {index}: the bundle has {len(bundle.models)} models", "acl")
    return bundle.models[index]


@api("aclmdlBundleLoadModel")
def bundle_load_model(t: ThreadState, number: int, index: int) -> int:
    """Load one model. Codes: 148053 unknown, 100000 behind the end, 145001, as loads."""
    bundle = bundle_of(t, number)
    check_initialised(t)
    return load_member(t, bundle, index, Bounds()).id


@api("aclmdlBundleLoadModelWithMem")
def bundle_load_model_with_mem(
    t: ThreadState, number: int, index: int, work: int, work_size: int, weight: int, weight_size: int
) -> int:
    """Load a member into memory of the caller's. Codes: as aclmdlBundleLoadModel; 145000 too small."""
    bundle = bundle_of(t, number)
    check_initialised(t)
    return load_member(t, bundle, index, Bounds((work, work_size), (weight, weight_size))).id


@api("aclmdlBundleLoadModelWithConfig")
def bundle_load_model_with_config(t: ThreadState, number: int, index: int, handle: int) -> int:
    """Load a member into the memory of a config. Codes: as aclmdlBundleLoadModelWithMem; 100000 NULL."""
    given = load_with(t, handle)
    bundle = bundle_of(t, number)
    check_initialised(t)
    return load_member(t, bundle, index, given).id


@api("aclmdlBundleUnloadModel")
def bundle_unload_model(t: ThreadState, number: int, model: int) -> None:
    """Unload one model. Codes: 148053 unknown bundle, 100000 a model that was not loaded from it."""
    unload_member(t, bundle_of(t, number), model)


# -- asking without loading -------------------------------------------------------------------------------------------


@api("aclmdlBundleCreateQueryInfo")
def bundle_create_query_info(t: ThreadState) -> int:
    """An empty answer for aclmdlBundleQueryInfoFrom*."""
    made = QueryInfo()
    made.handle = t.sim.new_handle(made)
    return made.handle


def _query(t: ThreadState, handle: int) -> QueryInfo:
    return required(t, handle, QueryInfo, "bundle query", "queryInfo")


@api("aclmdlBundleDestroyQueryInfo")
def bundle_destroy_query_info(t: ThreadState, handle: int) -> None:
    """Destroy what aclmdlBundleCreateQueryInfo made. Codes: 100000 NULL."""
    t.sim.drop_handle(_query(t, handle).handle)


@api("aclmdlBundleQueryInfoFromFile")
def bundle_query_info_from_file(t: ThreadState, path: str | None, handle: int) -> None:
    """Fill it from a file. Codes: 100000 NULL, no bundle; 145002, 145006."""
    require(path, "fileName")
    _query(t, handle).file = bundle_file(t, from_file(t, path))


@api("aclmdlBundleQueryInfoFromMem")
def bundle_query_info_from_mem(t: ThreadState, model: int, size: int, handle: int) -> None:
    """Fill it from host memory. Codes: 100000 NULL, 0, no bundle; 145006."""
    _query(t, handle).file = bundle_file(t, from_memory(t, model, size))


@api("aclmdlBundleGetQueryModelNum")
def bundle_get_query_model_num(t: ThreadState, handle: int) -> int:
    """How many models there are; 0 before a query. Codes: 100000 NULL."""
    file = _query(t, handle).file
    return 0 if file is None else len(file.models)


@api("aclmdlBundleGetVarWeightSize")
def bundle_get_var_weight_size(t: ThreadState, handle: int) -> int:
    """Bytes of the weights that change. Codes: 100000 NULL."""
    return _query(t, handle).variable_weights()


@api("aclmdlBundleGetSize")
def bundle_get_size(t: ThreadState, handle: int, index: int) -> tuple[int, int]:
    """Bytes of work and constant weight memory of a model. Codes: 100000 NULL, behind the end."""
    file = _query(t, handle).file
    if file is None or index >= len(file.models):
        count = 0 if file is None else len(file.models)
        raise AclError(ACL_ERROR_INVALID_PARAM, f"index is {index}: the bundle has {count} models", "acl")
    model = file.models[index]
    return 0 if model.is_dynamic else model.work_size, model.weight_size
