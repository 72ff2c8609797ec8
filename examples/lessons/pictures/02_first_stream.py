"""Three tasks in one queue: the calls return at once, the wait is the host's."""

import acl

SIZE = 4 << 20

acl.rt.set_device(0)

stream, ret = acl.rt.create_stream()
first, ret = acl.rt.malloc(SIZE, 0)
second, ret = acl.rt.malloc(SIZE, 0)
host, ret = acl.rt.malloc_host(SIZE)
acl.rt.memset_async(first, SIZE, 7, SIZE, stream)
acl.rt.memcpy_async(second, SIZE, first, SIZE, 3, stream)
acl.rt.memcpy_async(host, SIZE, second, SIZE, 2, stream)
acl.rt.synchronize_stream(stream)
