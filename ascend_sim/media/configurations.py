"""Settings of single operations: rectangles, scaling, the quality of JPEG, borders.

A call copies them into its task: they may be changed and destroyed right after it
(docs/semantics/media.md#what-a-task-reads-and-when).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

from ascend_sim.media.descriptors import MediaObject

if TYPE_CHECKING:
    from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["Border", "BorderConfig", "JpegConfig", "Rectangle", "ResizeConfig", "RoiConfig"]


class Rectangle(NamedTuple):
    """Pixels from *left* to *right* and from *top* to *bottom*, both ends included."""

    left: int
    right: int
    top: int
    bottom: int

    @property
    def width(self) -> int:
        """Columns; not positive when right lies before left."""
        return self.right - self.left + 1

    @property
    def height(self) -> int:
        """Rows."""
        return self.bottom - self.top + 1

    def __str__(self) -> str:
        return f"({self.left}, {self.right}, {self.top}, {self.bottom})"


class RoiConfig(MediaObject):
    """A rectangle of a picture."""

    __slots__ = ("area",)

    leaks_as: ClassVar[str] = "roi configuration"

    def __init__(self, t: ThreadState, area: Rectangle) -> None:
        super().__init__(t)
        self.area = area


class ResizeConfig(MediaObject):
    """Which algorithm scales."""

    __slots__ = ("interpolation",)

    leaks_as: ClassVar[str] = "resize configuration"

    def __init__(self, t: ThreadState) -> None:
        super().__init__(t)
        self.interpolation = 0


class JpegConfig(MediaObject):
    """The quality of an encode: 1 to 100, larger is better; 0 is 100."""

    __slots__ = ("level",)

    leaks_as: ClassVar[str] = "JPEG configuration"

    def __init__(self, t: ThreadState) -> None:
        super().__init__(t)
        self.level = 0


class Border(NamedTuple):
    """A border as a task gets it: *kind* an acldvppBorderType, pixels on each side, and a value for each component."""

    kind: int
    top: int
    bottom: int
    left: int
    right: int
    values: tuple[float, ...]


class BorderConfig(MediaObject):
    """A border around a picture."""

    __slots__ = ("bottom", "kind", "left", "right", "top", "values")

    leaks_as: ClassVar[str] = "border configuration"

    def __init__(self, t: ThreadState) -> None:
        super().__init__(t)
        self.kind = 0
        self.top = self.bottom = self.left = self.right = 0
        self.values = [0.0, 0.0, 0.0, 0.0]

    def border(self) -> Border:
        """What it says now."""
        return Border(self.kind, self.top, self.bottom, self.left, self.right, tuple(self.values))
