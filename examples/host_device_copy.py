"""Copy bytes to the device, from one buffer to another there, and back; check that the same bytes return."""

import sys

import acl

ACL_MEM_MALLOC_HUGE_FIRST = 0
ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_DEVICE_TO_DEVICE = 1, 2, 3

DEVICE = 0
SIZE = 1 << 20


def check(what: str, ret: int) -> None:
    """Stop with a message when a call failed."""
    if ret != 0:
        raise RuntimeError(f"acl.{what} returned {ret}")


def main() -> int:
    check("init", acl.init())
    check("rt.set_device", acl.rt.set_device(DEVICE))
    context, ret = acl.rt.create_context(DEVICE)
    check("rt.create_context", ret)

    # Keep the bytes object in a variable: bytes_to_ptr takes no reference.
    sent = bytes(i * 7 % 256 for i in range(SIZE))
    sent_ptr = acl.util.bytes_to_ptr(sent)
    returned_ptr, ret = acl.rt.malloc_host(SIZE)
    check("rt.malloc_host", ret)
    first, ret = acl.rt.malloc(SIZE, ACL_MEM_MALLOC_HUGE_FIRST)
    check("rt.malloc", ret)
    second, ret = acl.rt.malloc(SIZE, ACL_MEM_MALLOC_HUGE_FIRST)
    check("rt.malloc", ret)

    check("rt.memset", acl.rt.memset(second, SIZE, 0, SIZE))
    check("rt.memcpy", acl.rt.memcpy(first, SIZE, sent_ptr, SIZE, ACL_MEMCPY_HOST_TO_DEVICE))
    check("rt.memcpy", acl.rt.memcpy(second, SIZE, first, SIZE, ACL_MEMCPY_DEVICE_TO_DEVICE))
    check("rt.memcpy", acl.rt.memcpy(returned_ptr, SIZE, second, SIZE, ACL_MEMCPY_DEVICE_TO_HOST))
    returned = acl.util.ptr_to_bytes(returned_ptr, SIZE)

    same = returned == sent
    print(f"sent {SIZE} bytes through two device buffers, first bytes back: {list(returned[:5])}")
    print("the bytes that came back are", "the same" if same else "different")

    check("rt.free", acl.rt.free(second))
    check("rt.free", acl.rt.free(first))
    check("rt.free_host", acl.rt.free_host(returned_ptr))
    check("rt.destroy_context", acl.rt.destroy_context(context))
    check("rt.reset_device", acl.rt.reset_device(DEVICE))
    check("finalize", acl.finalize())
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
