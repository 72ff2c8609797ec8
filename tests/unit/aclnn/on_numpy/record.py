"""Writes literals.json: what the bodies on numpy give for small operands, each compared with torch when it is written.

``TORCH_DEVICE_BACKEND_AUTOLOAD=0 python -m tests.unit.aclnn.on_numpy.record``, where torch is installed. The tests read
the file where it is not.
"""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import torch

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.aclnn import loading
from tests.kit.operator_calls import call
from tests.kit.torch_bodies import Make, _run

TOPICS = ["activations", "elementwise", "foreach", "products", "reductions"]
FILE = Path(__file__).with_name("literals.json")
MOST = 60
"""Numbers in all operands of one entry; of an operator without a smaller one the smallest is taken."""
EACH = 2


def plain(value):
    if isinstance(value, torch.Tensor):
        held = value.detach().contiguous()
        numbers = held.reshape(-1).tolist()
        if held.dtype.is_floating_point:
            numbers = [float(f"{n:.7g}") for n in numbers]
        return {"type": str(held.dtype).removeprefix("torch."), "shape": list(held.shape), "values": numbers}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return str(value) if isinstance(value, torch.dtype) else value


def size(value):
    if isinstance(value, torch.Tensor):
        return value.numel()
    return sum(map(size, value)) if isinstance(value, (list, tuple)) else 0


def entries(name, row):
    """(numbers, operands before, operands after, new shapes) of the samples of a row."""
    found = []

    def recorded(*operands):
        before = [plain(one) for one in operands]
        shapes = call(name, *operands)
        found.append((sum(map(size, operands)), before, [plain(one) for one in operands], shapes))
        return shapes

    for kind in (torch.float32, torch.int32, torch.bool, torch.float16, torch.int64, torch.int8):
        if kind not in row.kinds or (found and kind in (torch.float16, torch.int64, torch.int8)):
            continue
        for sample in row.inputs(Make(kind, False)):
            first = len(found)
            _run(name, row, kind, False, sample, recorded)
            del found[first + 1 :]  # a second call checks aliases
    return found


def main():
    rows = importlib.import_module("tests.unit.aclnn.on_numpy.rows").ROWS + [
        one for topic in TOPICS for one in importlib.import_module(f"tests.unit.aclnn.on_torch.rows_{topic}").ROWS
    ]
    loading.body_of = lambda name: (loading.numpy_bodies()[name], False)
    loading.torch_wanted = lambda name: False
    literals = {}
    for name in sorted(loading.numpy_bodies()):
        with Simulator():
            C.aclInit(None)
            C.aclrtSetDevice(0)
            found = [e for row in rows if name in row.names and row.judge is None for e in entries(name, row)]
        found = [e for e in found if e[0]] or found
        kept = [e for e in found if e[0] <= MOST][:EACH] or sorted(found, key=lambda e: e[0])[:1]
        if kept:
            literals[name] = [{"before": b, "after": a, "shapes": s} for _, b, a, s in kept]
    lines = [f" {json.dumps(name)}: {json.dumps(kept)}" for name, kept in literals.items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(len(literals), FILE.stat().st_size, sorted(set(loading.numpy_bodies()) - set(literals)))


if __name__ == "__main__":
    main()
