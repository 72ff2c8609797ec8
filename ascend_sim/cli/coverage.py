"""``ascend-sim coverage``: which functions are modelled, by chapter and tier, counted from the code itself."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

__all__ = ["main"]

TIERS = {"A": "every user", "B": "real programs", "C": "rare"}


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="ascend-sim coverage",
        description="Count the C functions of AscendCL that the simulator models. The others exist, too: they check "
        "their arguments' number, return 207000 and leave a `not-modelled` finding.",
    )
    parser.add_argument("--chapter", metavar="X", help="only chapters whose title contains X; lists the functions")
    parser.add_argument("--tier", choices=tuple(TIERS), help="only one tier: " + ", ".join(
        f"{tier} {text}" for tier, text in TIERS.items()))
    parser.add_argument("--missing", action="store_true", help="list the functions that are not modelled")
    parser.add_argument("--json", action="store_true", help="write JSON with every function")
    options = parser.parse_args(arguments)

    from ascend_sim.ascendcl import implemented
    from ascend_sim.ascendcl.catalogue import functions

    modelled = implemented()
    chosen = [
        function for function in functions().values()
        if (options.tier is None or function.tier == options.tier)
        and (options.chapter is None or options.chapter.lower() in function.chapter.lower())
    ]
    if not chosen:
        parser.error("no function matches")
    if options.json:
        rows = [
            {"name": f.name, "chapter": f.chapter, "tier": f.tier, "modelled": f.name in modelled}
            for f in sorted(chosen, key=lambda f: (f.chapter, f.name))
        ]
        print(json.dumps({"functions": len(rows), "modelled": sum(r["modelled"] is True for r in rows), "list": rows},
                         indent=1))
        return 0
    chapters = sorted({function.chapter for function in chosen})
    width = max(len(chapter) for chapter in chapters) + 2
    print(f"{'chapter':<{width}}" + "".join(f"{'tier ' + tier:>11}" for tier in TIERS) + f"{'all':>11}")

    def row(title: str, members: Sequence[object]) -> None:
        cells = []
        for tier in (*TIERS, None):
            group = [f for f in chosen if f in members and tier in (None, f.tier)]
            done = sum(f.name in modelled for f in group)
            cells.append(f"{done}/{len(group)}" if group else "-")
        print(f"{title:<{width}}" + "".join(f"{cell:>11}" for cell in cells))

    for chapter in chapters:
        row(chapter, [f for f in chosen if f.chapter == chapter])
    if len(chapters) > 1:
        row("together", chosen)
    if options.missing or options.chapter:
        for function in sorted(chosen, key=lambda f: (f.chapter, f.name)):
            if function.name not in modelled:
                print(f"  not modelled  {function.tier}  {function.name}")
            elif not options.missing:
                print(f"  modelled      {function.tier}  {function.name}")
    return 0
