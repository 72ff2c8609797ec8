// Programs that do what no program should, each after a mistake that was reported; the first argument says which.
#include "acl/acl.h"

#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <pthread.h>
#include <spawn.h>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static aclrtStream stream;
static void *memory;
static jmp_buf back;
static char **words;

static void mistake()
{
    aclrtFree(memory);
    aclrtFree(memory);
    std::printf("mistaken\n");
    std::fflush(stdout);
}

struct Late {
    bool on = false, aborts = false;
    ~Late()
    {
        if (aborts)
            std::abort();
        if (!on)
            return;
        void *block = nullptr;
        std::printf("late %d\n", aclrtMalloc(&block, 64, ACL_MEM_MALLOC_HUGE_FIRST));
        aclrtFree(block);
    }
};
static Late late;

static void in_callback(aclrtCallback function)
{
    aclrtLaunchHostFunc(stream, function, nullptr);
    aclrtSynchronizeStream(stream);
}

static int overflow(int depth)
{
    volatile char room[4096];
    room[depth & 4095] = 0;
    return depth < 0 ? 0 : overflow(depth + 1) + room[1];
}

static int wait_for(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

static int ask_device()
{
    int32_t device = -1;
    return aclrtGetDevice(&device) == ACL_SUCCESS && device == 0 ? 3 : 4;
}

static void close_all(int from)
{
    for (int i = from; i < 1024; i++)
        close(i);
}

static void limit(int what, rlim_t value)
{
    struct rlimit both = {value, value};
    setrlimit(what, &both);
}

static int go(const std::string &way)
{
    if (way == "null-write")
        *(volatile int *)nullptr = 1;
    if (way == "segfault-in-callback")
        in_callback([](void *) { *(volatile int *)nullptr = 1; });
    if (way == "bus-error")
        raise(SIGBUS);
    if (way == "arithmetic")
        raise(SIGFPE);
    if (way == "illegal")
        __builtin_trap();
    if (way == "stack-overflow")
        return overflow(0);
    if (way == "stack-overflow-in-thread")
        std::thread([] { overflow(0); }).join();
    if (way == "stack-overflow-in-callback")
        in_callback([](void *) { overflow(0); });
    if (way == "abort")
        std::abort();
    if (way == "abort-in-callback")
        in_callback([](void *) { std::abort(); });
    if (way == "throw")
        throw std::runtime_error("nobody catches it");
    if (way == "throw-in-thread")
        std::thread([] { throw std::runtime_error("nobody catches it"); }).join();
    if (way == "kill")
        kill(getpid(), SIGKILL);
    if (way == "terminate")
        kill(getpid(), SIGTERM);
    if (way == "interrupt")
        raise(SIGINT);
    if (way == "kill-in-callback")
        in_callback([](void *) { kill(getpid(), SIGKILL); });
    if (way == "_exit")
        _exit(7);
    if (way == "quick_exit")
        std::quick_exit(7);
    if (way == "exit-in-callback")
        in_callback([](void *) { std::exit(7); });
    if (way == "exit-in-thread")
        std::thread([] { std::exit(7); }).join();
    if (way == "exit-twice") {
        std::atexit([] { std::exit(7); });
        return 0;
    }
    if (way == "pthread_exit-main") {
        std::thread([] {
            usleep(1000);
            std::printf("alone %d\n", aclrtSetDevice(0));
        }).detach();
        pthread_exit(nullptr);
    }
    if (way == "detached") {
        std::thread([] {
            for (;;) {
                int32_t device;
                aclrtGetDevice(&device);
                usleep(1000);
            }
        }).detach();
        usleep(5000);
    }
    if (way == "static-destructor")
        late.on = true;
    if (way == "longjmp-out-of-callback") {
        if (!setjmp(back))
            in_callback([](void *) { std::longjmp(back, 1); });
        std::printf("back\n");
    }
    if (way == "longjmp-out-of-handler") {
        signal(SIGUSR1, [](int) { std::longjmp(back, 1); });
        if (!setjmp(back))
            raise(SIGUSR1);
        aclrtFree(memory);
    }
    if (way == "mutex-held-at-exit") {
        static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
        std::thread([] {
            pthread_mutex_lock(&mutex);
            std::exit(7);
        }).join();
    }
    if (way == "close-all") {
        close_all(0);
        aclrtFree(memory);
    }
    if (way == "close-but-three")
        close_all(3);
    if (way == "close-stderr")
        std::fclose(stderr);
    if (way == "stderr-elsewhere" && !std::freopen("/dev/full", "w", stderr))
        return 1;
    if (way == "no-descriptors")
        limit(RLIMIT_NOFILE, 0);
    if (way == "no-memory")
        limit(RLIMIT_AS, 1 << 20);
    if (way == "no-processor-time") {
        limit(RLIMIT_CPU, 1);
        for (volatile unsigned i = 0;; i++)
            ;
    }
    if (way == "no-file-size")
        limit(RLIMIT_FSIZE, 0);
    if (way == "fork") {
        pid_t child = fork();
        if (!child)
            _exit(ask_device());
        std::printf("child %d\n", wait_for(child));
    }
    if (way == "double-fork") {
        pid_t child = fork();
        if (!child) {
            pid_t grandchild = fork();
            if (!grandchild)
                _exit(ask_device());
            _exit(wait_for(grandchild));
        }
        std::printf("grandchild %d\n", wait_for(child));
    }
    if (way == "fork-storm") {
        pid_t children[24];
        for (pid_t &child : children)
            if (!(child = fork()))
                _exit(ask_device());
        int good = 0;
        for (pid_t child : children)
            good += wait_for(child) == 3;
        std::printf("good %d\n", good);
    }
    if (way == "fork-storm-with-threads") {
        std::thread others[3];
        for (std::thread &other : others)
            other = std::thread([] {
                for (int i = 0; i < 200; i++)
                    aclrtSetDevice(0);
            });
        int good = 0;
        for (int i = 0; i < 8; i++) {
            pid_t child = fork();
            if (!child)
                _exit(ask_device());
            good += wait_for(child) == 3;
        }
        for (std::thread &other : others)
            other.join();
        std::printf("good %d\n", good);
    }
    if (way == "fork-in-callback") {
        static int code;
        in_callback([](void *) {
            pid_t child = fork();
            if (!child)
                _exit(5);
            code = wait_for(child);
        });
        std::printf("child %d\n", code);
    }
    if (way == "child-exits") { // its exit handlers run: those of the simulator as well
        pid_t child = fork();
        if (!child)
            std::exit(ask_device());
        std::printf("child %d\n", wait_for(child));
    }
    if (way == "child-crashes") {
        pid_t child = fork();
        if (!child)
            std::abort();
        std::printf("child %d\n", wait_for(child));
    }
    if (way == "vfork-exec") {
        pid_t child = vfork();
        if (!child) {
            execl("/bin/true", "true", (char *)nullptr);
            _exit(9);
        }
        std::printf("child %d\n", wait_for(child));
    }
    if (way == "spawn") {
        pid_t child;
        char *arguments[] = {words[0], const_cast<char *>("plain"), nullptr};
        if (posix_spawn(&child, words[0], nullptr, nullptr, arguments, environ))
            return 1;
        std::printf("child %d\n", wait_for(child));
    }
    if (way == "system")
        std::printf("child %d\n", WEXITSTATUS(std::system("exit 6")));
    if (way == "throw-in-callback")
        in_callback([](void *) { throw std::runtime_error("nobody catches it"); });
    if (way == "throw-in-callback-and-catch") {
        try {
            in_callback([](void *) { throw std::runtime_error("caught outside"); });
        } catch (const std::runtime_error &error) {
            std::printf("%s\n", error.what());
        }
    }
    if (way == "abort-in-static-destructor")
        late.aborts = true;
    if (way == "folder-is-gone") {
        mkdir("gone", 0700);
        if (chdir("gone") || rmdir("../gone"))
            return 1;
        aclrtFree(memory);
    }
    if (way == "exec-itself")
        execl(words[0], words[0], "plain", (char *)nullptr);
    if (way == "exec-other")
        execl("/bin/echo", "echo", "other", (char *)nullptr);
    if (way == "own-handler") {
        signal(SIGSEGV, [](int) { _exit(8); });
        *(volatile int *)nullptr = 1;
    }
    if (way == "finalize-in-callback")
        in_callback([](void *) { aclFinalize(); });
    if (way == "no-environment") {
        clearenv();
        aclrtFree(memory);
    }
    if (way == "no-folder") {
        if (chdir("/proc/self/fdinfo"))
            return 1;
        aclrtFree(memory);
    }
    return 0;
}

int main(int, char **given)
{
    words = given;
    std::string way = given[1];
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtCreateStream(&stream);
    mistake();
    int code = go(way);
    std::printf("end\n");
    return code;
}
