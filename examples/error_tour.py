"""A tour of return codes: each stop makes one well-known mistake and shows the code that comes back."""

import sys
import threading

import acl

HUGE_FIRST = 0
HOST_TO_DEVICE = 1

wrong: list[str] = []


def stop(title: str, code: int, expected: int) -> None:
    """Print one stop of the tour, with the text that the library has for it."""
    text = acl.get_recent_err_msg() or "(no text)"
    print(f"{title}\n    code {code}: {text.strip().splitlines()[0]}")
    if code != expected:
        wrong.append(f"{title}: {code} instead of {expected}")


def main() -> int:
    assert acl.init() == 0
    stop("initialise a second time", acl.init(), 100002)
    assert acl.finalize_reference() == (1, 0)  # it counts all the same

    count, _ = acl.rt.get_device_count()
    stop("a device that is not there", acl.rt.set_device(count), 107001)
    assert acl.rt.set_device(0) == 0

    def forgetful() -> None:
        _, ret = acl.rt.create_stream()
        stop("a new thread without a context", ret, 107002)

    thread = threading.Thread(target=forgetful)
    thread.start()
    thread.join()

    _, ret = acl.rt.malloc(0, HUGE_FIRST)
    stop("an allocation of 0 bytes", ret, 100000)
    _, ret = acl.rt.malloc(1 << 50, HUGE_FIRST)
    stop("an allocation of a pebibyte", ret, 207001)

    buffer, ret = acl.rt.malloc(64, HUGE_FIRST)
    assert ret == 0
    data = bytes(128)
    stop(
        "a copy of 128 bytes into 64",
        acl.rt.memcpy(buffer, 64, acl.util.bytes_to_ptr(data), 128, HOST_TO_DEVICE),
        107000,
    )
    stop("a free of nothing", acl.rt.free(0), 100000)
    assert acl.rt.free(buffer) == 0

    stream, ret = acl.rt.create_stream()
    assert ret == 0
    stop("a callback on a stream that nobody serves", acl.rt.launch_callback(print, [], 1, stream), 107015)
    context, ret = acl.rt.create_context(0)  # it is current from here on
    assert ret == 0
    event, ret = acl.rt.create_event()
    assert ret == 0
    stop("a stream of another context", acl.rt.record_event(event, stream), 107003)
    assert acl.rt.synchronize_stream(stream) == 0  # waiting for it is allowed
    assert acl.rt.destroy_event(event) == 0
    assert acl.rt.destroy_context(context) == 0
    assert acl.rt.set_device(0) == 0
    assert acl.rt.destroy_stream(stream) == 0
    stop("a stream that was destroyed", acl.rt.synchronize_stream(stream), 107017)

    try:
        acl.rt.malloc(64.0, HUGE_FIRST)  # type: ignore[arg-type]
    except TypeError as error:
        print(f"a size that is a float\n    TypeError: {error}")
    else:
        wrong.append("a float was accepted as a size")

    assert acl.rt.reset_device(0) == 0
    assert acl.rt.reset_device(0) == 0  # it was set twice
    stop("one reset too many", acl.rt.reset_device(0), 507007)
    assert acl.finalize() == 0
    code = acl.finalize()  # no text for this one: nothing else may be called after finalize
    print(f"finalise a second time\n    code {code}")
    if code != 100037:
        wrong.append(f"a second finalize: {code}")

    for line in wrong:
        print("WRONG:", line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
