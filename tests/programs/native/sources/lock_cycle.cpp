// main holds a mutex and waits for a stream, whose host function wants the mutex.
#include "acl/acl.h"

#include <mutex>

static std::mutex mutex;

static void ask(void *)
{
    std::lock_guard<std::mutex> guard(mutex);
}

int main()
{
    aclrtStream stream;
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtCreateStream(&stream);
    std::lock_guard<std::mutex> guard(mutex);
    aclrtLaunchHostFunc(stream, ask, nullptr);
    aclrtSynchronizeStream(stream);
    return aclFinalize();
}
