"""The page of native programs names the operators that numpy computes."""

from __future__ import annotations

import os
import re
import textwrap
from pathlib import Path

from ascend_sim.aclnn.loading import numpy_bodies
from ascend_sim.catalogue.aclnn import operators

PAGE = Path(__file__).parents[3] / "docs" / "semantics" / "native.md"
_LIST = re.compile(r"(?<=Of the )\d+ that can be called numpy computes these, .*?(?=\n\nMore of them)", re.DOTALL)


def test_the_operators_that_numpy_computes() -> None:
    names = ", ".join(name.removeprefix("aclnn") for name in operators() if name in numpy_bodies())
    made = f"Of the {len(operators())} that can be called numpy computes these, named without `aclnn`: {names}."
    wanted = textwrap.fill(made, 130, break_long_words=False, break_on_hyphens=False).removeprefix("Of the ")
    text = PAGE.read_text(encoding="utf-8")
    if os.environ.get("ASCEND_SIM_REWRITE"):
        PAGE.write_text(_LIST.sub(lambda _: wanted, text), encoding="utf-8")
    elif (found := _LIST.search(text)) is None or found[0] != wanted:
        raise AssertionError("ASCEND_SIM_REWRITE=1 writes the list anew")
