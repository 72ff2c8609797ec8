"""Writes the API reference, made from the docstrings by pdoc: ``python docs/reference.py FOLDER``.

Which modules it has is the table in docs/public.md. It needs no network; any warning is an error.
"""

from __future__ import annotations

import argparse
import importlib
import re
import sys
import warnings
from pathlib import Path

DOCS = Path(__file__).resolve().parent
LISTED = ("ascend_sim.constants",)
"""Modules of plain numbers: a page of a thousand of them helps nobody, `ascend_sim.ascendcl` has them under their names."""


def public_modules() -> list[str]:
    """The modules that docs/public.md names."""
    section = (DOCS / "public.md").read_text(encoding="utf-8").partition("## Modules\n")[2].partition("\n## ")[0]
    names = re.findall(r"^\| `(ascend_sim[\w.]*)` \|", section, re.MULTILINE)
    return [name for name in names if name not in LISTED]


def prepare(names: list[str]) -> None:
    """Load what is made or imported at its first use, since pdoc looks into the modules as they are."""
    from hypothesis.strategies import SearchStrategy

    from ascend_sim import ascendcl
    from ascend_sim.catalogue.functions import functions
    from ascend_sim.testing import programs

    for name in names:
        module = importlib.import_module(name)
        for member in getattr(module, "__all__", ()):
            setattr(module, member, getattr(module, member))
    ascendcl.__all__ = sorted(functions())
    for function in ascendcl.__all__:
        getattr(ascendcl, function)
    # hypothesis leaves this a forward reference, and what it refers to is not in its own module
    programs.programs.__annotations__["return"] = SearchStrategy[programs.Program]


def roots(names: list[str]) -> list[str]:
    """*names* without those that come with their parents, since pdoc follows ``__all__``."""
    parents = {name: importlib.import_module(name.rpartition(".")[0] or name) for name in names}
    return [name for name in names if name.rpartition(".")[2] not in getattr(parents[name], "__all__", ())]


def main(arguments: list[str] | None = None) -> int:
    """Write the pages; 1 when something was wrong with them."""
    parser = argparse.ArgumentParser(description="Write the API reference to a folder.")
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args(arguments).folder
    try:
        import pdoc
        import pdoc.render
    except ImportError:
        print("pdoc is missing: pip install 'ascend-sim[docs]'", file=sys.stderr)
        return 1
    names = public_modules()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        prepare(names)
        pdoc.render.configure(docformat="markdown", show_source=False)
        pdoc.pdoc(*roots(names), output_directory=folder)
    for warning in caught:
        print(f"{warning.category.__name__}: {warning.message}", file=sys.stderr)
    return 1 if caught else 0


if __name__ == "__main__":
    raise SystemExit(main())
