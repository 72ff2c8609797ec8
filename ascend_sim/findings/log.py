"""The findings of one simulator: counted when they are found again, suppressed, and handed to the sinks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ascend_sim.findings.finding import Finding, Site, fingerprint_of
from ascend_sim.findings.suppressions import Suppressions
from ascend_sim.source.callsite import Point
from ascend_sim.source.fence import fenced, taken, tried_again
from ascend_sim.source.frames import program_points

__all__ = ["FindingLog"]

MOST_FOLLOWERS = 100
"""So many things that a finding explains are named; the others are counted."""


class FindingLog:
    """The findings of one simulator in the order found.

    A kind that is found again at the same places only raises the count of the first. *sinks* are called as
    ``sink(finding, first)``: with first True when a finding is new, with False when its count rose. *wording* puts a new
    finding into the words of the program (`Names.finding` of :mod:`ascend_sim.findings.wording`).

    >>> log = FindingLog()
    >>> log.report("leak", "warning", "1 event is alive at aclFinalize").id
    'F1'
    """

    def __init__(self, wording: Callable[[Finding], Finding] | None = None) -> None:
        self.sinks: list[Callable[[Finding, bool], None]] = []
        self._wording = wording
        self.suppressions = Suppressions()
        """Looked at when a finding is new."""
        self.told: Mapping[str, Finding] = {}
        """By fingerprint, what earlier runs of a program that is run again and again have found: words, which take
        longer than all else in such a run, are found once."""
        self.read = False
        """Whether somebody has looked at the findings: the words may be for him."""
        self._found: list[Finding] = []
        self._seen: dict[object, int] = {}
        taken()  # what failed before this log began is no note of its findings

    @tried_again
    def report(
        self, kind: str, severity: str, title: str, sites: Iterable[Site] = (), by_title: bool = False, **fields: Any
    ) -> Finding:
        """Add a finding, or count it when the same kind at the same places (same title when it has none) is known.

        *by_title*: the title tells it from others, wherever it comes from.
        """
        sites = tuple(sites)
        key = (kind, title) if by_title else _key(kind, title, sites)
        return self._count(key, lambda name: self._made(name, kind, severity, title, sites, fields))

    @tried_again
    def _made(
        self, name: str, kind: str, severity: str, title: str, sites: tuple[Site, ...], fields: dict[str, Any]
    ) -> Finding:
        suppressed = self.suppressions.why(kind, sites)
        finding = Finding(name, kind, severity, title, sites, suppressed=suppressed, **fields)
        if self._wording is not None:
            finding = self._wording(finding)
        plainer = taken()
        return finding.evolved(notes=(*finding.notes, plainer)) if plainer else finding

    @fenced(lambda self, kind, sites: None)
    def again(self, kind: str, sites: Iterable[Site]) -> Finding | None:
        """Count one more finding of *kind* at *sites*, if an earlier run `told` of it; None: it has to be reported.

        It is as the earlier run told it, which nobody sees: who listens, or has looked, gets his own.
        """
        if not self.told or self.read or self.sinks:
            return None
        sites = tuple(sites)
        known = self.told.get(fingerprint_of(kind, sites))
        if known is None:
            return None
        return self._count((kind, _places(sites)), lambda name: known if known.id == name else known.evolved(id=name))

    def _count(self, key: object, made: Callable[[str], Finding]) -> Finding:
        """One more finding with *key*: the first is *made*, with its id."""
        at = self._seen.get(key)
        first = at is None
        if at is None:
            at = len(self._found)
            self._found.append(made(f"F{at + 1}"))
            self._seen[key] = at
        else:
            known = self._found[at]
            self._found[at] = _changed(known, count=known.count + 1)
        finding = self._found[at]
        for sink in self.sinks:
            _told(sink, sink, finding, first)
        return finding

    @tried_again
    def seen(self, name: str, more: int) -> None:
        """Finding *name* was met *more* times in all."""
        at = int(name[1:]) - 1
        known = self._found[at]
        if more > known.count:
            finding = self._found[at] = _changed(known, count=more)
            for sink in self.sinks:
                _told(sink, sink, finding, False)

    def severity(self, name: str) -> str:
        """The severity of finding *name* by now."""
        return self._found[int(name[1:]) - 1].severity

    @tried_again
    def harden(self, name: str, note: str) -> None:
        """Finding *name*, a warning until now, is an error after all: *note* says why."""
        at = int(name[1:]) - 1
        known = self._found[at]
        finding = self._found[at] = _changed(known, severity="error", notes=(*known.notes, note))
        for sink in self.sinks:
            hardened = getattr(sink, "hardened", None)
            if hardened is not None:
                _told(sink, hardened, finding, note)

    @tried_again
    def follow(self, cause: str, text: str) -> None:
        """Add *text* (a code or a finding that *cause* explains) to the followers of the finding *cause*."""
        at = int(cause[1:]) - 1
        known = self._found[at]
        if len(known.followers) >= MOST_FOLLOWERS:  # each is kept, printed and spooled once: no square of their number
            self._found[at] = finding = _changed(known, more_followers=known.more_followers + 1)
            for sink in self.sinks:
                counted = getattr(sink, "followed_more", None)
                if counted is not None:
                    _told(sink, counted, finding)
            return
        finding = self._found[at] = _changed(known, followers=(*known.followers, text))
        for sink in self.sinks:
            followed = getattr(sink, "followed", None)
            if followed is not None:
                _told(sink, followed, finding, text)

    def __repr__(self) -> str:
        told = [f.severity for f in self._found if f.suppressed is None and f.cause is None]
        counts = [(told.count(severity), severity) for severity in dict.fromkeys(told)]
        text = ", ".join(f"{number} {name}{'s' if number > 1 else ''}" for number, name in counts)
        return f"<FindingLog: {text or 'no findings'}>"

    def _repr_html_(self) -> str:
        from ascend_sim.findings.html import findings_html  # notebooks alone show pages

        return findings_html(self._found)

    def __iter__(self) -> Iterator[Finding]:
        self.read = True
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __getitem__(self, index: int) -> Finding:
        self.read = True
        return self._found[index]


@fenced(lambda kind, title, sites: (kind, title))
def _key(kind: str, title: str, sites: tuple[Site, ...]) -> object:
    """What tells one finding from others: its kind, and its places or title."""
    return (kind, _places(sites)) if any(site.points or site.resolved for site in sites) else (kind, title)


@tried_again
def _changed(finding: Finding, **changes: Any) -> Finding:
    return finding.evolved(**changes)


def _missed(sink: Any, tell: Callable[..., None], *told: Any) -> None:
    """*sink* could not take it: one that keeps findings leaves word of that."""
    lose = getattr(sink, "lose", None)
    if lose is not None:
        lose()
    else:
        tell(*told)


@fenced(_missed)
def _told(sink: Any, tell: Callable[..., None], *told: Any) -> None:
    """Hand a finding to *sink*, by *tell*: what a sink cannot do is no matter of the call that found something."""
    tell(*told)


def _places(sites: Iterable[Site]) -> tuple[object, ...]:
    """What tells the findings of one kind apart."""
    return tuple([(site.role, *_place(site), *site.resolved[:1]) for site in sites])


@fenced(lambda site: site.points[:1])
def _place(site: Site) -> tuple[Point, ...]:
    """The point that tells one site from another: in the function that calls, not in what hands the call on."""
    return program_points(site.points)[:1] or site.points[:1]
