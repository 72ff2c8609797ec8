"""One block more than cores: a second wave."""

import acl

from ascend_sim import Block, kernel


@kernel
def work(b: Block) -> None:
    """Nothing, for a while."""
    b.cost(100_000)


acl.rt.set_device(0)
stream, ret = acl.rt.create_stream()
cores, ret = acl.get_device_capability(0, 1)
for blocks in (1, cores, cores + 1):
    work[blocks, stream]()
acl.rt.synchronize_stream(stream)
