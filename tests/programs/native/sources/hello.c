/* Copies there and back; with an argument, mistakes: a buffer that is freed twice, one that is forgotten. */
#include "acl/acl.h"

#include <stdio.h>

static void *forget(void)
{
    void *lost = NULL;
    aclrtMalloc(&lost, 100, ACL_MEM_MALLOC_HUGE_FIRST);
    return lost;
}

int main(int count, char **words)
{
    (void)words;
    char host[64] = "hello", back[64] = "";
    void *device = NULL;
    aclrtStream stream = NULL;
    if (aclInit(NULL) || aclrtSetDevice(0) || aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST) ||
        aclrtCreateStream(&stream))
        return 3;
    aclrtMemcpyAsync(device, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream);
    aclrtSynchronizeStream(stream);
    aclrtMemcpy(back, 64, device, 64, ACL_MEMCPY_DEVICE_TO_HOST);
    printf("%s on %s\n", back, aclrtGetSocName());
    if (count > 1)
        forget();
    aclrtDestroyStream(stream);
    aclrtFree(device);
    if (count > 1)
        aclrtFree(device);
    aclrtResetDevice(0);
    printf("end %d\n", aclFinalize());
    return 0;
}
