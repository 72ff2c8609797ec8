"""How the results of two runs are told apart in words."""

from __future__ import annotations

from ascend_sim.explore.outcome import Outcome


def test_an_empty_text_is_seen() -> None:
    nothing = Outcome("returned", "", (), (), ())
    failed = Outcome("AssertionError: 1", None, (), (), ())
    assert nothing.differences(failed) == [
        ("ends with", "returned", "AssertionError: 1"),
        ("returns", "''", "None"),
    ]
    assert nothing.whole_text() == "returns ''"
