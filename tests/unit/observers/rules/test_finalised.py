"""Calls behind aclFinalize are told with both places, however many threads live; what torch does by itself is not."""

from __future__ import annotations

import threading

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.observers.rules import checker
from ascend_sim.source.callsite import BY_TORCH


@pytest.mark.parametrize("threads", ["deterministic", "free"])
@pytest.mark.parametrize("alone", [True, False])
def test_both_places_are_known(threads: str, alone: bool) -> None:
    with Simulator(threads=threads) as sim:
        assert C.aclInit(None) == 0
        assert C.aclrtSetDevice(0) == 0
        called, over = threading.Event(), threading.Event()
        other = threading.Thread(target=lambda: (C.aclrtSetDevice(0), called.set(), over.wait()))
        if not alone:
            other.start()
            called.wait()
        assert C.aclFinalize() == 0
        C.aclrtMalloc(64, 0)
        if not alone:
            over.set()
            other.join()
        (found,) = [finding for finding in sim.findings if finding.kind == "use-after-finalize"]
    access, finalised = (site.frames[0] for site in found.sites)
    assert access.function == finalised.function == "test_both_places_are_known" and access.line > finalised.line


def test_what_torch_does_by_itself() -> None:
    code = compile("", threading.__file__, "exec")
    assert checker._torch_alone(((code, 0), BY_TORCH))
    assert not checker._torch_alone(((test_what_torch_does_by_itself.__code__, 0), BY_TORCH))
    assert not checker._torch_alone(((code, 0),))
