"""Chapter 24: marks and words about tasks."""

from __future__ import annotations

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from tests.kit.calls import simulator

sim = simulator(device=None)


def test_a_mark_is_a_task(sim: Simulator) -> None:
    C.aclrtSetDevice(0)
    stream, _ = C.aclrtCreateStream()
    words = np.zeros(18, np.uint8)
    assert C.aclrtProfTrace(words, 18, stream) == 0
    assert C.aclrtProfTrace(words, 1, 0) == 0
    assert C.aclrtSynchronizeDevice() == 0


def test_faults_of_marks(sim: Simulator) -> None:
    words = np.zeros(18, np.uint8)
    assert C.aclrtProfTrace(0, 0, 1) == 100000
    assert C.aclrtProfTrace(words, 0, 1) == 107000
    assert C.aclrtProfTrace(words, 19, 1) == 107000
    assert C.aclrtProfTrace(words, -1, 1) == 107000
    assert C.aclrtProfTrace(words, 8, 1) == 107017
    assert C.aclrtProfTrace(words, 8, 0) == 107002
    C.aclrtSetDevice(0)
    stream, _ = C.aclrtCreateStream()
    C.aclrtCreateContext(0)
    assert C.aclrtProfTrace(words, 8, stream) == 107003


def test_words_about_the_last_task(sim: Simulator) -> None:
    words = np.zeros(64, np.uint8)
    assert C.aclrtCacheLastTaskOpInfo(0, 0) == 100000
    assert C.aclrtCacheLastTaskOpInfo(words, 0) == 100000
    assert C.aclrtCacheLastTaskOpInfo(words, (64 << 10) + 1) == 107000  # before the context
    assert C.aclrtCacheLastTaskOpInfo(words, 64) == 107002
    assert C.aclrtCacheLastTaskExtendInfo(None, 0) == 107000
    assert C.aclrtCacheLastTaskExtendInfo("{}", 0) == 107000
    assert C.aclrtCacheLastTaskExtendInfo("{}", 3) == 107002
    C.aclrtSetDevice(0)
    assert C.aclrtCacheLastTaskOpInfo(words, 64) == 507000
    assert C.aclrtCacheLastTaskExtendInfo("{}", 3) == 507000


@pytest.mark.parametrize("soc", ["Ascend310B1", "Ascend910A"])
def test_products_without_captures(soc: str) -> None:
    with Simulator(soc):
        words = np.zeros(64, np.uint8)
        assert C.aclrtCacheLastTaskOpInfo(words, 0) == 100000  # the acl layer first
        assert C.aclrtCacheLastTaskOpInfo(words, 1 << 20) == 207000
        assert C.aclrtCacheLastTaskExtendInfo(None, 0) == 207000
