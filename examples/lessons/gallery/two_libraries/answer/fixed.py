"""One part of a program ends the runtime for all.

aclFinalize ignores how often aclInit was called. The part that is still at work goes on with a runtime that is gone.
(INIT-02)

Corrected: each part counts down; the last one ends the runtime.

    ascend-sim run answer/fixed.py
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
        print("references left:", must(acl.finalize_reference()))


first, second = Part(), Part()
first.close()
second.work()
second.close()
