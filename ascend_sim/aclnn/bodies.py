"""What the operators compute: one body a name, on numpy arrays or, where torch is installed, on CPU tensors.

A body gets the parameters of ``NAMEGetWorkspaceSize`` in their order, without the size of the workspace and the executor:

- a tensor is an array (or a ``torch.Tensor``) upon the device's own bytes, with the view's shape and strides; on numpy a
  half, bfloat16, complex32 or float of 8 bits is a copy in float32 (complex64), which is rounded back where it is written;
- an aclScalar is a Python number (of numpy's or Python's kind), an array a tuple, a list of tensors or scalars a list;
- NULL is None, ``char*`` a str, every other value a Python int, float or bool.

It writes its results into the tensors of the roles out and inout (``out[...] = x``, ``out.copy_(x)``) and returns None,
or the new shapes of outputs whose size depends on the data, by the parameter's name: ``{"out": (n,)}``.

A body may have an attribute ``straight``: another body, for tensors that are all dense float32, of which no output lies on a
part of another operand. It computes in the outputs themselves, which saves a copy. One with an attribute ``float8`` takes
tensors of a FLOAT8 type at those places only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

__all__ = ["NUMPY_BODIES", "TORCH_BODIES", "Body", "numpy_body", "torch_body"]

Body = Callable[..., Mapping[str, Sequence[int]] | None]
B = TypeVar("B", bound=Callable[..., Any])

NUMPY_BODIES: dict[str, Body] = {}
"""``aclnnAdd`` -> its body on numpy arrays; filled by the modules of ``on_numpy``, once each."""
TORCH_BODIES: dict[str, Body] = {}
"""The bodies on CPU tensors; filled by the modules of ``on_torch``, which import torch."""


def numpy_body(*names: str) -> Callable[[B], B]:
    """The function is the body of these operators. Raises ValueError for a name that has one."""
    return _registered(NUMPY_BODIES, names)


def torch_body(*names: str) -> Callable[[B], B]:
    """The function is the body of these operators on tensors of torch. Raises ValueError for a name that has one."""
    return _registered(TORCH_BODIES, names)


def _registered(bodies: dict[str, Body], names: Sequence[str]) -> Callable[[B], B]:
    def register(function: B) -> B:
        for name in names:
            if name in bodies:
                raise ValueError(f"{name} has a body")
            bodies[name] = function
        return function

    return register
