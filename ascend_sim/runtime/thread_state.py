"""The state of a host thread in a simulator: its current context, and the look-up of the handles in its calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.constants.errors import (
    ACL_ERROR_RT_CONTEXT_NULL,
    ACL_ERROR_RT_INVALID_HANDLE,
    ACL_ERROR_RT_STREAM_CONTEXT,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.context import Context
from ascend_sim.runtime.event import Event
from ascend_sim.runtime.notify import Notify
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.threads.host_threads import HostThread, HostThreads
from ascend_sim.source.callsite import CallSite

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.device import Device

__all__ = ["ThreadState"]


class ThreadState(HostThread):
    """A host thread with its contexts (docs/semantics/process.md#contexts-and-threads).

    Its state is one of: an explicit context; a binding to a device by aclrtSetDevice; nothing. A binding refers to the
    device's primary context, whatever becomes of that.
    """

    __slots__ = ("limit_stream", "stack")

    sim: Runtime
    context: Context | None
    binding: Device | None
    stack: tuple[CallSite, ...]
    """Up to six frames of the call site, when the simulator keeps them."""

    def __init__(self, sim: Runtime, threads: HostThreads, number: int, name: str, clock: int) -> None:
        super().__init__(sim, threads, number, name, clock)
        if sim.hooks.attached is not None:
            for observe in sim.hooks.attached:
                observe(self)
        self.limit_stream: Stream | None = None
        """The stream whose core limits this thread uses (aclrtUseStreamResInCurrentThread)."""

    # -- contexts -----------------------------------------------------------------------------------------------------

    def current_context(self) -> Context:
        """The current context. Raises AclError 107002 when there is none and no default device is configured."""
        context = self.context
        if context is not None and not context.dead:
            return context
        if context is None:
            device = self.binding
            if device is not None and device.count:
                primary = device.primary
                assert primary is not None
                return primary
        return self._look_again()

    def _look_again(self) -> Context:
        """No live context: drop what is stale, then try the default device of aclInit.

        See docs/semantics/process.md#contexts-and-threads.
        """
        why = self.no_context_reason()
        self.drop_context()
        default = self.sim.process.default_device
        if default is not None:
            device = self.sim.devices[default]
            self.binding = device
            return device.set(self.site)
        raise AclError(ACL_ERROR_RT_CONTEXT_NULL, why)

    def bound_context(self) -> Context | None:
        """The current context, without the default device and without dropping what is stale."""
        if self.context is not None:
            return None if self.context.dead else self.context
        if self.binding is not None and self.binding.count:
            return self.binding.primary
        return None

    def no_context_reason(self) -> str:
        """Why this thread has no current context, in words that name who had one."""
        if self.context is not None:
            return f"{self.context.describe()}, current in {self.name}, was destroyed"
        if self.binding is not None:
            return f"device {self.binding.index}, bound in {self.name}, was reset to zero"
        others = [
            f"{thread.name} has {where}"
            for thread in self.sim.threads.attached()
            if thread is not self and (where := _where(thread))
        ]
        hint = f" ({'; '.join(others)}: contexts belong to threads)" if others else ""
        return f"{self.name} has no current context: call aclrtSetDevice or aclrtSetCurrentContext in it first{hint}"

    def use_context(self, context: Context) -> None:
        """Make the explicit *context* current; the binding by aclrtSetDevice is dropped."""
        if context is not self.context:
            self.drop_context()
            if context.primary:
                self.binding = context.device
            else:
                context.users += 1
                self.context = context
        self.binding = context.device if context.primary else None

    def bind(self, device: Device) -> None:
        """Bind to the primary context of *device*; an explicit context is let go."""
        self.drop_context()
        self.binding = device

    def drop_context(self) -> None:
        """Leave nothing current."""
        context, self.context = self.context, None
        self.binding = None
        if context is not None:
            context.users -= 1
            if context.dead and not context.users:
                self.sim.contexts.pop(context.handle, None)

    # -- handles -----------------------------------------------------------------------------------------------------

    def stream(self, handle: int) -> Stream:
        """The stream of *handle*; 0: the default stream of the current context. Raises AclError 107017, 107002."""
        if not handle:
            return self.current_context().default
        stream = self.sim.handles.get(handle)
        if type(stream) is not Stream:
            raise self.stale(handle, "stream")
        return stream

    def submit_stream(self, handle: int) -> Stream:
        """The stream for a call that queues work. Raises AclError as `stream`, and 107003 for one of another context."""
        if not handle:
            return self.current_context().default
        stream = self.sim.handles.get(handle)
        if type(stream) is not Stream:
            raise self.stale(handle, "stream")
        context = self.context
        if context is None and self.binding is not None and self.binding.count:
            context = self.binding.primary
        if stream.context is not context or context.dead:
            self.check_own(stream)
        return stream

    def check_own(self, stream: Stream) -> None:
        """Raises AclError 107003 when *stream* belongs to another context than the current one, 107002 without one."""
        context = self.current_context()
        if stream.context is not context:
            raise AclError(
                ACL_ERROR_RT_STREAM_CONTEXT,
                f"{stream.describe()} belongs to {stream.context.describe()}, "
                f"but {context.describe()} is current in {self.name}",
            )

    def event(self, handle: int) -> Event:
        """The event of *handle*. Raises AclError 107017."""
        event = self.sim.handles.get(handle)
        if type(event) is not Event:
            raise self.stale(handle, "event")
        return event

    def notify(self, handle: int) -> Notify:
        """The notify of *handle*. Raises AclError 107017."""
        notify = self.sim.handles.get(handle)
        if type(notify) is not Notify:
            raise self.stale(handle, "notify")
        return notify

    def stale(self, handle: int, kind: str) -> AclError:
        """The error for a handle that is dead or of another kind (docs/semantics/layers.md#handles)."""
        if self.sim.hooks.stale_used is not None:
            for observe in self.sim.hooks.stale_used:
                observe(self, handle, kind)
        other = self.sim.handles.get(handle)
        if other is not None:
            what = f"it is the handle of {_what(other)}"
        elif handle in self.sim.contexts:
            what = f"it is the handle of {self.sim.contexts[handle].describe()}"
        else:
            what = self.sim.tombstone(handle) or "no such handle was ever given out"
        return AclError(ACL_ERROR_RT_INVALID_HANDLE, f"{handle:#x} is no live {kind}: {what}")


def _what(thing: object) -> str:
    describe = getattr(thing, "describe", None)
    return describe() if describe is not None else f"a {type(thing).__name__}"


def _where(thread: HostThread) -> str:
    context = thread.context
    if context is not None:
        return str(context.describe())
    return f"device {thread.binding.index}" if thread.binding is not None else ""
