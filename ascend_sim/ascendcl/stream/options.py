"""Chapters 24 and 25-03: streams with options, host functions in threads of the program. Only the IPV350 has them.

The simulator has no IPV350, so each of them answers 207000.
"""

from __future__ import annotations

from ascend_sim.ascendcl.api import api
from ascend_sim.ascendcl.products import check_product
from ascend_sim.constants.errors import ACL_ERROR_RT_FEATURE_NOT_SUPPORT
from ascend_sim.errors import AclError
from ascend_sim.runtime.thread_state import ThreadState


def _refused(t: ThreadState, name: str) -> AclError:
    check_product(t, name)
    return AclError(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, f"{name} is not modelled", "acl")


@api("aclrtCreateStreamConfigHandle")
def create_stream_config_handle(t: ThreadState) -> int:
    """NULL, and 207000 in the error texts."""
    raise _refused(t, "aclrtCreateStreamConfigHandle")


@api("aclrtDestroyStreamConfigHandle")
def destroy_stream_config_handle(t: ThreadState, handle: int) -> None:
    """Not supported by any product in this version. Codes: 207000."""
    raise _refused(t, "aclrtDestroyStreamConfigHandle")


@api("aclrtSetStreamConfigOpt")
def set_stream_config_opt(t: ThreadState, handle: int, option: int, value: int, size: int) -> None:
    """Not supported by any product in this version. Codes: 207000."""
    raise _refused(t, "aclrtSetStreamConfigOpt")


@api("aclrtCreateStreamV2")
def create_stream_v2(t: ThreadState, handle: int) -> int:
    """Not supported by any product in this version. Codes: 207000."""
    raise _refused(t, "aclrtCreateStreamV2")


@api("aclrtSubscribeHostFunc")
def subscribe_host_func(t: ThreadState, thread: int, stream: int) -> None:
    """Not supported by any product in this version. Codes: 207000."""
    raise _refused(t, "aclrtSubscribeHostFunc")


@api("aclrtProcessHostFunc")
def process_host_func(t: ThreadState, timeout: int) -> None:
    """Not supported by any product in this version. Codes: 207000."""
    raise _refused(t, "aclrtProcessHostFunc")


@api("aclrtUnSubscribeHostFunc")
def unsubscribe_host_func(t: ThreadState, thread: int, stream: int) -> None:
    """Not supported by any product in this version. Codes: 207000."""
    raise _refused(t, "aclrtUnSubscribeHostFunc")
