"""Loads resnet50.om, which is nowhere, and runs it on the numbers 1 to 4."""

import sys

import acl
import numpy as np


def must(ret):
    assert ret == 0, acl.get_recent_err_msg()


must(acl.init())
must(acl.rt.set_device(0))
model, ret = acl.mdl.load_from_file("../model/resnet50.om")
if ret:
    print(f"load: {ret}")
    must(acl.rt.reset_device(0))
    must(acl.finalize())
    sys.exit(3)
sets = []
for values in ([1, 2, 3, 4], [0, 0, 0, 0]):
    address, ret = acl.rt.malloc(16, 0)
    raw = np.array(values, np.float32).tobytes()
    must(acl.rt.memcpy(address, 16, acl.util.bytes_to_ptr(raw), 16, 1))
    dataset = acl.mdl.create_dataset()
    acl.mdl.add_dataset_buffer(dataset, acl.create_data_buffer(address, 16))
    sets.append(dataset)
must(acl.mdl.execute(model, *sets))
host, ret = acl.rt.malloc_host(16)
must(acl.rt.memcpy(host, 16, address, 16, 2))
print(np.frombuffer(acl.util.ptr_to_bytes(host, 16), np.float32).tolist())
must(acl.rt.free_host(host))
for dataset in sets:
    buffer = acl.mdl.get_dataset_buffer(dataset, 0)
    must(acl.rt.free(acl.get_data_buffer_addr(buffer)))
    must(acl.destroy_data_buffer(buffer))
    must(acl.mdl.destroy_dataset(dataset))
must(acl.mdl.unload(model))
must(acl.rt.reset_device(0))
must(acl.finalize())
