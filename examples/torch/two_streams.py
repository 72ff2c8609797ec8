"""Two streams of torch, and the event between them.

One stream makes a batch ready while the other still computes with the one before. The event says when a batch may be
used: without the wait for it, the results are right on some days.

    ascend-sim run examples/torch/two_streams.py
    ascend-sim run examples/torch/two_streams.py --forget-wait      # error[race], at the line of the multiplication
"""

import sys

import torch

BATCHES, ROWS = 4, 256

loader, compute = torch.npu.Stream(), torch.npu.Stream()
weight = torch.eye(ROWS, device="npu") * 3
torch.npu.synchronize()

sums = []
for number in range(BATCHES):
    host = torch.full((ROWS, ROWS), float(number)).pin_memory()
    ready = torch.npu.Event()
    with torch.npu.stream(loader):
        batch = host.to("npu", non_blocking=True)
        ready.record()
    with torch.npu.stream(compute):
        if "--forget-wait" not in sys.argv:
            compute.wait_event(ready)
        result = batch @ weight
        batch.record_stream(compute)  # `batch` is let go in the next round, while `compute` may still read it
        sums.append(result.sum())

torch.npu.synchronize()
print([round(value.item()) for value in sums])
