"""The default stream does not wait: its copy runs while the memset is at work."""

import acl

SIZE = 64 << 20

acl.rt.set_device(0)

stream, ret = acl.rt.create_stream()
big, ret = acl.rt.malloc(SIZE, 0)
host, ret = acl.rt.malloc_host(8)
acl.rt.memset_async(big, SIZE, 2, SIZE, stream)
acl.rt.memcpy_async(host, 8, big, 8, 2, 0)
acl.rt.synchronize_device()
