"""``acl.op`` and ``acl.blas`` over the real C face: selectors, their exceptions, attributes, execution."""

from __future__ import annotations

import struct
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ascend_sim.simulator import current

KERNELS = b"""# ascend_sim kernels
import numpy as np
from ascend_sim import Block, gm, kernel


@kernel
def negate(b: Block, x: gm.In[np.float32], y: gm.Out[np.float32], n: np.uint32) -> None:
    y[0:n] = -x[0:n]
"""
X = np.arange(4, dtype=np.float32)


class Tensors:
    """One input and one output in device memory."""

    def __init__(self, acl: ModuleType) -> None:
        self.acl = acl
        raw = X.tobytes()
        self.pointers = [acl.rt.malloc(16, 0)[0] for _ in range(2)]
        acl.rt.memcpy(self.pointers[0], 16, acl.util.bytes_to_ptr(raw), 16, 1)
        self.descs = [acl.create_tensor_desc(0, [4], 2) for _ in range(2)]
        self.buffers = [acl.create_data_buffer(pointer, 16) for pointer in self.pointers]

    def execute(self, op_type: str) -> int:
        ins, outs = self.descs[:1], self.descs[1:]
        return int(self.acl.op.execute_v2(op_type, ins, self.buffers[:1], outs, self.buffers[1:], 0, 0))

    def update(self, op_type: str) -> int:
        return int(self.acl.op.update_params(op_type, self.descs[:1], self.descs[1:], 0))

    def result(self) -> Any:
        assert self.acl.rt.synchronize_stream(0) == 0
        host, _ = self.acl.rt.malloc_host(16)
        assert self.acl.rt.memcpy(host, 16, self.pointers[1], 16, 2) == 0
        return np.frombuffer(self.acl.util.ptr_to_bytes(host, 16), np.float32)


@pytest.fixture
def tensors(real: ModuleType) -> Tensors:
    assert real.init() == 0
    assert real.rt.set_device(0) == 0
    return Tensors(real)


def choose(acl: ModuleType) -> Any:
    tiling = struct.pack("<I", 4)

    def select(n: int, ins: list[int], m: int, outs: list[int], attr: int, desc: int) -> str:
        assert (n, m, attr) == (1, 1, 0)
        assert acl.get_tensor_desc_num_dims(ins[0]) == 1
        assert acl.op.set_kernel_args(desc, "k", 1, acl.util.bytes_to_ptr(tiling), 4) == 0
        return "whatever it returns is dropped"

    return select


def test_a_selector_in_python(real: ModuleType, tensors: Tensors) -> None:
    pointer = real.util.bytes_to_ptr(KERNELS)
    assert real.op.create_kernel("Mine", "k", "negate", pointer, len(KERNELS), 1, 0) == 0
    assert real.op.register_compile_func("Mine", choose(real)) == 0
    assert tensors.update("Mine") == 0
    assert tensors.execute("Mine") == 0
    assert np.array_equal(tensors.result(), -X)


def test_an_exception_in_a_selector_is_a_system_error(real: ModuleType, tensors: Tensors) -> None:
    def fail(*arguments: object) -> None:
        raise ValueError("no kernel fits")

    assert real.op.register_compile_func("Mine", fail) == 0
    with pytest.raises(SystemError):
        tensors.update("Mine")


def test_a_second_selector_runs_though_it_was_refused(real: ModuleType, tensors: Tensors) -> None:
    ran: list[str] = []
    assert real.op.register_compile_func("Mine", lambda *_: ran.append("first")) == 0
    assert real.op.register_compile_func("Mine", lambda *_: ran.append("second")) == 100030
    assert tensors.update("Mine") == 100029
    assert ran == ["second"]
    assert real.op.unregister_compile_func("Mine") == 0
    assert tensors.update("Mine") == 100028


def test_the_deallocator_flag_frees_host_memory_at_the_end(real: ModuleType, tensors: Tensors) -> None:
    import ctypes

    host, _ = real.rt.malloc_host(len(KERNELS))
    ctypes.memmove(host, KERNELS, len(KERNELS))
    assert real.op.create_kernel("Mine", "k", "negate", host, len(KERNELS), 1, 1) == 0
    sim = current()
    assert sim is not None
    assert sim.memory.where(host) == "host"


def test_attributes_and_an_operator(real: ModuleType, tensors: Tensors) -> None:
    sim = current()
    assert sim is not None
    sim.ops.open = True
    attr = real.op.create_attr()
    assert real.op.set_attr_list_int(attr, "axes", [0]) == 0
    assert real.op.set_attr_data_type(attr, "type", 1) == (attr, 0)
    ins, outs = tensors.descs[:1], tensors.descs[1:]
    assert real.op.execute_v2("SoftmaxV2", ins, tensors.buffers[:1], outs, tensors.buffers[1:], attr, 0) == 0
    weights = np.exp(X - X.max())
    assert np.allclose(tensors.result(), weights / weights.sum())
    assert real.op.destroy_attr(attr) is None


def test_a_handle(real: ModuleType, tensors: Tensors) -> None:
    sim = current()
    assert sim is not None
    sim.ops.open = True
    handle, ret = real.op.create_handle("Neg", tensors.descs[:1], tensors.descs[1:], 0)
    assert ret == 0
    assert real.op.execute_with_handle(handle, tensors.buffers[:1], tensors.buffers[1:], 0) == 0
    assert np.array_equal(tensors.result(), -X)
    assert real.op.destroy_handle(handle) is None
    assert real.op.create_handle("NoSuchOperator", tensors.descs[:1], tensors.descs[1:], 0) == (0, 100024)


def test_a_product_with_a_vector(real: ModuleType, tensors: Tensors) -> None:
    """The wrapper passes incy where incx is expected: another incx does not matter."""
    sim = current()
    assert sim is not None
    sim.ops.open = True
    one = real.rt.malloc(4, 0)[0]
    host = np.ones(1, np.float32).tobytes()
    real.rt.memcpy(one, 4, real.util.bytes_to_ptr(host), 4, 1)
    real.rt.memset(tensors.pointers[1], 16, 0, 16)
    x, y = tensors.pointers[0], tensors.pointers[1]
    assert real.blas.gemv_ex(0, 1, 4, one, x, -1, 0, x, 77, 0, one, y, -1, 0, 0, 0) == 0
    assert tensors.result()[0] == float((X * X).sum())
