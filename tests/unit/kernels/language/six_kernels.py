"""The kernels that settled the notation: they pass the checkers, and compute what they should.

See docs/semantics/kernels.md#the-notation.
"""

from __future__ import annotations

import numpy as np

from ascend_sim import Block, Blocks, Struct, gm, kernel


@kernel
def add(b: Block, x: gm.In[np.float32], y: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    s = b.slice(n)
    z[s] = x[s] + y[s]


class AxpyTiling(Struct):
    total: np.uint32
    tile: np.uint32
    alpha: np.float32


@kernel(name="axpy_custom")
def axpy(b: Block, x: gm.In[np.float32], y: gm.InOut[np.float32], t: AxpyTiling) -> None:
    for s in b.tiles(t.total, t.tile):
        y[s] += t.alpha * x[s]


@kernel
def reduce_atomic(b: Block, x: gm.In[np.float32], out: gm.InOut[np.float32], n: np.uint32) -> None:
    out.atomic_add(0, x[b.slice(n)].sum())


@kernel
async def reduce_sync(
    b: Block, x: gm.In[np.float32], out: gm.Out[np.float32], part: gm.InOut[np.float32], n: np.uint32
) -> None:
    part[b.idx] = x[b.slice(n)].sum()
    await b.sync_all()
    if b.idx == 0:
        out[0] = part[0 : b.num].sum()


class MatmulTiling(Struct):
    m: np.uint32
    k: np.uint32
    n: np.uint32
    slope: np.float32


@kernel(kind="aic")
def matmul_leaky(
    b: Block,
    a: gm.In[np.float32],
    w: gm.In[np.float32],
    bias: gm.In[np.float32],
    c: gm.Out[np.float32],
    t: MatmulTiling,
) -> None:
    a, w, c = a.view(t.m, t.k), w.view(t.k, t.n), c.view(t.m, t.n)
    for rows, cols in b.tiles((t.m, t.n), (64, 64)):
        acc = a[rows, :] @ w[:, cols] + bias[cols]
        c[rows, cols] = np.where(acc >= 0, acc, t.slope * acc)


@kernel(kind="mix12")
async def matmul_mix(
    b: Block,
    a: gm.In[np.float32],
    w: gm.In[np.float32],
    c: gm.Out[np.float32],
    work: gm.InOut[np.float32],
    t: MatmulTiling,
) -> None:
    a, w, work, c = a.view(t.m, t.k), w.view(t.k, t.n), work.view(t.m, t.n), c.view(t.m, t.n)
    rows = b.slice(t.m)
    if b.is_aic:
        work[rows, :] = a[rows, :] @ w[:, :]
        b.set_flag(0)
    else:
        await b.wait_flag(0)
        acc = work[rows, :]
        c[rows, :] = np.where(acc >= 0, acc, t.slope * acc)


@kernel(batch=True)
def scale(b: Blocks, x: gm.In[np.float32], z: gm.Out[np.float32], n: np.uint32) -> None:
    s = b.rows(n)
    z[s] = x[s] * np.float32(2.0)
