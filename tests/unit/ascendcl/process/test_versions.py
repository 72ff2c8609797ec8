"""Chapter 24: versions of the interface and of installed packages."""

from __future__ import annotations

import ctypes

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.runtime.settings.packages import version_number, version_parts
from tests.kit.calls import simulator

sim = simulator(device=None)


def test_the_interface(sim: Simulator) -> None:
    assert C.aclrtGetVersion() == (1, 17, 0, 0)


@pytest.mark.parametrize("name", ["runtime", "bisheng-compiler", "bisheng_compiler", "driver", "firmware"])
def test_installed_packages(sim: Simulator, name: str) -> None:
    room = ctypes.create_string_buffer(128)
    assert C.aclsysGetVersionStr(name, ctypes.addressof(room)) == 0
    assert room.value == b"9.1.0"
    assert C.aclsysGetVersionNum(name) == (90_100_000, 0)


def test_faults_of_package_versions(sim: Simulator) -> None:
    room = ctypes.create_string_buffer(128)
    address = ctypes.addressof(room)
    assert C.aclsysGetVersionStr("runtime", 0) == 100000
    assert C.aclsysGetVersionStr(None, address) == 100000
    assert C.aclsysGetVersionStr("no-such", address) == 100003
    assert C.aclsysGetVersionStr("no-such", 0) == 100000  # NULL first
    assert C.aclsysGetVersionNum(None) == (None, 100000)
    assert C.aclsysGetVersionNum("no-such") == (None, 100003)
    sim.process.packages["runtime"] = "1" * 128
    assert C.aclsysGetVersionStr("runtime", address) == 500000
    assert C.aclsysGetVersionNum("runtime") == (None, 500000)


@pytest.mark.parametrize(
    ("version", "number"),
    [
        ("9.0.0-alpha.1", 89_999_701),
        ("9.0.0-beta.2", 89_999_802),
        ("9.0.0-rc.1", 89_999_901),
        ("9.0.0.RC1", 89_999_901),
        ("9.0.0rc", 89_999_900),
        ("9.0.0", 90_000_000),
        ("8.3.7", 80_307_000),
    ],
)
def test_numbers_of_versions(version: str, number: int) -> None:
    assert version_number(version) == number


@pytest.mark.parametrize("version", ["9", "9.1", ".1.0", "9..0", "9.1.x", "9.1.0-gamma", "9.1.0--rc1", "9.1.0-rc..1"])
def test_versions_of_another_form(sim: Simulator, version: str) -> None:
    sim.process.packages["runtime"] = version
    assert C.aclsysGetVersionNum("runtime") == (None, 500000)


def test_versions_grow_from_alpha_to_release() -> None:
    names = ["9.0.0-alpha.1", "9.0.0-alpha.2", "9.0.0-beta.1", "9.0.0-rc.1", "9.0.0", "9.0.1"]
    assert sorted(names, key=version_number) == names


def test_a_package_by_number(sim: Simulator) -> None:
    sim.process.packages["ops-legacy"] = "9.1.0-rc.1"
    version, code = C.aclsysGetCANNVersion(C.ACL_PKG_NAME_OPP)
    assert code == 0
    parts = (version.majorVersion, version.minorVersion, version.releaseVersion, version.patchVersion)
    assert (version.version, parts) == ("9.1.0.rc1", ("9", "1", "0", "rc1"))
    assert C.aclsysGetCANNVersion(8) == (None, 100000)
    del sim.process.packages["driver"]
    assert C.aclsysGetCANNVersion(C.ACL_PKG_NAME_DRIVER) == (None, 100003)
    sim.process.packages["driver"] = "9"
    assert C.aclsysGetCANNVersion(C.ACL_PKG_NAME_DRIVER) == (None, 100003)
    assert version_parts("9.1")[1:] == ["9", "1", "0", "0"]
