"""A property under pytest: each example that hypothesis tries gets a simulator of its own, and is judged by itself.

So a finding is a failure of the example, and hypothesis makes it small.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ascend_sim.errors import SimulatedHang
from ascend_sim.runtime.current import this_thread

if TYPE_CHECKING:
    from ascend_sim.testing.pytest_simulators import Run

__all__ = ["judged_one_by_one"]


@contextmanager
def judged_one_by_one(run: Run, function: object) -> Iterator[None]:
    """While the context lasts: the examples of *function* are told apart. Nothing for what is no property.

    When fixtures (or setUp) have called the API before the first example, all examples go on with that simulator:
    a fresh one would lack what they prepared.
    """
    handle: Any = getattr(function, "hypothesis", None)
    inner = getattr(handle, "inner_test", None)
    if inner is None:
        yield
        return
    shared: bool | None = None

    @functools.wraps(inner)
    def example(*args: Any, **kwargs: Any) -> Any:
        nonlocal shared
        if shared is None:
            shared = bool(this_thread().call)
        elif not shared:
            run.restart()
        if "ascend" in kwargs:
            kwargs["ascend"] = run.sim
        hang, result = None, None
        try:
            result = inner(*args, **kwargs)
        except SimulatedHang as error:  # hypothesis lets a BaseException pass without making the example small
            hang = error
        run.judge()
        if hang is not None:
            raise hang
        return result

    handle.inner_test = example
    try:
        yield
    finally:
        handle.inner_test = inner
