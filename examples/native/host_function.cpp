// A host function that waits for a lock, and a main thread that waits for the stream while it holds that lock: neither goes
// on. `host_function right` gives the lock back first.
//
//     ascend-sim cc -g host_function.cpp -o host_function
//     ascend-sim run ./host_function          # a deadlock: main, the stream, the host function, the lock
//     ascend-sim run ./host_function right
#include <cstdio>
#include <cstring>
#include <mutex>

#include "acl/acl.h"
#include "must.h"

static std::mutex results_lock;
static int results = 0;

static void collect(void *)
{
    std::lock_guard<std::mutex> hold(results_lock);
    ++results;
}

int main(int argc, char **argv)
{
    const bool right = argc > 1 && std::strcmp(argv[1], "right") == 0;
    MUST(aclInit(nullptr));
    MUST(aclrtSetDevice(0));
    aclrtStream stream;
    MUST(aclrtCreateStream(&stream));

    std::unique_lock<std::mutex> hold(results_lock);
    MUST(aclrtLaunchHostFunc(stream, collect, nullptr));
    if (right) {
        hold.unlock();
    }
    MUST(aclrtSynchronizeStream(stream));
    std::printf("%d result\n", results);

    MUST(aclrtDestroyStream(stream));
    MUST(aclrtResetDevice(0));
    MUST(aclFinalize());
    return 0;
}
