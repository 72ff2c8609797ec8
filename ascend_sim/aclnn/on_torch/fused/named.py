"""Bodies that take their parameters by name: one function for all versions of an operator.

Later versions of the fused operators put new parameters in the middle. A body here names what it uses; the catalogue
says where each stands, and a version that has not a parameter leaves it at its default.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import torch
from torch import Tensor

from ascend_sim.aclnn.bodies import Body, torch_body
from ascend_sim.catalogue.aclnn import operators

__all__ = ["named_body", "python_name"]

B = TypeVar("B", bound=Callable[..., Any])


def python_name(name: str) -> str:
    """A parameter of the C header as a keyword: without what only says how it is passed.

    >>> python_name("actualSeqQLenOptional"), python_name("kCacheRef"), python_name("y1Out")
    ('actual_seq_q_len', 'k_cache', 'y1_out')
    """
    name = re.sub("(Optional|Ref)$", "", name)
    name = re.sub("([a-z0-9])([A-Z])", r"\1_\2", name)
    return re.sub("([A-Z])([A-Z][a-z])", r"\1_\2", name).lower()


def named_body(*names: str, float8: Sequence[str] = (), **renamed: str) -> Callable[[B], B]:
    """The function is the torch body of these operators and takes their parameters as keywords.

    *float8*: the keywords that may be of a FLOAT8 type; the first phase refuses such a tensor elsewhere. *renamed*:
    ``x1="x"`` for versions that call a parameter otherwise. Raises ValueError where an operator has a parameter that the
    function does not name: what is ignored is named too.
    """

    def register(function: B) -> B:
        known = inspect.signature(function).parameters
        for name in names:
            keys, maybe, outputs = [], [], []
            for index, parameter in enumerate(operators()[name].parameters):
                key = python_name(parameter.name)
                key = renamed.get(key, key)
                if key not in known:
                    raise ValueError(f"{function.__name__} does not name {key} of {name}")
                keys.append(key)
                if parameter.optional and ("Array" in parameter.ctype or "aclTensor*" in parameter.ctype):
                    maybe.append(index)
                if parameter.role == "out":
                    outputs.append(index)
            body = _by_position(function, keys, maybe, outputs)
            body.float8 = frozenset(i for i, key in enumerate(keys) if key in float8)  # type: ignore[attr-defined]
            torch_body(name)(body)
        return function

    return register


def _by_position(
    function: Callable[..., Any], keys: Sequence[str], maybe: Sequence[int], outputs: Sequence[int]
) -> Body:
    """*maybe*: the places of tensors and arrays that may be NULL; frameworks pass empty ones there as well."""

    @functools.wraps(function)
    def body(*values: Any) -> Mapping[str, Sequence[int]] | None:
        given = list(values)
        for index in maybe:
            value = given[index]
            if value is not None and not (len(value) if isinstance(value, (tuple, list)) else value.numel()):
                given[index] = None
        beside = _beside(given, outputs)
        for index, dense in beside.items():
            given[index] = dense
        found: Mapping[str, Sequence[int]] | None = function(**dict(zip(keys, given, strict=True)))
        for index, dense in beside.items():
            values[index].copy_(dense)
        return found

    return body


def _beside(given: Sequence[Any], outputs: Sequence[int]) -> dict[int, Tensor]:
    """Dense memory for each output that a body is not given as it is: with gaps, or upon an operand that is still read."""
    found = {}
    for index in outputs:
        out = given[index]
        if isinstance(out, Tensor) and (not out.is_contiguous() or any(_meet(out, one) for one in _inputs(given, outputs))):
            found[index] = out.clone(memory_format=torch.contiguous_format)
    return found


def _inputs(given: Sequence[Any], outputs: Sequence[int]) -> Iterator[Tensor]:
    for index, value in enumerate(given):
        if index not in outputs:
            yield from (one for one in (value if isinstance(value, (tuple, list)) else (value,)) if isinstance(one, Tensor))


def _meet(one: Tensor, other: Tensor) -> bool:
    """Whether the two lie in one stretch of memory: between their first and last bytes, whatever gaps there are."""
    return _begin(one) < _end(other) and _begin(other) < _end(one)


def _begin(tensor: Tensor) -> int:
    return int(tensor.data_ptr())


def _end(tensor: Tensor) -> int:
    last = sum((size - 1) * step for size, step in zip(tensor.shape, tensor.stride(), strict=True))
    return _begin(tensor) + ((last + 1) * tensor.element_size() if tensor.numel() else 0)
