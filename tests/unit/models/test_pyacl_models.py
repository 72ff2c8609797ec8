"""Models through pyACL: return shapes, dicts, the flow of the samples."""

from pathlib import Path
from typing import Any

import numpy as np

from ascend_sim.om import Aipp, Gears, TensorDescription, save
from tests.unit.models.conftest import Models, batches, neg


def test_the_flow_of_the_samples(acl: Any, models: Models, tmp_path: Path) -> None:
    save(tmp_path / "neg.om", neg((2, 2)))
    number, ret = acl.mdl.load_from_file(str(tmp_path / "neg.om"))
    assert (number, ret) == (1, 0)
    assert acl.mdl.query_size(str(tmp_path / "neg.om")) == (0, 0, 0)
    desc = acl.mdl.create_desc()
    assert acl.mdl.get_desc(desc, number) == 0
    assert (acl.mdl.get_num_inputs(desc), acl.mdl.get_num_outputs(desc)) == (1, 1)
    assert acl.mdl.get_input_size_by_index(desc, 0) == acl.mdl.get_output_size_by_index(desc, 0) == 16
    wanted = ({"name": "x", "dimCount": 2, "dims": [2, 2]}, 0)
    assert acl.mdl.get_input_dims(desc, 0) == acl.mdl.get_input_dims_v2(desc, 0) == wanted
    assert acl.mdl.get_output_dims(desc, 0) == acl.mdl.get_cur_output_dims(desc, 0)
    assert acl.mdl.get_input_dims(desc, 5) == ({}, 100000)
    assert acl.mdl.get_input_data_type(desc, 0) == acl.mdl.get_output_data_type(desc, 0) == 0
    assert acl.mdl.get_input_format(desc, 0) == acl.mdl.get_output_format(desc, 0) == 2
    assert acl.mdl.get_input_name_by_index(desc, 0) == "x"
    assert acl.mdl.get_input_index_by_name(desc, "x") == (0, 0)
    assert acl.mdl.get_input_dims_range(desc, 0) == ({"rangeCount": 2, "range": [[2, 2], [2, 2]]}, 0)
    datasets = []
    for values in ([1, 2, 3, 4], [0, 0, 0, 0]):
        address, ret = acl.rt.malloc(16, 0)
        raw = np.array(values, np.float32).tobytes()
        acl.rt.memcpy(address, 16, acl.util.bytes_to_ptr(raw), 16, 1)
        dataset = acl.mdl.create_dataset()
        assert acl.mdl.add_dataset_buffer(dataset, acl.create_data_buffer(address, 16)) == (dataset, 0)
        assert acl.mdl.get_dataset_num_buffers(dataset) == 1
        datasets.append(dataset)
    assert acl.mdl.execute(number, *datasets) == 0
    out = acl.mdl.get_dataset_buffer(datasets[1], 0)
    host, _ = acl.rt.malloc_host(16)
    acl.rt.memcpy(host, 16, acl.get_data_buffer_addr(out), 16, 2)
    assert np.frombuffer(acl.util.ptr_to_bytes(host, 16), np.float32).tolist() == [-1, -2, -3, -4]
    for dataset in datasets:
        assert acl.destroy_data_buffer(acl.mdl.get_dataset_buffer(dataset, 0)) == 0
        assert acl.mdl.destroy_dataset(dataset) == 0
    assert acl.mdl.destroy_desc(desc) == 0
    assert acl.mdl.unload(number) == 0
    assert models.kinds() == []


def test_gears_as_dicts(acl: Any, models: Models) -> None:
    def described(source: Any) -> int:
        models.sim.models["m.om"] = source
        number, _ = acl.mdl.load_from_file("m.om")
        desc = acl.mdl.create_desc()
        acl.mdl.get_desc(desc, number)
        return int(desc)

    desc = described(batches(1, 2, 8))
    assert acl.mdl.get_dynamic_batch(desc) == ({"batchCount": 3, "batch": [1, 2, 8]}, 0)
    assert acl.mdl.get_input_dims(desc, 0)[0]["dims"] == [-1, 4]
    assert acl.mdl.get_output_dims(desc, 0)[0]["dims"] == [8, 4]
    desc = described(neg((1, -1, -1), gears=Gears("hw", ((2, 3), (4, 6)))))
    assert acl.mdl.get_dynamic_hw(desc, 0) == ({"hwCount": 2, "hw": [[2, 3], [4, 6]]}, 0)
    desc = described(neg((-1, 5), gears=Gears("dims", ((1,), (3,)))))
    assert acl.mdl.get_input_dynamic_gear_count(desc, -1) == (2, 0)
    found, ret = acl.mdl.get_input_dynamic_dims(desc, -1, 2)
    assert ([d["dims"] for d in found], ret) == ([[1, 5], [3, 5]], 0)
    ins = models.dataset((models.memory([0] * 15), 60), (models.memory([0]), 4))
    assert acl.mdl.set_input_dynamic_dims(3, ins, 1, {"name": "", "dimCount": 2, "dims": [3, 5]}) == 0
    assert acl.mdl.set_input_dynamic_dims(3, ins, 1, {"name": "", "dimCount": 2, "dims": [2, 5]}) == 145013


def test_options_of_loading(acl: Any, models: Models, tmp_path: Path) -> None:
    save(tmp_path / "neg.om", neg())
    handle = acl.mdl.create_config_handle()
    assert acl.mdl.load_with_config(handle)[1] == 100000
    assert acl.mdl.set_config_opt(handle, 2, str(tmp_path / "neg.om")) == 0  # path
    assert acl.mdl.set_config_opt(handle, 1, 1) == 0  # from a file
    assert acl.mdl.set_config_opt(handle, 0, 3) == 0  # priority
    assert acl.mdl.load_with_config(handle) == (1, 0)
    assert models.sim.models.loaded[1].priority == 3
    assert acl.mdl.destroy_config_handle(handle) == 0
    config = acl.mdl.create_exec_config_handle()
    assert acl.mdl.set_exec_config_opt(config, 0, 1000) == 0
    assert acl.mdl.set_exec_config_opt(config, 7, 1000) == 100000
    assert acl.mdl.destroy_exec_config_handle(config) == 0


def test_models_in_memory_and_bundles(acl: Any, models: Models, tmp_path: Path) -> None:
    save(tmp_path / "b.om", [neg(), neg()])
    bundle, ret = acl.mdl.bundle_load_from_file(str(tmp_path / "b.om"))
    assert ret == 0
    assert acl.mdl.bundle_get_model_num(bundle) == (2, 0)
    assert acl.mdl.bundle_get_model_id(bundle, 1) == (2, 0)
    assert acl.mdl.bundle_unload(bundle) == 0
    save(tmp_path / "m.om", neg())
    raw = (tmp_path / "m.om").read_bytes()
    assert acl.mdl.load_from_mem(acl.util.bytes_to_ptr(raw), len(raw)) == (3, 0)
    assert acl.mdl.load_from_mem(0, len(raw))[1] == 100000
    assert acl.mdl.get_desc_from_file(acl.mdl.create_desc(), str(tmp_path / "m.om")) == 0


def test_images_of_dynamic_preprocessing(acl: Any, models: Models) -> None:
    dims = (1, 3, 2, 4)
    image = TensorDescription("x", 0, dims, 0, aipp=Aipp(max_src_image_size=64))
    number = models.load(neg(inputs=(image,), outputs=(TensorDescription("y", 0, dims, 0),)))
    desc = acl.mdl.create_desc()
    assert acl.mdl.get_desc(desc, number) == 0
    kind, index, ret = acl.mdl.get_aipp_type(number, 0)
    assert (kind, index, ret) == (2, 1, 0)
    assert acl.mdl.get_input_index_by_name(desc, "ascend_dynamic_aipp_data") == (index, 0)
    pixels = np.arange(24, dtype=np.uint8)
    buffers = [models.memory([0] * 24, size) for size in (64, acl.mdl.get_aipp_data_size(1)[0], 96)]
    assert acl.rt.memcpy(buffers[0], 64, acl.util.bytes_to_ptr(pixels.tobytes()), 24, 1) == 0
    ins, outs = acl.mdl.create_dataset(), acl.mdl.create_dataset()
    for dataset, address, size in ((ins, buffers[0], 64), (ins, buffers[1], 160), (outs, buffers[2], 96)):
        assert acl.mdl.add_dataset_buffer(dataset, acl.create_data_buffer(address, size)) == (dataset, 0)
    aipp = acl.mdl.create_aipp(1)
    assert acl.mdl.set_aipp_input_format(aipp, 3) == 0
    assert acl.mdl.set_aipp_src_image_size(aipp, 4, 2) == 0
    assert acl.mdl.set_aipp_rbuv_swap_switch(aipp, 1) == 0
    assert acl.mdl.set_aipp_ax_swap_switch(aipp, 0) == 0
    assert acl.mdl.set_aipp_csc_params(aipp, 0, *[0] * 15) == 0
    assert acl.mdl.set_aipp_crop_params(aipp, 0, 0, 0, 0, 0, 0) == 0
    assert acl.mdl.set_aipp_padding_params(aipp, 0, 0, 0, 0, 0, 0) == 0
    assert acl.mdl.set_aipp_scf_params(aipp, 0, 0, 0, 0, 0, 0) == 0
    assert acl.mdl.set_aipp_dtc_pixel_mean(aipp, 1, 2, 3, 0, 0) == 0
    assert acl.mdl.set_aipp_dtc_pixel_min(aipp, 0.0, 0.0, 0.0, 0.0, 0) == 0
    assert acl.mdl.set_aipp_pixel_var_reci(aipp, 0.5, 1.0, 1.0, 1.0, 0) == 0
    assert acl.mdl.set_input_aipp(number, ins, index, aipp) == 0
    assert acl.mdl.set_aipp_by_input_index(number, ins, 0, aipp) == 0
    assert acl.mdl.set_aipp_by_input_index(number, ins, 1, aipp) == 500000
    assert acl.mdl.execute(number, ins, outs) == 0
    wanted = (pixels.reshape(2, 4, 3)[:, :, ::-1] - np.float32([1, 2, 3])) * np.float32([0.5, 1, 1])
    assert models.floats(buffers[2], 24) == [-float(v) for v in wanted.transpose(2, 0, 1).ravel()]
    info, ret = acl.mdl.get_first_aipp_info(number, 0)
    assert (ret, info["shapeCount"], info["outDims"][0]["srcDims"]["dims"]) == (0, 1, [1, 3, 2, 4])
    assert acl.mdl.get_first_aipp_info(number, 1) == (None, 145015)
    assert acl.mdl.destroy_aipp(aipp) == 0
