/* A subscription to a model that nothing has loaded: only the profiler was told of it. */
#include "acl/acl.h"
#include "acl/acl_prof.h"
#include "profiling/aprof_pub.h"

#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int pipes[2];
    char byte;
    if (aclInit(NULL) || aclrtSetDevice(0) || pipe(pipes))
        return 1;
    aclprofSubscribeConfig *config = aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, &pipes[1]);
    printf("%d\n", aclprofModelSubscribe(7, config));
    MsprofSetDeviceIdByGeModelIdx(7, 0);
    printf("%d\n", aclprofModelSubscribe(7, config));
    printf("%d\n", aclprofModelUnSubscribe(7));
    if (read(pipes[0], &byte, 1) == 0)
        printf("end\n");
    aclprofDestroySubscribeConfig(config);
    aclrtResetDevice(0);
    return aclFinalize();
}
