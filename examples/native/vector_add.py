"""Kernels of vector_add.cpp: each function runs once for every block."""

import numpy as np

from ascend_sim import Block, gm, kernel


@kernel
def vector_add(b: Block, x: gm.In[np.float32], y: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    """z = x + y: each block does its share."""
    s = b.slice(n)
    z[s] = x[s] + y[s]
