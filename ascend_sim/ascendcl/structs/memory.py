"""Memory: allocation attributes, locations, physical and pooled memory, batch copies."""

from attrs import define, field


@define
class aclrtMemManagedLocation:
    """Struct ``aclrtMemManagedLocation`` of acl_rt.h."""

    type: int = 0
    id: int = 0


@define
class aclrtMallocAttrValue:
    """Union ``aclrtMallocAttrValue`` of acl_rt.h."""

    moduleId: int = 0
    deviceId: int = 0
    vaFlag: int = 0
    rsv: list[int] = field(factory=lambda: [0] * 8)


@define
class aclrtMallocAttribute:
    """Struct ``aclrtMallocAttribute`` of acl_rt.h."""

    attr: int = 0
    value: aclrtMallocAttrValue = field(factory=aclrtMallocAttrValue)


@define
class aclrtMallocConfig:
    """Struct ``aclrtMallocConfig`` of acl_rt.h."""

    attrs: list[aclrtMallocAttribute] = field(factory=list)
    numAttrs: int = 0


@define
class aclrtServerPid:
    """Struct ``aclrtServerPid`` of acl_rt.h."""

    sdid: int = 0
    pid: list[int] = field(factory=list)
    num: int = 0


@define
class aclrtMemLocation:
    """Struct ``aclrtMemLocation`` of acl_rt.h."""

    id: int = 0
    type: int = 0


@define
class aclrtPtrAttributes:
    """Struct ``aclrtPtrAttributes`` of acl_rt.h."""

    location: aclrtMemLocation = field(factory=aclrtMemLocation)
    pageSize: int = 0
    rsv: list[int] = field(factory=lambda: [0] * 4)


@define
class aclrtMemUsageInfo:
    """Struct ``aclrtMemUsageInfo`` of acl_rt.h."""

    name: str = ""
    curMemSize: int = 0
    memPeakSize: int = 0
    reserved: list[int] = field(factory=lambda: [0] * 8)


@define
class aclrtMemFabricHandle:
    """Struct ``aclrtMemFabricHandle`` of acl_rt.h."""

    data: list[int] = field(factory=lambda: [0] * 128)


@define
class aclrtPhysicalMemProp:
    """Struct ``aclrtPhysicalMemProp`` of acl_rt.h."""

    handleType: int = 0
    allocationType: int = 0
    memAttr: int = 0
    location: aclrtMemLocation = field(factory=aclrtMemLocation)
    reserve: int = 0


@define
class aclrtMemcpyBatchAttr:
    """Struct ``aclrtMemcpyBatchAttr`` of acl_rt.h."""

    dstLoc: aclrtMemLocation = field(factory=aclrtMemLocation)
    srcLoc: aclrtMemLocation = field(factory=aclrtMemLocation)
    rsv: list[int] = field(factory=lambda: [0] * 16)


@define
class aclrtMemAccessDesc:
    """Struct ``aclrtMemAccessDesc`` of acl_rt.h."""

    flags: int = 0
    location: aclrtMemLocation = field(factory=aclrtMemLocation)
    rsv: list[int] = field(factory=lambda: [0] * 12)


@define
class aclrtMemPoolProps:
    """Struct ``aclrtMemPoolProps`` of acl_rt_memory_soma.h."""

    allocType: int = 0
    handleType: int = 0
    location: aclrtMemLocation = field(factory=aclrtMemLocation)
    maxSize: int = 0
    reserved: list[int] = field(factory=lambda: [0] * 32)
