"""What an exploration found: outcomes with how often they came, failures with their first schedule, how far it went."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import attrs

from ascend_sim.explore.control.blocks.granularity import Splits
from ascend_sim.explore.counterexamples.files import Recording
from ascend_sim.explore.counterexamples.preemptions import choices_of, in_words, summary_of
from ascend_sim.explore.counterexamples.validation import hash_seed, options_for_file
from ascend_sim.explore.outcome import Outcome, differing_parts
from ascend_sim.findings.finding import Finding
from ascend_sim.findings.languages import ENGLISH, chosen, translated
from ascend_sim.observers.checks import parse_checks
from ascend_sim.source.callsite import Frame
from ascend_sim.untrusted.digests import sha256
from ascend_sim.untrusted.escaping import escaped

if TYPE_CHECKING:
    from ascend_sim.explore.runs import Run
    from ascend_sim.explore.search.dpor import Search
    from ascend_sim.explore.search.run_path import Trace

__all__ = ["DIFFERING", "Failure", "Part", "Report", "Result"]

SHOWN = 10
DIFFERING = ("unmarked", "error", "table")
"""When results that differ are a failure: without any reason that the program may have, always, never."""


@attrs.define
class Failure:
    """Something that goes wrong in some schedule.

    *kind* is that of a finding, ``deadlock``, ``exception``, or ``result``: it differs from that of the first schedule.
    """

    kind: str
    title: str
    choices: tuple[str, ...]
    """Who ran, step by step, in the first schedule that showed it."""
    recording: Recording
    """The schedule, for a file."""
    finding: Finding | None = None
    error: BaseException | None = None
    outcome: Outcome | None = None
    """The result that differs."""
    count: int = 1
    path: str = ""
    """Where the schedule was written."""
    known: bool = False
    """It is in the baseline: told, but nothing new."""

    @property
    def fingerprint(self) -> str:
        """That of the finding; else one of the kind and of the title without its numbers."""
        if self.finding is not None:
            return self.finding.fingerprint
        title = "" if self.kind == "result" else _without_numbers(self.title)
        return sha256(f"{self.kind}\n{title}".encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def shown_by(self, run: Run) -> bool:
        """Whether *run* fails in the same way."""
        if self.finding is not None:
            wanted, about = self.finding.fingerprint, _about(self.finding)
            return any(f.kind == self.kind and (f.fingerprint == wanted or _about(f) == about) for f in run.findings)
        if self.outcome is not None:
            return run.outcome == self.outcome
        return _without_numbers(run.outcome.ended) == _without_numbers(self.title)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the schedule that shows it: ``ascend-sim replay``, `replay`."""
        self.recording.save(path)


@attrs.define
class Result:
    """One outcome with the first schedule that led to it and how many classes do. *marks*: its order marks."""

    outcome: Outcome
    choices: tuple[str, ...]
    marks: str
    recording: Recording
    sound: bool
    """Its first schedule had no error finding, no exception and no order mark: nothing says that it might differ."""
    failing: bool = False
    """It counts as a failure that it is not that of the first schedule."""
    count: int = 1

    def shown_by(self, run: Run) -> bool:
        """Whether *run* ends with this result."""
        return run.outcome == self.outcome


@attrs.frozen
class Part:
    """What a part of the search has found."""

    classes: int
    cut: int
    threads: bool
    outcomes: list[Result]
    failures: list[tuple[Any, Failure]]
    """Each with what makes it the same as another."""


class Report:
    """The result of `explore`. True when something failed."""

    def __init__(
        self, bound: int | None, options: Mapping[str, Any], program: str = "", differing: str = "unmarked",
        splits: Splits | None = None, baseline: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        self.baseline = baseline
        """Fingerprints of failures that are known."""
        self.splits = splits if splits is not None else Splits()
        """Which launches are taken apart."""
        self.program = program
        self.bound = bound
        self.options = options
        self._judges_results = differing
        self._marks = "races" in parse_checks(options.get("checks", "none"))
        self.classes = 0
        """Classes of schedules that were run to their end."""
        self.cut = 0
        """Runs that came to nothing new."""
        self.exhausted = False
        """Every class was run; for several host threads: as far as they share locks, queues and API objects."""
        self.threads = False
        """The program started threads."""
        self.all_hosts = False
        """The search that runs now, or ran last, takes all steps of host threads as dependent."""
        self.host_classes = 0
        """Classes that were run in that search, which are finer."""
        self.hosts_exhausted = False
        self.drawn = False
        """The schedules were drawn at random."""
        self.pending = 0
        self.bound_done = False
        self.failures: list[Failure] = []
        self.outcomes: list[Result] = []
        self.unfinished = 0
        """How many steps the run had when the time was up in the middle of it; 0: that did not happen."""
        self.left_at: tuple[Frame, ...] = ()
        """Where its program was then: at most one place."""
        self.met: list[Finding] = []
        """What that run had found by then, and no other."""
        self.lost = 0
        """Branches whose processes died, again and again: what comes after them was not run."""
        self.interrupted = False
        """Ctrl-C ended the search."""
        self.trouble = ""
        """How the program was found not to be deterministic."""
        self._known: dict[Any, Failure] = {}
        self._kept_as: dict[Any, Any] = {}
        """The key in `_known` of what differs from it only in numbers."""
        self._outcomes: dict[Outcome, Result] = {}
        self._names: dict[str, str] = {}
        """What the program calls the allocations of outcomes."""

    @property
    def runs(self) -> int:
        """How often the program ran."""
        return self.classes + self.host_classes + self.cut

    def __bool__(self) -> bool:
        return bool(self.new) or any(finding.fingerprint not in self.baseline for finding in self.met)

    def __repr__(self) -> str:
        how = "exhausted" if self.exhausted else "interrupted" if self.interrupted else f"{self.pending} pending"
        kinds = ", ".join(dict.fromkeys(failure.kind for failure in self.failures))
        return f"<Report: {self.runs} runs, {how}, {len(self.failures)} failures{f' ({kinds})' if kinds else ''}>"

    def _repr_html_(self) -> str:
        from ascend_sim.findings.html import escaped_html, findings_html  # notebooks alone show pages

        found = [failure.finding for failure in self.failures if failure.finding is not None]
        return f"<pre>{escaped_html(self.text(chosen()))}</pre>{findings_html(found) if found else ''}"

    @property
    def new(self) -> list[Failure]:
        """The failures that are not in the baseline."""
        return [failure for failure in self.failures if not failure.known]

    @property
    def estimate(self) -> int:
        """How many classes there are: exact when exhausted, else a guess that grows with what is pending."""
        return (self.host_classes if self.all_hosts else self.classes) + self.pending

    def begin(self, all_hosts: bool) -> None:
        """A search begins, perhaps once more from its start."""
        self.all_hosts = all_hosts
        if all_hosts:
            self.host_classes = 0
        else:
            self.classes = 0
            self.failures, self.outcomes = [], []
            self._known, self._kept_as, self._outcomes = {}, {}, {}

    def finished(self) -> None:
        """The search has run every class."""
        if self.all_hosts:
            self.hosts_exhausted = True
        if not self.all_hosts or not self.classes:
            self.exhausted = True

    def add(self, trace: Trace, run: Run) -> list[Failure]:
        """One more run. Returns the failures that were not seen before."""
        if trace.cut:
            self.cut += 1
            return []
        if self.all_hosts:
            self.host_classes += 1
        else:
            self.classes += 1
        self.threads = self.threads or run.threads
        fresh: list[Failure] = []
        known = self._outcomes.get(run.outcome)
        if known is None:
            recording = self._recording(trace, run, "result", run.outcome.text())
            sound = self._marks and not run.marks and not run.findings and run.error is None
            result = Result(run.outcome, _who(trace), run.marks, recording, sound)
            self._new_outcome(result, fresh)
        else:
            self._once_more(known, 1)
        findings = run.findings
        if len(findings) > 1:  # one of those that differ only in numbers counts
            findings = tuple({self._key(finding): finding for finding in reversed(findings)}.values())[::-1]
        for finding in findings:
            key = self._key(finding)
            if not self._fails_again(key, 1):
                recording = self._recording(trace, run, finding.kind, finding.title, finding)
                self._fail(key, Failure(finding.kind, finding.title, _who(trace), recording, finding), fresh)
        error, ended = run.error, run.outcome.ended
        if error is not None and not (ended == "deadlock" and any(f.kind == "deadlock" for f in run.findings)):
            kind = "deadlock" if ended == "deadlock" else "exception"
            key = kind, _without_numbers(ended)
            if not self._fails_again(key, 1):
                recording = self._recording(trace, run, kind, ended)
                self._fail(key, Failure(kind, ended, _who(trace), recording, None, error), fresh)
        return fresh

    def join(self, part: Part) -> list[Failure]:
        """Take in what another process has run. Returns the failures that were not seen before."""
        fresh: list[Failure] = []
        self.cut += part.cut
        if self.all_hosts:
            self.host_classes += part.classes
        else:
            self.classes += part.classes
        self.threads = self.threads or part.threads
        for result in part.outcomes:
            known = self._outcomes.get(result.outcome)
            if known is None:
                self._new_outcome(result, fresh)
            else:
                self._once_more(known, result.count)
        for kept_as, failure in part.failures:
            key = kept_as if failure.finding is None else self._key(failure.finding)
            if not self._fails_again(key, failure.count):
                self._fail(key, failure, fresh)
        self.met = [finding for finding in self.met if self._key(finding) not in self._known]
        return fresh

    def part(self) -> Part:
        """All that was added since the search began, for another process: with the findings themselves."""
        classes = self.host_classes if self.all_hosts else self.classes
        return Part(classes, self.cut, self.threads, self.outcomes, list(self._known.items()))

    def _once_more(self, known: Result, count: int) -> None:
        """An outcome came again."""
        known.count += count
        if known.failing:
            self._known["result",].count += count

    def _key(self, finding: Finding) -> Any:
        """What *finding* is kept as: as one that was found before, if nothing but numbers tells them apart."""
        key = finding.kind, finding.fingerprint
        kept = self._kept_as.get(key)
        if kept is None:
            kept = self._kept_as[key] = self._kept_as.setdefault(_about(finding), key)
        return kept

    def _fails_again(self, key: Any, count: int) -> bool:
        """Whether it has failed like this before."""
        known = self._known.get(key)
        if known is not None:
            known.count += count
        return known is not None

    def _fail(self, key: Any, failure: Failure, fresh: list[Failure]) -> None:
        """The first of its kind."""
        failure.known = failure.fingerprint in self.baseline
        self._known[key] = failure
        self.failures.append(failure)
        fresh.append(failure)

    def _new_outcome(self, result: Result, fresh: list[Failure]) -> None:
        """*result* is new: a failure when there is another, and nothing gives leave to differ."""
        self._outcomes[result.outcome] = result
        self.outcomes.append(result)
        self._names = {**result.outcome.names, **self._names}
        how = self._judges_results
        if how == "table":
            return
        other = next((one for one in self.outcomes[:-1] if how == "error" or _unmarked(one, result)), None)
        if other is None:
            return
        result.failing = True
        what, here, there = other.outcome.differences(result.outcome, self._names)[0]
        if not self._fails_again(("result",), result.count):
            title = f"results differ: {what}: {here} or {there}"
            recording = attrs.evolve(result.recording, title=title)
            failure = Failure("result", title, result.choices, recording, outcome=result.outcome, count=result.count)
            self._fail(("result",), failure, fresh)

    def _recording(self, trace: Trace, run: Run, kind: str, title: str, finding: Finding | None = None) -> Recording:
        sites = [] if finding is None else [site.frames[0] for site in finding.sites if site.frames]
        return Recording(
            choices=tuple(choices_of(trace.steps)),
            options=options_for_file(self.options),
            kind=kind,
            title=title,
            fingerprint="" if finding is None else finding.fingerprint,
            hash_seed=hash_seed(),
            steps=tuple([summary_of(step) for step in trace.steps]),
            sites=tuple(map(_shown_frame, sites)),
            program=self.program,
            full=tuple(sorted(run.relevant)),
            blocks=run.apart,
        )

    def leave(self, trace: Trace, run: Run) -> None:
        """A run was left in the middle: what it has found is true all the same."""
        self.left_elsewhere(len(trace.steps), run.left_at, run.findings)

    def left_elsewhere(self, steps: int, where: tuple[Frame, ...], findings: Iterable[Finding]) -> None:
        """A run of *steps* was left at *where*. The first of several is named; what all of them have found is told."""
        if not self.unfinished:
            self.unfinished, self.left_at = steps, where or self.left_at
        told = {finding.fingerprint for finding in self.met}
        for finding in findings:
            if self._key(finding) not in self._known and finding.fingerprint not in told:
                told.add(finding.fingerprint)
                self.met.append(finding)

    def left(self, search: Search) -> None:
        """What *search* still has to do."""
        self.pending = len(search.pending) + bool(self.unfinished)
        least = search.least_preemptions()
        self.bound_done = least is None or (self.bound is not None and least > self.bound)

    @property
    def differing(self) -> bool:
        """Whether results depend on the order."""
        return len(self.outcomes) > 1

    def text(self, language: str = ENGLISH) -> str:
        """The report for a reader of *language*."""
        lines = []
        if self.trouble:
            lines.append(f"the program is not deterministic: {self.trouble}")
        lines += self._extent()
        if self.lost:
            lines.append(f"{_many(self.lost, 'branch was', 'branches were')} lost: the processes that ran them died")
        if self.interrupted:
            lines.append("interrupted: this is what was found until then")
        if self.unfinished and not self.interrupted:
            lines.append(
                f"a run was left at step {self.unfinished} when its time was up: it may be one that never ends"
            )
        lines = [translated(line, language) for line in lines]
        if self.left_at and not self.interrupted:
            lines.append("  " + translated(f"at {_shown_frame(self.left_at[0])}", language))
        for finding in self.met:
            title = f"{finding.kind} in the run that was left: {escaped(finding.title)}"
            lines.append(translated(title, language))
            frames = dict.fromkeys(_shown_frame(site.frames[0]) for site in finding.sites if site.frames)
            if frames:
                lines.append("  " + translated(f"at {', '.join(frames)}", language))
        for failure in self.failures:
            of = self.classes + self.host_classes
            known = " (in the baseline)" if failure.known else ""
            title = translated(f"{failure.kind} in {failure.count} of {of}: {escaped(failure.title)}", language)
            lines.append(title + translated(known, language))
            if failure.recording.sites:
                sites = ", ".join(dict.fromkeys(failure.recording.sites))
                lines.append("  " + translated(f"at {sites}", language))
            lines += [f"  {_told(line, language)}" for line in _choices(failure.recording)]
            if failure.path:
                lines.append("  " + translated(f"replay file: {failure.path}", language))
        if self.differing:
            lines += self._table(language)
        return "\n".join(map(escaped, lines))  # names of files and kernels are the program's

    def __str__(self) -> str:
        return self.text()

    def _extent(self) -> list[str]:
        """How much of the space was run."""
        if self.drawn:
            return [f"{_many(self.classes, 'schedule', 'schedules')} drawn at random"]
        coarse = _many(self.classes, "class", "classes") + " of schedules"
        left = f"{self.pending} branches pending (estimate: at least {self.estimate} classes)"
        lines = []
        if not self.runs and not self.unfinished and not self.trouble and not self.interrupted:
            return ["no schedule was run to its end: the time was up before"]
        if self.classes:
            what = " as far as threads share locks, queues and API objects" if self.threads else ""
            done = " within the bound" if self.bound_done and self.bound is not None else ""
            lines.append(f"exhausted: {coarse}{what}" if self.exhausted else f"{coarse} run{done}, {left}")
        if self.host_classes:
            fine = _many(self.host_classes, "order", "orders") + " of all host steps"
            lines.append(f"exhausted: {fine}" if self.hosts_exhausted else f"{fine} run, {left}")
        for launch, split in self.splits.limited():
            both = len(split.alone) + len(split.together)
            lines.append(f"of {launch} {both} blocks conflict: {len(split.alone)} go alone, the others together")
        return lines

    def _table(self, language: str) -> list[str]:
        """The outcomes, what the first two differ in, and the two orders. What the program gave stays as it is."""

        def say(text: str) -> str:
            return translated(text, language)

        lines = [say(f"{len(self.outcomes)} different results:")]
        texts = differing_parts([result.outcome.whole_text(self._names) for result in self.outcomes[:SHOWN]])
        lines += [
            f"  {result.count:>6} x {text}{f' ({say(str(result.marks))})' if result.marks else ''}"
            for result, text in zip(self.outcomes, texts, strict=False)
        ]
        if len(self.outcomes) > SHOWN:
            lines.append("  " + say(f"and {len(self.outcomes) - SHOWN} more"))
        one, two = self.outcomes[:2]
        for what, here, there in one.outcome.differences(two.outcome, self._names)[:SHOWN]:
            lines.append(f"  {say(what)}: {here} {say('or')} {there}")
        for result, text in zip((one, two), texts, strict=False):
            rule = "streams first" if result.recording.default == "device" else "the host first"
            how = "; ".join(_told(choice, language) for choice in _choices(result.recording))
            lines.append(f"  {text}: {say(rule)}{', ' + how if how else ''}")
        return lines


def _unmarked(one: Result, other: Result) -> bool:
    """Whether nothing gives leave to that they differ. A call that fails, and is made again, is no result by itself."""
    if not (one.sound and other.sound):
        return False
    return attrs.evolve(one.outcome, codes=()) != attrs.evolve(other.outcome, codes=())


_NUMBER = re.compile(r"0x[0-9a-f]+|[0-9]+")


def _without_numbers(text: str) -> str:
    """*text* with the same mark in place of each number: addresses, sizes and counts of two runs may differ."""
    return _NUMBER.sub("#", text)


def _about(finding: Finding) -> Any:
    """What *finding* says and where, without numbers and roles."""
    places = frozenset(
        [(f.file, f.line, f.function) for f in [next(iter(site.frames), None) for site in finding.sites] if f]
    )
    return finding.kind, _without_numbers(finding.title), places


def _who(trace: Trace) -> tuple[str, ...]:
    return tuple([step.process for step in trace.steps])


def _choices(recording: Recording) -> list[str]:
    """The first choices, in words."""
    if len(recording.words) == len(recording.choices):
        return [*recording.words[:SHOWN]]
    return [in_words(choice) for choice in recording.choices[:SHOWN]]


def _told(choice: str, language: str) -> str:
    """A choice in *language*: its two sides are steps, each with a text of its own."""
    one, _, other = choice.partition(" before ")
    if language == ENGLISH or not other:
        return translated(choice, language)
    return " ".join((translated(one, language), translated("goes before", language), translated(other, language)))


def _shown_frame(frame: Frame) -> str:
    return f"{os.path.basename(frame.file)}:{frame.line} {frame.function}"


def _many(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
