"""Findings in torch's words: tensors and streams by their variables, operators as ``aten::add``, code as torch has it."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import attrs

from ascend_sim.catalogue.tables import rows
from ascend_sim.findings.finding import Finding
from ascend_sim.findings.vocabulary import VOCABULARIES, Part, Vocabulary
from ascend_sim.findings.wording import reworded
from ascend_sim.machine.allocations import Allocation
from ascend_sim.source.callsite import BY_TORCH, points
from ascend_sim.source.variables import variable_of
from ascend_sim.torch.program_objects import (
    GONE,
    ProgramObjects,
    asked_priority,
    moment,
    place_of,
    read_names,
    set_variables,
    used_tensors,
)

__all__ = ["TorchWords", "use_torch_words"]

_POOL = 32
"""Streams that torch makes at once, when the program asks for the first of a priority; ids count by that in each kind."""
_FIRST_OF_POOL = 2
"""Before them it has made the default stream, on which it works when the program names none, and one for itself."""

_CODE = (
    (re.compile(r"aclrtRecordEvent\(([^(),]+), ([^()]+(?:\(\))?)\)"), r"\1 = \2.record_event()"),
    (re.compile(r"aclrtStreamWaitEvent\(([^()]+(?:\(\))?), ([^(),]+)\)"), r"\1.wait_event(\2)"),
    (re.compile(r"aclrtSynchronizeStream\(([^()]+(?:\(\))?)\)"), r"\1.synchronize()"),
    (re.compile(r"aclrtSynchronizeEvent\(([^(),]+)\)"), r"\1.synchronize()"),
    (re.compile(r"aclrtSynchronizeDevice\(\)"), "torch.npu.synchronize()"),
    (re.compile(r"aclrtResetEvent\(([^(),]+), [^()]+(?:\(\))?\)"), r"\1 = torch.npu.Event()"),
)
"""Code to type: calls of AscendCL, and what torch has for them."""
_CALLS = {"aclrtMemcpy": "a blocking copy", "aclrtMemset": "a blocking fill"}
_CALL = re.compile(rf"\b(?:{'|'.join(_CALLS)})\b(?!\()")
"""Calls of AscendCL that torch makes for the program, and what they are."""
_ROOT = re.compile(r"`(\w+)[.\[]")
_OPERATOR = re.compile(r"\ban operator (aclnn\w+)")


@cache
def operators() -> dict[str, str]:
    """``aclnnMuls`` -> ``mul``: the operator of torch that leads to each."""
    return dict(rows("torch_operators.tsv", "aclnn torch"))


class TorchWords(Vocabulary):
    """What a program calls its tensors, streams and events, at the moment of a report."""

    def __init__(self) -> None:
        self._found: ProgramObjects | None = None
        self._looked_at: object = None

    @property
    def _objects(self) -> ProgramObjects:
        """What variables hold now: looked at again when the program has gone on, since also no report asks for names."""
        here = moment()
        if self._found is None or here != self._looked_at:
            self._found, self._looked_at = ProgramObjects(), here
        return self._found

    def told(self) -> None:
        """A report is written: the program goes on, and its variables change."""
        self._found = None

    # -- objects -------------------------------------------------------------------------------------------------------

    def stream(self, stream: Any) -> str | None:
        """`` `s1` ``, ``the default stream``, or ``a stream of torch's`` that no variable holds."""
        name = self._stream(stream)
        if name is not None:
            return f"`{name}`"
        return "the default stream" if _is_default(stream) else "a stream of torch's"

    def _stream(self, stream: Any) -> str | None:
        wanted = _place_of(stream)
        if wanted is None or wanted.pool is None:
            return None
        kind = self._kind_of(wanted.pool) if wanted.pools > 1 else None
        for (device, held), text in self._objects.streams.items():
            here = device == wanted.device and held >= _POOL and held % _POOL == wanted.index
            if here and kind in (None, held // _POOL):
                return text
        return None

    def _kind_of(self, maker: Any) -> int | None:
        """Which kind of stream, by the number in its id, the pool has that the call at *maker* made: the first is its.

        Told by the priority that the call asks for, else by the variable that the stream went to.
        """
        streams = self._objects.streams
        kinds = sorted({held // _POOL for _, held in streams if held >= _POOL})
        priority = asked_priority(points(maker)) if len(kinds) == 2 else None
        if priority is not None:
            return kinds[priority < 0]
        name = variable_of(points(maker))
        return next((held // _POOL for (_, held), text in streams.items() if text == name), None)

    def event(self, event: Any) -> str | None:
        """`` `ready` ``."""
        name = self._objects.events.get(event.handle)
        return f"`{name}`" if name is not None else None

    def typed(self, thing: Any) -> str | None:
        """``s1``, ``torch.npu.default_stream()``, ``ready``."""
        if not hasattr(thing, "queue"):
            return self._objects.events.get(thing.handle)
        name = self._stream(thing)
        if name is not None:
            return name
        return "torch.npu.default_stream()" if _is_default(thing) else None

    def part(self, block: Allocation, lo: int, hi: int) -> Part | None:
        """The tensor that has these bytes of the allocator's segment."""
        found = self._objects.tensor(block.address + lo, block.address + hi)
        if found is None:
            return Part(f"a tensor of {hi - lo} bytes", lo, hi - lo)
        return Part(found.name, found.begin - block.address, found.size)

    def work(self, kind: str) -> str | None:
        """`` `aten::mul` `` of ``operator aclnnMuls``."""
        name = kind.removeprefix("operator ")
        known = operators().get(name) if name != kind else None
        return f"`aten::{known}`" if known is not None else None

    # -- memory that changed hands -------------------------------------------------------------------------------------

    def successor(self, earlier: Any, later: Any, block: Allocation, lo: int, hi: int) -> str | None:
        """See `Vocabulary`: told by the variables that the two statements read.

        The later statement reads no tensor with these bytes: it made the tensor that has them. Then the one that the
        earlier statement read is another, which is gone.
        """
        place = (block.address + lo, block.address + hi)
        before, after = [list(used_tensors(points(who.site))) for who in (earlier, later)]
        if points(earlier.site)[:1] == points(later.site)[:1]:
            return None
        if any(value is GONE or _has(value, place) for _, value in after):
            return None
        if not set_variables(points(earlier.site)).isdisjoint(text for text, _ in after):
            return None  # what the earlier one made is what the later one reads
        holder = self._objects.tensor(*place)
        root = _ROOT.match(holder.name) if holder is not None else None
        if root is not None and root[1] in read_names(points(earlier.site)):
            return None  # the earlier one works on what holds the tensor: net(x), and net[0].weight is there
        gone = [text for text, value in before if value is GONE]
        moved = [text for text, value in before if _is_tensor(value) and not _has(value, place)]
        if not gone and len(moved) < sum(_is_tensor(value) for _, value in before):
            return None  # the earlier statement works on the tensor that is there now
        return next(iter(gone or moved), "")

    def keeping(self, name: str, stream: Any, line: str) -> str:
        """``y.record_stream(s1)``."""
        user = self.typed(stream) or "the stream"
        if not name:
            return f"keep the tensor, or call its record_stream({user}), after {line}"
        return f"tell the allocator who uses `{name}`, after {line}:\n{name}.record_stream({user})"

    # -- texts ---------------------------------------------------------------------------------------------------------

    def finding(self, finding: Finding) -> Finding:
        """*finding* with operators and code as torch has them."""
        return reworded(finding, _in_torch)


def _in_torch(text: str) -> str:
    text = _OPERATOR.sub(
        lambda match: f"`aten::{operators()[match[1]]}`" if match[1] in operators() else match[0], text
    )
    for pattern, form in _CODE:
        text = pattern.sub(form, text)
    return _CALL.sub(lambda match: _CALLS[match[0]], text)


def _is_tensor(value: Any) -> bool:
    return (
        hasattr(value, "untyped_storage") and getattr(value, "device", None) is not None and value.device.type == "npu"
    )


def _has(value: Any, place: tuple[int, int]) -> bool:
    """Whether *value* is a tensor that has one of the addresses *place*."""
    if not _is_tensor(value):
        return False
    has = place_of(value)
    return has is not None and has[0] < place[1] and place[0] < has[0] + has[1]


@attrs.frozen
class StreamPlace:
    """Where torch keeps a stream. *pool*: the site of the call that made its pool, None of the default stream and of torch's
    own; *index*: its place in there; *pools*: how many the device has by now."""

    device: int
    pool: Any
    index: int
    pools: int


def _place_of(stream: Any) -> StreamPlace | None:
    """The place of *stream*; None when it is none of torch's.

    torch makes the streams of a device in a fixed order, the two of its own first, then a pool when the first of a priority
    is asked for, and gives the same numbers to its objects. So nothing needs to be asked of torch, which would wait for its
    queue of tasks.
    """
    context = stream.context
    if stream is context.default:
        return None
    alike = sorted(
        (
            other
            for other in stream.sim.handles.values()
            if type(other) is type(stream) and _is_of(other, context.device)
        ),
        key=lambda other: int(other.number),
    )
    if stream not in alike:
        return None
    at = alike.index(stream) - _FIRST_OF_POOL
    maker = alike[_FIRST_OF_POOL + at // _POOL * _POOL].site if at >= 0 else None
    index, pools = (at % _POOL if at >= 0 else at + _FIRST_OF_POOL), (len(alike) - _FIRST_OF_POOL) // _POOL
    return StreamPlace(context.device.index, maker, index, pools)


def _is_of(stream: Any, device: Any) -> bool:
    """Whether torch made *stream*, on *device*."""
    context = stream.context
    return context.device is device and stream is not context.default and points(stream.site)[-1:] == (BY_TORCH,)


def _is_default(stream: Any) -> bool:
    place = _place_of(stream)
    return place is not None and place.pool is None and place.index == 0


def use_torch_words() -> None:
    """From now on reports about calls that came through torch are in its words."""
    VOCABULARIES[BY_TORCH] = TorchWords
