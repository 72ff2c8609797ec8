"""Waits with time-outs that are too short, then long enough; an hour of waiting must not take an hour."""

import threading

import acl

SIZE = 64 << 20


def made(result):
    value, ret = result
    assert ret == 0, ret
    return value


assert acl.init() == 0
assert acl.rt.set_device(0) == 0
stream = made(acl.rt.create_stream())
event = made(acl.rt.create_event())
device = made(acl.rt.malloc(SIZE, 0))
host = made(acl.rt.malloc_host(SIZE))
assert acl.rt.memset(device, SIZE, 1, SIZE) == 0

for _ in range(4):
    assert acl.rt.memcpy_async(host, SIZE, device, SIZE, 2, stream) == 0
assert acl.rt.record_event(event, stream) == 0

codes = []
for call, thing in (
    (acl.rt.synchronize_stream_with_timeout, stream),
    (acl.rt.synchronize_event_with_timeout, event),
):
    code = call(thing, 1)
    tries = 1
    while code in (507046, 507047):
        codes.append(code)
        code = call(thing, 1)
        tries += 1
    print(f"{call.__name__}: {tries} tries, then {code}")
    assert code == 0
print("time-outs:", codes)

# No callback ever comes: each of these waits an hour of virtual time.
subscribed = threading.Event()
results = []


def serve(args):
    subscribed.wait()
    for _ in range(3):
        results.append(acl.rt.process_report(3_600_000))


thread_id = made(acl.util.start_thread(serve, []))
assert acl.rt.subscribe_report(thread_id, stream) == 0
subscribed.set()
assert acl.util.stop_thread(thread_id) == 0
assert acl.rt.unsubscribe_report(thread_id, stream) == 0
print("reports:", results)

assert acl.rt.synchronize_stream_with_timeout(stream, 0) == 107000
assert acl.rt.synchronize_stream_with_timeout(stream, -2) == 107000
assert acl.rt.destroy_event(event) == 0
assert acl.rt.free_host(host) == 0
assert acl.rt.free(device) == 0
assert acl.rt.destroy_stream(stream) == 0
assert acl.rt.reset_device(0) == 0
assert acl.finalize() == 0
assert codes
