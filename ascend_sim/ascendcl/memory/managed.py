"""Chapter 11-05: advice about managed memory, and prefetches of many ranges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ascend_sim.ascendcl import structs
from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.arguments import integers, peek
from ascend_sim.ascendcl.device.identity import put_bytes
from ascend_sim.ascendcl.products import check_product
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID
from ascend_sim.constants.memory import (
    ACL_MEM_ADVISE_SET_ACCESSED_BY,
    ACL_MEM_ADVISE_SET_PREFERRED_LOCATION,
    ACL_MEM_ADVISE_SET_READ_MOSTLY,
    ACL_MEM_ADVISE_UNSET_ACCESSED_BY,
    ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION,
    ACL_MEM_ADVISE_UNSET_READ_MOSTLY,
    ACL_MEM_LOCATIONTYPE_DEVICE,
    ACL_MEM_LOCATIONTYPE_HOST,
    ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT,
    ACL_MEM_LOCATIONTYPE_INVALID,
    ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY,
    ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION,
    ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID,
    ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE,
    ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION,
    ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID,
    ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE,
    ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
)
from ascend_sim.errors import AclError
from ascend_sim.runtime.memory.managed import HOST, NOWHERE, Advice, ManagedMemory, managed_range
from ascend_sim.runtime.task import Op, Task
from ascend_sim.runtime.thread_state import ThreadState
from ascend_sim.source.fence import shown

Location = structs.aclrtMemManagedLocation
Place = tuple[int, int]

_WORD = 4


def read_location(t: ThreadState, given: Any) -> Place:
    """(type, number) of an aclrtMemManagedLocation, or of its address. Raises AclError 100000, 107000."""
    if isinstance(given, Location):
        kind, number = given.type, given.id
    else:
        raw = peek(int(given or 0), 2 * _WORD)
        if raw is None:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"location is {shown(given)}: no struct can be read there", "acl")
        kind = int.from_bytes(raw[:_WORD], "little")
        number = int.from_bytes(raw[_WORD:], "little", signed=True)
    if not ACL_MEM_LOCATIONTYPE_DEVICE <= kind <= ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"location.type is {kind}: 1 to 4 are known", "driver")
    if kind == ACL_MEM_LOCATIONTYPE_DEVICE and not 0 <= number < len(t.sim.devices):
        text = f"location.id is {number}: there are {len(t.sim.devices)} devices, from 0"
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, text, "driver")
    return kind, number


def _set(name: str, value: Any) -> Callable[[Advice, Place], None]:
    return lambda page, place: setattr(page, name, place if value is Place else value)


_ADVICE: dict[int, Callable[[Advice, Place], None]] = {
    ACL_MEM_ADVISE_SET_READ_MOSTLY: _set("read_mostly", True),
    ACL_MEM_ADVISE_UNSET_READ_MOSTLY: _set("read_mostly", False),
    ACL_MEM_ADVISE_SET_PREFERRED_LOCATION: _set("preferred", Place),
    ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION: _set("preferred", None),
    ACL_MEM_ADVISE_SET_ACCESSED_BY: lambda page, place: page.accessed_by.add(place),
    ACL_MEM_ADVISE_UNSET_ACCESSED_BY: lambda page, place: page.accessed_by.discard(place),
}
_WITHOUT_PLACE = (ACL_MEM_ADVISE_SET_READ_MOSTLY, ACL_MEM_ADVISE_UNSET_READ_MOSTLY)


@api("aclrtMemManagedAdvise", raw=("location",))
def mem_managed_advise(t: ThreadState, address: int, size: int, advise: int, location: Any) -> None:
    """Advise where managed memory is best kept, in units of 2 MiB. It can be asked for, and changes nothing else.

    Codes: 100000 NULL or size 0, 207000 not on this product, 107000 no managed memory, a size, an advice or a location
    that is none.
    """
    require(address, "ptr")
    require(size, "size")
    check_product(t, "aclrtMemManagedAdvise")
    if advise not in _ADVICE:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"advise is {advise}: 0 to {max(_ADVICE)}", "driver")
    block = managed_range(t, address, size)
    place = (0, 0) if advise in _WITHOUT_PLACE else read_location(t, location)
    for page in t.sim.part(ManagedMemory).pages(block, address, size):
        _ADVICE[advise](page, place)


def _number(place: Place | None) -> int:
    if place is None:
        return NOWHERE
    return HOST if place[0] == ACL_MEM_LOCATIONTYPE_HOST else place[1]


def _common(places: list[Place | None]) -> Place | None:
    """The one place of all pages; None: they have none, or not the same."""
    return places[0] if len(set(places)) == 1 else None


def _type_of(place: Place | None) -> int:
    return ACL_MEM_LOCATIONTYPE_INVALID if place is None else place[0]


def _id_of(place: Place | None) -> int:
    return 0 if place is None else place[1]


_PREFERRED, _PREFETCHED = "preferred", "prefetched"
_ASKED: dict[int, tuple[str, Callable[[Place | None], int]]] = {
    ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION: (_PREFERRED, _number),
    ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE: (_PREFERRED, _type_of),
    ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID: (_PREFERRED, _id_of),
    ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION: (_PREFETCHED, _number),
    ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE: (_PREFETCHED, _type_of),
    ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID: (_PREFETCHED, _id_of),
}


def _answer(t: ThreadState, attribute: int, address: int, size: int, room: int) -> bytes:
    """The value of an attribute in *room* bytes. Raises AclError 107000."""
    block = managed_range(t, address, size, False)
    pages = t.sim.part(ManagedMemory).pages(block, address, size)
    if attribute == ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY:
        if not room or room % _WORD:
            raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"dataSize is {room}: a multiple of 4 is required", "driver")
        who = sorted(_number(place) for place in set.intersection(*(page.accessed_by for page in pages)))
        numbers = (who + [NOWHERE] * (room // _WORD))[: room // _WORD]
        return b"".join(number.to_bytes(_WORD, "little", signed=True) for number in numbers)
    if attribute != ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY and attribute not in _ASKED:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"attribute is {attribute}: 1 to 8 are known", "driver")
    if room != _WORD:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"dataSize is {room}: 4 is required", "driver")
    if attribute == ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
        value = int(all(page.read_mostly for page in pages))
    else:
        name, words = _ASKED[attribute]
        value = words(_common([getattr(page, name) for page in pages]))
    return value.to_bytes(_WORD, "little", signed=True)


@api("aclrtMemManagedGetAttr")
def mem_managed_get_attr(t: ThreadState, attribute: int, address: int, size: int, output: int, room: int) -> None:
    """What was advised about managed memory, into *data*: one number of 4 bytes; for ACCESSED_BY as many as fit.

    Pages that differ have no common place: -2. Codes: 100000 NULL or size 0, 207000 not on this product, 107000.
    """
    require(address, "ptr")
    require(output, "data")
    require(size, "size")
    check_product(t, "aclrtMemManagedGetAttr")
    put_bytes(output, _answer(t, attribute, address, size, room), "data")


@api("aclrtMemManagedGetAttrs")
def mem_managed_get_attrs(
    t: ThreadState, attributes: Any, count: int, address: int, size: int, outputs: Any, rooms: Any
) -> None:  # fmt: skip
    """As aclrtMemManagedGetAttr, for several attributes. Codes as there; 107000 none."""
    require(address, "ptr")
    for value, what in ((attributes, "attributes"), (outputs, "data"), (rooms, "dataSizes")):
        require(value, what)
    require(size, "size")
    check_product(t, "aclrtMemManagedGetAttrs")
    if not count:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, "numAttributes is 0", "driver")
    wanted = integers(attributes, count, "attributes", _WORD)
    places, sizes = integers(outputs, count, "data"), integers(rooms, count, "dataSizes")
    answers = [_answer(t, one, address, size, room) for one, room in zip(wanted, sizes, strict=True)]
    for place, answer in zip(places, answers, strict=True):
        put_bytes(place, answer, "data")


def prefetch_op(t: ThreadState, ranges: list[tuple[int, int, Place | None]]) -> Op:
    """The operation of a queued prefetch: it notes where the ranges went. Raises AclError 107000."""
    found = [(managed_range(t, address, size, False), address, size, place) for address, size, place in ranges]
    memory = t.sim.part(ManagedMemory)

    def note(task: Task, time: int) -> None:
        for block, address, size, place in found:
            if not block.freed:
                for page in memory.pages(block, address, size):
                    page.prefetched = place

    costs = t.sim.profile.costs
    return Op("prefetch", costs.task_ns + sum(size for _, size, _ in ranges) * 1000 // costs.h2d_rate, note)


def _locations(given: Any, count: int) -> list[Any]:
    if isinstance(given, Location):
        given = [given]
    if isinstance(given, list):
        if len(given) < count:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"prefetchLocs has {len(given)} entries", "acl")
        return given[:count]
    return [given + 2 * _WORD * i for i in range(count)]


@api("aclrtMemManagedPrefetchBatchAsync")
def mem_managed_prefetch_batch_async(
    t: ThreadState, addresses: Any, sizes: Any, count: int, locations: Any, indexes: Any, places: int, flags: int,
    stream: int,
) -> None:  # fmt: skip
    """Queue prefetches of many ranges: location k is that of the ranges from its index up to the next one's.

    Codes: 100000 NULL, no entries, flags, more locations than ranges; 207000 not on this product, 107000 no managed
    memory, indexes that do not begin with 0 or do not rise; 107017, 107002, 107003.
    """
    for value, what in (
        (addresses, "ptrs"), (sizes, "sizes"), (locations, "prefetchLocs"), (indexes, "prefetchLocIdxs"),
        (count, "count"), (places, "numPrefetchLocs"),
    ):  # fmt: skip
        require(value, what)
    if flags or count < places:
        text = f"flags is {flags}: 0 is required" if flags else f"count is {count}, numPrefetchLocs is {places}"
        raise AclError(ACL_ERROR_INVALID_PARAM, text, "acl")
    check_product(t, "aclrtMemManagedPrefetchBatchAsync")
    target = t.submit_stream(stream)
    starts = integers(indexes, places, "prefetchLocIdxs")
    if starts[0] or starts != sorted(set(starts)) or starts[-1] >= count:
        raise AclError(ACL_ERROR_RT_PARAM_INVALID, f"prefetchLocIdxs is {starts}: 0 first, then rising, below {count}")
    where = [read_location(t, one) for one in _locations(locations, places)]
    ranges: list[tuple[int, int, Place | None]] = []
    pairs = zip(integers(addresses, count, "ptrs"), integers(sizes, count, "sizes"), strict=True)
    for i, (address, size) in enumerate(pairs):
        ranges.append((address, size, where[sum(start <= i for start in starts) - 1]))
    target.submit(t, prefetch_op(t, ranges))
