"""Queues that several processes have: granted by the one that made them, attached by others.

The entries lie on the board, the bytes of each in a file beside it. A buffer goes over by its bytes, since its process has
given it away with the entry (docs/semantics/queues.md#grants).
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ascend_sim.constants.errors import ACL_ERROR_RT_DRV_INTERNAL_ERROR
from ascend_sim.errors import AclError
from ascend_sim.runtime.processes import board as boards
from ascend_sim.runtime.processes.events import report_dead
from ascend_sim.runtime.processes.neighbours import Neighbours, Shared, place_of
from ascend_sim.runtime.processes.sharing import forget, hold, neighbours, new_entry
from ascend_sim.runtime.queues.buffers import SharedBuffer, allocate_buffer
from ascend_sim.runtime.queues.entries import Entry
from ascend_sim.runtime.queues.shared_queue import MS, QueueWait, SharedQueue
from ascend_sim.runtime.queues.stores import Store

if TYPE_CHECKING:
    from ascend_sim.runtime.thread_state import ThreadState
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["BoardStore", "attach", "grant", "say_id", "taken_ids"]


def _name(device: int, number: int) -> str:
    return f"q-{device}-{number}"


class BoardStore(Store):
    """The entries of a queue that other processes have as well."""

    __slots__ = ("device", "name", "near", "number", "thing")

    shared = True

    def __init__(self, near: Neighbours, queue: SharedQueue) -> None:
        super().__init__()
        self.near = near
        self.device = queue.device
        self.number = queue.number
        self.name = _name(queue.device, queue.number)
        self.thing = QueueThing(near, self.name, queue)
        near.add(self.thing)

    def _entry(self) -> boards.Entry:
        return self.near.board.read(self.name) or {}

    def __len__(self) -> int:
        return len(self._entry().get("items", ()))

    def known(self) -> Iterator[Entry]:
        """Nobody's: host calls of several processes are taken to be ordered as they came."""
        return iter(())

    def gone(self) -> str:
        """What its owner has done with it."""
        return str(self._entry().get("ended", ""))

    def push(self, t: HostThread | None, entry: Entry, room: int) -> bool:
        """Append *entry*, unless another process has filled the last place."""
        board = self.near.board
        with board.change(self.name) as shared:
            items = shared.setdefault("items", [])
            if len(items) >= room:
                return False
            serial = shared["serial"] = shared.get("serial", 0) + 1
            item: dict[str, Any] = {"serial": serial, "time": entry.time, "user": entry.user.hex()}
            data = [entry.data.tobytes()] if entry.buffer is None else []
            if entry.buffer is not None:
                item["chain"] = []
                for each in (entry.buffer, *entry.buffer.chain):
                    data.append(self.near.sim.memory.view(each.area.block.address, each.area.size).tobytes())
                    item["chain"].append([each.area.size, each.length, bytes(each.user).hex()])
            with open(self._file(serial), "wb") as file:
                file.writelines(data)
            items.append(item)
        if entry.buffer is not None and t is not None:
            entry.buffer.free(t)
        return True

    def pop(self, t: HostThread | None) -> Entry | None:
        """The oldest entry; None when another process was faster."""
        with self.near.board.change(self.name) as shared:
            if not shared.get("items"):
                return None
            item = shared["items"].pop(0)
            with open(self._file(item["serial"]), "rb") as file:
                data = np.frombuffer(file.read(), np.uint8)
        os.unlink(self._file(item["serial"]))  # only now: a process may be killed before the entry is taken out
        entry = Entry(data, bytes.fromhex(item["user"]))
        entry.time = item["time"]
        if "chain" in item and t is not None:
            entry.buffer = self._buffer(t, item["chain"], data)
        return entry

    def _buffer(self, t: Any, chain: list[list[Any]], data: np.ndarray) -> SharedBuffer:
        made: list[SharedBuffer] = []
        at = 0
        for size, length, user in chain:
            buffer = allocate_buffer(t, size)
            buffer.length, buffer.user = length, bytearray.fromhex(user)
            t.sim.memory.view(buffer.area.block.address, size, True)[:] = data[at : at + size]
            at += size
            made.append(buffer)
        for buffer in made[1:]:
            made[0].append(buffer)
        return made[0]

    def clear(self, t: HostThread) -> None:
        """Drop all."""
        with self.near.board.change(self.name) as shared:
            items, shared["items"] = shared.get("items", []), []
        for item in items:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self._file(item["serial"]))

    def end(self, t: HostThread) -> None:
        """The queue is destroyed: for all."""
        with self.near.board.change(self.name) as shared:
            shared["ended"] = f"which process {boards.number_of(self.near.board.me)} destroyed at {place_of(t.site)}"
            forget(shared, self.near.board.me)
        self.near.things.pop(self.name, None)

    def _file(self, serial: int) -> str:
        return os.path.join(self.near.board.folder, f"d-{self.device}-{self.number}-{serial}")


class QueueThing(Shared):
    """A queue that other processes have, with the threads that wait here for something in it, or for room."""

    __slots__ = ("queue",)

    def __init__(self, neighbours: Neighbours, name: str, queue: SharedQueue) -> None:
        super().__init__(neighbours, name)
        self.queue = queue

    def describe(self) -> str:
        """What is waited for, in words."""
        waits = self.queue.waiting()
        return waits[0].describe() if waits else self.queue.describe()

    def waits(self) -> bool:
        """Whether a thread waits."""
        return bool(self.queue.waiting())

    def news(self, entry: boards.Entry) -> bool:
        """The first thread whose wait can be over looks again."""
        queue, scheduler = self.queue, self.neighbours.sim.scheduler
        before = len(queue.waiting())
        if entry.get("ended"):
            queue.send_away(scheduler.now)
        else:
            queue.changed(scheduler.now)
        return len(queue.waiting()) < before

    def enders(self, entry: boards.Entry) -> list[boards.Who] | None:
        """The others that have it; None: nobody has yet, or another thread of this process could do it."""
        board = self.neighbours.board
        if len(self.queue.waiting()) < len([t for t in self.neighbours.sim.threads.attached() if not t.service]):
            return None
        return [who for who in entry.get("users", ()) if who != board.me] or None

    def abandoned(self, ended: list[boards.Who]) -> bool:
        """Nobody is left who could put or take."""
        waits = self.queue.waiting()
        report_dead(self, [wait.thread for wait in waits], ended[0], "which had it, and nobody else could end the wait")
        self.queue.lost = f"{self.queue.describe()}: the process that could end the wait is gone"
        self.queue.send_away(self.neighbours.sim.scheduler.now)
        return True


class _Granted(Shared):
    """A thread waits to be granted a queue."""

    __slots__ = ("wait",)

    def __init__(self, neighbours: Neighbours, name: str, wait: QueueWait) -> None:
        super().__init__(neighbours, name)
        self.wait = wait

    def describe(self) -> str:
        """The wait in words."""
        return self.wait.describe()

    def waits(self) -> bool:
        """Until it is granted."""
        return not self.wait.done

    def news(self, entry: boards.Entry) -> bool:
        """Whether it is."""
        if not _bits(entry, self.neighbours.board.me):
            return False
        scheduler = self.neighbours.sim.scheduler
        scheduler.complete(self.wait, scheduler.now)
        return True

    def enders(self, entry: boards.Entry) -> list[boards.Who] | None:
        """Whoever comes."""
        return None

    def abandoned(self, ended: list[boards.Who]) -> bool:
        """Nobody does that."""
        return False


def _bits(entry: boards.Entry, who: boards.Who) -> int:
    """What process *who* may do with the queue of *entry*."""
    if not entry or entry.get("ended"):
        return 0
    if entry["owner"] == who:
        return ALL
    return int(entry.get("granted", {}).get(str(boards.number_of(who)), 0))


ALL = 7
"""Manage, dequeue, enqueue."""


def taken_ids(t: ThreadState, device: int) -> set[int]:
    """The ids of queues that other living processes of the run have made, where queues can be granted."""
    board = neighbours(t).board
    with board.change(f"queues-{device}") as shared:
        ids = shared.setdefault("ids", {})
        for number, who in list(ids.items()):
            if board.left(who) and who != board.me:
                del ids[number]
        return {int(number) for number, who in ids.items() if who != board.me}


def say_id(t: ThreadState, device: int, number: int) -> None:
    """This process has made the queue *number*."""
    board = neighbours(t).board
    with board.change(f"queues-{device}") as shared:
        shared.setdefault("ids", {})[str(number)] = board.me


def grant(t: ThreadState, queue: SharedQueue, pid: int, bits: int) -> None:
    """Let process *pid* use *queue*: its entries are where others see them from now on."""
    near = neighbours(t)
    name = _name(queue.device, queue.number)
    fresh = not queue.store.shared
    with near.board.change(name) as entry:
        if fresh:
            entry.clear()
            entry.update(
                new_entry(t, queue.describe(), queue.device, False), name=queue.name, depth=queue.depth, items=[]
            )
        entry.setdefault("granted", {})[str(pid)] = bits
        for who in near.board.others():  # it may wait for the grant
            if boards.number_of(who) == pid:
                hold(entry, who)
    if fresh:
        old, queue.store = queue.store, BoardStore(near, queue)
        for entry_here in list(old.entries):
            queue.store.push(t, entry_here, queue.room)


def attach(t: ThreadState, device: int, number: int, timeout: int) -> tuple[SharedQueue, int]:
    """The queue *number* of another process, and what this one may do with it; wait for the grant at most *timeout* ms.

    Raises AclError 507899: nobody has granted it.
    """
    near, name = neighbours(t), _name(device, number)
    me = near.board.me
    bits = _bits(near.board.read(name) or {}, me)
    if not bits and timeout:
        wait = QueueWait(f"the grant of queue {number} of device {device}")
        asking = f"{name}-grant-{t.number}"  # several threads may wait for one grant
        near.things[asking] = _Granted(near, name, wait)
        deadline = None if timeout < 0 else t.clock + timeout * MS
        try:
            t.sim.threads.block(t, wait, deadline, wait)
        finally:
            near.things.pop(asking, None)
        bits = _bits(near.board.read(name) or {}, me)
    if not bits:
        text = f"queue {number} of device {device} was not granted to this process ({os.getpid()})"
        raise AclError(ACL_ERROR_RT_DRV_INTERNAL_ERROR, text, "driver")
    with near.board.change(name) as entry:
        hold(entry, me)
    queue = SharedQueue(t.sim, device, number, entry["name"], entry["depth"], t.site)
    queue.title = f"{entry['words']} of process {boards.number_of(entry['owner'])}"
    queue.bits = bits
    queue.store = BoardStore(near, queue)
    near.crossed(t, queue)
    return queue, bits
