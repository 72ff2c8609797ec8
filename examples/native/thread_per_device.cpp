// A thread for each device: each chooses its device, works there, and sums up under a lock.
//
//     ascend-sim cc -g thread_per_device.cpp -o thread_per_device
//     ascend-sim run --devices 2 ./thread_per_device
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "must.h"

static std::mutex total_lock;
static int total = 0;

static void work(uint32_t device)
{
    MUST(aclrtSetDevice(static_cast<int32_t>(device)));
    aclrtStream stream;
    MUST(aclrtCreateStream(&stream));
    std::vector<uint8_t> back(4096);
    void *memory;
    MUST(aclrtMalloc(&memory, back.size(), ACL_MEM_MALLOC_HUGE_FIRST));
    MUST(aclrtMemsetAsync(memory, back.size(), static_cast<int32_t>(device) + 1, back.size(), stream));
    MUST(aclrtSynchronizeStream(stream));
    MUST(aclrtMemcpy(back.data(), back.size(), memory, back.size(), ACL_MEMCPY_DEVICE_TO_HOST));
    {
        std::lock_guard<std::mutex> hold(total_lock);
        total += back[0];
    }
    MUST(aclrtFree(memory));
    MUST(aclrtDestroyStream(stream));
    MUST(aclrtResetDevice(static_cast<int32_t>(device)));
}

int main()
{
    MUST(aclInit(nullptr));
    uint32_t count = 0;
    MUST(aclrtGetDeviceCount(&count));
    std::vector<std::thread> threads;
    for (uint32_t device = 0; device < count; ++device) {
        threads.emplace_back(work, device);
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    std::printf("%u devices, total %d\n", count, total);
    MUST(aclFinalize());
    return 0;
}
