"""Odd values as every parameter of every function of both faces: return codes, documented errors, nothing else.

A seeded part of the functions and values each time; ASCEND_SIM_TEST_SCALE=N looks at N times as much, from 40 on at all
of it (640,000 calls).
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.fuzz.calls import c_names, pyacl_names, target
from tests.fuzz.odd_values import ODD, Tries, sampled
from tests.kit.scale import SCALE

FACES = {"C": c_names, "pyACL": pyacl_names}
FUNCTIONS = 160
"""Of each face, in one run."""
VALUES = 4
"""For each parameter."""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("face", FACES)
def test_odd_values(face: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # calls that write files do it here
    names, few = FACES[face](), min(VALUES * SCALE, len(ODD))
    tries = Tries(f"{face} {SCALE}")
    try:
        for name in sampled(names, face, FUNCTIONS * SCALE):
            subject = target(name)
            tries.every(subject, few)
            tries.fields(subject, few)
    finally:
        tries.close()
        os.chdir("/")
    assert not tries.wrong, f"{len(tries.wrong)} of {tries.calls} calls:\n" + "\n".join(tries.wrong[:20])
    assert tries.calls > FUNCTIONS
