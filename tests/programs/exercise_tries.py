"""For each way to miss an exercise a program that does: what to change in the start program or in the answer."""

from __future__ import annotations

from typing import NamedTuple


class Miss(NamedTuple):
    """*base* is ``start`` or ``answer``; each edit replaces a text that is there once."""

    number: int
    way: str
    base: str
    edits: dict[str, str]


_RECORD = "must(acl.rt.record_event(ready, producer))\n"
_WAIT = "must(acl.rt.stream_wait_event(consumer, ready))\n"
_SET = "must(acl.rt.memset_async(data, SIZE, 7, SIZE, producer))\n"
_COPY = "must(acl.rt.memcpy_async(host, SIZE, data, SIZE, DEVICE_TO_HOST, consumer))\n"
_RECORD_DONE = "must(acl.rt.record_event(done, stream))\n"
_WAIT_DONE = "must(acl.rt.stream_wait_event(DEFAULT, done))\n"
_SET_BIG = "must(acl.rt.memset_async(big, SIZE, 0x33, SIZE, stream))\n"
_COPY_BIG = "must(acl.rt.memcpy_async(host, 8, big, 8, DEVICE_TO_HOST, DEFAULT))\n"
_BACK = "    must(acl.rt.record_event(read, consumer))\n"
_PLAIN_SOURCE = "sources = [must(acl.rt.malloc_host(SIZE)) for _ in device]\n"
_BEGIN = "must(C.aclmdlRICaptureBegin(stream, RELAXED))\n"
_END = "graph = must(C.aclmdlRICaptureEnd(stream))\n"
_EXECUTE = "    must(C.aclmdlRIExecuteAsync(graph, stream))\n"
_DESTROY = "must(C.aclmdlRIDestroy(graph))\n"
_SYNC = "    must(C.aclrtSynchronizeStream(stream))\n"

MISSES = (
    Miss(1, "no context", "start", {}),
    Miss(1, "the main thread works", "start", {
        'thread = threading.Thread(target=work, name="worker")\nthread.start()\nthread.join()\n': "work()\n"}),
    Miss(1, "the device is gone", "answer", {
        "    must(acl.rt.memset(buffer": "    acl.rt.reset_device_force(0)\n    acl.rt.memset(buffer",
        "SIZE, 5, SIZE))": "SIZE, 5, SIZE)"}),
    Miss(2, "no wait", "start", {}),
    Miss(2, "no wait", "start", {"print(": "import time\n\ntime.sleep(0.01)\nprint("}),
    Miss(2, "too early", "start", {
        "must(acl.rt.memcpy_async(host": "must(acl.rt.synchronize_stream(stream))\nmust(acl.rt.memcpy_async(host"}),
    Miss(2, "too often", "answer", {
        "must(acl.rt.memcpy_async(second": "must(acl.rt.synchronize_stream(stream))\nmust(acl.rt.memcpy_async(second"}),
    Miss(2, "other tasks", "answer", {
        "must(acl.rt.memcpy_async(host, SIZE, second, SIZE, DEVICE_TO_HOST, stream))\n": "",
        "print(": "must(acl.rt.memcpy(host, SIZE, second, SIZE, DEVICE_TO_HOST))\nprint("}),
    Miss(3, "the wait before the record", "answer", {_RECORD + _WAIT: _WAIT + _RECORD}),
    Miss(3, "the wait before the record", "answer", {
        _RECORD + _WAIT: _WAIT + _RECORD, "acl.rt.create_event()": "acl.rt.create_event_ex_with_flag(1)"}),
    Miss(3, "recorded in the stream that waits", "answer", {_RECORD: _RECORD.replace("producer", "consumer")}),
    Miss(3, "the record before the work", "answer", {
        _SET + "ready = must(acl.rt.create_event())\n" + _RECORD:
        "ready = must(acl.rt.create_event())\n" + _RECORD + _SET}),
    Miss(3, "the wait behind the copy", "answer", {_WAIT + _COPY: _COPY + _WAIT}),
    Miss(3, "a record that nobody waits for", "answer", {_WAIT: ""}),
    Miss(3, "no order", "start", {}),
    Miss(3, "no order", "start", {_COPY: "import time\n\ntime.sleep(0.01)\n" + _COPY}),
    Miss(3, "one stream for both", "start", {"7, SIZE, producer": "7, SIZE, consumer"}),
    Miss(3, "the host waits in between", "start", {_COPY: "must(acl.rt.synchronize_stream(producer))\n" + _COPY}),
    Miss(4, "an event for each round", "answer", {
        "    must(acl.rt.record_event(written":
        "    written = must(acl.rt.create_event())\n    must(acl.rt.record_event(written",
        "    must(acl.rt.memcpy_async(host": "    must(acl.rt.destroy_event(written))\n    must(acl.rt.memcpy_async(host",
        "for event in (written, read):": "for event in (read,):"}),
    Miss(4, "the first round waits", "answer", {"    if number:\n        must(acl": "    if True:\n        must(acl"}),
    Miss(4, "a buffer for each round", "start", {
        "    must(acl.rt.memset_async(data": "    data = must(acl.rt.malloc(SIZE, 0))\n    must(acl.rt.memset_async(data"}),
    Miss(4, "recorded in the stream that waits", "answer", {_BACK: _BACK.replace("consumer", "producer")}),
    Miss(4, "no way back", "start", {}),
    Miss(4, "the way back in the wrong place", "answer", {
        _BACK: "", "    must(acl.rt.memcpy_async(host": _BACK + "    must(acl.rt.memcpy_async(host"}),
    Miss(4, "one stream for both", "start", {"SIZE, producer))": "SIZE, consumer))"}),
    Miss(4, "the host waits in between", "start", {
        "DEVICE_TO_HOST, consumer))\n": "DEVICE_TO_HOST, consumer))\n    must(acl.rt.synchronize_stream(consumer))\n"}),
    Miss(5, "the wait before the record", "answer", {_RECORD_DONE + _WAIT_DONE: _WAIT_DONE + _RECORD_DONE}),
    Miss(5, "recorded in the stream that waits", "answer", {"(done, stream)": "(done, DEFAULT)"}),
    Miss(5, "the record before the work", "answer", {
        _SET_BIG: "", "must(acl.rt.stream_wait_event": _SET_BIG + "must(acl.rt.stream_wait_event"}),
    Miss(5, "the wait behind the copy", "answer", {_WAIT_DONE + _COPY_BIG: _COPY_BIG + _WAIT_DONE}),
    Miss(5, "a record that nobody waits for", "answer", {_WAIT_DONE: ""}),
    Miss(5, "no order", "start", {}),
    Miss(5, "one stream for both", "start", {"SIZE, stream))": "SIZE, DEFAULT))"}),
    Miss(5, "the host waits in between", "start", {
        _COPY_BIG: "must(acl.rt.synchronize_stream(stream))\n" + _COPY_BIG}),
    Miss(6, "pageable", "start", {}),
    Miss(6, "not asynchronous", "answer", {
        "memcpy_async(target, SIZE, source, SIZE, HOST_TO_DEVICE, stream)":
        "memcpy(target, SIZE, source, SIZE, HOST_TO_DEVICE)"}),
    Miss(6, "rewritten too early", "answer", {
        _PLAIN_SOURCE: "sources = [must(acl.rt.malloc_host(SIZE))] * BATCHES\n",
        "for source in sources:": "for source in sources[:1]:"}),
    Miss(6, "a wait after each copy", "answer", {
        "HOST_TO_DEVICE, stream))\n": "HOST_TO_DEVICE, stream))\n    must(acl.rt.synchronize_stream(stream))\n"}),
    Miss(7, "never queued", "start", {}),
    Miss(7, "nobody subscribed", "answer", {
        "must(acl.rt.subscribe_report(thread, stream))\n": "", "must(acl.rt.unsubscribe_report(thread, stream))\n": "",
        "must(acl.rt.launch_callback(look, [host], BLOCK, stream))": "acl.rt.launch_callback(look, [host], BLOCK, stream)"}),
    Miss(7, "waits in the callback", "answer", {
        "    (host,) = args\n": "    (host,) = args\n    acl.rt.synchronize_stream(stream)\n"}),
    Miss(7, "no block", "answer", {"[host], BLOCK": "[host], NO_BLOCK"}),
    Miss(7, "still subscribed", "answer", {
        "must(acl.rt.unsubscribe_report(thread, stream))\n":
        "must(acl.rt.unsubscribe_report(thread, stream))\nmust(acl.rt.subscribe_report(thread, stream))\n"}),
    Miss(7, "not in each round", "answer", {"    must(acl.rt.launch_callback": "must(acl.rt.launch_callback"}),
    Miss(8, "no blocks", "start", {}),
    Miss(8, "too many elements", "answer", {'"<QI4x", z, N)': '"<QI4x", z, 2 * N)'}),
    Miss(8, "no wait", "start", {"BLOCKS = 20, 0": "BLOCKS = 20, 4"}),
    Miss(8, "another number of blocks", "answer", {"BLOCKS = 20, 4": "BLOCKS = 20, 5"}),
    Miss(9, "one workspace", "start", {}),
    Miss(9, "freed too early", "answer", {
        "    launch(stream, out, space)\n": "    launch(stream, out, space)\n    must(acl.rt.free(space))\n",
        "for space in spaces:\n    must(acl.rt.free(space))\n": ""}),
    Miss(9, "too small", "answer", {
        "acl.rt.malloc(4 * BLOCKS, 0)": "acl.rt.malloc(1, 0)", "N, BLOCKS = 1000, 8": "N, BLOCKS = 1000, 40"}),
    Miss(9, "not given back", "answer", {"for space in spaces:\n": "for space in spaces[:1]:\n"}),
    Miss(9, "one after the other", "answer", {
        "    launch(stream, out, space)\n":
        "    launch(stream, out, space)\n    must(acl.rt.synchronize_stream(stream))\n"}),
    Miss(9, "one stream for both", "answer", {"    launch(stream, out, space)\n": "    launch(streams[0], out, space)\n"}),
    Miss(10, "no capture", "start", {}),
    Miss(10, "a wait inside", "answer", {
        "DEVICE_TO_HOST, stream))\n": "DEVICE_TO_HOST, stream))\n    C.aclrtSynchronizeStream(stream)\n"}),
    Miss(10, "no end", "answer", {_END: "", _EXECUTE: "", _SYNC: "", _DESTROY: ""}),
    Miss(10, "captured in each round", "answer", {
        _BEGIN + "step()\n" + _END: "",
        _EXECUTE: "".join(f"    {line}\n" for line in (_BEGIN + "step()\n" + _END).splitlines()) + _EXECUTE}),
    Miss(10, "never executed", "answer", {_EXECUTE: ""}),
    Miss(10, "copies as before", "answer", {_EXECUTE: _EXECUTE + "    step()\n"}),
    Miss(10, "no wait", "answer", {_EXECUTE + _SYNC: _EXECUTE}),
    Miss(10, "freed too early", "answer", {
        _EXECUTE: "    must(C.aclrtFree(device)) if number == 2 else 0\n" + _EXECUTE,
        _DESTROY + "must(C.aclrtFree(device))\n": _DESTROY}),
    Miss(10, "not destroyed", "answer", {_DESTROY: ""}),
    Miss(11, "over each other", "answer", {
        "    must(acl.rt.map_mem(start + number * PIECE, PIECE": "    must(acl.rt.map_mem(start, PIECE"}),
    Miss(11, "one piece", "start", {}),
    Miss(11, "not unmapped", "answer", {"for number in range(len(pieces)):": "for number in range(1):"}),
    Miss(11, "a smaller memset", "answer", {
        "must(acl.rt.memset_async(start, 2 * PIECE, 6, 2 * PIECE, stream))":
        "for at in (start, start + PIECE):\n    must(acl.rt.memset_async(at, PIECE, 6, PIECE, stream))"}),
    Miss(11, "no wait", "answer", {"must(acl.rt.synchronize_stream(stream))\n": ""}),
    Miss(12, "another handle", "start", {
        "for expected in (x + y, x + x):": "must(C.aclrtKernelArgsInit(add))\nfor expected in (x + y, x + x):"}),
    Miss(12, "no update", "start", {}),
    Miss(12, "not closed again", "answer", {"    must(C.aclrtKernelArgsFinalize(handle))\n": ""}),
    Miss(12, "before the first launch", "answer", {
        "    must(C.aclrtLaunchKernelWithConfig": "    value = np.array([dev_x], np.uint64)\n"
        "    must(C.aclrtKernelArgsParaUpdate(handle, parameters[1], value.ctypes.data, value.nbytes))\n"
        "    must(C.aclrtKernelArgsFinalize(handle))\n    must(C.aclrtLaunchKernelWithConfig"}),
    Miss(12, "no wait", "answer", {"    must(C.aclrtSynchronizeStream(stream))\n": ""}),
    Miss(13, "registered too late", "start", {}),
    Miss(13, "freed at once", "answer", {"    spent.append(block)": "    must(acl.rt.free(block))"}),
    Miss(13, "still registered", "answer", {"must(acl.rt.allocator_unregister(stream))\n": ""}),
    Miss(13, "executed once", "answer", {"softmax()\nsoftmax()\n": "softmax()\n"}),
    Miss(13, "not given back", "answer", {"while spent:": "while len(spent) > 1:"}),
    Miss(15, "no order", "start", {}),
    Miss(15, "no order", "answer", {"    adder.wait_stream(loader)\n": ""}),
    Miss(15, "the memory goes to the next batch", "answer", {"    batch.record_stream(adder)\n": ""}),
    Miss(15, "one stream for both", "start", {"torch.npu.stream(adder)": "torch.npu.stream(loader)"}),
    Miss(15, "the host waits for each batch", "start", {
        "    with torch.npu.stream(adder)": "    torch.npu.synchronize()\n    with torch.npu.stream(adder)",
        "    del batch\n": "    torch.npu.synchronize()\n    del batch\n"}),
)  # fmt: skip
