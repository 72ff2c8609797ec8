"""Models: dims, gears, AIPP settings, sizes."""

from attrs import define, field


@define
class aclmdlAttrValue_t:
    """Union ``aclmdlAttrValue_t`` of acl_mdl.h."""

    mdlPriority: int = 0
    reserved: list[int] = field(factory=lambda: [0] * 8)


@define
class aclmdlIODims:
    """Struct ``aclmdlIODims`` of acl_mdl.h."""

    name: str = ""
    dimCount: int = 0
    dims: list[int] = field(factory=list)


@define
class aclmdlIODimsRange:
    """Struct ``aclmdlIODimsRange`` of acl_mdl.h."""

    rangeCount: int = 0
    range: list[list[int]] = field(factory=list)


@define
class aclAippDims:
    """Struct ``aclAippDims`` of acl_mdl.h."""

    srcDims: aclmdlIODims = field(factory=aclmdlIODims)
    srcSize: int = 0
    aippOutdims: aclmdlIODims = field(factory=aclmdlIODims)
    aippOutSize: int = 0


@define
class aclmdlBatch:
    """Struct ``aclmdlBatch`` of acl_mdl.h."""

    batchCount: int = 0
    batch: list[int] = field(factory=list)


@define
class aclmdlHW:
    """Struct ``aclmdlHW`` of acl_mdl.h."""

    hwCount: int = 0
    hw: list[list[int]] = field(factory=list)


@define
class aclAippInfo:
    """Struct ``aclAippInfo`` of acl_mdl.h."""

    inputFormat: int = 0
    srcImageSizeW: int = 0
    srcImageSizeH: int = 0
    cropSwitch: int = 0
    loadStartPosW: int = 0
    loadStartPosH: int = 0
    cropSizeW: int = 0
    cropSizeH: int = 0
    resizeSwitch: int = 0
    resizeOutputW: int = 0
    resizeOutputH: int = 0
    paddingSwitch: int = 0
    leftPaddingSize: int = 0
    rightPaddingSize: int = 0
    topPaddingSize: int = 0
    bottomPaddingSize: int = 0
    cscSwitch: int = 0
    rbuvSwapSwitch: int = 0
    axSwapSwitch: int = 0
    singleLineMode: int = 0
    matrixR0C0: int = 0
    matrixR0C1: int = 0
    matrixR0C2: int = 0
    matrixR1C0: int = 0
    matrixR1C1: int = 0
    matrixR1C2: int = 0
    matrixR2C0: int = 0
    matrixR2C1: int = 0
    matrixR2C2: int = 0
    outputBias0: int = 0
    outputBias1: int = 0
    outputBias2: int = 0
    inputBias0: int = 0
    inputBias1: int = 0
    inputBias2: int = 0
    meanChn0: int = 0
    meanChn1: int = 0
    meanChn2: int = 0
    meanChn3: int = 0
    minChn0: float = 0.0
    minChn1: float = 0.0
    minChn2: float = 0.0
    minChn3: float = 0.0
    varReciChn0: float = 0.0
    varReciChn1: float = 0.0
    varReciChn2: float = 0.0
    varReciChn3: float = 0.0
    srcFormat: int = 0
    srcDatatype: int = 0
    srcDimNum: int = 0
    shapeCount: int = 0
    outDims: list[aclAippDims] = field(factory=list)
    aippExtend: int = 0


@define
class aclmdlExeOMDesc:
    """Struct ``aclmdlExeOMDesc`` of acl_mdl.h."""

    workSize: int = 0
    weightSize: int = 0
    modelDescSize: int = 0
    kernelSize: int = 0
    kernelArgsSize: int = 0
    staticTaskSize: int = 0
    dynamicTaskSize: int = 0
    fifoTaskSize: int = 0
    reserved: list[int] = field(factory=lambda: [0] * 8)
