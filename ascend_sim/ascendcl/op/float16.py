"""Chapter 24: half precision numbers on the host, and how large elements are.

A half has 5 bits of exponent and 10 of mantissa. The library's conversions know no infinities and no NaN: the largest
exponent is an ordinary one on the way to float, and results that would need it are cut to the largest number on the way
back (docs/semantics/operators.md#half-precision-on-the-host).
"""

from __future__ import annotations

import math
import struct

from ascend_sim.ascendcl.api import api
from ascend_sim.machine.data_types import element_bytes
from ascend_sim.runtime.thread_state import ThreadState

SIGN = 0x8000
LARGEST = 0x7BFF
"""65504."""
LAST_EXPONENT = 0x7C00
MANTISSA = 0x03FF


@api("aclFloat16ToFloat")
def float16_to_float(t: ThreadState, bits: int) -> float:
    """The number with these 16 *bits*: +Inf is 65536.0, NaN 65536.0 to 131008.0 by its mantissa."""
    if bits & LAST_EXPONENT == LAST_EXPONENT:
        number = 65536.0 * (1 + (bits & MANTISSA) / 1024)
        return -number if bits & SIGN else number
    return float(struct.unpack("<e", struct.pack("<H", bits))[0])


@api("aclFloatToFloat16")
def float_to_float16(t: ThreadState, value: float) -> int:
    """The 16 bits of the nearest half, ties to even; +Inf and NaN are 65504, -Inf is -65504."""
    largest = LARGEST | (SIGN if math.copysign(1.0, value) < 0 else 0)
    if not math.isfinite(value):
        return largest
    try:
        return int.from_bytes(struct.pack("<e", value), "little")
    except OverflowError:
        return largest


@api("aclDataTypeSize")
def data_type_size(t: ThreadState, data_type: int) -> int:
    """Bytes of an element: 1 for the types of 4 bits and 1 bit, too, 0 for strings, 8 for unknown."""
    return element_bytes(data_type)
