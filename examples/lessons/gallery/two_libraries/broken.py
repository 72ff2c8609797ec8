"""Two libraries, one runtime

Two parts of a program use AscendCL, and neither knows of the other: each begins with init and ends with finalize. What
is left for the one that ends last?

    ascend-sim run broken.py
"""

from typing import Any

import acl


def must(result: Any) -> Any:
    """The value of a call that has to succeed."""
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, f"{ret}: {acl.get_recent_err_msg()}"
    return values[0] if len(values) == 1 else values


class Part:
    def __init__(self) -> None:
        acl.init()  # the second one returns 100002 and counts: that is fine
        must(acl.rt.set_device(0))
        self.buffer = must(acl.rt.malloc(1024, 0))

    def work(self) -> None:
        must(acl.rt.memset(self.buffer, 1024, 0, 1024))

    def close(self) -> None:
        must(acl.rt.free(self.buffer))
        must(acl.rt.reset_device(0))
        print("finalize:", acl.finalize())


first, second = Part(), Part()
first.close()
second.work()
second.close()
