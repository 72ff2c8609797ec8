"""What a SoC is: cores, memory, limits, costs, and the switches where sources disagree.

The numbers are data (``ascend_sim/data/profiles.json``; docs/semantics/profiles.md); this module reads
them when the first profile is asked for.
"""

# No `from __future__ import annotations`: of annotations that are texts typing makes a named tuple at twice the cost.
import functools
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from ascend_sim.catalogue.tables import document
from ascend_sim.machine.switches import SWITCHES, Switch, settle

__all__ = [
    "COUPLED",
    "DEFAULT_SOC",
    "LIMITS",
    "SWITCHES",
    "Costs",
    "Profile",
    "Switch",
    "load_profile",
    "profile_names",
]

DEFAULT_SOC = "Ascend910B3"
COUPLED = ("910", "310p", "310")
"""Families whose AI core has both units: every kernel runs on it (docs/semantics/kernels.md#types-of-kernels)."""

#: What ``Simulator(limits={...})`` may lower or raise: name of the limit -> field of the profile.
LIMITS: Mapping[str, str] = MappingProxyType(
    {
        "streams": "stream_limit",
        "events": "event_limit",
        "notifies": "notify_limit",
        "stream_depth": "queue_depth",
        "memory": "memory_bytes",
        "host_memory": "host_memory_bytes",
        "groups": "groups",
    }
)


class Costs(NamedTuple):
    """Virtual time that things take: nanoseconds, and bytes per microsecond (1000 is 1 GB/s).

    Round numbers of the right order for an A2 card in a PCIe 4 host, not measurements: the order of what happens never
    depends on one of them being exact, and a program under test may change them with ``_replace``.
    """

    host_call_ns: int = 1000
    """The calling thread's clock, per outermost API call."""
    task_ns: int = 500
    """The least that a task takes on its stream."""
    record_ns: int = 100
    wait_ns: int = 100
    callback_ns: int = 5000
    kernel_ns: int = 3000
    """A kernel launch, before what the kernel itself declares."""
    cube_products_per_ns: int = 100_000
    """Multiplications and additions in half precision of all cube cores together, for operators of aclnn."""
    h2d_base_ns: int = 4000
    h2d_rate: int = 25_000
    d2h_base_ns: int = 4000
    d2h_rate: int = 22_000
    d2d_base_ns: int = 1500
    d2d_rate: int = 600_000
    peer_base_ns: int = 4000
    """Between two devices."""
    peer_rate: int = 25_000
    h2h_base_ns: int = 500
    h2h_rate: int = 10_000
    memset_base_ns: int = 1500
    memset_rate: int = 800_000


class Profile(NamedTuple):
    """One SoC as the simulator sees it. Sizes in bytes."""

    name: str
    family: str
    """``"310"``, ``"310b"``, ``"310p"``, ``"910"``, ``"910b"``, ``"910_93"`` or ``"950"``."""
    product: str
    """The manual's letters: ``"200I"``, ``"INF"``, ``"TRN"``, ``"A2"``, ``"A3"``, ``"950"``; ``"310"`` has left it."""
    npu_arch: int
    ai_cores: int
    cube_cores: int
    vector_cores: int
    """As aclrtGetDeviceInfo answers; 0 on the first generation."""
    vector_slots: int
    """Blocks of a vector kernel that run at once."""
    ai_cpus: int
    cube_mhz: int
    memory_bytes: int
    memory_kind: str
    """``"HBM"`` or ``"DDR"``."""
    l2_bytes: int
    padding_size: int
    """Added by aclrtMalloc before rounding to 32 (0 on the 950)."""
    stream_limit: int
    event_limit: int
    notify_limit: int
    queue_depth: int
    """Tasks that a stream takes before the submitting call waits."""
    event_ticks_per_ms: int
    """The counter behind aclrtEventElapsedTime."""
    op_timeout_tick_ns: int
    """Limits of AI core tasks are multiples of this."""
    op_timeout_default: int
    """The limit without aclrtSetOpExecuteTimeOut, in ticks."""
    op_timeout_most: int
    """The longest limit, in ticks."""
    sat_modes: tuple[int, ...]
    """Overflow modes that aclrtSetDeviceSatMode takes, the default first: 0 saturation, 1 Inf/NaN."""
    copy_engines: Mapping[str, int]
    supports: frozenset[str]
    """Features that answer 207000 elsewhere."""
    platform: Mapping[str, int | str]
    """What the SoC's platform file says about the inside of its cores, under the names of that file (bytes, MHz)."""
    host_memory_bytes: int = 64 << 30
    """Page-locked host memory that aclrtMallocHost may hand out (not in the sources)."""
    groups: int = 0
    """Parts that the cores are divided into (not in the sources: a card is delivered without)."""
    normal_page: int = 4096
    huge_page: int = 2 << 20
    giant_page: int = 1 << 30
    small_allocation: int = 1 << 20
    """Up to this size HUGE_FIRST takes ordinary pages (docs/semantics/memory.md#pages-and-policies)."""
    costs: Costs = Costs()
    switches: Mapping[str, str | int] = MappingProxyType({})

    @property
    def event_tick_ns(self) -> int:
        """Length of a tick of the event counter in whole nanoseconds (20 on A2)."""
        return max(1, 1_000_000 // self.event_ticks_per_ms)


@functools.cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = document("profiles.json")
    return table


def profile_names() -> list[str]:
    """The names that aclrtGetSocName can return, sorted."""
    return sorted(_table()["socs"])


@functools.cache
def _plain(name: str) -> Profile:
    """The profile of a SoC with default switches and limits."""
    table = _table()
    row = dict(zip(table["columns"], table["socs"][name], strict=True))
    family = table["families"][row["family"]]
    supports = set(family["supports"])
    if name.startswith("Ascend950DT"):
        supports.discard("event_ipc")  # docs/semantics/events.md#families
    switches = settle(row["family"])
    return Profile(
        name=name,
        family=row["family"],
        product=family["product"],
        npu_arch=family["npu_arch"],
        ai_cores=row["ai_cores"],
        cube_cores=row["cube_cores"],
        vector_cores=row["vector_cores"],
        vector_slots=row["vector_slots"],
        ai_cpus=row["ai_cpus"],
        cube_mhz=row["cube_mhz"],
        # Where the ini files are silent, the size of the family's best known part.
        memory_bytes=row["memory_bytes"] or family["default_memory_bytes"],
        memory_kind=family["memory_kind"],
        l2_bytes=row["l2_bytes"],
        padding_size=family["padding_size"],
        stream_limit=family["streams"][switches["stream_limit"]],
        event_limit=family["event_limit"],
        notify_limit=family["notify_limit"],
        queue_depth=family["queue_depth"],
        event_ticks_per_ms=family["event_ticks_per_ms"],
        op_timeout_tick_ns=family["op_timeout"]["tick_ns"],
        op_timeout_default=family["op_timeout"]["default"],
        op_timeout_most=family["op_timeout"]["most"],
        sat_modes=tuple(family["sat_modes"]),
        copy_engines=MappingProxyType(family["copy_engines"]),
        supports=frozenset(supports),
        platform=_platform(family["platform"], row),
        switches=switches,
    )


def _platform(entries: Mapping[str, int | str], row: Mapping[str, Any]) -> Mapping[str, int | str]:
    """*entries* of a family; those that name a column of the SoC's *row* differ from SoC to SoC, or are missing."""
    found = {key: row.get(value, value) if isinstance(value, str) else value for key, value in entries.items()}
    return MappingProxyType({key: value for key, value in found.items() if value is not None})


def load_profile(
    name: str = DEFAULT_SOC,
    limits: Mapping[str, int] | None = None,
    switches: Mapping[str, str | int] | None = None,
) -> Profile:
    """The profile of SoC *name*, with some *limits* (see :data:`LIMITS`) and *switches* (:data:`SWITCHES`) changed.

    Raises ValueError for a name, limit or switch that does not exist, and says which come near.

    >>> load_profile("Ascend910B3").ai_cores
    20
    >>> load_profile("Ascend310P3", limits={"stream_depth": 64}).queue_depth
    64
    """
    if name not in _table()["socs"]:
        import difflib

        names = profile_names()
        near = difflib.get_close_matches(name, names, 4, 0.5) or [n for n in names if n[:9] == "Ascend910"]
        raise ValueError(f"no SoC named {name!r}; near it: {', '.join(near)} (all: ascend-sim info)")
    profile = _plain(name)
    changes: dict[str, Any] = {}
    if switches:
        settled = settle(profile.family, switches)
        changes["switches"] = settled
        changes["stream_limit"] = _table()["families"][profile.family]["streams"][settled["stream_limit"]]
    for limit, value in (limits or {}).items():
        if limit not in LIMITS:
            raise ValueError(f"no limit named {limit!r}; there are: {', '.join(LIMITS)}")
        if not isinstance(value, int) or value < 1:
            raise ValueError(f"limit {limit} must be a positive integer, not {value!r}")
        changes[LIMITS[limit]] = value
    return profile._replace(**changes) if changes else profile
