"""`ascend-sim explain`: every code and kind has a text, and what people type is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascend_sim.catalogue.codes import codes
from ascend_sim.catalogue.conditions import by_code
from ascend_sim.cli import explain
from ascend_sim.cli import main as ascend_sim
from ascend_sim.findings.kinds import KINDS


@pytest.mark.parametrize("what", ["107002", "ACL_ERROR_RT_CONTEXT_NULL", "acl_error_rt_context_null", "context_null"])
def test_a_code_is_found_by_number_and_name(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert ascend_sim(["explain", what]) == 0
    text = capsys.readouterr().out
    assert text.startswith("107002  ACL_ERROR_RT_CONTEXT_NULL\n")
    assert "aclrtDestroyContext" in text
    assert "acl.rt.set_context" in text.partition("What to do:")[2]


def test_a_kind_is_explained_with_an_example_and_a_cure(capsys: pytest.CaptureFixture[str]) -> None:
    assert ascend_sim(["explain", "race"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("race: ")
    assert "For example:" in text
    assert "acl.rt.stream_wait_event(s_comp, event)" in text.partition("What to do:")[2]


def test_every_code_and_kind_has_a_text_within_the_width() -> None:
    texts = [explain.render_code(code, everything=True) for code in codes().values()]
    texts += [explain.render_kind(kind) for kind in KINDS]
    assert len(texts) > 250
    for text in texts:
        assert all(len(line) <= explain.WIDTH for line in text.split("\n")), text


def test_advice_belongs_to_codes_and_kinds_that_exist() -> None:
    names = {*KINDS, *(str(value) for value in codes())}
    assert set(explain.advice()) <= names
    assert set(KINDS) <= set(explain.advice())
    assert set(by_code()) <= set(codes())


def test_the_most_frequent_codes_have_advice() -> None:
    frequent = sorted(by_code(), key=lambda code: -len(by_code()[code]))[:12]
    assert {code for code in frequent if str(code) not in explain.advice()} <= {500001, 500002}


def test_one_function_can_be_picked(capsys: pytest.CaptureFixture[str]) -> None:
    assert ascend_sim(["explain", "107000", "--function", "aclrtFree"]) == 0
    text = capsys.readouterr().out
    assert "second free" in text
    assert "aclrtMemcpy2d" not in text


def test_what_is_unknown_gets_a_hint_and_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert ascend_sim(["explain", "dedlock"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "did you mean deadlock" in captured.err


def test_without_an_argument_kinds_and_codes_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert ascend_sim(["explain"]) == 0
    text = capsys.readouterr().out
    assert all(kind in text for kind in KINDS)
    assert "107002  ACL_ERROR_RT_CONTEXT_NULL" in text


def test_advice_has_one_entry_for_each() -> None:
    text = (Path(explain.__file__).parents[1] / "data" / "explain.txt").read_text(encoding="utf-8")
    names = [line[3:] for line in text.splitlines() if line.startswith("== ")]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(("what", "hint"), [
    ("race-condition", "did you mean race"), ("free", "use-after-free"), ("nothing like it", "`ascend-sim explain` lists"),
])  # fmt: skip
def test_what_is_not_known_gets_a_hint(what: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert ascend_sim(["explain", what]) == 2
    assert hint in capsys.readouterr().err
