"""Explore the schedules of a program: every order of its tasks that could make a difference, each once.

The package can be called: ``from ascend_sim import explore; explore(program)`` is `explorer.explore`. A schedule that
was saved runs again with ``Simulator(schedule=replay(path))``.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from ascend_sim.explore.counterexamples.files import BadReplayFile, Recording, load, replay
from ascend_sim.explore.explorer import explore
from ascend_sim.explore.report import Failure, Report

__all__ = ["BadReplayFile", "Failure", "Recording", "Report", "explore", "load", "replay"]


class _Package(ModuleType):
    """Importing any module of a package puts the package where the function of the same name was."""

    __doc__ = __doc__

    def __call__(self, *arguments: Any, **options: Any) -> Report:
        return explore(*arguments, **options)


sys.modules[__name__].__class__ = _Package
