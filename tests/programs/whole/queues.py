"""Channels and queues as programs use them: a full channel, a feeder, attributes, a route that is asked about."""

import ctypes
import threading

import numpy as np

from ascend_sim import ascendcl as C


def must(result):
    outputs, code = (result[:-1], result[-1]) if isinstance(result, tuple) else ((), result)
    assert code == 0, C.aclGetRecentErrMsg()
    return outputs[0] if len(outputs) == 1 else outputs


def packed(values):
    """A dataset of one tensor, which it does not copy."""
    dataset = C.acltdtCreateDataset()
    item = C.acltdtCreateDataItem(C.ACL_TENSOR_DATA_TENSOR, [len(values)], 1, C.ACL_FLOAT, values, values.nbytes)
    must(C.acltdtAddDataItem(dataset, item))
    return dataset


def unpacked(dataset):
    item = C.acltdtGetDataItem(dataset, 0)
    raw = ctypes.string_at(C.acltdtGetDataAddrFromItem(item), C.acltdtGetDataSizeFromItem(item))
    return np.frombuffer(raw, np.float32).tolist()


def gone(dataset):
    """Datasets do not own the items that a program made."""
    for index in range(C.acltdtGetDatasetSize(dataset)):
        must(C.acltdtDestroyDataItem(C.acltdtGetDataItem(dataset, index)))
    must(C.acltdtDestroyDataset(dataset))


def channels():
    channel = C.acltdtCreateChannelWithCapacity(0, "loader", 2)
    first, second = packed(np.arange(4, dtype=np.float32)), packed(np.ones(2, np.float32))
    must(C.acltdtSendTensor(channel, first, 1000))
    full = C.acltdtSendTensor(channel, second, 0)
    print("queued:", must(C.acltdtQueryChannelSize(channel)), "and one more:", full)
    got = C.acltdtCreateDataset()
    must(C.acltdtReceiveTensor(channel, got, 1000))
    print("received:", unpacked(got), "of", C.acltdtGetDatasetName(first) or "no name")
    late = threading.Thread(target=lambda: must(C.acltdtSendTensor(channel, second, -1)))
    late.start()
    again = C.acltdtCreateDataset()
    must(C.acltdtReceiveTensor(channel, again, -1))
    late.join()
    print("received:", unpacked(again))
    for each in (got, again):
        must(C.acltdtDestroyDataset(each))
    for each in (first, second):
        gone(each)
    for call in (C.acltdtCleanChannel, C.acltdtStopChannel, C.acltdtDestroyChannel):
        must(call(channel))


def made(name, depth):
    attr, text = C.acltdtCreateQueueAttr(), ctypes.create_string_buffer(name)
    pointer = ctypes.c_void_p(ctypes.addressof(text))
    must(C.acltdtSetQueueAttr(attr, C.ACL_TDT_QUEUE_NAME_PTR, 8, pointer))
    must(C.acltdtSetQueueAttr(attr, C.ACL_TDT_QUEUE_DEPTH_UINT32, 4, depth.to_bytes(4, "little")))
    room = bytearray(4)
    must(C.acltdtGetQueueAttr(attr, C.ACL_TDT_QUEUE_DEPTH_UINT32, 4, room))
    print("depth:", int.from_bytes(room, "little"))
    queue = must(C.acltdtCreateQueue(attr))
    must(C.acltdtDestroyQueueAttr(attr))
    return queue


def queues():
    source, target = made(b"in", 4), made(b"out", 4)
    route, routes = C.acltdtCreateQueueRoute(source, target), C.acltdtCreateQueueRouteList()
    must(C.acltdtAddQueueRoute(routes, route))
    must(C.acltdtBindQueueRoutes(routes))
    query, found = C.acltdtCreateQueueRouteQueryInfo(), C.acltdtCreateQueueRouteList()
    for kind, value in (
        (C.ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM, C.ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST),
        (C.ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32, source), (C.ACL_TDT_QUEUE_ROUTE_QUERY_DST_ID_UINT32, target),
    ):  # fmt: skip
        must(C.acltdtSetQueueRouteQueryInfo(query, kind, 4, value.to_bytes(4, "little")))
    must(C.acltdtQueryQueueRoutes(query, found))
    view, word = C.acltdtCreateQueueRoute(0, 0), bytearray(4)
    must(C.acltdtGetQueueRoute(found, 0, view))
    must(C.acltdtGetQueueRouteParam(view, C.ACL_TDT_QUEUE_ROUTE_STATUS_INT32, 4, word))
    print("routes:", C.acltdtGetQueueRouteNum(found), "status:", int.from_bytes(word, "little"))
    must(C.acltdtEnqueueData(source, b"tensor", 6, b"", 0, 1000, 0))
    data = bytearray(8)
    size = must(C.acltdtDequeueData(target, data, 8, bytearray(1), 0, 1000))
    print("through the route:", bytes(data[:size]))
    must(C.acltdtUnbindQueueRoutes(routes))
    for each in (view, route):
        must(C.acltdtDestroyQueueRoute(each))
    for each in (routes, found):
        must(C.acltdtDestroyQueueRouteList(each))
    must(C.acltdtDestroyQueueRouteQueryInfo(query))
    for each in (source, target):
        must(C.acltdtDestroyQueue(each))


must(C.aclInit(None))
must(C.aclrtSetDevice(0))
channels()
queues()
must(C.aclrtResetDevice(0))
must(C.aclFinalize())
