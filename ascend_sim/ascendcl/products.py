"""Which product has which function: the columns of the manual's support tables."""

from __future__ import annotations

from ascend_sim.catalogue.functions import functions
from ascend_sim.constants.errors import ACL_ERROR_RT_FEATURE_NOT_SUPPORT
from ascend_sim.errors import AclError
from ascend_sim.runtime.thread_state import ThreadState

__all__ = ["check_product"]

_COLUMNS = ("950", "A3", "A2", "200I", "INF", "TRN")


def check_product(t: ThreadState, name: str) -> None:
    """Raises AclError 207000 when the product of the current profile does not have the function *name*."""
    profile = t.sim.profile
    if functions()[name].support[_COLUMNS.index(profile.product)] == "N":
        raise AclError(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            f"{profile.name} does not have {name} (see `ascend-sim info` for other SoCs)",
        )
