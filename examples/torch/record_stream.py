"""A tensor that another stream still reads when its last variable is gone.

torch's allocator gives the memory to the next tensor of the same stream at once: that is safe on one stream, since its
tasks run one after the other. `record_stream` tells it who else has to be done first.

    ascend-sim run examples/torch/record_stream.py
    ascend-sim run examples/torch/record_stream.py --forget         # error[race]: help: activations.record_stream(side)
"""

import sys

import torch

SIZE = 1 << 16

side = torch.npu.Stream()
total = torch.zeros(1, device="npu")
torch.npu.synchronize()


def statistics_of(step: int) -> None:
    """Start to sum up the activations on the side stream; nobody waits for that."""
    activations = torch.full((SIZE,), float(step), device="npu")
    side.wait_stream(torch.npu.current_stream())
    with torch.npu.stream(side):
        total.add_(activations.sum())
    if "--forget" not in sys.argv:
        activations.record_stream(side)


for step in range(3):
    statistics_of(step)
    other = torch.ones(SIZE, device="npu")  # takes the memory of the activations, if nobody keeps it

torch.npu.synchronize()
print(total.item() == SIZE * 3.0)
