"""Results: outputs first, the code last, and the odd ones of docs/semantics/pyacl.md#results."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from ascend_sim.ascendcl import structs
from ascend_sim.catalogue.functions import functions
from ascend_sim.catalogue.pyacl import Row, row, rows
from ascend_sim.pyacl.generate import adapters_of

from .conftest import Recorder

ROWS = [found for module, names in rows().items() if module != "util" for name in names if (found := row(module, name))]
GOOD = {"s": "x", "f": 1.0, "O": None}


def call(acl: Any, name: str, *arguments: Any) -> Any:
    module, _, short = name.rpartition(".")
    return getattr(getattr(acl, module) if module else acl, short)(*arguments)


def plain(found: Row) -> bool:
    return (
        found.c_function in functions()
        and not found.result
        and found.name not in adapters_of(found.name.rpartition(".")[0])[0]
    )


@pytest.mark.parametrize("found", [f for f in ROWS if plain(f)], ids=lambda found: found.name)
def test_a_failing_call_gives_initial_values_and_the_code(acl: SimpleNamespace, c: Recorder, found: Row) -> None:
    arguments = [GOOD.get(letter, 1) for letter in found.format.replace("|", "")]
    function = functions()[found.c_function]
    result = call(acl, found.name, *arguments)
    if not function.returns_code:
        assert result == function.failure
    elif function.outputs:
        assert result == (*[0] * len(function.outputs), 507000)
    else:
        assert result == 0


def test_a_good_call_gives_what_c_gives(acl: SimpleNamespace, c: Recorder) -> None:
    c.answers.update(
        aclrtMalloc=(0x1000, 0),
        aclrtGetMemInfo=(5, 9, 0),
        aclrtEventElapsedTime=(0.25, 0),
        aclrtGetVersion=(1, 17, 0, 0),
        aclrtFree=107000,
        aclrtGetSocName="Ascend910B3",
        aclrtGetLastError=507015,
        aclCreateDataBuffer=0x77,
    )
    assert acl.rt.malloc(64, 0) == (0x1000, 0)
    assert acl.rt.get_mem_info(1) == (5, 9, 0)
    assert acl.rt.event_elapsed_time(1, 2) == (0.25, 0)
    assert acl.get_version() == (1, 17, 0, 0)
    assert acl.rt.free(3) == 107000
    assert acl.get_soc_name() == "Ascend910B3"
    assert acl.rt.get_last_error(0) == 507015
    assert acl.create_data_buffer(1, 2) == 0x77


def test_functions_that_return_none(acl: SimpleNamespace, c: Recorder) -> None:
    c.answers.update(dict.fromkeys(functions(), 5))
    for name, arguments in {
        "destroy_tensor_desc": (1,),
        "set_tensor_desc_name": (1, "x"),
        "app_log": (1, "100 %"),
        "op.destroy_attr": (1,),
        "op.destroy_handle": (1,),
        "mdl.dump_unreg_callback": (),
        "prof.destroy_step_info": (1,),
        "prof.destroy_stamp": (1,),
    }.items():
        assert call(acl, name, *arguments) is None


def test_functions_that_return_their_first_argument(acl: SimpleNamespace, c: Recorder) -> None:
    c.answers.update(
        aclmdlAddDatasetBuffer=7,
        aclmdlSetDatasetTensorDesc=0,
        aclopSetAttrDataType=7,
        aclopSetAttrListDataType=0,
        aclrtSetMemcpyDesc=7,
    )
    assert acl.mdl.add_dataset_buffer(0x10, 2) == (0x10, 7)
    assert acl.mdl.set_dataset_tensor_desc(0x20, 2, 3) == (0x20, 0)
    assert acl.op.set_attr_data_type(0x30, "T", 1) == (0x30, 7)
    assert acl.op.set_attr_list_data_type(0x40, "T", [1, True]) == (0x40, 0)
    assert c.last == (0x40, "T", 2, [1, 1])
    assert acl.rt.set_memcpy_desc(0x50, 6, 1, 2, 3, 0) == (0x50, 7)


def test_statuses_start_with_reserved_values(acl: SimpleNamespace, c: Recorder) -> None:
    assert acl.rt.stream_query(1) == (65535, 507000)
    assert acl.rt.query_device_status(1) == (65535, 507000)
    c.answers.update(aclrtStreamQuery=(1, 0))
    assert acl.rt.stream_query(1) == (1, 0)


def test_results_that_the_source_cuts(acl: SimpleNamespace, c: Recorder) -> None:
    c.answers.update(
        aclrtGetDeviceInfo=(0x1_8000_0000, 0),
        aclrtGetDevicesTopo=(0x1_0000_0002, 0),
        aclrtGetPrimaryCtxState=(9, 1, 0),
        aclmdlGetAippDataSize=(0x1_0000_0003, 0),
        aclmdlBundleGetModelNum=(2, 0),
    )
    assert acl.rt.get_device_info(0, 1) == (-0x8000_0000, 0)
    assert acl.rt.get_devices_topo(0, 1) == (2, 0)
    assert acl.rt.get_primary_ctx_state(0) == (1, 0, 0)
    assert acl.mdl.get_aipp_data_size(1) == (3, 0)
    assert acl.mdl.bundle_get_model_num(1) == (2, 0)


def test_structs_come_back_as_dicts(acl: SimpleNamespace, c: Recorder) -> None:
    c.answers.update(
        aclrtPointerGetAttributes=(
            structs.aclrtPtrAttributes(structs.aclrtMemLocation(id=1, type=1), pageSize=4096),
            0,
        ),
        aclrtGetDeviceUtilizationRate=(structs.aclrtUtilizationInfo(cubeUtilization=3, memoryUtilization=4), 0),
        aclrtDeviceGetUuid=(structs.aclrtUuid(bytes=list(range(16))), 0),
        aclsysGetCANNVersion=(structs.aclCANNPackageVersion(version="9.1.0", majorVersion="9"), 0),
        aclmdlGetInputDims=(structs.aclmdlIODims(name="x", dimCount=2, dims=[-1, 4, 0, 0]), 0),
        aclmdlGetInputDimsRange=(structs.aclmdlIODimsRange(rangeCount=1, range=[[1, 8]]), 0),
        aclmdlGetDynamicBatch=(structs.aclmdlBatch(batchCount=2, batch=[1, 8, 0]), 0),
        aclmdlGetDynamicHW=(structs.aclmdlHW(hwCount=1, hw=[[224, 320]]), 0),
        aclmdlGetInputDynamicDims=([structs.aclmdlIODims(name="y", dimCount=1, dims=[-1])], 0),
        aclmdlGetFirstAippInfo=(structs.aclAippInfo(shapeCount=1, outDims=[structs.aclAippDims(srcSize=5)]), 0),
    )
    assert acl.rt.pointer_get_attributes(1) == (
        {"location": {"id": 1, "type": 1}, "page_size": 4096, "rsv": [0, 0, 0, 0]},
        0,
    )
    assert acl.rt.get_device_utilization_rate(0) == (
        {
            "cube_utilization": 3,
            "vector_utilization": 0,
            "aicpu_utilization": 0,
            "memory_utilization": 4,
            "utilization_extend": 0,
        },
        0,
    )
    assert acl.rt.device_get_uuid(0) == ({"bytes": list(range(16))}, 0)
    version, ret = acl.get_cann_version(0)
    assert (version["version"], version["major_version"], ret) == ("9.1.0", "9", 0)
    assert set(version) == {
        "version", "major_version", "minor_version", "release_version", "patch_version", "reserved",
    }  # fmt: skip
    assert acl.mdl.get_input_dims(1, 0) == ({"name": "x", "dimCount": 2, "dims": [-1, 4]}, 0)
    assert acl.mdl.get_input_dims_range(1, 0) == ({"rangeCount": 1, "range": [[1, 8]]}, 0)
    assert acl.mdl.get_dynamic_batch(1) == ({"batchCount": 2, "batch": [1, 8]}, 0)
    assert acl.mdl.get_dynamic_hw(1, -1) == ({"hwCount": 1, "hw": [[224, 320]]}, 0)
    gears, ret = acl.mdl.get_input_dynamic_dims(1, -1, 1)
    assert (gears, ret) == ([{"name": "y", "dimCount": 1, "dims": [(1 << 64) - 1]}], 0)
    aipp, ret = acl.mdl.get_first_aipp_info(1, 0)
    assert (aipp["shapeCount"], aipp["outDims"][0]["srcSize"], ret) == (1, 5, 0)
    assert "matrixR0C2" not in aipp


def test_structs_of_failing_calls(acl: SimpleNamespace, c: Recorder) -> None:
    for name in ("get_input_dims", "get_input_dims_v2", "get_output_dims", "get_cur_output_dims", "get_dynamic_hw"):
        assert getattr(acl.mdl, name)(1, 0) == ({}, 507000)
    assert acl.mdl.get_dynamic_batch(1) == ({}, 507000)
    assert acl.mdl.get_input_dims_range(1, 0) == ({"rangeCount": 0, "range": []}, 507000)
    assert acl.mdl.get_first_aipp_info(1, 0) == (None, 507000)
    assert acl.mdl.get_input_dynamic_dims(1, 0, 3) == ([None] * 3, 507000)
    assert acl.get_tensor_desc_dim_range(1, 0, 2) == (None, 507000)
    assert acl.rt.pointer_get_attributes(1) == (
        {"location": {"id": 0, "type": 0}, "page_size": 0, "rsv": [0, 0, 0, 0]},
        507000,
    )
    assert acl.rt.device_get_uuid(0) == ({"bytes": [0] * 16}, 507000)
    assert acl.rt.get_stream_attribute(1, 1) == ({"failureMode": 0}, 507000)
    assert acl.get_cann_attribute_list() == ([], 0, 507000)
    with pytest.raises(RuntimeError, match="aclrtGetGroupInfoDetail failed"):
        acl.rt.get_group_info_detail(1, 0, 0)


def test_limits_that_are_tested_before_c_is_called(acl: SimpleNamespace, c: Recorder) -> None:
    assert acl.get_tensor_desc_dim_range(1, 0, 4097) == (None, 100000)
    assert acl.mdl.get_input_dynamic_dims(1, 0, 4097) == (None, 100000)
    assert acl.mdl.create_and_get_op_desc(0, 0, 0, 4097) == ("", 0, 0, 0, 0, 100000)
    assert acl.prof.get_op_type(1, 1, 0, 4097) == ("", 100000)
    assert acl.prof.get_op_name(1, 1, 0, 4097) == ("", 100000)
    with pytest.raises(ValueError, match="less than 1024"):
        acl.rt.get_function_name(1, 1024)
    with pytest.raises(ValueError, match="less than 1024"):
        acl.rt.ipc_mem_get_export_key(1, 1, 1024, 0)
    with pytest.raises(ValueError, match="less than 1024"):
        acl.rt.notify_get_export_key(1, 1024, 0)
    assert not c.calls


def writes(text: bytes, place: int) -> Any:
    """A C function that writes *text* to the address in its argument *place*."""
    import ctypes

    def c_function(*arguments: Any) -> int:
        ctypes.memmove(arguments[place], text + b"\0", len(text) + 1)
        return 0

    return c_function


def test_texts_that_c_writes(acl: SimpleNamespace, c: Recorder) -> None:
    c.answers.update(
        aclrtGetFunctionName=writes(b"add", 2),
        aclrtIpcMemGetExportKey=writes(b"key-1", 2),
        aclrtNotifyGetExportKey=writes(b"key-2", 1),
        aclsysGetVersionStr=writes(b"9.1.0", 1),
        aclprofGetOpType=writes(b"MatMul", 3),
        aclprofGetOpTypeLen=(6, 0),
    )
    assert acl.rt.get_function_name(1, 3) == ("add", 0)
    assert acl.rt.ipc_mem_get_export_key(1, 64, 65, 0) == ("key-1", 0)
    assert acl.rt.notify_get_export_key(1, 65, 0) == ("key-2", 0)
    assert acl.get_version_str("runtime") == ("9.1.0", 0)
    assert acl.prof.get_op_type(1, 1, 0, 65) == ("MatMul", 0)


def test_texts_of_operators_by_two_calls(acl: SimpleNamespace, c: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    from ascend_sim.pyacl import adapters_prof

    monkeypatch.setattr(adapters_prof, "ascendcl", c)
    assert acl.prof.get_op_name_v2(1, 1, 0) == (None, 507000)
    c.answers.update(aclprofGetOpNameLen=(4, 0), aclprofGetOpName=writes(b"conv", 3))
    assert acl.prof.get_op_name_v2(1, 1, 0) == ("conv", 0)
    assert [name for name, _ in c.calls] == ["aclprofGetOpNameLen", "aclprofGetOpNameLen", "aclprofGetOpName"]
