"""Two faults in one launch: the order of docs/semantics/kernels.md#launch-variants."""

from __future__ import annotations

import pytest

from tests.conformance.kernel_files import config, cpu_binary, function
from tests.conformance.orders import Orders
from tests.conformance.rows_kernel_launch import Launch, handle_for
from tests.conformance.world import STALE, World

order = Orders()


@order(
    "V2: function and arguments NULL, dead handles, argsSize, numBlocks, cfg, context, foreign stream, device",
    devices=2,
)
def _(w: World) -> None:
    k, launch, bad = Launch(w), "aclrtLaunchKernelV2", config((99, 0))
    foreign = w.foreign_stream()
    w.refuse(100000, launch, 0, 0, 0, 0, bad, STALE)
    w.refuse(100000, launch, STALE, 0, 0, 0, bad, STALE)
    w.refuse(107017, launch, STALE, 0, k.args, 0, bad, foreign)
    w.refuse(107017, launch, k.kernel, 0, k.args, 0, bad, STALE)
    w.refuse(107000, launch, k.kernel, 0, k.args, 0, bad, foreign)

    def alone() -> None:
        w.refuse(107000, launch, k.kernel, 0, k.args, k.size, None, foreign)
        w.refuse(107000, launch, k.kernel, 1, k.args, k.size, bad, foreign)
        w.refuse(107002, launch, k.kernel, 1, k.args, k.size, None, foreign)

    w.in_thread(alone)
    w.ok("aclrtSetDevice", 1)
    w.refuse(107003, launch, k.kernel, 1, k.args, k.size, None, foreign)  # its device comes last
    w.refuse(107017, launch, k.kernel, 1, k.args, k.size, None, 0)


@order("with a config: NULL and no blocks in the acl layer, dead handles, then the rest")
def _(w: World) -> None:
    k, launch = Launch(w), "aclrtLaunchKernelWithConfig"
    args = handle_for(w, k.kernel, k.out, 5, finalized=False)
    w.refuse(100000, launch, STALE, 0, STALE, None, args, 0)
    w.refuse(100000, launch, STALE, 1, STALE, None, args, 1)
    w.refuse(107017, launch, STALE, 1, 0, None, args, 0)
    w.refuse(107017, launch, k.kernel, 1, STALE, None, args, 0)
    w.refuse(107000, launch, k.kernel, 1, w.foreign_stream(), None, args, 0)
    w.in_thread(lambda: w.refuse(107000, launch, k.kernel, 1, 0, config((99, 0)), args, 0))


@order("with host arguments: dead handles, then sizes, blocks, place holders, then the context")
def _(w: World) -> None:
    k, launch = Launch(w), "aclrtLaunchKernelWithHostArgs"
    w.refuse(107017, launch, *k.hosted(f=STALE, size=0))
    w.refuse(107017, launch, *k.hosted(stream=STALE, blocks=0))

    def alone() -> None:
        w.refuse(107000, launch, *k.hosted(size=0))
        w.refuse(107000, launch, *k.hosted(blocks=0))
        w.refuse(107000, launch, *k.hosted(count=1))
        w.refuse(107002, launch, *k.hosted())

    w.in_thread(alone)


@order("an array of pointers: no blocks, a dead function, a CPU kernel")
def _(w: World) -> None:
    cpu, launch = function(w, binary=cpu_binary(w)), "aclrtLaunchKernelWithArgsArray"
    w.refuse(100000, launch, STALE, 0, 0, None, None)
    w.refuse(107017, launch, STALE, 1, 0, None, None)
    w.in_thread(lambda: w.refuse(207000, launch, cpu, 1, 0, None, None))


@pytest.mark.parametrize("text", list(order.cases))
def test_order(text: str) -> None:
    order.run(text)
