"""Where there is a page about a kind of finding.

The project publishes no site yet. Who builds one (``docs/site.py``) names it in ASCEND_SIM_SITE, an address or the folder;
an address of ``[project.urls]`` in pyproject.toml counts without that. With neither, the explanation inside the package is
what there is to open.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from ascend_sim.catalogue.tables import path, text

__all__ = ["VARIABLE", "home", "page_of", "place_of", "site"]

VARIABLE = "ASCEND_SIM_SITE"


@cache
def _project_urls() -> dict[str, str]:
    """The addresses that the installed distribution names, by label in lower case."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        lines = metadata("ascend-sim").get_all("Project-URL") or []
    except PackageNotFoundError:
        return {}
    return {label.strip().lower(): address.strip() for label, _, address in (line.partition(",") for line in lines)}


def home() -> str:
    """The address of the project itself; empty when it names none."""
    return _project_urls().get("homepage", "")


def site() -> str:
    """The address of the documentation site, with a slash at the end; empty when there is none."""
    given = os.environ.get(VARIABLE) or _project_urls().get("documentation", "")
    if given and "://" not in given:
        given = Path(given).absolute().as_uri()
    return given and given.rstrip("/") + "/"


def place_of(kind: str) -> str:
    """The page about *kind* within a site."""
    return f"docs/findings/{kind}.html"


def page_of(kind: str) -> str:
    """The address of the page about *kind*; without a site the line of the package's explanations where it begins."""
    address = site()
    return address + place_of(kind) if address else f"{Path(path('explain.txt')).as_uri()}#L{_lines()[kind]}"


@cache
def _lines() -> dict[str, int]:
    numbered = enumerate(text("explain.txt").split("\n"), 1)
    return {line.removeprefix("== ").strip(): number for number, line in numbered if line.startswith("== ")}
