"""acl.media: media processing; only names are known."""
# Made from the tables: python -m ascend_sim.pyacl.stubs

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

def dvpp_malloc(size: int, /) -> tuple[int, int]:
    """acl.media.dvpp_malloc(size)

    Parameters, by position only:
        size: an int: an address, a handle or a size

    Raises TypeError('acl.media.dvpp_malloc args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls acldvppMalloc:

        acldvppMalloc is not modelled: it answers 207000.
    """

def dvpp_malloc_with_cfg(*arguments: Any) -> tuple[int, int]:
    """address, ret = acl.media.dvpp_malloc_with_cfg()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns address, ret; ret is the code, 0 when the call succeeds.

    Calls acldvppMallocWithCfg.
    """

def dvpp_free(dev_ptr: int, /) -> int:
    """acl.media.dvpp_free(dev_ptr)

    Parameters, by position only:
        dev_ptr: an int: an address, a handle or a size

    Raises TypeError('acl.media.dvpp_free args parse failed') for arguments of another number or type; None is no handle and no address.

    Calls acldvppFree:

        acldvppFree is not modelled: it answers 207000.
    """

def dvpp_create_channel(*arguments: Any) -> int:
    """ret = acl.media.dvpp_create_channel()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppCreateChannel.
    """

def dvpp_destroy_channel(*arguments: Any) -> int:
    """ret = acl.media.dvpp_destroy_channel()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppDestroyChannel.
    """

def dvpp_create_channel_desc(*arguments: Any) -> int:
    """handle = acl.media.dvpp_create_channel_desc()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns handle.

    Calls acldvppCreateChannelDesc.
    """

def dvpp_destroy_channel_desc(*arguments: Any) -> int:
    """ret = acl.media.dvpp_destroy_channel_desc()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppDestroyChannelDesc.
    """

def dvpp_set_channel_desc_param(*arguments: Any) -> tuple[int, int]:
    """channel_desc, ret = acl.media.dvpp_set_channel_desc_param()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns channel_desc, ret; ret is the code, 0 when the call succeeds.

    Calls acldvppSetChannelDescParam.
    """

def dvpp_get_channel_desc_param(*arguments: Any) -> tuple[int, int, int]:
    """size, value, ret = acl.media.dvpp_get_channel_desc_param()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns size, value, ret; ret is the code, 0 when the call succeeds.

    Calls acldvppGetChannelDescParam.
    """

def dvpp_get_channel_desc_channel_id(*arguments: Any) -> int:
    """value = acl.media.dvpp_get_channel_desc_channel_id()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls acldvppGetChannelDescChannelId.
    """

def dvpp_create_pic_desc(*arguments: Any) -> int:
    """handle = acl.media.dvpp_create_pic_desc()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns handle.

    Calls acldvppCreatePicDesc.
    """

def dvpp_destroy_pic_desc(*arguments: Any) -> int:
    """ret = acl.media.dvpp_destroy_pic_desc()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppDestroyPicDesc.
    """

def dvpp_set_pic_desc_data(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_pic_desc_data()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetPicDescData.
    """

def dvpp_set_pic_desc_size(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_pic_desc_size()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetPicDescSize.
    """

def dvpp_set_pic_desc_format(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_pic_desc_format()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetPicDescFormat.
    """

def dvpp_set_pic_desc_width(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_pic_desc_width()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetPicDescWidth.
    """

def dvpp_set_pic_desc_height(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_pic_desc_height()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetPicDescHeight.
    """

def dvpp_set_pic_desc_width_stride(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_pic_desc_width_stride()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetPicDescWidthStride.
    """

def dvpp_set_pic_desc_height_stride(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_pic_desc_height_stride()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetPicDescHeightStride.
    """

def dvpp_set_pic_desc_ret_code(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_pic_desc_ret_code()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetPicDescRetCode.
    """

def dvpp_get_pic_desc_data(*arguments: Any) -> int:
    """address = acl.media.dvpp_get_pic_desc_data()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns address.

    Calls acldvppGetPicDescData.
    """

def dvpp_get_pic_desc_size(*arguments: Any) -> int:
    """value = acl.media.dvpp_get_pic_desc_size()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls acldvppGetPicDescSize.
    """

def dvpp_get_pic_desc_format(*arguments: Any) -> int:
    """value = acl.media.dvpp_get_pic_desc_format()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls acldvppGetPicDescFormat.
    """

def dvpp_get_pic_desc_width(*arguments: Any) -> int:
    """value = acl.media.dvpp_get_pic_desc_width()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls acldvppGetPicDescWidth.
    """

def dvpp_get_pic_desc_height(*arguments: Any) -> int:
    """value = acl.media.dvpp_get_pic_desc_height()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls acldvppGetPicDescHeight.
    """

def dvpp_get_pic_desc_width_stride(*arguments: Any) -> int:
    """value = acl.media.dvpp_get_pic_desc_width_stride()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls acldvppGetPicDescWidthStride.
    """

def dvpp_get_pic_desc_height_stride(*arguments: Any) -> int:
    """value = acl.media.dvpp_get_pic_desc_height_stride()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls acldvppGetPicDescHeightStride.
    """

def dvpp_get_pic_desc_ret_code(*arguments: Any) -> int:
    """value = acl.media.dvpp_get_pic_desc_ret_code()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls acldvppGetPicDescRetCode.
    """

def dvpp_create_stream_desc(*arguments: Any) -> int:
    """handle = acl.media.dvpp_create_stream_desc()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns handle.

    Calls acldvppCreateStreamDesc.
    """

def dvpp_destroy_stream_desc(*arguments: Any) -> int:
    """ret = acl.media.dvpp_destroy_stream_desc()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppDestroyStreamDesc.
    """

def dvpp_set_stream_desc_data(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_stream_desc_data()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetStreamDescData.
    """

def dvpp_set_stream_desc_size(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_stream_desc_size()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetStreamDescSize.
    """

def dvpp_set_stream_desc_format(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_stream_desc_format()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetStreamDescFormat.
    """

def dvpp_set_stream_desc_timestamp(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_stream_desc_timestamp()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetStreamDescTimestamp.
    """

def dvpp_set_stream_desc_ret_code(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_stream_desc_ret_code()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetStreamDescRetCode.
    """

def dvpp_set_stream_desc_eos(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_stream_desc_eos()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetStreamDescEos.
    """

def dvpp_get_stream_desc_data(*arguments: Any) -> int:
    """address = acl.media.dvpp_get_stream_desc_data()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns address.

    Calls acldvppGetStreamDescData.
    """

def dvpp_get_stream_desc_size(*arguments: Any) -> int:
    """value = acl.media.dvpp_get_stream_desc_size()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls acldvppGetStreamDescSize.
    """

def dvpp_get_stream_desc_format(*arguments: Any) -> int:
    """value = acl.media.dvpp_get_stream_desc_format()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls acldvppGetStreamDescFormat.
    """

def dvpp_get_stream_desc_timestamp(*arguments: Any) -> int:
    """value = acl.media.dvpp_get_stream_desc_timestamp()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls acldvppGetStreamDescTimestamp.
    """

def dvpp_get_stream_desc_ret_code(*arguments: Any) -> int:
    """value = acl.media.dvpp_get_stream_desc_ret_code()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls acldvppGetStreamDescRetCode.
    """

def dvpp_get_stream_desc_eos(*arguments: Any) -> int:
    """value = acl.media.dvpp_get_stream_desc_eos()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls acldvppGetStreamDescEos.
    """

def dvpp_create_batch_pic_desc(*arguments: Any) -> int:
    """handle = acl.media.dvpp_create_batch_pic_desc()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns handle.

    Calls acldvppCreateBatchPicDesc.
    """

def dvpp_destroy_batch_pic_desc(*arguments: Any) -> int:
    """ret = acl.media.dvpp_destroy_batch_pic_desc()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppDestroyBatchPicDesc.
    """

def dvpp_get_pic_desc(*arguments: Any) -> int:
    """handle = acl.media.dvpp_get_pic_desc()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns handle.

    Calls acldvppGetPicDesc.
    """

def dvpp_vpc_resize_async(*arguments: Any) -> int:
    """ret = acl.media.dvpp_vpc_resize_async()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppVpcResizeAsync.
    """

def dvpp_vpc_crop_async(*arguments: Any) -> int:
    """ret = acl.media.dvpp_vpc_crop_async()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppVpcCropAsync.
    """

def dvpp_vpc_batch_crop_async(*arguments: Any) -> tuple[int, int]:
    """dst_batch, ret = acl.media.dvpp_vpc_batch_crop_async()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns dst_batch, ret; ret is the code, 0 when the call succeeds.

    Calls acldvppVpcBatchCropAsync.
    """

def dvpp_vpc_crop_and_paste_async(*arguments: Any) -> int:
    """ret = acl.media.dvpp_vpc_crop_and_paste_async()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppVpcCropAndPasteAsync.
    """

def dvpp_vpc_batch_crop_and_paste_async(*arguments: Any) -> tuple[int, int]:
    """dst_batch, ret = acl.media.dvpp_vpc_batch_crop_and_paste_async()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns dst_batch, ret; ret is the code, 0 when the call succeeds.

    Calls acldvppVpcBatchCropAndPasteAsync.
    """

def dvpp_vpc_crop_resize_async(*arguments: Any) -> int:
    """ret = acl.media.dvpp_vpc_crop_resize_async()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppVpcCropResizeAsync.
    """

def dvpp_vpc_batch_crop_resize_async(*arguments: Any) -> int:
    """ret = acl.media.dvpp_vpc_batch_crop_resize_async()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppVpcBatchCropResizeAsync.
    """

def dvpp_vpc_crop_resize_paste_async(*arguments: Any) -> int:
    """ret = acl.media.dvpp_vpc_crop_resize_paste_async()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppVpcCropResizePasteAsync.
    """

def dvpp_vpc_batch_crop_resize_paste_async(*arguments: Any) -> int:
    """ret = acl.media.dvpp_vpc_batch_crop_resize_paste_async()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppVpcBatchCropResizePasteAsync.
    """

def dvpp_vpc_batch_crop_resize_make_border_async(*arguments: Any) -> int:
    """ret = acl.media.dvpp_vpc_batch_crop_resize_make_border_async()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppVpcBatchCropResizeMakeBorderAsync.
    """

def dvpp_create_roi_config(*arguments: Any) -> int:
    """handle = acl.media.dvpp_create_roi_config()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns handle.

    Calls acldvppCreateRoiConfig.
    """

def dvpp_destroy_roi_config(*arguments: Any) -> int:
    """ret = acl.media.dvpp_destroy_roi_config()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppDestroyRoiConfig.
    """

def dvpp_set_roi_config(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_roi_config()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetRoiConfig.
    """

def dvpp_set_roi_config_left(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_roi_config_left()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetRoiConfigLeft.
    """

def dvpp_set_roi_config_right(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_roi_config_right()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetRoiConfigRight.
    """

def dvpp_set_roi_config_top(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_roi_config_top()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetRoiConfigTop.
    """

def dvpp_set_roi_config_bottom(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_roi_config_bottom()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetRoiConfigBottom.
    """

def dvpp_create_resize_config(*arguments: Any) -> int:
    """handle = acl.media.dvpp_create_resize_config()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns handle.

    Calls acldvppCreateResizeConfig.
    """

def dvpp_destroy_resize_config(*arguments: Any) -> int:
    """ret = acl.media.dvpp_destroy_resize_config()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppDestroyResizeConfig.
    """

def dvpp_set_resize_config_interpolation(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_resize_config_interpolation()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetResizeConfigInterpolation.
    """

def dvpp_get_resize_config_interpolation(*arguments: Any) -> int:
    """value = acl.media.dvpp_get_resize_config_interpolation()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls acldvppGetResizeConfigInterpolation.
    """

def dvpp_jpeg_decode_async(*arguments: Any) -> int:
    """ret = acl.media.dvpp_jpeg_decode_async()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppJpegDecodeAsync.
    """

def dvpp_jpeg_get_image_info(*arguments: Any) -> tuple[int, int, int, int]:
    """width, height, components, ret = acl.media.dvpp_jpeg_get_image_info()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns width, height, components, ret; ret is the code, 0 when the call succeeds.

    Calls acldvppJpegGetImageInfo.
    """

def dvpp_jpeg_get_image_info_v2(*arguments: Any) -> tuple[int, int, int, int, int]:
    """width, height, components, format, ret = acl.media.dvpp_jpeg_get_image_info_v2()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns width, height, components, format, ret; ret is the code, 0 when the call succeeds.

    Calls acldvppJpegGetImageInfoV2.
    """

def dvpp_jpeg_predict_dec_size(*arguments: Any) -> tuple[int, int]:
    """bytes, ret = acl.media.dvpp_jpeg_predict_dec_size()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns bytes, ret; ret is the code, 0 when the call succeeds.

    Calls acldvppJpegPredictDecSize.
    """

def dvpp_jpeg_encode_async(*arguments: Any) -> int:
    """ret = acl.media.dvpp_jpeg_encode_async()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppJpegEncodeAsync.
    """

def dvpp_jpeg_predict_enc_size(*arguments: Any) -> tuple[int, int]:
    """bytes, ret = acl.media.dvpp_jpeg_predict_enc_size()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns bytes, ret; ret is the code, 0 when the call succeeds.

    Calls acldvppJpegPredictEncSize.
    """

def dvpp_create_jpege_config(*arguments: Any) -> int:
    """handle = acl.media.dvpp_create_jpege_config()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns handle.

    Calls acldvppCreateJpegeConfig.
    """

def dvpp_destroy_jpege_config(*arguments: Any) -> int:
    """ret = acl.media.dvpp_destroy_jpege_config()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppDestroyJpegeConfig.
    """

def dvpp_set_jpege_config_level(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_jpege_config_level()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetJpegeConfigLevel.
    """

def dvpp_get_jpege_config_level(*arguments: Any) -> int:
    """value = acl.media.dvpp_get_jpege_config_level()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls acldvppGetJpegeConfigLevel.
    """

def vdec_create_channel(*arguments: Any) -> int:
    """ret = acl.media.vdec_create_channel()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvdecCreateChannel.
    """

def vdec_destroy_channel(*arguments: Any) -> int:
    """ret = acl.media.vdec_destroy_channel()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvdecDestroyChannel.
    """

def vdec_create_channel_desc(*arguments: Any) -> int:
    """handle = acl.media.vdec_create_channel_desc()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns handle.

    Calls aclvdecCreateChannelDesc.
    """

def vdec_destroy_channel_desc(*arguments: Any) -> int:
    """ret = acl.media.vdec_destroy_channel_desc()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvdecDestroyChannelDesc.
    """

def vdec_set_channel_desc_channel_id(*arguments: Any) -> int:
    """ret = acl.media.vdec_set_channel_desc_channel_id()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvdecSetChannelDescChannelId.
    """

def vdec_set_channel_desc_thread_id(*arguments: Any) -> int:
    """ret = acl.media.vdec_set_channel_desc_thread_id()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvdecSetChannelDescThreadId.
    """

def vdec_set_channel_desc_callback(*arguments: Any) -> int:
    """ret = acl.media.vdec_set_channel_desc_callback()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvdecSetChannelDescCallback.
    """

def vdec_set_channel_desc_entype(*arguments: Any) -> int:
    """ret = acl.media.vdec_set_channel_desc_entype()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvdecSetChannelDescEntype.
    """

def vdec_set_channel_desc_out_pic_format(*arguments: Any) -> int:
    """ret = acl.media.vdec_set_channel_desc_out_pic_format()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvdecSetChannelDescOutPicFormat.
    """

def vdec_set_channel_desc_out_pic_width(*arguments: Any) -> int:
    """ret = acl.media.vdec_set_channel_desc_out_pic_width()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvdecSetChannelDescOutPicWidth.
    """

def vdec_set_channel_desc_out_pic_height(*arguments: Any) -> int:
    """ret = acl.media.vdec_set_channel_desc_out_pic_height()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvdecSetChannelDescOutPicHeight.
    """

def vdec_set_channel_desc_ref_frame_num(*arguments: Any) -> int:
    """ret = acl.media.vdec_set_channel_desc_ref_frame_num()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvdecSetChannelDescRefFrameNum.
    """

def vdec_get_channel_desc_channel_id(*arguments: Any) -> int:
    """value = acl.media.vdec_get_channel_desc_channel_id()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls aclvdecGetChannelDescChannelId.
    """

def vdec_get_channel_desc_thread_id(*arguments: Any) -> int:
    """value = acl.media.vdec_get_channel_desc_thread_id()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls aclvdecGetChannelDescThreadId.
    """

def vdec_get_channel_desc_callback(*arguments: Any) -> Callable[..., Any]:
    """function = acl.media.vdec_get_channel_desc_callback()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns function (callable).

    Calls aclvdecGetChannelDescCallback.
    """

def vdec_get_channel_desc_entype(*arguments: Any) -> int:
    """value = acl.media.vdec_get_channel_desc_entype()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls aclvdecGetChannelDescEntype.
    """

def vdec_get_channel_desc_out_pic_format(*arguments: Any) -> int:
    """value = acl.media.vdec_get_channel_desc_out_pic_format()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls aclvdecGetChannelDescOutPicFormat.
    """

def vdec_get_channel_desc_out_pic_width(*arguments: Any) -> int:
    """value = acl.media.vdec_get_channel_desc_out_pic_width()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls aclvdecGetChannelDescOutPicWidth.
    """

def vdec_get_channel_desc_out_pic_height(*arguments: Any) -> int:
    """value = acl.media.vdec_get_channel_desc_out_pic_height()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls aclvdecGetChannelDescOutPicHeight.
    """

def vdec_get_channel_desc_ref_frame_num(*arguments: Any) -> int:
    """value = acl.media.vdec_get_channel_desc_ref_frame_num()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls aclvdecGetChannelDescRefFrameNum.
    """

def vdec_send_frame(*arguments: Any) -> int:
    """ret = acl.media.vdec_send_frame()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvdecSendFrame.
    """

def vdec_send_skipped_frame(*arguments: Any) -> int:
    """ret = acl.media.vdec_send_skipped_frame()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvdecSendSkippedFrame.
    """

def vdec_create_frame_config(*arguments: Any) -> int:
    """handle = acl.media.vdec_create_frame_config()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns handle.

    Calls aclvdecCreateFrameConfig.
    """

def vdec_destroy_frame_config(*arguments: Any) -> int:
    """ret = acl.media.vdec_destroy_frame_config()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvdecDestroyFrameConfig.
    """

def vdec_get_channel_desc_out_mode(*arguments: Any) -> int:
    """value = acl.media.vdec_get_channel_desc_out_mode()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls aclvdecGetChannelDescOutMode.
    """

def vdec_set_channel_desc_out_mode(*arguments: Any) -> int:
    """ret = acl.media.vdec_set_channel_desc_out_mode()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvdecSetChannelDescOutMode.
    """

def vdec_get_channel_desc_bit_depth(*arguments: Any) -> int:
    """value = acl.media.vdec_get_channel_desc_bit_depth()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls aclvdecGetChannelDescBitDepth.
    """

def vdec_set_channel_desc_bit_depth(*arguments: Any) -> int:
    """ret = acl.media.vdec_set_channel_desc_bit_depth()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvdecSetChannelDescBitDepth.
    """

def vdec_set_channel_desc_param(*arguments: Any) -> tuple[int, int]:
    """channel_desc, ret = acl.media.vdec_set_channel_desc_param()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns channel_desc, ret; ret is the code, 0 when the call succeeds.

    Calls aclvdecSetChannelDescParam.
    """

def vdec_get_channel_desc_param(*arguments: Any) -> tuple[int, int, int]:
    """size, value, ret = acl.media.vdec_get_channel_desc_param()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns size, value, ret; ret is the code, 0 when the call succeeds.

    Calls aclvdecGetChannelDescParam.
    """

def venc_create_channel(*arguments: Any) -> int:
    """ret = acl.media.venc_create_channel()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvencCreateChannel.
    """

def venc_destroy_channel(*arguments: Any) -> int:
    """ret = acl.media.venc_destroy_channel()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvencDestroyChannel.
    """

def venc_send_frame(*arguments: Any) -> int:
    """ret = acl.media.venc_send_frame()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvencSendFrame.
    """

def venc_create_channel_desc(*arguments: Any) -> int:
    """handle = acl.media.venc_create_channel_desc()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns handle.

    Calls aclvencCreateChannelDesc.
    """

def venc_destroy_channel_desc(*arguments: Any) -> int:
    """ret = acl.media.venc_destroy_channel_desc()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvencDestroyChannelDesc.
    """

def venc_set_channel_desc_thread_id(*arguments: Any) -> int:
    """ret = acl.media.venc_set_channel_desc_thread_id()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvencSetChannelDescThreadId.
    """

def venc_set_channel_desc_callback(*arguments: Any) -> int:
    """ret = acl.media.venc_set_channel_desc_callback()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvencSetChannelDescCallback.
    """

def venc_set_channel_desc_entype(*arguments: Any) -> int:
    """ret = acl.media.venc_set_channel_desc_entype()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvencSetChannelDescEntype.
    """

def venc_set_channel_desc_pic_format(*arguments: Any) -> int:
    """ret = acl.media.venc_set_channel_desc_pic_format()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvencSetChannelDescPicFormat.
    """

def venc_set_channel_desc_pic_width(*arguments: Any) -> int:
    """ret = acl.media.venc_set_channel_desc_pic_width()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvencSetChannelDescPicWidth.
    """

def venc_set_channel_desc_pic_height(*arguments: Any) -> int:
    """ret = acl.media.venc_set_channel_desc_pic_height()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvencSetChannelDescPicHeight.
    """

def venc_set_channel_desc_key_frame_interval(*arguments: Any) -> int:
    """ret = acl.media.venc_set_channel_desc_key_frame_interval()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvencSetChannelDescKeyFrameInterval.
    """

def venc_get_channel_desc_channel_id(*arguments: Any) -> int:
    """value = acl.media.venc_get_channel_desc_channel_id()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls aclvencGetChannelDescChannelId.
    """

def venc_get_channel_desc_thread_id(*arguments: Any) -> int:
    """value = acl.media.venc_get_channel_desc_thread_id()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls aclvencGetChannelDescThreadId.
    """

def venc_get_channel_desc_callback(*arguments: Any) -> Callable[..., Any]:
    """function = acl.media.venc_get_channel_desc_callback()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns function (callable).

    Calls aclvencGetChannelDescCallback.
    """

def venc_get_channel_desc_entype(*arguments: Any) -> int:
    """value = acl.media.venc_get_channel_desc_entype()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls aclvencGetChannelDescEntype.
    """

def venc_get_channel_desc_pic_format(*arguments: Any) -> int:
    """value = acl.media.venc_get_channel_desc_pic_format()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls aclvencGetChannelDescPicFormat.
    """

def venc_get_channel_desc_pic_width(*arguments: Any) -> int:
    """value = acl.media.venc_get_channel_desc_pic_width()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls aclvencGetChannelDescPicWidth.
    """

def venc_get_channel_desc_pic_height(*arguments: Any) -> int:
    """value = acl.media.venc_get_channel_desc_pic_height()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls aclvencGetChannelDescPicHeight.
    """

def venc_get_channel_desc_key_frame_interval(*arguments: Any) -> int:
    """value = acl.media.venc_get_channel_desc_key_frame_interval()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls aclvencGetChannelDescKeyFrameInterval.
    """

def venc_create_frame_config(*arguments: Any) -> int:
    """handle = acl.media.venc_create_frame_config()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns handle.

    Calls aclvencCreateFrameConfig.
    """

def venc_destroy_frame_config(*arguments: Any) -> int:
    """ret = acl.media.venc_destroy_frame_config()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvencDestroyFrameConfig.
    """

def venc_set_frame_config_force_i_frame(*arguments: Any) -> int:
    """ret = acl.media.venc_set_frame_config_force_i_frame()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvencSetFrameConfigForceIFrame.
    """

def venc_set_frame_config_eos(*arguments: Any) -> int:
    """ret = acl.media.venc_set_frame_config_eos()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvencSetFrameConfigEos.
    """

def venc_get_frame_config_force_i_frame(*arguments: Any) -> int:
    """value = acl.media.venc_get_frame_config_force_i_frame()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls aclvencGetFrameConfigForceIFrame.
    """

def venc_get_frame_config_eos(*arguments: Any) -> int:
    """value = acl.media.venc_get_frame_config_eos()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls aclvencGetFrameConfigEos.
    """

def venc_get_channel_desc_buf_addr(*arguments: Any) -> int:
    """address = acl.media.venc_get_channel_desc_buf_addr()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns address.

    Calls aclvencGetChannelDescBufAddr.
    """

def venc_set_channel_desc_buf_addr(*arguments: Any) -> int:
    """ret = acl.media.venc_set_channel_desc_buf_addr()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvencSetChannelDescBufAddr.
    """

def venc_get_channel_desc_buf_size(*arguments: Any) -> int:
    """value = acl.media.venc_get_channel_desc_buf_size()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls aclvencGetChannelDescBufSize.
    """

def venc_set_channel_desc_buf_size(*arguments: Any) -> int:
    """ret = acl.media.venc_set_channel_desc_buf_size()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvencSetChannelDescBufSize.
    """

def venc_get_channel_desc_max_bit_rate(*arguments: Any) -> int:
    """value = acl.media.venc_get_channel_desc_max_bit_rate()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls aclvencGetChannelDescMaxBitRate.
    """

def venc_set_channel_desc_max_bit_rate(*arguments: Any) -> int:
    """ret = acl.media.venc_set_channel_desc_max_bit_rate()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvencSetChannelDescMaxBitRate.
    """

def venc_get_channel_desc_rc_mode(*arguments: Any) -> int:
    """value = acl.media.venc_get_channel_desc_rc_mode()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls aclvencGetChannelDescRcMode.
    """

def venc_set_channel_desc_rc_mode(*arguments: Any) -> int:
    """ret = acl.media.venc_set_channel_desc_rc_mode()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvencSetChannelDescRcMode.
    """

def venc_get_channel_desc_src_rate(*arguments: Any) -> int:
    """value = acl.media.venc_get_channel_desc_src_rate()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls aclvencGetChannelDescSrcRate.
    """

def venc_set_channel_desc_src_rate(*arguments: Any) -> int:
    """ret = acl.media.venc_set_channel_desc_src_rate()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvencSetChannelDescSrcRate.
    """

def venc_get_channel_desc_param(*arguments: Any) -> tuple[int, int]:
    """value, ret = acl.media.venc_get_channel_desc_param()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value, ret; ret is the code, 0 when the call succeeds.

    Calls aclvencGetChannelDescParam.
    """

def venc_set_channel_desc_param(*arguments: Any) -> int:
    """ret = acl.media.venc_set_channel_desc_param()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls aclvencSetChannelDescParam.
    """

def dvpp_create_border_config(*arguments: Any) -> int:
    """handle = acl.media.dvpp_create_border_config()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns handle.

    Calls acldvppCreateBorderConfig.
    """

def dvpp_destroy_border_config(*arguments: Any) -> int:
    """ret = acl.media.dvpp_destroy_border_config()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppDestroyBorderConfig.
    """

def dvpp_set_border_config_value(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_border_config_value()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetBorderConfigValue.
    """

def dvpp_set_border_config_border_type(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_border_config_border_type()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetBorderConfigBorderType.
    """

def dvpp_set_border_config_top(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_border_config_top()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetBorderConfigTop.
    """

def dvpp_set_border_config_bottom(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_border_config_bottom()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetBorderConfigBottom.
    """

def dvpp_set_border_config_left(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_border_config_left()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetBorderConfigLeft.
    """

def dvpp_set_border_config_right(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_border_config_right()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetBorderConfigRight.
    """

def dvpp_get_border_config_value(*arguments: Any) -> float:
    """value = acl.media.dvpp_get_border_config_value()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (float).

    Calls acldvppGetBorderConfigValue.
    """

def dvpp_get_border_config_border_type(*arguments: Any) -> int:
    """value = acl.media.dvpp_get_border_config_border_type()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls acldvppGetBorderConfigBorderType.
    """

def dvpp_get_border_config_top(*arguments: Any) -> int:
    """value = acl.media.dvpp_get_border_config_top()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls acldvppGetBorderConfigTop.
    """

def dvpp_get_border_config_bottom(*arguments: Any) -> int:
    """value = acl.media.dvpp_get_border_config_bottom()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls acldvppGetBorderConfigBottom.
    """

def dvpp_get_border_config_left(*arguments: Any) -> int:
    """value = acl.media.dvpp_get_border_config_left()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls acldvppGetBorderConfigLeft.
    """

def dvpp_get_border_config_right(*arguments: Any) -> int:
    """value = acl.media.dvpp_get_border_config_right()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls acldvppGetBorderConfigRight.
    """

def dvpp_vpc_convert_color_async(*arguments: Any) -> int:
    """ret = acl.media.dvpp_vpc_convert_color_async()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppVpcConvertColorAsync.
    """

def dvpp_vpc_pyr_down_async(*arguments: Any) -> int:
    """ret = acl.media.dvpp_vpc_pyr_down_async()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppVpcPyrDownAsync.
    """

def dvpp_set_channel_desc_mode(*arguments: Any) -> int:
    """ret = acl.media.dvpp_set_channel_desc_mode()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppSetChannelDescMode.
    """

def dvpp_png_decode_async(*arguments: Any) -> int:
    """ret = acl.media.dvpp_png_decode_async()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppPngDecodeAsync.
    """

def dvpp_png_get_image_info(*arguments: Any) -> tuple[int, int, int, int]:
    """width, height, components, ret = acl.media.dvpp_png_get_image_info()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns width, height, components, ret; ret is the code, 0 when the call succeeds.

    Calls acldvppPngGetImageInfo.
    """

def dvpp_png_predict_dec_size(*arguments: Any) -> tuple[int, int]:
    """bytes, ret = acl.media.dvpp_png_predict_dec_size()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns bytes, ret; ret is the code, 0 when the call succeeds.

    Calls acldvppPngPredictDecSize.
    """

def dvpp_create_hist(*arguments: Any) -> int:
    """handle = acl.media.dvpp_create_hist()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns handle.

    Calls acldvppCreateHist.
    """

def dvpp_destroy_hist(*arguments: Any) -> int:
    """ret = acl.media.dvpp_destroy_hist()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppDestroyHist.
    """

def dvpp_get_hist_dims(*arguments: Any) -> int:
    """value = acl.media.dvpp_get_hist_dims()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls acldvppGetHistDims.
    """

def dvpp_get_hist_data(*arguments: Any) -> tuple[int, int, int]:
    """address, length, ret = acl.media.dvpp_get_hist_data()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns address, length, ret; ret is the code, 0 when the call succeeds.

    Calls acldvppGetHistData.
    """

def dvpp_get_hist_ret_code(*arguments: Any) -> int:
    """value = acl.media.dvpp_get_hist_ret_code()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls acldvppGetHistRetCode.
    """

def dvpp_clear_hist(*arguments: Any) -> int:
    """ret = acl.media.dvpp_clear_hist()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppClearHist.
    """

def dvpp_create_lut_map(*arguments: Any) -> int:
    """handle = acl.media.dvpp_create_lut_map()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns handle.

    Calls acldvppCreateLutMap.
    """

def dvpp_destroy_lut_map(*arguments: Any) -> int:
    """ret = acl.media.dvpp_destroy_lut_map()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppDestroyLutMap.
    """

def dvpp_get_lut_map_dims(*arguments: Any) -> int:
    """value = acl.media.dvpp_get_lut_map_dims()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns value (int).

    Calls acldvppGetLutMapDims.
    """

def dvpp_get_lut_map_data(*arguments: Any) -> tuple[int, int, int]:
    """address, length, ret = acl.media.dvpp_get_lut_map_data()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns address, length, ret; ret is the code, 0 when the call succeeds.

    Calls acldvppGetLutMapData.
    """

def dvpp_vpc_equalize_hist_async(*arguments: Any) -> int:
    """ret = acl.media.dvpp_vpc_equalize_hist_async()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppVpcEqualizeHistAsync.
    """

def dvpp_vpc_make_border_async(*arguments: Any) -> int:
    """ret = acl.media.dvpp_vpc_make_border_async()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppVpcMakeBorderAsync.
    """

def dvpp_vpc_calc_hist_async(*arguments: Any) -> int:
    """ret = acl.media.dvpp_vpc_calc_hist_async()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Returns the code: 0 when the call succeeds.

    Calls acldvppVpcCalcHistAsync.
    """
