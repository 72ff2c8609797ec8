"""Pictures of a moment: devices, contexts, streams, events and who waits for whom; memory and whose it is.

`relations.py` and `arenas.py` take down what there is, `text.py` writes it, `drawing.py` and `svg.py` draw it.
"""

from __future__ import annotations

from ascend_sim.state.picture import State

__all__ = ["State"]
