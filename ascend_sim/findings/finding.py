"""What the simulator has to say about a program: findings, with the call sites that belong together.

The fields are those of the JSON form (``spec/prototypes/reports.md`` 6); the text form is in
:mod:`ascend_sim.findings.rendering`.
A finding never changes the code that a call returns.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

import attrs

from ascend_sim.findings.suppressions import Suppressions
from ascend_sim.source.callsite import Frame, Point, frames_of, source_line

__all__ = [
    "KINDS",
    "ROLES",
    "SEVERITIES",
    "ByteMap",
    "ByteRange",
    "Finding",
    "FindingLog",
    "Frame",
    "Site",
    "from_json",
    "reworded",
]

KINDS: dict[str, str] = {
    "allocator-two-streams": "one allocator hands the same memory to two streams, and nothing orders them",
    "bad-free": "an address is freed that no allocation of this kind returned",
    "block-race": "two blocks of one kernel launch touch the same bytes, and nothing orders them",
    "crash": "a process of the run was ended by a signal",
    "dead-host-buffer": "a queued copy uses host memory whose owner is gone",
    "deadlock": "threads and streams wait for each other, and nobody can end it",
    "double-free": "an address was freed a second time",
    "fork-after-init": "the process forked after the runtime was initialised",
    "ignored-code": "a call failed and the program went on as if it had not",
    "callback-call": "a callback calls what the manual forbids in callbacks",
    "free-before-alloc": "a block of a pool may be given back before its stream has come to the allocation",
    "gil-deadlock": "a call keeps the interpreter's lock while it waits for a Python callback",
    "limit-close": "a limit of the device is nearly reached",
    "self-wait": "a stream waits for an event that was recorded on itself",
    "unbalanced": "a subscription or registration was undone too often, or never",
    "unrecorded-wait": "a stream waits for an event that was never recorded: the call does nothing",
    "use-after-finalize": "the runtime is used after aclFinalize",
    "use-after-reset": "an object is used after its device was reset",
    "hidden-error": "the real library swallows a failure, or answers another code than the cause's",
    "injected-fault": "something failed because a plan said so (--inject)",
    "kernel-args": "the arguments of a launch do not fit the parameters of the kernel",
    "kernel-exception": "the Python code of a kernel raised",
    "kernel-usage": "a kernel breaks a rule of the kernel interface",
    "leak": "objects are still alive when the process finalises",
    "misaligned": "an address or size is not a multiple of what the access needs",
    "not-modelled": "a function was called that the simulator does not model: it returns 207000",
    "order-depends-on-clock": "the order of threads was left to the operating system: runs may differ",
    "order-history": "a buffer is accessed in so many pieces that a part of its history was forgotten",
    "out-of-bounds": "an access reaches beyond its allocation",
    "peer-access": "a device uses the memory of another without having been given access to it",
    "race": "two accesses to the same bytes, at least one a write, and nothing orders them",
    "stale-registration": "an object was destroyed while something was still registered for it",
    "stuck-thread": "a thread neither called the runtime again nor ended",
    "sync-race": "two unordered calls decide who is released, or what a later call refers to",
    "task-fault": "a task on the device ended with an error",
    "unawaited-work": "tasks were still queued at the end: nobody waited for them",
    "undefined-use": "a use that the manual forbids and the real library does not check",
    "uninitialised-read": "bytes are read that nothing has written",
    "use-before-alloc": "a block of a pool is used, and nothing makes that wait for its allocation",
    "use-after-free": "memory was freed while something queued still needs it",
}
"""Every kind of finding with its meaning in one line; ``ascend-sim explain KIND`` says more."""

ROLES = ("access", "other", "alloc", "free", "submit", "sync", "wait", "register")
"""What a site did (reports.md 6)."""

SEVERITIES = ("error", "warning", "note")


def _to_points(value: object) -> tuple[Point, ...]:
    if value is None:
        return ()
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], int):
        return (value,)  # one pair, as HostThread.site keeps it
    return tuple(value)  # type: ignore[arg-type]


# One converter a type: mypy cannot bind the type variable of a bare ``tuple``.
def _frames(value: Iterable[Frame]) -> tuple[Frame, ...]:
    return tuple(value)


def _sites(value: Iterable[Site]) -> tuple[Site, ...]:
    return tuple(value)


def _ranges(value: Iterable[ByteRange]) -> tuple[ByteRange, ...]:
    return tuple(value)


def _texts(value: Iterable[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


@attrs.frozen
class Site:
    """One place that takes part in a finding.

    *role* is one of :data:`ROLES`, *text* a label that starts with a verb (``"freed here by the host"``), *points* the
    ``(f_code, f_lasti)`` pairs of the call and its callers, innermost first (a single pair and None are accepted too).
    They are resolved to :attr:`frames` only when somebody asks.
    """

    role: str
    text: str
    points: tuple[Point, ...] = attrs.field(default=(), converter=_to_points, repr=False)
    primary: bool = False
    resolved: tuple[Frame, ...] = attrs.field(default=(), converter=_frames, repr=False)

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The user's frames, innermost first; empty when only the simulator itself was on the stack."""
        return self.resolved or frames_of(self.points)

    def to_json(self) -> dict[str, Any]:
        return {
            "role": self.role,
            "primary": self.primary,
            "text": self.text,
            "frames": [frame.to_json() for frame in self.frames],
        }


@attrs.frozen
class ByteRange:
    """Bytes ``[lo, hi)`` of an object, with who touches them (``"fill W"``)."""

    label: str
    lo: int
    hi: int


@attrs.frozen
class ByteMap:
    """The bytes of an object of *size* bytes that the accesses of a finding touch."""

    object: str
    size: int
    ranges: tuple[ByteRange, ...] = attrs.field(default=(), converter=_ranges)


@attrs.frozen
class Finding:
    """One fault of the program, or one remark about the run.

    *severity* is ``"error"``, ``"warning"`` or ``"note"``. *title* says what touches what in the user's names, without
    addresses. *order* says what the program did to order things, *fix* what to change (first line a sentence, further
    lines code to type). *followers* are later codes and findings that this one explains; *cause* is the id of the
    finding that explains this one. *code* is the call and the value it returned, *time_ns* virtual nanoseconds.
    """

    id: str
    kind: str
    severity: str
    title: str
    sites: tuple[Site, ...] = attrs.field(default=(), converter=_sites)
    bytes: ByteMap | None = None
    order: str = ""
    fix: str = ""
    notes: tuple[str, ...] = attrs.field(default=(), converter=_texts)
    followers: tuple[str, ...] = attrs.field(default=(), converter=_texts)
    cause: str | None = None
    count: int = 1
    streams: tuple[str, ...] = attrs.field(default=(), converter=_texts)
    time_ns: int | None = None
    code: tuple[str, int] | None = None
    suppressed: str | None = None

    @property
    def primary(self) -> Site | None:
        """The site that stands first: the one marked primary, else the first one."""
        for site in self.sites:
            if site.primary:
                return site
        return self.sites[0] if self.sites else None

    @property
    def fingerprint(self) -> str:
        """16 hex digits that survive edits elsewhere and other seeds: no line numbers, no counts (reports.md 6)."""
        places = tuple([(site.role, next(iter(site.frames), None)) for site in self.sites])
        return _fingerprint(self.kind, places)

    def to_json(self) -> dict[str, Any]:
        """The finding as plain values, ready for :func:`json.dumps`."""
        ranges = None
        if self.bytes is not None:
            ranges = {
                "object": self.bytes.object,
                "size": self.bytes.size,
                "ranges": [{"label": r.label, "lo": r.lo, "hi": r.hi} for r in self.bytes.ranges],
            }
        return {
            "id": self.id,
            "kind": self.kind,
            "severity": self.severity,
            "title": self.title,
            "fingerprint": self.fingerprint,
            "count": self.count,
            "cause": self.cause,
            "suppressed": self.suppressed,
            "sites": [site.to_json() for site in self.sites],
            "bytes": ranges,
            "order": self.order,
            "fix": self.fix,
            "notes": list(self.notes),
            "followers": list(self.followers),
            "streams": list(self.streams),
            "time_ns": self.time_ns,
            "code": None if self.code is None else {"api": self.code[0], "value": self.code[1]},
        }


@lru_cache(maxsize=256)  # a program that is run again and again makes the same findings
def _fingerprint(kind: str, places: tuple[tuple[str, Frame | None], ...]) -> str:
    import hashlib

    parts = [kind]
    for role, frame in places:
        if frame is None:
            parts.append(role)
        else:
            line = source_line(frame.file, frame.line).strip()
            parts.append(f"{role}|{os.path.basename(frame.file)}|{frame.function}|{line}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def from_json(value: dict[str, Any]) -> Finding:
    """The finding that :meth:`Finding.to_json` described, for reports about other processes."""
    sites = [
        Site(s["role"], s["text"], primary=s["primary"], resolved=[Frame(**frame) for frame in s["frames"]])
        for s in value["sites"]
    ]
    ranges = value["bytes"]
    return Finding(
        id=value["id"],
        kind=value["kind"],
        severity=value["severity"],
        title=value["title"],
        sites=sites,
        bytes=ranges and ByteMap(ranges["object"], ranges["size"], [ByteRange(**r) for r in ranges["ranges"]]),
        order=value["order"],
        fix=value["fix"],
        notes=value["notes"],
        followers=value["followers"],
        cause=value["cause"],
        count=value["count"],
        streams=value["streams"],
        time_ns=value["time_ns"],
        code=value["code"] and (value["code"]["api"], value["code"]["value"]),
        suppressed=value["suppressed"],
    )


def reworded(finding: Finding, rename: Callable[[str], str]) -> Finding:
    """*finding* with all its texts as *rename* gives them."""
    texts = (
        finding.title,
        finding.order,
        finding.fix,
        *finding.notes,
        *finding.streams,
        *[s.text for s in finding.sites],
    )
    together = "\n".join(texts)
    if rename(together) == together:  # in most there is nothing to rename
        return finding
    return attrs.evolve(
        finding,
        title=rename(finding.title),
        order=rename(finding.order),
        fix=rename(finding.fix),
        notes=[rename(note) for note in finding.notes],
        streams=[rename(stream) for stream in finding.streams],
        sites=[attrs.evolve(site, text=rename(site.text)) for site in finding.sites],
    )


class FindingLog:
    """The findings of one simulator in the order found.

    The same kind at the same places again only raises the count of the first (reports.md 5). *sinks* are called as
    ``sink(finding, first)``: with first True when a finding is new, with False when its count rose.

    >>> log = FindingLog()
    >>> log.report("leak", "warning", "1 event is alive at aclFinalize").id
    'F1'
    """

    def __init__(self) -> None:
        self.sinks: list[Callable[[Finding, bool], None]] = []
        self.rename: Callable[[Finding], Finding] | None = None
        """Puts the program's names into the texts of a new finding (:mod:`ascend_sim.source.variables`)."""
        self.suppressions = Suppressions()
        """Looked at when a finding is new."""
        self._found: list[Finding] = []
        self._seen: dict[object, int] = {}

    def report(self, kind: str, severity: str, title: str, sites: Iterable[Site] = (), **fields: Any) -> Finding:
        """Add a finding, or count it when the same kind at the same places (same title when it has none) is known."""
        sites = tuple(sites)
        places = tuple((site.role, *site.points[:1], *site.resolved[:1]) for site in sites)
        key = (kind, places) if any(site.points or site.resolved for site in sites) else (kind, title)
        at = self._seen.get(key)
        if at is None:
            at = self._seen[key] = len(self._found)
            suppressed = self.suppressions.why(kind, sites)
            finding = Finding(f"F{at + 1}", kind, severity, title, sites, suppressed=suppressed, **fields)
            self._found.append(finding if self.rename is None else self.rename(finding))
            first = True
        else:
            known = self._found[at]
            self._found[at] = attrs.evolve(known, count=known.count + 1)
            first = False
        finding = self._found[at]
        for sink in self.sinks:
            sink(finding, first)
        return finding

    def seen(self, name: str, more: int) -> None:
        """Finding *name* was met *more* times in all."""
        at = int(name[1:]) - 1
        known = self._found[at]
        if more > known.count:
            finding = self._found[at] = attrs.evolve(known, count=more)
            for sink in self.sinks:
                sink(finding, False)

    def follow(self, cause: str, text: str) -> None:
        """Add *text* (a code or a finding that *cause* explains) to the followers of the finding *cause*."""
        at = int(cause[1:]) - 1
        known = self._found[at]
        finding = self._found[at] = attrs.evolve(known, followers=(*known.followers, text))
        for sink in self.sinks:
            followed = getattr(sink, "followed", None)
            if followed is not None:
                followed(finding, text)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __getitem__(self, index: int) -> Finding:
        return self._found[index]
