"""The chapters as a whole: every function has one implementation, of a name that the headers have."""

import re
from collections import Counter
from pathlib import Path

import ascend_sim.ascendcl
from ascend_sim.ascendcl import chapters
from ascend_sim.catalogue.functions import functions

FOLDER = Path(ascend_sim.ascendcl.__file__).parent


def implementations():
    texts = [(FOLDER / f"{chapter.replace('.', '/')}.py").read_text() for chapter in chapters()]
    return [name for text in texts for name in re.findall(r'^@api\(\s*"(\w+)"', text, re.MULTILINE)]


def test_one_implementation_of_each_function():
    assert [name for name, count in Counter(implementations()).items() if count > 1] == []


def test_implementations_are_functions_of_the_headers():
    assert set(implementations()) <= set(functions())
