"""The return addresses of a native program that stand for places of it."""

from __future__ import annotations

__all__ = ["CALLED", "KNOWN"]

KNOWN: list[int] = []
"""All of them: what is looked up of one file is looked up at once."""
CALLED: dict[int, str] = {}
"""The function that returns to an address."""
