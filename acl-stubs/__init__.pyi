"""acl: initialisation, tensor descriptors, data buffers, and the namespaces rt, mdl, op, util, ...."""
# Made from the tables: python -m ascend_sim.pyacl.stubs

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from . import rt as rt
from . import mdl as mdl
from . import media as media
from . import op as op
from . import blas as blas
from . import util as util
from . import prof as prof
from . import himpi as himpi
from . import fv as fv

def init(config_path: str = ..., /) -> int:
    """ret = acl.init(config_path)

    Parameters, by position only:
        config_path: a str; may be left out

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.init args parse failed') for arguments of another number or type.

    Calls aclInit:

        aclError aclInit(const char* configPath);
        In Python: ret = aclInit(configPath)

        Initialise. NULL, an empty path, an empty file or ``{}``: defaults.

        Codes: 100002 called before (it counts all the same); 100003 no regular file that can be read, or above 10 MiB;
        100006 no JSON, or nested deeper than 10; 100000 other contents than at the first time, bad ``err_msg_mode``,
        ``max_opqueue_num`` or ``event_mode``; 100009 bad ``dump``; 500001 bad ``StackSize``, ``defaultDevice`` or print
        buffer; 107001 no such default device; what an init callback answers.
    """

def finalize() -> int:
    """ret = acl.finalize()

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.finalize args parse failed') for arguments of another number or type.

    Calls aclFinalize:

        aclError aclFinalize();
        In Python: ret = aclFinalize()

        Finalise, whatever the count. Codes: 100037 finalised before and no aclInit since.

        Returns the code: 0 when the call succeeds.

        Page: 02 initialization and deinitialization.
    """

def get_version() -> tuple[int, int, int, int]:
    """major, minor, patch, ret = acl.get_version()

    Returns major, minor, patch, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.get_version args parse failed') for arguments of another number or type.

    Calls aclrtGetVersion:

        aclError aclrtGetVersion(int32_t* majorVersion, int32_t* minorVersion, int32_t* patchVersion);
        In Python: majorVersion, minorVersion, patchVersion, ret = aclrtGetVersion()

        Major, minor and patch version of the interface: 1, 17, 0. Never fails. Deprecated.

        Returns, before the code:
            majorVersion (int32_t)
            minorVersion (int32_t)
            patchVersion (int32_t)
            When the call fails: 0 for handles and addresses, else None.

        Page: 24 other APIs.
    """

def get_soc_name() -> str | None:
    """soc_name = acl.get_soc_name()

    Returns soc_name (str or None).

    Raises TypeError('acl.get_soc_name args parse failed') for arguments of another number or type.

    Calls aclrtGetSocName:

        const char* aclrtGetSocName();
        In Python: value = aclrtGetSocName()

        The name of the SoC.

        Returns the value alone; there is no code.

        Page: 04 device management. Not on: IPV350.
    """

def float16_to_float(value: int, /) -> float:
    """float = acl.float16_to_float(value)

    Parameters, by position only:
        value: an int of 16 bits, unsigned

    Returns float.

    Raises TypeError('acl.float16_to_float args parse failed') for arguments of another number or type.

    Calls aclFloat16ToFloat:

        float aclFloat16ToFloat(aclFloat16 value);
        In Python: value = aclFloat16ToFloat(value)

        The number with these 16 *bits*: +Inf is 65536.0, NaN 65536.0 to 131008.0 by its mantissa.

        Returns the value alone; there is no code.
    """

def float_to_float16(value: float, /) -> int:
    """int = acl.float_to_float16(value)

    Parameters, by position only:
        value: a number

    Returns int (uint16 bits).

    Raises TypeError('acl.float_to_float16 args parse failed') for arguments of another number or type.

    Calls aclFloatToFloat16:

        aclFloat16 aclFloatToFloat16(float value);
        In Python: value = aclFloatToFloat16(value)

        The 16 bits of the nearest half, ties to even; +Inf and NaN are 65504, -Inf is -65504.

        Returns the value alone; there is no code.
    """

def create_data_buffer(data_ptr: int, size: int, /) -> int:
    """data_buffer = acl.create_data_buffer(data_ptr, size)

    Parameters, by position only:
        data_ptr: an int: an address, a handle or a size
        size: an int: an address, a handle or a size

    Returns data_buffer (int).

    Raises TypeError('acl.create_data_buffer args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclCreateDataBuffer:

        aclDataBuffer* aclCreateDataBuffer(void* data, size_t size);
        In Python: value = aclCreateDataBuffer(data, size)

        A data buffer for *size* bytes at *data*. Neither is checked; the memory stays the caller's.

        Returns the value alone; there is no code.
    """

def destroy_data_buffer(data_buffer: int, /) -> int:
    """ret = acl.destroy_data_buffer(data_buffer)

    Parameters, by position only:
        data_buffer: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.destroy_data_buffer args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclDestroyDataBuffer:

        aclError aclDestroyDataBuffer(const aclDataBuffer* dataBuffer);
        In Python: ret = aclDestroyDataBuffer(dataBuffer)

        The memory that it names stays. Codes: 100000 NULL.
    """

def get_data_buffer_addr(data_buffer: int, /) -> int:
    """addr = acl.get_data_buffer_addr(data_buffer)

    Parameters, by position only:
        data_buffer: an int: an address, a handle or a size

    Returns addr (int).

    Raises TypeError('acl.get_data_buffer_addr args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclGetDataBufferAddr:

        void* aclGetDataBufferAddr(const aclDataBuffer* dataBuffer);
        In Python: value = aclGetDataBufferAddr(dataBuffer)

        The address; 0 for NULL.

        Returns the value alone; there is no code.
    """

def get_data_buffer_size(data_buffer: int, /) -> int:
    """size = acl.get_data_buffer_size(data_buffer)

    Parameters, by position only:
        data_buffer: an int: an address, a handle or a size

    Returns size (int).

    Raises TypeError('acl.get_data_buffer_size args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclGetDataBufferSize:

        uint32_t aclGetDataBufferSize(const aclDataBuffer* dataBuffer);
        In Python: value = aclGetDataBufferSize(dataBuffer)

        The size in bytes modulo 2**32, as the type of the result; 0 for NULL.

        Returns the value alone; there is no code.
    """

def get_data_buffer_size_v2(data_buffer: int, /) -> int:
    """size = acl.get_data_buffer_size_v2(data_buffer)

    Parameters, by position only:
        data_buffer: an int: an address, a handle or a size

    Returns size (int).

    Raises TypeError('acl.get_data_buffer_size_v2 args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclGetDataBufferSizeV2:

        size_t aclGetDataBufferSizeV2(const aclDataBuffer* dataBuffer);
        In Python: value = aclGetDataBufferSizeV2(dataBuffer)

        The size in bytes; 0 for NULL.

        Returns the value alone; there is no code.
    """

def update_data_buffer(data_buffer: int, data_ptr: int, size: int, /) -> int:
    """ret = acl.update_data_buffer(data_buffer, data_ptr, size)

    Parameters, by position only:
        data_buffer: an int: an address, a handle or a size
        data_ptr: an int: an address, a handle or a size
        size: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.update_data_buffer args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclUpdateDataBuffer:

        aclError aclUpdateDataBuffer(aclDataBuffer* dataBuffer, void* data, size_t size);
        In Python: ret = aclUpdateDataBuffer(dataBuffer, data, size)

        Name other memory; nothing is freed. Codes: 100000 NULL.
    """

def data_type_size(data_type: int, /) -> int:
    """size = acl.data_type_size(data_type)

    Parameters, by position only:
        data_type: one of
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

    Returns size (int).

    Raises TypeError('acl.data_type_size args parse failed') for arguments of another number or type.

    Calls aclDataTypeSize:

        size_t aclDataTypeSize(aclDataType dataType);
        In Python: value = aclDataTypeSize(dataType)

        Bytes of an element: 1 for the types of 4 bits and 1 bit, too, 0 for strings, 8 for unknown.

        Returns the value alone; there is no code.
    """

def create_tensor_desc(data_type: int, dims: list[int], format: int, /) -> int:
    """tensor_desc = acl.create_tensor_desc(data_type, dims, format)

    Parameters, by position only:
        data_type: an int of 32 bits
        dims: an object
        format: an int of 32 bits

    Returns tensor_desc (int).

    Raises TypeError('acl.create_tensor_desc args parse failed') for arguments of another number or type.

    Calls aclCreateTensorDesc:

        aclTensorDesc* aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t* dims, aclFormat format);
        In Python: value = aclCreateTensorDesc(dataType, numDims, dims, format)

        A descriptor of a tensor with *count* dims; without dims it is a scalar. 0 when it cannot be made.

        That is with a negative *count*, or without *dims* while *count* is larger than 0. Types and formats are not looked
        at.

        Returns the value alone; there is no code.
    """

def destroy_tensor_desc(tensor_desc: int, /) -> None:
    """acl.destroy_tensor_desc(tensor_desc)

    Parameters, by position only:
        tensor_desc: an int: an address, a handle or a size

    Returns None.

    Raises TypeError('acl.destroy_tensor_desc args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclDestroyTensorDesc:

        void aclDestroyTensorDesc(const aclTensorDesc* desc);
        In Python: aclDestroyTensorDesc(desc)

        Destroy a tensor descriptor, or a whole array by its first one; NULL is allowed.

        Returns nothing.
    """

def get_tensor_desc_type(tensor_desc: int, /) -> int:
    """data_type = acl.get_tensor_desc_type(tensor_desc)

    Parameters, by position only:
        tensor_desc: an int: an address, a handle or a size

    Returns data_type (int).

    Raises TypeError('acl.get_tensor_desc_type args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclGetTensorDescType:

        aclDataType aclGetTensorDescType(const aclTensorDesc* desc);
        In Python: value = aclGetTensorDescType(desc)

        The data type; -1 for NULL.

        Returns the value alone; there is no code.
    """

def get_tensor_desc_format(tensor_desc: int, /) -> int:
    """format = acl.get_tensor_desc_format(tensor_desc)

    Parameters, by position only:
        tensor_desc: an int: an address, a handle or a size

    Returns format (int).

    Raises TypeError('acl.get_tensor_desc_format args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclGetTensorDescFormat:

        aclFormat aclGetTensorDescFormat(const aclTensorDesc* desc);
        In Python: value = aclGetTensorDescFormat(desc)

        The format of the original tensor; -1 for NULL.

        Returns the value alone; there is no code.
    """

def get_tensor_desc_size(tensor_desc: int, /) -> int:
    """size = acl.get_tensor_desc_size(tensor_desc)

    Parameters, by position only:
        tensor_desc: an int: an address, a handle or a size

    Returns size (int).

    Raises TypeError('acl.get_tensor_desc_size args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclGetTensorDescSize:

        size_t aclGetTensorDescSize(const aclTensorDesc* desc);
        In Python: value = aclGetTensorDescSize(desc)

        Bytes, with aclDataTypeSize for each element; 0 like the number of elements.

        Returns the value alone; there is no code.
    """

def get_tensor_desc_element_count(tensor_desc: int, /) -> int:
    """count = acl.get_tensor_desc_element_count(tensor_desc)

    Parameters, by position only:
        tensor_desc: an int: an address, a handle or a size

    Returns count (int).

    Raises TypeError('acl.get_tensor_desc_element_count args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclGetTensorDescElementCount:

        size_t aclGetTensorDescElementCount(const aclTensorDesc* desc);
        In Python: value = aclGetTensorDescElementCount(desc)

        The number of elements: 1 for a scalar, 0 for NULL, unknown dims, and what does not fit in 64 bits.

        Returns the value alone; there is no code.
    """

def get_tensor_desc_num_dims(tensor_desc: int, /) -> int:
    """num = acl.get_tensor_desc_num_dims(tensor_desc)

    Parameters, by position only:
        tensor_desc: an int: an address, a handle or a size

    Returns num (int).

    Raises TypeError('acl.get_tensor_desc_num_dims args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclGetTensorDescNumDims:

        size_t aclGetTensorDescNumDims(const aclTensorDesc* desc);
        In Python: value = aclGetTensorDescNumDims(desc)

        The number of dims; 0xFFFFFFFFFFFFFFFE (ACL_UNKNOWN_RANK) when it is unknown, 0 for NULL.

        Returns the value alone; there is no code.
    """

def get_tensor_desc_dim(tensor_desc: int, index: int, /) -> int:
    """dim = acl.get_tensor_desc_dim(tensor_desc, index)

    Parameters, by position only:
        tensor_desc: an int: an address, a handle or a size
        index: an int: an address, a handle or a size

    Returns dim (int).

    Raises TypeError('acl.get_tensor_desc_dim args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclGetTensorDescDim:

        int64_t aclGetTensorDescDim(const aclTensorDesc* desc, size_t index);
        In Python: value = aclGetTensorDescDim(desc, index)

        One dim, the first has index 0; -1 for NULL and behind the last one, which is what a dynamic dim gives, too.

        Returns the value alone; there is no code.
    """

def get_tensor_desc_dim_v2(tensor_desc: int, index: int, /) -> tuple[int, int]:
    """dim, ret = acl.get_tensor_desc_dim_v2(tensor_desc, index)

    Parameters, by position only:
        tensor_desc: an int: an address, a handle or a size
        index: an int: an address, a handle or a size

    Returns dim, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.get_tensor_desc_dim_v2 args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclGetTensorDescDimV2:

        aclError aclGetTensorDescDimV2(const aclTensorDesc* desc, size_t index, int64_t* dimSize);
        In Python: dimSize, ret = aclGetTensorDescDimV2(desc, index)

        One dim, the first has index 0. Codes: 100000 NULL or behind the last one.
    """

def get_tensor_desc_dim_range(tensor_desc: int, index: int, dim_range_num: int, /) -> tuple[list[Any] | None, int]:
    """list or None, ret = acl.get_tensor_desc_dim_range(tensor_desc, index, dim_range_num)

    Parameters, by position only:
        tensor_desc: an int: an address, a handle or a size
        index: an int: an address, a handle or a size
        dim_range_num: an int: an address, a handle or a size

    Returns list or None, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.get_tensor_desc_dim_range args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclGetTensorDescDimRange:

        aclError aclGetTensorDescDimRange(const aclTensorDesc* desc, size_t index, size_t dimRangeNum, int64_t* dimRange);
        In Python: dimRange, ret = aclGetTensorDescDimRange(desc, index, dimRangeNum)

        [lowest, highest] of a dim as aclSetTensorShapeRange set them; *room*: numbers that fit in the output.

        Codes: 100000 NULL, an index without a range, room for less than 2.
    """

def get_tensor_desc_name(tensor_desc: int, /) -> str:
    """name = acl.get_tensor_desc_name(tensor_desc)

    Parameters, by position only:
        tensor_desc: an int: an address, a handle or a size

    Returns name (str).

    Raises TypeError('acl.get_tensor_desc_name args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclGetTensorDescName:

        const char* aclGetTensorDescName(aclTensorDesc* desc);
        In Python: value = aclGetTensorDescName(desc)

        Its name, empty when it has none; also for NULL.

        Returns the value alone; there is no code.
    """

def set_tensor_desc_name(tensor_desc: int, name: str, /) -> None:
    """acl.set_tensor_desc_name(tensor_desc, name)

    Parameters, by position only:
        tensor_desc: an int: an address, a handle or a size
        name: a str

    Returns None.

    Raises TypeError('acl.set_tensor_desc_name args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclSetTensorDescName:

        void aclSetTensorDescName(aclTensorDesc* desc, const char* name);
        In Python: aclSetTensorDescName(desc, name)

        Name it; a NULL name is the empty one. A NULL descriptor: nothing happens.

        Returns nothing.
    """

def trans_tensor_desc_format(src_desc: int, format: int, /) -> tuple[int, int]:
    """dst_desc, ret = acl.trans_tensor_desc_format(src_desc, format)

    Parameters, by position only:
        src_desc: an int: an address, a handle or a size
        format: one of
            ACL_FORMAT_UNDEFINED = -1
            ACL_FORMAT_NCHW = 0
            ACL_FORMAT_NHWC = 1
            ACL_FORMAT_ND = 2
            ACL_FORMAT_NC1HWC0 = 3
            ACL_FORMAT_FRACTAL_Z = 4
            ACL_FORMAT_NC1HWC0_C04 = 12
            ACL_FORMAT_HWCN = 16
            ACL_FORMAT_NDHWC = 27
            ACL_FORMAT_FRACTAL_NZ = 29
            ...

    Returns dst_desc, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.trans_tensor_desc_format args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclTransTensorDescFormat:

        aclError aclTransTensorDescFormat(const aclTensorDesc* srcDesc, aclFormat dstFormat, aclTensorDesc** dstDesc);
        In Python: dstDesc, ret = aclTransTensorDescFormat(srcDesc, dstFormat)

        A new descriptor with the dims that the tensor has in *format_*; its format is that of the source all the same.

        Codes: 100000 NULL, 145020 no such conversion, 145021 dims that do not fit the format, 145022 a type without size.
    """

def app_log(level: int, msg: str, /) -> None:
    """acl.app_log(level, msg)

    Parameters, by position only:
        level: an int of 32 bits
        msg: a str

    Returns None.

    Raises TypeError('acl.app_log args parse failed') for arguments of another number or type.

    Calls aclAppLog:

        void aclAppLog(aclLogLevel logLevel, const char* func, const char* file, uint32_t line, const char* fmt);
        In Python: aclAppLog(logLevel, func, file, line, fmt)

        Write a line: *level* 0 debug to 3 error, at most 1024 bytes with the place, cut with a mark.

        *text* is what C makes of the format and its arguments: Python programs format it themselves. NULL for *function*,
        *file* or *text*, or another level: nothing is written.

        Returns nothing.
    """

def set_tensor_storage_format(tensor_desc: int, format: int, /) -> int:
    """ret = acl.set_tensor_storage_format(tensor_desc, format)

    Parameters, by position only:
        tensor_desc: an int: an address, a handle or a size
        format: one of
            ACL_FORMAT_UNDEFINED = -1
            ACL_FORMAT_NCHW = 0
            ACL_FORMAT_NHWC = 1
            ACL_FORMAT_ND = 2
            ACL_FORMAT_NC1HWC0 = 3
            ACL_FORMAT_FRACTAL_Z = 4
            ACL_FORMAT_NC1HWC0_C04 = 12
            ACL_FORMAT_HWCN = 16
            ACL_FORMAT_NDHWC = 27
            ACL_FORMAT_FRACTAL_NZ = 29
            ...

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.set_tensor_storage_format args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclSetTensorStorageFormat:

        aclError aclSetTensorStorageFormat(aclTensorDesc* desc, aclFormat format);
        In Python: ret = aclSetTensorStorageFormat(desc, format)

        Set the format in memory, any number. Never fails: a NULL descriptor is answered with 0, too.
    """

def set_tensor_storage_shape(tensor_desc: int, dims: list[int], /) -> int:
    """ret = acl.set_tensor_storage_shape(tensor_desc, dims)

    Parameters, by position only:
        tensor_desc: an int: an address, a handle or a size
        dims: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.set_tensor_storage_shape args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclSetTensorStorageShape:

        aclError aclSetTensorStorageShape(aclTensorDesc* desc, int numDims, const int64_t* dims);
        In Python: ret = aclSetTensorStorageShape(desc, numDims, dims)

        The dims in memory; none with a negative *count*. Codes: 100000 NULL descriptor or dims.
    """

def set_tensor_format(tensor_desc: int, format: int, /) -> int:
    """ret = acl.set_tensor_format(tensor_desc, format)

    Parameters, by position only:
        tensor_desc: an int: an address, a handle or a size
        format: one of
            ACL_FORMAT_UNDEFINED = -1
            ACL_FORMAT_NCHW = 0
            ACL_FORMAT_NHWC = 1
            ACL_FORMAT_ND = 2
            ACL_FORMAT_NC1HWC0 = 3
            ACL_FORMAT_FRACTAL_Z = 4
            ACL_FORMAT_NC1HWC0_C04 = 12
            ACL_FORMAT_HWCN = 16
            ACL_FORMAT_NDHWC = 27
            ACL_FORMAT_FRACTAL_NZ = 29
            ...

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.set_tensor_format args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclSetTensorFormat:

        aclError aclSetTensorFormat(aclTensorDesc* desc, aclFormat format);
        In Python: ret = aclSetTensorFormat(desc, format)

        Another name of aclSetTensorStorageFormat.
    """

def set_tensor_shape(tensor_desc: int, dims: list[int], /) -> int:
    """ret = acl.set_tensor_shape(tensor_desc, dims)

    Parameters, by position only:
        tensor_desc: an int: an address, a handle or a size
        dims: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.set_tensor_shape args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclSetTensorShape:

        aclError aclSetTensorShape(aclTensorDesc* desc, int numDims, const int64_t* dims);
        In Python: ret = aclSetTensorShape(desc, numDims, dims)

        Another name of aclSetTensorStorageShape.
    """

def set_tensor_origin_format(tensor_desc: int, format: int, /) -> int:
    """ret = acl.set_tensor_origin_format(tensor_desc, format)

    Parameters, by position only:
        tensor_desc: an int: an address, a handle or a size
        format: one of
            ACL_FORMAT_UNDEFINED = -1
            ACL_FORMAT_NCHW = 0
            ACL_FORMAT_NHWC = 1
            ACL_FORMAT_ND = 2
            ACL_FORMAT_NC1HWC0 = 3
            ACL_FORMAT_FRACTAL_Z = 4
            ACL_FORMAT_NC1HWC0_C04 = 12
            ACL_FORMAT_HWCN = 16
            ACL_FORMAT_NDHWC = 27
            ACL_FORMAT_FRACTAL_NZ = 29
            ...

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.set_tensor_origin_format args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclSetTensorOriginFormat:

        aclError aclSetTensorOriginFormat(aclTensorDesc* desc, aclFormat format);
        In Python: ret = aclSetTensorOriginFormat(desc, format)

        Set the format of the original tensor, any number. Never fails: a NULL descriptor is answered with 0, too.
    """

def set_tensor_origin_shape(tensor_desc: int, dims: list[int], /) -> int:
    """ret = acl.set_tensor_origin_shape(tensor_desc, dims)

    Parameters, by position only:
        tensor_desc: an int: an address, a handle or a size
        dims: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.set_tensor_origin_shape args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclSetTensorOriginShape:

        aclError aclSetTensorOriginShape(aclTensorDesc* desc, int numDims, const int64_t* dims);
        In Python: ret = aclSetTensorOriginShape(desc, numDims, dims)

        The dims of the original tensor; none with a negative *count*. Codes: 100000 NULL descriptor or dims.
    """

def set_tensor_dynamic_input(tensor_desc: int, name: str, /) -> int:
    """ret = acl.set_tensor_dynamic_input(tensor_desc, name)

    Parameters, by position only:
        tensor_desc: an int: an address, a handle or a size
        name: a str

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.set_tensor_dynamic_input args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclSetTensorDynamicInput:

        aclError aclSetTensorDynamicInput(aclTensorDesc* desc, const char* dynamicInputName);
        In Python: ret = aclSetTensorDynamicInput(desc, dynamicInputName)

        The name of the dynamic input that it belongs to. Codes: 100000 NULL.
    """

def set_tensor_shape_range(tensor_desc: int, ranges: list[Any], /) -> int:
    """ret = acl.set_tensor_shape_range(tensor_desc, ranges)

    Parameters, by position only:
        tensor_desc: an int: an address, a handle or a size
        ranges: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.set_tensor_shape_range args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclSetTensorShapeRange:

        aclError aclSetTensorShapeRange(aclTensorDesc* desc, size_t dimsCount, int64_t dimsRange[][ACL_TENSOR_SHAPE_RANGE_NUM]);
        In Python: ret = aclSetTensorShapeRange(desc, dimsCount, dimsRange)

        [lowest, highest] of each dim, highest -1: any. Codes: 100000 NULL.
    """

def set_tensor_value_range(tensor_desc: int, ranges: list[Any], /) -> int:
    """ret = acl.set_tensor_value_range(tensor_desc, ranges)

    Parameters, by position only:
        tensor_desc: an int: an address, a handle or a size
        ranges: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.set_tensor_value_range args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclSetTensorValueRange:

        aclError aclSetTensorValueRange(aclTensorDesc* desc, size_t valueCount, int64_t valueRange[][ACL_TENSOR_VALUE_RANGE_NUM]);
        In Python: ret = aclSetTensorValueRange(desc, valueCount, valueRange)

        [lowest, highest] of values that are known only when it runs. Codes: 100000 NULL.
    """

def set_tensor_const(tensor_desc: int, data_ptr: int, size: int, /) -> int:
    """ret = acl.set_tensor_const(tensor_desc, data_ptr, size)

    Parameters, by position only:
        tensor_desc: an int: an address, a handle or a size
        data_ptr: an int: an address, a handle or a size
        size: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.set_tensor_const args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclSetTensorConst:

        aclError aclSetTensorConst(aclTensorDesc* desc, void* dataBuffer, size_t length);
        In Python: ret = aclSetTensorConst(desc, dataBuffer, length)

        Make it a constant: *size* bytes at host *address* are copied now. Codes: 100000 NULL or size 0.
    """

def set_tensor_place_ment(tensor_desc: int, mem_type: int, /) -> int:
    """ret = acl.set_tensor_place_ment(tensor_desc, mem_type)

    Parameters, by position only:
        tensor_desc: an int: an address, a handle or a size
        mem_type: one of
            ACL_MEMTYPE_DEVICE = 0
            ACL_MEMTYPE_HOST = 1
            ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT = 2

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.set_tensor_place_ment args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclSetTensorPlaceMent:

        aclError aclSetTensorPlaceMent(aclTensorDesc* desc, aclMemType memType);
        In Python: ret = aclSetTensorPlaceMent(desc, memType)

        Where the tensor lies: 0 device, 1 host, 2 host and unknown to the compiler; not checked. Codes: 100000 NULL.
    """

def get_tensor_desc_address(tensor_desc: int, /) -> int:
    """addr = acl.get_tensor_desc_address(tensor_desc)

    Parameters, by position only:
        tensor_desc: an int: an address, a handle or a size

    Returns addr (int).

    Raises TypeError('acl.get_tensor_desc_address args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclGetTensorDescAddress:

        void* aclGetTensorDescAddress(const aclTensorDesc* desc);
        In Python: value = aclGetTensorDescAddress(desc)

        The address of the tensor; only the runtime itself ever sets it. 0 for NULL.

        Returns the value alone; there is no code.
    """

def get_tensor_desc_by_index(tensor_desc: int, index: int, /) -> int:
    """tensor_desc = acl.get_tensor_desc_by_index(tensor_desc, index)

    Parameters, by position only:
        tensor_desc: an int: an address, a handle or a size
        index: an int: an address, a handle or a size

    Returns tensor_desc (int).

    Raises TypeError('acl.get_tensor_desc_by_index args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclGetTensorDescByIndex:

        aclTensorDesc* aclGetTensorDescByIndex(aclTensorDesc* desc, size_t index);
        In Python: value = aclGetTensorDescByIndex(desc, index)

        The descriptor at *index* of the array that *handle* points to (aclmdlCreateAndGetOpDesc); 0 for NULL.

        A descriptor of aclCreateTensorDesc is an array of one. What is behind the end is undefined: a finding, and 0.

        Returns the value alone; there is no code.
    """

def get_recent_err_msg() -> str | None:
    """msg = acl.get_recent_err_msg()

    Returns msg (str or None).

    Raises TypeError('acl.get_recent_err_msg args parse failed') for arguments of another number or type.

    Calls aclGetRecentErrMsg:

        const char* aclGetRecentErrMsg();
        In Python: value = aclGetRecentErrMsg()

        The error texts of this thread (of the process with err_msg_mode "1"), newest first; reading clears them.

        None when there are none.

        Returns the value alone; there is no code.

        Page: 13 exception handling. Not on: IPV350.
    """

def get_cann_attribute_list() -> tuple[list[int], int, int]:
    """list, num, ret = acl.get_cann_attribute_list()

    Returns list, num, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.get_cann_attribute_list args parse failed') for arguments of another number or type.

    Calls aclGetCannAttributeList:

        aclError aclGetCannAttributeList(const aclCannAttr** cannAttrList, size_t* num);
        In Python: cannAttrList, num, ret = aclGetCannAttributeList()

        The aclCannAttr that are there, and how many: Inf/NaN and BF16 on 950, A3 and A2, JIT compilation everywhere.

        Never fails.

        Returns, before the code:
            cannAttrList (const aclCannAttr*)
            num (size_t)
            When the call fails: 0 for handles and addresses, else None.

        Page: 24 other APIs.
    """

def get_cann_attribute(attr: int, /) -> tuple[int, int]:
    """value, ret = acl.get_cann_attribute(attr)

    Parameters, by position only:
        attr: one of
            ACL_CANN_ATTR_UNDEFINED = -1
            ACL_CANN_ATTR_INF_NAN = 0
            ACL_CANN_ATTR_BF16 = 1
            ACL_CANN_ATTR_JIT_COMPILE = 2

    Returns value, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.get_cann_attribute args parse failed') for arguments of another number or type.

    Calls aclGetCannAttribute:

        aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t* value);
        In Python: value, ret = aclGetCannAttribute(cannAttr)

        1 when *attribute* is there, else 0. Codes: 100000 another attribute.
    """

def get_device_capability(device_id: int, info: int, /) -> tuple[int, int]:
    """value, ret = acl.get_device_capability(device_id, info)

    Parameters, by position only:
        device_id: an int of 32 bits, unsigned
        info: one of
            ACL_DEVICE_INFO_UNDEFINED = -1
            ACL_DEVICE_INFO_AI_CORE_NUM = 0
            ACL_DEVICE_INFO_VECTOR_CORE_NUM = 1
            ACL_DEVICE_INFO_L2_SIZE = 2

    Returns value, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.get_device_capability args parse failed') for arguments of another number or type.

    Calls aclGetDeviceCapability:

        aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t* value);
        In Python: value, ret = aclGetDeviceCapability(deviceId, deviceInfo)

        AI cores (0), vector cores (1), bytes of L2 (2). Codes: 100000 bad device or kind.
    """

def get_cann_version(package_name_enum: int, /) -> tuple[dict[str, Any], int]:
    """dict, ret = acl.get_cann_version(package_name_enum)

    Parameters, by position only:
        package_name_enum: one of
            ACL_PKG_NAME_CANN = 0
            ACL_PKG_NAME_RUNTIME = 1
            ACL_PKG_NAME_COMPILER = 2
            ACL_PKG_NAME_HCCL = 3
            ACL_PKG_NAME_TOOLKIT = 4
            ACL_PKG_NAME_OPP = 5
            ACL_PKG_NAME_OPP_KERNEL = 6
            ACL_PKG_NAME_DRIVER = 7

    Returns dict, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.get_cann_version args parse failed') for arguments of another number or type.

    Calls aclsysGetCANNVersion:

        aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion* version);
        In Python: version, ret = aclsysGetCANNVersion(name)

        The version of a package (an aclCANNPackageName) with its parts: an aclCANNPackageVersion. Deprecated.

        Codes: 100000 another number, 100003 not installed or no version.
    """

def finalize_reference() -> tuple[int, int]:
    """ref_count, ret = acl.finalize_reference()

    Returns ref_count, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.finalize_reference args parse failed') for arguments of another number or type.

    Calls aclFinalizeReference:

        aclError aclFinalizeReference(uint64_t* refCount);
        In Python: refCount, ret = aclFinalizeReference()

        Count down; really finalise at zero. Returns the count after the call. Codes: 100037 below one.

        Returns, before the code:
            refCount (uint64_t)
            When the call fails: 0 for handles and addresses, else None.

        Page: 02 initialization and deinitialization. Not on: IPV350.
    """

def get_version_str(package_name: str, /) -> tuple[str, int]:
    """version_str, ret = acl.get_version_str(package_name)

    Parameters, by position only:
        package_name: a str

    Returns version_str, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.get_version_str args parse failed') for arguments of another number or type.

    Calls aclsysGetVersionStr:

        aclError aclsysGetVersionStr(char* pkgName, char* versionStr);
        In Python: ret = aclsysGetVersionStr(pkgName, versionStr)

        Write the version of the package *name* to the 128 bytes at *address*.

        Codes: 100000 NULL, 100003 not installed, 500000 a version that does not fit.
    """
