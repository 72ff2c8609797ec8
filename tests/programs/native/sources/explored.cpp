// Programs whose result depends on the order of their steps, or does not; the first argument says which.
#include "acl/acl.h"

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static aclrtStream first, second;
static void *memory;

static void begin()
{
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtCreateStream(&first);
    aclrtCreateStream(&second);
    aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST);
}

static int end()
{
    aclrtFree(memory);
    aclrtDestroyStream(first);
    aclrtDestroyStream(second);
    aclrtResetDevice(0);
    return aclFinalize();
}

static int content()
{
    unsigned char host[64] = {};
    aclrtMemcpy(host, sizeof host, memory, sizeof host, ACL_MEMCPY_DEVICE_TO_HOST);
    return host[0];
}

static void fill(int value, aclrtStream stream) { aclrtMemsetAsync(memory, 64, value, 64, stream); }

// Two streams write one block.
static int streams(bool ordered)
{
    fill(1, first);
    if (ordered)
        aclrtSynchronizeStream(first);
    fill(2, second);
    aclrtSynchronizeDevice();
    std::printf("%d\n", content());
    return 0;
}

// Two threads take a lock that lies on the heap, and each makes one of its own.
static int locks()
{
    struct Shared {
        std::mutex mutex;
        std::string order;
    };
    auto shared = std::make_unique<Shared>();
    auto work = [&](char name) {
        auto own = std::make_unique<std::mutex>();
        for (int i = 0; i < 2; i++) {
            std::lock_guard<std::mutex> mine(*own);
            std::lock_guard<std::mutex> hold(shared->mutex);
            shared->order += name;
        }
    };
    std::thread a(work, 'a'), b(work, 'b');
    a.join();
    b.join();
    std::printf("%s\n", shared->order.c_str());
    return 0;
}

// A signal is lost when it comes before the wait: *checked* says whether the waiter would notice.
static int signals(bool checked)
{
    std::mutex mutex;
    std::condition_variable condition;
    bool ready = false;
    std::thread giver([&] {
        {
            std::lock_guard<std::mutex> hold(mutex);
            ready = true;
        }
        condition.notify_one();
    });
    {
        std::unique_lock<std::mutex> hold(mutex);
        if (checked)
            condition.wait(hold, [&] { return ready; });
        else
            condition.wait(hold);
    }
    giver.join();
    std::puts("met");
    return 0;
}

// The signal is sent without the mutex, between the test and the wait.
static int bare_signal()
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    static std::atomic<int> ready;
    std::thread giver([] {
        ready = 1;
        pthread_cond_signal(&condition);
    });
    pthread_mutex_lock(&mutex);
    if (!ready)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    giver.join();
    std::puts("met");
    return 0;
}

// Two locks in two orders.
static int lock_order()
{
    std::mutex one, two;
    std::thread other([&] {
        std::lock_guard<std::mutex> a(two);
        std::lock_guard<std::mutex> b(one);
    });
    {
        std::lock_guard<std::mutex> a(one);
        std::lock_guard<std::mutex> b(two);
    }
    other.join();
    return 0;
}

// Semaphores, a read-write lock and a barrier.
static int others()
{
    sem_t semaphore;
    sem_init(&semaphore, 0, 1);
    std::shared_mutex shared;
    std::string order;
    auto work = [&](char name) {
        sem_wait(&semaphore);
        order += name;
        sem_post(&semaphore);
        std::shared_lock<std::shared_mutex> hold(shared);
    };
    std::thread a(work, 'a'), b(work, 'b');
    a.join();
    b.join();
    std::printf("%s\n", order.c_str());
    return 0;
}

// Threads that call: each fills the block on a stream of its own.
static int callers()
{
    auto work = [](int value, aclrtStream stream) {
        aclrtSetDevice(0);
        fill(value, stream);
        aclrtSynchronizeStream(stream);
    };
    std::thread a(work, 1, first), b(work, 2, second);
    a.join();
    b.join();
    std::printf("%d\n", content());
    return 0;
}

// The process ends while a thread is at work: how far that came is seen in what is printed.
static int left_alone()
{
    static std::mutex mutex;
    std::thread([] {
        for (int i = 0; i < 2; i++) {
            std::lock_guard<std::mutex> hold(mutex);
            std::printf("%d", i);
        }
    }).detach();
    return 0;
}

// How the process ends is up to the order.
static int ends(const std::string &how)
{
    fill(1, first);
    fill(2, second);
    aclrtSynchronizeDevice();
    if (content() == 2)
        return 0;
    if (how == "crash")
        *(volatile int *)nullptr = 1;
    if (how == "abort")
        std::abort();
    if (how == "throw")
        throw std::runtime_error("nobody catches it");
    if (how == "_exit")
        _exit(5);
    if (how == "exit")
        std::exit(6);
    if (how == "kill")
        kill(getpid(), SIGKILL);
    if (how == "closed")
        for (int i = 0; i < 1024; i++)
            close(i);
    if (how == "exec")
        execl("/bin/true", "true", (char *)nullptr);
    if (how == "spin")
        for (;;)
            ;
    return 0;
}

// A child of the program takes no part.
static int forks()
{
    fill(1, first);
    fill(2, second);
    std::fflush(nullptr);
    pid_t child = fork();
    if (!child) {
        int32_t device = -1;
        aclrtGetDevice(&device);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    aclrtSynchronizeDevice();
    std::printf("%d %d\n", content(), status);
    return 0;
}

// A run without end, with calls or without, that has made a mistake before.
static int endless(bool calls)
{
    void *block;
    aclrtMalloc(&block, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtFree(block);
    aclrtFree(block);
    for (volatile int i = 0;; i++)
        if (calls)
            aclrtSetDevice(0);
}

// A host function and a wait.
static int host_function()
{
    static int seen;
    aclrtLaunchHostFunc(first, [](void *) { seen = content(); }, nullptr);
    fill(7, second);
    aclrtSynchronizeDevice();
    std::printf("%d\n", seen);
    return 0;
}

// What a program sees of its surroundings.
static int surroundings()
{
    char text[32] = {};
    fill(1, first);
    fill(2, second);
    aclrtSynchronizeDevice();
    auto heap = std::make_unique<int>(content());
    std::printf("%ld %p %s\n", (long)std::time(nullptr), (void *)heap.get(), std::fgets(text, sizeof text, stdin));
    return 0;
}

// Where objects of several sizes come to lie.
static int heap()
{
    for (size_t size = 24; size < 4096; size += 16)
        std::printf("%zu %p\n", size, std::malloc(size));
    return 0;
}

static int run(const std::string &way)
{
    if (way == "heap")
        return heap();
    if (way == "streams" || way == "ordered")
        return streams(way == "ordered");
    if (way == "locks")
        return locks();
    if (way == "checked" || way == "unchecked")
        return signals(way == "checked");
    if (way == "bare_signal")
        return bare_signal();
    if (way == "lock_order")
        return lock_order();
    if (way == "others")
        return others();
    if (way == "callers")
        return callers();
    if (way == "left_alone")
        return left_alone();
    if (way == "forks")
        return forks();
    if (way == "host_function")
        return host_function();
    if (way == "surroundings")
        return surroundings();
    if (way == "computes" || way == "polls")
        return endless(way == "polls");
    return ends(way);
}

int main(int, char **words)
{
    begin();
    int code = run(words[1]);
    return end() ? 9 : code;
}
