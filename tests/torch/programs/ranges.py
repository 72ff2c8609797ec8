"""Marks and ranges of torch_npu: `test_ranges` looks for them in the timeline."""

import torch
import torch_npu
from torch_npu.profiler import ProfilerActivity, _ExperimentalConfig, profile

torch.set_num_threads(1)
mstx = torch_npu.npu.mstx
x = torch.ones(4).npu()
mstx.mark("before")  # torch_npu hands nothing over while it does not profile
with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.NPU], experimental_config=_ExperimentalConfig(mstx=True)):
    number = mstx.range_start("training", torch.npu.current_stream())
    y = x + x
    mstx.range_end(number)
    mstx.range_push("inner", domain="mine")
    y = y * 2
    mstx.range_pop("mine")
    mstx.mark("point")
assert y.cpu().tolist() == [4] * 4
