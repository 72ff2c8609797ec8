"""aclmdlInitDump, aclmdlSetDump, aclmdlFinalizeDump and the callback (docs/semantics/dump.md#calls)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ascend_sim.constants.errors import ACL_ERROR_DUMP_NOT_RUN, ACL_ERROR_REPEAT_INITIALIZE, ACL_ERROR_UNINITIALIZE
from ascend_sim.errors import AclError
from ascend_sim.runtime.dumping.settings import DumpSettings

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["DumpSession"]


class DumpSession:
    """The dumps of one process. What is in use stands in `Process.dumping`, where tasks look."""

    def __init__(self, sim: Runtime) -> None:
        self.sim = sim
        self.begun = False
        self.callback: Callable[[int, int], Any] | None = None
        self._made: list[DumpSettings] = []

    def begin(self) -> None:
        """aclmdlInitDump. Raises AclError 100001 (no aclInit), 100002 (twice)."""
        self._check_init()
        if self.begun:
            raise AclError(ACL_ERROR_REPEAT_INITIALIZE, "aclmdlInitDump was called before", "acl")
        self.begun = True
        if self.callback is not None and self.sim.process.dumping is None:
            self._use({})

    def check_begun(self) -> None:
        """Raises AclError 100001 (no aclInit), 100045 (no aclmdlInitDump)."""
        self._check_init()
        if not self.begun:
            raise AclError(ACL_ERROR_DUMP_NOT_RUN, "aclmdlInitDump was not called", "acl")

    def _check_init(self) -> None:
        if not self.sim.process.init_count:
            raise AclError(ACL_ERROR_UNINITIALIZE, "aclInit was not called", "acl")

    def apply(self, t: HostThread, section: dict[str, Any]) -> None:
        """Use *section*, which was checked, in place of what was in use; an empty one changes nothing."""
        if not section:
            return
        settings = self._use(section)
        path = settings.path.partition(":")
        what = ""
        if settings.watches:
            what = "the dump of overflows" if not settings.scene else "the watcher"
        elif settings.scene:
            what = "the dump of operators that fail (acldumpSaveExceptionInfo is)"
        elif path[1] and path[2] and path[0].count(".") == 3:
            what = "the dump to another machine"
        # A framework that has set this itself is not told: the program can do nothing about it.
        if what and self.sim.names.vocabulary(t.site) is None:
            self.sim.report_call(t, "not-modelled", "warning", f"`dump`: {what} is not modelled", by_title=True)

    def _use(self, section: dict[str, Any]) -> DumpSettings:
        settings = self.sim.process.dumping = DumpSettings(section, len(self._made) + 1)
        self._made.append(settings)
        settings.callback = self.callback
        return settings

    def finish(self) -> None:
        """aclmdlFinalizeDump. Raises AclError 100001 (no aclInit), 100045 (no aclmdlInitDump)."""
        self.check_begun()
        self.begun = False
        self.sim.process.dumping = None
        for settings in self._made:
            settings.live = False

    def register(self, callback: Callable[[int, int], Any] | None) -> None:
        """Hand out chunks to *callback* in place of files; None: files again."""
        self.callback = callback
        for settings in self._made:
            settings.callback = callback
        if self.sim.process.dumping is None and callback is not None and self.begun:
            self._use({})
