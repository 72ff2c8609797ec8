"""Free threads: a hang with the runtime's own thread beside it, and a wait that ends while that thread looks."""

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.errors import SimulatedHang
from ascend_sim.simulator import Simulator


@pytest.fixture
def streams():
    with Simulator():
        assert C.aclrtSetDevice(0) == 0
        held, other = C.aclrtCreateStream()[0], C.aclrtCreateStream()[0]
        assert C.aclrtStreamWaitEvent(held, C.aclrtCreateEventWithFlag(1)[0]) == 0
        yield held, other


def test_a_hang_beside_an_idle_service_thread_is_reported_once(streams):
    held, other = streams
    heard = []
    assert C.aclrtLaunchHostFunc(other, heard.append, 1) == 0
    assert C.aclrtSynchronizeStream(other) == 0
    with pytest.raises(SimulatedHang, match="waits for stream"):
        C.aclrtSynchronizeStream(held)
    assert heard == [1]


def test_a_service_thread_that_falls_idle_does_not_keep_a_wait_that_is_done(streams):
    held, other = streams
    context = C.aclrtGetCurrentContext()[0]
    codes = []

    def abort(_):
        codes.append(C.aclrtSetCurrentContext(context))
        codes.append(C.aclrtStreamAbort(held))

    for _ in range(20):
        assert C.aclrtLaunchHostFunc(other, abort, None) == 0
        assert C.aclrtSynchronizeStream(held) in (0, 107023)
        assert C.aclrtSynchronizeStream(other) == 0
        assert C.aclrtStreamWaitEvent(held, C.aclrtCreateEventWithFlag(1)[0]) == 0
    assert codes == [0, 0] * 20
