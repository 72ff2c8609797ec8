"""Faults of torch programs in other shapes than the gallery's: `variations.py wrong` makes them all, `right` none.

Each runs in a process of its own, after one import. The line with the mark FAULT is where the finding has to point first.
"""

import os
import sys

import torch
import torch_npu  # noqa: F401 - the device "npu"
from torch.utils.data import DataLoader, Dataset

N = 1 << 12


def streams():
    made = torch.npu.Stream(), torch.npu.Stream(priority=-1)
    torch.npu.synchronize()
    return made


# -- no wait -----------------------------------------------------------------------------------------------------------


def wait_of_strided_views(right):
    x = torch.zeros(64, 64, device="npu")
    one, two = streams()
    with torch.npu.stream(one):
        x[:, ::2].copy_(torch.ones(64, 32, device="npu"))
        x[1::2].add_(1)
    with torch.npu.stream(two):
        if right:
            two.wait_stream(one)
        total = x.t()[3:5].sum()  # FAULT
    torch.npu.synchronize()
    return total


def wait_of_a_product_in_place(right):
    a, b = torch.ones(32, 32, device="npu"), torch.ones(32, 32, device="npu")
    out = torch.zeros(32, 32, device="npu")
    one, two = streams()
    with torch.npu.stream(one):
        torch.mm(a, b, out=out)
        done = one.record_event()
    if right:
        two.wait_event(done)
    with torch.npu.stream(two):
        out.relu_()  # FAULT
    torch.npu.synchronize()


def wait_of_half_precision(right):
    layer = torch.nn.Linear(32, 32).npu()
    x = torch.ones(8, 32, device="npu")
    one, two = streams()
    with torch.npu.stream(one), torch.autocast("npu", dtype=torch.float16), torch.no_grad():
        y = layer(x)
    with torch.npu.stream(two):
        if right:
            two.wait_stream(one)
        z = torch.softmax(y.float(), -1)  # FAULT
    torch.npu.synchronize()
    return z


def wait_between_devices(right):
    x = torch.zeros(N, device="npu:0")
    side = torch.npu.Stream(device="npu:0")
    y = torch.empty(N, device="npu:1")
    torch.npu.synchronize("npu:0")
    torch.npu.synchronize("npu:1")
    with torch.npu.stream(side):
        x.fill_(2.0)
    if right:
        torch.npu.current_stream("npu:0").wait_stream(side)
    y.copy_(x, non_blocking=True)  # FAULT
    torch.npu.synchronize("npu:0")
    torch.npu.synchronize("npu:1")
    return y


# -- no record_stream --------------------------------------------------------------------------------------------------


def reuse_of_a_view(right):
    side, _ = streams()

    def use():
        y = torch.ones(2, N, device="npu")
        half = y[1]
        side.wait_stream(torch.npu.current_stream())
        with torch.npu.stream(side):
            z = half.exp()
        if right:
            half.record_stream(side)
        return z

    kept = use()
    w = torch.zeros(2, N, device="npu")  # FAULT
    torch.npu.synchronize()
    return kept, w


def reuse_in_a_loop(right):
    side, _ = streams()
    kept = []
    for _ in range(3):
        batch = torch.ones(N, device="npu")  # FAULT
        side.wait_stream(torch.npu.current_stream())
        with torch.npu.stream(side):
            kept.append(batch.sum())
        if right:
            batch.record_stream(side)
        del batch
    torch.npu.synchronize()
    return kept


def reuse_of_a_copy(right):
    side, _ = streams()
    host = torch.ones(N).pin_memory()

    def fetched():
        with torch.npu.stream(side):
            x = host.to("npu", non_blocking=True)
        torch.npu.current_stream().wait_stream(side)
        if right:
            x.record_stream(torch.npu.current_stream())
        return x * 2

    y = fetched()
    with torch.npu.stream(side):
        again = host.to("npu", non_blocking=True)  # FAULT
    torch.npu.synchronize()
    return y, again


# -- page-locked memory ------------------------------------------------------------------------------------------------


def rewritten_slice(right):
    h = torch.ones(4, N).pin_memory()
    x = torch.empty(N, device="npu")
    x.copy_(h[2], non_blocking=True)  # FAULT
    if right:
        torch.npu.current_stream().synchronize()
    h[2, 5:9] = 7.0
    torch.npu.synchronize()


def rewritten_by_numpy(right):
    h = torch.ones(N).pin_memory()
    side, _ = streams()
    with torch.npu.stream(side):
        x = h.to("npu", non_blocking=True)  # FAULT
        done = side.record_event()
    if right:
        done.synchronize()
    h.numpy()[:] = 3
    torch.npu.synchronize()
    return x


class Samples(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return torch.full((N,), float(index + 1))


def rewritten_batch(right):
    for batch in DataLoader(Samples(), batch_size=2, pin_memory=True):
        x = batch.to("npu", non_blocking=True)  # FAULT
        if right:
            torch.npu.current_stream().synchronize()
        batch.mul_(0.5)
        torch.npu.synchronize()
    return x


# -- a result that is read too early -----------------------------------------------------------------------------------


def early_item_of_a_view(right):
    x = torch.ones(N, device="npu") * 3
    h = torch.empty(2, N).pin_memory()
    h[1].copy_(x, non_blocking=True)
    if right:
        torch.npu.synchronize()
    value = h[1, 7].item()  # FAULT
    torch.npu.synchronize()
    return value


def early_numpy(right):
    x = torch.ones(N, device="npu").cumsum(0)
    h = x.to("cpu", non_blocking=True)
    done = torch.npu.current_stream().record_event()
    if right:
        done.synchronize()
    total = h.numpy().sum()  # FAULT
    torch.npu.synchronize()
    return total


def early_loss(right):
    layer = torch.nn.Linear(8, 1).npu()
    side, _ = streams()
    losses = torch.zeros(1).pin_memory()
    loss = layer(torch.ones(4, 8, device="npu")).square().mean()
    loss.backward()
    side.wait_stream(torch.npu.current_stream())
    with torch.npu.stream(side):
        losses.copy_(loss.detach().reshape(1), non_blocking=True)
    if right:
        side.synchronize()
    found = losses.tolist()  # FAULT
    torch.npu.synchronize()
    return found


# -- graphs ------------------------------------------------------------------------------------------------------------


def captured(function):
    graph = torch.npu.NPUGraph()
    torch.npu.synchronize()
    with torch.npu.graph(graph):
        function()
    return graph


def graph_of_a_view(right):
    x = torch.ones(4, 4 << 20, device="npu")
    row, out = x[2, ::2], torch.zeros(2 << 20, device="npu")
    graph = captured(lambda: out.copy_(row * 2))
    if not right:
        del x, row
        torch.npu.empty_cache()  # FAULT
    graph.replay()
    torch.npu.synchronize()


def graph_of_a_layer(right):
    layer = torch.nn.Linear(4096, 2048).npu()
    x, out = torch.ones(4, 4096, device="npu"), torch.zeros(4, 2048, device="npu")

    def step():
        with torch.no_grad():
            out.copy_(layer(x))

    graph = captured(step)
    if not right:
        del step, layer
        torch.npu.empty_cache()  # FAULT
    graph.replay()
    torch.npu.synchronize()


def graph_beside_a_stream(right):
    x, out = torch.ones(N, device="npu"), torch.zeros(N, device="npu")
    side, _ = streams()
    graph = captured(lambda: out.copy_(x + 1))  # FAULT
    with torch.npu.stream(side):
        x.fill_(5.0)
    if right:
        torch.npu.current_stream().wait_stream(side)
    graph.replay()
    torch.npu.synchronize()


# -- an event that is used again ---------------------------------------------------------------------------------------


def event_of_two_streams(right):
    a, b = torch.zeros(N, device="npu"), torch.zeros(N, device="npu")
    one, two = streams()
    done, other = torch.npu.Event(), torch.npu.Event()
    with torch.npu.stream(one):
        a.add_(1)
        done.record()
    with torch.npu.stream(two):
        b.add_(1)
        (other if right else done).record()
    torch.npu.current_stream().wait_event(done)
    torch.npu.current_stream().wait_event(other if right else done)
    total = a * 2  # FAULT
    torch.npu.synchronize()
    return total, b


def event_of_a_ring(right):
    ring = [torch.zeros(N, device="npu") for _ in range(2)]
    one, two = streams()
    events = [torch.npu.Event() for _ in range(2)]
    for step in range(2):
        with torch.npu.stream(one):
            ring[step].fill_(1.0)
            events[step if right else 0].record()
        if step == 0:
            two.wait_event(events[0])
    with torch.npu.stream(two):
        two.wait_event(events[1] if right else torch.npu.Event())
        y = ring[1].sqrt()  # FAULT
    torch.npu.synchronize()
    return y


def event_before_the_work(right):
    x = torch.zeros(N, device="npu")
    one, two = streams()
    ready = torch.npu.Event()
    with torch.npu.stream(one):
        ready.record()
        x.sub_(1)
        if right:
            ready.record()
    two.wait_event(ready)
    with torch.npu.stream(two):
        y = torch.cat([x, x])  # FAULT
    torch.npu.synchronize()
    return y


# -- writes over parameters while gradients are computed ----------------------------------------------------------------


def clamped_in_the_backward(right):
    layer = torch.nn.Linear(64, 64).npu()
    side, _ = streams()
    loss = layer(torch.ones(4, 64, device="npu", requires_grad=True)).sum()
    loss.backward()
    if right:
        side.wait_stream(torch.npu.current_stream())
    with torch.npu.stream(side), torch.no_grad():
        layer.weight.clamp_(-0.01, 0.01)  # FAULT
    torch.npu.synchronize()


def optimiser_beside_the_backward(right):
    net = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.ReLU(), torch.nn.Linear(16, 1)).npu()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    side, _ = streams()
    net(torch.ones(4, 16, device="npu")).sum().backward()
    with torch.npu.stream(side):
        if right:
            side.wait_stream(torch.npu.default_stream())
        optimizer.step()  # FAULT
    torch.npu.synchronize()


def hook_on_a_stream(right):
    weight = torch.ones(N, device="npu", requires_grad=True)
    total = torch.zeros(N, device="npu")
    side, _ = streams()

    def add(grad):
        if right:
            side.wait_stream(torch.npu.current_stream())
        with torch.npu.stream(side):
            total.add_(grad)  # FAULT
        return

    weight.register_hook(add)
    (weight * 3).sum().backward()
    torch.npu.synchronize()


CASES = {name: one for name, one in globals().items() if callable(one) and getattr(one, "__code__", None) is not None
         and one.__code__.co_varnames[:1] == ("right",)}  # fmt: skip

if __name__ == "__main__":
    torch.set_num_threads(1)
    for name in sys.argv[2:] or CASES:
        child = os.fork()
        if not child:
            CASES[name](sys.argv[1] == "right")
            sys.exit(0)
        print(name, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
