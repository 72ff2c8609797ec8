// The second media interface from C++: a JPEG made and decoded, a border by value, a histogram, waiting with an event queue.
#include "acl/acl.h"
#include "acl/dvpp/hi_dvpp.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {
constexpr hi_u32 kWidth = 64, kHeight = 48;

void Check(const char *what, hi_s32 code) {
    if (code != HI_SUCCESS) {
        std::printf("%s: %#x\n", what, code);
        std::exit(1);
    }
}

hi_vpc_pic_info Picture(hi_u32 width, hi_u32 height, int luma) {
    hi_vpc_pic_info found{};
    found.picture_width = found.picture_width_stride = width;
    found.picture_height = found.picture_height_stride = height;
    found.picture_format = HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420;
    found.picture_buffer_size = width * height * 3 / 2;
    Check("malloc", hi_mpi_dvpp_malloc(0, &found.picture_address, found.picture_buffer_size));
    std::vector<uint8_t> pixels(found.picture_buffer_size, 128);
    for (hi_u32 i = 0; i < width * height; i++) pixels[i] = static_cast<uint8_t>(luma + i % width);
    aclrtMemcpy(found.picture_address, pixels.size(), pixels.data(), pixels.size(), ACL_MEMCPY_HOST_TO_DEVICE);
    return found;
}

int Pixel(const void *address, size_t place) {
    uint8_t value = 0;
    aclrtMemcpy(&value, 1, static_cast<const uint8_t *>(address) + place, 1, ACL_MEMCPY_DEVICE_TO_HOST);
    return value;
}

std::vector<uint8_t> Encode(const hi_vpc_pic_info &picture) {
    hi_venc_chn_attr attr{};
    attr.venc_attr.type = HI_PT_JPEG;
    attr.venc_attr.pic_width = attr.venc_attr.max_pic_width = kWidth;
    attr.venc_attr.pic_height = attr.venc_attr.max_pic_height = kHeight;
    attr.venc_attr.is_by_frame = HI_TRUE;
    Check("create venc", hi_mpi_venc_create_chn(3, &attr));
    hi_venc_start_param start{-1};
    Check("start venc", hi_mpi_venc_start_chn(3, &start));
    hi_venc_jpeg_param quality{};
    Check("get jpeg", hi_mpi_venc_get_jpeg_param(3, &quality));
    quality.qfactor = 100;
    Check("set jpeg", hi_mpi_venc_set_jpeg_param(3, &quality));

    hi_s32 queue = 0, count = 0;
    Check("create epoll", hi_mpi_sys_create_epoll(10, &queue));
    int marker = 0;
    hi_dvpp_epoll_event event{HI_DVPP_EPOLL_IN, &marker}, ready[4];
    Check("ctl epoll", hi_mpi_sys_ctl_epoll(queue, HI_DVPP_EPOLL_CTL_ADD, hi_mpi_venc_get_fd(3), &event));

    hi_video_frame_info frame{};
    frame.v_frame.width = kWidth;
    frame.v_frame.height = kHeight;
    frame.v_frame.pixel_format = picture.picture_format;
    frame.v_frame.width_stride[0] = frame.v_frame.width_stride[1] = kWidth;
    frame.v_frame.virt_addr[0] = picture.picture_address;
    frame.v_frame.virt_addr[1] = static_cast<uint8_t *>(picture.picture_address) + kWidth * kHeight;
    frame.v_frame.pts = 77;
    Check("send frame", hi_mpi_venc_send_frame(3, &frame, 1000));
    Check("wait epoll", hi_mpi_sys_wait_epoll(queue, ready, 4, -1, &count));
    std::printf("%d ready, %s\n", count, ready[0].data == &marker ? "mine" : "another");

    hi_venc_chn_status status{};
    Check("query", hi_mpi_venc_query_status(3, &status));
    std::vector<hi_venc_pack> packs(status.cur_packs);
    hi_venc_stream stream{};
    stream.pack = packs.data();
    stream.pack_cnt = status.cur_packs;
    Check("get stream", hi_mpi_venc_get_stream(3, &stream, -1));
    std::vector<uint8_t> found(stream.pack[0].len - stream.pack[0].offset);
    aclrtMemcpy(found.data(), found.size(), stream.pack[0].addr + stream.pack[0].offset, found.size(),
                ACL_MEMCPY_DEVICE_TO_HOST);
    std::printf("pack %u, pts %llu, %02x%02x\n", stream.pack_cnt, (unsigned long long)stream.pack[0].pts, found[0], found[1]);
    Check("release", hi_mpi_venc_release_stream(3, &stream));
    Check("stop venc", hi_mpi_venc_stop_chn(3));
    Check("close epoll", hi_mpi_sys_close_epoll(queue));
    Check("destroy venc", hi_mpi_venc_destroy_chn(3));
    return found;
}

void Decode(std::vector<uint8_t> coded) {
    hi_vdec_stream stream{};
    stream.len = static_cast<hi_u32>(coded.size());
    stream.addr = coded.data();
    hi_img_info info{};
    Check("image info", hi_mpi_dvpp_get_image_info(HI_PT_JPEG, &stream, &info));
    std::printf("%u x %u, raw %d\n", info.width, info.height, info.pixel_format == HI_JPEG_RAW_FORMAT_YUV420);
    hi_vdec_chn_attr attr{};
    attr.type = HI_PT_JPEG;
    attr.mode = HI_VDEC_SEND_MODE_FRAME;
    attr.pic_width = kWidth;
    attr.pic_height = kHeight;
    Check("create vdec", hi_mpi_vdec_create_chn(0, &attr));
    Check("start vdec", hi_mpi_vdec_start_recv_stream(0));
    hi_void *device = nullptr;
    Check("malloc", hi_mpi_dvpp_malloc(0, &device, coded.size()));
    aclrtMemcpy(device, coded.size(), coded.data(), coded.size(), ACL_MEMCPY_HOST_TO_DEVICE);
    stream.addr = static_cast<hi_u8 *>(device);
    stream.end_of_frame = stream.need_display = HI_TRUE;
    stream.pts = 5;
    hi_vdec_pic_info target{};
    target.pixel_format = HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420;
    target.width_stride = info.width_stride;
    target.height_stride = info.height_stride;
    target.buffer_size = info.img_buf_size;
    hi_void *pixels = nullptr;
    Check("malloc", hi_mpi_dvpp_malloc(0, &pixels, target.buffer_size));
    target.vir_addr = reinterpret_cast<hi_u64>(pixels);
    Check("send stream", hi_mpi_vdec_send_stream(0, &stream, &target, -1));
    hi_video_frame_info frame{};
    hi_vdec_stream given{};
    hi_vdec_supplement_info more{};
    Check("get frame", hi_mpi_vdec_get_frame(0, &frame, &more, &given, -1));
    std::printf("flag %u, pts %llu, pixel %d\n", frame.v_frame.frame_flag, (unsigned long long)given.pts,
                Pixel(frame.v_frame.virt_addr[0], 10 * frame.v_frame.width_stride[0] + 20));
    Check("release", hi_mpi_vdec_release_frame(0, &frame));
    Check("stop vdec", hi_mpi_vdec_stop_recv_stream(0));
    Check("destroy vdec", hi_mpi_vdec_destroy_chn(0));
    hi_mpi_dvpp_free(device);
    hi_mpi_dvpp_free(pixels);
}
}  // namespace

int main() {
    aclInit(nullptr);
    aclrtSetDevice(0);
    Check("init", hi_mpi_sys_init());
    hi_vpc_pic_info source = Picture(kWidth, kHeight, 30), target = Picture(kWidth + 16, kHeight + 8, 0);
    Decode(Encode(source));

    hi_vpc_chn channel = -1;
    hi_vpc_chn_attr attr{};
    Check("create vpc", hi_mpi_vpc_sys_create_chn(&channel, &attr));
    hi_u32 task = 0;
    hi_vpc_make_border_info border = {4, 4, 0, 16, HI_BORDER_CONSTANT, {{200, 128, 128, 0}}};
    Check("border", hi_mpi_vpc_copy_make_border(channel, &source, &target, border, &task, -1));
    Check("result", hi_mpi_vpc_get_process_result(channel, task, -1));
    const hi_u32 row = target.picture_width_stride;
    std::printf("border %d, inside %d, right %d\n", Pixel(target.picture_address, 0), Pixel(target.picture_address, 4 * row + 9),
                Pixel(target.picture_address, 20 * row + 70));
    hi_vpc_histogram_config counts;
    Check("histogram", hi_mpi_vpc_calc_hist(channel, &source, &counts, &task, -1));
    Check("result", hi_mpi_vpc_get_process_result(channel, task, -1));
    std::printf("30 is there %u times, 94 %u\n", counts.histogram_y_or_r[30], counts.histogram_y_or_r[94]);
    std::printf("no task: %#x, NULL: %#x\n", hi_mpi_vpc_get_process_result(channel, 99, 0),
                hi_mpi_vpc_resize(channel, nullptr, &target, 0, 0, 0, &task, -1));
    hi_csc_conf alpha{};
    std::printf("not modelled: %d\n", hi_mpi_vpc_convert_color_v2(channel, &source, &target, &alpha, &task, -1));
    Check("destroy vpc", hi_mpi_vpc_destroy_chn(channel));
    hi_mpi_dvpp_free(source.picture_address);
    hi_mpi_dvpp_free(target.picture_address);
    Check("exit", hi_mpi_sys_exit());
    aclrtResetDevice(0);
    aclFinalize();
    return 0;
}
