"""A graph with a fork and a join, as it was captured."""

import acl

from ascend_sim import ascendcl as C
from ascend_sim import current

SIZE = 4 << 20

acl.rt.set_device(0)
main, ret = acl.rt.create_stream()
side, ret = acl.rt.create_stream()
fork, ret = acl.rt.create_event_ex_with_flag(1)
join, ret = acl.rt.create_event_ex_with_flag(1)
batch, ret = acl.rt.malloc_host(SIZE)
given, ret = acl.rt.malloc(SIZE, 0)
table, ret = acl.rt.malloc(SIZE, 0)
C.aclmdlRICaptureBegin(main, 2)
acl.rt.record_event(fork, main)
acl.rt.stream_wait_event(side, fork)
acl.rt.memset_async(table, SIZE, 5, SIZE, side)
acl.rt.memcpy_async(given, SIZE, batch, SIZE, 1, main)
acl.rt.record_event(join, side)
acl.rt.stream_wait_event(main, join)
graph, ret = C.aclmdlRICaptureEnd(main)
sim = current()
assert sim is not None
picture = sim.show()
