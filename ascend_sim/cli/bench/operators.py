"""What an operator of aclnn costs on small tensors: both phases and its task, and with the objects around it."""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection
from typing import Any

from ascend_sim.cli.bench.floors import BATCH, Group, Row, Settings, Value, against_floor, clock

__all__ = ["GROUP"]

FLOAT, ND = 0, 2
ELEMENTS = 8
ROWS = (
    Row("aclnn_add", "floors", 110, "aclnnAdd of small tensors: both phases and the task"),
    Row("aclnn_add_checked", "floors", 150, "aclnn_add with the default checks"),
    Row("aclnn_objects", "floors", 90, "three tensors and a scalar, made and destroyed"),
)


def _made() -> tuple[int, ...]:
    from ascend_sim import ascendcl as C

    dims = (ELEMENTS,)
    tensors = []
    for _ in range(3):
        address, _ = C.aclrtMalloc(4 * ELEMENTS, 0)
        C.aclrtMemset(address, 4 * ELEMENTS, 0, 4 * ELEMENTS)
        tensors.append(C.aclCreateTensor(dims, 1, FLOAT, (1,), 0, ND, dims, 1, address))
    x, y, out = tensors
    return x, y, C.aclCreateScalar(1.0, FLOAT), out


def _add(sim: Any, n: int = 5) -> float:
    from ascend_sim import ascendcl as C

    stream, _ = C.aclrtCreateStream()
    x, y, alpha, out = _made()
    first, second = C.aclnnAddGetWorkspaceSize, C.aclnnAdd
    begin = clock()
    for _ in range(n):
        for _ in range(BATCH):
            size, executor, _ = first(x, y, alpha, out)
            second(None, size, executor, stream)
        C.aclrtSynchronizeStream(stream)
    seconds = (clock() - begin) / (n * BATCH)
    C.aclrtDestroyStream(stream)
    return seconds


def _objects(sim: Any, n: int = 500) -> float:
    from ascend_sim import ascendcl as C

    dims, strides = (ELEMENTS,), (1,)
    make, destroy = C.aclCreateTensor, C.aclDestroyTensor
    make_scalar, destroy_scalar = C.aclCreateScalar, C.aclDestroyScalar
    begin = clock()
    for _ in range(n):
        made = [make(dims, 1, FLOAT, strides, 0, ND, dims, 1, 4096) for _ in range(3)]
        destroy_scalar(make_scalar(1.0, FLOAT))
        for tensor in made:
            destroy(tensor)
    return (clock() - begin) / n


def _measure(names: Collection[str], settings: Settings) -> dict[str, Value]:
    from ascend_sim import ascendcl as C
    from ascend_sim.simulator import Simulator

    figures: dict[str, Value] = {}
    rows: dict[str, tuple[Callable[[Any], float], str]] = {
        "aclnn_add": (_add, "none"), "aclnn_add_checked": (_add, ""), "aclnn_objects": (_objects, "none"),
    }  # fmt: skip
    for name, (seconds, checks) in rows.items():
        if name not in names:
            continue
        with Simulator(threads=settings.threads, **({"checks": checks} if checks else {})) as sim:  # type: ignore[arg-type]
            C.aclrtSetDevice(0)
            gc.collect()
            gc.freeze()
            figures[name] = against_floor(lambda seconds=seconds, sim=sim: seconds(sim))  # type: ignore[misc]
        gc.unfreeze()
    return figures


GROUP = Group(ROWS, _measure)
