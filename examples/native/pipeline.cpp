// Two streams: one brings data to the device, the other takes it away. `pipeline wrong` leaves out the wait between them.
//
//     ascend-sim cc -g pipeline.cpp -o pipeline
//     ascend-sim run ./pipeline          # 7: no finding
//     ascend-sim run ./pipeline wrong    # a race between the two copies, with both lines
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "acl/acl.h"
#include "must.h"

constexpr size_t SIZE = 1 << 20;

int main(int argc, char **argv)
{
    const bool waits = argc < 2 || std::strcmp(argv[1], "wrong") != 0;
    MUST(aclInit(nullptr));
    MUST(aclrtSetDevice(0));
    aclrtStream upload, download;
    MUST(aclrtCreateStream(&upload));
    MUST(aclrtCreateStream(&download));
    aclrtEvent arrived;
    MUST(aclrtCreateEventWithFlag(&arrived, ACL_EVENT_SYNC));
    void *source, *target, *device;
    MUST(aclrtMallocHost(&source, SIZE)); // pinned: an asynchronous copy of other memory waits for its stream
    MUST(aclrtMallocHost(&target, SIZE));
    MUST(aclrtMalloc(&device, SIZE, ACL_MEM_MALLOC_HUGE_FIRST));
    std::memset(source, 7, SIZE);

    MUST(aclrtMemcpyAsync(device, SIZE, source, SIZE, ACL_MEMCPY_HOST_TO_DEVICE, upload));
    MUST(aclrtRecordEvent(arrived, upload));
    if (waits) {
        MUST(aclrtStreamWaitEvent(download, arrived));
    }
    MUST(aclrtMemcpyAsync(target, SIZE, device, SIZE, ACL_MEMCPY_DEVICE_TO_HOST, download));
    MUST(aclrtSynchronizeStream(download));
    MUST(aclrtSynchronizeStream(upload));
    std::printf("%d\n", static_cast<uint8_t *>(target)[SIZE - 1]);

    MUST(aclrtFree(device));
    MUST(aclrtFreeHost(source));
    MUST(aclrtFreeHost(target));
    MUST(aclrtDestroyEvent(arrived));
    MUST(aclrtDestroyStream(upload));
    MUST(aclrtDestroyStream(download));
    MUST(aclrtResetDevice(0));
    MUST(aclFinalize());
    return 0;
}
