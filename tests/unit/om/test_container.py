"""The container of models: a file that is cut, or goes on behind its end, is no model."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ascend_sim.om import read, write
from ascend_sim.om.container import HEADER_BYTES, OmFormatError
from tests.unit.models.conftest import neg


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda data: data + b"\0", "length"), (lambda data: data[:-1], "length"),
        (lambda data: data[:HEADER_BYTES], "length"), (lambda data: data[: HEADER_BYTES - 1], "short"),
        (lambda data: b"\0" + data[1:], "magic"),
    ],
    ids=["longer", "shorter", "a header alone", "half a header", "another file"],
)  # fmt: skip
def test_files_of_another_length_or_kind_are_refused(change: Callable[[bytes], bytes], why: str) -> None:
    data = write(neg())
    assert read(data).models[0].name == "neg"
    with pytest.raises(OmFormatError) as refused:
        read(change(data))
    assert refused.value.kind == why
