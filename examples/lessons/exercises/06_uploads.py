"""Exercise 6. Uploads that overlap

Each batch is made on the host and copied to the device. The copies are called asynchronous, and are not: each call waits
until its copy is done. Let the host make the next batch while the copy of the last one still runs. Each batch has to
arrive: `device has 0101` to `device has 0404`.

    ascend-sim run 06_uploads.py
"""

from typing import Any

import acl
import numpy as np


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


SIZE, BATCHES = 1 << 20, 4
HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2

must(acl.init())
must(acl.rt.set_device(0))
stream = must(acl.rt.create_stream())
device = [must(acl.rt.malloc(SIZE, 0)) for _ in range(BATCHES)]

source = np.zeros(SIZE, np.uint8)
for number, target in enumerate(device):
    source[:] = number + 1  # the next batch is made
    must(acl.rt.memcpy_async(target, SIZE, source.ctypes.data, SIZE, HOST_TO_DEVICE, stream))
must(acl.rt.synchronize_stream(stream))

host = np.zeros(2, np.uint8)
for target in device:
    must(acl.rt.memcpy(host.ctypes.data, 2, target, 2, DEVICE_TO_HOST))
    print("device has", bytes(host).hex())

for target in device:
    must(acl.rt.free(target))
must(acl.rt.destroy_stream(stream))
must(acl.rt.reset_device(0))
must(acl.finalize())
