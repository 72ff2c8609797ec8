// Ways for a process to go on and to end; the first argument says which.
#include "acl/acl.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static void *device;
static aclrtStream stream;

struct Late {
    bool on = false;
    ~Late()
    {
        if (on)
            std::printf("destructor %d\n", aclrtFree(device));
    }
};
static Late late;

static void at_exit() { std::printf("handler %d\n", aclrtSynchronizeDevice()); }

static void end_here(void *) { std::exit(7); }

static void crash_here(void *)
{
    volatile int *nowhere = nullptr;
    *nowhere = 1;
}

static void overflow(int depth)
{
    volatile char room[4096];
    room[0] = 0;
    if (depth > 0)
        overflow(depth + room[0]);
}

static int in_child()
{
    std::fflush(nullptr);
    pid_t child = fork();
    if (!child) {
        int32_t id = -1;
        int code = aclrtGetDevice(&id);
        std::printf("child %d\n", code);
        std::fflush(nullptr);
        _exit(code == ACL_SUCCESS ? 5 : 6);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(int, char **words)
{
    std::string way = words[1];
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtCreateStream(&stream);
    std::printf("begun\n");
    if (way == "destructor") {
        late.on = true;
        std::atexit(at_exit);
        return 4;
    }
    if (way == "_exit") {
        std::fflush(nullptr);
        aclrtFree(device);
        aclrtFree(device);
        _exit(4);
    }
    if (way == "throw")
        throw std::runtime_error("nobody catches it");
    if (way == "hostfunc-exit")
        aclrtLaunchHostFunc(stream, end_here, nullptr);
    if (way == "hostfunc-crash") {
        aclrtFree(device);
        aclrtFree(device);
        aclrtLaunchHostFunc(stream, crash_here, nullptr);
    }
    if (way == "stack-overflow") {
        aclrtFree(device);
        aclrtFree(device);
        overflow(1);
    }
    if (way == "hang") {
        aclrtNotify notify;
        aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT);
        aclrtWaitAndResetNotify(notify, stream, 0);
    }
    if (way == "closed") { // the program closes every file, those of the simulator as well
        std::fflush(nullptr);
        for (int i = 3; i < 256; i++)
            close(i);
        aclrtFree(device);
        aclrtFree(device);
    }
    if (way == "fork")
        std::printf("of child %d\n", in_child());
    if (way == "thread") {
        std::thread([] {
            std::printf("other %d\n", aclrtSetDevice(0));
            aclrtSynchronizeDevice();
        }).join();
    }
    if (way == "threads") // Python forgets each of them
        for (int i = 0; i < 50; i++)
            std::thread([] { aclrtSetDevice(0); }).join();
    std::printf("synchronised %d\n", aclrtSynchronizeStream(stream));
    aclrtDestroyStream(stream);
    if (way != "closed" && way != "stack-overflow")
        aclrtFree(device);
    aclrtResetDevice(0);
    std::printf("end %d\n", aclFinalize());
    std::printf("again %d\n", aclFinalize());
    return 0;
}
