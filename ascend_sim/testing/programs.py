"""Whole random programs of streams and buffers, with as much of the synchronisation that they need as you ask for."""

from __future__ import annotations

from typing import Any

import attrs
from hypothesis import strategies as st

from ascend_sim.errors import SimulatedHang
from ascend_sim.findings.finding import Finding
from ascend_sim.simulator import Simulator
from ascend_sim.testing.ordering import Ordering

__all__ = ["Program", "programs"]

SIZE = 64
KINDS = ("fill", "copy", "fill", "copy", "synchronize", "query")


@attrs.frozen
class Program:
    """*lines* of Python over ``C`` (the C face), with *buffers* of 64 bytes; *missing*: how many waits it needs and lacks.

    A program without missing waits has no race, and gives the same bytes under every schedule.
    """

    lines: tuple[str, ...]
    buffers: int
    missing: int

    def __str__(self) -> str:
        return "\n".join(["from ascend_sim import Simulator, ascendcl as C", "", *self.lines])

    def run(self, **options: Any) -> tuple[list[bytes], list[Finding]]:
        """Run it on a fresh simulator with all checks; *options* are those of Simulator.

        Returns the final bytes of its buffers and the error findings. Raises AssertionError when a call fails.
        """
        from ascend_sim import ascendcl

        with Simulator(**{"checks": "all", **options}) as sim:
            names: dict[str, Any] = {"C": ascendcl}
            try:
                exec(compile("\n".join(self.lines), "<program>", "exec", dont_inherit=True), names)
            except SimulatedHang as hang:
                raise AssertionError(f"the program hangs: {hang}") from None
            final = [bytes(sim.memory.view(names[f"d{b}"], SIZE)) for b in range(self.buffers)]
            return final, [finding for finding in sim.findings if finding.severity == "error"]


@st.composite
def programs(
    draw: st.DrawFn, synchronised: float = 1.0, streams: int = 3, buffers: int = 3, most_steps: int = 30
) -> Program:
    """Programs of fills and copies on *streams* streams; each wait that one needs is there with this probability.

    ``synchronised=1.0``: no races. They shrink to few steps, and to fewer missing waits.
    """
    step = st.tuples(
        st.sampled_from(KINDS), st.integers(0, streams - 1), st.integers(0, buffers - 1), st.integers(0, buffers - 1),
        st.integers(0, 999),
    )  # fmt: skip
    lines = ["assert C.aclrtSetDevice(0) == 0"]
    lines += [f"s{s}, ret = C.aclrtCreateStream()" for s in range(streams)]
    for b in range(buffers):
        lines += [f"d{b}, ret = C.aclrtMalloc({SIZE}, 0)", f"assert C.aclrtMemset(d{b}, {SIZE}, 0, {SIZE}) == 0"]
    order = Ordering()
    missing = events = 0
    for number, (kind, stream, to, source, chance) in enumerate(draw(st.lists(step, max_size=most_steps))):
        if kind == "synchronize":
            lines.append(f"assert C.aclrtSynchronizeStream(s{stream}) == 0")
            order.synchronize(stream)
            continue
        if kind == "query":
            lines.append(f"assert C.aclrtStreamQuery(s{stream})[1] == 0")
            continue
        used = [(to, True)] if kind == "fill" or to == source else [(source, False), (to, True)]
        for buffer, writes in used:
            for other in order.needs(stream, buffer, writes):
                if chance >= synchronised * 1000:
                    missing += 1
                    continue
                events += 1
                lines += [
                    f"e{events}, ret = C.aclrtCreateEventExWithFlag(1)",
                    f"assert C.aclrtRecordEvent(e{events}, s{other}) == 0",
                    f"assert C.aclrtStreamWaitEvent(s{stream}, e{events}) == 0",
                ]
                order.wait(stream, order.record(other))
        if len(used) == 1:
            lines.append(f"assert C.aclrtMemsetAsync(d{to}, {SIZE}, {number % 255 + 1}, {SIZE}, s{stream}) == 0")
        else:
            lines.append(f"assert C.aclrtMemcpyAsync(d{to}, {SIZE}, d{source}, {SIZE}, 3, s{stream}) == 0")
        order.task(stream)
        for buffer, writes in used:
            order.use(stream, buffer, writes)
    lines.append("assert C.aclrtSynchronizeDevice() == 0")
    return Program(tuple(lines), buffers, missing)
