"""Chapter 15: executing and destroying model running instances."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api, require
from ascend_sim.constants.errors import (
    ACL_ERROR_RT_MODEL_CAPTURED,
    ACL_ERROR_RT_MODEL_CONTEXT,
    ACL_ERROR_RT_MODEL_EXECUTE,
    ACL_ERROR_RT_MODEL_RUNNING,
    ACL_ERROR_RT_PARAM_INVALID,
    ACL_ERROR_RT_STREAM_CONTEXT,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.graphs.instance import READY, RunningInstance
from ascend_sim.runtime.graphs.replay import launch, wait_until_over
from ascend_sim.runtime.thread_state import ThreadState

DESTROY_WAITS_NS = 10_000_000_000
"""So long aclmdlRIDestroy waits for a captured model that runs."""


def instance_of(t: ThreadState, handle: int) -> RunningInstance:
    """The instance of *handle*. Raises AclError 107017."""
    found = t.sim.handles.get(handle)
    if not isinstance(found, RunningInstance):
        raise t.stale(handle, "model running instance")
    return found


def check_context(t: ThreadState, instance: RunningInstance) -> None:
    """Raises AclError 107002, and 107004 when *instance* belongs to another context than the current one."""
    context = t.current_context()
    if instance.context is not context:
        text = f"{instance.describe()} belongs to {instance.context.describe()}, current is {context.describe()}"
        raise AclError(ACL_ERROR_RT_MODEL_CONTEXT, text)


def check_ready(instance: RunningInstance) -> None:
    """Raises AclError 107026 while it is captured, 507011 when it cannot be executed for another reason."""
    if instance.capturing():
        raise AclError(ACL_ERROR_RT_MODEL_CAPTURED, f"{instance.describe()} is still being captured")
    if instance.state is not READY:
        raise AclError(ACL_ERROR_RT_MODEL_EXECUTE, f"{instance.describe()} cannot be executed: it is {instance.state}")


@api("aclmdlRIExecuteAsync")
def ri_execute_async(t: ThreadState, model_ri: int, stream: int) -> None:
    """Queue one execution on the stream: it counts as one task there.

    Codes: 100000 NULL, 107017, 107000 a stream that is bound to a model, 107027 a captured stream, 107002, 107004, 107026
    still captured, 507011 not ready, 107003.
    """
    require(model_ri, "modelRI")
    instance = instance_of(t, model_ri)
    target = t.stream(stream) if stream else None
    if target is not None and target.recorder is not None:
        target.refuse_while_recording(t)
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{target.describe()} is bound to a model running instance")
    check_context(t, instance)
    if target is None:
        target = t.current_context().default
    check_ready(instance)
    if target.context is not instance.context:
        text = f"{target.describe()} belongs to another context than {instance.describe()}"
        raise AclError(ACL_ERROR_RT_STREAM_CONTEXT, text)
    launch(t, instance, target)


@api("aclmdlRIExecute")
def ri_execute(t: ThreadState, model_ri: int, timeout: int) -> None:
    """Execute a hand-built model and wait for it; *timeout* in ms, -1: for ever.

    Codes: 100000 NULL, 107017, 107000 time-out 0 or below -1, 107000 a captured model.
    """
    require(model_ri, "modelRI")
    instance = instance_of(t, model_ri)
    if timeout < -1 or timeout == 0:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"timeout is {timeout}: -1 (for ever) or more than 0 is required")
    if instance.captured:
        text = f"{instance.describe()} was captured: it can only be executed by aclmdlRIExecuteAsync"
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, text)
    check_context(t, instance)
    check_ready(instance)
    launch(t, instance, instance.context.default)


@api("aclmdlRIDestroy")
def ri_destroy(t: ThreadState, model_ri: int) -> None:
    """Destroy the model. A captured one that runs is waited for, up to 10 s.

    Codes: 100000 NULL, 107017, 107002, 107004, 107026 still captured, 107037 it still runs.
    """
    require(model_ri, "modelRI")
    instance = instance_of(t, model_ri)
    check_context(t, instance)
    if instance.capturing():
        raise AclError(ACL_ERROR_RT_MODEL_CAPTURED, f"{instance.describe()} is still being captured")
    if instance.captured and not wait_until_over(t, instance, t.clock + DESTROY_WAITS_NS):
        raise AclError(ACL_ERROR_RT_MODEL_RUNNING, f"{instance.describe()} still runs after 10 s")
    instance.retire()
