"""Every sentence of the commands, the explorer, the plugin and the options is in the Chinese table, or is listed here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import ascend_sim
from ascend_sim.catalogue.tables import rows
from ascend_sim.findings.languages import english_words, missing
from tests.kit.sentences import sentences

PACKAGE = Path(ascend_sim.__file__).parent
SPEAKING = [
    "_boot.py", "options.py", "notebook.py", "simulator.py", "cli/*.py", "cli/bench/*.py", "cli/teaching/folder.py",
    "cli/teaching/gallery.py", "cli/teaching/judging.py", "cli/teaching/runs.py", "explore/*.py",
    "explore/counterexamples/*.py", "explore/native/*.py", "explore/search/run_path.py", "findings/baseline.py",
    "findings/levels.py", "findings/rendering.py", "findings/suppressions.py", "kernels/launching/orders.py",
    "machine/profiles.py", "machine/switches.py", "native/home/compilers.py", "native/inside.py",
    "native/kernels/cpp_text.py",
    "observers/checks.py", "observers/failed_calls.py", "observers/fault_plans.py", "om/*.py", "pyacl/hints.py",
    "testing/*.py", "timeline/saving.py", "timeline/recording.py", "torch/gate.py", "torch/versions.py", "torch/words.py",
    "untrusted/*.py",
]  # fmt: skip
"""What says more than findings; their texts are looked at where findings are made."""
NOT_SAID = {
    "cli/examples.py": "programs",
    "cli/completion.py": "scripts of shells",
    "cli/help.py": "columns of a table",
}


HELP = "\n".join(english.replace("\\n", "\n") for english, _ in rows("zh_help.tsv", "english translation"))
"""What `--help` says has a table of its own."""

FAILING = ("aclnn", "ascendcl", "kernels", "media", "models", "native", "ops", "runtime")
"""The rooms whose calls fail with a reason: those of their modules that know AclError have Chinese for it."""
NO_REASONS = (
    "XX uses XX as XX, which was XX before",  # findings: the whole text has a line of the table
    "XX XX XX, which XX still open",
    "of XX pieceXX sent to XX the results were not taken until the end",
    "XX has no current context: call aclrtSetDevice or aclrtSetCurrentContext in it firstXX",
    "XX uses XX of process XX, exported at XX, XX",
    "an entry of",
    "ascend_sim kernels", "ascend_sim XX device XX", "events in use",  # marks and names of files, a row of a page
    "The XX of the descriptor; 0 for NULL.", "The XX of the descriptor; XX for NULL.",  # docstrings that code puts together
)  # fmt: skip

PYTHON = re.compile(r"^(if|raise|except) |^[\w.]+ \+= |^\(|^type_of\(|^sim\.ops\.")
"""Lines of code that are put together or shown."""

RETURNS = re.compile(r"^return [\w.]*\(")
"""Of a program in a text."""

OTHERS_WORDS = ("needs an byte as argument", "an int in range")
"""What Python says, by which its errors are known."""


def untranslated(source: str) -> Sequence[str]:
    """The sentences of a module for which no table has Chinese."""
    said = [(line, text) for line, text in sentences(source, lambda text: text in HELP) if text not in OTHERS_WORDS]
    return [f"{line}: {text}" for line, text in said if not RETURNS.search(text) and missing(text, "zh")]


def without_chinese(source: str) -> Sequence[str]:
    """The reasons of a module for which no table has Chinese; names of parameters stay as they are."""
    said = [(line, text) for line, text in sentences(source, lambda text: "Codes:" in text) if text not in NO_REASONS]
    return [
        f"{line}: {text}" for line, text in said
        if not PYTHON.search(text) and any(len(english_words(part)) > 1 for part in missing(text, "zh"))
    ]  # fmt: skip


FILES = [path for pattern in SPEAKING for path in sorted(PACKAGE.glob(pattern))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_every_sentence_has_chinese(path: Path) -> None:
    if str(path.relative_to(PACKAGE)) not in NOT_SAID:
        assert untranslated(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("room", FAILING)
def test_the_reasons_of_failed_calls_have_chinese(room: str) -> None:
    """One test for each room: what it names is module:line: text."""
    assert [
        f"{path.relative_to(PACKAGE)}:{text}"
        for path in sorted((PACKAGE / room).rglob("*.py"))
        if "AclError" in (source := path.read_text(encoding="utf-8"))
        for text in without_chinese(source)
    ] == []


@pytest.mark.parametrize("text", [
    "`aten::fill_` on `loader` writes a tensor of 64 bytes while `aten::sum` on `adder` may still be reading `batch`, whose "
    "memory it got",
    "`aten::sum` on `adder` reads a tensor of 64 bytes while `aten::fill_` on stream 3 may still be writing a tensor that "
    "is gone, whose memory it got",
    "reads the tensor[0, 64), submit 2 of T0 (main), on `adder`",
    "`batch` was let go at its last use in the program, while `adder` still needs it",
    "a tensor that is gone was let go at its last use in the program, while stream 3 still needs it",
    "tell the allocator who uses `batch`, after line 22:",
    "keep the tensor, or call its record_stream(adder), after train.py:22",
])  # fmt: skip
def test_what_is_said_of_tensors_has_chinese(text: str) -> None:
    assert missing(text, "zh") == ()


def test_a_new_sentence_is_missed() -> None:
    source = (
        '''"""A module that says something."""\nprint(f"nobody has {what!r} for the {thing}")\n"""What it says."""\n'''
    )
    assert untranslated(source) == ["2: nobody has 'XX' for the XX"]
    assert untranslated('raise ValueError(f"there is no file {path!r}")') == []


def test_a_new_reason_is_missed() -> None:
    source = 'raise AclError(107000, f"gizmo is {gizmo}: nobody has {what} for it")'
    assert without_chinese(source) == ["1: gizmo is XX: nobody has XX for it"]
    assert without_chinese('raise AclError(107000, f"gizmo is {gizmo}: at most {most} are possible")') == []
