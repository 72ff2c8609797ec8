"""Findings come back from another process as they were: every one that a program of the tests makes is compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascend_sim.findings.finding import ByteMap, ByteRange, Finding, Site
from ascend_sim.source.callsite import Frame
from tests.kit import forks
from tests.kit.round_trips import differences

FRAME = Frame("/p/main.py", 7, "main", 4, 9)
WHOLE = Finding(
    "F1", "race", "error", "a writes `x`", [Site("access", "here", primary=True, resolved=[FRAME]), Site("other", "there")],
    bytes=ByteMap("x", 64, [ByteRange("fill W", 0, 8)]), order="nothing", fix="wait\nsync(s)", notes=["a", "b"],
    followers=["then"], cause=None, count=3, streams=["s"], time_ns=5, code=("aclrtFree", 107000), suppressed="by hand",
    called_ns=4, more_followers=2,
)  # fmt: skip


def test_every_field_comes_back() -> None:
    given = {name: getattr(WHOLE, name) for name in Finding.__match_args__}
    empty = [name for name, value in given.items() if value in (None, "", (), 0, 1)]
    assert empty == ["cause"], "give each field a value that nothing has by default"
    assert differences(WHOLE) == differences(WHOLE.evolved(cause="F2")) == []


@pytest.mark.parametrize(("field", "value"), [("code", ("aclrtFree", "x")), ("time_ns", "soon"), ("notes", [1])])
def test_what_does_not_come_back_is_seen(field: str, value: object) -> None:
    assert differences(WHOLE.evolved(**{field: value}))


def test_what_a_program_finds_is_compared(tmp_path: Path) -> None:
    """Here it makes a finding that has something JSON does not."""
    (tmp_path / "p.py").write_text(
        "import acl\nfrom ascend_sim.findings import finding\nreal = finding.Finding.to_json\n"
        "finding.Finding.to_json = lambda f: {**real(f), 'count': 5}\n"
        "acl.init(); acl.rt.set_device(0)\np, _ = acl.rt.malloc(64, 0)\nacl.rt.free(p); acl.rt.free(p)\n"
    )
    with pytest.raises(AssertionError, match="comes back changed"):
        forks.ascend_sim("run", "p.py", folder=tmp_path)
