"""The options of a command, whose ``--help`` is in the reader's language.

The texts are English where the options are; ``data/zh_help.tsv`` has the Chinese form of each (``\\n`` stands for the end of
a line). ``--lang`` anywhere in the command line chooses, else what findings go by.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, NoReturn

from ascend_sim.catalogue.tables import rows
from ascend_sim.findings.languages import ENGLISH, LANGUAGES, chosen, translated
from ascend_sim.findings.rendering import filled

__all__ = ["Parser", "asked", "helped", "texts"]


def asked(words: Sequence[str]) -> str:
    """The language of help that the command line *words* asks for."""
    given = [value for name, value in pairwise(words) if name == "--lang"]
    given += [word.removeprefix("--lang=") for word in words if word.startswith("--lang=")]
    return given[-1] if given and given[-1] in LANGUAGES else chosen()


@cache
def _table(language: str) -> Mapping[str, str]:
    lines = rows(f"{language}_help.tsv", "english translation")
    return {english.replace("\\n", "\n"): other.replace("\\n", "\n") for english, other in lines}


def helped(text: str, language: str) -> str:
    """*text* of a help in *language*; English where the table does not have it."""
    return text if language == ENGLISH else _table(language).get(text, text)


def texts(parser: argparse.ArgumentParser) -> Sequence[str]:
    """The texts of its help, those of subcommands included."""
    found = [text for text in (parser.description, parser.epilog) if text]
    found += [group.title for group in parser._action_groups if group.title]
    for action in parser._actions:
        parts = action._choices_actions if isinstance(action, argparse._SubParsersAction) else []
        found += [each.help for each in (action, *parts) if each.help and each.help != argparse.SUPPRESS]
        if isinstance(action, argparse._SubParsersAction):
            found += [text for each in action.choices.values() for text in texts(each)]
    return list(dict.fromkeys(found))


class _Wide(argparse.RawDescriptionHelpFormatter):
    """Breaks lines between characters of scripts that have no spaces, which take two columns each."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return filled(text, width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if "\n" in text else "\n".join(indent + line for line in filled(text, width))


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that prints its help in the language that the command line asks for."""

    language = ""
    """Found out from the words that are parsed, and handed down to subcommands."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Look for the language first: ``--help`` prints when it is met."""
        self.language = self.language or asked(list(args or ()))
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                for each in action.choices.values():
                    each.language = self.language
        return super().parse_known_args(args, namespace)

    def format_help(self) -> str:
        """The help in :attr:`language`."""
        if self.language in ("", ENGLISH):
            return super().format_help()
        say = self._say
        made = _Wide(prog=self.prog)
        made.add_usage(self.usage, self._actions, self._mutually_exclusive_groups, prefix=say("usage: "))
        made.add_text(say(self.description or ""))
        for group in self._action_groups:
            made.start_section(say(group.title or ""))
            for action in group._group_actions:
                self._translate(action)
            made.add_arguments(group._group_actions)
            made.end_section()
        made.add_text(say(self.epilog or ""))
        return made.format_help()

    def error(self, message: str) -> NoReturn:
        """A mistake in the command line, in :attr:`language`."""
        language = self.language or chosen()
        if language == ENGLISH:
            super().error(message)
        usage = self.format_usage().removeprefix("usage: ")
        self._print_message(helped("usage: ", language).strip() + usage, sys.stderr)
        self.exit(2, f"{self.prog}: {translated('error', language)}: {translated(message, language)}\n")

    def _say(self, text: str) -> str:
        return helped(text, self.language)

    def _translate(self, action: argparse.Action) -> None:
        """The process ends when help is printed: the action keeps its text in the other language."""
        parts = action._choices_actions if isinstance(action, argparse._SubParsersAction) else []
        for each in (action, *parts):
            if each.help and each.help != argparse.SUPPRESS:
                each.help = self._say(each.help)
