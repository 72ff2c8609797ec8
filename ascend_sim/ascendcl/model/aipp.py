"""Models: preprocessing of images (AIPP), its settings for a run and what a model says of it.

Ranges, order and codes are those of the real library (docs/semantics/models.md#image-preprocessing).
"""

from __future__ import annotations

from collections.abc import Iterable

from ascend_sim.ascendcl.api import api
from ascend_sim.ascendcl.structs import aclAippDims, aclAippInfo, aclmdlIODims
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.models.aipp import input_of, network_shapes, set_by_input, set_settings, type_of
from ascend_sim.models.aipp_parameters import ImageSettings, Parameters, data_bytes
from ascend_sim.models.datasets import Dataset, dataset_of
from ascend_sim.models.descs import MOST
from ascend_sim.om import Aipp
from ascend_sim.om.aipp import LARGEST_HALF, LARGEST_SIDE, MATRIX_HIGH, MATRIX_LOW, MOST_PADDING
from ascend_sim.runtime.tensors.descriptors import required
from ascend_sim.runtime.thread_state import ThreadState

FIRST_FORMAT, LAST_FORMAT = 1, 14
MOST_IMAGES = 1 << 16
"""The real call returns NULL where it runs out of memory."""
SMALLEST_SCALED, WIDEST_SCALED = 16, 1920
FEATURES = "features"
"""The name of what comes out of the preprocessing."""


def _aipp(t: ThreadState, handle: int) -> Parameters:
    return required(t, handle, Parameters, "AIPP parameters", "aippParmsSet")


def _image(t: ThreadState, handle: int, index: int) -> ImageSettings:
    aipp = _aipp(t, handle)
    if index >= len(aipp.images):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"batchIndex is {index}: there are {len(aipp.images)} images", "acl")
    return aipp.images[index]


def _within(values: Iterable[float], low: float, high: float, what: str) -> None:
    for value in values:
        if value < low or value > high:  # not a number passes, as in C
            raise AclError(ACL_ERROR_INVALID_PARAM, f"{what} is {value:g}: {low:g} to {high:g} is required", "acl")


def _switch(value: int, what: str) -> int:
    _within((value,), 0, 1, what)
    return value


@api("aclmdlCreateAIPP")
def create_aipp(t: ThreadState, batch: int) -> int:
    """Settings for *batch* images; NULL for 0."""
    if not batch:
        raise AclError(ACL_ERROR_INVALID_PARAM, "batchSize is 0", "acl")
    if batch > MOST_IMAGES:
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"batchSize is {batch}: the simulator keeps {MOST_IMAGES} at most", "acl"
        )
    made = Parameters(batch)
    made.handle = t.sim.new_handle(made)
    return made.handle


@api("aclmdlDestroyAIPP")
def destroy_aipp(t: ThreadState, handle: int) -> None:
    """Destroy a handle of aclmdlCreateAIPP. Codes: 100000 NULL."""
    t.sim.drop_handle(_aipp(t, handle).handle)


@api("aclmdlGetAippDataSize")
def get_aipp_data_size(t: ThreadState, batch: int) -> int:
    """Bytes of the settings of *batch* images on the device. Codes: 100000 for 0."""
    if not batch:
        raise AclError(ACL_ERROR_INVALID_PARAM, "batchSize is 0", "acl")
    return data_bytes(batch)


# -- settings of all images -------------------------------------------------------------------------------------------


@api("aclmdlSetAIPPInputFormat")
def set_aipp_input_format(t: ThreadState, handle: int, format_: int) -> None:
    """The format of the images, an aclAippInputFormat. Codes: 100000 NULL, no member."""
    aipp = _aipp(t, handle)
    _within((format_,), FIRST_FORMAT, LAST_FORMAT, "inputFormat")
    aipp.format = format_


@api("aclmdlSetAIPPCscParams")
def set_aipp_csc_params(t: ThreadState, handle: int, switch: int, *numbers: int) -> None:
    """Colour conversion: nine numbers of the matrix in 256ths, three output biases, three input biases.

    Off: the numbers are not looked at. The switch counts even when a number is refused. Codes: 100000 NULL, a switch
    other than 0 and 1, a matrix outside -32677 to 32676.
    """
    aipp = _aipp(t, handle)
    aipp.csc = _switch(switch, "cscSwitch")
    if switch:
        _within(numbers[:9], MATRIX_LOW, MATRIX_HIGH, "the colour matrix")
        aipp.matrix, aipp.output_bias, aipp.input_bias = numbers[:9], numbers[9:12], numbers[12:]


@api("aclmdlSetAIPPRbuvSwapSwitch")
def set_aipp_rbuv_swap_switch(t: ThreadState, handle: int, switch: int) -> None:
    """Exchange R and B, or U and V. Codes: 100000 NULL, other than 0 and 1."""
    _aipp(t, handle).rbuv_swap = _switch(switch, "rbuvSwapSwitch")


@api("aclmdlSetAIPPAxSwapSwitch")
def set_aipp_ax_swap_switch(t: ThreadState, handle: int, switch: int) -> None:
    """X or A comes first in memory. Codes: 100000 NULL, other than 0 and 1."""
    _aipp(t, handle).ax_swap = _switch(switch, "axSwapSwitch")


@api("aclmdlSetAIPPSrcImageSize")
def set_aipp_src_image_size(t: ThreadState, handle: int, width: int, height: int) -> None:
    """Size of the images in pixels. Codes: 100000 NULL, a width outside 2 to 4096, a height outside 1 to 4096."""
    aipp = _aipp(t, handle)
    _within((width,), 2, LARGEST_SIDE, "srcImageSizeW")
    _within((height,), 1, LARGEST_SIDE, "srcImageSizeH")
    aipp.width, aipp.height = width, height


# -- settings of one image: a switch counts even when a number behind it is refused -----------------------------------


@api("aclmdlSetAIPPScfParams")
def set_aipp_scf_params(
    t: ThreadState, handle: int, switch: int, in_w: int, in_h: int, out_w: int, out_h: int, index: int
) -> None:
    """Scaling: kept, and refused by aclmdlSetInputAIPP, as no product has it.

    Codes: 100000 NULL, an image behind the batch, a switch other than 0 and 1, sizes outside 16 to 4096 (1920 for the
    width that comes out).
    """
    image = _image(t, handle, index)
    image.scale = _switch(switch, "scfSwitch")
    if switch:
        _within((in_w, in_h), SMALLEST_SCALED, LARGEST_SIDE, "scfInputSize")
        _within((out_w,), SMALLEST_SCALED, WIDEST_SCALED, "scfOutputSizeW")
        _within((out_h,), SMALLEST_SCALED, LARGEST_SIDE, "scfOutputSizeH")
        image.scale_from, image.scale_to = (in_w, in_h), (out_w, out_h)


@api("aclmdlSetAIPPCropParams")
def set_aipp_crop_params(
    t: ThreadState, handle: int, switch: int, x: int, y: int, width: int, height: int, index: int
) -> None:
    """What is cut out, in pixels.

    Codes: 100000 NULL, an image behind the batch, a switch other than 0 and 1, a start outside 0 to 4095, a size
    outside 1 to 4096.
    """
    image = _image(t, handle, index)
    image.crop = _switch(switch, "cropSwitch")
    if switch:
        _within((x, y), 0, LARGEST_SIDE - 1, "cropStartPos")
        _within((width, height), 1, LARGEST_SIDE, "cropSize")
        image.crop_start, image.crop_size = (x, y), (width, height)


@api("aclmdlSetAIPPPaddingParams")
def set_aipp_padding_params(
    t: ThreadState, handle: int, switch: int, top: int, bottom: int, left: int, right: int, index: int
) -> None:
    """Pixels of 0 around the image. Codes: 100000 NULL, an image behind the batch, a switch, sizes outside 0 to 32."""
    image = _image(t, handle, index)
    image.padding = _switch(switch, "paddingSwitch")
    if switch:
        _within((top, bottom, left, right), 0, MOST_PADDING, "paddingSize")
        image.padding_size = (top, bottom, left, right)


@api("aclmdlSetAIPPDtcPixelMean")
def set_aipp_dtc_pixel_mean(t: ThreadState, handle: int, c0: int, c1: int, c2: int, c3: int, index: int) -> None:
    """The mean of each channel. Codes: 100000 NULL, an image behind the batch, outside 0 to 255."""
    image = _image(t, handle, index)
    _within((c0, c1, c2, c3), 0, 255, "dtcPixelMean")
    image.mean = (c0, c1, c2, c3)


@api("aclmdlSetAIPPDtcPixelMin")
def set_aipp_dtc_pixel_min(t: ThreadState, handle: int, c0: float, c1: float, c2: float, c3: float, index: int) -> None:
    """The least value of each channel, kept as float16. Codes: 100000 NULL, an image behind the batch, not 0 to 255."""
    image = _image(t, handle, index)
    _within((c0, c1, c2, c3), 0, 255, "dtcPixelMin")
    image.min = (c0, c1, c2, c3)


@api("aclmdlSetAIPPPixelVarReci")
def set_aipp_pixel_var_reci(
    t: ThreadState, handle: int, c0: float, c1: float, c2: float, c3: float, index: int
) -> None:
    """What each channel is multiplied with, kept as float16.

    Codes: 100000 NULL, an image behind the batch, outside -65504 to 65504.
    """
    image = _image(t, handle, index)
    _within((c0, c1, c2, c3), -LARGEST_HALF, LARGEST_HALF, "dtcPixelVarReci")
    image.var_reci = (c0, c1, c2, c3)


# -- a model and its settings -----------------------------------------------------------------------------------------


def _dataset(t: ThreadState, handle: int) -> Dataset:
    return required(t, handle, Dataset, "dataset", "dataset")


@api("aclmdlSetInputAIPP")
def set_input_aipp(t: ThreadState, number: int, dataset: int, index: int, handle: int) -> None:
    """Write the settings to the buffer at *index*, the input ``ascend_dynamic_aipp_data``; the next run reads them.

    Codes: 100000 NULL, another input, settings that are incomplete or do not make what the model takes, no buffer or
    address; 145001; 145003 unknown model; 145012 the buffer is too short; and as a copy to the device.
    """
    found = _dataset(t, dataset)
    set_settings(t, number, found, index, _aipp(t, handle))


@api("aclmdlSetAIPPByInputIndex")
def set_aipp_by_input_index(t: ThreadState, number: int, dataset: int, index: int, handle: int) -> None:
    """Write the settings of the input with the images, found by its index; the next run reads them.

    Codes: 100000 NULL, behind the end of the dataset; 145001; 145003; 500000 that input has no dynamic AIPP; else as
    aclmdlSetInputAIPP.
    """
    aipp = _aipp(t, handle)
    set_by_input(t, number, dataset_of(t, dataset), index, aipp)


@api("aclmdlGetAippType")
def get_aipp_type(t: ThreadState, number: int, index: int) -> tuple[int, int]:
    """An aclmdlInputAippType, and for dynamic AIPP the index of the input with the settings, else 0xFFFFFFFF.

    Codes: 145001, 145003 unknown model; 100000 behind the end.
    """
    return type_of(*input_of(t, number, index))


@api("aclmdlGetFirstAippInfo")
def get_first_aipp_info(t: ThreadState, number: int, index: int) -> aclAippInfo:
    """The preprocessing of an input; of dynamic AIPP only what the network takes (srcFormat and what follows).

    Codes: 145001, 145003 unknown model; 100000 behind the end; 145015 no AIPP there; 500002 more than 128 gears.
    """
    model, said = input_of(t, number, index)
    shapes = network_shapes(model, said)
    assert said.aipp is not None
    made = _static_info(said.aipp) if said.aipp.is_static else aclAippInfo()
    made.srcFormat, made.srcDatatype, made.srcDimNum = said.format, said.data_type, len(said.dims)
    made.shapeCount = len(shapes)
    for dims, size in shapes:
        source, result = (aclmdlIODims(name[: MOST - 1], len(dims), list(dims)) for name in (said.name, FEATURES))
        made.outDims.append(aclAippDims(source, size, result, size))
    return made


def _static_info(aipp: Aipp) -> aclAippInfo:
    made = aclAippInfo(
        inputFormat=aipp.input_format, srcImageSizeW=aipp.src_image_size_w, srcImageSizeH=aipp.src_image_size_h,
        cscSwitch=int(aipp.csc_switch), rbuvSwapSwitch=int(aipp.rbuv_swap_switch), axSwapSwitch=int(aipp.ax_swap_switch),
    )  # fmt: skip
    if aipp.crop:
        made.cropSwitch = 1
        made.loadStartPosW, made.loadStartPosH = aipp.load_start_pos_w, aipp.load_start_pos_h
        made.cropSizeW, made.cropSizeH = aipp.crop_size_w, aipp.crop_size_h
    if aipp.padding:
        made.paddingSwitch = 1
        made.leftPaddingSize, made.rightPaddingSize = aipp.left_padding_size, aipp.right_padding_size
        made.topPaddingSize, made.bottomPaddingSize = aipp.top_padding_size, aipp.bottom_padding_size
    if aipp.csc_switch:
        for i, number in enumerate(aipp.colour_matrix):
            setattr(made, f"matrixR{i // 3}C{i % 3}", number)
        for i in range(3):
            setattr(made, f"outputBias{i}", aipp.output_bias[i])
            setattr(made, f"inputBias{i}", aipp.input_bias[i])
    for i in range(4):
        setattr(made, f"meanChn{i}", aipp.mean[i])
        setattr(made, f"minChn{i}", aipp.min[i])
        setattr(made, f"varReciChn{i}", aipp.var_reci[i])
    return made
