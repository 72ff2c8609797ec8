"""Attributes of operators (docs/semantics/operators.md#attributes)."""

from __future__ import annotations

import math
from typing import Any

from ascend_sim.ops.op_attributes import OpAttributes
from tests.conformance.registry import row, rows
from tests.conformance.world import World

VALUES: dict[str, tuple[Any, ...]] = {
    "aclopSetAttrBool": (1,),
    "aclopSetAttrInt": (5,),
    "aclopSetAttrFloat": (0.5,),
    "aclopSetAttrString": ("text",),
    "aclopSetAttrDataType": (1,),
    "aclopSetAttrListDataType": (1, [1]),
    "aclopSetAttrListBool": (2, [1, 0]),
    "aclopSetAttrListInt": (2, [1, -2]),
    "aclopSetAttrListFloat": (1, [0.5]),
    "aclopSetAttrListString": (1, ["a"]),
    "aclopSetAttrListListInt": (2, [1, 2], [[1], [2, 3]]),
}


def attributes(w: World) -> int:
    return int(w.value("aclopCreateAttr"))


def value_of(w: World, handle: int, name: str) -> Any:
    found = w.sim.handles[handle]
    assert isinstance(found, OpAttributes)
    return found.values[name][1]


@rows(
    ("op-0109", "aclopSetAttrBool"), ("op-0110", "aclopSetAttrInt"), ("op-0111", "aclopSetAttrFloat"),
    ("op-0112", "aclopSetAttrString"), ("op-0113", "aclopSetAttrDataType"), ("op-0114", "aclopSetAttrListDataType"),
    ("op-0115", "aclopSetAttrListBool"), ("op-0116", "aclopSetAttrListInt"), ("op-0117", "aclopSetAttrListFloat"),
    ("op-0118", "aclopSetAttrListString"),
)  # fmt: skip
def null_attributes(w: World, name: str) -> None:
    w.expect(name, 0, "name", *VALUES[name])


@row("op-0119", faces="c")
def null_attributes_of_lists(w: World) -> None:
    w.expect("aclopSetAttrListListInt", 0, "name", *VALUES["aclopSetAttrListListInt"])


@row("op-0120", faces="c")
def null_name(w: World) -> None:
    made = attributes(w)
    for name, values in VALUES.items():
        w.refuse(100000, name, made, None, *values)


@row("op-0121", faces="c")
def null_text(w: World) -> None:
    w.expect("aclopSetAttrString", attributes(w), "name", None)


@rows(("op-0122", ("aclopSetAttrListDataType",)),
      ("op-0123", ("aclopSetAttrListBool", "aclopSetAttrListInt", "aclopSetAttrListFloat")), faces="c")  # fmt: skip
def null_values(w: World, names: tuple[str, ...]) -> None:
    made = attributes(w)
    for name in names:
        w.refuse(100000, name, made, "name", 2, None)


@row("op-0124", faces="c")
def negative_count(w: World) -> None:
    made = attributes(w)
    for kind in ("Bool", "Int", "Float", "DataType"):
        w.ok(f"aclopSetAttrList{kind}", made, kind, -1, None)
        w.same(value_of(w, made, kind), (), kind)


@row("op-0125", faces="c")
def null_texts(w: World) -> None:
    made = attributes(w)
    w.expect("aclopSetAttrListString", made, "name", 1, None)
    w.expect("aclopSetAttrListString", made, "name", -1, None)
    w.expect("aclopSetAttrListString", made, "name", 2, ["a", None])


@row("op-0126", faces="c")
def null_lists(w: World) -> None:
    made = attributes(w)
    w.expect("aclopSetAttrListListInt", made, "name", 1, None, [[1]])
    w.expect("aclopSetAttrListListInt", made, "name", 1, [1], None)
    w.expect("aclopSetAttrListListInt", made, "name", 2, [1, 1], [[1], None])


@row("op-0127", faces="c")
def overwritten(w: World) -> None:
    made = attributes(w)
    for name, values in VALUES.items():
        w.ok(name, made, "name", *values)
    w.ok("aclopSetAttrInt", made, "name", 7)
    w.same(value_of(w, made, "name"), 7, "the value")


@row("op-0128")
def destroy_null(w: World) -> None:
    w.value("aclopDestroyAttr", 0)


@row("op-case-051", faces="c")
def lists(w: World) -> None:
    made = attributes(w)
    for kind, values in (("String", ["a", "b"]), ("Bool", [1, 0]), ("Int", [1, 2]), ("Float", [0.5, 1.5])):
        w.ok(f"aclopSetAttrList{kind}", made, kind, 2, values)
    w.same(value_of(w, made, "String"), ("a", "b"), "the texts")
    w.same(value_of(w, made, "Bool"), (True, False), "the flags")


@row("op-case-052", faces="c")
def lists_of_lists(w: World) -> None:
    made = attributes(w)
    w.ok("aclopSetAttrListListInt", made, "name", 2, [2, 3], [[1, 2], [4, 5, 6]])
    w.same(value_of(w, made, "name"), ((1, 2), (4, 5, 6)), "the lists")


@row("op-case-053", faces="c")
def data_types(w: World) -> None:
    made = attributes(w)
    w.ok("aclopSetAttrListDataType", made, "a", 1, [0])
    w.ok("aclopSetAttrListDataType", made, "b", 1, [-1])
    w.same((value_of(w, made, "a"), value_of(w, made, "b")), ((0,), (-1,)), "the types")


@row("op-case-054", faces="c")
def not_numbers(w: World) -> None:
    made = attributes(w)
    w.ok("aclopSetAttrFloat", made, "nan", math.nan)
    w.ok("aclopSetAttrFloat", made, "inf", math.inf)
    w.same((math.isnan(value_of(w, made, "nan")), value_of(w, made, "inf")), (True, math.inf), "the values")
