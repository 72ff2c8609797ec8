"""Drives a stream-ordered allocator: blocks on several streams, used, shared, freed and handed out again, in any order.

The machine itself orders everything that it does with one block. What it does not order is what the allocator promises:
that a block which is handed out again was given up by its former users.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any, ClassVar

import attrs
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, MultipleResults, consumes, multiple, rule

from ascend_sim.machine.allocations import Allocation
from ascend_sim.runtime.event import Event
from ascend_sim.runtime.stream import Stream
from ascend_sim.testing.runtime_machine import D2H, BaseMachine
from ascend_sim.testing.scripts import ScriptFailure
from ascend_sim.testing.strategies import sizes

__all__ = ["AllocatorStateMachine"]


@attrs.define
class Lent:
    """A block that the allocator has handed out. *value* fills it, once it was written."""

    name: str
    address: int
    size: int
    owner: int
    value: int | None = None

    def overlaps(self, address: int, size: int) -> bool:
        """Whether it shares a byte with so many at *address*."""
        return self.address < address + size and address < self.address + self.size


class AllocatorStateMachine(BaseMachine):
    """Tests the allocator that `make_allocator` returns, by the lines of *calls*.

    It needs ``allocate(size, stream) -> address`` (bytes, a stream handle; 0, None or MemoryError: no room) and
    ``free(address)``: at once, by the host, whoever still uses the block. Where it has ``record_stream(address,
    stream)``, that is called before another stream uses a block; where not, the owner's stream waits for the others
    before the free. ``size_of(address)`` must not be less than what was asked for; after ``close()`` no device memory
    and no event may be left. Change *calls* when yours have other names.

    Checked: no two blocks overlap, addresses are aligned to *alignment* and lie in living device memory, bytes stay
    what was written, and no finding: a block that is used while its former user still may is a ``race``.
    """

    calls: ClassVar[dict[str, str]] = {
        "allocate": "allocator.allocate({size}, {stream})",
        "free": "allocator.free({block})",
        "record_stream": "allocator.record_stream({block}, {stream})",
        "size_of": "allocator.size_of({block})",
        "address": "{block}",
        "close": "allocator.close()",
    }
    alignment: ClassVar[int] = 32
    block_sizes: ClassVar[st.SearchStrategy[int]] = st.one_of(st.sampled_from([512, 4096]), sizes(1, 1 << 16))
    states: ClassVar[Sequence[str]] = (
        "a freed block was handed out again on its stream", "a freed block was handed out again on another stream",
        "a block was handed out again while its former stream had work", "a block was used by two streams",
        "a block was freed while a stream used it", "a block was freed while two other streams used it",
        "a block that two other streams had used was handed out again", "there was no room",
    )  # fmt: skip

    streams = BaseMachine.streams
    blocks = Bundle("blocks")

    def __init__(self) -> None:
        super().__init__()
        self.lent: dict[int, Lent] = {}
        """The blocks that are out, by number."""
        self._numbers = 0
        self._written = 0
        self._former: dict[int, int] = {}
        """Address -> the stream for which the block that began there was freed last."""
        self._shared: set[int] = set()
        """Addresses of blocks that were freed while two other streams than their own used them."""
        self._before: set[int] = set()

    def make_allocator(self, sim: Any) -> Any:
        """The allocator under test, on simulator *sim*, whose device 0 is set. Yours."""
        raise NotImplementedError(f"{type(self).__name__} needs a method make_allocator(self, sim)")

    def file_imports(self) -> list[str]:
        """As `imports`, for a program in a file that stands anywhere."""
        return import_lines(type(self))

    def imports(self) -> list[str]:
        """The class itself."""
        return [module_of(self)]

    def script_names(self) -> dict[str, Any]:
        """The class is this very machine: `make_allocator` may use what it keeps."""
        return {type(self).__name__: lambda: self}

    def prepare(self) -> None:
        """Make the allocator."""
        self._before = {number for number, thing in self.sim.handles.items() if isinstance(thing, Event)}
        self.allocator = self.run(f"allocator = {type(self).__name__}().make_allocator(sim)")

    def has(self, call: str) -> bool:
        """Whether the allocator has this optional call."""
        line = self.calls.get(call, "")
        return bool(line) and (
            not line.startswith("allocator.") or hasattr(self.allocator, line[10:].partition("(")[0])
        )

    def line(self, call: str, **names: Any) -> str:
        """The line of *call*."""
        return self.calls[call].format(**names)

    # -- rules --------------------------------------------------------------------------------------------------------

    @rule(target=blocks, data=st.data(), stream=streams)
    def allocate(self, data: st.DataObject, stream: int) -> int | MultipleResults[int]:
        """Ask for a block."""
        return self._ask(data.draw(self.block_sizes), stream)

    def _ask(self, size: int, stream: int) -> int | MultipleResults[int]:
        name = self.script.fresh("b")
        try:
            value = self.run(f"{name} = {self.line('allocate', size=size, stream=self.names[stream])}")
        except MemoryError:
            value = 0
        if not value:
            self.reach("there was no room")
            self.script.remark(f"no room for {name}")
            return multiple()
        address = int(eval(self.line("address", block=name), self.script.names))
        self._numbers += 1
        self._judge(name, address, size)
        self.lent[self._numbers] = Lent(name, address, size, stream)
        # It is given in the order of this stream, where the allocator may have queued waits of its own for it: others
        # have to wait for what is there by now.
        self.ordering.task(stream)
        self.ordering.use(stream, self._numbers, True)
        self._count_reuse(address, stream)
        return self._numbers

    def _judge(self, name: str, address: int, size: int) -> None:
        """Raises ScriptFailure when a block cannot be right."""
        if address % self.alignment:
            raise ScriptFailure(f"{name} is at {address:#x}: not aligned to {self.alignment} bytes")
        for other in self.lent.values():
            if other.overlaps(address, size):
                raise ScriptFailure(
                    f"{name} [{address:#x}, +{size}) overlaps {other.name} [{other.address:#x}, +{other.size}), which is "
                    "not free"
                )
        owner = self.sim.memory.find(address)
        if owner is None or owner.freed or not owner.contains(address + size - 1):
            what = "no device memory" if owner is None else owner.describe()
            raise ScriptFailure(f"{name} [{address:#x}, +{size}) is not all in living device memory: there is {what}")
        if self.has("size_of"):
            self.run(f"assert {self.line('size_of', block=name)} >= {size}")

    def _count_reuse(self, address: int, stream: int) -> None:
        former = self._former.pop(address, None)
        if former is None:
            return
        if address in self._shared:
            self._shared.discard(address)
            self.reach("a block that two other streams had used was handed out again")
        where = "its" if former == stream else "another"
        self.reach(f"a freed block was handed out again on {where} stream")
        if self.busy(former):
            self.reach("a block was handed out again while its former stream had work")

    @rule(block=blocks, stream=streams)
    def use(self, block: int, stream: int) -> None:
        """Let a stream write a block, after all that was done with it before."""
        self._write(block, stream)

    @rule(block=blocks)
    def use_at_home(self, block: int) -> None:
        """Write a block on the stream for which it was allocated: what programs do most."""
        self._write(block, self.lent[block].owner)

    def _write(self, block: int, stream: int) -> None:
        lent = self.lent[block]
        if stream != lent.owner:
            self.reach("a block was used by two streams")
            if self.has("record_stream"):
                self.run(self.line("record_stream", block=lent.name, stream=self.names[stream]))
        self._written = self._written % 255 + 1
        target = self.line("address", block=lent.name)
        self.queue(
            f"ret = C.aclrtMemsetAsync({target}, {lent.size}, {self._written}, {lent.size}, {self.names[stream]})",
            stream, (block, True),
        )  # fmt: skip
        lent.value = self._written

    @rule(block=consumes(blocks))
    def free(self, block: int) -> None:
        """Give a block back; nobody waits."""
        self._free(block)

    def _free(self, block: int) -> None:
        lent = self.lent[block]
        if lent.value is not None and self.ordering.unknown_to_host(block):
            self.reach("a block was freed while a stream used it")
        if not self.has("record_stream"):
            for stream in self.ordering.needs(lent.owner, block, True):
                self.order_after(lent.owner, stream)
        self.run(self.line("free", block=lent.name))
        self.ordering.forget(block)
        del self.lent[block]
        self._former[lent.address] = lent.owner

    @rule(target=blocks, block=consumes(blocks), user=streams, stream=streams)
    def give_up_and_ask_again(self, block: int, user: int, stream: int) -> int | MultipleResults[int]:
        """Use a block, free it, and use one of the same size on some stream: what an allocator is for."""
        size = self.lent[block].size
        self._write(block, user)
        self._free(block)
        made = self._ask(size, stream)
        if isinstance(made, int):
            self._write(made, stream)
        return made

    @rule(target=blocks, block=consumes(blocks), data=st.data(), stream=st.one_of(st.none(), streams))
    def share_with_two_and_ask_again(
        self, block: int, data: st.DataObject, stream: int | None
    ) -> int | MultipleResults[int]:
        """Use a block on two other streams than its own, free it, and use one of the same size, mostly on its own stream.

        An allocator that waits for one of the two only hands it out too early.
        """
        lent = self.lent[block]
        others = [other for other in self.alive if other != lent.owner]
        while len(others) < 2:
            others.append(self._new_stream())
        for user in data.draw(st.permutations(others))[:2]:
            self._write(block, user)
        self._free(block)
        self.reach("a block was freed while two other streams used it")
        self._shared.add(lent.address)
        home = lent.owner if stream is None else stream
        made = self._ask(lent.size, home)
        if isinstance(made, int):
            self._write(made, home)
        return made

    @rule(block=blocks)
    def read(self, block: int) -> None:
        """Wait for the users of a block: its bytes are those that they wrote."""
        self._look(block)

    def _look(self, block: int) -> None:
        lent = self.lent[block]
        if lent.value is None:
            return
        for stream in self.ordering.unknown_to_host(block):
            self.wait_for(stream)
        address, size = self.line("address", block=lent.name), lent.size
        self.run("import numpy")
        self.run(f"out = numpy.zeros({size}, numpy.uint8)")
        self.run(f"ret = C.aclrtMemcpy(out.ctypes.data, {size}, {address}, {size}, {D2H})")
        self.run(f"assert (out == {lent.value}).all(), sorted(set(out.tolist()))")

    # -- the end ------------------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Everything goes back; what the allocator keeps after `close` is a leak."""
        for block in list(self.lent):
            self._look(block)
            self._free(block)
        self.wait_for_all()
        if not self.has("close"):
            return
        self.run(self.line("close"))
        self.wait_for_all()
        kept: list[Allocation] = [b for b in self.sim.memory.blocks() if b.kind == "device" and not b.freed]
        events = [
            thing
            for number, thing in self.sim.handles.items()
            if isinstance(thing, Event) and number not in self._before
        ]
        if kept:
            raise ScriptFailure(
                f"after close the allocator keeps {sum(b.size for b in kept)} bytes: {kept[0].describe()}"
            )
        if events:
            raise ScriptFailure(f"after close the allocator keeps {len(events)} events")
        left = [t for n, t in self.sim.handles.items() if isinstance(t, Stream) and t is not t.context.default]
        if len(left) > len(self.alive):
            raise ScriptFailure(f"after close the allocator keeps {len(left) - len(self.alive)} streams")


def module_of(machine: AllocatorStateMachine) -> str:
    """The line that imports the class of *machine*; a comment when it has no importable place."""
    kind = type(machine)
    if kind.__module__ == "__main__":
        return f"# {kind.__qualname__} is the class of {os.path.basename(sys.argv[0] or 'this program')}"
    return f"from {kind.__module__} import {kind.__qualname__.partition('.')[0]}"


def import_lines(kind: type) -> list[str]:
    """Lines that bring class *kind* into a program, wherever that stands; a comment when none can."""
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    if "<locals>" in kind.__qualname__ or file is None:
        return [f"# {kind.__qualname__} is no class of a module: put it in place of this line"]
    path = os.path.abspath(file)
    return [
        "import importlib.util",
        "import sys",
        f"sys.path.insert(0, {os.path.dirname(path)!r})",
        f"spec = importlib.util.spec_from_file_location('under_test', {path!r})",
        "module = sys.modules['under_test'] = importlib.util.module_from_spec(spec)",
        "spec.loader.exec_module(module)",
        f"{kind.__name__} = module.{kind.__qualname__}",
    ]
