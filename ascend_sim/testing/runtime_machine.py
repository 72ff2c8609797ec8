"""The machine under the others: a simulator for each example, and a program that is written while it runs.

hypothesis chooses rules and their arguments, makes a failing program small, and prints it: twenty lines of Python that
run without hypothesis. Subclasses add rules, as with any ``RuleBasedStateMachine``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, ClassVar

from hypothesis import Phase, event, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    MultipleResults,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
)

from ascend_sim import ascendcl
from ascend_sim.explore import explore
from ascend_sim.findings import rendering
from ascend_sim.findings.files import write_whole
from ascend_sim.findings.languages import in_lines
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.threads.deterministic import DeterministicThreads
from ascend_sim.simulator import Simulator
from ascend_sim.testing.ordering import Ordering
from ascend_sim.testing.scripts import Script, ScriptFailure
from ascend_sim.testing.state_coverage import StateCoverage
from ascend_sim.testing.strategies import schedules, sizes

__all__ = ["BaseMachine", "RuntimeStateMachine", "counted"]

LARGEST = 1 << 16
HUGE_FIRST = 0
D2H, D2D, H2D = 2, 3, 1
PHASES = tuple(phase for phase in Phase if phase is not Phase.explain)
"""The program and the finding explain more than lines of the simulator."""


class BaseMachine(RuleBasedStateMachine):
    """A simulator, streams, and a script. Subclasses make what they test in `prepare`.

    Class attributes to set: *options* of Simulator, *order* the schedules to try, *allow* kinds of findings that are no
    failure, *most_streams*, *states* the names of states that are worth counting.

    *explore*: also run each example that passes under every order of its tasks that could make a difference (`explore`),
    up to *most_orders* of them: True finds what a machine with one schedule an example passes by, and costs so many runs.
    """

    options: ClassVar[dict[str, Any]] = {}
    order: ClassVar[st.SearchStrategy[str]] = schedules()
    allow: ClassVar[Sequence[str]] = ()
    explore: ClassVar[bool] = False
    most_orders: ClassVar[int] = 50
    first_streams: ClassVar[int] = 2
    most_streams: ClassVar[int] = 4
    states: ClassVar[Sequence[str]] = ("two streams have work at once", "the host waits for a busy stream")

    reached: ClassVar[StateCoverage]
    """What all examples of this class have counted in this process."""

    streams = Bundle("streams")

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.reached = StateCoverage(state for base in reversed(cls.__mro__) for state in vars(base).get("states", ()))
        cls.TestCase.settings = settings(cls.TestCase.settings, report_multiple_bugs=False, phases=PHASES)

    def __init__(self) -> None:
        super().__init__()
        self.simulator: Simulator | None = None
        self.script = Script(type(self).__name__)
        self.ordering = Ordering()
        self.names: dict[int, str] = {}
        """Handle or address -> its variable in the program."""
        self.alive: list[int] = []
        """The streams, in the order of their creation."""
        self._head = 0
        """Lines of the program that make the simulator."""
        self._reported = 0
        self._failed = False

    @property
    def sim(self) -> Simulator:
        """The simulator of this example."""
        assert self.simulator is not None
        return self.simulator

    @initialize(target=streams, data=st.data())
    def begin(self, data: st.DataObject) -> MultipleResults[int]:
        """Make the simulator, what is to be tested, and the first streams."""
        schedule = data.draw(self.order)
        kind = type(self)
        options = {"schedule": schedule, "checks": "all", **self.options}
        if DeterministicThreads.installed is not None:
            options.setdefault("threads", "deterministic")
        self.simulator = Simulator(**options).open()
        shown = ", ".join(f"{name}={value!r}" for name, value in options.items() if name != "threads")
        head = [
            "from ascend_sim import Simulator, ascendcl as C",
            *self.imports(),
            f"sim = Simulator({shown.replace(repr('all'), repr('all=raise'))}).open()",
        ]
        self.script = Script(kind.__name__, head, C=ascendcl, sim=self.simulator, **self.script_names())
        self._head = len(head)
        self.script.run("ret = C.aclrtSetDevice(0)")
        self.prepare()
        self.reached.programs += 1
        return multiple(*(self._new_stream() for _ in range(self.first_streams)))

    def imports(self) -> list[str]:
        """What the program has to import beside the simulator."""
        return []

    def script_names(self) -> dict[str, Any]:
        """What `imports` brings into the program."""
        return {}

    def file_imports(self) -> list[str]:
        """What a program in a file has to import."""
        return self.imports()

    def prepare(self) -> None:
        """Called when the simulator is there: make what is to be tested."""

    def finish(self) -> None:
        """Called after the last step, when none failed: what must hold then."""

    def teardown(self) -> None:
        """End the example; print the program when it failed."""
        self._failed = self._failed or sys.exc_info()[1] is not None
        try:
            if self.simulator is not None and not self._failed:
                self._failed = True
                self.finish()
                self.check()
                self._failed = False
        finally:
            self.reached.lines += len(self.script.lines)
            if self._failed:
                self._tell()
            if self.simulator is not None:
                self.simulator.close()
            if self.explore and not self._failed and self.simulator is not None:
                self._explore()
            self.script.close()

    def _tell(self) -> None:
        """Write the program to a file, and into the report."""
        where = self._keep()
        how = f" (python {where})" if where else ""
        note(f"{in_lines(f'This program does the same{how}:')}\n\n{self.script}\n")

    def _keep(self) -> str:
        """The file with the program, written anew for each failing example: the last one is the smallest. Empty: no room."""
        kind = type(self)
        head, body = self.script.lines[: self._head], self.script.lines[self._head :]
        imports = self.file_imports()
        known = len(self.imports())
        lines = [head[0], *imports, *head[1 + known :], *body] if head else body
        error = sys.exc_info()[1]
        told = "" if error is None else "\n".join(f"# {line}" for line in str(error).splitlines())
        first = in_lines(f"# A failing example of {kind.__qualname__}: python {kind.__name__}.py")
        text = "\n".join([first, *lines, told]) + "\n"
        path = os.path.join(_folder(kind), f"{kind.__name__}.py")
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            write_whole(path, text)
        except OSError:
            return ""
        return path

    def _explore(self) -> None:
        """Run the lines of the example under other orders. Raises ScriptFailure for what goes wrong in one of them."""
        names = {"C": ascendcl, **self.script_names()}
        lines = self.script.lines[self._head :]
        code = compile("\n" * self._head + "\n".join(lines), self.script.file, "exec", dont_inherit=True)

        def program(sim: Simulator) -> None:
            exec(code, {"__name__": "__main__", **names, "sim": sim})

        options = {name: value for name, value in self.options.items() if name not in ("schedule", "threads")}
        report = explore(
            program, budget=None, most=self.most_orders, stop="finding", hosts="shared", differing="table",
            progress=False, **{"checks": "all", **options},
        )  # fmt: skip
        if report.trouble:
            raise ScriptFailure(f"the example is not deterministic: {report.trouble}")
        for failure in report.failures:
            if failure.kind not in self.allow:
                self._failed = True
                self._tell()
                what = rendering.full(failure.finding) if failure.finding is not None else failure.title
                raise ScriptFailure(f"in another order of its tasks: {failure.kind}\n{what}\n{report.text()}")

    # -- what rules use -----------------------------------------------------------------------------------------------

    def run(self, line: str, code: int | None = 0) -> Any:
        """Run one line of the program; see `Script.run`."""
        return self.script.run(line, code)

    def name(self, thing: int, letter: str) -> str:
        """A variable for a handle or an address that comes next."""
        name = self.names[thing] = self.script.fresh(letter)
        return name

    def make(self, letter: str, call: str) -> int:
        """Run ``NAME, ret = CALL`` with a new variable; its value."""
        name = self.script.fresh(letter)
        value = int(self.run(f"{name}, ret = {call}"))
        self.names[value] = name
        return value

    def reach(self, state: str) -> None:
        """Count that *state* was reached (``--hypothesis-show-statistics`` shows it as an event, too)."""
        self.reached(state)
        event(state)

    def busy(self, stream: int) -> bool:
        """Whether work of *stream* (a handle) is not over yet."""
        found = self.sim.handles.get(stream)
        return isinstance(found, Stream) and bool(found.queue)

    @invariant()
    def check(self) -> None:
        """No error finding."""
        if self.simulator is None:
            return
        found = self.simulator.findings
        while self._reported < len(found):
            finding = found[self._reported]
            self._reported += 1
            if finding.severity == "error" and not finding.suppressed and finding.kind not in self.allow:
                raise ScriptFailure(f"a finding of the simulator\n{rendering.full(finding)}")

    # -- streams ------------------------------------------------------------------------------------------------------

    @precondition(lambda self: len(self.alive) < self.most_streams)
    @rule(target=streams)
    def create_stream(self) -> int:
        """A new stream."""
        return self._new_stream()

    def _new_stream(self) -> int:
        stream = self.make("s", "C.aclrtCreateStream()")
        self.alive.append(stream)
        return stream

    @precondition(lambda self: any(map(self.busy, self.alive)))
    @rule(stream=streams)
    def synchronize_stream(self, stream: int) -> None:
        """Wait for a stream."""
        if self.busy(stream):
            self.reach("the host waits for a busy stream")
        self.wait_for(stream)

    def wait_for(self, stream: int) -> None:
        """The host waits for all of *stream*."""
        self.run(f"ret = C.aclrtSynchronizeStream({self.names[stream]})")
        self.ordering.synchronize(stream)

    @precondition(lambda self: sum(map(self.busy, self.alive)) > 1)
    @rule()
    def synchronize_device(self) -> None:
        """Wait for everything."""
        self.wait_for_all()

    def wait_for_all(self) -> None:
        """The host waits for all streams."""
        self.run("ret = C.aclrtSynchronizeDevice()")
        for stream in self.alive:
            self.ordering.synchronize(stream)

    def order_after(self, stream: int, other: int) -> None:
        """Let what comes next on *stream* come after what *other* has been given so far."""
        made = self.make("e", "C.aclrtCreateEventExWithFlag(1)")
        self.run(f"ret = C.aclrtRecordEvent({self.names[made]}, {self.names[other]})")
        record = self.ordering.record(other)
        self.run(f"ret = C.aclrtStreamWaitEvent({self.names[stream]}, {self.names[made]})")
        self.ordering.wait(stream, record)
        self.run(f"ret = C.aclrtDestroyEvent({self.names[made]})")

    def queue(self, line: str, stream: int, *used: tuple[int, bool]) -> None:
        """Run *line*, which queues a task on *stream* that uses buffers (each with whether it writes), in order."""
        for buffer, writes in used:
            for other in self.ordering.needs(stream, buffer, writes):
                self.order_after(stream, other)
        self.run(line)
        if sum(map(self.busy, self.alive)) > 1:
            self.reach("two streams have work at once")
        self.ordering.task(stream)
        for buffer, writes in used:
            self.ordering.use(stream, buffer, writes)


def _folder(kind: type) -> str:
    """Where programs of *kind* go: a folder of the cache for the file that has it, so that equal names do not meet."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(cache):
        cache = os.path.join(os.path.expanduser("~"), ".cache")
    file = getattr(sys.modules.get(kind.__module__), "__file__", None) or kind.__module__
    mark = sha256(f"{file} {kind.__qualname__}".encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return os.path.join(cache, "ascend-sim", f"examples-{mark}")


def counted() -> dict[str, StateCoverage]:
    """What the machines of this process have reached, by their names; only those that ran."""
    found: dict[str, StateCoverage] = {}
    kinds = list(BaseMachine.__subclasses__())
    while kinds:
        kind = kinds.pop(0)
        kinds += kind.__subclasses__()
        if kind.reached.programs:
            found[kind.__qualname__] = kind.reached
    return found


class RuntimeStateMachine(BaseMachine):
    """Streams, device and host memory, sets and copies in a correct order: a base for machines of your own.

    The bundles `streams`, `buffers` (device addresses) and `hosts` (page-locked addresses) are there for your rules;
    `self.sizes` has the bytes of each address, `self.run("...")` runs a line of the program.
    """

    most_buffers: ClassVar[int] = 6
    states: ClassVar[Sequence[str]] = (
        "a buffer is used by two streams",
        "a stream with work is destroyed",
    )  # fmt: skip

    streams = BaseMachine.streams
    buffers = Bundle("buffers")
    hosts = Bundle("hosts")

    def __init__(self) -> None:
        super().__init__()
        self.sizes: dict[int, int] = {}
        self.values: dict[int, int] = {}
        """Address -> the byte that fills it, once the program has said so."""
        self._last_user: dict[int, int] = {}
        self._written = 0

    @precondition(lambda self: len(self.sizes) < self.most_buffers)
    @rule(target=buffers, size=sizes(1, LARGEST))
    def allocate(self, size: int) -> int:
        """Device memory."""
        address = self.make("d", f"C.aclrtMalloc({size}, {HUGE_FIRST})")
        self.sizes[address] = size
        return address

    @precondition(lambda self: len(self.sizes) < self.most_buffers)
    @rule(target=hosts, size=sizes(1, LARGEST))
    def allocate_host(self, size: int) -> int:
        """Page-locked host memory."""
        address = self.make("h", f"C.aclrtMallocHost({size})")
        self.sizes[address] = size
        return address

    @rule(address=consumes(buffers))
    def free(self, address: int) -> None:
        """Give device memory back, after its users."""
        self._end_of(address)
        self.run(f"ret = C.aclrtFree({self.names[address]})")

    @rule(address=consumes(hosts))
    def free_host(self, address: int) -> None:
        """Give host memory back, after its users."""
        self._end_of(address)
        self.run(f"ret = C.aclrtFreeHost({self.names[address]})")

    def _end_of(self, address: int) -> None:
        for stream in self.ordering.unknown_to_host(address):
            self.wait_for(stream)
        self.ordering.forget(address)
        for known in (self.sizes, self.values, self._last_user):
            known.pop(address, None)

    @rule(address=buffers, stream=streams)
    def fill(self, address: int, stream: int) -> None:
        """Queue a set of a whole buffer."""
        self._written = self._written % 255 + 1
        name, size = self.names[address], self.sizes[address]
        self._touched(stream, address)
        self.queue(
            f"ret = C.aclrtMemsetAsync({name}, {size}, {self._written}, {size}, {self.names[stream]})", stream,
            (address, True),
        )  # fmt: skip
        self.values[address] = self._written

    @rule(source=st.one_of(buffers, hosts), to=buffers, stream=streams)
    def copy(self, source: int, to: int, stream: int) -> None:
        """Queue a copy of one buffer to the start of another; only of bytes that were written."""
        if source == to:
            return
        if source not in self.values:
            if not self.names[source].startswith("d"):
                return
            self.fill(source, stream)
        size, room = min(self.sizes[source], self.sizes[to]), self.sizes[to]
        kind = D2D if self.names[source].startswith("d") else H2D
        self._touched(stream, source)
        self._touched(stream, to)
        self.queue(
            f"ret = C.aclrtMemcpyAsync({self.names[to]}, {room}, {self.names[source]}, {size}, {kind}, "
            f"{self.names[stream]})", stream, (source, False), (to, True),
        )  # fmt: skip
        if size == room:
            self.values[to] = self.values[source]
        elif self.values.get(to) != self.values[source]:
            self.values.pop(to, None)

    @rule(address=buffers, first=streams, second=streams)
    def hand_over(self, address: int, first: int, second: int) -> None:
        """One stream writes a buffer, then another: what most programs do with two streams."""
        self.fill(address, first)
        self.fill(address, second)

    @rule(address=hosts)
    def fill_host(self, address: int) -> None:
        """Set host memory at once, after its users."""
        for stream in self.ordering.unknown_to_host(address):
            self.wait_for(stream)
        self._written = self._written % 255 + 1
        name, size = self.names[address], self.sizes[address]
        self.run(f"ret = C.aclrtMemset({name}, {size}, {self._written}, {size})")
        self.values[address] = self._written

    @rule(address=st.one_of(buffers, hosts))
    def read(self, address: int) -> None:
        """Wait for the users of a buffer and look at its bytes."""
        if address not in self.values:
            return
        for stream in self.ordering.unknown_to_host(address):
            self.wait_for(stream)
        self.look(address)

    def look(self, address: int) -> None:
        """The bytes of *address* are what the program wrote last."""
        name, size, value = self.names[address], self.sizes[address], self.values[address]
        self.run("import numpy")
        self.run(f"out = numpy.zeros({size}, numpy.uint8)")
        self.run(f"ret = C.aclrtMemcpy(out.ctypes.data, {size}, {name}, {size}, {D2H if name[0] == 'd' else 0})")
        self.run(f"assert (out == {value}).all(), sorted(set(out.tolist()))")

    def _touched(self, stream: int, address: int) -> None:
        before = self._last_user.get(address, stream)
        if before != stream:
            self.reach("a buffer is used by two streams")
        self._last_user[address] = stream

    @rule(stream=consumes(BaseMachine.streams))
    def destroy_stream(self, stream: int) -> None:
        """Destroy a stream; it ends its work first."""
        if self.busy(stream):
            self.reach("a stream with work is destroyed")
        self.run(f"ret = C.aclrtDestroyStream({self.names[stream]})")
        self.ordering.synchronize(stream)
        self.alive.remove(stream)

    def finish(self) -> None:
        """All bytes are what the program wrote; everything can be given back."""
        self.wait_for_all()
        for address in list(self.values):
            self.look(address)
