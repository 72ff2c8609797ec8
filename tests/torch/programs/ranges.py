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


@torch.profiler.record_function("decorated")
def count_down(x, n):
    return count_down(x + 1, n - 1) if n else x


with torch.profiler.record_function("forward"):
    with torch.profiler.record_function("layer"):
        y = x * 3
    z = count_down(y, 1)
assert z.cpu().tolist() == [4] * 4
try:
    with torch.profiler.record_function("failing"):
        raise ValueError("the program's")
except ValueError:
    pass
outer, crossing = torch.profiler.record_function("outer"), torch.profiler.record_function("crossing")
outer.__enter__()
crossing.__enter__()
y = x + 1
outer.__exit__(None, None, None)
y = y + 1
crossing.__exit__(None, None, None)


@torch.jit.script
def scripted(x):
    with torch.autograd.profiler.record_function("scripted"):
        return x + 1


assert scripted(x).cpu().tolist() == [2] * 4

# The default activities ask for the interface of profiling tools.
with torch.profiler.profile() as profiled, torch.profiler.record_function("profiled"):
    y = x + x
assert y.cpu().tolist() == [2] * 4
assert {"profiled", "aten::add"} <= {event.key for event in profiled.key_averages()}

# A profiler's steps; the optimizer has a range of its own in each.
weight = torch.ones(4, device="npu", requires_grad=True)
optimizer = torch.optim.SGD([weight], lr=0.1)
with torch.profiler.profile(schedule=torch.profiler.schedule(wait=1, warmup=1, active=2)) as stepping:
    for _ in range(4):
        weight.square().sum().backward()
        optimizer.step()
        stepping.step()
words = {"wait": 0, "warmup": 0, "active": 2, "repeat": 1}
with profile(activities=[ProfilerActivity.NPU], schedule=torch_npu.profiler.schedule(**words)) as stepping:
    for _ in range(2):
        with torch.profiler.record_function("backward"):
            weight.square().sum().backward()
        stepping.step()
