"""Chapter 24: what the chip and the installation have, from the platform file of the SoC."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api
from ascend_sim.ascendcl.device.identity import put_text
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.constants.types import ACL_CANN_ATTR_BF16, ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_JIT_COMPILE
from ascend_sim.errors import AclError
from ascend_sim.machine.profiles import Profile, load_profile, profile_names
from ascend_sim.runtime.thread_state import ThreadState

ATTRIBUTES = {
    ACL_CANN_ATTR_INF_NAN: "support_inf_nan",
    ACL_CANN_ATTR_BF16: "support_bf16",
    ACL_CANN_ATTR_JIT_COMPILE: "",
}
"""The entry of the platform file behind an aclCannAttr; none: every installation has it."""

ENTRIES = (
    "ai_core_cnt", "ub_size", "cube_core_cnt", "vector_core_cnt", "l2_size", "memory_size", "cube_freq", "vec_freq",
    "bt_size", "l0_a_size", "l0_b_size", "l0_c_size", "l1_size", "SoC_version", "AIC_version", "NpuArch",
    "memory_type",
)  # fmt: skip
"""The entries behind aclplatformDevInfo."""
CORE_TYPES = ("AI core", "vector core")


def _has(profile: Profile, attribute: int) -> bool:
    entry = ATTRIBUTES[attribute]
    return not entry or profile.platform.get(entry) == 1


@api("aclGetCannAttributeList")
def get_cann_attribute_list(t: ThreadState) -> tuple[list[int], int]:
    """The aclCannAttr that are there, and how many: Inf/NaN and BF16 on 950, A3 and A2, JIT compilation everywhere.

    Never fails.
    """
    found = [attribute for attribute in ATTRIBUTES if _has(t.sim.profile, attribute)]
    return found, len(found)


@api("aclGetCannAttribute")
def get_cann_attribute(t: ThreadState, attribute: int) -> int:
    """1 when *attribute* is there, else 0. Codes: 100000 another attribute."""
    if attribute not in ATTRIBUTES:
        raise AclError(
            ACL_ERROR_INVALID_PARAM, f"cannAttr is {attribute}: 0 to {ACL_CANN_ATTR_JIT_COMPILE} is required", "acl"
        )
    return int(_has(t.sim.profile, attribute))


@api("aclrtCheckArchCompatibility")
def check_arch_compatibility(t: ThreadState, product: str | None) -> int:
    """1 when kernels that were compiled for *product* run here: both have one architecture; else 0.

    Codes: 107000 NULL, or a name that no product has.
    """
    if product not in profile_names():
        reason = "NULL" if product is None else f"{product!r}, which no product is called"
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"socVersion is {reason}")
    return int(load_profile(product).npu_arch == t.sim.profile.npu_arch)


def _put(address: int, text: str, room: int) -> None:
    if len(text) + 1 > room:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"maxLen is {room}: {len(text) + 1} bytes are required", "acl")
    put_text(address, text, "value")


def _check_room(address: int, room: int) -> None:
    if not address:
        raise AclError(ACL_ERROR_INVALID_PARAM, "value is NULL", "acl")
    if not room:
        raise AclError(ACL_ERROR_INVALID_PARAM, "maxLen is 0", "acl")


@api("aclplatformGetDeviceInfo")
def platform_get_device_info(t: ThreadState, kind: int, address: int, room: int) -> None:
    """Write a number (bytes, MHz) or a name of the chip as text to the *room* bytes at *address*.

    Codes: 100000 another *kind*, NULL, no room, too little room, or a platform file without the entry: the cube cores
    of the older chips, vec_freq of A2 and A3, for instance. Needs neither aclInit nor a device.
    """
    if kind >= len(ENTRIES):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"infoType is {kind}: 0 to {len(ENTRIES) - 1} is required", "acl")
    _check_room(address, room)
    profile = t.sim.profile
    entry = ENTRIES[kind]
    values = {**profile.platform, "SoC_version": profile.name, "NpuArch": profile.npu_arch}
    if entry not in values:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"the platform file of {profile.name} has no {entry}", "acl")
    _put(address, str(values[entry]), room)


@api("aclplatformGetInstructionInfo")
def platform_get_instruction_info(t: ThreadState, kind: int, instruction: str | None, address: int, room: int) -> None:
    """The data types that an instruction takes: the simulator has no instructions, so none is ever found.

    Codes: 100000 another *kind*, NULL, no room, an unknown instruction.
    """
    if kind >= len(CORE_TYPES):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"type is {kind}: 0 or 1 is required", "acl")
    if instruction is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "instruction is NULL", "acl")
    _check_room(address, room)
    title = f"aclplatformGetInstructionInfo: the simulator has no tables of instructions, so not {instruction!r} either"
    t.sim.report_call(t, "not-modelled", "note", title)
    raise AclError(ACL_ERROR_INVALID_PARAM, f"the {CORE_TYPES[kind]} has no instruction {instruction!r}", "acl")
