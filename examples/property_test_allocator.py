"""A caching allocator with a planted bug, found by random programs; the same with the bug fixed. Needs hypothesis."""

import sys
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.testing import AllocatorStateMachine

SMALLEST = 512


class CachingAllocator:
    """Keeps freed blocks by size, and hands them out again at once: to whom, that is the question."""

    def __init__(self, careful: bool) -> None:
        self.careful = careful
        self.cache: dict[Any, list[int]] = {}
        self.blocks: dict[int, tuple[int, int]] = {}
        self.users: dict[int, list[int]] = {}

    def _key(self, size: int, stream: int) -> Any:
        return (size, stream) if self.careful else size

    def allocate(self, size: int, stream: int) -> int:
        size = max(SMALLEST, 1 << (size - 1).bit_length())
        waiting = self.cache.get(self._key(size, stream))
        if waiting:
            pointer = waiting.pop()
        else:
            pointer, ret = C.aclrtMalloc(size, C.ACL_MEM_MALLOC_HUGE_FIRST)
            if ret != 0:
                raise MemoryError
        self.blocks[pointer] = size, stream
        return pointer

    def record_stream(self, pointer: int, stream: int) -> None:
        """Another stream uses the block, too: what comes next on the block's own stream has to wait for it."""
        self.users.setdefault(pointer, []).append(stream)

    def free(self, pointer: int) -> None:
        size, stream = self.blocks.pop(pointer)
        for other in self.users.pop(pointer, ()):
            event, _ = C.aclrtCreateEventExWithFlag(C.ACL_EVENT_SYNC)
            C.aclrtRecordEvent(event, other)
            C.aclrtStreamWaitEvent(stream, event)
            C.aclrtDestroyEvent(event)
        self.cache.setdefault(self._key(size, stream), []).append(pointer)

    def close(self) -> None:
        C.aclrtSynchronizeDevice()
        for waiting in self.cache.values():
            for pointer in waiting:
                C.aclrtFree(pointer)


class CarelessPool(AllocatorStateMachine):
    """Freed blocks go to any stream."""

    def make_allocator(self, sim: Simulator) -> CachingAllocator:
        return CachingAllocator(careful=False)


class CarefulPool(AllocatorStateMachine):
    """Freed blocks stay with their stream."""

    def make_allocator(self, sim: Simulator) -> CachingAllocator:
        return CachingAllocator(careful=True)


def attempt(machine: type[AllocatorStateMachine]) -> str:
    """Try the allocator with random programs; the kind of what was found."""
    fixed = settings(
        machine.TestCase.settings, max_examples=20, database=None, derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )  # fmt: skip
    try:
        run_state_machine_as_test(machine, settings=fixed)
    except AssertionError as error:
        return str(error).split("\n")[1].partition(":")[0]
    return "nothing was found"


def main() -> int:
    found = {machine.__name__: attempt(machine) for machine in (CarelessPool, CarefulPool)}
    for name, text in found.items():
        print(f"{name}: {text}")
    reached = CarefulPool.reached.counts["a block was freed while a stream used it"]
    print("blocks were freed while in use:", reached > 10)
    good = "error[race]" in found["CarelessPool"] and found["CarefulPool"] == "nothing was found"
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
