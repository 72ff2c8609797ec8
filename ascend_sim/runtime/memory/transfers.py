"""Copies and sets as operations of a stream: they touch memory when the task ends, not when it is queued.

Who frees or rewrites a buffer before that is found out here: the access goes to what is at the address by then, as on
hardware, and a finding says what happened. Nothing here ever touches memory that is gone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.constants.errors import ACL_ERROR_RT_DRV_INTERNAL_ERROR
from ascend_sim.findings.finding import Site
from ascend_sim.findings.wording import launched, pyacl_face, queued, the_work, work
from ascend_sim.machine import host_memory
from ascend_sim.machine.allocations import FREED
from ascend_sim.machine.arrays import np
from ascend_sim.machine.engines import copy_cost, memset_cost
from ascend_sim.machine.host_memory import Bytes
from ascend_sim.runtime.memory import host_buffers
from ascend_sim.runtime.memory.told import Part, Shape, ended, tell_access, tell_copied, tell_rows
from ascend_sim.runtime.task import Access, Op, Task, TaskFault

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.source.callsite import CallSite

__all__ = [
    "Fill", "Part", "Place", "Shape", "Transfer", "copy_kind", "copy_op", "copy_rows", "fill_op", "fill_range",
    "report_dead_owner", "unreachable", "wait_before_free",
]  # fmt: skip

_access = tuple.__new__  # a NamedTuple's own constructor takes three times as long
_ENGINES = {"h2d": "h2d", "d2h": "d2h", "d2d": "d2d", "peer": "d2d"}
LARGEST_PATTERN = 4096
"""Sets of up to so many bytes that are repeated keep what they write: a slice is assigned faster than C is called."""


def copy_kind(to: Allocation | None, source: Allocation | None) -> str:
    """``"h2d"``, ``"d2h"``, ``"d2d"``, ``"peer"`` or ``"h2h"``: which way a copy goes, by the memory at its ends."""
    to_device = to is not None and to.device >= 0
    from_device = source is not None and source.device >= 0
    if to_device and from_device:
        assert to is not None and source is not None
        return "d2d" if to.device == source.device else "peer"
    return "h2d" if to_device else "d2h" if from_device else "h2h"


class Place:
    """One end of a queued operation: *nbytes* from *address*, and the block that was there when it was queued."""

    __slots__ = ("address", "block", "bytes", "kept", "nbytes", "offset", "sim", "write")

    def __init__(self, sim: Runtime, block: Allocation | None, address: int, nbytes: int, write: bool) -> None:
        self.sim = sim
        self.block = block
        self.address = address
        self.nbytes = nbytes
        self.write = write
        self.offset = 0 if block is None else address - block.address
        """The first byte in its block; 0 without one."""
        self.bytes: memoryview | None = None
        """The bytes themselves, once `settle` has found them: good until the block is freed."""
        # its Python object has to outlive the task, however many others the program shows meanwhile
        self.kept = None if block is not None else host_buffers.find(address)

    def reach(self, task: Task, whole: bool = True) -> int:
        """The true address of the bytes, now that *task* runs; 0 when they are gone (then only the finding remains).

        *whole*: a write will cover every byte. Raises TaskFault when host memory is not mapped any more.
        """
        block, address = self.block, self.address
        if block is not None and not block.freed and block.kind != "registered":
            true: int = self.sim.memory.reach(block, self.offset, self.nbytes, self.write and whole)
            return true
        if block is not None and block.freed:
            gone = ended(block, self.offset, self.nbytes)
            if gone is not None:
                self._used_after_free(task, gone)
            if block.kind != "registered":
                return self._reach_freed(block, whole)
        elif block is None:
            kept = self.kept
            if kept is not None and kept.abandoned():
                report_dead_owner(
                    self.sim, kept, f"{work(task.op.kind)} on {self.sim.names.described(task.stream)}", task.site, self.write
                )
        allowed = host_memory.writable if self.write else host_memory.readable
        if not allowed(address, self.nbytes):
            raise TaskFault(
                ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                f"{self.nbytes} bytes of host memory for {self.sim.names.described(task)} are not mapped any more",
            )
        return address

    def tell(self, task: Task, width: int = 0, pitch: int = 0, rows: int = 1) -> None:
        """Tell observers of the access: all of it, or *rows* rows of *width* bytes, *pitch* apart."""
        block, lo = self.block, self.offset
        if block is None:
            return
        if rows != 1 and width != pitch:
            tell_rows(self.sim.hooks, task, block, lo, width, pitch, rows, self.write)
        elif block.pieces is not None:
            tell_access(self.sim.hooks, task, block, lo, lo + self.nbytes, self.write)
        else:  # as `tell_access` does: most tasks come here
            for observe in self.sim.hooks.accessed or ():
                observe(task, block, lo, lo + self.nbytes, self.write)

    def settle(self) -> bool:
        """Keep in `bytes` where they are, if `reach` has nothing left to do for them until the block is freed.

        Not so for registered memory, which is asked for at each use, nor for a pool's, which may go from under a block,
        nor for mapped memory, which a part of a run may lose.
        """
        block, lo = self.block, self.offset
        if block is None or block.freed or block.bytes is None or block.pool is not None or block.pieces is not None:
            return False
        if not block.holds(lo, lo + self.nbytes):
            return False
        self.bytes = block.bytes.data[lo : lo + self.nbytes]
        return True

    def _reach_freed(self, block: Allocation, whole: bool) -> int:
        memory = self.sim.memory
        owner = memory.find(self.address)
        if owner is not None and not owner.freed and owner.contains(self.address + self.nbytes - 1):
            block = owner  # the address was handed out again: the new owner's bytes are hit, as on hardware
        true: int = memory.reach(block, self.address - block.address, self.nbytes, self.write and whole)
        return true

    def _used_after_free(self, task: Task, block: Allocation) -> None:
        verb = "writes" if self.write else "reads"
        gone, made = block.ended(), block.begun()
        names = self.sim.names
        self.sim.report(
            "use-after-free",
            "error",
            f"{names.one_of(block)} was {gone} while {work(task.op.kind)} on {names.described(task.stream)} was queued, "
            f"which {verb} it"
            if not freed_before_launch(task, block)
            else f"{work(task.op.kind)} on {names.described(task.stream)} {verb} {names.one_of(block)}, which was {gone} "
            "before the graph was executed",
            [
                Site("free", f"{gone} here {block.freed_by}", block.free_site, primary=True),
                Site("access", f"{queued(task)} here, {verb} {self.nbytes} bytes", task.site),
                *launched(task),
                Site("alloc", f"{block.size} bytes {made} here", block.origin()),
            ],
            order=why_too_early(task, block),
            fix=cure_of_free(task, block),
            streams=(names.described(task.stream),),
            time_ns=task.stream.sim.scheduler.now,
            called_ns=block.free_ns,
        )


def unreachable(task: Task, what: str, code: int) -> TaskFault:
    """Report that the device cannot reach an operand of *task*: *what* says which and why. What the task fails with."""
    names = task.stream.sim.names
    stream = names.described(task.stream)
    task.stream.sim.report(
        "out-of-bounds",
        "error",
        f"{work(task.op.kind)} on {stream}: {what}",
        [Site("submit", "queued here", task.site, primary=True), *launched(task)],
        streams=(stream,),
        time_ns=task.stream.sim.scheduler.now,
        called_ns=task.ready,
        code=("the next synchronise", code),
    )
    return TaskFault(code, f"{task.op.kind}: {what}", reported=True)


def freed_before_launch(task: Task, block: Allocation | None) -> bool:
    """Whether *task* is part of a graph that was executed when *block* was gone already."""
    launch = getattr(task, "launch", None)
    return launch is not None and block is not None and block.freed and (block.free_ns or 0) <= launch.ready


def why_too_early(task: Task, block: Allocation | None) -> str:
    """What the free of *block* and *task*, which came after it, have to do with each other."""
    names = task.stream.sim.names
    if freed_before_launch(task, block):
        return "a graph keeps the addresses that were captured"
    stream, free = names.described(task.stream), block.free_task if block is not None else None
    if free is None:
        what = "free" if block is None or block.ended() == "freed" else "unmapping"
        return f"the {what} does not wait for {stream}"
    if hasattr(free, "launch") and getattr(task, "launch", None) is not free.launch:
        return "an execution of the graph has given it back"
    if free.stream is task.stream:
        return f"the free is on {stream} itself, before {the_work(task.op.kind)}"
    if free.thread is task.thread and free.number < task.number:
        where = names.described(free.stream)
        return f"{the_work(task.op.kind)} was queued after aclrtMemPoolFreeAsync had been called, on {where}"
    return f"nothing makes aclrtMemPoolFreeAsync on {names.described(free.stream)} wait for {the_work(task.op.kind)}"


def cure_of_free(task: Task, block: Allocation | None) -> str:
    """What to do about a free of *block* that came before *task* had used it."""
    if freed_before_launch(task, block):
        return "free it after the graph was destroyed, or capture again with what took its place"
    if block is not None and block.free_task is not None:
        return "give the block back after its last use, on a stream that comes after it"
    kind = "device" if block is None else block.kind if block.map_site is None else "mapping"
    return wait_before_free(task, kind, None if block is None else block.free_site)


def wait_before_free(task: Task, kind: str, site: CallSite) -> str:
    """What to do about a free of memory of *kind* at *site* that *task* still needs, in the calls of the program's face."""
    stream = task.stream.sim.names.plain(task.stream, site, (task.site,))
    if pyacl_face(task.site):
        return f"before that: acl.rt.synchronize_stream({stream})"
    frees = {"device": "aclrtFreeWithDevSync", "host": "aclrtFreeHostWithDevSync"}
    other = f", or free with {frees[kind]}, which waits" if kind in frees else ""
    return f"before that: aclrtSynchronizeStream({stream}){other}"


def report_dead_owner(sim: Runtime, kept: host_buffers.Kept, who: str, site: CallSite, write: bool) -> None:
    """The finding about a Python object that died before its memory was used; the simulator kept the bytes."""
    verb = "writes" if write else "reads"
    sites = [Site("access", f"{verb} {kept.describe()} that nobody holds any more", site, primary=True)]
    if kept.site is not None:
        sites.append(Site("alloc", f"the address of host buffer {kept.number} was taken here", kept.site))
    sim.report(
        "dead-host-buffer",
        "error",
        f"{who} {verb} host memory whose owner is gone",
        sites,
        fix="keep the object in a variable until the copy is done",
        notes=("the simulator kept the bytes, so this run saw the right data; a device may read anything",),
    )


class Transfer:
    """The action of a queued copy. It may run many times: call sites that repeat share one (`AddressSpace.plans`).

    What a run has to look at afresh is whether the blocks still live; where their bytes are is known from the second
    run on.
    """

    __slots__ = ("direct", "held", "hooks", "part", "ran", "shape", "source", "to")

    def __init__(self, to: Place, source: Place | None, shape: Shape, held: Bytes | None = None) -> None:
        self.to = to
        self.source = source
        self.held = held
        """The source bytes, taken when the copy was queued (HOST_TO_BUF_TO_DEVICE)."""
        self.shape = shape
        self.hooks = to.sim.hooks
        self.part: Part | None = None
        """The arguments for observers, made when the first one listens."""
        self.ran = False
        self.direct = False
        """Both ends are settled: nothing is left to be done but the copy."""

    def __call__(self, task: Task, time: int) -> None:
        """Read the source as it is now and write the destination."""
        to, source, hooks = self.to, self.source, self.hooks
        if hooks.copied is not None:
            part = self.part
            if part is None and (part := self._find_part()) is None:
                self._tell_copied(task)
            else:
                for observe in hooks.copied:
                    observe(task, to.block, None if source is None else source.block, part)
        if not self.direct or to.block.freed or source.block.freed:  # type: ignore[union-attr]
            self._look_and_copy(task)
            return
        accessed = hooks.accessed
        if accessed is not None:
            lo, size = source.offset, source.nbytes  # type: ignore[union-attr]
            for observe in accessed:
                observe(task, source.block, lo, lo + size, False)  # type: ignore[union-attr]
            lo = to.offset
            for observe in accessed:
                observe(task, to.block, lo, lo + size, True)
        to.bytes[:] = source.bytes  # type: ignore[index, union-attr, assignment]

    def _find_part(self) -> Part | None:
        """The arguments for observers; None when an end is mapped memory, of which they hear piece by piece."""
        to, source = self.to, self.source
        ends = [to.block, None if source is None else source.block]
        if all(block is None or block.pieces is None for block in ends):
            self.part = Part(to.offset, 0 if source is None else source.offset, self.shape)
        return self.part

    def _tell_copied(self, task: Task) -> None:
        to, source = self.to, self.source
        part = Part(to.offset, 0 if source is None else source.offset, self.shape)
        tell_copied(self.hooks, task, to.block, None if source is None else source.block, part)

    def _look_and_copy(self, task: Task) -> None:
        """Find the bytes, or say what became of them."""
        to, source, shape = self.to, self.source, self.shape
        flat = shape.height == 1
        if source is None:
            assert self.held is not None
            from_address: int = self.held.__array_interface__["data"][0]
        else:
            from_address = source.reach(task)
            source.tell(task, shape.width, shape.spitch, shape.height)
        to_address = to.reach(task, whole=flat)
        to.tell(task, shape.width, shape.dpitch, shape.height)
        if not to_address:
            return  # the block's memory belongs to nobody any more: the write is lost
        if flat and from_address:
            host_memory.copy(to_address, from_address, shape.width)
            if self.ran and source is not None:
                self.direct = to.settle() and source.settle()
            self.ran = True
        elif flat:
            host_memory.fill(to_address, FREED, shape.width)
        elif from_address:
            copy_rows(to_address, shape.dpitch, from_address, shape.spitch, shape.width, shape.height)


def copy_rows(to: int, dpitch: int, source: int, spitch: int, width: int, height: int) -> None:
    """Copy *height* rows of *width* bytes between true addresses that were checked for their whole extent."""
    shape = (height, width)
    from numpy.lib.stride_tricks import as_strided  # copies of rectangles are rare

    target = as_strided(host_memory.view(to, (height - 1) * dpitch + width), shape, (dpitch, 1))
    origin = as_strided(host_memory.view(source, (height - 1) * spitch + width), shape, (spitch, 1))
    np.copyto(target, origin)


class Fill:
    """The action of a queued set: bytes, or 32-bit values. It may run many times, as a `Transfer`."""

    __slots__ = ("pattern", "place", "ran", "value", "wide")

    def __init__(self, place: Place, value: int, wide: bool = False) -> None:
        self.place = place
        self.value = value
        self.wide = wide
        self.ran = False
        self.pattern = b""
        """What is written, once the place is settled."""

    def __call__(self, task: Task, time: int) -> None:
        """Write the value over the range as it is now."""
        place = self.place
        known = place.bytes
        if known is None or place.block.freed:  # type: ignore[union-attr]
            self._look_and_fill(task)
            return
        accessed = place.sim.hooks.accessed
        if accessed is not None:
            lo = place.offset
            for observe in accessed:
                observe(task, place.block, lo, lo + place.nbytes, True)
        known[:] = self.pattern

    def _look_and_fill(self, task: Task) -> None:
        """Find the bytes, or say what became of them."""
        place = self.place
        address = place.reach(task)
        place.tell(task)
        if address:
            fill_range(address, place.nbytes, self.value, self.wide)
            if self.ran and place.nbytes <= LARGEST_PATTERN and place.settle():
                self.pattern = bytes(place.bytes or b"")
            self.ran = True


def fill_range(address: int, nbytes: int, value: int, wide: bool) -> None:
    """Set a checked range at a true address to a byte or, *wide*, to a 32-bit value."""
    if wide:
        host_memory.view(address, nbytes).view(np.uint32)[:] = value
    else:
        host_memory.fill(address, value & 0xFF, nbytes)


def copy_op(sim: Runtime, to: Place, source: Place | None, transfer: Transfer, kind: str) -> Op:
    """The operation of a queued copy; *kind* as :func:`copy_kind` says decides its cost and its engine."""
    accesses: tuple[Access, ...] = (_access(Access, (to.address, to.address + to.nbytes, True)),)
    if source is not None:
        accesses = (*accesses, _access(Access, (source.address, source.address + source.nbytes, False)))
    cost = copy_cost(sim.profile, kind, transfer.shape.nbytes)
    return Op("copy", cost, transfer, engine=_ENGINES.get(kind), accesses=accesses)


def fill_op(sim: Runtime, place: Place, value: int, wide: bool = False) -> Op:
    """The operation of a queued set of device memory."""
    access = _access(Access, (place.address, place.address + place.nbytes, True))
    cost = memset_cost(sim.profile, place.nbytes)
    return Op("set", cost, Fill(place, value, wide), engine="d2d", accesses=(access,))
