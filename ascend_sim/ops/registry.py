"""The operators of one simulator: the built-in types and those that the program registers."""

from __future__ import annotations

from collections.abc import Iterator

from ascend_sim.ops.operator import Operator

__all__ = ["OperatorRegistry", "builtin"]


def builtin() -> dict[str, Operator]:
    """The built-in operators by name."""
    from ascend_sim.ops import arrays, elementwise, neural  # only programs with operators pay for them

    return {made.name: made for module in (elementwise, arrays, neural) for made in module.OPERATORS}


class OperatorRegistry:
    """`sim.ops`: look operators up by type; `register` adds one or replaces it.

    *open* makes every registered type available without a model directory or a compile call; strict (default) answers
    100024 as a machine does.
    """

    def __init__(self) -> None:
        self._types: dict[str, Operator] | None = None
        self.open = False

    def _all(self) -> dict[str, Operator]:
        if self._types is None:
            self._types = builtin()
        return self._types

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
