"""Lesson 8. blockDim: how many times a kernel runs

A launch starts the same function several times: that many *blocks*, each with its number and its share of the data. A
core runs one block at a time, so more blocks than cores run in waves.

A compiled kernel cannot be run here. A Python file takes its place, kernels/lesson_kernels.py, in which a kernel is a
function that runs once for each block. A program that loads "lesson_kernels.o" stays as it is:

    ascend-sim run --kernels lesson_kernels.o=kernels/lesson_kernels.py 08_block_dim.py
"""

import struct
from typing import Any

import acl
import numpy as np

N = 20
HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2
VECTOR_CORES = 1  # what to ask acl.get_device_capability for


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


must(acl.init())
must(acl.rt.set_device(0))
stream = must(acl.rt.create_stream())
binary = must(acl.rt.binary_load_from_file("lesson_kernels.o", []))
sign = must(acl.rt.binary_get_function(binary, "sign"))
work = must(acl.rt.binary_get_function(binary, "work"))
host = np.zeros(N, np.int32)
z = must(acl.rt.malloc(host.nbytes, 0))


def launch(function: int, blocks: int, layout: str = "", *values: Any) -> int:
    """Launch with arguments as C lays them out; only the code, the kernel runs later."""
    args = np.frombuffer(struct.pack(layout, *values) or bytes(8), np.uint8)
    return acl.rt.launch_kernel_with_host_args(function, blocks, stream, [], args.ctypes.data, args.size, [], 0)


# `sign` writes into its share of z which block it is. The shares are the kernel's business (here b.slice): the runtime
# only says how many blocks there are.
for blocks in (1, 4, 8):
    must(launch(sign, blocks, "<QI4x", z, N))
    must(acl.rt.synchronize_stream(stream))
    must(acl.rt.memcpy(host.ctypes.data, host.nbytes, z, host.nbytes, DEVICE_TO_HOST))
    print(f"blockDim {blocks}:", *host)

# No blocks at all: the launch is refused, as in CUDA. Skip it when there is nothing to do.
print("blockDim 0:", launch(sign, 0, "<QI4x", z, N))

# How long does it take? As long as one block, until the cores run out; then as long as the waves.
cores = must(acl.get_device_capability(0, VECTOR_CORES))
print(cores, "vector cores")
begin, end = must(acl.rt.create_event()), must(acl.rt.create_event())
for blocks in (1, cores, cores + 1, 3 * cores):
    must(acl.rt.record_event(begin, stream))
    must(launch(work, blocks))
    must(acl.rt.record_event(end, stream))
    must(acl.rt.synchronize_stream(stream))
    print(f"blockDim {blocks:3}: {must(acl.rt.event_elapsed_time(begin, end)):.3f} ms")

must(acl.rt.destroy_event(begin))
must(acl.rt.destroy_event(end))
must(acl.rt.free(z))
must(acl.rt.binary_unload(binary))
must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())

# Try it:
# - Pass N + 1 instead of N to the kernel, with 8 blocks: which block fails, and which call of the program says so?
# - In `sign`, replace `z[s]` by `z[0:5]`: every block writes the same place. The result depends on the order of blocks,
#   which nobody promises; `--block-order reversed` shows another one.
# - `--soc Ascend310P3` simulates another product. How many cores has it?
