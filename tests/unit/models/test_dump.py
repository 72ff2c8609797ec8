"""Dumps: the files and the chunks that a program finds, and the codes of the calls."""

from __future__ import annotations

import ctypes
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from tests.kit.calls import must
from tests.unit.models.conftest import Models, neg


def section(tmp_path: Path, **values: Any) -> str:
    """A file with a dump section."""
    path = tmp_path / "dump.json"
    base: dict[str, Any] = {} if "dump_scene" in values else {"dump_path": str(tmp_path), "dump_list": [{}]}
    path.write_text(json.dumps({"dump": base | values}))
    return str(path)


def run(models: Models, model: int, *values: float) -> None:
    """One execution of y = -x."""
    ins, outs = (models.memory(values), 4 * len(values)), (models.memory([0] * len(values)), 4 * len(values))
    must(C.aclmdlExecute(model, models.dataset(ins), models.dataset(outs)))


def found(tmp_path: Path, end: str = "npy") -> list[str]:
    """The files, by their paths below the directory."""
    return sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob(f"*.{end}"))


def test_outputs_of_a_model_become_files(models: Models, tmp_path: Path) -> None:
    must(C.aclmdlInitDump())
    before = models.load(neg())
    must(C.aclmdlSetDump(section(tmp_path)))
    model = models.load(neg())
    for each in (before, model, model):
        run(models, each, 1, 2, 3, 4)
    files = found(tmp_path)
    assert [os.path.dirname(file) for file in files] == [f"00000000000001/0/neg/{model}/{n}" for n in (0, 1)]
    assert files[0].endswith(".output.0.npy")
    assert os.path.basename(files[0]).startswith("Model.neg.")
    assert np.load(tmp_path / files[0]).tolist() == [-1, -2, -3, -4]
    must(C.aclmdlFinalizeDump())
    run(models, model, 1, 2, 3, 4)
    assert found(tmp_path) == files
    assert not models.sim.findings


@pytest.mark.parametrize(
    ("settings", "runs", "sides"),
    [
        ({"dump_mode": "all"}, 1, ["input.0", "output.0"]), ({"dump_mode": "input"}, 1, ["input.0"]),
        ({"dump_step": "1|3-4"}, 5, ["output.0"] * 3), ({"dump_list": [{"model_name": "other"}]}, 1, []),
        ({"dump_list": [{"model_name": "neg"}]}, 1, ["output.0"]),
    ],
)  # fmt: skip
def test_what_is_chosen(models: Models, tmp_path: Path, settings: dict[str, Any], runs: int, sides: list[str]) -> None:
    must(C.aclmdlInitDump())
    must(C.aclmdlSetDump(section(tmp_path, **settings)))
    model = models.load(neg())
    for _ in range(runs):
        run(models, model, 1, 2, 3, 4)
    assert [".".join(file.split(".")[-3:-1]) for file in found(tmp_path)] == sides


def test_statistics(models: Models, tmp_path: Path) -> None:
    must(C.aclmdlInitDump())
    must(C.aclmdlSetDump(section(tmp_path, dump_data="stats", dump_stats=["Max", "Min", "L2norm"])))
    run(models, models.load(neg()), 1, 2, 3, 4)
    (file,) = found(tmp_path, "csv")
    head, row = (tmp_path / file).read_text().splitlines()
    assert head == "Input/Output,Index,Data Size,Data Type,Shape,Max,Min,L2norm"
    assert row.split(",")[:7] == ["output", "0", "16", "float32", "4", "-1.0", "-4.0"]


def test_a_model_with_a_hostile_name_stays_in_the_directory(models: Models, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    must(C.aclmdlInitDump())
    must(C.aclmdlSetDump(section(tmp_path / "in")))
    run(models, models.load(neg(name="../../out/\x1b[31m")), 1, 2, 3, 4)
    assert {file.split("/")[0] for file in found(tmp_path)} == {"in"}
    assert "_.._out__" in found(tmp_path)[0]


def test_a_directory_that_is_gone_is_told(models: Models, tmp_path: Path) -> None:
    must(C.aclmdlInitDump())
    place = tmp_path / "place"
    place.mkdir()
    must(C.aclmdlSetDump(section(tmp_path, dump_path=str(place))))
    model = models.load(neg())
    place.rmdir()
    place.write_text("a file in its place")
    run(models, model, 1, 2, 3, 4)
    assert [f.kind for f in models.sim.findings] == ["hidden-error"]


def test_a_callback_gets_chunks_in_place_of_files(
    models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    got: list[tuple[str, int, int, bytes]] = []

    def hear(address: int, size: int) -> int:
        name = ctypes.string_at(address).decode()
        length, last = (ctypes.c_uint32.from_address(address + 4096 + 4 * i).value for i in range(2))
        got.append((name, length, last, ctypes.string_at(address + 4116, length)))
        assert size == 4116 + length
        return 0

    must(C.acldumpRegCallback(hear, 0))
    must(C.aclmdlInitDump())
    model = models.load(neg())
    run(models, model, 1, 2, 3, 4)
    ((name, length, last, data),) = got
    assert (name.endswith(".output.0.npy"), length, last, data[:6]) == (True, len(data), 1, b"\x93NUMPY")
    C.acldumpUnregCallback()
    run(models, model, 1, 2, 3, 4)
    assert len(got) == 1
    assert found(tmp_path) == []


def test_a_callback_that_raises_does_not_end_the_task(models: Models) -> None:
    must(C.acldumpRegCallback(lambda address, size: 1 // 0, 0))
    must(C.aclmdlInitDump())
    run(models, models.load(neg()), 1, 2, 3, 4)
    assert ["ZeroDivisionError" in f.title for f in models.sim.findings] == [True]


def test_the_file_of_acl_init_is_enough(tmp_path: Path) -> None:
    with Simulator() as sim:
        must(C.aclInit(section(tmp_path, dump_mode="all")))
        must(C.aclrtSetDevice(0))
        models = Models(sim)
        assert C.acldumpGetPath(C.DATA_DUMP) == str(tmp_path)
        run(models, models.load(neg()), 1, 2, 3, 4)
    assert len(found(tmp_path)) == 2


def test_operators_are_dumped_when_asked_for(models: Models, tmp_path: Path) -> None:
    must(C.aclmdlInitDump())
    must(C.aclmdlSetDump(section(tmp_path, dump_op_switch="on", dump_mode="all")))
    desc = [C.aclCreateTensorDesc(0, 1, [4], 2) for _ in range(2)]
    data = [C.aclCreateDataBuffer(models.memory([1, 2, 3, 4]), 16), C.aclCreateDataBuffer(models.memory([0] * 4), 16)]
    models.sim.ops.open = True
    stream = models.stream()
    must(C.aclopExecuteV2("Neg", 1, desc[:1], data[:1], 1, desc[1:], data[1:], C.aclopCreateAttr(), stream))
    must(C.aclrtSynchronizeStream(stream))
    assert [os.path.basename(f).split(".")[0] for f in found(tmp_path)] == ["Neg", "Neg"]


def test_codes_of_the_calls(models: Models, tmp_path: Path) -> None:
    good, bad, none = section(tmp_path), tmp_path / "bad.json", tmp_path / "none.json"
    none.write_text("{}")
    codes = [C.aclmdlSetDump(good), C.aclmdlFinalizeDump(), C.aclmdlInitDump(), C.aclmdlInitDump()]
    assert codes == [100045, 100045, 0, 100002]
    bad.write_text("no json")
    codes = [C.aclmdlSetDump(None), C.aclmdlSetDump(str(tmp_path / "missing")), C.aclmdlSetDump(str(bad))]
    assert codes == [100000, 100003, 100006]
    bad.write_text('{"dump": {"dump_path": "/no/such/place", "dump_list": []}}')
    assert [C.aclmdlSetDump(str(bad)), C.aclmdlSetDump(str(none)), C.acldumpGetPath(4)] == [100009, 0, None]
    assert [C.acldumpRegCallback(None, 0), C.acldumpRegCallback(len, 1)] == [500001, 500001]
    must(C.aclFinalize())
    assert [C.aclmdlInitDump(), C.aclmdlSetDump(good), C.aclmdlFinalizeDump()] == [100001] * 3


def test_what_is_not_modelled_says_so(models: Models, tmp_path: Path) -> None:
    must(C.aclmdlInitDump())
    must(C.aclmdlSetDump(section(tmp_path, dump_debug="on")))
    must(C.aclmdlSetDump(section(tmp_path, dump_scene="aic_err_brief_dump")))
    assert [f.kind for f in models.sim.findings] == ["not-modelled"] * 2


# -- exceptions -------------------------------------------------------------------------------------------------------


@pytest.fixture
def exceptions(models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory of the dump of exceptions, which is in use."""
    for name in ("NPU_COLLECT_PATH", "ASCEND_WORK_PATH"):
        monkeypatch.delenv(name, raising=False)
    must(C.aclmdlInitDump())
    must(C.aclmdlSetDump(section(tmp_path, dump_scene="aic_err_brief_dump", dump_path=str(tmp_path))))
    return tmp_path / "extra-info" / "data-dump" / "0"


def tensor(address: int, **changes: Any) -> Any:
    """A device tensor of 16 bytes."""
    return C.acldumpTensorInfo(**{"tensorSize": 16, "tensorAddr": address, "addrType": C.ACL_DUMP_ADDR_RAW, **changes})


def test_tensors_are_saved_by_hand(models: Models, exceptions: Path) -> None:
    room = np.zeros(4096, np.uint8)
    must(C.acldumpGetExceptionInfoPath(room, 4096))
    assert room.tobytes().split(b"\0")[0].decode() == f"{exceptions}/"
    assert C.acldumpGetPath(1) == f"{exceptions}/"
    tensors = [tensor(models.memory([1, 2, 3, 4])), tensor(models.memory([5] * 4), type=1)]
    must(C.acldumpSaveExceptionInfo("mine/here", "because", tensors, 2))
    (path,) = (exceptions / "mine").iterdir()
    assert path.name.startswith("here.custom.")
    with np.load(path) as saved:
        assert bytes(saved["tag"]) == b"because"
        assert saved["input_0"].view(np.float32).tolist() == [1, 2, 3, 4]
        assert saved["output_1"].view(np.float32).tolist() == [5] * 4


@pytest.mark.parametrize(
    ("changes", "name", "code"),
    [
        ({}, "../out", 100000), ({}, "a/../b", 100000), ({}, "", 100000), ({}, None, 100000),
        ({"addrType": 0}, "x", 100000), ({"placement": 1}, "x", 100000), ({"type": 3}, "x", 100000),
        ({"tensorSize": 0}, "x", 100000), ({"tensorAddr": 0}, "x", 100000), ({"shapeNum": 26}, "x", 100000),
        ({"originShapeNum": 26}, "x", 100000), ({"tensorAddr": 0xBAD0}, "x", 107000),
    ],
)  # fmt: skip
def test_what_cannot_be_saved(
    models: Models, exceptions: Path, changes: dict[str, Any], name: str | None, code: int
) -> None:
    given = [tensor(models.memory([1, 2, 3, 4]), **changes)]
    assert C.acldumpSaveExceptionInfo(name, None, given, 1) == code
    assert not exceptions.exists()


def test_exceptions_have_to_be_in_use(models: Models) -> None:
    room = np.zeros(64, np.uint8)
    codes = [
        C.acldumpGetExceptionInfoPath(None, 64), C.acldumpGetExceptionInfoPath(room, 1),
        C.acldumpGetExceptionInfoPath(room, 64), C.acldumpSaveExceptionInfo("x", None, [tensor(1)], 1),
        C.acldumpSaveExceptionInfo("x", None, None, 1), C.acldumpSaveExceptionInfo("x", None, [], 0),
    ]  # fmt: skip
    assert codes == [100000, 100000, 500001, 500001, 100000, 100000]
    assert C.acldumpGetPath(1) is None
