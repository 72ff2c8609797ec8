"""Each body on the tensors of torch against a reference, over types, layouts, broadcasting, empty tensors, in place."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="torch is not installed")

from tests.kit.torch_bodies import check
from tests.unit.aclnn.documented_types import check_documented
from tests.unit.aclnn.on_torch.topics import NAMES, rows_of


@pytest.mark.parametrize("name", NAMES)
def test_body(name):
    rows = rows_of(name)
    assert rows, f"{name} has a body and no row"
    assert sum(check(name, one) for one in rows) > 0


@pytest.mark.parametrize("name", NAMES)
def test_documented_types(name):
    check_documented(name, rows_of(name))
