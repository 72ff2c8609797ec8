"""Media: scaling, cutting, pasting, colours, borders, pyramids, histograms (VPC)."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.api import api
from ascend_sim.ascendcl.arguments import integers
from ascend_sim.ascendcl.media.operations import begin, check_format, operand_of, picture_of
from ascend_sim.constants.errors import (
    ACL_ERROR_FEATURE_UNSUPPORTED,
    ACL_ERROR_INVALID_PARAM,
)
from ascend_sim.errors import AclError
from ascend_sim.media.configurations import Border, BorderConfig, Rectangle, ResizeConfig, RoiConfig
from ascend_sim.media.descriptors import PictureBatch, PictureDesc
from ascend_sim.media.histograms import Histogram, LookupTable
from ascend_sim.media.layouts import Layout
from ascend_sim.media.pixels.borders import KINDS
from ascend_sim.media.rules import MediaRules, table
from ascend_sim.media.statistics import CountPixels, HalvePicture, ReplaceValues
from ascend_sim.media.vpc import Cut, PictureOperation, Vpc
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.tensors.descriptors import required
from ascend_sim.runtime.thread_state import ThreadState

DEFAULT = 0
"""The algorithm of functions without a resize configuration."""


def _algorithm(t: ThreadState, rules: MediaRules, handle: int) -> int:
    config = required(t, handle, ResizeConfig, "resize configuration", "resizeConfig")
    if config.interpolation not in rules.interpolations:
        text = f"interpolation is {config.interpolation}: {t.sim.profile.name} has {rules.interpolations}"
        raise AclError(ACL_ERROR_FEATURE_UNSUPPORTED, text, "acl")
    return config.interpolation


def _rectangle(t: ThreadState, handle: int, parameter: str) -> Rectangle:
    return required(t, handle, RoiConfig, "roi configuration", parameter).area


def _border(t: ThreadState, handle: int) -> Border:
    border = required(t, handle, BorderConfig, "border configuration", "borderConfig").border()
    if border.kind not in KINDS:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"the kind of the border is {border.kind}: 0 to 3 exist", "acl")
    return border


class _Pictures:
    """The input and the output of an operation, with their formats tested."""

    def __init__(
        self, t: ThreadState, channel: int, source: int, target: int, feature: str = "",
        uses: tuple[str, str] = ("vpc_input", "vpc_output"),
    ) -> None:  # fmt: skip
        self.rules, self.channel = begin(t, channel, feature)
        self.source = picture_of(t, source, "inputDesc")
        self.target = picture_of(t, target, "outputDesc")
        check_format(t, self.rules, uses[0], self.source.format, "inputDesc")
        check_format(t, self.rules, uses[1], self.target.format, "outputDesc")


def _one(
    t: ThreadState, found: _Pictures, stream: int, name: str, algorithm: int, crop: Rectangle | None = None,
    paste: Rectangle | None = None, border: Border | None = None,
) -> None:  # fmt: skip
    target = t.stream(stream)
    device = target.context.device.index
    action = Vpc(found.rules, found.channel, name, algorithm)
    source = operand_of(t, found.source, False, device, "input")
    output = operand_of(t, found.target, True, device, "output")
    action.cut(Cut(source, output, crop, paste, border))
    _queue(t, action, target)


def _queue(t: ThreadState, action: PictureOperation, stream: Stream) -> None:
    action.check_at_call(t)
    action.submit(t, stream)


@api("acldvppVpcResizeAsync")
def vpc_resize_async(t: ThreadState, channel: int, source: int, target: int, config: int, stream: int) -> None:
    """Queue the scaling of one picture into another, whose format may be another one.

    Codes: 100000 NULL, a channel that was not created, (310B, A2, A3) strides and sizes against the rules; 100027 a
    format that the product does not take; 200006 an algorithm that it has not; 107002, 107003 as any task.
    """
    found = _Pictures(t, channel, source, target)
    _one(t, found, stream, "VPC resize", _algorithm(t, found.rules, config))


@api("acldvppVpcCropAsync")
def vpc_crop_async(t: ThreadState, channel: int, source: int, target: int, crop: int, stream: int) -> None:
    """Queue the copy of a rectangle; it is scaled where the output has another size. Codes: 100000, 100027 as a resize."""
    found = _Pictures(t, channel, source, target)
    _one(t, found, stream, "VPC crop", DEFAULT, _rectangle(t, crop, "cropArea"))


@api("acldvppVpcCropResizeAsync")
def vpc_crop_resize_async(
    t: ThreadState, channel: int, source: int, target: int, crop: int, config: int, stream: int
) -> None:
    """Queue the copy of a rectangle, scaled to the output as the configuration says. Codes: 100000 as a resize."""
    found = _Pictures(t, channel, source, target)
    area = _rectangle(t, crop, "cropArea")
    _one(t, found, stream, "VPC crop and resize", _algorithm(t, found.rules, config), area)


@api("acldvppVpcCropAndPasteAsync")
def vpc_crop_and_paste_async(
    t: ThreadState, channel: int, source: int, target: int, crop: int, paste: int, stream: int
) -> None:
    """Queue the copy of a rectangle into another one, scaled; the rest of the output stays. Codes: 100000 as a resize."""
    found = _Pictures(t, channel, source, target)
    areas = _rectangle(t, crop, "cropArea"), _rectangle(t, paste, "pasteArea")
    _one(t, found, stream, "VPC crop and paste", DEFAULT, *areas)


@api("acldvppVpcCropResizePasteAsync")
def vpc_crop_resize_paste_async(
    t: ThreadState, channel: int, source: int, target: int, crop: int, paste: int, config: int, stream: int
) -> None:
    """As acldvppVpcCropAndPasteAsync, scaled as the configuration says. Codes: 100000 as a resize."""
    found = _Pictures(t, channel, source, target)
    areas = _rectangle(t, crop, "cropArea"), _rectangle(t, paste, "pasteArea")
    _one(t, found, stream, "VPC crop, resize and paste", _algorithm(t, found.rules, config), *areas)


@api("acldvppVpcConvertColorAsync")
def vpc_convert_color_async(t: ThreadState, channel: int, source: int, target: int, stream: int) -> None:
    """Queue the conversion of a picture into the format of another one of its size (0: its size).

    Codes: 200006 on 310 and 910; 100000 NULL, a size or stride of 0, another size; 100027 a format.
    """
    found = _Pictures(t, channel, source, target, "convert_color")
    have, want = Layout.of(found.source), Layout.of(found.target)
    if not (have.width and have.height and have.width_stride and have.height_stride):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"inputDesc says {have}: sizes and strides must not be 0", "acl")
    if want.width not in (0, have.width) or want.height not in (0, have.height):
        text = f"outputDesc is {want.width} x {want.height}, inputDesc {have.width} x {have.height}: the sizes must be equal"
        raise AclError(ACL_ERROR_INVALID_PARAM, text, "acl")
    if not (want.width and want.height):
        found.target.width, found.target.height = have.width, have.height
    _one(t, found, stream, "VPC convert color", DEFAULT)


@api("acldvppVpcMakeBorderAsync")
def vpc_make_border_async(t: ThreadState, channel: int, source: int, target: int, config: int, stream: int) -> None:
    """Queue the copy of a picture with a border around it. Codes: 200006 on 310 and 910; 100000, 100027 as a resize."""
    found = _Pictures(t, channel, source, target, "make_border")
    _one(t, found, stream, "VPC border", DEFAULT, border=_border(t, config))


def _no_reserve(reserve: int) -> None:
    if reserve:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"reserve is {reserve:#x}: it must be NULL", "acl")


@api("acldvppVpcPyrDownAsync")
def vpc_pyr_down_async(t: ThreadState, channel: int, source: int, target: int, reserve: int, stream: int) -> None:
    """Queue the next step of a pyramid: filtered, then half as wide and high; gray pictures only.

    Codes: 200006 on 310 and 910; 100000 NULL, a reserve that is not; 100027 another format than YUV400.
    """
    begin(t, channel, "pyr_down")
    _no_reserve(reserve)
    found = _Pictures(t, channel, source, target, "pyr_down", ("pyr_down", "pyr_down"))
    queue = t.stream(stream)
    device = queue.context.device.index
    source_operand = operand_of(t, found.source, False, device, "input")
    output = operand_of(t, found.target, True, device, "output")
    _queue(t, HalvePicture(found.rules, found.channel, source_operand, output), queue)


@api("acldvppVpcCalcHistAsync")
def vpc_calc_hist_async(t: ThreadState, channel: int, source: int, hist: int, reserve: int, stream: int) -> None:
    """Queue the counting of a picture's values. Codes: 200006 on 310 and 910; 100000 NULL, a reserve; 100027 the format."""
    rules, opened = begin(t, channel, "calc_hist")
    desc = picture_of(t, source, "srcPicDesc")
    histogram = required(t, hist, Histogram, "histogram", "hist")
    _no_reserve(reserve)
    check_format(t, rules, "calc_hist", desc.format, "srcPicDesc")
    queue = t.stream(stream)
    operand = operand_of(t, desc, False, queue.context.device.index, "input")
    _queue(t, CountPixels(rules, opened, operand, histogram), queue)


@api("acldvppVpcEqualizeHistAsync")
def vpc_equalize_hist_async(t: ThreadState, channel: int, source: int, target: int, lut: int, stream: int) -> None:
    """Queue the replacement of each value by that of a table.

    Codes: 200006 on 310 and 910; 100000 NULL, an output of another format, size or stride; 100027 the format.
    """
    rules, opened = begin(t, channel, "equalize_hist")
    desc, output = picture_of(t, source, "inputDesc"), picture_of(t, target, "outputDesc")
    values = required(t, lut, LookupTable, "lookup table", "lutMap").values.copy()
    check_format(t, rules, "equalize_hist", desc.format, "inputDesc")
    have, want = Layout.of(desc), Layout.of(output)
    if have[2:] != want[2:]:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"outputDesc says {want}, inputDesc {have}: both must be alike", "acl")
    queue = t.stream(stream)
    device = queue.context.device.index
    source_operand, output_operand = (
        operand_of(t, desc, False, device, "input"), operand_of(t, output, True, device, "output")
    )  # fmt: skip
    _queue(t, ReplaceValues(rules, opened, source_operand, output_operand, values), queue)


# -- batches -----------------------------------------------------------------------------------------------------------


class _Batch:
    """The pictures of a batch operation, which cut goes from which into which, and their formats tested."""

    def __init__(
        self, t: ThreadState, channel: int, source: int, counts: Any, size: int, target: int, config: int | None,
        feature: str = "",
    ) -> None:  # fmt: skip
        self.t = t
        self.rules, self.channel = begin(t, channel, feature)
        what = "batch of picture descriptors"
        self.sources = required(t, source, PictureBatch, what, "srcBatchPicDescs")
        self.targets = required(t, target, PictureBatch, what, "dstBatchPicDescs")
        if counts is None:
            raise AclError(ACL_ERROR_INVALID_PARAM, "roiNums is NULL", "acl")
        if not size or len(self.sources.pictures) < size:
            text = f"size is {size}: 1 to {len(self.sources.pictures)}, the pictures of srcBatchPicDescs, are possible"
            raise AclError(ACL_ERROR_INVALID_PARAM, text, "acl")
        self.algorithm = DEFAULT if config is None else _algorithm(t, self.rules, config)
        for use, batch, name in (
            ("vpc_input", self.sources, "srcBatchPicDescs"), ("vpc_output", self.targets, "dstBatchPicDescs"),
        ):  # fmt: skip
            for picture in batch.pictures:
                check_format(t, self.rules, use, picture.format, name)
        self.counts = integers(counts, size, "roiNums", 4)
        if any(not 1 <= count <= 0xFFFF for count in self.counts):
            raise AclError(ACL_ERROR_INVALID_PARAM, f"roiNums is {self.counts}: none may be 0 or above 65535", "acl")
        self.total = sum(self.counts)
        most = min(table()["batch_most"], len(self.targets.pictures))
        if self.total > most:
            text = f"roiNums asks for {self.total} cuts: 1 to {most}, the pictures of dstBatchPicDescs, are possible"
            raise AclError(ACL_ERROR_INVALID_PARAM, text, "acl")

    def handles(self, given: Any, what: str) -> list[int]:
        """One handle for each cut."""
        if given is None:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"{what} is NULL", "acl")
        return integers(given, self.total, what)

    def rectangles(self, given: Any, what: str) -> list[Rectangle]:
        """One rectangle for each cut."""
        return [_rectangle(self.t, handle, what) for handle in self.handles(given, what)]

    def queue(
        self, stream: int, name: str, crops: list[Rectangle], pastes: list[Rectangle] | None = None,
        borders: list[Border] | None = None,
    ) -> None:  # fmt: skip
        """All cuts as one task."""
        t = self.t
        target = t.stream(stream)
        device = target.context.device.index
        action = Vpc(self.rules, self.channel, name, self.algorithm)
        place = 0
        for index, count in enumerate(self.counts):
            source = self._operand(self.sources.pictures[index], False, device, f"input {index}")
            for _ in range(count):
                output = self._operand(self.targets.pictures[place], True, device, f"output {place}")
                paste = None if pastes is None else pastes[place]
                border = None if borders is None else borders[place]
                action.cut(Cut(source, output, crops[place], paste, border))
                place += 1
        _queue(t, action, target)

    def _operand(self, desc: PictureDesc, write: bool, device: int, what: str) -> Any:
        return operand_of(self.t, desc, write, device, what)


@api("acldvppVpcBatchCropAsync")
def vpc_batch_crop_async(
    t: ThreadState, channel: int, source: int, counts: Any, size: int, target: int, crops: Any, stream: int
) -> None:
    """Queue many cuts: picture i of the input gives roiNums[i] of them, in order, into the pictures of the output.

    Codes: 100000 NULL, more cuts than pictures, a count of 0; 100027 a format; as acldvppVpcCropAsync else.
    """
    batch = _Batch(t, channel, source, counts, size, target, None)
    batch.queue(stream, "VPC batch crop", batch.rectangles(crops, "cropAreas"))


@api("acldvppVpcBatchCropResizeAsync")
def vpc_batch_crop_resize_async(
    t: ThreadState, channel: int, source: int, counts: Any, size: int, target: int, crops: Any, config: int, stream: int
) -> None:
    """As acldvppVpcBatchCropAsync, scaled as the configuration says. Codes: 100000, 100027, 200006."""
    batch = _Batch(t, channel, source, counts, size, target, config)
    batch.queue(stream, "VPC batch crop and resize", batch.rectangles(crops, "cropAreas"))


@api("acldvppVpcBatchCropAndPasteAsync")
def vpc_batch_crop_and_paste_async(
    t: ThreadState, channel: int, source: int, counts: Any, size: int, target: int, crops: Any, pastes: Any, stream: int
) -> None:
    """As acldvppVpcBatchCropAsync, each into a rectangle of its output. Codes: 100000, 100027."""
    batch = _Batch(t, channel, source, counts, size, target, None)
    areas = batch.rectangles(crops, "cropAreas"), batch.rectangles(pastes, "pasteAreas")
    batch.queue(stream, "VPC batch crop and paste", *areas)


@api("acldvppVpcBatchCropResizePasteAsync")
def vpc_batch_crop_resize_paste_async(
    t: ThreadState, channel: int, source: int, counts: Any, size: int, target: int, crops: Any, pastes: Any, config: int,
    stream: int,
) -> None:  # fmt: skip
    """As acldvppVpcBatchCropAndPasteAsync, scaled as the configuration says. Codes: 100000, 100027, 200006."""
    batch = _Batch(t, channel, source, counts, size, target, config)
    areas = batch.rectangles(crops, "cropAreas"), batch.rectangles(pastes, "pasteAreas")
    batch.queue(stream, "VPC batch crop, resize and paste", *areas)


@api("acldvppVpcBatchCropResizeMakeBorderAsync")
def vpc_batch_crop_resize_make_border_async(
    t: ThreadState, channel: int, source: int, counts: Any, size: int, target: int, crops: Any, borders: Any, config: int,
    stream: int,
) -> None:  # fmt: skip
    """As acldvppVpcBatchCropResizeAsync, each with a border around it. Codes: 100000, 100027, 200006."""
    batch = _Batch(t, channel, source, counts, size, target, config, "batch_make_border")
    areas = batch.rectangles(crops, "cropAreas")
    made = [_border(t, handle) for handle in batch.handles(borders, "borderConfigs")]
    batch.queue(stream, "VPC batch border", areas, None, made)
