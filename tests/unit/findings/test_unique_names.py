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
