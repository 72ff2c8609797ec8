// Four threads that meet in the ways that C11, C++20 and POSIX have, with calls of the API between. Its word: the way, or
// "all" those that come to an end.
#include "acl/acl.h"

#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <future>
#include <latch>
#include <map>
#include <mutex>
#include <pthread.h>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <threads.h>
#include <vector>

using namespace std::chrono_literals;

static const int MANY = 4;
static aclrtContext context;
static void *memory;

// A call of the API that the log shows with its number; the number says who calls.
static void call(int number)
{
    aclrtSetCurrentContext(context);
    aclrtMemset(static_cast<char *>(memory) + 32 * number, 32, number, 32);
}

static void all(const std::function<void(int)> &work)
{
    std::vector<std::thread> threads;
    for (int i = 0; i < MANY; i++)
        threads.emplace_back(work, i);
    for (auto &thread : threads)
        thread.join();
}

static std::mutex out;
static std::string order;
static void say(int id)
{
    std::lock_guard<std::mutex> guard(out);
    order += std::to_string(id);
}

static void SharedMutex()
{
    std::shared_mutex lock;
    all([&](int id) {
        for (int i = 0; i < 5; i++) {
            if ((id + i) % 3) {
                std::shared_lock<std::shared_mutex> reading(lock);
                call(10 * id + i);
            } else {
                std::unique_lock<std::shared_mutex> writing(lock);
                call(100 + id);
                say(id);
            }
        }
    });
}

static void Semaphore()
{
    std::counting_semaphore<4> two(2);
    std::binary_semaphore done(0);
    std::thread last([&] { done.acquire(); call(99); say(9); });
    all([&](int id) {
        for (int i = 0; i < 3; i++) {
            two.acquire();
            call(id);
            say(id);
            two.release();
        }
    });
    if (two.try_acquire_for(1ms))
        two.release();
    done.release();
    last.join();
}

static void Barrier()
{
    int rounds = 0;
    std::barrier sync(MANY, [&]() noexcept { rounds++; });
    all([&](int id) {
        for (int i = 0; i < 4; i++) {
            call(id * 10 + i);
            say(id);
            sync.arrive_and_wait();
        }
    });
    say(rounds);
}

static void Latch()
{
    std::latch gate(1), gone(MANY);
    std::thread watch([&] { gone.wait(); call(77); say(7); });
    std::thread opener([&] { std::this_thread::sleep_for(3ms); call(88); gate.count_down(); });
    all([&](int id) {
        gate.wait();
        call(id);
        say(id);
        gone.count_down();
    });
    opener.join();
    watch.join();
}

static void Futures()
{
    std::vector<std::future<int>> results;
    std::promise<int> start;
    std::shared_future<int> begun = start.get_future().share();
    for (int i = 0; i < MANY; i++)
        results.push_back(std::async(std::launch::async, [i, begun] {
            int first = begun.get();
            call(i + first);
            say(i);
            return i * i;
        }));
    if (results[0].wait_for(2ms) == std::future_status::timeout)
        say(0);
    std::packaged_task<int(int)> task([](int x) { call(x); return x; });
    std::future<int> packaged = task.get_future();
    std::thread worker(std::move(task), 55);
    start.set_value(5);
    for (auto &result : results)
        say(result.get());
    say(packaged.get());
    worker.join();
}

static void Once()
{
    std::once_flag flag;
    int tries = 0;
    all([&](int id) {
        call(id);
        try {
            std::call_once(flag, [&] {
                call(60 + id);
                std::this_thread::sleep_for(1ms);
                call(70 + id);
                say(id);
                if (++tries == 1)
                    throw 1;
            });
        } catch (int) {
            say(8);
        }
        call(80 + id);
        say(id);
    });
}

static void Local()
{
    struct Mine {
        int id;
        ~Mine()
        {
            call(90 + id);
            say(id);
        }
    };
    all([&](int id) {
        static thread_local Mine mine{id};
        call(mine.id);
        std::this_thread::sleep_for(std::chrono::microseconds(100 * (MANY - id)));
    });
}

struct Slow {
    int id;
    explicit Slow(int id) : id(id)
    {
        call(50 + id);
        std::this_thread::sleep_for(1ms);
        say(id);
    }
};

static void Static()
{
    all([&](int id) {
        static Slow slow(id);
        call(slow.id + 10 * id);
        say(id);
    });
}

static void Sleeps()
{
    auto begin = std::chrono::steady_clock::now();
    all([&](int id) {
        for (int i = 0; i < 3; i++) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10 * id + i));
            call(id);
            say(id);
        }
        std::this_thread::sleep_until(begin + std::chrono::milliseconds(100 - id));
        say(id);
    });
}

static void Timed()
{
    std::mutex mutex;
    std::timed_mutex timed;
    std::condition_variable condition;
    std::condition_variable_any any;
    bool ready = false;
    std::thread holder([&] { std::lock_guard<std::timed_mutex> guard(timed); std::this_thread::sleep_for(20ms); });
    all([&](int id) {
        std::unique_lock<std::mutex> guard(mutex);
        bool came = condition.wait_for(guard, std::chrono::milliseconds(5 * id + 1), [&] { return ready; });
        call(came ? 40 + id : id);
        say(id);
        if (id == 2) {
            ready = true;
            condition.notify_all();
        }
        any.wait_for(guard, std::chrono::milliseconds(MANY - id));
        guard.unlock();
        std::unique_lock<std::timed_mutex> other(timed, std::chrono::milliseconds(10 * id));
        say(other.owns_lock());
    });
    holder.join();
}

static void Atomics()
{
    std::atomic<int> turn(0);
    std::atomic_flag stop = ATOMIC_FLAG_INIT;
    std::atomic<long> wide(0);
    std::thread waiter([&] { stop.wait(false); wide.wait(0); call(66); say(6); });
    all([&](int id) {
        for (int i = 0; i < 3; i++) {
            int mine = i * MANY + id;
            for (int now = turn; now != mine; now = turn)
                turn.wait(now);
            call(id);
            say(id);
            turn++;
            turn.notify_all();
        }
    });
    stop.test_and_set();
    stop.notify_one();
    wide = 1;
    wide.notify_all();
    waiter.join();
}

static void ReadWrite()
{
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    all([&](int id) {
        for (int i = 0; i < 4; i++) {
            if (id == i)
                pthread_rwlock_wrlock(&lock);
            else
                pthread_rwlock_rdlock(&lock);
            call(id * 10 + i);
            say(id);
            pthread_rwlock_unlock(&lock);
        }
    });
    pthread_rwlock_destroy(&lock);
}

static void Barriers()
{
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, nullptr, MANY);
    all([&](int id) {
        for (int i = 0; i < 3; i++) {
            call(id);
            if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
                say(id);
        }
    });
    pthread_barrier_destroy(&barrier);
}

static void Stops()
{
    std::mutex mutex;
    std::condition_variable_any condition;
    std::vector<std::jthread> threads;
    for (int i = 0; i < MANY; i++)
        threads.emplace_back([&, i](std::stop_token token) {
            std::unique_lock<std::mutex> guard(mutex);
            condition.wait(guard, token, [] { return false; });
            call(i);
            say(i);
        });
    std::this_thread::sleep_for(1ms);
    for (auto &thread : threads)
        thread.request_stop();
}

static void AtExit()
{
    std::mutex mutex;
    std::condition_variable condition;
    int gone = 0;
    std::vector<std::future<int>> results;
    for (int i = 0; i < MANY; i++) {
        std::promise<int> promise;
        results.push_back(promise.get_future());
        std::thread([&, i](std::promise<int> promise) {
            call(i);
            promise.set_value_at_thread_exit(i);
            std::unique_lock<std::mutex> guard(mutex);
            gone++;
            std::notify_all_at_thread_exit(condition, std::move(guard));
        }, std::move(promise)).detach();
    }
    for (auto &result : results)
        say(result.get());
    std::unique_lock<std::mutex> guard(mutex);
    condition.wait(guard, [&] { return gone == MANY; });
    call(90);
}

// What a key has for a thread is destroyed behind its thread-local variables.
static pthread_key_t key;
static void Gone(void *data)
{
    int id = static_cast<int>(reinterpret_cast<std::uintptr_t>(data));
    call(50 + id);
    say(id % 10);
    if (id < 20)
        pthread_setspecific(key, reinterpret_cast<void *>(static_cast<std::uintptr_t>(id + 10)));
}

static void Keys()
{
    pthread_key_create(&key, Gone);
    all([&](int id) {
        pthread_setspecific(key, reinterpret_cast<void *>(static_cast<std::uintptr_t>(id + 1)));
        call(id);
    });
}

static mtx_t c_mutex;
static cnd_t c_condition;
static int c_turn;
static int CThread(void *data)
{
    int id = *static_cast<int *>(data);
    for (int i = 0; i < 3; i++) {
        mtx_lock(&c_mutex);
        while (c_turn % MANY != id)
            cnd_wait(&c_condition, &c_mutex);
        call(id);
        say(id);
        c_turn++;
        cnd_broadcast(&c_condition);
        mtx_unlock(&c_mutex);
        struct timespec time = {0, 1000};
        thrd_sleep(&time, nullptr);
        thrd_yield();
    }
    return id;
}

static void CThreads()
{
    mtx_init(&c_mutex, mtx_plain);
    cnd_init(&c_condition);
    thrd_t threads[MANY];
    int ids[MANY] = {0, 1, 2, 3};
    for (int i = 0; i < MANY; i++)
        thrd_create(&threads[i], CThread, &ids[i]);
    for (int i = 0; i < MANY; i++) {
        int code;
        thrd_join(threads[i], &code);
        say(code);
    }
    mtx_destroy(&c_mutex);
    cnd_destroy(&c_condition);
}

static std::mutex called_mutex;
static std::condition_variable called;
static int calls_back;
static void Back(void *data)
{
    std::lock_guard<std::mutex> guard(called_mutex);
    say(static_cast<int>(reinterpret_cast<std::uintptr_t>(data)));
    calls_back++;
    called.notify_all();
}

static void Callbacks()
{
    all([&](int id) {
        aclrtSetCurrentContext(context);
        aclrtStream stream;
        aclrtCreateStream(&stream);
        for (int i = 0; i < 3; i++) {
            aclrtMemsetAsync(static_cast<char *>(memory) + 512 * id, 512, i, 64, stream);
            aclrtLaunchHostFunc(stream, Back, reinterpret_cast<void *>(static_cast<std::uintptr_t>(id)));
        }
        {
            std::unique_lock<std::mutex> guard(called_mutex);
            called.wait(guard, [&] { return calls_back >= 3 * MANY; });
        }
        aclrtSynchronizeStream(stream);
        aclrtDestroyStream(stream);
    });
}

// What nobody ends; the place of the wait is marked.

static void NoLatch()
{
    std::latch gate(2);
    gate.arrive_and_wait(); // HERE: latch
}

static void NoSemaphore()
{
    std::counting_semaphore<2> none(0);
    std::thread other([&] {
        none.acquire(); // HERE: semaphore
    });
    other.join();
}

static void NoAtomic()
{
    std::atomic<int> word(0);
    std::thread other([&] {
        word.wait(0); // HERE: atomic
    });
    other.join();
}

static void NoPromise()
{
    std::promise<int> promise;
    promise.get_future().get(); // HERE: promise
}

static void NoWriter()
{
    std::shared_mutex lock;
    std::shared_lock<std::shared_mutex> reading(lock);
    std::thread other([&] {
        lock.lock(); // HERE: writer
    });
    other.join();
}

static void NoMutex()
{
    std::mutex a, b;
    std::thread other([&] {
        a.lock();
        std::this_thread::sleep_for(1ms);
        b.lock();
    });
    b.lock();
    std::this_thread::sleep_for(1ms);
    a.lock(); // HERE: mutex
    other.join();
}

static int NoTurn(void *)
{
    return mtx_lock(&c_mutex); // HERE: c_thread
}

static void NoCThread()
{
    mtx_init(&c_mutex, mtx_plain);
    mtx_lock(&c_mutex);
    thrd_t thread;
    thrd_create(&thread, NoTurn, nullptr);
    thrd_join(thread, nullptr);
}

static std::once_flag never;
static void Again()
{
    std::call_once(never, [] {}); // HERE: once
}

static void NoOnce()
{
    std::call_once(never, [] {
        std::thread other(Again);
        other.join();
    });
}

int main(int, char **words)
{
    const std::map<std::string, void (*)()> ends = {
        {"at_exit", AtExit}, {"atomics", Atomics}, {"barrier", Barrier}, {"barriers", Barriers}, {"c_threads", CThreads},
        {"callbacks", Callbacks}, {"futures", Futures}, {"keys", Keys}, {"latch", Latch}, {"local", Local}, {"once", Once},
        {"rwlock", ReadWrite}, {"semaphore", Semaphore}, {"shared_mutex", SharedMutex}, {"sleeps", Sleeps},
        {"static", Static}, {"stops", Stops}, {"timed", Timed},
    };
    const std::map<std::string, void (*)()> hangs = {
        {"no_latch", NoLatch}, {"no_semaphore", NoSemaphore}, {"no_atomic", NoAtomic}, {"no_promise", NoPromise},
        {"no_writer", NoWriter}, {"no_mutex", NoMutex}, {"no_c_thread", NoCThread}, {"no_once", NoOnce},
    };
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtGetCurrentContext(&context);
    aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST);
    std::string way = words[1];
    if (hangs.count(way))
        hangs.at(way)();
    for (const auto &[name, work] : ends) {
        if (way != name && way != "all")
            continue;
        order.clear();
        work();
        std::printf("%s %s\n", name.c_str(), order.c_str());
    }
    aclrtFree(memory);
    aclrtResetDevice(0);
    return aclFinalize();
}
