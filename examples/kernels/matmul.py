"""c = leaky_relu(a @ w + bias) in tiles, on cube cores alone and on groups of cube and vector cores.

Loaded by ../kernels_matmul.py.
"""

import numpy as np

from ascend_sim import Block, Struct, gm, kernel


class Tiling(Struct):
    """What the host works out and passes by value."""

    m: np.uint32
    k: np.uint32
    n: np.uint32
    tile: np.uint32
    slope: np.float32


@kernel(kind="aic")
def matmul_leaky(
    b: Block,
    a: gm.In[np.float32],
    w: gm.In[np.float32],
    bias: gm.In[np.float32],
    c: gm.Out[np.float32],
    t: Tiling,
) -> None:
    """Tiles of the result, dealt to the blocks in turn."""
    a, w, c = a.view(t.m, t.k), w.view(t.k, t.n), c.view(t.m, t.n)
    for rows, columns in b.tiles((t.m, t.n), (t.tile, t.tile)):
        acc = a[rows, :] @ w[:, columns] + bias[columns]
        c[rows, columns] = np.where(acc >= 0, acc, t.slope * acc)


@kernel(kind="mix12")
async def matmul_leaky_mix(
    b: Block,
    a: gm.In[np.float32],
    w: gm.In[np.float32],
    bias: gm.In[np.float32],
    c: gm.Out[np.float32],
    work: gm.InOut[np.float32],
    t: Tiling,
) -> None:
    """The cube core of a group multiplies the group's rows, its two vector cores do the rest of the work on them."""
    a, w, work, c = a.view(t.m, t.k), w.view(t.k, t.n), work.view(t.m, t.n), c.view(t.m, t.n)
    rows = b.slice(t.m)
    if b.is_aic:
        work[rows, :] = a[rows, :] @ w[:, :]
        b.set_flag(0)
    else:
        await b.wait_flag(0)
        acc = work[rows, :] + bias[0 : int(t.n)]
        c[rows, :] = np.where(acc >= 0, acc, t.slope * acc)
