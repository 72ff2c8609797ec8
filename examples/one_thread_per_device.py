"""One Python thread for each device: each fills memory on its own device, then the results are compared."""

import sys
import threading

import acl

HUGE_FIRST = 0
DEVICE_TO_HOST = 2
SIZE = 1 << 16


class Worker(threading.Thread):
    """Works on one device. A thread starts without a context, so it sets its device itself."""

    def __init__(self, device: int) -> None:
        super().__init__(name=f"worker-{device}")
        self.device = device
        self.error: str | None = None
        self.total: int | None = None

    def run(self) -> None:
        try:
            self.total = self.work()
        except RuntimeError as error:
            self.error = str(error)

    def must(self, what: str, ret: int) -> None:
        if ret != 0:
            raise RuntimeError(f"device {self.device}: {what} returned {ret}")

    def work(self) -> int:
        self.must("set_device", acl.rt.set_device(self.device))
        stream, ret = acl.rt.create_stream()
        self.must("create_stream", ret)
        buffer, ret = acl.rt.malloc(SIZE, HUGE_FIRST)
        self.must("malloc", ret)
        host, ret = acl.rt.malloc_host(SIZE)
        self.must("malloc_host", ret)

        total = 0
        for step in range(3):
            value = 10 * self.device + step
            self.must("memset_async", acl.rt.memset_async(buffer, SIZE, value, SIZE, stream))
            self.must("memcpy_async", acl.rt.memcpy_async(host, SIZE, buffer, SIZE, DEVICE_TO_HOST, stream))
            self.must("synchronize_stream", acl.rt.synchronize_stream(stream))
            total += sum(acl.util.ptr_to_bytes(host, SIZE))

        self.must("free_host", acl.rt.free_host(host))
        self.must("free", acl.rt.free(buffer))
        self.must("destroy_stream", acl.rt.destroy_stream(stream))
        self.must("reset_device", acl.rt.reset_device(self.device))
        return total


def main() -> int:
    assert acl.init() == 0
    count, ret = acl.rt.get_device_count()
    assert ret == 0
    workers = [Worker(device) for device in range(count)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    good = True
    for worker in workers:
        expected = SIZE * sum(10 * worker.device + step for step in range(3))
        right = worker.error is None and worker.total == expected
        good = good and right
        print(f"{worker.name}: {worker.total} {'as expected' if right else f'WRONG ({worker.error})'}")
    assert acl.finalize() == 0
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
