"""Snapshots: states, callbacks, bytes that come back."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ascend_sim import ascendcl as C
from tests.kit.calls import must, simulator

sim = simulator()
PID = os.getpid()


def test_device_memory_comes_back(sim: Any) -> None:
    block = must(C.aclrtMalloc(4096, 0))
    must(C.aclrtMemset(block, 4096, 7, 4096))
    must(C.aclrtSnapShotProcessLock(PID, 0))
    must(C.aclrtSnapShotProcessBackup(PID, None))
    must(C.aclrtMemset(block, 4096, 9, 4096))
    must(C.aclrtSnapShotProcessRestore(PID, None))
    must(C.aclrtSnapShotProcessUnlock(PID, 0))
    got = np.zeros(4096, np.uint8)
    must(C.aclrtMemcpy(got, 4096, block, 4096, 2))
    assert set(got.tolist()) == {7}


def test_each_call_has_its_states(sim: Any) -> None:
    assert C.aclrtSnapShotProcessUnlock(PID, 0) == 507907
    assert C.aclrtSnapShotProcessBackup(PID, None) == 507908
    assert C.aclrtSnapShotProcessRestore(PID, None) == 507909
    must(C.aclrtSnapShotProcessLock(PID, 0))
    assert C.aclrtSnapShotProcessLock(PID, 0) == 507906
    assert C.aclrtSnapShotProcessRestore(PID, None) == 507909
    must(C.aclrtSnapShotProcessBackup(PID, None))
    must(C.aclrtSnapShotProcessUnlock(PID, 0))
    assert C.aclrtSnapShotProcessLock(PID + 1, 0) == 100000
    assert C.aclrtSnapShotProcessLock(PID, 8) == 100000


def test_callbacks(sim: Any) -> None:
    called: list[Any] = []

    def note(device: int, argument: Any) -> int:
        called.append((device, argument))
        return len(called) // 3

    must(C.aclrtSnapShotCallbackRegister(C.ACL_RT_SNAPSHOT_LOCK_PRE, note, "before"))
    must(C.aclrtSnapShotCallbackRegister(C.ACL_RT_SNAPSHOT_UNLOCK_POST, note, "after"))
    assert C.aclrtSnapShotCallbackRegister(C.ACL_RT_SNAPSHOT_LOCK_PRE, note, None) == 507913
    assert C.aclrtSnapShotCallbackRegister(6, note, None) == 107000
    assert C.aclrtSnapShotCallbackRegister(0, None, None) == 107000
    must(C.aclrtSnapShotProcessLock(PID, 0))
    must(C.aclrtSnapShotProcessUnlock(PID, 0))
    assert called == [(0, "before"), (0, "after")]
    assert C.aclrtSnapShotProcessLock(PID, 0) == 507912  # the third answer is 1
    must(C.aclrtSnapShotCallbackUnregister(C.ACL_RT_SNAPSHOT_LOCK_PRE, note))
    assert C.aclrtSnapShotCallbackUnregister(C.ACL_RT_SNAPSHOT_LOCK_PRE, note) == 107000
    must(C.aclrtSnapShotProcessLock(PID, 0))
