"""What the simulator has to say about a program: findings, with the call sites that belong together.

The fields are those of the JSON form; the text form is in :mod:`ascend_sim.findings.rendering`. A finding never changes
the code that a call returns.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from ascend_sim.findings.value import Value
from ascend_sim.source.callsite import CallSite, Frame, Point, source_line
from ascend_sim.source.callsite import points as points_of_site
from ascend_sim.source.fence import fenced, tried_again
from ascend_sim.source.frames import frames_of
from ascend_sim.untrusted.digests import sha256
from ascend_sim.untrusted.long_names import shortened

__all__ = [
    "ROLES",
    "SEVERITIES",
    "ByteMap",
    "ByteRange",
    "Finding",
    "Frame",
    "Site",
    "fingerprint_of",
    "from_json",
]

ROLES = ("access", "other", "alloc", "free", "submit", "sync", "wait", "register")
"""What a site did (docs/semantics/reports.md#roles)."""

SEVERITIES = ("error", "warning", "note")


def _texts(value: Iterable[str]) -> tuple[str, ...]:
    return (_text(value),) if isinstance(value, str) else tuple([_text(text) for text in value])


def _text(value: str) -> str:
    """*value*, for which a name of the program may have any length; what a file has in its place stays for `from_json`."""
    return shortened(value) if isinstance(value, str) else value


class Site(Value):
    """One place that takes part in a finding.

    *role* is one of :data:`ROLES`, *text* a label that starts with a verb (``"freed here by the host"``), *points* the
    ``(f_code, f_lasti)`` pairs of the call and its callers, innermost first (a single pair and None are accepted too).
    They are resolved to :attr:`frames` only when somebody asks.
    """

    __match_args__ = ("role", "text", "points", "primary", "resolved")
    __slots__ = __match_args__

    role: str
    text: str
    points: tuple[Point, ...]
    primary: bool
    resolved: tuple[Frame, ...]

    @tried_again
    def __init__(
        self, role: str, text: str, points: CallSite = (), primary: bool = False, resolved: Iterable[Frame] = ()
    ) -> None:
        self._keep(role, _text(text), points_of_site(points), primary, tuple(resolved))

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The user's frames, innermost first; empty when only the simulator itself was on the stack."""
        return self.resolved or frames_of(self.points)

    @property
    def with_wrappers(self) -> tuple[Frame, ...]:
        """`frames` with those of functions that only hand the call on."""
        return self.resolved or frames_of(self.points, wrappers=True)

    def to_json(self) -> dict[str, Any]:
        return {
            "role": self.role,
            "primary": self.primary,
            "text": self.text,
            "frames": [frame.to_json() for frame in self.frames],
        }


class ByteRange(NamedTuple):
    """Bytes ``[lo, hi)`` of an object, with who touches them (``"fill W"``)."""

    label: str
    lo: int
    hi: int


class ByteMap(Value):
    """The bytes of an object of *size* bytes that the accesses of a finding touch."""

    __match_args__ = ("object", "size", "ranges")
    __slots__ = __match_args__

    object: str
    size: int
    ranges: tuple[ByteRange, ...]

    @tried_again
    def __init__(self, object: str, size: int, ranges: Iterable[ByteRange] = ()) -> None:
        self._keep(_text(object), size, tuple([r._replace(label=_text(r.label)) for r in ranges]))

    def renamed(self, rename: Callable[[str], str]) -> ByteMap:
        """With all texts as *rename* gives them."""
        return ByteMap(rename(self.object), self.size, [r._replace(label=rename(r.label)) for r in self.ranges])


@fenced(lambda finding: "0" * 16)  # not even that: a program that lets no import work
def _of_roles(finding: Finding) -> str:
    """What stands for a fingerprint when the places cannot be read."""
    return _fingerprint(finding.kind, tuple((site.role, None) for site in finding.sites))


class Finding(Value):
    """One fault of the program, or one remark about the run.

    *severity* is ``"error"``, ``"warning"`` or ``"note"``. *title* says what touches what in the user's names, without
    addresses. *order* says what the program did to order things, *fix* what to change (first line a sentence, further
    lines code to type). *followers* are later codes and findings that this one explains; *cause* is the id of the
    finding that explains this one. *code* is the call and the value it returned, *time_ns* the virtual nanoseconds when it
    was found, *called_ns* those of the call at the primary site, where they are known.
    """

    __match_args__ = (
        "id", "kind", "severity", "title", "sites", "bytes", "order", "fix", "notes", "followers", "cause", "count",
        "streams", "time_ns", "code", "suppressed", "called_ns", "more_followers",
    )  # fmt: skip
    __slots__ = __match_args__

    id: str
    kind: str
    severity: str
    title: str
    sites: tuple[Site, ...]
    bytes: ByteMap | None
    order: str
    fix: str
    notes: tuple[str, ...]
    followers: tuple[str, ...]
    cause: str | None
    count: int
    streams: tuple[str, ...]
    time_ns: int | None
    code: tuple[str, int] | None
    suppressed: str | None
    called_ns: int | None
    more_followers: int
    """So many followers beyond the first hundred: they are only counted."""

    def __init__(
        self,
        id: str,
        kind: str,
        severity: str,
        title: str,
        sites: Iterable[Site] = (),
        bytes: ByteMap | None = None,
        order: str = "",
        fix: str = "",
        notes: Iterable[str] = (),
        followers: Iterable[str] = (),
        cause: str | None = None,
        count: int = 1,
        streams: Iterable[str] = (),
        time_ns: int | None = None,
        code: tuple[str, int] | None = None,
        suppressed: str | None = None,
        called_ns: int | None = None,
        more_followers: int = 0,
    ) -> None:
        self._keep(
            id, kind, severity, _text(title), tuple(sites), bytes, _text(order), _text(fix), _texts(notes),
            _texts(followers), cause, count, _texts(streams), time_ns, code, suppressed, called_ns, more_followers,
        )  # fmt: skip

    @property
    @fenced(lambda self: None)
    def primary(self) -> Site | None:
        """The site that stands first: the one marked primary, else the first one."""
        for site in self.sites:
            if site.primary:
                return site
        return self.sites[0] if self.sites else None

    @property
    @fenced(_of_roles)
    def fingerprint(self) -> str:
        """16 hex digits that survive edits elsewhere and other seeds: no line numbers, no counts.

        See docs/semantics/reports.md#fingerprints.
        """
        return fingerprint_of(self.kind, self.sites)

    def __repr__(self) -> str:
        site = self.primary
        frame = next(iter(site.frames), None) if site is not None else None
        where = f"{os.path.basename(frame.file)}:{frame.line}: " if frame is not None else ""
        return f"<{self.id} {self.severity}[{self.kind}] {where}{' '.join(self.title.split())}>"

    def _repr_html_(self) -> str:
        from ascend_sim.findings.html import finding_html  # notebooks alone show pages

        return finding_html(self)

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
            **({"more_followers": self.more_followers} if self.more_followers else {}),
            "streams": list(self.streams),
            "time_ns": self.time_ns,
            "called_ns": self.called_ns,
            "code": None if self.code is None else {"api": self.code[0], "value": self.code[1]},
        }


def fingerprint_of(kind: str, sites: Iterable[Site]) -> str:
    """The fingerprint of a finding of *kind* at *sites*, before there is one."""
    return _fingerprint(kind, tuple([(site.role, next(iter(site.frames), None)) for site in sites]))


@lru_cache(maxsize=256)  # a program that is run again and again makes the same findings
def _fingerprint(kind: str, places: tuple[tuple[str, Frame | None], ...]) -> str:
    parts = [kind]
    for role, frame in places:
        if frame is None:
            parts.append(role)
        else:
            line = source_line(frame.file, frame.line).strip()
            parts.append(f"{role}|{os.path.basename(frame.file)}|{_plain_name(frame.function)}|{line}")
    return sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


_INLINED = (".<listcomp>", ".<dictcomp>", ".<setcomp>")


def _plain_name(function: str) -> str:
    """The name that every version of Python knows: without classes (3.10), nor the comprehensions that 3.12 inlines."""
    while f".{function}".endswith(_INLINED):
        function = function.rpartition(".")[0] or "<module>"
    return function.rpartition(".")[2]


def from_json(value: dict[str, Any]) -> Finding:
    """The finding that :meth:`Finding.to_json` described, for reports about other processes.

    Raises ValueError, LookupError, TypeError or AttributeError for what that never wrote: the program can reach the file.
    """
    sites = [
        Site(s["role"], s["text"], primary=s["primary"], resolved=[Frame(**frame) for frame in s["frames"]])
        for s in value["sites"]
    ]
    ranges = value["bytes"]
    found = Finding(
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
        more_followers=value.get("more_followers", 0),
        cause=value["cause"],
        count=value["count"],
        streams=value["streams"],
        time_ns=value["time_ns"],
        code=value["code"] and (value["code"]["api"], value["code"]["value"]),
        suppressed=value["suppressed"],
        called_ns=value.get("called_ns"),
    )
    if not _well_formed(found):
        raise ValueError("a field of a finding has another type than it should")
    return found


def _well_formed(found: Finding) -> bool:
    """Whether the fields are of the types that everything after this counts on."""
    frames = [frame for site in found.sites for frame in site.resolved]
    texts = [found.id, found.kind, found.title, found.order, found.fix, *found.notes, *found.followers, *found.streams]
    texts += [text for site in found.sites for text in (site.role, site.text)]
    texts += [text for frame in frames for text in (frame.file, frame.function)]
    texts += [text for text in (found.cause, found.suppressed) if text is not None]
    numbers = [found.count, found.more_followers, *(frame.line for frame in frames)]
    numbers += [n for frame in frames for n in (frame.col, frame.end_col) if n is not None]
    numbers += [n for n in (found.time_ns, found.called_ns) if n is not None]
    if found.bytes is not None:
        texts += [found.bytes.object, *(part.label for part in found.bytes.ranges)]
        numbers += [found.bytes.size, *(n for part in found.bytes.ranges for n in (part.lo, part.hi))]
    if found.code is not None:
        texts.append(found.code[0])
        numbers.append(found.code[1])
    whole = all(type(text) is str for text in texts) and all(isinstance(n, int) for n in numbers)
    return whole and found.severity in ("error", "warning", "note")
