"""Dump and profiling."""

from attrs import define, field


@define
class acldumpChunk:
    """Struct ``acldumpChunk`` of acl_dump.h."""

    fileName: str = ""
    bufLen: int = 0
    isLastChunk: int = 0
    offset: int = 0
    flag: int = 0
    dataBuf: list[int] = field(factory=list)


@define
class acldumpTensorInfo:
    """Struct ``acldumpTensorInfo`` of acl_dump.h."""

    type: int = 0
    tensorSize: int = 0
    format: int = 0
    dataType: int = 0
    tensorAddr: int = 0
    addrType: int = 0
    placement: int = 0
    argsOffset: int = 0
    shapeNum: int = 0
    originShapeNum: int = 0
    shape: list[int] = field(factory=list)
    originShape: list[int] = field(factory=list)


@define
class aclprofTensor:
    """Struct ``aclprofTensor`` of acl_prof.h."""

    type: int = 0
    format: int = 0
    dataType: int = 0
    shapeDim: int = 0
    shape: list[int] = field(factory=list)


@define
class aclprofTensorInfo:
    """Struct ``aclprofTensorInfo`` of acl_prof.h."""

    opNameId: int = 0
    opTypeId: int = 0
    resv: int = 0
    tensorNum: int = 0
    kernelType: int = 0
    blockNums: int = 0
    stream: int = 0
    tensors: list[aclprofTensor] = field(factory=list)


@define
class aclprofMessage:
    """The union inside aclprofEventAttributes, picked by its messageType."""

    tensorInfo: aclprofTensorInfo | None = None


@define
class aclprofEventAttributes:
    """Struct ``aclprofEventAttributes`` of acl_prof.h."""

    version: int = 0
    size: int = 0
    messageType: int = 0
    message: aclprofMessage = field(factory=aclprofMessage)
