"""Counting pixels, replacing values, halving: the smaller operations of VPC."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ascend_sim.media.configurations import Border
from ascend_sim.media.pixels.borders import bordered
from ascend_sim.media.pixels.conversion import store
from ascend_sim.media.pixels.planes import Area, Image
from ascend_sim.media.tasks import FAILED
from ascend_sim.media.vpc import PictureOperation

if TYPE_CHECKING:
    from ascend_sim.media.channels import PictureChannel
    from ascend_sim.media.histograms import Histogram
    from ascend_sim.media.rules import MediaRules
    from ascend_sim.media.tasks import Operand
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["CountPixels", "HalvePicture", "ReplaceValues", "components"]

Pixels = npt.NDArray[np.uint8]

WEIGHTS = np.array([1, 4, 6, 4, 1], np.int32)
"""Of a row and a column of the Gaussian filter of a pyramid; their sum is 16."""


def components(image: Image) -> list[Pixels]:
    """Its one or three components, each an array of its own size."""
    if image.colours is not None:
        return [image.colours[..., i] for i in range(3)]
    assert image.luma is not None
    return [image.luma, *([] if image.chroma is None else (image.chroma[..., 0], image.chroma[..., 1]))]


class CountPixels(PictureOperation):
    """How many pixels have which value, component by component."""

    def __init__(self, rules: MediaRules, channel: PictureChannel, source: Operand, histogram: Histogram) -> None:
        super().__init__(rules, channel, "VPC histogram")
        self.add(source, None)
        self.histogram = histogram

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
    """The next step of a pyramid: a Gaussian filter of 5 x 5, then every second pixel; the output is half as large."""

    def __init__(self, rules: MediaRules, channel: PictureChannel, source: Operand, target: Operand) -> None:
        super().__init__(rules, channel, "VPC pyramid")
        self.add(source, target)

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
            made = _halved(image.luma)[: area.height, : area.width]
            store(Image(made), into, self.channel.matrix)
        target_layout = target_layout._replace(width=area.width, height=area.height)
        self.finish(target, target_layout)


def _halved(pixels: Pixels) -> Pixels:
    around = bordered(Image(pixels), Border(3, 2, 2, 2, 2, (0.0,) * 4)).luma
    assert around is not None
    wide = around.astype(np.int32)
    rows, columns = pixels.shape
    high = sum(WEIGHTS[i] * wide[i : i + rows : 2] for i in range(5))
    both = sum(WEIGHTS[i] * high[:, i : i + columns : 2] for i in range(5))
    found: Pixels = ((both + 128) >> 8).astype(np.uint8)
    return found
