"""Memory of pools that graphs allocate and give back (docs/semantics/pools.md#pools-in-graphs)."""

import numpy as np
import pytest

from ascend_sim import Block, Simulator, gm, kernel
from ascend_sim import ascendcl as C

UNIT = 2 << 20
RELAXED = 2


@kernel
def add(b: Block, p: gm.InOut[np.int32], value: np.int32):
    p[0:4] = p[0:4] + value


def pool(world, units=32):
    props = C.aclrtMemPoolProps(location=C.aclrtMemLocation(0, 1), maxSize=units * UNIT)
    return world.must(C.aclrtMemPoolCreate(props))


def malloc(world, pool, stream):
    return world.must(C.aclrtMemPoolMallocAsync(UNIT, pool, stream))


def free(world, address, stream):
    world.must(C.aclrtMemPoolFreeAsync(address, stream))


def copy(world, to, source, stream):
    world.must(C.aclrtMemcpyAsync(to, 64, source, 64, C.ACL_MEMCPY_DEVICE_TO_DEVICE, stream))


def scratch_graph(world, p, s, out, start=1):
    """Allocate, fill, add 2, copy to *out*, give back: twice, so that the second takes what the first gave back."""
    world.capture(s)
    addresses = []
    for _ in range(2):
        a = malloc(world, p, s)
        addresses.append(a)
        world.fill(a, start, s)
        world.must(add[1, s](a, np.int32(2)) or 0)
        copy(world, out, a, s)
        free(world, a, s)
    return world.end(s), addresses


def test_each_execution_allocates_uses_and_gives_back(world):
    p, (s, u) = pool(world), world.streams(2)
    out = world.memory()
    model, addresses = scratch_graph(world, p, s, out)
    assert addresses[0] == addresses[1]
    for _ in range(3):
        world.must(C.aclrtMemset(out, 64, 0, 64))
        world.run(model, u)
        assert world.peek(out) == 3
    world.must(C.aclmdlRIDestroy(model))
    world.must(C.aclrtMemPoolDestroy(p))
    assert world.kinds() == []


def test_the_addresses_are_nobody_elses_while_the_graph_is_there(world):
    p, (s, u) = pool(world), world.streams(2)
    out = world.memory()
    model, (inside, _) = scratch_graph(world, p, s, out)
    world.run(model, u)
    other = malloc(world, p, s)
    assert other != inside
    world.fill(other, 9, s)
    world.run(model, s)
    assert world.peek(other) == 9
    free(world, other, s)
    world.must(C.aclrtSynchronizeStream(s))
    world.must(C.aclmdlRIDestroy(model))
    again = malloc(world, p, s)
    assert again in (inside, other)
    world.fill(again, 5, s)
    free(world, again, s)
    world.must(C.aclrtSynchronizeStream(s))
    assert world.kinds() == []


def test_used_after_the_graph_gave_it_back(world):
    p, s = pool(world), world.stream()
    out = world.memory()
    model, (a, _) = scratch_graph(world, p, s, out)
    world.run(model, s)
    copy(world, out, a, s)
    C.aclrtSynchronizeStream(s)
    (found,) = world.sim.findings
    assert found.kind == "use-after-free" and found.sites[0].role in ("free", "access")


def test_used_after_the_graph_was_destroyed(world):
    p, s = pool(world), world.stream()
    out = world.memory()
    model, (a, _) = scratch_graph(world, p, s, out)
    world.run(model, s)
    world.must(C.aclmdlRIDestroy(model))
    copy(world, out, a, s)
    C.aclrtSynchronizeStream(s)
    assert world.kinds() == ["use-after-free"]


def test_used_before_any_execution(world):
    p, s = pool(world), world.stream()
    world.capture(s)
    a = malloc(world, p, s)
    world.fill(a, 1, s)
    model = world.end(s)
    world.fill(a, 2, s)
    world.must(C.aclrtSynchronizeStream(s))
    (found,) = world.sim.findings
    assert found.kind == "use-before-alloc" and "no execution of its graph" in found.title
    world.must(C.aclmdlRIDestroy(model))


def test_what_a_graph_keeps_may_be_used_behind_it_and_is_given_back_outside(world):
    p, s = pool(world), world.stream()
    out = world.memory()
    world.capture(s)
    a = malloc(world, p, s)
    world.fill(a, 7, s)
    model = world.end(s)
    world.run(model, s)
    copy(world, out, a, s)
    free(world, a, s)
    world.must(C.aclrtSynchronizeStream(s))
    assert world.peek(out) == 7 and world.kinds() == []
    world.run(model, s)
    (found,) = world.sim.findings
    assert found.kind == "use-after-free" and "outside of it" in found.title


def test_another_stream_needs_an_order_with_the_execution(world):
    p, (s, u) = pool(world), world.streams(2)
    out = world.memory()
    world.capture(s)
    a = malloc(world, p, s)
    world.fill(a, 7, s)
    model = world.end(s)
    world.must(C.aclmdlRIExecuteAsync(model, s))
    copy(world, out, a, u)
    world.must(C.aclrtSynchronizeDevice())
    assert "use-before-alloc" in world.kinds() or "race" in world.kinds()


def test_executed_twice_without_giving_back(world):
    p, s = pool(world), world.stream()
    world.capture(s)
    a = malloc(world, p, s)
    world.fill(a, 7, s)
    model = world.end(s)
    world.run(model, s, times=2)
    (found,) = world.sim.findings
    assert found.kind == "undefined-use" and "since its last execution" in found.title


def test_given_back_twice_by_executions(world):
    p, s = pool(world), world.stream()
    a = malloc(world, p, s)
    world.fill(a, 7, s)
    world.capture(s)
    free(world, a, s)
    model = world.end(s)
    world.run(model, s)
    assert world.kinds() == []
    world.run(model, s)
    (found,) = world.sim.findings
    assert found.kind == "double-free" and "a graph gives back" in found.title


def test_one_graph_allocates_and_another_gives_back(world):
    p, s = pool(world), world.stream()
    out = world.memory()
    world.capture(s)
    a = malloc(world, p, s)
    world.fill(a, 7, s)
    first = world.end(s)
    world.capture(s)
    copy(world, out, a, s)
    free(world, a, s)
    second = world.end(s)
    for _ in range(2):
        world.run(first, s)
        world.run(second, s)
    assert world.peek(out) == 7 and world.kinds() == []


def test_the_pool_goes_first(world):
    p, s = pool(world), world.stream()
    out = world.memory()
    model, _ = scratch_graph(world, p, s, out)
    world.run(model, s)
    world.must(C.aclrtMemPoolDestroy(p))
    assert world.kinds() == []
    world.must(C.aclmdlRIExecuteAsync(model, s))
    assert C.aclrtSynchronizeStream(s) == 507018
    assert world.kinds()[0] == "use-after-free"
    assert "was destroyed" in next(iter(world.sim.findings)).title


def test_never_written_by_this_execution(world):
    p, s = pool(world), world.stream()
    out = world.memory()
    world.capture(s)
    a = malloc(world, p, s)
    copy(world, out, a, s)
    free(world, a, s)
    model = world.end(s)
    world.run(model, s)
    world.must(C.aclrtMemcpy(np.zeros(64, np.uint8), 64, out, 64, C.ACL_MEMCPY_DEVICE_TO_HOST))
    assert world.kinds() == ["uninitialised-read"]


def test_trimming_leaves_what_a_graph_uses(world):
    p, s = pool(world), world.stream()
    out = world.memory()
    model, _ = scratch_graph(world, p, s, out)
    world.must(C.aclrtMemPoolTrimTo(p, 0))
    world.run(model, s)
    world.must(C.aclrtMemPoolTrimTo(p, 0))
    world.run(model, s)
    assert world.peek(out) == 3
    world.must(C.aclmdlRIDestroy(model))
    world.must(C.aclrtMemPoolTrimTo(p, 0))
    assert world.kinds() == []


def test_a_broken_capture_lets_go(world):
    p, s = pool(world), world.stream()
    world.capture(s)
    a = malloc(world, p, s)
    free(world, a, s)
    C.aclrtStreamWaitEvent(s, world.edge_event(world.stream()))  # recorded outside: it breaks the capture
    C.aclmdlRICaptureEnd(s)
    b = malloc(world, p, s)
    world.fill(b, 1, s)
    world.must(C.aclrtSynchronizeStream(s))
    assert "use-before-alloc" not in world.kinds()


def test_a_hand_built_model_allocates_too(world):
    p, u = pool(world), world.stream()
    out = world.memory()
    s = world.must(C.aclrtCreateStreamWithConfig(0, C.ACL_STREAM_PERSISTENT))
    model = world.must(C.aclmdlRIBuildBegin(0))
    world.must(C.aclmdlRIBindStream(model, s, 0))
    a = malloc(world, p, s)
    world.fill(a, 4, s)
    copy(world, out, a, s)
    free(world, a, s)
    world.must(C.aclmdlRIEndTask(model, s))
    world.must(C.aclmdlRIBuildEnd(model, None))
    for _ in range(2):
        world.must(C.aclrtMemset(out, 64, 0, 64))
        world.run(model, u)
        assert world.peek(out) == 4
    assert world.kinds() == []


@pytest.mark.parametrize("checks", ["none", "all"])
@pytest.mark.parametrize("schedule", ["virtual-time", "late", "early", "random(3)"])
def test_two_lines_under_schedules(checks, schedule):
    from tests.unit.runtime.graphs.conftest import World

    with Simulator(checks=checks, schedule=schedule) as sim:
        C.aclrtSetDevice(0)
        world = World(sim)
        p, (s, t) = pool(world), world.streams(2)
        out = world.memory()
        world.capture(s)
        a = malloc(world, p, s)
        world.fill(a, 3, s)
        world.edge(s, t)
        world.must(add[1, t](a, np.int32(1)) or 0)
        copy(world, out, a, t)
        world.edge(t, s)
        free(world, a, s)
        b = malloc(world, p, s)
        assert b == a
        world.fill(b, 8, s)
        free(world, b, s)
        model = world.end(s)
        world.run(model, s, times=3)
        assert world.peek(out) == 4 and not list(sim.findings)
