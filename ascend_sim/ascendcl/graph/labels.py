"""Chapter 10: labels, and jumps to them in models that are built by hand."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import integers
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_INTERNAL_ERROR,
    ACL_ERROR_RT_LABEL_CONTEXT,
    ACL_ERROR_RT_PARAM_INVALID,
    ACL_ERROR_RT_STREAM_MODEL,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.core import Runtime
from ascend_sim.runtime.graphs.branches import Label, LabelList, jump_op
from ascend_sim.runtime.graphs.building import Building, building_of
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.thread_state import ThreadState

MOST_LABELS = 65535
"""Of a process, alive at once; also of one list."""


class LabelIds:
    """How many labels of a process are alive."""

    def __init__(self, sim: Runtime) -> None:
        self.alive = 0


def _label(t: ThreadState, handle: int) -> Label:
    found = t.sim.handles.get(handle)
    if not isinstance(found, Label):
        raise t.stale(handle, "label")
    return found


def _check_label(t: ThreadState, label: Label) -> None:
    context = t.current_context()
    if label.context is not context:
        text = f"{label.describe()} belongs to {label.context.describe()}, current is {context.describe()}"
        raise AclError(ACL_ERROR_RT_LABEL_CONTEXT, text)


def bound(stream: Stream) -> Building:
    """What *stream* is bound to. Raises AclError 107005 when that is nothing."""
    found = building_of(stream)
    if found is None:
        text = f"{stream.describe()} is not bound to a model (aclmdlRIBindStream)"
        raise AclError(ACL_ERROR_RT_STREAM_MODEL, text)
    return found


@api("aclrtCreateLabel")
def create_label(t: ThreadState) -> int:
    """A label. Codes: 107002, 507000 65,535 are alive."""
    context = t.current_context()
    ids = t.sim.part(LabelIds)
    if ids.alive >= MOST_LABELS:
        raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, f"{MOST_LABELS} labels are alive: there are no more")
    ids.alive += 1
    return Label(context, t.site).handle


@api("aclrtDestroyLabel")
def destroy_label(t: ThreadState, label: int) -> None:
    """Destroy a label. Codes: 100000 NULL, 107017, 107002, 507031 of another context."""
    require(label, "label")
    found = _label(t, label)
    _check_label(t, found)
    t.sim.part(LabelIds).alive -= 1
    t.sim.drop_handle(found.handle)


@api("aclrtCreateLabelList")
def create_label_list(t: ThreadState, labels: Any, num: int) -> int:
    """A list of labels for jumps; no label may be in two.

    Codes: 100000 NULL, 107000 *num* 0 or above 65,535, 107017 a dead label, 107002, 507000 in a list already.
    """
    if labels is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "labels is NULL", "acl")
    if not 0 < num <= MOST_LABELS:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"num is {num}: 1 to {MOST_LABELS} is required")
    found = [_label(t, handle) for handle in integers(labels, num, "labels")]
    t.current_context()
    return LabelList(t.sim, found, t.site).handle


@api("aclrtDestroyLabelList")
def destroy_label_list(t: ThreadState, label_list: int) -> None:
    """Destroy a list. Codes: 100000 NULL, 107017."""
    require(label_list, "labelList")
    t.sim.drop_handle(_list(t, label_list).handle)


def _list(t: ThreadState, handle: int) -> LabelList:
    found = t.sim.handles.get(handle)
    if not isinstance(found, LabelList):
        raise t.stale(handle, "label list")
    return found


@api("aclrtSetLabel")
def set_label(t: ThreadState, label: int, stream: int) -> None:
    """Let the label stand before what is queued next on the stream of a model.

    Codes: 100000 NULL, 107017, 107002, 507031 a label, 107003 a stream of another context, 107005 not bound, 507000 set
    before, or no list holds the label.
    """
    require(label, "label")
    require(stream, "stream")
    found, target = _label(t, label), t.stream(stream)
    _check_label(t, found)
    t.check_own(target)
    line = bound(target).instance.graph.line(target)
    found.set(t, target, line)


@api("aclrtSwitchLabelByIndex")
def switch_label_by_index(t: ThreadState, ptr: int, max_value: int, label_list: int, stream: int) -> None:
    """Go on at one of *max_value* labels of the list; the stream itself stops. A uint32 in device memory says which.

    Codes: 100000 NULL, 107017, 107002, 107003, 107005 not bound.
    """
    require(ptr, "ptr")
    require(label_list, "labelList")
    require(stream, "stream")
    target, labels = t.stream(stream), _list(t, label_list)
    t.check_own(target)
    bound(target)
    target.submit(t, jump_op(t.sim, ptr, max(max_value, 1), labels))
