/* Sub-graphs of a condition: the handles come in an array that a struct leads to, which is itself an input. */
#include "acl/acl.h"

#include <stdio.h>

static int must(aclError code, const char *what)
{
    if (code)
        printf("%s: %d\n", what, code);
    return code;
}
#define MUST(call) \
    if (must(call, #call)) \
        return 1

int main(void)
{
    aclrtStream stream, inner;
    void *sum = NULL;
    MUST(aclInit(NULL));
    MUST(aclrtSetDevice(0));
    MUST(aclrtCreateStream(&stream));
    MUST(aclrtCreateStream(&inner));
    MUST(aclrtMalloc(&sum, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    MUST(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    aclmdlRICaptureStatus status;
    aclmdlRI graph, branches[2] = {NULL, NULL};
    MUST(aclmdlRICaptureGetInfo(stream, &status, &graph));
    aclmdlRICondHandle condition;
    uint64_t *number = NULL;
    MUST(aclmdlRICondHandleCreate(graph, 0, (aclmdlRICondHandleFlag)0, &condition));
    MUST(aclmdlRICondHandleGetCondPtr(condition, &number));
    aclmdlRICondTaskParams params = {condition, ACL_MODEL_RI_COND_TYPE_IF, 2, branches};
    MUST(aclmdlRIAddCondTask(params, stream, 0));
    for (int i = 0; i < 2; i++) {
        MUST(aclmdlRICaptureToModelRIBegin(inner, branches[i], ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
        MUST(aclrtMemsetAsync(sum, 64, i ? 1 : 7, 64, inner));
        MUST(aclmdlRICaptureEnd(inner, &branches[i]));
    }
    MUST(aclmdlRICaptureEnd(stream, &graph));
    printf("sums");
    for (uint64_t wanted = 2; wanted-- > 0;) {
        char found[64];
        MUST(aclrtMemcpy(number, sizeof wanted, &wanted, sizeof wanted, ACL_MEMCPY_HOST_TO_DEVICE));
        MUST(aclmdlRIExecuteAsync(graph, stream));
        MUST(aclrtSynchronizeStream(stream));
        MUST(aclrtMemcpy(found, sizeof found, sum, sizeof found, ACL_MEMCPY_DEVICE_TO_HOST));
        printf(" %d", found[0]);
    }
    printf("\n");
    MUST(aclmdlRIDestroy(graph));
    MUST(aclrtFree(sum));
    MUST(aclrtDestroyStream(inner));
    MUST(aclrtDestroyStream(stream));
    MUST(aclrtResetDevice(0));
    return aclFinalize();
}
