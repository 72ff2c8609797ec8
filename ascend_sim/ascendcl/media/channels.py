"""Media: channels for pictures."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api
from ascend_sim.ascendcl.arguments import peek
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.constants.media import ACL_DVPP_CSC_MATRIX_UINT32
from ascend_sim.errors import AclError
from ascend_sim.machine import host_memory
from ascend_sim.media.channels import PictureChannel
from ascend_sim.media.rules import table
from ascend_sim.media.unit import MediaUnit, created, destroyed, needs
from ascend_sim.runtime.tensors.descriptors import required
from ascend_sim.runtime.thread_state import ThreadState

WORD = 4


def _checked(t: ThreadState, handle: int) -> PictureChannel:
    return required(t, handle, PictureChannel, "channel descriptor", "channelDesc")


@api("acldvppCreateChannelDesc")
def create_channel_desc(t: ThreadState) -> int:
    """A descriptor with all modes; NULL without a context or media units."""
    return created(t, lambda: PictureChannel(t, t.sim.part(MediaUnit).next_channel()))


@api("acldvppDestroyChannelDesc")
def destroy_channel_desc(t: ThreadState, handle: int) -> None:
    """Destroy the channel first. NULL is accepted. Codes: 500000 no media units."""
    channel = destroyed(t, handle, PictureChannel)
    if channel is not None and channel.open:
        text = f"{t.call} is called for {channel.describe()} before acldvppDestroyChannel: the channel is lost"
        t.sim.report_call(t, "leak", "warning", text, fix="acldvppDestroyChannel first")


@api("acldvppCreateChannel")
def create_channel(t: ThreadState, handle: int) -> None:
    """Make the channel that the descriptor describes; waits for the device.

    Codes: 100000 NULL, 107002 no context, 500000 no media units, no channel left.
    """
    channel = _checked(t, handle)
    unit = t.sim.part(MediaUnit)
    unit.find(t)
    unit.create(t, channel)


@api("acldvppDestroyChannel")
def destroy_channel(t: ThreadState, handle: int) -> None:
    """Close the channel; waits for the device. The descriptor stays. Codes: 100000 NULL, 500000 no media units."""
    channel = _checked(t, handle)
    unit = t.sim.part(MediaUnit)
    unit.find(t)
    unit.destroy(t, channel)


@api("acldvppGetChannelDescChannelId")
def get_channel_desc_channel_id(t: ThreadState, handle: int) -> int:
    """The number of the channel, from 1; 0 for NULL."""
    return _checked(t, handle).id


@api("acldvppSetChannelDescMode")
def set_channel_desc_mode(t: ThreadState, handle: int, mode: int) -> None:
    """What the channel is for, an or of VPC 1, JPEGD 2, JPEGE 4, PNGD 8; before acldvppCreateChannel.

    Codes: 200006 on 310 and 910; 100000 NULL, outside 1 to 15.
    """
    needs(t, t.sim.part(MediaUnit).find(t), "channel_mode")
    channel = _checked(t, handle)
    if not 1 <= mode <= table()["channel_modes"]:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"mode is {mode}: 1 to {table()['channel_modes']} are possible", "acl")
    channel.mode = mode


def _check_type(kind: int, length: int) -> None:
    if kind != ACL_DVPP_CSC_MATRIX_UINT32:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"paramType is {kind}: there is 0 (the colour matrix) only", "acl")
    if length != WORD:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"length is {length}: the colour matrix has {WORD} bytes", "acl")


@api("acldvppSetChannelDescParam")
def set_channel_desc_param(t: ThreadState, handle: int, kind: int, length: int, param: int) -> None:
    """Set the colour matrix (an acldvppCscMatrix of 4 bytes).

    Codes: 200006 on 310 and 910; 100000 NULL, another type or length, no such matrix.
    """
    needs(t, t.sim.part(MediaUnit).find(t), "channel_param")
    channel = _checked(t, handle)
    _check_type(kind, length)
    data = peek(param, WORD) if param else None
    if data is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"param is {param:#x}: {WORD} bytes cannot be read there", "acl")
    matrix = int.from_bytes(data, "little")
    if matrix >= table()["matrices"]:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"matrix is {matrix}: 0 to {table()['matrices'] - 1} exist", "acl")
    channel.matrix = matrix


@api("acldvppGetChannelDescParam")
def get_channel_desc_param(t: ThreadState, handle: int, kind: int, length: int, param: int) -> int:
    """Write the colour matrix to *param*; the bytes that were written. Codes: as acldvppSetChannelDescParam."""
    needs(t, t.sim.part(MediaUnit).find(t), "channel_param")
    channel = _checked(t, handle)
    _check_type(kind, length)
    if not param or not host_memory.writable(param, WORD):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"param is {param:#x}: {WORD} bytes cannot be written there", "acl")
    host_memory.view(param, WORD).view("<u4")[0] = channel.matrix
    return WORD
