"""Chapter 24: half precision, versions, what the chip has, the log, marks and words about tasks."""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.runtime.settings.packages import version_number, version_parts

SOCS = ("Ascend950PR_9599", "Ascend910_9391", "Ascend910B3", "Ascend310B1", "Ascend310P3", "Ascend910A")


@pytest.fixture
def sim() -> Iterator[Simulator]:
    with Simulator() as simulator:
        yield simulator


# -- half precision -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bits", "number"),
    [
        (0x7C00, 65536.0),
        (0xFC00, -65536.0),
        (0x7E00, 98304.0),
        (0xFE00, -98304.0),
        (0x7FFF, 131008.0),
        (0x7BFF, 65504.0),
        (0x0001, 2.0**-24),
        (0x8000, -0.0),
    ],
)
def test_half_to_float(sim: Simulator, bits: int, number: float) -> None:
    found = C.aclFloat16ToFloat(bits)
    assert (found, math.copysign(1, found)) == (number, math.copysign(1, number))


def test_all_finite_halves_go_there_and_back(sim: Simulator) -> None:
    for bits in range(0, 0x10000, 7):
        if bits & 0x7C00 != 0x7C00:
            number = C.aclFloat16ToFloat(bits)
            assert number == float(np.uint16(bits).view(np.float16))
            assert C.aclFloatToFloat16(number) == bits


@pytest.mark.parametrize(
    ("number", "bits"),
    [
        (math.inf, 0x7BFF),
        (-math.inf, 0xFBFF),
        (math.nan, 0x7BFF),
        (-math.nan, 0xFBFF),
        (65504.0, 0x7BFF),
        (65519.0, 0x7BFF),
        (65520.0, 0x7BFF),
        (-1e30, 0xFBFF),
        (1e300, 0x7BFF),  # no float, either
        (2.0**-25, 0),  # a tie goes to the even one
        (2.0**-25 * 1.001, 1),
        (2.0**-26, 0),
        (1 + 2.0**-11, 0x3C00),
        (1 + 3 * 2.0**-11, 0x3C02),
        (-0.0, 0x8000),
    ],
)
def test_float_to_half_saturates_and_rounds_to_even(sim: Simulator, number: float, bits: int) -> None:
    assert C.aclFloatToFloat16(number) == bits


def reference(number: float) -> int:
    """The library's steps: exponent and mantissa of the float, cut and rounded one by one."""
    word: int = struct.unpack("<I", struct.pack("<f", number))[0]
    sign, exponent, mantissa = word >> 31 << 15, word >> 23 & 0xFF, word & 0x7FFFFF
    if exponent > 0x8F:
        return sign | 0x7BFF
    if exponent > 0x70:
        kept, cut, power = mantissa, 13, exponent - 0x70
    elif exponent >= 0x67:
        kept, cut, power = (mantissa | 0x800000) << exponent - 0x67, 23, 0
    else:
        return sign | int(exponent == 0x66 and mantissa > 0)
    low, half = kept & (1 << cut) - 1, 1 << cut - 1
    kept >>= cut
    kept += int(low > half or (low == half and kept % 2 == 1))
    return min((power << 10) + kept, 0x7BFF) | sign


def test_float_to_half_agrees_with_the_librarys_steps(sim: Simulator) -> None:
    generator = np.random.default_rng(1)
    numbers = generator.integers(0, 1 << 32, 20_000, np.uint32).view(np.float32)
    scales = (generator.standard_normal(20_000) * 2.0 ** generator.integers(-30, 18, 20_000)).astype(np.float32)
    for number in np.concatenate([numbers, scales]).tolist():
        if not math.isnan(number):
            assert C.aclFloatToFloat16(number) == reference(number), number


@pytest.mark.parametrize(
    ("data_type", "size"),
    [
        (C.ACL_DT_UNDEFINED, 0),
        (C.ACL_STRING, 0),
        (C.ACL_INT4, 1),
        (C.ACL_UINT1, 1),
        (C.ACL_BOOL, 1),
        (C.ACL_BF16, 2),
        (C.ACL_FLOAT, 4),
        (C.ACL_COMPLEX32, 4),
        (C.ACL_COMPLEX64, 8),
        (C.ACL_COMPLEX128, 16),
        (C.ACL_FLOAT8_E5M2, 1),
        (C.ACL_FLOAT4_E2M1, 8),
        (12345, 8),
    ],
)
def test_sizes_of_types(sim: Simulator, data_type: int, size: int) -> None:
    assert C.aclDataTypeSize(data_type) == size


# -- versions -------------------------------------------------------------------------------------------------------


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


# -- what the chip has ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("soc", SOCS)
def test_attributes(soc: str) -> None:
    with Simulator(soc):
        found, count, code = C.aclGetCannAttributeList()
        assert (list(found), count, code) == (([0, 1, 2], 3, 0) if soc in SOCS[:3] else ([2], 1, 0))
        assert C.aclGetCannAttribute(0) == (int(soc in SOCS[:3]), 0)
        assert C.aclGetCannAttribute(2) == (1, 0)
        assert C.aclGetCannAttribute(3) == (None, 100000)
        assert C.aclGetCannAttribute(-1) == (None, 100000)


def platform(kind: int, room: int = 64) -> tuple[bytes, int]:
    buffer = ctypes.create_string_buffer(64)
    code = C.aclplatformGetDeviceInfo(kind, ctypes.addressof(buffer), room)
    return buffer.value, code


def test_numbers_of_the_chip(sim: Simulator) -> None:
    assert platform(C.ACL_PLATFORM_AICORE_CNT) == (b"20", 0)
    assert platform(C.ACL_PLATFORM_AICORE_UB_SIZE) == (b"196608", 0)
    assert platform(C.ACL_PLATFORM_VECTOR_CORE_CNT) == (b"40", 0)
    assert platform(C.ACL_PLATFORM_MEMORY_SIZE) == (b"68719476736", 0)
    assert platform(C.ACL_PLATFORM_SOC_VERSION) == (b"Ascend910B3", 0)
    assert platform(C.ACL_PLATFORM_NPU_ARCH) == (b"2201", 0)
    assert platform(C.ACL_PLATFORM_VEC_FREQ) == (b"", 100000)  # not in the file of this chip
    assert platform(C.ACL_PLATFORM_MEMORY_TYPE) == (b"", 100000)


@pytest.mark.parametrize(("soc", "code"), list(zip(SOCS, (0, 0, 0, 0, 100000, 100000), strict=True)))
def test_cube_cores_are_in_the_files_of_newer_chips(soc: str, code: int) -> None:
    with Simulator(soc):
        assert platform(C.ACL_PLATFORM_CUBE_CORE_CNT)[1] == code
        assert platform(C.ACL_PLATFORM_L0_C_SIZE)[1] == 0


def test_faults_of_platform_queries(sim: Simulator) -> None:
    assert platform(17) == (b"", 100000)
    assert platform(0, 0) == (b"", 100000)
    assert platform(0, 2) == (b"", 100000)  # "20" and a zero
    assert platform(0, 3) == (b"20", 0)
    assert C.aclplatformGetDeviceInfo(0, 0, 8) == 100000
    room = ctypes.create_string_buffer(8)
    assert C.aclplatformGetInstructionInfo(2, "x", ctypes.addressof(room), 8) == 100000
    assert C.aclplatformGetInstructionInfo(0, None, ctypes.addressof(room), 8) == 100000
    assert C.aclplatformGetInstructionInfo(0, "x", 0, 8) == 100000
    assert C.aclplatformGetInstructionInfo(0, "x", ctypes.addressof(room), 0) == 100000
    assert not sim.findings
    assert C.aclplatformGetInstructionInfo(0, "x", ctypes.addressof(room), 8) == 100000
    assert [finding.kind for finding in sim.findings] == ["not-modelled"]


# -- the log ----------------------------------------------------------------------------------------------------------


def test_lines_are_kept_and_not_printed(sim: Simulator, capfd: pytest.CaptureFixture[str]) -> None:
    assert C.aclAppLog(C.ACL_INFO, "main", "main.cpp", 12, "100% loaded") is None
    (line,) = sim.process.log
    assert (line.level, line.text) == (1, '0 main:main.cpp:12: "100% loaded"')
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("level", "function", "file", "text"),
    [(1, None, "f", "x"), (1, "g", None, "x"), (1, "g", "f", None), (4, "g", "f", "x")],
)
def test_what_is_not_written(sim: Simulator, level: int, function: Any, file: Any, text: Any) -> None:
    C.aclAppLog(level, function, file, 1, text)
    assert len(sim.process.log) == 0


@pytest.mark.parametrize("size", [980, 1020, 5000])
def test_long_lines_are_cut(sim: Simulator, size: int) -> None:
    C.aclAppLog(C.ACL_INFO, "main", "main.cpp", 12, "x" * size)
    (line,) = sim.process.log
    assert line.text.endswith("...[truncated]") == (size > 980)
    assert len(line.text) == (1023 if size > 980 else 1002)


def test_text_that_is_no_text(sim: Simulator) -> None:
    C.aclAppLog(C.ACL_INFO, "main", "main.cpp", 12, "a\ud800")
    C.aclAppLog(C.ACL_INFO, "main", "main.cpp", 12, "a\0b")
    assert [line.text[-4:] for line in sim.process.log] == ['"a?"', ' "a"']


def test_old_lines_are_dropped(sim: Simulator) -> None:
    for i in range(5000):
        C.aclAppLog(C.ACL_DEBUG, "f", "f", 1, str(i))
    assert len(sim.process.log) == 4096
    assert next(iter(sim.process.log)).text.endswith('"904"')


def test_the_environment_lets_lines_be_printed(
    sim: Simulator, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASCEND_SLOG_PRINT_TO_STDOUT", "1")
    C.aclAppLog(C.ACL_WARNING, "f", "f", 1, "quiet")
    C.aclAppLog(C.ACL_ERROR, "f", "f", 1, "loud")
    assert "loud" in (text := capsys.readouterr().out) and "quiet" not in text
    monkeypatch.setenv("ASCEND_GLOBAL_LOG_LEVEL", "1")
    C.aclAppLog(C.ACL_INFO, "f", "f", 1, "now")
    assert capsys.readouterr().out.startswith("[INFO] APP: ")


# -- marks and words about tasks --------------------------------------------------------------------------------------


def test_a_mark_is_a_task(sim: Simulator) -> None:
    C.aclrtSetDevice(0)
    stream, _ = C.aclrtCreateStream()
    words = np.zeros(18, np.uint8)
    assert C.aclrtProfTrace(words, 18, stream) == 0
    assert C.aclrtProfTrace(words, 1, 0) == 0
    assert C.aclrtSynchronizeDevice() == 0


def test_faults_of_marks(sim: Simulator) -> None:
    words = np.zeros(18, np.uint8)
    assert C.aclrtProfTrace(0, 0, 1) == 100000
    assert C.aclrtProfTrace(words, 0, 1) == 107000
    assert C.aclrtProfTrace(words, 19, 1) == 107000
    assert C.aclrtProfTrace(words, -1, 1) == 107000
    assert C.aclrtProfTrace(words, 8, 1) == 107017
    assert C.aclrtProfTrace(words, 8, 0) == 107002
    C.aclrtSetDevice(0)
    stream, _ = C.aclrtCreateStream()
    C.aclrtCreateContext(0)
    assert C.aclrtProfTrace(words, 8, stream) == 107003


def test_words_about_the_last_task(sim: Simulator) -> None:
    words = np.zeros(64, np.uint8)
    assert C.aclrtCacheLastTaskOpInfo(0, 0) == 100000
    assert C.aclrtCacheLastTaskOpInfo(words, 0) == 100000
    assert C.aclrtCacheLastTaskOpInfo(words, (64 << 10) + 1) == 107000  # before the context
    assert C.aclrtCacheLastTaskOpInfo(words, 64) == 107002
    assert C.aclrtCacheLastTaskExtendInfo(None, 0) == 107000
    assert C.aclrtCacheLastTaskExtendInfo("{}", 0) == 107000
    assert C.aclrtCacheLastTaskExtendInfo("{}", 3) == 107002
    C.aclrtSetDevice(0)
    assert C.aclrtCacheLastTaskOpInfo(words, 64) == 507000
    assert C.aclrtCacheLastTaskExtendInfo("{}", 3) == 507000


@pytest.mark.parametrize("soc", ["Ascend310B1", "Ascend910A"])
def test_products_without_captures(soc: str) -> None:
    with Simulator(soc):
        words = np.zeros(64, np.uint8)
        assert C.aclrtCacheLastTaskOpInfo(words, 0) == 100000  # the acl layer first
        assert C.aclrtCacheLastTaskOpInfo(words, 1 << 20) == 207000
        assert C.aclrtCacheLastTaskExtendInfo(None, 0) == 207000


@pytest.mark.parametrize("soc", SOCS)
def test_what_only_the_ipv350_has(soc: str) -> None:
    with Simulator(soc):
        assert C.aclrtCreateStreamConfigHandle() == 0
        assert C.aclrtDestroyStreamConfigHandle(0) == 207000
        assert C.aclrtSetStreamConfigOpt(0, 0, 0, 0) == 207000
        assert C.aclrtCreateStreamV2(0) == (0, 207000)
        assert C.aclrtSubscribeHostFunc(1, 0) == 207000
        assert C.aclrtProcessHostFunc(1) == 207000
        assert C.aclrtUnSubscribeHostFunc(1, 0) == 207000
