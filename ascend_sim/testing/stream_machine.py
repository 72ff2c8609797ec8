"""Streams and events at random, with data whose every byte is known: does the code between keep the order?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import Bundle, consumes, precondition, rule

from ascend_sim.testing.ordering import Snapshot
from ascend_sim.testing.runtime_machine import BaseMachine, RuntimeStateMachine

__all__ = ["StreamStateMachine"]

MAKERS = {
    "C.aclrtCreateEvent()": "auto", "C.aclrtCreateEventExWithFlag(1)": "ex", "C.aclrtCreateEventExWithFlag(9)": "ex",
}  # fmt: skip


class StreamStateMachine(RuntimeStateMachine):
    """The rules of `RuntimeStateMachine`, and events: records, waits, queries, host waits, in any order that is correct.

    After each wait of the host the bytes must be those that the program wrote, under every schedule. To send the calls
    through a library of your own, change the lines in *calls*: ``calls = {**StreamStateMachine.calls, "record":
    "mine.record({event}, {stream})"}``, and bring `mine` in with `imports` and `script_names`. A line that assigns to
    ``ret`` must leave 0 there.
    """

    calls: ClassVar[dict[str, str]] = {
        "record": "ret = C.aclrtRecordEvent({event}, {stream})",
        "wait": "ret = C.aclrtStreamWaitEvent({stream}, {event})",
        "synchronize_event": "ret = C.aclrtSynchronizeEvent({event})",
        "query_event": "status, ret = C.aclrtQueryEventStatus({event})",
        "query_stream": "status, ret = C.aclrtStreamQuery({stream})",
    }
    most_events: ClassVar[int] = 5
    states: ClassVar[Sequence[str]] = (
        "a wait for a record that is not over", "a wait for a record that is over",
        "an event is recorded again while a stream waits for it", "an event is destroyed while a stream waits for it",
        "a query says not yet", "a query says done", "a stream waits for a destroyed one",
    )  # fmt: skip

    streams = RuntimeStateMachine.streams
    events = Bundle("events")

    def __init__(self) -> None:
        super().__init__()
        self.records: dict[int, tuple[int, Snapshot]] = {}
        """Event -> the stream of its newest record, and what that comes after."""
        self._made = 0
        self._awaited: dict[int, list[tuple[int, int]]] = {}
        """Event -> (stream, its task) of the waits for it."""

    def say(self, call: str, stream: int = 0, event: int = 0) -> int:
        """Run a line of `calls`; the value of its first variable."""
        names = {"stream": self.names.get(stream, "0"), "event": self.names.get(event, "0")}
        return int(self.run(self.calls[call].format(**names)) or 0)

    @precondition(lambda self: self._made < self.most_events)
    @rule(target=events, maker=st.sampled_from(sorted(MAKERS)), stream=st.one_of(st.none(), BaseMachine.streams))
    def create_event(self, maker: str, stream: int | None) -> int:
        """An event whose waits are bound to its newest record; most programs record it at once."""
        self._made += 1
        made = self.make("e", maker)
        if stream is not None:
            self.record_event(made, stream)
        return made

    @rule(event=consumes(events))
    def destroy_event(self, event: int) -> None:
        """Destroy an event; waits that are queued stay."""
        if self._waited_for(event):
            self.reach("an event is destroyed while a stream waits for it")
        self.run(f"ret = C.aclrtDestroyEvent({self.names[event]})")
        self.records.pop(event, None)
        self._awaited.pop(event, None)
        self._made -= 1

    @rule(event=events, stream=BaseMachine.streams)
    def record_event(self, event: int, stream: int) -> None:
        """Record an event, perhaps again."""
        if self._waited_for(event):
            self.reach("an event is recorded again while a stream waits for it")
        self.say("record", stream, event)
        self.records[event] = stream, self.ordering.record(stream)

    @rule(event=events, stream=BaseMachine.streams)
    def wait_event(self, event: int, stream: int) -> None:
        """Let a stream wait for the newest record of an event."""
        if event not in self.records or self.records[event][0] == stream:
            return
        source, record = self.records[event]
        over = not self.busy(source)
        self.reach(f"a wait for a record that is {'' if over else 'not '}over")
        if source not in self.alive:
            self.reach("a stream waits for a destroyed one")
        self.say("wait", stream, event)
        self.ordering.wait(stream, record)
        self._awaited.setdefault(event, []).append((stream, self.ordering.done[stream]))

    @rule(
        event=events, source=BaseMachine.streams, stream=BaseMachine.streams, address=RuntimeStateMachine.buffers,
        again=st.booleans(),
    )  # fmt: skip
    def pass_on(self, event: int, source: int, stream: int, address: int, again: bool) -> None:
        """One stream writes a buffer and records, another waits for that and writes: the everyday use of an event.

        *again*: the event is recorded once more, which must not change what the wait was bound to.
        """
        if source == stream:
            return
        self.fill(address, source)
        self.record_event(event, source)
        self.wait_event(event, stream)
        if again:
            self.record_event(event, stream)
        self.fill(address, stream)

    @rule(event=events, source=consumes(BaseMachine.streams), stream=BaseMachine.streams)
    def outlive(self, event: int, source: int, stream: int) -> None:
        """A record outlives its stream."""
        self.record_event(event, source)
        self.destroy_stream(source)
        if stream != source:
            self.wait_event(event, stream)

    def _waited_for(self, event: int) -> bool:
        return any(
            self.busy(stream) and self.ordering.host.get(stream, 0) < number
            for stream, number in self._awaited.get(event, ())
        )

    def order_after(self, stream: int, other: int) -> None:
        """Record an event on *other* and let *stream* wait for it, through the lines of `calls`."""
        made = self.make("e", "C.aclrtCreateEventExWithFlag(1)")
        self.say("record", other, made)
        record = self.ordering.record(other)
        self.say("wait", stream, made)
        self.ordering.wait(stream, record)
        if self.busy(stream):
            self.reach("an event is destroyed while a stream waits for it")
        self.run(f"ret = C.aclrtDestroyEvent({self.names[made]})")

    @precondition(lambda self: any(map(self.busy, self.alive)))
    @rule(event=events)
    def synchronize_event(self, event: int) -> None:
        """The host waits for an event."""
        self.say("synchronize_event", event=event)
        if event in self.records:
            self.ordering.heard(self.records[event][1])

    @precondition(lambda self: any(map(self.busy, self.alive)))
    @rule(event=events)
    def query_event(self, event: int) -> None:
        """Ask for the newest record; what the host has waited for must be done."""
        if event not in self.records:
            return
        known = self.ordering.is_known(self.records[event][1])
        status = self.say("query_event", event=event)
        self.reach("a query says done" if status else "a query says not yet")
        if known:
            self.run("assert status == 1, 'the host has waited for this record'")

    @precondition(lambda self: any(map(self.busy, self.alive)))
    @rule(stream=BaseMachine.streams)
    def query_stream(self, stream: int) -> None:
        """Ask whether a stream has work left."""
        done = not self.say("query_stream", stream)
        self.reach("a query says done" if done else "a query says not yet")
