"""Allocating, freeing and asking about memory: what the runtime adds to the machine's address space.

Sizes are rounded here, policies become pages, faults of the machine become codes (docs/semantics/memory.md#sizes).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.constants.errors import (
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_RT_INTERNAL_ERROR,
    ACL_ERROR_RT_INVALID_MEMORY_TYPE,
    ACL_ERROR_RT_MEMORY_ALLOCATION,
    ACL_ERROR_RT_PARAM_INVALID,
)
from ascend_sim.errors import AclError
from ascend_sim.findings.finding import Site
from ascend_sim.machine.faults import AddressFault, OutOfMemory
from ascend_sim.runtime.memory import host_buffers

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.memory.host_buffers import Kept
    from ascend_sim.runtime.thread_state import ThreadState
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = [
    "allocate", "allocate_host", "fault_error", "free", "free_error", "memory_info", "out_of_object", "round_up",
    "synchronize_all", "tell_over_read",
]  # fmt: skip

HUGE_FIRST, HUGE_ONLY, NORMAL_ONLY, HUGE_FIRST_P2P, HUGE_ONLY_P2P, NORMAL_ONLY_P2P, GIANT, GIANT_P2P = range(8)
_NORMAL = (NORMAL_ONLY, NORMAL_ONLY_P2P)
_HUGE = (HUGE_ONLY, HUGE_ONLY_P2P)
GIANTS = (GIANT, GIANT_P2P)


# aclrtGetMemInfo: which memory kind an attribute asks for; 12 and up ask for whatever the chip has.
_DDR_ATTRIBUTES = (0, 2, 3, 6, 7)
_GIANT_ATTRIBUTES = (10, 11, 14, 17)
LAST_ATTRIBUTE = 17


def round_up(size: int, padding: int = 0) -> int:
    """The size of an allocation as the acl layer rounds it: to 32, after *padding* bytes were added."""
    return (size + 32 + padding - 1) // 32 * 32


def allocate(t: ThreadState, size: int, rounded: int, policy: int) -> int:
    """Device memory on the current device; returns its address.

    Raises AclError: 107002 no context, 207000 giant pages that the chip lacks, 207001 no room.
    """
    device = t.current_context().device.index
    profile = t.sim.profile
    if policy in GIANTS and "giant_pages" not in profile.supports:
        raise AclError(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"policy is {policy}: {profile.name} has no 1 GiB pages", "driver"
        )
    if policy in GIANTS:
        pages: tuple[int, ...] = (profile.giant_page,)
    elif policy in _HUGE:
        pages = (profile.huge_page,)
    elif policy in _NORMAL or rounded <= profile.small_allocation:
        pages = (profile.normal_page,)
    else:  # huge first, and every policy that the code does not know: ordinary pages when no huge ones are left
        pages = (profile.huge_page, profile.normal_page)
    granule = profile.switches["allocation_granule"]
    for page in pages:
        whole = page != profile.normal_page and not isinstance(granule, int)  # large pages cannot be shared
        unit = page if whole or granule == "page" else granule if isinstance(granule, int) else 1
        taken = -(-rounded // unit) * unit
        try:
            block = t.sim.memory.allocate(device, size, rounded, taken, site=t.site, thread=t.number)
        except OutOfMemory as full:
            if page != pages[-1]:
                continue
            pools = t.sim.process.pools
            if pools is not None and pools.trim_all(t, device):  # what lies in pools for later is given back first
                return allocate(t, size, rounded, policy)
            raise no_room(t, device, size, full) from None
        else:
            break
    block.page = page
    tell_allocated(t, block)
    return int(block.address)


def no_room(t: ThreadState, device: int, size: int, full: OutOfMemory) -> AclError:
    """The text of an allocation that finds no room says who has the memory."""
    largest = sorted(t.sim.memory.blocks(device), key=lambda block: -block.taken)[:3]
    holders = "; the largest are " + ", ".join(block.describe() for block in largest) if largest else ""
    return AclError(ACL_ERROR_RT_MEMORY_ALLOCATION, f"no room for {size} bytes: {full.text}{holders}", "driver")


def allocate_host(t: ThreadState, size: int, kind: str = "host", unit: int = 32) -> int:
    """Page-locked (or managed) host memory; returns its true address. Raises AclError: 107002, 207001."""
    t.current_context()
    try:
        rounded = -(-size // unit) * unit
        block = t.sim.memory.allocate_host(size, rounded, site=t.site, thread=t.number, kind=kind)
    except OutOfMemory as full:
        raise AclError(ACL_ERROR_RT_MEMORY_ALLOCATION, f"no room for {size} bytes: {full.text}", "driver") from None
    tell_allocated(t, block)
    return int(block.address)


def tell_allocated(t: ThreadState, block: Allocation) -> None:
    """Tell observers that *block* was handed out."""
    hooks = t.sim.hooks.allocated
    if hooks is not None:
        for observe in hooks:
            observe(t, block)


def tell_made_known(t: ThreadState, block: Allocation) -> None:
    """Tell observers of what nobody allocated: a reserved range, memory that was registered. Its address is its handle."""
    hooks = t.sim.hooks.handle_made
    if hooks is not None:
        for observe in hooks:
            observe(block, block.address)


def free(t: ThreadState, address: int, host: bool = False) -> None:
    """aclrtFree, or with *host* aclrtFreeHost: at once, whoever still uses the block. Needs no context.

    Raises AclError 107000 (or as the profile's switches say): not the start of a live block, or of the wrong family.
    """
    memory = t.sim.memory
    try:
        block = memory.block_to_free(address)
    except AddressFault as fault:
        given = fault.block
        if given is None or given.free_task is None or given.address != address:
            raise_or_accept(t, fault, host)
            return
        block = given
    if block.pieces is not None:
        freed_badly(
            t, block, f"is given an address of {t.sim.names.block(block)}, where memory is mapped",
            "aclrtUnmapMem undoes the mapping, aclrtFreePhysical gives the memory back",
        )  # fmt: skip
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{address:#x} is an address of a reserved range", "driver")
    if block.kind == "registered":
        freed_badly(t, block, "is given memory that was registered, not allocated", "aclrtHostUnregister")
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID,
            f"{address:#x} is {block.describe()}: it was registered, not allocated",
            "driver",
        )
    if block.imported:
        freed_badly(t, block, "is given memory of another process", "aclrtIpcMemClose gives up what a key opened")
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{address:#x} is {block.describe()}: close its key", "driver")
    if host and block.kind != "host":
        freed_badly(t, block, "is given device memory", "aclrtFree frees device memory")
        raise AclError(
            ACL_ERROR_RT_PARAM_INVALID,
            f"{address:#x} is {block.describe()}: aclrtFreeHost frees page-locked host blocks only",
        )
    if not host and block.kind == "host":
        code = int(t.sim.profile.switches["free_pinned_pointer"])
        freed_badly(
            t, block, "is given page-locked host memory" + ("" if code else ": this driver frees it, others refuse"),
            "aclrtFreeHost frees host memory", "error" if code else "warning",
        )  # fmt: skip
        if code:
            raise AclError(code, f"{address:#x} is {block.describe()}: free it with aclrtFreeHost", "driver")
    if block.releasing:
        freed_twice(t, block)
        text = f"{address:#x} is {block.describe()}: aclrtMemPoolFreeAsync was called for it"
        raise AclError(ACL_ERROR_RT_INTERNAL_ERROR, text)
    memory.free(block, t.site)
    block.free_ns = t.clock
    tell_freed(t, block)


def tell_freed(t: HostThread, block: Allocation) -> None:
    """Tell observers that *block* was given back."""
    hooks = t.sim.hooks.freed
    if hooks is not None:
        for observe in hooks:
            observe(t, block)


def raise_or_accept(t: ThreadState, fault: AddressFault, host: bool) -> None:
    """A free of what is no live block: the code, unless a switch says that the driver takes it."""
    code = ACL_ERROR_RT_PARAM_INVALID
    if fault.kind == "unknown" and not host:
        plain = t.sim.memory.where(fault.address) == "unregistered"
        if plain and not t.sim.profile.switches["free_pageable_pointer"]:
            return
        code = int(t.sim.profile.switches["free_unknown_pointer"])
    if fault.kind == "freed" and fault.block is not None and lost_by_reset(t, fault.block):
        raise AclError(int(t.sim.profile.switches["free_after_reset"]), fault.text, "driver")
    if fault.kind == "freed" and fault.block is not None and fault.block.address == fault.address:
        freed_twice(t, fault.block)
    elif fault.block is not None:
        inside = fault.address - fault.block.address
        freed_badly(
            t, fault.block,
            f"is given byte {inside} of {t.sim.names.one_of(fault.block)}",
            "free the address that the allocation returned: no other one is accepted",
        )  # fmt: skip
    else:
        freed_badly(t, None, "is given an address that no allocation returned")
    raise free_error(code, fault)


def lost_by_reset(t: HostThread, block: Allocation) -> bool:
    """Whether *block* went down with its device; using it is a finding."""
    if block.device < 0 or block.number not in t.sim.devices[block.device].reset_blocks:
        return False
    t.sim.report(
        "use-after-reset",
        "error",
        f"{t.call} uses {t.sim.names.one_of(block)}, which was lost when device {block.device} was reset",
        [
            Site("access", "used here", t.site, primary=True),
            Site("free", f"device {block.device} was reset here", block.free_site),
            Site("alloc", f"{block.size} bytes allocated here", block.site),
        ],
        fix="free everything before the reset",
        time_ns=t.clock,
    )
    return True


def freed_twice(t: HostThread, block: Allocation) -> None:
    """A call frees a block that was freed, or given back to its pool."""
    task = block.free_task
    t.sim.report(
        "double-free",
        "error",
        f"{t.call} frees {t.sim.names.one_of(block)} a second time",
        [
            Site("access", "freed again here", t.site, primary=True),
            Site("free", "freed first here", task.site if task is not None else block.free_site),
            Site("alloc", f"{block.size} bytes allocated here", block.site),
        ],
        fix="let one owner free it, and forget the address then",
        time_ns=t.clock,
    )


def used_after_free(t: HostThread, block: Allocation, what: str) -> None:
    """A call names memory that was freed: it returns a code, and the program is wrong."""
    t.sim.report(
        "use-after-free",
        "error",
        f"{t.call} uses {t.sim.names.one_of(block)} as {what}, which was {block.ended()} before",
        [
            Site("access", "used here", t.site, primary=True),
            Site("free", f"{block.ended()} here {block.freed_by}", block.free_site),
            Site("alloc", f"{block.size} bytes {block.begun()} here", block.origin()),
        ],
        time_ns=t.clock,
    )


def freed_badly(t: HostThread, block: Allocation | None, why: str, fix: str = "", severity: str = "error") -> None:
    """What is freed is no start of a live block of the right family; an error: the call returns a code."""
    sites = [Site("access", "freed here", t.site, primary=True)]
    if block is not None:
        sites.append(Site("alloc", f"{block.size} bytes allocated here", block.site))
    t.sim.report("bad-free", severity, f"{t.call} {why}", sites, fix=fix, time_ns=t.clock)


def free_error(code: int, fault: AddressFault) -> AclError:
    """The code and text for a free that names no live block."""
    advice = {
        "freed": "it was freed already",
        "interior": "only the address that the allocation returned can be freed",
        "unknown": "only what an allocation returned can be freed",
    }
    return AclError(code, f"{fault.text}: {advice.get(fault.kind, 'it cannot be freed')}", "driver")


def synchronize_all(t: ThreadState) -> None:
    """Wait for every stream of the current device, whatever its context. Raises AclError: 107002, a task's failure."""
    context = t.current_context()
    context.synchronize(t, None)
    for other in list(t.sim.contexts.values()):
        if other is not context and other.device is context.device and not other.dead:
            for stream in (*list(other.streams), other.default):
                if stream.awaited():
                    stream.wait_empty(t, None)


def still_kept(fault: AddressFault) -> Allocation | None:
    """The block that *fault* is about, when its pool still has the memory: no call notices that it was given back."""
    late = fault.block
    return late if late is not None and late.kept and late.contains(fault.address + fault.nbytes - 1) else None


def block_for_task(t: HostThread, address: int, nbytes: int, what: str, write: bool) -> Allocation | None:
    """The block of a range that a task is to use, None for other host memory. Raises AclError as `fault_error` says."""
    try:
        found: Allocation | None = t.sim.memory.check(address, nbytes, write)
    except AddressFault as fault:
        found = still_kept(fault)
        if found is None:
            raise fault_error(t, fault, what) from None
    return found


def fault_error(t: HostThread, fault: AddressFault, what: str) -> AclError:
    """The code of a copy or set whose range *what* (``dst``, ``src``) cannot be used.

    See docs/semantics/profiles.md#copy_out_of_range.
    """
    code = int(t.sim.profile.switches["copy_out_of_range"])
    if fault.kind == "freed" and fault.block is not None and not lost_by_reset(t, fault.block):
        used_after_free(t, fault.block, what)
    if fault.kind == "unallocated":
        mapped_for_nobody(t, fault.address, what)
    if fault.kind == "bounds":
        sites = [Site("access", "called here", t.site, primary=True)]
        reach, cure = "reaches beyond the end of its memory", ""
        if fault.block is not None:
            block = fault.block
            over = fault.address + fault.nbytes - block.address - block.size
            room = block.address + block.size - fault.address
            cure = f"pass {what} at most {room} bytes there, or allocate more" if room > 0 else ""
            reach = f"reaches {over} bytes beyond the end of {t.sim.names.one_of(block)}"
            sites.append(Site("alloc", f"{block.size} bytes allocated here", block.site))
        title = f"{t.call}: {what} {reach}"
        t.sim.report("out-of-bounds", "error", title, sites, fix=cure, notes=(fault.text,), time_ns=t.clock)
    return AclError(code, f"{what}: {fault.text}", "driver")


def mapped_for_nobody(t: HostThread, address: int, what: str) -> None:
    """A call names memory that was mapped without access, and none was given: it returns a code, and says nothing."""
    virtual = t.sim.memory.virtual
    mapping = virtual.mapping_at(address) if virtual is not None else None
    if mapping is None or mapping.open:
        return
    t.sim.report(
        "peer-access", "error",
        f"{t.call} uses {t.sim.names.block(mapping)} as {what}, and no device was given access to it",
        [Site("access", "used here", t.site, primary=True),
         Site("alloc", f"{mapping.size} bytes mapped here, without access", mapping.map_site)],
        fix="aclrtMemSetAccess, with the address and the size of the mapping", time_ns=t.clock,
    )  # fmt: skip


def out_of_object(t: HostThread, kept: Kept, address: int, nbytes: int, what: str, over: int) -> AclError:
    """As `fault_error`, for *nbytes* from *address* that end *over* bytes behind a Python object of the program."""
    text = _tell_out_of_object(t, kept, address, nbytes, what, over)
    return AclError(int(t.sim.profile.switches["copy_out_of_range"]), f"{what}: {text}", "driver")


def tell_over_read(t: HostThread, address: int, nbytes: int, what: str, text: bool = False) -> None:
    """A finding when a call reads *nbytes* at host *address* and leaves the Python object of the program there.

    What lies behind it is read, as on hardware: the interpreter's own memory, which is another each time. The zero byte
    that ends a *text* may be the one that Python itself keeps behind the bytes of a bytes object.
    """
    kept = host_buffers.find(address)
    if kept is None:
        return
    over = kept.past_end(address, nbytes)
    if over and not (text and over == 1 and isinstance(kept.obj, bytes)):
        _tell_out_of_object(t, kept, address, nbytes, what, over)


def _tell_out_of_object(t: HostThread, kept: Kept, address: int, nbytes: int, what: str, over: int) -> str:
    sites = [Site("access", "called here", t.site, primary=True)]
    if kept.site is not None:
        sites.append(Site("alloc", "its address was taken here", kept.site))
    owner, its_end = kept.words(), "its end"
    if kept.is_view():
        owner, its_end = f"the memory that {owner} is a view of", "the end of the memory that it is a view of"
    text = f"{nbytes} bytes from byte {address - kept.address} of {kept.words()} end {over} bytes past {its_end}"
    title = f"{t.call}: {what} reaches {over} bytes beyond the end of {owner}"
    t.sim.report("out-of-bounds", "error", title, sites, notes=(text,), time_ns=t.clock)
    return text


def memory_info(t: ThreadState, attribute: int) -> tuple[int, int]:
    """(free, total) bytes of the current device for a memory attribute; (0, 0) for a kind that the chip lacks.

    Raises AclError: 107016 no such attribute, 107002 no context.
    """
    if not 0 <= attribute <= LAST_ATTRIBUTE:
        raise AclError(
            ACL_ERROR_RT_INVALID_MEMORY_TYPE, f"attr is {attribute}: a memory attribute is 0 to {LAST_ATTRIBUTE}"
        )
    device = t.current_context().device.index
    profile = t.sim.profile
    if attribute in _DDR_ATTRIBUTES and profile.memory_kind == "HBM":
        return 0, 0
    if attribute in _GIANT_ATTRIBUTES and "giant_pages" not in profile.supports:
        return 0, 0
    free_bytes, total = t.sim.memory.memory_of(device)
    return free_bytes, total
