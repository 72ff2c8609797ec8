"""A C face that records what pyACL gives it, so that the wrappers are tested without a runtime behind them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from ascend_sim import pyacl, simulator
from ascend_sim.catalogue.functions import functions
from ascend_sim.pyacl import generate

_BITS = {"u64": 64, "handle": 64, "pointer": 64, "u32": 32, "u16": 16, "u8": 8}


class Recorder:
    """Stands for ``ascend_sim.ascendcl``: every C function notes its arguments and answers what the test set.

    Unsigned arguments are cut to their C width, as the real face does.
    """

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[Any, ...]]] = []
        self.answers: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function = functions().get(name)
        if function is None:
            raise AttributeError(name)

        def call(*arguments: Any) -> Any:
            assert len(arguments) == len(function.inputs), name
            seen = tuple(
                value & ((1 << _BITS[p.kind]) - 1) if p.kind in _BITS and isinstance(value, int) else value
                for p, value in zip(function.inputs, arguments, strict=True)
            )
            self.calls.append((name, seen))
            answer = self.answers.get(name)
            if answer is not None:
                return answer(*seen) if callable(answer) else answer
            if not function.returns_code:
                return function.failure
            return (*function.failure, 507000) if function.outputs else 0

        return call

    @property
    def last(self) -> tuple[Any, ...]:
        """The arguments of the last call."""
        return self.calls[-1][1]


@pytest.fixture
def c(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    """The recording C face; the fixture ``acl`` uses it."""
    recorder = Recorder()
    monkeypatch.setattr(generate, "ascendcl", recorder)
    return recorder


@pytest.fixture
def acl(c: Recorder) -> SimpleNamespace:
    """``acl`` over the recording C face."""
    root = pyacl.build("acl")
    for name in pyacl.MODULES:
        setattr(root, name, pyacl.build(f"acl.{name}"))
    return root  # type: ignore[return-value]


@pytest.fixture
def real() -> Iterator[ModuleType]:
    """``acl`` over the real C face, with a simulator of two devices."""
    with simulator.Simulator(devices=2):
        yield pyacl.modules()["acl"]
