"""C structs in kernel parameters: by value, or in memory (`gm.In[MyTiling]`)."""

from __future__ import annotations

import ctypes
import typing
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_):
        return lambda cls: cls


__all__ = ["Struct", "struct_bytes", "struct_dtype", "struct_value"]


@dataclass_transform(kw_only_default=True)
class Struct:
    """A C struct: annotate its fields with numpy types, in the order of the C declaration.

    >>> class Tiling(Struct):
    ...     total: np.uint32
    ...     scale: np.float32
    >>> Tiling(total=7, scale=0.5).pack().hex()
    '070000000000003f'

    `dtype` has the C alignment; `pack` gives the bytes, `unpack` reads them. Raises TypeError for an unknown or missing
    field.
    """

    dtype: ClassVar[np.dtype[np.void]]
    nbytes: ClassVar[int]
    _nested: ClassVar[dict[str, Any]]
    """The fields that are structs, with their classes."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        hints = typing.get_type_hints(cls, localns=_caller_names())
        kinds = {name: kind for name, kind in hints.items() if typing.get_origin(kind) is not ClassVar}
        fields = [(name, _field_type(cls.__name__, name, kind)) for name, kind in kinds.items()]
        cls._nested = {name: kind for name, kind in kinds.items() if struct_dtype(kind) is not None}
        cls.dtype = np.dtype(fields, align=True)
        cls.nbytes = cls.dtype.itemsize

    def __init__(self, **values: Any) -> None:
        names = self.dtype.names or ()
        unknown = [name for name in values if name not in names]
        missing = [name for name in names if name not in values]
        if unknown or missing:
            what = f"has no field {unknown[0]!r}" if unknown else f"lacks {', '.join(missing)}"
            raise TypeError(f"{type(self).__name__}(...) {what}: its fields are {', '.join(names)}")
        for name in names:
            value = values[name]
            nested = self._nested.get(name)
            if nested is None:
                value = self.dtype[name].type(value)
            elif not isinstance(value, nested):
                raise TypeError(f"{type(self).__name__}(...): {name} is {value!r}: a {nested.__name__} is required")
            setattr(self, name, value)

    def __repr__(self) -> str:
        names = self.dtype.names or ()
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.pack() == other.pack()

    __hash__ = None  # type: ignore[assignment]

    def pack(self) -> bytes:
        """The struct as C lays it out."""
        names = self.dtype.names or ()
        value = np.zeros((), self.dtype)
        for name in names:
            item = getattr(self, name)
            if name in self._nested:
                item = np.frombuffer(struct_bytes(item), self.dtype[name], 1)[0]
            value[name] = item
        return value.tobytes()

    @classmethod
    def unpack(cls, data: Any) -> Struct:
        """The struct from its bytes, or from a numpy record."""
        record = data if isinstance(data, np.void) else np.frombuffer(data, cls.dtype, 1)[0]
        made = cls.__new__(cls)
        for name in cls.dtype.names or ():
            nested = cls._nested.get(name)
            setattr(made, name, record[name] if nested is None else struct_value(nested, record[name]))
        return made


def _field_type(owner: str, name: str, kind: Any) -> Any:
    if isinstance(kind, type) and issubclass(kind, np.generic):
        return np.dtype(kind)
    nested = struct_dtype(kind)
    if nested is not None:
        return nested
    raise TypeError(f"{owner}.{name}: {kind!r} has no C size, write np.uint32 or another numpy type")


def _caller_names() -> dict[str, Any]:
    """The names of the function in which the struct is defined: tests define structs locally."""
    import sys

    frame = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back  # type: ignore[assignment]
    return dict(frame.f_locals) if frame is not None else {}


def struct_dtype(kind: Any) -> np.dtype[Any] | None:
    """The dtype of a Struct or ctypes.Structure class; None for anything else."""
    if isinstance(kind, type) and issubclass(kind, Struct) and kind is not Struct:
        return kind.dtype
    if isinstance(kind, type) and issubclass(kind, ctypes.Structure):
        return np.dtype(kind)
    return None


def struct_bytes(value: Any) -> bytes:
    """The bytes of a Struct or ctypes.Structure."""
    return value.pack() if isinstance(value, Struct) else bytes(value)


def struct_value(kind: Any, data: Any) -> Any:
    """An instance of the Struct or ctypes.Structure class *kind* from its bytes or a numpy record."""
    if issubclass(kind, Struct):
        return kind.unpack(data)
    return kind.from_buffer_copy(data.tobytes() if isinstance(data, np.void) else data)
