"""A program of its own: the columns of places in a compiled file, from its debug information.

``python columns.py FOLDER FILE ADDRESS ...`` prints a line for each address: the column (from 1, in bytes, 0: unknown) of
the instruction there, then, for each function that was compiled into the one that holds it, innermost first, that of the
call which stood in its place; behind a tab the name of the innermost of these functions. FOLDER holds pyelftools. Debug
information is a file like others, and may be wrong in any way: what reads it may fail and take its time in a process that
nobody depends on.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

__all__ = ["main"]

_WITHIN = (
    "DW_TAG_namespace",
    "DW_TAG_module",
    "DW_TAG_subprogram",
    "DW_TAG_lexical_block",
    "DW_TAG_inlined_subroutine",
)
"""What other functions stand in."""
_CLASSES = ("DW_TAG_class_type", "DW_TAG_structure_type")
_NAMED = (*_CLASSES, "DW_TAG_union_type", "DW_TAG_namespace", "DW_TAG_subprogram")
"""What a function's full name begins with."""


def main(folder: str, path: str, addresses: list[int]) -> None:
    sys.path.insert(0, folder)
    from elftools.elf.elffile import ELFFile

    with open(path, "rb") as file:
        debug = ELFFile(file).get_dwarf_info()
        units = list(debug.iter_CUs())
        lines: dict[int, list[tuple[int, int, int]]] = {}
        for address in addresses:
            unit = _unit_of(debug, units, address)
            if unit is None:
                print(0, flush=True)
                continue
            if unit.cu_offset not in lines:
                lines[unit.cu_offset] = list(_rows(debug, unit))
            column = next((c for low, high, c in lines[unit.cu_offset] if low <= address < high), 0)
            inlined = list(_inlined(debug, unit, unit.get_top_DIE(), address))[::-1]
            columns = [entry.attributes.get("DW_AT_call_column") for entry in inlined]
            name = _name(inlined[0]) if inlined else ""
            print(column, *(0 if call is None else call.value for call in columns), end=f"\t{name}\n", flush=True)


def _unit_of(debug: Any, units: list[Any], address: int) -> Any:
    """The compilation unit that holds *address*; None."""
    table = debug.get_aranges()
    offset = None if table is None else table.cu_offset_at_addr(address)
    for unit in units:
        if unit.cu_offset == offset or (offset is None and _holds(debug, unit, unit.get_top_DIE(), address)):
            return unit
    return None


def _rows(debug: Any, unit: Any) -> Iterator[tuple[int, int, int]]:
    """First address, address behind the last one, column."""
    program = debug.line_program_for_CU(unit)
    before = None
    for entry in program.get_entries() if program is not None else ():
        state = entry.state
        if state is None:
            continue
        if before is not None and not before.end_sequence and before.address < state.address:
            yield before.address, state.address, before.column
        before = state


def _inlined(debug: Any, unit: Any, above: Any, address: int) -> Iterator[Any]:
    """What stands below *above* in the place of a call, and holds *address*; outermost first."""
    for entry in above.iter_children():
        if entry.tag not in _WITHIN:
            continue
        if entry.tag in ("DW_TAG_namespace", "DW_TAG_module"):
            yield from _inlined(debug, unit, entry, address)
        elif _holds(debug, unit, entry, address):
            if entry.tag == "DW_TAG_inlined_subroutine":
                yield entry
            yield from _inlined(debug, unit, entry, address)


def _name(entry: Any) -> str:
    """The full name of the function that *entry* is a copy of, as addr2line writes those of others."""
    words: list[str] = []
    while entry is not None and entry.tag != "DW_TAG_compile_unit":
        for link in ("DW_AT_abstract_origin", "DW_AT_specification"):
            while link in entry.attributes:
                entry = entry.get_DIE_from_attribute(link)
        name = entry.attributes.get("DW_AT_name")
        if name is not None and entry.tag in _NAMED:
            words.insert(0, name.value.decode(errors="replace"))
        elif name is None and entry.tag in _CLASSES:
            words.insert(0, "{lambda()#1}")
        entry = entry.get_parent()
    return "::".join(words)


def _holds(debug: Any, unit: Any, entry: Any, address: int) -> bool:
    """Whether *address* belongs to what *entry* describes."""
    known = entry.attributes
    low = known.get("DW_AT_low_pc")
    if "DW_AT_ranges" in known:
        base = _base(unit)
        for part in debug.range_lists().get_range_list_at_offset(known["DW_AT_ranges"].value, unit):
            if hasattr(part, "base_address"):
                base = part.base_address
            else:
                start = 0 if part.is_absolute else base
                if part.begin_offset + start <= address < part.end_offset + start:
                    return True
        return False
    if low is None or "DW_AT_high_pc" not in known:
        return False
    high = known["DW_AT_high_pc"]
    end = high.value + (0 if high.form == "DW_FORM_addr" else low.value)
    return bool(low.value <= address < end)


def _base(unit: Any) -> int:
    low = unit.get_top_DIE().attributes.get("DW_AT_low_pc")
    return 0 if low is None else int(low.value)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], [int(word, 16) for word in sys.argv[3:]])
