"""How programs with torch_npu end, by the word they are given: by themselves, an exception, Ctrl-C, after workers."""

import os
import select
import signal
import sys

import torch
from torch.utils.data import DataLoader, Dataset

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


def exit():
    step(torch.randn(4, 8).npu())
    leave_work_behind()
    sys.exit(3)


def hit_keys():
    """Ctrl-C, which the program and its workers get; a process that does nothing else stands for the user's hand."""
    os.setpgrp()
    if not os.fork():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        select.select([], [], [], 0.1 + 0.017 * int(sys.argv[2]))
        os.killpg(0, signal.SIGINT)
        os._exit(0)


def interrupt():
    hit_keys()
    while True:
        step(torch.randn(4, 8).npu())
        torch.npu.synchronize()


class Numbers(Dataset):
    """Sixteen samples; one of them is a fault."""

    def __init__(self, faulty=-1):
        self.faulty = faulty

    def __len__(self):
        return 16

    def __getitem__(self, index):
        if index == self.faulty:
            raise ValueError("the sample's own")
        return torch.full((8,), float(index + 1))


def train(data):
    for x in DataLoader(data, batch_size=4, num_workers=2, pin_memory=True):
        assert step(x.npu(non_blocking=True)).item() > 0


def workers():
    train(Numbers())


def worker_fails():
    train(Numbers(faulty=9))


def interrupt_workers():
    step(torch.randn(4, 8).npu())
    hit_keys()
    while True:
        train(Numbers())


globals()[sys.argv[1]]()
