"""Chapter 14: the launch variants and their checks (docs/semantics/kernels.md#launch-variants)."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl import structs
from tests.conformance.kernel_files import config, cpu_binary, function, host_args, loaded, stored
from tests.conformance.registry import row, rows
from tests.conformance.world import MS, STALE, World

SCHEM, UBUF, ENGINE, OFFSET, PREFETCH, DUMP, TIMEOUT, TIMEOUT_US, PROFILING = range(1, 10)


class Launch:
    """One `fill` kernel with its target and argument blocks."""

    def __init__(self, w: World, value: int = 5) -> None:
        self.w = w
        self.binary = loaded(w)
        self.kernel = function(w, binary=self.binary)
        self.out = w.device(4096, fill=0)
        self.host, self.size = host_args(w, self.out, value)
        self.args = w.device(64)
        w.ok("aclrtMemcpy", self.args, 64, self.host, self.size, 1)

    def v2(self, **changes: Any) -> tuple[Any, ...]:
        """The arguments of aclrtLaunchKernelV2 with *changes*."""
        values = {"f": self.kernel, "blocks": 1, "args": self.args, "size": self.size, "cfg": None, "stream": 0}
        return tuple({**values, **changes}.values())

    def hosted(self, **changes: Any) -> tuple[Any, ...]:
        """The arguments of aclrtLaunchKernelWithHostArgs with *changes*."""
        values = {"f": self.kernel, "blocks": 1, "stream": 0, "cfg": None, "args": self.host, "size": self.size}
        return tuple({**values, "holders": None, "count": 0, **changes}.values())

    def ran(self, blocks: int = 1, value: int = 5) -> None:
        """Everything ran: *blocks* numbers are *value*, the next one is not."""
        w = self.w
        w.ok("aclrtSynchronizeStream", 0)
        expected = value.to_bytes(4, "little") * blocks + bytes(4)
        w.same(w.peek(self.out, 4 * (blocks + 1)), expected, "the numbers")


@rows(("memory-0318",), ("memory-case-100",))
def launch_null(w: World) -> None:
    k = Launch(w)
    w.refuse(100000, "aclrtLaunchKernel", 0, 0, k.args, 0, STALE)
    w.refuse(100000, "aclrtLaunchKernel", k.kernel, 0, 0, 0, STALE)


@rows(("memory-0319", 0, 1), ("memory-0320", 1, 0))
def launch_no_blocks_or_bytes(w: World, blocks: int, bytes_given: int) -> None:
    k = Launch(w)
    w.expect("aclrtLaunchKernel", k.kernel, blocks, k.args, k.size * bytes_given, 0)
    w.ok("aclrtLaunchKernel", k.kernel, 1, k.args, k.size, 0)
    k.ran()


@row("memory-case-101")
def launch_neither(w: World) -> None:
    """The case stubs the runtime; the real one answers 107000."""
    k = Launch(w)
    w.refuse(107000, "aclrtLaunchKernel", k.kernel, 0, k.args, 0, w.stream())


@rows(("memory-0321", "f"), ("memory-0322", "args"), bare=True)
def v2_null(w: World, what: str) -> None:
    values = {"f": STALE, "blocks": 0, "args": STALE, "size": 0, "cfg": None, "stream": STALE}
    w.expect("aclrtLaunchKernelV2", *{**values, what: 0}.values())


@rows(("memory-0323", {"size": 0}, {"size": 1 << 32}, {"size": 5 << 32}), ("memory-0324", {"blocks": 0}))
def v2_ranges(w: World, *changes: dict[str, int]) -> None:
    k = Launch(w)
    for change in changes:
        w.expect("aclrtLaunchKernelV2", *k.v2(**change))


@row("memory-0325")
def v2_too_many_blocks(w: World) -> None:
    k = Launch(w)
    w.expect("aclrtLaunchKernelV2", *k.v2(blocks=65536 + 3))
    k.ran(3)


@row("memory-0326")
def v2_more_blocks_than_cores(w: World) -> None:
    k = Launch(w)
    w.expect("aclrtLaunchKernelV2", *k.v2(blocks=1000))
    k.ran(1000)


@rows(
    ("memory-0327", structs.aclrtLaunchKernelCfg(None, 0), structs.aclrtLaunchKernelCfg(None, 1)),
    ("memory-0329", config((SCHEM, 2)), config((SCHEM, 100))),
    ("memory-0330", config((PREFETCH, 2)), config((DUMP, 2)), config((PROFILING, 2)), config((PROFILING, 255))),
    ("memory-0331", config((TIMEOUT, 1), (TIMEOUT_US, structs.aclrtTimeoutUs(1, 0)))),
    ("memory-0332", config((0, 0)), config((10, 0)), config((SCHEM, 1), (99, 0))),
)
def v2_bad_configs(w: World, *configs: Any) -> None:
    k = Launch(w)
    for cfg in configs:
        w.expect("aclrtLaunchKernelV2", *k.v2(cfg=cfg))
    k.ran(0)


@rows(
    ("memory-0328", config(), config(count=0)),
    ("memory-0333", config((ENGINE, 77)), config((OFFSET, 77))),
    ("memory-0334", config((UBUF, 1 << 31)), config((UBUF, 0))),
    ("memory-0335", config((SCHEM, 0), (SCHEM, 1)), config((TIMEOUT, 1), (TIMEOUT, 0))),
)
def v2_good_configs(w: World, *configs: Any) -> None:
    k = Launch(w)
    for cfg in configs:
        w.expect("aclrtLaunchKernelV2", *k.v2(cfg=cfg))
    k.ran()


@row("memory-0336", soc="Ascend310P3")
def v2_mixed_kernel_on_a_chip_with_vector_cores(w: World) -> None:
    k = Launch(w)
    mixed = function(w, "mixed", k.binary)
    for cfg in (None, config((ENGINE, 0)), config((OFFSET, 0))):
        w.expect("aclrtLaunchKernelV2", *k.v2(f=mixed, cfg=cfg))
    w.ok("aclrtLaunchKernelV2", *k.v2(f=mixed, cfg=config((ENGINE, 0), (OFFSET, 0))))


@row("memory-0337")
def v2_without_a_context(w: World) -> None:
    k = Launch(w)
    w.in_thread(lambda: w.expect("aclrtLaunchKernelV2", *k.v2()))


@row("memory-0338")
def v2_on_a_foreign_stream(w: World) -> None:
    k = Launch(w)
    w.expect("aclrtLaunchKernelV2", *k.v2(stream=w.foreign_stream()))


@row("memory-0339")
def v2_dead_handles(w: World) -> None:
    k = Launch(w)
    for foreign in (k.binary, w.stream(), STALE):
        w.expect("aclrtLaunchKernelV2", *k.v2(f=foreign))
    w.expect("aclrtLaunchKernelV2", *k.v2(stream=STALE, size=0))
    w.ok("aclrtBinaryUnLoad", k.binary)
    w.expect("aclrtLaunchKernelV2", *k.v2())


@row("memory-0340", devices=2)
def v2_on_another_device(w: World) -> None:
    k = Launch(w)
    w.ok("aclrtSetDevice", 1)
    w.expect("aclrtLaunchKernelV2", *k.v2())
    w.ok("aclrtPeekAtLastError", 0)


@row("memory-0341")
def v2_on_the_default_stream(w: World) -> None:
    k, ran = Launch(w), []
    w.work(w.default_stream(), 5 * MS, ran)
    w.expect("aclrtLaunchKernelV2", *k.v2(stream=None))
    w.same(len(ran), 0, "tasks waited for")
    k.ran()


@row("memory-0342")
def v2_does_not_copy_the_arguments(w: World) -> None:
    k = Launch(w)
    later, _ = host_args(w, k.out, 9)
    w.work(w.default_stream(), 5 * MS)
    w.expect("aclrtLaunchKernelV2", *k.v2())
    w.ok("aclrtMemcpy", k.args, 64, later, k.size, 1)
    k.ran(1, 9)
    w.expect("aclrtLaunchKernelV2", *k.v2(args=k.host))  # host memory: not looked at
    w.expect("aclrtLaunchKernelV2", *k.v2(args=STALE))


@row("memory-case-145")
def v2_launches(w: World) -> None:
    k = Launch(w)
    for cfg in (None, config((SCHEM, 1))):
        w.ok("aclrtLaunchKernelV2", *k.v2(cfg=cfg, stream=w.stream()))


# -- with an args handle -----------------------------------------------------------------------------------------------


def handle_for(w: World, kernel: int, *values: Any, finalized: bool = True) -> int:
    """An args handle with *values*."""
    args = int(w.ok("aclrtKernelArgsInit", kernel))
    for value in values:
        size = 8 if value > 0xFFFF_FFFF else 4
        w.ok("aclrtKernelArgsAppend", args, stored(w, value.to_bytes(size, "little")), size)
    if finalized:
        w.ok("aclrtKernelArgsFinalize", args)
    return args


@row("memory-0343")
def with_config_refusals(w: World) -> None:
    k = Launch(w)
    args = handle_for(w, k.kernel, k.out, 5)
    for inputs in (
        (0, 1, 0, None, args, 0),
        (k.kernel, 0, 0, None, args, 0),
        (k.kernel, 1, 0, None, 0, 0),
        (k.kernel, 1, 0, None, args, args),
        (k.kernel, 0, STALE, None, args, 0),
    ):
        w.expect("aclrtLaunchKernelWithConfig", *inputs)
    w.ok("aclrtLaunchKernelWithConfig", k.kernel, 1, 0, None, args, 0)
    k.ran()


@row("memory-0344")
def with_config_not_finalized(w: World) -> None:
    k = Launch(w)
    args = int(w.ok("aclrtKernelArgsInit", k.kernel))
    w.ok("aclrtKernelArgsAppend", args, stored(w, k.out.to_bytes(8, "little")), 8)
    number = w.ok("aclrtKernelArgsAppend", args, stored(w, bytes([5, 0, 0, 0])), 4)
    w.expect("aclrtLaunchKernelWithConfig", k.kernel, 1, 0, None, args, 0)
    w.ok("aclrtKernelArgsFinalize", args)
    w.ok("aclrtKernelArgsParaUpdate", args, number, stored(w, bytes([6, 0, 0, 0])), 4)
    w.expect("aclrtLaunchKernelWithConfig", k.kernel, 1, 0, None, args, 0)
    w.ok("aclrtKernelArgsFinalize", args)
    w.ok("aclrtLaunchKernelWithConfig", k.kernel, 1, 0, None, args, 0)
    k.ran(1, 6)


@row("memory-0345")
def with_config_no_arguments(w: World) -> None:
    kernel = function(w, "nothing")
    w.expect("aclrtLaunchKernelWithConfig", kernel, 1, 0, None, handle_for(w, kernel), 0)


@row("memory-0346")
def with_config_no_data_behind_a_place_holder(w: World) -> None:
    kernel, out = function(w, "add_one"), w.device(64, fill=0)
    args = int(w.ok("aclrtKernelArgsInit", kernel))
    w.ok("aclrtKernelArgsAppendPlaceHolder", args)
    w.ok("aclrtKernelArgsAppend", args, stored(w, out.to_bytes(8, "little")), 8)
    w.ok("aclrtKernelArgsFinalize", args)
    w.expect("aclrtLaunchKernelWithConfig", kernel, 1, 0, None, args, 0)


@row("memory-0347", faces="c")
def with_config_bad_configs(w: World) -> None:
    k = Launch(w)
    args = handle_for(w, k.kernel, k.out, 5)
    for cfg in (
        structs.aclrtLaunchKernelCfg(None, 1),
        config((SCHEM, 2)),
        config((99, 0)),
        config((TIMEOUT, 1), (TIMEOUT_US, structs.aclrtTimeoutUs(1, 0))),
    ):
        w.expect("aclrtLaunchKernelWithConfig", k.kernel, 1, 0, cfg, args, 0)


# -- with host arguments, and arrays of pointers -----------------------------------------------------------------------


@rows(("memory-0348",), ("memory-case-146",), faces="c")
def hosted_null(w: World) -> None:
    k = Launch(w)
    w.refuse(100000, "aclrtLaunchKernelWithHostArgs", *k.hosted(f=0, blocks=0, size=0, stream=STALE))
    w.refuse(100000, "aclrtLaunchKernelWithHostArgs", *k.hosted(args=0, blocks=0, size=0, stream=STALE))


@rows(("memory-0349", {"size": 0}, {"blocks": 0}), ("memory-0350", {"count": 1}), faces="c")
def hosted_ranges(w: World, *changes: dict[str, int]) -> None:
    k = Launch(w)
    for change in changes:
        w.expect("aclrtLaunchKernelWithHostArgs", *k.hosted(**change))


@row("memory-0351", faces="c")
def hosted_bad_place_holders(w: World) -> None:
    k = Launch(w)
    for slot, data in ((k.size, 0), (0, k.size), (1000, 0), (0, 1000)):
        holders = [structs.aclrtPlaceHolderInfo(slot, data)]
        w.expect("aclrtLaunchKernelWithHostArgs", *k.hosted(holders=holders, count=1))


@row("memory-0352", faces="c")
def hosted_copies(w: World) -> None:
    import ctypes

    k = Launch(w)
    w.work(w.default_stream(), 5 * MS)
    w.expect("aclrtLaunchKernelWithHostArgs", *k.hosted())
    ctypes.memset(k.host, 0, k.size)
    k.ran()


@row("memory-0353", faces="c")
def array_refusals(w: World) -> None:
    k = Launch(w)
    w.expect("aclrtLaunchKernelWithArgsArray", 0, 1, 0, None, [])
    w.expect("aclrtLaunchKernelWithArgsArray", k.kernel, 0, STALE, None, [])
    pointers = [stored(w, k.out.to_bytes(8, "little")), stored(w, bytes([5, 0, 0, 0]))]
    w.ok("aclrtLaunchKernelWithArgsArray", k.kernel, 1, 0, None, pointers)
    k.ran()


@row("memory-0354", faces="c")
def array_for_a_cpu_kernel(w: World) -> None:
    w.expect("aclrtLaunchKernelWithArgsArray", function(w, binary=cpu_binary(w)), 1, 0, None, [w.host(), w.host()])


@row("memory-0355", faces="c")
def array_that_is_null(w: World) -> None:
    """A binary without parameter descriptions does not exist here: kernels are Python functions."""
    w.expect("aclrtLaunchKernelWithArgsArray", function(w), 1, 0, None, None)
    w.ok("aclrtLaunchKernelWithArgsArray", function(w, "nothing"), 1, 0, None, None)


# -- SIMT --------------------------------------------------------------------------------------------------------------


@rows(("memory-0356",), ("memory-case-103",), soc="Ascend950PR_9599", faces="c")
def simt_null(w: World) -> None:
    k, one = Launch(w), structs.dim3(1, 1, 1)
    hosted = (one, one, 0, STALE, None)
    if w.row.name == "memory-0356":
        w.refuse(100000, "aclrtLaunchSIMTKernelWithArgsArray", 0, *hosted, None)
    w.refuse(100000, "aclrtLaunchSIMTKernelWithHostArgs", 0, *hosted, k.host, k.size, None, 0)
    w.refuse(100000, "aclrtLaunchSIMTKernelWithHostArgs", k.kernel, *hosted, 0, k.size, None, 0)
    w.refuse(100000, "aclrtLaunchSIMTKernelWithHostArgs", k.kernel, *hosted, k.host, 0, None, 0)


@row("memory-0357", soc="Ascend950PR_9599", faces="c")
def simt_dimensions(w: World) -> None:
    k, one = Launch(w), structs.dim3(1, 1, 1)
    for grid, block in ((structs.dim3(0, 1, 1), one), (one, structs.dim3(1, 1, 0)), (one, one)):
        w.expect("aclrtLaunchSIMTKernelWithArgsArray", k.kernel, grid, block, 0, 0, None, [])
