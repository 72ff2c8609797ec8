// Two threads whose calls nothing orders but a flag.
#include "acl/acl.h"

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include "flag.h"

static FLAG ready{false};

static void *memory;
static char bytes[64];

static void write()
{
    aclrtMemcpy(memory, 64, bytes, 64, ACL_MEMCPY_HOST_TO_DEVICE);
}

static void read()
{
    aclrtMemcpy(bytes, 64, memory, 64, ACL_MEMCPY_DEVICE_TO_HOST);
}

static void write_and_tell()
{
    aclrtSetDevice(0);
    write();
    ready = true;
}

static void until_told()
{
    while (!ready)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

int main(int, char **words)
{
    std::string how = words[1];
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    if (how == "other spins") {
        std::thread other([] {
            aclrtSetDevice(0);
            while (!ready) {
            }
            read();
        });
        write();
        ready = true;
        other.join();
    } else {
        std::thread other(write_and_tell);
        if (how == "spins" || how == "frees")
            while (!ready) {
            }
        else if (how == "yields")
            while (!ready)
                std::this_thread::yield();
        else if (how == "sleeps")
            until_told();
        else // looks once, after a time that nothing orders
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        if (how == "frees") {
            aclrtFree(memory);
            other.join();
            return aclFinalize();
        }
        if (ready)
            read();
        other.join();
    }
    std::puts("done");
    aclrtFree(memory);
    aclrtResetDevice(0);
    return aclFinalize();
}
