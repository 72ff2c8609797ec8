"""Idioms of applications: silent as they are, found at the right line when one thing is missing, with the right advice."""

from __future__ import annotations

import re

import pytest

from ascend_sim.findings.finding import Finding
from tests.cases.application_pairs import PAIRS, START
from tests.kit.texts import findings_of

EITHER = re.compile(r"<<(.*?)\|\|(.*?)>>")
SCHEDULES = ["virtual-time", "late", "early", "random(7)"]


def found(name: str, side: int, text: str, **options: str) -> list[Finding]:
    file = re.sub(r"\W", "_", f"{name}_{side}")
    listed = findings_of(file, START + EITHER.sub(rf"\{side}", text), devices=2, **options)
    return [f for f in listed if f.severity != "note" and f.kind != "leak"]


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("name", PAIRS)
def test_a_right_one_is_silent(name: str, schedule: str) -> None:
    assert [f.title for f in found(name, 1, PAIRS[name][2], schedule=schedule)] == []


@pytest.mark.parametrize("name", PAIRS)
def test_a_wrong_one_is_found_where_it_is(name: str) -> None:
    kind, advice, text = PAIRS[name]
    first, *others = found(name, 2, text)
    lines = (START + EITHER.sub(r"\2", text)).splitlines()
    assert first.kind == kind and all(f.kind == kind for f in others)
    marked = {number for number, line in enumerate(lines, 1) if "# here" in line}
    assert marked & {site.frames[0].line for site in first.sites if site.frames}
    assert advice in first.fix
