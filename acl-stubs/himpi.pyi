"""acl.himpi: the second media interface: decoding, encoding, pictures; of some only names are known."""
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

        Memory for the media units. Codes: 0xA0028015 on 310; else as acldvppMalloc.
    """

def dvpp_free(address: int, /) -> int:
    """ret = acl.himpi.dvpp_free(address)

    Parameters, by position only:
        address: an int: an address, a handle or a size

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.dvpp_free args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls hi_mpi_dvpp_free:

        Free it. Codes: as acldvppFree.
    """

def dvpp_get_version(*arguments: Any) -> int:
    """acl.himpi.dvpp_get_version()

    Only the name is known: it takes anything, does nothing and fails with 207000.

    Calls hi_mpi_dvpp_get_version.
    """

def sys_create_epoll(size: int, /) -> tuple[int, int]:
    """epoll_fd, ret = acl.himpi.sys_create_epoll(size)

    Parameters, by position only:
        size: an int of 32 bits

    Returns epoll_fd, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.sys_create_epoll args parse failed!') for arguments of another number or type.

    Calls hi_mpi_sys_create_epoll:

        A queue for the events of channels. Codes: 0xA0028003 size, 10 no sys_init.
    """

def sys_ctl_epoll(epoll_fd: int, operation: int, fd: int, event: Any, /) -> int:
    """ret = acl.himpi.sys_ctl_epoll(epoll_fd, operation, fd, event)

    Parameters, by position only:
        epoll_fd: an int of 32 bits
        operation: an int of 32 bits
        fd: an int of 32 bits
        event: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.sys_ctl_epoll args parse failed!') for arguments of another number or type.

    Calls hi_mpi_sys_ctl_epoll:

        Watch a channel, by what get_fd returned, or stop it. Codes: 0xA0028003, 04 is watched, 05 none, 06 no event.
    """

def sys_wait_epoll(epoll_fd: int, max_events: int, timeout: int, /) -> tuple[list[Any], int, int]:
    """events = acl.himpi.sys_wait_epoll(epoll_fd, max_events, timeout)

    Parameters, by position only:
        epoll_fd: an int of 32 bits
        max_events: an int of 32 bits
        timeout: an int of 32 bits

    Returns events (list), event_num, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.sys_wait_epoll args parse failed!') for arguments of another number or type.

    Calls hi_mpi_sys_wait_epoll:

        The channels with a result, within the limit in ms (-1: for ever), and how many. Codes: 0xA0028003, 05.
    """

def sys_close_epoll(epoll_fd: int, /) -> int:
    """ret = acl.himpi.sys_close_epoll(epoll_fd)

    Parameters, by position only:
        epoll_fd: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.sys_close_epoll args parse failed!') for arguments of another number or type.

    Calls hi_mpi_sys_close_epoll:

        The queue is not needed any more. Codes: 0xA0028005.
    """

def sys_set_chn_csc_matrix(mode: int, chn: int, csc_matrix: int, csc_coefficient: Any, /) -> int:
    """ret = acl.himpi.sys_set_chn_csc_matrix(mode, chn, csc_matrix, csc_coefficient)

    Parameters, by position only:
        mode: an int of 32 bits
        chn: an int of 32 bits
        csc_matrix: an int of 32 bits
        csc_coefficient: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.sys_set_chn_csc_matrix args parse failed!') for arguments of another number or type.

    Calls hi_mpi_sys_set_chn_csc_matrix:

        The matrix of a channel (a hi_csc_matrix). Codes: 0xA0028003 mode, matrix; 08 one of the program's own.
    """

def sys_get_chn_csc_matrix(mode: int, chn: int, /) -> tuple[int, dict[str, Any], int]:
    """csc_matrix, csc_coefficient = acl.himpi.sys_get_chn_csc_matrix(mode, chn)

    Parameters, by position only:
        mode: an int of 32 bits
        chn: an int of 32 bits

    Returns csc_matrix, csc_coefficient (dict), ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.sys_get_chn_csc_matrix args parse failed!') for arguments of another number or type.

    Calls hi_mpi_sys_get_chn_csc_matrix:

        The matrix of a channel and its numbers. Codes: 0xA0028003 mode.
    """

def sys_get_image_align_info(mod_type: Any, mod_num: int, img_base_info: Any, /) -> tuple[dict[str, Any], int]:
    """img_align_info = acl.himpi.sys_get_image_align_info(mod_type, mod_num, img_base_info)

    Parameters, by position only:
        mod_type: an object
        mod_num: an int of 32 bits
        img_base_info: an object

    Returns img_align_info (dict), ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.sys_get_image_align_info args parse failed!') for arguments of another number or type.

    Calls hi_mpi_sys_get_image_align_info:

        Strides and bytes of a picture that all *modules* (hi_module_type) take. Codes: 0xA0028003 modules, format, size.
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

def vdec_set_protocol_param(chn: int, protocol_param: Any, /) -> int:
    """ret = acl.himpi.vdec_set_protocol_param(chn, protocol_param)

    Parameters, by position only:
        chn: an int of 32 bits
        protocol_param: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.vdec_set_protocol_param args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vdec_set_protocol_param:

        How many parameter sets are kept; nothing follows from it here. Codes: 0xA0058005, 09 it receives a stream.
    """

def vdec_get_protocol_param(chn: int, /) -> tuple[dict[str, Any], int]:
    """protocol_param = acl.himpi.vdec_get_protocol_param(chn)

    Parameters, by position only:
        chn: an int of 32 bits

    Returns protocol_param (dict), ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.vdec_get_protocol_param args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vdec_get_protocol_param:

        How many parameter sets are kept. Codes: 0xA0058005, 08 a channel for JPEG.
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

def vdec_get_fd(chn: int, /) -> int:
    """fd = acl.himpi.vdec_get_fd(chn)

    Parameters, by position only:
        chn: an int of 32 bits

    Returns fd.

    Raises TypeError('acl.himpi.vdec_get_fd args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vdec_get_fd:

        What stands for the channel in an event queue. Answers -1 for no channel.
    """

def vdec_close_fd(chn: int, /) -> int:
    """ret = acl.himpi.vdec_close_fd(chn)

    Parameters, by position only:
        chn: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.vdec_close_fd args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vdec_close_fd:

        It is not needed any more. Codes: 0xA0058005.
    """

def vdec_get_pic_buf_size(type: int, buf_attr: Any, /) -> int:
    """size = acl.himpi.vdec_get_pic_buf_size(type, buf_attr)

    Parameters, by position only:
        type: an int of 32 bits
        buf_attr: an object

    Returns size.

    Raises TypeError('acl.himpi.vdec_get_pic_buf_size args parse failed!') for arguments of another number or type.

    Calls hi_vdec_get_pic_buf_size:

        Bytes that a decoder needs for a picture: rows of 16, 10 bits in two bytes.
    """

def vdec_get_tmv_buf_size(type: int, width: int, height: int, /) -> int:
    """size = acl.himpi.vdec_get_tmv_buf_size(type, width, height)

    Parameters, by position only:
        type: an int of 32 bits
        width: an int of 32 bits, unsigned
        height: an int of 32 bits, unsigned

    Returns size.

    Raises TypeError('acl.himpi.vdec_get_tmv_buf_size args parse failed!') for arguments of another number or type.

    Calls hi_vdec_get_tmv_buf_size:

        Bytes that a decoder needs for the motion of a picture: 64 for each block of 16 x 16.
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

def vdec_set_jpegd_precision_mode(chn: int, mode: int, /) -> int:
    """ret = acl.himpi.vdec_set_jpegd_precision_mode(chn, mode)

    Parameters, by position only:
        chn: an int of 32 bits
        mode: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.vdec_set_jpegd_precision_mode args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vdec_set_jpegd_precision_mode:

        Whether JPEGs of odd size lose or gain a column. Codes: 0xA0058003 mode, 05, 08 other modes than 0.
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

def venc_create_chn(chn: int, attr: Any, /) -> int:
    """ret = acl.himpi.venc_create_chn(chn, attr)

    Parameters, by position only:
        chn: an int of 32 bits
        attr: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.venc_create_chn args parse failed!') for arguments of another number or type.

    Calls hi_mpi_venc_create_chn:

        A channel for H.264 (96), H.265 (265), JPEG (26). Codes: 0xA0088003, 04 in use, 08 other types, 10 not ready.
    """

def venc_destroy_chn(chn: int, /) -> int:
    """ret = acl.himpi.venc_destroy_chn(chn)

    Parameters, by position only:
        chn: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.venc_destroy_chn args parse failed!') for arguments of another number or type.

    Calls hi_mpi_venc_destroy_chn:

        Close a channel; results that nobody took are lost. Codes: 0xA0088005 there is none.
    """

def venc_start_chn(chn: int, recv_param: Any, /) -> int:
    """ret = acl.himpi.venc_start_chn(chn, recv_param)

    Parameters, by position only:
        chn: an int of 32 bits
        recv_param: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.venc_start_chn args parse failed!') for arguments of another number or type.

    Calls hi_mpi_venc_start_chn:

        From now on pictures can be sent. Codes: 0xA0088005.
    """

def venc_stop_chn(chn: int, /) -> int:
    """ret = acl.himpi.venc_stop_chn(chn)

    Parameters, by position only:
        chn: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.venc_stop_chn args parse failed!') for arguments of another number or type.

    Calls hi_mpi_venc_stop_chn:

        No more pictures; waits until those sent are encoded. Codes: 0xA0088005.
    """

def venc_query_status(chn: int, /) -> tuple[dict[str, Any], int]:
    """status = acl.himpi.venc_query_status(chn)

    Parameters, by position only:
        chn: an int of 32 bits

    Returns status (dict), ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.venc_query_status args parse failed!') for arguments of another number or type.

    Calls hi_mpi_venc_query_status:

        What is left, and the packs of the next result. Codes: 0xA0088005.
    """

def venc_get_stream(chn: int, stream: Any, milli_sec: int, /) -> tuple[dict[str, Any], int]:
    """stream = acl.himpi.venc_get_stream(chn, stream, milli_sec)

    Parameters, by position only:
        chn: an int of 32 bits
        stream: an object
        milli_sec: an int of 32 bits

    Returns stream (dict), ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.venc_get_stream args parse failed!') for arguments of another number or type.

    Calls hi_mpi_venc_get_stream:

        The next result, within the limit in ms (-1: for ever). Codes: 0xA0088003 no packs, 05, 0E there is none.
    """

def venc_release_stream(chn: int, stream: Any, /) -> int:
    """ret = acl.himpi.venc_release_stream(chn, stream)

    Parameters, by position only:
        chn: an int of 32 bits
        stream: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.venc_release_stream args parse failed!') for arguments of another number or type.

    Calls hi_mpi_venc_release_stream:

        Let go of what venc_get_stream gave. Codes: 0xA0088005.
    """

def venc_send_frame(chn: int, frame: Any, milli_sec: int, /) -> int:
    """ret = acl.himpi.venc_send_frame(chn, frame, milli_sec)

    Parameters, by position only:
        chn: an int of 32 bits
        frame: an object
        milli_sec: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.venc_send_frame args parse failed!') for arguments of another number or type.

    Calls hi_mpi_venc_send_frame:

        Give the encoder a picture; the call takes it. Codes: 0xA0088003, 05, 06 no address, 08 formats, 09 not started.
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

def venc_request_idr(chn: int, instant: int, /) -> int:
    """ret = acl.himpi.venc_request_idr(chn, instant)

    Parameters, by position only:
        chn: an int of 32 bits
        instant: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.venc_request_idr args parse failed!') for arguments of another number or type.

    Calls hi_mpi_venc_request_idr:

        The next picture is an IDR picture. Codes: 0xA0088005.
    """

def venc_get_fd(chn: int, /) -> int:
    """fd = acl.himpi.venc_get_fd(chn)

    Parameters, by position only:
        chn: an int of 32 bits

    Returns fd.

    Raises TypeError('acl.himpi.venc_get_fd args parse failed!') for arguments of another number or type.

    Calls hi_mpi_venc_get_fd:

        What stands for the channel in an event queue. Answers -1 for no channel.
    """

def venc_close_fd(chn: int, /) -> int:
    """ret = acl.himpi.venc_close_fd(chn)

    Parameters, by position only:
        chn: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.venc_close_fd args parse failed!') for arguments of another number or type.

    Calls hi_mpi_venc_close_fd:

        It is not needed any more. Codes: 0xA0088005.
    """

def venc_set_jpeg_param(chn: int, jpeg_param: Any, /) -> int:
    """ret = acl.himpi.venc_set_jpeg_param(chn, jpeg_param)

    Parameters, by position only:
        chn: an int of 32 bits
        jpeg_param: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.venc_set_jpeg_param args parse failed!') for arguments of another number or type.

    Calls hi_mpi_venc_set_jpeg_param:

        The quality of JPEGs, from the next picture on. Codes: 0xA0088003 quality, 05.
    """

def venc_get_jpeg_param(chn: int, /) -> tuple[dict[str, Any], int]:
    """jpeg_param = acl.himpi.venc_get_jpeg_param(chn)

    Parameters, by position only:
        chn: an int of 32 bits

    Returns jpeg_param (dict), ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.venc_get_jpeg_param args parse failed!') for arguments of another number or type.

    Calls hi_mpi_venc_get_jpeg_param:

        What was set, else what holds. Codes: 0xA0088005.
    """

def venc_set_chn_param(chn: int, chn_param: Any, /) -> int:
    """ret = acl.himpi.venc_set_chn_param(chn, chn_param)

    Parameters, by position only:
        chn: an int of 32 bits
        chn_param: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.venc_set_chn_param args parse failed!') for arguments of another number or type.

    Calls hi_mpi_venc_set_chn_param:

        Priority, depth and the like; kept, nothing follows from them here. Codes: 0xA0088005.
    """

def venc_get_chn_param(chn: int, /) -> tuple[dict[str, Any], int]:
    """chn_param = acl.himpi.venc_get_chn_param(chn)

    Parameters, by position only:
        chn: an int of 32 bits

    Returns chn_param (dict), ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.venc_get_chn_param args parse failed!') for arguments of another number or type.

    Calls hi_mpi_venc_get_chn_param:

        What was set, else what holds. Codes: 0xA0088005.
    """

def venc_set_chn_attr(chn: int, attr: Any, /) -> int:
    """ret = acl.himpi.venc_set_chn_attr(chn, attr)

    Parameters, by position only:
        chn: an int of 32 bits
        attr: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.venc_set_chn_attr args parse failed!') for arguments of another number or type.

    Calls hi_mpi_venc_set_chn_attr:

        Change how it encodes; size and type stay. Codes: 0xA0088003, 05; 08: rates that change are not modelled.
    """

def venc_get_chn_attr(chn: int, /) -> tuple[dict[str, Any], int]:
    """attr = acl.himpi.venc_get_chn_attr(chn)

    Parameters, by position only:
        chn: an int of 32 bits

    Returns attr (dict), ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.venc_get_chn_attr args parse failed!') for arguments of another number or type.

    Calls hi_mpi_venc_get_chn_attr:

        What it was created with. Codes: 0xA0088005.
    """

def venc_set_scene_mode(chn: int, scene_mode: int, /) -> int:
    """ret = acl.himpi.venc_set_scene_mode(chn, scene_mode)

    Parameters, by position only:
        chn: an int of 32 bits
        scene_mode: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.venc_set_scene_mode args parse failed!') for arguments of another number or type.

    Calls hi_mpi_venc_set_scene_mode:

        What kind of scene it is; kept, nothing follows from it here. Codes: 0xA0088003, 05.
    """

def venc_set_rc_param(chn: int, rc_param: Any, /) -> int:
    """ret = acl.himpi.venc_set_rc_param(chn, rc_param)

    Parameters, by position only:
        chn: an int of 32 bits
        rc_param: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.venc_set_rc_param args parse failed!') for arguments of another number or type.

    Calls hi_mpi_venc_set_rc_param:

        Finer numbers of the rate; kept, nothing follows from them here. Codes: 0xA0088005.
    """

def venc_get_rc_param(chn: int, rc_mode: int, /) -> tuple[dict[str, Any], int]:
    """rc_param = acl.himpi.venc_get_rc_param(chn, rc_mode)

    Parameters, by position only:
        chn: an int of 32 bits
        rc_mode: an int of 32 bits

    Returns rc_param (dict), ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.venc_get_rc_param args parse failed!') for arguments of another number or type.

    Calls hi_mpi_venc_get_rc_param:

        What was set, else what holds. Codes: 0xA0088005.
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

def venc_send_jpege_frame(chn: int, frame: Any, jpege_stream: Any, milli_sec: int, /) -> int:
    """ret = acl.himpi.venc_send_jpege_frame(chn, frame, jpege_stream, milli_sec)

    Parameters, by position only:
        chn: an int of 32 bits
        frame: an object
        jpege_stream: an object
        milli_sec: an int of 32 bits, unsigned

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.venc_send_jpege_frame args parse failed!') for arguments of another number or type.

    Calls hi_mpi_venc_send_jpege_frame:

        As venc_send_frame, with the memory that the JPEG goes to. Codes: 0xA0088003 no memory, no channel for JPEG.
    """

def venc_get_jpege_predicted_size(frame: Any, jpeg_param: Any, /) -> tuple[int, int]:
    """size, ret = acl.himpi.venc_get_jpege_predicted_size(frame, jpeg_param)

    Parameters, by position only:
        frame: an object
        jpeg_param: an object

    Returns size, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.venc_get_jpege_predicted_size args parse failed!') for arguments of another number or type.

    Calls hi_mpi_venc_get_jpege_predicted_size:

        Bytes that a JPEG of a picture takes at most. Codes: 0xA0088003, 08 as venc_send_frame.
    """

def venc_get_scene_mode(chn: int, /) -> tuple[int, int]:
    """scene_mode, ret = acl.himpi.venc_get_scene_mode(chn)

    Parameters, by position only:
        chn: an int of 32 bits

    Returns scene_mode, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.venc_get_scene_mode args parse failed') for arguments of another number or type.

    Calls hi_mpi_venc_get_scene_mode:

        What kind of scene it is. Codes: 0xA0088005.
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

def vpc_convert_color_to_yuv420(chn: int, source_pic: Any, dest_pic: Any, milli_sec: int, /) -> tuple[int, int]:
    """task_id, ret = acl.himpi.vpc_convert_color_to_yuv420(chn, source_pic, dest_pic, milli_sec)

    Parameters, by position only:
        chn: an int of 32 bits
        source_pic: an object
        dest_pic: an object
        milli_sec: an int of 32 bits

    Returns task_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.vpc_convert_color_to_yuv420 args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vpc_convert_color_to_yuv420:

        As vpc_convert_color, into NV12 or NV21. Codes: 0xA0078003, 05, 08 as vpc_resize.
    """

def vpc_copy_make_border(chn: int, source_pic: Any, dest_pic: Any, make_border_info: Any, milli_sec: int, /) -> tuple[int, int]:
    """task_id, ret = acl.himpi.vpc_copy_make_border(chn, source_pic, dest_pic, make_border_info, milli_sec)

    Parameters, by position only:
        chn: an int of 32 bits
        source_pic: an object
        dest_pic: an object
        make_border_info: an object
        milli_sec: an int of 32 bits

    Returns task_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.vpc_copy_make_border args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vpc_copy_make_border:

        Queue the copy of a picture with a border around it; the number of the task. Codes: 0xA0078003 sizes; 05; 08.
    """

def vpc_pyrdown(chn: int, source_pic: Any, dest_pics: Any, filter_level: int, gaussian_filter: Any, divisor: int, make_border_info: Any, milli_sec: int, /) -> tuple[int, int]:
    """task_id, ret = acl.himpi.vpc_pyrdown(chn, source_pic, dest_pics, filter_level, gaussian_filter, divisor, make_border_info, milli_sec)

    Parameters, by position only:
        chn: an int of 32 bits
        source_pic: an object
        dest_pics: an object
        filter_level: an int of 32 bits, unsigned
        gaussian_filter: an object
        divisor: an int of 16 bits, unsigned
        make_border_info: an object
        milli_sec: an int of 32 bits

    Returns task_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.vpc_pyrdown args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vpc_pyrdown:

        Queue the steps of a pyramid; the number of the task. Codes: 0xA0078003 levels, divisor, border; 05; 08 formats.
    """

def vpc_calc_hist(chn: int, source_pic: Any, milli_sec: int, /) -> tuple[dict[str, Any], int, int]:
    """hist_config = acl.himpi.vpc_calc_hist(chn, source_pic, milli_sec)

    Parameters, by position only:
        chn: an int of 32 bits
        source_pic: an object
        milli_sec: an int of 32 bits

    Returns hist_config (dict), task_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.vpc_calc_hist args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vpc_calc_hist:

        Queue the counting of values; they are there with the result of the task. Codes: 0xA0078005, 06 NULL, 08 formats.
    """

def vpc_calc_hist_v2(chn: int, source_pic: Any, milli_sec: int, hist_config: int, /) -> tuple[int, int]:
    """task_id, ret = acl.himpi.vpc_calc_hist_v2(chn, source_pic, milli_sec, hist_config)

    Parameters, by position only:
        chn: an int of 32 bits
        source_pic: an object
        milli_sec: an int of 32 bits
        hist_config: an int: an address, a handle or a size

    Returns task_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.vpc_calc_hist_v2 args parse failed!') for arguments of another number or type; None is no handle and no address.

    Calls hi_mpi_vpc_calc_hist:

        Queue the counting of values; they are there with the result of the task. Codes: 0xA0078005, 06 NULL, 08 formats.
    """

def vpc_equalize_hist(chn: int, source_pic: Any, dest_pic: Any, lut_remap: Any, milli_sec: int, /) -> tuple[int, int]:
    """task_id, ret = acl.himpi.vpc_equalize_hist(chn, source_pic, dest_pic, lut_remap, milli_sec)

    Parameters, by position only:
        chn: an int of 32 bits
        source_pic: an object
        dest_pic: an object
        lut_remap: an object
        milli_sec: an int of 32 bits

    Returns task_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.vpc_equalize_hist args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vpc_equalize_hist:

        Queue the replacement of values by a table; the number of the task. Codes: 0xA0078003; 05; 08 formats.
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

def vpc_sys_create_chn(attr: Any, /) -> tuple[int, int]:
    """chnl, ret = acl.himpi.vpc_sys_create_chn(attr)

    Parameters, by position only:
        attr: an object

    Returns chnl, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.vpc_sys_create_chn args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vpc_sys_create_chn:

        A channel for pictures, with the least number that is free. Codes: 0xA0078003 none is free, 10 no sys_init.
    """

def vpc_crop_resize_make_border(chn: int, source_pic: Any, crop_info: Any, count: int, milli_sec: int, /) -> tuple[int, int]:
    """task_id, ret = acl.himpi.vpc_crop_resize_make_border(chn, source_pic, crop_info, count, milli_sec)

    Parameters, by position only:
        chn: an int of 32 bits
        source_pic: an object
        crop_info: an object
        count: an int of 32 bits, unsigned
        milli_sec: an int of 32 bits

    Returns task_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.vpc_crop_resize_make_border args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vpc_crop_resize_make_border:

        Queue the copies of parts of a picture; the number of the task. Codes: 0xA0078003, 05, 08 as vpc_resize.
    """

def vpc_batch_crop_resize_paste(chn: int, source_pics: Any, pic_num: int, crop_infos: Any, counts: Any, milli_sec: int, /) -> tuple[int, int]:
    """task_id, ret = acl.himpi.vpc_batch_crop_resize_paste(chn, source_pics, pic_num, crop_infos, counts, milli_sec)

    Parameters, by position only:
        chn: an int of 32 bits
        source_pics: an object
        pic_num: an int of 32 bits, unsigned
        crop_infos: an object
        counts: an object
        milli_sec: an int of 32 bits

    Returns task_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.vpc_batch_crop_resize_paste args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vpc_batch_crop_resize_paste:

        Queue the copies of parts of several pictures, counts[i] of picture i. Codes: 0xA0078003, 05, 08 as vpc_resize.
    """

def vpc_batch_crop_resize_make_border(chn: int, source_pics: Any, pic_num: int, crop_infos: Any, counts: Any, milli_sec: int, /) -> tuple[int, int]:
    """task_id, ret = acl.himpi.vpc_batch_crop_resize_make_border(chn, source_pics, pic_num, crop_infos, counts, milli_sec)

    Parameters, by position only:
        chn: an int of 32 bits
        source_pics: an object
        pic_num: an int of 32 bits, unsigned
        crop_infos: an object
        counts: an object
        milli_sec: an int of 32 bits

    Returns task_id, ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.vpc_batch_crop_resize_make_border args parse failed!') for arguments of another number or type.

    Calls hi_mpi_vpc_batch_crop_resize_make_border:

        Queue the copies of parts of several pictures, counts[i] of picture i. Codes: 0xA0078003, 05, 08 as vpc_resize.
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

def pngd_create_chn(chn: int, attr: Any, /) -> int:
    """ret = acl.himpi.pngd_create_chn(chn, attr)

    Parameters, by position only:
        chn: an int of 32 bits
        attr: an object

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.pngd_create_chn args parse failed!') for arguments of another number or type.

    Calls hi_mpi_pngd_create_chn:

        A channel for PNGs. Codes: 0xA0408003, 04 in use, 10 no sys_init.
    """

def pngd_destroy_chn(chn: int, /) -> int:
    """ret = acl.himpi.pngd_destroy_chn(chn)

    Parameters, by position only:
        chn: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.pngd_destroy_chn args parse failed!') for arguments of another number or type.

    Calls hi_mpi_pngd_destroy_chn:

        Close a channel; pictures that nobody took are lost. Codes: 0xA0408005 there is none.
    """

def pngd_send_stream(chn: int, stream: Any, png_pic_info: Any, milli_sec: int, /) -> int:
    """ret = acl.himpi.pngd_send_stream(chn, stream, png_pic_info, milli_sec)

    Parameters, by position only:
        chn: an int of 32 bits
        stream: an object
        png_pic_info: an object
        milli_sec: an int of 32 bits

    Returns the code: 0 when the call succeeds.

    Raises TypeError('acl.himpi.pngd_send_stream args parse failed!') for arguments of another number or type.

    Calls hi_mpi_pngd_send_stream:

        Give the decoder a file and a buffer. Codes: 0xA0408003 no bytes, 05, 06 no buffer, 08 other formats.
    """

def pngd_get_image_data(chn: int, milli_sec: int, /) -> tuple[dict[str, Any], dict[str, Any], int]:
    """png_pic_info = acl.himpi.pngd_get_image_data(chn, milli_sec)

    Parameters, by position only:
        chn: an int of 32 bits
        milli_sec: an int of 32 bits

    Returns png_pic_info (dict), stream (dict), ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.pngd_get_image_data args parse failed!') for arguments of another number or type.

    Calls hi_mpi_pngd_get_image_data:

        The next picture, within the limit in ms (-1: for ever). Codes: 0xA0408003 it could not be decoded, 05, 0E none.
    """

def png_get_image_info(png_stream: Any, /) -> tuple[dict[str, Any], int]:
    """img_info = acl.himpi.png_get_image_info(png_stream)

    Parameters, by position only:
        png_stream: an object

    Returns img_info (dict), ret; ret is the code, 0 when the call succeeds.

    Raises TypeError('acl.himpi.png_get_image_info args parse failed!') for arguments of another number or type.

    Calls hi_mpi_png_get_image_info:

        What a PNG in host memory is, and what its picture takes. Codes: 0xA0408003 no PNG, 11 bad address.
    """
