"""Chapter 24: half precision, sizes of types."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from tests.kit.calls import simulator

sim = simulator(device=None)


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
