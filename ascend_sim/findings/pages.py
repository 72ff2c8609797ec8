"""Where the documentation has a page about a kind of finding."""

from __future__ import annotations

__all__ = ["SITE", "page_of"]

SITE = "https://ascend-sim.readthedocs.io/en/stable/"
"""Where the site of docs/site.py is published; who publishes a copy changes it here."""


def page_of(kind: str) -> str:
    """The address of the page about *kind*: ``.../docs/findings/race.html``."""
    return f"{SITE}docs/findings/{kind}.html"
