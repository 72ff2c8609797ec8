"""Exploring the blocks of kernels: which are steps of their own, what may come between them, and how that is told."""

from __future__ import annotations

import json
import threading
from typing import Any

import numpy as np
import pytest

from ascend_sim import Block, Simulator, explore, gm, kernel
from ascend_sim import ascendcl as C
from ascend_sim.explore.counterexamples.files import load, replay

WORDS = 40
HALO = 2


@kernel
def add(b: Block, x: gm.In[np.int32], y: gm.Out[np.int32], n: np.uint32) -> None:
    """Every block has its own part."""
    s = b.slice(n)
    y[s] = x[s] + 1


@kernel
def chain(b: Block, x: gm.InOut[np.int32]) -> None:
    """Each block trusts that the one before it has run."""
    before = int(x[b.idx - 1]) if b.idx else 0
    x[b.idx] = before + 1


@kernel
async def chain_in_two_steps(b: Block, x: gm.InOut[np.int32], y: gm.Out[np.int32]) -> None:
    """Each block reads what the next one writes, behind a barrier."""
    x[b.idx] = b.idx
    await b.sync_all()
    y[b.idx] = x[(b.idx + 1) % b.num]


@kernel
async def too_early(b: Block, x: gm.InOut[np.int32], y: gm.Out[np.int32]) -> None:
    """It writes again what others read after the same barrier."""
    x[b.idx] = b.idx
    await b.sync_all()
    y[b.idx] = x[(b.idx + 1) % b.num]
    x[b.idx] = -1


@kernel
def count(b: Block, x: gm.InOut[np.int32]) -> None:
    """Atomic updates have no order."""
    x.atomic_add(0, 1)


@kernel
def last_one(b: Block, x: gm.Out[np.int32]) -> None:
    """All blocks write the same place."""
    x[0] = b.idx


@kernel
def fragile(b: Block, x: gm.InOut[np.int32]) -> None:
    """Block 1 fails when block 0 has run."""
    if b.idx == 1 and x[0]:
        b.trap()
    x[b.idx] = 1


@kernel(kind="mix12")
async def pair(b: Block, x: gm.InOut[np.int32], y: gm.InOut[np.int32]) -> None:
    """The vector cores wait for the cube core of their group; groups meet in y."""
    if b.is_aic:
        x[b.group] = 5
        b.set_flag(0)
    else:
        await b.wait_flag(0)
        if b.sub_idx == 0:
            y[0] = b.group + int(x[b.group])


class World:
    """Buffers, streams and launches of a program."""

    def __init__(self, words: Any, streams: int = 1) -> None:
        self.must = words.must
        self.streams = words.start(streams)

    def zeros(self) -> int:
        address: int = self.must(C.aclrtMalloc(4 * WORDS, 0))
        self.must(C.aclrtMemset(address, 4 * WORDS, 0, 4 * WORDS))
        return address

    def values(self, address: int, count: int) -> list[int]:
        self.must(C.aclrtSynchronizeDevice())
        out = np.zeros(count, np.int32)
        self.must(C.aclrtMemcpy(out.ctypes.data, 4 * count, address, 4 * count, 2))
        return out.tolist()


def results(report: Any) -> list[Any]:
    return sorted(result.outcome.value for result in report.outcomes)


def chained(words: Any, blocks: int) -> Any:
    def program() -> list[int]:
        world = World(words)
        x = world.zeros()
        chain[blocks, world.streams[0]](x)
        return world.values(x, blocks)

    return program


@pytest.mark.parametrize("blocks", ["whole", "few", "all"])
def test_blocks_that_share_nothing_are_one_class(words: Any, blocks: str) -> None:
    def program() -> list[int]:
        world = World(words, 2)
        x, y, z = world.zeros(), world.zeros(), world.zeros()
        add[40, world.streams[0]](x, y, WORDS)
        add[40, world.streams[1]](x, z, WORDS)
        return world.values(y, WORDS)

    report = explore(program, blocks=blocks)
    assert (report.classes, report.cut, report.runs) == (1, 0, 1)
    assert report.exhausted and not report
    assert report.outcomes[0].choices.count("stream 2") == 1  # the launch is one step


def test_a_kernel_that_depends_on_the_order_of_its_blocks_is_found(words: Any) -> None:
    report = explore(chained(words, 3))
    assert report.exhausted and report.classes == 4
    assert [failure.kind for failure in report.failures] == ["block-race"]
    assert results(report) == [(1, 1, 1), (1, 1, 2), (1, 2, 1), (1, 2, 3)]
    text = str(report)
    assert "(1, 2, 3): the host first" in text
    assert "block 2 of kernel `chain` on `world.streams` (test_blocks.py:" in text
    assert ") before block 1 of kernel `chain` on `world.streams`" in text


def test_a_barrier_makes_it_one_class(words: Any) -> None:
    def program() -> list[int]:
        world = World(words)
        x, y = world.zeros(), world.zeros()
        chain_in_two_steps[4, world.streams[0]](x, y)
        return world.values(y, 4)

    report = explore(program)
    assert report.exhausted and report.classes == 1 and not report
    assert results(report) == [(1, 2, 3, 0)]


def test_parts_between_barriers_go_in_every_order(words: Any) -> None:
    def program() -> list[int]:
        world = World(words)
        x, y = world.zeros(), world.zeros()
        too_early[3, world.streams[0]](x, y)
        return world.values(y, 3)

    report = explore(program)
    # behind the barrier each block reads what the next one writes: 2 orders for each of 3 pairs, but for the 2 circles
    assert report.exhausted and report.classes == 6
    assert {failure.kind for failure in report.failures} == {"block-race"}


def test_atomic_updates_are_one_class(words: Any) -> None:
    def program() -> list[int]:
        world = World(words, 2)
        x = world.zeros()
        for stream in world.streams:
            count[4, stream](x)
        return world.values(x, 1)

    report = explore(program)
    assert report.exhausted and report.classes == 1 and not report
    assert results(report) == [(8,)]


def copied(words: Any, last: int) -> Any:
    """A copy on another stream reads what the blocks up to *last* write."""

    def program() -> list[int]:
        world = World(words, 2)
        x, y, z = world.zeros(), world.zeros(), world.zeros()
        add[4, world.streams[0]](x, y, 4)
        world.must(C.aclrtMemcpyAsync(z, 4 * (last + 1), y, 4 * (last + 1), 3, world.streams[1]))
        return world.values(z, 4)

    return program


def test_a_copy_may_come_between_blocks(words: Any) -> None:
    report = explore(copied(words, 1))
    assert report.exhausted and report.classes == 4
    assert results(report) == [(0, 0, 0, 0), (0, 1, 0, 0), (1, 0, 0, 0), (1, 1, 0, 0)]
    assert explore(copied(words, 1), blocks="whole").classes == 2


def test_one_block_that_conflicts_needs_no_steps_of_its_own(words: Any) -> None:
    report = explore(copied(words, 0))
    assert report.exhausted and report.classes == 2
    assert not any("/" in process for result in report.outcomes for process in result.choices)


def test_blocks_of_two_kernels_interleave(words: Any) -> None:
    def program() -> list[int]:
        world = World(words, 2)
        x = world.zeros()
        for stream in world.streams:
            chain[2, stream](x)
        return world.values(x, 2)

    report = explore(program)
    assert report.exhausted and report.classes == 24  # each of the four blocks conflicts with each other one
    assert explore(program, blocks="whole").classes == 2
    assert results(report) == [(1, 1), (1, 2)]


def test_few_blocks_go_alone_and_the_report_says_so(words: Any) -> None:
    def program() -> list[int]:
        world = World(words)
        x = world.zeros()
        last_one[6, world.streams[0]](x)
        return world.values(x, 1)

    report = explore(program)
    assert report.exhausted and report.classes == 120  # four blocks alone and two together
    assert results(report) == [(0,), (1,), (3,), (4,), (5,)]  # 2 and 3 go together, in their order
    assert "of stream 2/launch 1 6 blocks conflict: 4 go alone, the others together" in str(report)
    report = explore(program, blocks="all", checks="none")
    assert report.exhausted and report.classes == 720
    assert results(report) == [(0,), (1,), (2,), (3,), (4,), (5,)]
    assert "go alone" not in str(report)


def test_what_a_failing_block_stops_depends_on_the_order(words: Any) -> None:
    def program() -> tuple[int, list[int]]:
        world = World(words)
        x = world.zeros()
        fragile[3, world.streams[0]](x)
        code = C.aclrtSynchronizeStream(world.streams[0])
        out = np.zeros(3, np.int32)
        world.must(C.aclrtMemcpy(out.ctypes.data, 12, x, 12, 2))
        return code, out.tolist()

    report = explore(program)
    assert report.exhausted
    assert results(report) == [(0, (1, 1, 1)), (507035, (1, 0, 1))]  # block 2 conflicts with nothing: it has run


def test_cores_of_a_group_pass_flags(words: Any) -> None:
    def program() -> list[int]:
        world = World(words)
        x, y = world.zeros(), world.zeros()
        pair[2, world.streams[0]](x, y)
        return world.values(y, 1)

    report = explore(program)
    assert report.exhausted and report.classes == 2
    assert results(report) == [(5,), (6,)]


def test_blocks_beyond_the_cores_start_late(words: Any) -> None:
    def program() -> list[int]:
        world = World(words)
        world.must(C.aclrtSetDeviceResLimit(0, 1, 1))
        x = world.zeros()
        last_one[3, world.streams[0]](x)
        return world.values(x, 1)

    report = explore(program)
    assert report.exhausted and report.classes == 1  # one core: one order
    assert results(report) == [(2,)]


def test_a_schedule_of_blocks_is_shrunk_saved_and_replayed(words: Any, tmp_path: Any) -> None:
    program = chained(words, 3)

    def fails() -> None:
        assert program() != [1, 1, 1], "all ran at once"

    path = str(tmp_path / "schedule.json")
    report = explore(fails, save=path, checks="none")
    (failure,) = report.failures
    assert failure.kind == "exception" and len(failure.recording.choices) <= 2
    recording = load(path)
    assert recording.blocks["stream 2/launch 1"].alone == (0, 1, 2)
    assert json.loads((tmp_path / "schedule.json").read_text())["blocks"] == [
        ["stream 2/launch 1", [0, 1, 2], [], False]
    ]
    schedule = replay(path)
    with Simulator(schedule=schedule, threads="deterministic", **recording.options), pytest.raises(AssertionError):
        fails()
    assert schedule.difference == ""


@pytest.mark.parametrize(
    "blocks",
    [[["x", 1]], [["x", [1], []]], [["x", [-1], [], False]], [["x", ["1"], [], True]], [["x", [1], [], 0]], {}, 5],
)
def test_bad_blocks_in_a_file_are_refused(words: Any, tmp_path: Any, blocks: Any) -> None:
    path = tmp_path / "schedule.json"
    explore(chained(words, 2), save=str(path))
    value = json.loads(path.read_text())
    value["blocks"] = blocks
    path.write_text(json.dumps(value))
    with pytest.raises(ValueError, match="blocks"):
        load(str(path))


def test_random_schedules_take_launches_apart_too(words: Any) -> None:
    report = explore(chained(words, 3), way="random", budget=0.3, checks="none")
    assert len(report.outcomes) == 4


def test_a_bad_choice_is_refused() -> None:
    with pytest.raises(ValueError, match="blocks"):
        explore(lambda: None, blocks="some")


@kernel
async def meets(b: Block, x: gm.InOut[np.int32]) -> None:
    """Its blocks keep their cores until all have come."""
    x[b.idx] = 1
    await b.sync_all()
    x[b.idx] = 2


@kernel(schedmode=1)
async def meets_at_once(b: Block, x: gm.InOut[np.int32]) -> None:
    """`meets` in batch mode: no block begins before all can."""
    x[b.idx] = 1
    await b.sync_all()
    x[b.idx] = 2


def two_that_meet(words: Any, function: Any, blocks: int) -> Any:
    """Two kernels with barriers on two streams of a device with 40 cores."""

    def program() -> tuple[int, ...]:
        world = World(words, 2)
        for stream in world.streams:
            function[blocks, stream](world.zeros())
        return tuple(C.aclrtSynchronizeStream(stream) for stream in world.streams)

    return program


def test_kernels_that_hold_each_others_cores_are_found(words: Any) -> None:
    program = two_that_meet(words, meets, 40)
    report = explore(program, soc="Ascend910B3")
    (failure,) = report.failures
    assert failure.kind == "deadlock" and "kernels wait for each other's cores" in failure.title
    assert report.exhausted and (report.classes, failure.count) == (4, 2)  # one by one, or one starts between
    assert results(report) == [(0, 0), (0, 507034), (507034, 0)]
    assert len(failure.recording.choices) == 1
    with Simulator(schedule=failure.recording.schedule(), threads="deterministic", soc="Ascend910B3"):
        assert 507034 in program()
    for corrected in (two_that_meet(words, meets, 20), two_that_meet(words, meets_at_once, 40)):
        report = explore(corrected, soc="Ascend910B3")
        assert report.exhausted and report.classes == 1 and not report


def test_two_host_threads_that_launch_have_launches_of_their_own(words: Any) -> None:
    def program() -> list[int]:
        world = World(words, 2)
        x = world.zeros()

        def other() -> None:
            words.must(C.aclrtSetDevice(0))
            last_one[2, world.streams[1]](x)
            words.must(C.aclrtSynchronizeStream(world.streams[1]))

        thread = threading.Thread(target=other)
        thread.start()
        last_one[2, world.streams[0]](x + 4)
        thread.join()
        return world.values(x, 2)

    report = explore(program, checks="none")
    assert report.exhausted and report.hosts_exhausted
    assert report.classes == 4  # two orders of the blocks of each launch
    assert results(report) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    processes = {process for result in report.outcomes for process in result.choices}
    assert {"stream 2/launch 1/block 0", "stream 3/launch 1 of thread 1/block 1"} <= processes


def test_many_accesses_of_many_blocks_do_not_take_long(words: Any) -> None:
    """Each block writes every 40th word, and the copies on the other stream read some of them."""

    @kernel
    def stripes(b: Block, x: gm.Out[np.int32], n: np.uint32) -> None:
        for i in range(b.idx, int(n), b.num):
            x[i] = b.idx

    def program() -> None:
        world = World(words, 2)
        x = words.must(C.aclrtMalloc(4 * 4000, 0))
        stripes[40, world.streams[0]](x, 4000)
        world.must(C.aclrtMemcpy2dAsync(world.zeros(), 4, x, 160, 4, 40, 3, world.streams[1]))
        world.must(C.aclrtSynchronizeDevice())

    report = explore(program, checks="none")
    assert report.exhausted and report.classes == 2  # the copy reads words of block 0 only


@kernel
def sums(b: Block, x: gm.InOut[np.float32]) -> None:
    """1e8 and then ones: what is added to the large number alone is lost."""
    x.atomic_add(0, 1e8 if b.idx == 1 else 4)


def test_sums_of_floats_depend_on_the_order_of_atomic_updates(words: Any) -> None:
    def program() -> float:
        world = World(words)
        x = world.zeros()
        sums[3, world.streams[0]](x)
        return float(np.array(world.values(x, 1), np.int32).view(np.float32)[0])

    assert explore(program).classes == 1
    report = explore(program, blocks="all")
    assert report.exhausted and report.classes == 6
    assert [failure.kind for failure in report.failures] == ["result"]  # no race
    assert len(report.outcomes) == 2
