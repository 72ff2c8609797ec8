"""Chapter 11-11: device variables by their symbols (docs/semantics/kernels.md#device-variables)."""

from __future__ import annotations

import numpy as np

from ascend_sim import gm
from tests.conformance.registry import row
from tests.conformance.world import D2H, DEFAULT, H2D, STALE, World

SIZE = 2**64 - 1
TABLE = gm.Variable(np.int32, 4, [1, 2, 3, 4])


@row("memory-0188", faces="c")
def no_bytes(w: World) -> None:
    w.expect("aclrtMemcpyToSymbol", None, 0, 0, 0, H2D)
    w.expect("aclrtMemcpyFromSymbol", 0, 0, None, 0, 0, 9)
    w.expect("aclrtMemcpyToSymbolAsync", None, 0, 0, 0, H2D, STALE)
    w.expect("aclrtMemcpyFromSymbolAsync", 0, 0, None, 0, 0, H2D, STALE)


@row("memory-0189", faces="c")
def wrong_arguments(w: World) -> None:
    here = np.zeros(4, np.int32)
    w.expect("aclrtMemcpyToSymbol", None, here, 16, 0, H2D)
    w.expect("aclrtMemcpyToSymbol", TABLE, 0, 16, 0, H2D)
    w.expect("aclrtMemcpyToSymbol", TABLE, here, 16, 0, D2H)
    w.expect("aclrtMemcpyToSymbol", TABLE, here, 16, 4, H2D)
    w.expect("aclrtMemcpyFromSymbol", here, 16, None, 16, 0, D2H)
    w.expect("aclrtMemcpyFromSymbol", 0, 16, TABLE, 16, 0, D2H)
    w.expect("aclrtMemcpyFromSymbol", here, 8, TABLE, 16, 0, D2H)
    w.expect("aclrtMemcpyFromSymbol", here, 16, TABLE, 16, 0, H2D)
    w.expect("aclrtMemcpyFromSymbolAsync", here, 32, TABLE, 20, 0, DEFAULT, w.stream())
    w.ok("aclrtMemcpyFromSymbol", here, 16, TABLE, 8, 4, DEFAULT)
    w.same(here.tolist(), [2, 3, 0, 0], "what was copied")


@row("memory-0190", faces="c")
def overflow(w: World) -> None:
    here = np.zeros(4, np.int32)
    w.expect("aclrtMemcpyToSymbol", TABLE, here, 16, SIZE - 8, H2D)
    w.expect("aclrtMemcpyFromSymbol", here, 16, TABLE, 16, SIZE - 8, D2H)


@row("memory-0191", faces="c")
def unknown_symbols(w: World) -> None:
    w.expect("aclrtGetSymbolAddress", STALE)
    w.refuse(107043, "aclrtGetSymbolSize", STALE)
    w.refuse(107043, "aclrtMemcpyToSymbol", STALE, np.zeros(4, np.int32), 16, 0, H2D)
    w.same(w.ok("aclrtGetSymbolSize", TABLE), 16, "its size")
