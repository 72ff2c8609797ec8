"""The first parameter of every kernel: which block this is, its share of the work, and what it waits for."""

from __future__ import annotations

from collections.abc import Awaitable, Generator, Iterator
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

import numpy as np
import numpy.typing as npt

from ascend_sim.kernels.usage import DeviceTrap, KernelUsage

if TYPE_CHECKING:
    from ascend_sim.kernels.running import Launch

__all__ = ["Block", "Blocks", "Rows", "Wait"]

Slice = slice  # Block has a method of that name

FLAG_IDS = 16
FLAG_LARGEST = 15
"""Cross-core flags: ids and the largest count (``spec/kernel/kernel_model.md`` 3)."""


class Wait:
    """One wait of one block: `await` hands it to whoever runs the blocks."""

    __slots__ = ("block", "flag", "site", "used")

    def __init__(self, block: Block, flag: int, site: tuple[Any, int]) -> None:
        self.block = block
        self.flag = flag
        """The flag's id, or -1 for sync_all."""
        self.site = site
        self.used = False

    def __await__(self) -> Generator[Wait, None, None]:
        self.used = True
        self.block.pending = None
        yield self


class Block:
    """This block of the launch.

    `idx` of `num` (groups in mixed kernels), `sub_idx` of `sub_num` vector cores in the group, `is_aic` / `is_aiv`.
    """

    __slots__ = (
        "_launch",
        "core",
        "cycles",
        "idx",
        "is_aic",
        "is_aiv",
        "num",
        "pending",
        "slices",
        "sub_idx",
        "sub_num",
        "unit",
        "units",
    )

    def __init__(self, launch: Launch, idx: int, num: int, is_aic: bool, sub_idx: int, sub_num: int) -> None:
        self._launch = launch
        self.num = num
        self.is_aic = is_aic
        self.is_aiv = not is_aic
        self.sub_idx = sub_idx
        self.sub_num = sub_num
        self.idx = idx * sub_num + sub_idx if not is_aic else idx
        self.unit = self.idx
        """This block's number among those of its core kind; `units` of them there are."""
        self.units = num * sub_num if not is_aic else num
        self.core = 0
        self.cycles = 0
        self.pending: Wait | None = None
        self.slices: dict[Any, Slice] = {}

    def slice(self, n: SupportsIndex, align: SupportsIndex = 1) -> Slice:
        """This block's even share of ``range(n)``, in whole multiples of *align*; the first blocks take the rest."""
        key = (n, align)
        found = self.slices.get(key)
        if found is None:
            found = self.slices[key] = _share(int(n), int(align), self.unit, self.units)
        return found

    def group_slice(self, n: SupportsIndex, align: SupportsIndex = 1) -> Slice:
        """The share of this block's group: what its cube core's `slice` gives."""
        return _share(int(n), int(align), self.idx // self.sub_num if self.is_aiv else self.idx, self.num)

    @overload
    def tiles(self, n: SupportsIndex, size: SupportsIndex) -> Iterator[Slice]: ...
    @overload
    def tiles(
        self, n: tuple[SupportsIndex, SupportsIndex], size: tuple[SupportsIndex, SupportsIndex]
    ) -> Iterator[tuple[Slice, Slice]]: ...
    def tiles(self, n: Any, size: Any) -> Iterator[Any]:
        """Slices of *size* (the last one short) dealt in turn to the blocks of this core kind; pairs for a matrix."""
        if isinstance(n, tuple):
            (rows, columns), (height, width) = (int(n[0]), int(n[1])), (int(size[0]), int(size[1]))
            across = -(-columns // width)
            for tile in range(self.unit, -(-rows // height) * across, self.units):
                top, left = tile // across * height, tile % across * width
                yield slice(top, min(top + height, rows)), slice(left, min(left + width, columns))
            return
        total, length = int(n), int(size)
        for start in range(self.unit * length, total, self.units * length):
            yield slice(start, min(start + length, total))

    def sync_all(self) -> Awaitable[None]:
        """Wait until every block of the launch is here: ``await b.sync_all()``."""
        return self._wait(-1)

    def wait_flag(self, flag: int) -> Awaitable[None]:
        """Wait for one set of *flag* by the other side of the group, and take it: ``await b.wait_flag(0)``."""
        self._launch.check_flag(flag)
        return self._wait(flag)

    def set_flag(self, flag: int) -> None:
        """Set *flag* for the other side of the group; does not wait."""
        self._launch.check_flag(flag)
        self._launch.set_flag(self, flag)

    def _wait(self, flag: int) -> Wait:
        import sys

        self.check_waited()
        if not self._launch.waits:
            name = "sync_all()" if flag < 0 else f"wait_flag({flag})"
            raise KernelUsage(f"b.{name} in a kernel that cannot wait: write `async def` and `await b.{name}`")
        frame = sys._getframe(2)
        self.pending = wait = Wait(self, flag, (frame.f_code, frame.f_lasti))
        return wait

    def check_waited(self) -> None:
        """Raises KernelUsage when a wait was made and not awaited."""
        if self.pending is not None:
            name = "sync_all()" if self.pending.flag < 0 else f"wait_flag({self.pending.flag})"
            raise KernelUsage(f"`b.{name}` was called without `await`: the block did not wait: write `await b.{name}`")

    def cost(self, cycles: SupportsIndex) -> None:
        """Declare that this block takes *cycles* of its core beyond what a launch takes."""
        self.cycles += int(cycles)
        self._launch.declared = True

    def printf(self, text: object, *values: object) -> None:
        """Print a line with the block's prefix; ``%`` formats as in C when *values* are given."""
        line = str(text) % values if values else str(text)
        kind = "AIC" if self.is_aic else "AIV"
        self._launch.printed(f"[{kind} Block {self.unit}/{self.units}] {line.rstrip()}")

    def trap(self) -> None:
        """Stop the kernel with a fault."""
        raise DeviceTrap(f"b.trap() in block {self.unit}")


def _share(n: int, align: int, unit: int, units: int) -> slice:
    pieces = -(-n // align)
    each, rest = divmod(pieces, units)
    start = unit * each + min(unit, rest)
    stop = start + each + (unit < rest)
    return slice(min(start * align, n), min(stop * align, n))


class Rows:
    """The shares of all blocks of a batch kernel: row i is block i's."""

    __slots__ = ("hi", "lo", "rows")

    def __init__(self, lo: int, hi: int, rows: int) -> None:
        self.lo = lo
        self.hi = hi
        self.rows = rows


class Blocks:
    """All blocks of a batch launch at once: `idx` has shape (num, 1), `rows` declares the access of each block."""

    __slots__ = ("_launch", "cycles", "idx", "num")

    def __init__(self, launch: Launch, num: int) -> None:
        self._launch = launch
        self.num = num
        self.idx: npt.NDArray[np.int64] = np.arange(num)[:, None]
        self.cycles = 0

    def rows(self, n: SupportsIndex) -> Rows:
        """Equal shares of ``range(n)``. Raises KernelUsage when *n* is no multiple of the number of blocks."""
        total = int(n)
        if total % self.num:
            raise KernelUsage(
                f"a batch kernel needs equal shares: {total} elements over {self.num} blocks leave {total % self.num}: "
                "pad n, or drop batch=True"
            )
        return Rows(0, total, self.num)

    def cost(self, cycles: SupportsIndex) -> None:
        """Declare that each block takes *cycles* of its core."""
        self.cycles += int(cycles)
        self._launch.declared = True
