"""numpy as ``np``, imported when it is first asked for something: it takes as long to load as all of the simulator.

A program that moves no bytes never needs it, and many processes of a run are such (docs/semantics/native.md#start-up).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["np"]

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
