"""Chapter 11-07: memory that processes share by a key (docs/semantics/processes.md)."""

from __future__ import annotations

from tests.conformance.registry import row
from tests.conformance.world import World

KEY = "0" * 36


@row("memory-0192", faces="c")
def export_null(w: World) -> None:
    w.expect("aclrtIpcMemGetExportKey", 0, 256, w.host(128), 65, 0)
    w.expect("aclrtIpcMemGetExportKey", w.device(), 256, 0, 65, 0)


@row("memory-0193", faces="c")
def bad_export(w: World) -> None:
    block, key = w.device(4096), w.host(128)
    w.expect("aclrtIpcMemGetExportKey", block, 0, key, 65, 0)
    for length in (0, 1, 64):
        w.expect("aclrtIpcMemGetExportKey", block, 4096, key, length, 0)
    for flags in (2, 3, 2**64 - 1):
        w.expect("aclrtIpcMemGetExportKey", block, 4096, key, 65, flags)
    for flags in (0, 1):
        w.ok("aclrtIpcMemGetExportKey", block, 4096, key, 65 + flags, flags)


@row("memory-0194", faces="c")
def import_null(w: World) -> None:
    w.expect("aclrtIpcMemImportByKey", None, 0)
    w.in_thread(lambda: w.expect("aclrtIpcMemImportByKey", None, 7))


@row("memory-0195")
def bad_import(w: World) -> None:
    for flags in (2, 3, 2**64 - 1):
        w.expect("aclrtIpcMemImportByKey", KEY, flags)


@row("memory-0196", faces="c")
def close_null(w: World) -> None:
    w.expect("aclrtIpcMemClose", None)


@row("memory-0197", faces="c")
def list_null(w: World) -> None:
    w.expect("aclrtIpcMemSetImportPid", None, [1], 1)
    w.expect("aclrtIpcMemSetImportPid", KEY, None, 1)


@row("memory-0198", faces="c")
def list_of_nobody(w: World) -> None:
    w.expect("aclrtIpcMemSetImportPid", KEY, [1], 0)


@row("memory-0199", soc="Ascend910_9382")
def bad_attribute(w: World) -> None:
    for kind, value in ((1, 0), (2, 0), (0, 2)):
        w.expect("aclrtIpcMemSetAttr", KEY, kind, value)
    w.ok("aclrtIpcMemSetAttr", KEY, 0, 1)


@row("memory-case-143", faces="c")
def nulls_of_the_chapter(w: World) -> None:
    export_null(w)
    import_null(w)
    close_null(w)
    list_null(w)
