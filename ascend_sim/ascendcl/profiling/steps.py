"""Chapter 19-04: steps of a training loop (docs/semantics/profiling.md#steps)."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api
from ascend_sim.constants.errors import ACL_ERROR_GE_FAILURE, ACL_ERROR_INVALID_PARAM
from ascend_sim.constants.tools import ACL_STEP_START
from ascend_sim.errors import AclError
from ascend_sim.runtime.profiling.stamps import Marks
from ascend_sim.runtime.task import Op
from ascend_sim.runtime.tensors.descriptors import live
from ascend_sim.runtime.thread_state import ThreadState


class StepInfo:
    """What aclprofCreateStepInfo makes: one step, which begins and ends once."""

    __slots__ = ("handle", "number", "seen", "start")

    def __init__(self, number: int) -> None:
        self.number = number
        self.seen: set[bool] = set()
        """Its tags that were given: True is the start."""
        self.start = 0
        self.handle = 0

    def describe(self) -> str:
        """The step in words."""
        return f"step {self.number}"


@api("aclprofCreateStepInfo")
def create_step_info(t: ThreadState) -> int:
    """The next step."""
    made = StepInfo(t.sim.next_number("step"))
    made.handle = t.sim.new_handle(made)
    return made.handle


@api("aclprofDestroyStepInfo")
def destroy_step_info(t: ThreadState, handle: int) -> None:
    """NULL: nothing happens."""
    step = live(t, handle, StepInfo, "step info") if handle else None
    if step is not None:
        t.sim.drop_handle(step.handle)


@api("aclprofGetStepTimestamp")
def get_step_timestamp(t: ThreadState, handle: int, tag: int, stream: int) -> None:
    """Mark the start (tag 0) or the end of a step in this thread and on *stream*.

    Codes: 100000 NULL, a tag that was given before; 500002 no such stream.
    """
    step = live(t, handle, StepInfo, "step info")
    if step is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "stepInfo is NULL, or not alive", "acl")
    starts = tag == ACL_STEP_START
    if starts in step.seen:
        word = "start" if starts else "end"
        raise AclError(ACL_ERROR_INVALID_PARAM, f"the {word} of {step.describe()} was marked before", "acl")
    step.seen.add(starts)
    try:
        found = t.submit_stream(stream)
    except AclError as error:
        raise AclError(ACL_ERROR_GE_FAILURE, error.reason, "acl") from None
    found.submit(t, Op(f"{step.describe()} {'starts' if starts else 'ends'}", t.sim.profile.costs.task_ns))
    if starts:
        step.start = t.clock
    elif True in step.seen:
        t.sim.part(Marks).tell(t, "step", step.describe(), step.start)
