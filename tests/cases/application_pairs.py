# ruff: noqa: E501 - a row is a program
"""Programs as applications write them: each is right, and wrong in one place.

``<<right||wrong>>`` are the two; a wrong program has one finding, and one of its sites is the line marked ``# here``.
"""

from __future__ import annotations

START = """\
import threading, queue, collections, ctypes
import numpy as np
N = 4096
H2H, H2D, D2H, D2D = range(4)
def must(given):
    *values, code = given if isinstance(given, tuple) else (given,)
    assert code == 0, code
    return values[0] if values else None
def device(n=N): return must(acl.rt.malloc(n, 0))
def host(n=N): return must(acl.rt.malloc_host(n))
def stream(): return must(acl.rt.create_stream())
def event(): return must(C.aclrtCreateEventExWithFlag(C.ACL_EVENT_SYNC))
context = must(acl.rt.get_context())
def thread(body, *given):
    def work():
        must(acl.rt.set_context(context))
        body(*given)
    made = threading.Thread(target=work)
    made.start()
    return made
"""

# name: (kind, the end of the advice, program)
PAIRS: dict[str, tuple[str, str, str]] = {
    "ping-pong buffers": ("race", "acl.rt.stream_wait_event(s, free[0])", """
s, t = stream(), stream()
inputs, outputs = [device(), device()], [host(), host()]
ready, free = [event(), event()], [event(), event()]
h = host()
must(acl.rt.memset(h, N, 1, N))
for i in range(6):
    k = i % 2
    <<must(acl.rt.stream_wait_event(s, free[k]))||pass>>
    must(acl.rt.memcpy_async(inputs[k], N, h, N, H2D, s))  # here
    must(acl.rt.record_event(ready[k], s))
    must(acl.rt.stream_wait_event(t, ready[k]))
    must(acl.rt.memcpy_async(outputs[k], N, inputs[k], N, D2H, t))
    must(acl.rt.record_event(free[k], t))
must(acl.rt.synchronize_stream(t)); must(acl.rt.synchronize_stream(s))
"""),
    "event pool": ("race", "acl.rt.stream_wait_event(s, ready)", """
s, t = stream(), stream()
pool = [event() for _ in range(2)]
a, b = device(), device()
def hand_over(first, then):
    e = pool.pop()
    must(acl.rt.record_event(e, first))
    must(acl.rt.stream_wait_event(then, e))
    pool.append(e)
for i in range(4):
    must(acl.rt.memset_async(a, N, i, N, s))  # here
    hand_over(s, t)
    must(acl.rt.memcpy_async(b, N, a, N, D2D, t))
    <<hand_over(t, s)||pass>>
must(acl.rt.synchronize_device())
"""),
    "callback frees": ("use-after-free", "before that: acl.rt.synchronize_stream(s)", """
s, t = stream(), stream()
for i in range(3):
    a = device()
    must(acl.rt.memset_async(a, N, i, N, s))
    def give_back(_, a=a):
        must(acl.rt.free(a))  # here
    must(C.aclrtLaunchHostFunc(<<s||t>>, give_back, None))
must(acl.rt.synchronize_stream(t)); must(acl.rt.synchronize_stream(s))
"""),
    "a thread for each request": ("race", "acl.rt.stream_wait_event(s, ready)  # for `s#2`", """
a, h = device(), host()
results = queue.Queue()
def serve(i):
    s = stream()
    x = <<device()||a>>
    must(acl.rt.memset_async(x, N, i, N, s))  # here
    must(acl.rt.synchronize_stream(s))
    results.put(i)
threads = [thread(serve, i) for i in range(2)]
[t.join() for t in threads]
"""),
    "contexts of threads": ("race", "acl.rt.stream_wait_event(s, ready)", """
shared = device()
def work(i):
    own = must(acl.rt.create_context(0))
    s = stream()
    lock.acquire()
    must(acl.rt.memset_async(shared, N, i, N, s))  # here
    <<must(acl.rt.synchronize_stream(s)); lock.release()||lock.release(); must(acl.rt.synchronize_stream(s))>>
    must(acl.rt.destroy_stream(s)); must(acl.rt.destroy_context(own))
lock = threading.Lock()
threads = [thread(work, i) for i in range(2)]
[t.join() for t in threads]
"""),
    "graph replays": ("race", "acl.rt.stream_wait_event(t, ready)", """
s, t = stream(), stream()
a, b, h = device(), device(), host()
must(acl.rt.memset(a, N, 0, N))
must(C.aclmdlRICaptureBegin(s, 2))
must(acl.rt.memcpy_async(b, N, a, N, D2D, s))
must(acl.rt.memcpy_async(h, N, b, N, D2H, s))
graph = must(C.aclmdlRICaptureEnd(s))
for i in range(3):
    must(acl.rt.memset_async(a, N, i, N, t))
    e = event()
    must(acl.rt.record_event(e, t)); must(acl.rt.stream_wait_event(s, e))
    must(C.aclmdlRIExecuteAsync(graph, s))  # here
    <<must(acl.rt.synchronize_stream(s))||pass>>
must(acl.rt.synchronize_device())
must(C.aclmdlRIDestroy(graph))
"""),
    "stream-ordered pool": ("use-after-free", "give the block back after its last use, on a stream that comes after it", """
s, t = stream(), stream()
pool = must(C.aclrtMemPoolCreate(C.aclrtMemPoolProps(location=C.aclrtMemLocation(0, 1), maxSize=1 << 26)))
x = must(C.aclrtMemPoolMallocAsync(1 << 21, pool, s))
must(acl.rt.memset_async(x, N, 1, N, s))
e, f = event(), event()
must(acl.rt.record_event(e, s)); must(acl.rt.stream_wait_event(t, e))
d = device()
must(acl.rt.memcpy_async(d, N, x, N, D2D, t))
<<must(acl.rt.record_event(f, t)); must(acl.rt.stream_wait_event(s, f))||pass>>
must(C.aclrtMemPoolFreeAsync(x, s))  # here
must(acl.rt.synchronize_device())
must(C.aclrtMemPoolDestroy(pool))
"""),
    "virtual memory that grows": ("use-after-free", "before that: acl.rt.synchronize_stream(s)", """
M = 1 << 21
s = stream()
place = C.aclrtMemLocation(0, C.ACL_MEM_LOCATION_TYPE_DEVICE)
base = must(C.aclrtReserveMemAddress(4 * M, 0, 0, 0))
handles = []
for i in range(2):
    handle = must(C.aclrtMallocPhysical(M, C.aclrtPhysicalMemProp(memAttr=C.ACL_HBM_MEM_HUGE, location=place), 0))
    must(C.aclrtMapMem(base + i * M, M, 0, handle, 0))
    handles.append(handle)
must(acl.rt.memset_async(base, M, 1, M, s)); must(acl.rt.memset_async(base + M, M, 1, M, s))
<<must(acl.rt.synchronize_stream(s))||pass>>
must(C.aclrtUnmapMem(base + M))  # here
must(acl.rt.synchronize_stream(s))
must(C.aclrtUnmapMem(base))
for handle in handles: must(C.aclrtFreePhysical(handle))
must(C.aclrtReleaseMemAddress(base))
"""),
    "values as flags": ("race", "acl.rt.value_wait(back, i + 1, 0, s)", """
s, t = stream(), stream()
a, b, flag, back = device(), device(), device(64), device(64)
must(acl.rt.memset(flag, 64, 0, 64)); must(acl.rt.memset(back, 64, 0, 64))
for i in range(1, 4):
    must(acl.rt.memset_async(a, N, i, N, s))  # here
    must(C.aclrtValueWrite(flag, i, 0, s))
    must(C.aclrtValueWait(flag, i, 0, t))
    must(acl.rt.memcpy_async(b, N, a, N, D2D, t))
    must(C.aclrtValueWrite(back, i, 0, t))
    must(C.aclrtValueWait(back, <<i||i - 1>>, 0, s))
must(acl.rt.synchronize_device())
"""),
    "batch copies": ("race", "acl.rt.synchronize_stream(s)", """
s = stream()
parts = [device() for _ in range(4)]
h = host(4 * N)
must(acl.rt.memset(h, 4 * N, 1, 4 * N))
def attribute(): return C.aclrtMemcpyBatchAttr(dstLoc=C.aclrtMemLocation(0, 1), srcLoc=C.aclrtMemLocation(0, 0))
must(C.aclrtMemcpyBatchAsync(parts, [N] * 4, [h + i * N for i in range(4)], [N] * 4, 4, [attribute()], [0], 1, s))
<<must(acl.rt.synchronize_stream(s))||pass>>
must(acl.rt.memset(h, 4 * N, 2, 4 * N))  # here
must(acl.rt.synchronize_stream(s))
"""),
    "two devices": ("race", "acl.rt.stream_wait_event(t, ready)", """
s, a = stream(), device()
must(acl.rt.memset_async(a, N, 1, N, s))
<<must(acl.rt.synchronize_stream(s))||pass>>
must(acl.rt.set_device(1))
must(acl.rt.device_enable_peer_access(0, 0))
t, b = stream(), device()
must(acl.rt.memcpy_async(b, N, a, N, D2D, t))  # here
must(acl.rt.synchronize_stream(t))
must(acl.rt.set_device(0))
must(acl.rt.synchronize_stream(s))
"""),
    "report thread": ("race", "acl.rt.synchronize_stream(s)", """
s, h, a = stream(), host(), device()
must(acl.rt.memset(a, N, 1, N))
over, seen = [], []
def report():
    while not over: acl.rt.process_report(10)
listener = thread(report)
must(acl.rt.subscribe_report(listener.ident, s))
def done(_): seen.append(acl.util.ptr_to_bytes(h, 4))
must(acl.rt.memcpy_async(h, N, a, N, D2H, s))
must(C.aclrtLaunchCallback(done, None, 1, s))
<<must(acl.rt.synchronize_stream(s))||pass>>
acl.util.ptr_to_bytes(h, 4)  # here
must(acl.rt.synchronize_stream(s))
must(acl.rt.unsubscribe_report(listener.ident, s))
over.append(1); listener.join()
"""),
    "queue between threads": ("race", "acl.rt.synchronize_stream(s)", """
q, h, a, s = must(C.acltdtCreateQueue(None)), host(), device(), stream()
must(acl.rt.memset(a, N, 1, N))
def consumer():
    into = np.zeros(8, np.uint8)
    must(C.acltdtDequeueData(q, into, 8, None, 0, -1))
    acl.util.ptr_to_bytes(h, 4)  # here
other = thread(consumer)
must(acl.rt.memcpy_async(h, N, a, N, D2H, s))
<<must(acl.rt.synchronize_stream(s))||pass>>
must(C.acltdtEnqueueData(q, b"ready", 5, None, 0, 0, 0))
other.join()
must(acl.rt.synchronize_stream(s))
must(C.acltdtDestroyQueue(q))
"""),
    "staging ring": ("race", "acl.rt.synchronize_stream(s)", """
s, a = stream(), device()
ring = [(host(), event()) for _ in range(2)]
for i in range(5):
    h, e = ring[i % 2]
    <<must(acl.rt.synchronize_event(e)) if i > 1 else None||pass>>
    must(acl.rt.memset(h, N, i, N))  # here
    must(acl.rt.memcpy_async(a, N, h, N, H2D, s))
    must(acl.rt.record_event(e, s))
must(acl.rt.synchronize_stream(s))
"""),
    "results through futures": ("race", "acl.rt.synchronize_stream(s)", """
from concurrent.futures import ThreadPoolExecutor
def infer(i):
    must(acl.rt.set_context(context))
    s, a, h = stream(), device(), host()
    must(acl.rt.memset_async(a, N, i, N, s))
    must(acl.rt.memcpy_async(h, N, a, N, D2H, s))
    <<must(acl.rt.synchronize_stream(s))||pass>>
    return h, s
with ThreadPoolExecutor(2) as pool:
    for future in [pool.submit(infer, 0)]:
        h, s = future.result()
        acl.util.ptr_to_bytes(h, 4)  # here
        must(acl.rt.synchronize_stream(s))
"""),
    "registered memory": ("use-after-free", "before that: acl.rt.synchronize_stream(s)", """
s, a = stream(), device()
memory = np.zeros(2 * N, np.uint8)
start = -(-memory.ctypes.data // N) * N
must(C.aclrtHostRegister(start, N, 0))
must(acl.rt.memset(a, N, 1, N))
must(acl.rt.memcpy_async(start, N, a, N, D2H, s))
<<must(acl.rt.synchronize_stream(s))||pass>>
must(C.aclrtHostUnregister(start))  # here
must(acl.rt.synchronize_stream(s))
"""),
    "notifies": ("race", "acl.rt.stream_wait_event(t, ready)", """
s, t, a, b = stream(), stream(), device(), device()
n = must(C.aclrtCreateNotify(0))
must(acl.rt.memset_async(a, N, 1, N, s))
<<must(C.aclrtRecordNotify(n, s)); must(C.aclrtWaitAndResetNotify(n, t, 0))||pass>>
must(acl.rt.memcpy_async(b, N, a, N, D2D, t))  # here
must(acl.rt.synchronize_device())
"""),
    "wait with a time-out": ("race", "acl.rt.synchronize_stream(s)", """
s, a, h = stream(), device(), host()
must(acl.rt.memset_async(a, N, 1, N, s))
must(acl.rt.memcpy_async(h, N, a, N, D2H, s))
while True:
    code = acl.rt.synchronize_stream_with_timeout(s, 1)
    if code == 0 <<||or True>>: break
    assert code == 507046
<<||must(acl.rt.memset_async(a, N, 2, N, s)); must(acl.rt.memcpy_async(h, N, a, N, D2H, s))>>
acl.util.ptr_to_bytes(h, 4)  # here
must(acl.rt.synchronize_stream(s))
"""),
    "polling an event": ("race", "acl.rt.synchronize_stream(s)", """
s, a, h, e = stream(), device(), host(), event()
must(acl.rt.memset_async(a, N, 1, N, s))
<<||must(acl.rt.record_event(e, s))>>
must(acl.rt.memcpy_async(h, N, a, N, D2H, s))
<<must(acl.rt.record_event(e, s))||pass>>
while must(acl.rt.query_event_status(e)) != 1: pass
acl.util.ptr_to_bytes(h, 4)  # here
must(acl.rt.synchronize_stream(s))
"""),
    "two-dimensional copies": ("race", "aclrtStreamWaitEvent(t, ready)", """
s, t, a, h = stream(), stream(), device(8 * N), host(8 * N)
must(acl.rt.memset(h, 8 * N, 1, 8 * N))
for i in range(2):
    must(C.aclrtMemcpy2dAsync(a + i * 512, 1024, h, 600, <<512||600>>, 8, H2D, (s, t)[i]))  # here
must(acl.rt.synchronize_device())
"""),
    "freed after the last use": ("use-after-free", "acl.rt.synchronize_stream(streams[2])", """
streams = [stream() for _ in range(3)]
a = device()
must(acl.rt.memset(a, N, 0, N))
outs = [device() for _ in streams]
for s, out in zip(streams, outs):
    must(acl.rt.memcpy_async(out, N, a, N, D2D, s))
for s in <<streams||streams[:2]>>:
    must(acl.rt.synchronize_stream(s))
must(acl.rt.free(a))  # here
must(acl.rt.synchronize_device())
"""),
    "profiling around": ("race", "acl.rt.stream_wait_event(t, ready)", """
import tempfile
folder = tempfile.mkdtemp()
must(C.aclprofInit(folder, len(folder)))
config = C.aclprofCreateConfig([0], 1, 0, None, 1)
must(C.aclprofStart(config))
s, t, a, b = stream(), stream(), device(), device()
e = event()
must(acl.rt.memset_async(a, N, 1, N, s))
<<must(acl.rt.record_event(e, s)); must(acl.rt.stream_wait_event(t, e))||pass>>
must(acl.rt.memcpy_async(b, N, a, N, D2D, t))  # here
must(acl.rt.synchronize_device())
must(C.aclprofStop(config)); must(C.aclprofDestroyConfig(config)); must(C.aclprofFinalize())
"""),
    "a lock around each submit": ("race", "acl.rt.stream_wait_event(t, ready)", """
a, s, t, lock = device(), stream(), stream(), threading.Lock()
def fill(mine, value):
    with lock:
        must(acl.rt.memset_async(a, N, value, N, mine))  # here
        <<must(acl.rt.synchronize_stream(mine))||pass>>
threads = [thread(fill, s, 1), thread(fill, t, 2)]
[x.join() for x in threads]
must(acl.rt.synchronize_device())
"""),
    "one stream for two threads": ("race", "order the two submits: hand over through a lock or a queue that is empty before the second, or join the thread", """
a, s = device(), stream()
def fill(value): must(acl.rt.memset_async(a, N, value, N, s))  # here
first = thread(fill, 0)
<<first.join()||pass>>
second = thread(fill, 1)
first.join(); second.join()
must(acl.rt.synchronize_device())
"""),
    "stop and go on": ("use-after-free", "before that: acl.rt.synchronize_stream(s)", """
s, a = stream(), device()
must(acl.rt.memset_async(a, N, 1, N, s))
<<must(C.aclrtStreamAbort(s))||pass>>
must(acl.rt.free(a))  # here
must(acl.rt.synchronize_device())
"""),
    "a slice of a large block": ("race", "acl.rt.stream_wait_event(t, ready)", """
s, t, pool = stream(), stream(), device(16 * N)
for i, mine in enumerate((s, t)):
    must(acl.rt.memset_async(pool + i * N, <<N||2 * N>>, 1, <<N||2 * N>>, mine))  # here
must(acl.rt.synchronize_device())
"""),
    "uploads beside the work": ("race", "acl.rt.stream_wait_event(work, e)", """
copies, work = stream(), stream()
h, h2, a, b, out = host(), host(), device(), device(), device()
must(acl.rt.memset(h, N, 1, N)); must(acl.rt.memset(h2, N, 1, N))
e = event()
must(acl.rt.memcpy_async(a, N, h, N, H2D, copies))
<<||must(acl.rt.record_event(e, copies))>>
must(acl.rt.memcpy_async(b, N, h2, N, H2D, copies))
<<must(acl.rt.record_event(e, copies))||pass>>
must(acl.rt.stream_wait_event(work, e))
must(acl.rt.memcpy_async(out, N, b, N, D2D, work))  # here
must(acl.rt.synchronize_device())
"""),
    "default stream": ("race", "acl.rt.stream_wait_event(s, ready)", """
a, h, s = device(), host(), stream()
must(acl.rt.memset_async(a, N, 1, N, 0))
<<must(acl.rt.synchronize_stream(0))||pass>>
must(acl.rt.memcpy_async(h, N, a, N, D2H, s))  # here
must(acl.rt.synchronize_device())
"""),
    "freed twice": ("double-free", "let one owner free it, and forget the address then", """
class Buffer:
    def __init__(self): self.p = device()
    def close(self):
        must(acl.rt.free(self.p)) if self.p else None
        <<self.p = 0||pass>>
    def __del__(self): self.close() if self.p else None
b = Buffer()
b.close()
<<||acl.rt.free(b.p); b.p = 0  # here>>
"""),
    "a host function that signals": ("race", "acl.rt.synchronize_stream(s)", """
s, h, a, done = stream(), host(), device(), threading.Event()
must(acl.rt.memset(a, N, 1, N))
<<must(acl.rt.memcpy_async(h, N, a, N, D2H, s))||pass>>
must(C.aclrtLaunchHostFunc(s, lambda _: done.set(), None))
<<||must(acl.rt.memcpy_async(h, N, a, N, D2H, s))>>
done.wait()
acl.util.ptr_to_bytes(h, 4)  # here
must(acl.rt.synchronize_stream(s))
"""),
    "descriptors of a request": ("use-after-free", "before that: acl.rt.synchronize_stream(s)", """
s, a, b = stream(), device(), device()
done = event()
must(acl.rt.memset_async(a, N, 1, N, s))
must(acl.rt.record_event(done, s))
must(acl.rt.memcpy_async(b, N, a, N, D2D, s))
<<must(acl.rt.synchronize_stream(s))||must(acl.rt.synchronize_event(done))>>
must(acl.rt.free(a))  # here
must(acl.rt.synchronize_stream(s))
"""),
    "host memory given back to a list": ("race", "acl.rt.synchronize_stream(s)", """
s, a = stream(), device()
spare = [host()]
for i in range(3):
    h = spare.pop()
    must(acl.rt.memset(h, N, i, N))  # here
    must(acl.rt.memcpy_async(a, N, h, N, H2D, s))
    <<must(acl.rt.synchronize_stream(s))||pass>>
    spare.append(h)
must(acl.rt.synchronize_stream(s))
"""),
    "two devices, a thread each": ("race", "acl.rt.stream_wait_event(s, ready)  # for `s#2`", """
h = host(2 * N)
def work(d):
    must(acl.rt.set_device(d))
    s, a = stream(), device()
    must(acl.rt.memset_async(a, N, d, N, s))
    must(acl.rt.memcpy_async(h + <<d||0>> * N, N, a, N, D2H, s))  # here
    must(acl.rt.synchronize_stream(s))
threads = [thread(work, d) for d in range(2)]
[t.join() for t in threads]
"""),
    "loop of asyncio": ("race", "acl.rt.synchronize_stream(s)", """
import asyncio
s, a, h = stream(), device(), host()
def wait():
    must(acl.rt.set_context(context))
    must(acl.rt.synchronize_stream(s))
async def infer():
    must(acl.rt.memset_async(a, N, 1, N, s))
    must(acl.rt.memcpy_async(h, N, a, N, D2H, s))
    <<await asyncio.to_thread(wait)||await asyncio.sleep(0.01)>>
    acl.util.ptr_to_bytes(h, 4)  # here
asyncio.run(infer())
must(acl.rt.synchronize_stream(s))
"""),
}
