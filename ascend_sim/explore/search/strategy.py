"""What decides the steps of an explored run: a search on its way through its tree, a recording, a draw."""

from __future__ import annotations

from typing import Any, Protocol

from ascend_sim.explore.search.dependence import Item

__all__ = ["Guide"]


class Guide(Protocol):
    """Who decides, and keeps what each step did."""

    cut: bool
    """All that could go on need not be run: what comes now is not looked at."""

    def choose(self, enabled: tuple[str, ...]) -> str:
        """Which of *enabled* goes on."""

    def taken(self, causes: tuple[int, ...], items: tuple[Item, ...], check: Any, cells: dict[Any, int] | None) -> None:
        """The step that was chosen last is over."""
