"""The tables: one reader, columns that are checked, rows that mean what their readers think."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ascend_sim.catalogue import tables
from ascend_sim.catalogue.codes import codes
from ascend_sim.catalogue.conditions import all_conditions, by_code, of_function
from ascend_sim.catalogue.enums import enums
from ascend_sim.catalogue.pyacl import names

TABLES = sorted(path.name for path in Path(tables.PACKAGE, "data").glob("*.tsv"))


@pytest.mark.parametrize("name", TABLES)
def test_every_line_has_the_cells_of_the_header(name: str) -> None:
    header, *lines = tables.text(name).splitlines()
    cells = header.count("\t")
    assert [line for line in lines if line.count("\t") != cells] == []
    assert tables.lines(name, header.replace("\t", " ")) == lines


def test_a_table_with_other_columns_is_refused() -> None:
    with pytest.raises(ValueError, match=r"enums.tsv has the columns \['enum', 'module', 'members', 'deprecated'\]"):
        tables.lines("enums.tsv", "enum members")


def test_nobody_else_looks_for_the_data() -> None:
    alone = {  # these run before the package can be imported
        "__main__.py", "_boot.py", "explore/child.py", "shims/acl.py", "shims/guests/torch_npu/__init__.py",
    }  # fmt: skip
    files = {str(path.relative_to(tables.PACKAGE)): path for path in Path(tables.PACKAGE).rglob("*.py")}
    climbs = re.compile(r"dirname\(os\.path\.(dirname|abspath)\(.*(?<![\w.])__file__|__file__\)\.parent")
    found = {name for name, path in files.items() if climbs.search(path.read_text(encoding="utf-8"))}
    assert found - alone == {"catalogue/tables.py"}


def test_conditions_have_names_of_their_own_and_functions_that_exist() -> None:
    rows = list(all_conditions())
    assert len({c.row for c in rows}) == len(rows) == 1116
    assert all(re.fullmatch(r"(stream|memory|op|mdl)-\d{4}", c.row) for c in rows)
    assert set(by_code()) <= set(codes())


def test_a_pointer_that_python_returns_is_not_shown_as_null() -> None:
    shown = {c.row: c.shown for c in all_conditions()}
    assert shown["stream-0059"] == "null: startEvent, endEvent"  # not ms, which is returned
    assert shown["stream-0001"] == ""
    assert shown["memory-0115"] == ""  # "no context" is said once, for all
    assert [c.shown for c in of_function("aclrtDestroyEvent") if c.code == "100000"] == ["null: event"]


def test_names_lead_to_the_other_face() -> None:
    assert names()["aclrtFree"] == "acl.rt.free"


def test_enums_list_what_is_not_deprecated() -> None:
    assert enums()["aclrtRunMode"].members == ["ACL_DEVICE=0", "ACL_HOST=1"]
    assert all("STRONG_CONSISTENCY" not in member for member in enums()["aclSysParamOpt"].members)
