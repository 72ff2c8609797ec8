"""What a model costs beside its body: aclmdlExecute of an ONNX model against onnxruntime called directly."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

__all__ = ["model_ratio"]

TARGET_S = 1e-3
ROUNDS = 25
CALLS = 7

clock = time.perf_counter


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


def model_ratio() -> tuple[float, float] | None:
    """(ratio, microseconds directly), medians of rounds in turn; None without onnx and onnxruntime."""
    try:
        import onnx  # noqa: F401
        import onnxruntime  # noqa: F401
    except ImportError:
        return None
    from ascend_sim import ascendcl as C
    from ascend_sim.om import write
    from ascend_sim.om.from_onnx import from_onnx
    from ascend_sim.simulator import Simulator

    blob, session, x = _sized()
    with Simulator(threads="deterministic") as sim:
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
    return statistics.median(ratios), statistics.median(direct)
