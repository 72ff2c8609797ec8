// Scales, cuts and borders a picture, encodes it and decodes it again; lists of C, settings with doubles, host addresses.
#include <acl/acl.h>
#include <acl/ops/acl_dvpp.h>

#include <cstdio>
#include <vector>

namespace {
uint32_t Bytes(uint32_t width, uint32_t height) { return width * height * 3 / 2; }

acldvppPicDesc *Fill(acldvppPicDesc *desc, uint32_t width, uint32_t height, const std::vector<uint8_t> *pixels) {
    void *data = nullptr;
    acldvppMalloc(&data, Bytes(width, height));
    if (pixels) aclrtMemcpy(data, pixels->size(), pixels->data(), pixels->size(), ACL_MEMCPY_HOST_TO_DEVICE);
    acldvppSetPicDescData(desc, data);
    acldvppSetPicDescSize(desc, Bytes(width, height));
    acldvppSetPicDescFormat(desc, PIXEL_FORMAT_YUV_SEMIPLANAR_420);
    acldvppSetPicDescWidth(desc, width);
    acldvppSetPicDescHeight(desc, height);
    acldvppSetPicDescWidthStride(desc, width);
    acldvppSetPicDescHeightStride(desc, height);
    return desc;
}

int Pixel(acldvppPicDesc *desc, uint32_t place) {
    uint8_t value = 0;
    aclrtMemcpy(&value, 1, static_cast<uint8_t *>(acldvppGetPicDescData(desc)) + place, 1, ACL_MEMCPY_DEVICE_TO_HOST);
    return value;
}

void Drop(acldvppPicDesc *desc) {
    acldvppFree(acldvppGetPicDescData(desc));
    acldvppDestroyPicDesc(desc);
}
}  // namespace

int main() {
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtStream stream;
    aclrtCreateStream(&stream);
    acldvppChannelDesc *channel = acldvppCreateChannelDesc();
    printf("channel %d %d\n", acldvppCreateChannel(channel), static_cast<int>(acldvppGetChannelDescChannelId(channel)));

    std::vector<uint8_t> pixels(Bytes(128, 64), 128);
    for (uint32_t i = 0; i < 128 * 64; i++) pixels[i] = i % 128 < 64 ? 50 : 200;
    acldvppPicDesc *large = Fill(acldvppCreatePicDesc(), 128, 64, &pixels);
    acldvppPicDesc *small = Fill(acldvppCreatePicDesc(), 64, 32, nullptr);
    acldvppResizeConfig *scaling = acldvppCreateResizeConfig();
    printf("resize %d", acldvppVpcResizeAsync(channel, large, small, scaling, stream));
    printf(" %d:", aclrtSynchronizeStream(stream));
    printf(" %d %d\n", Pixel(small, 0), Pixel(small, 63));

    acldvppBatchPicDesc *sources = acldvppCreateBatchPicDesc(1), *targets = acldvppCreateBatchPicDesc(2);
    Fill(acldvppGetPicDesc(sources, 0), 128, 64, &pixels);
    for (uint32_t i = 0; i < 2; i++) Fill(acldvppGetPicDesc(targets, i), 64, 64, nullptr);
    acldvppRoiConfig *areas[] = {acldvppCreateRoiConfig(0, 63, 0, 63), acldvppCreateRoiConfig(64, 127, 0, 63)};
    uint32_t counts[] = {2};
    printf("batch %d", acldvppVpcBatchCropAsync(channel, sources, counts, 1, targets, areas, stream));
    printf(" %d:", aclrtSynchronizeStream(stream));
    printf(" %d %d\n", Pixel(acldvppGetPicDesc(targets, 0), 5), Pixel(acldvppGetPicDesc(targets, 1), 5));

    acldvppBorderConfig *border = acldvppCreateBorderConfig();
    printf("border %d", acldvppSetBorderConfigValue(border, 0, 17.0));
    printf(" %.1f %.1f\n", acldvppGetBorderConfigValue(border, 0), acldvppGetBorderConfigValue(border, 9));

    acldvppJpegeConfig *quality = acldvppCreateJpegeConfig();
    uint32_t size = 0, width = 0, height = 0;
    int32_t components = 0;
    printf("predicted %d", acldvppJpegPredictEncSize(large, quality, &size));
    printf(" %u\n", size);
    void *coded = nullptr;
    acldvppMalloc(&coded, size);
    acldvppJpegEncodeAsync(channel, large, coded, &size, quality, stream);
    aclrtSynchronizeStream(stream);
    std::vector<uint8_t> file(size);
    aclrtMemcpy(file.data(), size, coded, size, ACL_MEMCPY_DEVICE_TO_HOST);
    printf("header %d", acldvppJpegGetImageInfo(file.data(), size, &width, &height, &components));
    printf(" %u %u %d\n", width, height, components);
    acldvppPicDesc *again = Fill(acldvppCreatePicDesc(), 128, 64, nullptr);
    printf("decode %d", acldvppJpegDecodeAsync(channel, coded, size, again, stream));
    printf(" %d", aclrtSynchronizeStream(stream));
    printf(" %u: %d %d\n", acldvppGetPicDescRetCode(again), Pixel(again, 10) / 10, Pixel(again, 120) / 10);

    acldvppFree(coded);
    for (acldvppPicDesc *desc : {large, small, again}) Drop(desc);
    acldvppFree(acldvppGetPicDescData(acldvppGetPicDesc(sources, 0)));
    for (uint32_t i = 0; i < 2; i++) acldvppFree(acldvppGetPicDescData(acldvppGetPicDesc(targets, i)));
    acldvppDestroyBatchPicDesc(sources);
    acldvppDestroyBatchPicDesc(targets);
    for (acldvppRoiConfig *area : areas) acldvppDestroyRoiConfig(area);
    acldvppDestroyResizeConfig(scaling);
    acldvppDestroyBorderConfig(border);
    acldvppDestroyJpegeConfig(quality);
    acldvppDestroyChannel(channel);
    acldvppDestroyChannelDesc(channel);
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    aclFinalize();
}
