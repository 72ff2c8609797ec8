"""acl.blas: products of matrices."""
# Made from the tables: python -m ascend_sim.pyacl.stubs

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

def gemv_ex(trans_a: int, m: int, n: int, alpha: int, a: int, lda: int, dtype_a: int, x: int, incx: int, dtype_x: int, beta: int, y: int, incy: int, dtype_y: int, compute_type: int, stream: int, /) -> int:
    """ret = acl.blas.gemv_ex(trans_a, m, n, alpha, a, lda, dtype_a, x, incx, dtype_x, beta, y, incy, dtype_y, compute_type, stream)

    Parameters, by position only:
        trans_a: one of
            ACL_TRANS_N = 0
            ACL_TRANS_T = 1
            ACL_TRANS_NZ = 2
            ACL_TRANS_NZ_T = 3
        m: an int of 32 bits
        n: an int of 32 bits
        alpha: an int: an address, a handle or a size
        a: an int: an address, a handle or a size
        lda: an int of 32 bits
        dtype_a: one of
            ACL_DT_UNDEFINED = -1
            ACL_FLOAT = 0
            ACL_FLOAT16 = 1
            ACL_INT8 = 2
            ACL_INT32 = 3
            ACL_UINT8 = 4
            ACL_INT16 = 6
            ACL_UINT16 = 7
            ACL_UINT32 = 8
            ACL_INT64 = 9
            ...
        x: an int: an address, a handle or a size
        incx: an int of 32 bits
        dtype_x: one of
            ACL_DT_UNDEFINED = -1
            ACL_FLOAT = 0
            ACL_FLOAT16 = 1
            ACL_INT8 = 2
            ACL_INT32 = 3
            ACL_UINT8 = 4
            ACL_INT16 = 6
            ACL_UINT16 = 7
            ACL_UINT32 = 8
            ACL_INT64 = 9
            ...
        beta: an int: an address, a handle or a size
        y: an int: an address, a handle or a size
        incy: an int of 32 bits
        dtype_y: one of
            ACL_DT_UNDEFINED = -1
            ACL_FLOAT = 0
            ACL_FLOAT16 = 1
            ACL_INT8 = 2
            ACL_INT32 = 3
            ACL_UINT8 = 4
            ACL_INT16 = 6
            ACL_UINT16 = 7
            ACL_UINT32 = 8
            ACL_INT64 = 9
            ...
        compute_type: one of
            ACL_COMPUTE_HIGH_PRECISION = 0
            ACL_COMPUTE_LOW_PRECISION = 1
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.blas.gemv_ex args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclblasGemvEx:

        aclError aclblasGemvEx(aclTransType transA, int m, int n, const void* alpha, const void* a, int lda, aclDataType dataTypeA, const void* x, int incx, aclDataType dataTypeX, const void* beta, void* y, int incy, aclDataType dataTypeY, aclComputeType type, aclrtStream stream);
        In Python: ret = aclblasGemvEx(transA, m, n, alpha, a, lda, dataTypeA, x, incx, dataTypeX, beta, y, incy, dataTypeY, type, stream)

        y = alpha * A x + beta * y, A of m rows and n columns. Codes: as aclblasGemmEx.
    """

def create_handle_for_gemv_ex(trans_a: int, m: int, n: int, dtype_a: int, dtype_x: int, dtype_y: int, compute_type: int, /) -> tuple[int, int]:
    """handle, ret = acl.blas.create_handle_for_gemv_ex(trans_a, m, n, dtype_a, dtype_x, dtype_y, compute_type)

    Parameters, by position only:
        trans_a: one of
            ACL_TRANS_N = 0
            ACL_TRANS_T = 1
            ACL_TRANS_NZ = 2
            ACL_TRANS_NZ_T = 3
        m: an int of 32 bits
        n: an int of 32 bits
        dtype_a: one of
            ACL_DT_UNDEFINED = -1
            ACL_FLOAT = 0
            ACL_FLOAT16 = 1
            ACL_INT8 = 2
            ACL_INT32 = 3
            ACL_UINT8 = 4
            ACL_INT16 = 6
            ACL_UINT16 = 7
            ACL_UINT32 = 8
            ACL_INT64 = 9
            ...
        dtype_x: one of
            ACL_DT_UNDEFINED = -1
            ACL_FLOAT = 0
            ACL_FLOAT16 = 1
            ACL_INT8 = 2
            ACL_INT32 = 3
            ACL_UINT8 = 4
            ACL_INT16 = 6
            ACL_UINT16 = 7
            ACL_UINT32 = 8
            ACL_INT64 = 9
            ...
        dtype_y: one of
            ACL_DT_UNDEFINED = -1
            ACL_FLOAT = 0
            ACL_FLOAT16 = 1
            ACL_INT8 = 2
            ACL_INT32 = 3
            ACL_UINT8 = 4
            ACL_INT16 = 6
            ACL_UINT16 = 7
            ACL_UINT32 = 8
            ACL_INT64 = 9
            ...
        compute_type: one of
            ACL_COMPUTE_HIGH_PRECISION = 0
            ACL_COMPUTE_LOW_PRECISION = 1

    Returns handle, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.blas.create_handle_for_gemv_ex args parse failed') for arguments of another number or type.

    Calls aclblasCreateHandleForGemvEx:

        aclError aclblasCreateHandleForGemvEx(aclTransType transA, int m, int n, aclDataType dataTypeA, aclDataType dataTypeX, aclDataType dataTypeY, aclComputeType type, aclopHandle** handle);
        In Python: handle, ret = aclblasCreateHandleForGemvEx(transA, m, n, dataTypeA, dataTypeX, dataTypeY, type)

        A handle for it. Codes: 100000, 100024.
    """

def hgemv(trans_a: int, m: int, n: int, alpha: int, a: int, lda: int, x: int, incx: int, beta: int, y: int, incy: int, compute_type: int, stream: int, /) -> int:
    """ret = acl.blas.hgemv(trans_a, m, n, alpha, a, lda, x, incx, beta, y, incy, compute_type, stream)

    Parameters, by position only:
        trans_a: one of
            ACL_TRANS_N = 0
            ACL_TRANS_T = 1
            ACL_TRANS_NZ = 2
            ACL_TRANS_NZ_T = 3
        m: an int of 32 bits
        n: an int of 32 bits
        alpha: an int: an address, a handle or a size
        a: an int: an address, a handle or a size
        lda: an int of 32 bits
        x: an int: an address, a handle or a size
        incx: an int of 32 bits
        beta: an int: an address, a handle or a size
        y: an int: an address, a handle or a size
        incy: an int of 32 bits
        compute_type: one of
            ACL_COMPUTE_HIGH_PRECISION = 0
            ACL_COMPUTE_LOW_PRECISION = 1
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.blas.hgemv args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclblasHgemv:

        aclError aclblasHgemv(aclTransType transA, int m, int n, const aclFloat16* alpha, const aclFloat16* a, int lda, const aclFloat16* x, int incx, const aclFloat16* beta, aclFloat16* y, int incy, aclComputeType type, aclrtStream stream);
        In Python: ret = aclblasHgemv(transA, m, n, alpha, a, lda, x, incx, beta, y, incy, type, stream)

        As aclblasGemvEx, in half precision. Codes as there.
    """

def create_handle_for_hgemv(trans_a: int, m: int, n: int, compute_type: int, /) -> tuple[int, int]:
    """handle, ret = acl.blas.create_handle_for_hgemv(trans_a, m, n, compute_type)

    Parameters, by position only:
        trans_a: one of
            ACL_TRANS_N = 0
            ACL_TRANS_T = 1
            ACL_TRANS_NZ = 2
            ACL_TRANS_NZ_T = 3
        m: an int of 32 bits
        n: an int of 32 bits
        compute_type: one of
            ACL_COMPUTE_HIGH_PRECISION = 0
            ACL_COMPUTE_LOW_PRECISION = 1

    Returns handle, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.blas.create_handle_for_hgemv args parse failed') for arguments of another number or type.

    Calls aclblasCreateHandleForHgemv:

        aclError aclblasCreateHandleForHgemv(aclTransType transA, int m, int n, aclComputeType type, aclopHandle** handle);
        In Python: handle, ret = aclblasCreateHandleForHgemv(transA, m, n, type)

        A handle for it. Codes: 100000, 100024.
    """

def s8gemv(trans_a: int, m: int, n: int, alpha: int, a: int, lda: int, x: int, incx: int, beta: int, y: int, incy: int, compute_type: int, stream: int, /) -> int:
    """ret = acl.blas.s8gemv(trans_a, m, n, alpha, a, lda, x, incx, beta, y, incy, compute_type, stream)

    Parameters, by position only:
        trans_a: one of
            ACL_TRANS_N = 0
            ACL_TRANS_T = 1
            ACL_TRANS_NZ = 2
            ACL_TRANS_NZ_T = 3
        m: an int of 32 bits
        n: an int of 32 bits
        alpha: an int: an address, a handle or a size
        a: an int: an address, a handle or a size
        lda: an int of 32 bits
        x: an int: an address, a handle or a size
        incx: an int of 32 bits
        beta: an int: an address, a handle or a size
        y: an int: an address, a handle or a size
        incy: an int of 32 bits
        compute_type: one of
            ACL_COMPUTE_HIGH_PRECISION = 0
            ACL_COMPUTE_LOW_PRECISION = 1
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.blas.s8gemv args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclblasS8gemv:

        aclError aclblasS8gemv(aclTransType transA, int m, int n, const int32_t* alpha, const int8_t* a, int lda, const int8_t* x, int incx, const int32_t* beta, int32_t* y, int incy, aclComputeType type, aclrtStream stream);
        In Python: ret = aclblasS8gemv(transA, m, n, alpha, a, lda, x, incx, beta, y, incy, type, stream)

        As aclblasGemvEx, of int8 into int32. Codes as there.
    """

def create_handle_for_s8gemv(trans_a: int, m: int, n: int, compute_type: int, /) -> tuple[int, int]:
    """handle, ret = acl.blas.create_handle_for_s8gemv(trans_a, m, n, compute_type)

    Parameters, by position only:
        trans_a: one of
            ACL_TRANS_N = 0
            ACL_TRANS_T = 1
            ACL_TRANS_NZ = 2
            ACL_TRANS_NZ_T = 3
        m: an int of 32 bits
        n: an int of 32 bits
        compute_type: one of
            ACL_COMPUTE_HIGH_PRECISION = 0
            ACL_COMPUTE_LOW_PRECISION = 1

    Returns handle, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.blas.create_handle_for_s8gemv args parse failed') for arguments of another number or type.

    Calls aclblasCreateHandleForS8gemv:

        aclError aclblasCreateHandleForS8gemv(aclTransType transA, int m, int n, aclComputeType type, aclopHandle** handle);
        In Python: handle, ret = aclblasCreateHandleForS8gemv(transA, m, n, type)

        A handle for it. Codes: 100000, 100024.
    """

def gemm_ex(trans_a: int, trans_b: int, trans_c: int, m: int, n: int, k: int, alpha: int, a: int, lda: int, dtype_a: int, b: int, ldb: int, dtype_b: int, beta: int, c: int, ldc: int, dtype_c: int, compute_type: int, stream: int, /) -> int:
    """ret = acl.blas.gemm_ex(trans_a, trans_b, trans_c, m, n, k, alpha, a, lda, dtype_a, b, ldb, dtype_b, beta, c, ldc, dtype_c, compute_type, stream)

    Parameters, by position only:
        trans_a: one of
            ACL_TRANS_N = 0
            ACL_TRANS_T = 1
            ACL_TRANS_NZ = 2
            ACL_TRANS_NZ_T = 3
        trans_b: one of
            ACL_TRANS_N = 0
            ACL_TRANS_T = 1
            ACL_TRANS_NZ = 2
            ACL_TRANS_NZ_T = 3
        trans_c: one of
            ACL_TRANS_N = 0
            ACL_TRANS_T = 1
            ACL_TRANS_NZ = 2
            ACL_TRANS_NZ_T = 3
        m: an int of 32 bits
        n: an int of 32 bits
        k: an int of 32 bits
        alpha: an int: an address, a handle or a size
        a: an int: an address, a handle or a size
        lda: an int of 32 bits
        dtype_a: one of
            ACL_DT_UNDEFINED = -1
            ACL_FLOAT = 0
            ACL_FLOAT16 = 1
            ACL_INT8 = 2
            ACL_INT32 = 3
            ACL_UINT8 = 4
            ACL_INT16 = 6
            ACL_UINT16 = 7
            ACL_UINT32 = 8
            ACL_INT64 = 9
            ...
        b: an int: an address, a handle or a size
        ldb: an int of 32 bits
        dtype_b: one of
            ACL_DT_UNDEFINED = -1
            ACL_FLOAT = 0
            ACL_FLOAT16 = 1
            ACL_INT8 = 2
            ACL_INT32 = 3
            ACL_UINT8 = 4
            ACL_INT16 = 6
            ACL_UINT16 = 7
            ACL_UINT32 = 8
            ACL_INT64 = 9
            ...
        beta: an int: an address, a handle or a size
        c: an int: an address, a handle or a size
        ldc: an int of 32 bits
        dtype_c: one of
            ACL_DT_UNDEFINED = -1
            ACL_FLOAT = 0
            ACL_FLOAT16 = 1
            ACL_INT8 = 2
            ACL_INT32 = 3
            ACL_UINT8 = 4
            ACL_INT16 = 6
            ACL_UINT16 = 7
            ACL_UINT32 = 8
            ACL_INT64 = 9
            ...
        compute_type: one of
            ACL_COMPUTE_HIGH_PRECISION = 0
            ACL_COMPUTE_LOW_PRECISION = 1
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.blas.gemm_ex args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclblasGemmEx:

        aclError aclblasGemmEx(aclTransType transA, aclTransType transB, aclTransType transC, int m, int n, int k, const void* alpha, const void* matrixA, int lda, aclDataType dataTypeA, const void* matrixB, int ldb, aclDataType dataTypeB, const void* beta, void* matrixC, int ldc, aclDataType dataTypeC, aclComputeType type, aclrtStream stream);
        In Python: ret = aclblasGemmEx(transA, transB, transC, m, n, k, alpha, matrixA, lda, dataTypeA, matrixB, ldb, dataTypeB, beta, matrixC, ldc, dataTypeC, type, stream)

        C = alpha * A x B + beta * C. Codes: 100000 NULL, sizes, transpositions, strides but -1, precision; 100024.
    """

def create_handle_for_gemm_ex(trans_a: int, trans_b: int, trans_c: int, m: int, n: int, k: int, dtype_a: int, dtype_b: int, dtype_c: int, compute_type: int, /) -> tuple[int, int]:
    """handle, ret = acl.blas.create_handle_for_gemm_ex(trans_a, trans_b, trans_c, m, n, k, dtype_a, dtype_b, dtype_c, compute_type)

    Parameters, by position only:
        trans_a: one of
            ACL_TRANS_N = 0
            ACL_TRANS_T = 1
            ACL_TRANS_NZ = 2
            ACL_TRANS_NZ_T = 3
        trans_b: one of
            ACL_TRANS_N = 0
            ACL_TRANS_T = 1
            ACL_TRANS_NZ = 2
            ACL_TRANS_NZ_T = 3
        trans_c: one of
            ACL_TRANS_N = 0
            ACL_TRANS_T = 1
            ACL_TRANS_NZ = 2
            ACL_TRANS_NZ_T = 3
        m: an int of 32 bits
        n: an int of 32 bits
        k: an int of 32 bits
        dtype_a: one of
            ACL_DT_UNDEFINED = -1
            ACL_FLOAT = 0
            ACL_FLOAT16 = 1
            ACL_INT8 = 2
            ACL_INT32 = 3
            ACL_UINT8 = 4
            ACL_INT16 = 6
            ACL_UINT16 = 7
            ACL_UINT32 = 8
            ACL_INT64 = 9
            ...
        dtype_b: one of
            ACL_DT_UNDEFINED = -1
            ACL_FLOAT = 0
            ACL_FLOAT16 = 1
            ACL_INT8 = 2
            ACL_INT32 = 3
            ACL_UINT8 = 4
            ACL_INT16 = 6
            ACL_UINT16 = 7
            ACL_UINT32 = 8
            ACL_INT64 = 9
            ...
        dtype_c: one of
            ACL_DT_UNDEFINED = -1
            ACL_FLOAT = 0
            ACL_FLOAT16 = 1
            ACL_INT8 = 2
            ACL_INT32 = 3
            ACL_UINT8 = 4
            ACL_INT16 = 6
            ACL_UINT16 = 7
            ACL_UINT32 = 8
            ACL_INT64 = 9
            ...
        compute_type: one of
            ACL_COMPUTE_HIGH_PRECISION = 0
            ACL_COMPUTE_LOW_PRECISION = 1

    Returns handle, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.blas.create_handle_for_gemm_ex args parse failed') for arguments of another number or type.

    Calls aclblasCreateHandleForGemmEx:

        aclError aclblasCreateHandleForGemmEx(aclTransType transA, aclTransType transB, aclTransType transC, int m, int n, int k, aclDataType dataTypeA, aclDataType dataTypeB, aclDataType dataTypeC, aclComputeType type, aclopHandle** handle);
        In Python: handle, ret = aclblasCreateHandleForGemmEx(transA, transB, transC, m, n, k, dataTypeA, dataTypeB, dataTypeC, type)

        A handle for it; its inputs are A, B, C, alpha, beta. Codes: 100000, 100024.
    """

def hgemm(trans_a: int, trans_b: int, trans_c: int, m: int, n: int, k: int, alpha: int, a: int, lda: int, b: int, ldb: int, beta: int, c: int, ldc: int, compute_type: int, stream: int, /) -> int:
    """ret = acl.blas.hgemm(trans_a, trans_b, trans_c, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, compute_type, stream)

    Parameters, by position only:
        trans_a: one of
            ACL_TRANS_N = 0
            ACL_TRANS_T = 1
            ACL_TRANS_NZ = 2
            ACL_TRANS_NZ_T = 3
        trans_b: one of
            ACL_TRANS_N = 0
            ACL_TRANS_T = 1
            ACL_TRANS_NZ = 2
            ACL_TRANS_NZ_T = 3
        trans_c: one of
            ACL_TRANS_N = 0
            ACL_TRANS_T = 1
            ACL_TRANS_NZ = 2
            ACL_TRANS_NZ_T = 3
        m: an int of 32 bits
        n: an int of 32 bits
        k: an int of 32 bits
        alpha: an int: an address, a handle or a size
        a: an int: an address, a handle or a size
        lda: an int of 32 bits
        b: an int: an address, a handle or a size
        ldb: an int of 32 bits
        beta: an int: an address, a handle or a size
        c: an int: an address, a handle or a size
        ldc: an int of 32 bits
        compute_type: one of
            ACL_COMPUTE_HIGH_PRECISION = 0
            ACL_COMPUTE_LOW_PRECISION = 1
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.blas.hgemm args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclblasHgemm:

        aclError aclblasHgemm(aclTransType transA, aclTransType transB, aclTransType transC, int m, int n, int k, const aclFloat16* alpha, const aclFloat16* matrixA, int lda, const aclFloat16* matrixB, int ldb, const aclFloat16* beta, aclFloat16* matrixC, int ldc, aclComputeType type, aclrtStream stream);
        In Python: ret = aclblasHgemm(transA, transB, transC, m, n, k, alpha, matrixA, lda, matrixB, ldb, beta, matrixC, ldc, type, stream)

        As aclblasGemmEx, in half precision. Codes as there.
    """

def create_handle_for_hgemm(trans_a: int, trans_b: int, trans_c: int, m: int, n: int, k: int, compute_type: int, /) -> tuple[int, int]:
    """handle, ret = acl.blas.create_handle_for_hgemm(trans_a, trans_b, trans_c, m, n, k, compute_type)

    Parameters, by position only:
        trans_a: one of
            ACL_TRANS_N = 0
            ACL_TRANS_T = 1
            ACL_TRANS_NZ = 2
            ACL_TRANS_NZ_T = 3
        trans_b: one of
            ACL_TRANS_N = 0
            ACL_TRANS_T = 1
            ACL_TRANS_NZ = 2
            ACL_TRANS_NZ_T = 3
        trans_c: one of
            ACL_TRANS_N = 0
            ACL_TRANS_T = 1
            ACL_TRANS_NZ = 2
            ACL_TRANS_NZ_T = 3
        m: an int of 32 bits
        n: an int of 32 bits
        k: an int of 32 bits
        compute_type: one of
            ACL_COMPUTE_HIGH_PRECISION = 0
            ACL_COMPUTE_LOW_PRECISION = 1

    Returns handle, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.blas.create_handle_for_hgemm args parse failed') for arguments of another number or type.

    Calls aclblasCreateHandleForHgemm:

        aclError aclblasCreateHandleForHgemm(aclTransType transA, aclTransType transB, aclTransType transC, int m, int n, int k, aclComputeType type, aclopHandle** handle);
        In Python: handle, ret = aclblasCreateHandleForHgemm(transA, transB, transC, m, n, k, type)

        A handle for it. Codes: 100000, 100024.
    """

def s8gemm(trans_a: int, trans_b: int, trans_c: int, m: int, n: int, k: int, alpha: int, a: int, lda: int, b: int, ldb: int, beta: int, c: int, ldc: int, compute_type: int, stream: int, /) -> int:
    """ret = acl.blas.s8gemm(trans_a, trans_b, trans_c, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, compute_type, stream)

    Parameters, by position only:
        trans_a: one of
            ACL_TRANS_N = 0
            ACL_TRANS_T = 1
            ACL_TRANS_NZ = 2
            ACL_TRANS_NZ_T = 3
        trans_b: one of
            ACL_TRANS_N = 0
            ACL_TRANS_T = 1
            ACL_TRANS_NZ = 2
            ACL_TRANS_NZ_T = 3
        trans_c: one of
            ACL_TRANS_N = 0
            ACL_TRANS_T = 1
            ACL_TRANS_NZ = 2
            ACL_TRANS_NZ_T = 3
        m: an int of 32 bits
        n: an int of 32 bits
        k: an int of 32 bits
        alpha: an int: an address, a handle or a size
        a: an int: an address, a handle or a size
        lda: an int of 32 bits
        b: an int: an address, a handle or a size
        ldb: an int of 32 bits
        beta: an int: an address, a handle or a size
        c: an int: an address, a handle or a size
        ldc: an int of 32 bits
        compute_type: one of
            ACL_COMPUTE_HIGH_PRECISION = 0
            ACL_COMPUTE_LOW_PRECISION = 1
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.blas.s8gemm args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclblasS8gemm:

        aclError aclblasS8gemm(aclTransType transA, aclTransType transB, aclTransType transC, int m, int n, int k, const int32_t* alpha, const int8_t* matrixA, int lda, const int8_t* matrixB, int ldb, const int32_t* beta, int32_t* matrixC, int ldc, aclComputeType type, aclrtStream stream);
        In Python: ret = aclblasS8gemm(transA, transB, transC, m, n, k, alpha, matrixA, lda, matrixB, ldb, beta, matrixC, ldc, type, stream)

        As aclblasGemmEx, of int8 into int32. Codes as there.
    """

def create_handle_for_s8gemm(trans_a: int, trans_b: int, trans_c: int, m: int, n: int, k: int, compute_type: int, /) -> tuple[int, int]:
    """handle, ret = acl.blas.create_handle_for_s8gemm(trans_a, trans_b, trans_c, m, n, k, compute_type)

    Parameters, by position only:
        trans_a: one of
            ACL_TRANS_N = 0
            ACL_TRANS_T = 1
            ACL_TRANS_NZ = 2
            ACL_TRANS_NZ_T = 3
        trans_b: one of
            ACL_TRANS_N = 0
            ACL_TRANS_T = 1
            ACL_TRANS_NZ = 2
            ACL_TRANS_NZ_T = 3
        trans_c: one of
            ACL_TRANS_N = 0
            ACL_TRANS_T = 1
            ACL_TRANS_NZ = 2
            ACL_TRANS_NZ_T = 3
        m: an int of 32 bits
        n: an int of 32 bits
        k: an int of 32 bits
        compute_type: one of
            ACL_COMPUTE_HIGH_PRECISION = 0
            ACL_COMPUTE_LOW_PRECISION = 1

    Returns handle, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.blas.create_handle_for_s8gemm args parse failed') for arguments of another number or type.

    Calls aclblasCreateHandleForS8gemm:

        aclError aclblasCreateHandleForS8gemm(aclTransType transA, aclTransType transB, aclTransType transC, int m, int n, int k, aclComputeType type, aclopHandle** handle);
        In Python: handle, ret = aclblasCreateHandleForS8gemm(transA, transB, transC, m, n, k, type)

        A handle for it. Codes: 100000, 100024.
    """
