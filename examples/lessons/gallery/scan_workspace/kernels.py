"""A kernel that works in a workspace."""

import numpy as np

from ascend_sim import Block, gm, kernel


@kernel
def scan(b: Block, space: gm.Out[np.int32], n: np.uint32) -> None:
    s = b.slice(n)
    space[s] = np.arange(s.start, s.stop, dtype=np.int32)
