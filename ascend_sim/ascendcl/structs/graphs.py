"""Model running instances: the parameters of captured tasks."""

from attrs import define, field

from ascend_sim.ascendcl.structs.kernels import aclrtLaunchKernelCfg


@define
class aclmdlRIKernelTaskParams:
    """Struct ``aclmdlRIKernelTaskParams`` of acl_rt.h."""

    funcHandle: int = 0
    cfg: aclrtLaunchKernelCfg | None = None
    args: int = 0
    isHostArgs: int = 0
    argsSize: int = 0
    numBlocks: int = 0
    rsv: list[int] = field(factory=lambda: [0] * 10)


@define
class aclmdlRIEventRecordTaskParams:
    """Struct ``aclmdlRIEventRecordTaskParams`` of acl_rt.h."""

    event: int = 0
    eventFlag: int = 0
    recordFlag: int = 0


@define
class aclmdlRIEventWaitTaskParams:
    """Struct ``aclmdlRIEventWaitTaskParams`` of acl_rt.h."""

    event: int = 0
    eventFlag: int = 0
    waitFlag: int = 0


@define
class aclmdlRIEventResetTaskParams:
    """Struct ``aclmdlRIEventResetTaskParams`` of acl_rt.h."""

    event: int = 0
    eventFlag: int = 0
    resetFlag: int = 0


@define
class aclmdlRIValueWriteTaskParams:
    """Struct ``aclmdlRIValueWriteTaskParams`` of acl_rt.h."""

    devAddr: int = 0
    value: int = 0


@define
class aclmdlRIValueWaitTaskParams:
    """Struct ``aclmdlRIValueWaitTaskParams`` of acl_rt.h."""

    devAddr: int = 0
    value: int = 0
    flag: int = 0


@define
class aclmdlRITaskParams:
    """Struct ``aclmdlRITaskParams`` of acl_rt.h."""

    type: int = 0
    rsv0: list[int] = field(factory=lambda: [0] * 3)
    taskGrp: int = 0
    opInfoPtr: int = 0
    opInfoSize: int = 0
    rsv1: list[int] = field(factory=lambda: [0] * 32)
    rsv2: list[int] = field(factory=lambda: [0] * 128)
    kernelTaskParams: aclmdlRIKernelTaskParams = field(factory=aclmdlRIKernelTaskParams)
    eventRecordTaskParams: aclmdlRIEventRecordTaskParams = field(factory=aclmdlRIEventRecordTaskParams)
    eventWaitTaskParams: aclmdlRIEventWaitTaskParams = field(factory=aclmdlRIEventWaitTaskParams)
    eventResetTaskParams: aclmdlRIEventResetTaskParams = field(factory=aclmdlRIEventResetTaskParams)
    valueWriteTaskParams: aclmdlRIValueWriteTaskParams = field(factory=aclmdlRIValueWriteTaskParams)
    valueWaitTaskParams: aclmdlRIValueWaitTaskParams = field(factory=aclmdlRIValueWaitTaskParams)


@define
class aclmdlRICondTaskParams:
    """Struct ``aclmdlRICondTaskParams`` of acl_rt.h."""

    handle: int = 0
    type: int = 0
    size: int = 0
    modelRIArray: list[int] = field(factory=list)
