"""Two streams joined by an event: one brings data to the device, the other takes it away when it is there."""

import sys
from typing import Any

import acl

HUGE_FIRST = 0
HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE = 1, 2, 3

DEVICE = 0
SIZE = 4 << 20


class Pipeline:
    """An upload stream and a download stream, with the buffers between them."""

    def __init__(self) -> None:
        self.upload = self.make(acl.rt.create_stream())
        self.download = self.make(acl.rt.create_stream())
        self.ready = self.make(acl.rt.create_event())
        self.begin = self.make(acl.rt.create_event())
        self.end = self.make(acl.rt.create_event())
        # Pinned memory: an asynchronous copy of pageable memory would wait for its whole stream.
        self.source = self.make(acl.rt.malloc_host(SIZE))
        self.target = self.make(acl.rt.malloc_host(SIZE))
        self.incoming = self.make(acl.rt.malloc(SIZE, HUGE_FIRST))
        self.outgoing = self.make(acl.rt.malloc(SIZE, HUGE_FIRST))

    @staticmethod
    def make(result: Any) -> Any:
        value, ret = result
        assert ret == 0, ret
        return value

    @staticmethod
    def must(ret: int) -> None:
        assert ret == 0, ret

    def run(self, value: int) -> tuple[bytes, float]:
        """Send SIZE bytes of *value* through both streams; return what arrived and the milliseconds it took."""
        must = self.must
        must(acl.rt.memset(self.source, SIZE, value, SIZE))
        must(acl.rt.memset(self.target, SIZE, 0, SIZE))

        must(acl.rt.record_event(self.begin, self.upload))
        must(acl.rt.memcpy_async(self.incoming, SIZE, self.source, SIZE, HOST_TO_DEVICE, self.upload))
        must(acl.rt.record_event(self.ready, self.upload))

        must(acl.rt.stream_wait_event(self.download, self.ready))  # without this line: a race
        must(acl.rt.memcpy_async(self.outgoing, SIZE, self.incoming, SIZE, DEVICE_TO_DEVICE, self.download))
        must(acl.rt.memcpy_async(self.target, SIZE, self.outgoing, SIZE, DEVICE_TO_HOST, self.download))
        must(acl.rt.record_event(self.end, self.download))

        must(acl.rt.synchronize_stream(self.download))
        milliseconds, ret = acl.rt.event_elapsed_time(self.begin, self.end)
        must(ret)
        return acl.util.ptr_to_bytes(self.target, SIZE), milliseconds

    def close(self) -> None:
        for event in (self.end, self.begin, self.ready):
            self.must(acl.rt.destroy_event(event))
        for stream in (self.download, self.upload):
            self.must(acl.rt.destroy_stream(stream))
        for pointer in (self.outgoing, self.incoming):
            self.must(acl.rt.free(pointer))
        for pointer in (self.target, self.source):
            self.must(acl.rt.free_host(pointer))


def main() -> int:
    acl.init()
    assert acl.rt.set_device(DEVICE) == 0
    pipeline = Pipeline()
    good = True
    for value in (17, 42):
        arrived, milliseconds = pipeline.run(value)
        right = arrived == bytes([value]) * SIZE
        good = good and right
        state = "whole" if right else "BROKEN"
        print(f"{SIZE >> 20} MiB of {value} arrived {state} in {milliseconds:.3f} ms of device time")
    pipeline.close()
    assert acl.rt.reset_device(DEVICE) == 0
    assert acl.finalize() == 0
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
