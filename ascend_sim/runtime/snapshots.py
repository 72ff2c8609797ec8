"""Snapshots of a process: its device memory is saved on the host, and comes back.

What is saved is what is in the live blocks and the mapped physical memory of all devices. Objects stay as they are:
streams, events and handles are none of the bytes. See docs/semantics/process.md#snapshots.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ascend_sim.constants.errors import (
    ACL_ERROR_RT_PARAM_INVALID,
    ACL_ERROR_SNAPSHOT_BACKUP_FAILED,
    ACL_ERROR_SNAPSHOT_CALLBACK_FAILED,
    ACL_ERROR_SNAPSHOT_LOCK_FAILED,
    ACL_ERROR_SNAPSHOT_REGISTER_CALLBACK_FAILED,
    ACL_ERROR_SNAPSHOT_RESTORE_FAILED,
    ACL_ERROR_SNAPSHOT_UNLOCK_FAILED,
)
from ascend_sim.constants.execution import (
    ACL_RT_SNAPSHOT_BACKUP_POST,
    ACL_RT_SNAPSHOT_BACKUP_PRE,
    ACL_RT_SNAPSHOT_LOCK_PRE,
    ACL_RT_SNAPSHOT_RESTORE_POST,
    ACL_RT_SNAPSHOT_RESTORE_PRE,
    ACL_RT_SNAPSHOT_UNLOCK_POST,
)
from ascend_sim.errors import AclError
from ascend_sim.machine import host_memory

if TYPE_CHECKING:
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["Snapshots"]

RUNNING, LOCKED, BACKED_UP = "running", "locked", "backed up"
Callback = Callable[[int, Any], Any]


class Snapshots:
    """`sim.part(Snapshots)`: the state of the process, its callbacks, and what was saved last."""

    def __init__(self, sim: Runtime) -> None:
        self.sim = sim
        self.state = RUNNING
        self.callbacks: dict[int, list[tuple[Callback, Any]]] = {}
        self._saved: list[tuple[Allocation, int, bytes]] = []
        """(block, offset, bytes) of what was ever touched."""

    def register(self, stage: int, callback: Callback | None, arguments: Any) -> None:
        """Call *callback* at *stage*. Raises AclError: 107000 no such stage, NULL; 507913 it is registered there."""
        listed = self.callbacks.setdefault(_stage(stage, callback), [])
        if any(known is callback for known, _ in listed):
            raise AclError(ACL_ERROR_SNAPSHOT_REGISTER_CALLBACK_FAILED, "the callback is registered for that stage")
        assert callback is not None
        listed.append((callback, arguments))

    def unregister(self, stage: int, callback: Callback | None) -> None:
        """Undo `register`. Raises AclError 107000: no such stage, NULL, or it is not registered there."""
        listed = self.callbacks.get(_stage(stage, callback), [])
        left = [entry for entry in listed if entry[0] is not callback]
        if len(left) == len(listed):
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"the callback is not registered for stage {stage}")
        self.callbacks[stage] = left

    def _call(self, t: ThreadState, stage: int) -> None:
        """The callbacks of *stage*, for each open device. Raises AclError 507912: one answers other than 0."""
        for callback, arguments in tuple(self.callbacks.get(stage, ())):
            for device in self.sim.devices:
                if not device.contexts_open:
                    continue
                with self.sim.threads.user_code(t):
                    answer = callback(device.index, arguments)
                if answer:
                    text = f"the callback of stage {stage} answered {answer} for device {device.index}"
                    raise AclError(ACL_ERROR_SNAPSHOT_CALLBACK_FAILED, text)

    def _need(self, states: tuple[str, ...], code: int) -> None:
        if self.state not in states:
            raise AclError(code, f"the process is {self.state}: it must be {' or '.join(states)}")

    def lock(self, t: ThreadState) -> None:
        """Running -> locked. Raises AclError 507906, 507912."""
        self._call(t, ACL_RT_SNAPSHOT_LOCK_PRE)
        self._need((RUNNING,), ACL_ERROR_SNAPSHOT_LOCK_FAILED)
        self.state = LOCKED

    def unlock(self, t: ThreadState) -> None:
        """Locked or backed up -> running. Raises AclError 507907, 507912."""
        self._need((LOCKED, BACKED_UP), ACL_ERROR_SNAPSHOT_UNLOCK_FAILED)
        self.state = RUNNING
        self._call(t, ACL_RT_SNAPSHOT_UNLOCK_POST)

    def back_up(self, t: ThreadState) -> None:
        """Locked -> backed up: save what is in device memory; the last time counts. Raises AclError 507908, 507912."""
        self._need((LOCKED,), ACL_ERROR_SNAPSHOT_BACKUP_FAILED)
        self._call(t, ACL_RT_SNAPSHOT_BACKUP_PRE)
        memory = self.sim.memory
        self._saved = []
        for block in memory.blocks():
            spans = block.touched if block.touched is not None else [0, block.capacity]
            for start, end in zip(spans[::2], spans[1::2], strict=True) if block.device >= 0 else ():
                true = memory.reach(block, start, end - start)
                if true:
                    self._saved.append((block, start, host_memory.view(true, end - start).tobytes()))
        self._call(t, ACL_RT_SNAPSHOT_BACKUP_POST)
        self.state = BACKED_UP

    def restore(self, t: ThreadState) -> None:
        """Backed up -> locked: what was saved comes back. Raises AclError 507909, 507912."""
        self._need((BACKED_UP,), ACL_ERROR_SNAPSHOT_RESTORE_FAILED)
        self._call(t, ACL_RT_SNAPSHOT_RESTORE_PRE)
        for block, start, raw in self._saved:
            true = 0 if block.freed else self.sim.memory.reach(block, start, len(raw), True)
            if true:
                host_memory.view(true, len(raw))[:] = bytearray(raw)
        self._call(t, ACL_RT_SNAPSHOT_RESTORE_POST)
        self.state = LOCKED


def _stage(stage: int, callback: Callback | None) -> int:
    """*stage*, looked at. Raises AclError 107000."""
    if not ACL_RT_SNAPSHOT_LOCK_PRE <= stage <= ACL_RT_SNAPSHOT_UNLOCK_POST:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"stage is {stage}: 0 to {ACL_RT_SNAPSHOT_UNLOCK_POST}")
    if callback is None:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "callback is NULL")
    return stage
