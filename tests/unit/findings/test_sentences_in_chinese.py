"""Every sentence of the commands, the explorer, the plugin and the options is in the Chinese table, or is listed here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import ascend_sim
from ascend_sim.catalogue.tables import rows
from ascend_sim.findings.languages import missing
from tests.kit.sentences import sentences

PACKAGE = Path(ascend_sim.__file__).parent
SPEAKING = [
    "_boot.py", "options.py", "notebook.py", "simulator.py", "cli/*.py", "cli/bench/*.py", "cli/teaching/folder.py",
    "cli/teaching/gallery.py", "cli/teaching/judging.py", "cli/teaching/runs.py", "explore/*.py",
    "explore/counterexamples/*.py", "explore/native/*.py", "explore/search/run_path.py", "findings/baseline.py",
    "findings/levels.py", "findings/rendering.py", "findings/suppressions.py", "kernels/launching/orders.py",
    "machine/profiles.py", "machine/switches.py", "native/compilers.py", "native/cpp_text.py", "native/inside.py",
    "observers/checks.py", "observers/failed_calls.py", "observers/fault_plans.py", "om/*.py", "pyacl/hints.py",
    "testing/*.py", "timeline/saving.py", "timeline/recording.py", "torch/gate.py", "torch/versions.py", "untrusted/*.py",
]  # fmt: skip
"""What says more than findings; their texts are looked at where findings are made."""
NOT_SAID = {
    "cli/examples.py": "programs",
    "cli/completion.py": "scripts of shells",
    "cli/help.py": "columns of a table",
}


HELP = "\n".join(english.replace("\\n", "\n") for english, _ in rows("zh_help.tsv", "english translation"))

OTHERS_WORDS = ("needs an byte as argument", "an int in range")
"""What Python says, by which its errors are known."""


def untranslated(source: str) -> Sequence[str]:
    """The sentences of a module for which no table has Chinese."""
    said = [(line, text) for line, text in sentences(source, lambda text: text in HELP) if text not in OTHERS_WORDS]
    return [f"{line}: {text}" for line, text in said if missing(text, "zh")]


FILES = [path for pattern in SPEAKING for path in sorted(PACKAGE.glob(pattern))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_every_sentence_has_chinese(path: Path) -> None:
    if str(path.relative_to(PACKAGE)) not in NOT_SAID:
        assert untranslated(path.read_text(encoding="utf-8")) == []


def test_a_new_sentence_is_missed() -> None:
    source = (
        '''"""A module that says something."""\nprint(f"nobody has {what!r} for the {thing}")\n"""What it says."""\n'''
    )
    assert untranslated(source) == ["2: nobody has 'XX' for the XX"]
    assert untranslated('raise ValueError(f"there is no file {path!r}")') == []
