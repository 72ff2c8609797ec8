"""Devices, streams, events and the process: utilisation, identity, versions, faults, snapshots."""

from attrs import define, field


@define
class aclrtUtilizationInfo:
    """Struct ``aclrtUtilizationInfo`` of acl_rt.h."""

    cubeUtilization: int = 0
    vectorUtilization: int = 0
    aicpuUtilization: int = 0
    memoryUtilization: int = 0
    utilizationExtend: int = 0


@define
class aclrtUuid:
    """Struct ``aclrtUuid`` of acl_rt.h."""

    bytes: list[int] = field(factory=lambda: [0] * 16)


@define
class aclCANNPackageVersion:
    """Struct ``aclCANNPackageVersion`` of acl_rt.h."""

    version: str = ""
    majorVersion: str = ""
    minorVersion: str = ""
    releaseVersion: str = ""
    patchVersion: str = ""
    reserved: list[int] = field(factory=lambda: [0] * 128)


@define
class aclrtStreamAttrValue:
    """Union ``aclrtStreamAttrValue`` of acl_rt.h."""

    failureMode: int = 0
    overflowSwitch: int = 0
    userCustomTag: int = 0
    cacheOpInfoSwitch: int = 0
    streamPriority: int = 0
    reserve: list[int] = field(factory=lambda: [0] * 4)


@define
class aclrtIpcEventHandle:
    """Struct ``aclrtIpcEventHandle`` of acl_rt.h."""

    reserved: list[int] = field(factory=lambda: [0] * 64)


@define
class aclrtCntNotifyRecordInfo:
    """Struct ``aclrtCntNotifyRecordInfo`` of acl_rt.h."""

    mode: int = 0
    value: int = 0


@define
class aclrtCntNotifyWaitInfo:
    """Struct ``aclrtCntNotifyWaitInfo`` of acl_rt.h."""

    mode: int = 0
    value: int = 0
    timeout: int = 0
    isClear: int = 0
    rsv: list[int] = field(factory=lambda: [0] * 3)


@define
class aclrtMemUceInfo:
    """Struct ``aclrtMemUceInfo`` of acl_rt.h."""

    addr: int = 0
    len: int = 0
    reserved: list[int] = field(factory=lambda: [0] * 14)


@define
class aclrtMemUceInfoArray:
    """Struct ``aclrtMemUceInfoArray`` of acl_rt.h."""

    arraySize: int = 0
    memUceInfoArray: list[aclrtMemUceInfo] = field(factory=list)


@define
class aclrtErrorInfoDetail:
    """Union ``aclrtErrorInfoDetail`` of acl_rt.h."""

    uceInfo: aclrtMemUceInfoArray = field(factory=aclrtMemUceInfoArray)
    aicoreErrType: int = 0


@define
class aclrtErrorInfo:
    """Struct ``aclrtErrorInfo`` of acl_rt.h."""

    tryRepair: int = 0
    hasDetail: int = 0
    reserved: list[int] = field(factory=lambda: [0] * 2)
    errorType: int = 0
    detail: aclrtErrorInfoDetail = field(factory=aclrtErrorInfoDetail)


@define
class aclrtSnapShotBackupArgs:
    """Struct ``aclrtSnapShotBackupArgs`` of acl_rt.h."""

    backupFlags: int = 0
    reserved: list[int] = field(factory=lambda: [0] * 60)


@define
class aclrtSnapShotRestoreArgs:
    """Struct ``aclrtSnapShotRestoreArgs`` of acl_rt.h."""

    restoreFlags: int = 0
    reserved: list[int] = field(factory=lambda: [0] * 60)
