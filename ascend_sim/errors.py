"""What the runtime raises: a return code with its reason, and the hang that nobody can end."""

from __future__ import annotations

from typing import Any

__all__ = ["OF_HANDLER", "PASSING", "AclError", "SimulatedHang", "Unwinding"]


class AclError(Exception):
    """A call that fails: the code that the real library returns, and why.

    *layer* is the layer that looked first (docs/semantics/layers.md#the-four-layers): ``"acl"`` (the wrapper), ``"rt"``
    (the runtime), ``"driver"``, or ``"state"`` for the runtime's own returns that do not become the thread's last error
    (docs/semantics/layers.md#last-error), or ``"answer"`` for a code that is what the call was asked for. *outputs*
    replaces the values that the face hands out on failure, in C order.
    """

    def __init__(self, code: int, reason: str = "", layer: str = "rt", outputs: tuple[Any, ...] | None = None) -> None:
        super().__init__(code, reason, layer, outputs)
        self.code = code
        self.reason = reason
        self.layer = layer
        self.outputs = outputs

    def __str__(self) -> str:
        return f"{self.code}: {self.reason}" if self.reason else str(self.code)


class Unwinding(BaseException):
    """What the simulator raises to end a thread of the program: nothing on the way may take it for an error of a body."""


class SimulatedHang(Unwinding):
    """Raised in every thread of a wait that nobody can end, where hardware would hang.

    A BaseException, so that ``except Exception`` in a program does not swallow it.
    """


PASSING = (KeyboardInterrupt, GeneratorExit, Unwinding)
"""What the code of a body (a kernel, an operator, a model) raises and is no failure of it: it goes on to the program."""

OF_HANDLER = "_ascend_sim_of_handler"
"""The attribute of what a signal handler of the program has raised: that is the program's, wherever it comes out."""
