"""An input that takes images (AIPP): how it looks from outside, and how an execution reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve

from ascend_sim.constants.errors import ACL_ERROR_RT_MODEL_EXECUTE
from ascend_sim.machine.data_types import numpy_type
from ascend_sim.machine.faults import AddressFault
from ascend_sim.models.aipp_parameters import Parameters, data_bytes, output_size
from ascend_sim.models.images import ImageError, check, preprocess
from ascend_sim.models.shapes import NCHW, Dims, largest_image
from ascend_sim.om.aipp import CHANNELS, YUV420SP
from ascend_sim.ops.computation import Tensor, tensor
from ascend_sim.runtime.memory.transfers import Place
from ascend_sim.runtime.task import TaskFault
from ascend_sim.runtime.tensors.descriptors import DataBuffer, TensorDesc

if TYPE_CHECKING:
    from ascend_sim.om import TensorDescription
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["ImageInput", "dims_by_settings", "packed_dims", "presented"]

UINT8, NHWC, ND = 4, 1, 2


def _sides(said: TensorDescription, dims: Dims) -> tuple[int, int]:
    return (dims[2], dims[3]) if said.format == NCHW else (dims[1], dims[2])


def presented(said: TensorDescription) -> TensorDescription:
    """The input as aclmdlGetDesc describes it: bytes in NHWC. Of dynamic preprocessing only the batch is known."""
    aipp = said.aipp
    if aipp is None:
        return said
    if not aipp.is_static:
        return evolve(said, data_type=UINT8, dims=(said.dims[0], -1, -1, -1), format=NHWC, ranges=())
    height, width = aipp.source_size(*_sides(said, said.dims))
    dims = (said.dims[0], height, width, CHANNELS[aipp.input_format])
    return evolve(said, data_type=UINT8, dims=dims, format=NHWC, ranges=())


def packed_dims(said: TensorDescription) -> Dims:
    """The dims whose product is the size of the images: what aclmdlGetInputDimsV2 answers for a presented input."""
    if said.aipp is None or not said.aipp.is_static or said.aipp.input_format != YUV420SP:
        return said.dims
    batch, height, width = said.dims[:3]
    return batch, height if height < 0 else height * 3 // 2, width, 1


def dims_by_settings(t: ThreadState, said: TensorDescription, settings: DataBuffer) -> Dims | None:
    """What the network gets by the settings that stand in device memory now; None when there are none."""
    head = _peek(t, settings, data_bytes(1))
    batch = head[4] if head is not None else 0
    data = _peek(t, settings, data_bytes(batch)) if 0 < batch < 128 else None
    if data is None:
        return None
    given = Parameters.unpack(data, batch)
    try:
        check(given)
        width, height = output_size(given, 0, 0)
    except ImageError:
        return None
    if said.format == NCHW:
        return batch, said.dims[1], height, width
    return batch, height, width, said.dims[3]


def _peek(t: ThreadState, buffer: DataBuffer, nbytes: int) -> bytes | None:
    if buffer.size < nbytes:
        return None
    try:
        t.sim.memory.check(buffer.address, nbytes, False)
        return bytes(t.sim.memory.view(buffer.address, nbytes, False))
    except AddressFault:
        return None


class ImageInput:
    """One operand of an execution: the bytes of images where the network wants a tensor."""

    __slots__ = ("dims", "fixed", "format", "nbytes", "pixels", "settings", "type", "what")

    def __init__(
        self, t: ThreadState, said: TensorDescription, dims: Dims, buffer: DataBuffer, settings: DataBuffer | None,
        device: int, what: str,
    ) -> None:  # fmt: skip
        assert said.aipp is not None
        self.what = what
        self.dims = dims
        self.format = said.format
        self.type = numpy_type(said.data_type)
        self.fixed: Parameters | None = None
        self.settings: Tensor | None = None
        if said.aipp.is_static:
            most = largest_image(said, dims)
            self.fixed = Parameters.static(said.aipp, dims[0], *_sides(said, dims))
        else:
            most = min(buffer.size, said.aipp.max_src_image_size or buffer.size)
            assert settings is not None
            wanted = TensorDesc(UINT8, [data_bytes(dims[0])], ND)
            self.settings = tensor(t, wanted, settings, False, device, f"the settings of {what}")
        self.nbytes = most
        self.pixels = tensor(t, TensorDesc(UINT8, [most], ND), buffer, False, device, what)

    @property
    def parts(self) -> list[Tensor]:
        """The memory that it may read."""
        return [self.pixels] if self.settings is None else [self.pixels, self.settings]

    def read(self, task: Task, code: int) -> Any:
        """The tensor of the network. Raises TaskFault."""
        try:
            if self.fixed is not None:
                data = self.pixels.read(task, code)
                given = self.fixed
            else:
                given, data = self._dynamic(task, code)
            return preprocess(given, np.zeros(0, np.uint8) if data is None else data, self.dims, self.format, self.type)
        except ImageError as error:
            raise TaskFault(ACL_ERROR_RT_MODEL_EXECUTE, f"{self.what}: {error}") from None

    def _dynamic(self, task: Task, code: int) -> tuple[Parameters, Any]:
        """The settings as they are by now, and exactly the bytes that they ask for."""
        assert self.settings is not None
        written = self.settings.read(task, code)
        assert written is not None
        given = Parameters.unpack(written.tobytes(), self.dims[0])
        check(given)
        wanted = given.source_bytes
        if wanted > self.nbytes:
            raise ImageError(f"the images have {wanted} bytes, there is room for {self.nbytes}")
        place = self.pixels.place
        if place is None or wanted == self.nbytes:
            return given, self.pixels.read(task, code)
        exact = Tensor(np.dtype(np.uint8), (wanted,))
        exact.place = Place(place.sim, place.block, place.address, wanted, False)
        return given, exact.read(task, code)
