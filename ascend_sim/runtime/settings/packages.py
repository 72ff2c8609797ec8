"""The versions of the CANN packages that the simulated host has.

On hardware they stand in files below ASCEND_HOME_PATH and in the driver's folder. Here they are part of the simulator,
so that a run does not depend on the machine: change ``sim.process.packages`` to play another installation.
"""

from __future__ import annotations

import re
from typing import Final

from ascend_sim.constants.errors import ACL_ERROR_INTERNAL_ERROR, ACL_ERROR_INVALID_FILE
from ascend_sim.errors import AclError

__all__ = ["BY_NUMBER", "installed", "version_number", "version_of", "version_parts"]

VERSION: Final = "9.1.0"
"""The release whose sources and pages the specification was taken from."""

NAMES: Final = (
    "runtime", "bisheng-compiler", "hccl", "oam-tools", "ops-legacy", "ops-math", "ops-nn", "ops-transformer", "ops-cv",
    "driver", "firmware",
)  # fmt: skip
BY_NUMBER: Final = (
    "runtime", "runtime", "bisheng-compiler", "hccl", "oam-tools", "ops-legacy", "ops-legacy", "driver",
)  # fmt: skip
"""The packages behind the members of aclCANNPackageName."""

_NUMBER: Final = r"\s*([+-]?\d+)"
_BASE: Final = r"(?s)([^.]+)\.([^.]+)\.(\d+)(.*)"
_STAGE: Final = r"(?is).?(alpha|beta|rc)([.-]?\d+)?\Z"
_BEFORE_RELEASE: Final = {"alpha": 300, "beta": 200, "rc": 100}


def installed() -> dict[str, str]:
    """The packages of a new simulator with their versions."""
    return dict.fromkeys(NAMES, VERSION)


def version_of(packages: dict[str, str], name: str) -> str:
    """The version of a package; dashes and underscores in *name* are alike. Raises AclError 100003."""
    other = name.replace("-", "_") if "-" in name else name.replace("_", "-")
    version = packages.get(name) or packages.get(other)
    if not version:
        raise AclError(
            ACL_ERROR_INVALID_FILE, f"no package {name!r} is installed; there are {', '.join(sorted(packages))}", "acl"
        )
    return version


def version_number(version: str) -> int:
    """``a.b.c`` as a * 10000000 + b * 100000 + c * 1000; less for what comes before a release, its number added.

    Alpha 300 less, beta 200, rc 100. Raises AclError 500000 for another form.

    >>> version_number("9.1.0"), version_number("9.1.0-rc.2")
    (90100000, 90099902)
    """
    base = re.match(_BASE, version)
    numbers = [re.match(_NUMBER, part) for part in base.groups()[:3]] if base else [None]
    if base is None or None in numbers:
        raise AclError(ACL_ERROR_INTERNAL_ERROR, f"{version!r} is no version of the form a.b.c", "acl")
    major, minor, patch = (int(number.group(1)) for number in numbers if number)
    total = major * 10_000_000 + minor * 100_000 + patch * 1000
    rest = base.group(4)
    if not rest:
        return total
    stage = re.match(_STAGE, rest)
    if stage is None:
        raise AclError(
            ACL_ERROR_INTERNAL_ERROR, f"{rest!r} behind {version!r} is no alpha, beta or rc with a number", "acl"
        )
    number = int((stage.group(2) or "0").lstrip(".-"))
    return total - _BEFORE_RELEASE[stage.group(1).lower()] + number


def version_parts(version: str) -> list[str]:
    """The version as aclsysGetCANNVersion writes it, and its four parts. Raises AclError 100003 for less than two.

    >>> version_parts("9.1.0-rc.1")
    ['9.1.0.rc1', '9', '1', '0', 'rc1']
    """
    front, dash, back = version.partition("-")
    text = f"{front}.{back.replace('.', '')}" if dash else version
    parts = text.split(".")
    if len(parts) < 2 or not all(parts[:4]):
        raise AclError(ACL_ERROR_INVALID_FILE, f"{version!r} is no version with two parts or more", "acl")
    return [text, *(parts + ["0", "0"])[:4]]
