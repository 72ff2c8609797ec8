"""Chapter 15: building model running instances by hand, their names, and what is told of their end."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.device.identity import put_text
from ascend_sim.ascendcl.graph.execution import check_context, instance_of
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_INTERNAL_ERROR,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.graphs.building import Building
from ascend_sim.runtime.graphs.capture import capture_of
from ascend_sim.runtime.graphs.instance import RunningInstance
from ascend_sim.runtime.stream import CPU_SCHEDULE, DEVICE_USE_ONLY, FAST_LAUNCH, PERSISTENT, Stream
from ascend_sim.runtime.thread_state import ThreadState

LONGEST_NAME = 512
"""Bytes of a model's name that count."""


@api("aclmdlRIBuildBegin")
def ri_build_begin(t: ThreadState, flag: int) -> int:
    """Begin a model. Codes: 107000 a flag other than 0, 107002."""
    if flag:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"flag is {flag}: 0 is required")
    instance = RunningInstance(t.current_context(), False, t.site)
    instance.building = Building(instance)
    return instance.handle


def _hand_built(t: ThreadState, model_ri: int, stream: int) -> tuple[RunningInstance, Building, Stream]:
    """What bind, unbind and the end mark look at first. Raises AclError 100000, 107017, 107000, 107027."""
    require(model_ri, "modelRI")
    instance = instance_of(t, model_ri)
    if not stream:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "stream is NULL: a default stream is no part of a model")
    target = t.stream(stream)
    building = _building(instance)
    if capture_of(target) is not None:
        target.refuse_while_recording(t)
    return instance, building, target


def _building(instance: RunningInstance) -> Building:
    """How *instance* is built. Raises AclError 107000 for a captured one."""
    if instance.building is None:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{instance.describe()} was captured: it cannot be built by hand")
    return instance.building


@api("aclmdlRIBindStream")
def ri_bind_stream(t: ThreadState, model_ri: int, stream: int, flag: int) -> None:
    """Let what is queued on the stream from now on be tasks of the model; *flag* 0: it starts with the model.

    Codes: 100000 NULL model, 107017, 107000 NULL stream, a captured model or a stream that is not PERSISTENT, 107027 a
    captured stream, 507000 DEVICE_USE_ONLY, 207000 stop mode or FAST_LAUNCH, 107002, 107004, 107005 bound already.
    """
    instance, building, target = _hand_built(t, model_ri, stream)
    if target.flags & DEVICE_USE_ONLY:
        text = f"{target.describe()} was created DEVICE_USE_ONLY: it cannot be bound to a model"
        raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, text)
    if target.stop_mode or target.context.stop_mode:
        text = f"{target.describe()} stops at failures: it cannot be bound to a model"
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, text, "state")
    if target.flags & FAST_LAUNCH:
        text = f"{target.describe()} was created FAST_LAUNCH: it cannot be bound to a model"
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, text, "state")
    if not target.flags & (PERSISTENT | CPU_SCHEDULE):
        text = f"{target.describe()} was not created PERSISTENT: it cannot be bound to a model"
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, text)
    check_context(t, instance)
    building.bind(target, flag)


@api("aclmdlRIUnbindStream")
def ri_unbind_stream(t: ThreadState, model_ri: int, stream: int) -> None:
    """Let the stream go; what it recorded is no part of the model any more.

    Codes: 100000 NULL model, 107017, 107000 NULL stream or a captured model, 107027, 107002, 107004, 107005 not bound
    to it.
    """
    instance, building, target = _hand_built(t, model_ri, stream)
    check_context(t, instance)
    building.unbind(target)


@api("aclmdlRIEndTask")
def ri_end_task(t: ThreadState, model_ri: int, stream: int) -> None:
    """Queue the end mark of the model: an execution is over when this task ran.

    Codes: 100000 NULL model, 107017, 107000 NULL stream or a captured model, 107027, 107002, 107003, 107004, 507000 a
    second one, or a stream that is not bound to it.
    """
    instance, building, target = _hand_built(t, model_ri, stream)
    t.check_own(target)
    check_context(t, instance)
    building.mark_end(t, target)


@api("aclmdlRIBuildEnd")
def ri_build_end(t: ThreadState, model_ri: int, reserve: Any) -> None:
    """The model is complete. Codes: 100000 NULL or *reserve* not NULL, 107017, 107000 captured, 107002, 107004, 507011."""
    require(model_ri, "modelRI")
    if reserve:
        raise AclError(ACL_ERROR_INVALID_PARAM, "reserve is reserved: NULL is required", "acl")
    instance = instance_of(t, model_ri)
    building = _building(instance)
    check_context(t, instance)
    building.complete()


@api("aclmdlRISetName")
def ri_set_name(t: ThreadState, model_ri: int, name: str | None) -> None:
    """Name the model. Codes: 100000 NULL, 107017, 107002, 107004."""
    require(model_ri, "modelRI")
    if name is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "name is NULL", "acl")
    instance_of(t, model_ri).name = os.fsdecode(os.fsencode(name)[: LONGEST_NAME - 1])


@api("aclmdlRIGetName")
def ri_get_name(t: ThreadState, model_ri: int, max_len: int, name: int) -> None:
    """Write the name and a zero to *max_len* bytes at *name*; empty when none was set.

    Codes: 100000 NULL, 107017, 507000 *max_len* is too small.
    """
    require(model_ri, "modelRI")
    require(name, "name")
    text = instance_of(t, model_ri).name
    if len(os.fsencode(text)) + 1 > max_len:
        raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, f"maxLen is {max_len}: {len(os.fsencode(text)) + 1} bytes are needed")
    put_text(name, text, "name")


@api("aclmdlRIGetId")
def ri_get_id(t: ThreadState, model_ri: int) -> int:
    """The number of the model. Codes: 100000 NULL, 107017."""
    require(model_ri, "modelRI")
    return instance_of(t, model_ri).number - 1


@api("aclmdlRIDestroyRegisterCallback", raw=("userData",))
def ri_destroy_register_callback(
    t: ThreadState, model_ri: int, func: Callable[..., Any] | None, user_data: Any
) -> None:
    """Call ``func(userData)`` when the model is destroyed. Codes: 107000 NULL, or registered already; 107017."""
    instance, function = _callback(t, model_ri, func)
    if function in instance.at_destroy:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "this callback is registered for the model already")
    instance.at_destroy[function] = user_data


@api("aclmdlRIDestroyUnregisterCallback")
def ri_destroy_unregister_callback(t: ThreadState, model_ri: int, func: Callable[..., Any] | None) -> None:
    """Take a callback back. Codes: 107000 NULL, or not registered; 107017."""
    instance, function = _callback(t, model_ri, func)
    if function not in instance.at_destroy:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "this callback is not registered for the model")
    del instance.at_destroy[function]


def _callback(
    t: ThreadState, model_ri: int, func: Callable[..., Any] | None
) -> tuple[RunningInstance, Callable[..., Any]]:
    if not model_ri:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "modelRI is NULL")
    if func is None:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "func is NULL")
    return instance_of(t, model_ri), func
