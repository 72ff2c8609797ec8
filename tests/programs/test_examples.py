"""The examples run through the command, check themselves, and do the same each time."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted(FOLDER.glob("*.py")) + sorted(FOLDER.glob("media/*.py"))
FAULTY = {"kernels_fault", "stride_mistake"}
"""They show what the simulator finds."""
OPTIONS = {
    "kernels_fault": ["--kernels", "kernels/faulty.py"],
    "kernels_matmul": ["--kernels", "kernels/matmul.py"],
    "kernels_reduction": ["--kernels", "kernels/reduction.py"],
    "kernels_vector_add": ["--kernels", "kernels/vector_add.py"],
    "video_pipeline": ["--soc", "Ascend310P3"],
    "selector_kernels": ["--kernels", "op_kernels/scale.o"],
}
"""Which kernel files the programs may load, and the product that they are for."""
NEEDS = {"video_pipeline": "av", "decode_resize_classify": "PIL"}
"""Extras."""
CLEAN = [path for path in EXAMPLES if path.stem not in FAULTY]


def options(path: Path) -> list[str]:
    """The options of an example, with the paths of kernel files made whole."""
    return [str(path.parent / word) if word.endswith((".py", ".o")) else word for word in OPTIONS.get(path.stem, [])]


@pytest.mark.parametrize("path", CLEAN, ids=lambda path: path.stem)
def test_an_example_succeeds_twice_with_the_same_output(path: Path, ascend_sim: Any) -> None:
    if path.stem in NEEDS and find_spec(NEEDS[path.stem]) is None:
        pytest.skip(f"needs {NEEDS[path.stem]}")
    first, second = (ascend_sim("run", "--devices", "2", *options(path), path, fresh=fresh) for fresh in (False, True))
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


def test_the_example_of_faulty_kernels(ascend_sim: Any) -> None:
    (path,) = (path for path in EXAMPLES if path.stem == "kernels_fault")
    first, second = (ascend_sim("run", "--devices", "2", *options(path), path, fresh=fresh) for fresh in (False, True))
    assert (first.returncode, first.stdout, first.stderr) == (1, second.stdout, second.stderr)
    codes = [line for line in first.stdout.splitlines() if ": launch " in line]
    assert codes == [
        "shift: launch 0, synchronise 507035, then 0",
        "checked: launch 0, synchronise 507035, then 0",
        "crowded: launch 0, synchronise 507034, then 0",
    ]
    found = [line.split(":")[0] for line in first.stderr.splitlines() if line.startswith("error[")]
    assert found == ["error[out-of-bounds]", "error[kernel-exception]", "error[deadlock]"]
    for number in (1, 2, 3):
        assert f"acl.rt.synchronize_stream at kernels_fault.py:59 because of F{number}" in first.stderr


def test_kernels_files_know_nothing_of_programs() -> None:
    files = sorted((Path(__file__).parents[2] / "examples" / "kernels").glob("*.py"))
    assert len(files) == 4
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert "from ascend_sim import" in text
        assert "\nimport acl" not in text


def test_the_example_of_strides(ascend_sim: Any) -> None:
    (path,) = (path for path in EXAMPLES if path.stem == "stride_mistake")
    run = ascend_sim("run", "--soc", "Ascend310P3", path)
    assert run.returncode == 1  # the first picture is refused
    assert run.stdout.splitlines() == [
        "the stride is the width: refused",
        "the right stride, rows without padding: the column is at 66 in the first row, at None in the last",
        "the right stride, rows with padding: the column is at 66 in the first row, at 66 in the last",
    ]
    assert "width stride 304, height stride 200, 91200 bytes at least" in run.stderr
    assert run.stderr.count("error[") == 1
