"""What belongs to the process: aclInit and its counter, process-wide options and callbacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ascend_sim.errors import AclError
from ascend_sim.runtime.device_limits import DeviceLimits

if TYPE_CHECKING:
    from ascend_sim.runtime.host_threads import HostThread
    from ascend_sim.simulator import Simulator

__all__ = ["Process"]


class Process:
    """Process-wide state of one simulator (``spec/stream/semantics.md`` 11)."""

    __slots__ = (
        "callbacks", "config_digest", "default_device", "exception_callback", "exception_callbacks", "finalize_callbacks", "finalized",
        "init_callbacks", "init_count", "init_sites", "limits", "op_execute_timeout_us", "op_wait_timeout_s", "options", "process_texts", "texts",
    )

    def __init__(self) -> None:
        self.init_count = 0
        self.finalized = False
        """Set by a real finalize, cleared by aclInit: a first aclFinalize without aclInit is not caught (11)."""
        self.config_digest: bytes | None = None
        self.default_device: int | None = None
        self.process_texts = False
        """err_msg_mode "1": error texts are kept for the process, not for the thread."""
        self.texts: list[tuple[str, int, str]] = []
        """(call, code, reason) of failures, oldest first."""
        self.init_sites: list[Any] = []
        self.op_wait_timeout_s = 0
        self.op_execute_timeout_us: int | None = None
        self.options: dict[int, int] = {}
        self.limits = DeviceLimits()
        self.exception_callback: Callable[[int], Any] | None = None
        self.exception_callbacks: list[Callable[[int], Any]] = []
        self.init_callbacks: dict[Callable[..., Any], Any] = {}
        self.finalize_callbacks: dict[Callable[..., Any], Any] = {}
        self.callbacks: dict[str, dict[str, tuple[Callable[..., Any], Any]]] = {"device": {}, "stream": {}, "abort": {}}
        """State callbacks by kind and registered name, with their argument."""

    def init(self, t: HostThread, configure: Callable[[], None]) -> None:
        """One more aclInit; the first one calls *configure*. Raises AclError 100002 for a later one, which counts all the same."""
        if self.init_count > 0:
            self.init_count += 1
            raise AclError(100002, f"aclInit was called before ({self.init_count} times now); the call counts, its configuration is ignored", "acl")
        configure()
        self.init_count = 1
        self.finalized = False
        self.init_sites.append(t.site)

    def finalize(self, sim: Simulator) -> None:
        """aclFinalize: whatever the count, all is over. Raises AclError 100037 when it was over already."""
        if self.finalized:
            raise AclError(100037, "aclFinalize was called before and no aclInit since", "acl")
        self._finalize(sim)

    def finalize_reference(self, sim: Simulator) -> int:
        """aclFinalizeReference: one less; at zero all is over. Returns the new count. Raises AclError 100037 below one."""
        if self.init_count < 1:
            raise AclError(100037, "aclFinalizeReference was called more often than aclInit", "acl", (0,))
        if self.init_count == 1:
            self._finalize(sim)
        else:
            self.init_count -= 1
        return self.init_count

    def _finalize(self, sim: Simulator) -> None:
        self.init_count = 0
        self.finalized = True
        self.init_sites.clear()
        if sim.hooks.finalized is not None:
            for observe in sim.hooks.finalized:
                observe(sim)
