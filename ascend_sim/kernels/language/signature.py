"""The parameters of a kernel: from annotations to C sizes, offsets and what the function gets."""

from __future__ import annotations

import inspect
import struct
import typing
from collections.abc import Sequence
from types import FunctionType
from typing import Any

import numpy as np

from ascend_sim.kernels.language import gm
from ascend_sim.kernels.language.structs import struct_dtype, struct_value

__all__ = ["Parameter", "layout_of", "parameters_of", "pointers_in"]

POINTER = np.dtype(np.uint64)


class Parameter:
    """One parameter of a kernel: its C size and what the function gets for it."""

    __slots__ = ("alignment", "dtype", "form", "memory", "name", "struct")

    def __init__(self, name: str, form: str, dtype: np.dtype[Any], memory: Any = None, struct: Any = None) -> None:
        self.name = name
        self.form = form
        """``"memory"``, ``"number"`` or ``"struct"``."""
        self.dtype = dtype
        """Element type of memory, else the type of the value."""
        self.memory = memory
        """The class of the reference: gm.In, gm.Out or gm.InOut."""
        self.struct = struct
        self.alignment = max(dtype.alignment if dtype.names else dtype.itemsize, 1)
        """What the address of an element must be a multiple of."""

    @property
    def stored(self) -> np.dtype[Any]:
        """What lies in the argument block: an address, or the value."""
        return POINTER if self.form == "memory" else self.dtype

    @property
    def element(self) -> str:
        """The element type as the user writes it."""
        return str(self.struct.__name__) if self.struct is not None else f"np.{self.dtype}"

    def unpack_struct(self, raw: bytes) -> Any:
        """A struct by value."""
        return struct_value(self.struct, raw)


def layout_of(parameters: Sequence[Parameter], slots: bool) -> np.dtype[Any]:
    """The argument block: C alignment (pointers 8), or with *slots* every parameter at a multiple of 8."""
    names = [p.name for p in parameters]
    formats = [p.stored for p in parameters]
    if not slots:
        return np.dtype({"names": names, "formats": formats}, align=True)
    offsets, at = [], 0
    for stored in formats:
        offsets.append(at)
        at += -(-stored.itemsize // 8) * 8
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": at})


def pointers_in(parameters: Sequence[Parameter], layout: np.dtype[Any]) -> struct.Struct:
    """What unpacks the addresses in the block, and nothing else."""
    fields: Any = layout.fields or {}
    at, parts = 0, ["<"]
    for parameter in parameters:
        if parameter.form == "memory":
            offset = fields[parameter.name][1]
            parts.append(f"{offset - at}xQ")
            at = offset + 8
    return struct.Struct("".join(parts))


def parameters_of(title: str, function: FunctionType, names: dict[str, Any]) -> list[Parameter]:
    """The parameters behind the block. *names*: the local names of the caller. Raises TypeError for a bad one."""
    signature = list(inspect.signature(function).parameters.values())
    if not signature:
        raise TypeError(f"kernel `{title}`: the first parameter is the block: `def {function.__name__}(b: Block, ...)`")
    hints = _hints(function, [p.name for p in signature[1:]], names)
    return [_parameter(title, p, hints) for p in signature[1:]]


def _hints(function: FunctionType, wanted: list[str], names: dict[str, Any]) -> dict[str, Any]:
    """The types of the parameters alone (a return type may exist for checkers only); *names* are the second try."""
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
        cure = f"write e.g. `{name}: gm.In[np.float32]` for memory, `{name}: np.uint32` for a number"
        raise TypeError(f"kernel `{title}`: parameter `{name}` has no type: {cure}")
    hint = hints[name]
    origin = typing.get_origin(hint)
    if origin in (gm.In, gm.Out, gm.InOut):
        (element,) = typing.get_args(hint)
        dtype = struct_dtype(element)
        if dtype is not None:
            return Parameter(name, "memory", dtype, origin, element)
        dtype = _scalar(element)
        if dtype is None:
            shown = f"gm.{origin.__name__}[{_shown(element)}]"
            raise TypeError(f"kernel `{title}`: `{name}: {shown}`: {_shown(element)} has no C size: {_NUMPY}")
        return Parameter(name, "memory", dtype, origin)
    if hint in (gm.In, gm.Out, gm.InOut):
        shown = f"gm.{hint.__name__}"
        raise TypeError(f"kernel `{title}`: `{name}: {shown}` lacks the element type: write {shown}[np.float32]")
    dtype = struct_dtype(hint)
    if dtype is not None:
        return Parameter(name, "struct", dtype, None, hint)
    dtype = _scalar(hint)
    if dtype is None:
        raise TypeError(f"kernel `{title}`: `{name}: {_shown(hint)}` has no C size: {_NUMPY}")
    return Parameter(name, "number", dtype)


_NUMPY = "write np.int32 or another numpy type"


def _shown(kind: Any) -> str:
    return str(getattr(kind, "__name__", repr(kind)))


def _scalar(kind: Any) -> np.dtype[Any] | None:
    """The dtype of a number type with a C size; ml_dtypes.bfloat16 and its kin count."""
    if not isinstance(kind, type) or kind in (int, float, bool, str, complex, bytes, object):
        return None
    try:
        dtype = np.dtype(kind)
    except TypeError:
        return None
    return dtype if dtype.itemsize and dtype.names is None and dtype.kind in "iufbV" else None
