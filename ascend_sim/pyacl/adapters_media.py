"""``acl.media``: memory for the media units is device memory here; the other names are not modelled."""

from __future__ import annotations

from ascend_sim.ascendcl import aclrtFree, aclrtMalloc
from ascend_sim.pyacl.generate import Adapter

__all__ = ["ADAPTERS", "aclrtFree", "aclrtMalloc"]

ADAPTERS: dict[str, Adapter] = {
    "media.dvpp_malloc": Adapter(body="return aclrtMalloc(size, 0)"),
    "media.dvpp_free": Adapter(body="return aclrtFree(dev_ptr)"),
}
