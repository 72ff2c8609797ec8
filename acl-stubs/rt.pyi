"""acl.rt: devices, contexts, streams, events, callbacks, memory and kernels."""
# Made from the tables: python -m ascend_sim.pyacl.stubs

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

def binary_load_from_file(bin_path: str, options: Any, /) -> tuple[int, int]:
    """bin_handle, ret = acl.rt.binary_load_from_file(bin_path, options)

    Parameters, by position only:
        bin_path: a str
        options: an object

    Returns bin_handle, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.binary_load_from_file args parse failed!') for arguments of another number or type.

    Calls aclrtBinaryLoadFromFile:

        aclError aclrtBinaryLoadFromFile(const char* binPath, aclrtBinaryLoadOptions* options, aclrtBinHandle* binHandle);
        In Python: binHandle, ret = aclrtBinaryLoadFromFile(binPath, options)

        Load the kernels of a file: one that is registered for this path, a Python file, or a stub.

        Codes: 100000 NULL, 107000 missing, no kernels in it, bad options.
    """

def binary_load_from_data(data_ptr: int, length: int, options: Any, /) -> tuple[int, int]:
    """bin_handle, ret = acl.rt.binary_load_from_data(data_ptr, length, options)

    Parameters, by position only:
        data_ptr: an int: an address, a handle or a size
        length: an int: an address, a handle or a size
        options: an object

    Returns bin_handle, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.binary_load_from_data args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclrtBinaryLoadFromData:

        aclError aclrtBinaryLoadFromData(const void* data, size_t length, const aclrtBinaryLoadOptions* options, aclrtBinHandle* binHandle);
        In Python: binHandle, ret = aclrtBinaryLoadFromData(data, length, options)

        Load kernels from the bytes of a kernel file. Codes: 100000 NULL, 107000 length 0, bad options.
    """

def get_function_addr(func_handle: int, /) -> tuple[int, int, int]:
    """aic_addr, aiv_addr, ret = acl.rt.get_function_addr(func_handle)

    Parameters, by position only:
        func_handle: an int: an address, a handle or a size

    Returns aic_addr, aiv_addr, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_function_addr args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclrtGetFunctionAddr:

        aclError aclrtGetFunctionAddr(aclrtFuncHandle funcHandle, void** aicAddr, void** aivAddr);
        In Python: aicAddr, aivAddr, ret = aclrtGetFunctionAddr(funcHandle)

        Addresses on cube and vector cores, 0 where it does not run. Codes: 100000 NULL, 107000 CPU.
    """

def get_function_name(func_handle: int, max_len: int, /) -> tuple[str, int]:
    """name, ret = acl.rt.get_function_name(func_handle, max_len)

    Parameters, by position only:
        func_handle: an int: an address, a handle or a size
        max_len: an int of 32 bits, unsigned

    Returns name, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_function_name args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclrtGetFunctionName:

        aclError aclrtGetFunctionName(aclrtFuncHandle funcHandle, uint32_t maxLen, char* name);
        In Python: ret = aclrtGetFunctionName(funcHandle, maxLen, name)

        Write the kernel's name and a zero to *buffer*, *most* bytes of host memory.

        Codes: 100000 NULL buffer; 107000 NULL function, or *maxLen* below the name's length + 1.
    """

def register_cpu_func(bin_handle: int, func_name: str, kernel_name: str, /) -> tuple[int, int]:
    """func_handle, ret = acl.rt.register_cpu_func(bin_handle, func_name, kernel_name)

    Parameters, by position only:
        bin_handle: an int: an address, a handle or a size
        func_name: a str
        kernel_name: a str

    Returns func_handle, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.register_cpu_func args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclrtRegisterCpuFunc:

        aclError aclrtRegisterCpuFunc(const aclrtBinHandle handle, const char* funcName, const char* kernelName, aclrtFuncHandle* funcHandle);
        In Python: funcHandle, ret = aclrtRegisterCpuFunc(handle, funcName, kernelName)

        A function of a CPU kernel binary. Codes: 100000 NULL, 107000 no CPU binary or unknown.
    """

def create_binary(data_ptr: int, data_len: int, /) -> int:
    """binary = acl.rt.create_binary(data_ptr, data_len)

    Parameters, by position only:
        data_ptr: an int: an address, a handle or a size
        data_len: an int: an address, a handle or a size

    Returns binary (int).

    Raises TypeError('acl.rt.create_binary args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtCreateBinary:

        aclrtBinary aclrtCreateBinary(const void* data, size_t dataLen);
        In Python: value = aclrtCreateBinary(data, dataLen)

        A binary of the caller's bytes, not looked at yet; NULL for NULL.

        Returns the value alone; there is no code.
    """

def destroy_binary(binary: int, /) -> int:
    """ret = acl.rt.destroy_binary(binary)

    Parameters, by position only:
        binary: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.destroy_binary args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtDestroyBinary:

        aclError aclrtDestroyBinary(aclrtBinary binary);
        In Python: ret = aclrtDestroyBinary(binary)

        Forget it; the bytes stay the caller's. Codes: 100000 NULL, 107017.
    """

def binary_load(binary: int, /) -> tuple[int, int]:
    """bin_handle, ret = acl.rt.binary_load(binary)

    Parameters, by position only:
        binary: an int: an address, a handle or a size

    Returns bin_handle, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.binary_load args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtBinaryLoad:

        aclError aclrtBinaryLoad(const aclrtBinary binary, aclrtBinHandle* binHandle);
        In Python: binHandle, ret = aclrtBinaryLoad(binary)

        Load what aclrtCreateBinary described. Codes: 100000 NULL, 107000 length 0 or no kernels.
    """

def binary_unload(bin_handle: int, /) -> int:
    """ret = acl.rt.binary_unload(bin_handle)

    Parameters, by position only:
        bin_handle: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.binary_unload args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtBinaryUnLoad:

        aclError aclrtBinaryUnLoad(aclrtBinHandle binHandle);
        In Python: ret = aclrtBinaryUnLoad(binHandle)

        Unload; its functions are dead. Codes: 100000 NULL, 107017 twice or another kind.
    """

def binary_get_function(bin_handle: int, kernel_name: str, /) -> tuple[int, int]:
    """func_handle, ret = acl.rt.binary_get_function(bin_handle, kernel_name)

    Parameters, by position only:
        bin_handle: an int: an address, a handle or a size
        kernel_name: a str

    Returns func_handle, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.binary_get_function args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtBinaryGetFunction:

        aclError aclrtBinaryGetFunction(const aclrtBinHandle binHandle, const char* kernelName, aclrtFuncHandle* funcHandle);
        In Python: funcHandle, ret = aclrtBinaryGetFunction(binHandle, kernelName)

        The function of this name. Codes: 100000 NULL, 107017, 107000 unknown: the handle is NULL.
    """

def launch_kernel(func_handle: int, num_blocks: int, args_data: int, args_size: int, stream: int, /) -> int:
    """ret = acl.rt.launch_kernel(func_handle, num_blocks, args_data, args_size, stream)

    Parameters, by position only:
        func_handle: an int: an address, a handle or a size
        num_blocks: an int of 32 bits, unsigned
        args_data: an int: an address, a handle or a size
        args_size: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.launch_kernel args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtLaunchKernel:

        aclError aclrtLaunchKernel(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void* argsData, size_t argsSize, aclrtStream stream);
        In Python: ret = aclrtLaunchKernel(funcHandle, numBlocks, argsData, argsSize, stream)

        Launch with an argument block in device memory, read when the task runs.

        Codes: 100000 NULL function or args, 107017, 107000 no blocks, then no bytes; 107002, 107003.
    """

def kernel_args_init(func_handle: int, /) -> tuple[int, int]:
    """args_handle, ret = acl.rt.kernel_args_init(func_handle)

    Parameters, by position only:
        func_handle: an int: an address, a handle or a size

    Returns args_handle, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.kernel_args_init args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtKernelArgsInit:

        aclError aclrtKernelArgsInit(aclrtFuncHandle funcHandle, aclrtArgsHandle* argsHandle);
        In Python: argsHandle, ret = aclrtKernelArgsInit(funcHandle)

        This thread's args handle, reset for *function*. Codes: 100000 NULL, 107017.
    """

def kernel_args_init_by_user_mem(func_handle: int, args_handle: int, user_host_mem: int, actual_args_size: int, /) -> int:
    """ret = acl.rt.kernel_args_init_by_user_mem(func_handle, args_handle, user_host_mem, actual_args_size)

    Parameters, by position only:
        func_handle: an int: an address, a handle or a size
        args_handle: an int: an address, a handle or a size
        user_host_mem: an int: an address, a handle or a size
        actual_args_size: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.kernel_args_init_by_user_mem args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtKernelArgsInitByUserMem:

        aclError aclrtKernelArgsInitByUserMem(aclrtFuncHandle funcHandle, aclrtArgsHandle argsHandle, void* userHostMem, size_t actualArgsSize);
        In Python: ret = aclrtKernelArgsInitByUserMem(funcHandle, argsHandle, userHostMem, actualArgsSize)

        An args handle in the caller's memory. Codes: 100000 NULL or size 0, 107017.

        The bytes at *argsHandle* are the caller's; the simulator keeps the state of the handle beside them.
    """

def kernel_args_get_mem_size(func_handle: int, user_args_size: int, /) -> tuple[int, int]:
    """actual_args_size, ret = acl.rt.kernel_args_get_mem_size(func_handle, user_args_size)

    Parameters, by position only:
        func_handle: an int: an address, a handle or a size
        user_args_size: an int: an address, a handle or a size

    Returns actual_args_size, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.kernel_args_get_mem_size args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtKernelArgsGetMemSize:

        aclError aclrtKernelArgsGetMemSize(aclrtFuncHandle funcHandle, size_t userArgsSize, size_t* actualArgsSize);
        In Python: actualArgsSize, ret = aclrtKernelArgsGetMemSize(funcHandle, userArgsSize)

        Host bytes for *size* bytes of arguments. Codes: 100000 NULL, 107017.
    """

def kernel_args_get_handle_mem_size(func_handle: int, /) -> tuple[int, int]:
    """mem_size, ret = acl.rt.kernel_args_get_handle_mem_size(func_handle)

    Parameters, by position only:
        func_handle: an int: an address, a handle or a size

    Returns mem_size, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.kernel_args_get_handle_mem_size args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtKernelArgsGetHandleMemSize:

        aclError aclrtKernelArgsGetHandleMemSize(aclrtFuncHandle funcHandle, size_t* memSize);
        In Python: memSize, ret = aclrtKernelArgsGetHandleMemSize(funcHandle)

        Host bytes for the handle itself. Codes: 100000 NULL, 107017.
    """

def kernel_args_append(args_handle: int, param_ptr: int, param_size: int, /) -> tuple[int, int]:
    """param_handle, ret = acl.rt.kernel_args_append(args_handle, param_ptr, param_size)

    Parameters, by position only:
        args_handle: an int: an address, a handle or a size
        param_ptr: an int: an address, a handle or a size
        param_size: an int: an address, a handle or a size

    Returns param_handle, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.kernel_args_append args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtKernelArgsAppend:

        aclError aclrtKernelArgsAppend(aclrtArgsHandle argsHandle, void* param, size_t paramSize, aclrtParamHandle* paramHandle);
        In Python: paramHandle, ret = aclrtKernelArgsAppend(argsHandle, param, paramSize)

        Copy a parameter's value in. Codes: 100000 NULL or 0, 107017, 207000 too late, 107000 full.
    """

def kernel_args_append_place_holder(args_handle: int, /) -> tuple[int, int]:
    """param_handle, ret = acl.rt.kernel_args_append_place_holder(args_handle)

    Parameters, by position only:
        args_handle: an int: an address, a handle or a size

    Returns param_handle, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.kernel_args_append_place_holder args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtKernelArgsAppendPlaceHolder:

        aclError aclrtKernelArgsAppendPlaceHolder(aclrtArgsHandle argsHandle, aclrtParamHandle* paramHandle);
        In Python: paramHandle, ret = aclrtKernelArgsAppendPlaceHolder(argsHandle)

        Add a slot for a device address. Codes: 100000, 107017, 207000 too late, 107000 full.
    """

def kernel_args_get_place_holder_buffer(args_handle: int, param_handle: int, data_size: int, /) -> tuple[int, int]:
    """buffer_addr, ret = acl.rt.kernel_args_get_place_holder_buffer(args_handle, param_handle, data_size)

    Parameters, by position only:
        args_handle: an int: an address, a handle or a size
        param_handle: an int: an address, a handle or a size
        data_size: an int: an address, a handle or a size

    Returns buffer_addr, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.kernel_args_get_place_holder_buffer args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtKernelArgsGetPlaceHolderBuffer:

        aclError aclrtKernelArgsGetPlaceHolderBuffer(aclrtArgsHandle argsHandle, aclrtParamHandle paramHandle, size_t dataSize, void** bufferAddr);
        In Python: bufferAddr, ret = aclrtKernelArgsGetPlaceHolderBuffer(argsHandle, paramHandle, dataSize)

        Where to write the data of a place holder (host). Codes: 100000, 107017, 107000, 207000.
    """

def kernel_args_para_update(args_handle: int, param_handle: int, param_ptr: int, param_size: int, /) -> int:
    """ret = acl.rt.kernel_args_para_update(args_handle, param_handle, param_ptr, param_size)

    Parameters, by position only:
        args_handle: an int: an address, a handle or a size
        param_handle: an int: an address, a handle or a size
        param_ptr: an int: an address, a handle or a size
        param_size: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.kernel_args_para_update args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtKernelArgsParaUpdate:

        aclError aclrtKernelArgsParaUpdate(aclrtArgsHandle argsHandle, aclrtParamHandle paramHandle, void* param, size_t paramSize);
        In Python: ret = aclrtKernelArgsParaUpdate(argsHandle, paramHandle, param, paramSize)

        Replace a parameter's value; finalise again before the next launch. Codes: 100000, 107017, 107000.
    """

def kernel_args_finalize(args_handle: int, /) -> int:
    """ret = acl.rt.kernel_args_finalize(args_handle)

    Parameters, by position only:
        args_handle: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.kernel_args_finalize args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtKernelArgsFinalize:

        aclError aclrtKernelArgsFinalize(aclrtArgsHandle argsHandle);
        In Python: ret = aclrtKernelArgsFinalize(argsHandle)

        Make it ready to launch. Codes: 100000 NULL, 107017, 107002 no context.
    """

def launch_kernel_with_config(func_handle: int, num_blocks: int, stream: int, cfg: Any, args_handle: int, reserve: int, /) -> int:
    """ret = acl.rt.launch_kernel_with_config(func_handle, num_blocks, stream, cfg, args_handle, reserve)

    Parameters, by position only:
        func_handle: an int: an address, a handle or a size
        num_blocks: an int of 32 bits, unsigned
        stream: an int: an address, a handle or a size
        cfg: an object
        args_handle: an int: an address, a handle or a size
        reserve: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.launch_kernel_with_config args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtLaunchKernelWithConfig:

        aclError aclrtLaunchKernelWithConfig(aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream, aclrtLaunchKernelCfg* cfg, aclrtArgsHandle argsHandle, void* reserve);
        In Python: ret = aclrtLaunchKernelWithConfig(funcHandle, numBlocks, stream, cfg, argsHandle, reserve)

        Launch with an args handle; its bytes are copied now.

        Codes: 100000 NULL function, no blocks, NULL args or reserve given; 107017, 107000 attributes, handle not finalised;
        107002, 107003.
    """

def launch_kernel_with_host_args(func_handle: int, num_blocks: int, stream: int, cfg: Any, host_args_ptr: int, host_args_size: int, place_holder_list: Any, place_holder_num: int, /) -> int:
    """ret = acl.rt.launch_kernel_with_host_args(func_handle, num_blocks, stream, cfg, host_args_ptr, host_args_size, place_holder_list, place_holder_num)

    Parameters, by position only:
        func_handle: an int: an address, a handle or a size
        num_blocks: an int of 32 bits, unsigned
        stream: an int: an address, a handle or a size
        cfg: an object
        host_args_ptr: an int: an address, a handle or a size
        host_args_size: an int: an address, a handle or a size
        place_holder_list: an object
        place_holder_num: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.launch_kernel_with_host_args args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtLaunchKernelWithHostArgs:

        aclError aclrtLaunchKernelWithHostArgs(aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream, aclrtLaunchKernelCfg* cfg, void* hostArgs, size_t argsSize, aclrtPlaceHolderInfo* placeHolderArray, size_t placeHolderNum);
        In Python: ret = aclrtLaunchKernelWithHostArgs(funcHandle, numBlocks, stream, cfg, hostArgs, argsSize, placeHolderArray, placeHolderNum)

        Launch with an argument block in host memory, copied now; place holders get device addresses.

        Codes: 100000 NULL function or args, 107017, 107000 no bytes, no blocks, place holders NULL or outside, attributes;
        107002, 107003.
    """

def set_device(device_id: int, /) -> int:
    """ret = acl.rt.set_device(device_id)

    Parameters, by position only:
        device_id: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.set_device args parse failed') for arguments of another number or type.

    Calls aclrtSetDevice:

        aclError aclrtSetDevice(int32_t deviceId);
        In Python: ret = aclrtSetDevice(deviceId)

        Bind this thread to the device's primary context; counts.

        Codes: 107001 bad id, 507033 the device cannot come up (a stack limit too large), 207008 no stream left.
    """

def reset_device(device_id: int, /) -> int:
    """ret = acl.rt.reset_device(device_id)

    Parameters, by position only:
        device_id: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.reset_device args parse failed') for arguments of another number or type.

    Calls aclrtResetDevice:

        aclError aclrtResetDevice(int32_t deviceId);
        In Python: ret = aclrtResetDevice(deviceId)

        Count down; at zero the primary context goes down. Codes: 107001 bad id, 507007 not set.
    """

def reset_device_force(device_id: int, /) -> int:
    """ret = acl.rt.reset_device_force(device_id)

    Parameters, by position only:
        device_id: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.reset_device_force args parse failed') for arguments of another number or type.

    Calls aclrtResetDeviceForce:

        aclError aclrtResetDeviceForce(int32_t deviceId);
        In Python: ret = aclrtResetDeviceForce(deviceId)

        As aclrtResetDevice, whatever the count. Codes: 107001, 507007 (not the thread's last error).
    """

def get_device() -> tuple[int, int]:
    """device_id, ret = acl.rt.get_device()

    Returns device_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_device args parse failed') for arguments of another number or type.

    Calls aclrtGetDevice:

        aclError aclrtGetDevice(int32_t* deviceId);
        In Python: deviceId, ret = aclrtGetDevice()

        The device of the current context. Codes: 107002 none and no default device.

        Returns, before the code:
            deviceId (int32_t)
            When the call fails: 0 for handles and addresses, else None.

        Page: 04 device management.
    """

def set_device_sat_mode(mode: int, /) -> int:
    """ret = acl.rt.set_device_sat_mode(mode)

    Parameters, by position only:
        mode: one of
            ACL_RT_OVERFLOW_MODE_SATURATION = 0
            ACL_RT_OVERFLOW_MODE_INFNAN = 1
            ACL_RT_OVERFLOW_MODE_UNDEF = 2

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.set_device_sat_mode args parse failed') for arguments of another number or type.

    Calls aclrtSetDeviceSatMode:

        aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode);
        In Python: ret = aclrtSetDeviceSatMode(mode)

        0 saturation, 1 Inf/NaN, for the process; streams keep the mode that they were made with. Needs no context.

        Codes: 107000 other modes, 207000 a mode that the chip lacks (950: only 1; 200I, INF, TRN: only 0).
    """

def get_device_sat_mode() -> tuple[int, int]:
    """mode, ret = acl.rt.get_device_sat_mode()

    Returns mode, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_device_sat_mode args parse failed') for arguments of another number or type.

    Calls aclrtGetDeviceSatMode:

        aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode* mode);
        In Python: mode, ret = aclrtGetDeviceSatMode()

        The mode set last, else the chip's own: 1 on 950, A3 and A2, 0 elsewhere. Never fails.

        Returns, before the code:
            mode (aclrtFloatOverflowMode)
            When the call fails: 0 for handles and addresses, else None.

        Page: 04 device management. Not on: IPV350.
    """

def get_run_mode() -> tuple[int, int]:
    """run_mode, ret = acl.rt.get_run_mode()

    Returns run_mode, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_run_mode args parse failed') for arguments of another number or type.

    Calls aclrtGetRunMode:

        aclError aclrtGetRunMode(aclrtRunMode* runMode);
        In Python: runMode, ret = aclrtGetRunMode()

        ACL_HOST: programs run on the host of a card; ACL_DEVICE by the switch ``run_mode``. Never fails.

        Returns, before the code:
            runMode (aclrtRunMode)
            When the call fails: 0 for handles and addresses, else None.

        Page: 04 device management.
    """

def set_ts_device(ts_id: int, /) -> int:
    """ret = acl.rt.set_ts_device(ts_id)

    Parameters, by position only:
        ts_id: one of
            ACL_TS_ID_AICORE = 0
            ACL_TS_ID_AIVECTOR = 1
            ACL_TS_ID_RESERVED = 2

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.set_ts_device args parse failed') for arguments of another number or type.

    Calls aclrtSetTsDevice:

        aclError aclrtSetTsDevice(aclrtTsId tsId);
        In Python: ret = aclrtSetTsDevice(tsId)

        Choose the task scheduler: 0 AI core, 1 vector core. No effect: the chips here have one. Codes: 100000 others.
    """

def get_device_count() -> tuple[int, int]:
    """count, ret = acl.rt.get_device_count()

    Returns count, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_device_count args parse failed') for arguments of another number or type.

    Calls aclrtGetDeviceCount:

        aclError aclrtGetDeviceCount(uint32_t* count);
        In Python: count, ret = aclrtGetDeviceCount()

        How many devices the process sees. Codes: 207004 none.

        Returns, before the code:
            count (uint32_t)
            When the call fails: 0 for handles and addresses, else None.

        Page: 04 device management.
    """

def create_context(device_id: int, /) -> tuple[int, int]:
    """context, ret = acl.rt.create_context(device_id)

    Parameters, by position only:
        device_id: an int of 32 bits

    Returns context, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.create_context args parse failed') for arguments of another number or type.

    Calls aclrtCreateContext:

        aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId);
        In Python: context, ret = aclrtCreateContext(deviceId)

        A new context, current in this thread. Codes: 107001 bad device, 207008 no stream left.
    """

def destroy_context(context: int, /) -> int:
    """ret = acl.rt.destroy_context(context)

    Parameters, by position only:
        context: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.destroy_context args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtDestroyContext:

        aclError aclrtDestroyContext(aclrtContext context);
        In Python: ret = aclrtDestroyContext(context)

        Destroy an explicit context; pending tasks of its streams are dropped.

        Codes: 100000 NULL, 107002 unknown, destroyed, or a primary context, 507007 destroyed while another thread still
        has it current.
    """

def set_context(context: int, /) -> int:
    """ret = acl.rt.set_context(context)

    Parameters, by position only:
        context: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.set_context args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtSetCurrentContext:

        aclError aclrtSetCurrentContext(aclrtContext context);
        In Python: ret = aclrtSetCurrentContext(context)

        Make a context current in this thread. Codes: 100000 NULL, 107000 destroyed or unknown.
    """

def get_context() -> tuple[int, int]:
    """context, ret = acl.rt.get_context()

    Returns context, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_context args parse failed') for arguments of another number or type.

    Calls aclrtGetCurrentContext:

        aclError aclrtGetCurrentContext(aclrtContext* context);
        In Python: context, ret = aclrtGetCurrentContext()

        The current context. Codes: 107002 none, also with a default device configured.

        Returns, before the code:
            context (aclrtContext)
            When the call fails: 0 for handles and addresses, else None.

        Page: 05 context management.
    """

def ctx_get_current_default_stream() -> tuple[int, int]:
    """stream, ret = acl.rt.ctx_get_current_default_stream()

    Returns stream, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.ctx_get_current_default_stream args parse failed') for arguments of another number or type.

    Calls aclrtCtxGetCurrentDefaultStream:

        aclError aclrtCtxGetCurrentDefaultStream(aclrtStream* stream);
        In Python: stream, ret = aclrtCtxGetCurrentDefaultStream()

        The default stream of the current context as a real handle. Codes: 107002 no context.

        Returns, before the code:
            stream (aclrtStream)
            When the call fails: 0 for handles and addresses, else None.

        Page: 05 context management. Not on: IPV350.
    """

def get_overflow_status(output_addr: int, output_size: int, stream: int, /) -> int:
    """ret = acl.rt.get_overflow_status(output_addr, output_size, stream)

    Parameters, by position only:
        output_addr: an int: an address, a handle or a size
        output_size: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.get_overflow_status args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclrtGetOverflowStatus:

        aclError aclrtGetOverflowStatus(void* outputAddr, size_t outputSize, aclrtStream stream);
        In Python: ret = aclrtGetOverflowStatus(outputAddr, outputSize, stream)

        Queue a query: 64 bytes at device address *output* get the status of all streams of the device.

        The first 32-bit word is 1 after an overflow (the other words are 0). Codes: 100000 NULL, 107017 dead stream, 107000
        another size, 107002, 107003.
    """

def reset_overflow_status(stream: int, /) -> int:
    """ret = acl.rt.reset_overflow_status(stream)

    Parameters, by position only:
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.reset_overflow_status args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclrtResetOverflowStatus:

        aclError aclrtResetOverflowStatus(aclrtStream stream);
        In Python: ret = aclrtResetOverflowStatus(stream)

        Queue a reset of the status of all streams of the device. Codes: 107017, 107002, 107003.
    """

def malloc(size: int, policy: int, /) -> tuple[int, int]:
    """dev_ptr, ret = acl.rt.malloc(size, policy)

    Parameters, by position only:
        size: an int: an address, a handle or a size
        policy: one of
            ACL_MEM_MALLOC_HUGE_FIRST = 0
            ACL_MEM_MALLOC_HUGE_ONLY = 1
            ACL_MEM_MALLOC_NORMAL_ONLY = 2
            ACL_MEM_MALLOC_HUGE_FIRST_P2P = 3
            ACL_MEM_MALLOC_HUGE_ONLY_P2P = 4
            ACL_MEM_MALLOC_NORMAL_ONLY_P2P = 5
            ACL_MEM_MALLOC_HUGE1G_ONLY = 6
            ACL_MEM_MALLOC_HUGE1G_ONLY_P2P = 7
            ACL_MEM_TYPE_LOW_BAND_WIDTH = 256
            ACL_MEM_TYPE_HIGH_BAND_WIDTH = 4096
            ...

    Returns dev_ptr, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.malloc args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtMalloc:

        aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy policy);
        In Python: devPtr, ret = aclrtMalloc(size, policy)

        *size* bytes of device memory, 512-byte aligned, not initialised; waits for nothing.

        The size is rounded to 32 bytes, plus 32 on all products but 950 (and not for 1 GiB pages). Unknown policies act as
        HUGE_FIRST. Codes: 100000 size 0 or too large to round, 107002 no context, 207000 no 1 GiB pages, 207001 no room.
    """

def free(dev_ptr: int, /) -> int:
    """ret = acl.rt.free(dev_ptr)

    Parameters, by position only:
        dev_ptr: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.free args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtFree:

        aclError aclrtFree(void* devPtr);
        In Python: ret = aclrtFree(devPtr)

        Free a block at once, whoever still uses it; needs no context. Page-locked host blocks are taken, too.

        Codes: 100000 NULL; 107000 freed before, inside a block, or never allocated.
    """

def get_mem_info(attr: int, /) -> tuple[int, int, int]:
    """free, total, ret = acl.rt.get_mem_info(attr)

    Parameters, by position only:
        attr: one of
            ACL_DDR_MEM = 0
            ACL_HBM_MEM = 1
            ACL_DDR_MEM_HUGE = 2
            ACL_DDR_MEM_NORMAL = 3
            ACL_HBM_MEM_HUGE = 4
            ACL_HBM_MEM_NORMAL = 5
            ACL_DDR_MEM_P2P_HUGE = 6
            ACL_DDR_MEM_P2P_NORMAL = 7
            ACL_HBM_MEM_P2P_HUGE = 8
            ACL_HBM_MEM_P2P_NORMAL = 9
            ...

    Returns free, total, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_mem_info args parse failed') for arguments of another number or type.

    Calls aclrtGetMemInfo:

        aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total);
        In Python: free, total, ret = aclrtGetMemInfo(attr)

        (free, total) bytes of the current device for a memory kind; (0, 0) for a kind that the chip lacks.

        Codes: 107016 no such attribute, 107002.
    """

def malloc_cached(size: int, policy: int, /) -> tuple[int, int]:
    """dev_ptr, ret = acl.rt.malloc_cached(size, policy)

    Parameters, by position only:
        size: an int: an address, a handle or a size
        policy: one of
            ACL_MEM_MALLOC_HUGE_FIRST = 0
            ACL_MEM_MALLOC_HUGE_ONLY = 1
            ACL_MEM_MALLOC_NORMAL_ONLY = 2
            ACL_MEM_MALLOC_HUGE_FIRST_P2P = 3
            ACL_MEM_MALLOC_HUGE_ONLY_P2P = 4
            ACL_MEM_MALLOC_NORMAL_ONLY_P2P = 5
            ACL_MEM_MALLOC_HUGE1G_ONLY = 6
            ACL_MEM_MALLOC_HUGE1G_ONLY_P2P = 7
            ACL_MEM_TYPE_LOW_BAND_WIDTH = 256
            ACL_MEM_TYPE_HIGH_BAND_WIDTH = 4096
            ...

    Returns dev_ptr, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.malloc_cached args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtMallocCached:

        aclError aclrtMallocCached(void** devPtr, size_t size, aclrtMemMallocPolicy policy);
        In Python: devPtr, ret = aclrtMallocCached(size, policy)

        Cacheable device memory. Codes as aclrtMalloc; 107000 above 2^50 bytes, 207000 for policies but NORMAL_ONLY.
    """

def mem_flush(dev_ptr: int, size: int, /) -> int:
    """ret = acl.rt.mem_flush(dev_ptr, size)

    Parameters, by position only:
        dev_ptr: an int: an address, a handle or a size
        size: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.mem_flush args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtMemFlush:

        aclError aclrtMemFlush(void* devPtr, size_t size);
        In Python: ret = aclrtMemFlush(devPtr, size)

        Write cached lines back: nothing to do here. Codes: 100000 NULL or 0, 107002, 107000 no device memory.
    """

def mem_invalidate(dev_ptr: int, size: int, /) -> int:
    """ret = acl.rt.mem_invalidate(dev_ptr, size)

    Parameters, by position only:
        dev_ptr: an int: an address, a handle or a size
        size: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.mem_invalidate args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtMemInvalidate:

        aclError aclrtMemInvalidate(void* devPtr, size_t size);
        In Python: ret = aclrtMemInvalidate(devPtr, size)

        Drop cached lines: nothing to do here. Codes: 100000 NULL or 0, 107002, 107000 no device memory.
    """

def malloc_host(size: int, /) -> tuple[int, int]:
    """host_ptr, ret = acl.rt.malloc_host(size)

    Parameters, by position only:
        size: an int: an address, a handle or a size

    Returns host_ptr, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.malloc_host args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtMallocHost:

        aclError aclrtMallocHost(void** hostPtr, size_t size);
        In Python: hostPtr, ret = aclrtMallocHost(size)

        *size* bytes of page-locked host memory at a true address, 64-byte aligned.

        Codes: 100000 size 0, 107002, 207001 no room.
    """

def free_host(host_ptr: int, /) -> int:
    """ret = acl.rt.free_host(host_ptr)

    Parameters, by position only:
        host_ptr: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.free_host args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtFreeHost:

        aclError aclrtFreeHost(void* hostPtr);
        In Python: ret = aclrtFreeHost(hostPtr)

        Free a page-locked block at once, whoever still uses it.

        Codes: 100000 NULL; 107000 device or managed memory, freed before, or not from aclrtMallocHost.
    """

def memcpy(dst: int, dest_max: int, src: int, count: int, kind: int, /) -> int:
    """ret = acl.rt.memcpy(dst, dest_max, src, count, kind)

    Parameters, by position only:
        dst: an int: an address, a handle or a size
        dest_max: an int: an address, a handle or a size
        src: an int: an address, a handle or a size
        count: an int: an address, a handle or a size
        kind: one of
            ACL_MEMCPY_HOST_TO_HOST = 0
            ACL_MEMCPY_HOST_TO_DEVICE = 1
            ACL_MEMCPY_DEVICE_TO_HOST = 2
            ACL_MEMCPY_DEVICE_TO_DEVICE = 3
            ACL_MEMCPY_DEFAULT = 4
            ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE = 5
            ACL_MEMCPY_INNER_DEVICE_TO_DEVICE = 6
            ACL_MEMCPY_INTER_DEVICE_TO_DEVICE = 7

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.memcpy args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtMemcpy:

        aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind);
        In Python: ret = aclrtMemcpy(dst, destMax, src, count, kind)

        Copy at once; ordered with no stream. The direction comes from the addresses, *kind* is only tested.

        Codes: count 0 is 0 before all else; 100000 NULL or bad kind, 107000 count above destMax or a range that cannot be
        used, 107002.
    """

def memcpy_async(dst: int, dest_max: int, src: int, count: int, kind: int, stream: int, /) -> int:
    """ret = acl.rt.memcpy_async(dst, dest_max, src, count, kind, stream)

    Parameters, by position only:
        dst: an int: an address, a handle or a size
        dest_max: an int: an address, a handle or a size
        src: an int: an address, a handle or a size
        count: an int: an address, a handle or a size
        kind: one of
            ACL_MEMCPY_HOST_TO_HOST = 0
            ACL_MEMCPY_HOST_TO_DEVICE = 1
            ACL_MEMCPY_DEVICE_TO_HOST = 2
            ACL_MEMCPY_DEVICE_TO_DEVICE = 3
            ACL_MEMCPY_DEFAULT = 4
            ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE = 5
            ACL_MEMCPY_INNER_DEVICE_TO_DEVICE = 6
            ACL_MEMCPY_INTER_DEVICE_TO_DEVICE = 7
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.memcpy_async args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtMemcpyAsync:

        aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind, aclrtStream stream);
        In Python: ret = aclrtMemcpyAsync(dst, destMax, src, count, kind, stream)

        Queue a copy on *stream* (NULL: default). Its source is read when it runs.

        With host memory that is not page-locked it waits for the stream and copies before it returns. Codes: count 0 is 0;
        100000 NULL or bad kind, 107017 dead stream, 107000 count above destMax or a kind that the places forbid, 107002,
        507899 freed memory, 207000 host to host, 107003 a stream of another context (queued copies).
    """

def memset(ptr: int, max_count: int, value: int, count: int, /) -> int:
    """ret = acl.rt.memset(ptr, max_count, value, count)

    Parameters, by position only:
        ptr: an int: an address, a handle or a size
        max_count: an int: an address, a handle or a size
        value: an int of 32 bits
        count: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.memset args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtMemset:

        aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count);
        In Python: ret = aclrtMemset(devPtr, maxCount, value, count)

        Set bytes at once; only the low byte of *value* counts.

        Codes: count 0 is 0; 100000 NULL, 107002, 107000 count above maxCount or a bad range.
    """

def memset_async(ptr: int, max_count: int, value: int, count: int, stream: int, /) -> int:
    """ret = acl.rt.memset_async(ptr, max_count, value, count, stream)

    Parameters, by position only:
        ptr: an int: an address, a handle or a size
        max_count: an int: an address, a handle or a size
        value: an int of 32 bits
        count: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.memset_async args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtMemsetAsync:

        aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count, aclrtStream stream);
        In Python: ret = aclrtMemsetAsync(devPtr, maxCount, value, count, stream)

        Queue a set of device memory; host memory is set at once, before earlier tasks of the stream.

        Codes: count 0 is 0; 100000 NULL, 107017, 107000 count above maxCount, 107002, 107003, 507899.
    """

def create_stream() -> tuple[int, int]:
    """stream, ret = acl.rt.create_stream()

    Returns stream, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.create_stream args parse failed') for arguments of another number or type.

    Calls aclrtCreateStream:

        aclError aclrtCreateStream(aclrtStream* stream);
        In Python: stream, ret = aclrtCreateStream()

        A stream of the current context. Codes: 107002 no context, 207008 no stream left.

        Returns, before the code:
            stream (aclrtStream)
            When the call fails: 0 for handles and addresses, else None.

        Page: 06 stream management. Not on: IPV350.
    """

def create_stream_with_config(priority: int, flag: int, /) -> tuple[int, int]:
    """stream, ret = acl.rt.create_stream_with_config(priority, flag)

    Parameters, by position only:
        priority: an int of 32 bits
        flag: an int of 32 bits

    Returns stream, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.create_stream_with_config args parse failed') for arguments of another number or type.

    Calls aclrtCreateStreamWithConfig:

        aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag);
        In Python: stream, ret = aclrtCreateStreamWithConfig(priority, flag)

        A stream with a priority (0 greatest; clamped to 0..7) and flags; unknown bits are ignored.

        Codes: 107000 DEVICE_USE_ONLY with another flag, 207000 a flag that the chip lacks, 107002, 207008.
    """

def destroy_stream(stream: int, /) -> int:
    """ret = acl.rt.destroy_stream(stream)

    Parameters, by position only:
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.destroy_stream args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtDestroyStream:

        aclError aclrtDestroyStream(aclrtStream stream);
        In Python: ret = aclrtDestroyStream(stream)

        Wait for the queue, then destroy; failures of its tasks are not returned.

        Codes: 100000 NULL, 107017 dead, 107027 captured, 107002 no context, 107003 of another context, 107005 bound to a
        model.
    """

def destroy_stream_force(stream: int, /) -> int:
    """ret = acl.rt.destroy_stream_force(stream)

    Parameters, by position only:
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.destroy_stream_force args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtDestroyStreamForce:

        aclError aclrtDestroyStreamForce(aclrtStream stream);
        In Python: ret = aclrtDestroyStreamForce(stream)

        Destroy without waiting: what is queued is dropped. Codes as aclrtDestroyStream.
    """

def set_stream_overflow_switch(stream: int, flag: int, /) -> int:
    """ret = acl.rt.set_stream_overflow_switch(stream, flag)

    Parameters, by position only:
        stream: an int: an address, a handle or a size
        flag: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.set_stream_overflow_switch args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtSetStreamOverflowSwitch:

        aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag);
        In Python: ret = aclrtSetStreamOverflowSwitch(stream, flag)

        Overflow detection of later tasks: 0 off, 1 on. Without effect on products that lack it.

        Codes: 100000 other values, 107017, 107002, 107003.
    """

def get_stream_overflow_switch(stream: int, /) -> tuple[int, int]:
    """flag, ret = acl.rt.get_stream_overflow_switch(stream)

    Parameters, by position only:
        stream: an int: an address, a handle or a size

    Returns flag, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_stream_overflow_switch args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtGetStreamOverflowSwitch:

        aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t* flag);
        In Python: flag, ret = aclrtGetStreamOverflowSwitch(stream)

        Whether overflow detection is on. Codes: 107017, 107002, 107003.
    """

def set_stream_failure_mode(stream: int, mode: int, /) -> int:
    """ret = acl.rt.set_stream_failure_mode(stream, mode)

    Parameters, by position only:
        stream: an int: an address, a handle or a size
        mode: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.set_stream_failure_mode args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclrtSetStreamFailureMode:

        aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode);
        In Python: ret = aclrtSetStreamFailureMode(stream, mode)

        Continue (0) or stop (1) on failure; stop holds for the whole context. Only bit 0 of *mode* counts.

        Codes: 107017, 107000 NULL without a default stream, 207000 DEVICE_USE_ONLY, bound to a model, or back from stop
        to continue, 107002, 107003.
    """

def stream_query(stream: int, /) -> tuple[int, int]:
    """status, ret = acl.rt.stream_query(stream)

    Parameters, by position only:
        stream: an int: an address, a handle or a size

    Returns status, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.stream_query args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclrtStreamQuery:

        aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status);
        In Python: status, ret = aclrtStreamQuery(stream)

        COMPLETE 0 or NOT_READY 1; at once COMPLETE for a stream that a synchronise does not wait for.

        Codes: 107017, 107027 captured, 107002, the first failure in stop mode.
    """

def create_event() -> tuple[int, int]:
    """event, ret = acl.rt.create_event()

    Returns event, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.create_event args parse failed') for arguments of another number or type.

    Calls aclrtCreateEvent:

        aclError aclrtCreateEvent(aclrtEvent* event);
        In Python: event, ret = aclrtCreateEvent()

        An event that takes a hardware id at each record. Codes: 107002 no context.

        Returns, before the code:
            event (aclrtEvent)
            When the call fails: 0 for handles and addresses, else None.

        Page: 07 event management. Not on: IPV350.
    """

def create_event_with_flag(flag: int, /) -> tuple[int, int]:
    """event, ret = acl.rt.create_event_with_flag(flag)

    Parameters, by position only:
        flag: an int of 32 bits, unsigned

    Returns event, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.create_event_with_flag args parse failed') for arguments of another number or type.

    Calls aclrtCreateEventWithFlag:

        aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag);
        In Python: event, ret = aclrtCreateEventWithFlag(flag)

        An event with a hardware flag of its own when SYNC is among *flag*.

        Codes: 107000 zero, unknown bits, or a flag that must stand alone; 207000 the firmware lacks it; 207007 no hardware
        event left; 107002.
    """

def create_event_ex_with_flag(flag: int, /) -> tuple[int, int]:
    """event, ret = acl.rt.create_event_ex_with_flag(flag)

    Parameters, by position only:
        flag: an int of 32 bits, unsigned

    Returns event, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.create_event_ex_with_flag args parse failed') for arguments of another number or type.

    Calls aclrtCreateEventExWithFlag:

        aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag);
        In Python: event, ret = aclrtCreateEventExWithFlag(flag)

        An event whose waits are bound to the record that is current when they are queued.

        Codes: 107000 no known ability, too large, or a flag that must stand alone; 207000 no IPC events; 107002.
    """

def destroy_event(event: int, /) -> int:
    """ret = acl.rt.destroy_event(event)

    Parameters, by position only:
        event: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.destroy_event args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtDestroyEvent:

        aclError aclrtDestroyEvent(aclrtEvent event);
        In Python: ret = aclrtDestroyEvent(event)

        Destroy; returns at once, outstanding tasks go on. Codes: 100000 NULL, 107017 dead.
    """

def synchronize_stream(stream: int, /) -> int:
    """ret = acl.rt.synchronize_stream(stream)

    Parameters, by position only:
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.synchronize_stream args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtSynchronizeStream:

        aclError aclrtSynchronizeStream(aclrtStream stream);
        In Python: ret = aclrtSynchronizeStream(stream)

        Wait until everything queued is done. Codes: a task's failure (once), 107017, 107027, 107002, 107023.
    """

def synchronize_stream_with_timeout(stream: int, timeout_ms: int, /) -> int:
    """ret = acl.rt.synchronize_stream_with_timeout(stream, timeout_ms)

    Parameters, by position only:
        stream: an int: an address, a handle or a size
        timeout_ms: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.synchronize_stream_with_timeout args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtSynchronizeStreamWithTimeout:

        aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout);
        In Python: ret = aclrtSynchronizeStreamWithTimeout(stream, timeout)

        Wait as aclrtSynchronizeStream, at most *timeout* ms; -1: no limit.

        Codes: 107000 bad limit, 507046 not done in time.
    """

def process_report(timeout_ms: int, /) -> int:
    """ret = acl.rt.process_report(timeout_ms)

    Parameters, by position only:
        timeout_ms: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.process_report args parse failed') for arguments of another number or type.

    Calls aclrtProcessReport:

        aclError aclrtProcessReport(int32_t timeout);
        In Python: ret = aclrtProcessReport(timeout)

        Run the callbacks reported to this thread; wait up to *timeout* ms (-1: for ever) for the first.

        Codes: 100000 for 0 or below -1, 107012 the thread serves nothing, 507012 nothing came.
    """

def subscribe_report(thread_id: int, stream: int, /) -> int:
    """ret = acl.rt.subscribe_report(thread_id, stream)

    Parameters, by position only:
        thread_id: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.subscribe_report args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtSubscribeReport:

        aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream);
        In Python: ret = aclrtSubscribeReport(threadId, stream)

        Let thread *thread_id* serve the callbacks of *stream* (NULL: the default stream).

        Codes: 107017, 107002, 107011 served already, 107012 serves another device, 507000 too many threads.
    """

def unsubscribe_report(thread_id: int, stream: int, /) -> int:
    """ret = acl.rt.unsubscribe_report(thread_id, stream)

    Parameters, by position only:
        thread_id: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.unsubscribe_report args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtUnSubscribeReport:

        aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream);
        In Python: ret = aclrtUnSubscribeReport(threadId, stream)

        Undo it. Codes: 107017, 107011 not subscribed, 107012 by another thread.
    """

def launch_callback(fn: Callable[..., object] | None, user_data_list: Any, block_type: int, stream: int, /) -> int:
    """ret = acl.rt.launch_callback(fn, user_data_list, block_type, stream)

    Parameters, by position only:
        fn: a callable; None and 0 are NULL
        user_data_list: an object
        block_type: one of
            ACL_CALLBACK_NO_BLOCK = 0
            ACL_CALLBACK_BLOCK = 1
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.launch_callback args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtLaunchCallback:

        aclError aclrtLaunchCallback(aclrtCallback fn, void* userData, aclrtCallbackBlockType blockType, aclrtStream stream);
        In Python: ret = aclrtLaunchCallback(fn, userData, blockType, stream)

        Queue a callback for the subscribed thread; BLOCK: later tasks wait for it.

        Codes: 100000 bad block type, 107000 NULL function, 107015 nobody subscribed, 107011, 107003.
    """

def synchronize_device() -> int:
    """ret = acl.rt.synchronize_device()

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.synchronize_device args parse failed') for arguments of another number or type.

    Calls aclrtSynchronizeDevice:

        aclError aclrtSynchronizeDevice();
        In Python: ret = aclrtSynchronizeDevice()

        Wait for every stream of the current context. Codes: 107002, the first task failure met.

        Returns the code: 0 when the call succeeds.

        Page: 04 device management. Not on: IPV350.
    """

def record_event(event: int, stream: int, /) -> int:
    """ret = acl.rt.record_event(event, stream)

    Parameters, by position only:
        event: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.record_event args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtRecordEvent:

        aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream);
        In Python: ret = aclrtRecordEvent(event, stream)

        Queue a record. Codes: 100000, 107017, 107000 DEVICE_USE_ONLY, 107002, 107003, 207007.
    """

def reset_event(event: int, stream: int, /) -> int:
    """ret = acl.rt.reset_event(event, stream)

    Parameters, by position only:
        event: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.reset_event args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtResetEvent:

        aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream);
        In Python: ret = aclrtResetEvent(event, stream)

        Queue a reset of the flag. Codes: 100000, 107017, 107000 DEVICE_USE_ONLY, 207000 Ex or no SYNC, 107002, 107003.

        On an event of aclrtCreateEvent it is accepted and undefined.
    """

def query_event(event: int, /) -> tuple[int, int]:
    """status, ret = acl.rt.query_event(event)

    Parameters, by position only:
        event: an int: an address, a handle or a size

    Returns status, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.query_event args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtQueryEvent:

        aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus* status);
        In Python: status, ret = aclrtQueryEvent(event)

        COMPLETE 0 (also never recorded) or NOT_READY 1. Codes: 207000 Ex, EXTERNAL, IPC.
    """

def query_event_status(event: int, /) -> tuple[int, int]:
    """status, ret = acl.rt.query_event_status(event)

    Parameters, by position only:
        event: an int: an address, a handle or a size

    Returns status, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.query_event_status args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtQueryEventStatus:

        aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus* status);
        In Python: status, ret = aclrtQueryEventStatus(event)

        COMPLETE 1 or NOT_READY 0; never recorded: COMPLETE for Ex events only. Codes: 207000 EXTERNAL.
    """

def query_event_wait_status(event: int, /) -> tuple[int, int]:
    """status, ret = acl.rt.query_event_wait_status(event)

    Parameters, by position only:
        event: an int: an address, a handle or a size

    Returns status, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.query_event_wait_status args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtQueryEventWaitStatus:

        aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus* status);
        In Python: status, ret = aclrtQueryEventWaitStatus(event)

        COMPLETE 0 unless a wait for the event is outstanding. Codes: 207000 Ex, EXTERNAL, IPC.
    """

def synchronize_event(event: int, /) -> int:
    """ret = acl.rt.synchronize_event(event)

    Parameters, by position only:
        event: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.synchronize_event args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtSynchronizeEvent:

        aclError aclrtSynchronizeEvent(aclrtEvent event);
        In Python: ret = aclrtSynchronizeEvent(event)

        Wait for the record that is the latest now; at once when there is none.

        Codes: 207000 EXTERNAL, 107000 its latest record is on a stream that is bound to a model.
    """

def synchronize_event_with_timeout(event: int, timeout_ms: int, /) -> int:
    """ret = acl.rt.synchronize_event_with_timeout(event, timeout_ms)

    Parameters, by position only:
        event: an int: an address, a handle or a size
        timeout_ms: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.synchronize_event_with_timeout args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclrtSynchronizeEventWithTimeout:

        aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout);
        In Python: ret = aclrtSynchronizeEventWithTimeout(event, timeout)

        Wait as aclrtSynchronizeEvent, at most *timeout* ms; -1: no limit.

        Codes: 107000 bad limit, 507047 not done in time.
    """

def event_elapsed_time(start: int, end: int, /) -> tuple[float, int]:
    """ms, ret = acl.rt.event_elapsed_time(start, end)

    Parameters, by position only:
        start: an int: an address, a handle or a size
        end: an int: an address, a handle or a size

    Returns ms, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.event_elapsed_time args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtEventElapsedTime:

        aclError aclrtEventElapsedTime(float* ms, aclrtEvent startEvent, aclrtEvent endEvent);
        In Python: ms, ret = aclrtEventElapsedTime(startEvent, endEvent)

        Milliseconds between two records, as a C float; may be negative.

        Codes: 100000, 107017, 507000 never recorded, 107006 not complete or no TIME_LINE, 207000 EXTERNAL, IPC.
        The stamp counts ticks: 20 ns each on A2 and A3.
    """

def event_get_timestamp(event: int, /) -> tuple[int, int]:
    """timestamp, ret = acl.rt.event_get_timestamp(event)

    Parameters, by position only:
        event: an int: an address, a handle or a size

    Returns timestamp, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.event_get_timestamp args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtEventGetTimestamp:

        aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t* timestamp);
        In Python: timestamp, ret = aclrtEventGetTimestamp(event)

        The record's time in microseconds. Codes: 507000 never recorded, 107006 not complete.
    """

def get_event_id(event: int, /) -> tuple[int, int]:
    """event_id, ret = acl.rt.get_event_id(event)

    Parameters, by position only:
        event: an int: an address, a handle or a size

    Returns event_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError for arguments of another number or type; None is no handle and no address.

    Calls aclrtGetEventId:

        aclError aclrtGetEventId(aclrtEvent event, uint32_t* eventId);
        In Python: eventId, ret = aclrtGetEventId(event)

        The hardware id. Codes: 507000 none (yet), 207000 IPC.
    """

def get_event_avail_num() -> tuple[int, int]:
    """event_count, ret = acl.rt.get_event_avail_num()

    Returns event_count, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_event_avail_num args parse failed') for arguments of another number or type.

    Calls aclrtGetEventAvailNum:

        aclError aclrtGetEventAvailNum(uint32_t* eventCount);
        In Python: eventCount, ret = aclrtGetEventAvailNum()

        Hardware events left on the current device. Codes: 107002 no context.

        Returns, before the code:
            eventCount (uint32_t)
            When the call fails: 0 for handles and addresses, else None.

        Page: 07 event management. Not on: IPV350.
    """

def stream_wait_event(stream: int, event: int, /) -> int:
    """ret = acl.rt.stream_wait_event(stream, event)

    Parameters, by position only:
        stream: an int: an address, a handle or a size
        event: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.stream_wait_event args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtStreamWaitEvent:

        aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event);
        In Python: ret = aclrtStreamWaitEvent(stream, event)

        Make later tasks of the stream wait, at most as long as aclrtSetOpWaitTimeout says.

        Codes: 100000, 107017, 107000 DEVICE_USE_ONLY, 207000 no SYNC ability, 107002, 107003, 107000 never recorded
        (aclrtCreateEvent).
    """

def stream_get_id(stream: int, /) -> tuple[int, int]:
    """stream_id, ret = acl.rt.stream_get_id(stream)

    Parameters, by position only:
        stream: an int: an address, a handle or a size

    Returns stream_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.stream_get_id args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtStreamGetId:

        aclError aclrtStreamGetId(aclrtStream stream, int32_t* streamId);
        In Python: streamId, ret = aclrtStreamGetId(stream)

        The stream's id. Codes: 107017; 107002 for NULL without a context.
    """

def get_stream_available_num() -> tuple[int, int]:
    """stream_count, ret = acl.rt.get_stream_available_num()

    Returns stream_count, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_stream_available_num args parse failed') for arguments of another number or type.

    Calls aclrtGetStreamAvailableNum:

        aclError aclrtGetStreamAvailableNum(uint32_t* streamCount);
        In Python: streamCount, ret = aclrtGetStreamAvailableNum()

        Streams left on the current device. Codes: 107002 no context.

        Returns, before the code:
            streamCount (uint32_t)
            When the call fails: 0 for handles and addresses, else None.

        Page: 06 stream management. Not on: IPV350.
    """

def set_stream_attribute(stream: int, attr_type: int, value: Any, /) -> int:
    """ret = acl.rt.set_stream_attribute(stream, attr_type, value)

    Parameters, by position only:
        stream: an int: an address, a handle or a size
        attr_type: one of
            ACL_STREAM_ATTR_FAILURE_MODE = 1
            ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK = 2
            ACL_STREAM_ATTR_USER_CUSTOM_TAG = 3
            ACL_STREAM_ATTR_CACHE_OP_INFO = 4
            ACL_STREAM_ATTR_PRIORITY = 5
        value: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.set_stream_attribute args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclrtSetStreamAttribute:

        aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType, aclrtStreamAttrValue* value);
        In Python: ret = aclrtSetStreamAttribute(stream, stmAttrType, value)

        Set an attribute: 1 failure mode, 2 overflow check, 3 tag, 4 cached operator names, 5 priority (0..7, clamped).

        *value*: an aclrtStreamAttrValue, of which the member of the attribute counts, or that number itself, if not 0.
        Codes: 100000 NULL value, 107017, 107000 unknown attribute or value, and as the calls of their own.
    """

def get_stream_attribute(stream: int, attr_type: int, /) -> tuple[dict[str, Any], int]:
    """value_dict, ret = acl.rt.get_stream_attribute(stream, attr_type)

    Parameters, by position only:
        stream: an int: an address, a handle or a size
        attr_type: one of
            ACL_STREAM_ATTR_FAILURE_MODE = 1
            ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK = 2
            ACL_STREAM_ATTR_USER_CUSTOM_TAG = 3
            ACL_STREAM_ATTR_CACHE_OP_INFO = 4
            ACL_STREAM_ATTR_PRIORITY = 5

    Returns value_dict, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_stream_attribute args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclrtGetStreamAttribute:

        aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType, aclrtStreamAttrValue* value);
        In Python: value, ret = aclrtGetStreamAttribute(stream, stmAttrType)

        An attribute, in its member of an aclrtStreamAttrValue.

        Codes: 107017, 107000 unknown attribute, and as the calls of their own.
    """

def get_thread_last_task_id() -> tuple[int, int]:
    """task_id, ret = acl.rt.get_thread_last_task_id()

    Returns task_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_thread_last_task_id args parse failed') for arguments of another number or type.

    Calls aclrtGetThreadLastTaskId:

        aclError aclrtGetThreadLastTaskId(uint32_t* taskId);
        In Python: taskId, ret = aclrtGetThreadLastTaskId()

        The id of the task that this thread queued last; UINT32_MAX before the first. Never fails.

        An exception callback gets the same number for the task (aclrtGetTaskIdFromExceptionInfo).

        Returns, before the code:
            taskId (uint32_t)
            When the call fails: 0 for handles and addresses, else None.

        Page: 12 execution control. Not on: IPV350.
    """

def reduce_async(dst: int, src: int, count: int, kind: int, data_type: int, stream: int, reserve: int, /) -> int:
    """ret = acl.rt.reduce_async(dst, src, count, kind, data_type, stream, reserve)

    Parameters, by position only:
        dst: an int: an address, a handle or a size
        src: an int: an address, a handle or a size
        count: an int: an address, a handle or a size
        kind: one of
            ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM = 10
            ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX = 11
            ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN = 12
            ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL = 13
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
        stream: an int: an address, a handle or a size
        reserve: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.reduce_async args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtReduceAsync:

        aclError aclrtReduceAsync(void* dst, const void* src, uint64_t count, aclrtReduceKind kind, aclDataType type, aclrtStream stream, void* reserve);
        In Python: ret = aclrtReduceAsync(dst, src, count, kind, type, stream, reserve)

        Queue ``dst = dst op src`` over *count* bytes: kind 10 sum, 11 maximum, 12 minimum, 13 equal (1 or 0).

        Codes: 100000 NULL, a *reserve*, a type that is never reduced; 107017; 107000 no bytes, unknown kind, a sum of more
        than 4 GiB, or a kind that INF and TRN lack; 107002; 107003; 207000 a type that the product lacks; 107008 an address
        that is no multiple of the element (docs/semantics/copies.md#reductions).
    """

def set_exception_info_callback(fn: Callable[..., object] | None = ..., /) -> int:
    """ret = acl.rt.set_exception_info_callback(fn)

    Parameters, by position only:
        fn: a callable; None and 0 are NULL; may be left out

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.set_exception_info_callback args parse failed') for arguments of another number or type.

    Calls aclrtSetExceptionInfoCallback:

        aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback);
        In Python: ret = aclrtSetExceptionInfoCallback(callback)

        Call ``callback(info)`` from a thread of the runtime when a task fails; NULL clears, a later call replaces it.

        For the process; never fails. Not for the end of a sequence, the normal end of a model, or while
        aclrtDeviceTaskAbort is at work.
    """

def get_error_code_from_exception_info(info: int, /) -> int:
    """error_code = acl.rt.get_error_code_from_exception_info(info)

    Parameters, by position only:
        info: an int: an address, a handle or a size

    Returns error_code (int).

    Raises TypeError('acl.rt.get_error_code_from_exception_info args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtGetErrorCodeFromExceptionInfo:

        uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo* info);
        In Python: value = aclrtGetErrorCodeFromExceptionInfo(info)

        The code that a synchronise will return; UINT32_MAX for NULL.

        Returns the value alone; there is no code.
    """

def get_task_id_from_exception_info(info: int, /) -> int:
    """task_id = acl.rt.get_task_id_from_exception_info(info)

    Parameters, by position only:
        info: an int: an address, a handle or a size

    Returns task_id (int).

    Raises TypeError('acl.rt.get_task_id_from_exception_info args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtGetTaskIdFromExceptionInfo:

        uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo* info);
        In Python: value = aclrtGetTaskIdFromExceptionInfo(info)

        What aclrtGetThreadLastTaskId answered after the task was queued; UINT32_MAX for NULL.

        Returns the value alone; there is no code.
    """

def get_stream_id_from_exception_info(info: int, /) -> int:
    """stream_id = acl.rt.get_stream_id_from_exception_info(info)

    Parameters, by position only:
        info: an int: an address, a handle or a size

    Returns stream_id (int).

    Raises TypeError('acl.rt.get_stream_id_from_exception_info args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtGetStreamIdFromExceptionInfo:

        uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo* info);
        In Python: value = aclrtGetStreamIdFromExceptionInfo(info)

        The id of its stream (aclrtStreamGetId); UINT32_MAX for NULL.

        Returns the value alone; there is no code.
    """

def get_thread_id_from_exception_info(info: int, /) -> int:
    """thread_id = acl.rt.get_thread_id_from_exception_info(info)

    Parameters, by position only:
        info: an int: an address, a handle or a size

    Returns thread_id (int).

    Raises TypeError('acl.rt.get_thread_id_from_exception_info args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtGetThreadIdFromExceptionInfo:

        uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo* info);
        In Python: value = aclrtGetThreadIdFromExceptionInfo(info)

        The number of the host thread that queued it, 0 for the first; UINT32_MAX for NULL.

        Returns the value alone; there is no code.
    """

def get_device_id_from_exception_info(info: int, /) -> int:
    """device_id = acl.rt.get_device_id_from_exception_info(info)

    Parameters, by position only:
        info: an int: an address, a handle or a size

    Returns device_id (int).

    Raises TypeError('acl.rt.get_device_id_from_exception_info args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtGetDeviceIdFromExceptionInfo:

        uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo* info);
        In Python: value = aclrtGetDeviceIdFromExceptionInfo(info)

        Its device; UINT32_MAX for NULL.

        Returns the value alone; there is no code.
    """

def set_op_wait_timeout(timeout_s: int, /) -> int:
    """ret = acl.rt.set_op_wait_timeout(timeout_s)

    Parameters, by position only:
        timeout_s: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.set_op_wait_timeout args parse failed!') for arguments of another number or type.

    Calls aclrtSetOpWaitTimeout:

        aclError aclrtSetOpWaitTimeout(uint32_t timeout);
        In Python: ret = aclrtSetOpWaitTimeout(timeout)

        The limit of later waits for events in seconds, 0: none; for the process.

        Codes: 107002 no context and 207000 on the inference series, which has no such limit.
    """

def set_op_execute_time_out(timeout_s: int, /) -> int:
    """ret = acl.rt.set_op_execute_time_out(timeout_s)

    Parameters, by position only:
        timeout_s: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.set_op_execute_timeout args parse failed!') for arguments of another number or type.

    Calls aclrtSetOpExecuteTimeOut:

        aclError aclrtSetOpExecuteTimeOut(uint32_t timeout);
        In Python: ret = aclrtSetOpExecuteTimeOut(timeout)

        Limit tasks of the cores that are queued later to *timeout* seconds, 0: the longest limit; for the process.

        The hardware rounds up to its steps and caps. A launch with a limit of its own is not touched. Never fails.
    """

def memcpy2d(dst: int, dpitch: int, src: int, spitch: int, width: int, height: int, kind: int, /) -> int:
    """ret = acl.rt.memcpy2d(dst, dpitch, src, spitch, width, height, kind)

    Parameters, by position only:
        dst: an int: an address, a handle or a size
        dpitch: an int: an address, a handle or a size
        src: an int: an address, a handle or a size
        spitch: an int: an address, a handle or a size
        width: an int: an address, a handle or a size
        height: an int: an address, a handle or a size
        kind: one of
            ACL_MEMCPY_HOST_TO_HOST = 0
            ACL_MEMCPY_HOST_TO_DEVICE = 1
            ACL_MEMCPY_DEVICE_TO_HOST = 2
            ACL_MEMCPY_DEVICE_TO_DEVICE = 3
            ACL_MEMCPY_DEFAULT = 4
            ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE = 5
            ACL_MEMCPY_INNER_DEVICE_TO_DEVICE = 6
            ACL_MEMCPY_INTER_DEVICE_TO_DEVICE = 7

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.memcpy2d args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtMemcpy2d:

        aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height, aclrtMemcpyKind kind);
        In Python: ret = aclrtMemcpy2d(dst, dpitch, src, spitch, width, height, kind)

        Copy *height* rows of *width* bytes at once, between host and device.

        Codes: width or height 0 is 0; 100000 NULL, rows wider than a pitch, bad kind; 107000 too many or too wide rows, a
        bad range; 207000 device to device; 107002.
    """

def memcpy2d_async(dst: int, dpitch: int, src: int, spitch: int, width: int, height: int, kind: int, stream: int, /) -> int:
    """ret = acl.rt.memcpy2d_async(dst, dpitch, src, spitch, width, height, kind, stream)

    Parameters, by position only:
        dst: an int: an address, a handle or a size
        dpitch: an int: an address, a handle or a size
        src: an int: an address, a handle or a size
        spitch: an int: an address, a handle or a size
        width: an int: an address, a handle or a size
        height: an int: an address, a handle or a size
        kind: one of
            ACL_MEMCPY_HOST_TO_HOST = 0
            ACL_MEMCPY_HOST_TO_DEVICE = 1
            ACL_MEMCPY_DEVICE_TO_HOST = 2
            ACL_MEMCPY_DEVICE_TO_DEVICE = 3
            ACL_MEMCPY_DEFAULT = 4
            ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE = 5
            ACL_MEMCPY_INNER_DEVICE_TO_DEVICE = 6
            ACL_MEMCPY_INTER_DEVICE_TO_DEVICE = 7
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.memcpy2d_async args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtMemcpy2dAsync:

        aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height, aclrtMemcpyKind kind, aclrtStream stream);
        In Python: ret = aclrtMemcpy2dAsync(dst, dpitch, src, spitch, width, height, kind, stream)

        As aclrtMemcpy2d, on *stream*; device to device on A2, A3 and 950. Codes as aclrtMemcpy2d and aclrtMemcpyAsync.
    """

def reserve_mem_address(size: int, alignment: int, expect_ptr: int, flags: int, /) -> tuple[int, int]:
    """vir_ptr, ret = acl.rt.reserve_mem_address(size, alignment, expect_ptr, flags)

    Parameters, by position only:
        size: an int: an address, a handle or a size
        alignment: an int: an address, a handle or a size
        expect_ptr: an int: an address, a handle or a size
        flags: an int: an address, a handle or a size

    Returns vir_ptr, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.reserve_mem_address args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtReserveMemAddress:

        aclError aclrtReserveMemAddress(void** virPtr, size_t size, size_t alignment, void* expectPtr, uint64_t flags);
        In Python: virPtr, ret = aclrtReserveMemAddress(size, alignment, expectPtr, flags)

        Reserve *size* bytes of addresses, in units of 2 MiB: nothing is there before memory is mapped.

        *expectPtr* 0: any; else that address, in [2**44, 1.5 * 2**44), a multiple of 1 GiB for more than 512 MiB, of the
        next power of two for less. No device need be open: torch_npu asks before it opens one. Codes: 100000 size 0 or flags,
        107000 alignment not 0 or an address that does not fit, 207001 no addresses left, or not those.
    """

def release_mem_address(vir_ptr: int, /) -> int:
    """ret = acl.rt.release_mem_address(vir_ptr)

    Parameters, by position only:
        vir_ptr: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.release_mem_address args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtReleaseMemAddress:

        aclError aclrtReleaseMemAddress(void* virPtr);
        In Python: ret = aclrtReleaseMemAddress(virPtr)

        Give a reserved range back, when all of it was unmapped. Codes: 100000 NULL, 107000 not the start of one.
    """

def malloc_physical(size: int, prop: Any, flags: int, /) -> tuple[int, int]:
    """handle, ret = acl.rt.malloc_physical(size, prop, flags)

    Parameters, by position only:
        size: an int: an address, a handle or a size
        prop: an object
        flags: an int: an address, a handle or a size

    Returns handle, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.malloc_physical args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtMallocPhysical:

        aclError aclrtMallocPhysical(aclrtDrvMemHandle* handle, size_t size, const aclrtPhysicalMemProp* prop, uint64_t flags);
        In Python: handle, ret = aclrtMallocPhysical(size, prop, flags)

        Physical memory: bytes without an address, in pages of 2 MiB (or 1 GiB); it takes from the free memory at once.

        Codes: 100000 NULL, size 0, flags, a handle type, an allocation type but PINNED, a location that is neither device
        nor host, an attribute that the location does not have; 107001 no such device, 107002 (NUMA), 107000 reserve not 0,
        107017 no device is open, 207000 1 GiB pages that the chip lacks, 207001 no room.
    """

def free_physical(handle: int, /) -> int:
    """ret = acl.rt.free_physical(handle)

    Parameters, by position only:
        handle: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.free_physical args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtFreePhysical:

        aclError aclrtFreePhysical(aclrtDrvMemHandle handle);
        In Python: ret = aclrtFreePhysical(handle)

        Give a handle back. What is mapped lives on until it is unmapped, what was retained needs as many frees.

        Codes: 100000 NULL, 107000 no live handle, or freed more often than it was handed out.
    """

def malloc_with_cfg(size: int, policy: int, cfg: Any, /) -> tuple[int, int]:
    """dev_ptr, ret = acl.rt.malloc_with_cfg(size, policy, cfg)

    Parameters, by position only:
        size: an int: an address, a handle or a size
        policy: one of
            ACL_MEM_MALLOC_HUGE_FIRST = 0
            ACL_MEM_MALLOC_HUGE_ONLY = 1
            ACL_MEM_MALLOC_NORMAL_ONLY = 2
            ACL_MEM_MALLOC_HUGE_FIRST_P2P = 3
            ACL_MEM_MALLOC_HUGE_ONLY_P2P = 4
            ACL_MEM_MALLOC_NORMAL_ONLY_P2P = 5
            ACL_MEM_MALLOC_HUGE1G_ONLY = 6
            ACL_MEM_MALLOC_HUGE1G_ONLY_P2P = 7
            ACL_MEM_TYPE_LOW_BAND_WIDTH = 256
            ACL_MEM_TYPE_HIGH_BAND_WIDTH = 4096
            ...
        cfg: an object

    Returns dev_ptr, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.malloc_with_cfg args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclrtMallocWithCfg:

        aclError aclrtMallocWithCfg(void** devPtr, size_t size, aclrtMemMallocPolicy policy, aclrtMallocConfig* cfg);
        In Python: devPtr, ret = aclrtMallocWithCfg(size, policy, cfg)

        Device memory with attributes; rounded to 32 only. *cfg* may be NULL.

        Codes: 100000 size 0 or attributes announced and absent, 107000 a cfg without a list, a wrong attribute or another
        device than the current one, 107002 (tested before the attributes), 207001.
    """

def malloc_for_task_scheduler(size: int, policy: int, cfg: Any, /) -> tuple[int, int]:
    """dev_ptr, ret = acl.rt.malloc_for_task_scheduler(size, policy, cfg)

    Parameters, by position only:
        size: an int: an address, a handle or a size
        policy: one of
            ACL_MEM_MALLOC_HUGE_FIRST = 0
            ACL_MEM_MALLOC_HUGE_ONLY = 1
            ACL_MEM_MALLOC_NORMAL_ONLY = 2
            ACL_MEM_MALLOC_HUGE_FIRST_P2P = 3
            ACL_MEM_MALLOC_HUGE_ONLY_P2P = 4
            ACL_MEM_MALLOC_NORMAL_ONLY_P2P = 5
            ACL_MEM_MALLOC_HUGE1G_ONLY = 6
            ACL_MEM_MALLOC_HUGE1G_ONLY_P2P = 7
            ACL_MEM_TYPE_LOW_BAND_WIDTH = 256
            ACL_MEM_TYPE_HIGH_BAND_WIDTH = 4096
            ...
        cfg: an object

    Returns dev_ptr, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.malloc_for_task_scheduler args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclrtMallocForTaskScheduler:

        aclError aclrtMallocForTaskScheduler(void** devPtr, size_t size, aclrtMemMallocPolicy policy, aclrtMallocConfig* cfg);
        In Python: devPtr, ret = aclrtMallocForTaskScheduler(size, policy, cfg)

        As aclrtMallocWithCfg, for memory that the task scheduler sees. Codes as there.
    """

def malloc_host_with_cfg(size: int, cfg: Any, /) -> tuple[int, int]:
    """host_ptr, ret = acl.rt.malloc_host_with_cfg(size, cfg)

    Parameters, by position only:
        size: an int: an address, a handle or a size
        cfg: an object

    Returns host_ptr, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.malloc_host_with_cfg args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtMallocHostWithCfg:

        aclError aclrtMallocHostWithCfg(void** ptr, uint64_t size, aclrtMallocConfig* cfg);
        In Python: ptr, ret = aclrtMallocHostWithCfg(size, cfg)

        Allocate with attributes: MODULE_ID, or VA_FLAG (registered, host and devices have one address for it).

        Codes: 100000 size 0, 107000 a cfg without a list or with another attribute, 107002, 207000 no common addresses.
    """

def map_mem(vir_ptr: int, size: int, offset: int, handle: int, flags: int, /) -> int:
    """ret = acl.rt.map_mem(vir_ptr, size, offset, handle, flags)

    Parameters, by position only:
        vir_ptr: an int: an address, a handle or a size
        size: an int: an address, a handle or a size
        offset: an int: an address, a handle or a size
        handle: an int: an address, a handle or a size
        flags: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.map_mem args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtMapMem:

        aclError aclrtMapMem(void* virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle, uint64_t flags);
        In Python: ret = aclrtMapMem(virPtr, size, offset, handle, flags)

        Show the memory of *handle*, all of it, from *virPtr* on, anywhere in a reserved range; its device may use it.

        A handle can be mapped at several addresses: they are one memory. Codes: 100000 NULL, size 0, flags; 107000 offset
        not 0, no live handle; 507899 not reserved, no multiple of 2 MiB, another size than the memory's, over another
        mapping, or in a range where memory of another device was mapped before.
    """

def unmap_mem(vir_ptr: int, /) -> int:
    """ret = acl.rt.unmap_mem(vir_ptr)

    Parameters, by position only:
        vir_ptr: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.unmap_mem args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtUnmapMem:

        aclError aclrtUnmapMem(void* virPtr);
        In Python: ret = aclrtUnmapMem(virPtr)

        Undo a mapping, all of it; nobody is waited for. Codes: 100000 NULL, 507899 no mapping begins there.
    """

def mem_export_to_shareable_handle(handle: int, handle_type: int, flags: int, /) -> tuple[int, int]:
    """shareable_handle, ret = acl.rt.mem_export_to_shareable_handle(handle, handle_type, flags)

    Parameters, by position only:
        handle: an int: an address, a handle or a size
        handle_type: one of
            ACL_MEM_HANDLE_TYPE_NONE = 0
            ACL_MEM_HANDLE_TYPE_POSIX = 2
        flags: an int: an address, a handle or a size

    Returns shareable_handle, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.mem_export_to_shareable_handle args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtMemExportToShareableHandle:

        aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle handle, aclrtMemHandleType handleType, uint64_t flags, uint64_t* shareableHandle);
        In Python: shareableHandle, ret = aclrtMemExportToShareableHandle(handle, handleType, flags)

        A number by which other processes import the memory of *handle*; once for each handle.

        Flags 0: only processes on a white list may; 1: all. Codes: 100000 NULL or a handle type, 107000 flags, no live
        handle; 507899 exported before.
    """

def device_get_bare_tgid() -> tuple[int, int]:
    """pid, ret = acl.rt.device_get_bare_tgid()

    Returns pid, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.device_get_bare_tgid args parse failed') for arguments of another number or type.

    Calls aclrtDeviceGetBareTgid:

        aclError aclrtDeviceGetBareTgid(int32_t* pid);
        In Python: pid, ret = aclrtDeviceGetBareTgid()

        The process id, as it is outside a virtual machine. Never fails.

        Returns, before the code:
            pid (int32_t)
            When the call fails: 0 for handles and addresses, else None.

        Page: 04 device management. Not on: IPV350.
    """

def mem_set_pid_to_shareable_handle(shareable_handle: int, pids: list[int], /) -> int:
    """ret = acl.rt.mem_set_pid_to_shareable_handle(shareable_handle, pids)

    Parameters, by position only:
        shareable_handle: an int: an address, a handle or a size
        pids: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.mem_set_pid_to_shareable_handle args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtMemSetPidToShareableHandle:

        aclError aclrtMemSetPidToShareableHandle(uint64_t shareableHandle, int32_t* pid, size_t pidNum);
        In Python: ret = aclrtMemSetPidToShareableHandle(shareableHandle, pid, pidNum)

        Put processes on the white list of an export of this one. Codes: 100000 NULL or 0, 107000, 107017, 507899.
    """

def mem_import_from_shareable_handle(shareable_handle: int, device_id: int, /) -> tuple[int, int]:
    """handle, ret = acl.rt.mem_import_from_shareable_handle(shareable_handle, device_id)

    Parameters, by position only:
        shareable_handle: an int: an address, a handle or a size
        device_id: an int of 32 bits

    Returns handle, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.mem_import_from_shareable_handle args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtMemImportFromShareableHandle:

        aclError aclrtMemImportFromShareableHandle(uint64_t shareableHandle, int32_t deviceId, aclrtDrvMemHandle* handle);
        In Python: handle, ret = aclrtMemImportFromShareableHandle(shareableHandle, deviceId)

        A handle of *deviceId* for memory that was exported; it is freed as any other.

        Codes: 107001, 107002, 107017 no such export, 507899 this process may not: not on the white list, or it is the
        exporter itself (on another device it may).
    """

def mem_get_allocation_granularity(prop: Any, option: int, /) -> tuple[int, int]:
    """granularity, ret = acl.rt.mem_get_allocation_granularity(prop, option)

    Parameters, by position only:
        prop: an object
        option: one of
            ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM = 0
            ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1
            ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF = 65535

    Returns granularity, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.mem_get_allocation_granularity args parse failed') for arguments of another number or type.

    Calls aclrtMemGetAllocationGranularity:

        aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp* prop, aclrtMemGranularityOptions option, size_t* granularity);
        In Python: granularity, ret = aclrtMemGetAllocationGranularity(prop, option)

        What sizes of physical memory and of mappings are multiples of: 2 MiB, or 1 GiB for the HUGE1G attributes.

        The minimum for ordinary memory of the host is its page. Codes: 100000 NULL, an attribute that the location does not
        have; 107001 no such device; 207000 another option.
    """

def get_device_utilization_rate(device_id: int, /) -> tuple[dict[str, Any], int]:
    """info_dict, ret = acl.rt.get_device_utilization_rate(device_id)

    Parameters, by position only:
        device_id: an int of 32 bits

    Returns info_dict, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_device_utilization_rate args parse failed') for arguments of another number or type.

    Calls aclrtGetDeviceUtilizationRate:

        aclError aclrtGetDeviceUtilizationRate(int32_t deviceId, aclrtUtilizationInfo* utilizationInfo);
        In Python: utilizationInfo, ret = aclrtGetDeviceUtilizationRate(deviceId)

        The load of cube, vector and AI CPU cores in percent at this moment; -1: not known (memory, a bad device id).

        Never fails.
    """

def query_device_status(device_id: int, /) -> tuple[int, int]:
    """status, ret = acl.rt.query_device_status(device_id)

    Parameters, by position only:
        device_id: an int of 32 bits

    Returns status, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.query_device_status args parse failed') for arguments of another number or type.

    Calls aclrtQueryDeviceStatus:

        aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus* deviceStatus);
        In Python: deviceStatus, ret = aclrtQueryDeviceStatus(deviceId)

        0 normal; here no device ever is abnormal (1). Codes: 107001 bad device.
    """

def ctx_set_sys_param_opt(opt: int, value: int, /) -> int:
    """ret = acl.rt.ctx_set_sys_param_opt(opt, value)

    Parameters, by position only:
        opt: one of
            ACL_OPT_DETERMINISTIC = 0
            ACL_OPT_ENABLE_DEBUG_KERNEL = 1
            ACL_OPT_ENABLE_KERNEL_EARLY_START = 3
        value: an int of 64 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.ctx_set_sys_param_opt args parse failed') for arguments of another number or type.

    Calls aclrtCtxSetSysParamOpt:

        aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value);
        In Python: ret = aclrtCtxSetSysParamOpt(opt, value)

        Set an option of the current context; the process option of that number follows.

        Codes: 100000 unknown option, 107000 a value out of range, 107002 no context.
    """

def ctx_get_sys_param_opt(opt: int, /) -> tuple[int, int]:
    """value, ret = acl.rt.ctx_get_sys_param_opt(opt)

    Parameters, by position only:
        opt: one of
            ACL_OPT_DETERMINISTIC = 0
            ACL_OPT_ENABLE_DEBUG_KERNEL = 1
            ACL_OPT_ENABLE_KERNEL_EARLY_START = 3

    Returns value, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.ctx_get_sys_param_opt args parse failed') for arguments of another number or type.

    Calls aclrtCtxGetSysParamOpt:

        aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t* value);
        In Python: value, ret = aclrtCtxGetSysParamOpt(opt)

        An option of the current context. Codes: 100000 unknown option, 107021 never set.
    """

def set_sys_param_opt(opt: int, value: int, /) -> int:
    """ret = acl.rt.set_sys_param_opt(opt, value)

    Parameters, by position only:
        opt: one of
            ACL_OPT_DETERMINISTIC = 0
            ACL_OPT_ENABLE_DEBUG_KERNEL = 1
            ACL_OPT_ENABLE_KERNEL_EARLY_START = 3
        value: an int of 64 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.set_sys_param_opt args parse faild') for arguments of another number or type.

    Calls aclrtSetSysParamOpt:

        aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value);
        In Python: ret = aclrtSetSysParamOpt(opt, value)

        Set an option of the process: 0 deterministic (0 to 3), 1 debug kernel, 2 strong consistency, 3 early start.

        Codes: 100000 unknown option, 107000 a value out of range.
    """

def get_sys_param_opt(opt: int, /) -> tuple[int, int]:
    """value, ret = acl.rt.get_sys_param_opt(opt)

    Parameters, by position only:
        opt: one of
            ACL_OPT_DETERMINISTIC = 0
            ACL_OPT_ENABLE_DEBUG_KERNEL = 1
            ACL_OPT_ENABLE_KERNEL_EARLY_START = 3

    Returns value, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_sys_param_opt args parse faild') for arguments of another number or type.

    Calls aclrtGetSysParamOpt:

        aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t* value);
        In Python: value, ret = aclrtGetSysParamOpt(opt)

        An option of the process; 0 when it was never set. Codes: 100000 unknown option.
    """

def malloc_align32(size: int, policy: int, /) -> tuple[int, int]:
    """dev_ptr, ret = acl.rt.malloc_align32(size, policy)

    Parameters, by position only:
        size: an int: an address, a handle or a size
        policy: one of
            ACL_MEM_MALLOC_HUGE_FIRST = 0
            ACL_MEM_MALLOC_HUGE_ONLY = 1
            ACL_MEM_MALLOC_NORMAL_ONLY = 2
            ACL_MEM_MALLOC_HUGE_FIRST_P2P = 3
            ACL_MEM_MALLOC_HUGE_ONLY_P2P = 4
            ACL_MEM_MALLOC_NORMAL_ONLY_P2P = 5
            ACL_MEM_MALLOC_HUGE1G_ONLY = 6
            ACL_MEM_MALLOC_HUGE1G_ONLY_P2P = 7
            ACL_MEM_TYPE_LOW_BAND_WIDTH = 256
            ACL_MEM_TYPE_HIGH_BAND_WIDTH = 4096
            ...

    Returns dev_ptr, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.malloc_align32 args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtMallocAlign32:

        aclError aclrtMallocAlign32(void** devPtr, size_t size, aclrtMemMallocPolicy policy);
        In Python: devPtr, ret = aclrtMallocAlign32(size, policy)

        As aclrtMalloc, but only rounded up to a multiple of 32.
    """

def allocator_create_desc() -> int:
    """desc = acl.rt.allocator_create_desc()

    Returns desc (int).

    Raises TypeError('acl.rt.allocator_create_desc args parse failed') for arguments of another number or type.

    Calls aclrtAllocatorCreateDesc:

        aclrtAllocatorDesc aclrtAllocatorCreateDesc();
        In Python: value = aclrtAllocatorCreateDesc()

        A descriptor with nothing set.

        Returns the value alone; there is no code.

        Page: 25-03 Operation APIs. Not on: IPV350.
    """

def allocator_destroy_desc(desc: int, /) -> int:
    """ret = acl.rt.allocator_destroy_desc(desc)

    Parameters, by position only:
        desc: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.allocator_destroy_desc args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtAllocatorDestroyDesc:

        aclError aclrtAllocatorDestroyDesc(aclrtAllocatorDesc allocatorDesc);
        In Python: ret = aclrtAllocatorDestroyDesc(allocatorDesc)

        Destroy it; registrations keep their copy. Codes: 100000 NULL; a second time is undefined.
    """

def allocator_set_obj_to_desc(desc: int, allocator: int, /) -> int:
    """ret = acl.rt.allocator_set_obj_to_desc(desc, allocator)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        allocator: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.allocator_set_obj_to_desc args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtAllocatorSetObjToDesc:

        aclError aclrtAllocatorSetObjToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocator allocator);
        In Python: ret = aclrtAllocatorSetObjToDesc(allocatorDesc, allocator)

        The first argument of alloc and free: a number as in C, or any Python object. Codes: 100000 NULL.
    """

def allocator_set_alloc_func_to_desc(desc: int, func: Callable[..., object] | None, /) -> int:
    """ret = acl.rt.allocator_set_alloc_func_to_desc(desc, func)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        func: a callable; None and 0 are NULL

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.allocator_set_alloc_func_to_desc args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtAllocatorSetAllocFuncToDesc:

        aclError aclrtAllocatorSetAllocFuncToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocatorAllocFunc func);
        In Python: ret = aclrtAllocatorSetAllocFuncToDesc(allocatorDesc, func)

        ``alloc(obj, size) -> block``; NULL means failure. Codes: 100000 NULL.
    """

def allocator_set_free_func_to_desc(desc: int, func: Callable[..., object] | None, /) -> int:
    """ret = acl.rt.allocator_set_free_func_to_desc(desc, func)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        func: a callable; None and 0 are NULL

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.allocator_set_free_func_to_desc args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtAllocatorSetFreeFuncToDesc:

        aclError aclrtAllocatorSetFreeFuncToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocatorFreeFunc func);
        In Python: ret = aclrtAllocatorSetFreeFuncToDesc(allocatorDesc, func)

        ``free(obj, block)``. Codes: 100000 NULL.
    """

def allocator_set_alloc_advise_func_to_desc(desc: int, func: Callable[..., object] | None, /) -> int:
    """ret = acl.rt.allocator_set_alloc_advise_func_to_desc(desc, func)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        func: a callable; None and 0 are NULL

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.allocator_set_alloc_advise_func_to_desc args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtAllocatorSetAllocAdviseFuncToDesc:

        aclError aclrtAllocatorSetAllocAdviseFuncToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocatorAllocAdviseFunc func);
        In Python: ret = aclrtAllocatorSetAllocAdviseFuncToDesc(allocatorDesc, func)

        ``alloc_advise(obj, size, address) -> block``; optional. Codes: 100000 NULL.
    """

def allocator_set_get_addr_from_block_func_to_desc(desc: int, func: Callable[..., object] | None, /) -> int:
    """ret = acl.rt.allocator_set_get_addr_from_block_func_to_desc(desc, func)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        func: a callable; None and 0 are NULL

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.allocator_set_get_addr_from_block_func_to_desc args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtAllocatorSetGetAddrFromBlockFuncToDesc:

        aclError aclrtAllocatorSetGetAddrFromBlockFuncToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocatorGetAddrFromBlockFunc func);
        In Python: ret = aclrtAllocatorSetGetAddrFromBlockFuncToDesc(allocatorDesc, func)

        ``get_addr(block) -> device address``. Codes: 100000 NULL.
    """

def allocator_register(stream: int, desc: int, /) -> int:
    """ret = acl.rt.allocator_register(stream, desc)

    Parameters, by position only:
        stream: an int: an address, a handle or a size
        desc: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.allocator_register args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtAllocatorRegister:

        aclError aclrtAllocatorRegister(aclrtStream stream, aclrtAllocatorDesc allocatorDesc);
        In Python: ret = aclrtAllocatorRegister(stream, allocatorDesc)

        Register a copy of the descriptor for a stream handle; the last one wins. The handle is only a key.

        Codes: 100000 NULL, or object, alloc, free or get-address not set.
    """

def allocator_unregister(stream: int, /) -> int:
    """ret = acl.rt.allocator_unregister(stream)

    Parameters, by position only:
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.allocator_unregister args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtAllocatorUnregister:

        aclError aclrtAllocatorUnregister(aclrtStream stream);
        In Python: ret = aclrtAllocatorUnregister(stream)

        Forget the registration; none is no error. Codes: 100000 NULL.
    """

def peek_at_last_error(level: int, /) -> int:
    """ret = acl.rt.peek_at_last_error(level)

    Parameters, by position only:
        level: one of
            ACL_RT_THREAD_LEVEL = 0

    Returns ret (last error code).

    Raises TypeError('acl.rt.peek_at_last_error args parse failed!') for arguments of another number or type.

    Calls aclrtPeekAtLastError:

        aclError aclrtPeekAtLastError(aclrtLastErrLevel level);
        In Python: ret = aclrtPeekAtLastError(level)

        Returns the thread's stored code and keeps it. Codes: 100000 level other than 0.
    """

def get_last_error(level: int, /) -> int:
    """ret = acl.rt.get_last_error(level)

    Parameters, by position only:
        level: one of
            ACL_RT_THREAD_LEVEL = 0

    Returns ret (last error code).

    Raises TypeError('acl.rt.get_last_error args parse failed!') for arguments of another number or type.

    Calls aclrtGetLastError:

        aclError aclrtGetLastError(aclrtLastErrLevel level);
        In Python: ret = aclrtGetLastError(level)

        Returns the thread's stored code and clears it. Codes: 100000 level other than 0.
    """

def synchronize_device_with_timeout(timeout_ms: int, /) -> int:
    """ret = acl.rt.synchronize_device_with_timeout(timeout_ms)

    Parameters, by position only:
        timeout_ms: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.synchronize_device_with_timeout args parse failed!') for arguments of another number or type.

    Calls aclrtSynchronizeDeviceWithTimeout:

        aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout);
        In Python: ret = aclrtSynchronizeDeviceWithTimeout(timeout)

        Wait for every stream of the current context, at most *timeout* ms; -1: no limit.

        Codes: 107000 bad limit, 507046 not done in time.
    """

def cmo_async(src: int, size: int, cmo_type: int, stream: int, /) -> int:
    """ret = acl.rt.cmo_async(src, size, cmo_type, stream)

    Parameters, by position only:
        src: an int: an address, a handle or a size
        size: an int: an address, a handle or a size
        cmo_type: one of
            ACL_RT_CMO_TYPE_PREFETCH = 0
            ACL_RT_CMO_TYPE_WRITEBACK = 1
            ACL_RT_CMO_TYPE_INVALID = 2
            ACL_RT_CMO_TYPE_FLUSH = 3
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.cmo_async args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclrtCmoAsync:

        aclError aclrtCmoAsync(void* src, size_t size, aclrtCmoType cmoType, aclrtStream stream);
        In Python: ret = aclrtCmoAsync(src, size, cmoType, stream)

        Queue a prefetch of device memory into the L2 cache. It changes no bytes.

        Codes: 100000 NULL or size 0, 107017, 207000 another type than PREFETCH (0), or not on this product; 107002, 107003.
    """

def device_task_abort(device_id: int, timeout_ms: int, /) -> int:
    """ret = acl.rt.device_task_abort(device_id, timeout_ms)

    Parameters, by position only:
        device_id: an int of 32 bits
        timeout_ms: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.device_task_abort args parse failed') for arguments of another number or type.

    Calls aclrtDeviceTaskAbort:

        aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t timeout);
        In Python: ret = aclrtDeviceTaskAbort(deviceId, timeout)

        Stop what runs on a device and drop what is queued, in every context; stored failures are forgotten.

        *timeout* in ms, 0: for ever, at most 36 minutes. While it is at work (in its callbacks), submitting answers 107022,
        and so it stays when it fails. Codes: 207000 products without it, 107000 a longer limit, 107001 bad device, 107002
        no context on the device, 107019 not done in time, the result of a callback.
    """

def memcpy_async_with_condition(dst: int, dest_max: int, src: int, count: int, kind: int, stream: int, /) -> int:
    """ret = acl.rt.memcpy_async_with_condition(dst, dest_max, src, count, kind, stream)

    Parameters, by position only:
        dst: an int: an address, a handle or a size
        dest_max: an int: an address, a handle or a size
        src: an int: an address, a handle or a size
        count: an int: an address, a handle or a size
        kind: one of
            ACL_MEMCPY_HOST_TO_HOST = 0
            ACL_MEMCPY_HOST_TO_DEVICE = 1
            ACL_MEMCPY_DEVICE_TO_HOST = 2
            ACL_MEMCPY_DEVICE_TO_DEVICE = 3
            ACL_MEMCPY_DEFAULT = 4
            ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE = 5
            ACL_MEMCPY_INNER_DEVICE_TO_DEVICE = 6
            ACL_MEMCPY_INTER_DEVICE_TO_DEVICE = 7
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.memcpy_async_with_condition args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtMemcpyAsyncWithCondition:

        aclError aclrtMemcpyAsyncWithCondition(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind, aclrtStream stream);
        In Python: ret = aclrtMemcpyAsyncWithCondition(dst, destMax, src, count, kind, stream)

        As aclrtMemcpyAsync; 207000 when the driver cannot tell page-locked memory from other.
    """

def stream_abort(stream: int, /) -> int:
    """ret = acl.rt.stream_abort(stream)

    Parameters, by position only:
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.stream_abort args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtStreamAbort:

        aclError aclrtStreamAbort(aclrtStream stream);
        In Python: ret = aclrtStreamAbort(stream)

        Kill the running task and drop the queue; the stream is usable again.

        Host threads that wait for it, for one of its records or for room in it get 107023. Dropped records never complete.
        Codes: 107017, 107000 NULL without a default stream, 107002, 107003, 507000 bound to a model, 207000 the firmware
        lacks it.
    """

def pointer_get_attributes(ptr: int, /) -> tuple[dict[str, Any], int]:
    """attr_dict, ret = acl.rt.pointer_get_attributes(ptr)

    Parameters, by position only:
        ptr: an int: an address, a handle or a size

    Returns attr_dict, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.pointer_get_attributes args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtPointerGetAttributes:

        aclError aclrtPointerGetAttributes(const void* ptr, aclrtPtrAttributes* attributes);
        In Python: attributes, ret = aclrtPointerGetAttributes(ptr)

        Where an address lives: type, device id, page size; also for addresses inside a block. Needs no context.

        Codes: 100000 NULL, 507899 an address in a device's range that is not allocated.
    """

def host_register(ptr: int, size: int, type: int, /) -> tuple[int, int]:
    """dev_ptr, ret = acl.rt.host_register(ptr, size, type)

    Parameters, by position only:
        ptr: an int: an address, a handle or a size
        size: an int: an address, a handle or a size
        type: one of
            ACL_HOST_REGISTER_MAPPED = 0
            ACL_HOST_REGISTER_IOMEMORY = 4
            ACL_HOST_REGISTER_READONLY = 8

    Returns dev_ptr, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.host_register args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtHostRegister:

        aclError aclrtHostRegister(void* ptr, uint64_t size, aclrtHostRegisterType type, void** devPtr);
        In Python: devPtr, ret = aclrtHostRegister(ptr, size, type)

        Make host memory known to the devices; returns the address that kernels see.

        Codes: 100000 NULL or 0, 207000 another type than MAPPED 0, IOMEMORY 4, READONLY 8, or a product without it, 107002,
        507910 registered already, 107000 not mapped or no host memory, 507899 no multiple of 4096.
    """

def host_unregister(ptr: int, /) -> int:
    """ret = acl.rt.host_unregister(ptr)

    Parameters, by position only:
        ptr: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.host_unregister args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtHostUnregister:

        aclError aclrtHostUnregister(void* ptr);
        In Python: ret = aclrtHostUnregister(ptr)

        Forget a registration. Codes: 100000 NULL, 107002, 507911 not the start of a registered range.
    """

def get_memcpy_desc_size(kind: int, /) -> tuple[int, int]:
    """desc_size, ret = acl.rt.get_memcpy_desc_size(kind)

    Parameters, by position only:
        kind: one of
            ACL_MEMCPY_HOST_TO_HOST = 0
            ACL_MEMCPY_HOST_TO_DEVICE = 1
            ACL_MEMCPY_DEVICE_TO_HOST = 2
            ACL_MEMCPY_DEVICE_TO_DEVICE = 3
            ACL_MEMCPY_DEFAULT = 4
            ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE = 5
            ACL_MEMCPY_INNER_DEVICE_TO_DEVICE = 6
            ACL_MEMCPY_INTER_DEVICE_TO_DEVICE = 7

    Returns desc_size, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_memcpy_desc_size args parse failed') for arguments of another number or type.

    Calls aclrtGetMemcpyDescSize:

        aclError aclrtGetMemcpyDescSize(aclrtMemcpyKind kind, size_t* descSize);
        In Python: descSize, ret = aclrtGetMemcpyDescSize(kind)

        Bytes of device memory for a copy descriptor. Codes: 100000 no such kind, 207000.
    """

def set_memcpy_desc(desc: int, kind: int, src: int, dst: int, count: int, config: int, /) -> tuple[int, int]:
    """desc, ret = acl.rt.set_memcpy_desc(desc, kind, src, dst, count, config)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        kind: one of
            ACL_MEMCPY_HOST_TO_HOST = 0
            ACL_MEMCPY_HOST_TO_DEVICE = 1
            ACL_MEMCPY_DEVICE_TO_HOST = 2
            ACL_MEMCPY_DEVICE_TO_DEVICE = 3
            ACL_MEMCPY_DEFAULT = 4
            ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE = 5
            ACL_MEMCPY_INNER_DEVICE_TO_DEVICE = 6
            ACL_MEMCPY_INTER_DEVICE_TO_DEVICE = 7
        src: an int: an address, a handle or a size
        dst: an int: an address, a handle or a size
        count: an int: an address, a handle or a size
        config: an int: an address, a handle or a size

    Returns desc, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.set_memcpy_desc args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtSetMemcpyDesc:

        aclError aclrtSetMemcpyDesc(void* desc, aclrtMemcpyKind kind, void* srcAddr, void* dstAddr, size_t count, void* config);
        In Python: ret = aclrtSetMemcpyDesc(desc, kind, srcAddr, dstAddr, count, config)

        Write a copy descriptor into device memory.

        Codes: 100000 NULL, count 0, config not NULL; 207000 another kind; 107002; 107000 the descriptor is not 64-aligned
        or no device memory, src and dst on different devices, more than 4 GiB.
    """

def memcpy_async_with_desc(desc: int, kind: int, stream: int, /) -> int:
    """ret = acl.rt.memcpy_async_with_desc(desc, kind, stream)

    Parameters, by position only:
        desc: an int: an address, a handle or a size
        kind: one of
            ACL_MEMCPY_HOST_TO_HOST = 0
            ACL_MEMCPY_HOST_TO_DEVICE = 1
            ACL_MEMCPY_DEVICE_TO_HOST = 2
            ACL_MEMCPY_DEVICE_TO_DEVICE = 3
            ACL_MEMCPY_DEFAULT = 4
            ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE = 5
            ACL_MEMCPY_INNER_DEVICE_TO_DEVICE = 6
            ACL_MEMCPY_INTER_DEVICE_TO_DEVICE = 7
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.memcpy_async_with_desc args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtMemcpyAsyncWithDesc:

        aclError aclrtMemcpyAsyncWithDesc(void* desc, aclrtMemcpyKind kind, aclrtStream stream);
        In Python: ret = aclrtMemcpyAsyncWithDesc(desc, kind, stream)

        Queue the copy that a descriptor holds. Codes: 100000 NULL descriptor or stream, 207000, 107017, as the copy.
    """

def value_write(dev_addr: int, value: int, flag: int, stream: int, /) -> int:
    """ret = acl.rt.value_write(dev_addr, value, flag, stream)

    Parameters, by position only:
        dev_addr: an int: an address, a handle or a size
        value: an int: an address, a handle or a size
        flag: an int of 32 bits, unsigned
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.value_write args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtValueWrite:

        aclError aclrtValueWrite(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream);
        In Python: ret = aclrtValueWrite(devAddr, value, flag, stream)

        Queue a write of the 64-bit *value* to device memory; the address should be a multiple of 8.

        Codes: 100000 NULL, 207000 the chip lacks it, 107017, 107000 a flag other than 0 or no device memory, 107002,
        107003.
    """

def value_wait(dev_addr: int, value: int, flag: int, stream: int, /) -> int:
    """ret = acl.rt.value_wait(dev_addr, value, flag, stream)

    Parameters, by position only:
        dev_addr: an int: an address, a handle or a size
        value: an int: an address, a handle or a size
        flag: an int of 32 bits, unsigned
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.value_wait args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtValueWait:

        aclError aclrtValueWait(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream);
        In Python: ret = aclrtValueWait(devAddr, value, flag, stream)

        Make later tasks of the stream wait for 64 bits of device memory.

        *flag*: 0 signed difference to *value* not negative, 1 equal, 2 a common bit, 3 a bit that is set in neither. There
        is no limit. Codes as aclrtValueWrite, with 107000 for flags from 4 on.
    """

def device_can_access_peer(device_id: int, peer_device_id: int, /) -> tuple[int, int]:
    """can_access, ret = acl.rt.device_can_access_peer(device_id, peer_device_id)

    Parameters, by position only:
        device_id: an int of 32 bits
        peer_device_id: an int of 32 bits

    Returns can_access, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.device_can_access_peer args parse failed') for arguments of another number or type.

    Calls aclrtDeviceCanAccessPeer:

        aclError aclrtDeviceCanAccessPeer(int32_t* canAccessPeer, int32_t deviceId, int32_t peerDeviceId);
        In Python: canAccessPeer, ret = aclrtDeviceCanAccessPeer(deviceId, peerDeviceId)

        1: the devices can exchange data (here: always). Needs no context.

        Codes: 100000 the same device twice, 107000 an unknown device, 207000 products without peer access.
    """

def device_enable_peer_access(peer_device_id: int, flags: int, /) -> int:
    """ret = acl.rt.device_enable_peer_access(peer_device_id, flags)

    Parameters, by position only:
        peer_device_id: an int of 32 bits
        flags: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.device_enable_peer_access args parse failed') for arguments of another number or type.

    Calls aclrtDeviceEnablePeerAccess:

        aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags);
        In Python: ret = aclrtDeviceEnablePeerAccess(peerDeviceId, flags)

        Let the current device reach the memory of *peer_device_id*; the other direction is a call of its own.

        Codes: 200006 flags other than 0, 107002 no current device, 100000 the current device itself, 107000 an unknown
        device, 207000 products without peer access.
    """

def device_disable_peer_access(peer_device_id: int, /) -> int:
    """ret = acl.rt.device_disable_peer_access(peer_device_id)

    Parameters, by position only:
        peer_device_id: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.device_disable_peer_access args parse failed') for arguments of another number or type.

    Calls aclrtDeviceDisablePeerAccess:

        aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId);
        In Python: ret = aclrtDeviceDisablePeerAccess(peerDeviceId)

        Undo one aclrtDeviceEnablePeerAccess: as the driver counts, the last one takes the access away.

        Codes: 107002, 100000, 107000, 207000 as there; 507899 it was not enabled.
    """

def ipc_mem_get_export_key(dev_ptr: int, size: int, len: int, flag: int, /) -> tuple[str, int]:
    """key_str, ret = acl.rt.ipc_mem_get_export_key(dev_ptr, size, len, flag)

    Parameters, by position only:
        dev_ptr: an int: an address, a handle or a size
        size: an int: an address, a handle or a size
        len: an int: an address, a handle or a size
        flag: an int: an address, a handle or a size

    Returns key_str, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.ipc_mem_get_export_key args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtIpcMemGetExportKey:

        aclError aclrtIpcMemGetExportKey(void* devPtr, size_t size, char* key, size_t len, uint64_t flags);
        In Python: ret = aclrtIpcMemGetExportKey(devPtr, size, key, len, flags)

        Write a key for *size* bytes of device memory, and a zero, to *key*, *length* >= 65 bytes of host memory.

        Flag 0: only processes that aclrtIpcMemSetImportPid names may import it; 1: all. Codes: 100000 NULL, 107000 size or
        len 0, other flags, a shorter buffer, 107002, 207000 products without it, 507899 no live device memory, not from the
        start of a page on, or beyond the end of the block.
    """

def ipc_mem_set_import_pid(key: str, pids: list[int], /) -> int:
    """ret = acl.rt.ipc_mem_set_import_pid(key, pids)

    Parameters, by position only:
        key: a str
        pids: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.ipc_mem_set_import_pid args parse failed') for arguments of another number or type.

    Calls aclrtIpcMemSetImportPid:

        aclError aclrtIpcMemSetImportPid(const char* key, int32_t* pid, size_t num);
        In Python: ret = aclrtIpcMemSetImportPid(key, pid, num)

        Name the processes that may import the key; only the one that exported it can.

        Codes: 100000 NULL, 107000 none or too many, or a key of no possible length, 107002, 207000, 507899 not this process's
        key, or nobody but this process named, 207006 exported without a list.
    """

def ipc_mem_import_by_key(key: str, flag: int, /) -> tuple[int, int]:
    """dev_ptr, ret = acl.rt.ipc_mem_import_by_key(key, flag)

    Parameters, by position only:
        key: a str
        flag: an int: an address, a handle or a size

    Returns dev_ptr, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.ipc_mem_import_by_key args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtIpcMemImportByKey:

        aclError aclrtIpcMemImportByKey(void** devPtr, const char* key, uint64_t flags);
        In Python: devPtr, ret = aclrtIpcMemImportByKey(key, flags)

        The address in this process of what *key* names; the same one for each further import, which counts.

        Flag 1 opens the way between the two devices; with 0 aclrtDeviceEnablePeerAccess does. Codes: 100000 NULL, 107000
        other flags or a key of no possible length, 107002, 207000, 507899 nobody gave the key, its memory is gone, or this
        process is not on its white list.
    """

def ipc_mem_close(key: str, /) -> int:
    """ret = acl.rt.ipc_mem_close(key)

    Parameters, by position only:
        key: a str

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.ipc_mem_close args parse failed') for arguments of another number or type.

    Calls aclrtIpcMemClose:

        aclError aclrtIpcMemClose(const char* key);
        In Python: ret = aclrtIpcMemClose(key)

        Close the key: importers first, then the process that exported it, then comes aclrtFree.

        Codes: 100000 NULL, 107002, 207000, 107000 a key of no possible length, 507899 this process has it no more, or never
        had.
    """

def get_device_info(device_id: int, attr: int, /) -> tuple[int, int]:
    """value, ret = acl.rt.get_device_info(device_id, attr)

    Parameters, by position only:
        device_id: an int of 32 bits, unsigned
        attr: one of
            ACL_DEV_ATTR_AICPU_CORE_NUM = 1
            ACL_DEV_ATTR_AICORE_CORE_NUM = 101
            ACL_DEV_ATTR_CUBE_CORE_NUM = 102
            ACL_DEV_ATTR_VECTOR_CORE_NUM = 201
            ACL_DEV_ATTR_WARP_SIZE = 202
            ACL_DEV_ATTR_MAX_THREAD_PER_VECTOR_CORE = 203
            ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE = 204
            ACL_DEV_ATTR_MAX_GRID_DIM_X = 205
            ACL_DEV_ATTR_MAX_GRID_DIM_Y = 206
            ACL_DEV_ATTR_MAX_GRID_DIM_Z = 207
            ...

    Returns value, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_device_info args parse failed') for arguments of another number or type.

    Calls aclrtGetDeviceInfo:

        aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t* value);
        In Python: value, ret = aclrtGetDeviceInfo(deviceId, attr)

        An attribute (aclrtDevAttr): numbers of cores, bytes of memory, SIMT sizes (0 without SIMT), ids.

        Needs no context. Codes: 107000 bad device or attribute, 207000 an attribute that the 950 lacks.
    """

def device_get_stream_priority_range() -> tuple[int, int, int]:
    """least, greatest, ret = acl.rt.device_get_stream_priority_range()

    Returns least, greatest, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.device_get_stream_priority_range args parse failed') for arguments of another number or type.

    Calls aclrtDeviceGetStreamPriorityRange:

        aclError aclrtDeviceGetStreamPriorityRange(int32_t* leastPriority, int32_t* greatestPriority);
        In Python: leastPriority, greatestPriority, ret = aclrtDeviceGetStreamPriorityRange()

        The least and the greatest priority of streams: 7 and 0. Needs no context, never fails.

        Returns, before the code:
            leastPriority (int32_t)
            greatestPriority (int32_t)
            When the call fails: 0 for handles and addresses, else None.

        Page: 04 device management. Not on: IPV350.
    """

def get_device_capability(device_id: int, feature_type: int, /) -> tuple[int, int]:
    """value, ret = acl.rt.get_device_capability(device_id, feature_type)

    Parameters, by position only:
        device_id: an int of 32 bits
        feature_type: one of
            ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV = 1
            ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV = 21

    Returns value, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_device_capability args parse failed') for arguments of another number or type.

    Calls aclrtGetDeviceCapability:

        aclError aclrtGetDeviceCapability(int32_t deviceId, aclrtDevFeatureType devFeatureType, int32_t* value);
        In Python: value, ret = aclrtGetDeviceCapability(deviceId, devFeatureType)

        1 when a feature is there, else 0: 1 task update of AI core tasks, 21 queue events across devices.

        Codes: 107000 another feature, 107001 bad device.
    """

def get_device_res_limit(device_id: int, type: int, /) -> tuple[int, int]:
    """value, ret = acl.rt.get_device_res_limit(device_id, type)

    Parameters, by position only:
        device_id: an int of 32 bits
        type: one of
            ACL_RT_DEV_RES_CUBE_CORE = 0
            ACL_RT_DEV_RES_VECTOR_CORE = 1

    Returns value, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_device_res_limit args parse failed') for arguments of another number or type.

    Calls aclrtGetDeviceResLimit:

        aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t* value);
        In Python: value, ret = aclrtGetDeviceResLimit(deviceId, type)

        The limit, at first what the chip has. Codes: 107001, 107000 bad type, 507033 not set.
    """

def set_device_res_limit(device_id: int, type: int, value: int, /) -> int:
    """ret = acl.rt.set_device_res_limit(device_id, type, value)

    Parameters, by position only:
        device_id: an int of 32 bits
        type: one of
            ACL_RT_DEV_RES_CUBE_CORE = 0
            ACL_RT_DEV_RES_VECTOR_CORE = 1
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.set_device_res_limit args parse failed') for arguments of another number or type.

    Calls aclrtSetDeviceResLimit:

        aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value);
        In Python: ret = aclrtSetDeviceResLimit(deviceId, type, value)

        Let later kernels of this process use at most *value* cores of a kind on a device that is set.

        Kinds: 0 cube (AI) cores, 1 vector cores. Codes: 107001 bad device, 107000 bad type or more cores than the chip has,
        507033 the device is not set.
    """

def reset_device_res_limit(device_id: int, /) -> int:
    """ret = acl.rt.reset_device_res_limit(device_id)

    Parameters, by position only:
        device_id: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.reset_device_res_limit args parse failed') for arguments of another number or type.

    Calls aclrtResetDeviceResLimit:

        aclError aclrtResetDeviceResLimit(int32_t deviceId);
        In Python: ret = aclrtResetDeviceResLimit(deviceId)

        All cores again, of both kinds. Codes: 107001 bad device, 507033 not set.
    """

def get_devices_topo(device_id: int, other_device_id: int, /) -> tuple[int, int]:
    """value, ret = acl.rt.get_devices_topo(device_id, other_device_id)

    Parameters, by position only:
        device_id: an int of 32 bits, unsigned
        other_device_id: an int of 32 bits, unsigned

    Returns value, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.reset_device_res_limit args parse failed') for arguments of another number or type.

    Calls aclrtGetDevicesTopo:

        aclError aclrtGetDevicesTopo(uint32_t deviceId, uint32_t otherDeviceId, uint64_t* value);
        In Python: value, ret = aclrtGetDevicesTopo(deviceId, otherDeviceId)

        How two devices are connected: one bit of ACL_RT_DEVS_TOPOLOGY_*.

        A3: the two dies of a chip (SIO), else an HCCS switch; A2 and TRN: HCCS; others: one PCIe switch. Codes: 107000 bad
        device.
    """

def create_notify(flag: int, /) -> tuple[int, int]:
    """notify, ret = acl.rt.create_notify(flag)

    Parameters, by position only:
        flag: an int: an address, a handle or a size

    Returns notify, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.create_notify args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtCreateNotify:

        aclError aclrtCreateNotify(aclrtNotify* notify, uint64_t flag);
        In Python: notify, ret = aclrtCreateNotify(flag)

        A notify of the current device: 0 plain, 1 for use on the device only.

        Codes: 107000 other flags, 107002 no context, 207000 the firmware lacks device-only ones, 207009 none left.
    """

def destroy_notify(notify: int, /) -> int:
    """ret = acl.rt.destroy_notify(notify)

    Parameters, by position only:
        notify: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.destroy_notify args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtDestroyNotify:

        aclError aclrtDestroyNotify(aclrtNotify notify);
        In Python: ret = aclrtDestroyNotify(notify)

        Destroy; its id is free at once. Codes: 100000 NULL, 107017 dead, 107002 no context.
    """

def record_notify(notify: int, stream: int, /) -> int:
    """ret = acl.rt.record_notify(notify, stream)

    Parameters, by position only:
        notify: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.record_notify args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtRecordNotify:

        aclError aclrtRecordNotify(aclrtNotify notify, aclrtStream stream);
        In Python: ret = aclrtRecordNotify(notify, stream)

        Queue a record: it sets the flag. Codes: 100000 NULL, 107017, 107002, 107003.
    """

def wait_and_reset_notify(notify: int, stream: int, timeout: int, /) -> int:
    """ret = acl.rt.wait_and_reset_notify(notify, stream, timeout)

    Parameters, by position only:
        notify: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size
        timeout: an int of 64 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.wait_and_reset_notify args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtWaitAndResetNotify:

        aclError aclrtWaitAndResetNotify(aclrtNotify notify, aclrtStream stream, uint32_t timeout);
        In Python: ret = aclrtWaitAndResetNotify(notify, stream, timeout)

        Make *stream* wait for the flag and clear it; *timeout* in seconds, 0: none.

        One record releases one wait. Codes: 100000 NULL, 107017, 107002, 107003; a limit that passes is a failed task,
        107020 at the next synchronise.
    """

def get_notify_id(notify: int, /) -> tuple[int, int]:
    """notify_id, ret = acl.rt.get_notify_id(notify)

    Parameters, by position only:
        notify: an int: an address, a handle or a size

    Returns notify_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_notify_id args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtGetNotifyId:

        aclError aclrtGetNotifyId(aclrtNotify notify, uint32_t* notifyId);
        In Python: notifyId, ret = aclrtGetNotifyId(notify)

        The id of a notify on its device. Codes: 100000 NULL, 107017.
    """

def notify_batch_reset(notifies: list[int], /) -> int:
    """ret = acl.rt.notify_batch_reset(notifies)

    Parameters, by position only:
        notifies: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.notify_batch_reset args parse failed') for arguments of another number or type.

    Calls aclrtNotifyBatchReset:

        aclError aclrtNotifyBatchReset(aclrtNotify* notifies, size_t num);
        In Python: ret = aclrtNotifyBatchReset(notifies, num)

        Clear flags from the host, one after the other; the first that cannot be cleared ends it.

        Codes: 100000 NULL, 107000 none, or one that is NULL, 107017, 107002, 207000 the chip lacks it.
    """

def notify_get_export_key(notify: int, len: int, flag: int, /) -> tuple[str, int]:
    """key_str, ret = acl.rt.notify_get_export_key(notify, len, flag)

    Parameters, by position only:
        notify: an int: an address, a handle or a size
        len: an int: an address, a handle or a size
        flag: an int: an address, a handle or a size

    Returns key_str, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.notify_get_export_key args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtNotifyGetExportKey:

        aclError aclrtNotifyGetExportKey(aclrtNotify notify, char* key, size_t len, uint64_t flags);
        In Python: ret = aclrtNotifyGetExportKey(notify, key, len, flags)

        Write the notify's key and a zero to *key*, *length* >= 65 bytes of host memory. Flag 2: any process may import.

        Codes: 100000 NULL, 107017, 107000 a shorter buffer or flags other than 0 and 2, 107002, 207000 products without it.
    """

def notify_set_import_pid(notify: int, pids: list[int], /) -> int:
    """ret = acl.rt.notify_set_import_pid(notify, pids)

    Parameters, by position only:
        notify: an int: an address, a handle or a size
        pids: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.notify_set_import_pid args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtNotifySetImportPid:

        aclError aclrtNotifySetImportPid(aclrtNotify notify, int32_t* pid, size_t num);
        In Python: ret = aclrtNotifySetImportPid(notify, pid, num)

        Name the processes that may import an exported notify.

        Codes: 100000 NULL, 107017, 107000 none or too many, 107002, 207000, 507899 not exported, or only this process named,
        207006 exported without a list.
    """

def notify_import_by_key(key: str, flag: int, /) -> tuple[int, int]:
    """notify, ret = acl.rt.notify_import_by_key(key, flag)

    Parameters, by position only:
        key: a str
        flag: an int: an address, a handle or a size

    Returns notify, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.notify_import_by_key args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtNotifyImportByKey:

        aclError aclrtNotifyImportByKey(aclrtNotify* notify, const char* key, uint64_t flags);
        In Python: notify, ret = aclrtNotifyImportByKey(key, flags)

        The notify with this key; every handle is destroyed by itself. Flag 2 opens the way between two devices.

        Codes: 100000 NULL, 107000 flags above 3 or a key of no possible length, 107002, 207000 products without it, 507899
        nobody gave the key, its notify is gone, or this process is not on its white list.
    """

def get_stream_res_limit(stream: int, type: int, /) -> tuple[int, int]:
    """value, ret = acl.rt.get_stream_res_limit(stream, type)

    Parameters, by position only:
        stream: an int: an address, a handle or a size
        type: one of
            ACL_RT_DEV_RES_CUBE_CORE = 0
            ACL_RT_DEV_RES_VECTOR_CORE = 1

    Returns value, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_stream_res_limit parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtGetStreamResLimit:

        aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t* value);
        In Python: value, ret = aclrtGetStreamResLimit(stream, type)

        A stream's limit, else that of its device. Codes: 107017, 107000 bad type, 107002.
    """

def set_stream_res_limit(stream: int, type: int, value: int, /) -> int:
    """ret = acl.rt.set_stream_res_limit(stream, type, value)

    Parameters, by position only:
        stream: an int: an address, a handle or a size
        type: one of
            ACL_RT_DEV_RES_CUBE_CORE = 0
            ACL_RT_DEV_RES_VECTOR_CORE = 1
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.set_stream_res_limit parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtSetStreamResLimit:

        aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t value);
        In Python: ret = aclrtSetStreamResLimit(stream, type, value)

        A limit for a stream (NULL: the default one); it counts in threads that call aclrtUseStreamResInCurrentThread.

        It may be above that of the process. Codes: 107017 dead stream, 107000 bad type or more cores than the chip has,
        107002 NULL without a context.
    """

def reset_stream_res_limit(stream: int, /) -> int:
    """ret = acl.rt.reset_stream_res_limit(stream)

    Parameters, by position only:
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.reset_stream_res_limit parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtResetStreamResLimit:

        aclError aclrtResetStreamResLimit(aclrtStream stream);
        In Python: ret = aclrtResetStreamResLimit(stream)

        Forget the limits of a stream. Codes: 107017, 107002.
    """

def use_stream_res_in_current_thread(stream: int, /) -> int:
    """ret = acl.rt.use_stream_res_in_current_thread(stream)

    Parameters, by position only:
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.use_stream_res_in_current_thread parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtUseStreamResInCurrentThread:

        aclError aclrtUseStreamResInCurrentThread(aclrtStream stream);
        In Python: ret = aclrtUseStreamResInCurrentThread(stream)

        Kernels that this thread launches obey the limits of *stream*; the last call wins. Codes: 107017, 107002.
    """

def unuse_stream_res_in_current_thread(stream: int, /) -> int:
    """ret = acl.rt.unuse_stream_res_in_current_thread(stream)

    Parameters, by position only:
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.unuse_stream_res_in_current_thread parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtUnuseStreamResInCurrentThread:

        aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream);
        In Python: ret = aclrtUnuseStreamResInCurrentThread(stream)

        Undo it; nothing happens when the thread uses another stream's limits. Codes: 107017, 107002.
    """

def get_res_in_current_thread(type: int, /) -> tuple[int, int]:
    """value, ret = acl.rt.get_res_in_current_thread(type)

    Parameters, by position only:
        type: one of
            ACL_RT_DEV_RES_CUBE_CORE = 0
            ACL_RT_DEV_RES_VECTOR_CORE = 1

    Returns value, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_res_in_current_thread parse failed') for arguments of another number or type.

    Calls aclrtGetResInCurrentThread:

        aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t* value);
        In Python: value, ret = aclrtGetResInCurrentThread(type)

        What kernels launched now may use: stream, then process, then chip. Codes: 107000 bad type, 107002.
    """

def get_primary_ctx_state(device_id: int, /) -> tuple[int, int, int]:
    """active, flags, ret = acl.rt.get_primary_ctx_state(device_id)

    Parameters, by position only:
        device_id: an int of 32 bits

    Returns active, flags, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_primary_ctx_state args parse failed') for arguments of another number or type.

    Calls aclrtGetPrimaryCtxState:

        aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t* flags, int32_t* active);
        In Python: flags, active, ret = aclrtGetPrimaryCtxState(deviceId)

        Flags (reserved, never written) and whether the device is set. Codes: 107001 bad device.
    """

def get_logic_dev_id_by_user_dev_id(user_dev_id: int, /) -> tuple[int, int]:
    """logic_dev_id, ret = acl.rt.get_logic_dev_id_by_user_dev_id(user_dev_id)

    Parameters, by position only:
        user_dev_id: an int of 32 bits

    Returns logic_dev_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_logic_dev_id_by_user_dev_id args parse failed') for arguments of another number or type.

    Calls aclrtGetLogicDevIdByUserDevId:

        aclError aclrtGetLogicDevIdByUserDevId(const int32_t userDevid, int32_t* const logicDevId);
        In Python: logicDevId, ret = aclrtGetLogicDevIdByUserDevId(userDevid)

        Codes: 107000 negative, 107001 no such device.
    """

def get_user_dev_id_by_logic_dev_id(logic_dev_id: int, /) -> tuple[int, int]:
    """user_dev_id, ret = acl.rt.get_user_dev_id_by_logic_dev_id(logic_dev_id)

    Parameters, by position only:
        logic_dev_id: an int of 32 bits

    Returns user_dev_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_user_dev_id_by_logic_dev_id args parse failed') for arguments of another number or type.

    Calls aclrtGetUserDevIdByLogicDevId:

        aclError aclrtGetUserDevIdByLogicDevId(const int32_t logicDevId, int32_t* const userDevid);
        In Python: userDevid, ret = aclrtGetUserDevIdByLogicDevId(logicDevId)

        Codes: 107000 negative, 107001 no such device.
    """

def get_logic_dev_id_by_phy_dev_id(phy_dev_id: int, /) -> tuple[int, int]:
    """logic_dev_id, ret = acl.rt.get_logic_dev_id_by_phy_dev_id(phy_dev_id)

    Parameters, by position only:
        phy_dev_id: an int of 32 bits

    Returns logic_dev_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_logic_dev_id_by_phy_dev_id args parse failed') for arguments of another number or type.

    Calls aclrtGetLogicDevIdByPhyDevId:

        aclError aclrtGetLogicDevIdByPhyDevId(const int32_t phyDevId, int32_t* const logicDevId);
        In Python: logicDevId, ret = aclrtGetLogicDevIdByPhyDevId(phyDevId)

        What it answers is a user id, says the page. Codes: 107000 no such device.
    """

def get_phy_dev_id_by_logic_dev_id(logic_dev_id: int, /) -> tuple[int, int]:
    """phy_dev_id, ret = acl.rt.get_phy_dev_id_by_logic_dev_id(logic_dev_id)

    Parameters, by position only:
        logic_dev_id: an int of 32 bits

    Returns phy_dev_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_phy_dev_id_by_logic_dev_id args parse failed') for arguments of another number or type.

    Calls aclrtGetPhyDevIdByLogicDevId:

        aclError aclrtGetPhyDevIdByLogicDevId(const int32_t logicDevId, int32_t* const phyDevId);
        In Python: phyDevId, ret = aclrtGetPhyDevIdByLogicDevId(logicDevId)

        What it takes is a user id, says the page. Codes: 107000 no such device.
    """

def set_op_execute_timeout_v2(timeout_us: int, /) -> tuple[int, int]:
    """actual_timeout, ret = acl.rt.set_op_execute_timeout_v2(timeout_us)

    Parameters, by position only:
        timeout_us: an int: an address, a handle or a size

    Returns actual_timeout, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.set_op_execute_timeout_v2 args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclrtSetOpExecuteTimeOutV2:

        aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t* actualTimeout);
        In Python: actualTimeout, ret = aclrtSetOpExecuteTimeOutV2(timeout)

        Set the limit in microseconds; returns what becomes of it, UINT64_MAX: no limit.

        0 means no limit where the step is finer than 100 ms. Codes: 107002 no context.
    """

def get_op_timeout_interval() -> tuple[int, int]:
    """interval, ret = acl.rt.get_op_timeout_interval()

    Returns interval, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_op_timeout_interval args parse failed') for arguments of another number or type.

    Calls aclrtGetOpTimeOutInterval:

        aclError aclrtGetOpTimeOutInterval(uint64_t* interval);
        In Python: interval, ret = aclrtGetOpTimeOutInterval()

        The step of such limits in microseconds. Codes: 107002 no context.

        Returns, before the code:
            interval (uint64_t)
            When the call fails: 0 for handles and addresses, else None.

        Page: 12 execution control. Not on: IPV350.
    """

def get_op_execute_timeout() -> tuple[int, int]:
    """timeout_ms, ret = acl.rt.get_op_execute_timeout()

    Returns timeout_ms, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_op_execute_timeout args parse failed') for arguments of another number or type.

    Calls aclrtGetOpExecuteTimeout:

        aclError aclrtGetOpExecuteTimeout(uint32_t* const timeoutMs);
        In Python: timeoutMs, ret = aclrtGetOpExecuteTimeout()

        The limit in force in milliseconds, rounded up; UINT32_MAX: none. Never fails.

        Returns, before the code:
            timeoutMs (uint32_t* const)
            When the call fails: 0 for handles and addresses, else None.

        Page: 12 execution control. Not on: IPV350.
    """

def device_get_uuid(device_id: int, /) -> tuple[dict[str, Any], int]:
    """uuid_dict, ret = acl.rt.device_get_uuid(device_id)

    Parameters, by position only:
        device_id: an int of 32 bits

    Returns uuid_dict, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.device_get_uuid args parse failed') for arguments of another number or type.

    Calls aclrtDeviceGetUuid:

        aclError aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid* uuid);
        In Python: uuid, ret = aclrtDeviceGetUuid(deviceId)

        16 bytes that are the same in every run for the same SoC and device (an aclrtUuid).

        Codes: 107001 bad device, 207000 products without it.
    """

def device_peer_access_status(device_id: int, peer_device_id: int, /) -> tuple[int, int]:
    """status, ret = acl.rt.device_peer_access_status(device_id, peer_device_id)

    Parameters, by position only:
        device_id: an int of 32 bits
        peer_device_id: an int of 32 bits

    Returns status, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.device_peer_access_status args parse failed') for arguments of another number or type.

    Calls aclrtDevicePeerAccessStatus:

        aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t* status);
        In Python: status, ret = aclrtDevicePeerAccessStatus(deviceId, peerDeviceId)

        1 when *device_id* may reach *peer_device_id*, else 0, also for devices that do not exist.

        The page counts each direction by itself, the driver's header answers 1 only when both are enabled (profile switch
        ``peer_status``). Codes: 107000 an id that no machine has, 207000 products without peer access.
    """

def host_register_v2(ptr: int, size: int, flag: int, /) -> int:
    """ret = acl.rt.host_register_v2(ptr, size, flag)

    Parameters, by position only:
        ptr: an int: an address, a handle or a size
        size: an int: an address, a handle or a size
        flag: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.host_register_v2 args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtHostRegisterV2:

        aclError aclrtHostRegisterV2(void* ptr, uint64_t size, uint32_t flag);
        In Python: ret = aclrtHostRegisterV2(ptr, size, flag)

        Register with flags: MAPPED 2, IOMEMORY 4, READONLY 8, PINNED 0x10000000 (pageable memory only).

        Codes: 100000 NULL or 0, 107000 no or unknown flags, 207000, 107002, 507910 overlap, 507899 no multiple of 4096
        (PINNED alone: 0).
    """

def host_get_device_pointer(host_ptr: int, flag: int, /) -> tuple[int, int]:
    """dev_ptr, ret = acl.rt.host_get_device_pointer(host_ptr, flag)

    Parameters, by position only:
        host_ptr: an int: an address, a handle or a size
        flag: an int of 32 bits, unsigned

    Returns dev_ptr, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.host_get_device_pointer parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtHostGetDevicePointer:

        aclError aclrtHostGetDevicePointer(void* pHost, void** pDevice, uint32_t flag);
        In Python: pDevice, ret = aclrtHostGetDevicePointer(pHost, flag)

        The address under which kernels see registered memory; copies must not use it.

        Codes: 100000 NULL or flag not 0, 107002, 107000 not registered.
    """

def set_group(group_id: int, /) -> int:
    """ret = acl.rt.set_group(group_id)

    Parameters, by position only:
        group_id: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.set_group args parse failed') for arguments of another number or type.

    Calls aclrtSetGroup:

        aclError aclrtSetGroup(int32_t groupId);
        In Python: ret = aclrtSetGroup(groupId)

        Use the cores of a group from now on. What runs takes no longer for it.

        Codes: 207000 on other products, 107002 without a context, 107000 not in [0, 3], 107014 no such group.
    """

def get_group_count(count: int, /) -> tuple[int, int]:
    """count, ret = acl.rt.get_group_count(count)

    Parameters, by position only:
        count: an int of 32 bits, unsigned

    Returns count, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_group_count args parse failed') for arguments of another number or type.

    Calls aclrtGetGroupCount:

        aclError aclrtGetGroupCount(uint32_t* count);
        In Python: count, ret = aclrtGetGroupCount()

        The number of groups. Codes: 207000 on other products, 107002 without a context.

        Returns, before the code:
            count (uint32_t)
            When the call fails: 0 for handles and addresses, else None.

        Page: 16 group management. Not on: 950, A3, A2, 200I/500 A2, training, IPV350.
    """

def create_group_info() -> int:
    """group_info = acl.rt.create_group_info()

    Returns group_info (int).

    Raises TypeError('acl.rt.create_group_info args parse failed') for arguments of another number or type.

    Calls aclrtCreateGroupInfo:

        aclrtGroupInfo* aclrtCreateGroupInfo();
        In Python: value = aclrtCreateGroupInfo()

        Room for what is known about all groups; NULL when there are none.

        Returns the value alone; there is no code.

        Page: 16 group management. Not on: 950, A3, A2, 200I/500 A2, training, IPV350.
    """

def destroy_group_info(group_info: int, /) -> int:
    """ret = acl.rt.destroy_group_info(group_info)

    Parameters, by position only:
        group_info: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.destroy_group_info args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtDestroyGroupInfo:

        aclError aclrtDestroyGroupInfo(aclrtGroupInfo* groupInfo);
        In Python: ret = aclrtDestroyGroupInfo(groupInfo)

        Codes: 100000 NULL.
    """

def get_all_group_info(group_info: int, /) -> int:
    """ret = acl.rt.get_all_group_info(group_info)

    Parameters, by position only:
        group_info: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.get_all_group_info args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtGetAllGroupInfo:

        aclError aclrtGetAllGroupInfo(aclrtGroupInfo* groupInfo);
        In Python: ret = aclrtGetAllGroupInfo(groupInfo)

        Fill the room. Codes: 100000 NULL, 207000 on other products, 107002 without a context, 107014 no groups.
    """

def get_group_info_detail(group_info: int, group_id: int, attr: int, /) -> tuple[list[Any], int]:
    """value_list, ret = acl.rt.get_group_info_detail(group_info, group_id, attr)

    Parameters, by position only:
        group_info: an int: an address, a handle or a size
        group_id: an int of 32 bits
        attr: an int of 32 bits

    Returns value_list, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_group_info_detail args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtGetGroupInfoDetail:

        aclError aclrtGetGroupInfoDetail(const aclrtGroupInfo* groupInfo, int32_t groupIndex, aclrtGroupAttr attr, void* attrValue, size_t valueLen, size_t* paramRetSize);
        In Python: paramRetSize, ret = aclrtGetGroupInfoDetail(groupInfo, groupIndex, attr, attrValue, valueLen)

        One number about one group, of 4 bytes: 0 before aclrtGetAllGroupInfo. Returns its size.

        Codes: 100000 NULL, no such index or attribute, too little room; 207000 on other products, 107002 without a context.
    """

def get_mem_uce_info(device_id: int, array_size: int, /) -> tuple[list[Any], int]:
    """info_list, ret = acl.rt.get_mem_uce_info(device_id, array_size)

    Parameters, by position only:
        device_id: an int of 32 bits
        array_size: an int of 32 bits, unsigned

    Returns info_list, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.rt.get_mem_uce_info args parse failed!') for arguments of another number or type.

    Calls aclrtGetMemUceInfo:

        aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray, size_t arraySize, size_t* retSize);
        In Python: memUceInfoArray, retSize, ret = aclrtGetMemUceInfo(deviceId, arraySize)

        Addresses with memory faults that cannot be corrected, and how many: none here.

        Codes: 207000 the chip lacks it, 107001.
    """

def mem_uce_repair(device_id: int, info_list: Any, /) -> int:
    """ret = acl.rt.mem_uce_repair(device_id, info_list)

    Parameters, by position only:
        device_id: an int of 32 bits
        info_list: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.rt.mem_uce_repair args parse failed!') for arguments of another number or type.

    Calls aclrtMemUceRepair:

        aclError aclrtMemUceRepair(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray, size_t arraySize);
        In Python: ret = aclrtMemUceRepair(deviceId, memUceInfoArray, arraySize)

        Repair such addresses.

        Codes: 100000 NULL, more than 128, or something in a reserved field; 207000 the chip lacks it; 107001.
    """

def device_set_limit(limit: int, value: int, /) -> int:
    """acl.rt.device_set_limit(limit, value)

    Parameters, by position only:
        limit: one of
            ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE = 0
            ACL_RT_DEV_LIMIT_SIMT_DVG_WARP_STACK_SIZE = 1
            ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE = 2
            ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE = 3
            ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE = 4
        value: an int: an address, a handle or a size

    Raises TypeError('acl.rt.device_set_limit args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclrtDeviceSetLimit:

        aclError aclrtDeviceSetLimit(aclrtDeviceLimit limit, size_t value);
        In Python: ret = aclrtDeviceSetLimit(limit, value)

        Set the bytes of a stack or a print buffer for all devices; counts from the next time that they come up.

        Limits: 0 SIMT stack of a thread, 1 SIMT divergence stack, 2 SIMD stack of a core, 3 SIMD print buffer of a core, 4
        SIMT print buffer. Codes: 100000 another limit or more than 32 bits, 207000 products without it, 107000 a print
        buffer out of range or both SIMT stacks 0.
    """

def device_get_limit(limit: int, /) -> tuple[int, int]:
    """acl.rt.device_get_limit(limit)

    Parameters, by position only:
        limit: one of
            ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE = 0
            ACL_RT_DEV_LIMIT_SIMT_DVG_WARP_STACK_SIZE = 1
            ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE = 2
            ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE = 3
            ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE = 4

    Raises TypeError('acl.rt.device_get_limit args parse failed') for arguments of another number or type.

    Calls aclrtDeviceGetLimit:

        aclError aclrtDeviceGetLimit(aclrtDeviceLimit limit, size_t* value);
        In Python: value, ret = aclrtDeviceGetLimit(limit)

        What was set last, rounded up, in effect or not; limit 0 answers for a warp of 32 threads.

        Codes: 100000 another limit, 207000 products without it.
    """
