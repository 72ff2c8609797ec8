"""Polls an event and a stream in loops; prints times of the device, which must not depend on the speed of the host."""

import acl

SIZE = 8 << 20


def made(result):
    value, ret = result
    assert ret == 0, ret
    return value


assert acl.init() == 0
assert acl.rt.set_device(0) == 0
stream = made(acl.rt.create_stream())
begin, end = made(acl.rt.create_event()), made(acl.rt.create_event())
device = made(acl.rt.malloc(SIZE, 0))
host = made(acl.rt.malloc_host(SIZE))

for value in range(1, 6):
    assert acl.rt.record_event(begin, stream) == 0
    for _ in range(8):
        assert acl.rt.memset_async(device, SIZE, value, SIZE, stream) == 0
        assert acl.rt.memcpy_async(host, SIZE, device, SIZE, 2, stream) == 0
    assert acl.rt.record_event(end, stream) == 0
    polls = 0
    while True:
        status, ret = acl.rt.query_event_status(end)
        assert ret == 0
        if status == 1:  # complete
            break
        polls += 1
        assert polls < 100_000, "the device never gets there"
    milliseconds, ret = acl.rt.event_elapsed_time(begin, end)
    assert ret == 0
    data = acl.util.ptr_to_bytes(host, SIZE)
    assert data == bytes([value]) * SIZE
    print(f"round {value}: {polls} polls, {milliseconds:.6f} ms")

polls = 0
assert acl.rt.memcpy_async(host, SIZE, device, SIZE, 2, stream) == 0
while True:
    status, ret = acl.rt.stream_query(stream)
    assert ret == 0
    if status == 0:  # complete
        break
    polls += 1
print(f"stream: {polls} polls")

for event in (begin, end):
    assert acl.rt.destroy_event(event) == 0
assert acl.rt.free_host(host) == 0
assert acl.rt.free(device) == 0
assert acl.rt.destroy_stream(stream) == 0
assert acl.rt.reset_device(0) == 0
assert acl.finalize() == 0
