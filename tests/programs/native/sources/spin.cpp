// Two threads wait for each other in loops that call nothing.
#include "acl/acl.h"

#include <atomic>
#include <cstdio>
#include <thread>

int main()
{
    std::atomic<int> step{0};
    aclInit(nullptr);
    aclrtSetDevice(0);
    std::thread other([&step] {
        aclrtSetDevice(0);
        step = 1;
        while (step != 2) {
        }
    });
    while (step != 1) {
    }
    step = 2;
    other.join();
    std::puts("met");
    aclrtResetDevice(0);
    return aclFinalize();
}
