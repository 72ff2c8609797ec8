"""numpy as ``np``, imported when it is first asked for something: it takes as long to load as all of the simulator.

A program that moves no bytes never needs it, and many processes of a run are such (docs/semantics/native.md#start-up).
Where there are threads it is imported before the second one: an import takes locks, and what they tell the engine may be
just what needs numpy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["load", "np"]


def load() -> None:
    """Import numpy now, since the next time that it is needed may be too late for it."""
    import numpy  # noqa: F401


if TYPE_CHECKING:
    import numpy as np
else:

    class _Numpy:
        """What stands for the module: each name is looked up there once."""

        def __getattr__(self, name: str) -> Any:
            import numpy

            found = getattr(numpy, name)
            setattr(self, name, found)
            return found

    np = _Numpy()
