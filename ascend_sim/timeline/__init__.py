"""The timeline: what every thread, stream and core did in virtual time, as a page, a trace, text or a picture.

`recording.py` listens and notes, `trace.py` makes tracks, slices, edges and marks of the notes, and each form of output
has a module of its own: `page.py` (HTML), `trace_events.py` (Chrome and Perfetto), `lanes.py` (text), `figure.py`
(matplotlib). `costs.py` says where the length of a task comes from.
"""

from __future__ import annotations

from ascend_sim.timeline.recording import Timeline

__all__ = ["Timeline"]
