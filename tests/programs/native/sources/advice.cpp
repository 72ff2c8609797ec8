// Independent faults, and memory that other threads were handed: `advice wrong`, or `advice right`, runs each.
// The lines with the mark FAULT are where the findings have to point first.
#include "acl/acl.h"

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

static void must(aclError code, const char *what)
{
    if (code != 0) {
        std::fprintf(stderr, "%s returned %d\n", what, code);
        std::exit(3);
    }
}
#define MUST(call) must(call, #call)

constexpr size_t N = 4096;
constexpr auto H2H = ACL_MEMCPY_HOST_TO_HOST, H2D = ACL_MEMCPY_HOST_TO_DEVICE;
constexpr auto D2H = ACL_MEMCPY_DEVICE_TO_HOST, D2D = ACL_MEMCPY_DEVICE_TO_DEVICE;

class Queue {
    std::mutex m;
    std::condition_variable changed;
    std::deque<void *> blocks;

public:
    void put(void *block)
    {
        std::lock_guard<std::mutex> held(m);
        blocks.push_back(block);
        changed.notify_one();
    }

    void *get()
    {
        std::unique_lock<std::mutex> held(m);
        changed.wait(held, [this] { return !blocks.empty(); });
        void *block = blocks.front();
        blocks.pop_front();
        return block;
    }
};

struct World {
    bool right;
    aclrtContext context = nullptr;
    aclrtStream s = nullptr, t = nullptr;
    aclrtEvent ready = nullptr;
    void *a = nullptr, *b = nullptr, *c = nullptr, *d = nullptr, *h = nullptr, *g = nullptr;

    explicit World(bool isRight) : right(isRight)
    {
        MUST(aclrtSetDevice(0));
        MUST(aclrtGetCurrentContext(&context));
        MUST(aclrtCreateStream(&s));
        MUST(aclrtCreateStream(&t));
        MUST(aclrtCreateEvent(&ready));
        for (void **block : {&a, &b, &c, &d}) {
            MUST(aclrtMalloc(block, N, ACL_MEM_MALLOC_HUGE_FIRST));
            MUST(aclrtMemset(*block, N, 0, N));
        }
        for (void **block : {&h, &g}) {
            MUST(aclrtMallocHost(block, N));
            MUST(aclrtMemset(*block, N, 0, N));
        }
    }

    void order()
    {
        if (right) {
            MUST(aclrtRecordEvent(ready, s));
            MUST(aclrtStreamWaitEvent(t, ready));
        }
    }

    void wait()
    {
        if (right)
            MUST(aclrtSynchronizeStream(s));
    }

    void end()
    {
        MUST(aclrtSynchronizeDevice());
        for (void *block : {a, b, c, d})
            MUST(aclrtFree(block));
        for (void *block : {h, g})
            MUST(aclrtFreeHost(block));
        MUST(aclrtDestroyEvent(ready));
        MUST(aclrtDestroyStream(s));
        MUST(aclrtDestroyStream(t));
    }
};

// -- faults that have nothing to do with each other ------------------------------------------------------------------

static void copied_to_the_device(World &w)
{
    MUST(aclrtMemcpyAsync(w.a, N, w.h, N, H2D, w.s));
    MUST(aclrtMemcpyAsync(w.b, N, w.g, N, H2D, w.s));
    w.order();
    MUST(aclrtMemcpyAsync(w.c, N, w.a, N, D2D, w.t)); // FAULT
    MUST(aclrtMemcpyAsync(w.d, N, w.b, N, D2D, w.t)); // FAULT
}

static void copied_to_the_host(World &w)
{
    MUST(aclrtMemsetAsync(w.a, N, 1, N, w.s));
    MUST(aclrtMemsetAsync(w.b, N, 1, N, w.s));
    w.order();
    MUST(aclrtMemcpyAsync(w.h, N, w.a, N, D2H, w.t)); // FAULT
    MUST(aclrtMemcpyAsync(w.g, N, w.b, N, D2H, w.t)); // FAULT
}

static void copied_by_the_host(World &w)
{
    MUST(aclrtMemsetAsync(w.a, N, 1, N, w.s));
    MUST(aclrtMemsetAsync(w.b, N, 1, N, w.s));
    w.wait();
    MUST(aclrtMemcpy(w.h, N, w.a, N, D2H)); // FAULT
    MUST(aclrtMemcpy(w.g, N, w.b, N, D2H)); // FAULT
}

static void reads(void *given)
{
    char out[16];
    auto *blocks = static_cast<std::pair<void *, void *> *>(given);
    MUST(aclrtMemcpy(out, 16, blocks->first, 16, H2H)); // FAULT
    MUST(aclrtMemcpy(out, 16, blocks->second, 16, H2H)); // FAULT
}

static void read_by_a_callback(World &w)
{
    static std::pair<void *, void *> blocks;
    blocks = {w.h, w.g};
    MUST(aclrtMemcpyAsync(w.h, N, w.a, N, D2H, w.s));
    MUST(aclrtMemcpyAsync(w.g, N, w.b, N, D2H, w.s));
    w.order();
    MUST(aclrtLaunchHostFunc(w.t, reads, &blocks));
}

static void freed(World &w)
{
    void *e, *f;
    MUST(aclrtMalloc(&e, N, ACL_MEM_MALLOC_HUGE_FIRST));
    MUST(aclrtMalloc(&f, N, ACL_MEM_MALLOC_HUGE_FIRST));
    MUST(aclrtMemsetAsync(e, N, 1, N, w.s));
    MUST(aclrtMemsetAsync(f, N, 1, N, w.s));
    w.wait();
    MUST(aclrtFree(e)); // FAULT
    MUST(aclrtFree(f)); // FAULT
}

// -- memory that another thread was handed ---------------------------------------------------------------------------

static void filled_through_a_queue(World &w)
{
    Queue free, full;
    free.put(w.h);
    std::thread loader([&] {
        MUST(aclrtSetCurrentContext(w.context));
        for (int i = 0; i < 2; i++) {
            void *buffer = free.get();
            MUST(aclrtMemset(buffer, N, i, N)); // FAULT
            full.put(buffer);
        }
    });
    for (int i = 0; i < 2; i++) {
        void *buffer = full.get();
        MUST(aclrtMemcpyAsync(w.a, N, buffer, N, H2D, w.s));
        w.wait();
        free.put(buffer);
    }
    loader.join();
}

static void load(Queue &pool, Queue &full, aclrtContext context)
{
    std::vector<char> source(N, 7);
    MUST(aclrtSetCurrentContext(context));
    for (int i = 0; i < 4; i++) {
        void *buffer = pool.get();
        MUST(aclrtMemcpy(buffer, N, source.data(), N, H2H)); // FAULT
        full.put(buffer);
    }
}

static void filled_from_a_pool(World &w)
{
    Queue pool, full;
    pool.put(w.h);
    pool.put(w.g);
    aclrtStream stream;
    MUST(aclrtCreateStream(&stream));
    std::thread loader(load, std::ref(pool), std::ref(full), w.context);
    for (int i = 0; i < 4; i++) {
        void *buffer = full.get();
        MUST(aclrtMemcpyAsync(w.a, N, buffer, N, H2D, stream));
        if (w.right)
            MUST(aclrtSynchronizeStream(stream));
        pool.put(buffer);
    }
    loader.join();
    MUST(aclrtSynchronizeStream(stream));
    MUST(aclrtDestroyStream(stream));
}

static void filled_by_an_executor(World &w)
{
    for (int i = 0; i < 2; i++) {
        auto done = std::async(std::launch::async, [&w, i] {
            MUST(aclrtSetCurrentContext(w.context));
            MUST(aclrtMemset(w.h, N, i, N)); // FAULT
        });
        done.get();
        MUST(aclrtMemcpyAsync(w.a, N, w.h, N, H2D, w.s));
        w.wait();
    }
}

static void read_too_early(World &w)
{
    Queue full;
    std::thread reader([&] {
        char out[16];
        MUST(aclrtSetCurrentContext(w.context));
        void *buffer = full.get();
        w.wait();
        MUST(aclrtMemcpy(out, 16, buffer, 16, H2H)); // FAULT
    });
    MUST(aclrtMemcpyAsync(w.h, N, w.a, N, D2H, w.s));
    full.put(w.h);
    reader.join();
}

static void a_block_of_the_device(World &w)
{
    Queue free, full;
    free.put(w.b);
    std::thread loader([&] {
        MUST(aclrtSetCurrentContext(w.context));
        for (int i = 0; i < 2; i++) {
            void *block = free.get();
            MUST(aclrtMemcpy(block, N, w.h, N, H2D)); // FAULT
            full.put(block);
        }
    });
    for (int i = 0; i < 2; i++) {
        void *block = full.get();
        MUST(aclrtMemcpyAsync(w.a, N, block, N, D2D, w.s));
        w.wait();
        free.put(block);
    }
    loader.join();
}

static void two_streams(World &w)
{
    Queue free, full;
    free.put(w.b);
    std::thread loader([&] {
        MUST(aclrtSetCurrentContext(w.context));
        for (int i = 0; i < 2; i++) {
            void *block = free.get();
            MUST(aclrtMemcpyAsync(block, N, w.h, N, H2D, w.t)); // FAULT
            MUST(aclrtSynchronizeStream(w.t));
            full.put(block);
        }
    });
    for (int i = 0; i < 2; i++) {
        void *block = full.get();
        MUST(aclrtMemcpyAsync(w.a, N, block, N, D2D, w.s));
        w.wait();
        free.put(block);
    }
    loader.join();
}

static void use(void *buffer)
{
    char out[16];
    MUST(aclrtMemcpy(out, 16, buffer, 16, H2H));
}

static void used_by_a_callback(World &w)
{
    Queue free, full;
    free.put(w.h);
    std::thread loader([&] {
        MUST(aclrtSetCurrentContext(w.context));
        for (int i = 0; i < 2; i++) {
            void *buffer = free.get();
            MUST(aclrtMemset(buffer, N, i, N)); // FAULT
            full.put(buffer);
        }
    });
    for (int i = 0; i < 2; i++) {
        void *buffer = full.get();
        MUST(aclrtLaunchHostFunc(w.s, use, buffer));
        w.wait();
        free.put(buffer);
    }
    loader.join();
}

static void in_no_order(World &w)
{
    std::thread other([&] {
        MUST(aclrtSetCurrentContext(w.context));
        MUST(aclrtMemset(w.h, N, 7, N)); // FAULT
    });
    if (w.right)
        other.join();
    MUST(aclrtMemcpyAsync(w.a, N, w.h, N, H2D, w.s));
    if (!w.right)
        other.join();
}

int main(int, char **words)
{
    const bool right = std::strcmp(words[1], "right") == 0;
    MUST(aclInit(nullptr));
    for (auto run : {copied_to_the_device, copied_to_the_host, copied_by_the_host, read_by_a_callback, freed,
                     filled_through_a_queue, filled_from_a_pool, filled_by_an_executor, read_too_early,
                     a_block_of_the_device, two_streams, used_by_a_callback, in_no_order}) {
        World w(right);
        run(w);
        w.end();
    }
    std::puts("done");
    MUST(aclrtResetDevice(0));
    MUST(aclFinalize());
}
