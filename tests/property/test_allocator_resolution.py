"""A random life of registrations, executions and streams against docs/semantics/allocators.md#resolution."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from ascend_sim import ascendcl as C
from ascend_sim.om.container import write
from ascend_sim.om.description import TensorDescription
from ascend_sim.ops.op_files import describe_op
from ascend_sim.simulator import Simulator

ALLOCATORS = st.integers(0, 2)
PLACES = st.integers(0, 3)
"""Up to four streams; place 0 is the default stream by its handle."""


class Life(RuleBasedStateMachine):
    """The model: per handle a registration and what was resolved: nothing, "default", or the number of an allocator."""

    def __init__(self) -> None:
        super().__init__()
        self.sim = Simulator(reuse_handles=True, checks="memory").open()
        assert C.aclInit(None) == 0
        assert C.aclrtSetDevice(0) == 0
        one = TensorDescription("x", 0, (4,))
        data = write(describe_op("Neg", [one], [one], work_size=64))
        assert C.aclopLoad(data, len(data)) == 0
        there, _ = C.aclrtMalloc(16, 0)
        C.aclrtMemset(there, 16, 0, 16)
        desc, buffer = C.aclCreateTensorDesc(0, 1, [4], 2), C.aclCreateDataBuffer(there, 16)
        self.work = ("Neg", 1, [desc], [buffer], 1, [desc], [buffer], 0)
        self.default, _ = C.aclrtCtxGetCurrentDefaultStream()
        self.streams: list[int] = [self.default, 0, 0, 0]
        self.registered: dict[int, int] = {}
        self.resolved: dict[int, Any] = {}
        self.calls: list[int] = []
        self.descs = []
        for number in range(3):
            made = C.aclrtAllocatorCreateDesc()
            C.aclrtAllocatorSetObjToDesc(made, number + 1)
            C.aclrtAllocatorSetAllocFuncToDesc(made, self._alloc)
            C.aclrtAllocatorSetFreeFuncToDesc(made, lambda obj, block: None)
            C.aclrtAllocatorSetGetAddrFromBlockFuncToDesc(made, lambda block: block)
            self.descs.append(made)

    def _alloc(self, obj: int, size: int) -> int:
        self.calls.append(obj - 1)
        return int(C.aclrtMalloc(size, 0)[0])

    def teardown(self) -> None:
        self.sim.close()

    @rule(place=st.integers(1, 3))
    def create_or_destroy(self, place: int) -> None:
        stream = self.streams[place]
        if stream:
            assert C.aclrtDestroyStream(stream) == 0
            self.resolved.pop(stream, None)  # the registration stays
            self.streams[place] = 0
        else:
            self.streams[place], code = C.aclrtCreateStream()
            assert code == 0

    @rule(place=PLACES, number=ALLOCATORS)
    def register(self, place: int, number: int) -> None:
        if self.streams[place]:
            assert C.aclrtAllocatorRegister(self.streams[place], self.descs[number]) == 0
            self.registered[self.streams[place]] = number

    @rule(place=PLACES)
    def unregister(self, place: int) -> None:
        if self.streams[place]:
            assert C.aclrtAllocatorUnregister(self.streams[place]) == 0
            self.registered.pop(self.streams[place], None)

    def _resolve(self, key: int, entry: int | None) -> Any:
        if self.resolved.get(key) != "default":
            self.resolved[key] = "default" if entry is None else entry
        return self.resolved[key]

    @rule(place=PLACES)
    def execute(self, place: int) -> None:
        stream = self.streams[place]
        if not stream:
            return
        wanted = self._resolve(stream, self.registered.get(stream))
        self.calls.clear()
        assert C.aclopExecuteV2(*self.work, stream) == 0
        assert self.calls == ([] if wanted == "default" else [wanted])

    @rule()
    def execute_null(self) -> None:
        wanted = self._resolve(self.default, None)
        assert wanted == "default"
        self.calls.clear()
        assert C.aclopExecuteV2(*self.work, 0) == 0
        assert self.calls == []

    @precondition(lambda self: any(self.streams[1:]))
    @rule()
    def synchronize(self) -> None:
        assert C.aclrtSynchronizeDevice() == 0

    @invariant()
    def get_by_stream_agrees(self) -> None:
        for stream in self.streams:
            if stream:
                *found, code = C.aclrtAllocatorGetByStream(stream)
                assert (code == 0) == (stream in self.registered)
                if code == 0:
                    assert found[1] == self.registered[stream] + 1


Life.TestCase.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestLife = Life.TestCase


def test_a_hundred_thousand_registrations_are_looked_up_by_their_key() -> None:
    with Simulator(checks="memory") as sim:
        C.aclrtSetDevice(0)
        made = C.aclrtAllocatorCreateDesc()
        C.aclrtAllocatorSetObjToDesc(made, 1)
        for setter in (C.aclrtAllocatorSetAllocFuncToDesc, C.aclrtAllocatorSetFreeFuncToDesc):
            setter(made, np.add)
        C.aclrtAllocatorSetGetAddrFromBlockFuncToDesc(made, np.negative)
        for stream in range(1, 100_001):
            assert C.aclrtAllocatorRegister(stream, made) == 0
        assert type(sim.allocators.entries) is dict
        assert C.aclrtAllocatorGetByStream(77_777)[1:3] == (1, np.add)
