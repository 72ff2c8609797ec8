"""Tensors and events that two processes share: `test_sharing` runs it; every line that it prints is one thing that works."""

import torch
import torch.multiprocessing as multiprocessing
import torch_npu  # noqa: F401 - the device "npu"

torch.set_num_threads(1)


def consume(device, handle, to_child, to_parent):
    torch.set_num_threads(1)
    weight, view = to_child.get(), to_child.get()
    assert type(weight) is torch.nn.Parameter and weight.requires_grad
    assert view.device.type == "npu" and view.cpu().tolist() == [1.0, 3.0, 5.0]
    with torch.no_grad():
        weight.add_(5)
    torch.npu.synchronize()
    del weight, view
    to_parent.put("the child wrote")

    shared = to_child.get()
    done = torch.npu.Event.from_ipc_handle(device, handle)
    side = torch.npu.Stream()
    with torch.npu.stream(side):
        done.wait()
        copy = shared + 1
        done.record()
    side.synchronize()
    assert copy.cpu().tolist() == [8.0] * 4
    del shared
    to_parent.put("the child waited")
    assert to_child.get() == "end"


def main():
    context = multiprocessing.get_context("spawn")
    to_child, to_parent = context.SimpleQueue(), context.SimpleQueue()
    done = torch.npu.Event(interprocess=True)
    child = context.Process(target=consume, args=(torch.device("npu:0"), done.ipc_handle(), to_child, to_parent))
    child.start()
    weight = torch.nn.Parameter(torch.arange(6.0, device="npu"))
    to_child.put(weight)
    to_child.put(weight.detach()[1::2])
    print(to_parent.get())
    assert weight.tolist() == [5.0, 6.0, 7.0, 8.0, 9.0, 10.0]

    shared = torch.zeros(4, device="npu")
    side = torch.npu.Stream()
    side.wait_stream(torch.npu.current_stream())
    with torch.npu.stream(side):
        shared.fill_(7)
        done.record()
    to_child.put(shared)
    print(to_parent.get())
    done.synchronize()
    assert done.query()
    to_child.put("end")
    child.join()
    torch.npu.ipc_collect()
    print("the child ended with", child.exitcode)


if __name__ == "__main__":
    main()
