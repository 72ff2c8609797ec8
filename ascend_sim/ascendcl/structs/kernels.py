"""Kernels: load options, launch attributes, place holders, barriers, random numbers, task updates."""

from attrs import define, field


@define
class aclrtBinaryLoadOptionValue:
    """Union ``aclrtBinaryLoadOptionValue`` of acl_rt.h."""

    isLazyLoad: int = 0
    magic: int = 0
    cpuKernelMode: int = 0
    rsv: list[int] = field(factory=lambda: [0] * 4)


@define
class aclrtBinaryLoadOption:
    """Struct ``aclrtBinaryLoadOption`` of acl_rt.h."""

    type: int = 0
    value: aclrtBinaryLoadOptionValue = field(factory=aclrtBinaryLoadOptionValue)


@define
class aclrtBinaryLoadOptions:
    """Struct ``aclrtBinaryLoadOptions`` of acl_rt.h."""

    options: list[aclrtBinaryLoadOption] = field(factory=list)
    numOpt: int = 0


@define
class dim3:
    """Struct ``dim3`` of acl_rt.h."""

    x: int = 1
    y: int = 1
    z: int = 1


@define
class aclrtTimeoutUs:
    """Struct ``aclrtTimeoutUs`` of acl_rt.h."""

    timeoutLow: int = 0
    timeoutHigh: int = 0


@define
class aclrtLaunchKernelAttrValue:
    """Union ``aclrtLaunchKernelAttrValue`` of acl_rt.h."""

    schemMode: int = 0
    localMemorySize: int = 0
    dynUBufSize: int = 0
    engineType: int = 0
    blockDimOffset: int = 0
    isBlockTaskPrefetch: int = 0
    isDataDump: int = 0
    timeout: int = 0
    timeoutUs: aclrtTimeoutUs = field(factory=aclrtTimeoutUs)
    enableProfiling: int = 0
    rsv: list[int] = field(factory=lambda: [0] * 4)


@define
class aclrtLaunchKernelAttr:
    """Struct ``aclrtLaunchKernelAttr`` of acl_rt.h."""

    id: int = 0
    value: aclrtLaunchKernelAttrValue = field(factory=aclrtLaunchKernelAttrValue)


@define
class aclrtLaunchKernelCfg:
    """Struct ``aclrtLaunchKernelCfg`` of acl_rt.h."""

    attrs: list[aclrtLaunchKernelAttr] = field(factory=list)
    numAttrs: int = 0


@define
class aclrtPlaceHolderInfo:
    """Struct ``aclrtPlaceHolderInfo`` of acl_rt.h."""

    addrOffset: int = 0
    dataOffset: int = 0


@define
class aclrtBarrierCmoInfo:
    """Struct ``aclrtBarrierCmoInfo`` of acl_rt.h."""

    cmoType: int = 0
    barrierId: int = 0


@define
class aclrtBarrierTaskInfo:
    """Struct ``aclrtBarrierTaskInfo`` of acl_rt.h."""

    barrierNum: int = 0
    cmoInfo: list[aclrtBarrierCmoInfo] = field(factory=list)


@define
class aclrtRandomParaInfo:
    """Struct ``aclrtRandomParaInfo`` of acl_rt.h."""

    isAddr: int = 0
    valueOrAddr: list[int] = field(factory=lambda: [0] * 8)
    size: int = 0
    rsv: list[int] = field(factory=lambda: [0] * 6)


@define
class aclrtDropoutBitmaskInfo:
    """Struct ``aclrtDropoutBitmaskInfo`` of acl_rt.h."""

    dropoutRation: aclrtRandomParaInfo = field(factory=aclrtRandomParaInfo)


@define
class aclrtUniformDisInfo:
    """Struct ``aclrtUniformDisInfo`` of acl_rt.h."""

    min: aclrtRandomParaInfo = field(factory=aclrtRandomParaInfo)
    max: aclrtRandomParaInfo = field(factory=aclrtRandomParaInfo)


@define
class aclrtNormalDisInfo:
    """Struct ``aclrtNormalDisInfo`` of acl_rt.h."""

    mean: aclrtRandomParaInfo = field(factory=aclrtRandomParaInfo)
    stddev: aclrtRandomParaInfo = field(factory=aclrtRandomParaInfo)


@define
class aclrtRandomNumParamInfo:
    """The union inside aclrtRandomNumFuncParaInfo, picked by its funcType."""

    dropoutBitmaskInfo: aclrtDropoutBitmaskInfo = field(factory=aclrtDropoutBitmaskInfo)
    uniformDisInfo: aclrtUniformDisInfo = field(factory=aclrtUniformDisInfo)
    normalDisInfo: aclrtNormalDisInfo = field(factory=aclrtNormalDisInfo)


@define
class aclrtRandomNumFuncParaInfo:
    """Struct ``aclrtRandomNumFuncParaInfo`` of acl_rt.h."""

    funcType: int = 0
    paramInfo: aclrtRandomNumParamInfo = field(factory=aclrtRandomNumParamInfo)


@define
class aclrtRandomNumTaskInfo:
    """Struct ``aclrtRandomNumTaskInfo`` of acl_rt.h."""

    dataType: int = 0
    randomNumFuncParaInfo: aclrtRandomNumFuncParaInfo = field(factory=aclrtRandomNumFuncParaInfo)
    randomParaAddr: int = 0
    randomResultAddr: int = 0
    randomCounterAddr: int = 0
    randomSeed: aclrtRandomParaInfo = field(factory=aclrtRandomParaInfo)
    randomNum: aclrtRandomParaInfo = field(factory=aclrtRandomParaInfo)
    rsv: list[int] = field(factory=lambda: [0] * 8)


@define
class aclrtRandomTaskUpdateAttr:
    """Struct ``aclrtRandomTaskUpdateAttr`` of acl_rt.h."""

    srcAddr: int = 0
    size: int = 0
    rsv: list[int] = field(factory=lambda: [0] * 4)


@define
class aclrtAicAivTaskUpdateAttr:
    """Struct ``aclrtAicAivTaskUpdateAttr`` of acl_rt.h."""

    binHandle: int = 0
    funcEntryAddr: int = 0
    blockDimAddr: int = 0
    rsv: list[int] = field(factory=lambda: [0] * 4)


@define
class aclrtUpdateTaskAttrVal:
    """Union ``aclrtUpdateTaskAttrVal`` of acl_rt.h."""

    randomTaskAttr: aclrtRandomTaskUpdateAttr = field(factory=aclrtRandomTaskUpdateAttr)
    aicAivTaskAttr: aclrtAicAivTaskUpdateAttr = field(factory=aclrtAicAivTaskUpdateAttr)


@define
class aclrtTaskUpdateInfo:
    """Struct ``aclrtTaskUpdateInfo`` of acl_rt.h."""

    id: int = 0
    val: aclrtUpdateTaskAttrVal = field(factory=aclrtUpdateTaskAttrVal)
