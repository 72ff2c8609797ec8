// A buffer freed twice through two functions, one of them compiled into the other.
#include "acl/acl.h"

static inline __attribute__((always_inline)) void release(void *memory)
{
    aclrtFree(memory);
}

static __attribute__((noinline)) void clear(void *memory)
{
    release(memory);
    __asm__ volatile("");
}

int main()
{
    void *memory;
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    for (int i = 0; i < 2; i++)
        clear(memory);
    aclrtResetDevice(0);
    return aclFinalize();
}
