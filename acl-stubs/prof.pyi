"""acl.prof: profiling."""
# Made from the tables: python -m ascend_sim.pyacl.stubs

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

def create_config(device_ids: list[int], aicore_metrics: int, aicore_events: int, data_type_config: int, /) -> int:
    """config = acl.prof.create_config(device_ids, aicore_metrics, aicore_events, data_type_config)

    Parameters, by position only:
        device_ids: an object
        aicore_metrics: an int of 32 bits
        aicore_events: an int: an address, a handle or a size
        data_type_config: an int: an address, a handle or a size

    Returns config (int).

    Raises TypeError('acl.prof.create_config args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclprofCreateConfig:

        aclprofConfig* aclprofCreateConfig(uint32_t* deviceIdList, uint32_t deviceNums, aclprofAicoreMetrics aicoreMetrics, const aclprofAicoreEvents* aicoreEvents, uint64_t dataTypeConfig);
        In Python: value = aclprofCreateConfig(deviceIdList, deviceNums, aicoreMetrics, aicoreEvents, dataTypeConfig)

        What to collect of which devices; with ACL_PROF_MSPROFTX there may be none.

        NULL: devices that do not exist or come twice, none of them without ACL_PROF_MSPROFTX, *aicoreEvents* not NULL.

        Returns the value alone; there is no code.
    """

def destroy_config(config: int, /) -> int:
    """ret = acl.prof.destroy_config(config)

    Parameters, by position only:
        config: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.prof.destroy_config args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclprofDestroyConfig:

        aclError aclprofDestroyConfig(const aclprofConfig* profilerConfig);
        In Python: ret = aclprofDestroyConfig(profilerConfig)

        A session that was started with it goes on. Codes: 100000 NULL.
    """

def init(result_path: str, /) -> int:
    """ret = acl.prof.init(result_path)

    Parameters, by position only:
        result_path: a str

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.prof.Init args parse failed!') for arguments of another number or type.

    Calls aclprofInit:

        aclError aclprofInit(const char* profilerResultPath, size_t length);
        In Python: ret = aclprofInit(profilerResultPath, length)

        Begin: results will go to *path*.

        Codes: 100000 no path, a length that is not that of the path, 4096 or more; 100002 called before, 100003 characters
        that are refused, 100042 the file of aclInit switches the profiler on, 148047 a model is subscribed.
    """

def finalize() -> int:
    """ret = acl.prof.finalize()

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.prof.finalize args parse failed') for arguments of another number or type.

    Calls aclprofFinalize:

        aclError aclprofFinalize();
        In Python: ret = aclprofFinalize()

        End, stop what runs. Without a begin nothing happens. Codes: 100042, 148047 as aclprofInit.

        Returns the code: 0 when the call succeeds.

        Page: 19-01 data profiling apis. Not on: IPV350.
    """

def start(config: int, /) -> int:
    """ret = acl.prof.start(config)

    Parameters, by position only:
        config: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.prof.start args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclprofStart:

        aclError aclprofStart(const aclprofConfig* profilerConfig);
        In Python: ret = aclprofStart(profilerConfig)

        Collect from now on; NULL: tasks and calls of the devices that are in use. Started before with the same: 0.

        Codes: 100000 no bits, 200007 unknown bits, 100010 running with others, 100003 results that cannot be written,
        100042 and 148047 as aclprofInit. Without aclprofInit results go to the working directory.
    """

def stop(config: int, /) -> int:
    """ret = acl.prof.stop(config)

    Parameters, by position only:
        config: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.prof.stop args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclprofStop:

        aclError aclprofStop(const aclprofConfig* profilerConfig);
        In Python: ret = aclprofStop(profilerConfig)

        Collect no more, and write the results. NULL: whatever runs. Without a begin nothing happens.

        Codes: 100000 no bits, 200007 unknown bits, 100043 not started for these devices, 100010 other bits than at the
        start, 100042 and 148047 as aclprofInit.
    """

def model_subscribe(model_id: int, subscribe_config: int, /) -> int:
    """ret = acl.prof.model_subscribe(model_id, subscribe_config)

    Parameters, by position only:
        model_id: an int of 32 bits, unsigned
        subscribe_config: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.prof.model_subscribe args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclprofModelSubscribe:

        aclError aclprofModelSubscribe(uint32_t modelId, const aclprofSubscribeConfig* profSubscribeConfig);
        In Python: ret = aclprofModelSubscribe(modelId, profSubscribeConfig)

        Let the operators of a model that run from now on be written to the descriptor.

        Codes: 100011 no such model, 100000 NULL, neither times nor metrics, no descriptor; 148046 subscribed before, 148047
        between aclprofInit and aclprofFinalize, 100042 the file of aclInit switches the profiler on.
    """

def model_un_subscribe(model_id: int, /) -> int:
    """ret = acl.prof.model_un_subscribe(model_id)

    Parameters, by position only:
        model_id: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.prof.model_unsubscribe args parse failed') for arguments of another number or type.

    Calls aclprofModelUnSubscribe:

        aclError aclprofModelUnSubscribe(uint32_t modelId);
        In Python: ret = aclprofModelUnSubscribe(modelId)

        Write what is left, and close the descriptor when no other model has it.

        Codes: 100011 no such model, not subscribed; 148047, 100042 as aclprofModelSubscribe.
    """

def model_unsubscribe(model_id: int, /) -> int:
    """ret = acl.prof.model_unsubscribe(model_id)

    Parameters, by position only:
        model_id: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.prof.model_unsubscribe args parse failed') for arguments of another number or type.

    Calls aclprofModelUnSubscribe:

        aclError aclprofModelUnSubscribe(uint32_t modelId);
        In Python: ret = aclprofModelUnSubscribe(modelId)

        Write what is left, and close the descriptor when no other model has it.

        Codes: 100011 no such model, not subscribed; 148047, 100042 as aclprofModelSubscribe.
    """

def create_subscribe_config(time_info_switch: int, aicore_metrics: int, fd: int, /) -> int:
    """config = acl.prof.create_subscribe_config(time_info_switch, aicore_metrics, fd)

    Parameters, by position only:
        time_info_switch: an int of 8 bits
        aicore_metrics: one of
            ACL_AICORE_ARITHMETIC_UTILIZATION = 0
            ACL_AICORE_PIPE_UTILIZATION = 1
            ACL_AICORE_MEMORY_BANDWIDTH = 2
            ACL_AICORE_L0B_AND_WIDTH = 3
            ACL_AICORE_RESOURCE_CONFLICT_RATIO = 4
            ACL_AICORE_MEMORY_UB = 5
            ACL_AICORE_L2_CACHE = 6
            ACL_AICORE_PIPE_EXECUTE_UTILIZATION = 7
            ACL_AICORE_MEMORY_ACCESS = 8
            ACL_AICORE_NONE = 255
        fd: an int of 32 bits

    Returns config (int).

    Raises TypeError('acl.prof.create_subscribe_config args parse failed') for arguments of another number or type.

    Calls aclprofCreateSubscribeConfig:

        aclprofSubscribeConfig* aclprofCreateSubscribeConfig(int8_t timeInfoSwitch, aclprofAicoreMetrics aicoreMetrics, void* fd);
        In Python: value = aclprofCreateSubscribeConfig(timeInfoSwitch, aicoreMetrics, fd)

        Where records go: *fd* is the address of a descriptor that can be written to. NULL: *fd* is NULL.

        Returns the value alone; there is no code.
    """

def destroy_subscribe_config(config: int, /) -> int:
    """ret = acl.prof.destroy_subscribe_config(config)

    Parameters, by position only:
        config: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.prof.destroy_subscribe_config args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclprofDestroySubscribeConfig:

        aclError aclprofDestroySubscribeConfig(const aclprofSubscribeConfig* profSubscribeConfig);
        In Python: ret = aclprofDestroySubscribeConfig(profSubscribeConfig)

        Subscriptions go on. Codes: 100000 NULL.
    """

def get_op_desc_size() -> tuple[int, int]:
    """size, ret = acl.prof.get_op_desc_size()

    Returns size, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.prof.get_op_desc_size args parse failed') for arguments of another number or type.

    Calls aclprofGetOpDescSize:

        aclError aclprofGetOpDescSize(size_t* opDescSize);
        In Python: opDescSize, ret = aclprofGetOpDescSize()

        The bytes of one record. Never fails.

        Returns, before the code:
            opDescSize (size_t)
            When the call fails: 0 for handles and addresses, else None.

        Page: 19-03 subscription to operator information. Not on: IPV350.
    """

def get_op_num(op_info: int, op_info_len: int, /) -> tuple[int, int]:
    """op_num, ret = acl.prof.get_op_num(op_info, op_info_len)

    Parameters, by position only:
        op_info: an int: an address, a handle or a size
        op_info_len: an int: an address, a handle or a size

    Returns op_num, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.prof.get_op_num args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclprofGetOpNum:

        aclError aclprofGetOpNum(const void* opInfo, size_t opInfoLen, uint32_t* opNumber);
        In Python: opNumber, ret = aclprofGetOpNum(opInfo, opInfoLen)

        How many records lie at *opInfo*. Codes: 100000 NULL, what is no record.
    """

def get_op_type(op_info: int, op_info_len: int, index: int, op_type_len: int, /) -> tuple[str, int]:
    """op_type, ret = acl.prof.get_op_type(op_info, op_info_len, index, op_type_len)

    Parameters, by position only:
        op_info: an int: an address, a handle or a size
        op_info_len: an int: an address, a handle or a size
        index: an int of 32 bits, unsigned
        op_type_len: an int: an address, a handle or a size

    Returns op_type, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.prof.get_op_type args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclprofGetOpType:

        aclError aclprofGetOpType(const void* opInfo, size_t opInfoLen, uint32_t index, char* opType, size_t opTypeLen);
        In Python: ret = aclprofGetOpType(opInfo, opInfoLen, index, opType, opTypeLen)

        Write the type; it is forgotten then. Codes: 100000 as above, no room.
    """

def get_op_name(op_info: int, op_info_len: int, index: int, op_name_len: int, /) -> tuple[str, int]:
    """op_name, ret = acl.prof.get_op_name(op_info, op_info_len, index, op_name_len)

    Parameters, by position only:
        op_info: an int: an address, a handle or a size
        op_info_len: an int: an address, a handle or a size
        index: an int of 32 bits, unsigned
        op_name_len: an int: an address, a handle or a size

    Returns op_name, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.prof.get_op_name args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclprofGetOpName:

        aclError aclprofGetOpName(const void* opInfo, size_t opInfoLen, uint32_t index, char* opName, size_t opNameLen);
        In Python: ret = aclprofGetOpName(opInfo, opInfoLen, index, opName, opNameLen)

        Write the name; it is forgotten then. Codes: 100000 as above, no room.
    """

def get_op_type_v2(op_info: int, op_info_len: int, index: int, /) -> tuple[str | None, int]:
    """op_type, ret = acl.prof.get_op_type_v2(op_info, op_info_len, index)

    Parameters, by position only:
        op_info: an int: an address, a handle or a size
        op_info_len: an int: an address, a handle or a size
        index: an int of 32 bits, unsigned

    Returns op_type, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.prof.get_op_type args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclprofGetOpTypeLen and aclprofGetOpType.
    """

def get_op_name_v2(op_info: int, op_info_len: int, index: int, /) -> tuple[str | None, int]:
    """op_name, ret = acl.prof.get_op_name_v2(op_info, op_info_len, index)

    Parameters, by position only:
        op_info: an int: an address, a handle or a size
        op_info_len: an int: an address, a handle or a size
        index: an int of 32 bits, unsigned

    Returns op_name, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.prof.get_op_name args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclprofGetOpNameLen and aclprofGetOpName.
    """

def get_op_start(op_info: int, op_info_len: int, index: int, /) -> int:
    """value = acl.prof.get_op_start(op_info, op_info_len, index)

    Parameters, by position only:
        op_info: an int: an address, a handle or a size
        op_info_len: an int: an address, a handle or a size
        index: an int of 32 bits, unsigned

    Returns value (int).

    Raises TypeError('acl.prof.get_op_start args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclprofGetOpStart:

        uint64_t aclprofGetOpStart(const void* opInfo, size_t opInfoLen, uint32_t index);
        In Python: value = aclprofGetOpStart(opInfo, opInfoLen, index)

        When it began, in us of virtual time; 0 for what is no record.

        Returns the value alone; there is no code.
    """

def get_op_end(op_info: int, op_info_len: int, index: int, /) -> int:
    """value = acl.prof.get_op_end(op_info, op_info_len, index)

    Parameters, by position only:
        op_info: an int: an address, a handle or a size
        op_info_len: an int: an address, a handle or a size
        index: an int of 32 bits, unsigned

    Returns value (int).

    Raises TypeError('acl.prof.get_op_end args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclprofGetOpEnd:

        uint64_t aclprofGetOpEnd(const void* opInfo, size_t opInfoLen, uint32_t index);
        In Python: value = aclprofGetOpEnd(opInfo, opInfoLen, index)

        When it ended, in us of virtual time; 0 for what is no record.

        Returns the value alone; there is no code.
    """

def get_op_duration(op_info: int, op_info_len: int, index: int, /) -> int:
    """value = acl.prof.get_op_duration(op_info, op_info_len, index)

    Parameters, by position only:
        op_info: an int: an address, a handle or a size
        op_info_len: an int: an address, a handle or a size
        index: an int of 32 bits, unsigned

    Returns value (int).

    Raises TypeError('acl.prof.get_op_duration args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclprofGetOpDuration:

        uint64_t aclprofGetOpDuration(const void* opInfo, size_t opInfoLen, uint32_t index);
        In Python: value = aclprofGetOpDuration(opInfo, opInfoLen, index)

        How long it took, in us of virtual time; 0 for what is no record.

        Returns the value alone; there is no code.
    """

def get_model_id(op_info: int, op_info_len: int, index: int, /) -> int:
    """value = acl.prof.get_model_id(op_info, op_info_len, index)

    Parameters, by position only:
        op_info: an int: an address, a handle or a size
        op_info_len: an int: an address, a handle or a size
        index: an int of 32 bits, unsigned

    Returns value (int).

    Raises TypeError('acl.prof.get_model_id args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclprofGetModelId:

        size_t aclprofGetModelId(const void* opInfo, size_t opInfoLen, uint32_t index);
        In Python: value = aclprofGetModelId(opInfo, opInfoLen, index)

        The model; the code 100000 itself for what is no record.

        Returns the value alone; there is no code.
    """

def get_op_type_len(op_info: int, op_info_len: int, index: int, /) -> tuple[int, int]:
    """length, ret = acl.prof.get_op_type_len(op_info, op_info_len, index)

    Parameters, by position only:
        op_info: an int: an address, a handle or a size
        op_info_len: an int: an address, a handle or a size
        index: an int of 32 bits, unsigned

    Returns length, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.prof.get_op_type args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclprofGetOpTypeLen:

        aclError aclprofGetOpTypeLen(const void* opInfo, size_t opInfoLen, uint32_t index, size_t* opTypeLen);
        In Python: opTypeLen, ret = aclprofGetOpTypeLen(opInfo, opInfoLen, index)

        The bytes of the type, with the zero. Codes: 100000 NULL, no record, behind the end, asked for before.
    """

def get_op_name_len(op_info: int, op_info_len: int, index: int, /) -> tuple[int, int]:
    """length, ret = acl.prof.get_op_name_len(op_info, op_info_len, index)

    Parameters, by position only:
        op_info: an int: an address, a handle or a size
        op_info_len: an int: an address, a handle or a size
        index: an int of 32 bits, unsigned

    Returns length, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.prof.get_op_name args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclprofGetOpNameLen:

        aclError aclprofGetOpNameLen(const void* opInfo, size_t opInfoLen, uint32_t index, size_t* opNameLen);
        In Python: opNameLen, ret = aclprofGetOpNameLen(opInfo, opInfoLen, index)

        The bytes of the name, with the zero. Codes: 100000 NULL, no record, behind the end, asked for before.
    """

def get_step_timestamp(step_info: int, tag: int, stream: int, /) -> int:
    """ret = acl.prof.get_step_timestamp(step_info, tag, stream)

    Parameters, by position only:
        step_info: an int: an address, a handle or a size
        tag: one of
            ACL_STEP_START = 0
            ACL_STEP_END = 1
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.prof.get_step_timestamp args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclprofGetStepTimestamp:

        aclError aclprofGetStepTimestamp(aclprofStepInfo* stepInfo, aclprofStepTag tag, aclrtStream stream);
        In Python: ret = aclprofGetStepTimestamp(stepInfo, tag, stream)

        Mark the start (tag 0) or the end of a step in this thread and on *stream*.

        Codes: 100000 NULL, a tag that was given before; 500002 no such stream.
    """

def destroy_step_info(step_info: int, /) -> None:
    """acl.prof.destroy_step_info(step_info)

    Parameters, by position only:
        step_info: an int: an address, a handle or a size

    Returns None.

    Raises TypeError('acl.prof.destroy_step_info args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclprofDestroyStepInfo:

        void aclprofDestroyStepInfo(aclprofStepInfo* stepinfo);
        In Python: aclprofDestroyStepInfo(stepinfo)

        NULL: nothing happens.

        Returns nothing.
    """

def create_step_info() -> int:
    """step_info = acl.prof.create_step_info()

    Returns step_info (int).

    Raises TypeError('acl.prof.create_step_info args parse failed') for arguments of another number or type.

    Calls aclprofCreateStepInfo:

        aclprofStepInfo* aclprofCreateStepInfo();
        In Python: value = aclprofCreateStepInfo()

        The next step.

        Returns the value alone; there is no code.

        Page: 25-03 Operation APIs. Not on: IPV350.
    """

def create_stamp() -> int:
    """stamp = acl.prof.create_stamp()

    Returns stamp (int).

    Raises TypeError('acl.prof.create_stamp args parse failed') for arguments of another number or type.

    Calls aclprofCreateStamp:

        void* aclprofCreateStamp();
        In Python: value = aclprofCreateStamp()

        A stamp without a message. NULL: no session takes marks, or 100 stamps exist.

        Returns the value alone; there is no code.

        Page: 19-02 msproftx extension apis. Not on: IPV350.
    """

def destroy_stamp(stamp: int, /) -> None:
    """acl.prof.destroy_stamp(stamp)

    Parameters, by position only:
        stamp: an int: an address, a handle or a size

    Returns None.

    Raises TypeError('acl.prof.destroy_stamp args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclprofDestroyStamp:

        void aclprofDestroyStamp(void* stamp);
        In Python: aclprofDestroyStamp(stamp)

        Give the stamp back; NULL and a session that is over: nothing happens.

        Returns nothing.
    """

def push(stamp: int, /) -> int:
    """ret = acl.prof.push(stamp)

    Parameters, by position only:
        stamp: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.prof.push args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclprofPush:

        aclError aclprofPush(void* stamp);
        In Python: ret = aclprofPush(stamp)

        A range begins, which the next aclprofPop ends. Codes: 100000 NULL, -1 no session takes marks.
    """

def pop() -> int:
    """ret = acl.prof.pop()

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.prof.pop args parse failed') for arguments of another number or type.

    Calls aclprofPop:

        aclError aclprofPop();
        In Python: ret = aclprofPop()

        End the range that was pushed last, by whatever thread. Codes: -1 no session takes marks, nothing was pushed.

        Returns the code: 0 when the call succeeds.

        Page: 19-02 msproftx extension apis. Not on: IPV350.
    """

def range_start(stamp: int, /) -> tuple[int, int]:
    """range_id, ret = acl.prof.range_start(stamp)

    Parameters, by position only:
        stamp: an int: an address, a handle or a size

    Returns range_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.prof.range_start args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclprofRangeStart:

        aclError aclprofRangeStart(void* stamp, uint32_t* rangeId);
        In Python: rangeId, ret = aclprofRangeStart(stamp)

        A range begins; returns its id, for any thread. Codes: 100000 NULL, -1 no session takes marks.
    """

def range_stop(range_id: int, /) -> int:
    """ret = acl.prof.range_stop(range_id)

    Parameters, by position only:
        range_id: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.prof.range_stop args parse failed!') for arguments of another number or type.

    Calls aclprofRangeStop:

        aclError aclprofRangeStop(uint32_t rangeId);
        In Python: ret = aclprofRangeStop(rangeId)

        End a range. Codes: -1 no session takes marks, no range was ever started with this id.
    """

def set_stamp_trace_message(stamp: int, message: str, message_len: int, /) -> int:
    """ret = acl.prof.set_stamp_trace_message(stamp, message, message_len)

    Parameters, by position only:
        stamp: an int: an address, a handle or a size
        message: a str
        message_len: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.prof.set_stamp_trace_message args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclprofSetStampTraceMessage:

        aclError aclprofSetStampTraceMessage(void* stamp, const char* msg, uint32_t msgLen);
        In Python: ret = aclprofSetStampTraceMessage(stamp, msg, msgLen)

        What the stamp's marks and ranges are called: *length* bytes of *msg*. Codes: -1 NULL, more than 127.
    """

def mark(stamp: int, /) -> int:
    """ret = acl.prof.mark(stamp)

    Parameters, by position only:
        stamp: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.prof.mark args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclprofMark:

        aclError aclprofMark(void* stamp);
        In Python: ret = aclprofMark(stamp)

        A mark now, in this thread. Codes: -1 no session takes marks, NULL.
    """

def mark_ex(message: str, stream: int, /) -> int:
    """ret = acl.prof.mark_ex(message, stream)

    Parameters, by position only:
        message: a str
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.prof.mark_ex args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclprofMarkEx:

        aclError aclprofMarkEx(const char* msg, size_t msgLen, aclrtStream stream);
        In Python: ret = aclprofMarkEx(msg, msgLen, stream)

        A mark now, and a task on *stream* that marks when it runs.

        Codes: -1 no session takes marks, NULL, the length is not that of the text, or not 1 to 127, no such stream.
    """

def set_config(config_type: int, config: str, /) -> int:
    """ret = acl.prof.set_config(config_type, config)

    Parameters, by position only:
        config_type: an int of 32 bits
        config: a str

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.prof.set_config args parse failed!') for arguments of another number or type.

    Calls aclprofSetConfig:

        aclError aclprofSetConfig(aclprofConfigType configType, const char* config, size_t configLength);
        In Python: ret = aclprofSetConfig(configType, config, configLength)

        One more setting, as text: a frequency in Hz, or what the type says. Nothing here depends on it, but the path.

        Codes: 100000 no type, NULL, more than 256 bytes, a length that is not that of the text; 100010 no number where a
        frequency is needed.
    """
