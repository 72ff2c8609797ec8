"""How many cores kernels may use: of a device for the process, of a stream, and of what a thread opted into.

A stream's limit counts once a thread has called aclrtUseStreamResInCurrentThread; the order is stream, process,
hardware (docs/semantics/process.md#core-limits).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.constants.errors import ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.errors import AclError

if TYPE_CHECKING:
    from ascend_sim.machine.profiles import Profile
    from ascend_sim.runtime.device import Device
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["CUBE", "KINDS", "VECTOR", "cores_in_thread", "cores_of_device", "cores_of_stream", "limited"]

CUBE, VECTOR = 0, 1
KINDS = ("cube (AI) cores", "vector cores")


def hardware_cores(profile: Profile, kind: int) -> int:
    """How many cores of *kind* the chip has."""
    return profile.cube_cores if kind == CUBE else profile.vector_cores


def limited(profile: Profile, kind: int, value: int) -> int:
    """*value* as a limit. Raises AclError 107000 above what the chip has."""
    most = hardware_cores(profile, kind)
    if value > most:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"value is {value}: {profile.name} has {most} {KINDS[kind]}")
    return value


def cores_of_device(device: Device, kind: int) -> int:
    """The limit of the process for *device*, else what the chip has."""
    return device.res_limits.get(kind, hardware_cores(device.sim.profile, kind))


def cores_of_stream(stream: Stream, kind: int) -> int:
    """The limit of *stream*, else that of its device."""
    limits = stream.res_limits
    if limits is not None and kind in limits:
        return limits[kind]
    return cores_of_device(stream.context.device, kind)


def cores_in_thread(t: ThreadState, kind: int) -> int:
    """What kernels that *t* launches now may use. Raises AclError 107002 without a context."""
    stream = t.limit_stream
    if stream is not None and stream.handle in t.sim.handles and stream.res_limits and kind in stream.res_limits:
        return stream.res_limits[kind]
    return cores_of_device(t.current_context().device, kind)
