"""Chapter 17-01: tensor channels (docs/semantics/queues.md#channels)."""

from __future__ import annotations

import os

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.products import check_product
from ascend_sim.ascendcl.queue.parameters import needed
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_INVALID_DEVICEID
from ascend_sim.errors import AclError
from ascend_sim.runtime.queues.channels import Channel
from ascend_sim.runtime.queues.registry import NAME_BYTES, QueueRegistry
from ascend_sim.runtime.queues.shared_queue import SharedQueue
from ascend_sim.runtime.queues.tensors import TensorDataset
from ascend_sim.runtime.thread_state import ThreadState

_UNLIMITED = 1 << 31


def _channel(t: ThreadState, handle: int) -> Channel:
    return needed(t, handle, Channel, "tensor channel")


def _check_device(t: ThreadState, device: int) -> None:
    if device >= len(t.sim.devices):
        raise AclError(ACL_ERROR_RT_INVALID_DEVICEID, f"deviceId is {device}: there are {len(t.sim.devices)} devices")


def _new(t: ThreadState, name: str, queue: SharedQueue, limited: bool) -> int:
    channel = Channel(t.sim.next_number("tensor channel"), name, queue, limited, t.site)
    channel.handle = t.sim.new_handle(channel)
    return channel.handle


@api("acltdtCreateChannel")
def create_channel(t: ThreadState, device: int, name: str | None) -> int:
    """A channel without a capacity, of training cards; nothing here is at its other end.

    NULL: no name, another product, no such device.
    """
    if name is None:
        require(name, "name")
    assert name is not None
    check_product(t, "acltdtCreateChannel")
    _check_device(t, device)
    queue = SharedQueue(t.sim, device, t.sim.next_number("tensor channel"), name, _UNLIMITED, t.site)
    queue.handle = t.sim.new_handle(queue)
    return _new(t, name, queue, False)


@api("acltdtCreateChannelWithCapacity")
def create_channel_with_capacity(t: ThreadState, device: int, name: str | None, capacity: int) -> int:
    """A channel of a capacity of 2 to 8192 messages: host and device send and receive by its name.

    NULL: no name, or one of more than 127 bytes; another product, no such device, a bad capacity, 128 queues.
    """
    if name is None:
        require(name, "name")
    assert name is not None
    if len(os.fsencode(name)) >= NAME_BYTES:
        raise AclError(ACL_ERROR_INVALID_PARAM, f"name has more than {NAME_BYTES - 1} bytes", "acl")
    check_product(t, "acltdtCreateChannelWithCapacity")
    _check_device(t, device)
    queue = t.sim.part(QueueRegistry).create(t, device, name, capacity & 0xFFFFFFFF)
    return _new(t, name, queue, True)


@api("acltdtStopChannel")
def stop_channel(t: ThreadState, handle: int) -> None:
    """Wake threads that wait to receive; of channels with a capacity it does nothing. Codes: 100000 NULL."""
    _channel(t, handle).stop(t)


@api("acltdtDestroyChannel")
def destroy_channel(t: ThreadState, handle: int) -> None:
    """Destroy a channel and what it holds. Codes: 100000 NULL."""
    _channel(t, handle).destroy(t)


@api("acltdtCleanChannel")
def clean_channel(t: ThreadState, handle: int) -> None:
    """Drop what the channel holds. Codes: 100000 NULL, 200006 one without a capacity."""
    _channel(t, handle).clean(t)


@api("acltdtSendTensor")
def send_tensor(t: ThreadState, handle: int, dataset: int, timeout: int) -> None:
    """Send a copy of *dataset*; *timeout*, ms: -1 waits for room for ever, 0 not at all.

    Codes: 100000 NULL, an item that cannot be sent, a limit for a channel without a capacity; 207014 still full.
    """
    channel = _channel(t, handle)
    channel.send(t, needed(t, dataset, TensorDataset, "tensor dataset"), timeout)


@api("acltdtReceiveTensor")
def receive_tensor(t: ThreadState, handle: int, dataset: int, timeout: int) -> None:
    """Let *dataset* hold the oldest message; *timeout*, ms: -1 waits for one for ever, 0 not at all.

    Codes: 100000 NULL, a dataset with items of the program, a channel that only sends; 207013 still empty, 500001
    stopped.
    """
    channel = _channel(t, handle)
    channel.receive(t, needed(t, dataset, TensorDataset, "tensor dataset"), timeout)


@api("acltdtQueryChannelSize")
def query_channel_size(t: ThreadState, handle: int) -> int:
    """How many messages the channel holds. Codes: 100000 NULL, 200006 one without a capacity."""
    return _channel(t, handle).size(t)
