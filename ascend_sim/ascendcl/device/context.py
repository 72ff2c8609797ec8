"""Chapter 05: contexts."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.device.device import device_of
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_CONTEXT_NULL,
    ACL_ERROR_RT_CONTEXT_RELEASE_ERROR,
    ACL_ERROR_RT_PARAM_INVALID,
    ACL_ERROR_RT_SYSPARAMOPT_NOT_SET,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.context import Context
from ascend_sim.runtime.thread_state import ThreadState

CONTEXT_OPTIONS = range(3)
PROCESS_OPTIONS = range(4)
DETERMINISTIC = 0


@api("aclrtCreateContext")
def create_context(t: ThreadState, device_id: int) -> int:
    """A new context, current in this thread. Codes: 107001 bad device, 207008 no stream left."""
    device = device_of(t, device_id)
    context = t.sim.new_context(device, False, t.site)
    t.use_context(context)
    return context.handle


@api("aclrtDestroyContext")
def destroy_context(t: ThreadState, handle: int) -> None:
    """Destroy an explicit context; pending tasks of its streams are dropped.

    Codes: 100000 NULL, 107002 unknown, destroyed, or a primary context, 507007 destroyed while another thread still
    has it current.
    """
    require(handle, "context")
    context = t.sim.contexts.get(handle)
    if context is None:
        raise AclError(ACL_ERROR_RT_CONTEXT_NULL, f"{handle:#x} is no context, or it was destroyed")
    if context.primary:
        raise AclError(
            ACL_ERROR_RT_CONTEXT_NULL, f"{context.describe()} belongs to aclrtSetDevice: aclrtResetDevice ends it"
        )
    if context.dead:
        raise AclError(
            ACL_ERROR_RT_CONTEXT_RELEASE_ERROR,
            f"{context.describe()} was destroyed while another thread has it current",
        )
    context.tear_down()
    if t.context is context:
        t.drop_context()
    if not context.users:
        t.sim.contexts.pop(handle, None)


@api("aclrtSetCurrentContext")
def set_current_context(t: ThreadState, handle: int) -> None:
    """Make a context current in this thread. Codes: 100000 NULL, 107000 destroyed or unknown."""
    require(handle, "context")
    context = t.sim.contexts.get(handle)
    if context is None or context.dead:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{handle:#x} is no live context")
    t.use_context(context)


@api("aclrtGetCurrentContext")
def get_current_context(t: ThreadState) -> int:
    """The current context. Codes: 107002 none, also with a default device configured."""
    return _bound(t).handle


def _bound(t: ThreadState) -> Context:
    context = t.bound_context()
    if context is None:
        why = t.no_context_reason()
        t.drop_context()
        raise AclError(ACL_ERROR_RT_CONTEXT_NULL, why, "state")
    return context


@api("aclrtCtxGetCurrentDefaultStream")
def ctx_get_current_default_stream(t: ThreadState) -> int:
    """The default stream of the current context as a real handle. Codes: 107002 no context."""
    return t.current_context().default.handle


@api("aclrtGetPrimaryCtxState")
def get_primary_ctx_state(t: ThreadState, device_id: int) -> tuple[None, int]:
    """Flags (reserved, never written) and whether the device is set. Codes: 107001 bad device."""
    return None, int(device_of(t, device_id).count > 0)


@api("aclrtCtxSetSysParamOpt")
def ctx_set_sys_param_opt(t: ThreadState, option: int, value: int) -> None:
    """Set an option of the current context; the process option of that number follows.

    Codes: 100000 unknown option, 107000 a value out of range, 107002 no context.
    """
    _option(option, CONTEXT_OPTIONS, value)
    t.current_context().options[option] = value
    t.sim.process.options[option] = value


@api("aclrtCtxGetSysParamOpt")
def ctx_get_sys_param_opt(t: ThreadState, option: int) -> int:
    """An option of the current context. Codes: 100000 unknown option, 107021 never set."""
    _option(option, CONTEXT_OPTIONS)
    options = t.current_context().options
    if option not in options:
        raise AclError(ACL_ERROR_RT_SYSPARAMOPT_NOT_SET, f"option {option} was never set in this context", "state")
    return options[option]


@api("aclrtSetSysParamOpt")
def set_sys_param_opt(t: ThreadState, option: int, value: int) -> None:
    """Set an option of the process: 0 deterministic (0 to 3), 1 debug kernel, 2 strong consistency, 3 early start.

    Codes: 100000 unknown option, 107000 a value out of range.
    """
    _option(option, PROCESS_OPTIONS, value)
    t.sim.process.options[option] = value


@api("aclrtGetSysParamOpt")
def get_sys_param_opt(t: ThreadState, option: int) -> int:
    """An option of the process; 0 when it was never set. Codes: 100000 unknown option."""
    _option(option, PROCESS_OPTIONS)
    return t.sim.process.options.get(option, 0)


def _option(option: int, known: range, value: int = 0) -> None:
    if option not in known:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"opt is {option}: 0 to {known.stop - 1} is required", "acl")
    most = 3 if option == DETERMINISTIC else 1
    if not 0 <= value <= most:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"value is {value}: option {option} takes 0 to {most}")
