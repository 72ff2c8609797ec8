"""Launching a custom kernel: its argument block, its workspaces, the low-level launch.

See docs/semantics/operators.md#the-argument-block.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ascend_sim.constants.errors import ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.errors import AclError
from ascend_sim.kernels.launching.submit import DEFAULT, launch
from ascend_sim.ops.workspaces import Workspaces, layout

if TYPE_CHECKING:
    from ascend_sim.ops.custom_kernels import KernelDesc
    from ascend_sim.runtime.tensors.descriptors import DataBuffer
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["argument_block", "launch_custom"]

WORTH_TELLING = 64


def argument_block(inputs: Sequence[int], outputs: Sequence[int], workspaces: Sequence[int], tiling: bytes) -> bytes:
    """8 bytes for each address, inputs first, then outputs, then workspaces; behind them the tiling bytes as they are.

    >>> argument_block([1], [2], [], b"ab").hex()
    '010000000000000002000000000000006162'
    """
    addresses = [*inputs, *outputs, *workspaces]
    return struct.pack(f"<{len(addresses)}Q", *addresses) + tiling


def launch_custom(
    t: ThreadState, workspaces: Workspaces, desc: KernelDesc, inputs: Sequence[DataBuffer],
    outputs: Sequence[DataBuffer], stream: int,
) -> None:  # fmt: skip
    """Queue the kernel of *desc* on the stream with this handle (0: NULL). Its block is copied now.

    The block holds no shapes, sizes or types. Raises AclError 107002; 100000 more than 16 workspaces, or a size that
    wraps; 500001 a sum that wraps; 207001 no room; and what the launch raises.
    """
    t.current_context()
    offsets, total = layout(desc.workspaces, t.sim.profile.padding_size)
    target = t.submit_stream(stream)
    base = workspaces.take(t, target, total) if desc.workspaces else 0
    _tell_doubled(t, desc, total, target.context.device.index)
    assert desc.kernel is not None
    if not desc.blocks:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"the selector of {desc.op_type} chose 0 blocks")
    raw = argument_block(
        [b.address for b in inputs], [b.address for b in outputs], [base + offset for offset in offsets], desc.tiling
    )
    launch(t, desc.kernel.function, desc.blocks, target, DEFAULT, raw or bytes(8))


def _tell_doubled(t: ThreadState, desc: KernelDesc, total: int, device: int) -> None:
    """Say that twice the memory was taken, where that is much: 1/64 of the device's or more."""
    if "doubled" in desc.reported or total * WORTH_TELLING < t.sim.memory.memory_of(device)[1]:
        return
    desc.reported.add("doubled")
    text = f"{desc.describe()} asks for {sum(desc.workspaces)} bytes of workspaces, a launch takes {total}"
    t.sim.report_call(t, "hidden-error", "note", text, notes=("the launcher counts each rounded size twice",))
