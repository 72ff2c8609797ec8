"""A kernel that trusts the order of its blocks: found by running them in every order that could make a difference.

Each block averages its own element with its neighbours, in place. A block that runs late reads what others have written
already. The simulator runs blocks one after the other, and so the sums look right, until they go in another order.
"""

from typing import Any

import numpy as np

from ascend_sim import Block, explore, gm, kernel
from ascend_sim import ascendcl as C

BLOCKS = 4
DEVICE_TO_HOST = 2


@kernel
def smooth_in_place(b: Block, x: gm.InOut[np.int32]) -> None:
    left = x[b.idx - 1] if b.idx else 0
    x[b.idx] = x[b.idx] + left  # the mistake: the left neighbour may have done this, or not


@kernel
async def smooth(b: Block, x: gm.InOut[np.int32]) -> None:
    left = x[b.idx - 1] if b.idx else 0
    await b.sync_all()  # all have read, now all write
    x[b.idx] = x[b.idx] + left


def must(result: Any) -> Any:
    code = result[-1] if isinstance(result, tuple) else result
    assert code == 0, (code, C.aclGetRecentErrMsg())
    return result[0] if isinstance(result, tuple) else None


def run(function: Any) -> list[int]:
    must(C.aclrtSetDevice(0))
    stream = must(C.aclrtCreateStream())
    values = np.ones(BLOCKS, np.int32)
    address = must(C.aclrtMalloc(values.nbytes, 0))
    must(C.aclrtMemcpy(address, values.nbytes, values.ctypes.data, values.nbytes, 1))
    function[BLOCKS, stream](address)
    must(C.aclrtSynchronizeStream(stream))
    must(C.aclrtMemcpy(values.ctypes.data, values.nbytes, address, values.nbytes, DEVICE_TO_HOST))
    return values.tolist()


def broken() -> Any:
    return run(smooth_in_place)


def corrected() -> Any:
    return run(smooth)


for program in (broken, corrected):
    report = explore(program, budget="30s")
    print(f"{program.__name__}: {report.classes} classes of schedules, exhausted: {report.exhausted}")
    for failure in report.failures:
        print(f"  {failure.kind}: {failure.title}")
    for result in report.outcomes[:2]:
        how = "; ".join(result.recording.words) or "in order"
        print(f"  {list(result.outcome.value)} in {result.count}, such as: {how}")
