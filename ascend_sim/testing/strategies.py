"""Values for properties of code that uses the runtime: products, sizes at the borders, flags, handles, schedules."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hypothesis import strategies as st

from ascend_sim.machine.profiles import DEFAULT_SOC, load_profile, profile_names

__all__ = [
    "copy_kinds", "event_flags", "faults", "handles", "invalid_handles", "limits", "profiles", "schedules", "sizes",
    "stream_flags",
]  # fmt: skip

ALIGNMENT, GRANULE = 32, 512
"""Bytes: to what sizes are rounded, and where device blocks begin."""
SYNC, TIME_LINE = 1, 8
NONSENSE = (0, 1, 0xDEAD_BEEF, 0xACE0_0000_0008, (1 << 64) - 1)


def profiles(default_first: bool = True) -> st.SearchStrategy[str]:
    """The name of a product, for ``Simulator(soc=...)``; shrinks to the default one."""
    names = sorted(profile_names())
    return st.sampled_from([DEFAULT_SOC, *names] if default_first else names)


def sizes(smallest: int = 1, largest: int = 1 << 20, soc: str = DEFAULT_SOC) -> st.SearchStrategy[int]:
    """Sizes of allocations in bytes, most of them at the limits of rounding and of pages; shrinks to the smallest."""
    profile = load_profile(soc)
    borders = {smallest, largest}
    for unit in (ALIGNMENT, GRANULE, 4096, profile.normal_page, profile.huge_page, profile.small_allocation):
        for many in (1, 2, 3):
            borders |= {unit * many + d for d in (-ALIGNMENT, -1, 0, 1, ALIGNMENT)}
    power = smallest
    while power <= largest:
        borders.add(1 << power.bit_length())
        power *= 2
    good = sorted(size for size in borders if smallest <= size <= largest)
    return st.one_of(st.sampled_from(good), st.integers(smallest, largest))


def copy_kinds(valid: bool | None = True) -> st.SearchStrategy[int]:
    """The *kind* of a copy: 0 to 4 (host and device, and DEFAULT), 5 for a buffered one; not *valid*: any other."""
    good, bad = st.integers(0, 5), st.sampled_from([6, 7, 100, (1 << 31) - 1])
    return st.one_of(good, bad) if valid is None else good if valid else bad


def event_flags(valid: bool | None = True) -> st.SearchStrategy[int]:
    """The flags of aclrtCreateEventWithFlag and its Ex sister: SYNC 1 and TIME_LINE 8, or-ed."""
    good, bad = st.sampled_from([SYNC, TIME_LINE, SYNC | TIME_LINE]), st.sampled_from([0, 0x80, 1 << 20, (1 << 32) - 1])
    return st.one_of(good, bad) if valid is None else good if valid else bad


def stream_flags() -> st.SearchStrategy[int]:
    """The flags of aclrtCreateStreamWithConfig that a test can wait for: fast launch 1, fast sync 2, both or none."""
    return st.sampled_from([0, 1, 2, 3])


def schedules(random: bool = True) -> st.SearchStrategy[str]:
    """Names of schedules; shrinks to ``virtual-time``."""
    plain = st.sampled_from(["virtual-time", "late", "early"])
    return st.one_of(plain, st.integers(0, 999).map(lambda seed: f"random({seed})")) if random else plain


def limits(least_depth: int = 2) -> st.SearchStrategy[dict[str, int]]:
    """Limits of a simulator, none or small ones, so that full queues and exhausted pools are met."""
    return st.one_of(
        st.just({}),
        st.fixed_dictionaries({}, optional={
            "stream_depth": st.integers(least_depth, 16), "streams": st.integers(6, 16), "events": st.integers(6, 32),
            "memory": st.sampled_from([4 << 20, 16 << 20, 64 << 20]),
        }),
    )  # fmt: skip


def invalid_handles(dead: Iterable[int] = ()) -> st.SearchStrategy[int]:
    """Handles that name nothing: NULL, nonsense, and those in *dead* that were destroyed."""
    return st.sampled_from([*NONSENSE, *dead])


def handles(live: Iterable[int], dead: Iterable[int] = (), valid: bool | None = None) -> st.SearchStrategy[int]:
    """A handle out of *live*, or an invalid one; *valid* chooses one of the two."""
    good, bad = [*live], invalid_handles(dead)
    if valid is False or not good:
        return bad
    return st.sampled_from(good) if valid else st.one_of(st.sampled_from(good), bad)


def faults(
    functions: Iterable[str] = ("aclrtMalloc", "aclrtCreateEvent", "aclrtCreateStream"),
) -> st.SearchStrategy[str]:
    """Plans of faults for ``Simulator(faults=...)``: a call of *functions*, memory that runs out, a slow copy."""
    number = st.integers(1, 20)
    calls: Callable[[str, int], str] = lambda name, n: f"{name}:{n}"  # noqa: E731
    return st.one_of(
        st.builds(calls, st.sampled_from([*functions]), number),
        st.sampled_from([1, 4, 16]).map(lambda mib: f"memory:{mib}MiB"),
        number.map(lambda n: f"copy:{n}=5ms"),
    )
