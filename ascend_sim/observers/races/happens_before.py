"""The happens-before relation of a run: host threads and tasks with their clocks, and the edges between them.

The edges are those of docs/semantics/happens_before.md#the-edges, and no others. All is done in execution order,
when a task has run: any order that respects the edges gives the same answer. A task costs one attribute store when it is
submitted, and nothing more unless it touches memory, waits or is recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ascend_sim.machine.arrays import np
from ascend_sim.observers.races.vector_clocks import (
    EMPTY,
    STEP,
    HostClock,
    Known,
    Track,
    View,
    enlarged,
    join,
    known_to,
)

if TYPE_CHECKING:
    from ascend_sim.observers.races.accesses import HostCall
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["HappensBefore"]


class HappensBefore:
    """The clocks of one simulator.

    *total*: nobody knows what orders the host threads (the program's own threads run free): their calls are taken to be
    ordered as they came. A lost race, never a false one.
    """

    def __init__(self, total: bool) -> None:
        self.total = total
        self.size = STEP
        """Entries that a view needs for all chains there are."""
        self.chains = 0
        self.hosts: dict[int, HostClock] = {}
        """By the number of the thread."""
        self.multi = False
        """More than one host clock exists."""
        self.when_multi: list[Callable[[], None]] = []
        """Called when that becomes so."""
        self._tracks: dict[Stream, list[Track]] = {}
        self._spare: dict[int, list[tuple[int, int]]] = {}
        """Chains of ended tracks with their last numbers, by the host chain that may have them again."""
        self._services: dict[tuple[int, int, int], HostClock] = {}

    # -- host threads ------------------------------------------------------------------------------------------------

    def host(self, t: HostThread) -> HostClock:
        """The clock of a host thread."""
        clock: HostClock | None = t.knows
        return clock if clock is not None else self.attach(t)

    def attach(self, t: HostThread) -> HostClock:
        """*t* calls for the first time."""
        t.knows = clock = self.clock(t)
        return clock

    def clock(self, t: HostThread) -> HostClock:
        """The clock of a thread that may work with another simulator now.

        If nobody said who started it, it knows what everybody knows by now.
        """
        clock = self.hosts.get(t.number)
        if clock is None and self.total and self.hosts:
            clock = self.hosts[t.number] = next(iter(self.hosts.values()))
        if clock is None:
            clock = HostClock(self.new_chain(), t.name)
            for other in list(self.hosts.values()):
                clock.learn(other.release())
            self._add_host(t.number, clock)
        return clock

    def _add_host(self, number: int, clock: HostClock) -> None:
        self.hosts[number] = clock
        if len(self.hosts) > 1 and not self.multi and not self.total:
            self.multi = True
            for tell in self.when_multi:
                tell()
            for tracks in self._tracks.values():
                for track in tracks:
                    track.note()

    def new_chain(self) -> int:
        """A number for a chain."""
        number = self.chains
        self.chains = number + 1
        if self.chains > self.size:
            self.size *= 2
        return number

    def started(self, parent: HostThread, child: HostThread) -> None:
        """*parent* starts *child*."""
        if self.total:
            self.hosts[child.number] = self.clock(parent)
            return
        clock = self.hosts.get(child.number) or HostClock(self.new_chain(), child.name)
        clock.learn(self.clock(parent).release())
        self._add_host(child.number, clock)

    def joined(self, child: HostThread, t: HostThread) -> bool:
        """*t* has seen *child* end. False when it knew all that that did."""
        clock, mine = self.hosts.get(child.number), self.clock(t)
        if clock is None or clock is mine:
            return False
        return mine.learn(Known(clock.c, clock.c, clock.q, clock.view))  # it does nothing more: its number stays

    def handed_on(self, earlier: Task | HostCall, later: Task | HostCall) -> bool:
        """Whether an order of two host threads alone would order the two: another thread than that of *later* knows
        *earlier*, or both are tasks of a stream that threads share."""
        mine = self.clock(later.thread)
        for clock in (*self.hosts.values(), *self._services.values()):
            if clock is not mine and (
                (earlier.c == clock.c and earlier.q <= clock.q) or known_to(clock.view, earlier.c, earlier.q)
            ):
                return True
        stream = getattr(earlier, "stream", None)
        return earlier.thread is not later.thread and stream is not None and stream is getattr(later, "stream", None)

    def begin_again(self) -> None:
        """This is the child of a fork: its threads go on as chains of their own, which know all that was known."""
        for clock in dict.fromkeys([*self.hosts.values(), *self._services.values()]):
            known = clock.release()
            clock.c = self.new_chain()
            clock.view = known.added_to(clock.view)
        for stream in self._tracks:
            stream.track = None
        self._tracks.clear()
        self._spare.clear()

    # -- tasks -------------------------------------------------------------------------------------------------------
    # What the submitter knows is put into the task by `Stream.submit` itself: `know` and `q`.

    def at(self, task: Task) -> Track:
        """The track of *task*, at it: what precedes it is joined; its own entries are not written yet."""
        track: Track | None = task.stream.track
        if track is None or track.thread is not task.thread:
            track = self._switch(task)
        q = task.q
        if track.q != q:
            track.q = q
            track.settled = False
            task.c = track.c
            know = task.know
            if know is not track.know:
                track.know = know
                track.view = join(track.view, know)
                track.frozen = False
            if track.others:
                before = track.view
                for other in track.others:
                    self._follow(track, other, know)
                if track.view is not before:
                    track.note()
            if track.pending:
                self._catch_up(track)
        return track

    def view(self, task: Task) -> View:
        """What *task* knows, with an entry for every chain. The hot path of accesses."""
        track: Track | None = task.stream.track
        if track is None or track.q != task.q or track.thread is not task.thread:
            track = self.at(task)
        if track.settled and len(track.view) >= self.size:
            return track.view
        return track.settle(self.size)

    def _switch(self, task: Task) -> Track:
        stream, thread = task.stream, task.thread
        host = self.host(thread)
        if not hasattr(task, "q"):  # it was submitted before anybody listened
            task.q, task.know = 1, EMPTY
        tracks = self._tracks.setdefault(stream, [])
        for track in tracks:
            if track.host is host:
                break
        else:
            track = Track(self._spare_chain(host, task.know), host, stream, thread)
            for other in tracks:
                other.others.append(track)
            track.others = list(tracks)
            tracks.append(track)
        track.thread = thread
        stream.track = track
        return track

    def _spare_chain(self, host: HostClock, know: View) -> int:
        """A number for a new track: that of an ended one, if the first task knows all that had it; else a new one."""
        spare = self._spare.get(host.c)
        if spare and known_to(know, *spare[-1]):
            return spare.pop()[0]
        return self.new_chain()

    def _follow(self, track: Track, other: Track, know: View) -> None:
        """FIFO, but only as far as the submitter knew (docs/semantics/happens_before.md#inside-a-stream)."""
        number = know[other.host.c] if other.host.c < len(know) else 0
        if not number or known_to(track.view, other.c, number):
            return
        track.view = Known(other.c, other.c, number, other.upto(number)).added_to(track.view)
        track.frozen = False

    def _catch_up(self, track: Track) -> None:
        """Records whose waits were dropped order the tasks that were queued after the call."""
        pending, track.pending = track.pending, []
        view = track.upto(pending[0][0])
        for number, record in pending:
            known = self.known_at(record) if record.done and track.q > number else None
            if known is not None:
                view = known.added_to(view)
                track.note(number + 1, view)
                track.view = known.added_to(track.view)
                track.frozen = track.settled = False
            elif track.q <= number:
                track.pending.append((number, record))
        track.note()

    def follow_record(self, track: Track, record: Task) -> bool:
        """The task at which *track* is follows *record*. False when it did anyhow."""
        if self._follows(track.view, record):
            return False
        known = self.known_at(record)
        return known is not None and track.acquire(known)

    def _follows(self, view: View, record: Task) -> bool:
        """Whether *view* knows *record*."""
        source: Track | None = record.stream.track
        if source is None or source.thread is not record.thread:
            return False
        try:
            return source.c < len(view) and bool(view[source.c] >= record.q)
        except AttributeError:  # it was submitted before anybody listened
            return True

    def track_of(self, task: Task) -> Track | None:
        """The track of *task*, if one of its tasks was looked at; also of a stream that has ended."""
        track: Track | None = task.stream.track
        if track is None or track.thread is task.thread:
            return track
        host = self.host(task.thread)
        return next((other for other in (track, *track.others) if other.host is host), None)

    def known_at(self, task: Task) -> Known | None:
        """What follows from knowing that *task* is done; None when nobody listened when it was submitted.

        Nobody looks at most records when they run. What one covers is known later, too: what its submitter knew, and
        the waits before it on its stream.
        """
        try:
            know, q = task.know, task.q
        except AttributeError:
            return None
        track = self.track_of(task)
        if track is None:  # nothing there has touched anything
            host = self.host(task.thread).c
            return Known(host, host, q, know)
        view = track.upto(q)
        if view is not know:
            view = join(view, know)
        known = Known(track.c, track.host.c, q, view)
        for number, record in track.pending:  # of waits that were dropped, and no task looked at since
            if number < q and record.done and not self._follows(view, record):
                other = self.known_at(record)
                if other is not None:
                    known.view = other.added_to(known.view)
        return known

    def wait_passed(self, task: Task, record: Task) -> None:
        """A wait for *record* is over. Nothing is to be done when the stream knows the record already."""
        track: Track | None = task.stream.track
        if track is not None and track.thread is task.thread and self._follows(track.view, record):
            return
        self.follow_record(self.at(task), record)

    def dropped_wait(self, t: HostThread, stream: Stream, record: Task) -> None:
        """A wait of *stream* was dropped since *record* is done or on the same stream: it orders what is queued next."""
        host = self.host(t)
        for track in self._tracks.get(stream, ()):
            if track.host is host:
                if not (record.done and self._follows(track.view, record)):
                    track.pending.append((host.q, record))
                return
        pretended = _Pretended(stream, t)
        self._switch(pretended).pending.append((host.q, record))  # type: ignore[arg-type]

    def recorded(self, task: Task, time: int = 0) -> None:
        """A record of one of several threads, a flag or a callback that does not block is done: keep what it covers."""
        track: Track | None = task.stream.track
        if track is None or track.thread is not task.thread or track.others or track.pending:
            track = self.at(task)
        else:
            track.q = task.q
            track.settled = False
            task.c = track.c
            know = task.know
            if know is not track.know:
                track.know = know
                track.view = join(track.view, know)
        track.frozen = True
        task.know = track.view

    # -- the host learns of the device -------------------------------------------------------------------------------

    def waited(self, t: HostThread, stream: Stream) -> bool:
        """*t* has seen all end that it had queued on *stream*, or knew to be queued. True when that told it anything."""
        tracks = self._tracks.get(stream)
        if not tracks:
            return False
        host = self.host(t)
        news = False
        for track in tracks:
            if track.host is host:
                if track.q and not known_to(host.view, track.c, track.q):
                    news |= host.learn(track.known())
                for _, record in track.pending:  # a wait that was dropped orders this as well
                    known = self.known_at(record)
                    if known is not None and record.done:
                        news |= host.learn(known)
                continue
            number = host.view[track.host.c] if track.host.c < len(host.view) else 0
            if number and not known_to(host.view, track.c, number):
                news |= host.learn(Known(track.c, track.c, number, track.upto(number)))
        return news

    # -- callbacks ---------------------------------------------------------------------------------------------------

    def body_starts(self, t: HostThread, task: Task) -> None:
        """A callback of *task* begins on *t*: it follows the tasks before, and what the submitter knew."""
        if t.service and not self.total:
            self._serve(t, task)
        host = self.host(t)
        if task.op.hosted:
            known = self.at(task).known()
            known.q = task.q - 1  # the task itself ends with the body
            host.learn(known)
        else:
            done = self.known_at(task)
            if done is not None:
                host.learn(done)

    def body_ends(self, t: HostThread, task: Task) -> None:
        """It returned: what blocks goes on after it."""
        if task.op.hosted:
            self.at(task).acquire(self.host(t).release())

    def serves(self, number: int) -> bool:
        """Whether the thread of this *number* is the runtime's own, which runs callbacks."""
        return any(key[0] == number for key in self._services)

    def _serve(self, t: HostThread, task: Task) -> None:
        """The runtime's own thread serves several streams, in an order that means nothing: a clock for each.

        On a stream that threads share, for each of them: only what one knew of the other is ordered.
        """
        key = (t.number, task.stream.number, task.thread.number)
        clock = self._services.get(key)
        if clock is None:
            clock = self._services[key] = HostClock(self.new_chain(), t.name)
        self._add_host(t.number, clock)
        t.knows = clock

    # -- ends and the floor ------------------------------------------------------------------------------------------

    def stream_ended(self, stream: Stream) -> None:
        """A stream is gone; a thread that knows all of its chain there may have the number again."""
        for track in self._tracks.pop(stream, ()):
            if not track.others and track.q and known_to(track.host.view, track.c, track.q):
                self._spare.setdefault(track.host.c, []).append((track.c, track.q))

    def floor(self, alive: set[int], busy: Sequence[Stream]) -> View:
        """For each chain the least number that all who go on know: threads *alive* (numbers), streams with tasks queued."""
        least = np.full(self.size, np.iinfo(np.int64).max, np.int64)
        views: list[View] = []
        hosts = [clock for number, clock in self.hosts.items() if number in alive]
        for clock in dict.fromkeys([*hosts, *self._services.values()]):
            mine = enlarged(clock.view, self.size)
            mine[clock.c] = clock.q
            views.append(mine)
        for stream in busy:
            firsts = {task.thread.number: task for task in reversed(stream.queue)}  # the first one of each thread
            for task in firsts.values():
                host = self.host(task.thread)
                known = join(getattr(task, "know", EMPTY), EMPTY)
                for track in self._tracks.get(stream, ()):
                    if track.host is host:
                        known = join(known, track.view)
                known = enlarged(known, self.size)
                known[host.c] = getattr(task, "q", 0)
                views.append(known)
        for view in views:
            np.minimum(least, view[: self.size], out=least)
        return least.data

    def numbers(self, track: Track) -> list[int]:
        """The numbers of a track's tasks that were looked at, as far as they are kept."""
        kept = track.numbers
        return [*kept, track.q] if track.q and track.q not in kept else kept


class _Pretended:
    """A task that only names a stream and a thread."""

    def __init__(self, stream: Stream, thread: HostThread) -> None:
        self.stream = stream
        self.thread = thread
        self.q = 1
        self.know = EMPTY
