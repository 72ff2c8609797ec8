"""Dict arguments and dict results of pyACL, to and from the structs of the C face.

A missing key, or a value of the wrong type, is silently ignored (docs/semantics/pyacl.md#lists-and-dicts); a number
that does not fit the C type that Python converts to is a ValueError. Keys are the C field names, but for a few that are
in snake case.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ascend_sim.ascendcl.structs import (
        aclCANNPackageVersion,
        aclmdlIODims,
        aclrtBinaryLoadOptions,
        aclrtLaunchKernelCfg,
        aclrtMallocConfig,
        aclrtMemUceInfo,
        aclrtPhysicalMemProp,
        aclrtPlaceHolderInfo,
        aclrtPtrAttributes,
        aclrtStreamAttrValue,
        aclrtUtilizationInfo,
        aclrtUuid,
    )

__all__ = [
    "binary_options", "dims_argument", "dims_dict", "kernel_config", "malloc_config", "package_version",
    "physical_prop", "place_holders", "pointer_attributes", "stream_attribute", "stream_attribute_dict", "uce_dicts",
    "uce_infos", "unsigned_dims", "utilization", "uuid",
]  # fmt: skip

_LONG = (-(1 << 63), (1 << 63) - 1)
_ULONG = (0, (1 << 64) - 1)


def _number(value: Any, limits: tuple[int, int], text: str) -> int:
    """An int within *limits*; else the ValueError that the real helper puts in place of Python's own."""
    if not isinstance(value, int) or not limits[0] <= value <= limits[1]:
        raise ValueError(text)
    return int(value)


def _signed(found: dict[str, Any], key: str) -> int:
    """A C int or enum: read as a long, cut to 32 bits; 0 when it is missing or no int."""
    value = found.get(key)
    if not isinstance(value, int):
        return 0
    return ctypes.c_int32(_number(value, _LONG, "PyLong_AsLong failed") & 0xFFFF_FFFF).value


def _unsigned(found: dict[str, Any], key: str, bits: int = 32) -> int:
    """An unsigned number: read as an unsigned long, cut to *bits*; 0 when it is missing or no int."""
    value = found.get(key)
    if not isinstance(value, int):
        return 0
    return _number(value, _ULONG, "PyLong_AsUnsignedLong failed") & ((1 << bits) - 1)


def _dict(value: Any, text: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(text)
    return value


def _dicts(value: Any, text: str) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(text)
    return value


# -- memory ------------------------------------------------------------------------------------------------------------


def physical_prop(value: Any) -> aclrtPhysicalMemProp:
    """``{handleType, allocationType, memAttr, location: {id, type}, reserve}``."""
    from ascend_sim.ascendcl.structs import aclrtMemLocation, aclrtPhysicalMemProp

    found = _dict(value, "the aclrtPhysicalMemProp argument is not dict")
    location = aclrtMemLocation()
    if "location" in found:
        inner = _dict(found["location"], "the aclrtMemLocation argument is not dict")
        location = aclrtMemLocation(_unsigned(inner, "id"), _signed(inner, "type"))
    return aclrtPhysicalMemProp(
        handleType=_signed(found, "handleType"),
        allocationType=_signed(found, "allocationType"),
        memAttr=_signed(found, "memAttr"),
        location=location,
        reserve=_unsigned(found, "reserve", 64),
    )


def malloc_config(value: Any) -> aclrtMallocConfig | None:
    """``{}`` (no config) or ``{numAttrs, attrs: [{attr, value: {moduleId | deviceId | rsv}}]}``."""
    from ascend_sim.ascendcl.structs import aclrtMallocAttribute, aclrtMallocConfig

    found = _dict(value, "pyCfg is not dict!")
    if not found:
        return None
    if "attrs" not in found:
        raise TypeError("the aclrtMallocAttrValue argument is not dict")
    attributes = found["attrs"]
    if not isinstance(attributes, list):
        raise TypeError("cfg.attrs malloc failed!")
    number = _unsigned(found, "numAttrs", 64)
    if number != len(attributes):
        raise KeyError("The numAttrs inputed does not match the expected numAttrs")
    config = aclrtMallocConfig(numAttrs=number)
    for item in attributes:
        attribute = _dict(item, "the aclrtMallocWithCfg argument is not dict")
        config.attrs.append(aclrtMallocAttribute(_signed(attribute, "attr"), _malloc_value(attribute.get("value"))))
    return config


def _malloc_value(value: Any) -> Any:
    from ascend_sim.ascendcl.structs import aclrtMallocAttrValue

    union = aclrtMallocAttrValue()
    if value is None:
        return union
    found = _dict(value, "the aclrtMallocAttrValue argument is not dict")
    text = "PyLong_AsUnsignedLong failed"
    if "moduleId" in found:
        union.moduleId = _number(found["moduleId"], _ULONG, text) & 0xFFFF
    elif "deviceId" in found:
        union.deviceId = _number(found["deviceId"], _ULONG, text) & 0xFFFF_FFFF
    elif "rsv" in found:
        values = found["rsv"] if isinstance(found["rsv"], list) else []
        for index, item in enumerate(values[:8]):
            union.rsv[index] = _number(item, _ULONG, text) & 0xFF
    else:
        raise KeyError("No valid key found in aclrtMallocAttrValue")
    return union


def pointer_attributes(struct: aclrtPtrAttributes | None) -> dict[str, Any]:
    """``{location: {id, type}, page_size, rsv}``; zeros when the call failed."""
    if struct is None:
        return {"location": {"id": 0, "type": 0}, "page_size": 0, "rsv": [0] * 4}
    location = {"id": struct.location.id, "type": struct.location.type}
    return {"location": location, "page_size": struct.pageSize, "rsv": list(struct.rsv)}


def uce_dicts(structs: Iterable[aclrtMemUceInfo] | None, count: int | None) -> list[dict[str, Any]]:
    """``[{addr, len, reserved}]``, as many as the call says."""
    found = list(structs or ())[: count or 0]
    return [{"addr": s.addr, "len": s.len, "reserved": list(s.reserved)} for s in found]


def uce_infos(value: Any) -> list[aclrtMemUceInfo]:
    """A list of ``{addr, len, reserved}``."""
    from ascend_sim.ascendcl.structs import aclrtMemUceInfo

    if not isinstance(value, list):
        raise TypeError("aclrtMemUceInfo argument is not list")
    infos = []
    for item in value:
        found = _dict(item, "the aclrtMemUceInfo argument is not dict")
        address = found.get("addr")
        if address is not None:
            address = _number(address, (-(1 << 63), (1 << 64) - 1), "PyLong_AsVoidPtr failed") & _ULONG[1]
        info = aclrtMemUceInfo(addr=address or 0, len=_unsigned(found, "len", 64))
        info.reserved = _numbers(found, "reserved", 14, 64, list(info.reserved))
        infos.append(info)
    return infos


def _numbers(found: dict[str, Any], key: str, size: int, bits: int, start: list[int]) -> list[int]:
    """An array of at most *size* unsigned numbers over *start*; what follows a non-int is ignored."""
    values = found.get(key)
    if not isinstance(values, list):
        return start
    if len(values) > size:
        raise ValueError(f"The length of {key} should be no greater than {size}")
    array = (start + [0] * size)[:size]
    for index, item in enumerate(values):
        if not isinstance(item, int):
            break
        array[index] = _number(item, _ULONG, "PyLong_AsUnsignedLong failed") & ((1 << bits) - 1)
    return array


# -- kernels -----------------------------------------------------------------------------------------------------------


def binary_options(value: Any) -> aclrtBinaryLoadOptions | None:
    """A list of ``{type, value}``; an empty list is no options. The value fills every member of the union."""
    from ascend_sim.ascendcl.structs import aclrtBinaryLoadOption, aclrtBinaryLoadOptions, aclrtBinaryLoadOptionValue

    items = _dicts(value, "argument 2 only support the format of list")
    if not items:
        return None
    options = aclrtBinaryLoadOptions(numOpt=len(items))
    for item in items:
        found = _dict(item, "the bin_option argument is not dict")
        number = _unsigned(found, "value")
        union = aclrtBinaryLoadOptionValue(
            isLazyLoad=number, magic=number, cpuKernelMode=ctypes.c_int32(number).value, rsv=[number, 0, 0, 0]
        )
        options.options.append(aclrtBinaryLoadOption(_signed(found, "type"), union))
    return options


def kernel_config(value: Any) -> aclrtLaunchKernelCfg | None:
    """A list of ``{id, value}``; an empty list is no config. The value fills every member of the union."""
    from ascend_sim.ascendcl.structs import (
        aclrtLaunchKernelAttr,
        aclrtLaunchKernelAttrValue,
        aclrtLaunchKernelCfg,
        aclrtTimeoutUs,
    )

    items = _dicts(value, "argument 2 only support the format of list")
    if not items:
        return None
    config = aclrtLaunchKernelCfg(numAttrs=len(items))
    for item in items:
        found = _dict(item, "the cfg argument is not dict")
        number = _unsigned(found, "value")
        union = aclrtLaunchKernelAttrValue(
            schemMode=number & 0xFF,
            localMemorySize=number,
            dynUBufSize=number,
            engineType=number,
            blockDimOffset=number,
            isBlockTaskPrefetch=number & 0xFF,
            isDataDump=number & 0xFF,
            timeout=number & 0xFFFF,
            timeoutUs=aclrtTimeoutUs(timeoutLow=number),
            enableProfiling=number & 0xFF,
            rsv=[number, 0, 0, 0],
        )
        config.attrs.append(aclrtLaunchKernelAttr(_signed(found, "id"), union))
    return config


def place_holders(value: Any) -> list[aclrtPlaceHolderInfo]:
    """A list of ``{addrOffset, dataOffset}``."""
    from ascend_sim.ascendcl.structs import aclrtPlaceHolderInfo

    infos = []
    for item in _dicts(value, "argument 7 only support the format of list"):
        found = _dict(item, "the aclrtPlaceHolderInfo argument is not dict")
        infos.append(aclrtPlaceHolderInfo(_unsigned(found, "addrOffset"), _unsigned(found, "dataOffset")))
    return infos


# -- streams, devices, the package -------------------------------------------------------------------------------------

_STREAM_KEYS = {1: "failureMode", 2: "overflowSwitch", 3: "userCustomTag"}


def stream_attribute(kind: int, value: Any) -> aclrtStreamAttrValue:
    """The key that belongs to the attribute *kind*; attributes newer than pyACL go through ``reserved``."""
    from ascend_sim.ascendcl.structs import aclrtStreamAttrValue

    found = _dict(value, "the aclrtStreamAttrValue argument is not dict")
    union = aclrtStreamAttrValue()
    key = _STREAM_KEYS.get(kind)
    if key is not None:
        setattr(union, key, _unsigned(found, key, 64 if kind == 1 else 32))
        return union
    union.reserve = _numbers(found, "reserved", 4, 32, list(union.reserve))
    union.cacheOpInfoSwitch = union.streamPriority = union.reserve[0]
    return union


def stream_attribute_dict(kind: int, union: aclrtStreamAttrValue | None) -> dict[str, Any]:
    """The value of the attribute *kind* under its key; 0 when the call failed."""
    key = _STREAM_KEYS.get(kind)
    if key is not None:
        return {key: 0 if union is None else getattr(union, key)}
    if union is None:
        return {"reserved": [0] * 4}
    first = {4: union.cacheOpInfoSwitch, 5: union.streamPriority}.get(kind, 0) or union.reserve[0]
    return {"reserved": [first, *union.reserve[1:]]}


def utilization(struct: aclrtUtilizationInfo | None) -> dict[str, int]:
    """The rates in percent, keys in snake case; zeros when the call failed."""
    names = ("cube", "vector", "aicpu", "memory")
    rates = {f"{n}_utilization": 0 if struct is None else getattr(struct, f"{n}Utilization") for n in names}
    return {**rates, "utilization_extend": 0 if struct is None else struct.utilizationExtend}


def uuid(struct: aclrtUuid | None) -> dict[str, list[int]]:
    """``{bytes: 16 numbers}``; zeros when the call failed."""
    return {"bytes": [0] * 16 if struct is None else list(struct.bytes)}


def package_version(struct: aclCANNPackageVersion | None) -> dict[str, str]:
    """The parts of a package's version, keys in snake case; empty when the call failed."""
    fields = {
        "version": "version",
        "major_version": "majorVersion",
        "minor_version": "minorVersion",
        "release_version": "releaseVersion",
        "patch_version": "patchVersion",
    }
    found = {key: "" if struct is None else getattr(struct, field) for key, field in fields.items()}
    return {**found, "reserved": ""}


# -- models ------------------------------------------------------------------------------------------------------------


def dims_dict(struct: aclmdlIODims | None, number: Callable[[int], int] = int) -> dict[str, Any]:
    """``{name, dimCount, dims}``; ``{}`` when the call failed."""
    if struct is None:
        return {}
    count = struct.dimCount
    return {"name": struct.name, "dimCount": count, "dims": [number(d) for d in struct.dims[:count]]}


def unsigned_dims(structs: Iterable[aclmdlIODims] | None, count: int, code: int) -> list[Any]:
    """The gears of an input, *count* entries; -1 reads 2**64-1 (the source builds them unsigned)."""
    if code or structs is None:
        return [None] * count
    return [dims_dict(s, lambda d: d & 0xFFFF_FFFF_FFFF_FFFF) for s in structs][:count]


def dims_argument(value: Any) -> aclmdlIODims:
    """``{name, dimCount, dims}``; the name may be missing."""
    from ascend_sim.ascendcl.structs import aclmdlIODims

    found = _dict(value, "argument 4 is not dict")
    count = found.get("dimCount")
    # a count that is no size reads as the largest one, and then the list is too short
    count = int(count) if isinstance(count, int) and 0 <= count <= _ULONG[1] else _ULONG[1]
    name = found.get("name", "")
    if not isinstance(name, str):
        raise RuntimeError("PyUnicode_AsUTF8String failed")
    values = found.get("dims")
    if not isinstance(values, list):
        raise TypeError("The dims of parameter 4 is not a list.")
    for item in values[:count]:
        if not isinstance(item, int):
            raise TypeError("the dims of fourth parameter is not list of int")
        if not _LONG[0] <= item <= _LONG[1]:
            raise ValueError("PyLong_AsLongLong failed")
    if count > len(values):
        raise TypeError("the dims of fourth parameter is not list of int")
    return aclmdlIODims(name=name[:128], dimCount=count, dims=[int(item) for item in values[:count]])
