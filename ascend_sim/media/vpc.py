"""Scaling, cutting and pasting (VPC): one task of one or many cuts, each from an input into an output.

See docs/semantics/media.md#scaling-cutting-pasting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ascend_sim.media.configurations import Border, Rectangle
from ascend_sim.media.layouts import DIRECT, Layout, check_area, check_picture
from ascend_sim.media.pixels.borders import bordered
from ascend_sim.media.pixels.conversion import store
from ascend_sim.media.pixels.pixel_formats import PixelFormat, pixel_format
from ascend_sim.media.pixels.planes import Area, Image, image_of, rows_of
from ascend_sim.media.pixels.scaling import scale
from ascend_sim.media.tasks import MediaTask, Operand, refuse_layout

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ascend_sim.media.channels import PictureChannel
    from ascend_sim.media.rules import MediaRules
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["Cut", "PictureOperation", "Vpc", "scaled"]


class Cut(NamedTuple):
    """What of *source* goes where in *target*; no rectangle: all of it."""

    source: Operand
    target: Operand
    crop: Rectangle | None = None
    paste: Rectangle | None = None
    border: Border | None = None


def scaled(image: Image, width: int, height: int, algorithm: int) -> Image:
    """*image* with another size: each plane for itself, chroma at its own size."""
    if image.size == (width, height):
        return image
    if image.colours is not None:
        alpha = None if image.alpha is None else scale(image.alpha, width, height, algorithm)
        return Image(colours=scale(image.colours, width, height, algorithm), alpha=alpha)
    assert image.luma is not None
    chroma = image.chroma
    if chroma is not None:
        chroma = scale(chroma, -(-width // image.across), -(-height // image.down), algorithm)
    return Image(scale(image.luma, width, height, algorithm), chroma, image.across, image.down)


def _area(rectangle: Rectangle | None, width: int, height: int) -> Area:
    if rectangle is None:
        return Area(0, 0, width, height)
    return Area(rectangle.left, rectangle.top, rectangle.width, rectangle.height)


class PictureOperation(MediaTask):
    """A task that reads pictures and writes pictures."""

    rate = "vpc_rate"

    def __init__(self, rules: MediaRules, channel: PictureChannel, name: str) -> None:
        super().__init__(rules, channel)
        self.name = name

    def add(self, source: Operand, target: Operand | None) -> None:
        """Two pictures more."""
        self.operands.append(source)
        if target is not None:
            self.operands.append(target)
            if target.desc not in self.outputs:
                self.outputs.append(target.desc)

    def check_at_call(self, t: ThreadState) -> None:
        """Refuse pictures against the rules, on products that look at the call. Raises AclError 100000."""
        if not self.rules.strict:
            return
        for operand in self.operands:
            layout = Layout.of(operand.desc)
            fault = check_picture(self.rules, layout, operand.desc in self.outputs)
            if fault is not None:
                raise refuse_layout(t, operand.describe(layout), fault)

    def layout_of(self, task: Task, operand: Operand, output: bool) -> tuple[PixelFormat, Layout]:
        """What a descriptor says as the task runs. Raises TaskFault when that is against the rules."""
        layout = operand.layout()
        fault = check_picture(self.rules, layout, output)
        if fault is not None:
            raise self.broken(task, operand.describe(layout), fault)
        form = pixel_format(layout.format)
        assert form is not None
        return form, layout.even(form)

    def image(
        self, task: Task, operand: Operand, form: PixelFormat, layout: Layout, area: Area, write: bool
    ) -> Image | None:
        """The pixels of *area*, observers told of its rows; None when a write goes to memory that is gone."""
        data = operand.memory.reach(task)
        planes = form.planes(layout.width, layout.height, layout.width_stride, layout.height_stride)
        rows = rows_of(form, planes, area)
        if write and area == Area(0, 0, layout.width, layout.height):
            operand.memory.tell_whole(task, form.size(layout.width_stride, layout.height_stride))
        else:
            operand.memory.tell(task, rows, write)
        return None if data is None else image_of(form, data, rows, area)

    def finish(self, operand: Operand, layout: Layout) -> None:
        """Write back what the device says of an output."""
        operand.desc.width, operand.desc.height = layout.width, layout.height


class Vpc(PictureOperation):
    """Cuts of one call, in their order. *algorithm*: the number of a resize configuration."""

    def __init__(self, rules: MediaRules, channel: PictureChannel, name: str, algorithm: int) -> None:
        super().__init__(rules, channel, name)
        self.algorithm = algorithm
        self.cuts: list[Cut] = []

    def cut(self, cut: Cut) -> None:
        """One more."""
        self.cuts.append(cut)
        self.add(cut.source, cut.target)

    def parts(self) -> Iterable[tuple[Operand, Area | None]]:
        for cut in self.cuts:
            for operand, rectangle in ((cut.source, cut.crop), (cut.target, cut.paste)):
                sound = rectangle is not None and rectangle.width > 0 and rectangle.height > 0
                yield operand, _area(rectangle, 0, 0) if sound else None

    def run(self, task: Task) -> None:
        for cut in self.cuts:
            self._run(task, cut)

    def _run(self, task: Task, cut: Cut) -> None:
        form, layout = self.layout_of(task, cut.source, False)
        target_form, target_layout = self.layout_of(task, cut.target, True)
        for rectangle, into, pasted in ((cut.crop, layout, False), (cut.paste, target_layout, True)):
            fault = None if rectangle is None else check_area(self.rules, rectangle, into.width, into.height, pasted)
            if fault is not None:
                operand = cut.target if pasted else cut.source
                raise self.broken(task, f"{operand.describe(into)}:", fault)
        crop = _area(cut.crop, layout.width, layout.height)
        paste = _area(cut.paste, target_layout.width, target_layout.height)
        if cut.border is not None:
            paste = self._inside(task, cut, target_layout, cut.border)
        self._look_at_ratio(task, cut, crop, paste)
        image = self.image(task, cut.source, form, layout, crop, False)
        if image is None:
            return
        self._own_filter(task, image, paste)
        made = scaled(image, paste.width, paste.height, self.algorithm)
        if cut.border is not None:
            made = bordered(made, cut.border)
            paste = _area(None, target_layout.width, target_layout.height)
        target = self.image(task, cut.target, target_form, target_layout, paste, True)
        if target is not None:
            store(made, target, self.channel.matrix)
        self.finish(cut.target, target_layout)

    def _inside(self, task: Task, cut: Cut, layout: Layout, border: Border) -> Area:
        """Where the pixels of a bordered output are."""
        width, height = layout.width - border.left - border.right, layout.height - border.top - border.bottom
        if width < 1 or height < 1:
            raise self.fault(task, f"the border leaves nothing of {cut.target.describe(layout)}")
        return Area(border.left, border.top, width, height)

    def _look_at_ratio(self, task: Task, cut: Cut, crop: Area, paste: Area) -> None:
        least, most = DIRECT
        for side, have, want in (("width", crop.width, paste.width), ("height", crop.height, paste.height)):
            if not least <= want / have <= most:
                text = (
                    f"{self.name}: {side} {have} of {cut.source.desc.describe()} becomes {want}: products scale by "
                    f"1/{round(1 / least)} to {most} in one step"
                )
                self.say_once(task, "picture-layout", f"ratio {side}", text, "scale in two steps")

    def _own_filter(self, task: Task, image: Image, paste: Area) -> None:
        if image.size == (paste.width, paste.height) or self.algorithm not in self.rules.own_filters:
            return
        self.say_once(
            task, "not-modelled", "own filter",
            f"{self.name} uses algorithm {self.algorithm}, a filter of the product's own: bilinear here, so that pixels "
            "differ from those of the device",
        )  # fmt: skip
