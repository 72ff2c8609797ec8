"""Every function of both faces, called with arbitrary arguments in processes of their own.

A call ends in a return code of the right shape, in pyACL's TypeError (or another error that
docs/semantics/pyacl.md#arguments names), or in SimulatedHang; it does not end the process, and no byte changes that it
was not given. The same calls are made each time; ASCEND_SIM_TEST_SCALE=N makes N times as many, new ones each time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
EXAMPLES = 1
"""Random ones for each function; each is some dozen calls."""
SHARDS = 2
ROOT = Path(__file__).resolve().parents[2]


class Shard:
    """A process that fuzzes a part of the catalogue."""

    def __init__(self, index: int, folder: Path) -> None:
        self.journal, self.output, self.errors = (folder / f"{name}{index}" for name in ("journal", "output", "errors"))
        words = [index, SHARDS, EXAMPLES, self.journal]
        with self.output.open("wb") as output, self.errors.open("wb") as errors:  # the child has its own copies
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.fuzz.catalogue_shard", *map(str, words)],
                stdout=output,
                stderr=errors,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
            )

    def end(self) -> tuple[str, str]:
        """What it wrote to the standard output and the standard error, when it is through: it ends itself when it hangs."""
        self.process.wait()
        return self.output.read_text("utf-8", "replace"), self.errors.read_text("utf-8", "replace")


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Shard]]:
    """All shards, running."""
    folder = tmp_path_factory.mktemp("fuzz")
    running = [Shard(index, folder) for index in range(SHARDS)]
    yield running
    for shard in running:
        shard.process.kill()
        shard.end()


@pytest.mark.parametrize("index", range(SHARDS))
def test_every_call_ends_as_it_must(shards: list[Shard], index: int) -> None:
    """Return codes, documented errors, untouched memory."""
    output, _ = shards[index].end()
    failures = [json.loads(line) for line in output.splitlines()]
    texts = ["{error}\n  the calls before: {calls}".format(**failure) for failure in failures]
    assert not failures, f"{len(failures)} functions failed:\n" + "\n".join(texts)


@pytest.mark.parametrize("index", range(SHARDS))
def test_no_call_ends_the_process(shards: list[Shard], index: int) -> None:
    """A crash, or a call that sits there for ever, is attributed to the latest call."""
    shard = shards[index]
    _, errors = shard.end()
    latest = shard.journal.read_text("utf-8")
    assert shard.process.returncode == 0, f"ended with {shard.process.returncode} in {latest}\n{errors[-6000:]}"
    assert latest == "finished\n"
