"""Memory as torch counts it under each PYTORCH_NPU_ALLOC_CONF of the command line: a line of JSON for each.

Each has a process that begins where torch is imported and has not read the variable yet.
"""

import json
import os
import sys

import torch
import torch_npu  # noqa: F401 - the device "npu"

torch.set_num_threads(1)
MIB = 1 << 20


def tensor(size):
    return torch.empty(size, dtype=torch.int8, device="npu")


def counted():
    stats = torch.npu.memory_stats()
    shown = torch.npu.memory_snapshot()
    blocks = [block for segment in shown for block in segment["blocks"]]
    allocated, reserved = stats["allocated_bytes.all.current"], stats["reserved_bytes.all.current"]
    # three ways to ask, one answer
    assert sum(block["size"] for block in blocks if block["state"] == "active_allocated") == allocated
    assert sum(segment["total_size"] for segment in shown) == reserved
    assert sum(segment["allocated_size"] for segment in shown) == allocated
    assert (torch.npu.memory_allocated(), torch.npu.memory_reserved()) == (allocated, reserved)
    return [allocated, reserved]



def measure(setting):
    found = {}
    kept = [tensor(4 * MIB)]
    found["4 MiB"] = counted()
    second = tensor(30 * MIB)
    found["30 MiB"] = counted()
    kept.append(tensor(512))
    found["512 bytes"] = counted()
    found["segments"] = [
        [segment["segment_type"], segment["total_size"], segment["is_expandable"]] for segment in torch.npu.memory_snapshot()
    ]
    assert "Allocated memory" in torch.npu.memory_summary()
    torch.npu.memory._record_memory_history(stacks="python")
    del second
    found["freed"] = counted()
    torch.npu.empty_cache()
    found["emptied"] = counted()
    shown = torch.npu.memory._snapshot()
    assert sum(segment["total_size"] for segment in shown["segments"]) == found["emptied"][1]
    found["traced"] = sorted({entry["action"] for entry in shown["device_traces"][0]})
    found["peak"] = [torch.npu.max_memory_allocated(), torch.npu.max_memory_reserved()]

    # pinned memory: rounds of blocks of several sizes, copied both ways
    for size in (100, 3 * MIB, 100):
        there = torch.full((size,), 7, dtype=torch.int8).pin_memory()
        assert there.is_pinned()
        back = torch.empty(size, dtype=torch.int8).pin_memory()
        back.copy_(there.npu(non_blocking=True), non_blocking=True)
        torch.npu.synchronize()
        assert torch.equal(back, there)
        del there, back

    # two streams, and memory that goes from one to the other
    side = torch.npu.Stream()
    for _ in range(3):
        x = torch.ones(1000, device="npu")
        side.wait_stream(torch.npu.current_stream())
        with torch.npu.stream(side):
            y = x * 2
        x.record_stream(side)
        del x
    side.synchronize()
    assert y.cpu().tolist() == [2.0] * 1000
    print("found " + json.dumps([setting, found]), flush=True)
    del kept


def main():
    for setting in sys.argv[1:]:
        child = os.fork()
        if not child:
            name, _, value = setting.rpartition("=")
            os.environ[name or "PYTORCH_NPU_ALLOC_CONF"] = value
            measure(setting)
            return
        os.waitpid(child, 0)


main()
