"""What the later chapters need: running instances, mapped and shared memory, queues, media, profiling, operators."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ascend_sim import SimulatedHang, pyacl
from ascend_sim import ascendcl as C

if TYPE_CHECKING:
    from tests.fuzz.world import World

__all__ = ["MEDIA_DICT", "fill_chapters"]

PAGE = 4096
GRANULE = 2 << 20
RELAXED = 2
ITEM, END = 0, 1
PERSISTENT, HBM = 4, 4
MEDIA_DICT = [
    "type", "mode", "pic_width", "pic_height", "stream_buf_size", "frame_buf_cnt", "venc_attr", "rc_attr", "addr", "len",
    "pts", "end_of_frame", "end_of_stream", "need_display", "vir_addr", "buffer_size", "width", "height", "width_stride",
    "height_stride", "pixel_format", "v_frame", "virt_addr", "picture_address", "picture_buffer_size", "picture_width",
    "picture_height", "picture_width_stride", "picture_height_stride", "picture_format", "crop_region", "events", "fd",
    "top_offset", "left_offset", "crop_width", "crop_height", "level", "attribute", "pic_size", "size",
]  # fmt: skip
"""Fields of the dicts of the second media interface."""
_SIMPLE = """
    aclrtStreamConfigHandle aclrtCreateStreamConfigHandle; aclrtGroupInfo aclrtCreateGroupInfo; aclmdlDesc aclmdlCreateDesc
    aclmdlBundleQueryInfo aclmdlBundleCreateQueryInfo; aclmdlConfigHandle aclmdlCreateConfigHandle
    aclmdlExecConfigHandle aclmdlCreateExecConfigHandle; aclprofStepInfo aclprofCreateStepInfo
    acltdtDataset acltdtCreateDataset; acltdtQueueAttr acltdtCreateQueueAttr
    acltdtQueueRouteList acltdtCreateQueueRouteList; acltdtQueueRouteQueryInfo acltdtCreateQueueRouteQueryInfo
    aclGraphDumpOption aclCreateGraphDumpOpt; aclopAttr aclopCreateAttr; acldvppPicDesc acldvppCreatePicDesc
    acldvppChannelDesc acldvppCreateChannelDesc; acldvppResizeConfig acldvppCreateResizeConfig
    acldvppJpegeConfig acldvppCreateJpegeConfig; aclvdecChannelDesc aclvdecCreateChannelDesc
    aclvencChannelDesc aclvencCreateChannelDesc; aclvencFrameConfig aclvencCreateFrameConfig
    acldvppStreamDesc acldvppCreateStreamDesc; aclvdecFrameConfig aclvdecCreateFrameConfig
    acldvppLutMap acldvppCreateLutMap; acldvppBorderConfig acldvppCreateBorderConfig; acldvppHist acldvppCreateHist
    stamp aclprofCreateStamp
"""
"""Kinds that a call without arguments makes."""


def fill_chapters(world: World) -> None:
    """Something of every kind; what a product refuses is missing."""
    for fill in (_graphs, _mapped, _pools, _queues, _media, _others, _operators):
        try:
            fill(world)
        except SimulatedHang:  # an odd schedule of an odd product
            continue
    for line in _SIMPLE.replace(";", "\n").strip().splitlines():
        kind, maker = line.split()
        world.keep(kind, kind, getattr(C, maker)())


def _captured(world: World, work: Callable[[int], Any]) -> Any:
    stream = world.keep("aclrtStream", "captured stream", C.aclrtCreateStream())
    C.aclmdlRICaptureBegin(stream, RELAXED)
    work(stream)
    return stream


def _graphs(world: World) -> None:
    block, fill = world.addresses[0][1], world.pools["aclrtFuncHandle"][0][1]
    words = np.array([block, 7], np.uint64)

    def work(stream: int) -> None:
        C.aclrtMemsetAsync(block, 64, 1, 64, stream)
        C.aclmdlRICaptureTaskGrpBegin(stream)
        C.aclrtLaunchKernel(fill, 1, words, 12, stream)
        world.keep("aclrtTaskGrp", "task group", C.aclmdlRICaptureTaskGrpEnd(stream))

    stream = _captured(world, work)
    world.keep("aclmdlRI", "graph", C.aclmdlRICaptureEnd(stream))
    executed = world.keep("aclmdlRI", "executed graph", C.aclmdlRICaptureEnd(_captured(world, work)))
    if world.busy:
        C.aclmdlRIExecuteAsync(executed, stream)
    for task in C.aclmdlRIGetTasksByStream(stream, 2)[0] or ():
        world.keep("aclmdlRITask", "task", task)
    dead = world.keep("aclmdlRI", "dead graph", C.aclmdlRICaptureEnd(_captured(world, work)))
    C.aclmdlRIDestroy(dead)
    built = world.keep("aclmdlRI", "graph being built", C.aclmdlRIBuildBegin(0))
    bound = world.keep("aclrtStream", "bound stream", C.aclrtCreateStreamWithConfig(0, PERSISTENT))
    C.aclmdlRIBindStream(built, bound, 0)
    C.aclrtMemsetAsync(block, 64, 1, 64, bound)
    ready = world.keep("aclmdlRI", "built graph", C.aclmdlRIBuildBegin(0))
    its = C.aclrtCreateStreamWithConfig(0, PERSISTENT)[0]
    C.aclmdlRIBindStream(ready, its, 0)
    label = world.keep("aclrtLabel", "label", C.aclrtCreateLabel())
    world.keep("aclrtLabelList", "labels", C.aclrtCreateLabelList([label], 1))
    C.aclrtMemsetAsync(block, 64, 1, 64, its)
    C.aclmdlRIEndTask(ready, its)
    C.aclmdlRIBuildEnd(ready, None)
    stream = _captured(world, work)
    under = world.keep("aclmdlRI", "graph under capture", C.aclmdlRICaptureGetInfo(stream)[1:])
    world.keep("aclmdlRICondHandle", "condition", C.aclmdlRICondHandleCreate(under, 1, 0))


def _mapped(world: World) -> None:
    prop = C.aclrtPhysicalMemProp(handleType=0, allocationType=0, memAttr=HBM, location=C.aclrtMemLocation(0, 1))
    physical = world.keep("aclrtDrvMemHandle", "physical", C.aclrtMallocPhysical(GRANULE, prop, 0))
    mapped = world.keep("aclrtDrvMemHandle", "mapped physical", C.aclrtMallocPhysical(GRANULE, prop, 0))
    dead = world.keep("aclrtDrvMemHandle", "dead physical", C.aclrtMallocPhysical(GRANULE, prop, 0))
    C.aclrtFreePhysical(dead)
    window = C.aclrtReserveMemAddress(2 * GRANULE, 0, None, 1)[0] or 0
    C.aclrtMapMem(window, GRANULE, 0, mapped, 0)
    managed = C.aclrtMemAllocManaged(PAGE, 1)[0] or 0
    world.addresses += [("mapped", window), ("reserved", window + GRANULE), ("managed", managed)]
    shared = C.aclrtMemExportToShareableHandle(physical, 0, 0)[0]
    world.pools["shareable"] = [("shareable handle", shared or 5)]
    key = np.zeros(65, np.uint8)
    keys = []
    if C.aclrtIpcMemGetExportKey(world.addresses[0][1], PAGE, key, 65, 1) == 0:
        keys.append(bytes(key).split(b"\0")[0].decode("ascii", "replace"))
    if C.aclrtNotifyGetExportKey(world.pools["aclrtNotify"][0][1], key, 65, 2) == 0:
        keys.append(bytes(key).split(b"\0")[0].decode("ascii", "replace"))
    world.texts += [("a key", one) for one in keys]
    C.aclrtSetCurrentContext(world.pools["aclrtContext"][0][1])


def _pools(world: World) -> None:
    props = C.aclrtMemPoolProps(location=C.aclrtMemLocation(0, 1), maxSize=4 * GRANULE)
    pool = world.keep("aclrtMemPool", "pool", C.aclrtMemPoolCreate(props))
    stream = world.pools["aclrtStream"][0][1]
    if world.busy:
        world.addresses.append(("of a pool", C.aclrtMemPoolMallocAsync(PAGE, pool, stream)[0] or 0))
    dead = world.keep("aclrtMemPool", "dead pool", C.aclrtMemPoolCreate(props))
    C.aclrtMemPoolDestroy(dead)
    world.keep("aclrtCntNotify", "counting notify", C.aclrtCntNotifyCreate(0))


def _queues(world: World) -> None:
    attribute = world.keep("acltdtQueueAttr", "queue attributes", C.acltdtCreateQueueAttr())
    numbers = [C.acltdtCreateQueue(attribute)[0] for _ in range(2)]
    world.pools["qid"] = [("queue", n) for n in numbers if n is not None] + [("no queue", 4000)]
    world.keep("acltdtQueueRoute", "route", C.acltdtCreateQueueRoute(*(n or 0 for n in numbers)))
    buffer = world.keep("acltdtBuf", "buffer of a queue", C.acltdtAllocBuf(64, 0))
    C.acltdtEnqueue(numbers[0] or 0, buffer or 0, 0)
    world.keep("acltdtBuf", "buffer", C.acltdtAllocBuf(64, 0))
    mbuf = world.keep("aclrtMbuf", "mbuf", C.aclrtAllocBuf(64))
    C.aclrtFreeBuf(world.keep("aclrtMbuf", "dead mbuf", C.aclrtAllocBuf(64)))
    world.pools.setdefault("aclrtMbuf", []).append(("buffer as mbuf", mbuf or 0))
    channel = world.keep("acltdtChannelHandle", "channel", C.acltdtCreateChannelWithCapacity(0, "fuzz", 2))
    item = world.keep("acltdtDataItem", "item", C.acltdtCreateDataItem(ITEM, [4], 1, 3, world.addresses[2][1], 16))
    items = world.keep("acltdtDataset", "items", C.acltdtCreateDataset())
    C.acltdtAddDataItem(items, item)
    C.acltdtSendTensor(channel, items, 0)
    world.keep("acltdtDataItem", "end item", C.acltdtCreateDataItem(END, None, 0, 3, None, 0))


def _media(world: World) -> None:
    block = world.addresses[0][1]
    channel = world.keep("acldvppChannelDesc", "open channel", C.acldvppCreateChannelDesc())
    C.acldvppCreateChannel(channel)
    for size in (16, 32, 64):
        picture = world.keep("acldvppPicDesc", f"picture {size}", C.acldvppCreatePicDesc())
        for name, value in (("Data", block), ("Size", size * size * 3 // 2), ("Format", 1), ("Width", size),
                            ("Height", size), ("WidthStride", size), ("HeightStride", size)):  # fmt: skip
            getattr(C, f"acldvppSetPicDesc{name}")(picture, value)
    world.keep("acldvppRoiConfig", "region", C.acldvppCreateRoiConfig(0, 15, 0, 15))
    world.keep("acldvppBatchPicDesc", "batch", C.acldvppCreateBatchPicDesc(2))
    himpi = pyacl.modules()["acl"].himpi
    himpi.sys_init()
    himpi.vpc_create_chn(0, {"attribute": 0})
    address, code = himpi.dvpp_malloc(0, PAGE)
    if code == 0:
        world.addresses.append(("of media", address))
    media, code = C.acldvppMalloc(PAGE)
    world.addresses.append(("of the old media", media or 0))


def _others(world: World) -> None:
    world.keep("aclprofConfig", "profile", C.aclprofCreateConfig([0], 1, 0, None, 3))
    world.keep("aclprofSubscribeConfig", "subscription", C.aclprofCreateSubscribeConfig(1, 0, None))
    desc = world.pools["aclTensorDesc"][0][1]
    handle = C.aclopCreateHandle("Neg", 1, [desc], 1, [desc], None)
    world.keep("aclopHandle", "operator", handle)


def _operators(world: World) -> None:
    block = world.addresses[0][1]
    made = []
    for kind, dims in ((0, (2, 3)), (0, (2, 3)), (1, (4,)), (3, ()), (12, (2, 3)), (0, (0, 3))):
        tensor = C.aclCreateTensor(dims, len(dims), kind, None, 0, 2, dims, len(dims), block)
        world.keep("aclTensor", f"tensor {kind} {dims}", tensor)
        made.append(tensor)
    dead = world.keep("aclTensor", "dead tensor", C.aclCreateTensor((2,), 1, 0, None, 0, 2, (2,), 1, block))
    C.aclDestroyTensor(dead)
    world.keep("aclScalar", "scalar", C.aclCreateScalar(2.0, 0))
    world.keep("aclScalar", "int scalar", C.aclCreateScalar(np.array(-1), 9))
    world.keep("aclIntArray", "ints", C.aclCreateIntArray([0, 1], 2))
    world.keep("aclIntArray", "odd ints", C.aclCreateIntArray([-9, 1 << 40, 0], 3))
    world.keep("aclFloatArray", "floats", C.aclCreateFloatArray([1.5], 1))
    world.keep("aclBoolArray", "bools", C.aclCreateBoolArray([True, False], 2))
    world.keep("aclTensorList", "tensors", C.aclCreateTensorList(made[:2], 2))
    world.keep("aclScalarList", "scalars", C.aclCreateScalarList([world.one("aclScalar")], 1))
    ready = C.aclnnAddGetWorkspaceSize(made[0], made[1], world.one("aclScalar"), made[0])
    world.keep("aclOpExecutor", "executor", ready[1:])
