"""Devices and contexts against a model written from docs/semantics/process.md and docs/semantics/layers.md#last-error.

The model is the page in code: counts of aclrtSetDevice, what each host thread has current, which streams died with
which context. Several host threads take turns, so that contexts die under threads that still have them current.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any

from hypothesis import note

from ascend_sim import Simulator
from tests.kit.forks import HANG
from tests.property.walks import Machine, step, walked

DEVICES = 2
THREADS = 3
NULL, BAD_VALUE, BAD_DEVICE, NO_CONTEXT, FOREIGN_STREAM, DEAD_HANDLE = 100000, 107000, 107001, 107002, 107003, 107017
RELEASED = 507007
NONSENSE = 0xDEAD_BEE0


class Hand(threading.Thread):
    """A host thread that makes one API call at a time, when it is told to."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.orders: queue.SimpleQueue[Callable[[], Any] | None] = queue.SimpleQueue()
        self.answers: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()
        self.start()

    def run(self) -> None:
        while (order := self.orders.get()) is not None:
            try:
                self.answers.put((order(), None))
            except BaseException as error:  # noqa: BLE001 - handed to the test, which raises it
                self.answers.put((None, error))

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        self.orders.put(lambda: function(*arguments))
        value, error = self.answers.get(timeout=HANG)
        if error is not None:
            raise error
        return value

    def stop(self) -> None:
        self.orders.put(None)
        self.join(HANG)
        assert not self.is_alive()


class ModelContext:
    """A context as the page describes it; a primary one lives while its device is set."""

    def __init__(self, device: int, primary: bool) -> None:
        self.device = device
        self.primary = primary
        self.alive = not primary
        self.handle = 0
        self.default = 0
        self.streams: set[int] = set()


class ModelThread:
    """Nothing, an explicit context, or a binding to a device's primary context; and the last error."""

    def __init__(self) -> None:
        self.explicit: ModelContext | None = None
        self.bound: int | None = None
        self.by_handle = False
        """The primary context was selected by its handle: whether a later reset of another device takes that away like
        a binding is not written (7.2 against 7.4), so the machine does not go there."""
        self.last_error = 0


class DevicesAndContexts(Machine):
    def begin(self) -> None:
        self.sim = Simulator(devices=DEVICES, checks="memory").open()
        self.hands: dict[int, Hand] = {}
        self.threads = [ModelThread() for _ in range(THREADS)]
        self.count = [0] * DEVICES
        self.primary = [ModelContext(device, True) for device in range(DEVICES)]
        self.known: dict[int, ModelContext] = {}
        self.owner: dict[int, ModelContext] = {}
        self.streams: list[int] = []

    def end(self) -> None:
        for hand in self.hands.values():
            hand.stop()
        self.sim.close()

    # -- the model --------------------------------------------------------------------------------------------------

    def current(self, t: ModelThread) -> ModelContext | None:
        """What is current; a binding or context that turns out to be dead is let go (7.5)."""
        found = None
        if t.explicit is not None:
            found = t.explicit if t.explicit.alive else None
        elif t.bound is not None and self.count[t.bound]:
            found = self.primary[t.bound]
        if found is None:
            t.explicit = t.bound = None
        return found

    def die(self, context: ModelContext) -> None:
        context.alive = False
        for stream in (*context.streams, context.default):
            self.owner.pop(stream, None)
        context.streams = set()
        context.default = 0

    def tear_down(self, t: ModelThread, device: int) -> None:
        self.count[device] = 0
        self.die(self.primary[device])
        t.bound = None  # also when it points to another device (7.2)

    def unsettled(self, t: ModelThread, device: int) -> bool:
        return t.by_handle and t.bound is not None and t.bound != device

    # -- choices ----------------------------------------------------------------------------------------------------

    def thread(self) -> ModelThread:
        """The thread that makes the next call."""
        number = self.pick(range(THREADS))
        if number not in self.hands:
            self.hands[number] = Hand()
        self.hand = self.hands[number]
        note(f"thread {number}:")
        return self.threads[number]

    def device(self) -> tuple[int, bool]:
        device = self.pick([0, 1, 0, 1, 0, 1, -1, DEVICES])
        return device, 0 <= device < DEVICES

    def context(self) -> int:
        return self.pick([*self.known][-6:] + [0, NONSENSE])

    def stream(self) -> int:
        return self.pick([*self.streams[-6:], *list(self.owner)[-2:], 0, NONSENSE])

    def call(self, t: ModelThread, expected: int, name: str, *arguments: Any, stored: bool = True) -> Any:
        output = self.expect(expected, name, *arguments, call=self.hand.call)
        if stored and expected not in (0, NULL):
            t.last_error = expected
        return output

    # -- devices ----------------------------------------------------------------------------------------------------

    @step(3)
    def set_device(self) -> None:
        t, (device, good) = self.thread(), self.device()
        self.call(t, 0 if good else BAD_DEVICE, "aclrtSetDevice", device)
        if good:
            self.count[device] += 1
            self.primary[device].alive = True
            t.explicit, t.bound, t.by_handle = None, device, False

    @step(2)
    def reset_device(self) -> None:
        t, (device, good) = self.thread(), self.device()
        count = self.count[device] if good else 0
        if count == 1 and self.unsettled(t, device):
            return
        self.call(t, BAD_DEVICE if not good else 0 if count else RELEASED, "aclrtResetDevice", device)
        if count == 1:
            self.tear_down(t, device)
        elif count:
            self.count[device] -= 1

    @step()
    def reset_device_force(self) -> None:
        t, (device, good) = self.thread(), self.device()
        count = self.count[device] if good else 0
        if count and self.unsettled(t, device):
            return
        expected = BAD_DEVICE if not good else 0 if count else RELEASED
        self.call(t, expected, "aclrtResetDeviceForce", device, stored=False)
        if count:
            self.tear_down(t, device)

    @step()
    def primary_state(self) -> None:
        t, (device, good) = self.thread(), self.device()
        _, active = self.call(t, 0 if good else BAD_DEVICE, "aclrtGetPrimaryCtxState", device)
        if good:
            assert active == int(self.count[device] > 0)

    @step(2)
    def get_device(self) -> None:
        t = self.thread()
        context = self.current(t)
        device = self.call(t, 0 if context else NO_CONTEXT, "aclrtGetDevice", stored=False)
        if context:
            assert device == context.device

    # -- contexts ---------------------------------------------------------------------------------------------------

    @step(2)
    def create_context(self) -> None:
        t, (device, good) = self.thread(), self.device()
        handle = self.call(t, 0 if good else BAD_DEVICE, "aclrtCreateContext", device)
        if not good:
            assert handle == 0
            return
        assert handle and handle not in self.known, "handles are truthy and not given out twice"
        context = ModelContext(device, False)
        self.known[handle] = t.explicit = context
        t.bound = None

    @step(2)
    def get_current_context(self) -> None:
        t = self.thread()
        context = self.current(t)
        handle = self.call(t, 0 if context else NO_CONTEXT, "aclrtGetCurrentContext", stored=False)
        if context is not None and context.primary:
            assert handle == context.handle or not context.handle, "a primary context stays the same object (7.3)"
            context.handle = handle
            self.known[handle] = context
        elif context is not None:
            assert self.known[handle] is context

    @step(3)
    def set_current_context(self) -> None:
        t, handle = self.thread(), self.context()
        context = self.known.get(handle)
        alive = context is not None and context.alive
        self.call(t, NULL if not handle else 0 if alive else BAD_VALUE, "aclrtSetCurrentContext", handle)
        if alive:
            t.explicit, t.bound = (None, context.device) if context.primary else (context, None)
            t.by_handle = context.primary

    @step(3)
    def destroy_context(self) -> None:
        t, handle = self.thread(), self.context()
        context = self.known.get(handle)
        if not handle:
            expected = NULL
        elif context is None or context.primary:
            expected = NO_CONTEXT
        elif context.alive:
            expected = 0
        else:  # it stays known until the last thread lets go
            expected = RELEASED if any(other.explicit is context for other in self.threads) else NO_CONTEXT
        self.call(t, expected, "aclrtDestroyContext", handle)
        if expected == 0:
            self.die(context)
            if t.explicit is context:
                t.explicit = None  # nothing is left, not even an older binding

    # -- streams of contexts ----------------------------------------------------------------------------------------

    @step(2)
    def create_stream(self) -> None:
        t = self.thread()
        context = self.current(t)
        stream = self.call(t, 0 if context else NO_CONTEXT, "aclrtCreateStream")
        if context is None:
            assert stream == 0
            return
        assert stream and stream not in self.streams
        context.streams.add(stream)
        self.owner[stream] = context
        self.streams.append(stream)

    @step()
    def default_stream(self) -> None:
        t = self.thread()
        context = self.current(t)
        stream = self.call(t, 0 if context else NO_CONTEXT, "aclrtCtxGetCurrentDefaultStream")
        if context is not None:
            assert stream == context.default or not context.default
            context.default = stream
            self.owner[stream] = context
            self.streams.append(stream)

    @step(2)
    def use_any_stream(self) -> None:
        t, stream = self.thread(), self.stream()
        name = self.pick(["aclrtSynchronizeStream", "aclrtStreamQuery"])
        if stream and stream not in self.owner:
            expected = DEAD_HANDLE
        else:
            expected = 0 if self.current(t) else NO_CONTEXT
        self.call(t, expected, name, stream)

    @step()
    def the_id_of_a_stream_needs_no_context(self) -> None:
        t, stream = self.thread(), self.pick([*self.streams[-6:], NONSENSE])
        self.call(t, 0 if stream in self.owner else DEAD_HANDLE, "aclrtStreamGetId", stream)

    @step()
    def destroy_stream(self) -> None:
        t, stream = self.thread(), self.stream()
        owner = self.owner.get(stream)
        if owner is not None and stream == owner.default:
            return  # forbidden by the guide, not settled by the source (13)
        if not stream:
            expected = NULL
        elif owner is None:
            expected = DEAD_HANDLE
        else:
            context = self.current(t)
            expected = NO_CONTEXT if context is None else 0 if context is owner else FOREIGN_STREAM
        self.call(t, expected, "aclrtDestroyStream", stream)
        if expected == 0:
            owner.streams.discard(stream)
            del self.owner[stream]

    @step(2)
    def submitting_needs_the_own_context(self) -> None:
        """aclrtSetStreamOverflowSwitch has the same checks as every call that queues work."""
        t, stream = self.thread(), self.stream()
        if stream and stream not in self.owner:
            expected = DEAD_HANDLE
        else:
            context = self.current(t)
            foreign = stream and context is not self.owner[stream]
            expected = NO_CONTEXT if context is None else FOREIGN_STREAM if foreign else 0
        self.call(t, expected, "aclrtSetStreamOverflowSwitch", stream, 1)

    @step()
    def synchronize_device(self) -> None:
        t = self.thread()
        self.call(t, 0 if self.current(t) else NO_CONTEXT, "aclrtSynchronizeDevice")

    # -- threads ----------------------------------------------------------------------------------------------------

    @step()
    def last_error(self) -> None:
        t = self.thread()
        if self.pick([True, False]):
            self.call(t, t.last_error, "aclrtGetLastError", 0, stored=False)
            t.last_error = 0
        else:
            self.call(t, t.last_error, "aclrtPeekAtLastError", 0, stored=False)

    @step()
    def a_new_thread_has_no_context(self) -> None:
        number = self.pick(range(THREADS))
        # whether a dead thread lets go of its explicit context is not written anywhere
        if number in self.hands and self.threads[number].explicit is None:
            self.hands.pop(number).stop()
            self.threads[number] = ModelThread()


@walked(DevicesAndContexts, walks=100, length=500)
def test_every_code_of_devices_and_contexts_is_the_one_of_the_page() -> None:
    """Random calls of three host threads on two devices."""
