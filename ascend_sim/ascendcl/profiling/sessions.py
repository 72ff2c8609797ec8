"""Chapter 19-01: sessions of the profiler (docs/semantics/profiling.md#sessions)."""

from __future__ import annotations

import os
from typing import Any

from ascend_sim.ascendcl.api import api
from ascend_sim.ascendcl.arguments import integers
from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_INVALID_PROFILING_CONFIG,
    ACL_ERROR_PROF_MODULES_UNSUPPORTED,
)
from ascend_sim.constants.tools import (
    ACL_PROF_ACL_API,
    ACL_PROF_AICPU,
    ACL_PROF_API_STATS,
    ACL_PROF_ARGS_MAX,
    ACL_PROF_ARGS_MIN,
    ACL_PROF_HOST_SYS,
    ACL_PROF_HOST_SYS_USAGE,
    ACL_PROF_LLC_MODE,
    ACL_PROF_MSPROFTX,
    ACL_PROF_OPTYPE,
    ACL_PROF_PATH,
    ACL_PROF_STORAGE_LIMIT,
    ACL_PROF_TASK_TIME,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.profiling.session import ProfilerConfig, ProfilerSession
from ascend_sim.runtime.tensors.descriptors import live
from ascend_sim.runtime.thread_state import ThreadState

MOST_PATH = 4096
MOST_SETTING = 256
KNOWN_SWITCHES = 0xC_0100_FBFF
"""All bits that a constant ACL_PROF_* of the headers has."""
_TEXTS = (
    ACL_PROF_STORAGE_LIMIT, ACL_PROF_LLC_MODE, ACL_PROF_HOST_SYS, ACL_PROF_HOST_SYS_USAGE, ACL_PROF_OPTYPE,
    ACL_PROF_PATH,
)  # fmt: skip
"""Settings that are no frequency."""


def _session(t: ThreadState) -> ProfilerSession:
    return t.sim.part(ProfilerSession)


def _bad(text: str) -> AclError:
    return AclError(ACL_ERROR_INVALID_PARAM, text, "acl")


@api("aclprofInit")
def init(t: ThreadState, path: str | None, length: int) -> None:
    """Begin: results will go to *path*.

    Codes: 100000 no path, a length that is not that of the path, 4096 or more; 100002 called before, 100003 characters
    that are refused, 100042 the file of aclInit switches the profiler on, 148047 a model is subscribed.
    """
    if path is None or not 0 < length < MOST_PATH or len(os.fsencode(path)) != length:
        raise _bad(f"profilerResultPath is {path!r}, its length {length}: they must agree, and be 1 to {MOST_PATH - 1}")
    _session(t).begin(path)


@api("aclprofFinalize")
def finalize(t: ThreadState) -> None:
    """End, stop what runs. Without a begin nothing happens. Codes: 100042, 148047 as aclprofInit."""
    _session(t).finish(t)


@api("aclprofCreateConfig")
def create_config(t: ThreadState, devices: Any, count: int, metrics: int, events: int, switches: int) -> int:
    """What to collect of which devices; with ACL_PROF_MSPROFTX there may be none.

    NULL: devices that do not exist or come twice, none of them without ACL_PROF_MSPROFTX, *aicoreEvents* not NULL.
    """
    if count and devices is None:
        raise _bad("deviceIdList is NULL")
    if events:
        raise _bad("aicoreEvents has to be NULL")
    known = len(t.sim.devices)
    if count > known:
        raise _bad(f"deviceNums is {count}: there are {known} devices")
    chosen = integers(devices, count, "deviceIdList", 4) if count else []
    if any(device >= known for device in chosen) or len(set(chosen)) != len(chosen):
        raise _bad(f"deviceIdList is {chosen}: different ones of 0 to {known - 1} are required")
    if not chosen and not switches & ACL_PROF_MSPROFTX:
        raise _bad("there is no device, and ACL_PROF_MSPROFTX is not asked for")
    if switches & ACL_PROF_API_STATS:
        switches = ACL_PROF_ACL_API | ACL_PROF_API_STATS
    config = ProfilerConfig(chosen, switches)
    config.handle = t.sim.new_handle(config)
    return config.handle


def _config(t: ThreadState, handle: int) -> ProfilerConfig:
    config = live(t, handle, ProfilerConfig, "profiler configuration")
    if config is None:
        raise _bad("profilerConfig is NULL" if not handle else f"{handle:#x} is no live profiler configuration")
    return config


@api("aclprofDestroyConfig")
def destroy_config(t: ThreadState, handle: int) -> None:
    """A session that was started with it goes on. Codes: 100000 NULL."""
    t.sim.drop_handle(_config(t, handle).handle)


def _checked(config: ProfilerConfig) -> ProfilerConfig:
    if not config.switches:
        raise _bad("dataTypeConfig is 0")
    if config.switches & ~KNOWN_SWITCHES:
        raise AclError(
            ACL_ERROR_PROF_MODULES_UNSUPPORTED, f"dataTypeConfig is {config.switches:#x}: bits that nothing has", "acl"
        )
    return config


@api("aclprofStart")
def start(t: ThreadState, handle: int) -> None:
    """Collect from now on; NULL: tasks and calls of the devices that are in use. Started before with the same: 0.

    Codes: 100000 no bits, 200007 unknown bits, 100010 running with others, 100003 results that cannot be written,
    100042 and 148047 as aclprofInit. Without aclprofInit results go to the working directory.
    """
    if handle:
        config = _checked(_config(t, handle))
    else:
        used = [device.index for device in t.sim.devices if device.count]
        config = ProfilerConfig(used, ACL_PROF_ACL_API | ACL_PROF_TASK_TIME | ACL_PROF_AICPU)
    _session(t).start(t, config)


@api("aclprofStop")
def stop(t: ThreadState, handle: int) -> None:
    """Collect no more, and write the results. NULL: whatever runs. Without a begin nothing happens.

    Codes: 100000 no bits, 200007 unknown bits, 100043 not started for these devices, 100010 other bits than at the
    start, 100042 and 148047 as aclprofInit.
    """
    _session(t).stop(t, _checked(_config(t, handle)) if handle else None)


@api("aclprofSetConfig")
def set_config(t: ThreadState, kind: int, text: str | None, length: int) -> None:
    """One more setting, as text: a frequency in Hz, or what the type says. Nothing here depends on it, but the path.

    Codes: 100000 no type, NULL, more than 256 bytes, a length that is not that of the text; 100010 no number where a
    frequency is needed.
    """
    if not ACL_PROF_ARGS_MIN < kind < ACL_PROF_ARGS_MAX:
        raise _bad(f"configType is {kind}: 1 to {ACL_PROF_ARGS_MAX - 1} is required")
    if length > MOST_SETTING or text is None or len(os.fsencode(text)) != length:
        raise _bad(f"config is {text!r}, its length {length}: they must agree, and be at most {MOST_SETTING}")
    if kind not in _TEXTS and not (text.isascii() and text.isdecimal() and int(text)):
        raise AclError(ACL_ERROR_INVALID_PROFILING_CONFIG, f"config is {text!r}: a frequency in Hz is required", "acl")
    session = _session(t)
    if kind == ACL_PROF_PATH and session.path and text:
        session.path = os.path.abspath(text)
