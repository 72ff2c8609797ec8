"""Threads of every kind over two devices: what each saw, in the order in which it happened, with virtual times."""

import queue
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import acl

WORKERS, ITEMS = 4, 60
log = []
lock = threading.Lock()


def note(*what):
    with lock:
        log.append(what)


def work(device, items):
    assert acl.rt.set_device(device) == 0
    stream, ret = acl.rt.create_stream()
    assert ret == 0
    stop = []

    def serve(_):
        assert acl.rt.set_device(device) == 0
        while not stop:
            note("report", device, acl.rt.process_report(100))
        assert acl.rt.reset_device(device) == 0

    server, ret = acl.util.start_thread(serve, [None])
    assert ret == 0
    assert acl.rt.subscribe_report(server, stream) == 0
    buffer, ret = acl.rt.malloc(4096, 0)
    assert ret == 0
    host, ret = acl.rt.malloc_host(4096)
    assert ret == 0
    while (item := items.get()) is not None:
        assert acl.rt.memset_async(buffer, 4096, item, 4096, stream) == 0
        assert acl.rt.memcpy_async(host, 4096, buffer, 4096, 2, stream) == 0
        assert acl.rt.launch_callback(lambda value: note("callback", device, value), item, 1, stream) == 0
        if item % 3 == 0:
            note("synchronized", device, item, acl.rt.synchronize_stream(stream))
        items.task_done()
    note("end", device, acl.rt.synchronize_stream(stream), time.monotonic_ns())
    stop.append(1)
    assert acl.rt.unsubscribe_report(server, stream) == 0
    assert acl.util.stop_thread(server) == 0
    assert acl.rt.free(buffer) == 0
    assert acl.rt.free_host(host) == 0
    assert acl.rt.destroy_stream(stream) == 0
    assert acl.rt.reset_device(device) == 0


def poll(number):
    assert acl.rt.set_device(0) == 0
    event, ret = acl.rt.create_event()
    assert ret == 0
    stream, ret = acl.rt.create_stream()
    assert ret == 0
    assert acl.rt.record_event(event, stream) == 0
    asked = 1
    while acl.rt.query_event_status(event)[0] != 1:
        asked += 1
    assert acl.rt.destroy_event(event) == 0
    assert acl.rt.destroy_stream(stream) == 0
    assert acl.rt.reset_device(0) == 0
    return number, asked


assert acl.init() == 0
items = queue.Queue(5)
threads = [threading.Thread(target=work, args=(i % 2, items)) for i in range(WORKERS)]
for thread in threads:
    thread.start()
for item in range(ITEMS):
    items.put(item)
for _ in threads:
    items.put(None)
for thread in threads:
    thread.join()
with ThreadPoolExecutor(3) as pool:
    note("polled", list(pool.map(poll, range(10))))
assert acl.finalize() == 0
for line in log:
    print(*line)
