"""What the functions of the second media interface do (``hi_mpi_*``, ``acl.himpi``), for Python and for C.

A body takes structs as dicts, whose missing keys are 0, and arrays as lists; lengths of arrays it does not get
(`catalogue.himpi`). Who calls makes the dicts: the module ``acl`` hands on those of the program, the native library reads
memory. Codes are those of the interface, as unsigned numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

__all__ = ["bodies"]


@cache
def bodies() -> Mapping[str, Callable[..., Any]]:
    """What each function does that is modelled, by its C name."""
    from ascend_sim.ascendcl.himpi import decoding, encoding, pictures, png, system  # most programs use none of them

    return {**system.BODIES, **decoding.BODIES, **encoding.BODIES, **pictures.BODIES, **png.BODIES}
