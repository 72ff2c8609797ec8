"""Native programs that do what no program should: each finding that was made is told, and the run comes to its end.

Each reports a double free first; what comes after it must not lose that (docs/semantics/native.md#the-life-of-a-process).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.compilers import needs_compiler
from tests.programs.native.conftest import tool

pytestmark = needs_compiler
Built = Callable[[str], Path]

CRASH = ["crash", "double-free"]
END = ["double-free", "leak"]
FORKED = ["double-free", "fork-after-init", "leak"]

WAYS: list[tuple[str, tuple[int, ...], str, list[str]]] = [
    ("plain", (0,), "end", END),
    # signals
    ("null-write", (139,), "", CRASH),
    ("segfault-in-callback", (139,), "", CRASH),
    ("bus-error", (135,), "", CRASH),
    ("arithmetic", (136,), "", CRASH),
    ("illegal", (132,), "", CRASH),
    ("stack-overflow", (139,), "", CRASH),
    ("stack-overflow-in-thread", (139,), "", CRASH),
    ("stack-overflow-in-callback", (139,), "", CRASH),
    ("abort", (134,), "", CRASH),
    ("abort-in-callback", (134,), "", CRASH),
    ("throw", (134,), "", CRASH),
    ("throw-in-thread", (134,), "", CRASH),
    ("throw-in-callback", (134,), "", CRASH),
    ("throw-in-callback-and-catch", (134,), "", CRASH),
    ("abort-in-static-destructor", (134,), "", CRASH),
    ("kill", (137,), "", CRASH),
    ("kill-in-callback", (137,), "", CRASH),
    ("terminate", (143,), "", ["double-free"]),
    ("interrupt", (130,), "", ["double-free"]),
    ("own-handler", (8,), "", ["double-free"]),
    ("longjmp-out-of-handler", (0,), "end", ["double-free", "double-free", "leak"]),
    # ends
    ("_exit", (7,), "", ["double-free"]),
    ("quick_exit", (7,), "", ["double-free"]),
    ("exit-in-callback", (7,), "", ["double-free", "leak", "unawaited-work"]),
    ("exit-in-thread", (7,), "", END),
    ("exit-twice", (7,), "end", END),
    ("mutex-held-at-exit", (7,), "", END),
    ("pthread_exit-main", (0,), "alone 0", END),
    ("detached", (0,), "end", END),
    ("static-destructor", (0,), "end|late 0", END),
    # descriptors, limits
    ("close-all", (0,), "", ["double-free", "double-free", "leak"]),
    ("close-but-three", (0,), "end", END),
    ("close-stderr", (0,), "end", END),
    ("stderr-elsewhere", (0,), "end", END),
    ("no-descriptors", (0,), "end", END),
    ("no-memory", (0,), "end", END),
    ("no-processor-time", (137,), "", CRASH),
    ("no-environment", (0,), "end", ["double-free", "double-free", "leak"]),
    ("no-folder", (0,), "end", ["double-free", "double-free", "leak"]),
    ("folder-is-gone", (0,), "end", ["double-free", "double-free", "leak"]),
    # other processes
    ("fork", (0,), "child 3|end", FORKED),
    ("double-fork", (0,), "grandchild 3|end", ["double-free", *["fork-after-init"] * 2, "leak"]),
    ("fork-storm", (0,), "good 24|end", ["double-free", *["fork-after-init"] * 24, "leak"]),
    ("fork-storm-with-threads", (0,), "good 8|end", ["double-free", *["fork-after-init"] * 8, "leak"]),
    ("fork-in-callback", (0,), "child 5|end", FORKED),
    ("child-exits", (0,), "child 3|end", ["double-free", "fork-after-init", "leak", "leak"]),
    ("child-crashes", (0,), "child 106|end", FORKED),
    ("vfork-exec", (0,), "child 0|end", END),
    ("spawn", (0,), "mistaken|end|child 0|end", ["double-free", "double-free", "leak", "leak"]),
    ("system", (0,), "child 6|end", END),
    ("exec-itself", (0,), "mistaken|end", ["double-free", "double-free", "leak"]),
    ("exec-other", (0,), "other", ["double-free"]),
    ("finalize-in-callback", (0,), "end", ["double-free", "leak", "unawaited-work"]),
]


@pytest.mark.parametrize(("way", "codes", "output", "kinds"), WAYS, ids=[way for way, *_ in WAYS])
def test_no_finding_is_lost(
    way: str, codes: tuple[int, ...], output: str, kinds: list[str], built: Built, tmp_path: Path
) -> None:
    report = tmp_path / "findings.json"
    done = tool("run", "--json", str(report), str(built("hostile.cpp")), way, cwd=tmp_path)
    found = json.loads(report.read_text())
    assert found["run"]["exit_code"] in codes, done.stderr
    assert done.returncode == (found["run"]["exit_code"] or 1)
    assert "|".join(done.stdout.split("\n")[:-1]) == "|".join(["mistaken", *filter(None, [output])])
    told = [finding["kind"] for finding in found["findings"]]  # a wait for children may be noticed by the clock
    assert sorted(kind for kind in told if kind != "order-depends-on-clock") == kinds


def test_a_jump_out_of_a_callback_ends_somehow(built: Built, tmp_path: Path) -> None:
    report = tmp_path / "findings.json"
    done = tool("run", "--json", str(report), str(built("hostile.cpp")), "longjmp-out-of-callback")
    kinds = [finding["kind"] for finding in json.loads(report.read_text())["findings"]]
    assert done.returncode and "double-free" in kinds
