"""Parts of pinned memory that are rewritten under a copy: `rewritten.py wrong`, or `right` behind the end of the copy.

Each runs in a process of its own, after one import, so that the copy is the first work of torch's queue.
"""

import ctypes
import os
import sys

import numpy as np
import torch
import torch_npu  # noqa: F401 - the device "npu"

N = 1 << 12


def by_index(part):
    part.view(-1)[0] = 9


def by_numpy(part):
    part.numpy()[...] = 9


def by_memory_view(part):
    np.frombuffer(memoryview(part.numpy()).cast("B"), np.uint8)[:1] = 77


CASES = {
    "whole_index": (lambda h: h, by_index),
    "row_fill": (lambda h: h[2], lambda part: part.fill_(9)),
    "rows_copy": (lambda h: h[1:3], lambda part: part.copy_(part + 8)),
    "flat_mul": (lambda h: h.view(-1)[100:N], lambda part: part.mul_(9)),
    "narrow_numpy": (lambda h: h.narrow(0, 1, 2), by_numpy),
    "unbind_zero": (lambda h: h.unbind(0)[3], lambda part: part.zero_()),
    "chunk_out": (lambda h: h.chunk(2)[1], lambda part: torch.mul(part, 3, out=part)),
    "tiny_sub": (lambda h: h[1, 5:6], lambda part: part.view(-1)[:1].sub_(4)),
    "typed_data": (lambda h: h.view(torch.int32)[1], lambda part: part.data.add_(1)),
    "row_storage": (lambda h: h[2], lambda part: part.untyped_storage().fill_(3)),
    "rows_ctypes": (lambda h: h[1:3], lambda part: ctypes.memset(part.data_ptr(), 7, part.nbytes)),
    "row_ellipsis": (lambda h: h[0], lambda part: part.__setitem__(..., 5)),
    "select_masked": (lambda h: h.select(0, 3), lambda part: part.masked_fill_(part == part, 2)),
    "reshape_memory": (lambda h: h.reshape(2, -1)[1], by_memory_view),
}


def rewrite(part_of, way, right):
    h = torch.ones(4, N).pin_memory()
    part = part_of(h)
    x = torch.empty(part.shape, dtype=part.dtype, device="npu")
    x.copy_(part, non_blocking=True)  # FAULT
    if right:
        torch.npu.current_stream().synchronize()
    way(part)
    torch.npu.synchronize()


torch.set_num_threads(1)
for name, case in CASES.items():
    child = os.fork()
    if not child:
        rewrite(*case, sys.argv[1] == "right")
        sys.exit(0)
    print(name, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
