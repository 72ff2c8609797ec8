"""acl.op: single operators and custom kernels."""
# Made from the tables: python -m ascend_sim.pyacl.stubs

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

def set_model_dir(dir: str, /) -> int:
    """ret = acl.op.set_model_dir(dir)

    Parameters, by position only:
        dir: a str

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.op.set_model_dir args parse failed') for arguments of another number or type.

    Calls aclopSetModelDir:

        aclError aclopSetModelDir(const char* modelDir);
        In Python: ret = aclopSetModelDir(modelDir)

        Load every compiled operator below a directory, three levels deep; possible once.

        Codes: 100000 NULL, 100014 no such directory, 100002 one was set before. A directory without any is a success.
    """

def load(model_ptr: int, model_size: int, /) -> int:
    """ret = acl.op.load(model_ptr, model_size)

    Parameters, by position only:
        model_ptr: an int: an address, a handle or a size
        model_size: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.op.load args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopLoad:

        aclError aclopLoad(const void* model, size_t modelSize);
        In Python: ret = aclopLoad(model, modelSize)

        Load one compiled operator from host memory.

        Codes: 100000 NULL or size 0, 100013 another length than the header says, 100012 content, 100016, 148050.
    """

def execute(op_type: str, input_desc: list[int], inputs: list[int], output_desc: list[int], outputs: list[int], attr: int, stream: int, /) -> int:
    """ret = acl.op.execute(op_type, input_desc, inputs, output_desc, outputs, attr, stream)

    Parameters, by position only:
        op_type: a str
        input_desc: an object
        inputs: an object
        output_desc: an object
        outputs: an object
        attr: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.op.execute args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopExecute:

        aclError aclopExecute(const char* opType, int numInputs, const aclTensorDesc* const inputDesc[], const aclDataBuffer* const inputs[], int numOutputs, const aclTensorDesc* const outputDesc[], aclDataBuffer* const outputs[], const aclopAttr* attr, aclrtStream stream);
        In Python: ret = aclopExecute(opType, numInputs, inputDesc, inputs, numOutputs, outputDesc, outputs, attr, stream)

        Queue an operator. Outputs with a dim of 0 throughout: 0, and the buffers are not looked at.

        Codes: 100000 NULL or negative; 100024 nothing fits, or the custom kernel failed, whatever with; 145000 a buffer
        that is too small, 500002 the stream's allocator gives no workspace; 107002, 107003, 107017.
    """

def execute_with_handle(handle: int, inputs: list[int], outputs: list[int], stream: int, /) -> int:
    """ret = acl.op.execute_with_handle(handle, inputs, outputs, stream)

    Parameters, by position only:
        handle: an int: an address, a handle or a size
        inputs: an object
        outputs: an object
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.op.execute_with_handle args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopExecWithHandle:

        aclError aclopExecWithHandle(aclopHandle* handle, int numInputs, const aclDataBuffer* const inputs[], int numOutputs, aclDataBuffer* const outputs[], aclrtStream stream);
        In Python: ret = aclopExecWithHandle(handle, numInputs, inputs, numOutputs, outputs, stream)

        Queue the operator of a handle; descriptors are not compared again. Outputs of length 0 throughout: 0.

        Codes: 100000 NULL or negative, 100021 and 100022 other numbers of inputs and outputs, a custom kernel's own code,
        else as aclopExecuteV2.
    """

def cast(src_desc: int, src_buffer: int, dst_desc: int, dst_buffer: int, truncate: int, stream: int, /) -> int:
    """ret = acl.op.cast(src_desc, src_buffer, dst_desc, dst_buffer, truncate, stream)

    Parameters, by position only:
        src_desc: an int: an address, a handle or a size
        src_buffer: an int: an address, a handle or a size
        dst_desc: an int: an address, a handle or a size
        dst_buffer: an int: an address, a handle or a size
        truncate: an int of 8 bits, unsigned
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.op.cast args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopCast:

        aclError aclopCast(const aclTensorDesc* srcDesc, const aclDataBuffer* srcBuffer, const aclTensorDesc* dstDesc, aclDataBuffer* dstBuffer, uint8_t truncate, aclrtStream stream);
        In Python: ret = aclopCast(srcDesc, srcBuffer, dstDesc, dstBuffer, truncate, stream)

        Queue operator Cast to the type of *dstDesc*. Codes: 100000 NULL, else as aclopExecuteV2.
    """

def create_handle_for_cast(src_desc: int, dst_desc: int, truncate: int, /) -> tuple[int, int]:
    """handle, ret = acl.op.create_handle_for_cast(src_desc, dst_desc, truncate)

    Parameters, by position only:
        src_desc: an int: an address, a handle or a size
        dst_desc: an int: an address, a handle or a size
        truncate: an int of 8 bits, unsigned

    Returns handle, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.op.create_handle_for_cast args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopCreateHandleForCast:

        aclError aclopCreateHandleForCast(aclTensorDesc* srcDesc, aclTensorDesc* dstDesc, uint8_t truncate, aclopHandle** handle);
        In Python: handle, ret = aclopCreateHandleForCast(srcDesc, dstDesc, truncate)

        A handle of operator Cast. Codes: 100000 NULL, 200001, 100024 as aclopCreateHandle.
    """

def create_attr() -> int:
    """attr = acl.op.create_attr()

    Returns attr (int).

    Raises TypeError('acl.op.create_attr args parse failed') for arguments of another number or type.

    Calls aclopCreateAttr:

        aclopAttr* aclopCreateAttr();
        In Python: value = aclopCreateAttr()

        A set of operator attributes, with none in it yet.

        Returns the value alone; there is no code.

        Page: Single operators. Not on: IPV350.
    """

def destroy_attr(attr: int, /) -> None:
    """acl.op.destroy_attr(attr)

    Parameters, by position only:
        attr: an int: an address, a handle or a size

    Returns None.

    Raises TypeError('acl.op.destroy_attr args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopDestroyAttr:

        void aclopDestroyAttr(const aclopAttr* attr);
        In Python: aclopDestroyAttr(attr)

        NULL is allowed; executions keep their copy.

        Returns nothing.
    """

def set_attr_bool(attr: int, name: str, value: int, /) -> int:
    """ret = acl.op.set_attr_bool(attr, name, value)

    Parameters, by position only:
        attr: an int: an address, a handle or a size
        name: a str
        value: an int of 8 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.op.set_attr_bool args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopSetAttrBool:

        aclError aclopSetAttrBool(aclopAttr* attr, const char* attrName, uint8_t attrValue);
        In Python: ret = aclopSetAttrBool(attr, attrName, attrValue)

        True for all but 0. Codes: 100000 NULL.
    """

def set_attr_int(attr: int, name: str, value: int, /) -> int:
    """ret = acl.op.set_attr_int(attr, name, value)

    Parameters, by position only:
        attr: an int: an address, a handle or a size
        name: a str
        value: an int of 64 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.op.set_attr_int args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopSetAttrInt:

        aclError aclopSetAttrInt(aclopAttr* attr, const char* attrName, int64_t attrValue);
        In Python: ret = aclopSetAttrInt(attr, attrName, attrValue)

        64 bits. Codes: 100000 NULL.
    """

def set_attr_float(attr: int, name: str, value: float, /) -> int:
    """ret = acl.op.set_attr_float(attr, name, value)

    Parameters, by position only:
        attr: an int: an address, a handle or a size
        name: a str
        value: a number

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.op.set_attr_float args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopSetAttrFloat:

        aclError aclopSetAttrFloat(aclopAttr* attr, const char* attrName, float attrValue);
        In Python: ret = aclopSetAttrFloat(attr, attrName, attrValue)

        Single precision; NaN and infinities are kept. Codes: 100000 NULL.
    """

def set_attr_string(attr: int, name: str, value: str, /) -> int:
    """ret = acl.op.set_attr_string(attr, name, value)

    Parameters, by position only:
        attr: an int: an address, a handle or a size
        name: a str
        value: a str

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.op.set_attr_string args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopSetAttrString:

        aclError aclopSetAttrString(aclopAttr* attr, const char* attrName, const char* attrValue);
        In Python: ret = aclopSetAttrString(attr, attrName, attrValue)

        Codes: 100000 NULL, the text too.
    """

def set_attr_list_bool(attr: int, name: str, values: list[Any], /) -> int:
    """ret = acl.op.set_attr_list_bool(attr, name, values)

    Parameters, by position only:
        attr: an int: an address, a handle or a size
        name: a str
        values: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.op.set_attr_list_bool args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopSetAttrListBool:

        aclError aclopSetAttrListBool(aclopAttr* attr, const char* attrName, int numValues, const uint8_t* values);
        In Python: ret = aclopSetAttrListBool(attr, attrName, numValues, values)

        Set an attribute to a list of booleans, given as bytes. Codes: 100000 NULL.
    """

def set_attr_list_int(attr: int, name: str, values: list[Any], /) -> int:
    """ret = acl.op.set_attr_list_int(attr, name, values)

    Parameters, by position only:
        attr: an int: an address, a handle or a size
        name: a str
        values: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.op.set_attr_list_int args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopSetAttrListInt:

        aclError aclopSetAttrListInt(aclopAttr* attr, const char* attrName, int numValues, const int64_t* values);
        In Python: ret = aclopSetAttrListInt(attr, attrName, numValues, values)

        64 bits each. Codes: 100000 NULL.
    """

def set_attr_list_float(attr: int, name: str, values: list[Any], /) -> int:
    """ret = acl.op.set_attr_list_float(attr, name, values)

    Parameters, by position only:
        attr: an int: an address, a handle or a size
        name: a str
        values: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.op.set_attr_list_float args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopSetAttrListFloat:

        aclError aclopSetAttrListFloat(aclopAttr* attr, const char* attrName, int numValues, const float* values);
        In Python: ret = aclopSetAttrListFloat(attr, attrName, numValues, values)

        Single precision. Codes: 100000 NULL.
    """

def set_attr_list_string(attr: int, name: str, values: list[Any], /) -> int:
    """ret = acl.op.set_attr_list_string(attr, name, values)

    Parameters, by position only:
        attr: an int: an address, a handle or a size
        name: a str
        values: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.op.set_attr_list_string args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopSetAttrListString:

        aclError aclopSetAttrListString(aclopAttr* attr, const char* attrName, int numValues, const char** values);
        In Python: ret = aclopSetAttrListString(attr, attrName, numValues, values)

        Texts. Codes: 100000 NULL, each text too.
    """

def set_attr_list_list_int(attr: int, name: str, values: list[Any], /) -> int:
    """ret = acl.op.set_attr_list_list_int(attr, name, values)

    Parameters, by position only:
        attr: an int: an address, a handle or a size
        name: a str
        values: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.op.set_attr_list_list_int args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopSetAttrListListInt:

        aclError aclopSetAttrListListInt(aclopAttr* attr, const char* attrName, int numLists, const int* numValues, const int64_t* const values[]);
        In Python: ret = aclopSetAttrListListInt(attr, attrName, numLists, numValues, values)

        Lists of 64-bit numbers with their lengths. Codes: 100000 NULL, each list too.
    """

def create_handle(op_type: str, input_desc: list[int], output_desc: list[int], attr: int, /) -> tuple[int, int]:
    """handle, ret = acl.op.create_handle(op_type, input_desc, output_desc, attr)

    Parameters, by position only:
        op_type: a str
        input_desc: an object
        output_desc: an object
        attr: an int: an address, a handle or a size

    Returns handle, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.op.create_handle args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopCreateHandle:

        aclError aclopCreateHandle(const char* opType, int numInputs, const aclTensorDesc* const inputDesc[], int numOutputs, const aclTensorDesc* const outputDesc[], const aclopAttr* opAttr, aclopHandle** handle);
        In Python: handle, ret = aclopCreateHandle(opType, numInputs, inputDesc, numOutputs, outputDesc, opAttr)

        What an execution would find, kept: the choice of a selector, or a compiled operator.

        Codes: 100000 NULL or negative, 200001 a tensor in host memory that is no constant, 100024 nothing fits.
    """

def destroy_handle(handle: int, /) -> None:
    """acl.op.destroy_handle(handle)

    Parameters, by position only:
        handle: an int: an address, a handle or a size

    Returns None.

    Raises TypeError('acl.op.destroy_handle args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopDestroyHandle:

        void aclopDestroyHandle(aclopHandle* handle);
        In Python: aclopDestroyHandle(handle)

        Destroy a handle of aclopCreateHandle; NULL is allowed.

        Returns nothing.
    """

def start_dump_args(dump_type: int, path: str, /) -> int:
    """ret = acl.op.start_dump_args(dump_type, path)

    Parameters, by position only:
        dump_type: an int of 32 bits, unsigned
        path: a str

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.op.start_dump_args args parse failed') for arguments of another number or type.

    Calls aclopStartDumpArgs:

        aclError aclopStartDumpArgs(uint32_t dumpType, const char* path);
        In Python: ret = aclopStartDumpArgs(dumpType, path)

        Dump the arguments of aclnn calls, of which there are none here. Codes: 500001 NULL path, bit 1 not set.
    """

def stop_dump_args(dump_type: int, /) -> int:
    """ret = acl.op.stop_dump_args(dump_type)

    Parameters, by position only:
        dump_type: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.op.stop_dump_args args parse failed') for arguments of another number or type.

    Calls aclopStopDumpArgs:

        aclError aclopStopDumpArgs(uint32_t dumpType);
        In Python: ret = aclopStopDumpArgs(dumpType)

        End what aclopStartDumpArgs began; without the bit nothing is done, which is no error. Never fails.
    """

def register_compile_func(op_type: str, func: Callable[..., object] | None, /) -> int:
    """ret = acl.op.register_compile_func(op_type, func)

    Parameters, by position only:
        op_type: a str
        func: a callable; None and 0 are NULL

    Returns the code: 0 when the call succeeds.

    Raises TypeError for arguments of another number or type.

    Calls aclopRegisterCompileFunc:

        aclError aclopRegisterCompileFunc(const char* opType, aclopCompileFunc func);
        In Python: ret = aclopRegisterCompileFunc(opType, func)

        The selector of an operator type: ``f(nIn, inDescs, nOut, outDescs, attr, kernelDesc) -> code``.

        Codes: 100000 NULL, 100030 the type has one.
    """

def unregister_compile_func(op_type: str, /) -> int:
    """ret = acl.op.unregister_compile_func(op_type)

    Parameters, by position only:
        op_type: a str

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.op.unregister_compile_func args parse failed') for arguments of another number or type.

    Calls aclopUnregisterCompileFunc:

        aclError aclopUnregisterCompileFunc(const char* opType);
        In Python: ret = aclopUnregisterCompileFunc(opType)

        Forget the selector; what it chose stays, for handles. Codes: 100000 NULL; none is no error.
    """

def create_kernel(op_type: str, kernel_id: str, kernel_name: str, bin_data_ptr: int, bin_size: int, engine_type: int, deallocator: int, /) -> int:
    """ret = acl.op.create_kernel(op_type, kernel_id, kernel_name, bin_data_ptr, bin_size, engine_type, deallocator)

    Parameters, by position only:
        op_type: a str
        kernel_id: a str
        kernel_name: a str
        bin_data_ptr: an int: an address, a handle or a size
        bin_size: an int of 32 bits
        engine_type: one of
            ACL_ENGINE_SYS = 0
            ACL_ENGINE_AICORE = 1
            ACL_ENGINE_VECTOR = 2
        deallocator: a callable; None and 0 are NULL

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.op.create_kernel args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopCreateKernel:

        aclError aclopCreateKernel(const char* opType, const char* kernelId, const char* kernelName, void* binData, int binSize, aclopEngineType enginetype, aclDataDeallocator deallocator);
        In Python: ret = aclopCreateKernel(opType, kernelId, kernelName, binData, binSize, enginetype, deallocator)

        A kernel of an operator type. The deallocator runs when the process ends, and after no failure.

        Codes: 100000 NULL, 100031 the type has this id, 100000 engine not AICORE or VECTOR, 107000 no kernel file.
    """

def set_kernel_args(kernel_desc: int, kernel_id: str, block_dim: int, args_ptr: int, arg_size: int, /) -> int:
    """ret = acl.op.set_kernel_args(kernel_desc, kernel_id, block_dim, args_ptr, arg_size)

    Parameters, by position only:
        kernel_desc: an int: an address, a handle or a size
        kernel_id: a str
        block_dim: an int of 32 bits, unsigned
        args_ptr: an int: an address, a handle or a size
        arg_size: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.op.set_kernel_args args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopSetKernelArgs:

        aclError aclopSetKernelArgs(aclopKernelDesc* kernelDesc, const char* kernelId, uint32_t blockDim, const void* args, uint32_t argSize);
        In Python: ret = aclopSetKernelArgs(kernelDesc, kernelId, blockDim, args, argSize)

        Which kernel, how many blocks, and the tiling bytes, which are copied now. The last call wins.

        Codes: 100000 NULL (*args* too, even for no bytes). Ids and numbers of blocks are not checked.
    """

def set_kernel_workspace_sizes(kernel_desc: int, num_workspaces: int, sizes_ptr: int, /) -> int:
    """ret = acl.op.set_kernel_workspace_sizes(kernel_desc, num_workspaces, sizes_ptr)

    Parameters, by position only:
        kernel_desc: an int: an address, a handle or a size
        num_workspaces: an int of 32 bits
        sizes_ptr: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.op.set_kernel_workspace_sizes args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopSetKernelWorkspaceSizes:

        aclError aclopSetKernelWorkspaceSizes(aclopKernelDesc* kernelDesc, int numWorkspaces, size_t* workspaceSizes);
        In Python: ret = aclopSetKernelWorkspaceSizes(kernelDesc, numWorkspaces, workspaceSizes)

        Append workspace sizes in bytes. Any number is taken here, more than 16 in all fail at the launch.

        Codes: 100000 NULL descriptor, a negative count, no sizes for a count above 0.
    """

def update_params(op_type: str, input_desc: list[int], output_desc: list[int], attr: int, /) -> int:
    """ret = acl.op.update_params(op_type, input_desc, output_desc, attr)

    Parameters, by position only:
        op_type: a str
        input_desc: an object
        output_desc: an object
        attr: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.op.update_params args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopUpdateParams:

        aclError aclopUpdateParams(const char* opType, int numInputs, const aclTensorDesc* const inputDesc[], int numOutputs, const aclTensorDesc* const outputDesc[], const aclopAttr* attr);
        In Python: ret = aclopUpdateParams(opType, numInputs, inputDesc, numOutputs, outputDesc, attr)

        Let the selector choose for these descriptors and attributes; it runs now, in this thread.

        Codes: 100000 NULL or negative; 100028 no selector, what it returns, 100029 a kernel that the type does not have.
    """

def execute_v2(op_type: str, input_desc: list[int], inputs: list[int], output_desc: list[int], outputs: list[int], attr: int, stream: int, /) -> int:
    """ret = acl.op.execute_v2(op_type, input_desc, inputs, output_desc, outputs, attr, stream)

    Parameters, by position only:
        op_type: a str
        input_desc: an object
        inputs: an object
        output_desc: an object
        outputs: an object
        attr: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.op.execute_v2 args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopExecuteV2:

        aclError aclopExecuteV2(const char* opType, int numInputs, aclTensorDesc* inputDesc[], aclDataBuffer* inputs[], int numOutputs, aclTensorDesc* outputDesc[], aclDataBuffer* outputs[], aclopAttr* attr, aclrtStream stream);
        In Python: ret = aclopExecuteV2(opType, numInputs, inputDesc, inputs, numOutputs, outputDesc, outputs, attr, stream)

        As aclopExecute; a buffer with a length and no address is 100000, too.

        Where the values decide how long an output is, it waits for the stream and writes that into the descriptor.
    """

def infer_shape(op_type: str, input_desc: list[int], inputs: list[int], num_outputs: int, output_desc: list[int], attr: int, /) -> int:
    """ret = acl.op.infer_shape(op_type, input_desc, inputs, num_outputs, output_desc, attr)

    Parameters, by position only:
        op_type: a str
        input_desc: an object
        inputs: an object
        num_outputs: an int of 32 bits
        output_desc: an object
        attr: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.op.infer_shape args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopInferShape:

        aclError aclopInferShape(const char* opType, int numInputs, aclTensorDesc* inputDesc[], aclDataBuffer* inputs[], int numOutputs, aclTensorDesc* outputDesc[], aclopAttr* attr);
        In Python: ret = aclopInferShape(opType, numInputs, inputDesc, inputs, numOutputs, outputDesc, attr)

        Work out the outputs' types, formats, dims and ranges from descriptors and values in host memory.

        Codes: 100000 NULL or negative, 148049 no operator packages, 100000 no such type or a buffer of length 0, 500001 a
        buffer without an address, 500002 the rule fails.
    """

def set_attr_data_type(attr: int, name: str, data_type: int, /) -> tuple[int, int]:
    """attr, ret = acl.op.set_attr_data_type(attr, name, data_type)

    Parameters, by position only:
        attr: an int: an address, a handle or a size
        name: a str
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

    Returns attr, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.op.set_attr_data_type args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopSetAttrDataType:

        aclError aclopSetAttrDataType(aclopAttr* attr, const char* attrName, aclDataType attrValue);
        In Python: ret = aclopSetAttrDataType(attr, attrName, attrValue)

        An aclDataType. Codes: 100000 NULL.
    """

def set_attr_list_data_type(attr: int, name: str, values: list[Any], /) -> tuple[int, int]:
    """attr, ret = acl.op.set_attr_list_data_type(attr, name, values)

    Parameters, by position only:
        attr: an int: an address, a handle or a size
        name: a str
        values: an object

    Returns attr, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.op.set_attr_list_data_type args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopSetAttrListDataType:

        aclError aclopSetAttrListDataType(aclopAttr* attr, const char* attrName, int numValues, const aclDataType values[]);
        In Python: ret = aclopSetAttrListDataType(attr, attrName, numValues, values)

        An aclDataType each. Codes: 100000 NULL.
    """

def set_max_op_queue_num(max_op_num: int, /) -> int:
    """ret = acl.op.set_max_op_queue_num(max_op_num)

    Parameters, by position only:
        max_op_num: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.op.set_max_op_queue_num args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclopSetMaxOpQueueNum:

        aclError aclopSetMaxOpQueueNum(uint64_t maxOpNum);
        In Python: ret = aclopSetMaxOpQueueNum(maxOpNum)

        How many kernel descriptors and compiled operators are kept; older ones go. Codes: 100000 for 0.
    """
