"""Chapter 14, last part: SIMT launches. Their arguments are checked; kernels of that kind are not modelled."""

from __future__ import annotations

from typing import Any

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.kernel.loading import function_of
from ascend_sim.ascendcl.products import check_product
from ascend_sim.constants.errors import ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.errors import AclError
from ascend_sim.runtime.thread_state import ThreadState


def _refuse(t: ThreadState, name: str, function: int, grid: Any, block: Any) -> None:
    """Raises AclError: 207000 products without SIMT, 107017, 107000 a dimension of 0, 107000 no SIMT kernel."""
    check_product(t, name)
    found = function_of(t, function)
    for what, dim in (("gridDim", grid), ("blockDim", block)):
        sizes = [getattr(dim, axis, 0) for axis in "xyz"]
        if 0 in sizes:
            raise AclError(
                ACL_ERROR_RT_PARAM_INVALID, f"{what} is ({', '.join(map(str, sizes))}): every dimension has at least 1"
            )
    raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"{found.describe()} is no SIMT kernel: the simulator has none")


@api("aclrtLaunchSIMTKernelWithArgsArray")
def launch_simt_kernel_with_args_array(
    t: ThreadState, function: int, grid: Any, block: Any, buffer: int, stream: int, cfg: Any, args: Any
) -> None:
    """Always refused. Codes: 100000 NULL function, 207000 products without it, 107017, 107000."""
    require(function, "func")
    _refuse(t, "aclrtLaunchSIMTKernelWithArgsArray", function, grid, block)


@api("aclrtLaunchSIMTKernelWithHostArgs")
def launch_simt_kernel_with_host_args(
    t: ThreadState, function: int, grid: Any, block: Any, buffer: int, stream: int, cfg: Any, args: int, size: int,
    holders: Any, count: int,
) -> None:  # fmt: skip
    """Always refused. Codes: 100000 NULL function or args, no bytes; 207000, 107017, 107000."""
    require(function, "func")
    require(args, "hostArgs")
    require(size, "argsSize")
    _refuse(t, "aclrtLaunchSIMTKernelWithHostArgs", function, grid, block)
