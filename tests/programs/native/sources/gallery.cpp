// The gallery of faults in C++: `gallery NAME` makes the fault, `gallery NAME right` the corrected program.
// The line with the mark FAULT: KIND is where the finding of that kind has to point first.
#include "acl/acl.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <thread>

static void must(aclError code, const char *what)
{
    if (code != 0) {
        std::fprintf(stderr, "%s returned %d\n", what, code);
        std::exit(3);
    }
}
#define MUST(call) must(call, #call)

constexpr size_t N = 4096;

struct Device {
    aclrtStream a = nullptr, b = nullptr;
    void *x = nullptr, *y = nullptr, *host = nullptr;

    Device()
    {
        MUST(aclInit(nullptr));
        MUST(aclrtSetDevice(0));
        MUST(aclrtCreateStream(&a));
        MUST(aclrtCreateStream(&b));
        MUST(aclrtMalloc(&x, N, ACL_MEM_MALLOC_HUGE_FIRST));
        MUST(aclrtMalloc(&y, N, ACL_MEM_MALLOC_HUGE_FIRST));
        MUST(aclrtMallocHost(&host, N));
        std::memset(host, 1, N);
    }

    void wait()
    {
        MUST(aclrtSynchronizeStream(a));
        MUST(aclrtSynchronizeStream(b));
    }

    void end()
    {
        wait();
        for (void *block : {x, y})
            if (block != nullptr)
                MUST(aclrtFree(block));
        MUST(aclrtFreeHost(host));
        MUST(aclrtDestroyStream(a));
        MUST(aclrtDestroyStream(b));
        MUST(aclrtResetDevice(0));
        MUST(aclFinalize());
    }
};

static void two_streams(bool right)
{
    Device d;
    aclrtEvent filled;
    MUST(aclrtCreateEvent(&filled));
    MUST(aclrtMemsetAsync(d.x, N, 1, N, d.a));
    if (right) {
        MUST(aclrtRecordEvent(filled, d.a));
        MUST(aclrtStreamWaitEvent(d.b, filled));
    }
    MUST(aclrtMemcpyAsync(d.y, N, d.x, N, ACL_MEMCPY_DEVICE_TO_DEVICE, d.b)); // FAULT: race
    d.wait();
    MUST(aclrtDestroyEvent(filled));
    d.end();
}

static void freed_too_early(bool right)
{
    Device d;
    MUST(aclrtMemsetAsync(d.x, N, 1, N, d.a));
    if (right)
        MUST(aclrtSynchronizeStream(d.a));
    MUST(aclrtFree(d.x)); // FAULT: use-after-free
    d.x = nullptr;
    d.end();
}

static void freed_twice(bool right)
{
    Device d;
    MUST(aclrtFree(d.x));
    if (!right)
        aclrtFree(d.x); // FAULT: double-free
    d.x = nullptr;
    d.end();
}

static void freed_in_the_middle(bool right)
{
    Device d;
    void *part = static_cast<char *>(d.x) + (right ? 0 : 64);
    if (aclrtFree(part) == 0) // FAULT: bad-free
        d.x = nullptr;
    d.end();
}

static void host_does_not_wait(bool right)
{
    Device d;
    MUST(aclrtMemsetAsync(d.x, N, 1, N, d.a));
    if (right)
        MUST(aclrtSynchronizeStream(d.a));
    MUST(aclrtMemcpy(d.host, N, d.x, N, ACL_MEMCPY_DEVICE_TO_HOST)); // FAULT: race
    d.end();
}

static void source_rewritten(bool right)
{
    Device d;
    for (int round = 0; round < 2; round++) {
        if (right)
            MUST(aclrtSynchronizeStream(d.a));
        MUST(aclrtMemset(d.host, N, round, N)); // FAULT: race
        MUST(aclrtMemcpyAsync(d.x, N, d.host, N, ACL_MEMCPY_HOST_TO_DEVICE, d.a));
    }
    d.end();
}

static void event_never_recorded(bool right)
{
    Device d;
    aclrtEvent event;
    MUST(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
    if (right)
        MUST(aclrtRecordEvent(event, d.a));
    MUST(aclrtStreamWaitEvent(d.b, event)); // FAULT: unrecorded-wait
    d.wait();
    MUST(aclrtDestroyEvent(event));
    d.end();
}

static void waits_for_itself(bool right)
{
    Device d;
    aclrtEvent event;
    MUST(aclrtCreateEvent(&event));
    MUST(aclrtRecordEvent(event, right ? d.b : d.a));
    MUST(aclrtStreamWaitEvent(d.a, event)); // FAULT: self-wait
    d.wait();
    MUST(aclrtDestroyEvent(event));
    d.end();
}

static void nobody_records(bool right)
{
    Device d;
    aclrtNotify notify;
    MUST(aclrtCreateNotify(&notify, 0));
    if (right)
        MUST(aclrtRecordNotify(notify, d.b));
    MUST(aclrtWaitAndResetNotify(notify, d.a, 0));
    aclrtSynchronizeStream(d.a); // FAULT: deadlock
    MUST(aclrtDestroyNotify(notify));
    d.end();
}

static void forgotten(bool right)
{
    Device d;
    void *batch = nullptr;
    MUST(aclrtMalloc(&batch, 100, ACL_MEM_MALLOC_HUGE_FIRST)); // FAULT: leak
    if (right)
        MUST(aclrtFree(batch));
    d.end();
}

static void larger_than_the_buffer(bool right)
{
    Device d;
    size_t count = right ? N : 2 * N;
    aclrtMemcpy(d.x, count, d.host, count, ACL_MEMCPY_HOST_TO_DEVICE); // FAULT: out-of-bounds
    d.end();
}

static void past_the_end(bool right)
{
    Device d;
    void *odd = nullptr;
    MUST(aclrtMalloc(&odd, 100, ACL_MEM_MALLOC_HUGE_FIRST));
    MUST(aclrtMemset(odd, right ? 100 : 128, 0, right ? 100 : 128)); // FAULT: out-of-bounds
    MUST(aclrtFree(odd));
    d.end();
}

static void never_written(bool right)
{
    Device d;
    if (right)
        MUST(aclrtMemset(d.x, N, 0, N));
    MUST(aclrtMemcpy(d.host, N, d.x, N, ACL_MEMCPY_DEVICE_TO_HOST)); // FAULT: uninitialised-read
    d.end();
}

static void reset_too_early(bool right)
{
    Device d;
    MUST(aclrtDestroyStream(d.a));
    MUST(aclrtDestroyStream(d.b));
    MUST(aclrtFreeHost(d.host));
    if (right)
        MUST(aclrtFree(d.x));
    MUST(aclrtFree(d.y));
    MUST(aclrtResetDeviceForce(0));
    if (!right)
        aclrtFree(d.x); // FAULT: use-after-reset
    MUST(aclFinalize());
}

static void nobody_waits(bool right)
{
    Device d;
    MUST(aclrtMemsetAsync(d.x, N, 1, N, d.a)); // FAULT: unawaited-work
    if (right)
        d.end();
    else
        MUST(aclFinalize());
}

static void pool_block_on_two_streams(bool right)
{
    Device d;
    aclrtMemPoolProps props{};
    props.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    props.maxSize = 64 << 20;
    aclrtMemPool pool;
    MUST(aclrtMemPoolCreate(&pool, &props));
    void *block = nullptr;
    MUST(aclrtMemPoolMallocAsync(&block, N, pool, d.a));
    MUST(aclrtMemsetAsync(block, N, 0, N, d.a));
    MUST(aclrtMemPoolFreeAsync(block, right ? d.a : d.b)); // FAULT: free-before-alloc
    d.wait();
    MUST(aclrtMemPoolDestroy(pool));
    d.end();
}

static void graph_outlives_buffer(bool right)
{
    Device d;
    aclmdlRI graph;
    MUST(aclmdlRICaptureBegin(d.a, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    MUST(aclrtMemsetAsync(d.x, N, 1, N, d.a));
    MUST(aclmdlRICaptureEnd(d.a, &graph));
    if (!right) {
        MUST(aclrtFree(d.x)); // FAULT: use-after-free
        d.x = nullptr;
    }
    MUST(aclmdlRIExecuteAsync(graph, d.a));
    d.wait();
    MUST(aclmdlRIDestroy(graph));
    d.end();
}

static void waits_inside_a_capture(bool right)
{
    Device d;
    aclmdlRI graph;
    MUST(aclmdlRICaptureBegin(d.a, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    MUST(aclrtMemsetAsync(d.x, N, 1, N, d.a));
    if (!right)
        aclrtSynchronizeStream(d.a); // FAULT: capture-rule
    if (aclmdlRICaptureEnd(d.a, &graph) == 0)
        MUST(aclmdlRIDestroy(graph));
    d.end();
}

static void two_threads_one_buffer(bool right)
{
    Device d;
    std::thread other([&d] {
        MUST(aclrtSetDevice(0));
        MUST(aclrtMemset(d.x, N, 1, N)); // FAULT: race
    });
    if (right)
        other.join();
    MUST(aclrtMemset(d.x, N, 2, N));
    if (!right)
        other.join();
    MUST(aclrtResetDevice(0));
    d.end();
}

static const std::map<std::string, void (*)(bool)> CASES = {
    {"two_streams", two_streams},
    {"freed_too_early", freed_too_early},
    {"freed_twice", freed_twice},
    {"freed_in_the_middle", freed_in_the_middle},
    {"host_does_not_wait", host_does_not_wait},
    {"source_rewritten", source_rewritten},
    {"event_never_recorded", event_never_recorded},
    {"waits_for_itself", waits_for_itself},
    {"nobody_records", nobody_records},
    {"forgotten", forgotten},
    {"larger_than_the_buffer", larger_than_the_buffer},
    {"past_the_end", past_the_end},
    {"never_written", never_written},
    {"reset_too_early", reset_too_early},
    {"nobody_waits", nobody_waits},
    {"pool_block_on_two_streams", pool_block_on_two_streams},
    {"graph_outlives_buffer", graph_outlives_buffer},
    {"waits_inside_a_capture", waits_inside_a_capture},
    {"two_threads_one_buffer", two_threads_one_buffer},
};

int main(int count, char **words)
{
    if (count < 2) {
        for (const auto &[name, run] : CASES) {
            std::printf("%s\n", name.c_str());
            run(true);
        }
        return 0;
    }
    CASES.at(words[1])(count > 2);
    return 0;
}
