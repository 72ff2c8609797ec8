"""acl.util: pointers to Python objects, copies from addresses, native threads (docs/semantics/pyacl.md#pointers)."""

from __future__ import annotations

import ctypes
import gc
import threading
import warnings
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascend_sim import simulator
from ascend_sim.runtime.memory import host_buffers
from tests.kit.forks import HANG

NOWHERE = 0x10  # below the first page that a process may map


@pytest.fixture
def util(acl: SimpleNamespace) -> Any:
    return acl.util


def quiet(function: Any, *arguments: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*arguments)


@given(data=st.binary(min_size=1))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_bytes_survive_the_way_through_an_address(util: Any, data: bytes) -> None:
    pointer = util.bytes_to_ptr(data)
    assert util.ptr_to_bytes(pointer, len(data)) == data
    assert util.ptr_to_bytes(pointer + 1, len(data) - 1) == data[1:]


def test_what_is_written_through_the_pointer_is_seen(util: Any) -> None:
    data = bytes(bytearray(8))
    ctypes.memmove(util.bytes_to_ptr(data), b"ABCDEFGH", 8)
    assert np.frombuffer(data, np.uint8).tolist() == list(b"ABCDEFGH")


class MyBytes(bytes):
    """bytes_to_ptr takes subclasses."""


def test_only_bytes_have_a_pointer(util: Any) -> None:
    data = MyBytes(b"hello")
    assert util.ptr_to_bytes(util.bytes_to_ptr(data), 5) == b"hello"
    for other in (bytearray(b"x"), memoryview(b"x"), np.zeros(1), "x", None, 3):
        with pytest.raises(ValueError, match="needs an byte as argument"):
            util.bytes_to_ptr(other)
    with pytest.raises(TypeError, match=r"acl\.util\.bytes_to_ptr args parse failed"):
        util.bytes_to_ptr()


def test_the_object_behind_a_pointer_is_kept_and_known_to_be_abandoned(util: Any) -> None:
    pointer = util.bytes_to_ptr(bytes(bytearray(b"short lived")))
    gc.collect()
    assert util.ptr_to_bytes(pointer, 11) == b"short lived"
    kept = host_buffers.find(pointer)
    assert kept is not None
    assert kept.abandoned()


@pytest.mark.parametrize(
    ("address", "size"), [(0, 8), (NOWHERE, 8), ((1 << 64) - 8, 8), (1 << 47, 1 << 40), (0x5000_0000_0000, 1 << 62)]
)
def test_an_unreadable_address_gives_nothing_and_a_finding(util: Any, address: int, size: int) -> None:
    with simulator.Simulator() as sim:
        assert util.ptr_to_bytes(address, size) == b""
        (finding,) = sim.findings
        assert finding.kind == "undefined-use"
        assert finding.sites[0].frames[0].file == __file__
    assert util.ptr_to_bytes(address, size) == b""  # and without a simulator


def test_sizes_of_copies(util: Any) -> None:
    assert util.ptr_to_bytes(NOWHERE, 0) == b""
    with pytest.raises(ValueError, match="convert c pointer to bytes failed"):
        util.ptr_to_bytes(NOWHERE, -1)
    with pytest.raises(TypeError, match=r"acl\.util\.ptr_to_bytes args parse failed"):
        util.ptr_to_bytes(NOWHERE, 1.0)


def findings() -> list[str]:
    sim = simulator.current()
    assert sim is not None
    return [finding.title for finding in sim.findings if finding.kind == "undefined-use"]


def test_a_device_address_is_no_host_address(real: ModuleType) -> None:
    assert real.rt.set_device(0) == 0
    pointer, ret = real.rt.malloc(64, 0)
    assert ret == 0
    assert real.util.ptr_to_bytes(pointer, 64) == b""
    (title,) = findings()
    assert "which is device memory: the host cannot read it" in title


def test_page_locked_memory_is_read_and_written(real: ModuleType) -> None:
    assert real.rt.set_device(0) == 0
    pointer, ret = real.rt.malloc_host(64)
    assert ret == 0
    array = quiet(real.util.ptr_to_numpy, pointer + 16, (3,), 7)
    array[:] = [1, 2, 3]
    assert real.util.ptr_to_bytes(pointer + 16, 24) == array.tobytes()
    assert findings() == []
    assert real.rt.free_host(pointer) == 0
    array[0] = 5  # hardware would fault here; the array keeps the memory
    assert array.tolist() == [5, 2, 3]


def test_reads_of_page_locked_memory_stay_inside_live_blocks(real: ModuleType) -> None:
    assert real.rt.set_device(0) == 0
    pointer, ret = real.rt.malloc_host(64)
    assert ret == 0
    assert len(real.util.ptr_to_bytes(pointer, 4096)) in (0, 4096)
    assert real.rt.free_host(pointer) == 0
    assert len(real.util.ptr_to_bytes(pointer, 64)) == 64
    past, freed = findings()
    assert "past the end" in past
    assert "freed" in freed


def test_a_thread_that_was_just_started_may_end_a_wait(real: ModuleType) -> None:
    assert real.rt.set_device(0) == 0
    context, _ = real.rt.get_context()
    stop: list[int] = []

    def serve(arguments: object) -> None:
        real.rt.set_context(context)
        while not stop:
            real.rt.process_report(20)

    for _ in range(5):
        stream, _ = real.rt.create_stream()
        thread, _ = real.util.start_thread(serve, [])
        assert real.rt.subscribe_report(thread, stream) == 0
        assert real.rt.launch_callback(lambda _: None, [], 1, stream) == 0
        assert real.rt.synchronize_stream(stream) == 0
        assert real.rt.unsubscribe_report(thread, stream) == 0
        stop.append(1)
        assert real.util.stop_thread(thread) == 0
        stop.clear()
    assert findings() == []


def test_numpy_to_ptr_warns_each_time(util: Any) -> None:
    array = np.arange(6, dtype=np.int32)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert util.numpy_to_ptr(array) == array.ctypes.data
    assert [(w.category, w.filename) for w in caught] == [(Warning, __file__)]
    assert "will be deprecated" in str(caught[0].message)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert util.numpy_to_ptr(array[::-2]) == array[::-2].ctypes.data
    assert [(w.category, w.filename) for w in caught] == [(Warning, __file__)] * 2
    assert "not contiguous" in str(caught[1].message)
    with pytest.raises(ValueError, match="needs an ndarray as argument"):
        quiet(util.numpy_to_ptr, b"x")


def test_numpy_contiguous_to_ptr_gives_the_array_to_keep(util: Any) -> None:
    array = np.arange(6.0)
    pointer, same = quiet(util.numpy_contiguous_to_ptr, array)
    assert same is array
    assert pointer == array.ctypes.data
    pointer, copy = quiet(util.numpy_contiguous_to_ptr, array[::2])
    assert copy.tolist() == [0.0, 2.0, 4.0]
    assert pointer == copy.ctypes.data
    assert copy.flags.c_contiguous
    with pytest.raises(ValueError, match="needs an ndarray as argument"):
        quiet(util.numpy_contiguous_to_ptr, [1.0])


def test_ptr_to_numpy_is_a_view(util: Any) -> None:
    memory = np.arange(12, dtype=np.float32)
    view = quiet(util.ptr_to_numpy, memory.ctypes.data, (3, 4), 11)
    assert view.dtype == np.float32
    assert view.tolist() == memory.reshape(3, 4).tolist()
    view[1, 1] = -1
    assert memory[5] == -1
    assert quiet(util.ptr_to_numpy, memory.ctypes.data, (), 5).shape == ()
    for number, kind in {5: np.int32, 7: np.int64, 11: np.float32, 12: np.float64, 23: np.float16, 2: np.uint8}.items():
        assert quiet(util.ptr_to_numpy, memory.ctypes.data, (1,), number).dtype == kind


def test_ptr_to_numpy_refuses(util: Any) -> None:
    memory = np.zeros(4)
    pointer = memory.ctypes.data
    with pytest.warns(Warning, match="will be deprecated"), pytest.raises(ValueError, match="shape is empty"):
        util.ptr_to_numpy(pointer, [2, 2], 11)
    for shape, number, error in (
        ((2.0,), 11, TypeError),
        ((-1,), 11, ValueError),
        ((1,), 99, ValueError),
        ((1,), 17, ValueError),
    ):
        with pytest.raises(error):
            quiet(util.ptr_to_numpy, pointer, shape, number)
    with pytest.raises(TypeError, match=r"acl\.util\.ptr_to_numpy args parse failed"):
        quiet(util.ptr_to_numpy, pointer, (1,))


def test_ptr_to_numpy_of_an_unreadable_address_has_memory_of_its_own(util: Any) -> None:
    with simulator.Simulator() as sim:
        array = quiet(util.ptr_to_numpy, NOWHERE, (2, 2), 11)
        array[0, 0] = 1.0
        assert array.tolist() == [[1.0, 0.0], [0.0, 0.0]]
        assert [finding.kind for finding in sim.findings] == ["undefined-use"]
        assert quiet(util.ptr_to_numpy, 0, (3,), 5).tolist() == [0, 0, 0]
        assert quiet(util.ptr_to_numpy, NOWHERE, (1 << 40, 1 << 20), 11).shape == (0, 0)


def test_a_thread_runs_its_function_and_is_joined(util: Any) -> None:
    seen: list[Any] = []
    go = threading.Event()

    def work(arguments: list[Any]) -> None:
        go.wait(HANG)
        seen.append((arguments, threading.get_ident()))

    ident, ret = util.start_thread(work, [1, 2])
    assert ret == 0
    go.set()
    assert util.stop_thread(ident) == 0
    assert seen == [([1, 2], ident)]
    assert util.stop_thread(ident) == 3  # ESRCH: it is joined already


def test_none_means_no_argument(util: Any) -> None:
    seen: list[int] = []
    ident, _ = util.start_thread(lambda: seen.append(1), None)
    assert util.stop_thread(ident) == 0
    assert seen == [1]


def test_an_exception_is_printed_and_raised_again_by_the_join(util: Any, capsys: pytest.CaptureFixture[str]) -> None:
    def fails(_: object) -> None:
        raise ZeroDivisionError("in the thread")

    ident, _ = util.start_thread(fails, [])
    with pytest.raises(RuntimeError) as caught:
        util.stop_thread(ident)
    assert str(caught.value) == "exception=ZeroDivisionError,msg=thread call failed;"
    assert "in the thread" in capsys.readouterr().err


def test_joining_strangers(util: Any) -> None:
    assert util.stop_thread(threading.get_ident()) == 35  # EDEADLK
    assert util.stop_thread(12345) == 3  # ESRCH
    with pytest.raises(TypeError, match=r"acl\.util\.stop_thread args parse failed"):
        util.stop_thread("x")
