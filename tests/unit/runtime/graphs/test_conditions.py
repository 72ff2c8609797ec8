"""Conditional tasks and changed tasks of captured graphs (docs/semantics/graphs.md#conditional-tasks)."""

import json

import numpy as np
import pytest

from ascend_sim import Block, gm, kernel
from ascend_sim import ascendcl as C
from tests.kit.calls import Calls, simulator

RELAXED = 2
IF, WHILE, SWITCH = range(3)
ASSIGN_DEFAULT = 1
H2D, D2D = 1, 3
KERNEL, VALUE_WRITE = 1, 5

sim = simulator(checks="all")


@kernel
def add(b: Block, x: gm.InOut[np.int32], n: np.int32) -> None:
    x[: int(n)] += 1


class World(Calls):
    def memory(self, value=0, size=64):
        address = self.must(C.aclrtMalloc(size, 0))
        self.must(C.aclrtMemset(address, size, value, size))
        return address

    def put(self, address, *values):
        raw = np.array(values, "<u8")
        self.must(C.aclrtMemcpy(address, raw.nbytes, raw, raw.nbytes, H2D))

    def peek(self, address):
        return int(self.sim.memory.view(address, 1)[0])

    def fill(self, address, value, stream):
        self.must(C.aclrtMemsetAsync(address, 64, value, 64, stream))

    def conditional(self, kind, bodies, flag=0, default=0):
        """A graph of one conditional task, each of *bodies* called with the stream to fill and the number's address."""
        origin, other = (self.must(C.aclrtCreateStream()) for _ in range(2))
        self.must(C.aclmdlRICaptureBegin(origin, RELAXED))
        _, graph, code = C.aclmdlRICaptureGetInfo(origin)
        assert not code
        handle = self.must(C.aclmdlRICondHandleCreate(graph, default, flag))
        number = self.must(C.aclmdlRICondHandleGetCondPtr(handle))
        params = C.aclmdlRICondTaskParams(handle, kind, len(bodies), [0] * len(bodies))
        self.must(C.aclmdlRIAddCondTask(params, origin, 0))
        for body, sub_graph in zip(bodies, params.modelRIArray, strict=True):
            self.must(C.aclmdlRICaptureToModelRIBegin(other, sub_graph, RELAXED))
            body(other, number)
            assert self.must(C.aclmdlRICaptureEnd(other)) == sub_graph
        assert self.must(C.aclmdlRICaptureEnd(origin)) == graph
        return graph, number, params.modelRIArray

    def run(self, graph):
        stream = self.must(C.aclrtCreateStream())
        self.must(C.aclmdlRIExecuteAsync(graph, stream))
        self.must(C.aclrtSynchronizeStream(stream))

    def kinds(self):
        return [finding.kind for finding in self.sim.findings]


@pytest.fixture
def world(sim):
    return World(sim)


@pytest.mark.parametrize(
    ("kind", "subs", "value", "ran"),
    [
        (IF, 2, 1, 1),
        (IF, 2, 0, 2),
        (IF, 1, 0, 0),
        (IF, 1, 5, 1),
        (SWITCH, 3, 0, 1),
        (SWITCH, 3, 2, 3),
        (SWITCH, 3, 3, 0),
    ],
)
def test_the_number_chooses(world, kind, subs, value, ran):
    a = world.memory()
    bodies = [lambda stream, number, i=i: world.fill(a, i + 1, stream) for i in range(subs)]
    graph, number, _ = world.conditional(kind, bodies)
    world.put(number, value)
    world.run(graph)
    assert world.peek(a) == ran
    assert not world.kinds()


def test_a_while_runs_as_long_as_the_number_is_not_zero(world):
    steps, a = world.memory(size=32), world.memory()
    world.put(steps, 7, 3, 0, 0)
    spare = world.memory(size=24)

    def body(stream, number):
        add[1, stream](a, 4)
        world.must(C.aclrtMemcpyAsync(spare, 24, steps + 8, 24, D2D, stream))
        world.must(C.aclrtMemcpyAsync(steps, 24, spare, 24, D2D, stream))
        world.must(C.aclrtMemcpyAsync(number, 8, steps, 8, D2D, stream))

    graph, number, _ = world.conditional(WHILE, [body])
    world.put(number, 1)
    world.run(graph)
    assert world.peek(a) == 2
    world.run(graph)
    assert world.peek(a) == 2, "the number is 0"
    assert not world.kinds()


def test_the_default_is_set_by_each_execution(world):
    a = world.memory()
    bodies = [lambda stream, number, i=i: world.fill(a, i + 1, stream) for i in range(2)]
    graph, number, _ = world.conditional(IF, bodies, ASSIGN_DEFAULT, 1)
    world.put(number, 0)
    world.run(graph)
    assert world.peek(a) == 1


def test_the_default_is_set_while_an_earlier_execution_may_read_the_number(world):
    a = world.memory()
    graph, _, _ = world.conditional(IF, [lambda stream, number: world.fill(a, 1, stream)], ASSIGN_DEFAULT, 1)
    stream = world.must(C.aclrtCreateStream())
    for _ in range(2):
        world.must(C.aclmdlRIExecuteAsync(graph, stream))
    world.must(C.aclrtSynchronizeStream(stream))
    assert world.kinds() == ["race"]


def test_sub_graphs_belong_to_their_graph(world):
    graph, number, [sub_graph] = world.conditional(IF, [lambda stream, number: None])
    stream = world.must(C.aclrtCreateStream())
    assert C.aclmdlRIExecuteAsync(sub_graph, stream) == 207000
    assert C.aclmdlRIDestroy(sub_graph) == 207000
    world.must(C.aclmdlRIDestroy(graph))
    assert C.aclmdlRIDestroy(sub_graph) == 107017
    assert C.aclrtMemset(number, 8, 0, 8) != 0


def test_a_failing_sub_graph_fails_the_execution(world):
    @kernel
    def trap(b: Block) -> None:
        b.trap()

    graph, number, _ = world.conditional(IF, [lambda stream, number: trap[1, stream]()])
    world.put(number, 1)
    stream = world.must(C.aclrtCreateStream())
    world.must(C.aclmdlRIExecuteAsync(graph, stream))
    assert C.aclrtSynchronizeStream(stream) == 507035


@pytest.mark.parametrize(
    ("kind", "size", "code"),
    [(IF, 0, 107000), (IF, 3, 107000), (WHILE, 2, 107000), (SWITCH, 0, 107000), (3, 1, 107000)],
)
def test_sizes_of_conditional_tasks(world, kind, size, code):
    origin = world.must(C.aclrtCreateStream())
    world.must(C.aclmdlRICaptureBegin(origin, RELAXED))
    _, graph, _ = C.aclmdlRICaptureGetInfo(origin)
    handle = world.must(C.aclmdlRICondHandleCreate(graph, 0, 0))
    assert C.aclmdlRIAddCondTask(C.aclmdlRICondTaskParams(handle, kind, size, [0] * max(size, 1)), origin, 0) == code


# -- changing tasks ----------------------------------------------------------------------------------------------------


def captured(world):
    """A graph of a kernel and a value write, with its tasks."""
    a, flag = world.memory(), world.memory(size=8)
    stream = world.must(C.aclrtCreateStream())
    world.must(C.aclmdlRICaptureBegin(stream, RELAXED))
    add[1, stream](a, 4)
    world.must(C.aclrtValueWrite(flag, 7, 0, stream))
    graph = world.must(C.aclmdlRICaptureEnd(stream))
    tasks, count, code = C.aclmdlRIGetTasksByStream(stream, 2)
    assert (count, code) == (2, 0)
    return graph, tasks, a, flag


def test_tasks_say_what_they_do(world):
    _, tasks, a, flag = captured(world)
    assert [world.must(C.aclmdlRITaskGetType(task)) for task in tasks] == [KERNEL, VALUE_WRITE]
    assert [world.must(C.aclmdlRITaskGetSeqId(task)) for task in tasks] == [0, 1]
    launch = world.must(C.aclmdlRITaskGetParams(tasks[0])).kernelTaskParams
    assert (launch.numBlocks, launch.isHostArgs) == (1, 0)
    assert int.from_bytes(world.sim.memory.view(launch.args, 8).tobytes(), "little") == a
    write = world.must(C.aclmdlRITaskGetParams(tasks[1])).valueWriteTaskParams
    assert (write.devAddr, write.value) == (flag, 7)


def test_changed_tasks_count_after_the_update(world):
    graph, tasks, a, flag = captured(world)
    params = world.must(C.aclmdlRITaskGetParams(tasks[1]))
    params.valueWriteTaskParams.value = 9
    world.must(C.aclmdlRITaskSetParams(tasks[1], params))
    world.must(C.aclmdlRITaskDisable(tasks[0]))
    stream = world.must(C.aclrtCreateStream())
    assert C.aclmdlRIExecuteAsync(graph, stream) == 507011
    world.must(C.aclmdlRIUpdate(graph))
    world.run(graph)
    assert (world.peek(a), world.peek(flag)) == (0, 9)


def test_a_running_graph_cannot_be_changed(world):
    graph, tasks, _, _ = captured(world)
    stream = world.must(C.aclrtCreateStream())
    world.must(C.aclmdlRIExecuteAsync(graph, stream))
    assert C.aclmdlRITaskDisable(tasks[0]) == 107040
    world.must(C.aclrtSynchronizeStream(stream))
    world.must(C.aclmdlRITaskDisable(tasks[0]))


def test_the_tasks_as_json(world, tmp_path):
    graph, _, _, _ = captured(world)
    path = tmp_path / "graph.json"
    world.must(C.aclmdlRIDebugJsonPrint(graph, str(path), 1))
    events = json.loads(path.read_text())
    assert [event["args"]["task type"] for event in events] == ["KERNEL", "VALUE_WRITE"]
    assert C.aclmdlRIDebugJsonPrint(graph, str(tmp_path / "no" / "graph.json"), 0) == 107000
