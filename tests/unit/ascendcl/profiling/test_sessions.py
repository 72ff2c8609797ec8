"""The profiler of the program: which calls may follow which, stamps and ranges, steps, the file of results."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from tests.kit.calls import in_thread, must, simulator

sim = simulator(devices=2)
TX = C.ACL_PROF_TASK_TIME | C.ACL_PROF_MSPROFTX


def begin(path: Path) -> int:
    """The code of aclprofInit."""
    code: int = C.aclprofInit(str(path), len(str(path)))
    return code


def config(devices: tuple[int, ...] = (0,), switches: int = TX) -> int:
    """A configuration."""
    made: int = C.aclprofCreateConfig(list(devices) or None, len(devices), 0, None, switches)
    return made


def stamp(message: str = "") -> int:
    """A stamp with a message."""
    made: int = C.aclprofCreateStamp()
    must(C.aclprofSetStampTraceMessage(made, message, len(message)))
    return made


@pytest.fixture
def started(sim: Simulator, tmp_path: Path) -> int:
    """A session that takes marks: its configuration."""
    made = config()
    must(begin(tmp_path))
    must(C.aclprofStart(made))
    return made


def results(path: Path, number: int = 1) -> list[dict[str, Any]]:
    """The rows of the file."""
    text = (path / f"PROF_{number:06d}_ascend_sim" / "msprof.json").read_text(encoding="utf-8")
    rows: list[dict[str, Any]] = json.loads(text)["traceEvents"]
    return rows


# -- sessions ---------------------------------------------------------------------------------------------------------


def test_calls_in_their_order(sim: Simulator, tmp_path: Path) -> None:
    made = config()
    codes = [
        begin(tmp_path), begin(tmp_path), C.aclprofStart(made), C.aclprofStart(made),
        C.aclprofStart(config(switches=C.ACL_PROF_AICPU)), C.aclprofStop(config((1,))),
        C.aclprofStop(config(switches=C.ACL_PROF_AICPU)), C.aclprofStop(made), C.aclprofStop(made),
        C.aclprofFinalize(), C.aclprofFinalize(), C.aclprofStop(made),
    ]  # fmt: skip
    assert codes == [0, 100002, 0, 0, 100010, 100043, 100010, 0, 100043, 0, 0, 0]
    assert not sim.findings


def test_without_an_init_results_go_to_the_working_directory(
    sim: Simulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert [C.aclprofStart(None), C.aclprofStop(None), C.aclprofStop(None)] == [0, 0, 0]
    assert results(tmp_path) == []


@pytest.mark.parametrize(
    ("path", "length", "code"),
    [
        (None, 3, 100000), ("abc", 4, 100000), ("abc", 0, 100000), ("a" * 4096, 4096, 100000), ("a;b", 3, 100003),
        ("a\nb", 3, 100003), ("$(x)", 4, 100003),
    ],
)  # fmt: skip
def test_paths_that_are_refused(sim: Simulator, path: str | None, length: int, code: int) -> None:
    assert C.aclprofInit(path, length) == code


def test_a_directory_that_cannot_be_made(sim: Simulator, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    must(begin(tmp_path / "file" / "below"))
    assert C.aclprofStart(config()) == 100003


@pytest.mark.parametrize(
    "arguments",
    [
        ([0, 0], 2, 0, None, TX), ([2], 1, 0, None, TX), ([0, 1, 2], 3, 0, None, TX), (None, 1, 0, None, TX),
        (None, 0, 0, None, C.ACL_PROF_TASK_TIME), ([0], 1, 0, 1, TX),
    ],
)  # fmt: skip
def test_configurations_that_are_refused(sim: Simulator, arguments: tuple[Any, ...]) -> None:
    assert C.aclprofCreateConfig(*arguments) == 0


def test_switches_are_looked_at_when_they_are_used(sim: Simulator, tmp_path: Path) -> None:
    must(begin(tmp_path))
    codes = [C.aclprofStart(config(switches=0)), C.aclprofStart(config(switches=1 << 50)), C.aclprofDestroyConfig(0)]
    assert codes == [100000, 200007, 100000]
    assert config((), TX)


@pytest.mark.parametrize(
    ("kind", "text", "length", "code"),
    [
        (3, "15", 2, 0), (3, "fast", 4, 100010), (3, "0", 1, 100010), (0, "1", 1, 100000), (17, "1", 1, 100000),
        (3, None, 0, 100000), (3, "15", 3, 100000), (1, "200MB", 5, 0), (4, "read", 4, 0), (1, "a" * 257, 257, 100000),
    ],
)  # fmt: skip
def test_settings(sim: Simulator, kind: int, text: str | None, length: int, code: int) -> None:
    assert C.aclprofSetConfig(kind, text, length) == code


def test_the_file_of_acl_init_excludes_the_calls(tmp_path: Path) -> None:
    path = tmp_path / "acl.json"
    path.write_text(json.dumps({"profiler": {"switch": "on", "output": "x"}}))
    with Simulator():
        must(C.aclInit(str(path)))
        assert [begin(tmp_path), C.aclprofStart(None)] == [100042] * 2


# -- stamps -----------------------------------------------------------------------------------------------------------


def test_ranges_and_marks_are_in_the_file_and_in_the_timeline(sim: Simulator, tmp_path: Path) -> None:
    timeline, made, stream = sim.timeline(), config(), must(C.aclrtCreateStream())
    must(begin(tmp_path))
    must(C.aclprofStart(made))
    outer, inner, other = stamp("outer"), stamp("inner"), stamp("other")
    must(C.aclprofPush(outer))
    number = must(C.aclprofRangeStart(other))
    must(C.aclprofPush(inner))
    must(C.aclprofMark(other))
    must(C.aclprofMarkEx("device", 6, stream))
    must(C.aclrtSynchronizeStream(stream))
    must(C.aclprofPop())
    in_thread(lambda: must(C.aclprofRangeStop(number)))
    must(C.aclprofPop())
    must(C.aclprofStop(made))
    rows = [(row["name"], row["cat"]) for row in results(tmp_path)]
    assert rows == [
        ("other", "mark"), ("device", "mark"), ("mark device", "task"), ("inner", "push"), ("other", "range"),
        ("outer", "push"),
    ]  # fmt: skip
    found = {s.name: (track.name, s) for track in timeline.trace().tracks for s in track.slices}
    assert (found["outer"][0], found["inner"][0], found["other"][0]) == ("T0 (main)", "T0 (main)", "ranges")
    assert found["inner"][1].start > found["outer"][1].start
    assert found["inner"][1].end < found["outer"][1].end
    assert found["inner"][1].depth > found["outer"][1].depth
    assert found["mark device"][1].category == "mark"
    assert "outer" in timeline.text()
    assert [e["name"] for e in timeline.trace_events()["traceEvents"] if e.get("name") == "inner"]
    assert '"outer"' in timeline.html()


def test_a_pop_in_another_thread_is_told(started: int, sim: Simulator) -> None:
    must(C.aclprofPush(stamp("here")))
    assert in_thread(C.aclprofPop) == 0
    assert [f.kind for f in sim.findings if f.kind == "undefined-use"] == ["undefined-use"]


def test_stamps_are_100(started: int, sim: Simulator) -> None:
    made = [C.aclprofCreateStamp() for _ in range(101)]
    assert (all(made[:100]), made[100]) == (True, 0)
    C.aclprofDestroyStamp(made[7])
    assert C.aclprofCreateStamp()
    assert C.aclprofMark(made[7]) == -1
    assert [f.kind for f in sim.findings] == ["undefined-use"]


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: C.aclprofMark(0), -1), (lambda: C.aclprofPush(0), 100000), (lambda: C.aclprofRangeStart(0)[1], 100000),
        (C.aclprofPop, -1), (lambda: C.aclprofRangeStop(5), -1), (lambda: C.aclprofRangeStop(500), -1),
        (lambda: C.aclprofMarkEx("x", 1, 0), -1), (lambda: C.aclprofMarkEx("x", 2, 1), -1),
        (lambda: C.aclprofMarkEx("", 0, 1), -1), (lambda: C.aclprofMarkEx("x", 1, 0xBAD0), -1),
        (lambda: C.aclprofSetStampTraceMessage(stamp(), "a" * 128, 128), -1),
        (lambda: C.aclprofSetStampTraceMessage(0, "a", 1), -1), (C.aclprofRangePop, 100000),
        (lambda: C.aclprofRangePushEx(None), 100000), (lambda: C.aclprofRangePushEx(C.aclprofEventAttributes()), 0),
        (lambda: C.aclprofDestroyStamp(0), None),
    ],
)  # fmt: skip
def test_codes(started: int, call: Callable[[], Any], code: int | None) -> None:
    assert call() == code


@pytest.mark.parametrize("call", [C.aclprofPop, lambda: C.aclprofMark(1), lambda: C.aclprofRangeStop(0)])
def test_outside_a_session_nothing_is_marked(sim: Simulator, call: Callable[[], int]) -> None:
    assert call() == -1
    assert C.aclprofCreateStamp() == 0


def test_a_range_can_be_ended_twice(started: int) -> None:
    number = must(C.aclprofRangeStart(stamp("twice")))
    assert [C.aclprofRangeStop(number), C.aclprofRangeStop(number)] == [0, 0]


def test_texts_have_numbers(sim: Simulator) -> None:
    assert C.aclprofStr2Id("MatMul") == C.aclprofStr2Id("MatMul") != C.aclprofStr2Id("Add")
    assert C.aclprofStr2Id(None) == (1 << 64) - 1


def test_messages_with_line_ends_stay_one_line(started: int, tmp_path: Path) -> None:
    must(C.aclprofMark(stamp("a\n\x1b[31m")))
    must(C.aclprofStop(started))
    assert results(tmp_path)[0]["name"] == "a\\n\\x1b[31m"


# -- steps ------------------------------------------------------------------------------------------------------------


def test_a_step_begins_and_ends_once(started: int, tmp_path: Path) -> None:
    stream, step = must(C.aclrtCreateStream()), C.aclprofCreateStepInfo()
    codes = [C.aclprofGetStepTimestamp(step, tag, stream) for tag in (0, 0, 1, 1)]
    assert codes == [0, 100000, 0, 100000]
    must(C.aclrtSynchronizeStream(stream))
    assert C.aclprofGetStepTimestamp(0, 0, stream) == 100000
    assert C.aclprofGetStepTimestamp(C.aclprofCreateStepInfo(), 0, 0xBAD0) == 500002
    C.aclprofDestroyStepInfo(step)
    must(C.aclprofStop(started))
    assert [r["name"] for r in results(tmp_path)] == ["step 1", "step 1 starts", "step 1 ends"]


def test_nothing_is_collected_of_other_devices(started: int, tmp_path: Path) -> None:
    must(C.aclrtSetDevice(1))
    stream, memory = must(C.aclrtCreateStream()), must(C.aclrtMalloc(64, 0))
    must(C.aclrtMemsetAsync(memory, 64, 0, 64, stream))
    must(C.aclrtSynchronizeStream(stream))
    must(C.aclprofStop(started))
    assert results(tmp_path) == []


def test_pyacl_marks_too(tmp_path: Path) -> None:
    import acl

    with Simulator():
        assert acl.rt.set_device(0) == 0
        stream, _ = acl.rt.create_stream()
        assert acl.prof.init(str(tmp_path)) == 0
        made = acl.prof.create_config([0], 0, 0, TX)
        assert acl.prof.start(made) == 0
        mark = acl.prof.create_stamp()
        assert acl.prof.set_stamp_trace_message(mark, "forward", 7) == 0
        assert acl.prof.push(mark) == 0
        assert acl.prof.mark_ex("queued", stream) == 0
        assert acl.rt.synchronize_stream(stream) == 0
        assert acl.prof.pop() == 0
        assert acl.prof.stop(made) == 0
        assert acl.prof.destroy_config(made) == 0
        assert acl.prof.finalize() == 0
    assert [row["name"] for row in results(tmp_path)] == ["queued", "mark queued", "forward"]


def test_arrays_name_devices(sim: Simulator) -> None:
    assert C.aclprofCreateConfig(np.array([1, 0], np.uint32), 2, 0, None, TX)
