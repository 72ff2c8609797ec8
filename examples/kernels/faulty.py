"""Kernels with a mistake each. Loaded by ../kernels_fault.py."""

import numpy as np

from ascend_sim import Block, gm, kernel


@kernel
def shift(b: Block, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    """z[i] = x[i + 1], which the last block has no x for."""
    s = b.slice(n)
    z[s] = x[s.start + 1 : s.stop + 1]


@kernel
def checked(b: Block, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    """An assertion on the device."""
    s = b.slice(n)
    assert (x[s] >= 0).all(), "negative input"
    z[s] = np.sqrt(x[s])


@kernel
async def crowded(b: Block, z: gm.InOut[np.float32]) -> None:
    """More blocks than cores can never meet."""
    z[b.idx] = 1.0
    await b.sync_all()
