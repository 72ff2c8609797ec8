"""State machines that hypothesis drives by a string of bytes.

A machine has steps; each byte of the string chooses the next step or one of its arguments. Hypothesis makes, keeps and
shrinks the strings, but it takes no part in the single step: its own rule-based machines spend about a millisecond a
rule, twenty times what an API call costs, and the rare states of a runtime need long walks. What a failing walk did is
printed call by call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from hypothesis import given, note, settings
from hypothesis import strategies as st

from ascend_sim import ascendcl as C
from tests.kit.scale import SCALE

"""How many times longer than in the suite the machines walk; above 1 the walks are new ones each time."""

T = TypeVar("T")
S = TypeVar("S", bound=Callable[..., None])


def step(weight: int = 1) -> Callable[[S], S]:
    """Mark a method as a step of a machine; one of weight 3 is taken three times as often as one of weight 1."""

    def mark(method: S) -> S:
        method.weight = weight  # type: ignore[attr-defined]
        return method

    return mark


class Machine:
    """Base class: subclasses have steps, `begin`, and `end`; both the simulator and the model are theirs."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self.stopped = False
        """A step set it: what follows is not written, the walk ends here."""
        self.steps = [
            getattr(self, name)
            for name in sorted(dir(type(self)))
            for _ in range(getattr(getattr(type(self), name), "weight", 0))
        ]

    def begin(self) -> None:
        """Before the first step."""

    def end(self) -> None:
        """After the last one, and after a failure."""

    def finish(self) -> None:
        """After the last step, unless one failed: what must hold then."""

    def pick(self, options: Sequence[T]) -> T:
        """One of *options*, chosen by the next byte; the first one when the string is used up."""
        byte = self._data[self._at] if self._at < len(self._data) else 0
        self._at += 1
        return options[byte % len(options)]

    def walk(self) -> None:
        """Take steps until the string is used up."""
        self.begin()
        try:
            while self._at < len(self._data) and not self.stopped:
                self.pick(self.steps)()
            if not self.stopped:
                self.finish()
        finally:
            self.end()

    def expect(self, expected: int, name: str, *arguments: Any, call: Callable[..., Any] | None = None) -> Any:
        """Call the C function *name*: its code must be *expected*. Returns its output (a list when there are more)."""
        function = getattr(C, name)
        result = function(*arguments) if call is None else call(function, *arguments)
        *outputs, code = result if isinstance(result, tuple) else (result,)
        shown = ", ".join(f"{a:#x}" if type(a) is int and a > 1 << 16 else repr(a) for a in arguments)
        note(f"{name}({shown}) -> {result}")
        assert code == expected, f"{name}({shown}) returned {code}: the page says {expected}"
        return outputs[0] if len(outputs) == 1 else outputs


def walked(machine: type[Machine], walks: int, length: int) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Make a test of *walks* walks of the *machine*, each at most *length* bytes long; its body says nothing more."""

    def make(test: Callable[[], None]) -> Callable[[], None]:
        @settings(max_examples=walks * SCALE)
        @given(st.binary(min_size=length // 2, max_size=length))
        def run(data: bytes) -> None:
            machine(data).walk()

        run.__name__ = test.__name__
        run.__qualname__ = test.__qualname__
        run.__doc__ = test.__doc__
        return run

    return make
