"""``ascend-sim info``: the products that can be simulated, their limits, and the switches for known conflicts."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Sequence
from typing import Any

from ascend_sim._version import __version__
from ascend_sim.cli.help import Parser, helped
from ascend_sim.cli.tables import show
from ascend_sim.findings.languages import chosen, in_lines, translated
from ascend_sim.findings.output import tell
from ascend_sim.findings.rendering import filled
from ascend_sim.machine.profiles import DEFAULT_SOC, LIMITS, SWITCHES, Profile, load_profile, profile_names
from ascend_sim.source.callsite import working_folder
from ascend_sim.untrusted.escaping import escaped

__all__ = ["main", "parser"]


def parser() -> argparse.ArgumentParser:
    """The options of the command."""
    made = Parser(
        prog="ascend-sim info",
        description="Show what can be simulated: without options all products in one table, with --soc one of them.",
    )
    made.add_argument("--soc", metavar="NAME", help="everything about one product")
    made.add_argument("--switches", action="store_true", help="behaviours on which sources disagree, with defaults")
    made.add_argument(
        "--config", action="store_true", help="what [tool.ascend_sim] of pyproject.toml can say, and says here"
    )
    made.add_argument("--json", action="store_true", help="write JSON")
    return made


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_args(arguments)
    if options.config:
        return _config()
    try:
        found = [load_profile(options.soc)] if options.soc else [load_profile(name) for name in profile_names()]
    except ValueError as error:
        tell(error)
        return 2
    if options.json:
        print(json.dumps(_json(found, bool(options.switches)), indent=1))
    elif options.switches:
        print(_switches(found[0] if options.soc else None))
    elif options.soc:
        print(in_lines(_one(found[0])))
    else:
        _table(found)
    return 0


def _config() -> int:
    from ascend_sim.cli import config, run

    path, table = config.table_of(working_folder())
    line = run.parser()
    try:
        config.words_of_table(line, working_folder(), None)
        wrong = ""
    except ValueError as error:
        wrong = str(error)
    print(f"# {escaped(path)}" if path else in_lines("# there is no pyproject.toml for this folder"))
    print("[tool.ascend_sim]")
    for key, action in config.keys(line).items():
        said = f"{key} = {_toml(table[key])}" if key in table else f"# {key} ="
        text = " ".join(helped(action.help or "", chosen()).split()).replace("%%", "%")
        first, *more = filled(text, 96)
        print("\n".join([f"# {first}", *(f"#   {line}" for line in more)]))
        print(escaped(said))
    if wrong:
        tell(wrong)
    return 2 if wrong else 0


def _toml(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _json(chosen: Sequence[Profile], switches: bool) -> dict[str, Any]:
    value: dict[str, Any] = {"version": __version__, "default": DEFAULT_SOC, "profiles": [_plain(p) for p in chosen]}
    if switches:
        value["switches"] = [switch._asdict() for switch in SWITCHES.values()]
    return value


def _plain(profile: Profile) -> dict[str, Any]:
    value = profile._asdict()
    value["costs"] = profile.costs._asdict()
    for name, item in value.items():
        if isinstance(item, frozenset):
            value[name] = sorted(item)
        elif hasattr(item, "items"):
            value[name] = dict(item)
    return value


def _table(chosen: Sequence[Profile]) -> None:
    print(in_lines(f"ascend-sim {__version__}; default product: {DEFAULT_SOC}\n"))
    show(
        ("name", "cores", "memory", "streams", "events", "queue", "notifies"),
        [
            (
                p.name,
                f"{p.cube_cores or p.ai_cores}+{p.vector_cores}",
                f"{p.memory_bytes / 2**30:.0f} GiB",
                str(p.stream_limit),
                str(p.event_limit),
                str(p.queue_depth),
                str(p.notify_limit),
            )
            for p in chosen
        ],
    )
    print(in_lines("\ncores: cube + vector. More: ascend-sim info --soc NAME, ascend-sim info --switches"))


def _one(profile: Profile) -> str:
    named = {field: limit for limit, field in LIMITS.items()}
    lines = [f"{profile.name} (family {profile.family}, product {profile.product})", ""]
    for name, value in _plain(profile).items():
        if name in ("name", "family", "product", "costs", "switches", "supports", "copy_engines"):
            continue
        text = f"{value:,}".replace(",", " ") if isinstance(value, int) and value >= 10_000 else str(value)
        hint = f"    --limits {named[name]}=N changes it" if name in named else ""
        lines.append(f"  {name:<22} {text}{hint}")
    lines.append(f"  {'copy_engines':<22} " + ", ".join(f"{kind} {n}" for kind, n in profile.copy_engines.items()))
    lines += _folded("supports", ", ".join(sorted(profile.supports)))
    lines += ["", "costs in virtual time (ns, and bytes per microsecond):"]
    lines += _folded("", ", ".join(f"{name} {value}" for name, value in profile.costs._asdict().items()))
    lines += ["", "switches (ascend-sim info --switches says what they mean; --switch NAME=VALUE sets one):"]
    lines += _folded("", ", ".join(f"{name}={value}" for name, value in profile.switches.items()))
    return "\n".join(lines)


def _switches(profile: Profile | None) -> str:
    lines = [
        translated("Behaviours on which sources disagree. ascend-sim run --switch NAME=VALUE changes one.", chosen()),
        "",
    ]
    for switch in SWITCHES.values():
        current = switch.default if profile is None else profile.switches[switch.name]
        values = " | ".join(f"[{v}]" if v == current else str(v) for v in switch.values)
        if profile is not None and current not in switch.values:
            values += f" -> {current}"
        lines.append(f"{switch.name}:  {values}")
        lines += [f"    {line}" for line in filled(translated(switch.meaning, chosen()), 96)]
    return "\n".join(lines)


def _folded(name: str, text: str) -> list[str]:
    head = f"  {name:<22} " if name else "  "
    return textwrap.wrap(text, 100, initial_indent=head, subsequent_indent=" " * len(head), break_on_hyphens=False)
