"""aclrtMemPoolFreeAsync for memory of aclrtMalloc: a host function of the runtime frees it in the order of the stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.errors import AclError
from ascend_sim.runtime.callbacks.stream import launch_host_func
from ascend_sim.runtime.current import enter, this_thread
from ascend_sim.runtime.memory.allocation import free

if TYPE_CHECKING:
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["free_later"]


def free_later(t: ThreadState, address: int, stream: Stream) -> None:
    """Queue the free of *address* on *stream*. What is wrong with the address shows when it runs, and in no code.

    Raises AclError: 107011 (the stream has a subscribed thread), what submitting raises.
    """
    site, call = t.site, t.call

    def release(_: object) -> None:
        server = this_thread()
        inside = server.threads.running is server
        here = server if inside else enter(server)
        if here is None:
            return  # the simulator was closed meanwhile
        here.site, here.call = site, call
        try:
            free(here, address)
        except AclError:
            pass  # the library only writes it to its log; the finding is made
        finally:
            if not inside and here.threads.locked:
                here.threads.leave(here)

    launch_host_func(t, release, None, stream)
