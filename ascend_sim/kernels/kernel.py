"""The decorator `kernel`: reads a function's parameters once and makes a Kernel of it."""

from __future__ import annotations

import inspect
import sys
import typing
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from ascend_sim.kernels import gm
from ascend_sim.kernels.structs import Struct, struct_dtype

__all__ = ["KINDS", "Kernel", "Parameter", "kernel"]

KINDS = ("aiv", "aic", "mix11", "mix12")
"""Kernel types: vector only, cube only, and groups of one cube core with one or two vector cores."""

POINTER = np.dtype(np.uint64)


class Parameter:
    """One parameter of a kernel: its C size and what the function gets for it."""

    __slots__ = ("dtype", "form", "memory", "name", "struct")

    def __init__(self, name: str, form: str, dtype: np.dtype[Any], memory: Any = None, struct: Any = None) -> None:
        self.name = name
        self.form = form
        """``"memory"``, ``"number"`` or ``"struct"``."""
        self.dtype = dtype
        """Element type of memory, else the type of the value."""
        self.memory = memory
        """The class of the reference: gm.In, gm.Out or gm.InOut."""
        self.struct = struct

    @property
    def stored(self) -> np.dtype[Any]:
        """What lies in the argument block: an address, or the value."""
        return POINTER if self.form == "memory" else self.dtype


class Kernel:
    """A kernel: a function that every block runs once, and the layout of its arguments.

    Launch it with ``add[blocks, stream](x, y, n)`` or through the API by its name. `pack` gives the argument bytes,
    `layout` their numpy dtype; `on_arrays` runs it on numpy arrays without a device.
    """

    def __init__(
        self,
        function: FunctionType,
        kind: str,
        name: str,
        entry: int | None,
        slots: bool,
        batch: bool,
        parameters: list[Parameter],
    ) -> None:
        self.function = function
        self.kind = kind
        self.name = name
        self.entry = entry
        self.slots = slots
        self.batch = batch
        self.parameters = parameters
        self.waits = inspect.iscoroutinefunction(function)
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__module__ = function.__module__
        self.layout = _layout(parameters, slots)
        self.fields: dict[str, tuple[np.dtype[Any], int]] = {
            name: (field[0], field[1]) for name, field in (self.layout.fields or {}).items()
        }
        """Type and offset of each parameter in the argument block."""
        self.needed = max((offset + dtype.itemsize for dtype, offset in self.fields.values()), default=0)
        """Bytes that an argument block must have: the tail pad may be missing."""

    def __repr__(self) -> str:
        return f"<kernel {self.name} ({', '.join(p.name for p in self.parameters)})>"

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError(f"kernel `{self.name}` is launched, not called: {self.name}[blocks, stream](...)")

    def __getitem__(self, configuration: Any) -> Callable[..., None]:
        """``kernel[blocks, stream]`` or ``kernel[blocks]``: a function that packs its arguments and launches.

        Raises AclError as aclrtLaunchKernelWithHostArgs fails.
        """
        from ascend_sim.kernels.launching import launcher

        blocks, stream = configuration if isinstance(configuration, tuple) else (configuration, 0)
        return launcher(self, blocks, stream)

    def pack(self, *arguments: Any) -> bytes:
        """The argument block for these values: addresses for memory, numbers, structs. Raises TypeError."""
        self.check_count(arguments)
        block = np.zeros((), self.layout)
        for parameter, value in zip(self.parameters, arguments, strict=True):
            if parameter.form == "struct":
                raw = value.pack() if isinstance(value, Struct) else bytes(value)
                if len(raw) != parameter.dtype.itemsize:
                    raise TypeError(f"`{parameter.name}` takes {parameter.dtype.itemsize} bytes, {len(raw)} given")
                block[parameter.name] = np.frombuffer(raw, parameter.dtype, 1)[0]
            elif parameter.form == "memory":
                block[parameter.name] = int(value) & (1 << 64) - 1
            else:
                block[parameter.name] = value
        return block.tobytes()

    def check_count(self, arguments: tuple[Any, ...]) -> None:
        """Raises TypeError when there are too few or too many."""
        names = [p.name for p in self.parameters]
        if len(arguments) != len(names):
            missing = names[len(arguments) :]
            what = f"`{missing[0]}` is missing" if missing else "too many"
            raise TypeError(
                f"{self.name}[...]() takes {len(names)} arguments ({', '.join(names)}), {len(arguments)} given: {what}"
            )

    def on_arrays(self, blocks: int, *arguments: Any) -> None:
        """Run it on numpy arrays, without a device: memory parameters are arrays, changed in place."""
        from ascend_sim.kernels.running import run_on_arrays

        self.check_count(arguments)
        run_on_arrays(self, blocks, arguments)


def _layout(parameters: list[Parameter], slots: bool) -> np.dtype[Any]:
    """C alignment (pointers 8), or every parameter at a multiple of 8."""
    names = [p.name for p in parameters]
    formats = [p.stored for p in parameters]
    if not slots:
        return np.dtype({"names": names, "formats": formats}, align=True)
    offsets, at = [], 0
    for stored in formats:
        offsets.append(at)
        at += -(-stored.itemsize // 8) * 8
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": at})


def kernel(
    function: Callable[..., Any] | None = None,
    /,
    *,
    kind: str = "aiv",
    name: str | None = None,
    entry: int | None = None,
    args: str = "c",
    batch: bool = False,
) -> Any:
    """A kernel is a function that every block runs once.

    Its first parameter is the block, the others are what the launch passes, in the order of the C signature:
    ``x: gm.In[np.float32]`` for memory, ``n: np.uint32`` for a number, a Struct or ctypes.Structure by value.
    ``b.slice(n)`` is this block's share of ``range(n)``; brackets move data: ``x[s]`` loads, ``z[s] = v`` stores. Blocks
    run in any order and must not write the same place, except with atomics or with ``await b.sync_all()`` between (then
    the function is ``async def``). Breakpoints, print and assert work as in any function.

    *kind*: ``aiv``, ``aic``, ``mix11`` or ``mix12``. *name*: the kernel's name in the binary. *entry*: its function
    entry. *args*: ``"c"`` alignment or 8-byte ``"slots"``. *batch*: the function runs once for all blocks.
    Raises TypeError for a parameter without a usable type.
    """
    if function is None:
        return lambda f: _make(f, kind, name, entry, args, batch, sys._getframe(1).f_locals)
    return _make(function, kind, name, entry, args, batch, sys._getframe(1).f_locals)


def _make(
    function: Callable[..., Any],
    kind: str,
    name: str | None,
    entry: int | None,
    args: str,
    batch: bool,
    names: dict[str, Any],
) -> Kernel:
    if not isinstance(function, FunctionType):
        raise TypeError(f"@kernel decorates a function, not {type(function).__name__}")
    title = name or function.__name__
    if kind not in KINDS:
        raise TypeError(f"kernel `{title}`: kind is {kind!r}, one of {', '.join(KINDS)} is required")
    if args not in ("c", "slots"):
        raise TypeError(f"kernel `{title}`: args is {args!r}, 'c' or 'slots' is required")
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise TypeError(
            f"kernel `{title}`: `yield` is not a wait: write `async def {function.__name__}` and `await b.sync_all()`"
        )
    if batch and inspect.iscoroutinefunction(function):
        raise TypeError(f"kernel `{title}`: a batch kernel cannot wait")
    signature = list(inspect.signature(function).parameters.values())
    if not signature:
        raise TypeError(f"kernel `{title}`: the first parameter is the block: `def {function.__name__}(b: Block, ...)`")
    hints = _hints(function, [p.name for p in signature[1:]], names)
    parameters = [_parameter(title, p, hints) for p in signature[1:]]
    return Kernel(function, kind, title, entry, args == "slots", batch, parameters)


def _hints(function: FunctionType, wanted: list[str], names: dict[str, Any]) -> dict[str, Any]:
    """The types of the parameters alone; the caller's local names are the second try."""
    annotations = {key: value for key, value in function.__annotations__.items() if key in wanted}
    if not any(isinstance(value, str) for value in annotations.values()):
        return annotations
    probe = FunctionType((lambda: None).__code__, function.__globals__)
    probe.__annotations__ = annotations
    try:
        return typing.get_type_hints(probe)
    except NameError:
        return typing.get_type_hints(probe, localns=names)


def _parameter(title: str, parameter: inspect.Parameter, hints: dict[str, Any]) -> Parameter:
    name = parameter.name
    if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
        raise TypeError(f"kernel `{title}`: parameter `{name}` must be a plain one, C has no other")
    if name not in hints:
        raise TypeError(
            f"kernel `{title}`: parameter `{name}` has no type: write e.g. `{name}: gm.In[np.float32]` for memory, "
            f"`{name}: np.uint32` for a number"
        )
    hint = hints[name]
    origin = typing.get_origin(hint)
    if origin in (gm.In, gm.Out, gm.InOut):
        (element,) = typing.get_args(hint)
        dtype = struct_dtype(element)
        if dtype is None:
            dtype = _scalar(element)
        if dtype is None:
            raise TypeError(f"kernel `{title}`: `{name}: gm.{origin.__name__}[{element!r}]` has no element of a C size")
        return Parameter(name, "memory", dtype, origin, element if struct_dtype(element) is not None else None)
    if hint in (gm.In, gm.Out, gm.InOut):
        raise TypeError(
            f"kernel `{title}`: `{name}: gm.{hint.__name__}` lacks the element type: write gm.{hint.__name__}[np.float32]"
        )
    dtype = struct_dtype(hint)
    if dtype is not None:
        return Parameter(name, "struct", dtype, None, hint)
    dtype = _scalar(hint)
    if dtype is None:
        shown = getattr(hint, "__name__", repr(hint))
        raise TypeError(f"kernel `{title}`: `{name}: {shown}` has no C size: write np.int32 or another numpy type")
    return Parameter(name, "number", dtype)


def _scalar(kind: Any) -> np.dtype[Any] | None:
    if isinstance(kind, type) and issubclass(kind, np.generic):
        dtype = np.dtype(kind)
        return (
            dtype
            if dtype.itemsize and dtype.kind in "iufb"
            else dtype
            if dtype.itemsize and dtype.kind == "V"
            else None
        )
    if isinstance(kind, type) and kind not in (int, float, bool, str, complex, bytes, object):
        try:  # ml_dtypes.bfloat16 and its kin are types of their own
            dtype = np.dtype(kind)
        except TypeError:
            return None
        return dtype if dtype.kind == "V" or dtype.itemsize <= 8 and dtype.kind in "iuf" else None
    return None
