"""Fuzzes sequences of calls of two host threads: ``python -m tests.fuzz.call_sequences EXAMPLES JOURNAL [deterministic]``.

Both threads call whatever they like at the same time; in the middle the process is finalised, devices are reset, and
one thread closes the simulator under the other. Prints one JSON line for each example that failed.
"""

from __future__ import annotations

import copy
import faulthandler
import json
import os
import sys
import tempfile
import threading
import traceback

from ascend_sim import SimulatedHang
from ascend_sim import ascendcl as C
from tests.fuzz.arguments import Choices, Outcry, byte_strings
from tests.fuzz.calls import Target, WrongAnswer, aclnn_names, c_names, play, pyacl_names, target
from tests.fuzz.catalogue_shard import PATIENCE, Journal
from tests.fuzz.world import World

LENGTH = 400
"""Bytes of a thread: some two dozen calls."""
OFTEN = [
    "aclrtMalloc", "aclrtFree", "aclrtMallocHost", "aclrtFreeHost", "aclrtMemcpy", "aclrtMemcpyAsync",
    "aclrtMemsetAsync", "aclrtRecordEvent", "aclrtStreamWaitEvent", "aclrtSynchronizeStream",
    "aclrtSynchronizeEvent", "aclrtCreateStream", "aclrtDestroyStream", "aclrtCreateEvent", "aclrtDestroyEvent",
    "aclrtSetDevice", "aclrtResetDevice", "aclrtCreateContext", "aclrtDestroyContext", "aclrtSetCurrentContext",
    "aclrtSubscribeReport", "aclrtLaunchCallback", "aclrtProcessReport", "aclrtLaunchHostFunc", "aclrtRecordNotify",
    "aclrtWaitAndResetNotify", "aclrtStreamQuery", "aclrtQueryEventStatus", "aclrtLaunchKernelWithConfig",
    "aclrtStreamAbort", "aclrtSetStreamFailureMode", "aclrtSynchronizeDevice", "aclrtValueWrite", "aclrtValueWait",
    "aclmdlRICaptureBegin", "aclmdlRICaptureEnd", "aclmdlRIExecuteAsync", "aclmdlRIExecute", "aclmdlRIDestroy",
    "aclrtMapMem", "aclrtUnmapMem", "aclrtMemPoolMallocAsync", "aclrtMemPoolFreeAsync", "aclmdlExecuteAsync",
]  # fmt: skip
"""What programs do most: half of the calls."""


class Caller:
    """Makes the calls that its bytes say, and what a program does now and then to all its threads."""

    def __init__(self, world: World, data: bytes, often: list[Target], rest: list[Target], journal: Journal) -> None:
        self.world = copy.copy(world)
        self.world.choices = Choices(data)
        self.often, self.rest, self.journal = often, rest, journal
        self.error = ""

    def run(self) -> None:
        choices = self.world.choices
        try:
            C.aclrtSetDevice(0)
            while choices:
                often = choices.byte()
                if often > 250:
                    self.world.meanwhile()
                play(self.world, choices.pick(self.often if often % 2 else self.rest), self.journal.say)
        except (SimulatedHang, Outcry):
            pass  # in the first call, which ran a callback of the other thread
        except WrongAnswer as wrong:
            self.error = str(wrong)
        except Exception as error:  # noqa: BLE001 - reported by the parent
            self.error = "".join(traceback.format_exception(error)[-8:])


def example(data: bytes, often: list[Target], rest: list[Target], journal: Journal, threads: str) -> None:
    """Two threads; the first one closes the simulator when it is through. Raises WrongAnswer."""
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    world = World(Choices(data[:16]), threads, wide=True)
    half = 16 + (len(data) - 16) // 2
    callers = [Caller(world, part, often, rest, journal) for part in (data[16:half], data[half:])]
    second = threading.Thread(target=callers[1].run, daemon=True)
    try:
        second.start()
        callers[0].run()
    finally:
        world.sim.close()
    second.join(PATIENCE / 3)
    if second.is_alive():
        raise WrongAnswer("a call did not come back after the simulator was closed")
    trespass = world.trespass()
    errors = [caller.error for caller in callers if caller.error]
    if trespass or errors:
        raise WrongAnswer("\n".join([trespass, *errors]).strip())


def main() -> None:
    """Make the examples."""
    examples, journal = int(sys.argv[1]), Journal(sys.argv[2])
    threads = sys.argv[3] if len(sys.argv) > 3 else "free"
    faulthandler.enable()
    sys.setswitchinterval(1e-5)
    rest = [found for found in map(target, [*c_names(), *pyacl_names(), *aclnn_names()[::9]]) if found.modelled]
    often = [target(name) for name in OFTEN]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for data in byte_strings(f"two threads, {threads}", examples, 2 * LENGTH):
            journal.calls.clear()
            try:
                example(data, often, rest, journal, threads)
            except WrongAnswer as wrong:
                print(json.dumps({"error": str(wrong)[:4000], "calls": list(journal.calls[-30:])}), flush=True)
        os.chdir("/")
    faulthandler.cancel_dump_traceback_later()
    journal.say("finished")


if __name__ == "__main__":
    main()
