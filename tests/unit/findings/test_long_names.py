"""A program may give its files, functions and variables names of any length: reports stay short."""

from __future__ import annotations

import json

import pytest

from ascend_sim.findings import rendering
from ascend_sim.findings.finding import Finding, Site
from ascend_sim.source.callsite import shown_path
from ascend_sim.untrusted.long_names import shortened
from tests.kit.texts import findings_of

LONG = "x" * 100_000
TWICE = "{p}, _ = C.aclrtMalloc(64, 0)\nC.aclrtFree({p})\nC.aclrtFree({p})\n"
PROGRAMS = {
    "file": f"exec(compile({TWICE.format(p='p')!r}, 'x' * 100_000, 'exec'))",
    "path": f"exec(compile({TWICE.format(p='p')!r}, '/x' * 50_000, 'exec'))",
    "variable": TWICE.format(p=LONG),
    "function": f"def {LONG}():\n    p, _ = C.aclrtMalloc(64, 0)\n    C.aclrtFree(p)\n    C.aclrtFree(p)\n{LONG}()\n",
    "leaked": f"exec(compile('p, _ = C.aclrtMalloc(64, 0)', {'x' * 5000!r}, 'exec'))",
    "not modelled": f"C.aclmdlLoadFromFile('{'x' * 3000}')\n" + TWICE.format(p="p"),
}


@pytest.mark.parametrize("what", PROGRAMS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_reports_stay_short(what: str, language: str) -> None:
    found = findings_of(f"long_{what.replace(' ', '_')}", PROGRAMS[what])
    assert found
    for finding in found:
        assert len(rendering.full(finding, rendering.Style(language=language))) < 4000
        assert len(rendering.short(finding, language)) < 4000 and len(repr(finding)) < 4000
        assert len(json.dumps(finding.to_json())) < 6000


def test_names_that_people_use_are_whole() -> None:
    name = "a" * 255
    path = "/" + "/".join([name] * 15)
    title = f"frees {name} of {path[:900]}"
    assert shown_path(path) == path
    assert Finding("F1", "leak", "error", title, [Site("alloc", title)]).title == title


def test_a_text_without_end_is_cut() -> None:
    text = shortened("begins " + "x y " * 50_000 + "ends")
    assert text.startswith("begins x y ") and text.endswith(" ends") and len(text) < 1200
    assert shortened("a b " * 4000) == "a b " * 4000
