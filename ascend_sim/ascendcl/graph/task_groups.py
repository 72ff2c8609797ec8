"""Chapter 15: task groups of a capture, and their update."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api, require
from ascend_sim.constants.errors import ACL_ERROR_RT_STREAM_MODEL, ACL_ERROR_RT_STREAM_NOT_CAPTURED
from ascend_sim.errors import AclError
from ascend_sim.runtime.graphs import task_groups
from ascend_sim.runtime.graphs.capture import Capture, capture_of
from ascend_sim.runtime.graphs.task_groups import TaskGroup, Updating
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.thread_state import ThreadState


def _captured(t: ThreadState, handle: int) -> tuple[Stream, Capture]:
    """A captured stream of the current context. Raises AclError 107017, 107029, 107002, 107003."""
    require(handle, "stream")
    stream = t.stream(handle)
    capture = capture_of(stream)
    if capture is None:
        raise AclError(ACL_ERROR_RT_STREAM_NOT_CAPTURED, f"{stream.describe()} is not being captured")
    t.check_own(stream)
    return stream, capture


@api("aclmdlRICaptureTaskGrpBegin")
def capture_task_group_begin(t: ThreadState, stream: int) -> None:
    """The tasks that are queued next on the captured stream form a group: kernels and operators only.

    Codes: 100000 NULL, 107017, 107029 not captured, 107002, 107003, 107033 a group is open there.
    """
    task_groups.begin_group(t, *_captured(t, stream))


@api("aclmdlRICaptureTaskGrpEnd")
def capture_task_group_end(t: ThreadState, stream: int) -> int:
    """End the group and give its handle, which lives as long as the model.

    Codes: 100000 NULL, 107017, 107029 not captured, 107002, 107003, 107033 no group is open, 107034 another stream got a
    task meanwhile, 507903 the capture is broken.
    """
    return task_groups.end_group(t, *_captured(t, stream)).handle


def _plain(t: ThreadState, handle: int) -> Stream:
    """A stream outside of captures and models. Raises AclError 107017, 107027, 107005."""
    stream = t.stream(handle)
    stream.refuse_while_recording(t)
    if stream.recorder is not None and not isinstance(stream.recorder, Updating):
        raise AclError(ACL_ERROR_RT_STREAM_MODEL, f"{stream.describe()} is bound to a model running instance")
    return stream


@api("aclmdlRICaptureTaskUpdateBegin")
def capture_task_update_begin(t: ThreadState, stream: int, handle: int) -> None:
    """What is queued on the stream up to the end of the update replaces the tasks of the group, one after the other.

    The stream must not be captured. The update takes place when the stream has come to it. Codes: 100000 NULL, 107017,
    107027 captured, 107005, 107002, 107003, 107033 the stream, or the group, is being updated.
    """
    require(stream, "stream")
    require(handle, "handle")
    target = _plain(t, stream)
    group = t.sim.handles.get(handle)
    if not isinstance(group, TaskGroup):
        raise t.stale(handle, "task group")
    t.check_own(target)
    task_groups.begin_update(t, target, group)


@api("aclmdlRICaptureTaskUpdateEnd")
def capture_task_update_end(t: ThreadState, stream: int) -> None:
    """End the update. Codes: 100000 NULL, 107017, 107027, 107005, 107002, 107003, 107033 none is open, 507000 fewer tasks.

    Where tasks are missing, those that were queued are replaced all the same.
    """
    require(stream, "stream")
    target = _plain(t, stream)
    t.check_own(target)
    task_groups.end_update(t, target)
