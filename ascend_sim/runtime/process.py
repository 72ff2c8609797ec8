"""What belongs to the process: aclInit and its counter, process-wide options and callbacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ascend_sim.constants.errors import ACL_ERROR_REPEAT_FINALIZE, ACL_ERROR_REPEAT_INITIALIZE
from ascend_sim.errors import AclError
from ascend_sim.runtime.app_log import AppLog
from ascend_sim.runtime.callbacks.init import DVPP, MODEL, OP_COMPILER, OTHER, InitCallbacks
from ascend_sim.runtime.settings.device_limits import DeviceLimits
from ascend_sim.runtime.settings.packages import installed

if TYPE_CHECKING:
    from ascend_sim.runtime.dumping.settings import DumpSettings
    from ascend_sim.runtime.memory.pools.registry import PoolRegistry
    from ascend_sim.runtime.memory.virtual.exports import Exports
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["Process"]

MAX_OP_QUEUE = 20_000


class Process:
    """Process-wide state of one simulator (docs/semantics/process.md#initialisation)."""

    __slots__ = (
        "binary_callbacks",
        "callbacks",
        "config_digest",
        "config_text",
        "default_device",
        "dump",
        "dumping",
        "event_mode",
        "exception_callback",
        "exception_callbacks",
        "exports",
        "finalize_callbacks",
        "finalized",
        "init_callbacks",
        "init_count",
        "init_sites",
        "limits",
        "log",
        "max_op_queue",
        "op_execute_timeout_us",
        "op_wait_timeout_s",
        "options",
        "packages",
        "pools",
        "process_texts", "profiler_switch",
        "texts",
    )  # fmt: skip

    def __init__(self) -> None:
        self.init_count = 0
        self.finalized = False
        """Set by a real finalize, cleared by aclInit: a first aclFinalize without aclInit is not caught (11)."""
        self.config_digest: bytes | None = None
        """Of the file of the first aclInit that succeeded; later ones must be equal."""
        self.config_text = ""
        self.dump: dict[str, Any] = {}
        """The ``dump`` section of the file."""
        self.dumping: DumpSettings | None = None
        """What is dumped now; None: nothing."""
        self.max_op_queue = MAX_OP_QUEUE
        """How many compiled single operators are kept (``max_opqueue_num``)."""
        self.event_mode = 0
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
        self.packages = installed()
        """The versions of the installed packages, by name."""
        self.profiler_switch = False
        """The file switches the profiler on: then the calls of aclprof are refused."""
        self.pools: PoolRegistry | None = None
        """The stream-ordered memory pools, once there was one."""
        self.exports: Exports | None = None
        """What was exported of physical memory (runtime/memory/virtual/exports.py), once there was something."""
        self.log = AppLog()
        self.exception_callback: Callable[[int], Any] | None = None
        self.exception_callbacks: list[Callable[[int], Any]] = []
        self.binary_callbacks = 0
        """Binaries with an exception callback of their own."""
        self.init_callbacks = InitCallbacks()
        self.finalize_callbacks = InitCallbacks()
        self.callbacks: dict[str, dict[str, tuple[Callable[..., Any], Any]]] = {"device": {}, "stream": {}, "abort": {}}
        """State callbacks by kind and registered name, with their argument."""

    def init(self, t: ThreadState, configure: Callable[[], None]) -> None:
        """One more aclInit; the first one calls *configure*. Raises AclError 100002 for a later one; it counts, too."""
        if self.init_count > 0:
            self.init_count += 1
            self.init_sites.append(t.site)
            times = f"{self.init_count} times now"
            raise AclError(
                ACL_ERROR_REPEAT_INITIALIZE, f"aclInit was called before ({times}); its configuration is ignored", "acl"
            )
        configure()
        self.init_count = 1
        self.finalized = False
        self.init_sites.append(t.site)

    def finalize(self, t: ThreadState) -> None:
        """aclFinalize: whatever the count, all is over. Raises AclError 100037 when it was over already."""
        if self.finalized:
            raise AclError(ACL_ERROR_REPEAT_FINALIZE, "aclFinalize was called before and no aclInit since", "acl")
        self._finalize(t)

    def finalize_reference(self, t: ThreadState) -> int:
        """aclFinalizeReference: one less; at zero all is over. Returns the new count. Raises 100037 below one."""
        if self.init_count < 1:
            raise AclError(
                ACL_ERROR_REPEAT_FINALIZE, "aclFinalizeReference was called more often than aclInit", "acl", (0,)
            )
        if self.init_count > 1:
            self.init_count -= 1
            del self.init_sites[self.init_count :]
            return self.init_count
        try:
            self._finalize(t)
        except AclError as error:
            raise AclError(error.code, error.reason, error.layer, (self.init_count,)) from None
        return 0

    def _finalize(self, t: ThreadState) -> None:
        """Call the callbacks, forget the default device, say so. A callback that fails leaves all as it is."""
        sim = t.sim
        for kind in (OP_COMPILER, MODEL, DVPP):
            self.finalize_callbacks.notify(t, kind)
        self.default_device = None
        self.finalize_callbacks.notify(t, OTHER)
        self.init_count = 0
        self.finalized = True
        if sim.hooks.finalized is not None:
            for observe in sim.hooks.finalized:
                observe(sim)
        self.init_sites.clear()
