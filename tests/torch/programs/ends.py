"""How programs with torch_npu end, by the word they are given: by themselves, an exception, Ctrl-C, after workers."""

import os
import select
import signal
import sys

import torch
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(0)
net = torch.nn.Linear(8, 8).npu()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def step(x):
    loss = net(x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def leave_work_behind():
    with torch.npu.stream(torch.npu.Stream()):
        (torch.ones(64, device="npu") * 2).sum()


def plain():
    step(torch.randn(4, 8).npu())
    leave_work_behind()


def exception():
    step(torch.randn(4, 8).npu())
    leave_work_behind()
    raise ValueError("the program's own")


def interrupt():
    """A process that does nothing else stands for the user's hand."""
    program = os.getpid()
    if not os.fork():
        select.select([], [], [], 0.2)
        os.kill(program, signal.SIGINT)
        os._exit(0)
    while True:
        step(torch.randn(4, 8).npu())
        torch.npu.synchronize()


def workers():
    data = TensorDataset(torch.randn(16, 8))
    for (x,) in DataLoader(data, batch_size=4, num_workers=2, pin_memory=True):
        assert step(x.npu(non_blocking=True)).item() > 0


globals()[sys.argv[1]]()
