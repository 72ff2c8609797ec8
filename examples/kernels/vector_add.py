"""Vector add: each block adds its share. Loaded by ../kernels_vector_add.py where a device loads add_custom.o."""

import numpy as np

from ascend_sim import Block, gm, kernel


@kernel
def add(b: Block, x: gm.In[np.float32], y: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    s = b.slice(n)
    z[s] = x[s] + y[s]
