// Eight threads with their own streams hand numbers to main: mutex, condition variable, sleeps, a shared mutex.
#include "acl/acl.h"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <queue>
#include <shared_mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::condition_variable filled;
static std::queue<int> numbers;
static std::shared_mutex shared;

static void produce(int id)
{
    aclrtStream stream;
    void *memory;
    aclrtSetDevice(0);
    aclrtCreateStream(&stream);
    aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    for (int i = 0; i < 3; i++) {
        aclrtMemsetAsync(memory, 64, i, 64, stream);
        aclrtSynchronizeStream(stream);
        {
            std::lock_guard<std::mutex> guard(mutex);
            numbers.push(id * 10 + i);
        }
        filled.notify_one();
        std::this_thread::sleep_for(std::chrono::milliseconds(id));
        std::shared_lock<std::shared_mutex> reading(shared);
    }
    aclrtFree(memory);
    aclrtDestroyStream(stream);
}

int main()
{
    aclInit(nullptr);
    aclrtSetDevice(0);
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; i++)
        threads.emplace_back(produce, i);
    for (int n = 0; n < 24; n++) {
        std::unique_lock<std::mutex> guard(mutex);
        if (!filled.wait_for(guard, std::chrono::seconds(300), [] { return !numbers.empty(); }))
            return std::puts("time-out"), 1;
        std::printf("%d ", numbers.front());
        numbers.pop();
    }
    for (auto &thread : threads)
        thread.join();
    std::unique_lock<std::shared_mutex> writing(shared);
    std::puts("end");
    aclrtResetDevice(0);
    return aclFinalize();
}
