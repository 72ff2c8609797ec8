"""Whatever a call takes of a limit of a device, or gives back, stands in the table that the explorer goes by.

A seeded part of the functions each time; ASCEND_SIM_TEST_SCALE=N looks at N times as many.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from ascend_sim import SimulatedHang
from ascend_sim.catalogue.effects import effects
from ascend_sim.explore.control.shared_objects import LIMITS, limit_use
from tests.fuzz.arguments import Choices, Outcry
from tests.fuzz.calls import c_names, target
from tests.fuzz.odd_values import sampled
from tests.fuzz.world import World
from tests.kit.scale import SCALE

FUNCTIONS = 60
ALWAYS = ("acldvppMalloc", "aclrtCtxGetFloatOverflowAddr", "aclrtFree", "aclrtCreateStream", "aclrtDestroyNotify")


def in_use(world: World) -> dict[tuple[str, int], int]:
    """How much of each limit of each device."""
    return {(limit, d.index): limit_use(world.sim, limit, d.index)[0] for d in world.sim.devices for limit in LIMITS}


@pytest.mark.filterwarnings("ignore")
def test_what_calls_take_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    changes, untold = 0, []
    for name in [*ALWAYS, *sampled(c_names(), f"limits {SCALE}", FUNCTIONS * SCALE)]:
        world = World(Choices(bytes(24)), about="aclmdl aclop")
        try:
            subject, before = target(name), in_use(world)
            world.choices = Choices(bytes(24))
            with suppress(SimulatedHang, Outcry):
                subject.call([value for _, value in subject.arguments(world)])
            after = before if world.sim.closed else in_use(world)
        finally:
            world.sim.close()
        for key in before:
            if before[key] != after[key]:
                changes += 1
                kind = "+" if after[key] > before[key] else "-"
                if (kind, key[0]) not in {(kind, limit) for kind, limit, _ in effects(name).limits}:
                    untold.append((name, kind, key))
    assert not untold
    assert changes > 2
