"""Counting pixels, replacing values, halving: the smaller operations of VPC."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from ascend_sim.constants.media import BORDER_REFLECT_101
from ascend_sim.machine import host_memory
from ascend_sim.media.buffers import DEVICE_FAULT
from ascend_sim.media.configurations import Border
from ascend_sim.media.pixels.borders import bordered
from ascend_sim.media.pixels.conversion import store
from ascend_sim.media.pixels.planes import Area, Image
from ascend_sim.media.tasks import FAILED
from ascend_sim.media.vpc import PictureOperation
from ascend_sim.runtime.task import TaskFault

if TYPE_CHECKING:
    from ascend_sim.media.channels import PictureChannel
    from ascend_sim.media.histograms import Histogram
    from ascend_sim.media.rules import MediaRules
    from ascend_sim.media.tasks import Operand
    from ascend_sim.runtime.memory.transfers import Place
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["GAUSSIAN", "CountPixels", "HalvePicture", "ReplaceValues", "Weights", "components"]

Pixels = npt.NDArray[np.uint8]


class Weights(NamedTuple):
    """A filter of a pyramid: 5 x 5 weights, what their sum is divided by, and the border around the picture."""

    values: npt.NDArray[np.int32]
    divisor: int
    border: Border


MIRRORED = Border(BORDER_REFLECT_101, 2, 2, 2, 2, (0.0,) * 4)
_LINE = np.array([1, 4, 6, 4, 1], np.int32)
GAUSSIAN = Weights(np.outer(_LINE, _LINE).astype(np.int32), 256, MIRRORED)
"""The filter of the first interface."""


def components(image: Image) -> list[Pixels]:
    """Its one or three components, each an array of its own size."""
    if image.colours is not None:
        return [image.colours[..., i] for i in range(3)]
    assert image.luma is not None
    return [image.luma, *([] if image.chroma is None else (image.chroma[..., 0], image.chroma[..., 1]))]


class CountPixels(PictureOperation):
    """How many pixels have which value, component by component; *place*: memory of the program that gets them, too."""

    def __init__(
        self,
        rules: MediaRules,
        channel: PictureChannel,
        source: Operand,
        histogram: Histogram,
        place: Place | None = None,
    ) -> None:
        super().__init__(rules, channel, "VPC histogram")
        self.add(source, None)
        self.histogram = histogram
        self.place = place

    def submit(self, t: ThreadState, stream: Stream) -> Task:
        task = super().submit(t, stream)
        self.histogram.pending.add(task, True)
        return task

    def failed(self) -> None:
        self.histogram.ret_code = FAILED

    def run(self, task: Task) -> None:
        source = self.operands[0]
        form, layout = self.layout_of(task, source, False)
        image = self.image(task, source, form, layout, Area(0, 0, layout.width, layout.height), False)
        self.histogram.counts[:] = 0
        if image is not None:
            for i, values in enumerate(components(image)):
                self.histogram.counts[i] = np.bincount(values.reshape(-1), minlength=256)
        self.histogram.ret_code = 0
        if self.place is not None:
            self._hand_out(task, self.place)

    def _hand_out(self, task: Task, place: Place) -> None:
        address = place.reach(task)
        if not address:
            raise TaskFault(DEVICE_FAULT, f"{self.name}: the counts cannot be written", reported=True)
        data = self.histogram.counts.reshape(-1).view(np.uint8)
        host_memory.view(address, len(data))[:] = data
        place.tell(task)


class ReplaceValues(PictureOperation):
    """Each component through its row of a table."""

    def __init__(
        self, rules: MediaRules, channel: PictureChannel, source: Operand, target: Operand, values: Pixels
    ) -> None:
        super().__init__(rules, channel, "VPC equalize histogram")
        self.add(source, target)
        self.values = values

    def run(self, task: Task) -> None:
        source, target = self.operands
        form, layout = self.layout_of(task, source, False)
        target_form, target_layout = self.layout_of(task, target, True)
        area = Area(0, 0, min(layout.width, target_layout.width), min(layout.height, target_layout.height))
        image = self.image(task, source, form, layout, area, False)
        into = self.image(task, target, target_form, target_layout, area, True)
        if image is not None and into is not None:
            made = [self.values[i][part] for i, part in enumerate(components(image))]
            for part, values in zip(components(into), made, strict=True):
                part[...] = values
        self.finish(target, target_layout)


class HalvePicture(PictureOperation):
    """The next step of a pyramid: a filter of 5 x 5, then every second pixel; the output is half as large."""

    def __init__(
        self,
        rules: MediaRules,
        channel: PictureChannel,
        source: Operand,
        target: Operand,
        weights: Weights | None = None,
    ) -> None:
        super().__init__(rules, channel, "VPC pyramid")
        self.add(source, target)
        self.weights = GAUSSIAN if weights is None else weights

    def run(self, task: Task) -> None:
        source, target = self.operands
        form, layout = self.layout_of(task, source, False)
        target_form, target_layout = self.layout_of(task, target, True)
        width, height = (layout.width + 1) // 2, (layout.height + 1) // 2
        area = Area(0, 0, min(width, target_layout.width), min(height, target_layout.height))
        image = self.image(task, source, form, layout, Area(0, 0, layout.width, layout.height), False)
        into = self.image(task, target, target_form, target_layout, area, True)
        if image is not None and into is not None:
            assert image.luma is not None
            made = _halved(image.luma, self.weights)[: area.height, : area.width]
            store(Image(made), into, self.channel.matrix)
        target_layout = target_layout._replace(width=area.width, height=area.height)
        self.finish(target, target_layout)


def _halved(pixels: Pixels, weights: Weights) -> Pixels:
    around = bordered(Image(pixels), weights.border).luma
    assert around is not None
    wide = around.astype(np.int32)
    rows, columns = pixels.shape
    total = sum(weights.values[i, j] * wide[i : i + rows : 2, j : j + columns : 2] for i in range(5) for j in range(5))
    half = weights.divisor // 2
    found: Pixels = np.clip((total + half) // weights.divisor, 0, 255).astype(np.uint8)
    return found
