"""Chapter 06: what can be set on a stream: failure mode, overflow detection, tag, cached operator names, priority."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ascend_sim.ascendcl.api import api
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.constants.execution import (
    ACL_STREAM_ATTR_CACHE_OP_INFO,
    ACL_STREAM_ATTR_FAILURE_MODE,
    ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK,
    ACL_STREAM_ATTR_PRIORITY,
    ACL_STREAM_ATTR_USER_CUSTOM_TAG,
)
from ascend_sim.constants.flags import ACL_CONTINUE_ON_FAILURE, ACL_STOP_ON_FAILURE
from ascend_sim.errors import AclError
from ascend_sim.runtime.graphs.building import building_of
from ascend_sim.runtime.stream import CPU_SCHEDULE, DEVICE_USE_ONLY, Stream
from ascend_sim.runtime.thread_state import ThreadState

if TYPE_CHECKING:
    from ascend_sim.ascendcl.structs import aclrtStreamAttrValue

__all__ = ["control_stream"]

FIELDS = {
    ACL_STREAM_ATTR_FAILURE_MODE: "failureMode",
    ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK: "overflowSwitch",
    ACL_STREAM_ATTR_USER_CUSTOM_TAG: "userCustomTag",
    ACL_STREAM_ATTR_CACHE_OP_INFO: "cacheOpInfoSwitch",
    ACL_STREAM_ATTR_PRIORITY: "streamPriority",
}
"""The member of the union aclrtStreamAttrValue that belongs to each attribute."""

LEAST_PRIORITY = 7
OVERFLOW_PRODUCTS = ("A2", "A3", "950")
"""Products with overflow detection and tags per stream; elsewhere setting them succeeds without effect."""
HARDWARE_SCHEDULED = ("A2", "A3", "950", "200I")
"""Elsewhere overflow detection is always on."""


def control_stream(t: ThreadState, handle: int, what: str) -> Stream:
    """The stream of a control call. NULL: the default stream on A2, A3 and 950.

    Raises AclError 107017; 107000 for NULL elsewhere and, unlike other calls, without a context.
    """
    if handle:
        return t.stream(handle)
    if "default_stream_control" not in t.sim.profile.supports:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"stream is NULL: the default stream of {t.sim.profile.name} cannot be {what}"
        )
    try:
        return t.current_context().default
    except AclError as error:
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"stream is NULL and there is no default stream: {error.reason}"
        ) from None


# -- failure mode ------------------------------------------------------------------------------------------------------


@api("aclrtSetStreamFailureMode")
def set_stream_failure_mode(t: ThreadState, handle: int, mode: int) -> None:
    """Continue (0) or stop (1) on failure; stop holds for the whole context. Only bit 0 of *mode* counts.

    Codes: 107017, 107000 NULL without a default stream, 207000 DEVICE_USE_ONLY, bound to a model, or back from stop
    to continue, 107002, 107003.
    """
    try:
        _set_failure_mode(t, handle, mode)
    except AclError as error:
        if error.code == ACL_ERROR_RT_FEATURE_NOT_SUPPORT:
            raise AclError(error.code, error.reason, "state") from None
        raise


def _set_failure_mode(t: ThreadState, handle: int, mode: int) -> None:
    stream = control_stream(t, handle, "set to stop on failure")
    if stream.flags & DEVICE_USE_ONLY:
        raise AclError(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{stream.describe()} is DEVICE_USE_ONLY: it has no failure mode"
        )
    if building_of(stream) is not None:
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{stream.describe()} is bound to a model")
    t.current_context()
    default = stream is stream.context.default
    if default and t.sim.profile.switches["default_stream_failure_mode"] == "refused":
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{stream.describe()} has no failure mode of its own")
    wanted = bool(mode & ACL_STOP_ON_FAILURE)
    if stream.stopped and stream.stop_mode:
        raise AclError(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{stream.describe()} was set to stop before, and a task failed in it"
        )
    if not stream.stopped:
        if stream.stop_mode == wanted:
            return
        if not wanted:
            raise AclError(
                ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{stream.describe()} stops on failure: there is no way back"
            )
    t.check_own(stream)
    stream.context.changes_mode()
    stream.stopped = False
    stream.stop_mode = wanted
    stream.context.stop_mode = True


def _get_failure_mode(t: ThreadState, handle: int) -> int:
    return (
        ACL_STOP_ON_FAILURE
        if control_stream(t, handle, "asked for its failure mode").stop_mode
        else ACL_CONTINUE_ON_FAILURE
    )


# -- overflow detection and tag ----------------------------------------------------------------------------------------


@api("aclrtSetStreamOverflowSwitch")
def set_stream_overflow_switch(t: ThreadState, handle: int, flag: int) -> None:
    """Overflow detection of later tasks: 0 off, 1 on. Without effect on products that lack it.

    Codes: 100000 other values, 107017, 107002, 107003.
    """
    if flag not in (0, 1):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"flag is {flag}: 0 or 1 is required", "acl")
    if t.sim.profile.product in OVERFLOW_PRODUCTS:
        _changeable(t, handle).overflow_check = flag


@api("aclrtGetStreamOverflowSwitch")
def get_stream_overflow_switch(t: ThreadState, handle: int) -> int:
    """Whether overflow detection is on. Codes: 107017, 107002, 107003."""
    stream = t.submit_stream(handle)
    return stream.overflow_check if t.sim.profile.product in HARDWARE_SCHEDULED else 1


def _changeable(t: ThreadState, handle: int) -> Stream:
    """The stream of *handle*, for a setting that its tasks look at. Raises AclError 107027 while it is captured."""
    t.stream(handle).refuse_while_recording(t)
    return t.submit_stream(handle)


def _set_overflow_check(t: ThreadState, handle: int, value: int) -> None:
    if handle:
        t.stream(handle)
    if t.sim.profile.product not in OVERFLOW_PRODUCTS:
        return
    if value not in (0, 1):
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"overflowSwitch is {value}: 0 or 1 is required")
    _changeable(t, handle).overflow_check = value


def _set_tag(t: ThreadState, handle: int, value: int) -> None:
    if handle:
        t.stream(handle)
    if t.sim.profile.product in OVERFLOW_PRODUCTS:
        _changeable(t, handle).tag = value


def _get_tag(t: ThreadState, handle: int) -> int:
    if handle:
        t.stream(handle)
    return t.submit_stream(handle).tag if t.sim.profile.product in OVERFLOW_PRODUCTS else 0


# -- cached operator names and priority --------------------------------------------------------------------------------


def _set_cache(t: ThreadState, handle: int, value: int) -> None:
    stream = control_stream(t, handle, "given cached operator names")
    if value not in (0, 1):
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"cacheOpInfoSwitch is {value}: 0 or 1 is required")
    stream.cache_op_info = value


def _get_cache(t: ThreadState, handle: int) -> int:
    return control_stream(t, handle, "asked for cached operator names").cache_op_info


def _prioritised(t: ThreadState, handle: int) -> Stream:
    if not handle:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "stream is NULL: a default stream has no priority of its own")
    stream = t.stream(handle)
    if stream.flags & CPU_SCHEDULE:
        raise AclError(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{stream.describe()} carries AI CPU scheduling: its priority is fixed"
        )
    t.current_context()
    if "stream_priority" not in t.sim.profile.supports:
        raise AclError(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{t.sim.profile.name} cannot change the priority of a stream", "driver"
        )
    return stream


def _set_priority(t: ThreadState, handle: int, value: int) -> None:
    stream = _prioritised(t, handle)
    signed = value - (1 << 32) if value >= 1 << 31 else value
    stream.priority = min(max(signed, 0), LEAST_PRIORITY)  # counts from the next step of the stream on


def _get_priority(t: ThreadState, handle: int) -> int:
    return _prioritised(t, handle).priority


# -- attributes --------------------------------------------------------------------------------------------------------

SETTERS: dict[int, Callable[[ThreadState, int, int], None]] = {
    ACL_STREAM_ATTR_FAILURE_MODE: _set_failure_mode,
    ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK: _set_overflow_check,
    ACL_STREAM_ATTR_USER_CUSTOM_TAG: _set_tag,
    ACL_STREAM_ATTR_CACHE_OP_INFO: _set_cache,
    ACL_STREAM_ATTR_PRIORITY: _set_priority,
}
GETTERS: dict[int, Callable[[ThreadState, int], int]] = {
    ACL_STREAM_ATTR_FAILURE_MODE: _get_failure_mode,
    ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK: get_stream_overflow_switch,
    ACL_STREAM_ATTR_USER_CUSTOM_TAG: _get_tag,
    ACL_STREAM_ATTR_CACHE_OP_INFO: _get_cache,
    ACL_STREAM_ATTR_PRIORITY: _get_priority,
}


def _known(t: ThreadState, handle: int, attribute: int) -> None:
    if attribute not in FIELDS:
        if handle:
            t.stream(handle)
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID,
            f"stmAttrType is {attribute}: {ACL_STREAM_ATTR_FAILURE_MODE} to {ACL_STREAM_ATTR_PRIORITY} is required",
        )


@api("aclrtSetStreamAttribute")
def set_stream_attribute(t: ThreadState, handle: int, attribute: int, value: Any) -> None:
    """Set an attribute: 1 failure mode, 2 overflow check, 3 tag, 4 cached operator names, 5 priority (0..7, clamped).

    *value*: an aclrtStreamAttrValue, of which the member of the attribute counts, or that number itself, if not 0.
    Codes: 100000 NULL value, 107017, 107000 unknown attribute or value, and as the calls of their own.
    """
    if value is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "value is NULL", "acl")
    _known(t, handle, attribute)
    SETTERS[attribute](t, handle, _number(value, attribute))


def _number(value: Any, attribute: int) -> int:
    field = FIELDS[attribute]
    member = getattr(value, field, value)
    bits = 64 if attribute == ACL_STREAM_ATTR_FAILURE_MODE else 32
    try:
        return operator.index(member) & ((1 << bits) - 1)
    except TypeError:
        text = f"value is {type(value).__name__}: an aclrtStreamAttrValue (its {field} counts) or a number is required"
        raise AclError(ACL_ERROR_INVALID_PARAM, text, "acl") from None


@api("aclrtGetStreamAttribute")
def get_stream_attribute(t: ThreadState, handle: int, attribute: int) -> aclrtStreamAttrValue:
    """An attribute, in its member of an aclrtStreamAttrValue.

    Codes: 107017, 107000 unknown attribute, and as the calls of their own.
    """
    from ascend_sim.ascendcl.structs import aclrtStreamAttrValue

    _known(t, handle, attribute)
    union = aclrtStreamAttrValue()
    setattr(union, FIELDS[attribute], GETTERS[attribute](t, handle))
    return union
