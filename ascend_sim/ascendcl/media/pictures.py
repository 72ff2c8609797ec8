"""Media: descriptors of pictures, of batches of pictures, and of pieces of a video stream."""

from __future__ import annotations

from collections.abc import Callable

from ascend_sim.ascendcl.api import api, require
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.media.descriptors import PictureBatch, PictureDesc, StreamDesc
from ascend_sim.media.rules import table
from ascend_sim.media.unit import created, destroyed
from ascend_sim.runtime.tensors.descriptors import required
from ascend_sim.runtime.thread_state import ThreadState

PICTURE, STREAM = "picture descriptor", "stream descriptor"
PICTURE_FIELDS = {
    "Data": "data", "Size": "size", "Format": "format", "Width": "width", "Height": "height",
    "WidthStride": "width_stride", "HeightStride": "height_stride", "RetCode": "ret_code",
}  # fmt: skip
STREAM_FIELDS = {
    "Data": "data", "Size": "size", "Format": "format", "Timestamp": "timestamp", "RetCode": "ret_code", "Eos": "eos",
}  # fmt: skip
FILLED_IN = {"width": "the width", "height": "the height", "size": "the size", "ret_code": "the code"}
"""What the task that writes a picture sets in its descriptor."""


@api("acldvppCreatePicDesc")
def create_pic_desc(t: ThreadState) -> int:
    """A descriptor that says 0 of everything; NULL without a context (of the first media call) or media units."""
    return created(t, lambda: PictureDesc(t))


@api("acldvppDestroyPicDesc")
def destroy_pic_desc(t: ThreadState, handle: int) -> None:
    """The pixels stay. Queued tasks that use it must be done. NULL is accepted. Codes: 500000 no media units."""
    picture = destroyed(t, handle, PictureDesc)
    if picture is not None and picture.batch is not None:
        text = f"{t.call} is called for {picture.describe()}, which belongs to {picture.batch.describe()}"
        t.sim.report_call(t, "undefined-use", "error", text, fix="acldvppDestroyBatchPicDesc destroys all of them")


@api("acldvppCreateStreamDesc")
def create_stream_desc(t: ThreadState) -> int:
    """A descriptor that says 0 of everything; NULL without a context (of the first media call) or media units."""
    return created(t, lambda: StreamDesc(t))


@api("acldvppDestroyStreamDesc")
def destroy_stream_desc(t: ThreadState, handle: int) -> None:
    """Its bytes stay. NULL is accepted. Codes: 500000 no media units."""
    destroyed(t, handle, StreamDesc)


@api("acldvppCreateBatchPicDesc")
def create_batch_pic_desc(t: ThreadState, count: int) -> int:
    """*count* (1 to 256) picture descriptors in one object, which owns them; NULL for another number."""
    if not 1 <= count <= table()["batch_most"]:
        text = f"batchSize is {count}: 1 to {table()['batch_most']} are possible"
        raise AclError(ACL_ERROR_INVALID_PARAM, text, "acl")
    return created(t, lambda: PictureBatch(t, count))


@api("acldvppDestroyBatchPicDesc")
def destroy_batch_pic_desc(t: ThreadState, handle: int) -> None:
    """All its picture descriptors go with it. NULL is accepted. Codes: 500000 no media units."""
    destroyed(t, handle, PictureBatch)


@api("acldvppGetPicDesc")
def get_pic_desc(t: ThreadState, handle: int, index: int) -> int:
    """The picture descriptor at *index*, owned by the batch; NULL behind the end."""
    batch = required(t, handle, PictureBatch, "batch of picture descriptors", "batchPicDesc")
    if index >= len(batch.pictures):
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"index is {index}: the batch has {len(batch.pictures)} pictures", "acl"
        )
    return batch.pictures[index].handle


def _setter(
    kind: type[PictureDesc] | type[StreamDesc], what: str, field: str
) -> Callable[[ThreadState, int, int], None]:
    parameter = "picDesc" if kind is PictureDesc else "streamDesc"

    def set_field(t: ThreadState, handle: int, value: int) -> None:
        desc = required(t, handle, kind, what, parameter)
        if field == "data":
            require(value, "dataDev")
        desc.pending.disturbed(t, desc, "changes")
        setattr(desc, field, value)

    needed = " and for a NULL address" if field == "data" else ""
    set_field.__doc__ = f"Set the {field.replace('_', ' ')}; nothing is checked here. Codes: 100000 for NULL{needed}."
    return set_field


def _getter(kind: type[PictureDesc] | type[StreamDesc], what: str, field: str) -> Callable[[ThreadState, int], int]:
    parameter = "picDesc" if kind is PictureDesc else "streamDesc"
    filled = FILLED_IN.get(field) if kind is PictureDesc else None

    def get_field(t: ThreadState, handle: int) -> int:
        desc = required(t, handle, kind, what, parameter)
        if filled is not None:
            desc.pending.read_early(t, desc, filled)
        value: int = getattr(desc, field)
        return value

    get_field.__doc__ = f"The {field.replace('_', ' ')}; 0 for NULL."
    return get_field


for _name, _field in PICTURE_FIELDS.items():
    api(f"acldvppSetPicDesc{_name}")(_setter(PictureDesc, PICTURE, _field))
    api(f"acldvppGetPicDesc{_name}")(_getter(PictureDesc, PICTURE, _field))
for _name, _field in STREAM_FIELDS.items():
    api(f"acldvppSetStreamDesc{_name}")(_setter(StreamDesc, STREAM, _field))
    api(f"acldvppGetStreamDesc{_name}")(_getter(StreamDesc, STREAM, _field))
