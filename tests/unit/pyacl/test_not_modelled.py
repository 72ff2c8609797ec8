"""What functions that are not modelled hand back has the shape of the real ones: by the tables, all, on both faces."""

from __future__ import annotations

from typing import Any

import pytest

from ascend_sim import ascendcl as C
from ascend_sim import pyacl as face
from ascend_sim.catalogue import pyacl
from ascend_sim.catalogue.functions import Function, functions
from ascend_sim.catalogue.pyacl import Row
from ascend_sim.simulator import Simulator

REFUSED = 207000


def not_modelled() -> list[Function]:
    return [function for function in functions().values() if not function.module]


def rows() -> list[Row]:
    absent = {function.name for function in not_modelled()}
    found = [pyacl.row(module, name) for module, names in pyacl.rows().items() for name in names]
    return [row for row in found if row is not None and (row.format == "*" or row.c_function in absent)]


def _nothing(value: Any) -> bool:
    """A handle that is none, a number, a text or a struct that nobody wrote."""
    return value is None or (type(value) in (int, float) and value == 0)


@pytest.mark.parametrize("function", not_modelled(), ids=lambda function: function.name)
def test_the_c_face(function: Function) -> None:
    with Simulator() as sim:
        C.aclrtSetDevice(0)
        result = getattr(C, function.name)(*[0 if p.kind != "f32" else 0.0 for p in function.inputs])
        assert [found.kind for found in sim.findings] == ["not-modelled"]
    if not function.returns_code:
        assert _nothing(result)
        assert not isinstance(result, tuple)
        # a pointer or number is one, a text or nothing is None
        assert (result is None) == (function.returns.startswith(("const char", "void")) and "void *" not in function.returns
                                    and function.returns != "void*")  # fmt: skip
    elif not function.outputs:
        assert result == REFUSED
    else:
        assert isinstance(result, tuple)
        assert len(result) == len(function.outputs) + 1
        assert result[-1] == REFUSED
        for parameter, value in zip(function.outputs, result, strict=False):
            # what the library sets first is 0, what it never touched is nothing that Python could show
            assert value == 0 if parameter.ctype.endswith("**") or parameter.kind == "handle" else value is None


GIVEN = {"s": "x", "z": "x", "O": 0, "f": 0.0, "d": 0.0}


RAISES = {"rt.get_group_info_detail"}
"""These raise for a code, as the binding does."""


def _called(row: Row) -> Any:
    modules = face.modules()
    home: Any = modules["acl"]
    for part in row.name.split("."):
        home = getattr(home, part)
    if row.format == "*":
        return home(1, "two", [3])
    letters = row.format.partition("|")[0] + row.format.partition("|")[2]
    for objects in (0, [], [0], b"x", {}, (), lambda *_: None):  # whichever its own converter takes for an object
        try:
            return home(*[objects if letter == "O" else GIVEN.get(letter, 0) for letter in letters])
        except (TypeError, ValueError):
            if "O" not in letters:
                raise
    raise AssertionError(row.name)


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.name)
def test_pyacl(row: Row) -> None:
    with Simulator() as sim:
        C.aclrtSetDevice(0)
        if row.name in RAISES:
            with pytest.raises(RuntimeError, match=f"{row.c_function} failed"):
                _called(row)
            return
        result = _called(row)
        assert "not-modelled" in [found.kind for found in sim.findings]
    names = row.returns.split(", ") if row.returns else ["ret"]
    if names == ["None"]:
        assert result is None
    elif names == ["ret"]:
        assert result == REFUSED
    elif names[-1] == "ret":
        assert isinstance(result, tuple)
        assert len(result) == len(names)
        assert result[-1] == REFUSED
        assert all(not value for value in result[:-1])  # 0, an empty text or list
    else:
        assert len(names) == 1
        assert _nothing(result)


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("media.dvpp_jpeg_get_image_info", (0, 0, 0, REFUSED)),
        ("media.dvpp_jpeg_get_image_info_v2", (0, 0, 0, 0, REFUSED)),
        ("media.dvpp_jpeg_predict_dec_size", (0, REFUSED)),
        ("media.dvpp_get_hist_data", (0, 0, REFUSED)),
        ("media.dvpp_create_channel_desc", 0),
        ("media.dvpp_create_channel", REFUSED),
        ("fv.create_search_input", 0),
        ("fv.search", REFUSED),
    ],
)
def test_shapes_that_a_rule_by_names_had_wrong(name: str, result: Any) -> None:
    module, _, short = name.partition(".")
    row = pyacl.row(module, short)
    assert row is not None
    if row.format != "*":
        pytest.skip("it is modelled now")
    with Simulator():
        assert _called(row) == result
