"""What the state machines say, in Chinese: counters, and the sentence of a failure; the lines that show it stay."""

from __future__ import annotations

import pytest

from ascend_sim.testing.scripts import ScriptFailure
from ascend_sim.testing.state_coverage import StateCoverage


def test_counters_and_failures_are_chinese_where_that_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    reached = StateCoverage(["there was no room", "a block was used by two streams"])
    reached("a block was used by two streams")
    english = reached.table("It").split("\n")[1:]
    assert english == ["       1  a block was used by two streams", "   never  there was no room"]
    monkeypatch.setenv("ASCEND_SIM_LANG", "zh")
    assert reached.table("It").split("\n")[1:] == ["       1  一个块被两个流使用", "   从未   没有空间"]
    failure = str(ScriptFailure("b2 is at 0x9: not aligned to 512 bytes\nassert there was no room"))
    assert failure == "b2 位于 0x9：没有按 512 字节对齐\nassert there was no room"
