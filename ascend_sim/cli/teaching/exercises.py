"""The exercises of the lessons: what each asks for, and the ways to miss it, each with a sentence that helps.

A program is judged by what it does: findings, calls, what was queued where, what it prints. Its text is not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import attrs

from ascend_sim.catalogue.pyacl import names
from ascend_sim.cli.teaching.folder import absolute, folder, head, untitled
from ascend_sim.cli.teaching.judging import Verdict, faults, line_of, raised, telling_findings
from ascend_sim.cli.teaching.runs import Call, Outcome, run
from ascend_sim.findings.languages import ENGLISH, translated

__all__ = ["EXERCISES", "Exercise", "Way", "check", "exercise"]


@attrs.frozen
class Way:
    """One way to miss what was asked for. *calls*: the sentence ends with the line of the first of these."""

    name: str
    fits: Callable[[Outcome], bool]
    sentence: str
    calls: Callable[[Outcome], list[Call]] = lambda outcome: []


@attrs.frozen
class Exercise:
    """The exercise of a lesson; its ways are tried in their order."""

    number: int
    prints: tuple[str, ...]
    ways: tuple[Way, ...]
    work: Mapping[str, int] = {}
    """How often what is to be done is called at least, by how the C names begin."""
    waits: bool = True
    """Whether the host has to wait for the result."""

    @property
    def start(self) -> Path:
        """The program that it begins with."""
        (found,) = (folder() / "exercises").glob(f"{self.number:02}_*.py")
        return found

    @property
    def answer(self) -> Path:
        """One right program."""
        return self.start.parent / "answers" / self.start.name

    def question(self, language: str = ENGLISH) -> tuple[str, str]:
        """Title and question."""
        title, text, _ = head(self.start, language)
        return untitled(title), text

    def options(self) -> str:
        """Of ``ascend-sim run``, wherever the program lies."""
        return absolute(head(self.start)[2], "../kernels/")


# -- what there is to see in a run ------------------------------------------------------------------------------------


def _found(*kinds: str) -> Callable[[Outcome], bool]:
    """A finding of one of *kinds*, also where another one explains it."""
    return lambda outcome: any(finding["kind"] in kinds for finding in outcome.findings)


def _refused(name: str, *codes: int) -> Callable[[Outcome], bool]:
    """A call of *name* answered one of *codes* (none named: any but 0)."""
    return lambda outcome: bool(_failed(outcome, name, codes))


def _failed(outcome: Outcome, name: str, codes: tuple[int, ...] = ()) -> list[Call]:
    return [call for call in outcome.called(name) if (call.code in codes if codes else call.code not in (0, None))]


def _times(name: str) -> Callable[[Outcome], int]:
    return lambda outcome: len(outcome.called(name))


def _fewer_streams(outcome: Outcome) -> bool:
    """Fewer than two streams do the work."""
    return len(outcome.work) < 2


def _host_waits(most: int) -> Callable[[Outcome], bool]:
    return lambda outcome: len(outcome.waits()) > most


def _waits(outcome: Outcome) -> list[Call]:
    return outcome.waits()


def _first(outcome: Outcome, name: str) -> int:
    """The place of the first call of *name* among all; behind all when there is none."""
    return next((at for at, call in enumerate(outcome.calls) if call.name == name), len(outcome.calls))


def _both(*tests: Callable[[Outcome], bool]) -> Callable[[Outcome], bool]:
    return lambda outcome: all(test(outcome) for test in tests)


def _either(*tests: Callable[[Outcome], bool]) -> Callable[[Outcome], bool]:
    return lambda outcome: any(test(outcome) for test in tests)


def _none(name: str) -> Callable[[Outcome], bool]:
    return lambda outcome: not outcome.called(name)


def _some(name: str) -> Callable[[Outcome], bool]:
    return lambda outcome: bool(outcome.called(name))


def _before(first: str, second: str) -> Callable[[Outcome], bool]:
    """The first call of *first* comes before that of *second*."""
    return lambda outcome: _first(outcome, first) < _first(outcome, second)


RECORD, WAIT, COPY, SET = "aclrtRecordEvent", "aclrtStreamWaitEvent", "aclrtMemcpyAsync", "aclrtMemsetAsync"
BEGIN, END, EXECUTE = "aclmdlRICaptureBegin", "aclmdlRICaptureEnd", "aclmdlRIExecuteAsync"
LAUNCH, CONFIG = "aclrtLaunchKernelWithHostArgs", "aclrtLaunchKernelWithConfig"
UPDATE = "aclrtKernelArgsParaUpdate"
CREATES = ("aclrtCreateEvent", "aclrtCreateEventWithFlag", "aclrtCreateEventExWithFlag")


def _waits_before_second_launch(outcome: Outcome) -> bool:
    launches = [at for at, call in enumerate(outcome.calls) if call.name == LAUNCH]
    waits = [at for at, call in enumerate(outcome.calls) if call.name.startswith("aclrtSynchronize")]
    return len(launches) > 1 and any(at < launches[1] for at in waits)


def _reset_too_early(outcome: Outcome) -> bool:
    """A thread has no context any more after a reset."""
    resets = [at for at, call in enumerate(outcome.calls) if call.name.startswith("aclrtResetDevice")]
    without = [at for at, call in enumerate(outcome.calls) if call.code == 107002]
    return bool(resets and without) and resets[0] < without[0]


def _device_blocks(outcome: Outcome) -> int:
    return sum(kind == "device" for kind, _, _ in outcome.memory)


def _pinned(outcome: Outcome) -> int:
    return sum(kind in ("host", "registered") for kind, _, _ in outcome.memory)


TORCH_WAIT = "aclrtSynchronizeDeviceWithTimeout"


def _races(outcome: Outcome) -> list[str]:
    return [finding["title"] for finding in outcome.findings if finding["kind"] == "race"]


def _in_the_loop(outcome: Outcome) -> list[Call]:
    """The calls of the program's lines between its first wait and the last but the ones that fetch the results."""
    waits = [at for at, call in enumerate(outcome.calls) if call.name == TORCH_WAIT and call.line]
    return list(outcome.calls[waits[0] + 1 : waits[-1]]) if len(waits) > 1 else []


NOBODY_WAITS = (
    "Nothing waits: when the host looks, the tasks are still in the queue. That calls have returned says nothing, and "
    "neither does the time that has passed."
)
_TOO_LATE = Way(
    "the wait behind the copy",
    _both(_found("race"), _some(WAIT), _before(COPY, WAIT)),
    "The wait stands behind the copy. Only what is queued behind a wait waits: the copy has left already.",
    lambda outcome: outcome.called(WAIT),
)
_TOO_EARLY = Way(
    "the record before the work",
    _both(_found("race"), _some(RECORD), _before(RECORD, SET)),
    "The event is recorded before the work: it marks the place in the queue where the record stands, and what is "
    "queued "
    "later is not meant.",
    lambda outcome: outcome.called(RECORD),
)
_UNRECORDED = Way(
    "the wait before the record",
    _either(_refused(WAIT, 107000), _found("unrecorded-wait")),
    "The program calls the wait before anything was recorded: a wait means a record that was called before it. The "
    "order "
    "of the calls counts, not when they run.",
    lambda outcome: outcome.called(WAIT),
)
_ITSELF = Way(
    "recorded in the stream that waits",
    _found("self-wait"),
    "The event is recorded in the stream that waits for it: a stream is in order with itself anyway. Record it "
    "where the "
    "work is that has to be done first.",
    lambda outcome: outcome.called(RECORD),
)
_NOBODY_WAITS = Way(
    "a record that nobody waits for",
    _both(_found("race"), _some(RECORD), _none(WAIT)),
    "The event is recorded, and no stream waits for it. A record alone holds nobody up.",
    lambda outcome: outcome.called(RECORD),
)
_HOST_WAITS = Way(
    "the host waits in between",
    _host_waits(1),
    "The result is right, and the host waits more than once: while it does, it queues nothing. A stream can wait "
    "for the "
    "other one without the host.",
    _waits,
)
_ONE_STREAM = Way(
    "one stream for both",
    _both(_fewer_streams, lambda outcome: bool(outcome.work)),
    "All the work runs on one stream now. That is an order, but not between two streams: keep both.",
)

_LIST = (
    Exercise(
        1,
        ("the worker has 05050505",),
        (
            Way(
                "the device is gone",
                _reset_too_early,
                "The device is reset while somebody still needs it. Resets are counted against the calls that set it.",
                lambda outcome: [call for call in outcome.calls if call.name.startswith("aclrtResetDevice")],
            ),
            Way(
                "no context",
                lambda outcome: any(call.code == 107002 for call in outcome.calls),
                "A call answers 107002: its thread has no current context. A thread does not inherit one. How did "
                "the main "
                "thread come to its own?",
                lambda outcome: [call for call in outcome.calls if call.code == 107002],
            ),
            Way(
                "the main thread works",
                lambda outcome: {call.thread for call in outcome.called("aclrtMalloc")} == {0},
                "The main thread has done the work. It is the worker that should: from its thread, with its calls.",
                lambda outcome: outcome.called("aclrtMalloc"),
            ),
        ),
        {"aclrtMemset": 1, "aclrtMemcpy": 1},
        waits=False,
    ),
    Exercise(
        2,
        ("host has 2a2a2a2a",),
        (
            Way(
                "no wait",
                lambda outcome: bool(outcome.work) and not outcome.waits(),
                NOBODY_WAITS,
            ),
            Way(
                "too early",
                _both(_found("race"), lambda outcome: bool(outcome.waits())),
                "The wait comes too early: it waits for what was queued before it, and not for what is queued later.",
                _waits,
            ),
            Way(
                "too often",
                _host_waits(1),
                "That is right, and more than it needs: the tasks of a stream run one after the other, so one wait "
                "will do.",
                _waits,
            ),
            Way(
                "other tasks",
                lambda outcome: sorted(outcome.work) != [("set", "copy", "copy")],
                "The three tasks are no longer what they were: a memset and two copies, queued in one stream.",
            ),
        ),
        {SET: 1, COPY: 2},
    ),
    Exercise(
        3,
        ("host has 07070707",),
        (
            _UNRECORDED, _ITSELF, _TOO_EARLY, _TOO_LATE, _NOBODY_WAITS,
            Way(
                "no order",
                _found("race"),
                "Nothing orders the two streams: the copy may run before the memset, or in the middle of it.",
            ),
            _ONE_STREAM, _HOST_WAITS,
        ),
        {SET: 1, COPY: 1},
    ),
    Exercise(
        4,
        ("hosts have 0101 0202 0303 0404",),
        (
            Way(
                "an event for each round",
                lambda outcome: sum(len(outcome.called(name)) for name in CREATES) > 2,
                "More events are made than the two. An event can be recorded again: a wait means the latest record "
                "that was "
                "called before it.",
                lambda outcome: [call for name in CREATES for call in outcome.called(name)][2:],
            ),
            Way(
                "the first round waits",
                _either(_refused(WAIT, 107000), _found("unrecorded-wait")),
                "In the first round the stream waits for an event that was never recorded: nobody has read "
                "anything yet, and "
                "there is nothing to wait for.",
                lambda outcome: outcome.called(WAIT),
            ),
            Way(
                "a buffer for each round",
                lambda outcome: _device_blocks(outcome) > 1,
                "Several buffers are a cure, too, but not of this exercise: one buffer goes there and back.",
                lambda outcome: outcome.called("aclrtMalloc")[1:],
            ),
            _ITSELF,
            Way(
                "no way back",
                _both(_found("race"), lambda outcome: len({call.arguments[1] for call in outcome.called(RECORD)}) < 2),
                "Nothing leads back: the next round fills the buffer while the copy of the last one may still read it.",
                lambda outcome: outcome.called(SET)[1:],
            ),
            Way(
                "the way back in the wrong place",
                _found("race"),
                "There is a way back, but it does not hold the right task: the record has to stand behind the copy "
                "of a round, "
                "and the wait before the memset of the next one.",
                lambda outcome: outcome.called(SET)[1:],
            ),
            _ONE_STREAM, _HOST_WAITS,
        ),
        {SET: 4, COPY: 4},
    ),
    Exercise(
        5,
        ("host has 33333333",),
        (
            _UNRECORDED, _ITSELF, _TOO_EARLY, _TOO_LATE, _NOBODY_WAITS,
            Way(
                "no order",
                _found("race"),
                "The default stream waits for nobody by itself: it is a stream like the others, and the copy runs "
                "when it "
                "likes.",
                lambda outcome: outcome.called(COPY),
            ),
            _ONE_STREAM, _HOST_WAITS,
        ),
        {SET: 1, COPY: 1},
    ),
    Exercise(
        6,
        tuple(f"device has 0{number}0{number}" for number in range(1, 5)),
        (
            Way(
                "pageable",
                lambda outcome: not _pinned(outcome),
                "The source is still pageable memory: the call copies before it returns, whatever its name says. "
                "Which memory "
                "can the device read by itself?",
                lambda outcome: outcome.called(COPY),
            ),
            Way(
                "not asynchronous",
                lambda outcome: _times(COPY)(outcome) < 4,
                "The four copies are no longer queued in the stream: a copy that the host makes itself overlaps "
                "with nothing.",
            ),
            Way(
                "rewritten too early",
                _found("race"),
                "The host writes a buffer whose copy may not have read it yet. The buffer belongs to the copy "
                "until that has "
                "run.",
            ),
            Way(
                "a wait after each copy",
                _host_waits(3),
                "The host waits after every copy, so nothing overlaps. It has to wait only where it would write a "
                "buffer that "
                "is still in use.",
                _waits,
            ),
        ),
        {COPY: 4},
    ),
    Exercise(
        7,
        ("seen: [10, 11, 12]",),
        (
            Way(
                "never queued",
                _none("aclrtLaunchCallback"),
                "`look` is never put into the stream: a callback is a task like the others, queued behind the copy.",
            ),
            Way(
                "nobody subscribed",
                _refused("aclrtLaunchCallback"),
                "The launch of the callback is refused: the runtime knows of no thread that serves this stream.",
                lambda outcome: _failed(outcome, "aclrtLaunchCallback"),
            ),
            Way(
                "waits in the callback",
                _found("deadlock", "callback-call"),
                "The callback waits for the stream, and the stream for the callback. In a callback one does not wait.",
            ),
            Way(
                "no block",
                _found("race"),
                "The stream does not wait for the callback: the copy of the next round writes `host` while `look` "
                "reads it. "
                "The last argument but one of the launch decides.",
                lambda outcome: outcome.called("aclrtLaunchCallback"),
            ),
            Way(
                "still subscribed",
                lambda outcome: _times("aclrtUnSubscribeReport")(outcome) < _times("aclrtSubscribeReport")(outcome),
                "The thread is still subscribed for the stream at the end: undo it before the thread ends.",
            ),
            Way(
                "not in each round",
                lambda outcome: _times("aclrtLaunchCallback")(outcome) != 3,
                "The callback has to be queued in each round, three times.",
                lambda outcome: outcome.called("aclrtLaunchCallback"),
            ),
        ),
        {SET: 3, COPY: 3},
    ),
    Exercise(
        8,
        ("blocks: 0 0 0 0 0 1 1 1 1 1 2 2 2 2 2 3 3 3 3 3",),
        (
            Way(
                "no blocks",
                _refused(LAUNCH),
                "The launch is refused: a kernel runs in one block at least.",
                lambda outcome: _failed(outcome, LAUNCH),
            ),
            Way(
                "too many elements",
                _found("out-of-bounds"),
                "The kernel is told of more elements than `z` has, and writes beyond its end.",
                lambda outcome: outcome.called(LAUNCH),
            ),
            Way(
                "no wait",
                _found("race"),
                "The launch has only queued the kernel: the copy comes before it has run.",
                lambda outcome: outcome.called("aclrtMemcpy"),
            ),
            Way(
                "another number of blocks",
                lambda outcome: [call.arguments[1] for call in outcome.called(LAUNCH)] != [4],
                "Each block gets its share of the 20 elements: the more blocks, the smaller the share. How many "
                "shares of five "
                "are there?",
                lambda outcome: outcome.called(LAUNCH),
            ),
        ),
        {LAUNCH: 1},
    ),
    Exercise(
        9,
        ("sum: 499500",),
        (
            Way(
                "one workspace",
                _found("race"),
                "Both kernels use the same workspace at the same time: each overwrites the parts of the other.",
                lambda outcome: outcome.called(LAUNCH),
            ),
            Way(
                "freed too early",
                _found("use-after-free"),
                "A workspace is freed before its kernel has run: the launch has only queued it.",
                lambda outcome: outcome.called("aclrtFree"),
            ),
            Way(
                "too small",
                _found("out-of-bounds"),
                "A workspace is too small: each block leaves one number of 4 bytes in it.",
            ),
            Way(
                "not given back",
                _found("leak"),
                "Not every byte is given back: a workspace is still there at the end.",
            ),
            Way(
                "one after the other",
                _waits_before_second_launch,
                "The second sum is queued when the first one is done: that is right, and not at the same time.",
                _waits,
            ),
            _ONE_STREAM,
        ),
        {LAUNCH: 2},
    ),
    Exercise(
        10,
        ("answer: 0101", "answer: 0202", "answer: 0303"),
        (
            Way(
                "no capture",
                _none(BEGIN),
                "Nothing is captured yet: the two copies have to be called between a begin and an end.",
            ),
            Way("no end", _none(END), "The capture is begun and never ended: there is no graph to execute."),
            Way(
                "captured in each round",
                lambda outcome: _times(BEGIN)(outcome) > 1,
                "The copies are captured again and again. Once is enough: a graph can be executed often.",
                lambda outcome: outcome.called(BEGIN)[1:],
            ),
            Way(
                "a wait inside",
                _found("capture-rule"),
                "A call between begin and end has to happen at once, and so cannot be taken down. What does not "
                "belong to the "
                "graph belongs outside of the capture.",
                lambda outcome: [call for call in outcome.calls if call.code not in (0, None)],
            ),
            Way(
                "never executed",
                lambda outcome: not (outcome.called(EXECUTE) or outcome.called("aclmdlRIExecute")),
                "The graph is made and never executed: a capture only takes down.",
                lambda outcome: outcome.called(END),
            ),
            Way(
                "copies as before",
                lambda outcome: _times(COPY)(outcome) > 2,
                "The copies are still called in the loop, next to the graph: the graph has them.",
                lambda outcome: outcome.called(COPY)[2:],
            ),
            Way(
                "no wait",
                _found("race"),
                "The host reads the answer, or writes the next batch, while the execution may still be at work.",
            ),
            Way(
                "freed too early",
                _found("use-after-free"),
                "Memory is freed that the graph still uses: it has only the address.",
                lambda outcome: outcome.called("aclrtFree"),
            ),
            Way(
                "not destroyed",
                _none("aclmdlRIDestroy"),
                "The graph is still there at the end: it has to be destroyed as well.",
            ),
        ),
        {COPY: 2, "aclmdlRIExecute": 3},
    ),
    Exercise(
        11,
        ("ends have 0606 0606",),
        (
            Way(
                "over each other",
                _refused("aclrtMapMem"),
                "A mapping is refused: at these addresses something is mapped already, or the range ends before. "
                "Where does "
                "the first piece end?",
                lambda outcome: _failed(outcome, "aclrtMapMem"),
            ),
            Way(
                "one piece",
                lambda outcome: _times("aclrtMapMem")(outcome) < 2,
                "Only one of the two pieces is mapped: behind it there are addresses, and no memory.",
                lambda outcome: outcome.called("aclrtMapMem"),
            ),
            Way(
                "not unmapped",
                lambda outcome: _times("aclrtUnmapMem")(outcome) < _times("aclrtMapMem")(outcome),
                "More is mapped than unmapped: every mapping has its own way back, before memory and addresses go.",
            ),
            Way(
                "a smaller memset",
                lambda outcome: [call.arguments[1] for call in outcome.called(SET)] != [4 << 20],
                "One memset over all four MiB is asked for.",
                lambda outcome: outcome.called(SET),
            ),
            Way(
                "no wait",
                _found("race", "use-after-free"),
                "The memory is read, or unmapped, while the memset may still be at work.",
            ),
        ),
        {SET: 1},
    ),
    Exercise(
        12,
        ("sum: 100 101 102 103 104 105 as expected", "sum: 0 2 4 6 8 10 as expected"),
        (
            Way(
                "another handle",
                lambda outcome: _times("aclrtKernelArgsInit")(outcome) > 1,
                "A second handle is made. That works, and is not asked for: in the one that is there one parameter changes.",
                lambda outcome: outcome.called("aclrtKernelArgsInit")[1:],
            ),
            Way(
                "no update",
                _none(UPDATE),
                "The handle still has the parameters that it was made with: values, copied when they were appended.",
                lambda outcome: outcome.called(CONFIG)[1:],
            ),
            Way(
                "not closed again",
                _refused(CONFIG),
                "The launch is refused: a change opens the handle, and it has to be closed before it can be launched.",
                lambda outcome: _failed(outcome, CONFIG),
            ),
            Way(
                "before the first launch",
                _before(UPDATE, CONFIG),
                "The parameter is changed before the first launch already, which is to compute x + y.",
                lambda outcome: outcome.called(UPDATE),
            ),
            Way("no wait", _found("race"), "The result is fetched while the kernel may still be at work."),
        ),
        {CONFIG: 2},
    ),
    Exercise(
        13,
        ("served: 2",),
        (
            Way(
                "registered too late",
                _found("hidden-error"),
                "The stream has been served by the built-in allocator before yours was registered, and that one sticks.",
            ),
            Way(
                "freed at once",
                _found("use-after-free"),
                "A block is given back while its operator is still queued: `free` is called when the launch has returned.",
            ),
            Way(
                "still registered",
                _found("stale-registration"),
                "The stream is destroyed while the allocator is still registered for it: the entry outlives the stream.",
            ),
            Way(
                "executed once",
                lambda outcome: _times("aclopExecuteV2")(outcome) != 2,
                "The operator is to be executed twice.",
                lambda outcome: outcome.called("aclopExecuteV2"),
            ),
            Way("not given back", _found("leak"), "A block that the allocator handed out is still there at the end."),
        ),
        {"aclopExecuteV2": 2},
    ),
    Exercise(
        15,
        ("sums 65536 131072 196608",),
        (
            Way(
                "no order",
                lambda outcome: any(race and "whose memory" not in race for race in _races(outcome)),
                "Nothing orders the two streams: the sum may begin while the batch is still being filled.",
            ),
            Way(
                "the memory goes to the next batch",
                lambda outcome: any("whose memory" in race for race in _races(outcome)),
                "A batch is let go while the other stream still needs it: the next one gets its memory at once. torch "
                "does not know which streams use a tensor; it has to be told.",
            ),
            _ONE_STREAM,
            Way(
                "the host waits for each batch",
                lambda outcome: any(call.name == TORCH_WAIT for call in _in_the_loop(outcome)),
                "The result is right, and the host waits for each batch: while it does, it queues nothing. A stream can "
                "wait for the other one without the host.",
                lambda outcome: [call for call in _in_the_loop(outcome) if call.name == TORCH_WAIT],
            ),
        ),
    ),
)  # fmt: skip

EXERCISES = {exercise.number: exercise for exercise in _LIST}
"""The exercises by the number of their lesson."""


@cache
def exercise(number: int) -> Exercise | None:
    """The exercise of lesson *number*; None: it has none."""
    return EXERCISES.get(number)


def check(asked: Exercise, program: Path, language: str = ENGLISH) -> Verdict:
    """Whether *program* does what the exercise asks for; else what to look at next, in *language*."""
    outcome = run(program, asked.options(), variables={"CLASS_MODELS": str(folder() / "models")})
    if not outcome.ended and outcome.calls and not raised(outcome, "AssertionError"):
        for way in asked.ways:
            if way.fits(outcome):
                return Verdict(False, (_with_line(way, outcome, program, language),))
    wrong = faults(outcome, program)
    if wrong:
        return Verdict(False, tuple(wrong)).said(language)
    left_out = _left_out(asked, outcome)
    if left_out:
        return Verdict(False, (left_out,)).said(language)
    shown = outcome.out.splitlines()
    for line in asked.prints:
        if line not in shown:
            printed = f"it prints `{shown[-1]}`" if shown else "it prints nothing"
            return Verdict(
                False, (f"Nothing is found, and the result is not there: `{line}` was asked for, {printed}.",)
            ).said(language)
    return Verdict(True, ("Right.",)).said(language)


def _left_out(asked: Exercise, outcome: Outcome) -> str:
    """What of the work is not done, in a sentence: the right line can be printed without it. Empty when all is done."""
    for name, number in asked.work.items():
        done = sum(call.name.startswith(name) and call.code in (0, None) for call in outcome.calls)
        if done < number:
            spelled = name if f"C.{name}" in asked.answer.read_text(encoding="utf-8") else names().get(name, name)
            return (
                f"Nothing is found, but work is gone: {spelled} does it {done} times, and {number} times is asked for. What "
                "is printed alone is no result."
            )
    return NOBODY_WAITS if asked.waits and not outcome.waits() else ""


def _with_line(way: Way, outcome: Outcome, program: Path, language: str) -> str:
    """The sentence, after the line that it is about, where one is known."""
    lines = [call.line for call in way.calls(outcome) if call.line]
    lines += [line for finding in telling_findings(outcome) if (line := line_of(finding, program))]
    sentence = translated(way.sentence, language)
    if not lines:
        return sentence
    if language != ENGLISH:
        return translated(f"Line {lines[0]}: {sentence}", language)
    return f"Line {lines[0]}: {sentence[0].lower() if sentence[0] != '`' else '`'}{sentence[1:]}"
