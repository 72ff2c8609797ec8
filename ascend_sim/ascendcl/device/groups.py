"""Chapter 16: groups that share the cores of a chip (docs/semantics/profiles.md#groups)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.products import check_product
from ascend_sim.ascendcl.queue.parameters import needed, on_chip, write_value
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_RT_GROUP_NOT_CREATE,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.constants.execution import (
    ACL_GROUP_AIC_INT,
    ACL_GROUP_AICORE_INT,
    ACL_GROUP_AIV_INT,
    ACL_GROUP_ASQNUM_INT,
    ACL_GROUP_GROUPID_INT,
    ACL_GROUP_SDMANUM_INT,
)
from ascend_sim.errors import AclError
from ascend_sim.machine.profiles import Profile
from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["GroupInfo"]

GREATEST_GROUP = 3

#: What a group has of the chip: an even part.
_ATTRIBUTES: Final[dict[int, Callable[[Profile, int], int]]] = {
    ACL_GROUP_AICORE_INT: lambda profile, index: profile.ai_cores // profile.groups,
    ACL_GROUP_AIV_INT: lambda profile, index: profile.vector_cores // profile.groups,
    ACL_GROUP_AIC_INT: lambda profile, index: profile.ai_cpus // profile.groups,
    ACL_GROUP_SDMANUM_INT: lambda profile, index: sum(profile.copy_engines.values()) // profile.groups,
    ACL_GROUP_ASQNUM_INT: lambda profile, index: profile.stream_limit // profile.groups,
    ACL_GROUP_GROUPID_INT: lambda profile, index: index,
}


class GroupInfo:
    """What aclrtCreateGroupInfo makes: room for all groups. *filled*: by aclrtGetAllGroupInfo."""

    __slots__ = ("filled", "handle")

    def __init__(self) -> None:
        self.filled = False
        self.handle = 0

    def describe(self) -> str:
        """The room in words."""
        return "information about groups" if self.filled else "room for information about groups"


def _count(t: ThreadState) -> int:
    """How many groups the current device has: none that a program on the host could see.

    Raises AclError 207000 on other products, 107002 without a context.
    """
    check_product(t, "aclrtGetGroupCount")
    t.current_context()
    return t.sim.profile.groups if on_chip(t) else 0


@api("aclrtSetGroup")
def set_group(t: ThreadState, group: int) -> None:
    """Use the cores of a group from now on. What runs takes no longer for it.

    Codes: 207000 on other products, 107002 without a context, 107000 not in [0, 3], 107014 no such group.
    """
    count = _count(t)
    if not 0 <= group <= GREATEST_GROUP:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"groupId is {group}: 0 to {GREATEST_GROUP}")
    if group >= count:
        raise AclError(ACL_ERROR_RT_GROUP_NOT_CREATE, f"there is no group {group}: the device has {count} groups")


@api("aclrtGetGroupCount")
def get_group_count(t: ThreadState) -> int:
    """The number of groups. Codes: 207000 on other products, 107002 without a context."""
    return _count(t)


@api("aclrtCreateGroupInfo")
def create_group_info(t: ThreadState) -> int:
    """Room for what is known about all groups; NULL when there are none."""
    if not _count(t):
        return 0
    made = GroupInfo()
    made.handle = t.sim.new_handle(made)
    return made.handle


@api("aclrtDestroyGroupInfo")
def destroy_group_info(t: ThreadState, handle: int) -> None:
    """Codes: 100000 NULL."""
    t.sim.drop_handle(needed(t, handle, GroupInfo, "group information").handle)


@api("aclrtGetAllGroupInfo")
def get_all_group_info(t: ThreadState, handle: int) -> None:
    """Fill the room. Codes: 100000 NULL, 207000 on other products, 107002 without a context, 107014 no groups."""
    require(handle, "groupInfo")
    if not _count(t):
        raise AclError(ACL_ERROR_RT_GROUP_NOT_CREATE, "the device has no groups")
    needed(t, handle, GroupInfo, "group information").filled = True


@api("aclrtGetGroupInfoDetail")
def get_group_info_detail(t: ThreadState, handle: int, index: int, attr: int, value: int, length: int) -> int:
    """One number about one group, of 4 bytes: 0 before aclrtGetAllGroupInfo. Returns its size.

    Codes: 100000 NULL, no such index or attribute, too little room; 207000 on other products, 107002 without a context.
    """
    require(handle, "groupInfo")
    require(value, "attrValue")
    count = _count(t)
    if not 0 <= index < count:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"groupIndex is {index}: the device has {count} groups", "acl")
    info = needed(t, handle, GroupInfo, "group information")
    if attr not in _ATTRIBUTES:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"there is no attribute {attr}: 0 to {max(_ATTRIBUTES)}", "acl")
    number = _ATTRIBUTES[attr](t.sim.profile, index) if info.filled else 0
    return write_value(value, length, number.to_bytes(4, "little"))
