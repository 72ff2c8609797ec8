"""The sum of x: the addition is atomic."""

import numpy as np

from ascend_sim import Block, gm, kernel


@kernel
def total(b: Block, x: gm.In[np.int32], out: gm.InOut[np.int32], n: np.uint32) -> None:
    part = x[b.slice(n)].sum()
    out.atomic_add(0, part)
