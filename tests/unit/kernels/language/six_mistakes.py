"""Six mistakes that a checker is to see before anything runs; each line says which.

See docs/semantics/kernels.md#the-notation.
"""

import numpy as np

from ascend_sim import Block, Struct, gm, kernel


class Tiling(Struct):
    total: np.uint32


@kernel
async def mistakes(
    b: Block, x: gm.In[np.float32], z: gm.Out[np.int32], n: np.uint32, t: Tiling, y: gm.InOut[np.float32]
) -> None:
    s = b.slice(n)
    x[s] = np.zeros(4, np.float32)  # 1: an input is written
    v = z[s]  # 2: an output is read
    b.blocks(n)  # 3: a misspelt method of Block
    w = n[0]  # 4: a number is indexed as memory
    k = t.totl  # 5: a misspelt field
    z[s] = np.zeros(4, np.float32)  # 6: another element type is stored
    b.sync_all()  # 7: a forgotten await
    y.atomic_add(0, v + w + k)
