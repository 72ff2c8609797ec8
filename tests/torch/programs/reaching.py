"""What programs reach for: memory, graphs, mixed precision, generators, data loaders, checkpoints, compilation."""

import os
import tempfile

import torch
import torch_npu
from telling import tell
from torch import nn

torch.set_num_threads(1)


def _net():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))


def check_memory_stats_and_snapshot():
    x = torch.ones(1 << 16, device="npu")
    stats = torch.npu.memory_stats()
    assert stats["allocated_bytes.all.current"] >= x.numel() * 4
    assert torch.npu.max_memory_allocated() >= x.numel() * 4
    assert any(segment["device"] == 0 for segment in torch.npu.memory_snapshot())
    assert "Current" in torch.npu.memory_summary() or "|" in torch.npu.memory_summary()
    torch.npu.reset_peak_memory_stats()


def check_memory_history():
    torch.npu.memory._record_memory_history(max_entries=1000)
    x = torch.ones(1 << 12, device="npu")
    found = torch.npu.memory._snapshot()
    torch.npu.memory._record_memory_history(enabled=None)
    del x
    assert found["segments"]


def check_out_of_memory():
    try:
        torch.empty(1 << 40, device="npu", dtype=torch.int8)
    except torch.OutOfMemoryError as error:
        assert "out of memory" in str(error).lower()
    else:
        raise AssertionError("there was room for 1 TiB")


def check_properties():
    found = torch.npu.get_device_properties(0)
    assert found.name == "Ascend910B3"
    assert found.total_memory > 1 << 30
    assert torch.npu.get_device_capability(0) is None or torch.npu.get_device_capability(0)


def check_graph():
    x = torch.zeros(16, device="npu")
    side = torch.npu.Stream()
    side.wait_stream(torch.npu.current_stream())
    with torch.npu.stream(side):
        y = x * 2 + 1
    torch.npu.current_stream().wait_stream(side)
    graph = torch.npu.NPUGraph()
    with torch.npu.graph(graph):
        y = x * 2 + 1
    for value in (1.0, 2.0):
        x.fill_(value)
        graph.replay()
        assert y.cpu().tolist() == [value * 2 + 1] * 16
    torch.npu.synchronize()


def check_autocast_and_scaler():
    net = _net().npu()
    scaler = torch.amp.GradScaler("npu", init_scale=64.0)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    x = torch.ones(2, 8, device="npu")
    with torch.autocast("npu", dtype=torch.float16):
        y = net(x)
    assert y.dtype == torch.float16
    scaler.scale(y.float().sum()).backward()
    scaler.step(optimizer)
    scaler.update()
    assert scaler.get_scale() == 64.0


def check_scaler_skips_infinite_gradients():
    w = torch.ones(4, device="npu", requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    scaler = torch.amp.GradScaler("npu", init_scale=64.0)
    scaler.scale((w * float("inf")).sum()).backward()
    scaler.step(optimizer)
    scaler.update()
    assert scaler.get_scale() == 32.0
    assert w.detach().cpu().tolist() == [1.0] * 4


def check_generator():
    torch.npu.manual_seed(7)
    state = torch.npu.get_rng_state()
    x = torch.rand(8, device="npu").cpu()
    torch.npu.set_rng_state(state)
    assert torch.equal(torch.rand(8, device="npu").cpu(), x)
    own = torch.Generator(device="npu").manual_seed(7)
    y = torch.randn(8, device="npu", generator=own).cpu()
    own.manual_seed(7)
    assert torch.equal(torch.randn(8, device="npu", generator=own).cpu(), y)


def check_dropout_in_training_and_evaluation():
    drop = nn.Dropout(0.5)
    x = torch.ones(1000, device="npu")
    y = drop(x).cpu()
    assert set(y.tolist()) == {0.0, 2.0}
    assert torch.equal(drop.eval()(x).cpu(), x.cpu())


class Numbers(torch.utils.data.Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, i):
        return torch.tensor([float(i)])


def check_data_loader_with_workers():
    loader = torch.utils.data.DataLoader(Numbers(), batch_size=4, num_workers=2, pin_memory=True)
    total = sum(batch.npu(non_blocking=True).sum().item() for batch in loader)
    assert total == 28.0


def check_checkpoint():
    net = _net().npu()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "net.pt")
        torch.save(net.state_dict(), path)
        other = _net().npu()
        other.load_state_dict(torch.load(path, map_location="npu"))
    assert torch.equal(other[0].weight.cpu(), net[0].weight.cpu())


def check_checkpoint_in_the_old_form():
    saved = torch.arange(5.0).npu()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "tensor.pt")
        torch.save(saved, path, _use_new_zipfile_serialization=False)
        loaded = torch.load(path)
    assert loaded.is_npu and loaded.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]


def check_copies_between_formats():
    values = torch.arange(256.0).reshape(16, 16)
    torch_npu.npu.config.allow_internal_format = True
    try:
        for name in (torch_npu.Format.ND, torch_npu.Format.NC1HWC0, torch_npu.Format.FRACTAL_NZ):
            for source in (values, values.npu(), torch_npu.npu_format_cast(values.npu(), torch_npu.Format.FRACTAL_NZ)):
                copy = torch_npu.npu_format_cast(torch.zeros(16, 16).npu(), name)
                copy.copy_(source)
                assert torch_npu.get_npu_format(copy) == name and torch.equal(copy.cpu(), values), (name, source.device)
    finally:
        torch_npu.npu.config.allow_internal_format = False


def check_activation_checkpoint():
    from torch.utils.checkpoint import checkpoint

    net = _net().npu()
    x = torch.ones(2, 8, device="npu", requires_grad=True)
    checkpoint(net, x, use_reentrant=False).sum().backward()
    assert x.grad is not None


def check_swapped_memory():
    x = torch_npu.empty_with_swapped_memory([16], dtype=torch.float32, device="npu:0")
    x.fill_(3.0)
    y = torch.ones(16, device="npu")
    y.add_(x)
    x.mul_(y)
    assert (x + y).cpu().tolist() == [16.0] * 16


def check_two_devices():
    x = torch.ones(4, device="npu:0")
    y = x.to("npu:1") + 1
    assert y.device.index == 1
    assert (y.to("npu:0") + x).cpu().tolist() == [3.0] * 4
    with torch.npu.device(1):
        assert torch.ones(1, device="npu").device.index == 1
    assert torch.npu.current_device() == 0


def check_compiled_in_eager_back_ends():
    x = torch.ones(4, device="npu")
    for backend in ("eager", "aot_eager"):
        f = torch.compile(lambda a: a * 2 + 1, backend=backend)
        assert f(x).cpu().tolist() == [3.0] * 4


def check_stream_attributes_and_priorities():
    s = torch.npu.Stream(priority=-1)
    assert isinstance(s.npu_stream, int)
    assert s.query()
    s.synchronize()


def check_external_stream_and_events():
    s = torch.npu.Stream()
    other = torch.npu.ExternalStream(s.npu_stream)
    with torch.npu.stream(other):
        x = torch.ones(4, device="npu")
    s.synchronize()
    assert x.cpu().tolist() == [1.0] * 4


def check_custom_function():
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    x = torch.ones(4, device="npu", requires_grad=True)
    Double.apply(x).sum().backward()
    assert x.grad.cpu().tolist() == [2.0] * 4


def check_hooks_and_errors():
    x = torch.ones(4, device="npu", requires_grad=True)

    def fail(g):
        raise ValueError("from a hook")

    x.register_hook(fail)
    try:
        (x * 2).sum().backward()
    except ValueError as error:
        assert "from a hook" in str(error)
    else:
        raise AssertionError("the error was lost")


def check_print():
    text = repr(torch.arange(6.0).npu().view(2, 3))
    assert "[0., 1., 2.]" in text
    assert "npu:0" in text


def check_profiler():
    with torch_npu.profiler.profile(activities=[torch_npu.profiler.ProfilerActivity.CPU]):
        torch.ones(4, device="npu").add_(1)


def check_distributed_of_one():
    import torch.distributed as dist

    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29571", RANK="0", WORLD_SIZE="1")
    dist.init_process_group("hccl", rank=0, world_size=1)
    try:
        x = torch.ones(4, device="npu")
        dist.all_reduce(x)
        torch.npu.synchronize()
        assert x.cpu().tolist() == [1.0] * 4
        dist.barrier()
    finally:
        dist.destroy_process_group()


def check_operator_without_aclnn():
    a = torch.tensor([[4.0, 1.0], [2.0, 3.0]], device="npu")
    assert torch_npu.npu_format_cast(a, 29).cpu().tolist() == a.cpu().tolist()
    assert torch_npu.get_npu_format(a) in (0, 2)


if __name__ == "__main__":
    tell(globals())
