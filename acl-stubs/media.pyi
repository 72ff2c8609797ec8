"""acl.media: pictures and video: descriptors, JPEG and PNG, scaling and cutting, video channels."""
# Made from the tables: python -m ascend_sim.pyacl.stubs

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

def dvpp_malloc(size: int, /) -> tuple[int, int]:
    """address, ret = acl.media.dvpp_malloc(size)

    Parameters, by position only:
        size: an int: an address, a handle or a size

    Returns address, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_malloc args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppMalloc:

        aclError acldvppMalloc(void** devPtr, size_t size);
        In Python: devPtr, ret = acldvppMalloc(size)

        *size* bytes for the media units: device memory, rounded up to a multiple of 32 plus 32 bytes.

        Codes: 100000 size 0 or too large to round, 107002 no context, 207001 no room.
    """

def dvpp_malloc_with_cfg(size: int, policy: int, cfg: Any, /) -> tuple[int, int]:
    """address, ret = acl.media.dvpp_malloc_with_cfg(size, policy, cfg)

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

    Returns address, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_malloc_with_cfg args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppMallocWithCfg:

        aclError acldvppMallocWithCfg(void** devPtr, size_t size, aclrtMemMallocPolicy policy, aclrtMallocConfig* cfg);
        In Python: devPtr, ret = acldvppMallocWithCfg(size, policy, cfg)

        As acldvppMalloc, with a policy and attributes as aclrtMallocWithCfg has them.
    """

def dvpp_free(address: int, /) -> int:
    """ret = acl.media.dvpp_free(address)

    Parameters, by position only:
        address: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_free args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppFree:

        aclError acldvppFree(void* devPtr);
        In Python: ret = acldvppFree(devPtr)

        Free what acldvppMalloc returned, at once, whoever still uses it.

        Memory from aclrtMalloc is freed, too, and a finding says so. Codes: 100000 NULL, 107000 no such block.
    """

def dvpp_create_channel(channel_desc: int, /) -> int:
    """ret = acl.media.dvpp_create_channel(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_create_channel args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppCreateChannel:

        aclError acldvppCreateChannel(acldvppChannelDesc* channelDesc);
        In Python: ret = acldvppCreateChannel(channelDesc)

        Make the channel that the descriptor describes; waits for the device.

        Codes: 100000 NULL, 107002 no context, 500000 no media units, no channel left.
    """

def dvpp_destroy_channel(channel_desc: int, /) -> int:
    """ret = acl.media.dvpp_destroy_channel(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_destroy_channel args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppDestroyChannel:

        aclError acldvppDestroyChannel(acldvppChannelDesc* channelDesc);
        In Python: ret = acldvppDestroyChannel(channelDesc)

        Close the channel; waits for the device. The descriptor stays. Codes: 100000 NULL, 500000 no media units.
    """

def dvpp_create_channel_desc() -> int:
    """handle = acl.media.dvpp_create_channel_desc()

    Returns handle.

    Raises TypeError('acl.media.dvpp_create_channel_desc args parse failed') for arguments of another number or type.

    Calls acldvppCreateChannelDesc:

        acldvppChannelDesc* acldvppCreateChannelDesc();
        In Python: value = acldvppCreateChannelDesc()

        A descriptor with all modes; NULL without a context or media units.

        Returns the value alone; there is no code.

        Page: Media: channels. Not on: 950, IPV350.
    """

def dvpp_destroy_channel_desc(channel_desc: int, /) -> int:
    """ret = acl.media.dvpp_destroy_channel_desc(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_destroy_channel_desc args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppDestroyChannelDesc:

        aclError acldvppDestroyChannelDesc(acldvppChannelDesc* channelDesc);
        In Python: ret = acldvppDestroyChannelDesc(channelDesc)

        Destroy the channel first. NULL is accepted. Codes: 500000 no media units.
    """

def dvpp_set_channel_desc_param(channel_desc: int, param_type: int, value: int, /) -> tuple[int, int]:
    """channel_desc, ret = acl.media.dvpp_set_channel_desc_param(channel_desc, param_type, value)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        param_type: an int of 32 bits
        value: an int: an address, a handle or a size

    Returns channel_desc, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_channel_desc_param args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetChannelDescParam:

        aclError acldvppSetChannelDescParam(acldvppChannelDesc* channelDesc, acldvppChannelDescParamType paramType, size_t length, const void* param);
        In Python: ret = acldvppSetChannelDescParam(channelDesc, paramType, length, param)

        Set the colour matrix (an acldvppCscMatrix of 4 bytes).

        Codes: 200006 on 310 and 910; 100000 NULL, another type or length, no such matrix.
    """

def dvpp_get_channel_desc_param(channel_desc: int, param_type: int, /) -> tuple[int, int, int]:
    """size, value, ret = acl.media.dvpp_get_channel_desc_param(channel_desc, param_type)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        param_type: an int of 32 bits

    Returns size, value, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_get_channel_desc_param args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetChannelDescParam:

        aclError acldvppGetChannelDescParam(const acldvppChannelDesc* channelDesc, acldvppChannelDescParamType paramType, size_t length, size_t* paramRetSize, void* param);
        In Python: paramRetSize, ret = acldvppGetChannelDescParam(channelDesc, paramType, length, param)

        Write the colour matrix to *param*; the bytes that were written. Codes: as acldvppSetChannelDescParam.
    """

def dvpp_get_channel_desc_channel_id(channel_desc: int, /) -> int:
    """value = acl.media.dvpp_get_channel_desc_channel_id(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.dvpp_get_channel_desc_channel_id args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetChannelDescChannelId:

        uint64_t acldvppGetChannelDescChannelId(const acldvppChannelDesc* channelDesc);
        In Python: value = acldvppGetChannelDescChannelId(channelDesc)

        The number of the channel, from 1; 0 for NULL.

        Returns the value alone; there is no code.
    """

def dvpp_create_pic_desc() -> int:
    """handle = acl.media.dvpp_create_pic_desc()

    Returns handle.

    Raises TypeError('acl.media.dvpp_create_pic_desc args parse failed') for arguments of another number or type.

    Calls acldvppCreatePicDesc:

        acldvppPicDesc* acldvppCreatePicDesc();
        In Python: value = acldvppCreatePicDesc()

        A descriptor that says 0 of everything; NULL without a context (of the first media call) or media units.

        Returns the value alone; there is no code.

        Page: Media: pictures. Not on: 950, IPV350.
    """

def dvpp_destroy_pic_desc(pic_desc: int, /) -> int:
    """ret = acl.media.dvpp_destroy_pic_desc(pic_desc)

    Parameters, by position only:
        pic_desc: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_destroy_pic_desc args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppDestroyPicDesc:

        aclError acldvppDestroyPicDesc(acldvppPicDesc* picDesc);
        In Python: ret = acldvppDestroyPicDesc(picDesc)

        The pixels stay. Queued tasks that use it must be done. NULL is accepted. Codes: 500000 no media units.
    """

def dvpp_set_pic_desc_data(pic_desc: int, value: int, /) -> int:
    """ret = acl.media.dvpp_set_pic_desc_data(pic_desc, value)

    Parameters, by position only:
        pic_desc: an int: an address, a handle or a size
        value: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_pic_desc_data args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetPicDescData:

        aclError acldvppSetPicDescData(acldvppPicDesc* picDesc, void* dataDev);
        In Python: ret = acldvppSetPicDescData(picDesc, dataDev)

        Set the data; nothing is checked here. Codes: 100000 for NULL and for a NULL address.
    """

def dvpp_set_pic_desc_size(pic_desc: int, value: int, /) -> int:
    """ret = acl.media.dvpp_set_pic_desc_size(pic_desc, value)

    Parameters, by position only:
        pic_desc: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_pic_desc_size args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetPicDescSize:

        aclError acldvppSetPicDescSize(acldvppPicDesc* picDesc, uint32_t size);
        In Python: ret = acldvppSetPicDescSize(picDesc, size)

        Set the size; nothing is checked here. Codes: 100000 for NULL.
    """

def dvpp_set_pic_desc_format(pic_desc: int, value: int, /) -> int:
    """ret = acl.media.dvpp_set_pic_desc_format(pic_desc, value)

    Parameters, by position only:
        pic_desc: an int: an address, a handle or a size
        value: one of
            PIXEL_FORMAT_YUV_400 = 0
            PIXEL_FORMAT_YUV_SEMIPLANAR_420 = 1
            PIXEL_FORMAT_YVU_SEMIPLANAR_420 = 2
            PIXEL_FORMAT_YUV_SEMIPLANAR_422 = 3
            PIXEL_FORMAT_YVU_SEMIPLANAR_422 = 4
            PIXEL_FORMAT_YUV_SEMIPLANAR_444 = 5
            PIXEL_FORMAT_YVU_SEMIPLANAR_444 = 6
            PIXEL_FORMAT_YUYV_PACKED_422 = 7
            PIXEL_FORMAT_UYVY_PACKED_422 = 8
            PIXEL_FORMAT_YVYU_PACKED_422 = 9
            ...

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_pic_desc_format args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetPicDescFormat:

        aclError acldvppSetPicDescFormat(acldvppPicDesc* picDesc, acldvppPixelFormat format);
        In Python: ret = acldvppSetPicDescFormat(picDesc, format)

        Set the format; nothing is checked here. Codes: 100000 for NULL.
    """

def dvpp_set_pic_desc_width(pic_desc: int, value: int, /) -> int:
    """ret = acl.media.dvpp_set_pic_desc_width(pic_desc, value)

    Parameters, by position only:
        pic_desc: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_pic_desc_width args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetPicDescWidth:

        aclError acldvppSetPicDescWidth(acldvppPicDesc* picDesc, uint32_t width);
        In Python: ret = acldvppSetPicDescWidth(picDesc, width)

        Set the width; nothing is checked here. Codes: 100000 for NULL.
    """

def dvpp_set_pic_desc_height(pic_desc: int, value: int, /) -> int:
    """ret = acl.media.dvpp_set_pic_desc_height(pic_desc, value)

    Parameters, by position only:
        pic_desc: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_pic_desc_height args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetPicDescHeight:

        aclError acldvppSetPicDescHeight(acldvppPicDesc* picDesc, uint32_t height);
        In Python: ret = acldvppSetPicDescHeight(picDesc, height)

        Set the height; nothing is checked here. Codes: 100000 for NULL.
    """

def dvpp_set_pic_desc_width_stride(pic_desc: int, value: int, /) -> int:
    """ret = acl.media.dvpp_set_pic_desc_width_stride(pic_desc, value)

    Parameters, by position only:
        pic_desc: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_pic_desc_width_stride args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetPicDescWidthStride:

        aclError acldvppSetPicDescWidthStride(acldvppPicDesc* picDesc, uint32_t widthStride);
        In Python: ret = acldvppSetPicDescWidthStride(picDesc, widthStride)

        Set the width stride; nothing is checked here. Codes: 100000 for NULL.
    """

def dvpp_set_pic_desc_height_stride(pic_desc: int, value: int, /) -> int:
    """ret = acl.media.dvpp_set_pic_desc_height_stride(pic_desc, value)

    Parameters, by position only:
        pic_desc: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_pic_desc_height_stride args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetPicDescHeightStride:

        aclError acldvppSetPicDescHeightStride(acldvppPicDesc* picDesc, uint32_t heightStride);
        In Python: ret = acldvppSetPicDescHeightStride(picDesc, heightStride)

        Set the height stride; nothing is checked here. Codes: 100000 for NULL.
    """

def dvpp_set_pic_desc_ret_code(pic_desc: int, value: int, /) -> int:
    """ret = acl.media.dvpp_set_pic_desc_ret_code(pic_desc, value)

    Parameters, by position only:
        pic_desc: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_pic_desc_ret_code args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetPicDescRetCode:

        aclError acldvppSetPicDescRetCode(acldvppPicDesc* picDesc, uint32_t retCode);
        In Python: ret = acldvppSetPicDescRetCode(picDesc, retCode)

        Set the ret code; nothing is checked here. Codes: 100000 for NULL.
    """

def dvpp_get_pic_desc_data(pic_desc: int, /) -> int:
    """address = acl.media.dvpp_get_pic_desc_data(pic_desc)

    Parameters, by position only:
        pic_desc: an int: an address, a handle or a size

    Returns address.

    Raises TypeError('acl.media.dvpp_get_pic_desc_data args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetPicDescData:

        void* acldvppGetPicDescData(const acldvppPicDesc* picDesc);
        In Python: value = acldvppGetPicDescData(picDesc)

        The data; 0 for NULL.

        Returns the value alone; there is no code.
    """

def dvpp_get_pic_desc_size(pic_desc: int, /) -> int:
    """value = acl.media.dvpp_get_pic_desc_size(pic_desc)

    Parameters, by position only:
        pic_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.dvpp_get_pic_desc_size args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetPicDescSize:

        uint32_t acldvppGetPicDescSize(const acldvppPicDesc* picDesc);
        In Python: value = acldvppGetPicDescSize(picDesc)

        The size; 0 for NULL.

        Returns the value alone; there is no code.
    """

def dvpp_get_pic_desc_format(pic_desc: int, /) -> int:
    """value = acl.media.dvpp_get_pic_desc_format(pic_desc)

    Parameters, by position only:
        pic_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.dvpp_get_pic_desc_format args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetPicDescFormat:

        acldvppPixelFormat acldvppGetPicDescFormat(const acldvppPicDesc* picDesc);
        In Python: value = acldvppGetPicDescFormat(picDesc)

        The format; 0 for NULL.

        Returns the value alone; there is no code.
    """

def dvpp_get_pic_desc_width(pic_desc: int, /) -> int:
    """value = acl.media.dvpp_get_pic_desc_width(pic_desc)

    Parameters, by position only:
        pic_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.dvpp_get_pic_desc_width args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetPicDescWidth:

        uint32_t acldvppGetPicDescWidth(const acldvppPicDesc* picDesc);
        In Python: value = acldvppGetPicDescWidth(picDesc)

        The width; 0 for NULL.

        Returns the value alone; there is no code.
    """

def dvpp_get_pic_desc_height(pic_desc: int, /) -> int:
    """value = acl.media.dvpp_get_pic_desc_height(pic_desc)

    Parameters, by position only:
        pic_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.dvpp_get_pic_desc_height args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetPicDescHeight:

        uint32_t acldvppGetPicDescHeight(const acldvppPicDesc* picDesc);
        In Python: value = acldvppGetPicDescHeight(picDesc)

        The height; 0 for NULL.

        Returns the value alone; there is no code.
    """

def dvpp_get_pic_desc_width_stride(pic_desc: int, /) -> int:
    """value = acl.media.dvpp_get_pic_desc_width_stride(pic_desc)

    Parameters, by position only:
        pic_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.dvpp_get_pic_desc_width_stride args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetPicDescWidthStride:

        uint32_t acldvppGetPicDescWidthStride(const acldvppPicDesc* picDesc);
        In Python: value = acldvppGetPicDescWidthStride(picDesc)

        The width stride; 0 for NULL.

        Returns the value alone; there is no code.
    """

def dvpp_get_pic_desc_height_stride(pic_desc: int, /) -> int:
    """value = acl.media.dvpp_get_pic_desc_height_stride(pic_desc)

    Parameters, by position only:
        pic_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.dvpp_get_pic_desc_height_stride args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetPicDescHeightStride:

        uint32_t acldvppGetPicDescHeightStride(const acldvppPicDesc* picDesc);
        In Python: value = acldvppGetPicDescHeightStride(picDesc)

        The height stride; 0 for NULL.

        Returns the value alone; there is no code.
    """

def dvpp_get_pic_desc_ret_code(pic_desc: int, /) -> int:
    """value = acl.media.dvpp_get_pic_desc_ret_code(pic_desc)

    Parameters, by position only:
        pic_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.dvpp_get_pic_desc_ret_code args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetPicDescRetCode:

        uint32_t acldvppGetPicDescRetCode(const acldvppPicDesc* picDesc);
        In Python: value = acldvppGetPicDescRetCode(picDesc)

        The ret code; 0 for NULL.

        Returns the value alone; there is no code.
    """

def dvpp_create_stream_desc() -> int:
    """handle = acl.media.dvpp_create_stream_desc()

    Returns handle.

    Raises TypeError('acl.media.dvpp_create_stream_desc args parse failed') for arguments of another number or type.

    Calls acldvppCreateStreamDesc:

        acldvppStreamDesc* acldvppCreateStreamDesc();
        In Python: value = acldvppCreateStreamDesc()

        A descriptor that says 0 of everything; NULL without a context (of the first media call) or media units.

        Returns the value alone; there is no code.

        Page: Media: video streams. Not on: 950, IPV350.
    """

def dvpp_destroy_stream_desc(stream_desc: int, /) -> int:
    """ret = acl.media.dvpp_destroy_stream_desc(stream_desc)

    Parameters, by position only:
        stream_desc: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_destroy_stream_desc args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppDestroyStreamDesc:

        aclError acldvppDestroyStreamDesc(acldvppStreamDesc* streamDesc);
        In Python: ret = acldvppDestroyStreamDesc(streamDesc)

        Its bytes stay. NULL is accepted. Codes: 500000 no media units.
    """

def dvpp_set_stream_desc_data(stream_desc: int, value: int, /) -> int:
    """ret = acl.media.dvpp_set_stream_desc_data(stream_desc, value)

    Parameters, by position only:
        stream_desc: an int: an address, a handle or a size
        value: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_stream_desc_data args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetStreamDescData:

        aclError acldvppSetStreamDescData(acldvppStreamDesc* streamDesc, void* dataDev);
        In Python: ret = acldvppSetStreamDescData(streamDesc, dataDev)

        Set the data; nothing is checked here. Codes: 100000 for NULL and for a NULL address.
    """

def dvpp_set_stream_desc_size(stream_desc: int, value: int, /) -> int:
    """ret = acl.media.dvpp_set_stream_desc_size(stream_desc, value)

    Parameters, by position only:
        stream_desc: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_stream_desc_size args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetStreamDescSize:

        aclError acldvppSetStreamDescSize(acldvppStreamDesc* streamDesc, uint32_t size);
        In Python: ret = acldvppSetStreamDescSize(streamDesc, size)

        Set the size; nothing is checked here. Codes: 100000 for NULL.
    """

def dvpp_set_stream_desc_format(stream_desc: int, value: int, /) -> int:
    """ret = acl.media.dvpp_set_stream_desc_format(stream_desc, value)

    Parameters, by position only:
        stream_desc: an int: an address, a handle or a size
        value: one of
            H265_MAIN_LEVEL = 0
            H264_BASELINE_LEVEL = 1
            H264_MAIN_LEVEL = 2
            H264_HIGH_LEVEL = 3

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_stream_desc_format args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetStreamDescFormat:

        aclError acldvppSetStreamDescFormat(acldvppStreamDesc* streamDesc, acldvppStreamFormat format);
        In Python: ret = acldvppSetStreamDescFormat(streamDesc, format)

        Set the format; nothing is checked here. Codes: 100000 for NULL.
    """

def dvpp_set_stream_desc_timestamp(stream_desc: int, value: int, /) -> int:
    """ret = acl.media.dvpp_set_stream_desc_timestamp(stream_desc, value)

    Parameters, by position only:
        stream_desc: an int: an address, a handle or a size
        value: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_stream_desc_timestamp args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetStreamDescTimestamp:

        aclError acldvppSetStreamDescTimestamp(acldvppStreamDesc* streamDesc, uint64_t timestamp);
        In Python: ret = acldvppSetStreamDescTimestamp(streamDesc, timestamp)

        Set the timestamp; nothing is checked here. Codes: 100000 for NULL.
    """

def dvpp_set_stream_desc_ret_code(stream_desc: int, value: int, /) -> int:
    """ret = acl.media.dvpp_set_stream_desc_ret_code(stream_desc, value)

    Parameters, by position only:
        stream_desc: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_stream_desc_ret_code args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetStreamDescRetCode:

        aclError acldvppSetStreamDescRetCode(acldvppStreamDesc* streamDesc, uint32_t retCode);
        In Python: ret = acldvppSetStreamDescRetCode(streamDesc, retCode)

        Set the ret code; nothing is checked here. Codes: 100000 for NULL.
    """

def dvpp_set_stream_desc_eos(stream_desc: int, value: int, /) -> int:
    """ret = acl.media.dvpp_set_stream_desc_eos(stream_desc, value)

    Parameters, by position only:
        stream_desc: an int: an address, a handle or a size
        value: an int of 8 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_stream_desc_eos args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetStreamDescEos:

        aclError acldvppSetStreamDescEos(acldvppStreamDesc* streamDesc, uint8_t eos);
        In Python: ret = acldvppSetStreamDescEos(streamDesc, eos)

        Set the eos; nothing is checked here. Codes: 100000 for NULL.
    """

def dvpp_get_stream_desc_data(stream_desc: int, /) -> int:
    """address = acl.media.dvpp_get_stream_desc_data(stream_desc)

    Parameters, by position only:
        stream_desc: an int: an address, a handle or a size

    Returns address.

    Raises TypeError('acl.media.dvpp_get_stream_desc_data args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetStreamDescData:

        void* acldvppGetStreamDescData(const acldvppStreamDesc* streamDesc);
        In Python: value = acldvppGetStreamDescData(streamDesc)

        The data; 0 for NULL.

        Returns the value alone; there is no code.
    """

def dvpp_get_stream_desc_size(stream_desc: int, /) -> int:
    """value = acl.media.dvpp_get_stream_desc_size(stream_desc)

    Parameters, by position only:
        stream_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.dvpp_get_stream_desc_size args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetStreamDescSize:

        uint32_t acldvppGetStreamDescSize(const acldvppStreamDesc* streamDesc);
        In Python: value = acldvppGetStreamDescSize(streamDesc)

        The size; 0 for NULL.

        Returns the value alone; there is no code.
    """

def dvpp_get_stream_desc_format(stream_desc: int, /) -> int:
    """value = acl.media.dvpp_get_stream_desc_format(stream_desc)

    Parameters, by position only:
        stream_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.dvpp_get_stream_desc_format args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetStreamDescFormat:

        acldvppStreamFormat acldvppGetStreamDescFormat(const acldvppStreamDesc* streamDesc);
        In Python: value = acldvppGetStreamDescFormat(streamDesc)

        The format; 0 for NULL.

        Returns the value alone; there is no code.
    """

def dvpp_get_stream_desc_timestamp(stream_desc: int, /) -> int:
    """value = acl.media.dvpp_get_stream_desc_timestamp(stream_desc)

    Parameters, by position only:
        stream_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.dvpp_get_stream_desc_timestamp args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetStreamDescTimestamp:

        uint64_t acldvppGetStreamDescTimestamp(const acldvppStreamDesc* streamDesc);
        In Python: value = acldvppGetStreamDescTimestamp(streamDesc)

        The timestamp; 0 for NULL.

        Returns the value alone; there is no code.
    """

def dvpp_get_stream_desc_ret_code(stream_desc: int, /) -> int:
    """value = acl.media.dvpp_get_stream_desc_ret_code(stream_desc)

    Parameters, by position only:
        stream_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.dvpp_get_stream_desc_ret_code args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetStreamDescRetCode:

        uint32_t acldvppGetStreamDescRetCode(const acldvppStreamDesc* streamDesc);
        In Python: value = acldvppGetStreamDescRetCode(streamDesc)

        The ret code; 0 for NULL.

        Returns the value alone; there is no code.
    """

def dvpp_get_stream_desc_eos(stream_desc: int, /) -> int:
    """value = acl.media.dvpp_get_stream_desc_eos(stream_desc)

    Parameters, by position only:
        stream_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.dvpp_get_stream_desc_eos args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetStreamDescEos:

        uint8_t acldvppGetStreamDescEos(const acldvppStreamDesc* streamDesc);
        In Python: value = acldvppGetStreamDescEos(streamDesc)

        The eos; 0 for NULL.

        Returns the value alone; there is no code.
    """

def dvpp_create_batch_pic_desc(count: int, /) -> int:
    """handle = acl.media.dvpp_create_batch_pic_desc(count)

    Parameters, by position only:
        count: an int of 32 bits, unsigned

    Returns handle.

    Raises TypeError('acl.media.dvpp_create_batch_pic_desc args parse failed!') for arguments of another number or type.

    Calls acldvppCreateBatchPicDesc:

        acldvppBatchPicDesc* acldvppCreateBatchPicDesc(uint32_t batchSize);
        In Python: value = acldvppCreateBatchPicDesc(batchSize)

        *count* (1 to 256) picture descriptors in one object, which owns them; NULL for another number.

        Returns the value alone; there is no code.
    """

def dvpp_destroy_batch_pic_desc(batch: int, /) -> int:
    """ret = acl.media.dvpp_destroy_batch_pic_desc(batch)

    Parameters, by position only:
        batch: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_destroy_batch_pic_desc args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppDestroyBatchPicDesc:

        aclError acldvppDestroyBatchPicDesc(acldvppBatchPicDesc* batchPicDesc);
        In Python: ret = acldvppDestroyBatchPicDesc(batchPicDesc)

        All its picture descriptors go with it. NULL is accepted. Codes: 500000 no media units.
    """

def dvpp_get_pic_desc(batch: int, index: int, /) -> int:
    """handle = acl.media.dvpp_get_pic_desc(batch, index)

    Parameters, by position only:
        batch: an int: an address, a handle or a size
        index: an int of 32 bits, unsigned

    Returns handle.

    Raises TypeError('acl.media.dvpp_get_pic_desc args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetPicDesc:

        acldvppPicDesc* acldvppGetPicDesc(acldvppBatchPicDesc* batchPicDesc, uint32_t index);
        In Python: value = acldvppGetPicDesc(batchPicDesc, index)

        The picture descriptor at *index*, owned by the batch; NULL behind the end.

        Returns the value alone; there is no code.
    """

def dvpp_vpc_resize_async(channel_desc: int, input_desc: int, output_desc: int, resize_config: int, stream: int, /) -> int:
    """ret = acl.media.dvpp_vpc_resize_async(channel_desc, input_desc, output_desc, resize_config, stream)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        input_desc: an int: an address, a handle or a size
        output_desc: an int: an address, a handle or a size
        resize_config: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_vpc_resize_async args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppVpcResizeAsync:

        aclError acldvppVpcResizeAsync(acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc, acldvppPicDesc* outputDesc, acldvppResizeConfig* resizeConfig, aclrtStream stream);
        In Python: ret = acldvppVpcResizeAsync(channelDesc, inputDesc, outputDesc, resizeConfig, stream)

        Queue the scaling of one picture into another, whose format may be another one.

        Codes: 100000 NULL, a channel that was not created, (310B, A2, A3) strides and sizes against the rules; 100027 a
        format that the product does not take; 200006 an algorithm that it has not; 107002, 107003 as any task.
    """

def dvpp_vpc_crop_async(channel_desc: int, input_desc: int, output_desc: int, crop_area: int, stream: int, /) -> int:
    """ret = acl.media.dvpp_vpc_crop_async(channel_desc, input_desc, output_desc, crop_area, stream)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        input_desc: an int: an address, a handle or a size
        output_desc: an int: an address, a handle or a size
        crop_area: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_vpc_crop_async args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppVpcCropAsync:

        aclError acldvppVpcCropAsync(acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc, acldvppPicDesc* outputDesc, acldvppRoiConfig* cropArea, aclrtStream stream);
        In Python: ret = acldvppVpcCropAsync(channelDesc, inputDesc, outputDesc, cropArea, stream)

        Queue the copy of a rectangle; it is scaled where the output has another size. Codes: 100000, 100027 as a resize.
    """

def dvpp_vpc_batch_crop_async(channel_desc: int, src_batch: int, roi_nums: Any, dst_batch: int, crop_areas: Any, stream: int, /) -> tuple[int, int]:
    """dst_batch, ret = acl.media.dvpp_vpc_batch_crop_async(channel_desc, src_batch, roi_nums, dst_batch, crop_areas, stream)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        src_batch: an int: an address, a handle or a size
        roi_nums: an object
        dst_batch: an int: an address, a handle or a size
        crop_areas: an object
        stream: an int: an address, a handle or a size

    Returns dst_batch, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_vpc_batch_crop_async args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls acldvppVpcBatchCropAsync:

        aclError acldvppVpcBatchCropAsync(acldvppChannelDesc* channelDesc, acldvppBatchPicDesc* srcBatchPicDescs, uint32_t* roiNums, uint32_t size, acldvppBatchPicDesc* dstBatchPicDescs, acldvppRoiConfig* cropAreas[], aclrtStream stream);
        In Python: ret = acldvppVpcBatchCropAsync(channelDesc, srcBatchPicDescs, roiNums, size, dstBatchPicDescs, cropAreas, stream)

        Queue many cuts: picture i of the input gives roiNums[i] of them, in order, into the pictures of the output.

        Codes: 100000 NULL, more cuts than pictures, a count of 0; 100027 a format; as acldvppVpcCropAsync else.
    """

def dvpp_vpc_crop_and_paste_async(channel_desc: int, input_desc: int, output_desc: int, crop_area: int, paste_area: int, stream: int, /) -> int:
    """ret = acl.media.dvpp_vpc_crop_and_paste_async(channel_desc, input_desc, output_desc, crop_area, paste_area, stream)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        input_desc: an int: an address, a handle or a size
        output_desc: an int: an address, a handle or a size
        crop_area: an int: an address, a handle or a size
        paste_area: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_vpc_crop_and_paste_async args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppVpcCropAndPasteAsync:

        aclError acldvppVpcCropAndPasteAsync(acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc, acldvppPicDesc* outputDesc, acldvppRoiConfig* cropArea, acldvppRoiConfig* pasteArea, aclrtStream stream);
        In Python: ret = acldvppVpcCropAndPasteAsync(channelDesc, inputDesc, outputDesc, cropArea, pasteArea, stream)

        Queue the copy of a rectangle into another one, scaled; the rest of the output stays. Codes: 100000 as a resize.
    """

def dvpp_vpc_batch_crop_and_paste_async(channel_desc: int, src_batch: int, roi_nums: Any, dst_batch: int, crop_areas: Any, paste_areas: Any, stream: int, /) -> tuple[int, int]:
    """dst_batch, ret = acl.media.dvpp_vpc_batch_crop_and_paste_async(channel_desc, src_batch, roi_nums, dst_batch, crop_areas, paste_areas, stream)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        src_batch: an int: an address, a handle or a size
        roi_nums: an object
        dst_batch: an int: an address, a handle or a size
        crop_areas: an object
        paste_areas: an object
        stream: an int: an address, a handle or a size

    Returns dst_batch, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_vpc_batch_crop_and_paste_async args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls acldvppVpcBatchCropAndPasteAsync:

        aclError acldvppVpcBatchCropAndPasteAsync(acldvppChannelDesc* channelDesc, acldvppBatchPicDesc* srcBatchPicDescs, uint32_t* roiNums, uint32_t size, acldvppBatchPicDesc* dstBatchPicDescs, acldvppRoiConfig* cropAreas[], acldvppRoiConfig* pasteAreas[], aclrtStream stream);
        In Python: ret = acldvppVpcBatchCropAndPasteAsync(channelDesc, srcBatchPicDescs, roiNums, size, dstBatchPicDescs, cropAreas, pasteAreas, stream)

        As acldvppVpcBatchCropAsync, each into a rectangle of its output. Codes: 100000, 100027.
    """

def dvpp_vpc_crop_resize_async(channel_desc: int, input_desc: int, output_desc: int, crop_area: int, resize_config: int, stream: int, /) -> int:
    """ret = acl.media.dvpp_vpc_crop_resize_async(channel_desc, input_desc, output_desc, crop_area, resize_config, stream)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        input_desc: an int: an address, a handle or a size
        output_desc: an int: an address, a handle or a size
        crop_area: an int: an address, a handle or a size
        resize_config: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_vpc_crop_resize_async args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls acldvppVpcCropResizeAsync:

        aclError acldvppVpcCropResizeAsync(acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc, acldvppPicDesc* outputDesc, acldvppRoiConfig* cropArea, acldvppResizeConfig* resizeConfig, aclrtStream stream);
        In Python: ret = acldvppVpcCropResizeAsync(channelDesc, inputDesc, outputDesc, cropArea, resizeConfig, stream)

        Queue the copy of a rectangle, scaled to the output as the configuration says. Codes: 100000 as a resize.
    """

def dvpp_vpc_batch_crop_resize_async(channel_desc: int, src_batch: int, roi_nums: Any, dst_batch: int, crop_areas: Any, resize_config: int, stream: int, /) -> int:
    """ret = acl.media.dvpp_vpc_batch_crop_resize_async(channel_desc, src_batch, roi_nums, dst_batch, crop_areas, resize_config, stream)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        src_batch: an int: an address, a handle or a size
        roi_nums: an object
        dst_batch: an int: an address, a handle or a size
        crop_areas: an object
        resize_config: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_vpc_batch_crop_resize_async args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls acldvppVpcBatchCropResizeAsync:

        aclError acldvppVpcBatchCropResizeAsync(acldvppChannelDesc* channelDesc, acldvppBatchPicDesc* srcBatchPicDescs, uint32_t* roiNums, uint32_t size, acldvppBatchPicDesc* dstBatchPicDescs, acldvppRoiConfig* cropAreas[], acldvppResizeConfig* resizeConfig, aclrtStream stream);
        In Python: ret = acldvppVpcBatchCropResizeAsync(channelDesc, srcBatchPicDescs, roiNums, size, dstBatchPicDescs, cropAreas, resizeConfig, stream)

        As acldvppVpcBatchCropAsync, scaled as the configuration says. Codes: 100000, 100027, 200006.
    """

def dvpp_vpc_crop_resize_paste_async(channel_desc: int, input_desc: int, output_desc: int, crop_area: int, paste_area: int, resize_config: int, stream: int, /) -> int:
    """ret = acl.media.dvpp_vpc_crop_resize_paste_async(channel_desc, input_desc, output_desc, crop_area, paste_area, resize_config, stream)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        input_desc: an int: an address, a handle or a size
        output_desc: an int: an address, a handle or a size
        crop_area: an int: an address, a handle or a size
        paste_area: an int: an address, a handle or a size
        resize_config: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_vpc_crop_resize_paste_async args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls acldvppVpcCropResizePasteAsync:

        aclError acldvppVpcCropResizePasteAsync(acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc, acldvppPicDesc* outputDesc, acldvppRoiConfig* cropArea, acldvppRoiConfig* pasteArea, acldvppResizeConfig* resizeConfig, aclrtStream stream);
        In Python: ret = acldvppVpcCropResizePasteAsync(channelDesc, inputDesc, outputDesc, cropArea, pasteArea, resizeConfig, stream)

        As acldvppVpcCropAndPasteAsync, scaled as the configuration says. Codes: 100000 as a resize.
    """

def dvpp_vpc_batch_crop_resize_paste_async(channel_desc: int, src_batch: int, roi_nums: Any, dst_batch: int, crop_areas: Any, paste_areas: Any, resize_config: int, stream: int, /) -> int:
    """ret = acl.media.dvpp_vpc_batch_crop_resize_paste_async(channel_desc, src_batch, roi_nums, dst_batch, crop_areas, paste_areas, resize_config, stream)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        src_batch: an int: an address, a handle or a size
        roi_nums: an object
        dst_batch: an int: an address, a handle or a size
        crop_areas: an object
        paste_areas: an object
        resize_config: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_vpc_batch_crop_resize_paste_async args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls acldvppVpcBatchCropResizePasteAsync:

        aclError acldvppVpcBatchCropResizePasteAsync(acldvppChannelDesc* channelDesc, acldvppBatchPicDesc* srcBatchPicDescs, uint32_t* roiNums, uint32_t size, acldvppBatchPicDesc* dstBatchPicDescs, acldvppRoiConfig* cropAreas[], acldvppRoiConfig* pasteAreas[], acldvppResizeConfig* resizeConfig, aclrtStream stream);
        In Python: ret = acldvppVpcBatchCropResizePasteAsync(channelDesc, srcBatchPicDescs, roiNums, size, dstBatchPicDescs, cropAreas, pasteAreas, resizeConfig, stream)

        As acldvppVpcBatchCropAndPasteAsync, scaled as the configuration says. Codes: 100000, 100027, 200006.
    """

def dvpp_vpc_batch_crop_resize_make_border_async(channel_desc: int, src_batch: int, roi_nums: Any, dst_batch: int, crop_areas: Any, border_configs: Any, resize_config: int, stream: int, /) -> int:
    """ret = acl.media.dvpp_vpc_batch_crop_resize_make_border_async(channel_desc, src_batch, roi_nums, dst_batch, crop_areas, border_configs, resize_config, stream)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        src_batch: an int: an address, a handle or a size
        roi_nums: an object
        dst_batch: an int: an address, a handle or a size
        crop_areas: an object
        border_configs: an object
        resize_config: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_vpc_batch_crop_resize_make_border_async args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls acldvppVpcBatchCropResizeMakeBorderAsync:

        aclError acldvppVpcBatchCropResizeMakeBorderAsync(acldvppChannelDesc* channelDesc, acldvppBatchPicDesc* srcBatchPicDescs, uint32_t* roiNums, uint32_t size, acldvppBatchPicDesc* dstBatchPicDescs, acldvppRoiConfig* cropAreas[], acldvppBorderConfig* borderCfgs[], acldvppResizeConfig* resizeConfig, aclrtStream stream);
        In Python: ret = acldvppVpcBatchCropResizeMakeBorderAsync(channelDesc, srcBatchPicDescs, roiNums, size, dstBatchPicDescs, cropAreas, borderCfgs, resizeConfig, stream)

        As acldvppVpcBatchCropResizeAsync, each with a border around it. Codes: 100000, 100027, 200006.
    """

def dvpp_create_roi_config(left: int, right: int, top: int, bottom: int, /) -> int:
    """handle = acl.media.dvpp_create_roi_config(left, right, top, bottom)

    Parameters, by position only:
        left: an int of 32 bits, unsigned
        right: an int of 32 bits, unsigned
        top: an int of 32 bits, unsigned
        bottom: an int of 32 bits, unsigned

    Returns handle.

    Raises TypeError('acl.media.dvpp_create_roi_config args parse failed!') for arguments of another number or type.

    Calls acldvppCreateRoiConfig:

        acldvppRoiConfig* acldvppCreateRoiConfig(uint32_t left, uint32_t right, uint32_t top, uint32_t bottom);
        In Python: value = acldvppCreateRoiConfig(left, right, top, bottom)

        A rectangle, both ends included; NULL for a number above 65535. What fits where is for the device to say.

        Returns the value alone; there is no code.
    """

def dvpp_destroy_roi_config(roi_config: int, /) -> int:
    """ret = acl.media.dvpp_destroy_roi_config(roi_config)

    Parameters, by position only:
        roi_config: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_destroy_roi_config args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppDestroyRoiConfig:

        aclError acldvppDestroyRoiConfig(acldvppRoiConfig* roiConfig);
        In Python: ret = acldvppDestroyRoiConfig(roiConfig)

        A call that it was given to has copied it. NULL is accepted. Codes: 500000 no media units.
    """

def dvpp_set_roi_config(roi_config: int, left: int, right: int, top: int, bottom: int, /) -> int:
    """ret = acl.media.dvpp_set_roi_config(roi_config, left, right, top, bottom)

    Parameters, by position only:
        roi_config: an int: an address, a handle or a size
        left: an int of 32 bits, unsigned
        right: an int of 32 bits, unsigned
        top: an int of 32 bits, unsigned
        bottom: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_roi_config args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetRoiConfig:

        aclError acldvppSetRoiConfig(acldvppRoiConfig* config, uint32_t left, uint32_t right, uint32_t top, uint32_t bottom);
        In Python: ret = acldvppSetRoiConfig(config, left, right, top, bottom)

        Set all four ends. Codes: 100000 NULL, a number above 65535.
    """

def dvpp_set_roi_config_left(roi_config: int, value: int, /) -> int:
    """ret = acl.media.dvpp_set_roi_config_left(roi_config, value)

    Parameters, by position only:
        roi_config: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_roi_config_left args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetRoiConfigLeft:

        aclError acldvppSetRoiConfigLeft(acldvppRoiConfig* config, uint32_t left);
        In Python: ret = acldvppSetRoiConfigLeft(config, left)

        Set the left end. Codes: 100000 NULL, a number above 65535.
    """

def dvpp_set_roi_config_right(roi_config: int, value: int, /) -> int:
    """ret = acl.media.dvpp_set_roi_config_right(roi_config, value)

    Parameters, by position only:
        roi_config: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_roi_config_right args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetRoiConfigRight:

        aclError acldvppSetRoiConfigRight(acldvppRoiConfig* config, uint32_t right);
        In Python: ret = acldvppSetRoiConfigRight(config, right)

        Set the right end. Codes: 100000 NULL, a number above 65535.
    """

def dvpp_set_roi_config_top(roi_config: int, value: int, /) -> int:
    """ret = acl.media.dvpp_set_roi_config_top(roi_config, value)

    Parameters, by position only:
        roi_config: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_roi_config_top args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetRoiConfigTop:

        aclError acldvppSetRoiConfigTop(acldvppRoiConfig* config, uint32_t top);
        In Python: ret = acldvppSetRoiConfigTop(config, top)

        Set the top end. Codes: 100000 NULL, a number above 65535.
    """

def dvpp_set_roi_config_bottom(roi_config: int, value: int, /) -> int:
    """ret = acl.media.dvpp_set_roi_config_bottom(roi_config, value)

    Parameters, by position only:
        roi_config: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_roi_config_bottom args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetRoiConfigBottom:

        aclError acldvppSetRoiConfigBottom(acldvppRoiConfig* config, uint32_t bottom);
        In Python: ret = acldvppSetRoiConfigBottom(config, bottom)

        Set the bottom end. Codes: 100000 NULL, a number above 65535.
    """

def dvpp_create_resize_config() -> int:
    """handle = acl.media.dvpp_create_resize_config()

    Returns handle.

    Raises TypeError('acl.media.dvpp_create_resize_config args parse failed') for arguments of another number or type.

    Calls acldvppCreateResizeConfig:

        acldvppResizeConfig* acldvppCreateResizeConfig();
        In Python: value = acldvppCreateResizeConfig()

        Scaling with the default algorithm of the product.

        Returns the value alone; there is no code.

        Page: Media: configurations of VPC. Not on: 950, IPV350.
    """

def dvpp_destroy_resize_config(resize_config: int, /) -> int:
    """ret = acl.media.dvpp_destroy_resize_config(resize_config)

    Parameters, by position only:
        resize_config: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_destroy_resize_config args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppDestroyResizeConfig:

        aclError acldvppDestroyResizeConfig(acldvppResizeConfig* resizeConfig);
        In Python: ret = acldvppDestroyResizeConfig(resizeConfig)

        A call that it was given to has copied it. NULL is accepted. Codes: 500000 no media units.
    """

def dvpp_set_resize_config_interpolation(resize_config: int, mode: int, /) -> int:
    """ret = acl.media.dvpp_set_resize_config_interpolation(resize_config, mode)

    Parameters, by position only:
        resize_config: an int: an address, a handle or a size
        mode: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_resize_config_interpolation args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetResizeConfigInterpolation:

        aclError acldvppSetResizeConfigInterpolation(acldvppResizeConfig* resizeConfig, uint32_t interpolation);
        In Python: ret = acldvppSetResizeConfigInterpolation(resizeConfig, interpolation)

        Choose the algorithm. Codes: 100000 NULL, a number that the product has not.
    """

def dvpp_get_resize_config_interpolation(resize_config: int, /) -> int:
    """value = acl.media.dvpp_get_resize_config_interpolation(resize_config)

    Parameters, by position only:
        resize_config: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.dvpp_get_resize_config_interpolation args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetResizeConfigInterpolation:

        uint32_t acldvppGetResizeConfigInterpolation(const acldvppResizeConfig* resizeConfig);
        In Python: value = acldvppGetResizeConfigInterpolation(resizeConfig)

        The number of the algorithm; 0 for NULL.

        Returns the value alone; there is no code.
    """

def dvpp_jpeg_decode_async(channel_desc: int, data: int, size: int, output_desc: int, stream: int, /) -> int:
    """ret = acl.media.dvpp_jpeg_decode_async(channel_desc, data, size, output_desc, stream)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        data: an int: an address, a handle or a size
        size: an int of 32 bits, unsigned
        output_desc: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_jpeg_decode_async args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls acldvppJpegDecodeAsync:

        aclError acldvppJpegDecodeAsync(acldvppChannelDesc* channelDesc, const void* data, uint32_t size, acldvppPicDesc* outputDesc, aclrtStream stream);
        In Python: ret = acldvppJpegDecodeAsync(channelDesc, data, size, outputDesc, stream)

        Queue the decoding of the JPEG at a device address into the picture *output*, whose size is written back.

        Codes: 100000 NULL, a channel that was not created, size 0; 100027 a format that no JPEG becomes; 107002, 107003 as
        any task. A picture that cannot be decoded fails the task: 507018 at the next synchronise.
    """

def dvpp_jpeg_get_image_info(data: int, size: int, /) -> tuple[int, int, int, int]:
    """width, height, components, ret = acl.media.dvpp_jpeg_get_image_info(data, size)

    Parameters, by position only:
        data: an int: an address, a handle or a size
        size: an int of 32 bits, unsigned

    Returns width, height, components, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_jpeg_get_image_info args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls acldvppJpegGetImageInfo:

        aclError acldvppJpegGetImageInfo(const void* data, uint32_t size, uint32_t* width, uint32_t* height, int32_t* components);
        In Python: width, height, components, ret = acldvppJpegGetImageInfo(data, size)

        Width, height and components of the JPEG at a host address, turned as EXIF says.

        Codes: 100000 NULL; 500001 no JPEG.
    """

def dvpp_jpeg_get_image_info_v2(data: int, size: int, /) -> tuple[int, int, int, int, int]:
    """width, height, components, format, ret = acl.media.dvpp_jpeg_get_image_info_v2(data, size)

    Parameters, by position only:
        data: an int: an address, a handle or a size
        size: an int of 32 bits, unsigned

    Returns width, height, components, format, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_jpeg_get_image_info_v2 args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls acldvppJpegGetImageInfoV2:

        aclError acldvppJpegGetImageInfoV2(const void* data, uint32_t size, uint32_t* width, uint32_t* height, int32_t* components, acldvppJpegFormat* format);
        In Python: width, height, components, format, ret = acldvppJpegGetImageInfoV2(data, size)

        Width, height, components and sampling (an acldvppJpegFormat) of the JPEG at a host address.

        Codes: 100000 NULL; 500001 no JPEG.
    """

def dvpp_jpeg_predict_dec_size(data: int, size: int, format: int, /) -> tuple[int, int]:
    """bytes, ret = acl.media.dvpp_jpeg_predict_dec_size(data, size, format)

    Parameters, by position only:
        data: an int: an address, a handle or a size
        size: an int of 32 bits, unsigned
        format: one of
            PIXEL_FORMAT_YUV_400 = 0
            PIXEL_FORMAT_YUV_SEMIPLANAR_420 = 1
            PIXEL_FORMAT_YVU_SEMIPLANAR_420 = 2
            PIXEL_FORMAT_YUV_SEMIPLANAR_422 = 3
            PIXEL_FORMAT_YVU_SEMIPLANAR_422 = 4
            PIXEL_FORMAT_YUV_SEMIPLANAR_444 = 5
            PIXEL_FORMAT_YVU_SEMIPLANAR_444 = 6
            PIXEL_FORMAT_YUYV_PACKED_422 = 7
            PIXEL_FORMAT_UYVY_PACKED_422 = 8
            PIXEL_FORMAT_YVYU_PACKED_422 = 9
            ...

    Returns bytes, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_jpeg_predict_dec_size args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls acldvppJpegPredictDecSize:

        aclError acldvppJpegPredictDecSize(const void* data, uint32_t dataSize, acldvppPixelFormat outputPixelFormat, uint32_t* decSize);
        In Python: decSize, ret = acldvppJpegPredictDecSize(data, dataSize, outputPixelFormat)

        Bytes that hold the decoded picture on every product: width to 128, height to 16.

        Codes: 100000 NULL, a side outside 32 to 8192; 100027 a format that it cannot become; 500001 no JPEG.
    """

def dvpp_jpeg_encode_async(channel_desc: int, input_desc: int, data: int, size: int, jpege_config: int, stream: int, /) -> int:
    """ret = acl.media.dvpp_jpeg_encode_async(channel_desc, input_desc, data, size, jpege_config, stream)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        input_desc: an int: an address, a handle or a size
        data: an int: an address, a handle or a size
        size: an int: an address, a handle or a size
        jpege_config: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_jpeg_encode_async args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls acldvppJpegEncodeAsync:

        aclError acldvppJpegEncodeAsync(acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc, const void* data, uint32_t* size, acldvppJpegeConfig* config, aclrtStream stream);
        In Python: ret = acldvppJpegEncodeAsync(channelDesc, inputDesc, data, size, config, stream)

        Queue the encoding of a picture to the device address *data*.

        *size* is the host address of 4 bytes, which must live until the stream was waited for: they say how much room there
        is, and at the end of the task how many bytes the JPEG has.

        Codes: 100000 NULL, a channel that was not created, no room; 100027 a format that cannot be encoded.
    """

def dvpp_jpeg_predict_enc_size(input_desc: int, jpege_config: int, /) -> tuple[int, int]:
    """bytes, ret = acl.media.dvpp_jpeg_predict_enc_size(input_desc, jpege_config)

    Parameters, by position only:
        input_desc: an int: an address, a handle or a size
        jpege_config: an int: an address, a handle or a size

    Returns bytes, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_jpeg_predict_enc_size args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls acldvppJpegPredictEncSize:

        aclError acldvppJpegPredictEncSize(const acldvppPicDesc* inputDesc, const acldvppJpegeConfig* config, uint32_t* size);
        In Python: size, ret = acldvppJpegPredictEncSize(inputDesc, config)

        Bytes that hold the JPEG of a picture in any case: a multiple of 2 MiB.

        Codes: 100000 NULL, a side outside 32 to 8192, wrong strides; 100027 a format that cannot be encoded.
    """

def dvpp_create_jpege_config() -> int:
    """handle = acl.media.dvpp_create_jpege_config()

    Returns handle.

    Raises TypeError('acl.media.dvpp_create_jpege_config args parse failed') for arguments of another number or type.

    Calls acldvppCreateJpegeConfig:

        acldvppJpegeConfig* acldvppCreateJpegeConfig();
        In Python: value = acldvppCreateJpegeConfig()

        The quality of an encode, 0, which acts as 100.

        Returns the value alone; there is no code.

        Page: Media: JPEG. Not on: 950, IPV350.
    """

def dvpp_destroy_jpege_config(jpege_config: int, /) -> int:
    """ret = acl.media.dvpp_destroy_jpege_config(jpege_config)

    Parameters, by position only:
        jpege_config: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_destroy_jpege_config args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls acldvppDestroyJpegeConfig:

        aclError acldvppDestroyJpegeConfig(acldvppJpegeConfig* jpegeConfig);
        In Python: ret = acldvppDestroyJpegeConfig(jpegeConfig)

        A call that it was given to has copied it. NULL is accepted. Codes: 500000 no media units.
    """

def dvpp_set_jpege_config_level(jpege_config: int, level: int, /) -> int:
    """ret = acl.media.dvpp_set_jpege_config_level(jpege_config, level)

    Parameters, by position only:
        jpege_config: an int: an address, a handle or a size
        level: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_jpege_config_level args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetJpegeConfigLevel:

        aclError acldvppSetJpegeConfigLevel(acldvppJpegeConfig* jpegeConfig, uint32_t level);
        In Python: ret = acldvppSetJpegeConfigLevel(jpegeConfig, level)

        1 to 100, larger is better; 0 acts as 100. The range is not checked here. Codes: 100000 NULL.
    """

def dvpp_get_jpege_config_level(jpege_config: int, /) -> int:
    """value = acl.media.dvpp_get_jpege_config_level(jpege_config)

    Parameters, by position only:
        jpege_config: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.dvpp_get_jpege_config_level args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetJpegeConfigLevel:

        uint32_t acldvppGetJpegeConfigLevel(const acldvppJpegeConfig* jpegeConfig);
        In Python: value = acldvppGetJpegeConfigLevel(jpegeConfig)

        The level; 0 for NULL.

        Returns the value alone; there is no code.
    """

def vdec_create_channel(channel_desc: int, /) -> int:
    """ret = acl.media.vdec_create_channel(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.vdec_create_channel args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecCreateChannel:

        aclError aclvdecCreateChannel(aclvdecChannelDesc* channelDesc);
        In Python: ret = aclvdecCreateChannel(channelDesc)

        Open the channel in the current context, and subscribe its thread.

        Codes: 100000 NULL, no callback; 200006 the extra `media` is missing; 107002, 107012 the thread serves another device.
    """

def vdec_destroy_channel(channel_desc: int, /) -> int:
    """ret = acl.media.vdec_destroy_channel(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.vdec_destroy_channe args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecDestroyChannel:

        aclError aclvdecDestroyChannel(aclvdecChannelDesc* channelDesc);
        In Python: ret = aclvdecDestroyChannel(channelDesc)

        End the stream, wait until every callback has run, close the channel; its descriptor stays. Codes: 100000 NULL.
    """

def vdec_create_channel_desc() -> int:
    """handle = acl.media.vdec_create_channel_desc()

    Returns handle.

    Raises TypeError('acl.media.vdec_create_channel_desc args parse failed') for arguments of another number or type.

    Calls aclvdecCreateChannelDesc:

        aclvdecChannelDesc* aclvdecCreateChannelDesc();
        In Python: value = aclvdecCreateChannelDesc()

        A descriptor that says 0 of everything, NV12 of the output; NULL without a context or media units.

        Returns the value alone; there is no code.

        Page: Media: video decoding. Not on: 950, IPV350.
    """

def vdec_destroy_channel_desc(channel_desc: int, /) -> int:
    """ret = acl.media.vdec_destroy_channel_desc(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.vdec_destroy_channel_desc args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecDestroyChannelDesc:

        aclError aclvdecDestroyChannelDesc(aclvdecChannelDesc* channelDesc);
        In Python: ret = aclvdecDestroyChannelDesc(channelDesc)

        Destroy the channel first. NULL is accepted. Codes: 500000 no context (of the first media call), no media units.
    """

def vdec_set_channel_desc_channel_id(channel_desc: int, value: int, /) -> int:
    """ret = acl.media.vdec_set_channel_desc_channel_id(channel_desc, value)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.vdec_set_channel_desc_channel_id args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecSetChannelDescChannelId:

        aclError aclvdecSetChannelDescChannelId(aclvdecChannelDesc* channelDesc, uint32_t channelId);
        In Python: ret = aclvdecSetChannelDescChannelId(channelDesc, channelId)

        0 to 31, one channel of this number on a device. Codes: 100000 NULL, above 31.
    """

def vdec_set_channel_desc_thread_id(channel_desc: int, value: int, /) -> int:
    """ret = acl.media.vdec_set_channel_desc_thread_id(channel_desc, value)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        value: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.vdec_set_channel_desc_thread_id args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecSetChannelDescThreadId:

        aclError aclvdecSetChannelDescThreadId(aclvdecChannelDesc* channelDesc, uint64_t threadId);
        In Python: ret = aclvdecSetChannelDescThreadId(channelDesc, threadId)

        The thread that runs the callbacks, in aclrtProcessReport. Codes: 100000 NULL.
    """

def vdec_set_channel_desc_callback(channel_desc: int, value: Any, /) -> int:
    """ret = acl.media.vdec_set_channel_desc_callback(channel_desc, value)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        value: a callable; None and 0 are NULL

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.vdec_set_channel_desc_callback args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecSetChannelDescCallback:

        aclError aclvdecSetChannelDescCallback(aclvdecChannelDesc* channelDesc, aclvdecCallback callback);
        In Python: ret = aclvdecSetChannelDescCallback(channelDesc, callback)

        What is called for each piece of the stream: (stream descriptor, picture descriptor, user data). Codes: 100000.
    """

def vdec_set_channel_desc_entype(channel_desc: int, value: int, /) -> int:
    """ret = acl.media.vdec_set_channel_desc_entype(channel_desc, value)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        value: one of
            H265_MAIN_LEVEL = 0
            H264_BASELINE_LEVEL = 1
            H264_MAIN_LEVEL = 2
            H264_HIGH_LEVEL = 3

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.vdec_set_channel_desc_entype args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecSetChannelDescEnType:

        aclError aclvdecSetChannelDescEnType(aclvdecChannelDesc* channelDesc, acldvppStreamFormat enType);
        In Python: ret = aclvdecSetChannelDescEnType(channelDesc, enType)

        0 H.265 main, 1 to 3 H.264 baseline, main, high. Codes: 100000 NULL, another number.
    """

def vdec_set_channel_desc_out_pic_format(channel_desc: int, value: int, /) -> int:
    """ret = acl.media.vdec_set_channel_desc_out_pic_format(channel_desc, value)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        value: one of
            PIXEL_FORMAT_YUV_400 = 0
            PIXEL_FORMAT_YUV_SEMIPLANAR_420 = 1
            PIXEL_FORMAT_YVU_SEMIPLANAR_420 = 2
            PIXEL_FORMAT_YUV_SEMIPLANAR_422 = 3
            PIXEL_FORMAT_YVU_SEMIPLANAR_422 = 4
            PIXEL_FORMAT_YUV_SEMIPLANAR_444 = 5
            PIXEL_FORMAT_YVU_SEMIPLANAR_444 = 6
            PIXEL_FORMAT_YUYV_PACKED_422 = 7
            PIXEL_FORMAT_UYVY_PACKED_422 = 8
            PIXEL_FORMAT_YVYU_PACKED_422 = 9
            ...

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.vdec_set_channel_desc_out_pic_format args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecSetChannelDescOutPicFormat:

        aclError aclvdecSetChannelDescOutPicFormat(aclvdecChannelDesc* channelDesc, acldvppPixelFormat outPicFormat);
        In Python: ret = aclvdecSetChannelDescOutPicFormat(channelDesc, outPicFormat)

        NV12 1 or NV21 2; later products also RGB 12, BGR 13. Codes: 100000 NULL, another format.
    """

def vdec_set_channel_desc_out_pic_width(channel_desc: int, value: int, /) -> int:
    """ret = acl.media.vdec_set_channel_desc_out_pic_width(channel_desc, value)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.vdec_set_channel_desc_out_pic_width args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecSetChannelDescOutPicWidth:

        aclError aclvdecSetChannelDescOutPicWidth(aclvdecChannelDesc* channelDesc, uint32_t outPicWidth);
        In Python: ret = aclvdecSetChannelDescOutPicWidth(channelDesc, outPicWidth)

        Of the pictures, where their descriptors say 0; 0: as the stream. Codes: 100000 NULL.
    """

def vdec_set_channel_desc_out_pic_height(channel_desc: int, value: int, /) -> int:
    """ret = acl.media.vdec_set_channel_desc_out_pic_height(channel_desc, value)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.vdec_set_channel_desc_out_pic_height args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecSetChannelDescOutPicHeight:

        aclError aclvdecSetChannelDescOutPicHeight(aclvdecChannelDesc* channelDesc, uint32_t outPicHeight);
        In Python: ret = aclvdecSetChannelDescOutPicHeight(channelDesc, outPicHeight)

        Of the pictures, where their descriptors say 0; 0: as the stream. Codes: 100000 NULL.
    """

def vdec_set_channel_desc_ref_frame_num(channel_desc: int, value: int, /) -> int:
    """ret = acl.media.vdec_set_channel_desc_ref_frame_num(channel_desc, value)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.vdec_set_channel_desc_ref_frame_num args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecSetChannelDescRefFrameNum:

        aclError aclvdecSetChannelDescRefFrameNum(aclvdecChannelDesc* channelDesc, uint32_t refFrameNum);
        In Python: ret = aclvdecSetChannelDescRefFrameNum(channelDesc, refFrameNum)

        How many reference frames the decoder keeps. Codes: 200006 on 310 and 910; 100000 NULL.
    """

def vdec_get_channel_desc_channel_id(channel_desc: int, /) -> int:
    """value = acl.media.vdec_get_channel_desc_channel_id(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.vdec_get_channel_desc_channel_id args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecGetChannelDescChannelId:

        uint32_t aclvdecGetChannelDescChannelId(const aclvdecChannelDesc* channelDesc);
        In Python: value = aclvdecGetChannelDescChannelId(channelDesc)

        Not modelled by this simulator: it does nothing.

        Returns the value alone; there is no code.
    """

def vdec_get_channel_desc_thread_id(channel_desc: int, /) -> int:
    """value = acl.media.vdec_get_channel_desc_thread_id(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.vdec_get_channel_desc_thread_id args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecGetChannelDescThreadId:

        uint64_t aclvdecGetChannelDescThreadId(const aclvdecChannelDesc* channelDesc);
        In Python: value = aclvdecGetChannelDescThreadId(channelDesc)

        Not modelled by this simulator: it does nothing.

        Returns the value alone; there is no code.
    """

def vdec_get_channel_desc_callback(channel_desc: int, /) -> Callable[..., Any]:
    """function = acl.media.vdec_get_channel_desc_callback(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns function (callable).

    Raises TypeError('acl.media.vdec_get_channel_desc_callback args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecGetChannelDescCallback:

        aclvdecCallback aclvdecGetChannelDescCallback(const aclvdecChannelDesc* channelDesc);
        In Python: value = aclvdecGetChannelDescCallback(channelDesc)

        Not modelled by this simulator: it does nothing.

        Returns the value alone; there is no code.
    """

def vdec_get_channel_desc_entype(channel_desc: int, /) -> int:
    """value = acl.media.vdec_get_channel_desc_entype(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.vdec_get_channel_desc_entype args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecGetChannelDescEnType:

        acldvppStreamFormat aclvdecGetChannelDescEnType(const aclvdecChannelDesc* channelDesc);
        In Python: value = aclvdecGetChannelDescEnType(channelDesc)

        Not modelled by this simulator: it does nothing.

        Returns the value alone; there is no code.
    """

def vdec_get_channel_desc_out_pic_format(channel_desc: int, /) -> int:
    """value = acl.media.vdec_get_channel_desc_out_pic_format(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.vdec_get_channel_desc_out_pic_format args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecGetChannelDescOutPicFormat:

        acldvppPixelFormat aclvdecGetChannelDescOutPicFormat(const aclvdecChannelDesc* channelDesc);
        In Python: value = aclvdecGetChannelDescOutPicFormat(channelDesc)

        Not modelled by this simulator: it does nothing.

        Returns the value alone; there is no code.
    """

def vdec_get_channel_desc_out_pic_width(channel_desc: int, /) -> int:
    """value = acl.media.vdec_get_channel_desc_out_pic_width(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.vdec_get_channel_desc_out_pic_width args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecGetChannelDescOutPicWidth:

        uint32_t aclvdecGetChannelDescOutPicWidth(const aclvdecChannelDesc* channelDesc);
        In Python: value = aclvdecGetChannelDescOutPicWidth(channelDesc)

        Not modelled by this simulator: it does nothing.

        Returns the value alone; there is no code.
    """

def vdec_get_channel_desc_out_pic_height(channel_desc: int, /) -> int:
    """value = acl.media.vdec_get_channel_desc_out_pic_height(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.vdec_get_channel_desc_out_pic_height args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecGetChannelDescOutPicHeight:

        uint32_t aclvdecGetChannelDescOutPicHeight(const aclvdecChannelDesc* channelDesc);
        In Python: value = aclvdecGetChannelDescOutPicHeight(channelDesc)

        Not modelled by this simulator: it does nothing.

        Returns the value alone; there is no code.
    """

def vdec_get_channel_desc_ref_frame_num(channel_desc: int, /) -> int:
    """value = acl.media.vdec_get_channel_desc_ref_frame_num(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.vdec_get_channel_desc_ref_frame_num args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecGetChannelDescRefFrameNum:

        uint32_t aclvdecGetChannelDescRefFrameNum(const aclvdecChannelDesc* channelDesc);
        In Python: value = aclvdecGetChannelDescRefFrameNum(channelDesc)

        Not modelled by this simulator: it does nothing.

        Returns the value alone; there is no code.
    """

def vdec_send_frame(channel_desc: int, stream_desc: int, pic_desc: int, frame_config: int, user_data: Any, /) -> int:
    """ret = acl.media.vdec_send_frame(channel_desc, stream_desc, pic_desc, frame_config, user_data)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        stream_desc: an int: an address, a handle or a size
        pic_desc: an int: an address, a handle or a size
        frame_config: an int: an address, a handle or a size
        user_data: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.vdec_send_frame args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecSendFrame:

        aclError aclvdecSendFrame(aclvdecChannelDesc* channelDesc, acldvppStreamDesc* input, acldvppPicDesc* output, aclvdecFrameConfig* config, void* userData);
        In Python: ret = aclvdecSendFrame(channelDesc, input, output, config, userData)

        Give the decoder a piece of the stream (one picture, Annex-B) and the buffer of a picture.

        Returns when the bytes were taken; with eos set in *stream* when every callback has run. Codes: 100000 NULL (the
        picture may be NULL at the end of the stream), no channel; 507899 for memory that is not there.
    """

def vdec_send_skipped_frame(channel_desc: int, stream_desc: int, frame_config: int, user_data: Any, /) -> int:
    """ret = acl.media.vdec_send_skipped_frame(channel_desc, stream_desc, frame_config, user_data)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        stream_desc: an int: an address, a handle or a size
        frame_config: an int: an address, a handle or a size
        user_data: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.vdec_send_skipped_frame args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecSendSkippedFrame:

        aclError aclvdecSendSkippedFrame(aclvdecChannelDesc* channelDesc, acldvppStreamDesc* input, aclvdecFrameConfig* config, void* userData);
        In Python: ret = aclvdecSendSkippedFrame(channelDesc, input, config, userData)

        Give the decoder a picture that others need and nobody wants to see: the callback gets NULL for it.

        Codes: as aclvdecSendFrame; 200006 the end of the stream, which cannot be skipped.
    """

def vdec_create_frame_config() -> int:
    """handle = acl.media.vdec_create_frame_config()

    Returns handle.

    Raises TypeError('acl.media.vdec_create_frame_config args parse failed') for arguments of another number or type.

    Calls aclvdecCreateFrameConfig:

        aclvdecFrameConfig* aclvdecCreateFrameConfig();
        In Python: value = aclvdecCreateFrameConfig()

        Settings of a frame, of which there are none.

        Returns the value alone; there is no code.

        Page: Media: video decoding. Not on: 950, IPV350.
    """

def vdec_destroy_frame_config(frame_config: int, /) -> int:
    """ret = acl.media.vdec_destroy_frame_config(frame_config)

    Parameters, by position only:
        frame_config: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.vdec_destroy_frame_config args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecDestroyFrameConfig:

        aclError aclvdecDestroyFrameConfig(aclvdecFrameConfig* vdecFrameConfig);
        In Python: ret = aclvdecDestroyFrameConfig(vdecFrameConfig)

        NULL is accepted. Codes: 500000 as aclvdecDestroyChannelDesc.
    """

def vdec_get_channel_desc_out_mode(channel_desc: int, /) -> int:
    """value = acl.media.vdec_get_channel_desc_out_mode(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.vdec_get_channel_desc_out_mode args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecGetChannelDescOutMode:

        uint32_t aclvdecGetChannelDescOutMode(const aclvdecChannelDesc* channelDesc);
        In Python: value = aclvdecGetChannelDescOutMode(channelDesc)

        Not modelled by this simulator: it does nothing.

        Returns the value alone; there is no code.
    """

def vdec_set_channel_desc_out_mode(channel_desc: int, value: int, /) -> int:
    """ret = acl.media.vdec_set_channel_desc_out_mode(channel_desc, value)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.vdec_set_channel_desc_out_mode args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecSetChannelDescOutMode:

        aclError aclvdecSetChannelDescOutMode(aclvdecChannelDesc* channelDesc, uint32_t outMode);
        In Python: ret = aclvdecSetChannelDescOutMode(channelDesc, outMode)

        0: pictures come in the order of display; 1: at once, for streams without reordering. Codes: 100000 NULL, above 1.
    """

def vdec_get_channel_desc_bit_depth(channel_desc: int, /) -> int:
    """value = acl.media.vdec_get_channel_desc_bit_depth(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.vdec_get_channel_desc_bit_depth args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecGetChannelDescBitDepth:

        uint32_t aclvdecGetChannelDescBitDepth(const aclvdecChannelDesc* channelDesc);
        In Python: value = aclvdecGetChannelDescBitDepth(channelDesc)

        Not modelled by this simulator: it does nothing.

        Returns the value alone; there is no code.
    """

def vdec_set_channel_desc_bit_depth(channel_desc: int, value: int, /) -> int:
    """ret = acl.media.vdec_set_channel_desc_bit_depth(channel_desc, value)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.vdec_set_channel_desc_bit_depth args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecSetChannelDescBitDepth:

        aclError aclvdecSetChannelDescBitDepth(aclvdecChannelDesc* channelDesc, uint32_t bitDepth);
        In Python: ret = aclvdecSetChannelDescBitDepth(channelDesc, bitDepth)

        Of the stream. Codes: 200006 on 310 and 910; 100000 NULL.
    """

def vdec_set_channel_desc_param(channel_desc: int, param_type: int, value: int, /) -> tuple[int, int]:
    """channel_desc, ret = acl.media.vdec_set_channel_desc_param(channel_desc, param_type, value)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        param_type: an int of 32 bits
        value: an int: an address, a handle or a size

    Returns channel_desc, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.media.vdec_set_channel_desc_param args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecSetChannelDescParam:

        aclError aclvdecSetChannelDescParam(aclvdecChannelDesc* channelDesc, aclvdecChannelDescParamType paramType, size_t length, const void* param);
        In Python: ret = aclvdecSetChannelDescParam(channelDesc, paramType, length, param)

        Set the colour matrix of RGB output (an acldvppCscMatrix). Codes: 100000 NULL, another type or length, none such.
    """

def vdec_get_channel_desc_param(channel_desc: int, param_type: int, /) -> tuple[int, int, int]:
    """size, value, ret = acl.media.vdec_get_channel_desc_param(channel_desc, param_type)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        param_type: an int of 32 bits

    Returns size, value, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.media.vdec_get_channel_desc_param args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvdecGetChannelDescParam:

        aclError aclvdecGetChannelDescParam(const aclvdecChannelDesc* channelDesc, aclvdecChannelDescParamType paramType, size_t length, size_t* paramRetSize, void* param);
        In Python: paramRetSize, ret = aclvdecGetChannelDescParam(channelDesc, paramType, length, param)

        Write the colour matrix to *param*; the bytes that were written. Codes: as aclvdecSetChannelDescParam.
    """

def venc_create_channel(channel_desc: int, /) -> int:
    """ret = acl.media.venc_create_channel(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.venc_create_channel args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencCreateChannel:

        aclError aclvencCreateChannel(aclvencChannelDesc* channelDesc);
        In Python: ret = aclvencCreateChannel(channelDesc)

        Open the channel in the current context, and subscribe its thread.

        Codes: 100000 NULL, no callback, a size outside 128 to 4096 or odd; 200006 the extra `media` is missing; 500000 the
        product has no such unit; 107002, 107012.
    """

def venc_destroy_channel(channel_desc: int, /) -> int:
    """ret = acl.media.venc_destroy_channel(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.venc_destroy_channel args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencDestroyChannel:

        aclError aclvencDestroyChannel(aclvencChannelDesc* channelDesc);
        In Python: ret = aclvencDestroyChannel(channelDesc)

        End the stream, wait until every callback has run, close the channel; its descriptor stays. Codes: 100000 NULL.
    """

def venc_send_frame(channel_desc: int, pic_desc: int, reserve: int, frame_config: int, user_data: Any, /) -> int:
    """ret = acl.media.venc_send_frame(channel_desc, pic_desc, reserve, frame_config, user_data)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        pic_desc: an int: an address, a handle or a size
        reserve: an int: an address, a handle or a size
        frame_config: an int: an address, a handle or a size
        user_data: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.venc_send_frame args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencSendFrame:

        aclError aclvencSendFrame(aclvencChannelDesc* channelDesc, acldvppPicDesc* input, void* reserve, aclvencFrameConfig* config, void* userdata);
        In Python: ret = aclvencSendFrame(channelDesc, input, reserve, config, userdata)

        Give the encoder a picture; returns when its pixels were taken, with eos in *config* when every callback has run.

        Codes: 100000 NULL (the picture may be NULL at the end of the stream), no channel, a size that does not fit width
        and height; 507899 for memory that is not there.
    """

def venc_create_channel_desc() -> int:
    """handle = acl.media.venc_create_channel_desc()

    Returns handle.

    Raises TypeError('acl.media.venc_create_channel_desc args parse failed') for arguments of another number or type.

    Calls aclvencCreateChannelDesc:

        aclvencChannelDesc* aclvencCreateChannelDesc();
        In Python: value = aclvencCreateChannelDesc()

        A descriptor that says 0 of everything, NV12 of the input; NULL without a context or media units.

        Returns the value alone; there is no code.

        Page: Media: video encoding. Not on: 950, A3, A2, training, IPV350.
    """

def venc_destroy_channel_desc(channel_desc: int, /) -> int:
    """ret = acl.media.venc_destroy_channel_desc(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.venc_destroy_channel_desc args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencDestroyChannelDesc:

        aclError aclvencDestroyChannelDesc(aclvencChannelDesc* channelDesc);
        In Python: ret = aclvencDestroyChannelDesc(channelDesc)

        Destroy the channel first. NULL is accepted. Codes: 500000 no context (of the first media call), no media units.
    """

def venc_set_channel_desc_thread_id(channel_desc: int, value: int, /) -> int:
    """ret = acl.media.venc_set_channel_desc_thread_id(channel_desc, value)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        value: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.venc_set_channel_desc_thread_id args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencSetChannelDescThreadId:

        aclError aclvencSetChannelDescThreadId(aclvencChannelDesc* channelDesc, uint64_t threadId);
        In Python: ret = aclvencSetChannelDescThreadId(channelDesc, threadId)

        The thread that runs the callbacks, in aclrtProcessReport. Codes: 100000 NULL.
    """

def venc_set_channel_desc_callback(channel_desc: int, value: Any, /) -> int:
    """ret = acl.media.venc_set_channel_desc_callback(channel_desc, value)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        value: a callable; None and 0 are NULL

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.venc_set_channel_desc_callback args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencSetChannelDescCallback:

        aclError aclvencSetChannelDescCallback(aclvencChannelDesc* channelDesc, aclvencCallback callback);
        In Python: ret = aclvencSetChannelDescCallback(channelDesc, callback)

        What is called for each picture: (picture descriptor, stream descriptor, user data). Codes: 100000 NULL.
    """

def venc_set_channel_desc_entype(channel_desc: int, value: int, /) -> int:
    """ret = acl.media.venc_set_channel_desc_entype(channel_desc, value)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        value: one of
            H265_MAIN_LEVEL = 0
            H264_BASELINE_LEVEL = 1
            H264_MAIN_LEVEL = 2
            H264_HIGH_LEVEL = 3

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.venc_set_channel_desc_entype args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencSetChannelDescEnType:

        aclError aclvencSetChannelDescEnType(aclvencChannelDesc* channelDesc, acldvppStreamFormat enType);
        In Python: ret = aclvencSetChannelDescEnType(channelDesc, enType)

        0 H.265 main, 1 to 3 H.264 baseline, main, high. Codes: 100000 NULL, another number.
    """

def venc_set_channel_desc_pic_format(channel_desc: int, value: int, /) -> int:
    """ret = acl.media.venc_set_channel_desc_pic_format(channel_desc, value)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        value: one of
            PIXEL_FORMAT_YUV_400 = 0
            PIXEL_FORMAT_YUV_SEMIPLANAR_420 = 1
            PIXEL_FORMAT_YVU_SEMIPLANAR_420 = 2
            PIXEL_FORMAT_YUV_SEMIPLANAR_422 = 3
            PIXEL_FORMAT_YVU_SEMIPLANAR_422 = 4
            PIXEL_FORMAT_YUV_SEMIPLANAR_444 = 5
            PIXEL_FORMAT_YVU_SEMIPLANAR_444 = 6
            PIXEL_FORMAT_YUYV_PACKED_422 = 7
            PIXEL_FORMAT_UYVY_PACKED_422 = 8
            PIXEL_FORMAT_YVYU_PACKED_422 = 9
            ...

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.venc_set_channel_desc_pic_format args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencSetChannelDescPicFormat:

        aclError aclvencSetChannelDescPicFormat(aclvencChannelDesc* channelDesc, acldvppPixelFormat picFormat);
        In Python: ret = aclvencSetChannelDescPicFormat(channelDesc, picFormat)

        NV12 1 or NV21 2. Codes: 100000 NULL, another format.
    """

def venc_set_channel_desc_pic_width(channel_desc: int, value: int, /) -> int:
    """ret = acl.media.venc_set_channel_desc_pic_width(channel_desc, value)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.venc_set_channel_desc_pic_width args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencSetChannelDescPicWidth:

        aclError aclvencSetChannelDescPicWidth(aclvencChannelDesc* channelDesc, uint32_t picWidth);
        In Python: ret = aclvencSetChannelDescPicWidth(channelDesc, picWidth)

        Pixels, even. Codes: 100000 NULL.
    """

def venc_set_channel_desc_pic_height(channel_desc: int, value: int, /) -> int:
    """ret = acl.media.venc_set_channel_desc_pic_height(channel_desc, value)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.venc_set_channel_desc_pic_height args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencSetChannelDescPicHeight:

        aclError aclvencSetChannelDescPicHeight(aclvencChannelDesc* channelDesc, uint32_t picHeight);
        In Python: ret = aclvencSetChannelDescPicHeight(channelDesc, picHeight)

        Pixels, even. Codes: 100000 NULL.
    """

def venc_set_channel_desc_key_frame_interval(channel_desc: int, value: int, /) -> int:
    """ret = acl.media.venc_set_channel_desc_key_frame_interval(channel_desc, value)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.venc_set_channel_desc_key_frame_interval args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencSetChannelDescKeyFrameInterval:

        aclError aclvencSetChannelDescKeyFrameInterval(aclvencChannelDesc* channelDesc, uint32_t keyFrameInterval);
        In Python: ret = aclvencSetChannelDescKeyFrameInterval(channelDesc, keyFrameInterval)

        Frames from one I frame to the next. Codes: 100000 NULL.
    """

def venc_get_channel_desc_channel_id(channel_desc: int, /) -> int:
    """value = acl.media.venc_get_channel_desc_channel_id(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.venc_get_channel_desc_channel_id args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencGetChannelDescChannelId:

        uint32_t aclvencGetChannelDescChannelId(const aclvencChannelDesc* channelDesc);
        In Python: value = aclvencGetChannelDescChannelId(channelDesc)

        The id of the descriptor; 0 for NULL.

        Returns the value alone; there is no code.
    """

def venc_get_channel_desc_thread_id(channel_desc: int, /) -> int:
    """value = acl.media.venc_get_channel_desc_thread_id(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.venc_get_channel_desc_thread_id args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencGetChannelDescThreadId:

        uint64_t aclvencGetChannelDescThreadId(const aclvencChannelDesc* channelDesc);
        In Python: value = aclvencGetChannelDescThreadId(channelDesc)

        The thread id of the descriptor; 0 for NULL.

        Returns the value alone; there is no code.
    """

def venc_get_channel_desc_callback(channel_desc: int, /) -> Callable[..., Any]:
    """function = acl.media.venc_get_channel_desc_callback(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns function (callable).

    Raises TypeError('acl.media.venc_get_channel_desc_callback args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencGetChannelDescCallback:

        aclvencCallback aclvencGetChannelDescCallback(const aclvencChannelDesc* channelDesc);
        In Python: value = aclvencGetChannelDescCallback(channelDesc)

        The callback of the descriptor; 0 for NULL.

        Returns the value alone; there is no code.
    """

def venc_get_channel_desc_entype(channel_desc: int, /) -> int:
    """value = acl.media.venc_get_channel_desc_entype(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.venc_get_channel_desc_entype args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencGetChannelDescEnType:

        acldvppStreamFormat aclvencGetChannelDescEnType(const aclvencChannelDesc* channelDesc);
        In Python: value = aclvencGetChannelDescEnType(channelDesc)

        The kind of the descriptor; 0 for NULL.

        Returns the value alone; there is no code.
    """

def venc_get_channel_desc_pic_format(channel_desc: int, /) -> int:
    """value = acl.media.venc_get_channel_desc_pic_format(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.venc_get_channel_desc_pic_format args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencGetChannelDescPicFormat:

        acldvppPixelFormat aclvencGetChannelDescPicFormat(const aclvencChannelDesc* channelDesc);
        In Python: value = aclvencGetChannelDescPicFormat(channelDesc)

        The format of the descriptor; 1 for NULL.

        Returns the value alone; there is no code.
    """

def venc_get_channel_desc_pic_width(channel_desc: int, /) -> int:
    """value = acl.media.venc_get_channel_desc_pic_width(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.venc_get_channel_desc_pic_width args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencGetChannelDescPicWidth:

        uint32_t aclvencGetChannelDescPicWidth(const aclvencChannelDesc* channelDesc);
        In Python: value = aclvencGetChannelDescPicWidth(channelDesc)

        The width of the descriptor; 0 for NULL.

        Returns the value alone; there is no code.
    """

def venc_get_channel_desc_pic_height(channel_desc: int, /) -> int:
    """value = acl.media.venc_get_channel_desc_pic_height(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.venc_get_channel_desc_pic_height args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencGetChannelDescPicHeight:

        uint32_t aclvencGetChannelDescPicHeight(const aclvencChannelDesc* channelDesc);
        In Python: value = aclvencGetChannelDescPicHeight(channelDesc)

        The height of the descriptor; 0 for NULL.

        Returns the value alone; there is no code.
    """

def venc_get_channel_desc_key_frame_interval(channel_desc: int, /) -> int:
    """value = acl.media.venc_get_channel_desc_key_frame_interval(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.venc_get_channel_desc_key_frame_interval args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencGetChannelDescKeyFrameInterval:

        uint32_t aclvencGetChannelDescKeyFrameInterval(const aclvencChannelDesc* channelDesc);
        In Python: value = aclvencGetChannelDescKeyFrameInterval(channelDesc)

        The interval of the descriptor; 0 for NULL.

        Returns the value alone; there is no code.
    """

def venc_create_frame_config() -> int:
    """handle = acl.media.venc_create_frame_config()

    Returns handle.

    Raises TypeError('acl.media.venc_create_frame_config args parse failed') for arguments of another number or type.

    Calls aclvencCreateFrameConfig:

        aclvencFrameConfig* aclvencCreateFrameConfig();
        In Python: value = aclvencCreateFrameConfig()

        Settings of a frame: no end of the stream, no forced I frame.

        Returns the value alone; there is no code.

        Page: Media: video encoding. Not on: 950, A3, A2, training, IPV350.
    """

def venc_destroy_frame_config(frame_config: int, /) -> int:
    """ret = acl.media.venc_destroy_frame_config(frame_config)

    Parameters, by position only:
        frame_config: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.venc_destroy_frame_config args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencDestroyFrameConfig:

        aclError aclvencDestroyFrameConfig(aclvencFrameConfig* config);
        In Python: ret = aclvencDestroyFrameConfig(config)

        NULL is accepted. Codes: 500000 as aclvencDestroyChannelDesc.
    """

def venc_set_frame_config_force_i_frame(frame_config: int, value: int, /) -> int:
    """ret = acl.media.venc_set_frame_config_force_i_frame(frame_config, value)

    Parameters, by position only:
        frame_config: an int: an address, a handle or a size
        value: an int of 8 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.venc_set_frame_config_force_i_frame args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencSetFrameConfigForceIFrame:

        aclError aclvencSetFrameConfigForceIFrame(aclvencFrameConfig* config, uint8_t forceIFrame);
        In Python: ret = aclvencSetFrameConfigForceIFrame(config, forceIFrame)

        Let the frame be an I frame; the interval begins anew. Codes: 100000 NULL.
    """

def venc_set_frame_config_eos(frame_config: int, value: int, /) -> int:
    """ret = acl.media.venc_set_frame_config_eos(frame_config, value)

    Parameters, by position only:
        frame_config: an int: an address, a handle or a size
        value: an int of 8 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.venc_set_frame_config_eos args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencSetFrameConfigEos:

        aclError aclvencSetFrameConfigEos(aclvencFrameConfig* config, uint8_t eos);
        In Python: ret = aclvencSetFrameConfigEos(config, eos)

        Let the send be the end of the stream. Codes: 100000 NULL.
    """

def venc_get_frame_config_force_i_frame(frame_config: int, /) -> int:
    """value = acl.media.venc_get_frame_config_force_i_frame(frame_config)

    Parameters, by position only:
        frame_config: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.venc_get_frame_config_force_i_frame args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencGetFrameConfigForceIFrame:

        uint8_t aclvencGetFrameConfigForceIFrame(const aclvencFrameConfig* config);
        In Python: value = aclvencGetFrameConfigForceIFrame(config)

        1 if the frame is to be an I frame; 0 for NULL.

        Returns the value alone; there is no code.
    """

def venc_get_frame_config_eos(frame_config: int, /) -> int:
    """value = acl.media.venc_get_frame_config_eos(frame_config)

    Parameters, by position only:
        frame_config: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.venc_get_frame_config_eos args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencGetFrameConfigEos:

        uint8_t aclvencGetFrameConfigEos(const aclvencFrameConfig* config);
        In Python: value = aclvencGetFrameConfigEos(config)

        1 if the send is to be the end of the stream; 0 for NULL.

        Returns the value alone; there is no code.
    """

def venc_get_channel_desc_buf_addr(channel_desc: int, /) -> int:
    """address = acl.media.venc_get_channel_desc_buf_addr(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns address.

    Raises TypeError('acl.media.venc_get_channel_desc_buf_addr args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencGetChannelDescBufAddr:

        void* aclvencGetChannelDescBufAddr(const aclvencChannelDesc* channelDesc);
        In Python: value = aclvencGetChannelDescBufAddr(channelDesc)

        The buffer of the descriptor; 0 for NULL.

        Returns the value alone; there is no code.
    """

def venc_set_channel_desc_buf_addr(channel_desc: int, value: int, /) -> int:
    """ret = acl.media.venc_set_channel_desc_buf_addr(channel_desc, value)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        value: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.venc_set_channel_desc_buf_addr args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencSetChannelDescBufAddr:

        aclError aclvencSetChannelDescBufAddr(aclvencChannelDesc* channelDesc, void* bufAddr);
        In Python: ret = aclvencSetChannelDescBufAddr(channelDesc, bufAddr)

        Where results go; set once. Codes: 200006 on 310; 100000 NULL, a second time.
    """

def venc_get_channel_desc_buf_size(channel_desc: int, /) -> int:
    """value = acl.media.venc_get_channel_desc_buf_size(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.venc_get_channel_desc_buf_size args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencGetChannelDescBufSize:

        uint32_t aclvencGetChannelDescBufSize(const aclvencChannelDesc* channelDesc);
        In Python: value = aclvencGetChannelDescBufSize(channelDesc)

        The buffer size of the descriptor; 0 for NULL.

        Returns the value alone; there is no code.
    """

def venc_set_channel_desc_buf_size(channel_desc: int, value: int, /) -> int:
    """ret = acl.media.venc_set_channel_desc_buf_size(channel_desc, value)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.venc_set_channel_desc_buf_size args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencSetChannelDescBufSize:

        aclError aclvencSetChannelDescBufSize(aclvencChannelDesc* channelDesc, uint32_t bufSize);
        In Python: ret = aclvencSetChannelDescBufSize(channelDesc, bufSize)

        Its bytes, 5242880 at least. Codes: 200006 on 310; 100000 NULL, fewer.
    """

def venc_get_channel_desc_max_bit_rate(channel_desc: int, /) -> int:
    """value = acl.media.venc_get_channel_desc_max_bit_rate(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.venc_get_channel_desc_max_bit_rate args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencGetChannelDescMaxBitRate:

        uint32_t aclvencGetChannelDescMaxBitRate(const aclvencChannelDesc* channelDesc);
        In Python: value = aclvencGetChannelDescMaxBitRate(channelDesc)

        The kilobits of the descriptor; 0 for NULL.

        Returns the value alone; there is no code.
    """

def venc_set_channel_desc_max_bit_rate(channel_desc: int, value: int, /) -> int:
    """ret = acl.media.venc_set_channel_desc_max_bit_rate(channel_desc, value)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.venc_set_channel_desc_max_bit_rate args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencSetChannelDescMaxBitRate:

        aclError aclvencSetChannelDescMaxBitRate(aclvencChannelDesc* channelDesc, uint32_t maxBitRate);
        In Python: ret = aclvencSetChannelDescMaxBitRate(channelDesc, maxBitRate)

        Kilobits a second at most. Codes: 100000 NULL.
    """

def venc_get_channel_desc_rc_mode(channel_desc: int, /) -> int:
    """value = acl.media.venc_get_channel_desc_rc_mode(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.venc_get_channel_desc_rc_mode args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencGetChannelDescRcMode:

        uint32_t aclvencGetChannelDescRcMode(const aclvencChannelDesc* channelDesc);
        In Python: value = aclvencGetChannelDescRcMode(channelDesc)

        The mode of the descriptor; 0 for NULL.

        Returns the value alone; there is no code.
    """

def venc_set_channel_desc_rc_mode(channel_desc: int, value: int, /) -> int:
    """ret = acl.media.venc_set_channel_desc_rc_mode(channel_desc, value)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.venc_set_channel_desc_rc_mode args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencSetChannelDescRcMode:

        aclError aclvencSetChannelDescRcMode(aclvencChannelDesc* channelDesc, uint32_t rcMode);
        In Python: ret = aclvencSetChannelDescRcMode(channelDesc, rcMode)

        Of the bit rate: 1 variable, 2 constant, 0 the default. Codes: 100000 NULL.
    """

def venc_get_channel_desc_src_rate(channel_desc: int, /) -> int:
    """value = acl.media.venc_get_channel_desc_src_rate(channel_desc)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.venc_get_channel_desc_src_rate args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencGetChannelDescSrcRate:

        uint32_t aclvencGetChannelDescSrcRate(const aclvencChannelDesc* channelDesc);
        In Python: value = aclvencGetChannelDescSrcRate(channelDesc)

        The rate of the descriptor; 0 for NULL.

        Returns the value alone; there is no code.
    """

def venc_set_channel_desc_src_rate(channel_desc: int, value: int, /) -> int:
    """ret = acl.media.venc_set_channel_desc_src_rate(channel_desc, value)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.venc_set_channel_desc_src_rate args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencSetChannelDescSrcRate:

        aclError aclvencSetChannelDescSrcRate(aclvencChannelDesc* channelDesc, uint32_t srcRate);
        In Python: ret = aclvencSetChannelDescSrcRate(channelDesc, srcRate)

        Frames a second. Codes: 100000 NULL.
    """

def venc_get_channel_desc_param(channel_desc: int, param_type: int, /) -> tuple[int, int]:
    """value, ret = acl.media.venc_get_channel_desc_param(channel_desc, param_type)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        param_type: an int of 32 bits

    Returns value, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.media.venc_get_channel_desc_param args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencGetChannelDescParam:

        aclError aclvencGetChannelDescParam(const aclvencChannelDesc* channelDesc, aclvencChannelDescParamType paramType, size_t length, size_t* paramRetSize, void* param);
        In Python: paramRetSize, ret = aclvencGetChannelDescParam(channelDesc, paramType, length, param)

        Write what the parameter *kind* is about to *param*; the bytes written. Codes: 100000 NULL, another type or length.
    """

def venc_set_channel_desc_param(channel_desc: int, param_type: int, value: Any, /) -> int:
    """ret = acl.media.venc_set_channel_desc_param(channel_desc, param_type, value)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        param_type: an int of 32 bits
        value: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.venc_set_channel_desc_param args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls aclvencSetChannelDescParam:

        aclError aclvencSetChannelDescParam(aclvencChannelDesc* channelDesc, aclvencChannelDescParamType paramType, size_t length, const void* param);
        In Python: ret = aclvencSetChannelDescParam(channelDesc, paramType, length, param)

        Set what the parameter *kind* is about from the value at *param*. Codes: 100000 NULL, another type or length.
    """

def dvpp_create_border_config() -> int:
    """handle = acl.media.dvpp_create_border_config()

    Returns handle.

    Raises TypeError('acl.media.dvpp_create_border_config args parse failed') for arguments of another number or type.

    Calls acldvppCreateBorderConfig:

        acldvppBorderConfig* acldvppCreateBorderConfig();
        In Python: value = acldvppCreateBorderConfig()

        A border of no pixels; NULL on 310 and 910.

        Returns the value alone; there is no code.

        Page: Media: configurations of VPC. Not on: 950, IPV350.
    """

def dvpp_destroy_border_config(border_config: int, /) -> int:
    """ret = acl.media.dvpp_destroy_border_config(border_config)

    Parameters, by position only:
        border_config: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_destroy_border_config args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppDestroyBorderConfig:

        aclError acldvppDestroyBorderConfig(acldvppBorderConfig* borderConfig);
        In Python: ret = acldvppDestroyBorderConfig(borderConfig)

        A call that it was given to has copied it. NULL is accepted. Codes: 200006 on 310 and 910.
    """

def dvpp_set_border_config_value(border_config: int, index: int, value: float, /) -> int:
    """ret = acl.media.dvpp_set_border_config_value(border_config, index, value)

    Parameters, by position only:
        border_config: an int: an address, a handle or a size
        index: an int of 32 bits, unsigned
        value: a number

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_border_config_value args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetBorderConfigValue:

        aclError acldvppSetBorderConfigValue(acldvppBorderConfig* borderConfig, uint32_t index, double value);
        In Python: ret = acldvppSetBorderConfigValue(borderConfig, index, value)

        What component *index* of the border is filled with. Codes: 100000 NULL, an index above 3.
    """

def dvpp_set_border_config_border_type(border_config: int, type: int, /) -> int:
    """ret = acl.media.dvpp_set_border_config_border_type(border_config, type)

    Parameters, by position only:
        border_config: an int: an address, a handle or a size
        type: one of
            BORDER_CONSTANT = 0
            BORDER_REPLICATE = 1
            BORDER_REFLECT = 2
            BORDER_REFLECT_101 = 3

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_border_config_border_type args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetBorderConfigBorderType:

        aclError acldvppSetBorderConfigBorderType(acldvppBorderConfig* borderConfig, acldvppBorderType borderType);
        In Python: ret = acldvppSetBorderConfigBorderType(borderConfig, borderType)

        0 constant, 1 replicate, 2 reflect, 3 reflect without the edge. Codes: 100000 NULL.
    """

def dvpp_set_border_config_top(border_config: int, value: int, /) -> int:
    """ret = acl.media.dvpp_set_border_config_top(border_config, value)

    Parameters, by position only:
        border_config: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_border_config_Top args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetBorderConfigTop:

        aclError acldvppSetBorderConfigTop(acldvppBorderConfig* borderConfig, uint32_t top);
        In Python: ret = acldvppSetBorderConfigTop(borderConfig, top)

        Pixels of the border at the top. Codes: 100000 NULL, a number above 65535.
    """

def dvpp_set_border_config_bottom(border_config: int, value: int, /) -> int:
    """ret = acl.media.dvpp_set_border_config_bottom(border_config, value)

    Parameters, by position only:
        border_config: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_border_config_bottom args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetBorderConfigBottom:

        aclError acldvppSetBorderConfigBottom(acldvppBorderConfig* borderConfig, uint32_t bottom);
        In Python: ret = acldvppSetBorderConfigBottom(borderConfig, bottom)

        Pixels of the border at the bottom. Codes: 100000 NULL, a number above 65535.
    """

def dvpp_set_border_config_left(border_config: int, value: int, /) -> int:
    """ret = acl.media.dvpp_set_border_config_left(border_config, value)

    Parameters, by position only:
        border_config: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_border_config_left args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetBorderConfigLeft:

        aclError acldvppSetBorderConfigLeft(acldvppBorderConfig* borderConfig, uint32_t left);
        In Python: ret = acldvppSetBorderConfigLeft(borderConfig, left)

        Pixels of the border at the left. Codes: 100000 NULL, a number above 65535.
    """

def dvpp_set_border_config_right(border_config: int, value: int, /) -> int:
    """ret = acl.media.dvpp_set_border_config_right(border_config, value)

    Parameters, by position only:
        border_config: an int: an address, a handle or a size
        value: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_border_config_right args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetBorderConfigRight:

        aclError acldvppSetBorderConfigRight(acldvppBorderConfig* borderConfig, uint32_t right);
        In Python: ret = acldvppSetBorderConfigRight(borderConfig, right)

        Pixels of the border at the right. Codes: 100000 NULL, a number above 65535.
    """

def dvpp_get_border_config_value(border_config: int, index: int, /) -> float:
    """value = acl.media.dvpp_get_border_config_value(border_config, index)

    Parameters, by position only:
        border_config: an int: an address, a handle or a size
        index: an int of 32 bits, unsigned

    Returns value (float).

    Raises TypeError('acl.media.dvpp_get_border_config_value args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetBorderConfigValue:

        double acldvppGetBorderConfigValue(const acldvppBorderConfig* borderConfig, uint32_t index);
        In Python: value = acldvppGetBorderConfigValue(borderConfig, index)

        What component *index* is filled with; -1.0 for NULL and behind the end.

        Returns the value alone; there is no code.
    """

def dvpp_get_border_config_border_type(border_config: int, /) -> int:
    """value = acl.media.dvpp_get_border_config_border_type(border_config)

    Parameters, by position only:
        border_config: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.dvpp_get_border_config_border_type args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetBorderConfigBorderType:

        acldvppBorderType acldvppGetBorderConfigBorderType(const acldvppBorderConfig* borderConfig);
        In Python: value = acldvppGetBorderConfigBorderType(borderConfig)

        The kind; 0 for NULL.

        Returns the value alone; there is no code.
    """

def dvpp_get_border_config_top(border_config: int, /) -> int:
    """value = acl.media.dvpp_get_border_config_top(border_config)

    Parameters, by position only:
        border_config: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.dvpp_get_border_config_Top args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetBorderConfigTop:

        uint32_t acldvppGetBorderConfigTop(const acldvppBorderConfig* borderConfig);
        In Python: value = acldvppGetBorderConfigTop(borderConfig)

        Pixels of the border at the top; 0 for NULL.

        Returns the value alone; there is no code.
    """

def dvpp_get_border_config_bottom(border_config: int, /) -> int:
    """value = acl.media.dvpp_get_border_config_bottom(border_config)

    Parameters, by position only:
        border_config: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.dvpp_get_border_config_bottom args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetBorderConfigBottom:

        uint32_t acldvppGetBorderConfigBottom(const acldvppBorderConfig* borderConfig);
        In Python: value = acldvppGetBorderConfigBottom(borderConfig)

        Pixels of the border at the bottom; 0 for NULL.

        Returns the value alone; there is no code.
    """

def dvpp_get_border_config_left(border_config: int, /) -> int:
    """value = acl.media.dvpp_get_border_config_left(border_config)

    Parameters, by position only:
        border_config: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.dvpp_get_border_config_left args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetBorderConfigLeft:

        uint32_t acldvppGetBorderConfigLeft(const acldvppBorderConfig* borderConfig);
        In Python: value = acldvppGetBorderConfigLeft(borderConfig)

        Pixels of the border at the left; 0 for NULL.

        Returns the value alone; there is no code.
    """

def dvpp_get_border_config_right(border_config: int, /) -> int:
    """value = acl.media.dvpp_get_border_config_right(border_config)

    Parameters, by position only:
        border_config: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.dvpp_get_border_config_right args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetBorderConfigRight:

        uint32_t acldvppGetBorderConfigRight(const acldvppBorderConfig* borderConfig);
        In Python: value = acldvppGetBorderConfigRight(borderConfig)

        Pixels of the border at the right; 0 for NULL.

        Returns the value alone; there is no code.
    """

def dvpp_vpc_convert_color_async(channel_desc: int, input_desc: int, output_desc: int, stream: int, /) -> int:
    """ret = acl.media.dvpp_vpc_convert_color_async(channel_desc, input_desc, output_desc, stream)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        input_desc: an int: an address, a handle or a size
        output_desc: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_vpc_convert_color_async args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppVpcConvertColorAsync:

        aclError acldvppVpcConvertColorAsync(acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc, acldvppPicDesc* outputDesc, aclrtStream stream);
        In Python: ret = acldvppVpcConvertColorAsync(channelDesc, inputDesc, outputDesc, stream)

        Queue the conversion of a picture into the format of another one of its size (0: its size).

        Codes: 200006 on 310 and 910; 100000 NULL, a size or stride of 0, another size; 100027 a format.
    """

def dvpp_vpc_pyr_down_async(channel_desc: int, input_desc: int, output_desc: int, reserve: int, stream: int, /) -> int:
    """ret = acl.media.dvpp_vpc_pyr_down_async(channel_desc, input_desc, output_desc, reserve, stream)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        input_desc: an int: an address, a handle or a size
        output_desc: an int: an address, a handle or a size
        reserve: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_vpc_pyr_down_async args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppVpcPyrDownAsync:

        aclError acldvppVpcPyrDownAsync(acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc, acldvppPicDesc* outputDesc, void* reserve, aclrtStream stream);
        In Python: ret = acldvppVpcPyrDownAsync(channelDesc, inputDesc, outputDesc, reserve, stream)

        Queue the next step of a pyramid: filtered, then half as wide and high; gray pictures only.

        Codes: 200006 on 310 and 910; 100000 NULL, a reserve that is not; 100027 another format than YUV400.
    """

def dvpp_set_channel_desc_mode(channel_desc: int, mode: int, /) -> int:
    """ret = acl.media.dvpp_set_channel_desc_mode(channel_desc, mode)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        mode: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_set_channel_desc_mode args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppSetChannelDescMode:

        aclError acldvppSetChannelDescMode(acldvppChannelDesc* channelDesc, uint32_t mode);
        In Python: ret = acldvppSetChannelDescMode(channelDesc, mode)

        What the channel is for, an or of VPC 1, JPEGD 2, JPEGE 4, PNGD 8; before acldvppCreateChannel.

        Codes: 200006 on 310 and 910; 100000 NULL, outside 1 to 15.
    """

def dvpp_png_decode_async(channel_desc: int, data: int, size: int, output_desc: int, stream: int, /) -> int:
    """ret = acl.media.dvpp_png_decode_async(channel_desc, data, size, output_desc, stream)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        data: an int: an address, a handle or a size
        size: an int of 32 bits, unsigned
        output_desc: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_png_decode_async args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppPngDecodeAsync:

        aclError acldvppPngDecodeAsync(acldvppChannelDesc* channelDesc, const void* data, uint32_t size, acldvppPicDesc* outputDesc, aclrtStream stream);
        In Python: ret = acldvppPngDecodeAsync(channelDesc, data, size, outputDesc, stream)

        Queue the decoding of the PNG at a device address into the picture *output*, whose size is written back.

        Codes: 100000 NULL, a channel that was not created, size 0; 100027 a format other than RGB888, RGBA8888, unknown.
    """

def dvpp_png_get_image_info(data: int, size: int, /) -> tuple[int, int, int, int]:
    """width, height, components, ret = acl.media.dvpp_png_get_image_info(data, size)

    Parameters, by position only:
        data: an int: an address, a handle or a size
        size: an int of 32 bits, unsigned

    Returns width, height, components, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_png_get_image_info args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppPngGetImageInfo:

        aclError acldvppPngGetImageInfo(const void* data, uint32_t dataSize, uint32_t* width, uint32_t* height, int32_t* components);
        In Python: width, height, components, ret = acldvppPngGetImageInfo(data, dataSize)

        Width, height and components of the PNG at a host address. Codes: 100000 NULL, no PNG; 100027 a palette.
    """

def dvpp_png_predict_dec_size(data: int, size: int, format: int, /) -> tuple[int, int]:
    """bytes, ret = acl.media.dvpp_png_predict_dec_size(data, size, format)

    Parameters, by position only:
        data: an int: an address, a handle or a size
        size: an int of 32 bits, unsigned
        format: one of
            PIXEL_FORMAT_YUV_400 = 0
            PIXEL_FORMAT_YUV_SEMIPLANAR_420 = 1
            PIXEL_FORMAT_YVU_SEMIPLANAR_420 = 2
            PIXEL_FORMAT_YUV_SEMIPLANAR_422 = 3
            PIXEL_FORMAT_YVU_SEMIPLANAR_422 = 4
            PIXEL_FORMAT_YUV_SEMIPLANAR_444 = 5
            PIXEL_FORMAT_YVU_SEMIPLANAR_444 = 6
            PIXEL_FORMAT_YUYV_PACKED_422 = 7
            PIXEL_FORMAT_UYVY_PACKED_422 = 8
            PIXEL_FORMAT_YVYU_PACKED_422 = 9
            ...

    Returns bytes, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_png_predict_dec_size args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppPngPredictDecSize:

        aclError acldvppPngPredictDecSize(const void* data, uint32_t dataSize, acldvppPixelFormat outputPixelFormat, uint32_t* decSize);
        In Python: decSize, ret = acldvppPngPredictDecSize(data, dataSize, outputPixelFormat)

        Bytes that hold the decoded picture. Codes: 100000 NULL, no PNG, a side outside 32 to 4096; 100027 the format.
    """

def dvpp_create_hist() -> int:
    """handle = acl.media.dvpp_create_hist()

    Returns handle.

    Raises TypeError('acl.media.dvpp_create_hist args parse failed') for arguments of another number or type.

    Calls acldvppCreateHist:

        acldvppHist* acldvppCreateHist();
        In Python: value = acldvppCreateHist()

        A histogram of zeros; NULL on 310 and 910.

        Returns the value alone; there is no code.

        Page: Media: configurations of VPC. Not on: 950, IPV350.
    """

def dvpp_destroy_hist(hist: int, /) -> int:
    """ret = acl.media.dvpp_destroy_hist(hist)

    Parameters, by position only:
        hist: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_destroy_hist args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppDestroyHist:

        aclError acldvppDestroyHist(acldvppHist* hist);
        In Python: ret = acldvppDestroyHist(hist)

        Queued tasks that fill it must be done. NULL is accepted. Codes: 200006 on 310 and 910.
    """

def dvpp_get_hist_dims(hist: int, /) -> int:
    """value = acl.media.dvpp_get_hist_dims(hist)

    Parameters, by position only:
        hist: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.dvpp_get_hist_dims args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetHistDims:

        uint32_t acldvppGetHistDims(acldvppHist* hist);
        In Python: value = acldvppGetHistDims(hist)

        How many dimensions it has; 0 for NULL.

        Returns the value alone; there is no code.
    """

def dvpp_get_hist_data(hist: int, dim: int, /) -> tuple[int, int, int]:
    """address, length, ret = acl.media.dvpp_get_hist_data(hist, dim)

    Parameters, by position only:
        hist: an int: an address, a handle or a size
        dim: an int of 32 bits, unsigned

    Returns address, length, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_get_hist_data args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetHistData:

        aclError acldvppGetHistData(acldvppHist* hist, uint32_t dim, uint32_t** data, uint16_t* len);
        In Python: data, len, ret = acldvppGetHistData(hist, dim)

        The host address of the counts of dimension *dim* (uint32_t), and how many there are. Codes: 100000.
    """

def dvpp_get_hist_ret_code(hist: int, /) -> int:
    """value = acl.media.dvpp_get_hist_ret_code(hist)

    Parameters, by position only:
        hist: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.dvpp_get_hist_ret_code args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetHistRetCode:

        uint32_t acldvppGetHistRetCode(acldvppHist* hist);
        In Python: value = acldvppGetHistRetCode(hist)

        The code of the task that filled it; 100000 for NULL.

        Returns the value alone; there is no code.
    """

def dvpp_clear_hist(hist: int, /) -> int:
    """ret = acl.media.dvpp_clear_hist(hist)

    Parameters, by position only:
        hist: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_clear_hist args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppClearHist:

        aclError acldvppClearHist(acldvppHist* hist);
        In Python: ret = acldvppClearHist(hist)

        All counts are 0 again. Codes: 100000 NULL.
    """

def dvpp_create_lut_map() -> int:
    """handle = acl.media.dvpp_create_lut_map()

    Returns handle.

    Raises TypeError('acl.media.dvpp_create_lut_map args parse failed') for arguments of another number or type.

    Calls acldvppCreateLutMap:

        acldvppLutMap* acldvppCreateLutMap();
        In Python: value = acldvppCreateLutMap()

        A table of new values, which the program fills in; NULL on 310 and 910.

        Returns the value alone; there is no code.

        Page: Media: configurations of VPC. Not on: 950, IPV350.
    """

def dvpp_destroy_lut_map(lut_map: int, /) -> int:
    """ret = acl.media.dvpp_destroy_lut_map(lut_map)

    Parameters, by position only:
        lut_map: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_destroy_lut_map args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppDestroyLutMap:

        aclError acldvppDestroyLutMap(acldvppLutMap* lutMap);
        In Python: ret = acldvppDestroyLutMap(lutMap)

        A call that it was given to has copied it. NULL is accepted. Codes: 200006 on 310 and 910.
    """

def dvpp_get_lut_map_dims(lut_map: int, /) -> int:
    """value = acl.media.dvpp_get_lut_map_dims(lut_map)

    Parameters, by position only:
        lut_map: an int: an address, a handle or a size

    Returns value (int).

    Raises TypeError('acl.media.dvpp_get_lut_map_dims args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetLutMapDims:

        uint32_t acldvppGetLutMapDims(const acldvppLutMap* lutMap);
        In Python: value = acldvppGetLutMapDims(lutMap)

        How many dimensions it has; 0 for NULL.

        Returns the value alone; there is no code.
    """

def dvpp_get_lut_map_data(lut_map: int, dim: int, /) -> tuple[int, int, int]:
    """address, length, ret = acl.media.dvpp_get_lut_map_data(lut_map, dim)

    Parameters, by position only:
        lut_map: an int: an address, a handle or a size
        dim: an int of 32 bits, unsigned

    Returns address, length, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_get_lut_map_data args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppGetLutMapData:

        aclError acldvppGetLutMapData(const acldvppLutMap* lutMap, uint32_t dim, uint8_t** data, uint32_t* len);
        In Python: data, len, ret = acldvppGetLutMapData(lutMap, dim)

        The host address of the values of dimension *dim* (uint8_t), and how many there are. Codes: 100000.
    """

def dvpp_vpc_equalize_hist_async(channel_desc: int, input_desc: int, output_desc: int, lut_map: int, stream: int, /) -> int:
    """ret = acl.media.dvpp_vpc_equalize_hist_async(channel_desc, input_desc, output_desc, lut_map, stream)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        input_desc: an int: an address, a handle or a size
        output_desc: an int: an address, a handle or a size
        lut_map: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_vpc_equalize_hist_async args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppVpcEqualizeHistAsync:

        aclError acldvppVpcEqualizeHistAsync(const acldvppChannelDesc* channelDesc, const acldvppPicDesc* inputDesc, acldvppPicDesc* outputDesc, const acldvppLutMap* lutMap, aclrtStream stream);
        In Python: ret = acldvppVpcEqualizeHistAsync(channelDesc, inputDesc, outputDesc, lutMap, stream)

        Queue the replacement of each value by that of a table.

        Codes: 200006 on 310 and 910; 100000 NULL, an output of another format, size or stride; 100027 the format.
    """

def dvpp_vpc_make_border_async(channel_desc: int, input_desc: int, output_desc: int, border_config: int, stream: int, /) -> int:
    """ret = acl.media.dvpp_vpc_make_border_async(channel_desc, input_desc, output_desc, border_config, stream)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        input_desc: an int: an address, a handle or a size
        output_desc: an int: an address, a handle or a size
        border_config: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_vpc_make_border_async args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppVpcMakeBorderAsync:

        aclError acldvppVpcMakeBorderAsync(const acldvppChannelDesc* channelDesc, const acldvppPicDesc* inputDesc, acldvppPicDesc* outputDesc, const acldvppBorderConfig* borderConfig, aclrtStream stream);
        In Python: ret = acldvppVpcMakeBorderAsync(channelDesc, inputDesc, outputDesc, borderConfig, stream)

        Queue the copy of a picture with a border around it. Codes: 200006 on 310 and 910; 100000, 100027 as a resize.
    """

def dvpp_vpc_calc_hist_async(channel_desc: int, input_desc: int, hist: int, reserve: int, stream: int, /) -> int:
    """ret = acl.media.dvpp_vpc_calc_hist_async(channel_desc, input_desc, hist, reserve, stream)

    Parameters, by position only:
        channel_desc: an int: an address, a handle or a size
        input_desc: an int: an address, a handle or a size
        hist: an int: an address, a handle or a size
        reserve: an int: an address, a handle or a size
        stream: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.media.dvpp_vpc_calc_hist_async args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls acldvppVpcCalcHistAsync:

        aclError acldvppVpcCalcHistAsync(acldvppChannelDesc* channelDesc, acldvppPicDesc* srcPicDesc, acldvppHist* hist, void* reserve, aclrtStream stream);
        In Python: ret = acldvppVpcCalcHistAsync(channelDesc, srcPicDesc, hist, reserve, stream)

        Queue the counting of a picture's values. Codes: 200006 on 310 and 910; 100000 NULL, a reserve; 100027 the format.
    """
