"""Streams, events, memory and captures for the tests of graphs."""

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.findings.languages import untranslated
from tests.kit.calls import Calls

RELAXED = 2
SYNC = 1


class World(Calls):
    """Streams, events and 64 bytes of device memory each."""

    def event(self):
        return self.must(C.aclrtCreateEventExWithFlag(SYNC))

    def at(self, stream):
        """The stream behind a handle."""
        return self.sim.handles[stream]

    def memory(self, value=0):
        address = self.must(C.aclrtMalloc(64, 0))
        self.must(C.aclrtMemset(address, 64, value, 64))
        return address

    def peek(self, address):
        """The first byte, as it is now."""
        return int(self.sim.memory.view(address, 1)[0])

    def fill(self, address, value, stream):
        self.must(C.aclrtMemsetAsync(address, 64, value, 64, stream))

    def edge(self, first, then):
        """What is queued on *then* follows what is queued on *first*."""
        event = self.event()
        self.must(C.aclrtRecordEvent(event, first))
        self.must(C.aclrtStreamWaitEvent(then, event))

    def capture(self, stream, mode=RELAXED):
        self.must(C.aclmdlRICaptureBegin(stream, mode))

    def end(self, stream):
        return self.must(C.aclmdlRICaptureEnd(stream))

    def run(self, model, stream, times=1):
        for _ in range(times):
            self.must(C.aclmdlRIExecuteAsync(model, stream))
        self.must(C.aclrtSynchronizeStream(stream))

    def kinds(self):
        return [finding.kind for finding in self.sim.findings]

    def edge_event(self, first):
        """An event that is recorded on *first* now."""
        event = self.event()
        self.must(C.aclrtRecordEvent(event, first))
        return event


@pytest.fixture
def world():
    with Simulator(checks="all") as sim:
        C.aclrtSetDevice(0)
        yield World(sim)
        assert [text for finding in sim.findings for text in untranslated(finding, "zh")] == []
