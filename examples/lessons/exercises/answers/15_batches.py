"""Exercise 15. Two streams of torch

Three batches are made on one stream and added up on another one. Two things are missing: who waits for whom, and who keeps
the memory of a batch. Put both in; the host goes on waiting once, at the end, and both streams keep their work. It should
print `sums 65536 131072 196608`.

    ascend-sim run 15_batches.py
"""

import torch

SIZE = 1 << 16

loader, adder = torch.npu.Stream(), torch.npu.Stream()
torch.npu.synchronize()

sums = []
for number in range(3):
    with torch.npu.stream(loader):
        batch = torch.full((SIZE,), float(number + 1), device="npu")
    adder.wait_stream(loader)
    with torch.npu.stream(adder):
        sums.append(batch.sum())
    batch.record_stream(adder)
    del batch

torch.npu.synchronize()
print("sums", *(int(each.item()) for each in sums))
