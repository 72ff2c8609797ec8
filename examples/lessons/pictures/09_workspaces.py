"""A workspace in use: whose memory it is."""

import acl

from ascend_sim import current

SIZE = 4 << 20

acl.rt.set_device(0)

stream, ret = acl.rt.create_stream()
workspace, ret = acl.rt.malloc(SIZE, 0)
result, ret = acl.rt.malloc(SIZE, 0)
acl.rt.memset_async(workspace, SIZE, 0, SIZE, stream)
acl.rt.memcpy_async(result, SIZE, workspace, SIZE, 3, stream)
sim = current()
assert sim is not None
picture = sim.show()
