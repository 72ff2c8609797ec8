"""Running the rows: one fresh simulator for each face and SoC, results kept for the process, counts by chapter."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ascend_sim.catalogue.functions import functions
from ascend_sim.errors import SimulatedHang
from ascend_sim.simulator import Simulator
from tests.conformance import nulls
from tests.conformance.faces import C_FACE, PYACL_FACE, Face, PyaclFace, can_say
from tests.conformance.registry import ROWS, VERDICTS, Entry, Row, excuses, table
from tests.conformance.world import Disagreement, World

__all__ = ["counts", "faces_of", "load", "result", "state_of"]

FOLDER = Path(__file__).parent


@cache
def load() -> Mapping[str, Entry]:
    """All callables: the modules ``rows_*.py`` and the family of NULL pointers."""
    for path in sorted(FOLDER.glob("rows_*.py")):
        importlib.import_module(f"tests.conformance.{path.stem}")
    nulls.register()
    return ROWS


def faces_of(name: str) -> tuple[str, ...]:
    """The faces on which the row runs."""
    entry = load()[name]
    if entry.faces is not None:
        return entry.faces
    known = any(can_say(function) for function in table()[name].functions)
    return (C_FACE, PYACL_FACE) if known else (C_FACE,)


def run(name: str, face_name: str) -> None:
    """Run a row. Raises AssertionError where the simulator and the row disagree."""
    entry, row = load()[name], table()[name]
    for soc in entry.socs:
        face = PyaclFace() if face_name == PYACL_FACE else Face()
        with Simulator(soc, **{"checks": "memory", **entry.options}) as sim:
            w = World(sim, face, row)
            if not entry.bare:
                w.ok("aclrtSetDevice", 0)
            w.answers.clear()
            entry.body(w, *entry.arguments)
            _look_again(w, row)


def _look_again(w: World, row: Row) -> None:
    """The body really called what the row names, got the code of the row from it, and used the face."""
    names = row.functions
    if names and w.face.name == PYACL_FACE and not w.face.routed.intersection(names):
        raise Disagreement("no function of the row was called through pyACL: say faces='c'")
    if names and not any(name in names for name, _ in w.answers):
        raise Disagreement(f"the callable calls none of {names}")
    says_code = not names or any(functions()[name].returns_code for name in names)
    if (
        row.expected is not None
        and says_code
        and not any(code == row.expected and (not names or name in names) for name, code in w.answers)
    ):
        raise Disagreement(f"the callable never got {row.expected} from {' or '.join(names) or 'a call'}")


_RESULTS: dict[tuple[str, str], BaseException | None] = {}


def result(name: str, face: str) -> BaseException | None:
    """What became of a row on a face: None when it passed. Each is run once in a process."""
    key = (name, face)
    if key not in _RESULTS:
        try:
            run(name, face)
        except (Exception, SimulatedHang) as error:  # noqa: BLE001 - a row may fail in any way, and all are counted
            _RESULTS[key] = error
        else:
            _RESULTS[key] = None
    return _RESULTS[key]


def state_of(name: str) -> str:
    """``passed``, ``failed``, a verdict of the list, or ``not written``."""
    if name in load():
        return "passed" if all(result(name, face) is None for face in faces_of(name)) else "failed"
    excuse = excuses().get(name)
    return excuse.verdict if excuse is not None else "not written"


STATES = ("passed", "failed", *VERDICTS, "not written")


def counts() -> dict[str, dict[str, Any]]:
    """By chapter: how many rows there are, and how many are in which state; ``through pyacl`` counts passed ones."""
    found: dict[str, dict[str, Any]] = {}
    for row in table().values():
        chapter = found.setdefault(row.chapter, {"rows": 0, **dict.fromkeys(STATES, 0), "through pyacl": 0})
        state = state_of(row.name)
        chapter["rows"] += 1
        chapter[state] += 1
        if state == "passed" and PYACL_FACE in faces_of(row.name):
            chapter["through pyacl"] += 1
    return {chapter: found[chapter] for chapter in sorted(found)}
