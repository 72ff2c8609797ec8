"""Functions that few programs call: what an engine reaches, which SoC fits, updates of tasks, what always fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from tests.kit.calls import Calls, must

BAD, DEVICE, FAILURE, UNSUPPORTED, NULL = 107000, 107001, 500001, 207000, 100000


KERNELS = """
import numpy as np
from ascend_sim import Block, gm, kernel

@kernel(entry=1)
def one(b: Block, out: gm.Out[np.int32]) -> None:
    out[b.idx] = 1

@kernel(entry=2)
def two(b: Block, out: gm.Out[np.int32]) -> None:
    out[b.idx] = 2
"""


@pytest.fixture
def w() -> Iterator[Calls]:
    with Simulator() as sim:
        must(C.aclrtSetDevice(0))
        yield Calls(sim)


def test_which_engines_reach_registered_host_memory() -> None:
    for soc, reach in (("Ascend910B3", [1] * 8 + [0, 0]), ("Ascend950PR_9599", [1] * 10), ("Ascend310P3", [0] * 10)):
        with Simulator(soc=soc):
            must(C.aclrtSetDevice(0))
            assert [must(C.aclrtHostMemMapCapabilities(0, kind)) for kind in range(10)] == reach, soc
            assert C.aclrtHostMemMapCapabilities(0, 10)[1] == BAD
            assert C.aclrtHostMemMapCapabilities(7, 0)[1] == DEVICE


def test_operators_for_another_soc(w: Calls) -> None:
    assert must(C.aclrtCheckArchCompatibility("Ascend910B1")) == 1
    assert must(C.aclrtCheckArchCompatibility("Ascend910_9382")) == 1
    assert must(C.aclrtCheckArchCompatibility("Ascend310P3")) == 0
    for name in (None, "", "Ascend2000"):
        assert C.aclrtCheckArchCompatibility(name)[1] == BAD


def test_what_files_of_models_do_not_have(w: Calls) -> None:
    assert C.aclRecoverAllHcclTasks(0) == C.aclRecoverAllHcclTasks(1) == FAILURE
    assert C.aclmdlQueryExeOMDesc("model.exeom")[1] == UNSUPPORTED
    assert C.aclmdlQueryExeOMDesc(None)[1] == NULL
    assert w.kinds() == []


class Model:
    """A model of one bound stream, with what *record* queues there."""

    def __init__(self, w: Calls, record: Any) -> None:
        self.w = w
        self.stream, self.runs = w.stream(C.ACL_STREAM_PERSISTENT), w.stream()
        self.model = must(C.aclmdlRIBuildBegin(0))
        must(C.aclmdlRIBindStream(self.model, self.stream, C.ACL_MODEL_STREAM_FLAG_HEAD))
        record(self.stream)
        self.task = must(C.aclrtGetThreadLastTaskId())
        must(C.aclmdlRIEndTask(self.model, self.stream))
        must(C.aclmdlRIBuildEnd(self.model, 0))

    def execute(self) -> None:
        must(C.aclmdlRIExecuteAsync(self.model, self.runs))
        must(C.aclrtSynchronizeStream(self.runs))


def device(w: Calls, *words: int) -> int:
    data = np.array(words, np.uint64)
    address = w.malloc(data.nbytes)
    must(C.aclrtMemcpy(address, data.nbytes, data.ctypes.data, data.nbytes, 1))
    return address


def ints(address: int, count: int) -> list[int]:
    host = np.zeros(count, np.int32)
    must(C.aclrtMemcpy(host.ctypes.data, host.nbytes, address, host.nbytes, 2))
    return host.tolist()


def test_a_launch_of_a_model_gets_another_function_and_more_blocks(w: Calls, tmp_path: Path) -> None:
    (tmp_path / "kernels.py").write_text(KERNELS)
    binary = must(C.aclrtBinaryLoadFromFile(str(tmp_path / "kernels.py"), None))
    out = w.malloc(64, 0)
    args = np.array([out], np.uint64)
    function = must(C.aclrtBinaryGetFunctionByEntry(binary, 1))
    model = Model(w, lambda s: must(
        C.aclrtLaunchKernelWithHostArgs(function, 2, s, None, args.ctypes.data, args.nbytes, None, 0)
    ))  # fmt: skip
    model.execute()
    assert ints(out, 4) == [1, 1, 0, 0]
    values = C.aclrtUpdateTaskAttrVal(
        aicAivTaskAttr=C.aclrtAicAivTaskUpdateAttr(binary, device(w, 2), device(w, 3))
    )  # fmt: skip
    info = C.aclrtTaskUpdateInfo(C.ACL_RT_UPDATE_AIC_AIV_TASK, values)
    other = w.stream()
    must(C.aclrtTaskUpdateAsync(model.stream, model.task, info, other))
    must(C.aclrtSynchronizeStream(other))
    model.execute()
    assert ints(out, 4) == [2, 2, 2, 0]
    assert C.aclrtTaskUpdateAsync(model.stream, model.task + 1, info, other) == BAD
    assert C.aclrtTaskUpdateAsync(other, model.task, info, other) == BAD, "it belongs to no model"
    assert C.aclrtTaskUpdateAsync(model.stream, model.task, info, model.stream) == BAD
    assert C.aclrtTaskUpdateAsync(model.stream, model.task, info, None) == BAD
    assert C.aclrtTaskUpdateAsync(model.stream, model.task, None, other) == NULL
    assert C.aclrtTaskUpdateAsync(model.stream, model.task, C.aclrtTaskUpdateInfo(3), other) == BAD
    values.randomTaskAttr = C.aclrtRandomTaskUpdateAttr(out, 104)
    info.id = C.ACL_RT_UPDATE_RANDOM_TASK
    assert C.aclrtTaskUpdateAsync(model.stream, model.task, info, other) == BAD, "it makes no random numbers"
    assert w.kinds() == []


def test_random_numbers_of_a_model_get_another_seed_and_place(w: Calls) -> None:
    first, second, counter = w.malloc(64, 0), w.malloc(64, 0), device(w, 0, 0)

    def number(value: int) -> C.aclrtRandomParaInfo:
        return C.aclrtRandomParaInfo(0, list(value.to_bytes(8, "little")), 0)

    shape = C.aclrtUniformDisInfo(number(0), number(1 << 20))
    kind = C.aclrtRandomNumFuncParaInfo(
        C.ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS, C.aclrtRandomNumParamInfo(uniformDisInfo=shape)
    )
    task = C.aclrtRandomNumTaskInfo(C.ACL_INT32, kind, 0, first, counter, number(7), number(4))
    model = Model(w, lambda s: must(C.aclrtRandomNumAsync(task, s, None)))
    model.execute()
    old = ints(first, 4)
    struct = np.zeros(13, np.uint64)
    struct[6], struct[7], struct[5] = second, counter, 0
    raw = struct.view(np.uint8)
    raw[64 + 1 : 64 + 9] = np.frombuffer((9).to_bytes(8, "little"), np.uint8)
    raw[80 + 1 : 80 + 9] = np.frombuffer((2).to_bytes(8, "little"), np.uint8)
    info = C.aclrtTaskUpdateInfo(
        C.ACL_RT_UPDATE_RANDOM_TASK,
        C.aclrtUpdateTaskAttrVal(C.aclrtRandomTaskUpdateAttr(device(w, *struct.tolist()), 104)),
    )
    other = w.stream()
    must(C.aclrtTaskUpdateAsync(model.stream, model.task, info, other))
    must(C.aclrtSynchronizeStream(other))
    model.execute()
    assert ints(first, 4) == old, "the numbers go elsewhere now"
    new = ints(second, 4)
    assert all(new[:2]) and new[2:] == [0, 0] and new[:2] != old[:2]
    info.val.randomTaskAttr.size = 8
    assert C.aclrtTaskUpdateAsync(model.stream, model.task, info, other) == BAD
    assert w.kinds() == []
