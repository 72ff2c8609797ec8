"""JSON of others: counted before anything is made of it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_sim.untrusted import json_text
from ascend_sim.untrusted.json_text import depth, parse_json


def slow_depth(raw: bytes, brackets: bytes) -> int:
    level = deepest = 0
    for byte in raw:
        if byte in brackets[::2]:
            level += 1
            deepest = max(deepest, level)
        elif byte in brackets[1::2] and level:
            level -= 1
    return deepest


@given(st.text(alphabet="[]{}x", max_size=40), st.sampled_from([b"[]", b"{}", b"[]{}"]), st.integers(1, 9))
def test_depth_is_what_counting_bracket_by_bracket_gives(text: str, brackets: bytes, piece: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_text, "_PIECE", piece)
        assert depth(text.encode(), brackets) == slow_depth(text.encode(), brackets)


@pytest.mark.parametrize(("raw", "text"), [
    (b"[1,2,3]", "3 values: 2 at most"), (b"[[[]", "3 values"), (b'"[,{"', "3 values"), (b"[[", "more than 1 deep"),
    (b"9" * 401, "an integer of 401 digits"), (b"-" + b"9" * 400, "401 digits"), (b"\xff", "utf-8"), (b"nul", "Expecting"),
    (b"", "Expecting"),
])  # fmt: skip
def test_what_is_refused(raw: bytes, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        parse_json(raw, 2, 1)


@pytest.mark.parametrize(("raw", "value"), [(b"[1,2]", [1, 2]), (b'{"a":1}', {"a": 1}), (b"9" * 400, int("9" * 400))])
def test_what_is_taken(raw: bytes, value: Any) -> None:
    assert parse_json(raw, 2, 1) == value
