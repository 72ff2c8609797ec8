"""Operands that the library has noted (`c/operands.c`): they are made and ended here, in the order of the calls.

Libraries of C++ make tensors, scalars and arrays by the dozen, a call each, and destroy them behind the operator. Whoever
does not listen to these calls sees no difference: each has cost its time, and the objects have the handles that the
program holds (docs/semantics/torch.md#operands).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from ascend_sim.aclnn.objects import NumberArray, ObjectList, Scalar, TensorView, layout_of

if TYPE_CHECKING:
    from ascend_sim.runtime.core import Runtime
    from ascend_sim.runtime.threads.host_threads import HostThread

__all__ = ["allowed", "listener", "pattern"]

TENSOR, SCALAR, INTS, FLOATS, BOOLS, LIST = range(1, 7)
"""`enum operand` of door.h."""
_LETTERS: Final = {INTS: "q", FLOATS: "f", BOOLS: "?"}


def allowed(sim: Runtime) -> bool:
    """Whether calls that make and end operands may be noted: nobody listens to each, or is to fail one."""
    hooks = sim.hooks
    listening = (*(hooks.api_entered or ()), *(hooks.api_returned or ()), *(hooks.handle_made or ()))
    return not (
        sim.scheduler.schedule.eager
        or sim.scheduler.schedule.drives
        or sim.intercept is not None
        or sim.handles.reuse
        or sim.process.finalized
        or any(getattr(getattr(f, "__self__", None), "hears_operands", True) for f in listening)
    )


def pattern(operand: int, data: bytes) -> Any:
    """What tensors or arrays with these numbers have in common: a layout, or a tuple of values. None: there is none."""
    if operand != TENSOR:
        _, count = struct.unpack_from("=2q", data)
        return struct.unpack_from(f"={count}{_LETTERS[operand]}", data, 16)
    numbers = struct.unpack(f"={len(data) // 8}q", data)
    count, stored, data_type, offset, format_ = numbers[:5]
    sizes = numbers[5:]
    try:
        return layout_of(
            sizes[:count], data_type, sizes[count : 2 * count], offset, format_, sizes[2 * count : 2 * count + stored]
        )
    except ValueError:
        return None


def listener(sim: Runtime, thread_of: Callable[[int], HostThread | None]) -> Callable[[int, Sequence[Any]], None]:
    """What the library tells of operands of *sim*. *thread_of*: the host thread of a thread's number."""
    handles = sim.handles
    drop = handles.drop_later_told

    def hear(ident: int, calls: Sequence[Any]) -> None:
        thread = thread_of(ident)
        site = None
        if thread is not None:
            thread.clock += len(calls) * sim.host_call_ns
            site = thread.site
        ended: list[int] = []
        for call in calls:
            if type(call) is int:
                thing: Any = handles.get(call)
                if type(thing) is ObjectList:  # it owns what it holds
                    ended += [element.handle for element in thing.elements if element is not None]
                ended.append(call)
                continue
            handle, operand, kind, value = call
            if operand == TENSOR:
                thing = TensorView(kind, value)
            elif operand == SCALAR:
                thing = Scalar(kind, value)
            elif operand == LIST:
                drop(ended, site)
                ended.clear()
                found = [handles.get(element) for element in value]
                thing = ObjectList([one if isinstance(one, (TensorView, Scalar)) else None for one in found])
            else:
                thing = NumberArray(kind)
            thing.handle = handle
            handles[handle] = thing
        drop(ended, site)

    return hear
