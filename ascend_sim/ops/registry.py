"""The operators of one simulator: the built-in types and those that the program registers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ascend_sim.ops.operator import Operator

if TYPE_CHECKING:
    from ascend_sim.ops.single_ops import SingleOps
    from ascend_sim.runtime.core import Runtime

__all__ = ["OperatorRegistry", "builtin"]


def builtin() -> dict[str, Operator]:
    """The built-in operators by name."""
    from ascend_sim.ops import (  # only programs with operators pay for them
        activations,
        arrays,
        attention,
        boxes,
        convolutions,
        elementwise,
        neural,
        ordering,
        random_draws,
        rearranging,
        recurrent,
        rotated_boxes,
        selections,
        training,
    )

    modules = (
        elementwise, arrays, neural, convolutions, attention, activations, ordering, boxes, rotated_boxes, rearranging,
        recurrent, training, random_draws, selections,
    )  # fmt: skip
    return {made.name: made for module in modules for made in module.OPERATORS}


class OperatorRegistry:
    """`sim.ops`: look operators up by type; `register` adds one or replaces it.

    *open* makes every registered type available without a model directory or a compile call; strict (default) answers
    100024 as a machine does. ``ASCEND_SIM_OPS=open`` sets it.
    """

    def __init__(self, sim: Runtime | None = None) -> None:
        self._sim = sim
        self._types: dict[str, Operator] | None = None
        self._single: SingleOps | None = None
        self.open = os.environ.get("ASCEND_SIM_OPS", "") == "open"

    def _all(self) -> dict[str, Operator]:
        if self._types is None:
            self._types = builtin()
        return self._types

    @property
    def single(self) -> SingleOps:
        """What executes single operators: custom kernels, compiled operators, their workspaces."""
        if self._single is None:
            from ascend_sim.ops.single_ops import SingleOps

            assert self._sim is not None, "a registry of its own executes nothing"
            self._single = SingleOps(self._sim, self)
            self._sim.at_close.append(self._single.custom.end)
        return self._single

    def register(self, operator: Operator) -> Operator:
        """Add *operator*, or replace the one of the same type; returns it."""
        if not isinstance(operator, Operator):
            raise TypeError(f"{operator!r} is no operator: decorate a function with @op")
        self._all()[operator.name] = operator
        return operator

    def get(self, name: str) -> Operator | None:
        """The operator of this type."""
        return self._all().get(name)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._all()))

    def __len__(self) -> int:
        return len(self._all())
