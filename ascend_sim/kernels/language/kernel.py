"""The decorator `kernel`, and what it makes of a function."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any, overload

import numpy as np

from ascend_sim.kernels.language.signature import Parameter, layout_of, parameters_of, pointers_in
from ascend_sim.kernels.language.structs import struct_bytes
from ascend_sim.runtime.entry import compile_call

__all__ = ["KINDS", "Kernel", "kernel"]


def _no_simulator() -> None:
    raise RuntimeError("no simulator is open: use `with Simulator(): ...`")


_launcher = compile_call(
    "aclrtLaunchKernelWithHostArgs",
    closure="kernel, blocks, stream",
    parameters="*arguments",
    first="raw = kernel.pack(*arguments)",
    arguments="(kernel, blocks, int(getattr(stream, 'handle', stream) or 0), None, arguments, len(raw), None, 0)",
    title="kernel.name",
    body=["failure, result = None, 0", "sim.launch(t, kernel, blocks, stream, raw)"],
    failed="failure, result = error, error.code; sim.note_error(t, kernel.name, error)",
    last="if failure is not None: raise failure",
    namespace={"too_late": _no_simulator},
)
"""Makes what ``kernel[blocks, stream]`` is: it packs its arguments and launches in the current simulator.

Observers hear of the call that such a launch is; an error is raised where that would return a code.
"""

KINDS = ("aiv", "aic", "mix11", "mix12", "cpu")
"""Kernel types: vector only, cube only, groups of one cube core with one or two vector cores, and the AI CPU."""


class Kernel:
    """A kernel: a function that every block runs once, and the layout of its arguments.

    Launch it with ``add[blocks, stream](x, y, n)`` or through the API by its name. `pack` gives the argument bytes,
    `layout` their numpy dtype; `on_arrays` runs it on numpy arrays without a device.
    """

    def __init__(
        self, function: FunctionType, kind: str, name: str, entry: int | None, slots: bool, batch: bool, schedmode: int,
        parameters: list[Parameter],
    ) -> None:  # fmt: skip
        self.function = function
        self.kind = kind
        self.name = name
        self.entry = entry
        self.slots = slots
        self.batch = batch
        self.schedmode = schedmode
        self.parameters = parameters
        self.waits = inspect.iscoroutinefunction(function)
        """It is ``async def``: its blocks can wait."""
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__module__ = function.__module__
        self.layout = layout_of(parameters, slots)
        self.fields: dict[str, tuple[np.dtype[Any], int]] = {
            name: (field[0], field[1]) for name, field in (self.layout.fields or {}).items()
        }
        """Type and offset of each parameter in the argument block."""
        self.needed = max((offset + dtype.itemsize for dtype, offset in self.fields.values()), default=0)
        """Bytes that an argument block must have: the tail pad may be missing."""
        self.unpack_pointers: Callable[[bytes], tuple[int, ...]] = pointers_in(parameters, self.layout).unpack_from
        """The addresses in an argument block."""

    def __repr__(self) -> str:
        return f"<kernel {self.name} ({', '.join(p.name for p in self.parameters)})>"

    def _repr_html_(self) -> str:
        from ascend_sim.findings.html import escaped_html  # notebooks alone show pages

        try:
            source = inspect.getsource(self.function)
        except (OSError, TypeError):
            source = ""
        return f"<div>{escaped_html(repr(self))}</div><pre>{escaped_html(source)}</pre>"

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError(f"kernel `{self.name}` is launched, not called: {self.name}[blocks, stream](...)")

    def __getitem__(self, configuration: Any) -> Callable[..., None]:
        """``kernel[blocks, stream]`` or ``kernel[blocks]``: a function that packs its arguments and launches.

        Raises AclError as aclrtLaunchKernelWithHostArgs fails.
        """
        blocks, stream = configuration if isinstance(configuration, tuple) else (configuration, 0)
        made: Callable[..., None] = _launcher(self, blocks, stream)
        return made

    def pack(self, *arguments: Any) -> bytes:
        """The argument block for these values: addresses for memory, numbers, structs. Raises TypeError."""
        self.check_count(arguments)
        block = np.zeros((), self.layout)
        for parameter, value in zip(self.parameters, arguments, strict=True):
            if parameter.form == "struct":
                raw = struct_bytes(value)
                if len(raw) != parameter.dtype.itemsize:
                    raise TypeError(f"`{parameter.name}` takes {parameter.dtype.itemsize} bytes, {len(raw)} given")
                block[parameter.name] = np.frombuffer(raw, parameter.dtype, 1)[0]
            elif parameter.form == "memory":
                block[parameter.name] = int(value or 0) & (1 << 64) - 1
            else:
                block[parameter.name] = value
        return block.tobytes()

    def check_count(self, arguments: tuple[Any, ...]) -> None:
        """Raises TypeError when there are too few or too many."""
        names = [p.name for p in self.parameters]
        if len(arguments) != len(names):
            missing = names[len(arguments) :]
            what = f"`{missing[0]}` is missing" if missing else "too many"
            count = f"{len(names)} argument{'s' if len(names) != 1 else ''}"
            raise TypeError(f"{self.name}[...]() takes {count} ({', '.join(names)}), {len(arguments)} given: {what}")

    def on_arrays(self, blocks: int, *arguments: Any, order: str = "ascending") -> None:
        """Run it on numpy arrays, without a device: memory parameters are arrays, changed in place.

        *order* of the blocks: ``ascending``, ``reversed`` or ``random(SEED)``. Raises what the kernel raises, and
        RuntimeError when its blocks wait for ever.
        """
        from ascend_sim.kernels.language.on_arrays import run_on_arrays

        self.check_count(arguments)
        run_on_arrays(self, blocks, arguments, order)


@overload
def kernel(function: Callable[..., Any], /) -> Kernel: ...
@overload
def kernel(
    *, kind: str = "aiv", name: str | None = None, entry: int | None = None, args: str = "c", batch: bool = False,
    schedmode: int = 0,
) -> Callable[[Callable[..., Any]], Kernel]: ...  # fmt: skip
def kernel(
    function: Callable[..., Any] | None = None, /, *, kind: str = "aiv", name: str | None = None,
    entry: int | None = None, args: str = "c", batch: bool = False, schedmode: int = 0,
) -> Any:  # fmt: skip
    """A kernel is a function that every block runs once.

    Its first parameter is the block, the others are what the launch passes, in the order of the C signature:
    ``x: gm.In[np.float32]`` for memory, ``n: np.uint32`` for a number, a Struct or ctypes.Structure by value.
    ``b.slice(n)`` is this block's share of ``range(n)``; brackets move data: ``x[s]`` loads, ``z[s] = v`` stores.
    Loading gives the values of that moment; nothing you do to them changes device memory until you store. Blocks run in
    any order and must not write the same place, except with atomics or with ``await b.sync_all()`` between (then the
    function is ``async def``). Debug it like any function: breakpoints, print and assert work.

    >>> import numpy as np
    >>> from ascend_sim import Block, gm, kernel
    >>> @kernel
    ... def add(b: Block, x: gm.In[np.float32], y: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    ...     s = b.slice(n)
    ...     z[s] = x[s] + y[s]
    >>> add.on_arrays(8, np.ones(100, np.float32), np.ones(100, np.float32), z := np.zeros(100, np.float32), 100)
    >>> float(z.sum())
    200.0

    *kind*: ``aiv``, ``aic``, ``mix11``, ``mix12`` or ``cpu``. *name*: the kernel's name in the binary. *entry*: its
    function entry. *args*: ``"c"`` alignment or 8-byte ``"slots"``. *batch*: the function runs once for all blocks.
    *schedmode*: 1 lets it start only when all its cores are free, as ``__schedmode__`` does; the launch attribute
    SCHEM_MODE is stronger. Raises TypeError for a parameter without a usable type.
    """
    if function is None:
        return lambda f: _make(f, kind, name, entry, args, batch, schedmode, sys._getframe(1).f_locals)
    return _make(function, kind, name, entry, args, batch, schedmode, sys._getframe(1).f_locals)


def _make(
    function: Callable[..., Any], kind: str, name: str | None, entry: int | None, args: str, batch: bool,
    schedmode: int, names: dict[str, Any],
) -> Kernel:  # fmt: skip
    if not isinstance(function, FunctionType):
        raise TypeError(f"@kernel decorates a function, not {type(function).__name__}")
    title = name or function.__name__
    if kind not in KINDS:
        raise TypeError(f"kernel `{title}`: kind is {kind!r}, one of {', '.join(KINDS)} is required")
    if args not in ("c", "slots"):
        raise TypeError(f"kernel `{title}`: args is {args!r}, 'c' or 'slots' is required")
    if schedmode not in (0, 1):
        raise TypeError(f"kernel `{title}`: schedmode is {schedmode!r}, 0 or 1 is required")
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        cure = f"write `async def {function.__name__}` and `await b.sync_all()`"
        raise TypeError(f"kernel `{title}`: `yield` is not a wait: {cure}")
    if batch and inspect.iscoroutinefunction(function):
        raise TypeError(f"kernel `{title}`: a batch kernel cannot wait: drop `async` or batch=True")
    if batch and kind.startswith("mix"):
        raise TypeError(f"kernel `{title}`: a batch kernel is of one kind of core, not {kind!r}")
    parameters = parameters_of(title, function, names)
    return Kernel(function, kind, title, entry, args == "slots", batch, schedmode, parameters)
