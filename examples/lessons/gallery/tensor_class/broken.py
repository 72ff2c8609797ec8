"""A class that owns memory

A small class takes device memory and gives it back. The program prints what it should. Which call has not
succeeded, and whose memory could it have hit on a device?

    ascend-sim run broken.py
"""

from typing import Any

import acl


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


class Tensor:
    def __init__(self, size: int) -> None:
        self.pointer = must(acl.rt.malloc(size, 0))

    def close(self) -> None:
        acl.rt.free(self.pointer)


must(acl.init())
must(acl.rt.set_device(0))
tensor = Tensor(1024)
tensor.close()
tensor.close()
must(acl.rt.reset_device(0))
must(acl.finalize())
