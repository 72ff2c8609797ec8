"""Chapter 19-03: subscriptions to operators (docs/semantics/profiling.md#subscription)."""

from __future__ import annotations

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import peek
from ascend_sim.ascendcl.queue.parameters import write_value
from ascend_sim.constants.errors import ACL_ERROR_INVALID_MODEL_ID, ACL_ERROR_INVALID_PARAM
from ascend_sim.constants.tools import (
    ACL_AICORE_NONE,
    ACL_SUBSCRIBE_ATTRI_THREADID,
    ACL_SUBSCRIBE_NONE,
    ACL_SUBSCRIBE_OP_THREAD,
)
from ascend_sim.errors import AclError
from ascend_sim.models.registry import ModelRegistry
from ascend_sim.models.subscriptions import Subscriptions
from ascend_sim.runtime.profiling.op_records import RECORD_BYTES, OpNames, OpRecord, unpack
from ascend_sim.runtime.tensors.descriptors import live
from ascend_sim.runtime.thread_state import ThreadState


class SubscribeConfig:
    """What aclprofCreateSubscribeConfig makes: *fd* is the address of a file descriptor."""

    __slots__ = ("fd", "handle", "metrics", "times")

    def __init__(self, times: bool, metrics: int, fd: int) -> None:
        self.times = times
        self.metrics = metrics
        self.fd = fd
        self.handle = 0

    def describe(self) -> str:
        """The configuration in words."""
        return f"subscription configuration (times {self.times}, metrics {self.metrics})"


def _config(t: ThreadState, handle: int) -> SubscribeConfig:
    config = live(t, handle, SubscribeConfig, "subscription configuration")
    if config is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, "profSubscribeConfig is NULL, or not alive", "acl")
    return config


@api("aclprofCreateSubscribeConfig")
def create_subscribe_config(t: ThreadState, times: int, metrics: int, fd: int) -> int:
    """Where records go: *fd* is the address of a descriptor that can be written to. NULL: *fd* is NULL."""
    require(fd, "fd")
    made = SubscribeConfig(bool(times), metrics, fd)
    made.handle = t.sim.new_handle(made)
    return made.handle


@api("aclprofDestroySubscribeConfig")
def destroy_subscribe_config(t: ThreadState, handle: int) -> None:
    """Subscriptions go on. Codes: 100000 NULL."""
    t.sim.drop_handle(_config(t, handle).handle)


def _need_model(t: ThreadState, model: int) -> None:
    if model not in t.sim.part(ModelRegistry).loaded and model not in t.sim.part(Subscriptions).told:
        raise AclError(ACL_ERROR_INVALID_MODEL_ID, f"model {model} is not loaded", "acl")


@api("aclprofModelSubscribe")
def model_subscribe(t: ThreadState, model: int, handle: int) -> None:
    """Let the operators of a model that run from now on be written to the descriptor.

    Codes: 100011 no such model, 100000 NULL, neither times nor metrics, no descriptor; 148046 subscribed before, 148047
    between aclprofInit and aclprofFinalize, 100042 the file of aclInit switches the profiler on.
    """
    _need_model(t, model)
    config = _config(t, handle)
    if not config.times and config.metrics == ACL_AICORE_NONE:
        raise AclError(ACL_ERROR_INVALID_PARAM, "neither times nor metrics are asked for", "acl")
    raw = peek(config.fd, 4)
    if raw is None:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"fd: no descriptor can be read at {config.fd:#x}", "acl")
    t.sim.part(Subscriptions).add(model, int.from_bytes(raw, "little", signed=True))


@api("aclprofModelUnSubscribe")
def model_unsubscribe(t: ThreadState, model: int) -> None:
    """Write what is left, and close the descriptor when no other model has it.

    Codes: 100011 no such model, not subscribed; 148047, 100042 as aclprofModelSubscribe.
    """
    _need_model(t, model)
    t.sim.part(Subscriptions).remove(t, model)


# -- what records say -------------------------------------------------------------------------------------------------


def _records(address: int, length: int) -> list[OpRecord]:
    require(address, "opInfo")
    if length % RECORD_BYTES:
        unpack(b"\0")
    return unpack(peek(address, length) if length else b"")


def _record(address: int, length: int, index: int) -> OpRecord:
    found = _records(address, length)
    if index >= len(found):
        raise AclError(ACL_ERROR_INVALID_PARAM, f"index is {index}: there are {len(found)} records", "acl")
    return found[index]


@api("aclprofGetOpDescSize")
def get_op_desc_size(t: ThreadState) -> int:
    """The bytes of one record. Never fails."""
    return RECORD_BYTES


@api("aclprofGetOpNum")
def get_op_num(t: ThreadState, address: int, length: int) -> int:
    """How many records lie at *opInfo*. Codes: 100000 NULL, what is no record."""
    return len(_records(address, length))


def _text(t: ThreadState, names: dict[int, str], record: OpRecord) -> str:
    if record.name not in names:
        raise AclError(ACL_ERROR_INVALID_PARAM, "the text was asked for before: it is kept until then only", "acl")
    return names[record.name]


def _take(t: ThreadState, names: dict[int, str], record: OpRecord, address: int, room: int) -> None:
    require(address, "the text")
    require(room, "its length")
    raw = _text(t, names, record).encode()
    if len(raw) > room:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"there is room for {room} of {len(raw)} bytes", "acl")
    write_value(address, room, (raw + b"\0")[: max(room - 1, 0)] + b"\0")
    del names[record.name]


@api("aclprofGetOpTypeLen")
def get_op_type_len(t: ThreadState, address: int, length: int, index: int) -> int:
    """The bytes of the type, with the zero. Codes: 100000 NULL, no record, behind the end, asked for before."""
    return len(_text(t, t.sim.part(OpNames).types, _record(address, length, index)).encode()) + 1


@api("aclprofGetOpType")
def get_op_type(t: ThreadState, address: int, length: int, index: int, text: int, room: int) -> None:
    """Write the type; it is forgotten then. Codes: 100000 as above, no room."""
    _take(t, t.sim.part(OpNames).types, _record(address, length, index), text, room)


@api("aclprofGetOpNameLen")
def get_op_name_len(t: ThreadState, address: int, length: int, index: int) -> int:
    """The bytes of the name, with the zero. Codes: 100000 NULL, no record, behind the end, asked for before."""
    return len(_text(t, t.sim.part(OpNames).names, _record(address, length, index)).encode()) + 1


@api("aclprofGetOpName")
def get_op_name(t: ThreadState, address: int, length: int, index: int, text: int, room: int) -> None:
    """Write the name; it is forgotten then. Codes: 100000 as above, no room."""
    _take(t, t.sim.part(OpNames).names, _record(address, length, index), text, room)


def _value(address: int, length: int, index: int, name: str, missing: int = 0) -> int:
    try:
        value: int = getattr(_record(address, length, index), name)
    except AclError as error:
        raise AclError(error.code, error.reason, "acl", (missing,)) from None
    return value


@api("aclprofGetOpStart")
def get_op_start(t: ThreadState, address: int, length: int, index: int) -> int:
    """When it began, in us of virtual time; 0 for what is no record."""
    return _value(address, length, index, "start")


@api("aclprofGetOpEnd")
def get_op_end(t: ThreadState, address: int, length: int, index: int) -> int:
    """When it ended, in us of virtual time; 0 for what is no record."""
    return _value(address, length, index, "end")


@api("aclprofGetOpDuration")
def get_op_duration(t: ThreadState, address: int, length: int, index: int) -> int:
    """How long it took, in us of virtual time; 0 for what is no record."""
    return _value(address, length, index, "duration")


@api("aclprofGetModelId")
def get_model_id(t: ThreadState, address: int, length: int, index: int) -> int:
    """The model; the code 100000 itself for what is no record."""
    return _value(address, length, index, "model", ACL_ERROR_INVALID_PARAM)


@api("aclprofGetOpFlag")
def get_op_flag(t: ThreadState, address: int, length: int, index: int) -> int:
    """An aclprofSubscribeOpFlag: 0, an operator; 255 for what is no record."""
    return _value(address, length, index, "flag", ACL_SUBSCRIBE_NONE)


@api("aclprofGetOpAttriValue")
def get_op_attri_value(t: ThreadState, address: int, length: int, index: int, attribute: int) -> str | None:
    """An attribute as text: the thread (0), of records of threads only; NULL otherwise."""
    record = _record(address, length, index)
    if attribute != ACL_SUBSCRIBE_ATTRI_THREADID or record.flag != ACL_SUBSCRIBE_OP_THREAD:
        return None
    return str(record.thread)
