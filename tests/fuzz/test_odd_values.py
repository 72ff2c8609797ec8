"""Odd values as every parameter of every function of both faces: return codes, documented errors, nothing else.

A seeded part of the functions and values each time; ASCEND_SIM_TEST_SCALE=N looks at N times as much, from 40 on at all
of it (640,000 calls).
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.ascendcl import arguments
from tests.fuzz.arguments import Outcry
from tests.fuzz.calls import c_names, pyacl_names, target
from tests.fuzz.odd_values import ODD, Tries, raising, sampled
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


@pytest.mark.parametrize("value", [10**5000, -(10**5000), raising(Outcry)()], ids=["long", "negative", "raises"])
def test_a_value_that_has_no_text_is_refused_like_others(value: object) -> None:
    with Simulator():
        assert C.aclInit(None) == C.aclrtSetDevice(0) == 0
        assert C.aclopSetAttrListFloat(C.aclopCreateAttr(), "a", 1, [value]) == 100000
        assert C.aclCreateIntArray(["x", value], 2) == 0
        if isinstance(value, int):
            assert C.aclrtGetSymbolSize(value)[-1] == C.aclrtGetSymbolAddress(value)[-1] == 107043
        else:
            assert C.acldumpRegCallback(value, 1) == 500001


def test_a_range_that_no_memory_holds_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arguments, "_MOST_VALUES", 1000)
    endless = range(1 << 40)
    with Simulator():
        assert C.aclInit(None) == C.aclrtSetDevice(0) == 0
        attributes = C.aclopCreateAttr()
        for kind in ("Float", "Int", "Bool", "DataType", "String"):
            assert getattr(C, f"aclopSetAttrList{kind}")(attributes, "a", 1 << 30, endless) == 100000
        assert C.aclopSetAttrListListInt(attributes, "a", 1 << 30, endless, [endless]) == 100000
        for kind in ("Float", "Int", "Bool"):
            assert getattr(C, f"aclCreate{kind}Array")(endless, 1 << 30) == 0
            assert getattr(C, f"aclCreate{kind}Array")(endless, 1000) != 0


@pytest.mark.parametrize("name", ["\udcffx", "\udcff" * 600, "plain"])
def test_names_of_bytes_that_are_no_utf8_are_kept(name: str) -> None:
    with Simulator():
        assert C.aclInit(None) == C.aclrtSetDevice(0) == 0
        stream, _ = C.aclrtCreateStream()
        assert C.aclmdlRICaptureBegin(stream, 0) == 0
        model, _ = C.aclmdlRICaptureEnd(stream)
        given = ctypes.create_string_buffer(600)
        assert C.aclmdlRISetName(model, name) == C.aclmdlRIGetName(model, 600, ctypes.addressof(given)) == 0
        assert given.value == os.fsencode(name)[:511]
        assert C.aclSetCompileopt(0, name) == 0
