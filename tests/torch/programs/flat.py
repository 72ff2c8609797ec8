"""A training loop of a thousand steps: memory that grows with the steps is a leak of the simulator."""

import gc
import json

import torch
from torch import nn

from ascend_sim.runtime.current import current

torch.set_num_threads(1)


def resident():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1)).npu()
x = torch.randn(32, 8).npu()
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
sizes = []
for step in range(1000):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    if step in (299, 999):
        loss.item()
        sizes.append(
            {"host": resident(), "device": torch.npu.memory_reserved(), "findings": len(list(current().findings))}
        )
print("sizes " + json.dumps(sizes))
