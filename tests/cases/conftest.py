"""Public bug reports as tests: the codes of the steps, the finding at the right lines, and silence when fixed.

A line of a test that a finding is to name carries a mark: ``# <late>``. `World.expect` compares them.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from ascend_sim import Block, Simulator, gm, kernel
from ascend_sim import ascendcl as C
from ascend_sim.findings.finding import Finding
from tests.kit.calls import Calls, in_thread

H2H, H2D, D2H, D2D = range(4)
EX_SYNC = 1
MARK = re.compile(r"#.*<([\w, ]+)>")


@kernel
def fill(b: Block, p: gm.Out[np.uint8], value: np.uint8, n: np.uint32) -> None:
    """Write *n* bytes."""
    s = b.slice(n)
    p[s] = np.full(s.stop - s.start, value, np.uint8)


@kernel
def slow_fill(b: Block, p: gm.Out[np.uint8], value: np.uint8, n: np.uint32) -> None:
    """Set every byte, which takes long."""
    b.cost(1_000_000)
    s = b.slice(n)
    p[s] = np.full(s.stop - s.start, value, np.uint8)


@kernel
def copy(b: Block, to: gm.Out[np.uint8], source: gm.In[np.uint8], n: np.uint32) -> None:
    """Copy *n* bytes."""
    s = b.slice(n)
    to[s] = source[s]


@kernel
def slow(b: Block) -> None:
    """Nothing, and it takes long."""
    b.cost(1_000_000)


@kernel
def add_two(b: Block, to: gm.Out[np.uint8], x: gm.In[np.uint8], y: gm.In[np.uint8], n: np.uint32) -> None:
    """to = x + y."""
    s = b.slice(n)
    to[s] = x[s] + y[s]


@kernel
def far_fill(b: Block, p: gm.Out[np.uint8], start: np.uint32) -> None:
    """Write 64 bytes from *start* on, wherever that is."""
    p[int(start) : int(start) + 64] = np.zeros(64, np.uint8)


class World(Calls):
    """A simulator with all checks, and short words."""

    fill, slow_fill, copy, slow, add_two, far_fill = fill, slow_fill, copy, slow, add_two, far_fill

    def host(self, size: int = 64, value: int = 0) -> int:
        """Page-locked host memory."""
        pointer = self.must(C.aclrtMallocHost(size))
        self.must(C.aclrtMemset(pointer, size, value, size))
        return pointer  # type: ignore[no-any-return]

    def read(self, pointer: int, size: int = 64) -> list[int]:
        """The distinct bytes of device or host memory, by a copy at once (which the checkers see)."""
        out = np.zeros(size, np.uint8)
        self.must(C.aclrtMemcpy(out.ctypes.data, size, pointer, size, D2H))
        return sorted(set(out.tolist()))

    in_thread = staticmethod(in_thread)

    # -- findings ----------------------------------------------------------------------------------------------------

    def findings(self, *kinds: str) -> list[Finding]:
        """Those of *kinds*; without kinds all errors and warnings, leaks left out (the tests do not tidy up)."""
        if kinds:
            return [f for f in self.sim.findings if f.kind in kinds]
        return [f for f in self.sim.findings if f.severity != "note" and f.kind != "leak"]

    def silent(self) -> None:
        """Nothing was found."""
        assert not self.findings(), "\n".join(f"{f.kind}: {f.title}" for f in self.findings())

    def expect(self, kind: str, *words: str, **roles: str) -> Finding:
        """The one finding of *kind*, with *words* in its text, and for each role (access, other, ...) the marked line."""
        found = self.findings(kind)
        assert len(found) == 1, [f"{f.kind}: {f.title}" for f in self.sim.findings]
        finding = found[0]
        text = " ".join([finding.title, finding.order, finding.fix, *finding.notes, *(s.text for s in finding.sites)])
        for word in words:
            assert word in text, f"{word!r} is not in: {text}"
        lines = _marks(sys._getframe(1).f_code)
        for role, mark in roles.items():
            at = [f.frames[0].line for f in finding.sites if f.role == role and f.frames]
            assert lines[mark] in at, f"{role}: line {lines[mark]} ({mark}) is not among {at} of {finding.title}"
        return finding


def _marks(code: Any) -> dict[str, int]:
    lines, start = inspect.getsourcelines(code)
    return {
        mark.strip(): start + i
        for i, line in enumerate(lines)
        if (found := MARK.search(line))
        for mark in found.group(1).split(",")
    }


@pytest.fixture
def world() -> type[World]:
    """For tests that make their own simulator."""
    return World


@pytest.fixture
def w() -> Iterator[World]:
    """One device, all checks."""
    with Simulator(checks="all", devices=2) as sim:
        world = World(sim)
        world.must(C.aclrtSetDevice(0))
        yield world


@pytest.fixture
def bare() -> Iterator[World]:
    """All checks, and no device is set yet."""
    with Simulator(checks="all", devices=2) as sim:
        yield World(sim)
