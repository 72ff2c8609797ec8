"""The interface of controllers: they choose the next thread of a deterministic group, and hear of all that threads share.

A group without a controller (None) pays one test where it would ask. `decides` is the only thing that changes what the
group does by itself; the other methods are told what is about to happen, in the thread that does it, and may let other
threads go first. Most answer nothing: a controller that overrides none of them changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ascend_sim.runtime.context import Context
    from ascend_sim.runtime.event import Event
    from ascend_sim.runtime.scheduler import Awaitable
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import Task
    from ascend_sim.runtime.threads.host_threads import HostThread
    from ascend_sim.runtime.threads.os_thread import OSThread

__all__ = ["Controller"]


class Controller:
    """Base class: override what you need. Set it as the `controller` of a group before its simulator opens."""

    decides = False
    """It picks each thread that goes on, and takes the steps of the device (`pick`, `poll`): the group's own policy,
    its slices and the growing steps of its polls are off."""
    active = False
    """Several threads can reach the same objects now, so that the order of what they do with them matters."""

    # -- who goes on --------------------------------------------------------------------------------------------------

    def pick(self, me: OSThread) -> OSThread:
        """The thread that goes on now; *me* has given up the run token. Asked only when it `decides`."""
        raise NotImplementedError

    def poll(
        self, t: HostThread, key: Hashable, final: Callable[[], bool], until: Callable[[], bool] | None
    ) -> None:
        """Thread *t* polls *key*; *final*: whether the answer stays as it is; *until*: what one that is repeated waits for
        (None: for that). Called only when it `decides`."""
        raise NotImplementedError

    # -- threads ------------------------------------------------------------------------------------------------------

    def thread_started(
        self, parent: OSThread, child: OSThread, service: str = "", work: Callable[[], bool] | None = None
    ) -> None:
        """*parent* has started *child*. *service*: what a thread of the engine's own does; *work*: is there any?"""

    def thread_ended(self, r: OSThread) -> None:
        """*r* does its last step now."""

    def thread_joined(self, r: OSThread, child: OSThread) -> None:
        """*r* has seen *child* end."""

    def thread_woken(self, r: OSThread) -> None:
        """What *r* waits for has happened."""

    def before_wait(self, r: OSThread, w: Awaitable) -> None:
        """*r* is about to wait for *w* in an API call."""

    def before_sleep(self, r: OSThread, ns: int) -> bool:
        """*r* is about to sleep for *ns* of virtual time; True: the controller has let it pass."""
        return False

    def before_is_alive(self, child: OSThread) -> None:
        """The calling thread is about to ask whether *child* lives."""

    # -- locks and queues ---------------------------------------------------------------------------------------------

    def object_made(self, thing: Any) -> None:
        """A lock or a queue was made by the calling thread."""

    def before_acquire(self, lock: Any, blocking: bool, timeout: float) -> None:
        """The calling thread is about to take *lock*, or to look whether it could (*timeout* in s; -1: none)."""

    def lock_released(self, lock: Any) -> None:
        """The calling thread gives *lock* back."""

    def before_put(self, fifo: Any) -> None:
        """The calling thread is about to put something into the simple queue *fifo*."""

    def before_get(self, fifo: Any, blocking: bool, timeout: float | None) -> None:
        """The calling thread is about to take something out of *fifo*, and waits for that at most *timeout* (s)."""

    def before_qsize(self, fifo: Any) -> None:
        """The calling thread is about to ask how much is in *fifo*."""

    # -- event loops --------------------------------------------------------------------------------------------------

    def before_select(self, woken: Callable[[], bool], timeout: float | None) -> None:
        """The event loop of the calling thread looks what others want of it, and waits for that at most *timeout* (s)."""

    def loop_woken(self, sleeper: OSThread | None, woken: Callable[[], bool]) -> None:
        """The calling thread ends the sleep of the event loop in *sleeper*, or its next one."""

    # -- objects that the library builds from locks: events, semaphores, queues ---------------------------------------

    def watches(self) -> bool:
        """Whether the calling thread's operations on these are reported as a whole, not lock by lock."""
        return False

    def atomically(self, real: Callable[..., Any], *args: Any) -> Any:
        """Call *real* as a part of the operation that was reported last: the locks that it takes are not reported."""
        return real(*args)

    def before_operation(
        self,
        what: str,
        kind: str,
        thing: Any,
        state: Callable[[], Any],
        can: Callable[[], bool] | None = None,
        timeout: float | None = None,
        test: Callable[..., bool] | None = None,
    ) -> None:
        """The calling thread is about to do *what* to *thing*, an object of *kind*.

        *state*: the object as others may wait for it. *can*: what the thread waits for, at most for *timeout* (s), and
        *test*: whether that held in a state (None: the state itself says).
        """

    def before_poll(
        self,
        what: str,
        kind: str,
        thing: Any,
        state: Callable[[], Any],
        good: Callable[[], bool],
        test: Callable[..., bool] | None = None,
    ) -> None:
        """The calling thread is about to poll *thing*, perhaps again and again until the answer is *good*.

        *state*, *test*: as in `before_operation`. Unlike that it never waits: what answers "no" returns at once.
        """

    # -- the runtime --------------------------------------------------------------------------------------------------

    def before_submit(self, t: HostThread, stream: Stream) -> bool:
        """*t* is about to queue something in *stream*; True: other threads may have come between."""
        return False

    def before_drop(self, stream: Stream, tasks: tuple[Task, ...]) -> None:
        """*tasks*, all or the first of *stream*, are dropped now (or would be, if there were any)."""

    def before_host_task_ends(self, task: Task) -> None:
        """*task*, of which a function of the host was part, ends now, unless it was dropped."""

    def before_work_given(self, work: Any) -> None:
        """Something to do is given now to the thread that serves *work* (callbacks, host functions, exceptions)."""

    def before_work_taken(self, work: Any) -> None:
        """The calling thread looks for something to do in *work*, or has waited for it."""

    def before_context_changes(self, context: Context) -> None:
        """Whether *context* works is about to change, or what happens to it when a task fails."""

    def before_context_check(self, context: Context) -> None:
        """What the calling thread does now depends on whether *context* works."""

    def before_record_lookup(self, event: Event) -> None:
        """The call that runs now refers to the latest record of *event*."""

    def before_record_test(self, record: Task) -> None:
        """Whether *record* is done decides what the call that runs now answers."""
