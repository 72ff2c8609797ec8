"""Models, last part: parameters of image preprocessing (AIPP) are kept, no preprocessing is done."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api
from ascend_sim.errors import AclError
from ascend_sim.runtime.tensors import live
from ascend_sim.runtime.thread_state import ThreadState

HEAD_BYTES, BATCH_BYTES = 64, 96
"""Of the parameters that the device reads: the tests of the real library say 160 bytes for one image."""


class Aipp:
    """What aclmdlCreateAIPP makes."""

    __slots__ = ("batch", "handle", "values")

    def __init__(self, batch: int) -> None:
        self.batch = batch
        self.handle = 0
        self.values: dict[str, tuple[int | float, ...]] = {}

    def describe(self) -> str:
        """The parameters in words."""
        return f"AIPP parameters {self.handle:#x} for {self.batch} images"


def _aipp(t: ThreadState, handle: int) -> Aipp:
    found = live(t, handle, Aipp, "AIPP parameters")
    if found is None:
        text = "aippParmsSet is NULL" if not handle else f"aippParmsSet {handle:#x} is not alive"
        raise AclError(100000, text, "acl")
    return found


@api("aclmdlCreateAIPP")
def create_aipp(t: ThreadState, batch: int) -> int:
    """Parameters for *batch* images; NULL for 0."""
    if not batch:
        raise AclError(100000, "batchSize is 0", "acl")
    made = Aipp(batch)
    made.handle = t.sim.new_handle(made)
    return made.handle


@api("aclmdlDestroyAIPP")
def destroy_aipp(t: ThreadState, handle: int) -> None:
    """Codes: 100000 NULL."""
    t.sim.drop_handle(_aipp(t, handle).handle)


@api("aclmdlGetAippDataSize")
def get_aipp_data_size(t: ThreadState, batch: int) -> int:
    """Bytes of the parameters of *batch* images on the device. Codes: 100000 for 0."""
    if not batch:
        raise AclError(100000, "batchSize is 0", "acl")
    return HEAD_BYTES + BATCH_BYTES * batch
