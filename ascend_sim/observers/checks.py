"""Which checkers watch a simulator, and what they do with what they find.

``checks`` is ``"all"``, ``"none"``, or names of `CHECKS` with commas between, each with a policy when it is not to
report only: ``"races=raise,memory"``. A mapping from name to policy is taken, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ascend_sim.findings.finding import Finding
from ascend_sim.observers.observer import Observer, attach

if TYPE_CHECKING:
    from ascend_sim.observers.races.detector import RaceDetector
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["CHECKS", "DEFAULT", "Checks", "parse_checks"]

CHECKS = ("memory", "races", "rules", "codes")
"""``codes``: failing codes that the program ignores."""
ALL = CHECKS
DEFAULT = "memory,races,rules"
"""What is checked where nothing else is said: `Simulator()`, `install`, ``ascend-sim run`` and tests look for the same
faults. ``all`` looks at the use of codes, too."""
POLICIES = ("off", "report", "raise")

KIND_CHECKS = {
    "race": "races", "block-race": "races", "sync-race": "races", "order-history": "races",
    "use-after-free": "memory", "double-free": "memory", "out-of-bounds": "memory", "uninitialised-read": "memory",
    "free-before-alloc": "memory", "use-before-alloc": "memory",
    "bad-free": "memory", "dead-host-buffer": "memory", "leak": "memory", "unawaited-work": "memory",
    "peer-access": "memory", "ignored-code": "codes",
}  # fmt: skip
"""Which check a kind of finding belongs to; all others belong to ``rules``."""


def parse_checks(value: str | Iterable[str] | Mapping[str, str] | None) -> dict[str, str]:
    """Check -> policy. Raises ValueError for unknown names.

    >>> parse_checks("races=raise,memory")
    {'memory': 'report', 'races': 'raise'}
    >>> parse_checks("races=off")  # that one, and no other
    {'memory': 'report', 'rules': 'report', 'codes': 'report'}
    """
    if value is None or isinstance(value, str):
        return dict(_parsed(value or "none"))
    return _policies(value)


@lru_cache(maxsize=64)  # simulators come and go, with the same checks
def _parsed(value: str) -> dict[str, str]:
    return _policies(value)


def _policies(value: str | Iterable[str] | Mapping[str, str]) -> dict[str, str]:
    if isinstance(value, Mapping):
        pairs = [(str(name), str(policy)) for name, policy in value.items()]
    else:
        words = value.split(",") if isinstance(value, str) else list(value)
        pairs = []
        for word in words:
            name, _, policy = word.strip().partition("=")
            pairs.append((name, policy or "report"))
    found: dict[str, str] = {}
    if pairs and not isinstance(value, Mapping) and all(policy == "off" for _, policy in pairs):
        found = dict.fromkeys(ALL, "report")
    for name, policy in pairs:
        if policy not in POLICIES:
            raise ValueError(f"check {name!r}: the policy is {policy!r}: {', '.join(POLICIES)} are possible")
        if name == "all":
            found |= dict.fromkeys(ALL, policy)
        elif name == "none" or not name:
            continue
        elif name in CHECKS:
            found[name] = policy
        else:
            raise ValueError(f"there is no check {name!r}: {', '.join(CHECKS)}, all and none are possible")
    return {name: found[name] for name in CHECKS if found.get(name, "off") != "off"}


class Checks:
    """The checkers of one simulator, by name."""

    def __init__(self, sim: Runtime, policies: dict[str, str]) -> None:
        self.policies = policies
        self.races: RaceDetector | None = None
        self.observers: list[Observer] = []
        if "races" in policies:
            from ascend_sim.observers.races.detector import RaceDetector

            self.races = RaceDetector(sim)
            self._attach(sim, self.races)
        if "memory" in policies:
            from ascend_sim.observers.memory.checker import MemoryChecker

            self._attach(sim, MemoryChecker(sim, self.races))
        if "rules" in policies:
            from ascend_sim.observers.rules.checker import RulesChecker
            from ascend_sim.observers.rules.copy_kinds import CopyKinds

            self._attach(sim, RulesChecker(sim))
            self._attach(sim, CopyKinds(sim))
        if "codes" in policies:
            from ascend_sim.observers.rules.ignored_codes import IgnoredCodes

            self._attach(sim, IgnoredCodes(sim))
        if policies:
            from ascend_sim.observers.rules.consequences import Consequences

            self._attach(sim, Consequences(sim))
        if "raise" in policies.values():
            self._attach(sim, Raiser(policies))

    def _attach(self, sim: Runtime, observer: Observer) -> None:
        self.observers.append(observer)
        attach(sim, observer)

    def nondeterminism(self) -> str:
        """The nondeterminism points of this run in words; empty when there were none, or nobody watched."""
        return self.races.nondeterminism.text() if self.races is not None else ""


class Raiser(Observer):
    """Raises FindingError from the call in which an error was found, when the policy says so."""

    hears_operands = False

    def __init__(self, policies: dict[str, str]) -> None:
        self._policies = policies
        self._found: list[Finding] = []

    def found(self, finding: Finding) -> None:
        """Keep it until the call returns: the device must not be torn out of its step.

        Of warnings only ignored codes count: who asks for them to be raised has no errors to wait for.
        """
        check = KIND_CHECKS.get(finding.kind, "rules")
        counts = finding.severity == "error" or check == "codes"
        if counts and self._policies.get(check) == "raise" and not finding.suppressed:
            self._found.append(finding)

    def api_returned(self, t: HostThread, name: str, result: Any) -> None:
        """The call is over: raise the first one."""
        if self._found:
            found, self._found = self._found, []
            from ascend_sim.findings.error import FindingError  # with what writes reports: they are rare

            raise FindingError(found[0])
