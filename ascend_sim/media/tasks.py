"""A media operation as a task of a stream: what all of them do around their own work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.findings.finding import Site
from ascend_sim.findings.wording import launched
from ascend_sim.media.buffers import DEVICE_FAULT, Memory
from ascend_sim.media.layouts import Layout
from ascend_sim.media.pixels.pixel_formats import pixel_format
from ascend_sim.media.pixels.planes import Area, rows_of
from ascend_sim.media.rules import table
from ascend_sim.media.unit import MediaUnit
from ascend_sim.runtime.task import Access, Op, TaskFault

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ascend_sim.media.channels import PictureChannel
    from ascend_sim.media.descriptors import PictureDesc
    from ascend_sim.media.layouts import Fault
    from ascend_sim.media.rules import MediaRules
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["FAILED", "MediaTask", "Operand", "refuse_layout"]

FAILED = 1
"""The code in the descriptor of an output whose task failed: real values are not documented."""


class Operand:
    """A picture that a task reads or writes: its descriptor, and the memory that it named when the task was queued."""

    __slots__ = ("desc", "memory", "what")

    def __init__(self, t: ThreadState, desc: PictureDesc, write: bool, device: int, what: str) -> None:
        self.desc = desc
        self.what = what
        layout = Layout.of(desc)
        self.memory = Memory(t.sim, layout.data, _extent(layout), write, device, f"the {what}")
        self.memory.check_family(t)

    def layout(self) -> Layout:
        """What the descriptor says now; the memory follows it."""
        layout = Layout.of(self.desc)
        self.memory = self.memory.at(layout.data, _extent(layout))
        return layout

    def accesses(self, area: Area | None) -> list[Access]:
        """The bytes of *area*, a range for each plane; of the whole picture in one."""
        place, layout = self.memory.place, Layout.of(self.desc)
        form = pixel_format(layout.format)
        if place is None:
            return []
        if area is None or form is None or area == Area(0, 0, layout.width, layout.height):
            return [Access(place.address, place.address + place.nbytes, place.write)]
        planes = form.planes(layout.width, layout.height, layout.width_stride, layout.height_stride)
        return [
            Access(place.address + part.start, place.address + part.end, place.write)
            for part in rows_of(form, planes, area)
        ]

    def describe(self, layout: Layout) -> str:
        """``the input, picture descriptor 2 (NV12 (1), 640 x 480, ...)``."""
        return f"the {self.what}, {self.desc.describe()} ({layout})"


def _extent(layout: Layout) -> int:
    """The bytes from the first to the last pixel."""
    form = pixel_format(layout.format)
    if form is None:
        return layout.size
    layout = layout.even(form)
    planes = form.planes(layout.width, layout.height, layout.width_stride, layout.height_stride)
    return max((plane.end for plane in planes), default=0) or layout.size


class MediaOp(Op):
    """The operation of a media task."""

    __slots__ = ("work",)

    def __init__(self, work: MediaTask, cost: int, accesses: tuple[Access, ...]) -> None:
        super().__init__(work.name, cost, work, accesses=accesses)
        self.work = work

    def after(self) -> None:
        """It fails as planned (fault injection), without being run: its outputs get the code of a failure."""
        self.work.failed()


class MediaTask:
    """The action of the task; `run` is its own work, `outputs` are the descriptors that get its code."""

    name = ""
    """What reports call it."""
    rate = ""
    """The rate of the unit that does it, in the table of costs (bytes per microsecond)."""

    def __init__(self, rules: MediaRules, channel: PictureChannel) -> None:
        self.rules = rules
        self.channel = channel
        self.operands: list[Operand] = []
        self.outputs: list[PictureDesc] = []

    def run(self, task: Task) -> None:
        """Read, work, write. Raises TaskFault."""
        raise NotImplementedError

    def nbytes(self) -> int:
        """How much work it is, as far as the call can tell."""
        return sum(operand.memory.nbytes for operand in self.operands)

    def parts(self) -> Iterable[tuple[Operand, Area | None]]:
        """Its pictures, each with the part that it touches by what the descriptors say now; None: all of it."""
        return [(operand, None) for operand in self.operands]

    def extra_accesses(self) -> Sequence[Access]:
        """What else it touches than its pictures."""
        return ()

    def failed(self) -> None:
        """Leave the code of a failure where the program looks for it."""
        for desc in self.outputs:
            desc.ret_code = FAILED

    def __call__(self, task: Task, time: int) -> None:
        """Do the work; a failure leaves its code in the outputs."""
        try:
            self.run(task)
        except TaskFault:
            self.failed()
            raise
        for desc in self.outputs:
            desc.ret_code = 0

    def submit(self, t: ThreadState, stream: Stream) -> Task:
        """Queue it on *stream*; its descriptors are needed until it is over.

        Raises AclError 107000 while the stream is captured: descriptors are copied from pageable memory.
        """
        if stream.recorder is not None:
            stream.recorder.refuse_pageable(t, stream)
        costs = table()["costs"]
        cost = costs["base_ns"] + self.nbytes() * 1000 // costs[self.rate]
        accesses = [access for operand, area in self.parts() for access in operand.accesses(area)]
        task = stream.submit(t, MediaOp(self, cost, (*accesses, *self.extra_accesses())))
        for operand in self.operands:
            operand.desc.pending.add(task, operand.desc in self.outputs)
        self.channel.pending.add(task, False)
        return task

    def fault(self, task: Task, text: str) -> TaskFault:
        """The failure of the task: *text* says why."""
        return TaskFault(DEVICE_FAULT, f"{self.name}: {text}")

    def broken(self, task: Task, what: str, fault: Fault) -> TaskFault:
        """The failure of the task for a picture against the rules, with its finding."""
        names = task.stream.sim.names
        task.stream.sim.report(
            "picture-layout",
            "error",
            f"{self.name} on {names.described(task.stream)}: {what} {fault.text}",
            [Site("submit", "queued here", task.site, primary=True), *launched(task)],
            fix=fault.right,
            streams=(names.described(task.stream),),
            time_ns=task.stream.sim.scheduler.now,
            code=("the next synchronise", DEVICE_FAULT),
        )
        return TaskFault(DEVICE_FAULT, f"{self.name}: {what} {fault.text}", reported=True)

    def say_once(self, task: Task, kind: str, key: str, title: str, fix: str = "") -> None:
        """A note that is made once a simulator."""
        sim = task.stream.sim
        said = sim.part(MediaUnit).said
        if key not in said:
            said.add(key)
            sim.report(
                kind,
                "note",
                title,
                [Site("submit", "queued here", task.site, primary=True)],
                fix=fix,
                time_ns=sim.scheduler.now,
            )


def refuse_layout(t: ThreadState, what: str, fault: Fault) -> AclError:
    """The refusal of a call whose picture is against the rules, with its finding (`media_strict_at_call`)."""
    text = f"{what} {fault.text}"
    t.sim.report_call(
        t,
        "picture-layout",
        "error",
        f"{t.call}: {text}",
        fix=fault.right,
        code=(t.call, ACL_ERROR_INVALID_PARAM),
    )
    return AclError(ACL_ERROR_INVALID_PARAM, f"{text}: {fault.right}", "acl")
