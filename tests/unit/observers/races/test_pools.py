"""Blocks of stream-ordered pools: each mistake is found at its lines, and the corrected program is silent."""

from __future__ import annotations

import inspect
import json
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ascend_sim import Block, Simulator, gm, kernel
from ascend_sim import ascendcl as C
from tests.kit.calls import Calls
from tests.kit.forks import ascend_sim

H2D, D2H, D2D = 1, 2, 3
N = 4096
EVENTS, OPPORTUNISTIC, INTERNAL, THRESHOLD = 1, 2, 3, 4
MARK = re.compile(r"#.*<(\w+)>")


@kernel
def fill(b: Block, p: gm.Out[np.uint8], value: np.uint8) -> None:
    """Write the first bytes."""
    p[0:64] = np.full(64, value, np.uint8)


@kernel
def late(b: Block, p: gm.Out[np.uint8]) -> None:
    """Set every byte, which takes long."""
    b.cost(1_000_000)
    p[0:64] = np.zeros(64, np.uint8)


@kernel
def look(b: Block, p: gm.In[np.uint8], out: gm.Out[np.uint8]) -> None:
    """Read them."""
    out[0:64] = p[0:64]


class Pools(Calls):
    """Three streams, a pool, a buffer, and short words."""

    def __init__(self, sim: Simulator) -> None:
        super().__init__(sim)
        self.must(C.aclrtSetDevice(0))
        self.A, self.B, self.C = (self.must(C.aclrtCreateStream()) for _ in range(3))
        self.out = self.must(C.aclrtMalloc(N, 0))
        self.pool = self.new_pool()

    def new_pool(self, **attributes: int) -> int:
        """A pool of 64 MiB, with attributes of reuse."""
        props = C.aclrtMemPoolProps(location=C.aclrtMemLocation(0, 1), maxSize=1 << 26)
        pool = self.must(C.aclrtMemPoolCreate(props))
        for name, value in attributes.items():
            self.must(C.aclrtMemPoolSetAttr(pool, globals()[name.upper()], np.array([value], np.uint64)))
        return int(pool)

    def order(self, first: int, second: int) -> None:
        """What comes on *second* waits for what was queued on *first*."""
        event = self.must(C.aclrtCreateEvent())
        self.must(C.aclrtRecordEvent(event, first))
        self.must(C.aclrtStreamWaitEvent(second, event))

    def kinds(self) -> list[str]:
        """What was found, but for leaks: the programs do not tidy up."""
        return [f.kind for f in self.sim.findings if f.kind != "leak" and f.severity != "note"]

    def marks(self) -> str:
        """The order marks."""
        assert self.sim.checks is not None
        return self.sim.checks.nondeterminism()


def on_another_stream(w: Pools, wrong: bool) -> None:
    p = w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A))  # <alloc>
    if not wrong:
        w.order(w.A, w.B)
    fill[1, w.B](p, 1)  # <access>


def a_copy_on_another_stream(w: Pools, wrong: bool) -> None:
    p = w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A))  # <alloc>
    if not wrong:
        w.order(w.A, w.B)
    w.must(C.aclrtMemcpyAsync(p, 64, w.out, 64, D2D, w.B))  # <access>


def by_the_host(w: Pools, wrong: bool) -> None:
    here = np.ones(64, np.uint8)
    p = w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A))  # <alloc>
    if not wrong:
        w.must(C.aclrtSynchronizeStream(w.A))
    w.must(C.aclrtMemcpy(p, 64, here.ctypes.data, 64, H2D))  # <access>


def a_record_before_the_allocation(w: Pools, wrong: bool) -> None:
    event = w.must(C.aclrtCreateEvent())
    if wrong:
        w.must(C.aclrtRecordEvent(event, w.A))
    p = w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A))  # <alloc>
    if not wrong:
        w.must(C.aclrtRecordEvent(event, w.A))
    w.must(C.aclrtStreamWaitEvent(w.B, event))
    fill[1, w.B](p, 1)  # <access>


def the_allocation_is_late(w: Pools, wrong: bool) -> None:
    """What comes before it on its stream takes long: the use really comes first."""
    late[1, w.A](w.out)
    p = w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A))  # <alloc>
    fill[1, w.B if wrong else w.A](p, 1)  # <access>


def freed_elsewhere(w: Pools, wrong: bool) -> None:
    p = w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A))  # <alloc>
    if not wrong:
        w.order(w.A, w.B)
    w.must(C.aclrtMemPoolFreeAsync(p, w.B))  # <free>


def freed_before_a_late_allocation(w: Pools, wrong: bool) -> None:
    late[1, w.A](w.out)
    p = w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A))  # <alloc>
    if not wrong:
        w.order(w.A, w.B)
    w.must(C.aclrtMemPoolFreeAsync(p, w.B))  # <free>


def freed_at_once(w: Pools, wrong: bool) -> None:
    p = w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A))  # <alloc>
    if not wrong:
        w.must(C.aclrtSynchronizeStream(w.A))
    w.must(C.aclrtFree(p))  # <free>


def freed_while_in_use(w: Pools, wrong: bool) -> None:
    """The free follows the allocation, and not the last use."""
    p = w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A))  # <alloc>
    if wrong:
        w.order(w.A, w.B)
    late[1, w.A](p)  # <access>
    if not wrong:
        w.order(w.A, w.B)
    w.must(C.aclrtMemPoolFreeAsync(p, w.B))  # <free>


def read_elsewhere_while_freed(w: Pools, wrong: bool) -> None:
    p = w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A))  # <alloc>
    fill[1, w.A](p, 1)
    w.order(w.A, w.B)
    look[1, w.B](p, w.out)  # <access>
    if not wrong:
        w.order(w.B, w.A)
    w.must(C.aclrtMemPoolFreeAsync(p, w.A))  # <free>


def copied_after_the_free(w: Pools, wrong: bool) -> None:
    p = w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A))  # <alloc>
    if wrong:
        w.must(C.aclrtMemPoolFreeAsync(p, w.A))  # <free>
    w.must(C.aclrtMemsetAsync(p, N, 1, N, w.A))  # <access>
    if not wrong:
        w.must(C.aclrtMemPoolFreeAsync(p, w.A))


def by_the_host_after_the_free(w: Pools, wrong: bool) -> None:
    """The pool keeps the memory: the call succeeds."""
    pool = w.new_pool(threshold=1 << 25)
    here = np.zeros(64, np.uint8)
    p = w.must(C.aclrtMemPoolMallocAsync(N, pool, w.A))  # <alloc>
    w.must(C.aclrtMemsetAsync(p, N, 1, N, w.A))
    if wrong:
        w.must(C.aclrtMemPoolFreeAsync(p, w.A))  # <free>
    w.must(C.aclrtSynchronizeStream(w.A))
    w.must(C.aclrtMemcpy(here.ctypes.data, 64, p, 64, D2H))  # <access>


def old_pointer_while_used_again(w: Pools, wrong: bool) -> None:
    """A kernel on C was given the address by its former owner, whose free does not wait for it."""
    p = w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A))  # <alloc>
    w.order(w.A, w.C)
    late[1, w.C](w.out)
    fill[1, w.C](p, 1)  # <access>
    if not wrong:
        w.order(w.C, w.A)
    w.must(C.aclrtMemPoolFreeAsync(p, w.A))  # <free>
    q = w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A))
    assert p == q
    fill[1, w.A](q, 2)


def destroyed_before_the_free_ran(w: Pools, wrong: bool) -> None:
    p = w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A))
    w.must(C.aclrtMemPoolFreeAsync(p, w.A))  # <access>
    if not wrong:
        w.must(C.aclrtSynchronizeStream(w.A))
    w.must(C.aclrtMemPoolDestroy(w.pool))  # <free>


def other_memory_freed_in_order(w: Pools, wrong: bool) -> None:
    """aclrtMemPoolFreeAsync for memory of aclrtMalloc."""
    p = w.must(C.aclrtMalloc(N, 0))  # <alloc>
    late[1, w.B](p)  # <access>
    if not wrong:
        w.order(w.B, w.A)
    w.must(C.aclrtMemPoolFreeAsync(p, w.A))  # <free>


def read_before_written(w: Pools, wrong: bool) -> None:
    """What an earlier owner wrote is not the next owner's."""
    p = w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A))
    fill[1, w.A](p, 1)
    w.must(C.aclrtMemPoolFreeAsync(p, w.A))
    q = w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A))  # <alloc>
    if not wrong:
        fill[1, w.A](q, 2)
    look[1, w.A](q, w.out)


def past_the_end(w: Pools, wrong: bool) -> None:
    """A block has a multiple of 2 MiB; what was asked for is less."""
    p = w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A))  # <alloc>
    w.must(C.aclrtMemsetAsync(p, N + wrong, 1, N + wrong, w.A))  # <access>


def by_another_thread(w: Pools, wrong: bool) -> None:
    """The address is handed over with a join; the streams know nothing of that."""
    made: list[int] = []

    def make() -> None:
        w.must(C.aclrtSetDevice(0))
        made.append(w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A)))  # <alloc>
        if not wrong:
            w.must(C.aclrtSynchronizeStream(w.A))

    thread = threading.Thread(target=make)
    thread.start()
    thread.join()
    fill[1, w.B](made[0], 1)  # <access>


def freed_twice(w: Pools, wrong: bool) -> None:
    p = w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A))  # <alloc>
    w.must(C.aclrtMemPoolFreeAsync(p, w.A))  # <free>
    if wrong:
        assert C.aclrtMemPoolFreeAsync(p, w.A) == 107000  # <access>


def freed_twice_in_two_ways(w: Pools, wrong: bool) -> None:
    p = w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A))  # <alloc>
    w.must(C.aclrtMemPoolFreeAsync(p, w.A))  # <free>
    if wrong:
        assert C.aclrtFree(p) == 507000  # <access>


def freed_from_the_middle(w: Pools, wrong: bool) -> None:
    p = w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A))  # <alloc>
    assert C.aclrtMemPoolFreeAsync(p + 64 * wrong, w.A) == 107000 * wrong  # <access>


PAIRS: dict[Callable[[Pools, bool], None], str] = {
    on_another_stream: "use-before-alloc",
    a_copy_on_another_stream: "use-before-alloc",
    by_the_host: "use-before-alloc",
    a_record_before_the_allocation: "use-before-alloc",
    the_allocation_is_late: "use-before-alloc",
    by_another_thread: "use-before-alloc",
    freed_elsewhere: "free-before-alloc",
    freed_before_a_late_allocation: "free-before-alloc",
    freed_at_once: "free-before-alloc",
    freed_while_in_use: "use-after-free",
    read_elsewhere_while_freed: "use-after-free",
    copied_after_the_free: "use-after-free",
    by_the_host_after_the_free: "use-after-free",
    old_pointer_while_used_again: "use-after-free",
    destroyed_before_the_free_ran: "use-after-free",
    other_memory_freed_in_order: "use-after-free",
    read_before_written: "uninitialised-read",
    past_the_end: "out-of-bounds",
    freed_twice: "double-free",
    freed_twice_in_two_ways: "double-free",
    freed_from_the_middle: "bad-free",
}


def marked(program: Any) -> dict[str, int]:
    """The lines of the marks."""
    lines, start = inspect.getsourcelines(program)
    return {found.group(1): start + i for i, line in enumerate(lines) if (found := MARK.search(line))}


@pytest.mark.parametrize("schedule", ["virtual-time", "late", "early", "random(3)"])
@pytest.mark.parametrize("program", list(PAIRS), ids=lambda program: program.__name__)
def test_planted(program: Callable[[Pools, bool], None], schedule: str) -> None:
    with Simulator(checks="all", schedule=schedule, threads="deterministic") as sim:
        w = Pools(sim)
        program(w, True)
        w.must(C.aclrtSynchronizeDevice())
        assert set(w.kinds()) == {PAIRS[program]}, [(f.kind, f.title) for f in sim.findings]
        findings = [f for f in sim.findings if f.kind == PAIRS[program]]
        lines = {frame.line for finding in findings for site in finding.sites for frame in site.frames[:1]}
        assert set(marked(program).values()) <= lines, (marked(program), lines)


@pytest.mark.parametrize("schedule", ["virtual-time", "late", "early", "random(3)"])
@pytest.mark.parametrize("program", list(PAIRS), ids=lambda program: program.__name__)
def test_corrected(program: Callable[[Pools, bool], None], schedule: str) -> None:
    with Simulator(checks="all", schedule=schedule, threads="deterministic") as sim:
        w = Pools(sim)
        program(w, False)
        w.must(C.aclrtSynchronizeDevice())
        assert not w.kinds(), [(f.kind, f.title, f.order) for f in sim.findings]


# -- memory that is used again by other streams ----------------------------------------------------------------------


def used_again(w: Pools, pool: int, ordered: bool = False) -> bool:
    """A block that A used and gave back, then one for B; whether it is the same."""
    p = w.must(C.aclrtMemPoolMallocAsync(N, pool, w.A))
    late[1, w.A](p)
    w.must(C.aclrtMemPoolFreeAsync(p, w.A))
    if ordered:
        w.order(w.A, w.B)
    q = w.must(C.aclrtMemPoolMallocAsync(N, pool, w.B))
    fill[1, w.B](q, 2)
    return bool(p == q)


@pytest.mark.parametrize("attributes", [{}, {"events": 1}, {"internal": 1}, {"events": 1, "opportunistic": 1}])
@pytest.mark.parametrize("ordered", [False, True])
def test_memory_goes_to_another_stream_as_the_pool_is_set(attributes: dict[str, int], ordered: bool) -> None:
    with Simulator(checks="all") as sim:
        w = Pools(sim)
        again = used_again(w, w.new_pool(**attributes), ordered)
        code = C.aclrtSynchronizeDevice()
        free_had_run = ordered or "internal" in attributes
        assert again == bool("internal" in attributes or "opportunistic" in attributes or (ordered and attributes))
        if again and not free_had_run:  # opportunistic: memory that is still in use is no success
            assert code == 507018 and w.kinds()[0] == "task-fault" and "pool" in w.marks()
        else:
            assert code == 0 and not w.kinds() and not w.marks()


def test_opportunistic_reuse_of_a_block_whose_free_has_run_leaves_a_mark() -> None:
    with Simulator(checks="all", switches={"memory_pool_trim": "never"}) as sim:
        w = Pools(sim)
        pool = w.new_pool(opportunistic=1)
        p = w.must(C.aclrtMemPoolMallocAsync(N, pool, w.A))
        w.must(C.aclrtMemPoolFreeAsync(p, w.A))
        late[1, w.B](w.out)
        q = w.must(C.aclrtMemPoolMallocAsync(N, pool, w.B))  # comes long after the free, and nothing says so
        w.must(C.aclrtSynchronizeDevice())
        assert p == q and not w.kinds() and "1 call of a memory pool" in w.marks()


def test_an_internal_dependency_hides_no_race() -> None:
    """The pool orders its own reuse; a kernel that uses the old address without order is still found."""
    with Simulator(checks="all") as sim:
        w = Pools(sim)
        pool = w.new_pool(internal=1)
        p = w.must(C.aclrtMemPoolMallocAsync(N, pool, w.A))
        w.order(w.A, w.C)
        late[1, w.C](p)
        w.must(C.aclrtMemPoolFreeAsync(p, w.A))
        q = w.must(C.aclrtMemPoolMallocAsync(N, pool, w.B))
        fill[1, w.B](q, 1)
        w.must(C.aclrtSynchronizeDevice())
        assert p == q and w.kinds() == ["use-after-free"]


@pytest.mark.parametrize("ordered", [False, True])
def test_an_internal_dependency_orders_no_other_memory(ordered: bool) -> None:
    """B waits for the free on A, and so for what A did before; but a pool need not hand out that memory."""
    with Simulator(checks="all") as sim:
        w = Pools(sim)
        pool = w.new_pool(internal=1)
        p = w.must(C.aclrtMemPoolMallocAsync(N, pool, w.A))
        fill[1, w.A](w.out, 1)
        w.must(C.aclrtMemPoolFreeAsync(p, w.A))
        if ordered:
            w.order(w.A, w.B)
        assert w.must(C.aclrtMemPoolMallocAsync(N, pool, w.B)) == p
        fill[1, w.B](w.out, 2)
        w.must(C.aclrtSynchronizeDevice())
        assert w.kinds() == ([] if ordered else ["race"])


THREADS = """
import threading
from ascend_sim import ascendcl as C

def must(result):
    assert (result[-1] if isinstance(result, tuple) else result) == 0, result
    return result[0] if isinstance(result, tuple) else None

def pool():
    return must(C.aclrtMemPoolCreate(C.aclrtMemPoolProps(location=C.aclrtMemLocation(0, 1), maxSize=1 << 26)))

must(C.aclInit(None))
must(C.aclrtSetDevice(0))
streams = [must(C.aclrtCreateStream()) for _ in range(2)]
pools = [pool(), pool()]
first = must(C.aclrtMemPoolMallocAsync(64, pools[0], streams[0]))

def work(which):
    must(C.aclrtSetDevice(0))
    p = must(C.aclrtMemPoolMallocAsync(64, pools[which], streams[which]))
    must(C.aclrtMemPoolFreeAsync(p, streams[which]))

worker = threading.Thread(target=work, args=({which},))
{body}
for stream in streams:
    must(C.aclrtDestroyStream(stream))
for each in pools:
    must(C.aclrtMemPoolDestroy(each))
must(C.aclFinalize())
"""


@pytest.mark.parametrize(
    ("which", "body", "marked"),
    [
        (0, "worker.start(); must(C.aclrtMemPoolFreeAsync(first, streams[0])); worker.join()", True),
        (1, "worker.start(); must(C.aclrtMemPoolFreeAsync(first, streams[0])); worker.join()", False),
        (0, "worker.start(); worker.join(); must(C.aclrtMemPoolFreeAsync(first, streams[0]))", False),
    ],
)
def test_threads_that_share_a_pool_leave_a_mark(tmp_path: Path, which: int, body: str, marked: bool) -> None:
    """Who comes first on the stream decides what memory the other gets."""
    program, out = tmp_path / "program.py", tmp_path / "out.json"
    program.write_text(THREADS.replace("{which}", str(which)).replace("{body}", body))
    done = ascend_sim("run", "--json", out, "--switch", "memory_pool_trim=never", program)
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(out.read_text())
    assert not told["findings"] and ("pool" in (told["run"].get("order_marks") or {})) == marked


def test_a_read_before_the_allocation_is_no_second_fault() -> None:
    """That nothing has written the bytes is a consequence."""
    with Simulator(checks="all") as sim:
        w = Pools(sim)
        late[1, w.A](w.must(C.aclrtMalloc(N, 0)))
        p = w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A))
        look[1, w.B](p, w.out)
        fill[1, w.A](p, 1)
        w.must(C.aclrtSynchronizeDevice())
        assert w.kinds() == ["use-before-alloc"]


def test_without_a_race_detector_what_really_came_too_early_is_found() -> None:
    with Simulator(checks="memory") as sim:
        w = Pools(sim)
        late[1, w.A](w.out)
        p = w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A))
        fill[1, w.B](p, 1)
        w.must(C.aclrtMemPoolFreeAsync(p, w.B))
        w.must(C.aclrtSynchronizeDevice())
        assert w.kinds() == ["use-before-alloc", "free-before-alloc"]


# -- what is left ----------------------------------------------------------------------------------------------------


def test_pools_and_blocks_that_are_left_are_leaks() -> None:
    with Simulator(checks="all") as sim:
        w = Pools(sim)
        w.must(C.aclrtFree(w.out))
        p = w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A))
        w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A))
        w.must(C.aclrtMemPoolFreeAsync(p, w.A))
        w.must(C.aclrtSynchronizeStream(w.A))
        for stream in (w.A, w.B, w.C):
            w.must(C.aclrtDestroyStream(stream))
        w.must(C.aclFinalize())
        (leak,) = [f for f in sim.findings if f.kind == "leak"]
        assert leak.title.startswith("1 device buffer (4096 bytes) and 1 memory pool are alive")


def test_a_block_whose_free_is_queued_is_no_leak() -> None:
    with Simulator(checks="all") as sim:
        w = Pools(sim)
        w.must(C.aclrtFree(w.out))
        w.must(C.aclrtMemPoolFreeAsync(w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A)), w.A))
        w.must(C.aclFinalize())
        assert "buffer" not in "".join(f.title for f in sim.findings if f.kind == "leak")
        assert "unawaited-work" in [f.kind for f in sim.findings]


def test_a_pool_that_is_destroyed_with_blocks_in_it() -> None:
    with Simulator(checks="all") as sim:
        w = Pools(sim)
        w.must(C.aclrtMemPoolMallocAsync(N, w.pool, w.A))
        w.must(C.aclrtSynchronizeStream(w.A))
        w.must(C.aclrtMemPoolDestroy(w.pool))
        (leak,) = [f for f in sim.findings if f.kind == "leak"]
        assert "not given back before its pool was destroyed" in leak.title
        assert not w.kinds()
