"""The kernels of lessons 8, 9 and 12. A device would load them from a compiled file."""

import numpy as np

from ascend_sim import Block, gm, kernel


@kernel
def sign(b: Block, z: gm.Out[np.int32], n: np.uint32) -> None:
    """Every block writes its own number into its share of z."""
    s = b.slice(n)
    z[s] = np.full(s.stop - s.start, b.idx, np.int32)


@kernel
def work(b: Block) -> None:
    """Nothing, for 100,000 cycles of the core."""
    b.cost(100_000)


@kernel
def add(b: Block, x: gm.In[np.int32], y: gm.In[np.int32], z: gm.Out[np.int32], n: np.uint32) -> None:
    """z = x + y."""
    s = b.slice(n)
    z[s] = x[s] + y[s]


@kernel
async def total(b: Block, x: gm.In[np.int32], out: gm.Out[np.int32], space: gm.InOut[np.int32], n: np.uint32) -> None:
    """out[0] = the sum of x. Every block leaves its part in the workspace; when all have, block 0 adds them up."""
    space[b.idx] = x[b.slice(n)].sum()
    await b.sync_all()
    if b.idx == 0:
        out[0] = space[0 : b.num].sum()
