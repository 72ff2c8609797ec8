"""A Python process whose libraries in C++ make operands of operators: what is noted, and what comes to Python at once.

Each check prints a line with its name and its failure; `test_noted_operands` runs this with ``ascend-sim run``.
"""

import ctypes
import json
import struct
import traceback

from ascend_sim import Observer
from ascend_sim.findings import Site
from ascend_sim.native.home.library import library
from ascend_sim.runtime.current import current

LIB = ctypes.CDLL(str(library()))
for name in ("Tensor", "Scalar", "IntArray", "BoolArray", "FloatArray", "TensorList"):
    getattr(LIB, f"aclCreate{name}").restype = ctypes.c_void_p
FLOAT, INT64, DOUBLE, BOOL, ND = 0, 9, 11, 12, 2
_DEVICE = ctypes.c_int()


def words(*numbers):
    return (ctypes.c_int64 * len(numbers))(*numbers)


def ask():
    """A call that comes to Python."""
    assert LIB.aclrtGetDevice(ctypes.byref(_DEVICE)) == 0


def tensor(address=0, dims=(2, 3), strides=(3, 1), stored=(6,)):
    made = LIB.aclCreateTensor(
        dims and words(*dims), ctypes.c_uint64(len(dims or ())), FLOAT, strides and words(*strides), ctypes.c_int64(0),
        ND, stored and words(*stored), ctypes.c_uint64(len(stored or ())), ctypes.c_void_p(address),
    )  # fmt: skip
    return made or 0


def end(what, handle):
    return getattr(LIB, f"aclDestroy{what}")(ctypes.c_void_p(handle))


def things():
    return current().handles


def told():
    """How often a handle that is not alive was told of."""
    return sum(finding.count for finding in current().findings if "is no live" in finding.title)


def check_device():
    assert LIB.aclInit(None) == 0 and LIB.aclrtSetDevice(0) == 0


def check_noted_until_the_next_call():
    ask()
    handle = tensor(4096)
    assert handle and handle not in things()
    ask()
    made = things()[handle]
    assert (made.key.dims, made.key.strides, made.key.storage_dims, made.address) == ((2, 3), (3, 1), (6,), 4096)
    assert end("Tensor", handle) == 0 and handle in things()
    ask()
    assert handle not in things() and "float32 [2, 3] was destroyed" in things().tombstone(handle)


def check_tensors_alike_share_their_layout():
    first, second, other = tensor(), tensor(), tensor(dims=(2, 2), strides=(3, 1))
    ask()
    assert things()[first].key is things()[second].key is not things()[other].key
    assert [end("Tensor", handle) for handle in (first, second, other)] == [0, 0, 0]


def check_scalars():
    for data_type, form, value in ((DOUBLE, "d", -0.1), (INT64, "q", -(1 << 62)), (BOOL, "?", True)):
        handle = LIB.aclCreateScalar(ctypes.create_string_buffer(struct.pack(form, value)), data_type)
        assert handle not in things()
        ask()
        made = things()[handle]
        assert (made.argument, type(made.argument), made.key) == (value, type(value), data_type)
        assert end("Scalar", handle) == 0


def check_a_scalar_of_another_type_is_made_at_once():
    handle = LIB.aclCreateScalar(ctypes.create_string_buffer(struct.pack("f", 0.5)), FLOAT)
    assert things()[handle].argument == 0.5
    assert end("Scalar", handle) == 0 and handle not in things()


def check_arrays():
    values = {"Int": (ctypes.c_int64, (-1, 0, 7)), "Float": (ctypes.c_float, (0.5, -2.0, 3.0)),
              "Bool": (ctypes.c_bool, (True, False, True))}  # fmt: skip
    for name, (kind, numbers) in values.items():
        handle = getattr(LIB, f"aclCreate{name}Array")((kind * 3)(*numbers), ctypes.c_uint64(3))
        assert handle not in things()
        ask()
        assert things()[handle].argument == numbers
        assert end(f"{name}Array", handle) == 0


def check_arrays_of_other_values_are_other_ones():
    one, two = (LIB.aclCreateIntArray(words(n, 5), ctypes.c_uint64(2)) for n in (1, 2))
    ask()
    assert things()[one].argument == (1, 5) and things()[two].argument == (2, 5)


def check_lists_own_their_elements():
    one, two = tensor(1), tensor(2)
    both = LIB.aclCreateTensorList((ctypes.c_void_p * 2)(one, two), ctypes.c_uint64(2))
    ask()
    assert [element.address for element in things()[both].elements] == [1, 2]
    assert end("TensorList", both) == 0
    assert end("Tensor", one) != 0  # a finding, too: it is gone with the list
    ask()
    assert not {one, two, both} & set(things())


def check_what_is_destroyed_twice_is_found():
    handle = tensor()
    before = told()
    assert end("Tensor", handle) == 0
    assert told() == before
    assert end("Tensor", handle) != 0
    assert told() == before + 1


def check_another_kind_is_found():
    handle = tensor()
    before = told()
    assert end("IntArray", handle) != 0
    assert told() == before + 1
    assert end("Tensor", handle) == 0


def check_null_and_bad_addresses():
    made = LIB.aclCreateTensor(
        None, ctypes.c_uint64(2), FLOAT, words(3, 1), ctypes.c_int64(0), ND, words(6), ctypes.c_uint64(1), None
    )
    assert made in (None, 0)
    assert LIB.aclCreateIntArray(ctypes.c_void_p(0x10), ctypes.c_uint64(3)) in (None, 0)
    made = LIB.aclCreateTensor(
        ctypes.c_void_p(0x10), ctypes.c_uint64(2), FLOAT, words(3, 1), ctypes.c_int64(0), ND, words(6),
        ctypes.c_uint64(1), None,
    )  # fmt: skip
    assert made in (None, 0)
    assert tensor(dims=(-2, 3)) == 0
    assert LIB.aclCreateScalar(ctypes.c_void_p(0x10), DOUBLE) in (None, 0)


def check_sizes_in_other_memory_than_stack_and_heap():
    import mmap

    memory = mmap.mmap(-1, 4096)
    memory[:16] = struct.pack("=2q", 5, 7)
    place = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    handle = LIB.aclCreateIntArray(ctypes.c_void_p(place), ctypes.c_uint64(2))
    ask()
    assert things()[handle].argument == (5, 7)


def check_each_call_takes_its_time():
    sim, clock = current(), None
    ask()
    clock = sim.time_ns()
    handle = tensor()
    end("Tensor", handle)
    ask()
    assert sim.time_ns() - clock == 3 * sim.host_call_ns


class Calls(Observer):
    def __init__(self):
        self.names = []

    def api_entered(self, t, name, arguments):
        self.names.append(name)


def check_who_listens_hears_each_call():
    sim, calls = current(), Calls()
    before = tensor()
    sim.attach(calls)
    assert before in things()  # what was noted is told before anybody listens
    handle = tensor()
    assert handle in things()
    assert end("Tensor", handle) == 0 and end("Tensor", before) == 0
    sim.detach(calls)
    assert calls.names == ["aclCreateTensor", "aclDestroyTensor", "aclDestroyTensor"]
    ask()
    assert tensor() not in things()


class Lines(Observer):
    def __init__(self):
        self.lines = []

    def call_failed(self, t, name, error):
        frames = Site("access", "", t.site).frames
        self.lines.append([frame.line for frame in frames[:2]])


def check_the_line_is_the_one_of_the_call():
    def broken(handle):
        LIB.aclrtDestroyStream(ctypes.c_void_p(handle)), LIB.aclrtDestroyEvent(ctypes.c_void_p(handle))

    lines = current().attach(Lines())
    for _ in range(2):
        broken(0x30)
    broken(0x30)
    current().detach(lines)
    first = check_the_line_is_the_one_of_the_call.__code__.co_firstlineno
    assert lines.lines == [[first + 2, first + 6]] * 4 + [[first + 2, first + 7]] * 2, (lines.lines, first)


def check_while_calls_may_fail_none_is_noted():
    current().inject("aclrtMalloc:100=207001")
    assert tensor() in things()


for name, check in list(globals().items()):
    if name.startswith("check_"):
        try:
            check()
            failure = ""
        except Exception:  # noqa: BLE001 - a check may fail in any way
            failure = traceback.format_exc()
        print("check-result " + json.dumps([name, failure]), flush=True)
