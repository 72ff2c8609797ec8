"""Sums over many blocks, in two ways. Loaded by ../kernels_reduction.py."""

import numpy as np

from ascend_sim import Block, gm, kernel


@kernel
def sum_atomic(b: Block, x: gm.In[np.float32], out: gm.InOut[np.float32], n: np.uint32) -> None:
    """Every block adds its part to one place; the order of the additions is anybody's."""
    out.atomic_add(0, x[b.slice(n)].sum())


@kernel
async def sum_sync(
    b: Block, x: gm.In[np.float32], out: gm.Out[np.float32], parts: gm.InOut[np.float32], n: np.uint32
) -> None:
    """Every block leaves its part in a workspace; when all have, the first one adds them up."""
    parts[b.idx] = x[b.slice(n)].sum()
    await b.sync_all()
    if b.idx == 0:
        out[0] = parts[0 : b.num].sum()
