"""The sum of x."""

import numpy as np

from ascend_sim import Block, gm, kernel


@kernel
def total(b: Block, x: gm.In[np.int32], out: gm.InOut[np.int32], n: np.uint32) -> None:
    part = x[b.slice(n)].sum()
    out[0] = out[0] + part
