"""Histograms and tables of new values: three dimensions of 256 entries in host memory that the program reads and fills."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from ascend_sim.media.descriptors import MediaObject
from ascend_sim.media.pending import Pending
from ascend_sim.media.rules import table

if TYPE_CHECKING:
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["Histogram", "LookupTable"]


class Histogram(MediaObject):
    """How many pixels have which value, for each component."""

    __slots__ = ("counts", "pending", "ret_code")

    leaks_as: ClassVar[str] = "histogram"

    def __init__(self, t: ThreadState) -> None:
        super().__init__(t)
        size = table()["hist"]
        self.counts: npt.NDArray[np.uint32] = np.zeros((size["dims"], size["length"]), np.uint32)
        self.ret_code = 0
        self.pending = Pending()

    def drop(self, t: ThreadState) -> None:
        self.pending.disturbed(t, self, "destroys")
        super().drop(t)


class LookupTable(MediaObject):
    """The new value of each old one, for each component. What the program does not fill in is undefined: here 0."""

    __slots__ = ("values",)

    leaks_as: ClassVar[str] = "lookup table"

    def __init__(self, t: ThreadState) -> None:
        super().__init__(t)
        size = table()["hist"]
        self.values: npt.NDArray[np.uint8] = np.zeros((size["dims"], size["length"]), np.uint8)
