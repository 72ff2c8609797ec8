"""A small network trained on a simulated NPU and on the CPU: the losses agree.

    ascend-sim run --devices 2 --timeline train.html examples/torch/train.py
"""

import torch
from torch import nn


def train(device: str, steps: int = 5) -> list[float]:
    """Train on *device*; the loss of each step."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 32), nn.GELU(), nn.LayerNorm(32), nn.Linear(32, 1))
    inputs = torch.randn(64, 8)
    targets = inputs.sum(1, keepdim=True)
    model, inputs, targets = model.to(device), inputs.to(device), targets.to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(inputs), targets)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return losses


torch.set_num_threads(1)
simulated, on_cpu = train("npu"), train("cpu")
print("losses:", " ".join(f"{loss:.4f}" for loss in simulated))
print("as on the CPU:", all(abs(a - b) < 1e-3 * abs(b) for a, b in zip(simulated, on_cpu, strict=True)))
