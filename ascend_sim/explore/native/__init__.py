"""`ascend-sim explore` of C and C++ programs: each schedule is a process of its own, forked from one that has loaded the
program and the simulator and has run nothing of the program yet.

The search stays where it is started (`program`); a run asks it over a socket who goes on, and tells what each step did
(`served`). `server` is the process from which the runs are forked, `messages` what is said.
"""

from __future__ import annotations

__all__ = ["VARIABLE"]

VARIABLE = "ASCEND_SIM_EXPLORE"
"""In the environment of the server: its two sockets, by their numbers."""
