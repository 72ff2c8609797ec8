"""The state of a simulator at one moment, as an object that shows itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_sim.findings.languages import chosen, in_cells
from ascend_sim.state.arenas import ArenaState, arenas
from ascend_sim.state.graphs import GraphState, graphs
from ascend_sim.state.pools import PoolState, pools
from ascend_sim.state.relations import Relations, look

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime

__all__ = ["State"]


class State:
    """What `sim.show()` gives: taken down once, unchanged by what happens later.

    ``print(state)`` writes it, `svg()` draws it, a notebook shows it. `relations`, `graphs`,
    `arenas` and `pools` are the values behind.

    >>> from ascend_sim import Simulator, ascendcl
    >>> with Simulator() as sim:
    ...     _ = ascendcl.aclrtSetDevice(0)
    ...     print(str(sim.show()).splitlines()[0])
    Ascend910B3 at 1 us of virtual time
    """

    def __init__(self, sim: Runtime) -> None:
        self.profile = sim.profile.name
        self.relations: Relations = look(sim)
        self.graphs: tuple[GraphState, ...] = graphs(sim, sim.names)
        self.arenas: list[ArenaState] = arenas(sim)
        self.pools: tuple[PoolState, ...] = pools(sim)

    def __str__(self) -> str:
        from ascend_sim.state.text import text

        return in_cells(text(self), chosen())

    def svg(self, width: int = 960, language: str = "") -> str:
        """A drawing, *width* pixels wide: who waits for whom, and below it the memory of each device.

        *language*: of its words, ``en`` or ``zh``; by default the one that is chosen (ASCEND_SIM_LANG, LANG).
        """
        from ascend_sim.state.drawing import draw

        return draw(self, width, language or chosen())

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        streams = sum(len(context.streams) for context in self.relations.contexts)
        return f"<State of {self.profile}: {streams} streams, {len(self.arenas)} arenas>"
