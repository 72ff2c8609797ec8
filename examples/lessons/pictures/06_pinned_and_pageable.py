"""Page-locked memory: both directions at the same time."""

import acl

SIZE = 4 << 20

acl.rt.set_device(0)

up, ret = acl.rt.create_stream()
down, ret = acl.rt.create_stream()
device, ret = acl.rt.malloc(SIZE, 0)
other, ret = acl.rt.malloc(SIZE, 0)
source, ret = acl.rt.malloc_host(SIZE)
target, ret = acl.rt.malloc_host(SIZE)
for _ in range(3):
    acl.rt.memcpy_async(device, SIZE, source, SIZE, 1, up)
    acl.rt.memcpy_async(target, SIZE, other, SIZE, 2, down)
acl.rt.synchronize_stream(up)
acl.rt.synchronize_stream(down)
