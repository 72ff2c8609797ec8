"""An event WithFlag that nobody has recorded: its waiter stands still."""

import acl

from ascend_sim import current

SIZE = 4 << 20

acl.rt.set_device(0)

producer, ret = acl.rt.create_stream()
consumer, ret = acl.rt.create_stream()
flag, ret = acl.rt.create_event_with_flag(1)
acl.rt.stream_wait_event(consumer, flag)
acl.rt.stream_query(consumer)
sim = current()
assert sim is not None
picture = sim.show()
