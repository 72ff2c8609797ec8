// Threads of OpenMP: a loop, a critical section, a barrier and what one of them does, on one block of the device.
// With an argument there is a fault beside them: a stream that does not wait for another one.
#include "acl/acl.h"

#include <cstdio>

int main(int count, char **)
{
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtContext context;
    aclrtGetCurrentContext(&context);
    char *block;
    aclrtMalloc((void **)&block, 4096, ACL_MEM_MALLOC_HUGE_FIRST);
    int sum = 0;
#pragma omp parallel num_threads(4)
    {
        aclrtSetCurrentContext(context);
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < 8; i++) {
            aclrtMemset(block + 32 * i, 32, i, 32);
            sum += i;
        }
#pragma omp critical
        aclrtMemset(block + 1024, 32, 1, 32);
#pragma omp barrier
#pragma omp single
        aclrtMemset(block, 256, 1, 256);
    }
    std::printf("%d\n", sum);
    if (count > 1) {
        aclrtStream one, other;
        aclrtCreateStream(&one);
        aclrtCreateStream(&other);
        aclrtMemsetAsync(block, 256, 1, 256, one);
        aclrtMemsetAsync(block, 256, 2, 256, other); // HERE
        aclrtSynchronizeStream(one);
        aclrtSynchronizeStream(other);
        aclrtDestroyStream(one);
        aclrtDestroyStream(other);
    }
    aclrtFree(block);
    aclrtResetDevice(0);
    return aclFinalize();
}
