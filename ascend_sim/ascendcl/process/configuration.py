"""Chapter 03: run-time configuration: how many cores the kernels of a process, a stream, a thread may use.

The options of process and context (aclrtSetSysParamOpt, aclrtCtxSetSysParamOpt) are in context.py.
"""

from __future__ import annotations

from ascend_sim.ascendcl.api import api
from ascend_sim.ascendcl.device.device import device_of, open_device
from ascend_sim.constants.errors import ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.errors import AclError
from ascend_sim.runtime.device import Device
from ascend_sim.runtime.settings.core_limits import (
    CUBE,
    KINDS,
    VECTOR,
    cores_in_thread,
    cores_of_device,
    cores_of_stream,
    limited,
)
from ascend_sim.runtime.thread_state import ThreadState


def _kind(kind: int) -> int:
    if kind not in (CUBE, VECTOR):
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID, f"type is {kind}: 0 ({KINDS[CUBE]}) or 1 ({KINDS[VECTOR]}) is required"
        )
    return kind


def _device(t: ThreadState, device_id: int, kind: int = CUBE) -> Device:
    """The device of a limit: a negative id is seen before the type, a large one after it."""
    if device_id < 0:
        device_of(t, device_id)
    _kind(kind)
    return open_device(t, device_id)


@api("aclrtSetDeviceResLimit")
def set_device_res_limit(t: ThreadState, device_id: int, kind: int, value: int) -> None:
    """Let later kernels of this process use at most *value* cores of a kind on a device that is set.

    Kinds: 0 cube (AI) cores, 1 vector cores. Codes: 107001 bad device, 107000 bad type or more cores than the chip has,
    507033 the device is not set.
    """
    device = _device(t, device_id, kind)
    device.res_limits[kind] = limited(t.sim.profile, kind, value)


@api("aclrtGetDeviceResLimit")
def get_device_res_limit(t: ThreadState, device_id: int, kind: int) -> int:
    """The limit, at first what the chip has. Codes: 107001, 107000 bad type, 507033 not set."""
    return cores_of_device(_device(t, device_id, kind), kind)


@api("aclrtResetDeviceResLimit")
def reset_device_res_limit(t: ThreadState, device_id: int) -> None:
    """All cores again, of both kinds. Codes: 107001 bad device, 507033 not set."""
    _device(t, device_id).res_limits.clear()


@api("aclrtSetStreamResLimit")
def set_stream_res_limit(t: ThreadState, stream: int, kind: int, value: int) -> None:
    """A limit for a stream (NULL: the default one); it counts in threads that call aclrtUseStreamResInCurrentThread.

    It may be above that of the process. Codes: 107017 dead stream, 107000 bad type or more cores than the chip has,
    107002 NULL without a context.
    """
    if stream:
        t.stream(stream)
    _kind(kind)
    found = t.stream(stream)
    limits = found.res_limits
    if limits is None:
        limits = found.res_limits = {}
    limits[kind] = limited(t.sim.profile, kind, value)


@api("aclrtGetStreamResLimit")
def get_stream_res_limit(t: ThreadState, stream: int, kind: int) -> int:
    """A stream's limit, else that of its device. Codes: 107017, 107000 bad type, 107002."""
    if stream:
        t.stream(stream)
    _kind(kind)
    return cores_of_stream(t.stream(stream), kind)


@api("aclrtResetStreamResLimit")
def reset_stream_res_limit(t: ThreadState, stream: int) -> None:
    """Forget the limits of a stream. Codes: 107017, 107002."""
    t.stream(stream).res_limits = None


@api("aclrtUseStreamResInCurrentThread")
def use_stream_res_in_current_thread(t: ThreadState, stream: int) -> None:
    """Kernels that this thread launches obey the limits of *stream*; the last call wins. Codes: 107017, 107002."""
    t.limit_stream = t.stream(stream)


@api("aclrtUnuseStreamResInCurrentThread")
def unuse_stream_res_in_current_thread(t: ThreadState, stream: int) -> None:
    """Undo it; nothing happens when the thread uses another stream's limits. Codes: 107017, 107002."""
    if t.stream(stream) is t.limit_stream:
        t.limit_stream = None


@api("aclrtGetResInCurrentThread")
def get_res_in_current_thread(t: ThreadState, kind: int) -> int:
    """What kernels launched now may use: stream, then process, then chip. Codes: 107000 bad type, 107002."""
    return cores_in_thread(t, _kind(kind))
