"""How long an operator takes: a pass over its bytes, or what the cube cores need for its products.

The rates are the profile's (`Costs` in machine/profiles.py), of the right order and no measurements.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ascend_sim.aclnn.objects import TensorView

if TYPE_CHECKING:
    from ascend_sim.aclnn.objects import Layout
    from ascend_sim.aclnn.operators import OperatorSpec
    from ascend_sim.machine.profiles import Profile

__all__ = ["cost_of", "products"]


def products(operator: OperatorSpec, things: Sequence[Any], layouts: Sequence[tuple[Layout, bool, bool]]) -> int:
    """How many multiplications and additions an operator of the cube cores needs, by the sizes of its operands.

    A product of matrices of sizes a, b and c (m k, k n, m n elements of each of so many batches) needs m k n of them, the
    root of a b c; a convolution as many for each output as its kernel has elements for a channel that comes out.
    """
    by_name = {
        place.name: thing.key
        for place, thing in zip(operator.places, things, strict=True)
        if isinstance(thing, TensorView)
    }
    weight = by_name.get("weight")
    if operator.name.startswith("aclnnConv") and weight is not None and weight.dims:
        out = by_name.get("output") or by_name.get("gradOutput") or weight
        return out.numel * weight.numel // max(1, weight.dims[0])
    sizes = sorted((layout.numel for layout, _, _ in layouts), reverse=True)[:3]
    if operator.kind.cost == "attention":  # scores and values: two products over the rows of keys
        rows = max((math.prod(layout.dims[:-1]) for layout, read, _ in layouts if read and layout.dims), default=1)
        return 2 * sizes[0] * max(1, rows) if sizes else 0
    return math.isqrt(math.prod(sizes)) if len(sizes) == 3 else 0


def cost_of(
    profile: Profile, operator: OperatorSpec, things: Sequence[Any], layouts: Sequence[tuple[Layout, bool, bool]]
) -> int:
    """Nanoseconds of device time."""
    costs = profile.costs
    nbytes = sum(
        layout.numel * (layout.element.carrier.itemsize if layout.element is not None else 1)
        for layout, _, _ in layouts
    )
    moved = nbytes * 1000 // costs.d2d_rate
    if operator.kind.cost == "vector":
        return costs.kernel_ns + moved
    return costs.kernel_ns + max(moved, products(operator, things, layouts) // costs.cube_products_per_ns)
