"""Chapter 15: executing and destroying model running instances."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api, require
from ascend_sim.constants.errors import (
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_MODEL_CAPTURED,
    ACL_ERROR_RT_MODEL_CONTEXT,
    ACL_ERROR_RT_MODEL_EXECUTE,
    ACL_ERROR_RT_MODEL_RUNNING,
    ACL_ERROR_RT_PARAM_INVALID,
    ACL_ERROR_RT_STREAM_CONTEXT,
    ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
)
from ascend_sim.errors import AclError
from ascend_sim.findings.finding import Site
from ascend_sim.runtime.graphs.building import HEAD
from ascend_sim.runtime.graphs.built_replay import BuiltReplay
from ascend_sim.runtime.graphs.conditions import assign_defaults
from ascend_sim.runtime.graphs.instance import BUILDING, READY, RunningInstance
from ascend_sim.runtime.graphs.replay import Replay, abort, launch, wait_until_over
from ascend_sim.runtime.synchronize import synchronize_stream
from ascend_sim.runtime.thread_state import ThreadState

MS = 1_000_000
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


def _check_root(instance: RunningInstance, what: str) -> None:
    """Raises AclError 207000 for a sub-graph: only the whole graph is executed and destroyed."""
    if instance.parent is not None:
        text = f"{instance.describe()} is a sub-graph of {instance.parent.describe()}: it cannot be {what}"
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, text, "state")


def check_ready(instance: RunningInstance) -> None:
    """Raises AclError 107026 while it is captured, 507011 when it cannot be executed for another reason."""
    if instance.capturing():
        raise AclError(ACL_ERROR_RT_MODEL_CAPTURED, f"{instance.describe()} is still being captured")
    building = instance.building
    if building is not None and building.end is not None and instance.state is BUILDING:
        return  # the hardware asks for the end mark only
    if instance.state is not READY:
        raise AclError(ACL_ERROR_RT_MODEL_EXECUTE, f"{instance.describe()} cannot be executed: it is {instance.state}")


def replay_of(instance: RunningInstance) -> Replay:
    """A new execution of *instance*."""
    building = instance.building
    if building is None:
        return Replay(instance)
    return BuiltReplay(instance, tuple(stream for stream, flag in building.flags.items() if flag == HEAD))


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
    _check_root(instance, "executed")
    check_context(t, instance)
    if target is None:
        target = t.current_context().default
    check_ready(instance)
    if target.context is not instance.context:
        text = f"{target.describe()} belongs to another context than {instance.describe()}"
        raise AclError(ACL_ERROR_RT_STREAM_CONTEXT, text)
    assign_defaults(t, instance)
    launch(t, replay_of(instance), target)


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
    stream = instance.context.default
    launch(t, replay_of(instance), stream)
    deadline = None if timeout < 0 else t.clock + timeout * MS
    if not synchronize_stream(t, stream, deadline):
        raise AclError(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, f"{instance.describe()} did not end within {timeout} ms")


@api("aclmdlRIAbort")
def ri_abort(t: ThreadState, model_ri: int) -> None:
    """Stop what runs of a model; its execution ends with 507023. Codes: 107000 NULL, 107017, 107002, 107004, 207000."""
    if not model_ri:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "modelRI is NULL")
    instance = instance_of(t, model_ri)
    check_context(t, instance)
    if instance.captured:
        text = f"{instance.describe()} was captured: it cannot be aborted"
        raise AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, text, "state")
    t.sim.threads.poll(t)
    abort(instance, t.clock)


@api("aclmdlRIDestroy")
def ri_destroy(t: ThreadState, model_ri: int) -> None:
    """Destroy the model. A captured one that runs is waited for, up to 10 s.

    Codes: 100000 NULL, 107017, 107002, 107004, 107026 still captured, 107037 it still runs.
    """
    require(model_ri, "modelRI")
    instance = instance_of(t, model_ri)
    _check_root(instance, "destroyed")
    check_context(t, instance)
    if instance.capturing():
        raise AclError(ACL_ERROR_RT_MODEL_CAPTURED, f"{instance.describe()} is still being captured")
    if not instance.captured and instance.running():
        _destroyed_too_early(t, instance)
    if instance.captured and not wait_until_over(t, instance, t.clock + DESTROY_WAITS_NS):
        raise AclError(ACL_ERROR_RT_MODEL_RUNNING, f"{instance.describe()} still runs after 10 s")
    for function, user_data in list(instance.at_destroy.items()):
        with t.sim.threads.user_code(t):
            function(user_data)
    instance.retire()


def _destroyed_too_early(t: ThreadState, instance: RunningInstance) -> None:
    launched = next(iter(instance.replays)).task
    t.sim.report(
        "undefined-use",
        "warning",
        f"{t.call} destroys {instance.describe()} while it runs",
        [
            Site("access", "called here", t.site, primary=True),
            Site("other", "this execution is not over", launched.site),
        ],
        notes=("hand-built models are not waited for; here the execution goes on",),
        fix="synchronise the stream that executes it first",
        streams=(t.sim.names.described(launched.stream),),
        time_ns=t.clock,
    )
