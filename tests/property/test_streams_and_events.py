"""Streams and events: every code, and every answer of a query that the page settles, against ``stream_model.py``."""

from __future__ import annotations

from tests.property.stream_model import AUTO, EX, LEVEL, LIMITS, LONG, STAMP, Event, Stream, StreamMachine
from tests.property.walks import step, walked

NULL, BAD_VALUE, FOREIGN, DEAD, UNSUPPORTED = 100000, 107000, 107003, 107017, 207000
NO_EVENTS, NO_STREAMS = 207007, 207008
STREAM_TIMEOUT, EVENT_TIMEOUT, NOT_COMPLETE, NEVER = 507046, 507047, 107006, 507000
NONSENSE = 0xDEAD_BEE0


class StreamsAndEvents(StreamMachine):
    def begin(self) -> None:
        super().begin()
        self.dead_streams, self.dead_events = [NONSENSE], [NONSENSE]
        self.events: list[Event] = []
        self.all_events: list[Event] = []

    def finish(self) -> None:
        """Release every wait: then all that was not dropped is complete."""
        for event in self.events:
            if event.family == LEVEL and any(w.state == "queued" for _, w in event.waits):
                stuck = [s for s in self.streams.values() if not s.queue]
                if stuck:
                    self.submit("record", stuck[0], event, 0, "aclrtRecordEvent", event.handle, stuck[0].handle)
        for stream in self.streams.values():
            if not stream.queue:
                self.synchronize(stream)

    # -- choices ----------------------------------------------------------------------------------------------------

    def event(self) -> Event | None:
        return self.pick(self.events) if self.events else None

    # -- streams ----------------------------------------------------------------------------------------------------

    @step(2)
    def create_stream(self) -> None:
        full = len(self.streams) + 2 >= LIMITS["streams"]  # the other context has a default stream and one more
        handle = self.expect(NO_STREAMS if full else 0, "aclrtCreateStream")
        if not full:
            assert handle not in self.streams
            self.streams[handle] = Stream(handle, 0)
        assert self.expect(0, "aclrtGetStreamAvailableNum") == LIMITS["streams"] - len(self.streams) - 2

    @step(4)
    def synchronize_stream(self) -> None:
        self.synchronize(self.stream())

    @step(2)
    def synchronize_stream_for_a_while(self) -> None:
        stream, timeout = self.stream(), self.pick([1, 3, 0, -2])
        if timeout <= 0:
            self.expect(BAD_VALUE, "aclrtSynchronizeStreamWithTimeout", stream.handle, timeout)
        else:
            self.flush(stream)

    @step()
    def synchronize_device(self) -> None:
        mine = [*list(self.streams.values())[1:], self.streams[0]]
        if any(s.queue for s in mine):
            if not any(s.error for s in mine):
                self.expect(STREAM_TIMEOUT, "aclrtSynchronizeDeviceWithTimeout", 1)
            return
        self.expect(next((s.error for s in mine if s.error), 0), "aclrtSynchronizeDevice")
        for stream in mine:
            stream.error = 0
            self.know(stream.last)

    @step(2)
    def query_stream(self) -> None:
        stream = self.stream()
        status = self.expect(0, "aclrtStreamQuery", stream.handle)
        if stream.queue:
            assert status == 1, "tasks that wait for ever are outstanding"
        elif stream.last is None or stream.last.known:
            assert status == 0, "the host has waited for everything"

    @step()
    def destroy_stream(self) -> None:
        stream = self.stream()
        if not stream.handle:
            self.expect(NULL, "aclrtDestroyStream", 0)
        elif self.wait_for(stream, "aclrtDestroyStream", (stream.handle,), 0):
            self.expect(0, "aclrtDestroyStream", stream.handle)
            self.know(stream.last)
            self.dead_streams.append(stream.handle)
            del self.streams[stream.handle]

    @step()
    def drop_what_is_queued(self) -> None:
        stream = self.stream()
        self.flush(stream)
        if stream.error:
            return
        destroy = self.pick([True, False]) and stream.handle
        self.drop(stream)
        self.expect(0, "aclrtDestroyStreamForce" if destroy else "aclrtStreamAbort", stream.handle)
        if destroy:
            self.dead_streams.append(stream.handle)
            del self.streams[stream.handle]

    @step(2)
    def use_a_wrong_stream(self) -> None:
        event = self.event()
        dead, foreign = self.pick(self.dead_streams), self.foreign.handle
        for name in ("aclrtSynchronizeStream", "aclrtStreamQuery", "aclrtDestroyStream", "aclrtStreamGetId"):
            self.expect(DEAD, name, dead)
        self.expect(FOREIGN, self.pick(["aclrtDestroyStream", "aclrtDestroyStreamForce"]), foreign)
        self.expect(0, self.pick(["aclrtSynchronizeStream", "aclrtStreamQuery", "aclrtStreamGetId"]), foreign)
        if event is not None:
            self.expect(DEAD, "aclrtRecordEvent", event.handle, dead)
            self.expect(FOREIGN, "aclrtRecordEvent", event.handle, foreign)
            if event.family == LEVEL or (event.family in (AUTO, EX) and event.latest is not None):
                self.expect(FOREIGN, "aclrtStreamWaitEvent", foreign, event.handle)

    # -- events -----------------------------------------------------------------------------------------------------

    def ids(self) -> tuple[int, int]:
        counts = [event.ids() for event in self.all_events]
        return sum(low for low, _ in counts), sum(high for _, high in counts)

    def id_code(self) -> int:
        """Whether a hardware event is left: 0, 207007, or -1 where the page leaves that open."""
        low, high = self.ids()
        if high < LIMITS["events"]:
            return 0
        return NO_EVENTS if low >= LIMITS["events"] else -1

    @step(3)
    def create_event(self) -> None:
        family, flag = self.pick([(AUTO, None), (EX, 1), (LEVEL, 1), (EX, 9), (LEVEL, 9), (STAMP, 8), (LEVEL, 1)])
        name = {AUTO: "aclrtCreateEvent", EX: "aclrtCreateEventExWithFlag"}.get(family, "aclrtCreateEventWithFlag")
        arguments = () if flag is None else (flag,)
        code = self.id_code() if family == LEVEL else 0
        if code < 0 or len(self.events) > 6:
            return
        handle = self.expect(code, name, *arguments)
        if code == 0:
            event = Event(handle, family, flag != 1)
            self.events.append(event)
            self.all_events.append(event)

    @step(5)
    def record(self) -> None:
        event, stream = self.event(), self.stream()
        if event is None:
            return
        code = self.id_code() if event.family in (AUTO, EX) else 0
        if code < 0:
            return
        gate = event if event.family == LEVEL else None
        task = self.submit("record", stream, gate, code, "aclrtRecordEvent", event.handle, stream.handle)
        if task is not None:
            event.latest = task
            event.records.append(task)

    @step(5)
    def wait(self) -> None:
        event, stream = self.event(), self.stream()
        if event is None:
            return
        record, family = event.latest, event.family
        if family == STAMP or (record is None and family in (AUTO, EX)):
            code = {STAMP: UNSUPPORTED, AUTO: BAD_VALUE, EX: 0}[family]
            self.expect(code, "aclrtStreamWaitEvent", stream.handle, event.handle)
            return
        if family == LEVEL:
            timed = self.timed is None and self.pick([True, False, False])
            extra = (LONG,) if timed else ()
            name = "aclrtStreamWaitEventWithTimeout" if timed else "aclrtStreamWaitEvent"
            task = self.submit("wait", stream, event, 0, name, stream.handle, event.handle, *extra, timed=timed)
            if task is not None:
                event.waits.append((None, task))
            return
        assert record is not None
        if record.state == "done" and not record.known:
            self.synchronize_event_with(event)
        same = family == EX and record.stream is stream
        if same and record.state == "dropped":
            return  # not written
        if record.known or same:
            self.expect(0, "aclrtStreamWaitEvent", stream.handle, event.handle)  # dropped: nothing is queued
        else:
            name = "aclrtStreamWaitEvent"
            task = self.submit("wait", stream, record, 0, name, stream.handle, event.handle)
            if task is not None:
                event.waits.append((record, task))

    @step()
    def reset(self) -> None:
        event, stream = self.event(), self.stream()
        if event is None or event.family == AUTO:
            return  # aclrtCreateEvent: accepted, documented as undefined
        if event.family != LEVEL:
            self.expect(UNSUPPORTED, "aclrtResetEvent", event.handle, stream.handle)
        elif not any(s.queue for s in self.streams.values()):
            for other in self.streams.values():
                self.synchronize(other)
            self.submit("reset", stream, event, 0, "aclrtResetEvent", event.handle, stream.handle)
            self.synchronize(stream)

    @step()
    def destroy_event(self) -> None:
        event = self.event()
        if event is not None:
            self.expect(0, "aclrtDestroyEvent", event.handle)
            self.events.remove(event)
            self.dead_events.append(event.handle)
            event.alive = False

    @step()
    def use_a_wrong_event(self) -> None:
        dead = self.pick(self.dead_events)
        for event, code in ((dead, DEAD), (0, NULL)):
            self.expect(code, self.pick(["aclrtRecordEvent", "aclrtResetEvent"]), event, 0)
            self.expect(code, "aclrtStreamWaitEvent", 0, event)
            name = self.pick(["aclrtQueryEvent", "aclrtQueryEventStatus", "aclrtSynchronizeEvent", "aclrtDestroyEvent"])
            self.expect(code, name, event)

    # -- what the host sees -----------------------------------------------------------------------------------------

    def seen(self, event: Event) -> bool | None:
        """Whether the newest record is complete; None when either answer is right."""
        record = event.latest
        assert record is not None
        return False if record.state != "done" else True if record.known else None

    @step(3)
    def query_event(self) -> None:
        event = self.event()
        if event is None:
            return
        seen = None if event.latest is None else self.seen(event)
        status = self.expect(0, "aclrtQueryEventStatus", event.handle)
        if event.latest is None:
            assert status == int(event.family == EX)
        elif seen is not None:
            assert status == int(seen)
        if event.family == EX:
            self.expect(UNSUPPORTED, self.pick(["aclrtQueryEvent", "aclrtQueryEventWaitStatus"]), event.handle)
            return
        status = self.expect(0, "aclrtQueryEvent", event.handle)
        assert event.latest is not None or status == 0
        assert seen is None or status == int(not seen)
        waiting = self.expect(0, "aclrtQueryEventWaitStatus", event.handle)
        states = [(w.state, w.known) for _, w in event.waits]
        if any(state == "queued" for state, _ in states):
            assert waiting == 1
        elif all(known for _, known in states):
            assert waiting == 0

    def synchronize_event_with(self, event: Event) -> None:
        self.expect(0, "aclrtSynchronizeEvent", event.handle)
        self.know(event.latest)

    @step(2)
    def synchronize_event(self) -> None:
        event = self.event()
        if event is None:
            return
        timeout = self.pick([None, 2, 0, -2])
        if timeout in (0, -2):
            if event.latest is None or event.latest.known:
                return  # whether the limit is looked at when there is nothing to wait for is not written
            self.expect(BAD_VALUE, "aclrtSynchronizeEventWithTimeout", event.handle, timeout)
            return
        record = event.latest
        if record is None or record.state == "done":
            self.synchronize_event_with(event)
        elif timeout:
            self.expect(EVENT_TIMEOUT, "aclrtSynchronizeEventWithTimeout", event.handle, timeout)
        else:
            passed = self.let_time_pass()
            if record.state == "done":
                self.synchronize_event_with(event)
            else:
                self.waits_for_ever("aclrtSynchronizeEvent", event.handle)
                if passed:
                    self.stopped = True

    @step()
    def elapsed_time(self) -> None:
        first, second = self.event(), self.event()
        if first is None or second is None:
            return
        codes = set()
        for event in (first, second):
            if event.latest is None:
                codes.add(NEVER)
            elif self.seen(event) is None:
                return
            else:
                codes.add(0 if self.seen(event) and event.timed else NOT_COMPLETE)
        failures = codes - {0}
        if len(failures) < 2:
            self.expect(failures.pop() if failures else 0, "aclrtEventElapsedTime", first.handle, second.handle)


@walked(StreamsAndEvents, walks=100, length=400)
def test_every_code_and_status_of_streams_and_events_is_the_one_of_the_page() -> None:
    """Random calls on few streams with short queues and few hardware events."""
