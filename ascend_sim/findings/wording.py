"""The words of findings: objects by the variables of the program, functions as the program calls them.

A stream is ``stream `s_copy` `` or `` `s_copy` `` after the variable that the creating call, or the function around it,
was first assigned to; ``aclrtFree`` is ``acl.rt.free`` where the program uses pyACL.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from ascend_sim.catalogue.pyacl import names
from ascend_sim.findings.finding import Finding, Site
from ascend_sim.findings.vocabulary import VOCABULARIES, Part, Vocabulary
from ascend_sim.source.callsite import (
    BY_PYACL,
    Frame,
    Point,
    face_of,
    native_place,
    points,
    resolve,
    source_line,
)
from ascend_sim.source.fence import fenced
from ascend_sim.source.frames import (
    frames_of,
    inside_library,
    made_in_generator,
    maker,
    program_points,
    same_scope,
)
from ascend_sim.source.lines import lines_of
from ascend_sim.source.variables import unpacked_names, variable_of

if TYPE_CHECKING:
    from ascend_sim.machine.address_space import AddressSpace
    from ascend_sim.machine.allocations import Allocation
    from ascend_sim.source.holders import Holders

__all__ = [
    "Names", "called", "in_pyacl", "launched", "line_of", "lines_apart", "pyacl_face", "queued", "remarked", "reworded",
    "sites_apart", "the_work", "where", "with_article", "work",
]  # fmt: skip

_NUMBERED = r"\b(stream|event|notify|context|label) (\d+)\b(?! `)"

_TYPED = r"\b(acl[\w.]+\()(stream|event|notify|context|label) (\d+)\b"
"""Code to type: a call whose first argument is such an object."""


_TYPEABLE = r"[^\W\d]\w*((?:\.|->)[^\W\d]\w*|\[(\d+|'[^'\\]*'|[^\W\d]\w*)\])*"
"""An expression that a report may hand out as code: a name with attributes and elements."""
_INDEXED = r"\[[^\W\d]"
"""An element by a variable, which means another thing in each round."""
_INDEX = r"(?:\[[^\W\d][^\[\]]*\])+"
"""The indices of such an element."""

_C_NAME = r"\bacl[a-z]*[A-Z]\w*"
_PYACL_CALL = r"\bacl\.\w"
_IMPORTS_PYACL = r"(?m)^\s*(import acl\b|from acl\b)"
_IMPORTS_C = r"(?m)^\s*(import|from) ascend_sim\b"
_NULL_STREAM = r"(\bacl\.[\w.]+\((?:[^()]*, )?)None\b"
"""Code to type for pyACL with a None for the default stream: there it is 0."""


@fenced(lambda site: False)
def pyacl_face(site: Any) -> bool:
    """Whether the program calls pyACL at *site* (else the C names): the call says so.

    Of a place that was kept without its callers its line tells, or what its files import.
    """
    face = face_of(points(site))
    if face is not None:
        return face is BY_PYACL
    if "acl" not in sys.modules:
        return False
    frames = frames_of(points(site))
    for frame in frames:
        line = source_line(frame.file, frame.line)
        if re.search(_C_NAME, line):
            return False
        if re.search(_PYACL_CALL, line):
            return True
    texts = [_source(frame.file) for frame in frames]
    if not any(texts):  # without its source nothing speaks for pyACL
        return False
    return any(re.search(_IMPORTS_PYACL, text) for text in texts) or not any(
        re.search(_IMPORTS_C, text) for text in texts
    )


def _source(file: str) -> str:
    return "".join(lines_of(file))


def in_pyacl(text: str) -> str:
    """*text* with the names of pyACL for those of C.

    >>> in_pyacl("before that: aclrtSynchronizeStream(None)")
    'before that: acl.rt.synchronize_stream(0)'
    """
    if "acl" not in text:
        return text
    text = re.sub(_C_NAME, lambda match: names().get(match[0], match[0]), text)
    return re.sub(_NULL_STREAM, r"\g<1>0", text)


@fenced(lambda noun: noun)
def with_article(noun: str) -> str:
    """``a copy``, ``an event``."""
    return f"an {noun}" if noun[:1].lower() in "aeiou" or noun.startswith("nd") else f"a {noun}"


@fenced(lambda kind: kind)
def work(kind: str) -> str:
    """What a task of *kind* does, as a subject: ``a copy``, ``kernel `scale` ``."""
    if kind.startswith("kernel "):
        return f"kernel `{kind[7:]}`"
    calls = {"pool-malloc": "aclrtMemPoolMallocAsync", "pool-free": "aclrtMemPoolFreeAsync"}
    words = {"set": "memset", "value-write": "value write", "value-wait": "value wait"}
    return calls.get(kind) or with_article(words.get(kind, kind))


@fenced(lambda kind: kind)
def the_work(kind: str) -> str:
    """`work` of which the reader knows by now: ``the memset``, ``kernel `scale` ``."""
    article, _, noun = work(kind).partition(" ")
    return f"the {noun}" if article in ("a", "an") else work(kind)


@fenced(lambda function, site: function)
def called(function: str, site: Any) -> str:
    """The C name *function* as the program calls it at *site*."""
    return in_pyacl(function) if pyacl_face(site) else function


@fenced(lambda task: "queued")
def queued(task: Any) -> str:
    """What the call at the site of *task* did with it: ``queued``, or ``captured`` for a task of a graph."""
    return "queued" if getattr(task, "launch", None) is None else "captured"


@fenced(lambda *tasks: [])
def launched(*tasks: Any) -> list[Site]:
    """Where the graphs were executed of which *tasks* are a part: their own sites are the calls that recorded them."""
    launches = dict.fromkeys(task.launch for task in tasks if getattr(task, "launch", None) is not None)
    return [Site("submit", "executed here, with its graph", launch.site) for launch in launches]


@fenced(lambda site, beside=None: "an unknown place")
def line_of(site: Any, beside: Any = None) -> str:
    """``line 12``, or ``model.py:12`` when that is another file than the one of *beside*."""
    frames = frames_of(points(site))
    if not frames:
        return "an unknown place"
    other = frames_of(points(beside))
    return _line(frames[0], beside is None or bool(other and other[0].file == frames[0].file))


def _line(frame: Frame, plain: bool) -> str:
    file = frame.file.rsplit("/", 1)[-1]
    if not frame.line:  # of a program that was compiled without them
        return f"{frame.function} of {file}"
    return f"line {frame.line}" if plain else f"{file}:{frame.line}"


@fenced(lambda one, other: ("an unknown place", "another"))
def lines_apart(one: Any, other: Any) -> tuple[str, str]:
    """The lines of two calls; of two that one function makes, the lines of its callers, or of theirs, that differ."""
    for a, b in zip(frames_of(points(one)), frames_of(points(other)), strict=False):
        if (a.file, a.line) != (b.file, b.line):
            return _line(a, a.file == b.file), _line(b, True)
    return line_of(one, other), line_of(other)


@fenced(lambda code, text, site: code)
def remarked(code: str, text: str, site: Any) -> str:
    """*code* to type beside *site* with the remark *text* behind it, as the language there has them."""
    sign = "//" if any(native_place(point[0]) is not None for point in points(site)[:1]) else "#"
    return f"{code}  {sign} {text}"


@fenced(lambda one, other: (points(one), points(other)))
def sites_apart(one: Any, other: Any) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    """The sites of the lines that `lines_apart` says: of two calls that one function makes, of those of its callers."""
    first, second = points(one), points(other)
    for a, b in zip(program_points(first), program_points(second), strict=False):
        here, there = resolve(*a), resolve(*b)
        if (here.file, here.line) != (there.file, there.line):
            return first[first.index(a) :], second[second.index(b) :]
    return first, second


@fenced(lambda block: "")
def where(block: Allocation) -> str:
    """Which memory it is, in words: `` on device 0``."""
    if block.device >= 0:
        return f" on device {block.device}"
    return " of page-locked host memory" if block.kind == "host" else " of host memory"


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
    return finding.evolved(
        title=rename(finding.title),
        order=rename(finding.order),
        fix=rename(finding.fix),
        notes=[rename(note) for note in finding.notes],
        streams=[rename(stream) for stream in finding.streams],
        sites=[site.evolved(text=rename(site.text)) for site in finding.sites],
    )


def _indexed(name: str) -> bool:
    return re.search(_INDEXED, name) is not None


def _numbered(name: str, ordinal: int) -> str:
    """*name* with an ordinal: in the place of an index by a variable, whose value then is not known.

    >>> _numbered("buf", 3), _numbered("st[i]", 3), _numbered("d[i].s", 2), _numbered("st[0][k + 1]", 2)
    ('buf#3', 'st#3', 'd#2.s', 'st[0]#2')
    """
    first, *rest = re.split(_INDEX, name)
    return f"{first}#{ordinal}{''.join(rest)}"


def _value(thing: Any) -> int:
    """The number by which the program knows *thing*: its handle or its address."""
    return int(getattr(thing, "handle", 0) or getattr(thing, "address", 0))


class Describes(Protocol):
    """What has words of its own: an object, or a wait for one."""

    def describe(self) -> str:
        """``event 2``."""


class Thing(Describes, Protocol):
    """An object that the program made: numbered in the order of creation, with the place of the call."""

    @property
    def number(self) -> int: ...
    @property
    def site(self) -> Any: ...


class StreamLike(Thing, Protocol):
    """A stream, which knows its context."""

    @property
    def context(self) -> Any: ...


class TaskLike(Protocol):
    """A task, which knows its stream and where it was queued."""

    @property
    def op(self) -> Any: ...
    @property
    def stream(self) -> Any: ...
    @property
    def site(self) -> Any: ...


class Handles(Protocol):
    """The objects that live, by handle, and what is known of those that are gone."""

    def values(self) -> Iterable[object]: ...
    def get(self, handle: int) -> object: ...
    def gone(self) -> Iterator[tuple[str, Any]]:
        """(``stream 2``, where it was made) of each that is gone."""


class Names:
    """What texts call the objects of one simulator: by the variables of the program.

    Who reports hands in the object itself: `stream`, `event`, `block`, `task`. The runtime makes many texts, reasons of
    errors, faults and waits, of which few are read, and to find a variable takes a parse of the program: there a stream
    is ``stream 2``. `text` looks such numbers up when it is shown.
    """

    def __init__(
        self, handles: Handles, contexts: Mapping[int, object], memory: AddressSpace, elements: bool = True
    ) -> None:
        self._elements = elements
        self.handles = handles
        self.contexts = contexts
        self.memory = memory
        self._given: dict[int, tuple[object, str | None]] = {}
        self._taken: dict[str, Any] = {}
        self._by_number: dict[tuple[str, int], str] = {}
        """Names of streams, events and so on by kind and number: texts that were made without the object have those."""
        self._held: Holders | None = None
        self._vocabularies: dict[Point, Vocabulary] = {}

    def anew(self, elements: bool = False) -> Names:
        """Names for a picture, or for what is said beside the findings: what they have named keeps its name, and the
        ordinals of the rest are those of what lives now. *elements*: the rest may be called as what holds it."""
        names = Names(self.handles, self.contexts, self.memory, elements)
        names.adopt(self)
        return names

    def adopt(self, told: Names) -> None:
        """Call what *told* has named by that name: a report calls one object one thing."""
        self._given |= told._given
        self._taken |= told._taken
        self._by_number |= told._by_number

    # -- objects -----------------------------------------------------------------------------------------------------

    def _name(self, thing: Any, find: Callable[[], Iterable[Any]]) -> str | None:
        """What the program calls *thing*; a name once given stays, and is given to nothing else.

        The variable that it was assigned to. Of what a loop or a library made, the variable or element that holds it
        now; else the variable with an ordinal.
        """
        given = self._given.get(id(thing))
        if given is not None:
            return given[1]
        made_at = points(thing.site)
        name = variable_of(made_at)
        place, others = self._made_there(thing, find)
        text = name
        if name is not None and others:
            names = next((n for point in made_at if (n := unpacked_names(*point))), [])
            text = names[place] if len(names) == others + 1 else self._element(thing) or _numbered(name, place + 1)
        elif name is None or _indexed(name) or made_in_generator(made_at):
            text = self._element(thing) or name
        elif (value := _value(thing)) and self._means_other(made_at, name, value):
            # The variable holds another object by now; or it got a list, or an object of a library, with this in it.
            text = self._element(thing) or (None if inside_library(made_at) else name)
        if text is not None:
            text = self._free(text, name or text, thing)
        self._given[id(thing)] = (thing, text)
        if text is not None and hasattr(thing, "handle"):
            self._by_number[type(thing).__name__.lower(), thing.number] = text
        return text

    def _means_other(self, at: tuple[Point, ...], name: str, value: int) -> bool:
        return self._elements and self._holders.means(at, name, value) is False

    @property
    def _holders(self) -> Holders:
        """What holds what in the program now: looked at once for a report."""
        if self._held is None:
            from ascend_sim.source.holders import Holders  # reports alone read frames

            self._held = Holders()
        return self._held

    @fenced(lambda self: None)
    def told(self) -> None:
        """A report is written: the program goes on, and its variables change."""
        self._held = None
        for vocabulary in self._vocabularies.values():
            vocabulary.told()

    @fenced(lambda self, site: None)
    def vocabulary(self, site: Any) -> Vocabulary | None:
        """The words of the framework that the call at *site* came through; None: it came through none."""
        face = face_of(points(site)) if VOCABULARIES else None
        made = VOCABULARIES.get(face) if face is not None else None
        if face is None or made is None:
            return None
        if face not in self._vocabularies:
            self._vocabularies[face] = made()
        return self._vocabularies[face]

    def _element(self, thing: Any) -> str | None:
        """The variable or element that holds *thing* now."""
        value = _value(thing)
        return self._holders.anywhere(value, points(thing.site)) if value and self._elements else None

    def _made_there(self, thing: Any, find: Callable[[], Iterable[Any]]) -> tuple[int, int]:
        """How many of what *find* gives were made where *thing* was: before it, and altogether without it."""
        same = [o.number for o in find() if o.site is not None and o.site == thing.site and o is not thing]
        return sum(n < thing.number for n in same), len(same)

    def _free(self, text: str, name: str, thing: Any) -> str:
        """*text*; when another thing has it, which may be gone by now, what holds this one, its function, or an ordinal."""
        if self._has_another(text, thing):
            function = maker(points(thing.site))
            apart = function and function != maker(points(self._taken[text].site))
            for other in (self._element(thing), f"{name} of {function}" if apart else None):
                if other is not None and not self._has_another(other, thing):
                    text = other
                    break
        ordinal = 1
        while self._has_another(text, thing):
            ordinal += 1
            text = _numbered(name, ordinal)
        self._taken[text] = thing
        return text

    def _has_another(self, text: str, thing: Any) -> bool:
        """Whether *text* is the name of another thing that lives, or that the same line made."""
        other = self._taken.get(text)
        if other is None:
            return False
        lives = (
            self.handles.get(other.handle) is other if hasattr(other, "handle") else not getattr(other, "freed", True)
        )
        return lives or other.site == thing.site

    def _alike(self, thing: Any) -> Iterable[Any]:
        """The things of its kind, of which some may have been made at the same place."""
        if not hasattr(thing, "handle"):
            return self.memory.blocks(thing.device if thing.device >= 0 else None)
        return [other for other in self.handles.values() if type(other) is type(thing)]

    @fenced(lambda self, stream: f"stream {stream.number}")
    def stream(self, stream: StreamLike) -> str:
        """`` `s_copy` ``, ``the default stream``, or ``stream 2``."""
        line = getattr(stream, "line", None)
        if line is not None:  # of a graph: it has the name of what recorded it
            text = f"{self.stream(line.stream)} in {stream.instance.describe()}"  # type: ignore[attr-defined]
            return f"`{text.replace('`', '')}`" if text.startswith("`") else text
        title: str = getattr(stream, "title", "")
        if title:
            return title
        vocabulary = self.vocabulary(stream.site)
        word = vocabulary.stream(stream) if vocabulary is not None else None
        if word is not None:
            return word
        if stream is stream.context.default:
            return (
                self.described(stream)
                if not stream.context.primary or self.memory.devices > 1
                else "the default stream"
            )
        given = self._given.get(id(stream))
        name = given[1] if given is not None else self._name(stream, lambda: self._alike(stream))
        return f"`{name}`" if name else stream.describe()

    @fenced(lambda self, event: f"event {event.number}")
    def event(self, event: Thing) -> str:
        """`` `ready` `` or ``event 2``."""
        vocabulary = self.vocabulary(event.site)
        word = vocabulary.event(event) if vocabulary is not None else None
        if word is not None:
            return word
        name = self._name(event, lambda: self._alike(event))
        return f"`{name}`" if name else event.describe()

    @fenced(lambda self, event: True)
    def has(self, event: Thing) -> bool:
        """Whether the program can name *event*: a framework makes some for itself."""
        vocabulary = self.vocabulary(event.site)
        return vocabulary is None or vocabulary.event(event) is not None

    @fenced(lambda self, thing: f"{type(thing).__name__.lower()} {thing.number}")
    def thing(self, thing: Any) -> str:
        """`` `pool` `` or ``memory pool 1``: anything else that has a handle and a site."""
        name = self._name(thing, lambda: self._alike(thing))
        return f"`{name}`" if name else str(thing.describe())

    @fenced(lambda self, thing: with_article(type(thing).__name__.lower()))
    def described(self, thing: Describes) -> str:
        """``stream `s_copy` ``, or ``the flag of event `ready` ``: what *thing* says of itself, with names for numbers."""
        return self.text(thing.describe())

    @fenced(lambda self, thing: with_article(type(thing).__name__.lower()))
    def signal(self, thing: Any) -> str:
        """What a wait waits for: `` `ready` ``, ``the value in `flag` `` (of a value wait or its 8 bytes)."""
        place = getattr(thing, "place", thing)
        if not hasattr(place, "offset"):
            return self.event(thing)
        at, block = place.offset, self.block(place.block)
        return f"the value at byte {at} of {block}" if at else f"the value in {block}"

    @fenced(lambda self, thing, beside=None, uses=(): f"{type(thing).__name__.lower()}_{thing.number}")
    def plain(self, thing: Any, beside: Any = None, uses: Iterable[Any] = ()) -> str:
        """`typed` for code that the call in hand could have beside it: with what it is called in *uses* if nothing else is
        known there."""
        return self.expression(thing, beside, uses) or self.typed(thing, None, uses)

    @fenced(lambda self, thing, beside=None, uses=(), null="None": f"{type(thing).__name__.lower()}_{thing.number}")
    def typed(self, thing: Any, beside: Any = None, uses: Iterable[Any] = (), null: str = "None") -> str:
        """What to type for *thing* (a stream, event, block) in code beside the call at *beside*; *null*: the default stream.

        `expression`, and ``event_2`` when nothing there has it.
        """
        found = self.expression(thing, beside, uses, null)
        return found or (f"{type(thing).__name__.lower()}_{thing.number}" if hasattr(thing, "handle") else "address")

    @fenced(lambda self, thing, beside=None, uses=(), null="None": None)
    def expression(self, thing: Any, beside: Any = None, uses: Iterable[Any] = (), null: str = "None") -> str | None:
        """What means *thing* in code beside the call at *beside*.

        What a call of *uses* passes, where that means the same *beside*, or *beside* is the call of the function around
        it; what holds it there; the variable that it was assigned to. None: nothing there has it.
        """
        line = getattr(thing, "line", None)
        thing = thing if line is None else line.stream
        vocabulary = self.vocabulary(thing.site)
        word = vocabulary.typed(thing) if vocabulary is not None else None
        if word is not None:
            return word
        if hasattr(thing, "queue") and thing is thing.context.default:
            return null
        found = self._expression(thing, beside, uses)
        if found is None or not self._elements:
            return found
        at = points(beside) or points(thing.site)
        return self._holders.as_int(at, found, by_index=not pyacl_face(at))

    def _expression(self, thing: Any, beside: Any, uses: Iterable[Any]) -> str | None:
        """`expression` as it stands in the program, where it may be more than an int."""
        from ascend_sim.source.arguments import argument_names, passed  # reports alone parse calls

        kind, value, at = type(thing).__name__.lower(), _value(thing), points(beside)
        for site in uses:
            use = points(site)
            around = 0 < len(at) < len(use) and use[-len(at) :] == at
            expression = passed(use, kind, at if around else ())
            if expression is not None and (around or use == at or self._means(use, at or use, expression, value)):
                return expression
        found = self._holders.at(at, value) if at else self._holders.anywhere(value)
        if found is not None:
            return found
        given = self._given.get(id(thing))
        made_at = points(thing.site)
        name = given[1] if given is not None else variable_of(made_at)
        if (
            name is not None
            and re.fullmatch(_TYPEABLE, name)
            and not self._made_there(thing, lambda: self._alike(thing))[1]
        ):
            known = self._holders.means(at, name, value) if at else None
            if known or (known is None and (not at or same_scope(made_at, at) or name in argument_names(at))):
                return name
        return None

    def _means(self, use: tuple[Point, ...], at: tuple[Point, ...], expression: str, value: int) -> bool:
        """Whether *expression*, which means *value* at *use*, does so at *at*."""
        from ascend_sim.source.holders import set_in_loop

        if set_in_loop(use, expression):
            return False
        known = self._holders.means(at, expression, value)
        return known or (known is None and same_scope(use, at))

    @fenced(lambda self, name: name)
    def unused(self, name: str) -> str:
        """A name for an event that is still to be made: *name*, unless the program has an event of that name."""
        events: list[Any] = [other for other in self.handles.values() if hasattr(other, "latest")]
        sites = {id(event.site): event.site for event in events}  # a loop makes many at one place
        known = {variable_of(points(site)) for site in sites.values()}
        return next(text for i in range(len(known) + 1) if (text := f"{name}_{i + 1}" if i else name) not in known)

    @fenced(lambda self, block: f"a block of {block.size} bytes")
    def block(self, block: Allocation) -> str:
        """`` `out` ``, or ``a block of 4096 bytes``."""
        given = self._given.get(id(block))
        if given is not None:
            name = given[1]
        else:
            name = self._name(block, lambda: self._alike(block))
        return f"`{name}`" if name else f"a block of {block.size} bytes"

    @fenced(lambda self, block, lo, hi: Part(f"a block of {block.size} bytes", 0, block.size))
    def part(self, block: Allocation, lo: int, hi: int) -> Part:
        """What has the bytes [lo, hi) of *block*: the block itself, or an object of a framework that keeps many in one."""
        vocabulary = self.vocabulary(block.site)
        found = vocabulary.part(block, lo, hi) if vocabulary is not None else None
        return found if found is not None else Part(self.block(block), 0, block.size)

    @fenced(lambda self, block: f"a block of {block.size} bytes")
    def one_of(self, block: Allocation) -> str:
        """`` `out` ``, ``one of `buffers` `` for memory that a loop made, or ``a block of 4096 bytes``."""
        name = variable_of(points(block.site))
        if name is None:
            return f"a block of {block.size} bytes"
        alike = any(other.site == block.site and other is not block for other in self.memory.blocks())
        return f"one of `{name}`" if alike else f"`{name}`"

    @fenced(lambda self, place, beside=None: "address")
    def address(self, place: Any, beside: Any = None) -> str:
        """The address to type for *place* beside a call: ``flag``, ``flag + 8``."""
        at = place.offset
        return self.typed(place.block, beside) + (f" + {at}" if at else "")

    @fenced(lambda self, block: "the block")
    def bare_block(self, block: Allocation) -> str:
        """``out``, or ``the block``: without quotes, for labels with ranges."""
        return self.called(block) or "the block"

    @fenced(lambda self, block: "")
    def called(self, block: Allocation) -> str:
        """``out``, without quotes; empty when the program has no name for it."""
        text = self.block(block)
        return text.strip("`") if text.startswith("`") else ""

    @fenced(lambda self, task: f"a task on stream {task.stream.number}")
    def task(self, task: TaskLike) -> str:
        """``a copy on `s` ``, ``kernel `scale` on `s` ``."""
        return f"{self.work(task)} on {self.stream(task.stream)}"

    @fenced(lambda self, task: "a task")
    def work(self, task: TaskLike) -> str:
        """``a copy``, ``kernel `scale` ``."""
        model = getattr(task.op.action, "model", None) if task.op.kind == "model" else None
        name = model.description.name if model is not None else ""
        if name:
            return f"model `{name}`"
        vocabulary = self.vocabulary(task.site)
        word = vocabulary.work(task.op.kind) if vocabulary is not None else None
        return word if word is not None else work(task.op.kind)

    @fenced(lambda self, task, block: "")
    def parameter(self, task: TaskLike, block: Allocation) -> str:
        """The kernel's parameter that *block* was passed as; empty when that is not known."""
        find = getattr(task.op, "parameter_of", None)
        return str(find(block)) if find is not None else ""

    # -- texts that were made without objects -----------------------------------------------------------------------

    @fenced(lambda self, finding: finding)
    def finding(self, finding: Finding) -> Finding:
        """*finding* with functions as the program calls them: who reports writes the names of C."""
        self.told()
        primary = finding.primary
        if primary is None:
            return finding
        vocabulary = self.vocabulary(primary.points)
        if vocabulary is not None:
            return vocabulary.finding(finding)
        return reworded(finding, in_pyacl) if pyacl_face(primary.points) else finding

    @fenced(lambda self, text: text)
    def text(self, text: str) -> str:
        """*text* with every number replaced that belongs to a known object with a name.

        A variable that is called as its kind stands alone: `` `stream` ``.
        """
        if re.search(_NUMBERED, text) is None:
            return text
        looked = self._held is not None
        text = re.sub(_TYPED, lambda match: match[1] + self._typed(match[2], int(match[3])), text)
        text = re.sub(_NUMBERED, lambda match: self._numbered(match[1], int(match[2]), match[0]), text)
        if not looked:
            self.told()
        return text

    def _typed(self, kind: str, number: int) -> str:
        """What to type for an object in a call: its variable, or ``stream_2``."""
        name = self._name_of_number(kind, number)
        return name if name is not None and re.fullmatch(_TYPEABLE, name) else f"{kind}_{number}"

    def _numbered(self, kind: str, number: int, otherwise: str) -> str:
        thing = self._alive(kind, number)
        vocabulary = self.vocabulary(thing.site) if thing is not None and kind in ("stream", "event") else None
        if vocabulary is not None:
            word = vocabulary.stream(thing) if kind == "stream" else vocabulary.event(thing)
            if word is not None:
                return word
        name = self._name_of_number(kind, number)
        if name is None:
            return otherwise
        return f"`{name}`" if name == kind else f"{kind} `{name}`"

    def _alive(self, kind: str, number: int) -> Any:
        """The thing of this number; None when it is gone, or nobody knows where it was made."""
        for things in (self.handles, self.contexts):
            for thing in things.values():
                if type(thing).__name__.lower() == kind and getattr(thing, "number", None) == number:
                    return thing if getattr(thing, "site", None) is not None else None
        return None

    def _name_of_number(self, kind: str, number: int) -> str | None:
        """The name of a thing, which may be gone: what it was called, or the variable if its line made no other."""
        known = self._by_number.get((kind, number))
        if known is not None:
            return known
        thing = self._alive(kind, number)
        if thing is not None:
            return self._name(thing, lambda: self._alike(thing))
        made = dict(self._made(kind))
        site = made.get(number)
        alike = sorted(n for n, other in made.items() if other == site)
        if site is None:
            return None
        names = next((n for point in points(site) if (n := unpacked_names(*point))), [])
        if names:  # made in several rounds: which is which?
            return names[alike.index(number)] if len(names) == len(alike) else None
        return variable_of(points(site)) if len(alike) == 1 else None

    def _made(self, kind: str) -> Iterator[tuple[int, Any]]:
        """(number, where it was made) of every object of *kind* that is known."""
        for things in (self.handles, self.contexts):
            for thing in things.values():
                if type(thing).__name__.lower() == kind and hasattr(thing, "number") and hasattr(thing, "site"):
                    yield thing.number, thing.site
        for text, site in self.handles.gone():
            what, _, number = text.partition(" ")
            if what == kind and number.isdecimal():
                yield int(number), site
