"""The channels for video that are open: their numbers, and what is said of those that are used wrongly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.constants.errors import ACL_ERROR_INTERNAL_ERROR, ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.media.video.vdec_channel import VdecChannel
from ascend_sim.media.video.venc_channel import VencChannel

if TYPE_CHECKING:
    from ascend_sim.media.video.video_descriptors import VdecDesc, VencDesc, VideoDesc
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["NO_ENCODER", "VideoUnit"]

NO_ENCODER = ("910", "910b", "910_93")
"""Families without a unit that encodes video."""
CHANNEL_NS = 500_000


class VideoUnit:
    """`sim.part(VideoUnit)`."""

    def __init__(self, sim: Runtime) -> None:
        self._sim = sim
        self._decoding: dict[tuple[int, int], VdecDesc] = {}
        """By device and number."""
        self._encoding = 0

    def decode(self, t: ThreadState, desc: VdecDesc) -> None:
        """Open a channel that decodes. Raises AclError 107002, 107012, 500000 for a number that is in use."""
        device = t.current_context().device.index
        other = self._decoding.get((device, desc.id))
        if other is not None and other.channel is not None and not other.channel.lost:
            raise AclError(ACL_ERROR_INTERNAL_ERROR, f"channel id {desc.id} is in use on device {device}", "acl")
        desc.channel = VdecChannel(t, desc)
        self._decoding[device, desc.id] = desc
        t.clock += CHANNEL_NS

    def encode(self, t: ThreadState, desc: VencDesc) -> None:
        """Open a channel that encodes. Raises AclError 500000 on products without the unit, 100000 for wrong settings."""
        profile = self._sim.profile
        if profile.family in NO_ENCODER:
            raise AclError(ACL_ERROR_INTERNAL_ERROR, f"{profile.name} has no unit that encodes video", "acl")
        if desc.channel is not None:
            raise AclError(ACL_ERROR_INTERNAL_ERROR, f"{desc.describe()} is a channel already", "acl")
        try:
            desc.channel = VencChannel(t, desc)
        except ValueError as error:
            raise AclError(ACL_ERROR_INVALID_PARAM, str(error), "acl") from None
        desc.id, self._encoding = self._encoding, self._encoding + 1
        t.clock += CHANNEL_NS

    def close(self, t: ThreadState, desc: VideoDesc) -> None:
        """End the stream, wait for the callbacks, close the channel."""
        channel = desc.opened
        if channel is None:
            self.not_open(t, desc, t.call.replace("Destroy", "Create"))
            raise AclError(ACL_ERROR_INVALID_PARAM, f"{desc.describe()} is no channel", "acl")
        channel.close(t)
        desc.shut()
        t.clock += CHANNEL_NS

    def not_open(self, t: ThreadState, desc: VideoDesc, creates: str) -> None:
        """A call needs a channel and gets a descriptor."""
        text = f"{t.call} is called for {desc.describe()}, which is no channel"
        t.sim.report_call(t, "undefined-use", "error", text, fix=f"{creates} makes it one")

    def descriptor_ends(self, t: ThreadState, desc: VideoDesc | None, destroys: str) -> None:
        """*desc* was destroyed; its channel should have been before."""
        if desc is not None and desc.opened is not None:
            text = f"{t.call} is called for {desc.describe()} before {destroys}: the channel is lost"
            t.sim.report_call(t, "leak", "warning", text, fix=f"{destroys} first")
