"""A copy or set that is called again keeps what was found out: when that may be used, and when it must not."""

import ctypes
import random

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.machine.address_space import AddressSpace
from ascend_sim.observers.observer import Observer
from ascend_sim.simulator import Simulator
from tests.kit.calls import simulator

H2D, D2H, D2D, DEFAULT = 1, 2, 3, 4
N = 4096


class Watch(Observer):
    """The operations that were queued, and the bytes that were touched."""

    def __init__(self):
        self.ops, self.touched, self.queued = [], [], []

    def submitted(self, task):
        self.ops.append(task.op)

    def accessed(self, who, block, lo, hi, write):
        self.touched.append((block.number, lo, hi, write))

    def copy_queued(self, task, source):
        self.queued.append((task, source.address))


sim = simulator(devices=2, threads="deterministic")


def must(result):
    *outputs, code = result if isinstance(result, tuple) else (result,)
    assert code == 0, C.aclGetRecentErrMsg()
    return outputs[0] if outputs else None


def device(n=N):
    return must(C.aclrtMalloc(n, 0))


def pinned(n=N):
    return must(C.aclrtMallocHost(n))


def shown(sim, address, n):
    return bytes(sim.memory.view(address, n))


def planned(sim):
    """The plans; of a call that came once only the key is kept."""
    return [plan for plan in sim.memory.plans.values() if plan is not None]


def kinds(sim):
    return [finding.kind for finding in sim.findings]


def test_a_repeated_call_queues_one_operation_and_moves_what_is_there_by_then(sim):
    host, target, other, stream = pinned(), device(), device(), must(C.aclrtCreateStream())
    watch = sim.attach(Watch())
    for value in range(5):
        ctypes.memset(host, value, 64)
        must(C.aclrtMemcpyAsync(target + 32, 64, host, 64, H2D, stream))
        must(C.aclrtMemcpyAsync(other, 64, target + 32, 64, D2D, stream))
        must(C.aclrtMemsetAsync(target + 512, 64, 7, 16, stream))
        must(C.aclrtSynchronizeStream(stream))
        assert shown(sim, other, 64) == bytes([value]) * 64
        assert shown(sim, target + 512, 17) == bytes([7]) * 16 + b"\xff"
        must(C.aclrtMemset(target + 512, 16, 9, 16))
    assert len(watch.ops) == 15 and len({id(op) for op in watch.ops[3:]}) == 3
    assert [address for _, address in watch.queued] == [host, target + 32] * 5


def test_the_kind_belongs_to_the_plan(sim):
    host, target, stream = pinned(), device(), must(C.aclrtCreateStream())
    plain = ctypes.create_string_buffer(64)
    must(C.aclrtMemcpyAsync(target, 64, host, 64, H2D, stream))
    assert C.aclrtMemcpyAsync(target, 64, host, 64, 6, stream) == 100000
    assert C.aclrtMemcpyAsync(target, 63, host, 64, H2D, stream) == 107000
    assert C.aclrtMemcpyAsync(target, 64, ctypes.addressof(plain), 64, D2H, stream) == 107000
    must(C.aclrtMemsetAsync(target, 64, 1, 64, stream))
    assert C.aclrtMemsetAsync(target, 63, 1, 64, stream) == 107000


def test_stream_and_context_are_looked_at_each_time(sim):
    host, target, stream = pinned(), device(), must(C.aclrtCreateStream())
    copy = (target, 64, host, 64, H2D)
    fill = (target, 64, 1, 64)
    for _ in range(2):
        must(C.aclrtMemcpyAsync(*copy, stream))
        must(C.aclrtMemsetAsync(*fill, stream))
    assert C.aclrtMemcpyAsync(*copy, target) == 107017 and C.aclrtMemsetAsync(*fill, target) == 107017
    first = must(C.aclrtGetCurrentContext())
    second = must(C.aclrtCreateContext(0))
    assert C.aclrtMemcpyAsync(*copy, stream) == 107003 and C.aclrtMemsetAsync(*fill, stream) == 107003
    watch = sim.attach(Watch())
    must(C.aclrtMemcpyAsync(*copy, 0))  # the default stream is that of the context that is current
    must(C.aclrtSetCurrentContext(first))
    must(C.aclrtMemcpyAsync(*copy, 0))
    contexts = sim.contexts
    assert [task.stream for task, _ in watch.queued] == [contexts[second].default, contexts[first].default]
    must(C.aclrtSynchronizeStream(stream))
    must(C.aclrtDestroyStream(stream))
    assert C.aclrtMemcpyAsync(*copy, stream) == 107017 and C.aclrtMemsetAsync(*fill, stream) == 107017
    must(C.aclrtSetCurrentContext(second))
    must(C.aclrtSynchronizeStream(0))
    must(C.aclrtDestroyContext(second))
    assert C.aclrtMemcpyAsync(*copy, 0) == 107002 and C.aclrtMemsetAsync(*fill, 0) == 107002


@pytest.mark.parametrize("which", ["destination", "source"])
def test_a_freed_block_is_refused_again(sim, which):
    source, target, stream = device(), device(), must(C.aclrtCreateStream())
    for _ in range(3):
        must(C.aclrtMemcpyAsync(target, 64, source, 64, D2D, stream))
        must(C.aclrtSynchronizeStream(stream))
    must(C.aclrtFree(target if which == "destination" else source))
    assert C.aclrtMemcpyAsync(target, 64, source, 64, D2D, stream) == 507899
    assert kinds(sim)[-1] == "use-after-free"


def test_a_block_that_is_freed_while_a_repeated_copy_is_queued_is_found(sim):
    source, target, stream = device(), device(), must(C.aclrtCreateStream())
    must(C.aclrtMemset(source, N, 5, N))
    for _ in range(3):
        must(C.aclrtMemcpyAsync(target, 64, source, 64, D2D, stream))
        must(C.aclrtMemsetAsync(source, 64, 5, 64, stream))
        must(C.aclrtSynchronizeStream(stream))
    must(C.aclrtMemcpyAsync(target, 64, source, 64, D2D, stream))
    must(C.aclrtMemsetAsync(source, 64, 5, 64, stream))
    must(C.aclrtFree(source))
    must(C.aclrtSynchronizeStream(stream))
    assert kinds(sim).count("use-after-free") == 2
    assert shown(sim, target, 64) == b"\xfd" * 64


def test_the_next_owner_of_an_address_is_looked_up(sim):
    del sim
    with Simulator(reuse="lifo") as again:
        must(C.aclrtSetDevice(0))
        host, stream = pinned(), must(C.aclrtCreateStream())
        numbers = set()
        for value in range(4):
            block = device()
            for _ in range(3):
                ctypes.memset(host, value, 64)
                must(C.aclrtMemcpyAsync(block, 64, host, 64, H2D, stream))
                must(C.aclrtSynchronizeStream(stream))
            assert shown(again, block, 65) == bytes([value]) * 64 + b"\xff"
            numbers.add((block, again.memory.find(block).number))
            must(C.aclrtFree(block))
        assert len({address for address, _ in numbers}) == 1 and len(numbers) == 4
        assert kinds(again) == []


def test_a_reset_device_ends_plans(sim):
    host, target, stream = pinned(), device(), must(C.aclrtCreateStream())
    for _ in range(3):
        must(C.aclrtMemcpyAsync(target, 64, host, 64, H2D, stream))
        must(C.aclrtMemsetAsync(target, 64, 0, 64, stream))
        must(C.aclrtSynchronizeStream(stream))
    must(C.aclrtResetDeviceForce(0))
    assert not sim.memory.plans
    must(C.aclrtSetDevice(0))
    assert C.aclrtMemcpyAsync(target, 64, host, 64, H2D, 0) == 507899
    assert C.aclrtMemsetAsync(target, 64, 0, 64, 0) == 507899
    assert kinds(sim).count("use-after-reset") == 2


def test_observers_come_and_go(sim):
    host, target, stream = pinned(), device(), must(C.aclrtCreateStream())

    def work():
        must(C.aclrtMemcpyAsync(target, 64, host, 64, H2D, stream))
        must(C.aclrtMemsetAsync(target + 64, 64, 0, 64, stream))
        must(C.aclrtSynchronizeStream(stream))

    for _ in range(3):
        work()
    watch = sim.attach(Watch())
    work()
    block, other = sim.memory.find(target).number, sim.memory.find(host).number
    expected = [(other, 0, 64, False), (block, 0, 64, True), (block, 64, 128, True)]
    assert watch.touched == expected and len(watch.queued) == 1
    sim.detach(watch)
    work()
    assert watch.touched == expected


def test_peers_registered_memory_and_pools_have_no_plan(sim):
    stream, target = must(C.aclrtCreateStream()), device()
    must(C.aclrtSetDevice(1))
    far = device()
    must(C.aclrtSetDevice(0))
    must(C.aclrtDeviceEnablePeerAccess(1, 0))
    for _ in range(3):
        must(C.aclrtMemcpyAsync(target, 64, far, 64, D2D, stream))
    own = ctypes.create_string_buffer(3 * 4096)
    page = -(-ctypes.addressof(own) // 4096) * 4096
    must(C.aclrtHostRegister(page, 4096, 0))
    for _ in range(3):
        must(C.aclrtMemcpyAsync(target, 64, page, 64, H2D, stream))
    must(C.aclrtSynchronizeStream(stream))
    assert planned(sim) == []
    must(C.aclrtDeviceDisablePeerAccess(1))
    C.aclrtMemcpyAsync(target, 64, far, 64, D2D, stream)
    assert kinds(sim)[-1] == "peer-access"
    must(C.aclrtHostUnregister(page))


def test_a_plan_keeps_no_freed_memory(sim):
    host, target, stream = pinned(), device(), must(C.aclrtCreateStream())
    for count in (0, 1, 1):
        must(C.aclrtMemcpyAsync(target, 64, host, 64, H2D, stream))
        must(C.aclrtSynchronizeStream(stream))
        assert len(planned(sim)) == count
    must(C.aclrtFreeHost(host))
    assert not sim.memory.plans


def test_a_write_between_call_and_copy_is_found_in_a_repeated_copy():
    with Simulator(checks="races", threads="deterministic") as sim:
        must(C.aclrtSetDevice(0))
        host, target, stream = pinned(), device(), must(C.aclrtCreateStream())
        for value in range(4):
            ctypes.memset(host, value, 64)
            must(C.aclrtMemcpyAsync(target, 64, host, 64, H2D, stream))
            must(C.aclrtSynchronizeStream(stream))
        assert kinds(sim) == []
        must(C.aclrtMemcpyAsync(target, 64, host, 64, H2D, stream))
        ctypes.memset(host + 63, 9, 1)
        must(C.aclrtSynchronizeStream(stream))
        assert kinds(sim) == ["race"]


def test_a_wrong_kind_is_told_at_each_line_and_a_right_one_at_none():
    with Simulator(checks="rules", threads="deterministic") as sim:
        must(C.aclrtSetDevice(0))
        host, target, stream = pinned(), device(), must(C.aclrtCreateStream())
        for _ in range(3):
            must(C.aclrtMemcpyAsync(target, 64, host, 64, H2D, stream))
            must(C.aclrtMemcpyAsync(target, 64, host, 64, D2H, stream))
        must(C.aclrtMemcpyAsync(target, 64, host, 64, D2H, stream))
        assert kinds(sim) == ["undefined-use"] * 2


def test_a_repeated_copy_can_fail_as_planned():
    with Simulator(checks="races", faults="copy:2=507052", threads="deterministic") as sim:
        must(C.aclrtSetDevice(0))
        host, target, stream = pinned(), device(), must(C.aclrtCreateStream())
        codes = []
        for _ in range(3):
            must(C.aclrtMemcpyAsync(target, 64, host, 64, H2D, stream))
            codes.append(C.aclrtSynchronizeStream(stream))
        assert codes == [0, 507052, 0]
        assert kinds(sim) == ["injected-fault"]


def _program(seed):
    """Codes, findings and bytes of calls by chance: a few addresses and sizes, so that most of them come again."""
    rng = random.Random(seed)
    answers = []
    with Simulator(devices=2, threads="deterministic", checks="memory,races,rules", reuse="lifo") as sim:
        must(C.aclrtSetDevice(0))
        contexts = [must(C.aclrtGetCurrentContext()), must(C.aclrtCreateContext(0))]
        streams = [0, 0x1234]
        for context in contexts:
            must(C.aclrtSetCurrentContext(context))
            streams += [must(C.aclrtCreateStream()) for _ in range(2)]
        must(C.aclrtSetCurrentContext(contexts[0]))
        blocks = [must(C.aclrtMalloc(N, 0)) for _ in range(3)] + [must(C.aclrtMallocHost(N)) for _ in range(2)]
        places = list(blocks)
        for block in blocks[:3]:
            must(C.aclrtMemset(block, N, 1, N))
        for _ in range(150):
            what = rng.choices(("copy", "set", "wait", "free", "context", "drop", "write"), (40, 30, 12, 2, 3, 1, 4))[0]
            stream = rng.choice(streams if rng.random() < 0.3 else streams[2:4])
            first, second = rng.randrange(len(blocks)), rng.randrange(len(blocks))
            size = rng.choice((0, 64, 64, N, N + 4096))
            if what == "copy":
                kind = rng.choice((H2D, D2H, D2D, DEFAULT, DEFAULT, 5, 9))
                room = size if rng.random() < 0.9 else 32
                answers.append(C.aclrtMemcpyAsync(places[first], room, places[second], size, kind, stream))
            elif what == "set":
                answers.append(C.aclrtMemsetAsync(places[first], max(size, 64), rng.randrange(2), size, stream))
            elif what == "wait":
                answers.append(C.aclrtSynchronizeStream(stream))
            elif what == "context":
                answers.append(C.aclrtSetCurrentContext(rng.choice(contexts)))
            elif what == "drop":
                answers.append(C.aclrtDestroyStream(stream) if stream else 0)
            elif what == "write":
                answers.append(C.aclrtMemset(places[first], N, rng.randrange(9), 64))
            elif first < 3:
                answers.append(C.aclrtFree(places[first]))
                if rng.random() < 0.7:
                    places[first] = C.aclrtMalloc(N, 0)[0]
            else:
                answers.append(C.aclrtFreeHost(places[first]))
                places[first] = C.aclrtMallocHost(N)[0]
        C.aclrtSynchronizeDevice()
        for number in range(3):
            block = sim.memory.find(places[number])
            answers.append(block is not None and not block.freed and shown(sim, places[number], N))
        found = [
            (f.kind, f.severity, f.title, [frame.line for site in f.sites for frame in site.frames[:1]], f.count)
            for f in sim.findings
        ]
    return answers, found


@pytest.mark.parametrize("seed", range(12))
def test_plans_change_no_answer(seed, monkeypatch):
    runs = []
    for plan in (AddressSpace.plan, lambda self, key, found, *ends: None):
        monkeypatch.setattr(AddressSpace, "plan", plan)
        runs.append(_program(seed))
    assert runs[0][0] == runs[1][0]
    assert runs[0][1] == runs[1][1]
