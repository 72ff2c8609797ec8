"""The task of an operator: it runs the body on the bytes as they are then, and tells observers which they were."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ascend_sim.aclnn.windows import Array, Window
from ascend_sim.runtime.memory.transfers import unreachable
from ascend_sim.runtime.task import TaskFault
from ascend_sim.source.fence import said

if TYPE_CHECKING:
    from ascend_sim.aclnn.bodies import Body
    from ascend_sim.aclnn.objects import Layout, TensorView
    from ascend_sim.aclnn.operators import Place
    from ascend_sim.runtime.task import Task

__all__ = ["Operand", "Run"]

FAILURES = (
    ValueError, IndexError, TypeError, KeyError, ArithmeticError, NotImplementedError, RuntimeError, MemoryError,
    AssertionError,
)  # fmt: skip
"""What numpy, torch and bodies raise for values that they cannot work with: the kernel's exception on a device."""


class Operand:
    """A tensor among the arguments: at *index*, or *inside* the list there (-1: it is an argument of its own)."""

    __slots__ = ("index", "inside", "place", "wide")

    def __init__(self, place: Place, index: int, inside: int, layout: Layout) -> None:
        self.place = place
        self.index = index
        self.inside = inside
        self.wide = layout.element is not None and layout.element.widen is not None
        """Bodies on numpy get it in another type."""


def _torch_tensor(array: Array, layout: Layout) -> Any:
    """A tensor of torch upon the bytes of *array*."""
    torch = sys.modules["torch"]
    element = layout.element
    assert element is not None
    if element.widen is None or element.name == "float16":
        return torch.from_numpy(array)
    signed: Any = np.dtype(f"i{element.carrier.itemsize}") if element.carrier.itemsize > 1 else element.carrier
    return torch.from_numpy(array.view(signed)).view(getattr(torch, element.torch))


class Run:
    """The action of an operator's task."""

    __slots__ = ("arguments", "body", "code", "moves", "name", "operands", "torch", "views", "windows")

    def __init__(
        self, name: str, body: Body, torch: bool, arguments: Sequence[Any], operands: Sequence[Operand],
        windows: Sequence[Window], views: Sequence[TensorView], code: int, moves: bool,
    ) -> None:  # fmt: skip
        self.name = name
        self.body = body
        self.torch = torch
        self.arguments = arguments
        """Those of the body in their order; tensors are put in when it runs."""
        self.operands = operands
        self.windows = windows
        self.views = views
        self.code = code
        """What a failure of the task gives."""
        self.moves = moves and all(window.block is None or window.block.pieces is None for window in windows)
        """It only moves elements, in memory that is known by its own addresses."""

    def __call__(self, task: Task, time: int) -> None:
        """Read, compute, write. Raises TaskFault."""
        operands, windows, torch = self.operands, self.windows, self.torch
        arguments = list(self.arguments)
        stores: list[Callable[[], None]] | None = None
        for operand, window in zip(operands, windows, strict=True):
            value: Any = window.array
            block = window.block
            if value is None or (block is not None and block.freed):
                if window.fault:
                    raise unreachable(task, f"{operand.place.name} is: {window.fault}", self.code)
                value = window.elements(task, operand.place.written)
            if torch:
                known = window.made_tensor
                value = known if known is not None and value is window.array else window.tensor(value, _torch_tensor)
            elif operand.wide:
                stores = stores if stores is not None else []
                value = self._wide(value, operand, window, stores)
            if operand.inside < 0:
                arguments[operand.index] = value
            else:
                if arguments[operand.index] is self.arguments[operand.index]:
                    arguments[operand.index] = list(arguments[operand.index])
                arguments[operand.index][operand.inside] = value
        sim = task.stream.sim
        if sim.hooks.accessed is not None:
            self._tell(task)
        dumping = sim.process.dumping
        if dumping is not None and not dumping.takes_operators():
            dumping = None  # torch_npu's own settings ask for a scene of failures
        before = [np.array(w.elements(task, False)) for o, w in zip(operands, windows, strict=True) if o.place.read] \
            if dumping is not None else []  # fmt: skip
        try:
            if self.torch:
                shapes = self.body(*arguments)
            else:
                with np.errstate(all="ignore"):
                    shapes = self.body(*arguments)
                    for store in stores or ():
                        store()
        except FAILURES as error:
            raise TaskFault(self.code, f"{self.name}: {type(error).__name__}: {said(error)}") from None
        if shapes:
            self._reshape(shapes)
        if dumping is not None:
            after = [
                np.array(w.elements(task, False)) for o, w in zip(operands, windows, strict=True) if o.place.written
            ]
            dumping.operator(task, self.name, before, after)

    def _wide(self, array: Array, operand: Operand, window: Window, stores: list[Callable[[], None]]) -> Array:
        """The elements in the type that numpy computes them in; what the body leaves there is rounded back."""
        element = window.layout.element
        assert element is not None and element.widen is not None
        if not operand.place.written:
            return np.asarray(element.widen(array))
        wide = (
            np.asarray(element.widen(array)).view(element.wide)
            if operand.place.read
            else np.empty(array.shape, element.wide)
        )
        narrow = element.narrow
        assert narrow is not None

        def store() -> None:
            array[...] = narrow(wide)

        stores.append(store)
        return wide

    def _tell(self, task: Task) -> None:
        hooks = task.stream.sim.hooks
        for operand, window in zip(self.operands, self.windows, strict=True):
            if operand.place.read:
                window.tell(hooks, task, False)
        for operand, window in zip(self.operands, self.windows, strict=True):
            if operand.place.written:
                window.tell(hooks, task, True)
        if self.moves and hooks.moved is not None:
            from ascend_sim.aclnn.moved_bytes import MovedBytes

            for hear in hooks.moved:
                hear(task, MovedBytes(self, task))

    def compute(self, arrays: Sequence[Array]) -> bool:
        """Run the body on *arrays* in place of the memory of its operands; False when it cannot work with them."""
        arguments = [list(given) if isinstance(given, list) else given for given in self.arguments]
        stores: list[Callable[[], None]] = []
        for operand, window, array in zip(self.operands, self.windows, arrays, strict=True):
            value: Any = array
            if self.torch:
                value = _torch_tensor(array, window.layout)
            elif operand.wide:
                value = self._wide(array, operand, window, stores)
            if operand.inside < 0:
                arguments[operand.index] = value
            else:
                arguments[operand.index][operand.inside] = value
        try:
            with np.errstate(all="ignore"):
                self.body(*arguments)
                for store in stores:
                    store()
        except FAILURES:  # the task itself is about to fail for it
            return False
        return True

    def _reshape(self, shapes: Mapping[str, Sequence[int]]) -> None:
        """The program learns the shape of an output that depends on the data from the tensor itself."""
        for operand, view in zip(self.operands, self.views, strict=True):
            shape = shapes.get(operand.place.name)
            if shape is not None and operand.inside < 0:
                view.reshape(shape)
