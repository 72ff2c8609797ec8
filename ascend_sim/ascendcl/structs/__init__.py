"""The structs and unions of the C headers as attrs classes with the C field names.

Unions have all their fields; which one counts is said by the field beside the union, as in C. Counted arrays are lists
(``numAttrs`` and ``attrs``: the list), reserved arrays are lists of zeros, ``char`` arrays are str, pointers to bytes
are addresses. An attrs class takes about half a millisecond to make, so a group is imported when a class of it is first
asked for: ``from ascend_sim.ascendcl.structs import aclrtPtrAttributes`` belongs inside the function that needs it.
"""

# ruff: noqa: F403
from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ascend_sim.ascendcl.structs.devices import *
    from ascend_sim.ascendcl.structs.graphs import *
    from ascend_sim.ascendcl.structs.kernels import *
    from ascend_sim.ascendcl.structs.memory import *
    from ascend_sim.ascendcl.structs.models import *
    from ascend_sim.ascendcl.structs.tools import *

_GROUPS = {
    "devices": """
        aclCANNPackageVersion aclrtCntNotifyRecordInfo aclrtCntNotifyWaitInfo aclrtErrorInfo aclrtErrorInfoDetail
        aclrtIpcEventHandle aclrtMemUceInfo aclrtMemUceInfoArray aclrtSnapShotBackupArgs aclrtSnapShotRestoreArgs
        aclrtStreamAttrValue aclrtUtilizationInfo aclrtUuid
    """,
    "graphs": """
        aclmdlRICondTaskParams aclmdlRIEventRecordTaskParams aclmdlRIEventResetTaskParams
        aclmdlRIEventWaitTaskParams aclmdlRIKernelTaskParams aclmdlRITaskParams aclmdlRIValueWaitTaskParams
        aclmdlRIValueWriteTaskParams
    """,
    "kernels": """
        aclrtAicAivTaskUpdateAttr aclrtBarrierCmoInfo aclrtBarrierTaskInfo aclrtBinaryLoadOption
        aclrtBinaryLoadOptionValue aclrtBinaryLoadOptions aclrtDropoutBitmaskInfo aclrtLaunchKernelAttr
        aclrtLaunchKernelAttrValue aclrtLaunchKernelCfg aclrtNormalDisInfo aclrtPlaceHolderInfo
        aclrtRandomNumFuncParaInfo aclrtRandomNumParamInfo aclrtRandomNumTaskInfo aclrtRandomParaInfo
        aclrtRandomTaskUpdateAttr aclrtTaskUpdateInfo aclrtTimeoutUs aclrtUniformDisInfo aclrtUpdateTaskAttrVal dim3
    """,
    "memory": """
        aclrtMallocAttrValue aclrtMallocAttribute aclrtMallocConfig aclrtMemAccessDesc aclrtMemFabricHandle
        aclrtMemLocation aclrtMemManagedLocation aclrtMemPoolProps aclrtMemUsageInfo aclrtMemcpyBatchAttr
        aclrtPhysicalMemProp aclrtPtrAttributes aclrtServerPid
    """,
    "models": """
        aclAippDims aclAippInfo aclmdlAttrValue_t aclmdlBatch aclmdlExeOMDesc aclmdlHW aclmdlIODims
        aclmdlIODimsRange
    """,
    "tools": """
        acldumpChunk acldumpTensorInfo aclprofEventAttributes aclprofMessage aclprofTensor aclprofTensorInfo
    """,
}
_HOME = {name: group for group, names in _GROUPS.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    group = _HOME.get(name)
    if group is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{group}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(_HOME)
