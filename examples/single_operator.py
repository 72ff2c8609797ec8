"""Single operators from a model directory: an addition of matrices, by type and by handle, and a cast of the result."""

import os
import sys
from typing import Any

import acl
import numpy as np

FLOAT, INT32, ND = 0, 3, 2
HUGE_FIRST, HOST_TO_DEVICE, DEVICE_TO_HOST = 0, 1, 2
SHAPE = [8, 16]
MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "op_models")


def must(what: str, ret: int) -> None:
    if ret != 0:
        raise RuntimeError(f"acl.{what} returned {ret}: {acl.get_recent_err_msg()}")


class Tensor:
    """A tensor in device memory, with its descriptor and data buffer."""

    def __init__(self, data_type: int, values: Any = None) -> None:
        self.dtype = np.int32 if data_type == INT32 else np.float32
        self.desc = acl.create_tensor_desc(data_type, SHAPE, ND)
        self.size = acl.get_tensor_desc_size(self.desc)
        self.pointer, ret = acl.rt.malloc(self.size, HUGE_FIRST)
        must("rt.malloc", ret)
        if values is not None:
            raw = values.tobytes()
            must("rt.memcpy", acl.rt.memcpy(
                self.pointer, self.size, acl.util.bytes_to_ptr(raw), self.size, HOST_TO_DEVICE))
        self.buffer = acl.create_data_buffer(self.pointer, self.size)

    def read(self) -> Any:
        host, ret = acl.rt.malloc_host(self.size)
        must("rt.malloc_host", ret)
        must("rt.memcpy", acl.rt.memcpy(host, self.size, self.pointer, self.size, DEVICE_TO_HOST))
        values = np.frombuffer(acl.util.ptr_to_bytes(host, self.size), self.dtype).reshape(SHAPE)
        must("rt.free_host", acl.rt.free_host(host))
        return values

    def close(self) -> None:
        must("destroy_data_buffer", acl.destroy_data_buffer(self.buffer))
        must("rt.free", acl.rt.free(self.pointer))
        acl.destroy_tensor_desc(self.desc)


def main() -> int:
    must("init", acl.init())
    must("rt.set_device", acl.rt.set_device(0))
    must("op.set_model_dir", acl.op.set_model_dir(MODELS))
    stream, ret = acl.rt.create_stream()
    must("rt.create_stream", ret)

    a = np.arange(128, dtype=np.int32).reshape(SHAPE)
    b = np.full(SHAPE, 1000, np.int32)
    x, y, total, as_float = Tensor(INT32, a), Tensor(INT32, b), Tensor(INT32), Tensor(FLOAT)

    def add(first: Tensor, second: Tensor, into: Tensor) -> None:
        must("op.execute_v2", acl.op.execute_v2(
            "Add", [first.desc, second.desc], [first.buffer, second.buffer], [into.desc], [into.buffer], 0, stream))

    add(x, y, total)
    must("op.cast", acl.op.cast(total.desc, total.buffer, as_float.desc, as_float.buffer, 0, stream))
    must("rt.synchronize_stream", acl.rt.synchronize_stream(stream))
    good = np.array_equal(total.read(), a + b) and np.array_equal(as_float.read(), (a + b).astype(np.float32))
    print(f"a + b by operator type, cast to float: {'right' if good else 'WRONG'}")

    # A handle keeps what was found: it saves the search, and tells how many tensors it takes.
    handle, ret = acl.op.create_handle("Add", [x.desc, y.desc], [total.desc], 0)
    must("op.create_handle", ret)
    for _ in range(3):  # total = total + b, in place
        must("op.execute_with_handle", acl.op.execute_with_handle(
            handle, [total.buffer, y.buffer], [total.buffer], stream))
    print("one input too few:", acl.op.execute_with_handle(handle, [total.buffer], [total.buffer], stream))
    must("rt.synchronize_stream", acl.rt.synchronize_stream(stream))
    again = np.array_equal(total.read(), a + 4 * b)
    print(f"three more additions by handle: {'right' if again else 'WRONG'}")

    # What the directory does not hold is not there, however simple.
    ret = acl.op.execute_v2("Sub", [x.desc, y.desc], [x.buffer, y.buffer], [total.desc], [total.buffer], 0, stream)
    print("Sub, which nobody compiled:", ret, acl.get_recent_err_msg())

    acl.op.destroy_handle(handle)
    for tensor in (x, y, total, as_float):
        tensor.close()
    must("rt.destroy_stream", acl.rt.destroy_stream(stream))
    must("rt.reset_device", acl.rt.reset_device(0))
    must("finalize", acl.finalize())
    return 0 if good and again else 1


if __name__ == "__main__":
    sys.exit(main())
