"""Builds the trace from the recorded rows: tracks, labels, and the edges that say what a slice waited for."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Any

from ascend_sim.runtime.event import RecordGate
from ascend_sim.timeline.costs import amount, duration, formula
from ascend_sim.timeline.labels import Labels
from ascend_sim.timeline.occupancy import occupancy
from ascend_sim.timeline.records import Bytes, Called, Launched, LeftOut, Ran, TaskName, Thing, Waited
from ascend_sim.timeline.trace import HOST, Counter, Edge, Mark, Slice, Trace, Track, counted

if TYPE_CHECKING:
    from ascend_sim.findings.finding import Finding
    from ascend_sim.timeline.recording import Timeline

__all__ = ["build"]

MOST_CALLS_INSIDE = 256
"""So many calls of a callback are looked through for the call that serves it."""

BEYOND = 8
"""What never came is drawn for an eighth of the whole time more."""

RANGES = 900_000
"""The numbers of the tracks of ranges begin behind this one."""

LEFT_OUT = 999_999
"""The number of the track that shows what is left out: behind those of all threads."""

_NAMES = {"pool-malloc": "allocate", "pool-free": "give back"}
_WAYS = {"h2d": "copy in", "d2h": "copy out"}


def build(timeline: Timeline) -> Trace:
    """The model of what *timeline* has recorded up to now."""
    return _Builder(timeline).build()


def _read(row: Any) -> Any:
    """A detail as the recorder left it: (class, fields...)."""
    if type(row) is not tuple:
        return row
    kind, *fields = row
    return kind(*(_read(field) if type(field) is tuple and field and isinstance(field[0], type) else field
                  for field in fields))  # fmt: skip


class _Builder:
    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.sim = sim = timeline.sim
        self.names = Labels(sim)
        self.trace = Trace(sim.profile.name, len(sim.devices), sim.seed, sim.scheduler.schedule.name, timeline.began)
        self.threads: dict[int, int] = {}
        self.streams: dict[int, int] = {}
        self.where: dict[TaskName, tuple[int, Slice]] = {}
        """Of each task its track and its slice."""
        self.callbacks: list[Slice] = []
        self.called_too: dict[str, int] = {}
        """Names of streams in findings -> tracks."""
        self.ran = [
            task if task.detail is None else task._replace(detail=_read(task.detail)) for task in timeline.tasks
        ]
        self.called = list(timeline.calls)
        self.recorded = timeline.things

    def build(self) -> Trace:
        self._know()
        self._host()
        self._device()
        self._edges()
        self._counters()
        self._marks()
        trace = self.trace
        starts = [s.start for track in trace.tracks for s in track.slices]
        trace.start = min([trace.start, *starts])
        times = [s.end for track in trace.tracks for s in track.slices] + [mark.time for mark in trace.marks]
        trace.end = trace.last = max([trace.start + 1, *times])
        gone = self.timeline.left_out
        trace.tasks, trace.calls = gone.tasks + len(self.ran), gone.calls + len(self.called)
        trace.program = self.timeline.program
        self._pending()
        self._left_out(gone)
        for track in trace.tracks:
            track.slices.sort(key=lambda s: (s.start, s.depth, -s.end))
        return trace

    def _left_out(self, gone: LeftOut) -> None:
        """A track of its own shows where something is missing."""
        if gone.tasks or gone.calls:
            text = f"{counted(gone.tasks, gone.calls)} left out"
            most = self.timeline.most
            self.trace.left_out = (
                f"{text}, from {duration(gone.start)} to {duration(gone.end)}: "
                f"the first {most // 2} and the latest {most - most // 2} tasks and calls are kept"
            )
            missing = Slice(gone.start, gone.end, text, "pending", None, (("", self.trace.left_out),))
            self.trace.tracks.append(Track("thread", HOST, LEFT_OUT, "left out", [missing]))

    def _know(self) -> None:
        """Tell the names of everything before anything is named."""
        for task in self.ran:
            self.names.know_stream(task.stream)
            if isinstance(task.detail, Waited) and task.detail.thing is not None:
                self.names.know(task.detail.thing)
        for thing in self.recorded.values():
            self.names.know(thing)
        for context in self.sim.contexts.values():
            for stream in (*context.streams, context.default):
                self.names.know_stream(stream)
        for stream in self._waiting():
            waited = _awaited(stream.queue[0].op.gate)
            if waited is not None:
                self.names.know(waited.thing)  # type: ignore[arg-type]  # it has one

    # -- the host ----------------------------------------------------------------------------------------------------

    def _thread(self, t: Any) -> int:
        at = self.threads.get(t.number)
        if at is None:
            at = self.threads[t.number] = len(self.trace.tracks)
            self.trace.tracks.append(Track("thread", HOST, t.number, t.name))
        return at

    def _host(self) -> None:
        threads: dict[int, Any] = {}
        for call in self.called:
            threads[call.thread.number] = call.thread
        for served in self.timeline.served:
            threads[served.thread.number] = served.thread
        for row in self.timeline.marked_rows:
            threads[row.thread.number] = row.thread
        for t, *_ in self.timeline.hung:
            threads[t.number] = t
        for number in sorted(threads):
            self._thread(threads[number])
        notes: dict[int, list[tuple[int, str]]] = {}
        for t, time, text in sorted(self.timeline.notes, key=lambda row: row[1]):
            notes.setdefault(t.number, []).append((time, text))
        cost = self.sim.host_call_ns
        for call in self.called:
            self._call(call, _between(notes.get(call.thread.number, []), call.start, call.end), cost)
        for t, name, start, site in self.timeline.hung:
            track = self.trace.tracks[self._thread(t)]
            track.slices.append(Slice(start - cost, start, name, "call", site, (("", "did not return"),), fault=True))
        for served in self.timeline.served:
            track = self.trace.tracks[self._thread(served.thread)]
            self.callbacks.append(Slice(served.start, served.end, "callback", "callback"))
            track.slices.append(self.callbacks[-1])
        apart = self._ranges()
        for at in (*self.threads.values(), *apart):
            _nest(self.trace.tracks[at])

    def _ranges(self) -> list[int]:
        """Marks and pushed ranges lie on the track of their thread, other ranges, which may overlap, on tracks of their own.

        Returns the numbers of these tracks.
        """
        apart: list[int] = []
        for row in sorted(self.timeline.marked_rows, key=lambda row: (row.start, -row.end)):
            category = "mark" if row.kind in ("mark", "tensors") else "range"
            found = Slice(row.start, row.end, row.text, category, None, (("", f"{row.kind} of {row.thread.name}"),))
            if row.kind not in ("range", "step"):
                self.trace.tracks[self._thread(row.thread)].slices.append(found)
                continue
            at = next((i for i in apart if self.trace.tracks[i].slices[-1].end <= row.start), None)
            if at is None:
                at = len(self.trace.tracks)
                apart.append(at)
                self.trace.tracks.append(Track("thread", HOST, RANGES + len(apart), "ranges"))
            self.trace.tracks[at].slices.append(found)
        return apart

    def _call(self, call: Called, notes: list[tuple[int, str]], cost: int) -> None:
        start = call.start - cost
        lines = []
        failed = type(call.code) is int and 100_000 <= call.code < 600_000
        if failed:
            lines.append(("returned", str(call.code)))
        lines += [("note", text) for _, text in notes]
        track = self.trace.tracks[self._thread(call.thread)]
        track.slices.append(Slice(start, call.end, call.name, "call", call.site, tuple(lines), fault=failed))

    # -- devices -----------------------------------------------------------------------------------------------------

    def _stream(self, stream: Any) -> int:
        at = self.streams.get(stream.number)
        if at is None:
            at = self.streams[stream.number] = len(self.trace.tracks)
            group = stream.context.device.index
            name = self.names.stream(stream)
            for said in (name, stream.describe()):
                self.called_too.setdefault(said, at)
                self.called_too.setdefault(said.strip("`"), at)
            if stream is stream.context.default and stream.context.primary:
                name = "the default stream"  # the group says of which device
            self.trace.tracks.append(Track("stream", group, stream.number, name))
        return at

    def _device(self) -> None:
        streams = {task.stream.number: task.stream for task in self.ran}
        for stream in self._waiting():
            streams.setdefault(stream.number, stream)
        for index in range(self.trace.devices):
            mine = [s for s in streams.values() if s.context.device.index == index]
            for stream in sorted(mine, key=lambda s: s.number):
                self._stream(stream)
            self.trace.tracks += occupancy(self.sim, index, self.ran, self._title, self.names.stream)
        free: dict[int, int] = {}
        gone = self.timeline.left_out
        after = self.timeline.most // 2 if gone.tasks else -1
        for index, task in enumerate(self.ran):
            if index == after:
                free.update(gone.ends)
            number = task.stream.number
            at = self._stream(task.stream)
            track = self.trace.tracks[at]
            since = max(task.ready, free.get(number, 0))
            free[number] = task.end
            if task.start > since and (task.engine is not None or isinstance(task.detail, Waited)):
                text = self._wanted(task)
                track.slices.append(Slice(since, task.start, f"waits for {text}", "wait", task.site))
            found = Slice(task.start, task.end, self._title(task), self._category(task), task.site,
                          self._lines(task), fault=task.fault is not None)  # fmt: skip
            track.slices.append(found)
            self.where[task.thread.number, task.number] = (at, found)

    def _waiting(self) -> list[Any]:
        """Streams whose head waits now, and may do so for ever."""
        if self.sim.closed:
            return []
        streams = [s for context in self.sim.contexts.values() for s in (*context.streams, context.default)]
        return [stream for stream in streams if stream.queue]

    def _pending(self) -> None:
        """What never came: calls that hang, heads of streams that wait. Drawn a little beyond all that happened."""
        trace = self.trace
        waiting = self._waiting()
        if not waiting and not self.timeline.hung:
            return
        trace.end += max((trace.end - trace.start) // BEYOND, 1000)
        for t, name, start, site in self.timeline.hung:
            track = trace.tracks[self._thread(t)]
            depth = max((s.depth for s in track.slices if s.end >= start), default=0)
            track.slices.append(Slice(start, trace.end, f"{name} hangs", "pending", site, depth=depth, fault=True))
        for stream in waiting:
            at, task = self._stream(stream), stream.queue[0]
            track = trace.tracks[at]
            since = max([task.ready, *(s.end for s in track.slices[-1:])])
            more = len(stream.queue) - 1
            waited = _awaited(task.op.gate)
            name = stream.blocked_by().partition(" waits for ")[2] if waited is None else self._what(waited)
            lines = (("behind it", f"{more} task{'s' if more != 1 else ''}"),) if more else ()
            track.slices.append(
                Slice(since, trace.end, f"waits for {name or 'the device'}", "pending", task.site, lines)
            )

    def _wanted(self, task: Ran) -> str:
        if isinstance(task.detail, Waited):
            return self._what(task.detail)
        if self.sim.scheduler.schedule.reorders:
            return "its turn"  # the schedule held it back
        return "cores" if task.engine in ("aic", "aiv", "mix") else f"the {task.engine} copy engine"

    def _what(self, waited: Waited) -> str:
        if waited.thing is None:
            return waited.text
        return ("the flag of " if waited.kind == "flag" else "") + self.names.thing(waited.thing)

    def _title(self, task: Ran) -> str:
        detail = task.detail
        if isinstance(detail, Launched):
            return f"{task.kind[7:]} <{detail.blocks}>"
        if isinstance(detail, Bytes):
            if detail.way == "pass":
                return task.kind.removeprefix("operator ")
            kind = {"set": "memset"}.get(detail.way, f"{task.kind} {detail.way.upper()}")
            return f"{kind} {amount(detail.nbytes)}"
        if isinstance(detail, Waited):
            return f"wait {self._what(detail)}"
        thing = self.recorded.get((task.thread.number, task.number))
        return _NAMES.get(task.kind, task.kind) if thing is None else f"record {self.names.thing(thing)}"

    def _category(self, task: Ran) -> str:
        detail = task.detail
        if isinstance(detail, Launched):
            return "kernel"
        if isinstance(detail, Bytes):
            return "operator" if detail.way == "pass" else _WAYS.get(detail.way, "copy")
        return "callback" if task.kind in ("callback", "host-func") else "mark"

    def _lines(self, task: Ran) -> tuple[tuple[str, str], ...]:
        lines = [("cost", formula(self.sim.profile, task))]
        if isinstance(task.detail, Launched):
            lines.append(("blocks", f"{task.detail.blocks} on {task.slots} {task.engine or 'CPU'} cores"))
        lines.append(("task", f"{task.number} of {task.thread.name}, submitted at {duration(task.ready)}"))
        if task.fault is not None:
            lines.append(("fault", f"{task.fault[0]}: {task.fault[1]}"))
        return tuple(lines)

    # -- edges -------------------------------------------------------------------------------------------------------

    def _edges(self) -> None:
        edges = self.trace.edges
        for task in self.ran:
            at, found = self.where[task.thread.number, task.number]
            thread = self.threads.get(task.thread.number)
            if thread is not None:
                call = _call_at(self.trace.tracks[thread], task.ready)
                if call is not None:  # a launch by the object API is no call
                    edges.append(Edge("submit", thread, task.ready, at, found.start, "", call, found))
            detail = task.detail
            if not isinstance(detail, Waited):
                continue
            name = self._what(detail)
            if detail.task is not None and detail.task in self.where:
                source, by = self.where[detail.task]
                edges.append(Edge(detail.kind, source, by.end, at, found.start, name, by, found))
            elif detail.host is not None and detail.host[0] in self.threads:
                thread, time = self.threads[detail.host[0]], detail.host[1]
                call = _call_at(self.trace.tracks[thread], time)
                edges.append(Edge(detail.kind, thread, time, at, found.start, name, call, found))
        for one, first in self.timeline.forks:
            if one in self.where and first in self.where:
                source, by = self.where[one]
                at, found = self.where[first]
                edges.append(Edge("replay", source, min(by.start + 1, by.end), at, found.start, by.name, by, found))
        last = {(number, s.end): s for number, at in self.streams.items() for s in self.trace.tracks[at].slices}
        for t, time, stream, end in self.timeline.learned:
            by_end = last.get((stream.number, end))
            if t.number in self.threads and by_end is not None and end <= time:  # free threads may lag behind
                thread = self.threads[t.number]
                call = _call_at(self.trace.tracks[thread], time)
                if call is not None and end <= call.start:
                    continue  # it was over before
                if call is not None and call.category == "call" and call.end - call.start > self.sim.host_call_ns:
                    call.category = "sync"
                edges.append(Edge("sync", self.streams[stream.number], end, thread, time, "", by_end, call))
        for served, found in zip(self.timeline.served, self.callbacks, strict=True):
            if served.task is not None and served.task in self.where:
                source, by = self.where[served.task]
                time, thread = min(by.end, served.start), self.threads[served.thread.number]
                edges.append(Edge("callback", source, time, thread, served.start, "", by, found))

    # -- memory and findings -----------------------------------------------------------------------------------------

    def _counters(self) -> None:
        found: dict[int, Counter] = {}
        used: dict[int, int] = {}
        # Threads have clocks of their own: what is noted first need not come first.
        for time, device, taken, size, _, site in sorted(self.timeline.memory, key=lambda row: row[0]):
            counter = found.get(device)
            if counter is None:
                name = "memory" if device >= 0 else "pinned memory"
                counter = found[device] = Counter(name, device if device >= 0 else HOST)
                counter.points.append((self.trace.start, 0, "", None))
            used[device] = used.get(device, 0) + taken
            text = f"{'+' if taken > 0 else '-'} {amount(size)}"
            counter.points.append((time, max(used[device], 0), text, site))
        self.trace.counters = [found[device] for device in sorted(found)]

    def _marks(self) -> None:
        log = self.sim.findings
        for row in self.timeline.findings:
            at = self._track_of(row.finding, row.thread)
            if at is not None:
                self.trace.marks.append(Mark(row.time, at, log[int(row.finding.id[1:]) - 1]))

    def _track_of(self, finding: Finding, thread: int | None) -> int | None:
        """The stream that a finding names, else the thread that was in a call."""
        for text in finding.streams:
            said = (text, *text.split("`")[1::2])
            found = [self.called_too[name] for name in said if name in self.called_too]
            if found:
                return min(found)
        if thread in self.threads:
            return self.threads[thread]
        return 0 if self.trace.tracks else None


def _awaited(gate: Any) -> Waited | None:
    """What a gate waits for, when that is an event or a notify."""
    for kind in ("event", "notify"):
        thing = getattr(gate, kind, None)
        if thing is not None:
            form = "flag" if kind == "event" and not isinstance(gate, RecordGate) else kind
            return Waited(form, Thing(kind, thing.number, thing.site), "", None, None)
    return None


def _nest(track: Track) -> None:
    """Give the calls and callbacks of a thread their depths: what lies inside of what."""
    track.slices.reverse()  # of two that are equal the inner one was over, and noted, first
    track.slices.sort(key=lambda s: (s.start, -s.end))
    open_: list[Slice] = []
    for found in track.slices:
        while open_ and open_[-1].end <= found.start:
            open_.pop()
        found.depth = len(open_)
        track.rows = max(track.rows, found.depth + 1)
        open_.append(found)


def _between(notes: list[tuple[int, str]], start: int, end: int) -> list[tuple[int, str]]:
    """Those of *notes*, which are in the order of time, that were made from *start* to *end*."""
    return notes[bisect_left(notes, start, key=lambda n: n[0]) : bisect_right(notes, end, key=lambda n: n[0])]


def _call_at(track: Track, time: int) -> Slice | None:
    """The innermost call or callback of a thread that had begun before *time* and was not over then."""
    at = bisect_left(track.slices, time, key=lambda s: s.start)
    for found in reversed(track.slices[max(0, at - MOST_CALLS_INSIDE) : at]):
        if found.end >= time:
            return found
    return None
