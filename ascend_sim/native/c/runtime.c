/* Functions of the layers below AscendCL. libtorch_npu names some for kernels that it brings along: nothing here runs a
 * compiled kernel, so each says so once, and fails as a feature that is not supported. */
#include "door.h"

#include <stdio.h>
#include <stdlib.h>

#define NOT_SUPPORTED 207000 /* ACL_ERROR_RT_FEATURE_NOT_SUPPORT */
#define INVALID_VALUE 3 /* DRV_ERROR_INVALID_VALUE */

static int32_t refused(const char *name, int *said)
{
    if (!__atomic_exchange_n(said, 1, __ATOMIC_RELAXED))
        fprintf(stderr, "ascend-sim: %s is not modelled: compiled kernels do not run here\n", name);
    return NOT_SUPPORTED;
}

#define REFUSED(name, ...) \
    EXPORT int32_t name(__VA_ARGS__) \
    { \
        static int said; \
        return refused(#name, &said); \
    }

REFUSED(rtDevBinaryRegister, const void *binary, void **handle)
REFUSED(rtFunctionRegister, void *binary, const void *stub, const char *name, const void *kernel, uint32_t mode)
REFUSED(rtKernelLaunch, const void *stub, uint32_t blocks, void *arguments, uint32_t size, void *desc, void *stream)
REFUSED(rtGetC2cCtrlAddr, uint64_t *address, uint32_t *length)

/* The driver (ascend_hal.h) sees all devices, whatever ASCEND_RT_VISIBLE_DEVICES shows, and no runtime begins with it. */
EXPORT int32_t drvGetDevNum(uint32_t *count)
{
    if (!count)
        return INVALID_VALUE;
    const char *devices = getenv("ASCEND_SIM_DEVICES");
    *count = devices ? (uint32_t)atoi(devices) : 1;
    return 0;
}
