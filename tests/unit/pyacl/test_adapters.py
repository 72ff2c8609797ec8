"""Arguments that are lists, dicts and functions, and how they reach C."""

from __future__ import annotations

import ctypes
import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ascend_sim.ascendcl import structs

from .conftest import Recorder

BIG = 1 << 70


def refused(error: type[Exception], text: str, function: Any, *arguments: Any) -> None:
    with pytest.raises(error) as caught:
        function(*arguments)
    assert caught.value.args[0] == text


def test_dims(acl: SimpleNamespace, c: Recorder) -> None:
    acl.create_tensor_desc(1, [2, -1, True], 2)
    assert c.last == (1, 3, [2, -1, 1], 2)
    acl.create_tensor_desc(1, [], 2)
    assert c.last == (1, 0, [], 2)
    refused(TypeError, "argument 2 is not list", acl.create_tensor_desc, 1, (2, 3), 2)
    refused(TypeError, "invalid data type", acl.create_tensor_desc, 1, [2, np.int64(3)], 2)
    refused(TypeError, "invalid data type", acl.set_tensor_shape, 1, [2.0])
    refused(ValueError, "PyLong_AsLongLong failed", acl.set_tensor_origin_shape, 1, [BIG])


def test_ranges(acl: SimpleNamespace, c: Recorder) -> None:
    acl.set_tensor_shape_range(1, [[1, 8], [2, -1, 99]])
    assert c.last == (1, 2, [[1, 8], [2, -1]])
    refused(TypeError, "argument 2 is not list", acl.set_tensor_shape_range, 1, ((1, 2),))
    refused(TypeError, "the list argument is not list", acl.set_tensor_shape_range, 1, [(1, 2)])
    refused(TypeError, "the list argument is not list of int", acl.set_tensor_shape_range, 1, [[1]])
    refused(TypeError, "int64_t argument is not list", acl.set_tensor_value_range, 1, None)


def test_handles_of_operators(acl: SimpleNamespace, c: Recorder) -> None:
    acl.op.execute_v2("Add", [1, 2], [3, 4], [5], [6], 7, 8)
    assert c.last == ("Add", 2, [1, 2], [3, 4], 1, [5], [6], 7, 8)
    acl.op.execute("Add", [1], [3, 4], [5, 9], [6], 0, 0)  # the counts are those of the buffers
    assert c.last == ("Add", 2, [1, 0], [3, 4], 1, [5], [6], 0, 0)
    acl.op.create_handle("Add", [-1], [2], 0)
    assert c.last == ("Add", 1, [(1 << 64) - 1], 1, [2], 0)
    acl.op.execute_with_handle(1, [2], [3, 4], 5)
    assert c.last == (1, 1, [2], 2, [3, 4], 5)
    acl.op.infer_shape("Add", [1], [2], 2, [3], 0)
    assert c.last == ("Add", 1, [1], [2], 2, [3, 0], 0)
    refused(TypeError, "argument 2, 3, 4, or 5 is not list", acl.op.execute, "A", [], [], (), [], 0, 0)
    refused(TypeError, "the list argument is not list of int", acl.op.execute, "A", ["x"], [], [], [], 0, 0)
    refused(ValueError, "PyLong_AsVoidPtr failed", acl.op.execute, "A", [BIG], [], [], [], 0, 0)
    refused(TypeError, "argument 2 or 3 is not list", acl.op.update_params, "A", [], None, 0)


def test_attributes_of_operators(acl: SimpleNamespace, c: Recorder) -> None:
    bad = "get values from PyList failed"
    acl.op.set_attr_list_bool(1, "a", [True, 0, 255])
    assert c.last == (1, "a", 3, [1, 0, 255])
    refused(ValueError, bad, acl.op.set_attr_list_bool, 1, "a", [256])
    refused(ValueError, bad, acl.op.set_attr_list_bool, 1, "a", ["x"])
    acl.op.set_attr_list_int(1, "a", [-1, 2])
    assert c.last == (1, "a", 2, [-1, 2])
    acl.op.set_attr_list_float(1, "a", [0.1])
    assert c.last == (1, "a", 1, [float(np.float32(0.1))])
    refused(ValueError, bad, acl.op.set_attr_list_float, 1, "a", [1])
    acl.op.set_attr_list_string(1, "a", ["x", "y\0z"])
    assert c.last == (1, "a", 2, ["x", "y"])
    refused(TypeError, "argument 3 is not list", acl.op.set_attr_list_string, 1, "a", "x")
    refused(RuntimeError, "PyUnicode_AsUTF8String failed", acl.op.set_attr_list_string, 1, "a", [b"x"])
    acl.op.set_attr_list_list_int(1, "a", [[1, 2], []])
    assert c.last == (1, "a", 2, [2, 0], [[1, 2], []])
    refused(ValueError, "parse argument 3 failed", acl.op.set_attr_list_list_int, 1, "a", [[1.5]])
    refused(TypeError, "the third argument is not list", acl.op.set_attr_list_data_type, 1, "a", (1,))


def test_attributes_from_arrays_warn(acl: SimpleNamespace, c: Recorder) -> None:
    with pytest.warns(Warning, match="list") as caught:
        acl.op.set_attr_list_int(1, "a", np.array([3, 4]))
    assert caught[0].filename == __file__
    assert c.last == (1, "a", 2, [3, 4])
    with pytest.warns(Warning, match="list") as caught:
        acl.op.set_attr_list_float(1, "a", np.array([1.5], np.float32))
    assert caught[0].filename == __file__
    assert c.last == (1, "a", 1, [1.5])
    with pytest.warns(Warning, match="list"):
        refused(TypeError, "argument 3 is not list or numpy array", acl.op.set_attr_list_float, 1, "a", (1.5,))


def test_lists_that_fail_with_value_error(acl: SimpleNamespace, c: Recorder) -> None:
    acl.rt.ipc_mem_set_import_pid("key", [1, 2])
    assert c.last == ("key", [1, 2], 2)
    acl.rt.mem_set_pid_to_shareable_handle(9, [1])
    assert c.last == (9, [1], 1)
    acl.rt.notify_set_import_pid(9, [])
    assert c.last == (9, [], 0)
    acl.rt.notify_batch_reset([5, 6])
    assert c.last == ([5, 6], 2)
    needs_list = "argument 2 only support the format of list"
    refused(ValueError, needs_list, acl.rt.ipc_mem_set_import_pid, "key", (1,))
    refused(ValueError, needs_list, acl.rt.mem_set_pid_to_shareable_handle, 9, 1)
    refused(ValueError, "get values from PyList failed", acl.rt.notify_set_import_pid, 9, ["x"])
    refused(ValueError, "get values from PyList failed", acl.rt.notify_set_import_pid, 9, [1 << 31])
    refused(ValueError, "argument only support the format of list", acl.rt.notify_batch_reset, None)
    refused(ValueError, "get notify pointers from PyList failed", acl.rt.notify_batch_reset, [-1])
    refused(ValueError, needs_list, acl.rt.launch_kernel_with_config, 1, 1, 0, None, 1, 0)
    refused(ValueError, needs_list, acl.rt.binary_load_from_file, "k.o", None)


def test_kernel_configs_and_options(acl: SimpleNamespace, c: Recorder) -> None:
    acl.rt.launch_kernel_with_config(1, 8, 2, [], 3, 0)
    assert c.last == (1, 8, 2, None, 3, 0)
    acl.rt.launch_kernel_with_config(1, 8, 2, [{"id": 1, "value": 0x101}, {}], 3, 0)
    config = c.last[3]
    assert config.numAttrs == 2
    assert [a.id for a in config.attrs] == [1, 0]
    assert (config.attrs[0].value.schemMode, config.attrs[0].value.blockDimOffset) == (1, 0x101)
    refused(TypeError, "the cfg argument is not dict", acl.rt.launch_kernel_with_config, 1, 8, 2, [3], 3, 0)
    acl.rt.binary_load_from_file("k.o", [{"type": 2, "value": 7}])
    assert c.last[0] == "k.o"
    assert (c.last[1].options[0].type, c.last[1].options[0].value.magic) == (2, 7)
    acl.rt.binary_load_from_data(1, 2, [])
    assert c.last == (1, 2, None)
    acl.rt.launch_kernel_with_host_args(1, 8, 2, [], 3, 16, [{"addrOffset": 0, "dataOffset": 8}], 1)
    assert c.last == (1, 8, 2, None, 3, 16, [structs.aclrtPlaceHolderInfo(0, 8)], 1)
    refused(ValueError, "argument 2 or 3 must not be empty", acl.rt.register_cpu_func, 1, "", "k")


def test_malloc_configs(acl: SimpleNamespace, c: Recorder) -> None:
    acl.rt.malloc_with_cfg(8, 0, {})
    assert c.last == (8, 0, None)
    acl.rt.malloc_with_cfg(8, 0, {"numAttrs": 1, "attrs": [{"attr": 1, "value": {"moduleId": 3}}]})
    config = c.last[2]
    assert (config.numAttrs, config.attrs[0].attr, config.attrs[0].value.moduleId) == (1, 1, 3)
    refused(TypeError, "pyCfg is not dict!", acl.rt.malloc_with_cfg, 8, 0, None)
    refused(TypeError, "the aclrtMallocAttrValue argument is not dict", acl.rt.malloc_with_cfg, 8, 0, {"numAttrs": 1})
    mismatch = "The numAttrs inputed does not match the expected numAttrs"
    refused(KeyError, mismatch, acl.rt.malloc_host_with_cfg, 8, {"numAttrs": 2, "attrs": []})
    unknown = "No valid key found in aclrtMallocAttrValue"
    wrong = {"numAttrs": 1, "attrs": [{"value": {"x": 1}}]}
    refused(KeyError, unknown, acl.rt.malloc_for_task_scheduler, 8, 0, wrong)


def test_physical_memory(acl: SimpleNamespace, c: Recorder) -> None:
    prop = {"handleType": 0, "allocationType": 0, "memAttr": 4, "location": {"id": 1, "type": 1}, "reserve": 5}
    acl.rt.malloc_physical(4096, prop, 0)
    assert c.last[1] == structs.aclrtPhysicalMemProp(0, 0, 4, structs.aclrtMemLocation(1, 1), 5)
    acl.rt.mem_get_allocation_granularity({"memAttr": "ignored"}, 0)
    assert c.last[0] == structs.aclrtPhysicalMemProp()
    refused(TypeError, "the aclrtPhysicalMemProp argument is not dict", acl.rt.malloc_physical, 1, [], 0)
    refused(ValueError, "PyLong_AsLong failed", acl.rt.malloc_physical, 1, {"memAttr": BIG}, 0)


def test_stream_attributes(acl: SimpleNamespace, c: Recorder) -> None:
    acl.rt.set_stream_attribute(1, 1, {"failureMode": 1, "overflowSwitch": 9})
    assert c.last == (1, 1, structs.aclrtStreamAttrValue(failureMode=1))
    acl.rt.set_stream_attribute(1, 3, {"userCustomTag": 5})
    assert c.last[2].userCustomTag == 5
    acl.rt.set_stream_attribute(1, 5, {"reserved": [3]})
    assert c.last[2].streamPriority == 3
    acl.rt.set_stream_attribute(1, 1, {"nothing": 1})
    assert c.last[2] == structs.aclrtStreamAttrValue()
    refused(TypeError, "the aclrtStreamAttrValue argument is not dict", acl.rt.set_stream_attribute, 1, 1, 1)
    long = "The length of reserved should be no greater than 4"
    refused(ValueError, long, acl.rt.set_stream_attribute, 1, 9, {"reserved": [0] * 5})
    c.answers.update(aclrtGetStreamAttribute=(structs.aclrtStreamAttrValue(overflowSwitch=1, streamPriority=2), 0))
    assert acl.rt.get_stream_attribute(1, 2) == ({"overflowSwitch": 1}, 0)
    assert acl.rt.get_stream_attribute(1, 5) == ({"reserved": [2, 0, 0, 0]}, 0)


def test_notify_timeouts(acl: SimpleNamespace, c: Recorder) -> None:
    acl.rt.wait_and_reset_notify(1, 2, 0xFFFF_FFFF)
    assert c.last == (1, 2, 0xFFFF_FFFF)
    refused(TypeError, "timeout can't be a negative number!", acl.rt.wait_and_reset_notify, 1, 2, -1)
    refused(TypeError, "timeout should be less than 2**32!", acl.rt.wait_and_reset_notify, 1, 2, 1 << 32)


def test_model_options_are_variables_of_their_width(acl: SimpleNamespace, c: Recorder) -> None:
    seen: list[Any] = []

    def read(handle: int, attribute: int, address: int, size: int) -> int:
        seen.append((attribute, size, int.from_bytes(ctypes.string_at(address, size), "little")))
        return 0

    c.answers.update(aclmdlSetConfigOpt=read, aclmdlSetExecConfigOpt=read)
    acl.mdl.set_config_opt(1, 0, 7)
    acl.mdl.set_config_opt(1, 3, 0x1234)
    acl.mdl.set_config_opt(1, 9, 5)
    acl.mdl.set_exec_config_opt(1, 2, 6)
    assert seen == [(0, 4, 7), (3, 8, 0x1234), (9, 8, 5), (2, 4, 6)]
    refused(TypeError, "acl.mdl.set_config_opt args parse failed!", acl.mdl.set_config_opt, 1, 0, "7")

    def read_path(handle: int, attribute: int, address: int, size: int) -> int:
        pointer = ctypes.c_size_t.from_address(address).value
        seen.append(ctypes.string_at(pointer))
        return 0

    c.answers.update(aclmdlSetConfigOpt=read_path)
    acl.mdl.set_config_opt(1, 2, "a.om")
    assert seen[-1] == b"a.om"


def test_dynamic_dims(acl: SimpleNamespace, c: Recorder) -> None:
    acl.mdl.set_input_dynamic_dims(1, 2, 3, {"name": "x", "dimCount": 2, "dims": [1, -1, 9]})
    assert c.last == (1, 2, 3, structs.aclmdlIODims("x", 2, [1, -1]))
    refused(TypeError, "argument 4 is not dict", acl.mdl.set_input_dynamic_dims, 1, 2, 3, [])
    no_list = "The dims of parameter 4 is not a list."
    refused(TypeError, no_list, acl.mdl.set_input_dynamic_dims, 1, 2, 3, {"dimCount": 1, "dims": (1,)})
    short = "the dims of fourth parameter is not list of int"
    refused(TypeError, short, acl.mdl.set_input_dynamic_dims, 1, 2, 3, {"dimCount": 2, "dims": [1]})


def test_small_ones(acl: SimpleNamespace, c: Recorder) -> None:
    acl.app_log(2, "50 %s")
    assert c.last == (2, "app_log", "acl", 0, "50 %s")
    acl.prof.init("/tmp/ü")
    assert c.last == ("/tmp/ü", 7)
    acl.prof.mark_ex("hello", 5)
    assert c.last == ("hello", 5, 5)
    acl.prof.set_config(1, "abc")
    assert c.last == (1, "abc", 3)
    acl.prof.create_config([0, 1], 1, 0, 3)
    assert c.last == ([0, 1], 2, 1, 0, 3)
    refused(TypeError, "argument 1 is not list", acl.prof.create_config, 0, 1, 0, 3)
    acl.prof.create_subscribe_config(1, 2, 33)
    assert c.last[:2] == (1, 2)
    assert ctypes.c_int32.from_address(c.last[2]).value == 33
    acl.blas.gemv_ex(*range(16))  # the source passes incy twice
    assert c.last == (0, 1, 2, 3, 4, 5, 6, 7, 12, 9, 10, 11, 12, 13, 14, 15)
    assert acl.rt.get_group_count(1) == (0, 507000)
    acl.rt.mem_uce_repair(0, [{"addr": 16, "len": 8}])
    assert c.last == (0, [structs.aclrtMemUceInfo(16, 8)], 1)
    c.answers.update(aclrtGetMemUceInfo=([structs.aclrtMemUceInfo(16, 8)], 1, 0))
    assert acl.rt.get_mem_uce_info(0, 4) == ([{"addr": 16, "len": 8, "reserved": [0] * 14}], 0)


def test_create_kernel_takes_a_flag(acl: SimpleNamespace, c: Recorder) -> None:
    acl.op.create_kernel("Add", "id", "k", 1, 2, 3, 0)
    assert c.last[-1] is None
    acl.op.create_kernel("Add", "id", "k", 1, 2, 3, 1)
    assert callable(c.last[-1])


def test_no_warning_without_arrays(acl: SimpleNamespace, c: Recorder) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        acl.op.set_attr_list_int(1, "a", [1])
    assert c.last == (1, "a", 1, [1])
