"""Which line of a kernel writes a parameter."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from ascend_sim.source.callsite import resolve
from ascend_sim.source.variables import item_write


def one(b: Any, out: Any, other: Any) -> None:
    other[0] = out[0]
    out[b.idx : b.idx + 2] = 1
    other[1] = 2


def added(b: Any, out: Any) -> None:
    x = out[0]
    out[0] += x


def many(b: Any, out: Any) -> None:
    out[0] = 1
    out[1] = 2


def none(b: Any, out: Any) -> None:
    view = out.view(4)
    view[0] = 1


@pytest.mark.skipif(sys.version_info < (3, 11), reason="no columns before 3.11")
@pytest.mark.parametrize(("function", "line"), [(one, 2), (added, 2), (many, 0), (none, 0)])
def test_the_line_of_the_only_write(function: Any, line: int) -> None:
    code = function.__code__
    assert resolve(*item_write(code, "out")).line == code.co_firstlineno + line
