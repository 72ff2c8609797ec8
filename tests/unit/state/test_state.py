"""Pictures of a moment: who waits for whom, whose memory it is; in text and as a drawing."""

from __future__ import annotations

import re
import threading
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.errors import SimulatedHang
from ascend_sim.findings.languages import missing
from ascend_sim.state import State
from tests.kit.calls import simulator

MIB = 1 << 20
SVG = "{http://www.w3.org/2000/svg}"


sim = simulator(checks="none")


def lines_of(state: State) -> list[str]:
    return [line.strip() for line in str(state).splitlines()]


def test_streams_say_what_they_do_and_who_is_waited_for(sim: Simulator) -> None:
    upload, _ = C.aclrtCreateStream()
    work, _ = C.aclrtCreateStream()
    ready, _ = C.aclrtCreateEvent()
    host, block = C.aclrtMallocHost(8 * MIB)[0], C.aclrtMalloc(8 * MIB, 0)[0]
    C.aclrtMemcpyAsync(block, 8 * MIB, host, 8 * MIB, 1, upload)
    C.aclrtRecordEvent(ready, upload)
    C.aclrtStreamWaitEvent(work, ready)
    C.aclrtMemsetAsync(block, 4096, 0, 4096, work)
    before = sim.show()
    text = str(before)
    assert "`upload`            goes on with copy H2D 8 MiB when the host waits" in text
    assert "behind it: record `ready`" in text
    assert "`ready`  record queued on `upload`; waited for by `work`" in text
    assert "`work` -> `ready` -> `upload`" in text
    for _ in range(20):  # the device comes to the copy and to the wait
        C.aclrtStreamQuery(upload)
    during = str(sim.show())
    assert "runs copy H2D 8 MiB since" in during
    assert "waits for `ready`, recorded on `upload`" in during
    C.aclrtSynchronizeDevice()
    after = sim.show()
    assert "`ready`  recorded on `upload`, done at" in str(after)
    assert "who waits for whom" not in str(after)
    assert str(before) == text, "a picture does not change"


def test_looking_changes_nothing(sim: Simulator) -> None:
    stream, _ = C.aclrtCreateStream()
    event, _ = C.aclrtCreateEventWithFlag(1)
    C.aclrtStreamWaitEvent(stream, event)
    clock, queued = sim.time_ns(), len(sim.handles)
    first = sim.show()
    assert (str(first), first.svg()) == (str(sim.show()), sim.show().svg())
    assert (sim.time_ns(), len(sim.handles)) == (clock, queued)


def test_a_notify_that_nobody_records_is_seen(sim: Simulator) -> None:
    bell, _ = C.aclrtCreateNotify(0)
    C.aclrtWaitAndResetNotify(bell, None, 0)
    assert "the default stream -> `bell` -> nobody yet" in lines_of(sim.show())


def test_who_finds_no_copy_engine_waits_for_those_that_have_one(sim: Simulator) -> None:
    host, block = C.aclrtMallocHost(8 * MIB)[0], C.aclrtMalloc(8 * MIB, 0)[0]
    engines = sim.devices[0].engines.capacity["h2d"]
    lines = [C.aclrtCreateStream()[0] for _ in range(engines + 1)]
    for stream in lines:
        C.aclrtMemcpyAsync(block, MIB, host, MIB, 1, stream)
    for _ in range(20):
        C.aclrtStreamQuery(lines[0])
    state = sim.show()
    waiting = [s for c in state.relations.contexts for s in c.streams if s.state == "waits"]
    assert [(s.name, s.status) for s in waiting] == [(f"`lines#{engines + 1}`", "waits for a copy engine (H2D)")]
    holders = [state.relations.name_of(wait.holder) for wait in state.relations.waits]
    assert holders == [f"`lines#{n + 1}`" for n in range(engines)]


def test_held_streams_and_failures_are_told(sim: Simulator) -> None:
    stream, _ = C.aclrtCreateStream()
    event, _ = C.aclrtCreateEvent()
    sim.hold(stream)
    C.aclrtRecordEvent(event, stream)
    state = sim.show()
    (held,) = [s for c in state.relations.contexts for s in c.streams if s.name == "`stream`"]
    assert (held.state, held.status, held.queue) == ("held", "held by a test", ("record `event`",))


def test_memory_is_shown_with_who_allocated_it(sim: Simulator) -> None:
    weights, _ = C.aclrtMalloc(8 * MIB, 0)
    parts = [C.aclrtMalloc(MIB, 0)[0] for _ in range(4)]
    C.aclrtFree(parts[1])
    C.aclrtFree(parts[3])
    (arena,) = sim.show().arenas
    assert [(owner.name, owner.blocks) for owner in arena.owners] == [("weights", 1), ("parts", 2)]
    assert arena.owners[0].at.startswith("test_state.py:") and "aclrtMalloc(8 * MIB" in arena.owners[0].source
    states = [block.state for block in arena.blocks]
    assert states == ["live", "live", "quarantine", "live", "quarantine"]
    assert arena.asked == 10 * MIB <= arena.used
    assert arena.fragmentation == pytest.approx(0.5, abs=0.01), "two free stretches of the same length"
    ends = [block.offset + block.length for block in arena.blocks]
    assert [block.offset for block in arena.blocks] == [0, *ends[:-1]], "neighbours, without holes between"
    text = str(sim.show())
    assert "A 10 MiB in 1 block `weights`" in text and "freed in 2 blocks" in text
    assert weights


def test_fragmentation_counts_neighbours_as_one_stretch(sim: Simulator) -> None:
    parts = [C.aclrtMalloc(MIB, 0)[0] for _ in range(5)]
    assert sim.show().arenas[0].fragmentation == 0
    C.aclrtFree(parts[1])
    C.aclrtFree(parts[2])
    assert sim.show().arenas[0].fragmentation == 0, "one stretch of two"
    C.aclrtFree(parts[4])
    assert sim.show().arenas[0].fragmentation == pytest.approx(1 / 3, abs=0.01)


def test_what_was_forgotten_is_a_gap(sim: Simulator) -> None:
    first, _ = C.aclrtMalloc(MIB, 0)
    C.aclrtMalloc(MIB, 0)
    C.aclrtFree(first)
    sim.memory.arena(0).forget_freed()
    (arena,) = sim.show().arenas
    assert [block.state for block in arena.blocks] == ["gap", "live"]
    assert arena.quarantine == 0


def test_pinned_memory_is_an_arena_without_addresses(sim: Simulator) -> None:
    C.aclrtMallocHost(MIB)
    staging, _ = C.aclrtMallocHost(2 * MIB)
    (arena,) = sim.show().arenas
    assert arena.device == -1 and arena.asked == 3 * MIB and staging
    assert arena.blocks[0].offset == 0
    assert "page-locked host memory: 3 MiB of 64 GiB in use" in str(sim.show())


def test_a_blocked_thread_points_to_what_it_waits_for() -> None:
    with Simulator(checks="none", threads="free") as sim:
        C.aclrtSetDevice(0)
        stream, _ = C.aclrtCreateStream()
        event, _ = C.aclrtCreateEventWithFlag(1)
        C.aclrtStreamWaitEvent(stream, event)
        seen: list[State] = []
        sim.findings.sinks.append(lambda finding, first: seen.append(sim.show()))
        with pytest.raises(SimulatedHang):
            C.aclrtSynchronizeStream(stream)
    (state,) = seen
    assert threading.main_thread().ident
    (waits,) = [wait for wait in state.relations.waits if wait.waiter.startswith("thread")]
    assert state.relations.name_of(waits.holder) == "`stream`"
    assert "T0 (main): waits for `stream` in aclrtSynchronizeStream" in str(state)


def test_the_drawing_is_svg_with_every_stream_and_nothing_of_the_program_in_its_markup(sim: Simulator) -> None:
    code = 'streams = {"<script>&\'": C.aclrtCreateStream()[0]}\nevent, _ = C.aclrtCreateEvent()\n'
    names = {"C": C}
    exec(compile(code, "<b>&.py", "exec"), names)
    C.aclrtRecordEvent(names["event"], next(iter(names["streams"].values())))
    C.aclrtMalloc(MIB, 0)
    text = sim.show().svg(800)
    root = ET.fromstring(text)
    assert root.tag == f"{SVG}svg" and root.get("width") == "800"
    assert "<script" not in text and "<b>" not in text
    shown = "".join(root.itertext())
    assert "the default stream" in shown and "memory of device 0" in shown and "record" in shown
    for rect in root.iter(f"{SVG}rect"):
        if rect.get("x"):
            assert float(rect.get("x", 0)) + float(rect.get("width", 0)) <= 800


def test_many_streams_and_events_stay_readable(sim: Simulator) -> None:
    busy, _ = C.aclrtCreateStream()
    idle = [C.aclrtCreateStream()[0] for _ in range(60)]
    events = [C.aclrtCreateEvent()[0] for _ in range(60)]
    C.aclrtRecordEvent(events[-1], busy)
    state = sim.show()
    lines = lines_of(state)
    assert "and 30 idle streams" in lines and "and 44 more that nothing is queued for" in lines
    assert any(line.startswith("`busy`") for line in lines) and idle
    assert len(state.svg()) < 60_000


def test_contexts_of_several_devices_are_kept_apart() -> None:
    with Simulator(checks="none", devices=2) as sim:
        for device in (0, 1):
            C.aclrtSetDevice(device)
            C.aclrtMalloc(MIB, 0)
        lines = lines_of(sim.show())
    assert "the primary context of device 0" in lines
    assert "the primary context of device 1, current in T0 (main)" in lines
    assert sum(line.startswith("memory of device") for line in lines) == 2


def test_pools_are_shown_with_what_waits_to_be_used_again(sim: Simulator) -> None:
    props = C.aclrtMemPoolProps(location=C.aclrtMemLocation(0, 1), maxSize=100 << 20)
    pool = C.aclrtMemPoolCreate(props)[0]
    C.aclrtMemPoolSetAttr(pool, 3, np.ones(1, np.uint32))
    one, two = (C.aclrtCreateStream()[0] for _ in range(2))
    p = C.aclrtMemPoolMallocAsync(4096, pool, one)[0]
    C.aclrtMemPoolFreeAsync(p, one)
    C.aclrtMemPoolMallocAsync(3 << 20, pool, two)
    state = sim.show()
    text = str(state)
    assert "allocate 4 KiB of `pool`" in text and "give back 4 KiB of `pool`" in text
    assert "6 MiB of 64 GiB in use" in text and "2 MiB of it kept by pools" in text
    assert ": 4 MiB of 100 MiB in use, 6 MiB reserved; used again by other streams: internal dependencies" in text
    assert text.endswith("  2 MiB given back on `one`, which has not come to that yet")
    C.aclrtMemPoolMallocAsync(64, pool, two)
    assert "wait" in str(sim.show()) and not sim.show().pools[0].cached
    C.aclrtSynchronizeDevice()
    assert sim.show().pools[0].reserved == 6 << 20 and state.pools[0].cached[0].ran is False


def test_the_text_is_chinese_where_that_is_chosen(sim: Simulator, monkeypatch: pytest.MonkeyPatch) -> None:
    upload, work = C.aclrtCreateStream()[0], C.aclrtCreateStream()[0]
    ready, block, host = C.aclrtCreateEvent()[0], C.aclrtMalloc(10 << 20, 0)[0], C.aclrtMallocHost(8 << 20)[0]
    C.aclrtMemcpyAsync(block, 8 << 20, host, 8 << 20, 1, upload)
    C.aclrtRecordEvent(ready, upload)
    C.aclrtStreamWaitEvent(work, ready)
    C.aclrtMemsetAsync(block, 9, 0, 9, work)
    state = sim.show()
    cells = [cell for line in str(state).split("\n") for cell in re.findall(r"\S+(?: \S+)*", line)]
    assert [text for text in cells if missing(text, "zh")] == []
    monkeypatch.setenv("ASCEND_SIM_LANG", "zh")
    said = str(state).split("\n")
    assert "  `ready`  记录在 `upload` 上排队；`work` 在等待它" in said
    assert "  默认流              空闲" in said, "what is shorter is filled up"
    assert "  `upload`            主机等待时继续拷贝 H2D 8 MiB" in said
    assert any(line.startswith("设备 0 的内存：已用 ") for line in said)
