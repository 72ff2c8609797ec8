"""Models that are built by hand, labels, conditional tasks, and changing the tasks of a model."""

from __future__ import annotations

from ascend_sim.ascendcl import aclmdlRICondTaskParams
from tests.conformance.registry import row
from tests.conformance.rows_graph_capture import BEGIN, END, GLOBAL, INFO, RELAXED, captured, model
from tests.conformance.world import STALE, World

PERSISTENT, FAST_LAUNCH = 4, 1
HEAD = 0
FOR_EVER = -1
MOST_LABELS = 65535
BUILD, BIND, UNBIND, END_TASK, BUILD_END = (
    "aclmdlRIBuildBegin", "aclmdlRIBindStream", "aclmdlRIUnbindStream", "aclmdlRIEndTask", "aclmdlRIBuildEnd",
)  # fmt: skip


def begun(w: World) -> int:
    """A model without streams."""
    return int(w.ok(BUILD, 0))


def bound(w: World, model_ri: int = 0) -> tuple[int, int]:
    """A model, and a stream that is bound to it."""
    model_ri = model_ri or begun(w)
    stream = w.stream(PERSISTENT)
    w.ok(BIND, model_ri, stream, HEAD)
    return model_ri, stream


def complete(w: World) -> int:
    """A model that can be executed."""
    model_ri, stream = bound(w)
    w.ok(END_TASK, model_ri, stream)
    w.ok(BUILD_END, model_ri, None)
    return model_ri


# -- building ----------------------------------------------------------------------------------------------------------


@row("stream-0449")
def flag_of_begin(w: World) -> None:
    w.expect(BUILD, 1)


@row("stream-0450")
@row("stream-case-115")
def not_persistent(w: World) -> None:
    w.refuse(107000, BIND, begun(w), w.stream(), HEAD)


@row("stream-0451")
def bound_already(w: World) -> None:
    model_ri, stream = bound(w)
    w.expect(BIND, model_ri, stream, HEAD)
    w.expect(BIND, begun(w), stream, HEAD)


@row("stream-case-116")
def bound_to_one_only(w: World) -> None:
    model_ri, stream = bound(w)
    w.refuse(107005, BIND, begun(w), stream, HEAD)
    w.ok(UNBIND, model_ri, stream)


@row("stream-0452")
def bind_a_captured_stream(w: World) -> None:
    model_ri = begun(w)
    w.expect(BIND, model_ri, captured(w), HEAD)


@row("stream-0453")
def bind_fast_launch_or_stop_mode(w: World) -> None:
    model_ri = begun(w)
    w.expect(BIND, model_ri, w.stream(FAST_LAUNCH), HEAD)
    stops = w.stream(PERSISTENT)
    w.ok("aclrtSetStreamFailureMode", stops, 1)
    w.expect(BIND, model_ri, stops, HEAD)


@row("stream-0454")
@row("stream-case-125")
def captured_models_are_not_built(w: World) -> None:
    model_ri, stream = model(w), w.stream(PERSISTENT)
    w.refuse(107000, BIND, model_ri, stream, HEAD)
    w.refuse(107000, UNBIND, model_ri, stream)
    w.refuse(107000, END_TASK, model_ri, stream)
    w.refuse(107000, BUILD_END, model_ri, None)


@row("stream-0455")
def unbind_what_is_not_bound(w: World) -> None:
    model_ri, _ = bound(w)
    w.expect(UNBIND, model_ri, w.stream(PERSISTENT))
    w.expect(UNBIND, model_ri, bound(w)[1])


@row("stream-0456")
def second_end_mark(w: World) -> None:
    model_ri, stream = bound(w)
    w.ok(END_TASK, model_ri, stream)
    w.expect(END_TASK, model_ri, stream)


@row("stream-0457")
def end_mark_on_another_stream(w: World) -> None:
    model_ri, _ = bound(w)
    w.expect(END_TASK, model_ri, w.stream(PERSISTENT))
    w.expect(END_TASK, model_ri, bound(w)[1])


@row("stream-0458")
def build_end_without_end_mark(w: World) -> None:
    w.expect(BUILD_END, bound(w)[0], None)


@row("stream-0459")
def reserve(w: World) -> None:
    w.expect(BUILD_END, complete(w), 1)


# -- executing ---------------------------------------------------------------------------------------------------------


@row("stream-0442")
@row("stream-case-118", faces="c")
def execute_without_end_mark(w: World) -> None:
    w.refuse(507011, "aclmdlRIExecute", begun(w), FOR_EVER)


@row("stream-0437")
def execute_while_it_is_changed(w: World) -> None:
    stream = captured(w)
    w.ok("aclrtValueWrite", w.device(8), 1, 0, stream)
    model_ri = w.ok(END, stream)
    [task], _ = w.ok("aclmdlRIGetTasksByStream", stream, 1)
    w.ok("aclmdlRITaskDisable", task)
    w.expect("aclmdlRIExecuteAsync", model_ri, w.stream())
    w.ok("aclmdlRIUpdate", model_ri)
    w.ok("aclmdlRIExecuteAsync", model_ri, w.stream())


@row("stream-0438")
def execute_on_a_bound_stream(w: World) -> None:
    model_ri = complete(w)
    w.expect("aclmdlRIExecuteAsync", model_ri, bound(w)[1])


@row("stream-0441")
def execute_on_a_stream_of_another_context(w: World) -> None:
    model_ri = complete(w)
    w.expect("aclmdlRIExecuteAsync", model_ri, w.foreign_stream())


@row("stream-0460")
def null_models(w: World) -> None:
    w.expect("aclmdlRIUpdate", 0)
    w.expect("aclmdlRIAbort", 0)


@row("stream-0461")
def update_of_a_hand_built_model(w: World) -> None:
    w.expect("aclmdlRIUpdate", complete(w))


# -- bound streams -----------------------------------------------------------------------------------------------------


@row("stream-0217")
@row("stream-case-068")
def destroy_a_bound_stream(w: World) -> None:
    model_ri, stream = bound(w)
    w.refuse(107005, "aclrtDestroyStream", stream)
    w.refuse(107005, "aclrtDestroyStreamForce", stream)
    w.ok(UNBIND, model_ri, stream)
    w.ok("aclrtDestroyStream", stream)


@row("stream-0244")
def failure_mode_of_a_bound_stream(w: World) -> None:
    w.expect("aclrtSetStreamFailureMode", bound(w)[1], 1)


@row("stream-0254")
def abort_a_bound_stream(w: World) -> None:
    w.expect("aclrtStreamAbort", bound(w)[1])


@row("stream-0280")
def record_on_a_bound_stream(w: World) -> None:
    _, stream = bound(w)
    w.expect("aclrtRecordEvent", w.ex(), stream)
    w.expect("aclrtRecordEvent", w.auto(), stream)


@row("stream-0297")
def wait_on_a_bound_stream(w: World) -> None:
    _, stream = bound(w)
    for event in (w.ex(), w.auto()):
        w.ok("aclrtRecordEvent", event, w.stream())
        w.expect("aclrtStreamWaitEvent", stream, event)


@row("stream-0330")
@row("stream-case-098")
def wait_for_a_record_of_a_model(w: World) -> None:
    stream, event = w.stream(PERSISTENT), w.ex()
    w.ok("aclrtRecordEvent", event, stream)
    w.ok(BIND, begun(w), stream, HEAD)
    w.refuse(107000, "aclrtSynchronizeEvent", event)


@row("stream-0405")
def capture_a_bound_stream(w: World) -> None:
    w.expect(BEGIN, bound(w)[1], GLOBAL)


@row("stream-0432")
def update_tasks_from_a_bound_stream(w: World) -> None:
    origin = captured(w)
    w.ok("aclmdlRICaptureTaskGrpBegin", origin)
    group = w.ok("aclmdlRICaptureTaskGrpEnd", origin)
    w.ok(END, origin)
    w.expect("aclmdlRICaptureTaskUpdateBegin", bound(w)[1], group)


# -- streams and tasks of a model --------------------------------------------------------------------------------------


@row("stream-0462")
@row("stream-case-137")
def room_for_streams(w: World) -> None:
    model_ri, first = bound(w)
    _, second = bound(w, model_ri)
    w.same(w.ok("aclmdlRIGetStreams", model_ri, 2), ([second, first], 2), "streams")
    w.refuse(107039, "aclmdlRIGetStreams", model_ri, 1)
    w.same(w.ok("aclmdlRIGetStreams", model_ri, 5), ([second, first, 0, 0, 0], 2), "streams")


@row("stream-case-136")
def null_model_of_streams(w: World) -> None:
    w.refuse(107000, "aclmdlRIGetStreams", 0, 1)


@row("stream-case-139")
def tasks_of_no_model(w: World) -> None:
    w.refuse(107000, "aclmdlRIGetTasksByStream", w.stream(), 1)


# -- conditional tasks -------------------------------------------------------------------------------------------------


@row("stream-0418")
def sub_graph_still_captured(w: World) -> None:
    origin, other = captured(w), w.stream()
    _, model_ri = w.ok(INFO, origin)
    params = aclmdlRICondTaskParams(w.ok("aclmdlRICondHandleCreate", model_ri, 0, 0), 1, 1, [0])
    w.ok("aclmdlRIAddCondTask", params, origin, 0)
    w.ok("aclmdlRICaptureToModelRIBegin", other, params.modelRIArray[0], RELAXED)
    w.expect(END, origin)
    w.same(w.ok(INFO, origin), (0, 0), "status and model")


# -- labels ------------------------------------------------------------------------------------------------------------


def label(w: World) -> int:
    """A label that a list holds."""
    made = int(w.ok("aclrtCreateLabel"))
    w.ok("aclrtCreateLabelList", [made], 1)
    return made


@row("stream-0363")
def label_without_context(w: World) -> None:
    w.in_thread(lambda: w.expect("aclrtCreateLabel"))


@row("stream-0364")
@row("stream-case-110")
def too_many_labels(w: World) -> None:
    for _ in range(MOST_LABELS):
        w.call("aclrtCreateLabel")
    w.refuse(507000, "aclrtCreateLabel")


def foreign_label(w: World) -> int:
    """A label of a context that is not current."""
    made = label(w)
    w.ok("aclrtCreateContext", 0)
    return made


@row("stream-0365")
def set_a_label_of_another_context(w: World) -> None:
    made = foreign_label(w)
    w.expect("aclrtSetLabel", made, bound(w)[1])


@row("stream-0366")
def set_a_label_on_a_free_stream(w: World) -> None:
    w.expect("aclrtSetLabel", label(w), w.stream(PERSISTENT))


@row("stream-0367")
def set_a_label_wrongly(w: World) -> None:
    _, stream = bound(w)
    made = label(w)
    w.ok("aclrtSetLabel", made, stream)
    w.expect("aclrtSetLabel", made, stream)
    w.expect("aclrtSetLabel", made, bound(w)[1])
    w.expect("aclrtSetLabel", w.ok("aclrtCreateLabel"), stream)


@row("stream-0368")
def destroy_a_label_of_another_context(w: World) -> None:
    w.expect("aclrtDestroyLabel", foreign_label(w))


@row("stream-0369")
def size_of_a_label_list(w: World) -> None:
    made = w.ok("aclrtCreateLabel")
    w.expect("aclrtCreateLabelList", [made], 0)
    w.expect("aclrtCreateLabelList", [made], MOST_LABELS + 1)


@row("stream-0370")
def dead_label_in_a_list(w: World) -> None:
    made, dead = w.ok("aclrtCreateLabel"), w.ok("aclrtCreateLabel")
    w.ok("aclrtDestroyLabel", dead)
    w.expect("aclrtCreateLabelList", [made, dead], 2)
    w.expect("aclrtCreateLabelList", [made, STALE], 2)


@row("stream-0371")
def jump_on_a_free_stream(w: World) -> None:
    labels = w.ok("aclrtCreateLabelList", [w.ok("aclrtCreateLabel")], 1)
    w.expect("aclrtSwitchLabelByIndex", w.device(4), 1, labels, w.stream(PERSISTENT))
