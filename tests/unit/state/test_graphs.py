"""Graphs in the picture of a moment: their lines, where they fork and join, what runs."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from tests.kit.calls import must, simulator

SVG = "{http://www.w3.org/2000/svg}"
RELAXED = 2

sim = simulator(checks="none")


def test_a_graph_shows_its_forks_and_joins(sim: Simulator) -> None:
    main, side = must(C.aclrtCreateStream()), must(C.aclrtCreateStream())
    fork, join = must(C.aclrtCreateEventExWithFlag(1)), must(C.aclrtCreateEventExWithFlag(1))
    memory = must(C.aclrtMalloc(64, 0))
    must(C.aclmdlRICaptureBegin(main, RELAXED))
    must(C.aclrtMemsetAsync(memory, 64, 0, 64, main))
    must(C.aclrtRecordEvent(fork, main))
    must(C.aclrtStreamWaitEvent(side, fork))
    text = str(sim.show())
    assert "`main`              recorded in graph 1: nothing runs" in text
    assert "graph 1: capturing, 3 tasks" in text
    assert "  `main`  memset | record `fork`\n  `side`  wait for `fork`\n  `main` -> `side` by `fork`" in text
    must(C.aclrtMemsetAsync(memory, 64, 1, 64, side))
    must(C.aclrtRecordEvent(join, side))
    must(C.aclrtStreamWaitEvent(main, join))
    model = must(C.aclmdlRICaptureEnd(main))
    must(C.aclmdlRIExecuteAsync(model, main))
    state = sim.show()
    assert "graph 1: ready, 6 tasks, executed 1 time and not over" in str(state)
    assert "  `side` -> `main` by `join`" in str(state)
    (graph,) = state.graphs
    assert [node.column for node in graph.nodes] == [0, 1, 2, 3, 4, 5]
    drawing = ET.fromstring(state.svg())
    titles = [element.text for element in drawing.iter(f"{SVG}title")]
    assert "record fork comes first" in titles and "record join comes first" in titles
    assert sum("memset, at" in (title or "") for title in titles) == 2


def test_much_is_left_out_and_said(sim: Simulator) -> None:
    stream, memory = must(C.aclrtCreateStream()), must(C.aclrtMalloc(64, 0))
    for _ in range(6):
        must(C.aclmdlRICaptureBegin(stream, RELAXED))
        for _ in range(500):
            must(C.aclrtMemsetAsync(memory, 64, 0, 64, stream))
        must(C.aclmdlRICaptureEnd(stream))
    state = sim.show()
    assert "and 2 more graphs" in str(state) and "and 388 more" in str(state)
    assert state.graphs[0].more == 100
    assert "388 more columns of tasks" in state.svg()
