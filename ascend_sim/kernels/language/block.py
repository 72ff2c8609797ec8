"""The first parameter of every kernel: which block this is, its share of the work, and what it waits for."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

import numpy as np
import numpy.typing as npt

from ascend_sim.kernels.language.errors import DeviceTrap, KernelUsage
from ascend_sim.kernels.language.indexing import Rows

if TYPE_CHECKING:
    from ascend_sim.kernels.launching.grid import Grid

__all__ = ["BARRIER", "Block", "Blocks", "Wait"]

Slice = slice  # Block has a method of that name

BARRIER = -1
"""What `Wait.flag` is for sync_all."""

_KEPT_SLICES = 64
_KEPT_TILINGS = 8


class Wait:
    """A wait of a block: `await` hands it to the grid, which runs the blocks. A block has one for each thing."""

    __slots__ = ("block", "flag", "site")

    def __init__(self, block: Block, flag: int) -> None:
        self.block = block
        self.flag = flag
        self.site: tuple[Any, int] | None = None
        """Where it was called last."""

    def __await__(self) -> Generator[Wait, None, None]:
        self.block.pending = None
        yield self

    def describe(self) -> str:
        """The call that made it."""
        return "b.sync_all()" if self.flag == BARRIER else f"b.wait_flag({self.flag})"


class Block:
    """This block of the launch: the first parameter of every kernel that is not a batch kernel.

    `idx` of `num`: its number among the blocks of its core kind, and how many there are (groups in mixed kernels, so a
    vector core of a mix12 kernel has an `idx` up to 2 x num - 1). `sub_idx` of `sub_num`: its number among the vector
    cores of its group. `is_aic` / `is_aiv`: whether it runs on a cube or a vector core. `core`: a number for its core,
    which says no more than that blocks with different numbers run at once. Sizes, shares and *align* count elements, as
    the brackets of ``gm`` parameters do, not bytes; `cost` counts cycles of the core.
    """

    __slots__ = (
        "_barrier", "_grid", "core", "cycles", "group", "idx", "is_aic", "is_aiv", "num", "pending", "printed",
        "slices", "sub_idx", "sub_num", "tilings", "units",
    )  # fmt: skip

    def __init__(self, grid: Grid, group: int, num: int, core: str, sub_idx: int, sub_num: int) -> None:
        self._grid = grid
        self.group = group
        self.num = num
        self.is_aic = core == "aic"
        self.is_aiv = core == "aiv"
        self.sub_idx = sub_idx
        self.sub_num = sub_num
        self.idx = group * sub_num + sub_idx if self.is_aiv else group
        self.units = num * sub_num if self.is_aiv else num
        """How many blocks of this core kind there are."""
        self.core = 0
        self.cycles = 0
        self.printed = 0
        """Bytes that this block has printed in this run."""
        self.pending: Wait | None = None
        self._barrier = Wait(self, BARRIER)
        self.slices: dict[Any, Slice] = {}
        self.tilings: dict[Any, list[Any]] = {}

    def describe(self) -> str:
        """The block in words: ``block 3``, in mixed kernels ``block 3 (AIV)``."""
        return self._grid.name_of(self)

    # -- shares -------------------------------------------------------------------------------------------------------

    def slice(self, n: SupportsIndex, align: SupportsIndex = 1) -> Slice:
        """This block's even share of ``range(n)``, in whole multiples of *align*; the first blocks take the rest.

        With 10 elements on 4 blocks: 0:3, 3:6, 6:8, 8:10. Empty for blocks that get nothing. Raises KernelUsage for an
        *align* below 1.

        In a mixed kernel the vector cores of a group share out what `group_slice` gives, the cube core gets all of it.
        """
        key: Any = n if align == 1 else (n, align)
        found = self.slices.get(key)
        if found is None:
            if len(self.slices) >= _KEPT_SLICES:
                self.slices.clear()
            found = self.slices[key] = self._share(int(n), int(align))
        return found

    def _share(self, n: int, align: int) -> Slice:
        whole = _share(0, n, align, self.group, self.num)
        if self.is_aiv and self.sub_num > 1:
            return _share(whole.start, whole.stop, align, self.sub_idx, self.sub_num)
        return whole

    def group_slice(self, n: SupportsIndex, align: SupportsIndex = 1) -> Slice:
        """The share of this block's group: what its cube core's `slice` gives."""
        return _share(0, int(n), int(align), self.group, self.num)

    @overload
    def tiles(self, n: SupportsIndex, size: SupportsIndex) -> Iterator[Slice]: ...
    @overload
    def tiles(
        self, n: tuple[SupportsIndex, SupportsIndex], size: tuple[SupportsIndex, SupportsIndex]
    ) -> Iterator[tuple[Slice, Slice]]: ...
    def tiles(self, n: Any, size: Any) -> Iterator[Any]:
        """Slices of *size* (the last one short) dealt round robin to the blocks of this core kind.

        For a matrix *n* is (rows, columns), *size* (height, width), and each tile a pair of slices, row by row. Raises
        KernelUsage for a *size* below 1.
        """
        found = self.tilings.get((n, size))
        if found is None:
            made = self._deal(n, size) if isinstance(n, tuple) else self._deal_line(int(n), int(size))
            found = list(islice(made, _KEPT_SLICES + 1))
            if len(found) > _KEPT_SLICES:
                return chain(found, made)
            if len(self.tilings) >= _KEPT_TILINGS:
                self.tilings.clear()
            self.tilings[n, size] = found
        return iter(found)

    def _deal(self, n: Any, size: Any) -> Iterator[tuple[Slice, Slice]]:
        (rows, columns), (height, width) = (int(n[0]), int(n[1])), (int(size[0]), int(size[1]))
        _positive(height, width)
        across = -(-columns // width)
        for tile in range(self.idx, -(-rows // height) * across, self.units):
            top, left = tile // across * height, tile % across * width
            yield slice(top, min(top + height, rows)), slice(left, min(left + width, columns))

    def _deal_line(self, total: int, length: int) -> Iterator[Slice]:
        _positive(length)
        for start in range(self.idx * length, total, self.units * length):
            yield slice(start, min(start + length, total))

    # -- waits --------------------------------------------------------------------------------------------------------

    if TYPE_CHECKING:  # checkers find a forgotten await only in coroutines

        async def sync_all(self) -> None:
            """Wait for all blocks of the launch: ``await b.sync_all()``."""

        async def wait_flag(self, flag: int) -> None:
            """Wait until *flag* was set by the other side of the group, and take it: ``await b.wait_flag(0)``."""

    else:

        def sync_all(self):
            """Wait for all blocks of the launch: ``await b.sync_all()``.

            Waiting blocks keep their cores: with more blocks than cores the launch hangs. Raises KernelUsage in a
            kernel that is not ``async def``.
            """
            return self._wait(self._barrier)

        def wait_flag(self, flag):
            """Wait until *flag* was set by the other side of the group, and take it: ``await b.wait_flag(0)``.

            A cube core waits for all vector cores of its group. Raises KernelUsage outside of mixed kernels, for ids
            but 0 to 15, and in a kernel that is not ``async def``.
            """
            self._grid.check_flag(flag)
            return self._wait(Wait(self, flag))

    def set_flag(self, flag: int) -> None:
        """Set *flag* for the other side of the group; does not wait.

        Raises KernelUsage outside of mixed kernels, and for ids but 0 to 15.
        """
        self._grid.check_flag(flag)
        self._grid.set_flag(self, flag)

    def _wait(self, wait: Wait) -> Wait:
        if self.pending is not None:
            self.check_waited()
        frame = sys._getframe(2)
        wait.site = (frame.f_code, frame.f_lasti)
        if not self._grid.waits:
            name = wait.describe()
            raise KernelUsage(f"{name} in a kernel that cannot wait", f"write `async def` and `await {name}`")
        self.pending = wait
        return wait

    def check_waited(self) -> None:
        """Raises KernelUsage when a wait was made and not awaited."""
        wait = self.pending
        if wait is not None:
            name = wait.describe()
            raise KernelUsage(f"`{name}` was called without `await`: the block did not wait", f"write `await {name}`")

    # -- other --------------------------------------------------------------------------------------------------------

    def cost(self, cycles: SupportsIndex) -> None:
        """Declare that this block takes *cycles* of its core beyond the base cost of a launch, in virtual time."""
        self.cycles += int(cycles)
        self._grid.declared = self._grid.used = True

    def printf(self, text: object, *values: object) -> None:
        """Print a line with the block's prefix; ``%`` formats as in C when *values* are given.

        A core's print buffer holds what aclInit's file or aclrtDeviceSetLimit says (32 KiB); the rest of it is lost.
        """
        line = str(text) % values if values else str(text)
        self._grid.printed(self, line.rstrip("\n"))

    def trap(self) -> None:
        """Stop the kernel with a fault: the next synchronise of the stream returns 507035."""
        raise DeviceTrap(f"b.trap() in {self.describe()}")


def _positive(*sizes: int) -> None:
    for size in sizes:
        if size < 1:
            raise KernelUsage(f"tiles of {size} elements", "a tile has at least one")


def _share(first: int, last: int, align: int, unit: int, units: int) -> Slice:
    """The share of *unit* among *units* in [first, last), which begins at a multiple of *align*."""
    if align < 1:
        raise KernelUsage(f"align is {align}", "1 or more is required")
    each, rest = divmod(-(-(last - first) // align), units)
    start = unit * each + min(unit, rest)
    stop = start + each + (unit < rest)
    return slice(min(first + start * align, last), min(first + stop * align, last))


class Blocks:
    """All blocks of a batch launch at once: `idx` has shape (num, 1), `rows` declares the access of each block."""

    __slots__ = ("_grid", "_shares", "cycles", "idx", "num")

    def __init__(self, grid: Grid, num: int) -> None:
        self._grid = grid
        self.num = num
        self.idx: npt.NDArray[np.int64] = np.arange(num)[:, None]
        self.cycles = 0
        self._shares: dict[Any, Rows] = {}

    def describe(self) -> str:
        """All blocks of the launch, for texts."""
        return f"its {self.num} blocks"

    def rows(self, n: SupportsIndex) -> Rows:
        """Equal shares of ``range(n)``. Raises KernelUsage when *n* is no multiple of the number of blocks."""
        found = self._shares.get(n)
        if found is not None:
            return found
        total = int(n)
        if total % self.num:
            left = total % self.num
            raise KernelUsage(
                f"a batch kernel needs equal shares: {total} elements over {self.num} blocks leave {left}",
                "pad n, or drop batch=True",
            )
        if len(self._shares) >= _KEPT_SLICES:
            self._shares.clear()
        found = self._shares[n] = Rows(total, self.num)
        return found

    def cost(self, cycles: SupportsIndex) -> None:
        """Declare that each block takes *cycles* of its core."""
        self.cycles += int(cycles)
        self._grid.declared = self._grid.used = True

    def printf(self, text: object, *values: object) -> None:
        """Print one line for all blocks."""
        line = str(text) % values if values else str(text)
        self._grid.printed(self, line.rstrip("\n"))

    def trap(self) -> None:
        """Stop the kernel with a fault."""
        raise DeviceTrap("b.trap() in a batch kernel")
