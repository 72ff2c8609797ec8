"""One stream waits for the record in the other one; the host waits once, at the end."""

import acl

SIZE = 4 << 20

acl.rt.set_device(0)

producer, ret = acl.rt.create_stream()
consumer, ret = acl.rt.create_stream()
ready, ret = acl.rt.create_event()
data, ret = acl.rt.malloc(SIZE, 0)
host, ret = acl.rt.malloc_host(SIZE)
acl.rt.memset_async(data, SIZE, 7, SIZE, producer)
acl.rt.record_event(ready, producer)
acl.rt.stream_wait_event(consumer, ready)
acl.rt.memcpy_async(host, SIZE, data, SIZE, 2, consumer)
acl.rt.synchronize_stream(consumer)
