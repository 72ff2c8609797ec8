/* aclnn operators: tensors and scalars, both phases, codes. */
#include "acl/acl.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_erf.h"

#include <stdio.h>
#include <stdlib.h>

static aclTensor *tensor(void **memory, float first)
{
    int64_t dims[1] = {4}, strides[1] = {1};
    float values[4] = {first, first + 1, first + 2, first + 3};
    aclrtMalloc(memory, sizeof values, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(*memory, sizeof values, values, sizeof values, ACL_MEMCPY_HOST_TO_DEVICE);
    return aclCreateTensor(dims, 1, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, dims, 1, *memory);
}

int main(void)
{
    void *memory[3];
    float two = 2.0f, result[4];
    uint64_t size = 7;
    aclOpExecutor *executor = NULL;
    aclInit(NULL);
    aclrtSetDevice(0);
    aclrtStream stream;
    aclrtCreateStream(&stream);
    aclTensor *x = tensor(&memory[0], 1), *y = tensor(&memory[1], 10), *out = tensor(&memory[2], 0);
    aclScalar *alpha = aclCreateScalar(&two, ACL_FLOAT);
    int64_t *dims = NULL;
    uint64_t rank = 0;
    int code = aclGetViewShape(x, &dims, &rank);
    printf("shape %d %d %d\n", code, (int)rank, (int)dims[0]);
    free(dims);
    printf("null %d\n", aclnnAddGetWorkspaceSize(x, NULL, alpha, out, &size, &executor));
    code = aclnnAddGetWorkspaceSize(x, y, alpha, out, &size, &executor);
    printf("first %d %d %d\n", code, (int)size, executor != NULL);
    printf("second %d\n", aclnnAdd(NULL, size, executor, stream));
    aclrtSynchronizeStream(stream);
    aclrtMemcpy(result, sizeof result, memory[2], sizeof result, ACL_MEMCPY_DEVICE_TO_HOST);
    printf("%.0f %.0f %.0f %.0f\n", result[0], result[1], result[2], result[3]);
    printf("missing %d\n", aclnnErfGetWorkspaceSize(x, NULL, &size, &executor));
    aclDestroyTensor(x);
    aclDestroyTensor(y);
    aclDestroyTensor(out);
    aclDestroyScalar(alpha);
    for (int i = 0; i < 3; i++)
        aclrtFree(memory[i]);
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    return aclFinalize();
}
