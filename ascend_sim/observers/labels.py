"""What reports call things: by the variable that they were first assigned to (``spec/prototypes/reports.md`` 2, rule 5)."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import TYPE_CHECKING, Any

from ascend_sim.source.callsite import Frame, frames_of, unpacked_names
from ascend_sim.source.variables import pyacl_face, variable_of, work

if TYPE_CHECKING:
    from ascend_sim.machine.blocks import Block
    from ascend_sim.runtime.stream import Stream
    from ascend_sim.runtime.task import Task
    from ascend_sim.simulator import Simulator

__all__ = ["Names", "line_of", "lines_apart", "points", "pyacl_face", "where"]


def points(site: Any) -> tuple[Any, ...]:
    """The points of a call site, innermost first: it is one pair, several, or None."""
    if not site:
        return ()
    return (site,) if isinstance(site[0], CodeType) else tuple(site)


def line_of(site: Any, beside: Any = None) -> str:
    """``line 12``, or ``model.py:12`` when that is another file than the one of *beside*."""
    frames = frames_of(points(site))
    if not frames:
        return "an unknown place"
    other = frames_of(points(beside))
    return _line(frames[0], beside is None or bool(other and other[0].file == frames[0].file))


def _line(frame: Frame, plain: bool) -> str:
    return f"line {frame.line}" if plain else f"{frame.file.rsplit('/', 1)[-1]}:{frame.line}"


def lines_apart(one: Any, other: Any) -> tuple[str, str]:
    """The lines of two calls; of two that one function makes, the lines of its callers, or of theirs, that differ."""
    for a, b in zip(frames_of(points(one)), frames_of(points(other)), strict=False):
        if (a.file, a.line) != (b.file, b.line):
            return _line(a, a.file == b.file), _line(b, True)
    return line_of(one, other), line_of(other)


def where(block: Block) -> str:
    """Which memory it is, in words: `` on device 0``."""
    if block.device >= 0:
        return f" on device {block.device}"
    return " of page-locked host memory" if block.kind == "host" else " of host memory"


class Names:
    """Names of streams, events and blocks of one simulator."""

    def __init__(self, sim: Simulator) -> None:
        self.sim = sim
        self._given: dict[int, tuple[Any, str | None]] = {}

    def _name(self, thing: Any, find: Callable[[], list[Any]]) -> str | None:
        """The variable's name, with an ordinal when its line made several things. A name once given stays."""
        given = self._given.get(id(thing))
        if given is not None:
            return given[1]
        name = variable_of(points(thing.site))
        if name is None:
            self._given[id(thing)] = (thing, None)
            return None
        same = [o.number for o in find() if o.site is not None and o.site == thing.site and o is not thing]
        text = name
        if same:
            place = sum(n < thing.number for n in same)
            others = next((n for point in points(thing.site) if (n := unpacked_names(*point))), [])
            text = others[place] if len(others) == len(same) + 1 else f"{name}#{place + 1}"
        self._given[id(thing)] = (thing, text)
        return text

    def _alike(self, thing: Any) -> list[Any]:
        return [other for other in self.sim.handles.values() if type(other) is type(thing)]

    def stream(self, stream: Stream) -> str:
        """`` `s_copy` ``, ``the default stream``, or ``stream 2``."""
        if stream is stream.context.default:
            return (
                stream.describe() if not stream.context.primary or len(self.sim.devices) > 1 else "the default stream"
            )
        given = self._given.get(id(stream))
        name = given[1] if given is not None else self._name(stream, lambda: self._alike(stream))
        return f"`{name}`" if name else stream.describe()

    def event(self, event: Any) -> str:
        """`` `ready` `` or ``event 2``."""
        name = self._name(event, lambda: self._alike(event))
        return f"`{name}`" if name else str(event.describe())

    def thing(self, thing: Any) -> str:
        """`` `pool` `` or ``memory pool 1``: anything else that has a handle and a site."""
        name = self._name(thing, lambda: self._alike(thing))
        return f"`{name}`" if name else str(thing.describe())

    def signal(self, thing: Any) -> str:
        """What a wait waits for: `` `ready` ``, ``the value in `flag` `` (of a value wait or its 8 bytes)."""
        place = getattr(thing, "place", thing)
        if not hasattr(place, "offset"):
            return self.event(thing)
        at, block = place.offset(), self.block(place.block)
        return f"the value at byte {at} of {block}" if at else f"the value in {block}"

    def plain(self, thing: Any, null: str = "None") -> str:
        """The name to type: ``ready``; ``event_2`` for a thing without a variable; *null* for the default stream."""
        text = self.stream(thing) if hasattr(thing, "queue") else self.event(thing)
        if text.startswith("`"):
            return text.strip("`").partition("#")[0]
        return null if hasattr(thing, "queue") and thing is thing.context.default else text.replace(" ", "_")

    def block(self, block: Block) -> str:
        """`` `out` ``, or ``a block of 4096 bytes``."""
        given = self._given.get(id(block))
        if given is not None:
            name = given[1]
        else:
            name = self._name(block, lambda: self.sim.memory.blocks(block.device if block.device >= 0 else None))
        return f"`{name}`" if name else f"a block of {block.size} bytes"

    def address(self, place: Any) -> str:
        """The address to type for *place*: ``flag``, ``flag + 8``."""
        at = place.offset()
        return self.bare_block(place.block).partition("#")[0].replace("the block", "address") + (
            f" + {at}" if at else ""
        )

    def bare_block(self, block: Block) -> str:
        """The same without quotes, for labels with ranges."""
        text = self.block(block)
        return text.strip("`") if text.startswith("`") else "the block"

    def task(self, task: Task) -> str:
        """``a copy on `s` ``, ``kernel `scale` on `s` ``."""
        return f"{self.work(task)} on {self.stream(task.stream)}"

    def work(self, task: Task) -> str:
        """``a copy``, ``kernel `scale` ``."""
        model = getattr(task.op.action, "model", None) if task.op.kind == "model" else None
        name = model.description.name if model is not None else ""
        return f"model `{name}`" if name else work(task.op.kind)

    def parameter(self, task: Task, block: Block) -> str:
        """The kernel's parameter that *block* was passed as; empty when that is not known."""
        find = getattr(task.op, "parameter_of", None)
        return str(find(block)) if find is not None else ""
