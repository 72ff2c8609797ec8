"""Rows of the kind "null: a, b": made from the catalogue and the names in the row.

Each pointer alone is NULL while all others are right, then while all other handles are stale, then in a thread without
a context: the acl layer looks before anybody else, so the answer is the same
(docs/semantics/layers.md#order-of-the-tests).
"""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl import structs
from ascend_sim.catalogue.conditions import NULL
from ascend_sim.catalogue.functions import Function, Parameter, functions
from tests.conformance.faces import can_say
from tests.conformance.kernel_files import loaded
from tests.conformance.registry import ROWS, Row, excuses, rows, table
from tests.conformance.world import STALE, World

__all__ = ["null_inputs", "null_names"]

VALUES: dict[tuple[str, str], Any] = {
    ("aclrtRecordEventWithFlag", "flag"): 0,
    ("aclrtStreamWaitEventWithFlag", "flag"): 0,
    ("aclrtSynchronizeEventWithTimeout", "timeout"): 10,
    ("aclrtSetStreamAttribute", "stmAttrType"): 3,
    ("aclrtNotifyGetExportKey", "len"): 65,
    ("aclrtNotifyBatchReset", "num"): 1,
    ("aclrtNotifySetImportPid", "num"): 1,
    ("aclrtGetOverflowStatus", "outputSize"): 64,
    ("aclrtDeviceGetPCIBusId", "len"): 32,
    ("aclrtMemUceRepair", "arraySize"): 1,
    ("aclrtDeviceGetByPCIBusId", "pciBusId"): "0000:00:00.0",
}
"""Values that are right, where zero is not."""


def null_names(row: Row) -> list[str]:
    """The pointers that the row names."""
    return [name.strip() for name in row.condition.removeprefix(NULL).split(",")]


def null_inputs(row: Row) -> list[Parameter]:
    """Those that are parameters of the Python function: the others are what it returns."""
    function = functions()[row.function]
    names = null_names(row)
    return [p for p in function.inputs if p.name in names]


def right_value(w: World, function: Function, p: Parameter) -> Any:
    """A value for *p* that is in order."""
    if (function.name, p.name) in VALUES:
        return VALUES[function.name, p.name]
    kind = p.ctype.replace("const", "").strip().rstrip("* ")
    makers = {
        "aclrtStream": w.stream,
        "aclrtEvent": w.auto,
        "aclrtContext": lambda: w.ok("aclrtGetCurrentContext"),
        "aclrtBinHandle": lambda: loaded(w),
        "aclrtCntNotify": lambda: STALE,  # no chip but the 950 has a live one
        "aclmdlRI": lambda: STALE,
        "aclrtTaskGrp": lambda: STALE,
        "aclrtNotify": lambda: w.ok("aclrtCreateNotify", 0),
    }
    if p.kind == "array" or p.role == "in-array":
        return [makers[kind]()] if kind in makers else [structs.aclrtMemUceInfo()] if kind == "aclrtMemUceInfo" else [1]
    if kind in makers:
        return makers[kind]()
    if p.kind == "pointer":
        return w.device(4096)
    if p.kind == "string":
        return "name"
    if p.kind == "function":
        return print
    if p.kind == "struct":
        return getattr(structs, kind)()
    return 0


def null_row(w: World) -> None:
    """Each input that the row names, NULL alone."""
    function = functions()[w.row.function]
    right = {p.name: right_value(w, function, p) for p in function.inputs}
    stale = {p.name: STALE if p.kind == "handle" else right[p.name] for p in function.inputs}
    for p in null_inputs(w.row):
        for values in (right, stale):
            w.expect(function.name, *(None if name == p.name else value for name, value in values.items()))

        def without_context(missing: str = p.name) -> None:
            w.refuse(107002, "aclrtGetCurrentContext")
            w.expect(function.name, *(None if name == missing else value for name, value in right.items()))

        w.in_thread(without_context)


def _pyacl_can_say(row: Row) -> bool:
    """Whether one of the NULLs is an int in pyACL: lists, dicts and strings cannot be NULL there."""
    return any(p.kind in ("handle", "pointer") for p in null_inputs(row)) and can_say(row.function)


def register() -> None:
    """Give every such row its callable, unless it is listed as not run."""
    for row in table().values():
        if row.condition.startswith(NULL) and row.name not in excuses() and row.name not in ROWS:
            rows((row.name,), faces=None if _pyacl_can_say(row) else "c")(null_row)
