"""Which product has which function: the columns of the manual's support tables."""

from __future__ import annotations

from ascend_sim.catalogue.functions import functions
from ascend_sim.constants.errors import ACL_ERROR_RT_FEATURE_NOT_SUPPORT
from ascend_sim.errors import AclError
from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["check_product"]

_COLUMNS = ("950", "A3", "A2", "200I", "INF", "TRN")
_STANDS_IN = {"310": "TRN"}
"""Products that have left the tables, and whose column stands in: the other chips of their generation."""


def check_product(t: ThreadState, name: str) -> None:
    """Raises AclError 207000 when the product of the current profile does not have the function *name*."""
    profile = t.sim.profile
    column = _COLUMNS.index(_STANDS_IN.get(profile.product, profile.product))
    if functions()[name].support[column] == "N":
        raise AclError(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            f"{profile.name} does not have {name} (see `ascend-sim info` for other SoCs)",
        )
