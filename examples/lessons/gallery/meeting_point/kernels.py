"""Every block counts itself, then all meet."""

import numpy as np

from ascend_sim import Block, gm, kernel


@kernel
async def meet(b: Block, count: gm.InOut[np.int32]) -> None:
    count.atomic_add(0, 1)
    await b.sync_all()
