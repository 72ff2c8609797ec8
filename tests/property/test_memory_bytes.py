"""What copies and sets do to bytes, against a model that keeps a bytearray for each block (docs/semantics/copies.md).

A queued task changes the model when its stream is waited for. Before a call touches bytes that tasks of another stream
touch, that stream is waited for: races have no answer. Each walk runs under one of the schedules; the bytes are the
same under all of them.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable

import numpy as np

from ascend_sim import Simulator
from tests.property.walks import Machine, step, walked

H2D, D2H, D2D, DEFAULT = 1, 2, 3, 4
SIZE = 192
DEVICE, PINNED, PLAIN = "device", "page-locked", "plain"


class Block:
    def __init__(self, address: int, place: str, keep: object = None) -> None:
        self.address, self.place, self.keep = address, place, keep
        self.bytes = bytearray(SIZE)

    def now(self) -> bytes:
        """What the host finds there without a call."""
        return ctypes.string_at(self.address, SIZE)


class Pending:
    """A queued task: what it does to the model, and the blocks that it touches."""

    def __init__(self, effect: Callable[[], None], reads: Block | None, writes: Block) -> None:
        self.effect, self.reads, self.writes = effect, reads, writes

    def disturbs(self, reads: Block | None, writes: Block) -> bool:
        return self.writes in (reads, writes) or self.reads is writes


class MemoryBytes(Machine):
    def begin(self) -> None:
        schedule = self.pick(["virtual-time", "late", "early", "random(1)", "random(2)"])
        self.lazy = schedule in ("virtual-time", "late")
        self.sim = Simulator(schedule=schedule, limits={"stream_depth": 5}, checks="memory").open()
        self.expect(0, "aclrtSetDevice", 0)
        self.queues: dict[int, list[Pending]] = {self.expect(0, "aclrtCreateStream"): [] for _ in range(2)}
        self.queues[0] = []
        self.random = random.Random(self.pick(range(256)))
        self.blocks: list[Block] = []
        for place in (DEVICE, PINNED, PLAIN, DEVICE):
            self.make(place)

    def end(self) -> None:
        self.sim.close()

    def finish(self) -> None:
        for stream in self.queues:
            self.synchronize(stream)
        for block in self.blocks:
            self.compare(block)

    # -- the model --------------------------------------------------------------------------------------------------

    def make(self, place: str) -> None:
        keep = np.zeros(SIZE, np.uint8)
        if place == PLAIN:
            address = keep.ctypes.data
        else:
            name = "aclrtMalloc" if place == DEVICE else "aclrtMallocHost"
            address = self.expect(0, name, *((SIZE, 0) if place == DEVICE else (SIZE,)))
        block = Block(address, place, keep)
        self.blocks.append(block)
        block.bytes[:] = self.random.randbytes(SIZE)
        source = np.frombuffer(bytes(block.bytes), np.uint8)
        self.expect(0, "aclrtMemcpy", address, SIZE, source.ctypes.data, SIZE, H2D)

    def synchronize(self, stream: int) -> None:
        self.expect(0, "aclrtSynchronizeStream", stream)
        self.done(stream)

    def done(self, stream: int) -> None:
        for task in self.queues[stream]:
            task.effect()
        self.queues[stream].clear()

    def settle(self, reads: Block | None, writes: Block, but: int | None = None) -> None:
        """Wait for every stream whose tasks a task on *but* (None: a host call) must be ordered with."""
        for stream, queue in self.queues.items():
            if stream != but and any(task.disturbs(reads, writes) for task in queue):
                self.synchronize(stream)

    def compare(self, block: Block) -> None:
        if block.place == DEVICE:
            seen = np.zeros(SIZE, np.uint8)
            self.expect(0, "aclrtMemcpy", seen.ctypes.data, SIZE, block.address, SIZE, D2H)
            found = seen.tobytes()
        else:
            found = block.now()
        assert found == block.bytes, f"{block.place} memory differs at byte {first_difference(found, block.bytes)}"

    def busy(self, block: Block) -> bool:
        return any(task.writes is block for queue in self.queues.values() for task in queue)

    # -- choices ----------------------------------------------------------------------------------------------------

    def stream(self) -> int:
        return self.pick(list(self.queues))

    def block(self, *places: str) -> Block:
        return self.pick([block for block in self.blocks if not places or block.place in places])

    def part(self) -> tuple[int, int]:
        offset = self.pick(range(SIZE))
        return offset, 1 + self.pick(range(SIZE)) % (SIZE - offset)

    def two(self) -> tuple[Block, int, Block, int, int] | None:
        """Places and length of a copy between two blocks; None when it would overlap itself."""
        to, source = self.block(), self.block()
        (at, count), (origin, longest) = self.part(), self.part()
        return None if to is source else (to, at, source, origin, min(count, longest))

    # -- calls ------------------------------------------------------------------------------------------------------

    @step(2)
    def copy(self) -> None:
        chosen = self.two()
        if chosen is not None:
            to, at, source, origin, count = chosen
            self.settle(source, to)
            kind = self.pick(range(5))  # the direction comes from the addresses
            self.expect(0, "aclrtMemcpy", to.address + at, count, source.address + origin, count, kind)
            to.bytes[at : at + count] = source.bytes[origin : origin + count]

    @step(5)
    def copy_on_a_stream(self) -> None:
        chosen, stream = self.two(), self.stream()
        if chosen is None or DEVICE not in (chosen[0].place, chosen[2].place):
            return  # host to host is refused
        to, at, source, origin, count = chosen
        if PLAIN in (to.place, source.place):  # waits for the stream, then copies
            kind = DEFAULT
            self.settle(source, to, stream)
        else:
            kind = self.pick([H2D, D2H, D2D, DEFAULT])  # corrected by where the addresses are
            self.settle(source, to, stream)
        old = to.now() if to.place == PINNED and self.lazy and len(self.queues[stream]) < 5 else None
        self.expect(0, "aclrtMemcpyAsync", to.address + at, SIZE, source.address + origin, count, kind, stream)
        assert old is None or to.now() == old, "a queued copy has no effect before a call that waits"

        def effect() -> None:
            to.bytes[at : at + count] = source.bytes[origin : origin + count]

        self.queues[stream].append(Pending(effect, source, to))
        if PLAIN in (to.place, source.place):
            self.done(stream)

    @step(2)
    def copy_rows(self) -> None:
        to, source, stream = self.block(DEVICE), self.block(PINNED, PLAIN), self.stream()
        if self.pick([True, False]):
            to, source = source, to
        width, height = 1 + self.pick(range(16)), 1 + self.pick(range(5))
        dpitch, spitch = width + self.pick(range(16)), width + self.pick(range(16))
        kind = H2D if to.place == DEVICE else D2H
        arguments = (to.address, dpitch, source.address, spitch, width, height, kind)
        now = self.pick([True, False])
        plain = PLAIN in (to.place, source.place)
        self.settle(source, to, None if now else stream)
        self.expect(0, "aclrtMemcpy2d" if now else "aclrtMemcpy2dAsync", *arguments, *(() if now else (stream,)))

        def effect() -> None:
            for row in range(height):
                line = source.bytes[row * spitch : row * spitch + width]
                to.bytes[row * dpitch : row * dpitch + width] = line

        if now:
            effect()
        else:
            self.queues[stream].append(Pending(effect, source, to))
            if plain:
                self.done(stream)

    @step(2)
    def set_bytes(self) -> None:
        block, (at, count), value = self.block(), self.part(), self.pick([0, 7, 255, 0x1FF, -1])
        self.settle(None, block)
        self.expect(0, "aclrtMemset", block.address + at, count, value, count)
        block.bytes[at : at + count] = bytes([value & 0xFF]) * count

    @step(3)
    def set_bytes_on_a_stream(self) -> None:
        block, (at, count), value, stream = self.block(), self.part(), self.pick([0, 7, 255, 0x1FF]), self.stream()
        queued = block.place == DEVICE
        self.settle(None, block, stream if queued else None)  # host memory is set at once, before earlier tasks
        self.expect(0, "aclrtMemsetAsync", block.address + at, count, value, count, stream)

        def effect() -> None:
            block.bytes[at : at + count] = bytes([value & 0xFF]) * count

        if queued:
            self.queues[stream].append(Pending(effect, None, block))
        else:
            effect()

    @step()
    def set_words(self) -> None:
        block, number, value = self.block(DEVICE, PINNED), 1 + self.pick(range(SIZE // 4)), self.pick([0, 1, 0xDEADBEEF])
        self.settle(None, block)
        self.expect(0, "aclrtMemsetD32", block.address, SIZE, value, number)
        block.bytes[: 4 * number] = value.to_bytes(4, "little") * number

    @step(2)
    def wait(self) -> None:
        self.synchronize(self.stream())

    @step(2)
    def look(self) -> None:
        block = self.block()
        if not self.busy(block):
            self.compare(block)

    @step()
    def an_empty_copy_does_nothing(self) -> None:
        self.expect(0, "aclrtMemcpyAsync", 0, 0, 0, 0, 99, 0)
        self.expect(0, "aclrtMemset", 0, 0, 0, 0)

    @step()
    def a_refused_copy_changes_nothing(self) -> None:
        block, source = self.block(), self.block()
        self.settle(source, block)
        self.expect(107000, "aclrtMemcpy", block.address, 8, source.address, 9, DEFAULT)
        if block.place != PLAIN:
            self.expect(107000, "aclrtMemset", block.address, 1 << 20, 1, SIZE + 4096)

    @step()
    def free_and_allocate(self) -> None:
        block = self.block(DEVICE, PINNED)
        if len([other for other in self.blocks if other.place == block.place]) > 1:
            self.settle(block, block)
            name = self.pick(["aclrtFree", "aclrtFreeHost"]) if block.place == PINNED else "aclrtFree"
            self.expect(0, name, block.address)
            self.blocks.remove(block)
        self.make(self.pick([DEVICE, PINNED, PLAIN]))


def first_difference(one: bytes, other: bytes) -> int:
    return next(i for i, (a, b) in enumerate(zip(one, other, strict=True)) if a != b)


@walked(MemoryBytes, walks=80, length=400)
def test_bytes_are_those_of_the_model_under_every_schedule() -> None:
    """Random copies and sets on three streams."""
