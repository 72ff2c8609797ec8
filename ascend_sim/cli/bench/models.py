"""What a model costs beside its body: aclmdlExecute of an ONNX model against onnxruntime called directly."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Collection
from functools import partial
from importlib.util import find_spec
from typing import Any

from ascend_sim.cli.bench.floors import Group, Row, Settings, Value, clock

__all__ = ["GROUP"]

TARGET_S = 1e-3
ROUNDS = 25
CALLS = 7

ROWS = (Row("model_onnx", "x direct", 1.3, "aclmdlExecute of a 1 ms ONNX model against onnxruntime"),)


def _model(width: int) -> bytes:
    """MatMul and Relu over *width* x *width* weights, 64 rows at once."""
    import numpy as np
    from onnx import TensorProto, helper, numpy_helper

    weights = np.random.default_rng(0).standard_normal((width, width), dtype=np.float32) / width
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["t"]), helper.make_node("Relu", ["t"], ["y"])], "bench",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [64, width])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [64, width])], [numpy_helper.from_array(weights, "w")],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    made: bytes = model.SerializeToString()
    return made


def _session(blob: bytes) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(blob, options, providers=["CPUExecutionProvider"])


def _seconds(call: Callable[[], object]) -> float:
    """The shortest of a few calls: what else the machine does only adds to one."""
    best = float("inf")
    for _ in range(CALLS):
        begin = clock()
        call()
        best = min(best, clock() - begin)
    return best


def _sized(width: int = 256) -> tuple[bytes, Any, Any]:
    """A model that takes about 1 ms when it is called directly."""
    import numpy as np

    while True:
        blob = _model(width)
        session = _session(blob)
        x = np.ones((64, width), np.float32)
        if _seconds(partial(session.run, None, {"x": x})) >= TARGET_S or width >= 4096:
            return blob, session, x
        width = width * 5 // 4 // 16 * 16


def _missing() -> str | None:
    absent = [name for name in ("onnx", "onnxruntime") if find_spec(name) is None]
    return f"{' and '.join(absent)} not installed" if absent else None


def _measure(names: Collection[str], settings: Settings) -> dict[str, Value]:
    """The ratio, and microseconds directly: medians of rounds in turn."""
    from ascend_sim import ascendcl as C
    from ascend_sim.om import write
    from ascend_sim.om.from_onnx import from_onnx
    from ascend_sim.simulator import Simulator

    blob, session, x = _sized()
    with Simulator(threads=settings.threads, checks="none") as sim:
        C.aclInit(None)
        C.aclrtSetDevice(0)
        sim.models["bench.om"] = write(*from_onnx(blob, "bench"))
        number, code = C.aclmdlLoadFromFile("bench.om")
        assert code == 0, C.aclGetRecentErrMsg()
        sets = []
        for _ in range(2):
            address, _code = C.aclrtMalloc(x.nbytes, 0)
            made = C.aclmdlCreateDataset()
            C.aclmdlAddDatasetBuffer(made, C.aclCreateDataBuffer(address, x.nbytes))
            C.aclrtMemcpy(address, x.nbytes, x, x.nbytes, 1)
            sets.append(made)
        assert C.aclmdlExecute(number, *sets) == 0, C.aclGetRecentErrMsg()
        ratios, direct = [], []
        for _ in range(ROUNDS):
            before = _seconds(lambda: session.run(None, {"x": x}))
            through = _seconds(lambda: C.aclmdlExecute(number, *sets))
            after = _seconds(lambda: session.run(None, {"x": x}))
            ratios.append(through / ((before + after) / 2))
            direct.append(before * 1e6)
    return {"model_onnx": (statistics.median(ratios), statistics.median(direct))}


GROUP = Group(ROWS, _measure, _missing)
