"""A program with an allocator of its own: `pluggable.py LIBRARY ALLOCATOR CASE`; prints how many blocks it has at the end.

The line with the mark FAULT is where the finding has to point first.
"""

import ctypes
import sys

import torch
import torch_npu  # noqa: F401 - the device "npu"

torch.set_num_threads(1)
N = 1 << 16


def train():
    def losses(device):
        torch.manual_seed(0)
        net = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4)).to(device)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        x = torch.ones(2, 8, device=device)
        found = []
        for _ in range(3):
            optimizer.zero_grad()
            loss = net(x).square().sum()
            loss.backward()
            optimizer.step()
            found.append(loss.item())
        return found

    torch.testing.assert_close(losses("npu"), losses("cpu"))


def freed_too_early():
    x = torch.ones(N, device="npu")
    side = torch.npu.Stream()
    torch.npu.synchronize()
    with torch.npu.stream(side):
        z = x * 2
    del x  # FAULT
    torch.npu.synchronize()
    del z


def missing_wait():
    x = torch.ones(N, device="npu")
    side = torch.npu.Stream()
    torch.npu.synchronize()
    y = x + 1
    with torch.npu.stream(side):
        z = y * 2  # FAULT
    torch.npu.synchronize()
    del z


def in_a_pool():
    """The allocator serves one pool; the rest of the program keeps torch's own."""
    pool = torch.npu.MemPool(allocator.allocator())
    a = torch.ones(N, device="npu")
    with torch.npu.use_mem_pool(pool):
        b = a + 1
    assert library.blocks_alive() == 1
    assert (a + b).sum().item() == 3 * N
    del b, pool
    torch.npu.empty_cache()


library = ctypes.CDLL(sys.argv[1])
allocator = torch.npu.memory.NPUPluggableAllocator(sys.argv[1], f"{sys.argv[2]}_malloc", f"{sys.argv[2]}_free")
if sys.argv[3] != "in_a_pool":
    torch.npu.memory.change_current_allocator(allocator)
globals()[sys.argv[3]]()
print("alive", library.blocks_alive())
