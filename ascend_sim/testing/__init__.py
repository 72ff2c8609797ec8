"""For tests of programs and libraries that use the runtime.

The pytest plugin is the module ``ascend_sim_pytest``. With hypothesis there are state machines to subclass
(`AllocatorStateMachine`, `StreamStateMachine`, `RuntimeStateMachine`), `strategies`, and whole `programs`::

    from hypothesis import given
    from ascend_sim.testing import programs

    @given(programs.programs(synchronised=1.0))
    def test_programs_with_all_waits_have_no_findings(program):
        final, errors = program.run(schedule="random(1)")
        assert not errors
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ascend_sim.testing import programs, strategies
    from ascend_sim.testing.allocator_machine import AllocatorStateMachine
    from ascend_sim.testing.programs import Program
    from ascend_sim.testing.runtime_machine import RuntimeStateMachine
    from ascend_sim.testing.stream_machine import StreamStateMachine

__all__ = ["AllocatorStateMachine", "Program", "RuntimeStateMachine", "StreamStateMachine", "programs", "strategies"]

_HOMES = {
    "AllocatorStateMachine": "allocator_machine",
    "RuntimeStateMachine": "runtime_machine",
    "StreamStateMachine": "stream_machine",
    "Program": "programs",
}


def __getattr__(name: str) -> Any:  # hypothesis is imported by who needs it
    if name in ("programs", "strategies"):  # modules: `programs.programs(...)`, `strategies.sizes(...)`
        return importlib.import_module(f"ascend_sim.testing.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'ascend_sim.testing' has no attribute {name!r}")
    return getattr(importlib.import_module(f"ascend_sim.testing.{_HOMES[name]}"), name)
