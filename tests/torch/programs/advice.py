"""Independent faults, and memory that other threads were handed: `advice.py wrong`, or `right`, runs each.

The lines with the mark FAULT are where the findings have to point first.
"""

import queue
import sys
import threading

import torch
import torch_npu  # noqa: F401 - the device "npu"

N = 1 << 14


def pinned():
    return torch.zeros(N).pin_memory()


def streams():
    return torch.npu.Stream(), torch.npu.Stream()


# -- faults that have nothing to do with each other ----------------------------------------------------------------------


def copied_to_the_device(right):
    h, g = pinned(), pinned()
    a, b = torch.zeros(N, device="npu"), torch.zeros(N, device="npu")
    s, t = streams()
    torch.npu.synchronize()
    with torch.npu.stream(s):
        a.copy_(h, non_blocking=True)
        b.copy_(g, non_blocking=True)
    if right:
        t.wait_stream(s)
    with torch.npu.stream(t):
        x = a + 1  # FAULT
        y = b + 1  # FAULT
    torch.npu.synchronize()
    return x, y


def copied_to_the_host(right):
    h, g = pinned(), pinned()
    a, b = torch.zeros(N, device="npu"), torch.zeros(N, device="npu")
    s, t = streams()
    torch.npu.synchronize()
    with torch.npu.stream(s):
        a.fill_(1)
        b.fill_(1)
    if right:
        t.wait_stream(s)
    with torch.npu.stream(t):
        h.copy_(a, non_blocking=True)  # FAULT
        g.copy_(b, non_blocking=True)  # FAULT
    torch.npu.synchronize()


def read_by_the_host(right):
    h, g = pinned(), pinned()
    a, b = torch.ones(N, device="npu"), torch.ones(N, device="npu")
    torch.npu.synchronize()
    h.copy_(a, non_blocking=True)
    g.copy_(b, non_blocking=True)
    if right:
        torch.npu.current_stream().synchronize()
    x = h.numpy().sum()  # FAULT
    y = g.numpy().sum()  # FAULT
    torch.npu.synchronize()
    return x, y


# -- memory that another thread was handed -------------------------------------------------------------------------------


def read_too_early(right):
    a = torch.zeros(N, device="npu")
    s, _ = streams()
    torch.npu.synchronize()
    full = queue.Queue()

    def read():
        buffer = full.get()
        if right:
            s.synchronize()
        buffer.sum().item()  # FAULT

    reader = threading.Thread(target=read)
    reader.start()
    h = pinned()
    with torch.npu.stream(s):
        h.copy_(a, non_blocking=True)
    full.put(h)
    reader.join()
    torch.npu.synchronize()


def copied_by_the_host(right):
    """A blocking copy in a thread that has not waited."""
    a = torch.zeros(N, device="npu")
    s, _ = streams()
    torch.npu.synchronize()
    full = queue.Queue()

    def read():
        block = full.get()
        if right:
            s.synchronize()
        block.cpu()  # FAULT

    reader = threading.Thread(target=read)
    reader.start()
    with torch.npu.stream(s):
        a.fill_(3)
    full.put(a)
    reader.join()
    torch.npu.synchronize()


def two_streams(right):
    a, b = torch.zeros(N, device="npu"), torch.zeros(N, device="npu")
    s, t = streams()
    torch.npu.synchronize()
    free, full = queue.Queue(), queue.Queue()
    free.put(b)

    def load():
        with torch.npu.stream(t):
            for i in range(2):
                block = free.get()
                block.fill_(i)  # FAULT
                t.synchronize()
                full.put(block)

    loader = threading.Thread(target=load)
    loader.start()
    for _ in range(2):
        block = full.get()
        with torch.npu.stream(s):
            a.add_(block)
        if right:
            s.synchronize()
        free.put(block)
    loader.join()
    torch.npu.synchronize()


def rewritten_through_a_queue(right):
    """The buffer is written without a call of the API: the copy is where the report can point."""
    a = torch.zeros(N, device="npu")
    s, _ = streams()
    torch.npu.synchronize()
    free, full = queue.Queue(), queue.Queue()
    free.put(pinned())

    def load():
        for i in range(2):
            buffer = free.get()
            buffer.fill_(i)
            full.put(buffer)

    loader = threading.Thread(target=load)
    loader.start()
    for _ in range(2):
        buffer = full.get()
        with torch.npu.stream(s):
            a.copy_(buffer, non_blocking=True)  # FAULT
        if right:
            s.synchronize()
        free.put(buffer)
    loader.join()
    torch.npu.synchronize()


def rewritten_from_a_pool(right):
    a = torch.zeros(N, device="npu")
    s, _ = streams()
    torch.npu.synchronize()
    pool, full, changed = [pinned()], [], threading.Condition()

    def load():
        for i in range(2):
            with changed:
                changed.wait_for(lambda: pool)
                buffer = pool.pop()
            buffer.numpy()[:] = i
            with changed:
                full.append(buffer)
                changed.notify_all()

    loader = threading.Thread(target=load)
    loader.start()
    for _ in range(2):
        with changed:
            changed.wait_for(lambda: full)
            buffer = full.pop()
        with torch.npu.stream(s):
            a.copy_(buffer, non_blocking=True)  # FAULT
        if right:
            s.synchronize()
        with changed:
            pool.append(buffer)
            changed.notify_all()
    loader.join()
    torch.npu.synchronize()


CASES = {name: case for name, case in globals().items() if getattr(case, "__code__", None) is not None
         and case.__code__.co_varnames[:1] == ("right",)}  # fmt: skip

if __name__ == "__main__":
    torch.set_num_threads(1)
    for name, case in CASES.items():
        case(sys.argv[1] == "right")
        print(name)
