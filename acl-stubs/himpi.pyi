"""acl.himpi: the second media interface: decoding, pictures; of the rest only names are known."""
# Made from the tables: python -m ascend_sim.pyacl.stubs

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

def sys_init() -> int:
    """ret = acl.himpi.sys_init()

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.sys_init args parse failed!') for arguments of another number or type.

    Calls hi_mpi_sys_init:

        Get ready. Codes: 0xA0028008 on 310 and 910; 107002 no context.
    """

def sys_exit() -> int:
    """ret = acl.himpi.sys_exit()

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.sys_exit args parse failed!') for arguments of another number or type.

    Calls hi_mpi_sys_exit:

        Close what is open.
    """

def dvpp_malloc(device_id: int, size: int, /) -> tuple[int, int]:
    """address, ret = acl.himpi.dvpp_malloc(device_id, size)

    Parameters, by position only:
        device_id: an int of 32 bits, unsigned
        size: an int: an address, a handle or a size

    Returns address, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.dvpp_malloc args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls hi_mpi_dvpp_malloc:

        aclError acldvppMalloc(void** devPtr, size_t size);
        In Python: devPtr, ret = acldvppMalloc(size)

        *size* bytes for the media units: device memory, rounded up to a multiple of 32 plus 32 bytes.

        Codes: 100000 size 0 or too large to round, 107002 no context, 207001 no room.
    """

def dvpp_free(address: int, /) -> int:
    """ret = acl.himpi.dvpp_free(address)

    Parameters, by position only:
        address: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.dvpp_free args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls hi_mpi_dvpp_free:

        aclError acldvppFree(void* devPtr);
        In Python: ret = acldvppFree(devPtr)

        Free what acldvppMalloc returned, at once, whoever still uses it.

        Memory from aclrtMalloc is freed, too, and a finding says so. Codes: 100000 NULL, 107000 no such block.
    """

def dvpp_get_version(*arguments: Any) -> int:
    """acl.himpi.dvpp_get_version()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_dvpp_get_version.
    """

def sys_create_epoll(*arguments: Any) -> int:
    """acl.himpi.sys_create_epoll()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_sys_create_epoll.
    """

def sys_ctl_epoll(*arguments: Any) -> int:
    """acl.himpi.sys_ctl_epoll()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_sys_ctl_epoll.
    """

def sys_wait_epoll(*arguments: Any) -> int:
    """acl.himpi.sys_wait_epoll()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_sys_wait_epoll.
    """

def sys_close_epoll(*arguments: Any) -> int:
    """acl.himpi.sys_close_epoll()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_sys_close_epoll.
    """

def sys_set_chn_csc_matrix(*arguments: Any) -> int:
    """acl.himpi.sys_set_chn_csc_matrix()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_sys_set_chn_csc_matrix.
    """

def sys_get_chn_csc_matrix(*arguments: Any) -> int:
    """acl.himpi.sys_get_chn_csc_matrix()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_sys_get_chn_csc_matrix.
    """

def sys_get_image_align_info(*arguments: Any) -> int:
    """acl.himpi.sys_get_image_align_info()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_sys_get_image_align_info.
    """

def vdec_create_chn(chn: int, attr: Any, /) -> int:
    """ret = acl.himpi.vdec_create_chn(chn, attr)

    Parameters, by position only:
        chn: an int of 32 bits
        attr: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.vdec_create_chn args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vdec_create_chn:

        A channel for H.264 (96), H.265 (265), JPEG (26). Codes: 0xA0058003, 04 in use, 08 other types, 10 not ready.
    """

def vdec_destroy_chn(chn: int, /) -> int:
    """ret = acl.himpi.vdec_destroy_chn(chn)

    Parameters, by position only:
        chn: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.vdec_destroy_chn args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vdec_destroy_chn:

        Close a channel; pictures that nobody took are lost. Codes: 0xA0058005 there is none.
    """

def vdec_get_chn_attr(chn: int, /) -> tuple[dict[str, Any], int]:
    """attr = acl.himpi.vdec_get_chn_attr(chn)

    Parameters, by position only:
        chn: an int of 32 bits

    Returns attr (dict), ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.vdec_get_chn_attr args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vdec_get_chn_attr:

        What it was created with. Codes: 0xA0058005.
    """

def vdec_set_chn_attr(chn: int, attr: Any, /) -> int:
    """ret = acl.himpi.vdec_set_chn_attr(chn, attr)

    Parameters, by position only:
        chn: an int of 32 bits
        attr: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.vdec_set_chn_attr args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vdec_set_chn_attr:

        Change what it was created with. Codes: 0xA0058005, 09 it receives a stream.
    """

def vdec_start_recv_stream(chn: int, /) -> int:
    """ret = acl.himpi.vdec_start_recv_stream(chn)

    Parameters, by position only:
        chn: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.vdec_start_recv_stream args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vdec_start_recv_stream:

        From now on pieces can be sent. Codes: 0xA0058005.
    """

def vdec_stop_recv_stream(chn: int, /) -> int:
    """ret = acl.himpi.vdec_stop_recv_stream(chn)

    Parameters, by position only:
        chn: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.vdec_stop_recv_stream args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vdec_stop_recv_stream:

        No more pieces; waits until those sent are decoded. Codes: 0xA0058005.
    """

def vdec_query_status(chn: int, /) -> tuple[dict[str, Any], int]:
    """status = acl.himpi.vdec_query_status(chn)

    Parameters, by position only:
        chn: an int of 32 bits

    Returns status (dict), ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.vdec_query_status args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vdec_query_status:

        What was sent and is left. Codes: 0xA0058005.
    """

def vdec_reset_chn(chn: int, /) -> int:
    """ret = acl.himpi.vdec_reset_chn(chn)

    Parameters, by position only:
        chn: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.vdec_reset_chn args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vdec_reset_chn:

        As new. Codes: 0xA0058005, 09 it receives a stream.
    """

def vdec_set_chn_param(chn: int, param: Any, /) -> int:
    """ret = acl.himpi.vdec_set_chn_param(chn, param)

    Parameters, by position only:
        chn: an int of 32 bits
        param: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.vdec_set_chn_param args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vdec_set_chn_param:

        Set its parameters; the pixel format of JPEG matters. Codes: 0xA0058005.
    """

def vdec_get_chn_param(chn: int, /) -> tuple[dict[str, Any], int]:
    """param = acl.himpi.vdec_get_chn_param(chn)

    Parameters, by position only:
        chn: an int of 32 bits

    Returns param (dict), ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.vdec_get_chn_param args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vdec_get_chn_param:

        Its parameters. Codes: 0xA0058005.
    """

def vdec_set_protocol_param(*arguments: Any) -> int:
    """acl.himpi.vdec_set_protocol_param()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vdec_set_protocol_param.
    """

def vdec_get_protocol_param(*arguments: Any) -> int:
    """acl.himpi.vdec_get_protocol_param()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vdec_get_protocol_param.
    """

def vdec_send_stream(chn: int, stream: Any, pic_info: Any, milli_sec: int, /) -> int:
    """ret = acl.himpi.vdec_send_stream(chn, stream, pic_info, milli_sec)

    Parameters, by position only:
        chn: an int of 32 bits
        stream: an object
        pic_info: an object
        milli_sec: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.vdec_send_stream args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vdec_send_stream:

        Give the decoder a piece and a buffer. Codes: 0xA0058003 no bytes, 05, 08 other pixel formats, 09 not started.
    """

def vdec_get_frame(chn: int, milli_sec: int, /) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any], int]:
    """frame_info = acl.himpi.vdec_get_frame(chn, milli_sec)

    Parameters, by position only:
        chn: an int of 32 bits
        milli_sec: an int of 32 bits

    Returns frame_info (dict), supplement (dict), stream (dict), ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.vdec_get_frame args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vdec_get_frame:

        The next picture, within the limit in ms (-1: for ever). Codes: 0xA0058005, 0E there is none.
    """

def vdec_release_frame(chn: int, frame_info: Any, /) -> int:
    """ret = acl.himpi.vdec_release_frame(chn, frame_info)

    Parameters, by position only:
        chn: an int of 32 bits
        frame_info: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.vdec_release_frame args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vdec_release_frame:

        Let go of what vdec_get_frame gave. Codes: 0xA0058005.
    """

def vdec_get_fd(*arguments: Any) -> int:
    """acl.himpi.vdec_get_fd()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vdec_get_fd.
    """

def vdec_close_fd(*arguments: Any) -> int:
    """acl.himpi.vdec_close_fd()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vdec_close_fd.
    """

def vdec_get_pic_buf_size(*arguments: Any) -> int:
    """acl.himpi.vdec_get_pic_buf_size()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vdec_get_pic_buf_size.
    """

def vdec_get_tmv_buf_size(*arguments: Any) -> int:
    """acl.himpi.vdec_get_tmv_buf_size()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vdec_get_tmv_buf_size.
    """

def dvpp_get_image_info(img_type: int, stream: Any, /) -> tuple[dict[str, Any], int]:
    """info = acl.himpi.dvpp_get_image_info(img_type, stream)

    Parameters, by position only:
        img_type: an int of 32 bits
        stream: an object

    Returns info (dict), ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.dvpp_get_image_info args parse failed!') for arguments of another number or type.

    Calls hi_mpi_dvpp_get_image_info:

        What a JPEG in host memory is, and what its picture takes. Codes: 0xA0058003 no JPEG, 08 another type, 11 address.
    """

def vdec_set_jpegd_precision_mode(*arguments: Any) -> int:
    """acl.himpi.vdec_set_jpegd_precision_mode()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vdec_set_jpegd_precision_mode.
    """

def vdec_get_jpegd_output_info(stream: Any, output_format: int, /) -> tuple[dict[str, Any], int]:
    """info = acl.himpi.vdec_get_jpegd_output_info(stream, output_format)

    Parameters, by position only:
        stream: an object
        output_format: an int of 32 bits

    Returns info (dict), ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.vdec_get_jpegd_output_info args parse failed') for arguments of another number or type.

    Calls hi_mpi_vdec_get_jpegd_output_info:

        What the picture of a JPEG takes in a pixel format. Codes: 0xA0058003 no JPEG, 08 another format, 11 bad address.
    """

def vdec_set_display_mode(*arguments: Any) -> int:
    """acl.himpi.vdec_set_display_mode()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vdec_set_display_mode.
    """

def vdec_get_display_mode(*arguments: Any) -> int:
    """acl.himpi.vdec_get_display_mode()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vdec_get_display_mode.
    """

def venc_create_chn(*arguments: Any) -> int:
    """acl.himpi.venc_create_chn()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_create_chn.
    """

def venc_destroy_chn(*arguments: Any) -> int:
    """acl.himpi.venc_destroy_chn()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_destroy_chn.
    """

def venc_start_chn(*arguments: Any) -> int:
    """acl.himpi.venc_start_chn()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_start_chn.
    """

def venc_stop_chn(*arguments: Any) -> int:
    """acl.himpi.venc_stop_chn()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_stop_chn.
    """

def venc_query_status(*arguments: Any) -> int:
    """acl.himpi.venc_query_status()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_query_status.
    """

def venc_get_stream(*arguments: Any) -> int:
    """acl.himpi.venc_get_stream()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_get_stream.
    """

def venc_release_stream(*arguments: Any) -> int:
    """acl.himpi.venc_release_stream()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_release_stream.
    """

def venc_send_frame(*arguments: Any) -> int:
    """acl.himpi.venc_send_frame()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_send_frame.
    """

def venc_send_frame_ex(*arguments: Any) -> int:
    """acl.himpi.venc_send_frame_ex()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_send_frame_ex.
    """

def venc_set_mod_param(*arguments: Any) -> int:
    """acl.himpi.venc_set_mod_param()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_set_mod_param.
    """

def venc_get_mod_param(*arguments: Any) -> int:
    """acl.himpi.venc_get_mod_param()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_get_mod_param.
    """

def venc_request_idr(*arguments: Any) -> int:
    """acl.himpi.venc_request_idr()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_request_idr.
    """

def venc_get_fd(*arguments: Any) -> int:
    """acl.himpi.venc_get_fd()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_get_fd.
    """

def venc_close_fd(*arguments: Any) -> int:
    """acl.himpi.venc_close_fd()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_close_fd.
    """

def venc_set_jpeg_param(*arguments: Any) -> int:
    """acl.himpi.venc_set_jpeg_param()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_set_jpeg_param.
    """

def venc_get_jpeg_param(*arguments: Any) -> int:
    """acl.himpi.venc_get_jpeg_param()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_get_jpeg_param.
    """

def venc_set_chn_param(*arguments: Any) -> int:
    """acl.himpi.venc_set_chn_param()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_set_chn_param.
    """

def venc_get_chn_param(*arguments: Any) -> int:
    """acl.himpi.venc_get_chn_param()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_get_chn_param.
    """

def venc_set_chn_attr(*arguments: Any) -> int:
    """acl.himpi.venc_set_chn_attr()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_set_chn_attr.
    """

def venc_get_chn_attr(*arguments: Any) -> int:
    """acl.himpi.venc_get_chn_attr()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_get_chn_attr.
    """

def venc_set_scene_mode(*arguments: Any) -> int:
    """acl.himpi.venc_set_scene_mode()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_set_scene_mode.
    """

def venc_set_rc_param(*arguments: Any) -> int:
    """acl.himpi.venc_set_rc_param()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_set_rc_param.
    """

def venc_get_rc_param(*arguments: Any) -> int:
    """acl.himpi.venc_get_rc_param()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_get_rc_param.
    """

def venc_set_jpeg_huffman_param(*arguments: Any) -> int:
    """acl.himpi.venc_set_jpeg_huffman_param()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_set_jpeg_huffman_param.
    """

def venc_get_jpeg_huffman_param(*arguments: Any) -> int:
    """acl.himpi.venc_get_jpeg_huffman_param()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_get_jpeg_huffman_param.
    """

def venc_compact_jpeg_tables(*arguments: Any) -> int:
    """acl.himpi.venc_compact_jpeg_tables()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_compact_jpeg_tables.
    """

def venc_send_jpege_frame(*arguments: Any) -> int:
    """acl.himpi.venc_send_jpege_frame()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_send_jpege_frame.
    """

def venc_get_jpege_predicted_size(*arguments: Any) -> int:
    """acl.himpi.venc_get_jpege_predicted_size()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_get_jpege_predicted_size.
    """

def venc_get_scene_mode(*arguments: Any) -> int:
    """acl.himpi.venc_get_scene_mode()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_get_scene_mode.
    """

def venc_set_cu_pred(*arguments: Any) -> int:
    """acl.himpi.venc_set_cu_pred()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_set_cu_pred.
    """

def venc_get_cu_pred(*arguments: Any) -> int:
    """acl.himpi.venc_get_cu_pred()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_get_cu_pred.
    """

def venc_set_h264_vui(*arguments: Any) -> int:
    """acl.himpi.venc_set_h264_vui()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_set_h264_vui.
    """

def venc_get_h264_vui(*arguments: Any) -> int:
    """acl.himpi.venc_get_h264_vui()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_get_h264_vui.
    """

def venc_set_h265_vui(*arguments: Any) -> int:
    """acl.himpi.venc_set_h265_vui()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_set_h265_vui.
    """

def venc_get_h265_vui(*arguments: Any) -> int:
    """acl.himpi.venc_get_h265_vui()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_get_h265_vui.
    """

def venc_set_intra_refresh(*arguments: Any) -> int:
    """acl.himpi.venc_set_intra_refresh()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_set_intra_refresh.
    """

def venc_get_intra_refresh(*arguments: Any) -> int:
    """acl.himpi.venc_get_intra_refresh()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_get_intra_refresh.
    """

def venc_set_ref_param(*arguments: Any) -> int:
    """acl.himpi.venc_set_ref_param()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_set_ref_param.
    """

def venc_get_ref_param(*arguments: Any) -> int:
    """acl.himpi.venc_get_ref_param()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_get_ref_param.
    """

def venc_set_roi_attr(*arguments: Any) -> int:
    """acl.himpi.venc_set_roi_attr()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_set_roi_attr.
    """

def venc_get_roi_attr(*arguments: Any) -> int:
    """acl.himpi.venc_get_roi_attr()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_get_roi_attr.
    """

def venc_set_slice_split(*arguments: Any) -> int:
    """acl.himpi.venc_set_slice_split()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_set_slice_split.
    """

def venc_get_slice_split(*arguments: Any) -> int:
    """acl.himpi.venc_get_slice_split()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_get_slice_split.
    """

def venc_get_qpmap_stride(*arguments: Any) -> int:
    """acl.himpi.venc_get_qpmap_stride()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_get_qpmap_stride.
    """

def venc_get_qpmap_size(*arguments: Any) -> int:
    """acl.himpi.venc_get_qpmap_size()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_get_qpmap_size.
    """

def venc_set_streamcopy_param(*arguments: Any) -> int:
    """acl.himpi.venc_set_streamcopy_param()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_set_streamcopy_param.
    """

def venc_get_streamcopy_param(*arguments: Any) -> int:
    """acl.himpi.venc_get_streamcopy_param()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_venc_get_streamcopy_param.
    """

def vpc_create_chn(chn: int, attr: Any, /) -> int:
    """ret = acl.himpi.vpc_create_chn(chn, attr)

    Parameters, by position only:
        chn: an int of 32 bits
        attr: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.vpc_create_chn args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vpc_create_chn:

        A channel for pictures. Codes: 0xA0078003, 04 in use, 10 no sys_init.
    """

def vpc_destroy_chn(chn: int, /) -> int:
    """ret = acl.himpi.vpc_destroy_chn(chn)

    Parameters, by position only:
        chn: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.vpc_destroy_chn args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vpc_destroy_chn:

        Close a channel when its work is done. Codes: 0xA0078005 there is none.
    """

def vpc_resize(chn: int, source_pic: Any, dest_pic: Any, fx: float, fy: float, interpolation: int, milli_sec: int, /) -> tuple[int, int]:
    """task_id, ret = acl.himpi.vpc_resize(chn, source_pic, dest_pic, fx, fy, interpolation, milli_sec)

    Parameters, by position only:
        chn: an int of 32 bits
        source_pic: an object
        dest_pic: an object
        fx: a number
        fy: a number
        interpolation: an int of 32 bits, unsigned
        milli_sec: an int of 32 bits

    Returns task_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.vpc_resize args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vpc_resize:

        Queue the scaling of a picture; the number of the task. Codes: 0xA0078003 strides, sizes; 05; 08 formats.
    """

def vpc_crop(chn: int, source_pic: Any, crop_info: Any, count: int, milli_sec: int, /) -> tuple[int, int]:
    """task_id, ret = acl.himpi.vpc_crop(chn, source_pic, crop_info, count, milli_sec)

    Parameters, by position only:
        chn: an int of 32 bits
        source_pic: an object
        crop_info: an object
        count: an int of 32 bits, unsigned
        milli_sec: an int of 32 bits

    Returns task_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.vpc_crop args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vpc_crop:

        Queue the copies of parts of a picture; the number of the task. Codes: 0xA0078003, 05, 08 as vpc_resize.
    """

def vpc_crop_resize(chn: int, source_pic: Any, crop_info: Any, count: int, milli_sec: int, /) -> tuple[int, int]:
    """task_id, ret = acl.himpi.vpc_crop_resize(chn, source_pic, crop_info, count, milli_sec)

    Parameters, by position only:
        chn: an int of 32 bits
        source_pic: an object
        crop_info: an object
        count: an int of 32 bits, unsigned
        milli_sec: an int of 32 bits

    Returns task_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.vpc_crop args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vpc_crop_resize:

        Queue the copies of parts of a picture; the number of the task. Codes: 0xA0078003, 05, 08 as vpc_resize.
    """

def vpc_crop_resize_paste(chn: int, source_pic: Any, crop_info: Any, count: int, milli_sec: int, /) -> tuple[int, int]:
    """task_id, ret = acl.himpi.vpc_crop_resize_paste(chn, source_pic, crop_info, count, milli_sec)

    Parameters, by position only:
        chn: an int of 32 bits
        source_pic: an object
        crop_info: an object
        count: an int of 32 bits, unsigned
        milli_sec: an int of 32 bits

    Returns task_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.vpc_crop_resize_paste args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vpc_crop_resize_paste:

        Queue the copies of parts of a picture; the number of the task. Codes: 0xA0078003, 05, 08 as vpc_resize.
    """

def vpc_convert_color(chn: int, source_pic: Any, dest_pic: Any, milli_sec: int, /) -> tuple[int, int]:
    """task_id, ret = acl.himpi.vpc_convert_color(chn, source_pic, dest_pic, milli_sec)

    Parameters, by position only:
        chn: an int of 32 bits
        source_pic: an object
        dest_pic: an object
        milli_sec: an int of 32 bits

    Returns task_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.vpc_convert_color args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vpc_convert_color:

        Queue the conversion of a picture; the number of the task. Codes: 0xA0078003, 05, 08 as vpc_resize.
    """

def vpc_convert_color_v2(*arguments: Any) -> int:
    """acl.himpi.vpc_convert_color_v2()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_convert_color_v2.
    """

def vpc_convert_color_to_yuv420(*arguments: Any) -> int:
    """acl.himpi.vpc_convert_color_to_yuv420()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_convert_color_to_yuv420.
    """

def vpc_copy_make_border(*arguments: Any) -> int:
    """acl.himpi.vpc_copy_make_border()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_copy_make_border.
    """

def vpc_pyrdown(*arguments: Any) -> int:
    """acl.himpi.vpc_pyrdown()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_pyrdown.
    """

def vpc_calc_hist(*arguments: Any) -> int:
    """acl.himpi.vpc_calc_hist()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_calc_hist.
    """

def vpc_calc_hist_v2(*arguments: Any) -> int:
    """acl.himpi.vpc_calc_hist_v2()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_calc_hist_v2.
    """

def vpc_equalize_hist(*arguments: Any) -> int:
    """acl.himpi.vpc_equalize_hist()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_equalize_hist.
    """

def vpc_get_process_result(chn: int, task_id: int, milli_sec: int, /) -> int:
    """ret = acl.himpi.vpc_get_process_result(chn, task_id, milli_sec)

    Parameters, by position only:
        chn: an int of 32 bits
        task_id: an int of 32 bits, unsigned
        milli_sec: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.vpc_get_process_result args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vpc_get_process_result:

        Wait for a task, for some ms (-1: for ever). Codes: 0xA0078003 it failed, 05 no such channel or task, 12 not done.
    """

def vpc_sys_create_chn(*arguments: Any) -> int:
    """acl.himpi.vpc_sys_create_chn()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_sys_create_chn.
    """

def vpc_crop_resize_make_border(*arguments: Any) -> int:
    """acl.himpi.vpc_crop_resize_make_border()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_crop_resize_make_border.
    """

def vpc_batch_crop_resize_paste(*arguments: Any) -> int:
    """acl.himpi.vpc_batch_crop_resize_paste()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_batch_crop_resize_paste.
    """

def vpc_batch_crop_resize_make_border(*arguments: Any) -> int:
    """acl.himpi.vpc_batch_crop_resize_make_border()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_batch_crop_resize_make_border.
    """

def vpc_crop_resize_resize_paste(*arguments: Any) -> int:
    """acl.himpi.vpc_crop_resize_resize_paste()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_crop_resize_resize_paste.
    """

def vpc_dilate(*arguments: Any) -> int:
    """acl.himpi.vpc_dilate()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_dilate.
    """

def vpc_draw_cover(*arguments: Any) -> int:
    """acl.himpi.vpc_draw_cover()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_draw_cover.
    """

def vpc_draw_line(*arguments: Any) -> int:
    """acl.himpi.vpc_draw_line()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_draw_line.
    """

def vpc_draw_mosaic(*arguments: Any) -> int:
    """acl.himpi.vpc_draw_mosaic()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_draw_mosaic.
    """

def vpc_draw_osd(*arguments: Any) -> int:
    """acl.himpi.vpc_draw_osd()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_draw_osd.
    """

def vpc_blur(*arguments: Any) -> int:
    """acl.himpi.vpc_blur()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_blur.
    """

def vpc_gaussian_blur(*arguments: Any) -> int:
    """acl.himpi.vpc_gaussian_blur()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_gaussian_blur.
    """

def vpc_erode(*arguments: Any) -> int:
    """acl.himpi.vpc_erode()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_erode.
    """

def vpc_filter2d(*arguments: Any) -> int:
    """acl.himpi.vpc_filter2d()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_filter2d.
    """

def vpc_flip(*arguments: Any) -> int:
    """acl.himpi.vpc_flip()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_flip.
    """

def vpc_get_affine_lut(*arguments: Any) -> int:
    """acl.himpi.vpc_get_affine_lut()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_get_affine_lut.
    """

def vpc_get_lut_mem_size(*arguments: Any) -> int:
    """acl.himpi.vpc_get_lut_mem_size()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_get_lut_mem_size.
    """

def vpc_get_affine_transform(*arguments: Any) -> int:
    """acl.himpi.vpc_get_affine_transform()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_get_affine_transform.
    """

def vpc_get_perspective_lut(*arguments: Any) -> int:
    """acl.himpi.vpc_get_perspective_lut()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_get_perspective_lut.
    """

def vpc_get_remap_lut(*arguments: Any) -> int:
    """acl.himpi.vpc_get_remap_lut()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_get_remap_lut.
    """

def vpc_get_rotation_matrix(*arguments: Any) -> int:
    """acl.himpi.vpc_get_rotation_matrix()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_get_rotation_matrix.
    """

def vpc_lut_remap(*arguments: Any) -> int:
    """acl.himpi.vpc_lut_remap()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_lut_remap.
    """

def vpc_set_chn_workspace(*arguments: Any) -> int:
    """acl.himpi.vpc_set_chn_workspace()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_set_chn_workspace.
    """

def vpc_median_blur(*arguments: Any) -> int:
    """acl.himpi.vpc_median_blur()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_median_blur.
    """

def vpc_rotate(*arguments: Any) -> int:
    """acl.himpi.vpc_rotate()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_rotate.
    """

def vpc_warp_affine(*arguments: Any) -> int:
    """acl.himpi.vpc_warp_affine()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_warp_affine.
    """

def vpc_set_chn_opt_attr(*arguments: Any) -> int:
    """acl.himpi.vpc_set_chn_opt_attr()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_vpc_set_chn_opt_attr.
    """

def pngd_create_chn(*arguments: Any) -> int:
    """acl.himpi.pngd_create_chn()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_pngd_create_chn.
    """

def pngd_destroy_chn(*arguments: Any) -> int:
    """acl.himpi.pngd_destroy_chn()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_pngd_destroy_chn.
    """

def pngd_send_stream(*arguments: Any) -> int:
    """acl.himpi.pngd_send_stream()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_pngd_send_stream.
    """

def pngd_get_image_data(*arguments: Any) -> int:
    """acl.himpi.pngd_get_image_data()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_pngd_get_image_data.
    """

def png_get_image_info(*arguments: Any) -> int:
    """acl.himpi.png_get_image_info()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_png_get_image_info.
    """
