"""The unit for pictures behind the second interface: channels with a stream of their own, tasks that are asked for.

The work is that of the first interface (vpc.py); what its descriptors say comes from dicts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ascend_sim.constants.errors import ACL_ERROR_RT_STREAM_ABORT
from ascend_sim.media.channels import PictureChannel
from ascend_sim.media.configurations import Border, Rectangle
from ascend_sim.media.descriptors import PictureDesc
from ascend_sim.media.histograms import Histogram
from ascend_sim.media.statistics import CountPixels, HalvePicture, ReplaceValues, Weights
from ascend_sim.media.tasks import Operand
from ascend_sim.media.unit import MediaUnit
from ascend_sim.media.video.unit_channel import Due, private_stream
from ascend_sim.media.vpc import Cut, PictureOperation, Vpc
from ascend_sim.runtime.memory.allocation import block_for_task
from ascend_sim.runtime.memory.transfers import Place
from ascend_sim.runtime.stream_failures import abort
from ascend_sim.runtime.stream_waits import wait_for

if TYPE_CHECKING:
    from ascend_sim.media.rules import MediaRules
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["PictureWork", "Piece"]

KEPT_TASKS = 1024
"""So many results that nobody asked for are remembered."""


class Piece(NamedTuple):
    """One output of a call: what of which input goes where."""

    source: Mapping[str, int]
    target: Mapping[str, int]
    algorithm: int = 0
    crop: Rectangle | None = None
    paste: Rectangle | None = None
    border: Border | None = None


class PictureWork:
    """A channel of the second interface for pictures."""

    def __init__(self, t: ThreadState, number: int) -> None:
        self.name = f"VPC channel {number}"
        self.context = t.current_context()
        self._default = self.context.default
        self.rules: MediaRules = t.sim.part(MediaUnit).find(t)
        self.stream = private_stream(t, self.context, f"the stream of {self.name}")
        self._channel = PictureChannel(t, t.sim.part(MediaUnit).next_channel())
        del t.sim.handles[self._channel.handle]  # it is the channel's own, as its stream is
        self._channel.open, self._channel.context = True, self.context
        self._tasks: dict[int, tuple[Task, list[PictureDesc]]] = {}
        self._last = 0

    @property
    def matrix(self) -> int:
        """Of colours: an acldvppCscMatrix."""
        return self._channel.matrix

    @matrix.setter
    def matrix(self, value: int) -> None:
        self._channel.matrix = value

    @property
    def lost(self) -> bool:
        """It went down with its context."""
        return self.context.dead or self.context.default is not self._default

    def submit(self, t: ThreadState, name: str, pieces: list[Piece]) -> int:
        """Queue the cuts of one call; the number of its task. Raises AclError as the first interface."""
        action = Vpc(self.rules, self._channel, name, pieces[0].algorithm)
        inputs: dict[int, Operand] = {}
        for piece in pieces:
            given = inputs.get(id(piece.source))
            if given is None:
                given = inputs[id(piece.source)] = self._operand(t, piece.source, False)
            target = self._operand(t, piece.target, True)
            action.cut(Cut(given, target, piece.crop, piece.paste, piece.border))
        return self._queue(t, [action])

    def halve(
        self, t: ThreadState, source: Mapping[str, int], targets: Sequence[Mapping[str, int]], weights: Weights | None
    ) -> int:
        """Queue the steps of a pyramid, each from the picture before; the number of the last task."""
        steps: list[PictureOperation] = []
        for target in targets:
            into = self._operand(t, target, True)
            steps.append(HalvePicture(self.rules, self._channel, self._operand(t, source, False), into, weights))
            source = target
        return self._queue(t, steps)

    def count(self, t: ThreadState, source: Mapping[str, int], address: int) -> int:
        """Queue the counting of values into a hi_vpc_histogram_config; the number of the task."""
        histogram = Histogram(t)
        del t.sim.handles[histogram.handle]
        nbytes = histogram.counts.nbytes
        block = block_for_task(t, address, nbytes, "the histogram", True)
        place = Place(t.sim, block, address, nbytes, True)
        given = self._operand(t, source, False)
        return self._queue(t, [CountPixels(self.rules, self._channel, given, histogram, place)])

    def replace(self, t: ThreadState, source: Mapping[str, int], target: Mapping[str, int], values: Any) -> int:
        """Queue the replacement of values by a table of three rows; the number of the task."""
        given, into = self._operand(t, source, False), self._operand(t, target, True)
        return self._queue(t, [ReplaceValues(self.rules, self._channel, given, into, values)])

    def _operand(self, t: ThreadState, said: Mapping[str, int], write: bool) -> Operand:
        device = self.context.device.index
        return Operand(t, self._picture(t, said), write, device, "output" if write else "input")

    def _queue(self, t: ThreadState, actions: Sequence[PictureOperation]) -> int:
        for action in actions:
            action.check_at_call(t)
        for action in actions:
            task = action.submit(t, self.stream)
        self._last += 1
        self._tasks[self._last] = task, [desc for action in actions for desc in action.outputs]
        while len(self._tasks) > KEPT_TASKS:
            del self._tasks[next(iter(self._tasks))]
        return self._last

    @staticmethod
    def _picture(t: ThreadState, said: Mapping[str, int]) -> PictureDesc:
        """A descriptor that says what the dict does."""
        desc = PictureDesc(t)
        del t.sim.handles[desc.handle]
        desc.data, desc.size = said["picture_address"], said["picture_buffer_size"]
        desc.format = said["picture_format"]
        desc.width, desc.height = said["picture_width"], said["picture_height"]
        desc.width_stride, desc.height_stride = said["picture_width_stride"], said["picture_height_stride"]
        return desc

    def result(self, t: ThreadState, number: int, timeout: int) -> str:
        """Wait up to *timeout* ms (-1: for ever) for task *number*: ``done``, ``failed``, ``busy`` or ``unknown``."""
        found = self._tasks.get(number)
        if found is None:
            return "unknown"
        task, outputs = found
        t.sim.threads.poll(t, (t.call, self.name))
        if not task.over():
            deadline = None if timeout < 0 else t.clock + timeout * 1_000_000
            if not wait_for(self.stream, t, task, deadline, Due(f"task {number} of {self.name}", self.stream)):
                return "busy"
        del self._tasks[number]
        for observe in t.sim.hooks.waited or ():
            observe(t, self.stream)
        self.stream.error = 0  # it is told here
        return "failed" if any(desc.ret_code for desc in outputs) else "done"

    def close(self, t: ThreadState) -> None:
        """Wait for the unit, and give the stream back."""
        if self.lost:
            return
        if self.stream.queue:
            wait_for(self.stream, t, self.stream.queue[-1], None, Due(f"{self.name} to come to its end", self.stream))
        for observe in t.sim.hooks.waited or ():
            observe(t, self.stream)
        abort(self.stream, ACL_ERROR_RT_STREAM_ABORT)
        self.context.device.return_stream(self.stream)
