"""The examples run through the command, check themselves, and do the same each time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_succeeds_twice_with_the_same_output(path: Path, ascend_sim: Any) -> None:
    runs = [ascend_sim("run", path, "--devices", "2") for _ in range(2)]
    first, second = runs
    assert first.returncode == 0, first.stdout + first.stderr
    assert first.stdout
    assert (first.stdout, first.stderr) == (second.stdout, second.stderr)
    assert first.stderr.startswith("ascend-sim ")
    more = first.stderr.splitlines()[1:]  # what the run left to chance may be counted, but nothing may be found
    assert all(line.startswith("ascend-sim: order marks: ") for line in more), first.stderr


def test_examples_know_nothing_of_the_simulator() -> None:
    texts = [path.read_text(encoding="utf-8") for path in EXAMPLES]
    programs = [text for text in texts if "\nimport acl\n" in text]
    assert len(programs) >= 5
    assert not any("ascend_sim" in text for text in programs)
