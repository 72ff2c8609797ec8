"""Two owners, two frees.

A container frees its buffer, and so does the clean-up of the program. The second free is refused, and nobody looks at
its code. On a device the address may have been given to somebody else by then, whose memory it frees. (MEM-07)

Corrected: one owner frees, and forgets the address.

    ascend-sim run answer/fixed.py
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
        if self.pointer is not None:
            must(acl.rt.free(self.pointer))
            self.pointer = None


must(acl.init())
must(acl.rt.set_device(0))
tensor = Tensor(1024)
tensor.close()
tensor.close()
must(acl.rt.reset_device(0))
must(acl.finalize())
