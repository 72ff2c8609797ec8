"""Whatever a program hands to the functions of pictures: a code or a value comes back, never an exception."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.catalogue.functions import Parameter, functions
from tests.kit.scale import SCALE
from tests.unit.media.conftest import Program

NAMES = [name for name in functions() if name.startswith("acldvpp")]
NUMBERS = (0, 1, 2, 3, 12, 16, 64, 100, 256, 6144, 65535, 65536, 1 << 31, (1 << 32) - 1, 10000, 1000)
SOCS = ("Ascend310", "Ascend310P3", "Ascend910B3", "Ascend310B1")


def argument(chance: random.Random, parameter: Parameter, handles: list[object]) -> object:
    if parameter.kind in ("handle", "pointer", "struct"):
        return chance.choice([*handles, 1 << 63, -5, np.zeros(4, np.uint32), b"abc" * 9])
    if parameter.kind == "array":
        return chance.choice([None, [1], [1, 1], [0, 5], handles[-5:], np.zeros(4, np.uint32), 7])
    if parameter.kind == "f64":
        return chance.choice([0.5, float("nan"), 1e300, -3])
    return chance.choice([*NUMBERS, chance.randrange(1 << 16)])


@pytest.mark.parametrize("seed", range(6 * SCALE))
def test_every_call_comes_back(seed: int) -> None:
    chance = random.Random(seed)
    with Simulator(soc=SOCS[seed % len(SOCS)], checks="all") as sim:
        program = Program(sim)
        handles: list[object] = [0, 1, None, program.stream, program.channel, program.resize, C.acldvppMalloc(10000)[0]]
        handles += [program.picture(1, 64, 64), program.picture(1, 32, 32), C.acldvppCreateBatchPicDesc(2)]
        handles += [C.acldvppCreateRoiConfig(0, 31, 0, 31), C.acldvppCreateJpegeConfig(), C.acldvppCreateHist()]
        handles += [C.acldvppCreateLutMap(), C.acldvppCreateBorderConfig(), C.acldvppCreateStreamDesc()]
        for _ in range(100):
            function = functions()[chance.choice(NAMES)]
            found = getattr(C, function.name)(*[argument(chance, p, handles) for p in function.inputs])
            if function.returns.endswith("*") and found and function.returns != "void*":
                handles.append(found)
        assert C.aclrtSynchronizeDevice() in (0, 507018)
