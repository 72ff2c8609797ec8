"""z = 2 x."""

import numpy as np

from ascend_sim import Block, gm, kernel


@kernel
def double(b: Block, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    s = b.slice(n)
    z[s] = x[s] * 2
