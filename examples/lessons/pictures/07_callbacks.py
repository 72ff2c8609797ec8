"""A blocking callback holds its stream; this thread serves it."""

import threading

import acl

SIZE = 4 << 20

acl.rt.set_device(0)

stream, ret = acl.rt.create_stream()
device, ret = acl.rt.malloc(SIZE, 0)
acl.rt.subscribe_report(threading.get_ident(), stream)
acl.rt.memset_async(device, SIZE, 1, SIZE, stream)
acl.rt.launch_callback(lambda args: None, [], 1, stream)
acl.rt.memset_async(device, SIZE, 2, SIZE, stream)
acl.rt.process_report(100)
acl.rt.synchronize_stream(stream)
