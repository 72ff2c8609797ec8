"""Faults of torch programs: `gallery.py NAME` makes one, `gallery.py` runs the corrected programs.

The line with the mark FAULT: KIND is where the finding of that kind has to point first.
"""

import os
import sys

import torch
import torch_npu  # noqa: F401 - the device "npu"

N = 1 << 16


def missing_wait(right):
    x = torch.zeros(N, device="npu")
    s1 = torch.npu.Stream()
    s2 = torch.npu.Stream(priority=-1)  # of another pool of torch's
    torch.npu.synchronize()
    ready = torch.npu.Event()
    with torch.npu.stream(s1):
        x.fill_(3.0)
        ready.record()
    with torch.npu.stream(s2):
        if right:
            s2.wait_event(ready)
        y = x + 1  # FAULT: race
    torch.npu.synchronize()
    return y


def missing_record_stream(right):
    side = torch.npu.Stream()

    def use():
        y = torch.ones(N, device="npu")
        side.wait_stream(torch.npu.current_stream())
        with torch.npu.stream(side):
            z = y * 2
        if right:
            y.record_stream(side)
        return z

    kept = use()
    w = torch.zeros(N, device="npu")  # FAULT: race
    torch.npu.synchronize()
    return kept, w


def pinned_buffer_rewritten(right):
    h = torch.ones(N).pin_memory()
    x = torch.empty(N, device="npu")
    x.copy_(h, non_blocking=True)  # FAULT: race
    if right:
        torch.npu.current_stream().synchronize()
    h.fill_(2.0)
    torch.npu.synchronize()
    return x


def host_read_before_synchronize(right):
    x = torch.full((N,), 2.0, device="npu")
    h = torch.zeros(N).pin_memory()
    torch.npu.synchronize()
    h.copy_(x, non_blocking=True)
    if right:
        done = torch.npu.current_stream().record_event()
        done.synchronize()
    total = h.numpy().sum()  # FAULT: race
    assert not right or total == 2 * N
    h.copy_(x * 2, non_blocking=True)
    if right:
        while not torch.npu.current_stream().query():
            pass
        assert h[-1].item() == 4
        assert (h + 1)[0] == 5
    torch.npu.synchronize()
    assert h[0] == 4
    return x.to("cpu", non_blocking=True)  # nobody looks at it


def event_reused(right):
    a, b = torch.zeros(N, device="npu"), torch.zeros(N, device="npu")
    s1, s2 = torch.npu.Stream(), torch.npu.Stream()
    torch.npu.synchronize()
    done = torch.npu.Event()
    second = torch.npu.Event() if right else done
    with torch.npu.stream(s1):
        a.add_(1)
        done.record()
    with torch.npu.stream(s2):
        b.add_(1)
        second.record()
    torch.npu.current_stream().wait_event(done)
    torch.npu.current_stream().wait_event(second)
    c = a + b  # FAULT: race
    torch.npu.synchronize()
    return c


def graph_outlives_its_input(right):
    x = torch.ones(8 << 20, device="npu")
    y = torch.zeros(8 << 20, device="npu")
    torch.npu.synchronize()
    graph = torch.npu.NPUGraph()
    with torch.npu.graph(graph):
        y.add_(x)
    if not right:
        del x
        torch.npu.empty_cache()  # FAULT: use-after-free
    graph.replay()
    torch.npu.synchronize()
    return y


def side_stream_over_a_parameter(right):
    layer = torch.nn.Linear(64, 64).npu()
    x = torch.ones(8, 64, device="npu")
    side = torch.npu.Stream()
    torch.npu.synchronize()
    loss = layer(x).sum()
    if right:
        loss.backward()
        side.wait_stream(torch.npu.current_stream())
    with torch.npu.stream(side), torch.no_grad():
        layer.weight.mul_(0.5)  # FAULT: race
    torch.npu.synchronize()


CASES = {f.__name__: f for f in (
    missing_wait, missing_record_stream, pinned_buffer_rewritten, host_read_before_synchronize, event_reused,
    graph_outlives_its_input, side_stream_over_a_parameter,
)}

if len(sys.argv) > 1:
    CASES[sys.argv[1]](right=False)
else:
    if os.environ["TASK_QUEUE_ENABLE"] == "2":
        del CASES["graph_outlives_its_input"]  # torch_npu refuses captures then
    for name, case in CASES.items():
        print(name)
        case(right=True)
