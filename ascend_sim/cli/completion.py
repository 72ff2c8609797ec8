"""``ascend-sim completion bash`` (or ``zsh``): a script that completes the command line, made from the argument parsers.

source <(ascend-sim completion bash)                          # in ~/.bashrc
ascend-sim completion zsh > ~/.zfunc/_ascend-sim              # in a folder of $fpath
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Final

import attrs

from ascend_sim import cli
from ascend_sim.cli.help import Parser
from ascend_sim.findings.finding import SEVERITIES
from ascend_sim.findings.kinds import KINDS
from ascend_sim.machine.profiles import profile_names

__all__ = ["main", "parser"]

WITHOUT_PARSER: Final = ("cc", "replay")
"""`cc` hands its words to the compiler; `replay` has the options of `run`."""

SCHEDULES: Final = ("virtual-time", "late", "early", "random")
CHECKS: Final = ("all", "none", "memory", "races", "rules", "codes")


def _known(action: argparse.Action) -> tuple[str, ...]:
    """What an option can be given, where that is a fixed set."""
    if action.choices is not None:
        return tuple(str(choice) for choice in action.choices)
    names = {
        "--soc": tuple(profile_names()), "--schedule": SCHEDULES, "--check": CHECKS,
        "--error-on": (*SEVERITIES, *KINDS), "--block-order": ("ascending", "reversed", "random"),
    }  # fmt: skip
    return next((names[name] for name in action.option_strings if name in names), ())


WORDS: Final = {"explain": KINDS}
"""Words that may stand where the parser allows any."""


@attrs.frozen
class Option:
    """One option: its *names*, its *help*, whether it *takes* a value, and the *values* that are known."""

    names: tuple[str, ...]
    help: str
    takes: bool
    values: tuple[str, ...]


@attrs.frozen
class Command:
    """One command with its options, and the words that may stand in place of a file."""

    name: str
    help: str
    options: tuple[Option, ...]
    words: tuple[str, ...]


def parser() -> argparse.ArgumentParser:
    """The options of the command."""
    made = Parser(
        prog="ascend-sim completion", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("shell", choices=("bash", "zsh"))
    return made


def main(arguments: Sequence[str]) -> int:
    """Print the script."""
    shell = parser().parse_args(arguments).shell
    print((_bash if shell == "bash" else _zsh)([_command(name) for name in cli.COMMANDS]))
    return 0


def _command(name: str) -> Command:
    text = cli.COMMANDS[name]
    if name in WITHOUT_PARSER:
        return Command(name, text, _command("run").options if name == "replay" else (), ())
    line: argparse.ArgumentParser = import_module(f"ascend_sim.cli.{cli.MODULES.get(name, name)}").parser()
    options: dict[tuple[str, ...], Option] = {}
    words: list[str] = [*WORDS.get(name, ())]
    for one in _with_subcommands(line, words):
        for action in one._actions:
            if action.option_strings:
                names = tuple(action.option_strings)
                said = " ".join((action.help or "").split()).replace("%%", "%")
                options[names] = Option(names, said, action.nargs != 0, _known(action))
            elif action.choices is not None and not isinstance(action, argparse._SubParsersAction):
                words += [str(choice) for choice in action.choices]
    return Command(name, text, tuple(options.values()), tuple(words))


def _with_subcommands(line: argparse.ArgumentParser, words: list[str]) -> Iterator[argparse.ArgumentParser]:
    yield line
    for action in line._actions:
        if isinstance(action, argparse._SubParsersAction):
            words += action.choices
            yield from action.choices.values()


def _list(words: Sequence[str]) -> str:
    return shlex.quote(" ".join(words))


def _bash(commands: list[Command]) -> str:
    """Words for `compgen`, by the command and the word before."""
    values, files, options, words = [], [], [], []
    for command in commands:
        for option in command.options:
            cases = "|".join(f'"{command.name} {name}"' for name in option.names)
            if option.values:
                values.append(f"    {cases}) words={_list(option.values)} ;;")
            elif option.takes:
                files.append(cases)
        names = [name for option in command.options for name in option.names]
        options.append(f"    {command.name}) words={_list(names)} ;;")
        if command.words:
            words.append(f"    {command.name}) words={_list(command.words)} ;;")
    return "\n".join([
        "# bash completion for ascend-sim: source <(ascend-sim completion bash)",
        "_ascend_sim() {",
        '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}" words=""',
        "  COMPREPLY=()",
        '  if [ "$COMP_CWORD" -eq 1 ]; then',
        f'    COMPREPLY=($(compgen -W {_list([*(c.name for c in commands), "--help", "--version"])} -- "$word"))',
        "    return",
        "  fi",
        '  case "$command $before" in',
        *values,
        f'    {"|".join(files)}) COMPREPLY=($(compgen -f -- "$word")); return ;;',
        "  esac",
        '  if [ -z "$words" ]; then case "$word" in',
        '  -*) case "$command" in',
        *options,
        "  esac ;;",
        '  *) case "$command" in',
        *words,
        "  esac ;;",
        "  esac; fi",
        '  if [ -n "$words" ]; then',
        '    COMPREPLY=($(compgen -W "$words" -- "$word"))',
        "  else",
        '    COMPREPLY=($(compgen -f -- "$word"))',
        "  fi",
        "}",
        "complete -o filenames -F _ascend_sim ascend-sim",
    ])  # fmt: skip


def _zsh(commands: list[Command]) -> str:
    """Calls of `_arguments`, one for each command."""
    lines = ["#compdef ascend-sim", "_ascend_sim() {", "  local -a commands", "  commands=("]
    lines += [f"    {shlex.quote(f'{c.name}:{_plain(c.help)}')}" for c in commands]
    lines += ["  )", "  if (( CURRENT == 2 )); then _describe command commands; return; fi", '  case "$words[2]" in']
    for command in commands:
        lines.append(f"    {command.name}) shift words; (( CURRENT-- )); _arguments \\")
        for option in command.options:
            for name in option.names:
                value = (
                    f":value:({' '.join(option.values)})" if option.values else ":value:_files" if option.takes else ""
                )
                lines.append(f"      {shlex.quote(f'*{name}[{_plain(option.help)[:70]}]{value}')} \\")
        rest = f"*:word:({' '.join(command.words)})" if command.words else "*:file:_files"
        lines.append(f"      {shlex.quote(rest)} ;;")
    lines += [
        "  esac",
        "}",
        'if [ "$funcstack[1]" = _ascend-sim ]; then _ascend_sim "$@"; else compdef _ascend_sim ascend-sim; fi',
    ]
    return "\n".join(lines)


def _plain(text: str) -> str:
    """Without what `_arguments` and `_describe` read as their own."""
    return "".join(" " if letter in "[]:()\\" else letter for letter in text)
