// Encodes pictures and decodes them again, through callbacks of C.
#include <acl/acl.h>
#include <acl/ops/acl_dvpp.h>
#include <pthread.h>

#include <cstdio>
#include <vector>

namespace {
constexpr uint32_t kWidth = 160, kHeight = 128, kSize = kWidth * kHeight * 3 / 2, kMost = 1 << 20;
bool running = true;
aclrtContext context;
std::vector<std::vector<char>> pieces;
long got = 0, good = 0;

void *Serve(void *) {
    aclrtSetCurrentContext(context);
    while (running) aclrtProcessReport(100);
    return nullptr;
}

void Encoded(acldvppPicDesc *, acldvppStreamDesc *out, void *) {
    uint32_t size = acldvppGetStreamDescSize(out);
    std::vector<char> piece(size);
    aclrtMemcpy(piece.data(), size, acldvppGetStreamDescData(out), size, ACL_MEMCPY_DEVICE_TO_HOST);
    pieces.push_back(piece);
}

void Decoded(acldvppStreamDesc *in, acldvppPicDesc *out, void *number) {
    got++;
    if (acldvppGetPicDescRetCode(out) == 0 && reinterpret_cast<long>(number) == got) good++;
    acldvppFree(acldvppGetPicDescData(out));
    acldvppDestroyPicDesc(out);
    acldvppDestroyStreamDesc(in);
}
}  // namespace

int main() {
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtCreateContext(&context, 0);
    pthread_t thread;
    pthread_create(&thread, nullptr, Serve, nullptr);

    aclvencChannelDesc *encoder = aclvencCreateChannelDesc();
    aclvencSetChannelDescThreadId(encoder, thread);
    aclvencSetChannelDescCallback(encoder, Encoded);
    aclvencSetChannelDescEnType(encoder, H264_MAIN_LEVEL);
    aclvencSetChannelDescPicFormat(encoder, PIXEL_FORMAT_YUV_SEMIPLANAR_420);
    aclvencSetChannelDescPicWidth(encoder, kWidth);
    aclvencSetChannelDescPicHeight(encoder, kHeight);
    uint32_t interval = 4, written = 0;
    size_t bytes = 0;
    aclvencSetChannelDescParam(encoder, ACL_VENC_KEY_FRAME_INTERVAL_UINT32, sizeof interval, &interval);
    aclvencGetChannelDescParam(encoder, ACL_VENC_KEY_FRAME_INTERVAL_UINT32, sizeof written, &bytes, &written);
    printf("interval %u in %zu bytes, own callback %d\n", written, bytes, aclvencGetChannelDescCallback(encoder) == Encoded);
    printf("encoder %d\n", aclvencCreateChannel(encoder));
    aclvencFrameConfig *config = aclvencCreateFrameConfig();
    void *pixels = nullptr;
    acldvppMalloc(&pixels, kSize);
    acldvppPicDesc *picture = acldvppCreatePicDesc();
    acldvppSetPicDescData(picture, pixels);
    acldvppSetPicDescSize(picture, kSize);
    for (int i = 0; i < 6; i++) {
        aclrtMemset(pixels, kSize, 100 + i, kSize);
        aclvencSendFrame(encoder, picture, nullptr, config, nullptr);
    }
    int ret = aclvencDestroyChannel(encoder);
    printf("destroyed %d, %zu pieces\n", ret, pieces.size());

    aclvdecChannelDesc *decoder = aclvdecCreateChannelDesc();
    aclvdecSetChannelDescChannelId(decoder, 1);
    aclvdecSetChannelDescThreadId(decoder, thread);
    aclvdecSetChannelDescCallback(decoder, Decoded);
    aclvdecSetChannelDescEnType(decoder, H264_MAIN_LEVEL);
    aclvdecSetChannelDescOutPicFormat(decoder, PIXEL_FORMAT_YUV_SEMIPLANAR_420);
    printf("decoder %d\n", aclvdecCreateChannel(decoder));
    void *input = nullptr;
    acldvppMalloc(&input, kMost);
    long number = 0;
    for (auto &piece : pieces) {
        aclrtMemcpy(input, kMost, piece.data(), piece.size(), ACL_MEMCPY_HOST_TO_DEVICE);
        acldvppStreamDesc *stream = acldvppCreateStreamDesc();
        acldvppSetStreamDescData(stream, input);
        acldvppSetStreamDescSize(stream, piece.size());
        acldvppPicDesc *output = acldvppCreatePicDesc();
        void *buffer = nullptr;
        acldvppMalloc(&buffer, kSize);
        acldvppSetPicDescData(output, buffer);
        acldvppSetPicDescSize(output, kSize);
        acldvppSetPicDescFormat(output, PIXEL_FORMAT_YUV_SEMIPLANAR_420);
        aclvdecSendFrame(decoder, stream, output, nullptr, reinterpret_cast<void *>(++number));
    }
    ret = aclvdecDestroyChannel(decoder);
    printf("destroyed %d, %ld pictures, %ld good\n", ret, got, good);

    running = false;
    pthread_join(thread, nullptr);
    aclvdecDestroyChannelDesc(decoder);
    aclvencDestroyChannelDesc(encoder);
    aclvencDestroyFrameConfig(config);
    acldvppDestroyPicDesc(picture);
    acldvppFree(pixels);
    acldvppFree(input);
    aclrtDestroyContext(context);
    aclrtResetDevice(0);
    return aclFinalize();
}
