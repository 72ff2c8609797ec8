"""What every program does first: devices, tensors, streams, events, copies."""

import torch
from telling import tell

torch.set_num_threads(1)


def check_devices():
    assert torch.npu.is_available()
    assert torch.npu.device_count() == 2
    assert torch.npu.get_device_name(0) == "Ascend910B3"


def check_sum():
    x, y = torch.arange(6.0).npu(), torch.arange(6.0).npu()
    assert (x + y).cpu().tolist() == [0, 2, 4, 6, 8, 10]


def check_sum_on_device_1():
    x = torch.arange(6.0).to("npu:1")
    assert (x + x).device == torch.device("npu:1")
    assert (x * 3).cpu().tolist() == [0, 3, 6, 9, 12, 15]


def check_streams_and_events():
    x = torch.arange(6.0).npu()
    other = torch.npu.Stream()
    other.wait_stream(torch.npu.current_stream())
    with torch.npu.stream(other):
        y = x + x
        done = torch.npu.Event()
        done.record()
    torch.npu.current_stream().wait_event(done)
    y.record_stream(torch.npu.current_stream())
    assert (y + x).cpu().tolist() == [0, 3, 6, 9, 12, 15]
    other.synchronize()
    assert done.query()


def check_pinned_memory():
    x = torch.arange(6.0).pin_memory()
    assert x.is_pinned()
    y = x.to("npu", non_blocking=True)
    torch.npu.synchronize()
    assert y.cpu().tolist() == x.tolist()


def check_memory_figures():
    before = torch.npu.memory_allocated()
    x = torch.empty(1 << 20, device="npu")
    assert torch.npu.memory_allocated() - before >= 4 << 20
    assert torch.npu.memory_reserved() >= 4 << 20
    free, total = torch.npu.mem_get_info()
    assert 0 < free < total
    del x
    torch.npu.empty_cache()
    assert torch.npu.memory_allocated() == before


if __name__ == "__main__":
    tell(globals())
