"""A small world for tests of streams and what runs on them: a simulator, and tasks that do or fail as the test says."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ascend_sim import ascendcl as C
from ascend_sim.runtime.stream import Stream
from ascend_sim.runtime.task import Op, Task, TaskFault
from ascend_sim.simulator import LOCAL, Simulator
from tests.kit.calls import Calls
from tests.kit.forks import HANG

MS = 1_000_000


class World(Calls):
    """One simulator with device 0 set, and short words for what tests do with it."""

    @property
    def t(self) -> Any:
        """The calling host thread."""
        return LOCAL.state

    def at(self, handle: int) -> Stream:
        """The stream behind a handle."""
        stream = self.sim.handles[handle]
        assert isinstance(stream, Stream)
        return stream

    def task(
        self,
        handle: int,
        cost: int = 1000,
        code: int = 0,
        then: Callable[[int], None] | None = None,
        kind: str = "work",
    ) -> Task:
        """Queue a task of *cost* ns; with *code* it fails, else it calls *then* with its end."""

        def act(task: Task, time: int) -> None:
            if code:
                raise TaskFault(code, f"planned to fail with {code}")
            if then is not None:
                then(time)

        return self.at(handle).submit(self.t, Op(kind, cost, act))

    def sync(self, handle: int) -> int:
        """The code of aclrtSynchronizeStream."""
        return C.aclrtSynchronizeStream(handle)  # type: ignore[no-any-return]

    def hold(self, handle: int) -> None:
        """Nothing of the stream starts until `release`."""
        self.at(handle).hold()

    def release(self, handle: int) -> None:
        """Undo `hold`."""
        self.at(handle).release()

    def device(self, size: int = 64, value: int = 0) -> int:
        """Device memory filled with a byte."""
        return self.malloc(size, value)


@pytest.fixture
def build() -> Iterator[Callable[..., World]]:
    """Makes a world with the options of a Simulator; closed at the end of the test."""
    opened: list[Simulator] = []

    def make(**options: Any) -> World:
        sim = Simulator(**options).open()
        opened.append(sim)
        assert C.aclrtSetDevice(0) == 0
        return World(sim)

    yield make
    for sim in reversed(opened):
        sim.close()


@pytest.fixture
def world(build: Callable[..., World]) -> World:
    """A world of the default profile."""
    return build()


class Background:
    """A call in a thread of its own, which has set device 0; it is blocked in the call when the constructor returns."""

    def __init__(self, sim: Simulator, call: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._results: list[Any] = []
        known = set(sim.threads.attached())
        self._thread = threading.Thread(target=self._run, args=(call, arguments), daemon=True)
        self._thread.start()
        for _ in range(int(HANG * 1000)):
            if any(t.awaited is not None for t in sim.threads.attached() if t not in known):
                return
            time.sleep(0.001)
        raise AssertionError(f"{call.__name__} does not wait")

    def _run(self, call: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        C.aclrtSetDevice(0)
        self._results.append(call(*arguments))

    def result(self) -> Any:
        """What it returned."""
        self._thread.join(HANG)
        assert self._results, "the call is still waiting"
        return self._results[0]


@pytest.fixture
def background(world: World) -> Callable[..., Background]:
    """Starts a blocking call in another thread of the newest simulator."""

    def start(call: Callable[..., Any], *arguments: Any) -> Background:
        return Background(LOCAL.state.sim, call, arguments)

    return start
