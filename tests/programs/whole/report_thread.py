"""A process_report thread beside a main thread that computes for half a second without any call."""

import threading
import time

import acl


def made(result):
    value, ret = result
    assert ret == 0, ret
    return value


assert acl.init() == 0
assert acl.rt.set_device(0) == 0
context = made(acl.rt.get_context())
stream = made(acl.rt.create_stream())
host = made(acl.rt.malloc_host(64))
device = made(acl.rt.malloc(64, 0))
order = []
stop = False
rounds = 0


def serve():
    global rounds
    assert acl.rt.set_context(context) == 0
    while not stop:
        code = acl.rt.process_report(100)
        assert code in (0, 507012, 107012), code
        rounds += 1


def seen(number):
    order.append((number, acl.util.ptr_to_bytes(host, 1)[0]))


def compute(seconds):
    """Work on the processor, not in the API: nobody may conclude that this thread is gone."""
    end = time.process_time() + seconds
    total = 0
    while time.process_time() < end:
        total += sum(range(1000))
    return total


server = threading.Thread(target=serve, name="server")
server.start()
assert acl.rt.subscribe_report(server.ident, stream) == 0
for number in range(10):
    assert acl.rt.memset_async(device, 64, number, 64, stream) == 0
    assert acl.rt.memcpy_async(host, 64, device, 64, 2, stream) == 0
    assert acl.rt.launch_callback(seen, number, 1, stream) == 0
    if number == 4:
        compute(0.5)
assert acl.rt.synchronize_stream(stream) == 0
assert acl.rt.unsubscribe_report(server.ident, stream) == 0
stop = True
server.join()

print("callbacks:", order)
print("rounds of the server:", rounds)
assert order == [(number, number) for number in range(10)]
assert acl.rt.free(device) == 0
assert acl.rt.free_host(host) == 0
assert acl.rt.destroy_stream(stream) == 0
assert acl.rt.reset_device(0) == 0
assert acl.finalize() == 0
