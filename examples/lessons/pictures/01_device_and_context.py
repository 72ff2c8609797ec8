"""Two contexts on one device, a stream in each; a thread is in one of them."""

import acl

from ascend_sim import current

acl.rt.set_device(0)
stream, ret = acl.rt.create_stream()
second, ret = acl.rt.create_context(0)
other, ret = acl.rt.create_stream()
sim = current()
assert sim is not None
picture = sim.show()
