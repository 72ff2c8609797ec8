"""CBLAS: products of matrices as operator GEMM with inputs A, B, C, alpha, beta.

See docs/semantics/operators.md#casts-and-blas.

alpha and beta are tensors of one element in device memory, as A, B and C are; a product with a vector has n = 1.
"""

from __future__ import annotations

from ascend_sim.ascendcl.api import api, require
from ascend_sim.ascendcl.op.execution import new_handle
from ascend_sim.constants.errors import ACL_ERROR_INVALID_PARAM
from ascend_sim.constants.models import ACL_COMPUTE_HIGH_PRECISION, ACL_TRANS_N, ACL_TRANS_NZ, ACL_TRANS_T
from ascend_sim.constants.types import ACL_FLOAT16, ACL_FORMAT_FRACTAL_NZ, ACL_FORMAT_ND, ACL_INT8, ACL_INT32
from ascend_sim.errors import AclError
from ascend_sim.machine.data_types import element_bytes
from ascend_sim.ops.op_attributes import BOOL, OpAttributes
from ascend_sim.ops.registry import OperatorRegistry
from ascend_sim.runtime.tensors.descriptors import DataBuffer, TensorDesc
from ascend_sim.runtime.thread_state import ThreadState

PACKED = -1
"""The only leading dimension that is taken."""


class _Product:
    """The descriptors of one product. Raises AclError 100000 for what the library refuses."""

    def __init__(
        self, turns: tuple[int, int, int], sizes: tuple[int, int, int], types: tuple[int, int, int], precision: int
    ) -> None:
        m, n, k = sizes
        for name, size in zip(("m", "n", "k"), sizes, strict=True):
            if size <= 0:
                raise AclError(ACL_ERROR_INVALID_PARAM, f"{name} is {size}: more than 0 is required", "acl")
        for name, turn, allowed in zip(
            ("transA", "transB", "transC"), turns, ((0, 1, 2), (0, 1, 2), (0, 2)), strict=True
        ):
            if turn not in allowed:
                raise AclError(ACL_ERROR_INVALID_PARAM, f"{name} is {turn}: {allowed} are possible", "acl")
        if precision != ACL_COMPUTE_HIGH_PRECISION:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"type is {precision}: only HIGH_PRECISION (0) is possible", "acl")
        a, b, c = (
            TensorDesc(kind, list(shape), ACL_FORMAT_FRACTAL_NZ if turn == ACL_TRANS_NZ else ACL_FORMAT_ND)
            for kind, shape, turn in zip(
                types,
                ((k, m) if turns[0] == ACL_TRANS_T else (m, k), (n, k) if turns[1] == ACL_TRANS_T else (k, n), (m, n)),
                turns,
                strict=True,
            )
        )
        scalar = TensorDesc(types[2], [], ACL_FORMAT_ND)
        self.inputs = [a, b, c, scalar, scalar]
        self.outputs = [c]
        self.attributes = OpAttributes(
            {"transpose_a": (BOOL, turns[0] == ACL_TRANS_T), "transpose_b": (BOOL, turns[1] == ACL_TRANS_T)}
        )

    def queue(self, t: ThreadState, addresses: tuple[int, int, int, int, int], stream: int) -> None:
        """Execute on A, B, C, alpha, beta."""
        buffers = [
            DataBuffer(address, desc.elements * element_bytes(desc.data_type))
            for desc, address in zip(self.inputs, addresses, strict=True)
        ]
        ops = t.sim.part(OperatorRegistry).single
        ops.execute(t, "GEMM", self.inputs, buffers, self.outputs, [buffers[2]], self.attributes, stream)

    def handle(self, t: ThreadState) -> int:
        """An operator handle of it."""
        made = t.sim.part(OperatorRegistry).single.make_handle("GEMM", self.inputs, self.outputs, self.attributes)
        return new_handle(t, made)


def _given(**pointers: int) -> None:
    for name, value in pointers.items():
        require(value, name)


def _packed(**strides: int) -> None:
    for name, value in strides.items():
        if value != PACKED:
            raise AclError(ACL_ERROR_INVALID_PARAM, f"{name} is {value}: only -1 is possible", "acl")


@api("aclblasGemmEx")
def gemm_ex(
    t: ThreadState, trans_a: int, trans_b: int, trans_c: int, m: int, n: int, k: int, alpha: int, a: int, lda: int,
    type_a: int, b: int, ldb: int, type_b: int, beta: int, c: int, ldc: int, type_c: int, precision: int, stream: int,
) -> None:  # fmt: skip
    """C = alpha * A x B + beta * C. Codes: 100000 NULL, sizes, transpositions, strides but -1, precision; 100024."""
    _given(alpha=alpha, matrixA=a, matrixB=b, beta=beta, matrixC=c)
    made = _Product((trans_a, trans_b, trans_c), (m, n, k), (type_a, type_b, type_c), precision)
    _packed(lda=lda, ldb=ldb, ldc=ldc)
    made.queue(t, (a, b, c, alpha, beta), stream)


@api("aclblasCreateHandleForGemmEx")
def create_handle_for_gemm_ex(
    t: ThreadState, trans_a: int, trans_b: int, trans_c: int, m: int, n: int, k: int, type_a: int, type_b: int,
    type_c: int, precision: int,
) -> int:  # fmt: skip
    """A handle for it; its inputs are A, B, C, alpha, beta. Codes: 100000, 100024."""
    return _Product((trans_a, trans_b, trans_c), (m, n, k), (type_a, type_b, type_c), precision).handle(t)


def _array(value: object, what: str) -> int:
    """The address behind a typed pointer."""
    from ascend_sim.ascendcl.arguments import CONVERSIONS

    return int(CONVERSIONS["to_pointer"](value, 0, what))


def _gemm(
    t: ThreadState, turns: tuple[int, int, int], sizes: tuple[int, int, int], types: tuple[int, int, int],
    pointers: tuple[object, object, object, object, object], strides: tuple[int, int, int], precision: int, stream: int,
) -> None:  # fmt: skip
    """A typed product: *pointers* are alpha, A, B, beta, C."""
    names = ("alpha", "matrixA", "matrixB", "beta", "matrixC")
    alpha, a, b, beta, c = (_array(value, name) for value, name in zip(pointers, names, strict=True))
    _given(alpha=alpha, matrixA=a, matrixB=b, beta=beta, matrixC=c)
    made = _Product(turns, sizes, types, precision)
    _packed(lda=strides[0], ldb=strides[1], ldc=strides[2])
    made.queue(t, (a, b, c, alpha, beta), stream)


HALF, BYTES = (ACL_FLOAT16, ACL_FLOAT16, ACL_FLOAT16), (ACL_INT8, ACL_INT8, ACL_INT32)


@api("aclblasHgemm")
def hgemm(
    t: ThreadState, trans_a: int, trans_b: int, trans_c: int, m: int, n: int, k: int, alpha: object, a: object,
    lda: int, b: object, ldb: int, beta: object, c: int, ldc: int, precision: int, stream: int,
) -> None:  # fmt: skip
    """As aclblasGemmEx, in half precision. Codes as there."""
    turns, sizes = (trans_a, trans_b, trans_c), (m, n, k)
    _gemm(t, turns, sizes, HALF, (alpha, a, b, beta, c), (lda, ldb, ldc), precision, stream)


@api("aclblasS8gemm")
def s8gemm(
    t: ThreadState, trans_a: int, trans_b: int, trans_c: int, m: int, n: int, k: int, alpha: object, a: object,
    lda: int, b: object, ldb: int, beta: object, c: object, ldc: int, precision: int, stream: int,
) -> None:  # fmt: skip
    """As aclblasGemmEx, of int8 into int32. Codes as there."""
    turns, sizes = (trans_a, trans_b, trans_c), (m, n, k)
    _gemm(t, turns, sizes, BYTES, (alpha, a, b, beta, c), (lda, ldb, ldc), precision, stream)


@api("aclblasCreateHandleForHgemm")
def create_handle_for_hgemm(
    t: ThreadState, trans_a: int, trans_b: int, trans_c: int, m: int, n: int, k: int, precision: int
) -> int:
    """A handle for it. Codes: 100000, 100024."""
    return _Product((trans_a, trans_b, trans_c), (m, n, k), HALF, precision).handle(t)


@api("aclblasCreateHandleForS8gemm")
def create_handle_for_s8gemm(
    t: ThreadState, trans_a: int, trans_b: int, trans_c: int, m: int, n: int, k: int, precision: int
) -> int:
    """A handle for it. Codes: 100000, 100024."""
    return _Product((trans_a, trans_b, trans_c), (m, n, k), BYTES, precision).handle(t)


# -- a matrix and a vector --------------------------------------------------------------------------------------------


@api("aclblasGemvEx")
def gemv_ex(
    t: ThreadState, trans_a: int, m: int, n: int, alpha: int, a: int, lda: int, type_a: int, x: int, incx: int,
    type_x: int, beta: int, y: int, incy: int, type_y: int, precision: int, stream: int,
) -> None:  # fmt: skip
    """y = alpha * A x + beta * y, A of m rows and n columns. Codes: as aclblasGemmEx."""
    _given(alpha=alpha, a=a, x=x, beta=beta, y=y)
    made = _Product((trans_a, ACL_TRANS_N, ACL_TRANS_N), (m, 1, n), (type_a, type_x, type_y), precision)
    _packed(lda=lda, incx=incx, incy=incy)
    made.queue(t, (a, x, y, alpha, beta), stream)


@api("aclblasCreateHandleForGemvEx")
def create_handle_for_gemv_ex(
    t: ThreadState, trans_a: int, m: int, n: int, type_a: int, type_x: int, type_y: int, precision: int
) -> int:
    """A handle for it. Codes: 100000, 100024."""
    return _Product((trans_a, ACL_TRANS_N, ACL_TRANS_N), (m, 1, n), (type_a, type_x, type_y), precision).handle(t)


@api("aclblasHgemv")
def hgemv(
    t: ThreadState, trans_a: int, m: int, n: int, alpha: object, a: object, lda: int, x: object, incx: int,
    beta: object, y: object, incy: int, precision: int, stream: int,
) -> None:  # fmt: skip
    """As aclblasGemvEx, in half precision. Codes as there."""
    turns, sizes = (trans_a, ACL_TRANS_N, ACL_TRANS_N), (m, 1, n)
    _gemm(t, turns, sizes, HALF, (alpha, a, x, beta, y), (lda, incx, incy), precision, stream)


@api("aclblasS8gemv")
def s8gemv(
    t: ThreadState, trans_a: int, m: int, n: int, alpha: object, a: object, lda: int, x: object, incx: int,
    beta: object, y: object, incy: int, precision: int, stream: int,
) -> None:  # fmt: skip
    """As aclblasGemvEx, of int8 into int32. Codes as there."""
    turns, sizes = (trans_a, ACL_TRANS_N, ACL_TRANS_N), (m, 1, n)
    _gemm(t, turns, sizes, BYTES, (alpha, a, x, beta, y), (lda, incx, incy), precision, stream)


@api("aclblasCreateHandleForHgemv")
def create_handle_for_hgemv(t: ThreadState, trans_a: int, m: int, n: int, precision: int) -> int:
    """A handle for it. Codes: 100000, 100024."""
    return _Product((trans_a, ACL_TRANS_N, ACL_TRANS_N), (m, 1, n), HALF, precision).handle(t)


@api("aclblasCreateHandleForS8gemv")
def create_handle_for_s8gemv(t: ThreadState, trans_a: int, m: int, n: int, precision: int) -> int:
    """A handle for it. Codes: 100000, 100024."""
    return _Product((trans_a, ACL_TRANS_N, ACL_TRANS_N), (m, 1, n), BYTES, precision).handle(t)
