"""``ascend-sim explain``: what a return code or a kind of finding means, when it comes here, what to do about it.

Works from data alone: the table of codes, the conditions under which calls return them
(``data/conditions.tsv``) and hand-written advice (``data/explain.txt``).
"""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache

import attrs

from ascend_sim.catalogue.codes import Code, codes
from ascend_sim.catalogue.conditions import NULL, by_code
from ascend_sim.catalogue.tables import rows, text
from ascend_sim.cli import examples
from ascend_sim.cli.help import Parser
from ascend_sim.findings.kinds import KINDS
from ascend_sim.findings.languages import ENGLISH, LANGUAGES, chosen, translated
from ascend_sim.findings.output import tell
from ascend_sim.findings.pages import page_of, site
from ascend_sim.findings.rendering import filled

__all__ = ["Advice", "advice", "main", "of_a_code", "render_code", "render_kind"]

WIDTH = 100
SHOWN = 20
"""Conditions shown without ``--all``."""

LAYERS = {
    "acl": "the acl layer (it looks first; its refusals do not become the thread's last error)",
    "rt": "the runtime, or a task on the device",
    "ge": "the graph engine (operators and models)",
}


@attrs.frozen
class Advice:
    """A hand-written entry: paragraphs of text, what to do, an example, the chapter of the manual.

    *program* shows the fault, *fixed* is its corrected version, *options* of ``ascend-sim run`` belong to both.
    """

    text: str = ""
    cures: tuple[str, ...] = ()
    program: str = ""
    fixed: str = ""
    options: str = ""
    page: str = ""


@cache
def advice(language: str = ENGLISH) -> Mapping[str, Advice]:
    """The entries of ``data/explain.txt`` by code ("107002") or kind ("race"); in another language where they have it."""
    found = {name: _parsed(lines) for name, lines in _entries(text("explain.txt").splitlines())}
    if language != ENGLISH:
        for name, lines in _entries(text(f"{language}_explain.txt").splitlines()):
            other = _parsed(lines)
            found[name] = attrs.evolve(found[name], text=other.text, cures=other.cures)
    return found


def _entries(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    name, body = "", list[str]()
    for line in lines:
        if line.startswith("== "):
            if name:
                yield name, body
            name, body = line[3:].strip(), []
        elif not line.startswith("#"):
            body.append(line)
    if name:
        yield name, body


def _parsed(lines: Sequence[str]) -> Advice:
    text: list[str] = []
    cures: list[str] = []
    program: list[str] = []
    fixed: list[str] = []
    page = options = ""
    into = text
    for line in lines:
        if line.startswith("do: "):
            cures.append(line[4:])
            into = cures
        elif line.startswith("page: "):
            page = line[6:]
        elif line.startswith("options: "):
            options = line[9:]
        elif line in ("program:", "fixed:"):
            into = program if line == "program:" else fixed
        elif line.startswith("    ") and into is cures:
            cures[-1] += "\n" + line.strip()
        elif line.strip() or into is program or into is fixed:
            into.append(line)
    shown, cured = (textwrap.dedent("\n".join(lines)).strip("\n") for lines in (program, fixed))
    return Advice("\n".join(text), tuple(cures), shown, cured, options, page)


def render_code(code: Code, everything: bool = False, function: str | None = None, language: str = ENGLISH) -> str:
    """The text for one return code, optionally only for the calls whose name contains *function*."""
    known = advice(language).get(str(code.value), Advice())
    origin = "success" if code.value == 0 else LAYERS[code.group.split()[0]]
    lines = [f"{code.value}  {code.name}", f"    {of_a_code(code.meaning, language)}", ""]
    lines += [f"{translated('from', language)}:  {translated(origin, language)}"]
    if known.page:
        lines.append(f"{translated('page', language)}:  {known.page}")
    lines.append("")
    if known.text:
        lines += [*_filled(known.text), ""]
    pairs = by_code().get(code.value, ())
    if function:
        pairs = tuple(pair for pair in pairs if function.lower() in pair[0].lower())
    if pairs:
        lines.append(translated("Returned when:", language))
        shown = pairs if everything or function else pairs[:SHOWN]
        last = ""
        for name, condition in shown:
            if name != last:
                lines += _filled(of_a_code(name, language), "  ")
                last = name
            lines += _filled("- " + of_a_code(condition, language), "      ", "        ")
        if len(shown) < len(pairs):
            lines.append(
                "  " + translated(f"... and {len(pairs) - len(shown)} more: --all, or --function NAME", language)
            )
        lines.append("")
    elif function:
        lines += [translated(f"No condition of {function} is known for this code.", language), ""]
    if known.cures:
        lines += [translated("What to do:", language), *_cures(known)]
    return "\n".join(lines).rstrip()


def render_kind(kind: str, language: str = ENGLISH) -> str:
    """The text for one kind of finding."""
    known = advice(language).get(kind, Advice())
    lines = [f"{kind}: {translated(KINDS[kind], language)}", ""]
    if known.text:
        lines += [*_filled(known.text), ""]
    if known.program:
        lines += [translated("For example:", language), *_indented(known.program), ""]
        if known.fixed:
            lines += [translated("Corrected:", language), *_indented(known.fixed), ""]
        notes = [] if examples.complete(known.program) else [translated(examples.LEGEND, language)]
        both = " and --corrected print them" if known.fixed else " prints it"
        needs = f", for ascend-sim run {known.options}" if known.options else ""
        notes.append(translated(f"--example{both} ready to run{needs}.", language))
        lines += [*_filled(" ".join(notes)), ""]
    if known.cures:
        lines += [translated("What to do:", language), *_cures(known), ""]
    if known.page:
        lines.append(f"{translated('page', language)}:  {known.page}")
    if site():
        lines.append(page_of(kind))
    return "\n".join(lines).rstrip()


@cache
def _of_codes(language: str) -> Mapping[str, str]:
    return dict(rows(f"{language}_codes.tsv", "english translation"))


def of_a_code(text: str, language: str) -> str:
    """A meaning, a condition or a group of calls in *language*: these stand in a table of their own, whole."""
    if language == ENGLISH:
        return text
    if text.startswith(NULL):
        return f"{of_a_code('null', language)}: {text.removeprefix(NULL)}"
    return _of_codes(language).get(text) or translated(text, language)


def _indented(program: str) -> list[str]:
    return [f"    {line}".rstrip() for line in program.split("\n")]


def _cures(known: Advice) -> list[str]:
    lines: list[str] = []
    for cure in known.cures:
        sentence, *code = cure.split("\n")
        lines += _filled("- " + sentence, "  ", "    ")
        lines += ["        " + line for line in code]
    return lines


def _filled(text: str, first: str = "", rest: str | None = None) -> list[str]:
    rest = first if rest is None else rest
    lines: list[str] = []
    for paragraph in text.split("\n"):
        if paragraph.isascii():
            lines += textwrap.wrap(
                paragraph,
                WIDTH,
                initial_indent=first,
                subsequent_indent=rest,
                break_long_words=False,
                break_on_hyphens=False,
            )
        else:
            lines += [(rest if i else first) + piece for i, piece in enumerate(filled(paragraph, WIDTH - len(rest)))]
    return lines


def _find(what: str) -> tuple[Code | None, str | None, list[str]]:
    """The code or kind that *what* names; otherwise names that look like it."""
    by_name = {code.name: code for code in codes().values()}
    spellings = {**{code.name.lower(): code for code in codes().values()}, "acl_error_none": codes()[0]}
    if what.lstrip("-").isdigit():
        code = codes().get(int(what))
        near = get_close_matches(what, [str(value) for value in codes()], 3, 0.7)
        return code, None, near
    low = what.lower()
    if low in KINDS:
        return None, low, []
    for prefix in ("", "acl_error_", "acl_error_rt_", "acl_error_ge_", "acl_"):
        if prefix + low in spellings:
            return spellings[prefix + low], None, []
    inside = [name for name in (*KINDS, *by_name) if low in name.lower() or name in low.replace("_", "-").split("-")][
        :5
    ]
    return None, None, inside or get_close_matches(low, [*KINDS, *spellings], 3, 0.6)


def parser() -> argparse.ArgumentParser:
    """The options of the command."""
    made = Parser(
        prog="ascend-sim explain",
        description="Say what a return code (107002), its name, or a kind of finding (race) means.",
        epilog="Without an argument: list the kinds of findings and the codes with advice.",
    )
    made.add_argument("what", nargs="?", metavar="CODE|NAME|KIND")
    made.add_argument("--all", action="store_true", help="show every condition")
    made.add_argument("--lang", choices=LANGUAGES, help="the language of the text (default: what LANG says)")
    made.add_argument("--function", metavar="NAME", help="only the conditions of the calls whose name contains NAME")
    made.add_argument("--example", action="store_true", help="only the example of a kind, as a program to run")
    made.add_argument("--corrected", action="store_true", help="the same, corrected")
    return made


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_args(arguments)
    language = options.lang or chosen()
    if options.what is None:
        print(translated("Kinds of findings:", language))
        print("\n".join(f"  {kind:<24} {translated(text, language)}" for kind, text in KINDS.items()))
        print("\n" + translated("Return codes with advice:", language))
        print("\n".join(f"  {value}  {codes()[int(value)].name}" for value in advice() if value.isdigit()))
        return 0
    code, kind, near = _find(options.what)
    if code is not None and (options.example or options.corrected):
        tell("kinds of findings have examples, codes have none", language)
        return 2
    if code is not None:
        print(render_code(code, options.all, options.function, language))
    elif kind is not None and (options.example or options.corrected):
        known = advice()[kind]
        program = known.fixed if options.corrected else known.program
        if not program:
            tell(f"there is no {'corrected ' * options.corrected}example of {kind}", language)
            return 2
        print(examples.whole(program), end="")
    elif kind is not None:
        print(render_kind(kind, language))
    else:
        hint = f"; did you mean {', '.join(near)}?" if near else "; `ascend-sim explain` lists them"
        tell(f"{options.what!r} is neither a return code nor a kind of finding{hint}", language)
        return 2
    return 0
