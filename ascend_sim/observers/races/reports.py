"""What the race detector says: one finding a pair of places, with the accesses, the missing edge and its cure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_sim.findings.finding import ByteMap, ByteRange, Finding, Site
from ascend_sim.findings.vocabulary import Part
from ascend_sim.findings.wording import Names, launched, line_of, where
from ascend_sim.machine.virtual_memory import Physical
from ascend_sim.observers.plain_findings import tells
from ascend_sim.observers.races.accesses import ATOMIC, AtomicUpdate
from ascend_sim.observers.races.diagnosis import Advice, advise, submitted, unless_hidden
from ascend_sim.observers.races.pool_reports import PoolReports
from ascend_sim.runtime.task import Task
from ascend_sim.source.callsite import points
from ascend_sim.source.frames import program_points
from ascend_sim.source.variables import item_write

if TYPE_CHECKING:
    from ascend_sim.kernels.launching.accesses import BlockAccesses
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.observers.races.access_history import Met
    from ascend_sim.observers.races.block_races import BlockConflict
    from ascend_sim.observers.races.happens_before import HappensBefore
    from ascend_sim.observers.races.sync_log import SyncLog
    from ascend_sim.runtime.core import Runtime

__all__ = ["RaceReports"]

MOST_PLACES = 4096
"""So many stacks are kept with their places."""
MOST_BLOCKS = 8
"""So many allocations are reported for one pair of places."""


def outer(who: Any, other: Any) -> Any:
    """Whom to order with *other*: for a task of a graph the execution of that, unless *other* belongs to it, too."""
    launch = getattr(who, "launch", None)
    return who if launch is None or launch is getattr(other, "launch", None) else launch


class Side:
    """One access of a pair."""

    __slots__ = ("hi", "lo", "who", "write")

    def __init__(self, who: Any, write: Any, lo: int, hi: int) -> None:
        self.who = who
        self.write = write
        self.lo = lo
        self.hi = hi

    def mark(self, names: Names) -> str:
        """The label of its bar."""
        who = names.stream(self.who.stream).strip("`") if isinstance(self.who, Task) else "host"
        return f"{who} {'W' if self.write else 'R'}"


class Pair:
    """What a report is about: *first* and *second*, in the order of the program, touch the same bytes of *block*.

    *gone*: what had the bytes of the first access, when the second is to an object that got its memory. *hidden*: what
    may order the two unseen.
    """

    __slots__ = ("advice", "block", "first", "gone", "hidden", "second")

    def __init__(
        self, block: Any, first: Side, second: Side, advice: Advice, gone: str | None, hidden: str | None
    ) -> None:
        self.hidden = hidden
        self.block = block
        self.first = first
        self.second = second
        self.advice = advice
        self.gone = gone

    def shown(self) -> list[tuple[str, str, Any]]:
        """(role, label, call site) of the calls between the two."""
        graphs = launched(self.second.who, self.first.who)
        return [*((site.role, site.text, site.points) for site in graphs), *self.advice.calls]


class RaceReports:
    """Collects pairs; the fields say which access is being tested."""

    def __init__(self, sim: Runtime, log: SyncLog, names: Names, clocks: HappensBefore) -> None:
        self.sim = sim
        self.clocks = clocks
        self.log = log
        self.names = names
        self.later: Any = None
        self.block: Any = None
        self.lo = self.hi = 0
        self.write: Any = False
        self.freeing = False
        self.pools = PoolReports(sim, log, names)
        self._seen: dict[Any, dict[int, list[Any]]] = {}
        """Pairs of places: by the number of the allocation, the finding and how often it was seen."""
        self._places: dict[int, tuple[Any, tuple[Any, ...]]] = {}
        """By the identity of a site, which is kept: the site and its place."""
        self._block_races: dict[Any, list[Any]] = {}
        self._folded: dict[tuple[int, ...], list[tuple[Pair, str]]] = {}
        """By their streams: the pairs that were told, and their findings."""

    def races(
        self, who: Any, block: Allocation, lo: int, hi: int, write: Any, met: list[Met], freeing: bool = False
    ) -> None:
        """*who* accesses bytes [lo, hi) of *block* in no order with those in *met*."""
        if type(who) is AtomicUpdate:
            who = who.task
        b = who.site
        last = None
        for earlier, wrote, start, end in met:
            if earlier is last:
                continue  # the next segment of the same access
            last = earlier
            if type(earlier) is AtomicUpdate:
                if write == ATOMIC:
                    continue
                earlier = earlier.task
            a = earlier.site
            key: Any
            if a is None or b is None:
                key = (wrote, write, freeing)
            elif type(a[0]) is tuple or type(b[0]) is tuple:  # with callers, since calls are wrapped
                key = (*self._place(a), *self._place(b), wrote, write, freeing)
            else:  # by identity: code objects are slow to hash
                key = (id(a[0]), a[1], id(b[0]), b[1], wrote, write, freeing)
            pairs = self._seen.get(key)
            if pairs is None:
                pairs = self._seen[key] = {}
            pair = pairs.get(block.number)
            if pair is None and len(pairs) >= MOST_BLOCKS:
                pair = next(iter(pairs.values()))  # one more allocation at the same lines says nothing new
            if pair is not None:
                pair[1] += 1
                continue
            self.later, self.block, self.lo, self.hi, self.write, self.freeing = who, block, lo, hi, write, freeing
            pairs[block.number] = [self._report(earlier, wrote, start, end), 1]

    def _place(self, site: Any) -> tuple[Any, ...]:
        """`_place_of` *site*, which is asked for at each access that races: equal stacks are mostly one object."""
        known = self._places.get(id(site))
        if known is not None:
            return known[1]
        place = _place_of(site)
        if len(self._places) >= MOST_PLACES:
            self._places.clear()
        self._places[id(site)] = site, place
        return place

    def finish(self) -> None:
        """Write how often each pair was seen."""
        counts: dict[str, int] = {}
        for pairs in (*self._seen.values(), self._block_races):
            for name, count in pairs.values():
                counts[name] = counts.get(name, 0) + count
        for name, count in counts.items():
            if name and count > 1:
                self.sim.findings.seen(name, count)

    # -- one pair ----------------------------------------------------------------------------------------------------

    @tells("race", answer=lambda finding: finding.id)
    def _report(self, earlier: Any, wrote: bool, lo: int, hi: int) -> str:
        """A new pair. It is reported in the order of the program, whatever ran first in this schedule.

        Returns the id of its finding; empty when it was folded into another one, whose count it leaves alone.
        """
        block, names = self.block, self.names
        if block.pool is not None:
            found = self.pools.pair(
                block, (self.later, self.write), (earlier, wrote), max(lo, self.lo), min(hi, self.hi)
            )
            if found is not None:
                return found.id
        ran_last = Side(self.later, self.write, self.lo, self.hi)
        ran_first = Side(earlier, wrote, *self._extent(earlier, wrote, lo, hi))
        first, second = ran_first, ran_last
        one, other = outer(earlier, self.later), outer(self.later, earlier)
        submits = submitted(one, other)
        if not self.freeing and (self.log.called_before(submits[1], submits[0]) or self._did_not_wait(*submits)):
            first, second = second, first
        advice = advise(self.log, names, outer(first.who, second.who), outer(second.who, first.who))
        gone = None
        successor = self._successor(first, second)
        if successor is not None:
            gone, advice = successor
        hidden = None
        if self.sim.threads.unseen_order is not None and self.clocks.handed_on(earlier, self.later):
            hidden = self.sim.threads.unseen_order((first.who.site, second.who.site))
        if hidden is not None:
            advice = unless_hidden(hidden)
        pair = Pair(block, first, second, advice, gone, hidden)
        between = tuple(x.who.stream.number for x in (first, second) if isinstance(x.who, Task))
        folds = len(between) == 2 and not self.freeing
        if folds:
            for told, name in self._folded.get(between, ()):
                if told.block is block and self._covers(told, pair) and told.advice.order == advice.order:
                    title = self._title(pair, self._part(pair))
                    self.sim.findings.follow(name, f"{line_of(second.who.site, ())}: {title}")
                    return ""
        finding = self._again(pair) or self._tell(pair)
        if folds:
            self._folded.setdefault(between, []).append((pair, finding.id))
        return finding.id

    def _covers(self, told: Pair, pair: Pair) -> bool:
        """Whether what would order *told* would order *pair*, which is on the same two streams."""
        return self._covered(pair.first.who, told.first.who) and self._covered(told.second.who, pair.second.who)

    def _again(self, pair: Pair) -> Finding | None:
        """The finding of *pair* when an earlier run of the program made it: in the words that it had then.

        What a framework keeps in its blocks may be another object each time.
        """
        findings, names = self.sim.findings, self.names
        if not findings.told or any(names.vocabulary(site) for site in (pair.block.site, pair.first.who.site)):
            return None
        places = self._cited(pair, whole=True)
        return self.sim.report_again(self._kind, [Site(role, "", site) for role, site in places])

    def _tell(self, pair: Pair) -> Finding:
        """A new finding, of *pair*."""
        names, block, first, second = self.names, pair.block, pair.first, pair.second
        part = self._part(pair)
        streams = tuple(names.stream(x.who.stream).strip("`") for x in (first, second) if isinstance(x.who, Task))
        title = self._title(pair, part)
        whole = part.size == block.size
        texts = [
            f"{block.ended()} here by the host" if self.freeing else self._label(second, part),
            self._label(first, part if pair.gone is None else _former(pair.gone, part)),
            *(text for _, text, _ in pair.shown()),
        ]
        if whole:
            texts.append(f"{names.block(block)}: {block.size} bytes{where(block)}")
        if isinstance(block, Physical) and block.seen is not None:
            texts.append("mapped here")
        sites = [
            Site(role, text, site, primary=not i)
            for i, ((role, site), text) in enumerate(zip(self._cited(pair, whole), texts, strict=True))
        ]
        sides = (first,) if self.freeing else (second, first)
        ranges = [ByteRange(x.mark(names), x.lo - part.begin, x.hi - part.begin) for x in sides]
        picture = ByteMap(part.bare, part.size, ranges)
        return self._found(
            self._kind, title, sites, pair.advice, picture, streams, second.who.ready, "note" if pair.hidden else "error"
        )

    @property
    def _kind(self) -> str:
        return "use-after-free" if self.freeing else "race"

    def _cited(self, pair: Pair, whole: bool) -> list[tuple[str, Any]]:
        """(role, call site) of all that a report about *pair* shows. *whole*: the block is one object of the program."""
        roles = ("free", "access") if self.freeing else ("access", "other")
        places = [(roles[0], pair.second.who.site), (roles[1], pair.first.who.site)]
        places += [(role, site) for role, _, site in pair.shown()]
        if whole:  # a part of it is no object that the program allocated at that line
            places.append(("alloc", pair.block.origin()))
        if isinstance(pair.block, Physical) and pair.block.seen is not None:
            places.append(("other", pair.block.seen))
        return places

    def _part(self, pair: Pair) -> Part:
        """What the program calls the bytes that both touch."""
        first, second = pair.first, pair.second
        return self.names.part(pair.block, max(first.lo, second.lo), min(first.hi, second.hi))

    def _did_not_wait(self, one: Any, other: Any) -> bool:
        """Whether *one* is an access of a thread that nothing orders with the submit of *other*: it stands first then."""
        return (
            not isinstance(one, Task)
            and isinstance(other, Task)
            and one.thread is not other.thread
            and one.serving is None
            and not self.log.called_before(one, other)
        )

    def _covered(self, one: Task, other: Task) -> bool:
        """Whether *one* is *other* or stands before it on their stream: what orders the one's side orders the other."""
        return one is other or (one.stream is other.stream and self.log.called_before(one, other))

    def _found(
        self,
        kind: str,
        title: str,
        sites: list[Site],
        advice: Advice,
        picture: ByteMap | None,
        streams: tuple[str, ...],
        called_ns: int | None = None,
        severity: str = "error",
    ) -> Finding:
        return self.sim.report(
            kind,
            severity,
            title,
            sites,
            bytes=picture,
            order=advice.order,
            fix=advice.fix,
            streams=streams,
            time_ns=self.sim.scheduler.now,
            called_ns=called_ns,
        )

    def _successor(self, first: Side, second: Side) -> tuple[str, Advice] | None:
        """(name, advice) when the second access is to an object that got the memory of the first one's, which is gone."""
        a, b, names = first.who, second.who, self.names
        vocabulary = names.vocabulary(a.site)
        if vocabulary is None or self.freeing or not isinstance(a, Task) or not isinstance(b, Task):
            return None
        if first.write and not second.write:  # who got the memory would have written it first
            return None
        lo, hi = max(first.lo, second.lo), min(first.hi, second.hi)
        name = vocabulary.successor(a, b, self.block, lo, hi)
        if name is None:
            return None
        gone = f"`{name}`" if name else "a tensor that is gone"
        order = f"{gone} was let go at its last use in the program, while {names.stream(a.stream)} still needs it"
        fix = vocabulary.keeping(name, a.stream, line_of(a.site, b.site))
        return gone, Advice(lambda: (order, fix))

    def _title(self, pair: Pair, part: Part) -> str:
        names, first, second = self.names, pair.first, pair.second
        block = part.name
        doing = "writing" if first.write else "reading"
        if isinstance(first.who, Task):
            who = names.task(first.who)
        else:
            who = f"{first.who.call} in {first.who.thread.name}"
        if self.freeing:
            return f"{block} is {self.block.ended()} while {who} may still be {doing} it"
        does = "writes" if second.write else "reads"
        if isinstance(second.who, Task):
            it = f"{pair.gone}, whose memory it got" if pair.gone is not None else "it"
            return f"{names.task(second.who)} {does} {block} while {who} may still be {doing} {it}"
        where = "" if isinstance(first.who, Task) else f" in {second.who.thread.name}"
        return f"{second.who.call}{where} {does} {block} while {who} may still be {doing} it"

    def _label(self, side: Side, part: Part) -> str:
        who = side.who
        does = "updates" if side.write == ATOMIC else "writes" if side.write else "reads"
        text = f"{does} {part.bare}[{side.lo - part.begin}, {side.hi - part.begin})"
        if isinstance(who, Task):
            parameter = self.names.parameter(who, self.block)
            if parameter:
                text += f" (parameter `{parameter}`)"
            text += f", submit {who.number} of {who.thread.name}, on {self.names.stream(who.stream)}"
        else:
            text += f" in {who.thread.name}"
        return text

    def _extent(self, who: Any, wrote: bool, lo: int, hi: int) -> tuple[int, int]:
        """The whole access of which the segment [lo, hi) is a part, when the operation declared it."""
        if isinstance(who, Task):
            base = self.block.address
            for access in who.op.accesses:
                if access.write == wrote and access.lo - base <= lo and hi <= access.hi - base:
                    return access.lo - base, access.hi - base
        return max(lo, self.lo), min(hi, self.hi)

    # -- others ------------------------------------------------------------------------------------------------------

    @tells("block-race")
    def block_race(self, task: Task, found: BlockAccesses, conflict: BlockConflict) -> None:
        """Two blocks of one launch touch the same bytes."""
        block, names = conflict.memory.allocation, self.names
        first, second = conflict.blocks
        what = f"`{conflict.memory.name}`"
        if conflict.kinds == ("writes", "writes"):
            title = f"kernel `{found.kernel.name}`: {first} and {second} both write {what}, and nothing orders them"
        else:
            title = (
                f"kernel `{found.kernel.name}`: {first} {conflict.kinds[0]} what {second} {conflict.kinds[1]} in {what}, "
                "and nothing orders them"
            )
        code = found.kernel.function.__code__
        bytes_text = f"[{conflict.lo}, {conflict.hi})"
        sites = [
            Site(
                "access",
                f"{first} {conflict.kinds[0]} and {second} {conflict.kinds[1]} bytes {bytes_text} of {what}",
                item_write(code, conflict.memory.name) if "writes" in conflict.kinds else (code, 0),
                primary=True,
            ),
            Site("submit", f"launched here, task of {names.stream(task.stream)}", task.site),
            *launched(task),
        ]
        if block is not None:
            sites.append(Site("alloc", f"{names.block(block)}: {block.size} bytes{where(block)}", block.site))
        order = "no sync_all between the two"
        if conflict.kinds == ("writes", "writes"):
            order += ", and neither is atomic: updates can get lost"
        fix = "give each block its own part, put `await b.sync_all()` between the two, or use atomic_add"
        advice = Advice(lambda: (order, fix))
        key = (points(task.site)[:1], found.kernel.name)
        if key in self._block_races:
            self._block_races[key][1] += 1
            return
        size = block.size if block is not None else conflict.hi
        picture = ByteMap(conflict.memory.name, size, [ByteRange(f"{first} W", conflict.lo, conflict.hi)])
        finding = self._found("block-race", title, sites, advice, picture, (names.stream(task.stream).strip("`"),))
        self._block_races[key] = [finding.id, 1]

    def forgot(self, block: Allocation) -> None:
        """The history of a block became too long."""
        self.sim.report(
            "order-history",
            "note",
            f"{self.names.block(block)} is accessed in so many different pieces that the older half of its history was "
            "forgotten: races with it are not seen",
            [Site("alloc", "allocated here", block.site, primary=True)],
        )


def _former(name: str, part: Part) -> Part:
    """What had the bytes of *part* before."""
    return Part(name, part.begin, part.size)


def _place_of(site: Any) -> tuple[Any, ...]:
    """A call site as a key: by identity, since code objects are slow to hash; with its caller, since calls are wrapped."""
    if site is None:
        return (0,)
    if type(site[0]) is not tuple:
        return (id(site[0]), site[1])
    site = program_points(site) or site
    if len(site) == 1:
        return (id(site[0][0]), site[0][1])
    return (id(site[0][0]), site[0][1], id(site[1][0]), site[1][1])
