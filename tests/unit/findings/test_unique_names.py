"""Two objects that one line made are never called the same, whenever their names were asked for."""

from __future__ import annotations

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
