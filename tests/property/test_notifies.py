"""Notifies: binary flags that one wait consumes (docs/semantics/events.md#notifies), against ``stream_model.py``.

After each call the device is brought to rest, and at most one wait for a notify is outstanding: who of two waiters
goes first is not written for the real device.
"""

from __future__ import annotations

from tests.property.stream_model import LIMITS, LONG, Notify, Stream, StreamMachine
from tests.property.walks import step, walked

NULL, BAD_VALUE, FOREIGN, DEAD, NO_NOTIFIES = 100000, 107000, 107003, 107017, 207009
NONSENSE = 0xDEAD_BEE0
UNLIMITED = 0xFFFF_FFFF


class Notifies(StreamMachine):
    def begin(self) -> None:
        super().begin()
        self.live: list[Notify] = []
        self.dead = [NONSENSE]
        for _ in range(3):
            handle = self.expect(0, "aclrtCreateStream")
            self.streams[handle] = Stream(handle, 0)

    def finish(self) -> None:
        """A record for each waiter, and every stream is through."""
        for notify in self.live:
            if notify.waiting is not None:
                self.record_on(notify, self.free())
        for stream in self.streams.values():
            self.synchronize(stream)

    def free(self) -> Stream:
        """A stream that waits for nothing; there are more streams than notifies."""
        return next(s for s in self.streams.values() if not s.queue)

    def notify(self) -> Notify | None:
        return self.pick(self.live) if self.live else None

    @step(3)
    def create(self) -> None:
        full = len(self.live) >= LIMITS["notifies"]
        handle = self.expect(NO_NOTIFIES if full else 0, "aclrtCreateNotify", 0)
        if not full:
            assert handle and handle not in self.dead
            self.live.append(Notify(handle))

    @step()
    def create_with_a_wrong_flag(self) -> None:
        self.expect(BAD_VALUE, "aclrtCreateNotify", self.pick([2, 3, 0x100]))

    @step()
    def destroy(self) -> None:
        notify = self.notify()
        if notify is not None and notify.waiting is None:
            self.expect(0, "aclrtDestroyNotify", notify.handle)
            self.live.remove(notify)
            self.dead.append(notify.handle)

    def record_on(self, notify: Notify, stream: Stream) -> None:
        waiting = notify.waiting
        self.submit("record", stream, notify, 0, "aclrtRecordNotify", notify.handle, stream.handle)
        self.flush(stream)
        if waiting is not None:
            self.flush(waiting.stream)

    @step(4)
    def record(self) -> None:
        notify = self.notify()
        if notify is not None:
            self.record_on(notify, self.free())

    @step(4)
    def wait(self) -> None:
        notify = self.notify()
        if notify is None or notify.waiting is not None:
            return
        stream = self.free()
        limit = self.pick([0, UNLIMITED, LONG]) if self.timed is None else 0
        arguments = (notify.handle, stream.handle, limit)
        task = self.submit("wait", stream, notify, 0, "aclrtWaitAndResetNotify", *arguments, timed=limit == LONG)
        if task is not None and task.state == "queued":
            notify.waiting = task
        self.flush(stream)

    @step(2)
    def reset_from_the_host(self) -> None:
        notify = self.notify()
        if notify is not None:
            self.expect(0, "aclrtNotifyBatchReset", [notify.handle], 1)
            notify.flag = False

    @step(2)
    def wait_for_a_stream(self) -> None:
        stream = self.stream()
        waiter = next((n for n in self.live if n.waiting is not None and n.waiting.stream is stream), None)
        self.synchronize(stream)
        if waiter is not None and not stream.queue:
            waiter.waiting = None

    @step()
    def drop_a_wait(self) -> None:
        stream = self.stream()
        if not stream.error:
            self.drop(stream)
            self.expect(0, "aclrtStreamAbort", stream.handle)

    @step()
    def use_a_wrong_handle(self) -> None:
        dead, notify = self.pick(self.dead), self.notify()
        for handle, code in ((dead, DEAD), (0, NULL)):
            self.expect(code, "aclrtRecordNotify", handle, 0)
            self.expect(code, "aclrtWaitAndResetNotify", handle, 0, 0)
            self.expect(code, self.pick(["aclrtDestroyNotify", "aclrtGetNotifyId"]), handle)
        self.expect(DEAD, "aclrtNotifyBatchReset", [dead], 1)
        if notify is not None:
            self.expect(FOREIGN, "aclrtRecordNotify", notify.handle, self.foreign.handle)
            self.expect(FOREIGN, "aclrtWaitAndResetNotify", notify.handle, self.foreign.handle, 0)
            self.expect(DEAD, "aclrtRecordNotify", notify.handle, NONSENSE)

    @step()
    def ids_differ(self) -> None:
        ids = [self.expect(0, "aclrtGetNotifyId", notify.handle) for notify in self.live]
        assert len(set(ids)) == len(ids)


@walked(Notifies, walks=60, length=300)
def test_a_notify_is_a_flag_that_one_wait_consumes() -> None:
    """Random calls on two notifies and five streams."""
