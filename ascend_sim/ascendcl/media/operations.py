"""What all operations on pictures begin with: their channel, their pictures, the formats that the product takes."""

from __future__ import annotations

from ascend_sim.constants.errors import ACL_ERROR_FORMAT_NOT_MATCH, ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.media.channels import PictureChannel
from ascend_sim.media.descriptors import PictureDesc
from ascend_sim.media.pixels.pixel_formats import format_name
from ascend_sim.media.rules import MediaRules
from ascend_sim.media.tasks import Operand
from ascend_sim.media.unit import MediaUnit, needs
from ascend_sim.runtime.tensors.descriptors import required
from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["begin", "check_format", "operand_of", "picture_of"]


def begin(t: ThreadState, channel: int, feature: str = "") -> tuple[MediaRules, PictureChannel]:
    """The rules of the units, and the channel of an operation.

    Raises AclError 500000 without units, 200006 for a *feature* that the product has not, 100000 for no channel.
    """
    rules = t.sim.part(MediaUnit).find(t)
    if feature:
        needs(t, rules, feature)
    found = required(t, channel, PictureChannel, "channel descriptor", "channelDesc")
    if not found.open:
        text = f"{found.describe()} is no channel: acldvppCreateChannel makes it one"
        raise AclError(ACL_ERROR_INVALID_PARAM, text, "acl")
    return rules, found


def picture_of(t: ThreadState, handle: int, parameter: str) -> PictureDesc:
    """The picture descriptor that the argument *parameter* names. Raises AclError 100000."""
    return required(t, handle, PictureDesc, "picture descriptor", parameter)


def operand_of(t: ThreadState, desc: PictureDesc, write: bool, device: int, what: str) -> Operand:
    """*desc* as an operand of a task on *device*."""
    return Operand(t, desc, write, device, what)


def check_format(t: ThreadState, rules: MediaRules, use: str, number: int, what: str) -> None:
    """Raises AclError 100027 for a pixel format that the product does not take for *use*."""
    allowed = rules.formats[use]
    if number not in allowed:
        names = ", ".join(format_name(one) for one in sorted(allowed))
        text = f"{what} is {format_name(number)}: {t.sim.profile.name} takes {names} there"
        raise AclError(ACL_ERROR_FORMAT_NOT_MATCH, text, "acl")
