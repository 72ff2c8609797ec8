"""Named switches: behaviours on which two sources disagree, or which differ by version or driver.

Each row of :data:`SWITCHES` is one known conflict with the value that a fresh simulator takes. A value ``"by-chip"`` is
settled by the SoC family when a profile is loaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

__all__ = ["SWITCHES", "Switch", "settle"]


class Switch(NamedTuple):
    """One conflict between sources: what it may be set to, and what it is otherwise.

    Who says what: the section of its name in docs/semantics/profiles.md.
    """

    name: str
    values: tuple[str | int, ...]
    default: str | int
    meaning: str


_ROWS = (
    # -- streams, events, waiting ----------------------------------------------------------------------------------
    Switch(
        "stream_limit",
        ("page", "physical", "allocatable"),
        "page",
        "streams per device, default streams included: the API page (1984 on A2), the physical queues (2038), or the "
        "allocatable ids (32768)",
    ),
    Switch(
        "stream_exhaustion",
        (207008, 207005),
        207008,
        "the code when no stream is left: 207008 in the code table and a newer log, 207005 in the FAQ's log",
    ),
    Switch(
        "event_exhaustion",
        ("by-chip", "error", "wait"),
        "by-chip",
        "a record without a free event id: 207007 after 1000 tries (A2, A3, 950), or the call waits (older chips)",
    ),
    Switch(
        "zero_timeout",
        ("refused", "accepted"),
        "refused",
        "a time-out of 0 ms in the synchronise calls: 107000 by the code, accepted by the pages",
    ),
    Switch(
        "device_sync_scope",
        ("context", "device"),
        "context",
        "aclrtSynchronizeDevice waits for the streams of the current context (code), or of the device (older pages)",
    ),
    Switch(
        "capture_sync",
        (107027, 107041),
        107027,
        "the code of a synchronise on a capturing stream: 107027 in logs and source, 107041 in the FAQ",
    ),
    Switch(
        "event_across_devices",
        ("ordered", "refused"),
        "ordered",
        "a wait on one device for an event recorded on another: the source has a path for it, the guide says it fails",
    ),
    Switch(
        "default_stream_failure_mode",
        ("accepted", "refused"),
        "accepted",
        "aclrtSetStreamFailureMode on a default stream: allowed (A2, A3, 950) by its page, not by the attribute page",
    ),
    Switch(
        "device_use_only_sync",
        (0, 507000),
        0,
        "synchronising a DEVICE_USE_ONLY stream after a stop-mode failure: 0 by the source, 507000 by a README",
    ),
    Switch(
        "destroy_default_stream",
        ("refused", "accepted"),
        "refused",
        "aclrtDestroyStream with the real handle of a default stream: forbidden by the guide, no guard in the code",
    ),
    Switch(
        "reset_device",
        ("waits", "discards"),
        "waits",
        "the last aclrtResetDevice: waits for the tasks of the default context (page), or drops them (code)",
    ),
    Switch(
        "op_timeout_interval",
        ("chip", 1000, 100),
        "chip",
        "the step (us) of the limits of aclrtSetOpExecuteTimeOut on A2, A3 and 950: the chip's own (2**32 ns), or a "
        "fine one of newer firmware, whose default limits are shorter and where 0 means no limit at all",
    ),
    # -- memory and copies -----------------------------------------------------------------------------------------
    Switch(
        "freed_memory_in_kernel",
        ("finding", "fault"),
        "finding",
        "a task that touches a freed block: a finding while the task succeeds, or also a fault of the task",
    ),
    Switch(
        "pinned_memory_in_kernel",
        ("finding", "mapped", "fault"),
        "finding",
        "a kernel, or its argument block, uses page-locked host memory by its host address: the driver maps it for "
        "devices (mapped: all is well; finding: a warning, since not every driver does), or the core stops (a bug report)",
    ),
    Switch(
        "allocation_granule",
        ("size", 512, "page"),
        "size",
        "what an allocation takes from the device: the rounded size of the manual (whole pages where they are huge), "
        "multiples of 512 bytes (software driver), or whole pages always",
    ),
    Switch(
        "opp_path",
        ("built-in", "environment"),
        "built-in",
        "aclopInferShape without ASCEND_OPP_PATH: 148049 on a machine; here the operators are built in and it is only "
        "looked at when it is set",
    ),
    Switch(
        "copy_out_of_range",
        (107000, 507899),
        107000,
        "the code of a copy that leaves its allocation or names memory that nobody has: not settled",
    ),
    Switch(
        "copy_without_peer_access",
        (107000, 507899, 0),
        107000,
        "a copy between two devices without enabled peer access: it fails by the page, the code is not settled",
    ),
    Switch(
        "peer_status",
        ("direction", "both"),
        "direction",
        "aclrtDevicePeerAccessStatus: 1 when this direction is enabled (page), or only when both are (driver header)",
    ),
    Switch(
        "free_unknown_pointer",
        (107000, 107017),
        107000,
        "aclrtFree of a pointer that no allocator returned: the driver's 107000, or 107017 of the software driver",
    ),
    Switch(
        "free_pageable_pointer",
        (107000, 0),
        107000,
        "aclrtFree of a plain host pointer: refused, or handed to free() by a driver in malloc mode (here: only 0)",
    ),
    Switch(
        "lost_by_reset",
        ("force", "both", "nothing"),
        "force",
        "which reset of a device takes its memory and events along: aclrtResetDeviceForce, aclrtResetDevice too, or "
        "neither; aclrtFree needs no context, and no source says what becomes of the memory at the plain reset",
    ),
    Switch(
        "free_after_reset",
        (507899, 107000),
        507899,
        "aclrtFree of memory that went down with its device",
    ),
    Switch(
        "free_pinned_pointer",
        (0, 107000),
        0,
        "aclrtFree of a page-locked host block: the driver releases it, or (a bug report) refuses",
    ),
    Switch(
        "pinned_detection",
        ("yes", "no"),
        "yes",
        "whether the driver can tell pinned from pageable memory; without it copy kinds are not corrected and pageable "
        "copies are queued",
    ),
    Switch(
        "pageable_async_copy",
        ("waits", "queued"),
        "waits",
        "an asynchronous copy with pageable memory: waits for the stream and copies (now), or is queued (older "
        "documents call it unpredictable)",
    ),
    Switch(
        "host_to_host_async",
        ("refused", "queued"),
        "refused",
        "aclrtMemcpyAsync from host to host: 207000 at the call (now), or queued (older documents)",
    ),
    Switch(
        "host_register_pageable",
        ("accepted", "refused"),
        "accepted",
        "aclrtHostRegister of plain host memory: accepted by Linux newer than 5.10, refused (107000) by older ones",
    ),
    Switch(
        "unaligned_host_register",
        (507899, 107000, 0),
        507899,
        "registering host memory for devices (MAPPED, IOMEMORY, READONLY) from an address that is no multiple of 4096: "
        "the driver's 507899 in bug reports, its code for a bad argument (107000), or 0: the runtime itself does not look",
    ),
    Switch(
        "memory_pools",
        ("page", "driver", "everywhere"),
        "page",
        "which products have stream-ordered pools: A2 by the page, 950 by the driver",
    ),
    Switch(
        "memory_pool_reuse",
        ("page", "never"),
        "page",
        "blocks that were given back to a pool are handed out again as the page says, or not before a trim (the source "
        "that was looked at has the search switched off)",
    ),
    Switch(
        "memory_pool_trim",
        ("page", "never"),
        "page",
        "a synchronisation trims pools to their release threshold (the page), or does not (the source that was looked at)",
    ),
    # -- queues ----------------------------------------------------------------------------------------------------
    Switch(
        "queue_depth",
        ("ring", "page"),
        "ring",
        "how many entries a queue or channel of depth N holds: N - 1 by the driver, whose ring keeps one place free, or "
        "N as the page and the README of a sample have it",
    ),
    Switch(
        "run_mode",
        ("by-chip", "host", "device"),
        "by-chip",
        "where programs run: on the host of a card, or on the CPU of the chip itself (root complex: boards with a 310B), "
        "where aclrtGetRunMode says so, device memory is the program's own and shared buffers exist",
    ),
    # -- kernels and faces -----------------------------------------------------------------------------------------
    Switch(
        "trap_code",
        (507035, 507036),
        507035,
        "the code of a trap in a vector kernel: 507035 in the public sample, 507036 in the code table",
    ),
    Switch(
        "many_blocks",
        ("by-chip", "truncated", 107000),
        "by-chip",
        "numBlocks above 65535: cut to 16 bits when the task is built, or refused (950)",
    ),
    Switch(
        "media_strict_at_call",
        ("by-chip", "yes", "no"),
        "by-chip",
        "wrong strides and sizes of pictures: refused by the call with 100000 (310B, A2, A3), or found by the device",
    ),
    Switch(
        "pyacl_allocator",
        ("intent", "published"),
        "intent",
        "custom allocators written in Python: as documented, or as the published binding behaves (results are dropped)",
    ),
)

SWITCHES: Mapping[str, Switch] = MappingProxyType({row.name: row for row in _ROWS})

_NEWER = ("910b", "910_93", "950")


def _by_chip(name: str, family: str) -> str | int:
    if name == "event_exhaustion":
        return "error" if family in _NEWER else "wait"
    if name == "run_mode":
        return "device" if family == "310b" else "host"
    if name == "media_strict_at_call":
        return "yes" if family in ("310b", "910b", "910_93") else "no"
    return 107000 if family == "950" else "truncated"


def settle(family: str, chosen: Mapping[str, str | int] | None = None) -> Mapping[str, str | int]:
    """The value of every switch for a SoC *family*, with *chosen* in place of the defaults.

    A number may be given as text (``"107041"``), as it comes from a command line. Raises ValueError for an unknown
    switch or value and says which there are.
    """
    result: dict[str, str | int] = {}
    given = dict(chosen or {})
    for name, switch in SWITCHES.items():
        value = given.pop(name, switch.default)
        if isinstance(value, str) and value not in switch.values and value.isdecimal():
            value = int(value)
        if value not in switch.values:
            allowed = ", ".join(str(v) for v in switch.values)
            raise ValueError(f"switch {name} cannot be {value!r}; it is one of: {allowed}")
        result[name] = _by_chip(name, family) if value == "by-chip" else value
    if given:
        raise ValueError(f"no switch named {', '.join(sorted(given))}; there are: {', '.join(SWITCHES)}")
    return MappingProxyType(result)
