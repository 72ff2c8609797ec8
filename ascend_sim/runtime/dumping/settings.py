"""What a dump is about: the ``dump`` section of a file, or a callback (docs/semantics/dump.md#what-is-dumped)."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ascend_sim.runtime.dumping.chunks import as_npy, hand_out, safe_name

if TYPE_CHECKING:
    from ascend_sim.runtime.task import Task

__all__ = ["EXCEPTION_SCENES", "DumpSettings"]

EXCEPTION_SCENES: Final = ("lite_exception", "aic_err_brief_dump", "aic_err_norm_dump", "aic_err_detail_dump")
_STATS: Final[dict[str, Callable[[Any], Any]]] = {
    "Max": np.max,
    "Min": np.min,
    "Avg": lambda a: np.mean(a, dtype=np.float64),
    "Nan": lambda a: np.isnan(a).sum() if a.dtype.kind == "f" else 0,
    "Negative Inf": lambda a: np.isneginf(a).sum() if a.dtype.kind == "f" else 0,
    "Positive Inf": lambda a: np.isposinf(a).sum() if a.dtype.kind == "f" else 0,
    "L2norm": lambda a: np.sqrt(np.sum(np.square(a, dtype=np.float64))),
}


class DumpSettings:
    """One setting of dumps, in use from when it was made until another takes its place.

    *section*: checked before; *number*: which of the process it is, the name of its directory.
    """

    __slots__ = (
        "_models", "_runs", "_steps", "callback", "live", "mode", "number", "operators", "path", "scene", "stats", "watches",
    )  # fmt: skip

    def __init__(self, section: dict[str, Any], number: int) -> None:
        self.number = number
        self.live = True
        """Not ended by aclmdlFinalizeDump: models keep what they were loaded with."""
        self.path: str = section.get("dump_path", "")
        self.scene: str = section.get("dump_scene", "")
        self.mode: str = section.get("dump_mode", "output")
        self.operators = section.get("dump_op_switch") == "on"
        stats = section.get("dump_stats") or list(_STATS)
        self.stats: list[str] = stats if section.get("dump_data") == "stats" else []
        self.watches = section.get("dump_debug") == "on" or self.scene == "watcher"
        """What is not modelled: overflows, and operators inside of models."""
        self.callback: Callable[[int, int], Any] | None = None
        listed = section.get("dump_list")
        self._models = None if not listed else [entry.get("model_name") for entry in listed]
        self._steps = _ranges(section.get("dump_step", ""))
        self._runs: dict[int, int] = {}

    def root(self, scene: bool, device: int) -> str:
        """The directory of the dumps: of data, or (*scene*) of exceptions on *device*; empty: there is none."""
        if scene != (self.scene in EXCEPTION_SCENES):
            return ""
        if not scene:
            return self.path
        chosen = os.environ.get("NPU_COLLECT_PATH") or os.environ.get("ASCEND_WORK_PATH") or self.path or os.getcwd()
        return os.path.join(chosen, "extra-info", "data-dump", str(device), "")

    def takes_models(self) -> bool:
        """Whether models are dumped that are loaded now."""
        return not self.scene and not self.watches and bool(self.path or self.callback)

    def model(self, task: Task, number: int, name: str, ins: Sequence[Any], outs: Sequence[Any]) -> None:
        """A model has run in *task*, with these arrays."""
        if not (self.path or self.callback):
            return  # The callback that the model was loaded under has gone since.
        if self._models is not None and not any(known in (None, name) for known in self._models):
            return
        run = self._runs.get(number, 0)
        self._runs[number] = run + 1
        if self._steps is not None and not any(low <= run <= high for low, high in self._steps):
            return
        folder = os.path.join(safe_name(name), str(number), str(run))
        self._write(task, folder, "Model", name, ins, outs)

    def takes_operators(self) -> bool:
        """Whether operators are dumped that run now: who asks first copies no operands for settings of another kind."""
        return not self.scene and not self.watches and bool((self.operators and self.path) or self.callback)

    def operator(self, task: Task, name: str, ins: Sequence[Any], outs: Sequence[Any]) -> None:
        """A single operator has run in *task*; operators are dumped (`takes_operators`)."""
        self._write(task, "", name, name, ins, outs)

    def _write(self, task: Task, folder: str, kind: str, name: str, ins: Sequence[Any], outs: Sequence[Any]) -> None:
        device = task.stream.context.device.index
        base = os.path.join(os.path.abspath(self.path or "."), f"{self.number:014d}", str(device), folder)
        now = task.stream.sim.scheduler.now // 1000
        stem = f"{safe_name(kind)}.{safe_name(name)}.{task.number}.{task.stream.number}.{now}"
        sides = [("input", ins)] if self.mode in ("input", "all") else []
        sides += [("output", outs)] if self.mode in ("output", "all") else []
        arrays = [(side, i, a) for side, found in sides for i, a in enumerate(found) if a is not None]
        if self.stats:
            lines = [",".join(["Input/Output", "Index", "Data Size", "Data Type", "Shape", *self.stats])]
            lines += [self._line(side, index, np.asarray(array)) for side, index, array in arrays]
            data = ("\n".join(lines) + "\n").encode()
            hand_out(task, os.path.join(base, f"{stem}.csv"), data, self.callback)
            return
        for side, index, array in arrays:
            hand_out(task, os.path.join(base, f"{stem}.{side}.{index}.npy"), as_npy(array), self.callback)

    def _line(self, side: str, index: int, array: Any) -> str:
        shape = "x".join(map(str, array.shape))
        values = []
        for name in self.stats:
            plain = array.size and array.dtype.kind in "biuf"
            values.append(str(_STATS[name](array)) if plain else "NA")
        return ",".join([side, str(index), str(array.nbytes), str(array.dtype), shape, *values])


def _ranges(text: str) -> list[tuple[int, int]] | None:
    if not text:
        return None
    found = [each.split("-") for each in text.split("|")]
    return [(int(ends[0]), int(ends[-1])) for ends in found]
