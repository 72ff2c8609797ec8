"""Every row of the tables: run, or listed with its reason. ``python -m tests.conformance.report`` prints the counts."""

from __future__ import annotations

import pytest

from ascend_sim.ascendcl import implemented
from ascend_sim.catalogue.functions import functions
from tests.conformance import report
from tests.conformance.registry import VERDICTS, excuses, table
from tests.conformance.run import faces_of, load, result

CASES = [(name, face) for name in table() if name in load() for face in faces_of(name)]


@pytest.mark.parametrize(("name", "face"), CASES, ids=[f"{name}-{face}" for name, face in CASES])
def test_row(name: str, face: str) -> None:
    error = result(name, face)
    if error is not None:
        row = table()[name]
        raise AssertionError(f"{row.function}: {row.condition} -> {row.code}") from error


@pytest.mark.parametrize("name", list(table()))
def test_row_is_written_or_listed(name: str) -> None:
    row = table()[name]
    assert (name in load()) != (name in excuses()), (
        f"{name} ({row.function}: {row.condition}) must have a callable or a line in not_run.csv, and not both"
    )


def test_the_list_names_rows_and_reasons() -> None:
    for name, excuse in excuses().items():
        assert name in table()
        assert excuse.verdict in VERDICTS
        assert len(excuse.reason) > 10, f"{name}: a reason is a sentence"
        assert bool(excuse.needs) == (excuse.verdict != "not expressible"), (
            f"{name}: what is deferred waits for a function"
        )


def test_deferred_rows_still_wait_for_something() -> None:
    """When a function is modelled, the rows that waited for it have to be written."""
    waiting = {excuse.needs for excuse in excuses().values() if excuse.needs}
    assert all(needs in functions() or needs.startswith("a live ") for needs in waiting)
    late = {name: e.needs for name, e in excuses().items() if e.needs in implemented()}
    assert not late, f"these rows can be written now: {late}"


def test_shipped_counts_are_fresh() -> None:
    """Made by ``python -m tests.conformance.report --write``; a disagreement shows in test_row, too."""
    assert report.SUMMARY.read_text(encoding="utf-8") == report.text_of(report.summary())
