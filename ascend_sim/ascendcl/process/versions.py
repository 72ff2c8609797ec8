"""Chapter 24: the versions of the interface and of the packages."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.device.identity import put_text
from ascend_sim.constants.errors import ACL_ERROR_INTERNAL_ERROR, ACL_ERROR_INVALID_PARAM
from ascend_sim.errors import AclError
from ascend_sim.runtime.settings.packages import BY_NUMBER, version_number, version_of, version_parts
from ascend_sim.runtime.thread_state import ThreadState

INTERFACE = (1, 17, 0)
VERSION_BYTES = 128
"""Of the caller's buffer: the text and its terminating zero."""
PART_BYTES = 64


@api("aclrtGetVersion")
def get_version(t: ThreadState) -> tuple[int, int, int]:
    """Major, minor and patch version of the interface: 1, 17, 0. Never fails. Deprecated."""
    return INTERFACE


@api("aclsysGetCANNVersion")
def sys_get_cann_version(t: ThreadState, number: int) -> Any:
    """The version of a package (an aclCANNPackageName) with its parts: an aclCANNPackageVersion. Deprecated.

    Codes: 100000 another number, 100003 not installed or no version.
    """
    from ascend_sim.ascendcl.structs import aclCANNPackageVersion

    if number >= len(BY_NUMBER):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"name is {number}: 0 to {len(BY_NUMBER) - 1} is required", "acl")
    text, *parts = version_parts(version_of(t.sim.process.packages, BY_NUMBER[number]))
    major, minor, release, patch = (part[: PART_BYTES - 1] for part in parts)
    return aclCANNPackageVersion(text[: VERSION_BYTES - 1], major, minor, release, patch)


@api("aclsysGetVersionStr")
def sys_get_version_str(t: ThreadState, name: str | None, address: int) -> None:
    """Write the version of the package *name* to the 128 bytes at *address*.

    Codes: 100000 NULL, 100003 not installed, 500000 a version that does not fit.
    """
    require(address, "versionStr")
    version = version_of(t.sim.process.packages, _checked(name))
    if len(version.encode()) >= VERSION_BYTES:
        raise AclError(
            ACL_ERROR_INTERNAL_ERROR, f"the version has {len(version)} characters: there is room for 127", "acl"
        )
    put_text(address, version, "versionStr")


@api("aclsysGetVersionNum")
def sys_get_version_num(t: ThreadState, name: str | None) -> int:
    """The version of the package *name* as a number that grows from release to release: 90100000 for 9.1.0.

    Codes: 100000 NULL, 100003 not installed, 500000 a version of another form.
    """
    return version_number(version_of(t.sim.process.packages, _checked(name)).strip())


def _checked(name: str | None) -> str:
    if name is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "pkgName is NULL", "acl")
    return name
