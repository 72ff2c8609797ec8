"""Threads of torch and of the program: backward passes, queues of operators, several Python threads."""

import gc
import sys
import threading

import torch
from telling import tell

torch.set_num_threads(1)


def check_no_collection_while_torch_makes_a_thread():
    """It may have mutexes which a tensor needs that is ended. The first of the checks: the threads are made here."""
    inside, count, before = [], [0], gc.get_threshold()

    def hears(phase, facts):
        frame = sys._getframe() if phase == "start" else None
        count[0] += phase == "start"
        while frame is not None:
            if frame.f_code.co_name == "create" and frame.f_code.co_filename.endswith("guest_threads.py"):
                inside.append(frame.f_lineno)
            frame = frame.f_back

    gc.callbacks.append(hears)
    gc.set_threshold(1)
    try:
        w = torch.arange(6.0).npu().requires_grad_()
        (w * 2).sum().backward()
        side = torch.npu.Stream()
        side.wait_stream(torch.npu.current_stream())
        torch.arange(6.0).pin_memory().npu(non_blocking=True)
        torch.npu.synchronize()
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(hears)
    assert count[0] > 100
    assert inside == []


def check_gradients():
    w = torch.arange(6.0).npu().requires_grad_()
    x = torch.arange(6.0).npu()
    for _ in range(3):
        (found,) = torch.autograd.grad(w + x, w, x)
        assert found.cpu().tolist() == [0, 1, 2, 3, 4, 5]


def check_many_operators():
    x = torch.arange(6.0).npu()
    y = x
    for _ in range(300):
        y = y + x
    assert y.cpu().tolist() == [301 * i for i in range(6)]


def check_threads_of_the_program():
    found = {}

    def work(number):
        x = torch.arange(4.0).npu() * number
        for _ in range(5):
            x = x + x
        found[number] = x.cpu().tolist()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: [32.0 * number * i for i in range(4)] for number in range(3)}


def check_events_between_operators():
    x = torch.arange(6.0).npu()
    start, end = (torch.npu.Event(enable_timing=True) for _ in range(2))
    start.record()
    for _ in range(10):
        x = x + x
    end.record()
    end.synchronize()
    assert 0 < start.elapsed_time(end) < 100


def check_an_event_that_ends_makes_a_thread():
    """torch_npu starts its pool of threads when the first event ends, with Python's lock in its hands."""
    x = torch.arange(6.0).npu()
    event = torch.npu.Event()
    event.record()
    event.synchronize()
    del event
    assert (x + x).cpu().tolist() == [0, 2, 4, 6, 8, 10]


def check_collections_while_torch_has_a_mutex():
    """What a collection ends may take the mutex of torch's queue, which the thread may have that it began in."""

    class Cycle:
        def __init__(self, tensor):
            self.tensor, self.me = tensor, self

    side = torch.npu.Stream()
    values = [torch.ones(4, device="npu") for _ in range(4)]
    before = gc.get_threshold()
    gc.set_threshold(20)
    try:
        for _ in range(100):
            with torch.npu.stream(side):
                x = torch.ones(4, device="npu")
            torch.npu.current_stream().wait_stream(side)
            x.record_stream(torch.npu.current_stream())
            Cycle(x)
            torch._foreach_mul_(values, [1.0, 2.0, 1.0, 0.5])
            del x
    finally:
        gc.set_threshold(*before)
    assert [value.cpu()[0].item() for value in values] == [1.0, 2.0**100, 1.0, 0.5**100]


if __name__ == "__main__":
    tell(globals())
