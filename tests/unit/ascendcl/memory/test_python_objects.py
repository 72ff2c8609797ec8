"""Copies and sets that leave a Python object of the program: a finding by its size, whatever lies behind it."""

import array
import ctypes

import numpy as np
import pytest

from ascend_sim import ascendcl as C
from ascend_sim.runtime.memory import host_buffers
from ascend_sim.simulator import Simulator
from tests.kit.calls import must, simulator

H2D, D2H, D2D, DEFAULT = 1, 2, 3, 4
N = 96
NEAR, FAR = 8, 1 << 33
"""Behind the object lies the heap in one case; in the other the range ends where nothing is mapped."""

sim = simulator()

OBJECTS = {
    "bytes": lambda: bytes(N),
    "bytearray": lambda: bytearray(N),
    "array": lambda: array.array("d", bytes(N)),
    "ndarray": lambda: np.zeros(N // 4, np.float32),
    "view": lambda: np.zeros(2 * N, np.uint8)[N:],
    "view of a view": lambda: np.zeros((2, N), np.uint8)[1].reshape(4, -1)[1:],
    "reversed": lambda: np.zeros(N, np.uint8)[::-1][: N // 2].base[:],
    "ctypes": lambda: (ctypes.c_uint32 * (N // 4))(),
    "ctypes from_buffer": lambda: (ctypes.c_char * N).from_buffer(bytearray(N)),
    "memoryview": lambda: memoryview(bytearray(2 * N))[N:],
    "ndarray of bytes": lambda: np.frombuffer(bytes(N), np.uint8),
}
READ_ONLY = {"bytes", "ndarray of bytes"}
"""They are no destination at all."""


def _one_row(call):
    return lambda to, source, n, kind, stream: call(to, n, source, n, kind, *stream)


def _batch(call):
    def run(to, source, n, kind, stream):
        host, device = C.aclrtMemLocation(type=0, id=0), C.aclrtMemLocation(type=1, id=0)
        ends = (device, host) if kind == H2D else (host, device)
        attributes = [C.aclrtMemcpyBatchAttr(dstLoc=ends[0], srcLoc=ends[1])]
        to, source = (address_of(end) for end in (to, source))
        return call([to], [n], [source], [n], 1, attributes, [0], 1, *stream)[-1]

    return run


def address_of(end):
    """An address; of an object the one that the C face finds, too."""
    if isinstance(end, int):
        return end
    found = np.frombuffer(end, np.uint8)
    address = found.__array_interface__["data"][0]
    host_buffers.keepalive(end, address, found.nbytes)
    return address


def _rows(call):
    """Two rows, the second of which ends with byte *n*."""

    def run(to, source, n, kind, stream):
        width, pitch = 4, n - 4
        return call(to, pitch, source, pitch, width, 2, kind, *stream)

    return run


COPIES = {
    "aclrtMemcpy": (_one_row(C.aclrtMemcpy), False),
    "aclrtMemcpyAsync": (_one_row(C.aclrtMemcpyAsync), True),
    "aclrtMemcpyAsyncWithCondition": (_one_row(C.aclrtMemcpyAsyncWithCondition), True),
    "aclrtMemcpy2d": (_rows(C.aclrtMemcpy2d), False),
    "aclrtMemcpy2dAsync": (_rows(C.aclrtMemcpy2dAsync), True),
    "aclrtMemcpyBatch": (_batch(C.aclrtMemcpyBatch), False),
    "aclrtMemcpyBatchAsync": (_batch(C.aclrtMemcpyBatchAsync), True),
}


@pytest.mark.parametrize("past", [NEAR, FAR], ids=["near", "far"])
@pytest.mark.parametrize(
    ("kind", "name"), [(H2D, name) for name in OBJECTS] + [(D2H, name) for name in OBJECTS if name not in READ_ONLY]
)
@pytest.mark.parametrize("copy", COPIES)
def test_a_copy_that_leaves_an_object(sim, copy, kind, name, past):
    call, queued = COPIES[copy]
    held = OBJECTS[name]()
    size = memoryview(held).nbytes
    device = must(C.aclrtMalloc(FAR + N, 2))
    stream = (must(C.aclrtCreateStream()),) if queued else ()

    def run(n):
        ends = (device, held) if kind == H2D else (held, device)
        return call(*ends, n, kind, stream)

    assert run(size) == 0
    assert [found.kind for found in sim.findings if found.kind != "uninitialised-read"] == []
    assert run(size + past) == 107000
    (found,) = (found for found in sim.findings if found.kind == "out-of-bounds")
    side = "src" if kind == H2D else "dst"
    assert found.severity == "error"
    assert found.title.startswith(f"{copy}: {side} reaches {past} bytes beyond the end of ")
    assert f"of {size} bytes" in found.title
    assert f"{past} bytes past" in found.notes[0]


def test_the_text_is_the_same_wherever_the_range_ends(sim):
    held, device = bytes(N), must(C.aclrtMalloc(FAR + N, 2))
    texts = set()
    for past in (NEAR, FAR):
        assert C.aclrtMemcpy(device, 1 << 40, held, N + past, H2D) == 107000
        texts.add(C.aclGetRecentErrMsg().replace(str(N + past), "#").replace(str(past), "#"))
    assert len(texts) == 1


def test_a_view_may_be_left_inside_the_array_that_it_shows(sim):
    held, device = np.zeros(3 * N, np.uint8), must(C.aclrtMalloc(4096, 2))
    assert C.aclrtMemcpy(device, 4096, held[N : 2 * N], 2 * N, H2D) == 0
    assert not sim.findings
    assert C.aclrtMemcpy(device, 4096, held[N : 2 * N], 2 * N + 1, H2D) == 107000
    assert "1 bytes beyond the end of the memory that an ndarray of 96 bytes is a view of" in sim.findings[0].title


def test_a_set_that_leaves_an_object(sim):
    held = bytearray(N)
    assert C.aclrtMemset(held, N + 1, 7, N + 1) == 107000
    assert held == bytes(N)
    stream = must(C.aclrtCreateStream())
    assert C.aclrtMemsetAsync(held, N + 1, 7, N + 1, stream) == 107000
    assert [found.kind for found in sim.findings] == ["out-of-bounds"] * 2


@pytest.mark.parametrize("switches", [{"pageable_async_copy": "queued"}, {"pinned_detection": "no"}])
def test_a_copy_that_is_queued_is_looked_at_when_it_is_queued(switches):
    with Simulator(switches=switches) as sim:
        must(C.aclrtSetDevice(0))
        held, device, stream = bytes(N), must(C.aclrtMalloc(4096, 2)), must(C.aclrtCreateStream())
        assert C.aclrtMemcpyAsync(device, 4096, held, N + 1, H2D, stream) == 107000
        assert [found.kind for found in sim.findings] == ["out-of-bounds"]


def test_no_size_is_known_of_what_another_library_owns(sim):
    device, owner = must(C.aclrtMalloc(4096, 2)), ctypes.create_string_buffer(2 * N)
    part = (ctypes.c_char * N).from_address(ctypes.addressof(owner))
    assert C.aclrtMemcpy(device, 4096, part, 2 * N, H2D) == 0
    assert C.aclrtMemcpy(device, 4096, np.ctypeslib.as_array(part), 2 * N, H2D) == 0
    assert not sim.findings


def test_a_bytearray_that_grew_has_nothing_at_its_old_address(sim):
    device, held = must(C.aclrtMalloc(1 << 20, 2)), bytearray(N)
    assert C.aclrtMemcpy(device, 4096, held, N, H2D) == 0
    held.extend(bytes(1 << 18))
    assert C.aclrtMemcpy(device, 1 << 20, held, len(held), H2D) == 0
    assert not sim.findings
    assert C.aclrtMemcpy(device, 1 << 20, held, len(held) + 1, H2D) == 107000


def test_an_address_between_small_views_belongs_to_their_array(sim):
    held, device = np.zeros(1 << 16, np.uint8), must(C.aclrtMalloc(1 << 20, 2))
    base = held.__array_interface__["data"][0]
    for at in range(0, 1 << 16, 1 << 10):
        assert C.aclrtMemcpy(device, 64, held[at : at + 64], 64, H2D) == 0
    inside = base + (1 << 15) + 512
    assert C.aclrtMemcpy(device, 1 << 20, inside, (1 << 15) - 512, H2D) == 0
    assert not sim.findings
    assert C.aclrtMemcpy(device, 1 << 20, inside, (1 << 15) - 511, H2D) == 107000
    assert [found.kind for found in sim.findings] == ["out-of-bounds"]


READERS = {
    "aclmdlLoadFromMem": ("model", lambda given, n: C.aclmdlLoadFromMem(given, n)),
    "aclmdlBundleLoadFromMem": ("model", lambda given, n: C.aclmdlBundleLoadFromMem(given, n)),
    "aclopLoad": ("model", lambda given, n: C.aclopLoad(given, n)),
    "aclrtBinaryLoadFromData": ("data", lambda given, n: C.aclrtBinaryLoadFromData(given, n, None)),
    "acldvppJpegGetImageInfo": ("data", lambda given, n: C.acldvppJpegGetImageInfo(given, n)),
    "aclrtKernelArgsAppend": ("param", lambda given, n: C.aclrtKernelArgsAppend(kernel_args(), given, n)),
    "aclrtLaunchKernelWithHostArgs": (
        "hostArgs", lambda given, n: C.aclrtLaunchKernelWithHostArgs(function(), 1, 0, None, given, n, None, 0)
    ),
}  # fmt: skip
"""Calls that read an object at once: what the report calls it, and the call."""


SOURCE = b"""# ascend_sim kernels
import numpy as np
from ascend_sim import gm, kernel

@kernel
def nothing(block, x: gm.In[np.float32]):
    pass
"""


def function():
    binary = must(C.aclrtBinaryLoadFromData(SOURCE, len(SOURCE), None))
    return must(C.aclrtBinaryGetFunction(binary, "nothing"))


def kernel_args():
    return must(C.aclrtKernelArgsInit(function()))


@pytest.mark.parametrize(
    ("name", "past"),
    [(name, NEAR) for name in READERS] + [(name, 1 << 30) for name in READERS if name != "aclrtKernelArgsAppend"],
)  # a parameter of a GiB fits into no args handle, and is not read
def test_a_call_that_reads_beyond_an_object(monkeypatch, name, past):
    monkeypatch.setenv("ASCEND_SIM_TRUST_KERNEL_FILES", "1")
    what, call = READERS[name]
    with Simulator() as sim:
        must(C.aclrtSetDevice(0))
        must(C.aclInit(None))
        call(bytearray(N), N)
        assert not [found for found in sim.findings if found.kind == "out-of-bounds"]
        call(bytearray(N), N + past)
        (found,) = (found for found in sim.findings if found.kind == "out-of-bounds")
    assert found.title == f"{name}: {what} reaches {past} bytes beyond the end of a bytearray of {N} bytes"
