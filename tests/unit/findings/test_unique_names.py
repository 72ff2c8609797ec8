"""Two objects that one line made are never called the same, whenever their names were asked for."""

from __future__ import annotations

import re

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C


@pytest.mark.parametrize("rounds", [2, 3])
def test_objects_of_one_line_have_names_of_their_own(rounds: int) -> None:
    with Simulator() as sim:
        assert C.aclrtSetDevice(0) == 0
        names = []
        for _ in range(rounds):
            p, _ = C.aclrtMalloc(64, 0)
            q, _ = C.aclrtMalloc(64, 0)
            block = sim.memory.find(p)
            assert block is not None
            names.append(sim.names.block(block))
            C.aclrtFree(p)
            C.aclrtFree(q)
        assert len(set(names)) == rounds
        assert names[:2] == ["`p`", "`p#2`"]


def test_an_ordinal_takes_the_place_of_an_index_that_is_not_known() -> None:
    with Simulator() as sim:
        assert C.aclrtSetDevice(0) == 0
        made = []
        held = [0] * 2
        for i in range(2):
            held[i], _ = C.aclrtCreateStream()
            made.append(sim.handles.get(held[i]))
        held.clear()
        assert [sim.names.stream(stream) for stream in made] == ["`held#1`", "`held#2`"]


def test_a_picture_and_a_timeline_call_things_as_the_findings_do() -> None:
    with Simulator() as sim:
        timeline = sim.timeline()
        assert C.aclrtSetDevice(0) == 0
        streams = [C.aclrtCreateStream()[0] for _ in range(3)]
        flags = [C.aclrtCreateEventWithFlag(1)[0] for _ in range(3)]
        blocks = [C.aclrtMalloc(64, 0)[0] for _ in range(3)]
        for stream in streams[1:]:
            assert C.aclrtMemsetAsync(blocks[2], 64, 1, 64, stream) == 0
        assert C.aclrtSynchronizeDevice() == 0
        assert C.aclrtStreamWaitEvent(streams[1], flags[2]) == 0
        assert C.aclrtSynchronizeStreamWithTimeout(streams[1], 10) == 507046
        told = {name for finding in sim.findings for name in re.findall(r"`(\w+\[\d\])`", finding.title)}
        assert told == {"streams[1]", "streams[2]", "flags[2]", "blocks[2]"}
        state = str(sim.show())
        assert C.aclrtRecordEvent(flags[2], streams[2]) == 0
        assert C.aclrtSynchronizeDevice() == 0
        page = timeline.html()
    for name in told - {"blocks[2]"}:
        assert f"`{name}`" in state
        assert name in page
    assert "streams#2" not in state + page and "streams#3" not in state + page and "flags#3" not in state + page
