"""Capture: begin, end, modes, what a captured stream and event refuse."""

from __future__ import annotations

from tests.conformance.kernel_files import function
from tests.conformance.registry import row, rows
from tests.conformance.world import D2D, D2H, EXTERNAL, H2D, IPC, MS, STALE, TIME_LINE, World

GLOBAL, THREAD_LOCAL, RELAXED = range(3)
NONE, ACTIVE, INVALIDATED = range(3)
PLAIN, EXTERNAL_USE = 0, 1
CPU_SCHEDULE, DEVICE_USE_ONLY = 0x10, 0x20
BEGIN, END, INFO, EXCHANGE = (
    "aclmdlRICaptureBegin", "aclmdlRICaptureEnd", "aclmdlRICaptureGetInfo", "aclmdlRICaptureThreadExchangeMode",
)  # fmt: skip


def captured(w: World, mode: int = RELAXED) -> int:
    """A stream that is being captured."""
    stream = w.stream()
    w.ok(BEGIN, stream, mode)
    return stream


def model(w: World, ns: int = 0) -> int:
    """A model with one task of *ns*, or with none."""
    stream = captured(w)
    if ns:
        w.work(stream, ns)
    return int(w.ok(END, stream))


def recorded(w: World, stream: int) -> int:
    """An event that was recorded on *stream*."""
    event = w.ex()
    w.ok("aclrtRecordEvent", event, stream)
    return event


def joined(w: World, origin: int) -> int:
    """A stream that joined the capture of *origin*."""
    stream = w.stream()
    w.ok("aclrtStreamWaitEvent", stream, recorded(w, origin))
    return stream


def broken(w: World) -> tuple[int, int]:
    """Two captured streams whose captures are broken: one waited for the event of the other."""
    one, other = captured(w), captured(w)
    w.refuse(107032, "aclrtStreamWaitEvent", other, recorded(w, one))
    return one, other


def same_stream(w: World, stream: int) -> None:
    """*stream* is as any other."""
    w.work(stream)
    w.ok("aclrtSynchronizeStream", stream)


# -- begin -------------------------------------------------------------------------------------------------------------


@row("stream-0401")
def mode(w: World) -> None:
    for wrong in (-1, 3):
        w.expect(BEGIN, w.stream(), wrong)


@row("stream-0402")
def stream_of_another_context(w: World) -> None:
    w.expect(BEGIN, w.foreign_stream(), GLOBAL)


@row("stream-0403")
def null_stream(w: World) -> None:
    w.expect(BEGIN, 0, GLOBAL)


@row("stream-0404")
def default_stream(w: World) -> None:
    w.expect(BEGIN, w.default_stream(), GLOBAL)


@row("stream-0406")
def streams_by_flags(w: World) -> None:
    for flags in (CPU_SCHEDULE, DEVICE_USE_ONLY):
        w.expect(BEGIN, w.stream(flags), GLOBAL)


@row("stream-0407")
def captured_already(w: World) -> None:
    origin = captured(w)
    for stream in (origin, joined(w, origin), *broken(w)):
        w.expect(BEGIN, stream, RELAXED)


@row("stream-0408")
def several_captures(w: World) -> None:
    streams = [captured(w, mode) for mode in (GLOBAL, THREAD_LOCAL, RELAXED)]
    for stream in streams:
        w.ok(END, stream)


# -- info --------------------------------------------------------------------------------------------------------------


@row("stream-0409")
def info_of_a_plain_stream(w: World) -> None:
    w.same(w.ok(INFO, w.stream()), (NONE, 0), "status and model")


@row("stream-0411")
def info_of_captured_streams(w: World) -> None:
    stream = captured(w)
    status, found = w.ok(INFO, stream)
    w.same(status, ACTIVE, "the status")
    w.same(w.ok(END, stream), found, "the model")
    for stream in broken(w):
        w.same(w.ok(INFO, stream)[0], INVALIDATED, "the status")


# -- end ---------------------------------------------------------------------------------------------------------------


@row("stream-0412")
def end_without_begin(w: World) -> None:
    w.same(w.expect(END, w.stream()), (0,), "the model")


@row("stream-0413")
def end_on_a_joined_stream(w: World) -> None:
    origin = captured(w)
    w.expect(END, joined(w, origin))
    w.same(w.ok(INFO, origin)[0], ACTIVE, "the status")


@row("stream-0414", "stream-case-127")
def end_in_another_thread(w: World) -> None:
    for mode in (GLOBAL, THREAD_LOCAL):
        stream = captured(w, mode)
        _, found = w.ok(INFO, stream)

        def end(stream: int = stream) -> None:
            w.ok("aclrtSetDevice", 0)
            w.same(w.refuse(107038, END, stream), (0,), "the model")

        w.in_thread(end)
        w.refuse(107029, END, stream)
        w.ok("aclmdlRIDestroy", found)
        w.ok("aclrtDestroyStream", stream)


@row("stream-0415")
def end_of_a_broken_capture(w: World) -> None:
    for stream in broken(w):
        _, found = w.ok(INFO, stream)
        w.same(w.expect(END, stream), (0,), "the model")
        w.refuse(107017, "aclmdlRIDestroy", found)
        same_stream(w, stream)


@row("stream-0416")
def streams_that_do_not_lead_back(w: World) -> None:
    origin = captured(w)
    other = joined(w, origin)
    w.same(w.expect(END, origin), (0,), "the model")
    same_stream(w, other)
    origin = captured(w)
    other = joined(w, origin)
    w.ok("aclrtStreamWaitEvent", origin, recorded(w, other))
    w.work(other)
    w.expect(END, origin)


@row("stream-0417", "stream-case-145")
def end_with_an_open_group(w: World) -> None:
    stream = captured(w)
    w.ok("aclmdlRICaptureTaskGrpBegin", stream)
    w.same(w.refuse(107033, END, stream), (0,), "the model")
    w.ok("aclrtDestroyStream", stream)


@row("stream-0420")
def an_empty_capture(w: World) -> None:
    stream = w.stream()
    w.ok("aclmdlRIExecuteAsync", model(w), stream)
    w.ok("aclrtSynchronizeStream", stream)


# -- unsafe calls ------------------------------------------------------------------------------------------------------


def unsafe(w: World) -> list[tuple[str, tuple[int, ...]]]:
    """The calls that act at once, each with its inputs."""
    a, b, here = w.device(fill=0), w.device(fill=0), w.pinned()
    return [
        ("aclrtMemcpy", (a, 64, b, 64, D2D)),
        ("aclrtMemset", (a, 64, 1, 64)),
        ("aclrtMemcpy2d", (a, 64, here, 64, 8, 2, H2D)),
    ]


@row("stream-0421", "memory-0118")
def refused_in_the_global_mode(w: World) -> None:
    calls = unsafe(w)
    for mode in (GLOBAL, THREAD_LOCAL):
        stream = captured(w, mode)
        for name, inputs in calls:
            w.refuse(107030, name, *inputs)
        w.ok(END, stream)


@row("stream-0422")
def refused_in_the_thread_local_mode(w: World) -> None:
    calls = unsafe(w)
    w.ok(EXCHANGE, THREAD_LOCAL)
    for mode in (GLOBAL, THREAD_LOCAL):
        stream = captured(w, mode)
        for name, inputs in calls:
            w.expect(name, *inputs)
        w.ok(END, stream)


@row("stream-0423")
def allowed(w: World) -> None:
    calls = unsafe(w)

    def all_of_them() -> None:
        w.ok("aclrtSetDevice", 0)
        for name, inputs in calls:
            w.ok(name, *inputs)

    relaxed = captured(w, RELAXED)
    all_of_them()
    w.ok(END, relaxed)
    own = captured(w, THREAD_LOCAL)
    w.in_thread(all_of_them)
    w.ok(EXCHANGE, RELAXED)
    all_of_them()
    w.ok(END, own)
    w.ok(BEGIN, own, GLOBAL)
    all_of_them()
    w.ok(END, own)


@rows(("stream-0424", D2H), ("memory-0135", H2D))
def pageable_copy_on_a_captured_stream(w: World, kind: int) -> None:
    device, here = w.device(fill=0), w.host()
    dst, src = (here, device) if kind == D2H else (device, here)
    w.expect("aclrtMemcpyAsync", dst, 64, src, 64, kind, captured(w))


@rows(("stream-0425", D2H), ("memory-0136", H2D))
def pageable_copy_on_another_stream(w: World, kind: int) -> None:
    device, here = w.device(fill=0), w.host()
    dst, src = (here, device) if kind == D2H else (device, here)
    captured(w, GLOBAL)
    w.expect("aclrtMemcpyAsync", dst, 64, src, 64, kind, w.stream())


@row("stream-0426")
def exchange_mode_range(w: World) -> None:
    for wrong in (-1, 3):
        w.expect(EXCHANGE, wrong)


@row("stream-0427")
def exchange_mode(w: World) -> None:
    w.same(w.ok(EXCHANGE, RELAXED), GLOBAL, "the mode before")
    w.same(w.ok(EXCHANGE, THREAD_LOCAL), RELAXED, "the mode before")
    w.same(w.in_thread(lambda: (w.ok("aclrtSetDevice", 0), w.ok(EXCHANGE, RELAXED))[1]), GLOBAL, "of another thread")
    w.in_thread(lambda: w.refuse(107002, EXCHANGE, RELAXED))


@row("stream-case-130")
def thread_local_set(w: World) -> None:
    a, stream = w.device(fill=0), captured(w, THREAD_LOCAL)
    w.refuse(107030, "aclrtMemset", a, 64, 1, 64)
    w.ok(END, stream)
    w.ok("aclrtMemset", a, 64, 1, 64)


@row("stream-case-131")
def relaxed_set(w: World) -> None:
    a, stream = w.device(fill=0), captured(w, RELAXED)
    w.ok("aclrtMemset", a, 64, 1, 64)
    w.ok(END, stream)
    w.ok("aclrtMemset", a, 64, 1, 64)


@row("stream-case-133")
def three_captures_in_three_modes(w: World) -> None:
    a = w.device(fill=0)
    for stream in [captured(w, mode) for mode in (RELAXED, THREAD_LOCAL, GLOBAL)]:
        w.refuse(107030, "aclrtMemset", a, 64, 1, 64)
        w.ok(END, stream)
    w.ok("aclrtMemset", a, 64, 1, 64)


@row("stream-case-134")
def exchange_inside_a_capture(w: World) -> None:
    a, stream = w.device(fill=0), captured(w, GLOBAL)
    w.same(w.ok(EXCHANGE, THREAD_LOCAL), GLOBAL, "the mode before")
    w.refuse(107030, "aclrtMemset", a, 64, 1, 64)
    w.ok(END, stream)
    w.ok("aclrtMemset", a, 64, 1, 64)
    w.same(w.ok(EXCHANGE, GLOBAL), THREAD_LOCAL, "the mode before")


# -- streams and events ------------------------------------------------------------------------------------------------


@row("stream-0167")
def synchronize_a_device(w: World) -> None:
    captured(w)
    w.expect("aclrtSynchronizeDevice")


@row("stream-0216", "stream-case-124")
def destroy_a_captured_stream(w: World) -> None:
    stream = captured(w)
    for name in ("aclrtDestroyStream", "aclrtDestroyStreamForce"):
        w.refuse(107027, name, stream)
    w.ok(END, stream)
    w.ok("aclrtDestroyStream", stream)


@rows(("stream-0222", "aclrtSynchronizeStream"), ("stream-0238", "aclrtStreamQuery"))
def ask_a_captured_stream(w: World, name: str) -> None:
    origin = captured(w)
    for stream in (origin, joined(w, origin)):
        w.expect(name, stream)


@row("stream-0283")
def record_of_an_event_that_cannot_be_captured(w: World) -> None:
    stream = captured(w)
    for event in (w.auto(), w.level()):
        w.expect("aclrtRecordEvent", event, stream)


@row("stream-0284")
def record_of_a_time_stamp(w: World) -> None:
    stream = captured(w)
    w.ok("aclrtRecordEvent", w.ex(TIME_LINE), stream)
    w.ok(END, stream)


@row("stream-0285")
def record_of_an_event_between_processes(w: World) -> None:
    w.expect("aclrtRecordEvent", w.ex(IPC), captured(w))


@row("stream-0290")
def external_record_twice(w: World) -> None:
    stream, event = captured(w), w.ex()
    w.ok("aclrtRecordEventWithFlag", event, stream, EXTERNAL_USE)
    w.expect("aclrtRecordEventWithFlag", event, stream, EXTERNAL_USE)
    w.ok(END, stream)


@row("stream-0298", "stream-case-142")
def wait_for_a_record_outside(w: World) -> None:
    event = recorded(w, w.stream())
    w.refuse(107024, "aclrtStreamWaitEvent", captured(w), event)


@row("stream-0299")
def wait_for_an_event_that_cannot_be_captured(w: World) -> None:
    stream = captured(w)
    for event in (w.auto(), w.level()):
        w.expect("aclrtStreamWaitEvent", stream, event)


@row("stream-0300")
def wait_on_the_default_stream(w: World) -> None:
    origin = captured(w)
    w.expect("aclrtStreamWaitEvent", 0, recorded(w, origin))
    w.same(w.ok(INFO, origin)[0], ACTIVE, "the status")


@row("stream-0301")
def wait_across_captures(w: World) -> None:
    for stream in broken(w):
        w.same(w.ok(INFO, stream)[0], INVALIDATED, "the status")


@row("stream-0302")
def joining(w: World) -> None:
    origin = captured(w)
    stream = joined(w, origin)
    w.same(w.ok(INFO, stream), w.ok(INFO, origin), "status and model")


@row("stream-0320")
def ask_a_captured_event(w: World) -> None:
    event = recorded(w, captured(w))
    for name in ("aclrtQueryEventStatus", "aclrtSynchronizeEvent", "aclrtEventGetTimestamp"):
        w.expect(name, event)
    w.expect("aclrtSynchronizeEventWithTimeout", event, 10)
    other = w.ex()
    w.expect("aclrtEventElapsedTime", event, other)
    w.expect("aclrtEventElapsedTime", other, event)


@row("stream-case-121")
def life_of_a_capture(w: World) -> None:
    stream = captured(w, GLOBAL)
    w.same(w.ok(INFO, stream)[0], ACTIVE, "the status")
    w.ok(END, stream)
    w.same(w.ok(INFO, stream)[0], NONE, "the status")


@row("stream-case-122")
def begin_twice_and_end_twice(w: World) -> None:
    stream = captured(w)
    w.refuse(107027, BEGIN, stream, RELAXED)
    w.ok(END, stream)
    w.refuse(107029, END, stream)


@row("stream-case-128")
def destroy_what_a_broken_capture_gives(w: World) -> None:
    stream, _ = broken(w)
    (found,) = w.refuse(507903, END, stream)
    w.refuse(100000, "aclmdlRIDestroy", found)


@row("stream-case-140")
def external_flag_event(w: World) -> None:
    inside, outside = captured(w), w.stream()
    event = w.level(EXTERNAL)
    w.ok("aclrtRecordEvent", event, outside)
    w.ok("aclrtStreamWaitEvent", inside, event)
    w.same(w.ok(INFO, outside)[0], NONE, "the status")
    w.ok(END, inside)


@row("stream-case-143")
def record_and_wait_on_the_origin(w: World) -> None:
    stream = captured(w)
    w.ok("aclrtStreamWaitEvent", stream, recorded(w, stream))
    w.ok(END, stream)


# -- task groups -------------------------------------------------------------------------------------------------------

GROUP, GROUP_END = "aclmdlRICaptureTaskGrpBegin", "aclmdlRICaptureTaskGrpEnd"
UPDATE, UPDATE_END = "aclmdlRICaptureTaskUpdateBegin", "aclmdlRICaptureTaskUpdateEnd"


def group(w: World, stream: int, tasks: int = 0) -> int:
    """The handle of a group with so many launches."""
    w.ok(GROUP, stream)
    for _ in range(tasks):
        launch(w, stream)
    return int(w.ok(GROUP_END, stream))


def launch(w: World, stream: int) -> None:
    """A launch of an empty kernel."""
    w.ok("aclrtLaunchKernelV2", function(w), 1, w.device(fill=0), 8, None, stream)


@row("stream-0428")
def groups_outside_of_a_capture(w: World) -> None:
    for name in (GROUP, GROUP_END):
        w.expect(name, w.stream())


@row("stream-0429")
def a_group_in_a_group(w: World) -> None:
    stream = captured(w)
    w.ok(GROUP, stream)
    w.expect(GROUP, stream)


@row("stream-0430")
def end_of_no_group(w: World) -> None:
    w.same(w.expect(GROUP_END, captured(w)), (0,), "the handle")


@row("stream-0431")
def update_on_a_captured_stream(w: World) -> None:
    stream = captured(w)
    w.expect(UPDATE, stream, group(w, stream))


@row("stream-0433")
def update_twice(w: World) -> None:
    origin = captured(w)
    one, other = group(w, origin), group(w, origin)
    w.ok(END, origin)
    stream = w.stream()
    w.ok(UPDATE, stream, one)
    w.expect(UPDATE, w.stream(), one)
    w.expect(UPDATE, stream, other)
    w.ok(UPDATE_END, stream)


@row("stream-0434")
def end_of_no_update(w: World) -> None:
    w.expect(UPDATE_END, w.stream())


@row("stream-0435")
def update_of_fewer_tasks(w: World) -> None:
    origin, stream = captured(w), w.stream()
    found = group(w, origin, 2)
    w.ok(END, origin)
    w.ok(UPDATE, stream, found)
    launch(w, stream)
    w.expect(UPDATE_END, stream)
    w.refuse(107033, UPDATE_END, stream)


@row("stream-case-146")
def groups_and_updates_without_a_capture(w: World) -> None:
    stream = w.stream()
    w.refuse(107029, GROUP, stream)
    w.refuse(107029, GROUP_END, stream)
    w.refuse(100000, UPDATE, stream, 0)
    w.refuse(107033, UPDATE_END, stream)


# -- execution ---------------------------------------------------------------------------------------------------------


@row("stream-0436")
def execute_what_is_captured(w: World) -> None:
    _, found = w.ok(INFO, captured(w))
    w.expect("aclmdlRIExecuteAsync", found, w.stream())


@row("stream-0439")
def execute_on_a_captured_stream(w: World) -> None:
    found = model(w)
    w.expect("aclmdlRIExecuteAsync", found, captured(w))


@row("stream-0440")
def execute_in_another_context(w: World) -> None:
    found = model(w)
    w.ok("aclrtCreateContext", 0)
    w.expect("aclmdlRIExecuteAsync", found, w.stream())


@row("stream-0443")
def execute_and_wait(w: World) -> None:
    w.expect("aclmdlRIExecute", model(w), -1)


@row("stream-0444")
def execute_with_a_limit(w: World) -> None:
    found = model(w)
    for wrong in (0, -2):
        w.expect("aclmdlRIExecute", found, wrong)


@row("stream-0445")
def destroy_what_is_captured(w: World) -> None:
    _, found = w.ok(INFO, captured(w))
    w.expect("aclmdlRIDestroy", found)


@row("stream-0446")
def destroy_what_runs(w: World) -> None:
    found, stream = model(w, 11_000 * MS), w.stream()
    w.ok("aclmdlRIExecuteAsync", found, stream)
    before = w.sim.time_ns()
    w.expect("aclmdlRIDestroy", found)
    w.same((w.sim.time_ns() - before) // (1000 * MS), 10, "seconds waited")
    w.ok("aclmdlRIDestroy", found)


@row("stream-0447")
def destroy_twice(w: World) -> None:
    found = model(w)
    w.ok("aclmdlRIDestroy", found)
    w.expect("aclmdlRIDestroy", found)
    w.expect("aclmdlRIDestroy", STALE)


@row("stream-0448")
def destroy_in_another_context(w: World) -> None:
    found = model(w)
    w.ok("aclrtCreateContext", 0)
    w.expect("aclmdlRIDestroy", found)
