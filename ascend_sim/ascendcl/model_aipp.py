"""Models, last part: parameters of image preprocessing (AIPP) are kept; giving them to a model is not modelled."""

from __future__ import annotations

from collections.abc import Callable

from ascend_sim.ascendcl.api import api
from ascend_sim.errors import AclError
from ascend_sim.runtime.tensors import live
from ascend_sim.runtime.thread_state import ThreadState

HEAD_BYTES, BATCH_BYTES = 64, 96
"""Of the parameters that the device reads: the tests of the real library say 160 bytes for one image."""


class Aipp:
    """What aclmdlCreateAIPP makes."""

    __slots__ = ("batch", "handle", "values")

    def __init__(self, batch: int) -> None:
        self.batch = batch
        self.handle = 0
        self.values: dict[str, tuple[int | float, ...]] = {}

    def describe(self) -> str:
        """The parameters in words."""
        return f"AIPP parameters {self.handle:#x} for {self.batch} images"


def _aipp(t: ThreadState, handle: int) -> Aipp:
    found = live(t, handle, Aipp, "AIPP parameters")
    if found is None:
        text = "aippParmsSet is NULL" if not handle else f"aippParmsSet {handle:#x} is not alive"
        raise AclError(100000, text, "acl")
    return found


@api("aclmdlCreateAIPP")
def create_aipp(t: ThreadState, batch: int) -> int:
    """Parameters for *batch* images; NULL for 0."""
    if not batch:
        raise AclError(100000, "batchSize is 0", "acl")
    made = Aipp(batch)
    made.handle = t.sim.new_handle(made)
    return made.handle


@api("aclmdlDestroyAIPP")
def destroy_aipp(t: ThreadState, handle: int) -> None:
    """Destroy a handle of aclmdlCreateAIPP. Codes: 100000 NULL."""
    t.sim.drop_handle(_aipp(t, handle).handle)


@api("aclmdlGetAippDataSize")
def get_aipp_data_size(t: ThreadState, batch: int) -> int:
    """Bytes of the parameters of *batch* images on the device. Codes: 100000 for 0."""
    if not batch:
        raise AclError(100000, "batchSize is 0", "acl")
    return HEAD_BYTES + BATCH_BYTES * batch


# What each setter takes behind the handle; the last ones name an image of the batch.
_WHOLE = ("InputFormat", "CscParams", "RbuvSwapSwitch", "AxSwapSwitch", "SrcImageSize")
_OF_AN_IMAGE = ("ScfParams", "CropParams", "PaddingParams", "DtcPixelMean", "DtcPixelMin", "PixelVarReci")


def _setter(name: str, of_an_image: bool) -> Callable[..., None]:
    def set_values(t: ThreadState, handle: int, *values: float) -> None:
        aipp = _aipp(t, handle)
        if of_an_image and values[-1] >= aipp.batch:
            raise AclError(100000, f"batchIndex is {values[-1]:.0f}: there are {aipp.batch} images", "acl")
        aipp.values[f"{name} {values[-1]:.0f}" if of_an_image else name] = values

    set_values.__doc__ = f"Keep {name}; the numbers are not checked. Codes: 100000 NULL" + (
        ", an image behind the batch." if of_an_image else "."
    )
    return set_values


for _name in (*_WHOLE, *_OF_AN_IMAGE):
    api(f"aclmdlSetAIPP{_name}")(_setter(_name, _name in _OF_AN_IMAGE))


WITHOUT, WITH_DYNAMIC = 0, 2
DYNAMIC_INPUT = "ascend_dynamic_aipp_data"
NO_INDEX = 0xFFFF_FFFF


@api("aclmdlGetAippType")
def get_aipp_type(t: ThreadState, number: int, index: int) -> tuple[int, int]:
    """Whether an input has preprocessing (2: with parameters at run time), and the input that carries them.

    Codes: 145001, 145003 unknown model; 100000 behind the end.
    """
    model = t.sim.models.get_static(t, number)
    inputs = model.description.inputs
    if index >= len(inputs):
        raise AclError(100000, f"index is {index}: {model.describe()} has {len(inputs)} inputs", "acl")
    names = [tensor.name for tensor in inputs]
    if not inputs[index].aipp:
        return WITHOUT, NO_INDEX
    return WITH_DYNAMIC, names.index(DYNAMIC_INPUT) if DYNAMIC_INPUT in names else NO_INDEX
