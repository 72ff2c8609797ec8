"""What stands at a line of a source file: all of it, in the order of `ast.walk`, and nothing that is elsewhere."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest

import ascend_sim
from ascend_sim.source.syntax import nodes_at

ODD = textwrap.dedent('''
    @first(
        "second", lambda x: third(x)
    )
    def decorated(
        a, b=fourth(
            5)
    ):
        with sixth() as (
            seventh
        ), eighth():
            return f"""{
                ninth()}
            {tenth(f"{eleventh()}")}
            """

    try: twelfth()
    except thirteenth() as error: fourteenth([x for x in fifteenth() if sixteenth(
        x)])
    match seventeenth():
        case str(): eighteenth()
    ''')
SOURCES = [ODD, *(path.read_text() for path in sorted(Path(ascend_sim.__file__).parent.glob("source/[!_]*.py")))]


@pytest.mark.parametrize("source", SOURCES, ids=range(len(SOURCES)))
def test_every_call_is_found_at_its_lines_and_little_else(source: str) -> None:
    tree = ast.parse(source)
    places = {node: place for place, node in enumerate(ast.walk(tree)) if hasattr(node, "lineno")}
    calls = [node for node in places if isinstance(node, ast.Call)]
    assert calls
    looked = 0
    for call in calls:
        for line in {call.lineno, call.end_lineno or 0}:
            found = [node for node in nodes_at(tree, line) if hasattr(node, "lineno")]
            assert call in found, ast.unparse(call)
            assert [places[node] for node in found] == sorted(places[node] for node in found)
            looked += len(found)
    assert source is ODD or looked / len(calls) < len(places) / 4
