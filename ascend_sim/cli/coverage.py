"""``ascend-sim coverage``: which functions are modelled, by chapter and tier, counted from the code itself."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ascend_sim.catalogue.tables import document
from ascend_sim.cli.help import Parser
from ascend_sim.cli.tables import show
from ascend_sim.findings.languages import in_lines

if TYPE_CHECKING:
    from ascend_sim.catalogue.functions import Function

__all__ = ["main", "parser"]

TIERS = {"A": "every user", "B": "real programs", "C": "rare", "D": "media"}


def parser() -> argparse.ArgumentParser:
    """The options of the command."""
    made = Parser(
        prog="ascend-sim coverage",
        description="Count the C functions of AscendCL that the simulator models. The others exist, too: they check "
        "their arguments' number, return 207000 and leave a `not-modelled` finding.",
    )
    made.add_argument("--chapter", metavar="X", help="only chapters whose title contains X; lists the functions")
    made.add_argument(
        "--tier",
        choices=tuple(TIERS),
        help="only one tier: " + ", ".join(f"{tier} {text}" for tier, text in TIERS.items()),
    )
    made.add_argument("--pyacl", action="store_true", help="count the names of pyACL instead, by namespace")
    made.add_argument(
        "--aclnn", action="store_true", help="list the operators of aclnn by what computes them: numpy, torch, nothing"
    )
    made.add_argument("--missing", action="store_true", help="list the functions that are not modelled")
    made.add_argument("--markdown", action="store_true", help="write the table of the README")
    made.add_argument("--json", action="store_true", help="write JSON with every function")
    return made


def main(arguments: Sequence[str]) -> int:
    line = parser()
    options = line.parse_args(arguments)

    if options.aclnn:
        return _aclnn(bool(options.json), bool(options.missing))
    from ascend_sim.ascendcl import implemented
    from ascend_sim.catalogue.functions import functions

    modelled = implemented()
    if options.pyacl:
        return _pyacl(modelled, bool(options.json), bool(options.missing))
    chosen = [
        function
        for function in functions().values()
        if (options.tier is None or function.tier == options.tier)
        and (options.chapter is None or options.chapter.lower() in function.chapter.lower())
    ]
    if not chosen:
        line.error("no function matches")
    if options.json:
        listed = [
            {"name": f.name, "chapter": f.chapter, "tier": f.tier, "modelled": f.name in modelled}
            for f in sorted(chosen, key=lambda f: (f.chapter, f.name))
        ]
        done = sum(f.name in modelled for f in chosen)
        value = {"functions": len(listed), "modelled": done, "list": listed, "conformance": _conformance()}
        print(json.dumps(value, indent=1))
        return 0
    if options.markdown:
        print("\n".join(_markdown(chosen, modelled)))
        return 0
    tested = _conformance() if options.tier is None else {}
    chapters = sorted({function.chapter for function in chosen})
    rows = [_row(chapter, [f for f in chosen if f.chapter == chapter], modelled, tested) for chapter in chapters]
    if len(chapters) > 1:
        rows.append(_row("together", chosen, modelled, tested))
    heads = ("chapter", *(f"tier {tier}" for tier in TIERS), "all", *(["rows passed"] if tested else []))
    show(heads, rows, total=len(chapters) > 1)
    if tested:
        print(in_lines(_about_rows(tested)))
    if len(chapters) > 1:
        print(in_lines("\nThe names of pyACL: ascend-sim coverage --pyacl; operators: ascend-sim coverage --aclnn"))
    if options.missing or options.chapter:
        for function in sorted(chosen, key=lambda f: (f.chapter, f.name)):
            if function.name not in modelled:
                print(in_lines(f"  not modelled  {function.tier}  {function.name}"))
            elif not options.missing:
                print(in_lines(f"  modelled      {function.tier}  {function.name}"))
    return 0


def _markdown(chosen: Sequence[Function], modelled: frozenset[str]) -> list[str]:
    """A table with a line for each chapter."""
    lines = [
        "| chapter | " + " | ".join(f"{tier}: {text}" for tier, text in TIERS.items()) + " | all |",
        "|---" * (len(TIERS) + 2) + "|",
    ]
    for chapter in sorted({function.chapter for function in chosen}):
        row = _row(chapter, [f for f in chosen if f.chapter == chapter], modelled, {})
        lines.append(f"| {' | '.join(row)} |")
    lines.append(f"| {' | '.join(f'**{cell}**' for cell in _row('together', chosen, modelled, {}))} |")
    return lines


def _conformance() -> Mapping[str, Any]:
    """The counts of the conformance run by chapter (``tests/conformance``); "together" adds all of them up."""
    chapters: dict[str, Any] = document("conformance.json")["chapters"]
    names = ("rows", "passed", "through pyacl", "not expressible", "open")
    total: dict[str, Any] = {name: sum(row[name] for row in chapters.values()) for name in names}
    reasons = sorted({reason for row in chapters.values() for reason in row["deferred"]})
    total["deferred"] = {r: sum(row["deferred"].get(r, 0) for row in chapters.values()) for r in reasons}
    return {**chapters, "together": total}


def _about_rows(tested: Mapping[str, Any]) -> str:
    total = tested["together"]
    later = "".join(f" {count} wait for {reason};" for reason, count in total["deferred"].items())
    return (
        f"\nRows of the specification: {total['passed']} of {total['rows']} passed ({total['through pyacl']} of them "
        f"through pyACL, too);{later} {total['not expressible']} cannot be said in Python."
    )


def _row(
    title: str, members: Sequence[Function], modelled: frozenset[str], tested: Mapping[str, Any]
) -> tuple[str, ...]:
    cells = [title]
    for tier in (*TIERS, None):
        group = [f for f in members if tier in (None, f.tier)]
        cells.append(f"{sum(f.name in modelled for f in group)}/{len(group)}" if group else "-")
    if tested:
        row = tested.get(title)
        cells.append(f"{row['passed']} of {row['rows']}" if row else "-")
    return tuple(cells)


def _pyacl(modelled: frozenset[str], as_json: bool, missing: bool) -> int:
    """The names of pyACL that reach a modelled function, or (acl.util) none."""
    from ascend_sim.catalogue.pyacl import MODULES, row, rows

    listed = []
    for module in ("", *MODULES):
        for name in rows()[module]:
            found = row(module, name)
            assert found is not None
            reaches = module == "util" or found.c_function in modelled
            listed.append({"name": f"acl.{found.name}", "c_function": found.c_function, "modelled": reaches})
    done = sum(entry["modelled"] is True for entry in listed)
    if as_json:
        print(json.dumps({"functions": len(listed), "modelled": done, "list": listed}, indent=1))
        return 0
    table = []
    for module in ("", *MODULES):
        prefix = f"acl.{module}." if module else "acl."
        mine = [entry for entry in listed if str(entry["name"]).rpartition(".")[0] == prefix[:-1]]
        table.append((prefix[:-1], f"{sum(entry['modelled'] is True for entry in mine)}/{len(mine)}"))
    show(("namespace", "modelled"), [*table, ("together", f"{done}/{len(listed)}")], total=True)
    if missing:
        for entry in listed:
            if not entry["modelled"]:
                print(in_lines(f"  not modelled  {entry['name']}"))
    return 0


def _aclnn(as_json: bool, missing: bool) -> int:
    """The operators by what computes them; those on torch only where it is installed, which takes its import."""
    from ascend_sim.aclnn.loading import numpy_bodies, torch_bodies, torch_installed
    from ascend_sim.catalogue.aclnn import operators
    from ascend_sim.catalogue.compiled_operators import compiled_operators
    from ascend_sim.ops.registry import builtin

    single = builtin()
    by_name = {name: [type_ for type_ in types if type_ not in single] for name, types in compiled_operators().items()}
    done = sum(not lacking for lacking in by_name.values())
    on_numpy, on_torch = numpy_bodies(), torch_bodies()
    listed = [
        {
            "name": name,
            "numpy": name in on_numpy,
            "torch": name in on_torch,
            "modelled": name in on_numpy or name in on_torch,
        }
        for name in operators()
    ]
    counts = {how: sum(bool(row[how]) for row in listed) for how in ("numpy", "torch", "modelled")}
    if as_json:
        print(
            json.dumps(
                {
                    "operators": len(listed),
                    **counts,
                    "torch_installed": torch_installed(),
                    "list": listed,
                    "compiled_by_name": {
                        name: {"modelled": not lacking, "lacking": lacking} for name, lacking in by_name.items()
                    },
                },
                indent=1,
            )
        )
        return 0
    for row in listed:
        if not missing or not row["modelled"]:
            how = ", ".join(way for way in ("numpy", "torch") if row[way]) or "none"
            print(f"  {how:14} {row['name']}")
    for name, lacking in by_name.items():
        if not missing or lacking:
            print(f"  {'none' if lacking else 'single':14} {name}{': no ' + ', '.join(lacking) if lacking else ''}")
    table = [(how, f"{counts[how]}/{len(listed)}") for how in ("numpy", "torch")]
    show(("computed by", "operators"), [*table, ("together", f"{counts['modelled']}/{len(listed)}")], total=True)
    text = (
        f"Of {len(by_name)} operators of torch_npu that compile single operators by name, {done} find all of them here."
    )
    print("\n" + in_lines(text))
    if not torch_installed():
        print(in_lines("\ntorch is not installed: what it would compute is not counted"))
    return 0
