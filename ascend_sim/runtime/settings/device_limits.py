"""Limits of stacks and print buffers on the devices: one set for the process (aclrtDeviceSetLimit, aclInit's file)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ascend_sim.constants.errors import (
    ACL_ERROR_RT_DEV_SETUP_ERROR,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.errors import AclError

if TYPE_CHECKING:
    from ascend_sim.machine.profiles import Profile

__all__ = ["LIMIT_NAMES", "SIMD_FIFO", "SIMD_STACK", "SIMT_DIVERGENCE_STACK", "SIMT_FIFO", "SIMT_STACK", "DeviceLimits"]

SIMT_STACK, SIMT_DIVERGENCE_STACK, SIMD_STACK, SIMD_FIFO, SIMT_FIFO = range(5)
"""The members of aclrtDeviceLimit."""

LIMIT_NAMES: Final = (
    "SIMT_STACK_SIZE",
    "SIMT_DVG_WARP_STACK_SIZE",
    "SIMD_STACK_SIZE",
    "SIMD_PRINTF_FIFO_SIZE_PER_CORE",
    "SIMT_PRINTF_FIFO_SIZE",
)

SIMT_ONLY: Final = (SIMT_STACK, SIMT_DIVERGENCE_STACK, SIMT_FIFO)
THREADS_PER_WARP: Final = 32
DEFAULT_SIMD_STACK: Final = 32 << 10
LARGEST_FIFO: Final = 64 << 20
SMALLEST_FIFO: Final = {SIMD_FIFO: 1 << 10, SIMT_FIFO: 1 << 20}

LARGEST_SIMD_STACK: Final = {"950": 128 << 10, "200I": 7680 << 10}
"""Bytes for each core, by product (the page of aclInit); 192 KiB elsewhere."""


def _round_up(value: int, unit: int) -> int:
    return -(-value // unit) * unit


class DeviceLimits:
    """What was set last, in bytes; it counts for a device from the next time that the device comes up.

    See docs/semantics/process.md#device-limits.
    """

    __slots__ = ("values",)

    def __init__(self) -> None:
        self.values = {
            SIMT_STACK: 1152 * THREADS_PER_WARP,  # of a warp, as the getter answers
            SIMT_DIVERGENCE_STACK: 1024,
            SIMD_STACK: DEFAULT_SIMD_STACK,
            SIMD_FIFO: 32 << 10,
            SIMT_FIFO: 2 << 20,
        }

    def set(self, profile: Profile, limit: int, value: int) -> None:
        """Set *limit* to *value* bytes, rounded up to 128 (SIMT stacks), 16 KiB (SIMD stack) or 8 (print buffers).

        Raises AclError: 207000 a SIMT limit on a chip without SIMT, 107000 a print buffer out of range, or both SIMT
        stacks 0. A SIMD stack of 32 KiB or less changes nothing.
        """
        self._check_chip(profile, limit)
        if limit == SIMD_STACK:
            if value > DEFAULT_SIMD_STACK:
                self.values[limit] = _round_up(value, 16 << 10)
        elif limit in SMALLEST_FIFO:
            least = SMALLEST_FIFO[limit]
            if not least <= value <= LARGEST_FIFO:
                raise AclError(
                    ACL_ERROR_RT_PARAM_INVALID,
                    f"{LIMIT_NAMES[limit]} is {value}: {least} to {LARGEST_FIFO} bytes are required",
                )
            self.values[limit] = _round_up(value, 8)
        else:
            self.values[limit] = _round_up(value, 128) * (THREADS_PER_WARP if limit == SIMT_STACK else 1)
            if not self.values[SIMT_STACK] and not self.values[SIMT_DIVERGENCE_STACK]:
                raise AclError(
                    ACL_ERROR_RT_PARAM_INVALID,
                    "SIMT_STACK_SIZE and SIMT_DVG_WARP_STACK_SIZE are both 0: one must be larger",
                )

    def get(self, profile: Profile, limit: int) -> int:
        """What was set last, in bytes, in effect or not yet. Raises AclError 207000 for SIMT limits without SIMT."""
        self._check_chip(profile, limit)
        return self.values[limit]

    def check(self, profile: Profile) -> None:
        """That a device can come up with them. Raises AclError 507033 for a SIMD stack larger than the chip has."""
        largest = LARGEST_SIMD_STACK.get(profile.product, 192 << 10)
        size = self.values[SIMD_STACK]
        if size > largest:
            raise AclError(
                ACL_ERROR_RT_DEV_SETUP_ERROR,
                f"the AI Core stack was set to {size} bytes: {profile.name} has room for {largest}",
            )

    @staticmethod
    def _check_chip(profile: Profile, limit: int) -> None:
        if limit in SIMT_ONLY and "simt" not in profile.supports:
            raise AclError(
                ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                f"{profile.name} has no SIMT, so it has no {LIMIT_NAMES[limit]}",
                "state",
            )
