"""Sessions of the profiler: which calls may follow which, and what is recorded (docs/semantics/profiling.md#sessions)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from ascend_sim.constants.errors import (
    ACL_ERROR_INVALID_FILE,
    ACL_ERROR_INVALID_PROFILING_CONFIG,
    ACL_ERROR_PROF_ALREADY_RUN,
    ACL_ERROR_PROF_API_CONFLICT,
    ACL_ERROR_PROF_NOT_RUN,
    ACL_ERROR_REPEAT_INITIALIZE,
)
from ascend_sim.constants.tools import ACL_PROF_MSPROFTX
from ascend_sim.errors import AclError
from ascend_sim.runtime.profiling.results import Results
from ascend_sim.runtime.profiling.stamps import Marks

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["API", "OFF", "SUBSCRIBED", "ProfilerConfig", "ProfilerSession"]

OFF, API, SUBSCRIBED, CONFIGURED = "off", "api", "subscribed", "configured"
_SAFE: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/_-. ~@,+")


class ProfilerConfig:
    """What aclprofCreateConfig makes: *devices* (user ids) and *switches*, the bits of what is collected."""

    __slots__ = ("devices", "handle", "switches")

    def __init__(self, devices: list[int], switches: int) -> None:
        self.devices = devices
        self.switches = switches
        self.handle = 0

    def describe(self) -> str:
        """The configuration in words."""
        return f"profiler configuration (devices {self.devices}, {self.switches:#x})"


class ProfilerSession:
    """The profiler of one process."""

    def __init__(self, sim: Runtime) -> None:
        self.sim = sim
        self.mode = CONFIGURED if sim.process.profiler_switch else OFF
        self.path = ""
        self.marks: Marks = sim.part(Marks)
        self.running: dict[int, int] = {}
        """By device: what is collected there; -1 is the host."""
        self._results: Results | None = None
        self._sessions = 0

    # -- which calls may follow which ---------------------------------------------------------------------------------

    def check_mode(self, *allowed: str) -> None:
        """Raises AclError 100042 (aclInit's file switches the profiler on), 148047 (the other family is at work)."""
        if self.mode in allowed:
            return
        if self.mode == CONFIGURED:
            raise AclError(ACL_ERROR_PROF_ALREADY_RUN, "the file of aclInit switches the profiler on", "acl")
        who = "aclprofModelSubscribe" if self.mode == SUBSCRIBED else "aclprofInit"
        raise AclError(ACL_ERROR_PROF_API_CONFLICT, f"{who} is at work: the two families exclude each other", "acl")

    def begin(self, path: str) -> None:
        """aclprofInit. Raises AclError 100002 (twice), 100003 (a path with characters that it must not have)."""
        if self.mode == API:
            raise AclError(ACL_ERROR_REPEAT_INITIALIZE, "aclprofInit was called before", "acl")
        self.check_mode(OFF)
        if not path or not set(path) <= _SAFE:
            raise AclError(ACL_ERROR_INVALID_FILE, f"the path has characters that are refused: {path!r}", "acl")
        self.path = os.path.abspath(path)
        self.mode = API

    def start(self, t: HostThread, config: ProfilerConfig) -> None:
        """aclprofStart. Without aclprofInit the results go to the working directory.

        Raises AclError 100010 (running with other switches), 100003 (the results cannot be written).
        """
        self.check_mode(OFF, API)
        if self.mode == OFF:
            self.begin(".")
        if self.running:
            self._check_same(config)
            return
        if self._results is None:
            self._sessions += 1
            self._results = Results(self.sim, self._folder(), self._sessions)
        self.running = dict.fromkeys((*config.devices, -1), config.switches)
        self._results.begin(set(config.devices))
        if config.switches & ACL_PROF_MSPROFTX:
            self.marks.on = True

    def stop(self, t: HostThread, config: ProfilerConfig | None) -> None:
        """aclprofStop, with the configuration of the start; None: whatever runs. Nothing began: nothing happens.

        Raises AclError 100043 (not started), 100010 (another configuration).
        """
        if self.mode == OFF:
            return
        self.check_mode(API)
        if config is None and not self.running:
            return
        if not self.running or (config is not None and not set(config.devices) <= set(self.running)):
            raise AclError(ACL_ERROR_PROF_NOT_RUN, "the profiler was not started for these devices", "acl")
        if config is not None:
            self._check_same(config)
        self._halt()

    def _check_same(self, config: ProfilerConfig) -> None:
        for device in config.devices:
            if self.running.get(device, config.switches) != config.switches:
                raise AclError(
                    ACL_ERROR_INVALID_PROFILING_CONFIG,
                    f"{config.describe()} differs from what runs: {self.running[device]:#x}", "acl",
                )  # fmt: skip

    def _halt(self) -> None:
        self.running = {}
        self.marks.on = False
        if self._results is not None:
            self._results.end()

    def finish(self, t: HostThread) -> None:
        """aclprofFinalize: what runs is stopped. Nothing began: nothing happens."""
        if self.mode == OFF:
            return
        self.check_mode(API)
        self._halt()
        self._results = None
        self.mode = OFF

    def _folder(self) -> str:
        try:
            os.makedirs(self.path, mode=0o750, exist_ok=True)
        except OSError as error:
            raise AclError(ACL_ERROR_INVALID_FILE, f"{self.path} cannot be made: {error.strerror}", "acl") from None
        if not os.access(self.path, os.W_OK | os.X_OK):
            raise AclError(ACL_ERROR_INVALID_FILE, f"{self.path} cannot be written to", "acl")
        return self.path

    def settings(self) -> dict[str, Any]:
        """The state, for texts and tests."""
        return {"mode": self.mode, "path": self.path, "running": dict(self.running)}
