/* Reports for a profiler that is not there: what Msprof does when no tool listens. */
#include "door.h"

#include <stddef.h>
#include <stdint.h>

EXPORT int32_t MsprofRegisterCallback(uint32_t module, void *function)
{
    (void)module, (void)function;
    return 0;
}

EXPORT int32_t MsprofReportApi(uint32_t aging, const void *api)
{
    (void)aging, (void)api;
    return 0;
}

EXPORT int32_t MsprofReportCompactInfo(uint32_t aging, const void *data, uint32_t length)
{
    (void)aging, (void)data, (void)length;
    return 0;
}

EXPORT int32_t MsprofReportAdditionalInfo(uint32_t aging, const void *data, uint32_t length)
{
    (void)aging, (void)data, (void)length;
    return 0;
}

EXPORT uint64_t MsprofGetHashId(const char *text, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; text && i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    return hash;
}

EXPORT uint64_t MsprofSysCycleTime(void)
{
    return 0;
}
