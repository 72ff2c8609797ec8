"""The functions of aclnn: operators in two phases, and the objects that they take. Made when they are asked for.

``x = ascendcl.aclCreateTensor((2, 3), 2, 0, None, 0, 2, (2, 3), 2, address)``, then
``size, executor, ret = ascendcl.aclnnAddGetWorkspaceSize(x, y, alpha, out)`` and
``ret = ascendcl.aclnnAdd(workspace, size, executor, stream)``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ascend_sim.ascendcl.aclnn.objects import OBJECTS, RAW
from ascend_sim.ascendcl.aclnn.phases import first_phase, second_phase
from ascend_sim.ascendcl.api import build_of
from ascend_sim.catalogue.aclnn import object_functions, operators
from ascend_sim.catalogue.operator_functions import operator_function, operator_of

__all__ = ["body_of", "build", "known"]


def known(name: str) -> bool:
    """Whether the headers of aclnn declare *name*."""
    return name in object_functions() or name in operators() or bool(operator_of(name))


def body_of(name: str) -> Callable[..., Any] | None:
    """What the function *name* does; None when it is not modelled."""
    if name in object_functions():
        return OBJECTS.get(name)
    first = operator_of(name)
    return first_phase(first) if first else second_phase(name)


def build(name: str) -> Callable[..., Any]:
    """The function that Python programs call. Raises KeyError for a name that the headers do not have."""
    return build_of(operator_function(name), body_of(name), RAW)
